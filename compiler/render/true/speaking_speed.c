/* SPDX-License-Identifier: MIT */
/* speaking_speed: waveform-similarity overlap-add (Verhelst and Roelands 1993).  The logarithm of the rate
 * follows the course over the source's own time; the time map is its integral, so that the span's length is
 * exact. Each window is taken where it continues the one before best, within some milliseconds of the map. */
#include "true.h"

#include <math.h>
#include <string.h>

static const struct vg_key_rule fixed_keys[] = {VG_TRUE_JND, {0}};

#define HOP_SEC 0.012   /* windows are twice as long: two periods of a voice of 83 Hz */
#define REACH_SEC 0.008 /* how far from the map a window may lie: half a period of 62 Hz */
enum { COARSE_HZ = 6000 };
#define DISTANCE_COST 0.3 /* at the end of the reach: of periods that fit alike the nearest is meant */

static void check(const struct vg_node *map, struct vg_error *err)
{
    vg_true_limit(map, 130, "a course of 130 ln % runs from about half the rate to about twice it", err);
}

struct stretcher {
    const double *x; /* from the span's onset on, with `margin` samples readable on either side of the span */
    const float *coarse; /* the same, `factor` samples of it averaged to one */
    size_t margin, span, factor, hop, reach;
    const double *moment; /* [span + 1]: output time of every source sample, in samples */
    size_t frames;        /* of the output */
};

/* ---- the time map
 * ------------------------------------------------------------------------------------------------- */

static const double *integrate(const struct vg_course *course, size_t span, struct vg_arena *tmp)
{
    double *moment = vg_arena_take(tmp, span + 1, sizeof *moment), sum = 0;

    for (size_t k = 0; k < span; k++) {
        moment[k] = sum; /* the mirrored course has the same sum: a pair has one length */
        sum += vg_exp((course->reach / 2 - vg_course_at(course, (double)(course->span.on + k))) / 100);
    }
    moment[span] = sum;
    return moment;
}

/* Source position at an output time; `near` is where to look first and moves forward. */
static double source_at(const struct stretcher *s, double time, size_t *near)
{
    time *= s->moment[s->span] / (double)s->frames;
    while (*near + 1 < s->span && s->moment[*near + 1] <= time)
        ++*near;
    return (double)*near + (time - s->moment[*near]) / (s->moment[*near + 1] - s->moment[*near]);
}

/* ---- windows
 * ---------------------------------------------------------------------------------------------------------
 */

/* The clip around the span, zeros beyond the clip. */
static const double *with_margins(const struct vg_loaded *source, size_t margin, struct vg_arena *tmp)
{
    size_t span = source->span.off - source->span.on;
    double *x = vg_arena_take_zero(tmp, span + 2 * margin, sizeof *x);

    for (size_t k = 0; k < span + 2 * margin; k++) {
        size_t at = k + source->span.on;

        if (at >= margin && at - margin < source->clip.frames)
            x[k] = source->clip.samples[at - margin];
    }
    return x + margin;
}

static const float *coarsen(const struct stretcher *s, struct vg_arena *tmp)
{
    size_t lead = s->margin / s->factor, count = lead + (s->span + s->margin) / s->factor;
    float *coarse = vg_arena_take(tmp, count, sizeof *coarse);

    for (size_t i = 0; i < count; i++) {
        const double *x = s->x + ((ptrdiff_t)i - (ptrdiff_t)lead) * (ptrdiff_t)s->factor;
        double sum = 0;

        for (size_t k = 0; k < s->factor; k++)
            sum += x[k];
        coarse[i] = (float)sum;
    }
    return coarse + lead;
}

static double likeness(double ab, double bb)
{
    return bb > 0 ? (ab < 0 ? -ab : ab) * ab / bb : 0;
}

static double likeness_coarse(const float *a, const float *b, size_t n)
{
    float ab = 0, bb = 0;

    for (size_t k = 0; k < n; k++) {
        ab += a[k] * b[k];
        bb += b[k] * b[k];
    }
    return likeness((double)ab, (double)bb);
}

static double likeness_fine(const double *a, const double *b, size_t n)
{
    double ab = 0, bb = 0;

    for (size_t k = 0; k < n; k++) {
        ab += a[k] * b[k];
        bb += b[k] * b[k];
    }
    return likeness(ab, bb);
}

/* Start of the window that looks most like the one at `natural`, within reach of `asked`. */
static ptrdiff_t choose(const struct stretcher *s, ptrdiff_t natural, ptrdiff_t asked)
{
    ptrdiff_t factor = (ptrdiff_t)s->factor, reach = (ptrdiff_t)s->reach / factor, best = 0, fine = 0;
    ptrdiff_t near = (asked + (ptrdiff_t)s->margin) / factor - (ptrdiff_t)s->margin / factor;
    ptrdiff_t like = (natural + (ptrdiff_t)s->margin) / factor - (ptrdiff_t)s->margin / factor;
    double most = -1;

    for (ptrdiff_t d = -reach; d <= reach; d++) {
        double found = likeness_coarse(s->coarse + like, s->coarse + near + d, 2 * s->hop / s->factor) *
                       (1 - DISTANCE_COST * (double)(d * d) / (double)(reach * reach));

        if (found > most) {
            most = found;
            best = d;
        }
    }
    best = asked + best * factor;
    most = -1;
    for (ptrdiff_t d = -factor; d <= factor; d++) {
        double found = likeness_fine(s->x + natural, s->x + best + d, 2 * s->hop);

        if (found > most) {
            most = found;
            fine = d;
        }
    }
    return best + fine;
}

static void add_window(const struct stretcher *s, const double *window, ptrdiff_t centre, ptrdiff_t from,
                       double *out)
{
    ptrdiff_t hop = (ptrdiff_t)s->hop;

    for (ptrdiff_t k = -hop; k < hop; k++)
        if (centre + k >= 0 && centre + k < (ptrdiff_t)s->frames)
            out[centre + k] += window[k + hop] * s->x[from + k + hop];
}

/* Windows a hop apart; the first and the last two lie where the sound around the span goes on. */
static void overlap_add(const struct stretcher *s, double *out, struct vg_arena *tmp)
{
    size_t count = (s->frames + s->hop - 1) / s->hop + 1, near = 0;
    ptrdiff_t hop = (ptrdiff_t)s->hop, from = -hop;
    double *window = vg_arena_take(tmp, 2 * s->hop, sizeof *window);

    for (size_t k = 0; k < 2 * s->hop; k++)
        window[k] = 0.5 - 0.5 * vg_cos(VG_PI * ((double)k + 0.5) / (double)s->hop);
    for (size_t i = 0; i < count; i++) {
        size_t centre = i * s->hop;

        if (centre + s->hop >= s->frames)
            from = (ptrdiff_t)s->span - (ptrdiff_t)s->frames + (ptrdiff_t)centre - hop;
        else if (i > 0)
            from = choose(s, from + hop, (ptrdiff_t)source_at(s, (double)centre, &near) - hop);
        add_window(s, window, (ptrdiff_t)centre, from, out);
    }
}

/* ---- one item
 * ------------------------------------------------------------------------------------------------------- */

static struct stretcher stretcher_of(const struct vg_loaded *source, const struct vg_course *course,
                                     struct vg_arena *tmp)
{
    double rate_hz = source->clip.rate_hz;
    struct stretcher s = {
        .span = source->span.off - source->span.on,
        .hop = (size_t)(HOP_SEC * rate_hz) + 1,
        .reach = (size_t)(REACH_SEC * rate_hz) + 1,
        .factor = source->clip.rate_hz / COARSE_HZ,
    };

    s.factor = s.factor > 0 ? s.factor : 1;
    s.margin = 4 * (s.hop + s.reach + s.factor);
    s.x = with_margins(source, s.margin, tmp);
    s.coarse = coarsen(&s, tmp);
    s.moment = integrate(course, s.span, tmp);
    s.frames = (size_t)vg_round_even(s.moment[s.span]);
    s.frames = s.frames > 0 ? s.frames : 1;
    return s;
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track before = vg_track_of(source, tmp), after = before;
    size_t tail = before.frames - before.span.off;
    struct stretcher s;

    (void)shared;
    if (course.reach > 0) {
        s = stretcher_of(source, &course, tmp);
        after.span.off = after.span.on + s.frames;
        after.frames = after.span.off + tail;
        after.at = vg_arena_take_zero(tmp, after.frames, sizeof *after.at);
        memcpy(after.at, before.at, before.span.on * sizeof *after.at);
        memcpy(after.at + after.span.off, before.at + before.span.off, tail * sizeof *after.at);
        overlap_add(&s, after.at + after.span.on, tmp);
        vg_track_one_peak(&after, source, tmp);
    }
    vg_track_finish(&after, item, source, out, keep);
}

const struct vg_transform vg_true_speaking_speed = {
    .words = {.name = "speaking_speed", .tier = vg_true_tier, .fixed = fixed_keys, .check = check},
    .apply = apply,
};
