/* SPDX-License-Identifier: MIT */
/* Traces: a quantity asked for each of 12, 6 or 3 segments and for the two outer parts of the span. */
#include "trace.h"

#include <math.h>

const struct vg_part vg_thirds[2] = {{0, 1.0 / 3}, {2.0 / 3, 1}};
const struct vg_part vg_halves[2] = {{0, 0.5}, {0.5, 1}};

size_t vg_segments_of(size_t span, uint32_t rate_hz)
{
    double sec = (double)span / rate_hz;

    return sec >= 1.2 ? VG_SEGMENTS : sec >= 0.6 ? VG_SEGMENTS / 2 : VG_SEGMENTS / 4;
}

size_t vg_contour_find(const struct vg_contour *contour, double place)
{
    size_t low = 0, high = contour->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (contour->place[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double vg_contour_quantile(const struct vg_contour *contour, struct vg_part part, double quantile,
                           struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t first = vg_contour_find(contour, part.from), end = vg_contour_find(contour, part.to), n = 0;
    double *known = vg_arena_take(tmp, end - first + 1, sizeof *known), result;

    for (size_t i = first; i < end; i++) {
        if (vg_known(contour->value[i]))
            known[n++] = contour->value[i];
    }
    result = vg_quantile(known, n, quantile);
    vg_arena_rewind(tmp, mark);
    return result;
}

size_t vg_contour_known(const struct vg_contour *contour, struct vg_part part)
{
    size_t end = vg_contour_find(contour, part.to), n = 0;

    for (size_t i = vg_contour_find(contour, part.from); i < end; i++)
        n += vg_known(contour->value[i]);
    return n;
}

double vg_contour_mean(const struct vg_contour *contour, struct vg_part part)
{
    size_t end = vg_contour_find(contour, part.to), n = 0;
    double sum = 0;

    for (size_t i = vg_contour_find(contour, part.from); i < end; i++) {
        if (vg_known(contour->value[i])) {
            sum += contour->value[i];
            n++;
        }
    }
    return n ? sum / (double)n : NAN;
}

double vg_trace_change(struct vg_asked asked, const struct vg_part outer[2], struct vg_arena *tmp)
{
    double first = asked.in(asked.context, outer[0], tmp);

    return asked.in(asked.context, outer[1], tmp) - first;
}

void vg_trace_fill(struct vg_trace *trace, struct vg_asked asked, const struct vg_part outer[2],
                   struct vg_arena *tmp)
{
    for (size_t s = 0; s < trace->segments; s++) {
        struct vg_part part = {(double)s / (double)trace->segments,
                               (double)(s + 1) / (double)trace->segments};

        trace->at[s] = asked.in(asked.context, part, tmp);
    }
    trace->net = vg_trace_change(asked, outer, tmp);
    trace->heard = trace->net;
}

struct quantile {
    const struct vg_contour *contour;
    double quantile;
};

static double quantile_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct quantile *q = context;

    return vg_contour_quantile(q->contour, part, q->quantile, tmp);
}

void vg_trace_quantile(struct vg_trace *trace, const struct vg_contour *contour, double quantile,
                       struct vg_arena *tmp)
{
    struct quantile q = {contour, quantile};

    vg_trace_fill(trace, (struct vg_asked){quantile_in, &q}, vg_thirds, tmp);
}

void vg_trace_clear(struct vg_trace *trace)
{
    for (size_t s = 0; s < trace->segments; s++)
        trace->at[s] = NAN;
    trace->net = trace->heard = NAN;
}
