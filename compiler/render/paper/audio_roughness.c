/* SPDX-License-Identifier: MIT */
/* audio_roughness: the bit depth moves from the largest to the tier's smallest; each passage is quantised
 * to it, symmetric about 0, and keeps its level. */
#include "paper.h"

enum { BITS_MAX_MAX = 23 }; /* round_even below reaches to 2^22 */
enum { BITS_MIN };
static const struct vg_key_rule tier_keys[] = {
    [BITS_MIN] = {.name = "bit_depth_min",
                  .type = VG_KEY_NUMBER,
                  .flags = VG_REQUIRED,
                  .min = 2,
                  .max = BITS_MAX_MAX,
                  .meaning = "bits; the coarsest depth"},
    {0},
};
enum { BITS_MAX, BITS_FLOOR };
static const struct vg_key_rule fixed_keys[] = {
    [BITS_MAX] = {.name = "bit_depth_max",
                  .type = VG_KEY_NUMBER,
                  .flags = VG_REQUIRED,
                  .min = 2,
                  .max = BITS_MAX_MAX,
                  .meaning = "bits; the finest depth, where the roughness is least"},
    [BITS_FLOOR] = {.name = "bit_depth_floor",
                    .type = VG_KEY_NUMBER,
                    .flags = VG_REQUIRED,
                    .min = 2,
                    .max = BITS_MAX_MAX,
                    .meaning = "bits; no depth is below this"},
    {0},
};

struct quantiser {
    double bits_floor;
};

/* To nearest, ties to even, for |x| < 2^22: the sum leaves no room for a fraction. */
static float round_even(float x)
{
    return (x + 0x1.8p23f) - 0x1.8p23f;
}

static void treat(const void *self, const struct vg_passage *passage, float *out, struct vg_arena *tmp)
{
    const struct quantiser *quantiser = self;
    double bits = vg_round_even(passage->value);

    (void)tmp;
    bits = bits > quantiser->bits_floor ? bits : quantiser->bits_floor;
    float scale = (float)((uint32_t)1 << ((unsigned)bits - 1)) - 1.0f;
    for (size_t k = 0; k < passage->frames; k++) {
        float x = passage->at[k];

        x = x < -1.0f ? -1.0f : x;
        x = x > 1.0f ? 1.0f : x;
        out[k] = round_even(x * scale) / scale;
    }
    vg_match_rms(passage->at, out, passage->frames);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct quantiser quantiser = {.bits_floor = vg_item_fixed(item, BITS_FLOOR)};
    struct vg_treatment treatment = {.treat = treat, .self = &quantiser, .outside = true};
    struct vg_wave wave = vg_wave_of(source, tmp);
    struct vg_move move = vg_move_of(item, vg_item_fixed(item, BITS_MAX), vg_item_value(item, BITS_MIN));
    struct vg_steps steps = vg_paper_steps(item, source);

    (void)shared;
    wave = vg_treat_chunks(&wave, &steps, &move, &treatment, tmp);
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_audio_roughness = {
    .words = {.name = "audio_roughness", .tier = tier_keys, .fixed = fixed_keys},
    .apply = apply,
};
