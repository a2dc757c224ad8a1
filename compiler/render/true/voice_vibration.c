/* SPDX-License-Identifier: MIT */
/* voice_vibration: tremolo of a fixed rate whose index follows the course.  What swings as a sine is the
 * power, 1 + d sin(phase), so that its mean and its median stay 1 at every depth d: the level does not move.
 */
#include "true.h"

#include <math.h>

enum { RATE = VG_TRUE_OWN };
static const struct vg_key_rule fixed_keys[] = {
    VG_TRUE_JND,
    [RATE] = {.name = "rate_hz",
              .type = VG_KEY_NUMBER,
              .flags = VG_REQUIRED | VG_ABOVE_MIN | VG_UP_TO_NYQUIST,
              .max = 100,
              .meaning = "Hz; of the modulation"},
    {0},
};

/* Index of a gain g over its mean: sqrt(2 mean((g/mean - 1)^2)), a sine's own index.  sqrt(1 + sin) has the
 * mean 2 sqrt(2)/pi and so sqrt(pi^2/4 - 2) = 0.683. */
#define INDEX_MAX 0.68
enum { DEPTHS = 128, PHASES = 64 };

static void check(const struct vg_node *map, struct vg_error *err)
{
    vg_true_limit(map, INDEX_MAX, "power cannot swing below 0, which is an index of 0.68", err);
}

static double index_of(double depth)
{
    double mean = 0;

    for (size_t i = 0; i < PHASES; i++)
        mean += sqrt(1 + depth * vg_sin(2 * VG_PI * ((double)i + 0.5) / PHASES)) / PHASES;
    return sqrt(2 * (1 / (mean * mean) - 1)); /* the mean square is 1 */
}

/* The index at depths 0, 1/DEPTHS .. 1, rising. */
static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    double *index = vg_arena_take(keep, DEPTHS + 1, sizeof *index);

    (void)item;
    (void)source;
    (void)tmp;
    index[0] = 0;
    for (size_t i = 1; i <= DEPTHS; i++)
        index[i] = index_of((double)i / DEPTHS);
    return index;
}

static double depth_of(const void *self, double asked)
{
    const double *index = self;
    size_t low = 0, high = DEPTHS;

    while (high - low > 1) {
        size_t middle = (low + high) / 2;

        if (index[middle] <= asked)
            low = middle;
        else
            high = middle;
    }

    double depth = ((double)low + (asked - index[low]) / (index[high] - index[low])) / DEPTHS;
    return depth < 1 ? depth : 1;
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track track = vg_track_of(source, tmp);
    double turn = 2 * VG_PI * vg_item_fixed(item, RATE) / (double)source->clip.rate_hz;

    if (course.reach > 0) {
        struct vg_dial dial = {depth_of, shared};
        const double *depth = vg_course_fill(&course, dial, track.frames, source->clip.rate_hz, tmp);

        for (size_t k = 0; k < track.frames; k++)
            track.at[k] *= sqrt(1 + depth[k] * vg_sin(turn * ((double)k - (double)track.span.on)));
        vg_track_one_peak(&track, source, tmp);
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_voice_vibration = {
    .words = {.name = "voice_vibration", .tier = vg_true_tier, .fixed = fixed_keys, .check = check},
    .analyse = analyse,
    .apply = apply,
};
