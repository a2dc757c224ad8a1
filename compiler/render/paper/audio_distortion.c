/* SPDX-License-Identifier: MIT */
/* audio_distortion: sample-and-hold.  The effective sample rate moves from the source's own to the tier's
 * lowest; each passage keeps every hold-th sample, repeated, and its level.  A tier whose rate the source
 * does not reach holds nothing: the sound stays what it is, which is for the labels' measures to say and no
 * fault of the spec. */
#include "paper.h"

enum { RATE_MIN };
static const struct vg_key_rule tier_keys[] = {
    [RATE_MIN] = {.name = "effective_sr_min",
                  .type = VG_KEY_NUMBER,
                  .flags = VG_REQUIRED,
                  .min = 1,
                  .max = 1000000,
                  .meaning = "Hz; the lowest effective sample rate"},
    {0},
};
enum { RATE_FLOOR };
static const struct vg_key_rule fixed_keys[] = {
    [RATE_FLOOR] = {.name = "effective_sr_floor",
                    .type = VG_KEY_NUMBER,
                    .flags = VG_REQUIRED,
                    .min = 1,
                    .max = 1000000,
                    .meaning = "Hz; no effective rate is below this"},
    {0},
};

struct holder {
    double rate, rate_floor; /* of the source; Hz */
};

/* How many samples one value stands for. */
static size_t hold_of(const struct holder *holder, double effective)
{
    effective = vg_round_even(effective);
    effective = effective > holder->rate_floor ? effective : holder->rate_floor;
    if (effective >= holder->rate)
        return 1;
    return (size_t)vg_round_even(holder->rate / effective);
}

static void treat(const void *self, const struct vg_passage *passage, float *out, struct vg_arena *tmp)
{
    size_t hold = hold_of(self, passage->value);

    (void)tmp;
    for (size_t k = 0; k < passage->frames; k += hold)
        for (size_t i = k; i < k + hold && i < passage->frames; i++)
            out[i] = passage->at[k];
    vg_match_rms(passage->at, out, passage->frames);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct holder holder = {
        .rate = source->clip.rate_hz,
        .rate_floor = vg_item_fixed(item, RATE_FLOOR),
    };
    struct vg_treatment treatment = {.treat = treat, .self = &holder, .outside = true};
    struct vg_wave wave = vg_wave_of(source, tmp);
    struct vg_move move = vg_move_of(item, holder.rate, vg_item_value(item, RATE_MIN));
    struct vg_steps steps = vg_paper_steps(item, source);

    (void)shared;
    wave = vg_treat_chunks(&wave, &steps, &move, &treatment, tmp);
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_audio_distortion = {
    .words = {.name = "audio_distortion", .tier = tier_keys, .fixed = fixed_keys},
    .apply = apply,
};
