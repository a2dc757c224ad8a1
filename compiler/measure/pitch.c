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

/* A shorter period is a tone's, too close to the low rate's samples. */
#define LAG_LEAST 12.0

/* Semitones of the output over the source at one frame. */
static double shift_at(const struct vg_pair *pair, size_t frame, double ratio, struct vg_arena *tmp)
{
    const struct vg_heard *output = pair->output;
    const struct vg_low *low = &output->lows.low;
    size_t window = vg_pair_source_frame(pair, frame) / 2, centre = (frame + 1) * output->hop;
    double period_sec = pair->source->voice.period_sec[window], rate_hz = low->rate_hz;
    struct vg_period after;

    if (period_sec <= 0 || !vg_heard_is_loud(pair->source, 2 * window))
        return NAN;
    if (period_sec * rate_hz >= LAG_LEAST) {
        after = vg_period_near(low, (double)centre / (double)low->factor, period_sec * rate_hz, ratio);
    } else {
        struct vg_arena_mark mark = vg_arena_mark(tmp);
        struct vg_excerpt excerpt;

        rate_hz = output->sound.rate_hz;
        excerpt = vg_excerpt_make(output, centre, period_sec * rate_hz * ratio, tmp);
        after = vg_excerpt_period(&excerpt, period_sec * rate_hz, ratio, STRENGTH_LEAST);
        vg_arena_rewind(tmp, mark);
    }
    return after.strength >= STRENGTH_LEAST ? 12 * vg_log2(period_sec * rate_hz / after.lag) : NAN;
}

static double shift_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct vg_contour *st = context;

    return vg_contour_known(st, part) >= VOICED_LEAST ? vg_contour_quantile(st, part, 0.5, tmp) : NAN;
}

void vg_pitch_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour st = vg_pair_contour(pair, tmp);
    double ratio = vg_exp2(RANGE_ST / 12);

    for (size_t k = 0; k < st.count; k++)
        st.value[k] = k % 2 == 0 ? shift_at(pair, k, ratio, tmp) : NAN;
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
