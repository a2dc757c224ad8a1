/* SPDX-License-Identifier: MIT */
/* The span at 8 and at 4 kHz, where voice and room are followed at little cost: a windowed sinc over eight
 * output samples, then every factor-th value. */
#include "heard.h"

enum { LOW_RATE_HZ = 8000, REACH = 4 }; /* reach: output samples on either side */

/* Of the output rate. Down 6 dB here; what folds back stays above 0.4 of the rate. */
#define CUTOFF 0.44

struct taps {
    float *h;
    size_t half; /* h[-half .. half] */
};

static struct taps make_taps(size_t factor, struct vg_arena *tmp)
{
    struct taps taps = {.half = REACH * factor};
    size_t count = 2 * taps.half + 1;
    double *h = vg_arena_take(tmp, count, sizeof *h), sum = 0;

    for (size_t i = 0; i < count; i++) {
        double t = ((double)i - (double)taps.half) / (double)factor;
        double sinc = i == taps.half ? 2 * CUTOFF : vg_sin(2 * VG_PI * CUTOFF * t) / (VG_PI * t);

        h[i] = sinc * (0.5 + 0.5 * vg_cos(VG_PI * t / (REACH + 0.5)));
        sum += h[i];
    }
    taps.h = vg_arena_take(tmp, count, sizeof *taps.h);
    for (size_t i = 0; i < count; i++)
        taps.h[i] = (float)(h[i] / sum);
    return taps;
}

enum { PIECE = 1 << 14 }; /* output samples at a time, so that a long clip needs no long copy */

/* Every factor-th sample.  `count` and `margin` are of `x`, which can be read from -margin to count + margin;
 * the margin shrinks by the filter's reach. */
static struct vg_low reduce_samples(const int16_t *x, size_t count, size_t margin, size_t factor,
                                    struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_low out = {.count = count / factor, .margin = margin / factor - REACH - 1, .factor = factor};
    struct taps taps = make_taps(factor, tmp);
    size_t whole = out.count + 2 * out.margin, tap_count = 2 * taps.half + 1;
    float *y = vg_arena_take(keep, whole, sizeof *y);
    float *wide = vg_arena_take(tmp, PIECE * factor + tap_count, sizeof *wide);
    const int16_t *from = x - out.margin * factor - taps.half;

    for (size_t start = 0; start < whole; start += PIECE) {
        size_t n = whole - start < PIECE ? whole - start : PIECE;

        for (size_t i = 0; i < (n - 1) * factor + tap_count; i++)
            wide[i] = from[start * factor + i];
        for (size_t j = 0; j < n; j++)
            y[start + j] = vg_dot(wide + j * factor, taps.h, tap_count);
    }
    out.x = y + out.margin;
    return out;
}

static struct vg_low same_samples(const int16_t *x, size_t count, size_t margin, struct vg_arena *keep)
{
    float *y = vg_arena_take(keep, count + 2 * margin, sizeof *y);

    for (size_t i = 0; i < count + 2 * margin; i++)
        y[i] = (x - margin)[i];
    return (struct vg_low){.x = y + margin, .count = count, .margin = margin, .factor = 1};
}

static struct vg_low halve(const struct vg_low *in, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_low out = {
        .count = in->count / 2, .margin = in->margin / 2 - REACH - 1, .factor = 2 * in->factor};
    struct taps taps = make_taps(2, tmp);
    float *y = vg_arena_take(keep, out.count + 2 * out.margin, sizeof *y);
    const float *from = in->x - 2 * out.margin - taps.half;

    for (size_t j = 0; j < out.count + 2 * out.margin; j++)
        y[j] = vg_dot(from + 2 * j, taps.h, 2 * taps.half + 1);
    out.x = y + out.margin;
    return out;
}

struct vg_lows vg_lows_of(const int16_t *x, size_t count, size_t margin, uint32_t rate_hz,
                          struct vg_arena *keep, struct vg_arena *tmp)
{
    size_t factor = rate_hz / LOW_RATE_HZ;
    struct vg_lows lows;

    lows.low = factor > 1 ? reduce_samples(x, count, margin, factor, keep, tmp)
                          : same_samples(x, count, margin, keep);
    lows.lower = halve(&lows.low, keep, tmp);
    lows.low.rate_hz = (double)rate_hz / (double)lows.low.factor;
    lows.lower.rate_hz = (double)rate_hz / (double)lows.lower.factor;
    return lows;
}
