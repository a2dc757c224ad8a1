/* SPDX-License-Identifier: MIT */
/* echo: late copies of the sound whose energy over the dry sound's follows the course, from the level at
 * which an echo is none.  The room, which is the copies' times and their decay, is fixed.  Dry and wet share
 * the power of the source. */
#include "true.h"

#include <math.h>

enum { TAP_MS = VG_TRUE_OWN, DECAY, NONE };
static const struct vg_key_rule fixed_keys[] = {
    VG_TRUE_JND,
    [TAP_MS] = {.name = "tap_ms",
                .type = VG_KEY_NUMBERS,
                .flags = VG_REQUIRED | VG_ABOVE_MIN,
                .max = 2000,
                .meaning = "milliseconds; when the copies come"},
    [DECAY] = {.name = "decay_sec",
               .type = VG_KEY_NUMBER,
               .flags = VG_REQUIRED | VG_ABOVE_MIN,
               .max = 60,
               .meaning = "seconds in which the copies fall by 60 dB"},
    [NONE] = {.name = "none_db",
              .type = VG_KEY_NUMBER,
              .flags = VG_REQUIRED,
              .min = -100,
              .max = -1,
              .meaning = "dB, wet over dry; where the course starts: less echo is none"},
    {0},
};

/* Gains of the copies: decaying, of alternating sign by pairs, so that no pitch of its own comes about;
 * energy 1 together. */
static void tap_gains(const struct vg_item *item, double *gain)
{
    struct vg_value times = item->fixed[TAP_MS];
    double energy = 0;

    for (size_t i = 0; i < times.count; i++) {
        gain[i] = vg_db_to_gain(-60 * times.at[i] / 1000 / vg_item_fixed(item, DECAY));
        gain[i] *= i % 4 < 2 ? 1 : -1;
        energy += gain[i] * gain[i];
    }
    for (size_t i = 0; i < times.count; i++)
        gain[i] /= sqrt(energy);
}

/* The wet sound, shared by all items of a source. */
static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct vg_value times = item->fixed[TAP_MS];
    const struct vg_clip *clip = &source->clip;
    double *wet = vg_arena_take_zero(keep, clip->frames, sizeof *wet);
    double *gain = vg_arena_take(tmp, times.count, sizeof *gain);

    tap_gains(item, gain);
    for (size_t i = 0; i < times.count; i++) {
        size_t delay = (size_t)vg_round_even(times.at[i] / 1000 * clip->rate_hz);

        for (size_t k = delay; k < clip->frames; k++)
            wet[k] += gain[i] * clip->samples[k - delay];
    }
    return wet;
}

/* Amplitude of the wet sound; `self`: power ratio of no echo. */
static double share_of(const void *self, double db)
{
    return sqrt(vg_power_above(*(const double *)self, db));
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    const double *wet = shared;
    struct vg_course course = vg_course_of(item, source);
    struct vg_track track = vg_track_of(source, tmp);
    double none = vg_pow(10, vg_item_fixed(item, NONE) / 10);

    if (course.reach > 0) {
        struct vg_dial dial = {share_of, &none};
        const double *share = vg_course_fill(&course, dial, track.frames, source->clip.rate_hz, tmp);

        for (size_t k = 0; k < track.frames; k++)
            track.at[k] = (track.at[k] + share[k] * wet[k]) / sqrt(1 + share[k] * share[k]);
        vg_track_one_peak(&track, source, tmp);
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_echo = {
    .words = {.name = "echo", .tier = vg_true_tier, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
