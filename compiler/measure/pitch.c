/* SPDX-License-Identifier: MIT */
/* voice_pitch.  Paired: at every voiced moment of the source, the output's period is looked for within four
 * semitones of the source's.  Blind: the fundamental's own course, a Theil-Sen line through it. */
#include "quantity.h"
#include "voice.h"

#include <math.h>

#define RANGE_ST 4.0
#define STRENGTH_LEAST 0.5f
#define REFERENCE_HZ 100.0

enum { VOICED_LEAST = 4 }; /* windows; fewer are no voice to judge by */

/* A shorter period is a tone's, too close to the low rate's samples: it is looked for at the full rate. */
#define LAG_LEAST 12.0

/* Semitones of the output over the source at one frame. */
static double shift_at(const struct vg_pair *pair, const struct vg_low *full, size_t frame, double ratio)
{
    size_t window = vg_pair_source_frame(pair, frame) / 2;
    double period_sec = pair->source->voice.period_sec[window];
    const struct vg_low *low = &pair->output->lows.low;
    struct vg_period after;

    if (period_sec <= 0 || !vg_heard_is_loud(pair->source, 2 * window))
        return NAN;
    if (period_sec * low->rate_hz < LAG_LEAST)
        low = full;
    after = vg_period_near(low, (double)((frame + 1) * pair->output->hop) / (double)low->factor,
                           period_sec * low->rate_hz, ratio);
    return after.strength >= STRENGTH_LEAST ? 12 * vg_log2(period_sec * low->rate_hz / after.lag) : NAN;
}

static double shift_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct vg_contour *st = context;

    return vg_contour_known(st, part) >= VOICED_LEAST ? vg_contour_quantile(st, part, 0.5, tmp) : NAN;
}

void vg_pitch_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour st = vg_pair_contour(pair, tmp);
    const struct vg_heard *output = pair->output;
    double ratio = vg_exp2(RANGE_ST / 12);
    struct vg_low full = {.x = NULL};

    if (pair->source->full.x) /* there may be tones */
        full = vg_full_of(output->x, output->span, output->margin, output->sound.rate_hz, tmp);
    for (size_t k = 0; k < st.count; k++)
        st.value[k] = k % 2 == 0 ? shift_at(pair, &full, k, ratio) : NAN;
    vg_trace_fill(trace, (struct vg_asked){shift_in, &st}, vg_thirds, tmp);
}

/* Median slope over all pairs of voiced windows, in semitones over the span (Sen 1968). */
static double slope(const struct vg_contour *st, struct vg_arena *tmp)
{
    size_t n = 0, stride;
    double *at = vg_arena_take(tmp, 2 * st->count, sizeof *at), *of = at + st->count, *slopes;
    size_t count = 0;

    for (size_t k = 0; k < st->count; k++) {
        if (vg_known(st->value[k])) {
            at[n] = st->place[k];
            of[n++] = st->value[k];
        }
    }
    stride = n / 80 + 1; /* at most 80 windows, 3,160 pairs */
    slopes = vg_arena_take(tmp, (n / stride + 1) * (n / stride + 1) / 2 + 1, sizeof *slopes);
    for (size_t i = 0; i < n; i += stride) {
        for (size_t k = i + stride; k < n; k += stride)
            slopes[count++] = (of[k] - of[i]) / (at[k] - at[i]);
    }
    return vg_quantile(slopes, count, 0.5);
}

void vg_pitch_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour st = vg_heard_contour(sound, tmp);

    for (size_t k = 0; k < st.count; k++) {
        double period = k % 2 == 0 ? sound->voice.period_sec[k / 2] : 0;

        st.value[k] = period > 0 ? -12 * vg_log2(period * REFERENCE_HZ) : NAN;
    }
    vg_trace_quantile(trace, &st, 0.5, tmp);
    trace->net = trace->heard = slope(&st, tmp);
}
