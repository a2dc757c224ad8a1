/* SPDX-License-Identifier: MIT */
/* Time stretch by phase vocoder (Flanagan & Golden 1966; Dolson, Computer Music Journal 10(4), 1986), as
 * librosa 0.11 computes it (recipe.md): magnitudes interpolated between neighbouring columns, phases f32 and
 * accumulated f32, never wrapped, so that their rounding is part of the sound.  What does not depend on the
 * rate is computed once per signal. */
#include "fft.h"

#include <math.h>
#include <string.h>

struct vg_vocoder {
    const struct vg_stft *stft;
    size_t columns;
    const float *start;     /* [bins] phases of column 0 */
    const float *magnitude; /* [columns + 2][bins], the last two silent */
    const double *advance;  /* [columns + 1][bins] phase from column c to c + 1 */
};

/* ---- analysis -------------------------------------------------------------------------------------- */

/* The angle of (x, y) to 1e-13 and then f32, signed zeros as atan2 has them.  The arc tangent by its power
 * series for at most tan(pi/8); beyond that from pi/4. */
static void angles(const float *restrict x, const float *restrict y, float *restrict angle, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double ax = fabs((double)x[k]), ay = fabs((double)y[k]);
        double high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
        bool diagonal = low > 0.41421356237309503 * high;
        double above = diagonal ? low - high : low, below = diagonal ? low + high : high;
        double t = above / (below > 0.0 ? below : 1.0), u = t * t;
        double series = 1.0 / 25 - u * (1.0 / 27 - u * (1.0 / 29));

        series = 1.0 / 19 - u * (1.0 / 21 - u * (1.0 / 23 - u * series));
        series = 1.0 / 13 - u * (1.0 / 15 - u * (1.0 / 17 - u * series));
        series = 1.0 / 7 - u * (1.0 / 9 - u * (1.0 / 11 - u * series));
        series = 1.0 - u * (1.0 / 3 - u * (1.0 / 5 - u * series));
        t *= series;
        t = diagonal ? VG_PI / 4.0 + t : t;
        t = ay > ax ? VG_PI / 2.0 - t : t;
        t = copysign(1.0, (double)x[k]) < 0.0 ? VG_PI - t : t;
        angle[k] = (float)copysign(t, (double)y[k]);
    }
}

static void magnitudes(const float *restrict re, const float *restrict im, float *restrict magnitude,
                       size_t count)
{
    for (size_t k = 0; k < count; k++)
        magnitude[k] = (float)sqrt((double)re[k] * (double)re[k] + (double)im[k] * (double)im[k]);
}

/* To nearest, ties to even, for |x| < 2^51: the sum leaves no room for a fraction. */
static double round_even(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

/* From one column's phases to the next: the bin's own advance, and what the phases differ from it, wrapped
 * to the nearest turn. */
static void advances(const double *restrict expected, const float *restrict here, const float *restrict next,
                     double *restrict advance, size_t bins)
{
    for (size_t k = 0; k < bins; k++) {
        double excess = (double)(next[k] - here[k]) - expected[k];

        advance[k] = expected[k] + (excess - 2.0 * VG_PI * round_even(excess / (2.0 * VG_PI)));
    }
}

size_t vg_vocoder_bytes(const struct vg_stft *stft, size_t frames)
{
    return (vg_stft_columns(stft, frames) + 2) * stft->bins * (sizeof(float) + sizeof(double));
}

const struct vg_vocoder *vg_vocoder_make(const struct vg_stft *stft, const float *x, size_t frames,
                                         struct vg_arena *keep, struct vg_arena *tmp)
{
    size_t columns = vg_stft_columns(stft, frames), bins = stft->bins;
    struct vg_vocoder *vocoder = vg_arena_take(keep, 1, sizeof *vocoder);
    float *start = vg_arena_take(keep, bins, sizeof *start);
    float *magnitude = vg_arena_take(keep, (columns + 2) * bins, sizeof *magnitude);
    double *advance = vg_arena_take(keep, (columns + 1) * bins, sizeof *advance);
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    float *re = vg_arena_take(tmp, bins, sizeof *re), *im = vg_arena_take(tmp, bins, sizeof *im);
    float *here = vg_arena_take(tmp, bins, sizeof *here), *next = vg_arena_take(tmp, bins, sizeof *next);
    double *expected = vg_arena_take(tmp, bins, sizeof *expected);

    for (size_t k = 0; k < bins; k++)
        expected[k] = VG_PI * (double)stft->size.hop * (double)k / ((double)stft->size.n_fft / 2.0);
    for (size_t c = 0; c < columns + 2; c++) {
        if (c < columns) {
            vg_stft_column(stft, x, frames, c, re, im, tmp);
        } else {
            memset(re, 0, bins * sizeof *re);
            memset(im, 0, bins * sizeof *im);
        }
        magnitudes(re, im, magnitude + c * bins, bins);
        angles(re, im, next, bins);
        if (c == 0)
            memcpy(start, next, bins * sizeof *start);
        else
            advances(expected, here, next, advance + (c - 1) * bins, bins);

        float *done = here;
        here = next;
        next = done;
    }
    vg_arena_rewind(tmp, mark);
    *vocoder = (struct vg_vocoder){stft, columns, start, magnitude, advance};
    return vocoder;
}

/* ---- synthesis ------------------------------------------------------------------------------------- */

size_t vg_stretch_frames(size_t frames, double rate)
{
    return (size_t)vg_round_even((double)frames / rate);
}

/* One column at f32 phases.  The quarter turn nearest to the phase is taken off in f64, what remains goes
 * through the power series of sine and cosine, to an f32 rounding. */
static void phasors(const float *restrict phase, const float *restrict here, const float *restrict next,
                    float weight, float *restrict re, float *restrict im, size_t bins)
{
    for (size_t k = 0; k < bins; k++) {
        double quarters = round_even((double)phase[k] * (2.0 / VG_PI));
        float r = (float)((double)phase[k] - quarters * (VG_PI / 2.0)), u = r * r;
        float s = r - r * u * (1.0f / 6 - u * (1.0f / 120 - u * (1.0f / 5040 - u * (1.0f / 362880))));
        float c = 1.0f / 24 - u * (1.0f / 720 - u * (1.0f / 40320 - u * (1.0f / 3628800)));
        float magnitude = (1.0f - weight) * here[k] + weight * next[k];
        int32_t quarter = (int32_t)quarters;

        c = 1.0f - u * (0.5f - u * c);
        re[k] = magnitude * ((quarter & 1) != 0 ? s : c) * (((quarter + 1) & 2) != 0 ? -1.0f : 1.0f);
        im[k] = magnitude * ((quarter & 1) != 0 ? c : s) * ((quarter & 2) != 0 ? -1.0f : 1.0f);
    }
}

static void add_advances(float *restrict phase, const double *restrict advance, size_t bins)
{
    for (size_t k = 0; k < bins; k++)
        phase[k] = (float)((double)phase[k] + advance[k]);
}

void vg_stretch(const struct vg_vocoder *vocoder, double rate, size_t from, size_t to, float *out,
                struct vg_arena *tmp)
{
    size_t bins = vocoder->stft->bins;
    size_t columns = (size_t)ceil((double)vocoder->columns / rate);
    struct vg_overlap overlap = vg_overlap_start(vocoder->stft, columns, from, to, out);
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    float *re = vg_arena_take(tmp, bins, sizeof *re), *im = vg_arena_take(tmp, bins, sizeof *im);
    float *phase = vg_arena_take(tmp, bins, sizeof *phase);

    memcpy(phase, vocoder->start, bins * sizeof *phase);
    for (size_t c = 0; c < overlap.last; c++) {
        double at = (double)c * rate;
        size_t column = (size_t)at;
        const float *magnitude = vocoder->magnitude + column * bins;

        if (c >= overlap.first) {
            phasors(phase, magnitude, magnitude + bins, (float)(at - floor(at)), re, im, bins);
            vg_overlap_add(&overlap, c, re, im, tmp);
        }
        add_advances(phase, vocoder->advance + column * bins, bins);
    }
    vg_overlap_finish(&overlap);
    vg_arena_rewind(tmp, mark);
}
