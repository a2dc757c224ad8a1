/* SPDX-License-Identifier: MIT */
/* echo: a Schroeder reverberator (J. Audio Eng. Soc. 10(3), 1962) whose room is the tier's and whose share of
 * the sound moves.  The wet sound is the clip convolved with the first instants of the room's impulse
 * response, and has the clip's level. */
#include "reverb.h"

enum { ROOM_SCALE_MAX, WET_MIX_MAX };
static const struct vg_key_rule tier_keys[] = {
    [ROOM_SCALE_MAX] = {.name = "room_scale_max",
                        .type = VG_KEY_NUMBER,
                        .flags = VG_REQUIRED | VG_ABOVE_MIN,
                        .max = 1,
                        .meaning = "scales every feedback of the room"},
    [WET_MIX_MAX] = {.name = "wet_mix_max",
                     .type = VG_KEY_NUMBER,
                     .flags = VG_REQUIRED | VG_ABOVE_MIN,
                     .max = 1,
                     .meaning = "share of the reverberated sound at its most"},
    {0},
};
enum { IMPULSE, COMB_MS, COMB_FEEDBACK, ALLPASS_MS, ALLPASS_GAIN };
static const struct vg_key_rule fixed_keys[] = {
    [IMPULSE] = {.name = "impulse_sec",
                 .type = VG_KEY_NUMBER,
                 .flags = VG_REQUIRED | VG_ABOVE_MIN,
                 .max = 60,
                 .meaning = "seconds; length of the impulse response"},
    [COMB_MS] = {.name = "comb_ms",
                 .type = VG_KEY_NUMBERS,
                 .flags = VG_REQUIRED | VG_ABOVE_MIN,
                 .max = 1000,
                 .meaning = "milliseconds; delays of the parallel combs"},
    [COMB_FEEDBACK] = {.name = "comb_feedback",
                       .type = VG_KEY_NUMBERS,
                       .flags = VG_REQUIRED | VG_BELOW_MAX,
                       .max = 1,
                       .meaning = "feedback of each comb, before the room scale"},
    [ALLPASS_MS] = {.name = "allpass_ms",
                    .type = VG_KEY_NUMBERS,
                    .flags = VG_REQUIRED | VG_ABOVE_MIN,
                    .max = 1000,
                    .meaning = "milliseconds; delays of the all-passes in series"},
    [ALLPASS_GAIN] = {.name = "allpass_gain",
                      .type = VG_KEY_NUMBER,
                      .flags = VG_REQUIRED | VG_BELOW_MAX,
                      .max = 1,
                      .meaning = "gain of every all-pass, before the room scale"},
    {0},
};

/* As many feedbacks as combs, and at least one of each. */
static void check_room(const struct vg_node *map, struct vg_error *err)
{
    const struct vg_node *delays = vg_node_find(map, "comb_ms"),
                         *feedback = vg_node_find(map, "comb_feedback");

    if (delays->count == 0)
        vg_node_fail(delays, err, "echo.comb_ms is empty; expected the delay of at least one comb");
    if (feedback->count != delays->count)
        vg_node_fail(feedback, err,
                     "echo.comb_feedback has %zu values for the %zu combs of comb_ms; expected one each",
                     feedback->count, delays->count);
}

/* The dry clip, and the wet one of every tier; NULL where those would take too much memory. */
struct echo {
    struct vg_wave dry;
    const float **wet;
};

enum { KEPT_BYTES_MAX = 64 << 20 };

static const float *wet_of(const struct vg_item *item, size_t tier, const struct vg_wave *dry, double rate_hz,
                           struct vg_arena *keep, struct vg_arena *tmp)
{
    const struct vg_value *fixed = item->fixed;
    struct vg_room room = {
        .impulse_sec = fixed[IMPULSE].at[0],
        .comb_ms = fixed[COMB_MS],
        .comb_feedback = fixed[COMB_FEEDBACK],
        .allpass_ms = fixed[ALLPASS_MS],
        .allpass_gain = fixed[ALLPASS_GAIN].at[0],
        .scale = item->category->tiers[tier][ROOM_SCALE_MAX].at[0],
    };
    float *wet = vg_arena_take(keep, dry->frames, sizeof *wet);

    vg_reverb(&room, rate_hz, dry->at, dry->frames, wet, tmp);
    vg_match_rms(dry->at, wet, dry->frames);
    return wet;
}

static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct echo *echo = vg_arena_take(keep, 1, sizeof *echo);
    size_t tiers = item->spec->tier_count;

    *echo = (struct echo){.dry = vg_wave_of(source, keep)};
    if (echo->dry.frames > KEPT_BYTES_MAX / sizeof(float) / tiers)
        return echo;
    echo->wet = vg_arena_take(keep, tiers, sizeof *echo->wet);
    for (size_t tier = 0; tier < tiers; tier++)
        echo->wet[tier] = wet_of(item, tier, &echo->dry, source->clip.rate_hz, keep, tmp);
    return echo;
}

static void mix(const float *restrict dry, const float *restrict wet, const double *restrict share,
                float *restrict out, size_t count)
{
    for (size_t k = 0; k < count; k++)
        out[k] = (float)((1.0 - share[k]) * (double)dry[k] + share[k] * (double)wet[k]);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    enum { BLOCK = 2048 };
    const struct echo *echo = shared;
    const struct vg_wave *dry = &echo->dry;
    const float *wet = echo->wet != NULL ? echo->wet[item->tier]
                                         : wet_of(item, item->tier, dry, source->clip.rate_hz, tmp, tmp);
    struct vg_move move = vg_move_of(item, 0.0, vg_item_value(item, WET_MIX_MAX));
    double share[BLOCK];
    float mixed[BLOCK];

    vg_output_start(dry->frames, dry->span, out, keep);
    for (size_t from = 0, to; from < dry->frames; from = to) {
        to = dry->frames - from < BLOCK ? dry->frames : from + BLOCK;
        vg_move_fill(&move, dry->span, from, to, share);
        if (share[0] == 0.0 && share[to - from - 1] == 0.0) { /* and all between them */
            vg_output_samples(out, from, source->clip.samples + from, to - from);
            continue;
        }
        mix(dry->at + from, wet + from, share, mixed, to - from);
        vg_output_wave(out, from, mixed, to - from);
    }
}

const struct vg_transform vg_paper_echo = {
    .words = {.name = "echo", .tier = tier_keys, .fixed = fixed_keys, .check = check_room},
    .analyse = analyse,
    .apply = apply,
};
