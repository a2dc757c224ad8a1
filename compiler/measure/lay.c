/* SPDX-License-Identifier: MIT */
/* The source laid along the output: for every block of 5 ms the lag, within 6.5 ms of the time map, at which
 * the 10 ms around it correlate best; coarse at the low rate, then to the sample. */
#include "pair.h"

#include <math.h>
#include <string.h>

#define REACH_SEC 0.0065

/* The best so far: correlation squared over the source's energy, so that the gain does not matter. */
struct fit {
    double best;
    ptrdiff_t lag;
};

static void try_lag(struct fit *fit, double cross, double energy, ptrdiff_t lag)
{
    double score = cross > 0 && energy > 0 ? cross * cross / energy : 0;
    ptrdiff_t far = lag < 0 ? -lag : lag, known = fit->lag < 0 ? -fit->lag : fit->lag;

    if (fit->best < 0 || score > fit->best || (score >= fit->best && far < known)) {
        fit->best = score;
        fit->lag = lag;
    }
}

/* `o` and `s`: where the 10 ms start in output and source, in samples of their spans. */
static ptrdiff_t coarse_lag(const struct vg_pair *pair, ptrdiff_t o, ptrdiff_t s)
{
    const struct vg_low *out = &pair->output->lows.low, *src = &pair->source->lows.low;
    ptrdiff_t factor = (ptrdiff_t)out->factor, reach = (ptrdiff_t)(REACH_SEC * out->rate_hz);
    ptrdiff_t n = (ptrdiff_t)(2 * pair->output->hop) / factor, margin = (ptrdiff_t)src->margin;
    ptrdiff_t skew = (o - o / factor * factor) - (s - s / factor * factor);
    struct fit fit = {-1, 0};
    double energy = 0;

    for (ptrdiff_t lag = -reach; lag <= reach; lag++) {
        const float *x = src->x + s / factor + lag;

        if (s / factor + lag <= -margin || s / factor + lag + n > (ptrdiff_t)src->count + margin)
            continue;
        if (energy <= 0)
            energy = (double)vg_dot(x, x, (size_t)n);
        else /* slides on by one */
            energy += (double)x[n - 1] * (double)x[n - 1] - (double)x[-1] * (double)x[-1];
        try_lag(&fit, (double)vg_dot(out->x + o / factor, x, (size_t)n), energy, lag * factor + skew);
    }
    return fit.lag;
}

static ptrdiff_t fine_lag(const struct vg_pair *pair, ptrdiff_t o, ptrdiff_t s, ptrdiff_t coarse)
{
    size_t n = 2 * pair->output->hop;
    ptrdiff_t reach = (ptrdiff_t)pair->output->lows.low.factor / 2 + 1,
              margin = (ptrdiff_t)pair->source->margin;
    struct fit fit = {-1, coarse};
    int64_t energy = -1;

    for (ptrdiff_t lag = coarse - reach; lag <= coarse + reach; lag++) {
        const int16_t *x = pair->source->x + s + lag;

        if (s + lag < -margin || s + lag + (ptrdiff_t)n > (ptrdiff_t)pair->source->span + margin)
            continue;
        if (energy < 0)
            energy = vg_product_sum(x, x, n);
        else /* slides on by one */
            energy += (int32_t)x[n - 1] * x[n - 1] - (int32_t)x[-1] * x[-1];
        try_lag(&fit, (double)vg_product_sum(pair->output->x + o, x, n), (double)energy, lag);
    }
    return fit.lag;
}

static const int16_t *lay(const struct vg_pair *pair, struct vg_arena *tmp)
{
    const struct vg_heard *source = pair->source;
    ptrdiff_t hop = (ptrdiff_t)pair->output->hop, last = (ptrdiff_t)(source->span + source->margin) - hop;
    size_t length = pair->output->blocks * pair->output->hop, margin = pair->output->margin;
    int16_t *laid = vg_arena_take_zero(tmp, length + 2 * margin, sizeof *laid);

    laid += margin;
    for (size_t k = 0; k < pair->output->blocks; k++) {
        double middle = (pair->to_source[k] + pair->to_source[k + 1]) / 2;
        ptrdiff_t o = (ptrdiff_t)k * hop - hop / 2, s = (ptrdiff_t)floor(middle + 0.5) - hop;
        ptrdiff_t at = s + hop / 2 + fine_lag(pair, o, s, coarse_lag(pair, o, s));

        at = at < last ? at : last;
        at = at > -(ptrdiff_t)source->margin ? at : -(ptrdiff_t)source->margin;
        memcpy(laid + (ptrdiff_t)k * hop, source->x + at, pair->output->hop * sizeof *laid);
    }
    return laid;
}

void vg_pair_lay(struct vg_pair *pair, struct vg_arena *tmp)
{
    const struct vg_heard *output = pair->output;
    double *energy = vg_arena_take(tmp, output->blocks, sizeof *energy);
    double *cross = vg_arena_take(tmp, output->blocks, sizeof *cross);

    pair->laid = pair->same_time ? pair->source->x : lay(pair, tmp);
    for (size_t k = 0; k < output->blocks; k++) {
        const int16_t *s = pair->laid + k * output->hop;

        energy[k] = (double)vg_product_sum(s, s, output->hop);
        cross[k] = (double)vg_product_sum(output->x + k * output->hop, s, output->hop);
    }
    pair->energy = energy;
    pair->cross = cross;
}
