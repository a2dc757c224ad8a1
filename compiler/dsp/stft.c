/* SPDX-License-Identifier: MIT */
/* Short-time Fourier transform and its inverse by overlap-add, as librosa 0.11 computes them (recipe.md):
 * window in f64 on f32 samples, analysis in f64 kept as f32, synthesis in f32. */
#include "fft.h"

#include <float.h>
#include <string.h>

struct vg_stft_size vg_stft_size(size_t frames, size_t n_fft, size_t n_fft_min, size_t hop)
{
    struct vg_stft_size size = {.n_fft = n_fft, .hop = hop};

    if (frames < n_fft)
        size.n_fft = frames > n_fft_min ? frames : n_fft_min;
    if (size.hop >= size.n_fft)
        size.hop = size.n_fft / 4;
    return size;
}

/* What the overlapping columns at a place, counted from where column 0 starts, are divided by: their squared
 * windows added up, f32 after every term as the published stack keeps it; 1 where that is nothing. */
static float divisor_at(const struct vg_stft *stft, size_t columns, size_t place)
{
    size_t n = stft->size.n_fft, hop = stft->size.hop;
    size_t column = place < n ? 0 : (place - n) / hop + 1;
    float sum = 0.0f;

    for (; column < columns && column * hop <= place; column++) {
        double w = stft->window[place - column * hop];

        sum = (float)((double)sum + w * w);
    }
    return sum > FLT_MIN ? sum : 1.0f;
}

const struct vg_stft *vg_stft_make(struct vg_stft_size size, struct vg_arena *keep)
{
    struct vg_stft *stft = vg_arena_take(keep, 1, sizeof *stft);
    size_t n = size.n_fft, blocks;
    double *window = vg_arena_take(keep, n, sizeof *window);
    float *window_f32 = vg_arena_take(keep, n, sizeof *window_f32);
    float *steady = vg_arena_take(keep, size.hop, sizeof *steady), *rising, *falling;

    vg_check(n >= 4 && size.hop >= 1 && size.hop < n);
    blocks = (n - 1) / size.hop; /* before the first place that all columns reach */
    rising = vg_arena_take(keep, blocks * size.hop, sizeof *rising);
    falling = vg_arena_take(keep, blocks * size.hop, sizeof *falling);
    for (size_t k = 0; k < n; k++) {
        window[k] = 0.5 + 0.5 * vg_cos((double)k * (2.0 * VG_PI / (double)n) - VG_PI);
        window_f32[k] = (float)window[k];
    }
    *stft = (struct vg_stft){
        .size = size,
        .bins = n / 2 + 1,
        .window = window,
        .window_f32 = window_f32,
        .steady = steady,
        .rising = rising,
        .falling = falling,
        .fft = vg_fft_make(n, keep),
        .fft_f32 = vg_fftf_make(n, keep),
    };

    for (size_t k = 0; k < size.hop; k++)
        steady[k] = divisor_at(stft, blocks + 1, blocks * size.hop + k);
    for (size_t k = 0; k < blocks * size.hop; k++) {
        rising[k] = divisor_at(stft, blocks, k);
        falling[k] = divisor_at(stft, blocks + 1, (blocks + 1) * size.hop + k);
    }
    return stft;
}

size_t vg_stft_columns(const struct vg_stft *stft, size_t frames)
{
    size_t padded = frames + stft->size.n_fft / 2 * 2;

    return padded < stft->size.n_fft ? 0 : (padded - stft->size.n_fft) / stft->size.hop + 1;
}

void vg_stft_column(const struct vg_stft *stft, const float *x, size_t frames, size_t column, float *re,
                    float *im, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t n = stft->size.n_fft, half = n / 2, place = column * stft->size.hop, bins = stft->bins;
    size_t begin = place < half ? half - place : 0; /* within the column: where x begins and ends */
    size_t end = place + n > half + frames ? half + frames - place : n;
    double *windowed = vg_arena_take_zero(tmp, n, sizeof *windowed);
    double *bin_re = vg_arena_take(tmp, bins, sizeof *bin_re);
    double *bin_im = vg_arena_take(tmp, bins, sizeof *bin_im);

    for (size_t k = begin; k < end; k++)
        windowed[k] = stft->window[k] * (double)x[place + k - half];
    vg_fft_split(stft->fft, windowed, bin_re, bin_im, tmp);
    for (size_t k = 0; k < bins; k++) {
        re[k] = (float)bin_re[k];
        im[k] = (float)bin_im[k];
    }
    vg_arena_rewind(tmp, mark);
}

struct vg_overlap vg_overlap_start(const struct vg_stft *stft, size_t columns, size_t from, size_t to,
                                   float *out)
{
    size_t n = stft->size.n_fft, hop = stft->size.hop;
    size_t begin = from + n / 2, end = to + n / 2; /* counted from where column 0 starts */
    struct vg_overlap overlap = {
        .stft = stft,
        .out = out,
        .from = from,
        .to = to,
        .columns = columns,
        .first = begin < n ? 0 : (begin - n) / hop + 1,
        .last = end > 0 ? (end - 1) / hop + 1 : 0,
    };

    if (overlap.last > columns)
        overlap.last = columns;
    memset(out, 0, (to - from) * sizeof *out);
    return overlap;
}

static void add_windowed(float *restrict out, const float *restrict window, const float *restrict part,
                         size_t count)
{
    for (size_t k = 0; k < count; k++)
        out[k] += window[k] * part[k];
}

void vg_overlap_add(const struct vg_overlap *overlap, size_t column, const float *re, const float *im,
                    struct vg_arena *tmp)
{
    const struct vg_stft *stft = overlap->stft;
    size_t n = stft->size.n_fft, start = column * stft->size.hop;
    size_t begin = overlap->from + n / 2, end = overlap->to + n / 2;

    if (start >= end || start + n <= begin)
        return;

    struct vg_arena_mark mark = vg_arena_mark(tmp);
    float *part = vg_arena_take(tmp, n, sizeof *part);
    size_t first = start < begin ? begin - start : 0, last = start + n > end ? end - start : n;
    float *out = overlap->out + (start + first - begin);

    vg_fftf_join(stft->fft_f32, re, im, part, tmp);
    add_windowed(out, stft->window_f32 + first, part + first, last - first);
    vg_arena_rewind(tmp, mark);
}

static void divide(float *restrict x, const float *restrict divisor, size_t count)
{
    for (size_t k = 0; k < count; k++)
        x[k] /= divisor[k];
}

void vg_overlap_finish(const struct vg_overlap *overlap)
{
    const struct vg_stft *stft = overlap->stft;
    size_t n = stft->size.n_fft, hop = stft->size.hop, blocks = (n - 1) / hop;
    size_t begin = overlap->from + n / 2, end = overlap->to + n / 2;

    for (size_t place = begin; place < end;) {
        size_t block = place / hop, stop = (block + 1) * hop < end ? (block + 1) * hop : end;
        float *out = overlap->out + (place - begin);
        bool all = overlap->columns > blocks; /* reach some place */

        if (block >= blocks && block < overlap->columns)
            divide(out, stft->steady + place % hop, stop - place);
        else if (all && block < blocks)
            divide(out, stft->rising + place, stop - place);
        else if (all && block < overlap->columns + blocks)
            divide(out, stft->falling + (place - overlap->columns * hop), stop - place);
        else
            for (size_t k = 0; k < stop - place; k++)
                out[k] /= divisor_at(stft, overlap->columns, place + k);
        place = stop;
    }
}
