/* SPDX-License-Identifier: MIT */
/* Samples of any kind to 16-bit words: the rule stands in the header. */
#include "convert.h"

#include <math.h>
#include <string.h>

static int16_t clip_word(double rounded, size_t *clipped)
{
    if (rounded >= -32768 && rounded <= 32767)
        return (int16_t)rounded;
    ++*clipped;
    return rounded < 0 ? -32768 : 32767;
}

size_t vg_words_from_ints(const int32_t *in, size_t count, int16_t *out)
{
    size_t clipped = 0;

    for (size_t i = 0; i < count; i++)
        out[i] = clip_word(vg_round_even(in[i] / 65536.0), &clipped);
    return clipped;
}

size_t vg_words_from_reals(const double *in, size_t count, int16_t *out, size_t *done)
{
    size_t clipped = 0;

    for (*done = 0; *done < count && isfinite(in[*done]); ++*done)
        out[*done] = clip_word(vg_round_even(in[*done] * 32768), &clipped);
    return clipped;
}

void vg_words_mix(const int16_t *in, size_t frames, size_t channels, int16_t *out)
{
    if (channels == 1) {
        memcpy(out, in, frames * sizeof *out);
        return;
    }
    for (size_t k = 0; k < frames; k++) {
        int64_t sum = 0;

        for (size_t c = 0; c < channels; c++)
            sum += in[k * channels + c];
        /* |mean| < 2^16 and its distance from a tie is 0 or at least 2^-16: f64 cannot mistake one. */
        out[k] = (int16_t)vg_round_even((double)sum / (double)channels);
    }
}
