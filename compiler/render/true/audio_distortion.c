/* SPDX-License-Identifier: MIT */
/* audio_distortion: sample-and-hold.  The effective rate falls below the source's own by as many octaves as
 * the course says: a clock of that rate runs on from sample to sample, and each of its ticks takes a new
 * value. */
#include "true.h"

static const struct vg_key_rule fixed_keys[] = {VG_TRUE_JND, {0}};

enum { OCTAVES_MAX = 4, SCAN = 8 }; /* samples between two looks at the course */

static void check(const struct vg_node *map, struct vg_error *err)
{
    vg_true_limit(map, OCTAVES_MAX,
                  "a course of 4 octaves ends at holds of 16 samples, a Nyquist frequency of "
                  "1 kHz and less",
                  err);
}

/* A clock ticks once a sample where the course is 0, and the less often the further it is. */
static void hold(const struct vg_course *course, const double *x, size_t frames, double *out)
{
    double ticks = 1, per_sample = 1;

    for (size_t k = 0, from = 0; k <= frames; k++, ticks += per_sample) {
        if (k % SCAN == 0)
            per_sample = vg_exp2(-vg_course_at(course, (double)k));
        if (ticks < 1 && k < frames)
            continue;
        ticks -= 1;
        for (size_t middle = from + (k - from) / 2; from < k; from++) /* so that nothing is delayed */
            out[from] = x[middle];
    }
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track own = vg_track_of(source, tmp), track = own;

    (void)shared;
    if (course.reach > 0) {
        track = vg_track_of(source, tmp);
        vg_track_lower_peaks(&own, vg_one_peak(source), source->clip.rate_hz,
                             tmp); /* before: a moving gain would tell held values apart */
        hold(&course, own.at, own.frames, track.at);
        vg_track_raise_peak(&track, vg_one_peak(source));
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_audio_distortion = {
    .words = {.name = "audio_distortion", .tier = vg_true_tier, .fixed = fixed_keys, .check = check},
    .apply = apply,
};
