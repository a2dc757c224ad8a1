/* SPDX-License-Identifier: MIT */
/* audio_distortion: sample-and-hold.  The effective rate falls below the source's own by as many octaves as
 * the course says.  A value is held for a whole number of samples, the nearest on an octave scale: only such
 * holds can be told from the samples themselves, which is how the label is confirmed. */
#include "true.h"

static const struct vg_key_rule fixed_keys[] = {VG_TRUE_JND, {0}};

enum { OCTAVES_MAX = 4, HOLD_MAX = 16 };

static void check(const struct vg_node *map, struct vg_error *err)
{
    vg_true_limit(map, OCTAVES_MAX,
                  "a course of 4 octaves ends at holds of 16 samples, a Nyquist frequency of "
                  "1 kHz and less",
                  err);
}

/* border[h]: octaves up to which a value is held for h samples. */
static void find_borders(double border[HOLD_MAX + 1])
{
    border[0] = 0;
    for (int h = 1; h <= HOLD_MAX; h++)
        border[h] = 0.5 * vg_log2((double)h * (h + 1));
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track track = vg_track_of(source, tmp);

    double border[HOLD_MAX + 1];
    size_t hold = 1;

    (void)shared;
    find_borders(border);
    for (size_t from = 0, to; from < track.frames; from = to) {
        double octaves = vg_course_at(&course, (double)from);

        while (hold < HOLD_MAX && octaves > border[hold])
            hold++;
        while (hold > 1 && octaves <= border[hold - 1])
            hold--;
        to = track.frames - from > hold ? from + hold : track.frames;
        size_t middle = from + (to - from) / 2; /* so that nothing is delayed */
        for (size_t k = from; k < to; k++)
            track.at[k] = source->clip.samples[middle];
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_audio_distortion = {
    .words = {.name = "audio_distortion", .tier = vg_true_tier, .fixed = fixed_keys, .check = check},
    .apply = apply,
};
