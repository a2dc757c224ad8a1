/* SPDX-License-Identifier: MIT */
/* echo, blind: how much of the cepstrum at 10 to 90 ms is common to a part's windows, as a room leaves it
 * there and speech does not. */
#include "quantity.h"

#include <math.h>
#include <string.h>

#define WINDOW_SEC 0.256
#define FIRST_LAG_SEC 0.010
#define LAST_LAG_SEC 0.090
#define LEAST_BIN 1e-5 /* of a window's mean bin: -50 dB */
#define LOUD_WINDOW 1e-3

static double power_of(struct vg_complex z)
{
    return z.re * z.re + z.im * z.im;
}

/* Cepstra of a sound's windows between FIRST_LAG_SEC and LAST_LAG_SEC. */
struct cepstra {
    float *at;     /* [window * lags + lag] */
    double *place; /* of the windows' centres: share of the span */
    size_t count, lags;
};

struct transform {
    const struct vg_fft *fft;
    size_t n;
    double *window, *x;
    struct vg_complex *z;
    float *power; /* n / 2 + 1 */
};

static struct transform make_transform(double rate_hz, struct vg_arena *tmp)
{
    struct transform t = {.n = 64};

    while ((double)t.n * 1.5 < WINDOW_SEC * rate_hz)
        t.n *= 2;
    t.fft = vg_fft_make(t.n, tmp);
    t.window = vg_arena_take(tmp, t.n, sizeof *t.window);
    t.x = vg_arena_take(tmp, t.n, sizeof *t.x);
    t.z = vg_arena_take(tmp, t.n / 2 + 1, sizeof *t.z);
    t.power = vg_arena_take(tmp, t.n / 2 + 1, sizeof *t.power);
    for (size_t i = 0; i < t.n; i++)
        t.window[i] = 0.5 - 0.5 * vg_cos(2 * VG_PI * ((double)i + 0.5) / (double)t.n);
    return t;
}

/* The cepstrum of the window at x, left in t->x; returns its power. */
static double cepstrum(struct transform *t, const float *x, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t bins = t->n / 2 + 1;
    double sum = 0;
    float least;

    for (size_t i = 0; i < t->n; i++)
        t->x[i] = (double)x[i] * t->window[i];
    vg_fft_forward(t->fft, t->x, t->z, tmp);
    for (size_t i = 0; i < bins; i++) {
        t->power[i] = (float)power_of(t->z[i]);
        sum += (double)t->power[i];
    }
    least = (float)(LEAST_BIN * sum / (double)bins) + 1;
    for (size_t i = 0; i < bins; i++)
        t->power[i] += least;
    vg_log2_rough(t->power, t->power, bins);
    for (size_t i = 0; i < bins; i++)
        t->z[i] = (struct vg_complex){(double)t->power[i], 0};
    vg_fft_inverse(t->fft, t->z, t->x, tmp);
    vg_arena_rewind(tmp, mark);
    return sum;
}

/* Windows a quarter of their length apart; those 30 dB below the loudest say nothing and are left out. */
static struct cepstra make_cepstra(const struct vg_low *low, struct vg_arena *tmp)
{
    struct transform t = make_transform(low->rate_hz, tmp);
    size_t hop = t.n / 4, first = (size_t)(FIRST_LAG_SEC * low->rate_hz), windows;
    struct cepstra c = {.lags = (size_t)(LAST_LAG_SEC * low->rate_hz) - first};
    double *power, loudest = 0;

    windows = low->count < t.n ? 0 : (low->count - t.n) / hop + 1;
    c.at = vg_arena_take(tmp, windows * c.lags, sizeof *c.at);
    c.place = vg_arena_take(tmp, windows, sizeof *c.place);
    power = vg_arena_take(tmp, windows, sizeof *power);
    for (size_t j = 0; j < windows; j++) {
        power[j] = cepstrum(&t, low->x + j * hop, tmp);
        loudest = power[j] > loudest ? power[j] : loudest;
        for (size_t i = 0; i < c.lags; i++)
            c.at[j * c.lags + i] = (float)t.x[first + i];
    }
    for (size_t j = 0; j < windows; j++) {
        if (power[j] <= LOUD_WINDOW * loudest)
            continue;
        memmove(c.at + c.count * c.lags, c.at + j * c.lags, c.lags * sizeof *c.at);
        c.place[c.count++] = ((double)(j * hop) + (double)t.n * 0.5) / (double)low->count;
    }
    return c;
}

/* Energy of the mean cepstrum, less what chance leaves in a mean, over the mean energy: 0..1. */
static double common_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct cepstra *c = context;
    double of_mean = 0, mean = 0, count = 0, chance;
    size_t first = 0, end;

    (void)tmp;
    while (first < c->count && c->place[first] < part.from)
        first++;
    for (end = first; end < c->count && c->place[end] < part.to;)
        end++;
    if (end < first + 2)
        return NAN;
    count = (double)(end - first);
    for (size_t i = 0; i < c->lags; i++) {
        double sum = 0, squares = 0;

        for (size_t j = first; j < end; j++) {
            double value = (double)c->at[j * c->lags + i];

            sum += value;
            squares += value * value;
        }
        of_mean += sum / count * (sum / count);
        mean += squares / count;
    }
    chance = (mean - of_mean) / (count - 1);
    return mean > 0 ? (of_mean - chance) / mean : NAN;
}

void vg_echo_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct cepstra cepstra = make_cepstra(&sound->lows.low, tmp);

    vg_trace_fill(trace, (struct vg_asked){common_in, &cepstra}, vg_halves, tmp);
}
