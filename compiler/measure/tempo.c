/* SPDX-License-Identifier: MIT */
/* speaking_speed.  Paired: slope of the time map.  Blind: how much the spectrum changes within 30 ms beside
 * how much it does within 200 ms; faster speech has done more of its changing by then. */
#include "quantity.h"

#include <math.h>

enum { SHORT_WINDOWS = 3, LONG_WINDOWS = 20, STEPS_LEAST = 4 };
#define SHORT 0.3   /* of the span: shorter parts are segments */
#define FLOOR 0.02f /* of the mean band power: pauses and weak bands are level */

struct tempo {
    const struct vg_warp *warp;
    double source_steps; /* of its span */
};

/* Line through the map's steps in a part (least squares): the map moves in whole and half steps, of which a
 * line through both ends would keep the error of either.  A segment borrows half of its neighbours. */
static double rate_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct tempo *t = context;
    const double *column = t->warp->column;
    double x = 0, y = 0, xx = 0, xy = 0, n,
           more = part.to - part.from < SHORT ? (part.to - part.from) / 2 : 0;
    size_t first = part.from > more ? (size_t)((part.from - more) * t->source_steps + 0.5) : 0,
           end = (size_t)((part.to + more) * t->source_steps + 0.5);

    (void)tmp;
    end = end < t->warp->count ? end : t->warp->count;
    if (end < first + STEPS_LEAST)
        return NAN;
    n = (double)(end - first);
    for (size_t i = first; i < end; i++) {
        x += (double)i / n;
        y += column[i] / n;
    }
    for (size_t i = first; i < end; i++) {
        xx += ((double)i - x) * ((double)i - x);
        xy += ((double)i - x) * (column[i] - y);
    }
    return xy > 0 ? 100 * vg_log(xx / xy) : NAN;
}

void vg_tempo_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct tempo t = {.warp = pair->warp};

    if (pair->warp) {
        double step = 2 * (double)(pair->source->hop * pair->warp->stride);

        t.source_steps = (double)pair->source->span / step;
        vg_trace_fill(trace, (struct vg_asked){rate_in, &t}, vg_thirds, tmp);
        return;
    }
    for (size_t s = 0; s < trace->segments; s++) /* the straight line's slope */
        trace->at[s] = 100 * vg_log((double)pair->source->span / (double)pair->output->span);
    trace->net = trace->heard = 0;
}

struct levels {
    const struct vg_heard *sound;
    const float *log2; /* [window * VG_ERB_BANDS + band] */
};

/* Mean square change of the band levels from one window to another `apart`. */
static double change(const float *level, size_t first, size_t end, size_t apart)
{
    double sum = 0;

    for (size_t j = first; j + apart < end; j++) {
        const float *a = level + j * VG_ERB_BANDS, *b = a + apart * VG_ERB_BANDS;
        float part = 0;

        for (size_t k = 0; k < VG_ERB_BANDS; k++)
            part += (b[k] - a[k]) * (b[k] - a[k]);
        sum += (double)part;
    }
    return sum / (double)(end - first - apart);
}

static double haste_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct levels *levels = context;
    double count = (double)levels->sound->bands.count, quick, slow;
    size_t first = (size_t)(part.from * count), end = (size_t)(part.to * count);

    (void)tmp;
    if (end - first < 2 * LONG_WINDOWS)
        return NAN;
    quick = change(levels->log2, first, end, SHORT_WINDOWS);
    slow = change(levels->log2, first, end, LONG_WINDOWS);
    return quick > 0 && slow > 0 ? 50 * vg_log(quick / slow) : NAN;
}

void vg_tempo_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    size_t n = sound->bands.count * VG_ERB_BANDS;
    float *log2 = vg_arena_take(tmp, n, sizeof *log2), floor_power;
    struct levels levels = {sound, log2};
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)sound->bands.erb[i];
    floor_power = FLOOR * (float)(sum / (double)(n + (n == 0))) + 1e-3f;
    for (size_t i = 0; i < n; i++)
        log2[i] = sound->bands.erb[i] + floor_power;
    vg_log2_rough(log2, log2, n);
    vg_trace_fill(trace, (struct vg_asked){haste_in, &levels}, vg_halves, tmp);
}
