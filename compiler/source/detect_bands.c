/* SPDX-License-Identifier: MIT */
/* What the robust detector looks at: short-time power in bands, and the frames that a click spoils. */
#include "detect.h"

#include <math.h>
#include <string.h>

/* Hann windows of 20 ms each 5 ms: as long as a voice's period, short against a syllable. */
#define WINDOW_SEC 0.020
#define HOP_SEC 0.005
#define LOWEST_HZ 120.0 /* hum and rumble have their strongest parts below */
#define HIGHEST_HZ 8000.0
#define WINDOW_BINS 1.5 /* bins that a Hann window ties together */

static size_t samples_of(double sec, uint32_t rate_hz)
{
    return (size_t)vg_round_even(sec * rate_hz);
}

/* Edges of the bands in bins: equal steps of ln(1 + 0.00437 f) (Glasberg and Moore 1990), a bin at least. */
static void find_edges(size_t edges[VG_SPEECH_BANDS + 1], double bin_hz, uint32_t rate_hz, size_t bin_count)
{
    double top_hz = 0.45 * rate_hz < HIGHEST_HZ ? 0.45 * rate_hz : HIGHEST_HZ;
    double low = vg_log1p(0.00437 * LOWEST_HZ), high = vg_log1p(0.00437 * top_hz);

    for (size_t b = 0; b <= VG_SPEECH_BANDS; b++) {
        double hz = (vg_exp(low + (high - low) * (double)b / VG_SPEECH_BANDS) - 1) / 0.00437;

        edges[b] = (size_t)vg_round_even(hz / bin_hz);
        if (b > 0 && edges[b] <= edges[b - 1])
            edges[b] = edges[b - 1] + 1;
        if (edges[b] > bin_count)
            edges[b] = bin_count;
    }
}

/* One frame around sample `middle`; beyond the clip is silence. */
static void take_frame(const double *x, size_t frames, size_t middle, const double *window, size_t n,
                       double *out)
{
    for (size_t k = 0; k < n; k++) {
        size_t at = middle + k; /* n/2 too many */

        out[k] = at >= n / 2 && at - n / 2 < frames ? window[k] * x[at - n / 2] : 0;
    }
}

void vg_speech_bands_make(struct vg_speech_bands *bands, const double *x, size_t frames, uint32_t rate_hz,
                          struct vg_arena *arena)
{
    size_t n = 2 * samples_of(WINDOW_SEC / 2, rate_hz), edges[VG_SPEECH_BANDS + 1];
    const struct vg_fft *fft = vg_fft_make(n, arena);
    double *window = vg_arena_take(arena, n, sizeof *window), *in = vg_arena_take(arena, n, sizeof *in);
    struct vg_complex *out = vg_arena_take(arena, n / 2 + 1, sizeof *out);
    double scale = 2 / (0.375 * (double)n * (double)n); /* 3/8: mean of the squared window */

    find_edges(edges, rate_hz / (double)n, rate_hz, n / 2 + 1);
    bands->hop = samples_of(HOP_SEC, rate_hz);
    bands->count = frames / bands->hop + 1;
    for (size_t k = 0; k < n; k++)
        window[k] = 0.5 - 0.5 * vg_cos(2 * VG_PI * ((double)k + 0.5) / (double)n);
    for (size_t b = 0; b < VG_SPEECH_BANDS; b++) {
        bands->power[b] = vg_arena_take_zero(arena, bands->count, sizeof *bands->power[b]);
        bands->degrees[b] = (double)(edges[b + 1] - edges[b]) / WINDOW_BINS;
    }
    for (size_t i = 0; i < bands->count; i++) {
        struct vg_arena_mark mark = vg_arena_mark(arena);

        take_frame(x, frames, i * bands->hop, window, n, in);
        vg_fft_forward(fft, in, out, arena);
        for (size_t b = 0; b < VG_SPEECH_BANDS; b++)
            for (size_t k = edges[b]; k < edges[b + 1]; k++)
                bands->power[b][i] += scale * (out[k].re * out[k].re + out[k].im * out[k].im);
        vg_arena_rewind(arena, mark);
    }
}

/* ---- clicks -------------------------------------------------------------------------------------------- */

/* A block of 2 ms is a click where it has ten times the power of the loudest block from 8 to 28 ms before and
 * behind it.  A voice repeats itself within that time, a burst goes on; what is loudest there and its
 * neighbours are left out on either side, as it may be another click. */
enum { BLOCKS_NEAR = 4, BLOCKS_FAR = 14, BLOCKS_LEAST = 11, CLICK_FACTOR = 10, EDGE_FACTOR = 2 };
#define BLOCK_SEC 0.002

struct blocks {
    double *energy;
    size_t count, length;
};

/* Loudest block on one side of block i; -1: too near the clip's end to say. */
static double loudest(const struct blocks *blocks, size_t i, bool after, size_t *seen)
{
    size_t top = SIZE_MAX;
    double found = 0;

    for (size_t d = BLOCKS_NEAR; d <= BLOCKS_FAR; d++) {
        size_t j = after ? i + d : i - d; /* wraps around before the first block */

        if (j >= blocks->count)
            continue;
        ++*seen;
        if (top == SIZE_MAX || blocks->energy[j] > blocks->energy[top])
            top = j;
    }
    for (size_t d = BLOCKS_NEAR; d <= BLOCKS_FAR; d++) {
        size_t j = after ? i + d : i - d;

        if (j < blocks->count && (j + 2 < top || j > top + 2) && blocks->energy[j] > found)
            found = blocks->energy[j];
    }
    return found;
}

/* Energy of the differences: hum hardly shows. */
static void fill_blocks(struct blocks *blocks, const double *x, size_t frames)
{
    for (size_t k = 1; k < frames; k++) {
        double d = x[k] - x[k - 1];

        blocks->energy[k / blocks->length] += d * d;
    }
}

/* Mark the frames that samples from <= k < to reach into. */
static void mark_frames(const struct vg_speech_bands *bands, size_t from, size_t to, size_t half, bool *marks)
{
    size_t first = from > half ? (from - half) / bands->hop + 1 : 0;

    for (size_t i = first; i < bands->count && i * bands->hop < to + half; i++)
        marks[i] = true;
}

bool *vg_speech_clicks(const struct vg_speech_bands *bands, const double *x, size_t frames, uint32_t rate_hz,
                       struct vg_arena *arena)
{
    struct blocks blocks = {.length = samples_of(BLOCK_SEC, rate_hz)};
    bool *marks = vg_arena_take_zero(arena, bands->count, sizeof *marks);

    blocks.count = (frames + blocks.length - 1) / blocks.length;
    blocks.energy = vg_arena_take_zero(arena, blocks.count, sizeof *blocks.energy);
    fill_blocks(&blocks, x, frames);
    for (size_t i = 0; i < blocks.count; i++) {
        size_t seen = 0, first = i, last = i;
        double before = loudest(&blocks, i, false, &seen), after = loudest(&blocks, i, true, &seen);
        double around = before > after ? before : after;

        if (seen < BLOCKS_LEAST || !(blocks.energy[i] > CLICK_FACTOR * around))
            continue;
        while (first > 0 && i - first < BLOCKS_NEAR && blocks.energy[first - 1] > EDGE_FACTOR * around)
            first--;
        while (last + 1 < blocks.count && last - i < BLOCKS_NEAR &&
               blocks.energy[last + 1] > EDGE_FACTOR * around)
            last++;
        mark_frames(bands, first * blocks.length, (last + 1) * blocks.length,
                    samples_of(WINDOW_SEC / 2, rate_hz), marks);
    }
    return marks;
}
