/* SPDX-License-Identifier: MIT */
/* Courses: how far and along which curve an attribute moves for the net change that a tier asks. */
#include "course.h"

#include "true.h"

enum { GRID_HZ = 8000 };

static double reach_of(const struct vg_item *item, const struct vg_value *tier)
{
    double net = tier[VG_TRUE_CHANGE].at[0] * vg_item_fixed(item, VG_TRUE_JND_RULE);

    return item->curve == VG_JUMP ? net : net * VG_GLIDE_REACH;
}

struct vg_course vg_course_of(const struct vg_item *item, const struct vg_loaded *source)
{
    double crossing_sec = item->spec->trajectory[VG_TRUE_CROSSING_SEC].at[0];
    double span = (double)(source->span.off - source->span.on);

    return (struct vg_course){
        .reach = reach_of(item, item->values),
        .curve = item->curve,
        .jump_at = item->spec->jump_at,
        .crossing = crossing_sec * (double)source->clip.rate_hz / span,
        .backwards = item->direction == VG_DOWN,
        .span = source->span,
    };
}

double vg_course_longest(const struct vg_spec *spec, const struct vg_spec_category *category)
{
    double longest = 0, jnd = category->fixed[VG_TRUE_JND_RULE].at[0];

    for (size_t tier = 0; tier < spec->tier_count; tier++) {
        double reach = category->tiers[tier][VG_TRUE_CHANGE].at[0] * jnd * VG_GLIDE_REACH;

        longest = reach > longest ? reach : longest;
    }
    return longest;
}

static double progress(const struct vg_course *course, double t)
{
    double across;

    if (course->curve != VG_JUMP)
        return vg_curve_progress(course->curve, course->jump_at, t);
    across = (t - course->jump_at) / course->crossing + 0.5;
    return across <= 0 ? 0 : across >= 1 ? 1 : across * across * (3 - 2 * across);
}

double vg_course_at(const struct vg_course *course, double sample)
{
    double last = (double)(course->span.off - course->span.on - 1);
    double t = last > 0 ? (sample - (double)course->span.on) / last : 1;

    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return course->reach * progress(course, course->backwards ? 1 - t : t);
}

double *vg_course_fill(const struct vg_course *course, struct vg_dial dial, size_t frames, uint32_t rate_hz,
                       struct vg_arena *tmp)
{
    double *x = vg_arena_take(tmp, frames, sizeof *x), here = dial.of(dial.self, vg_course_at(course, 0));
    size_t apart = rate_hz / GRID_HZ > 1 ? rate_hz / GRID_HZ : 1;

    for (size_t from = 0, to; from < frames; from = to) {
        double next = dial.of(dial.self, vg_course_at(course, (double)(from + apart)));
        double rise = (next - here) / (double)apart;

        to = frames - from < apart ? frames : from + apart;
        for (size_t k = from; k < to; k++)
            x[k] = here + rise * (double)(k - from);
        here = next;
    }
    return x;
}
