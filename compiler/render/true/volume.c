/* SPDX-License-Identifier: MIT */
/* volume: the gain in dB follows the course, as far below the source as above it.  All items of a source are
 * lowered by one fixed gain, so that the loudest moment of the highest tier fits 16 bits. */
#include "true.h"

static const struct vg_key_rule fixed_keys[] = {VG_TRUE_JND, {0}};

/* The source's headroom: what brings its peak, raised by half the longest course, to full scale. */
static double headroom(const struct vg_item *item, const struct vg_loaded *source)
{
    double peak = 1, gain;

    for (size_t k = 0; k < source->clip.frames; k++) {
        int x = source->clip.samples[k], size = x < 0 ? -x : x;

        peak = size > peak ? size : peak;
    }
    gain = 32767 / (peak * vg_db_to_gain(vg_course_longest(item->spec, item->category) / 2));
    return gain < 1 ? gain : 1;
}

/* `self`: what to add to the course's dB. */
static double gain_of(const void *self, double db)
{
    return vg_db_to_gain(db + *(const double *)self);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track track = vg_track_of(source, tmp);

    (void)shared;
    if (course.reach > 0) {
        double below = -course.reach / 2;
        struct vg_dial dial = {gain_of, &below};
        const double *gain = vg_course_fill(&course, dial, track.frames, source->clip.rate_hz, tmp);

        track.outside = headroom(item, source);
        for (size_t k = 0; k < track.frames; k++)
            track.at[k] *= track.outside * gain[k];
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_volume = {
    .words = {.name = "volume", .tier = vg_true_tier, .fixed = fixed_keys},
    .apply = apply,
};
