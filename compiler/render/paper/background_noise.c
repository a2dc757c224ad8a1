/* SPDX-License-Identifier: MIT */
/* background_noise: white Gaussian noise over the whole clip, drawn from the item's own seed; its level
 * relative to the speech moves between 0 and the tier's ratio in steps.  f32, every operation rounded in
 * the recipe's order. */
#include "paper.h"

enum { RATIO_MAX };
static const struct vg_key_rule tier_keys[] = {
    [RATIO_MAX] = {.name = "noise_ratio_max",
                   .type = VG_KEY_NUMBER,
                   .flags = VG_REQUIRED | VG_ABOVE_MIN,
                   .max = 100,
                   .meaning = "RMS of the noise over RMS of the speech at its loudest"},
    {0},
};
enum { RMS_MIN };
static const struct vg_key_rule fixed_keys[] = {
    [RMS_MIN] = {.name = "rms_min",
                 .type = VG_KEY_NUMBER,
                 .flags = VG_REQUIRED | VG_ABOVE_MIN,
                 .max = 1,
                 .meaning = "full scale 1; the least RMS a level is measured against"},
    {0},
};

static float at_least(float value, float least)
{
    return value > least ? value : least;
}

static float *draw_noise(const struct vg_item *item, size_t frames, struct vg_arena *tmp)
{
    struct vg_text text = {0};
    struct vg_random random;
    float *noise = vg_arena_take(tmp, frames, sizeof *noise);

    vg_item_seed_text(item, &text);
    vg_random_seed(&random, vg_random_entropy(text.data));
    vg_text_release(&text);
    for (size_t k = 0; k < frames; k++)
        noise[k] = (float)vg_random_normal(&random);
    return noise;
}

/* The noise is normed and added; `level` is the speech's RMS. */
struct mixer {
    float norm, level;
};
static void add(const struct mixer *mixer, float *x, const float *noise, size_t frames, double ratio)
{
    float gain = mixer->level * (float)ratio;

    for (size_t k = 0; k < frames; k++)
        x[k] = x[k] + noise[k] / mixer->norm * gain;
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_wave wave = vg_wave_of(source, tmp);
    size_t on = wave.span.on, off = wave.span.off;
    float least = (float)vg_item_fixed(item, RMS_MIN);
    struct vg_move move = vg_move_of(item, 0.0, vg_item_value(item, RATIO_MAX));
    struct vg_steps steps = vg_paper_steps(item, source);
    const float *noise = draw_noise(item, wave.frames, tmp);
    struct mixer mixer = {
        .norm = at_least(vg_rms_pairwise(noise, wave.frames), least),
        .level = at_least(vg_rms_pairwise(wave.at + on, off - on), least),
    };

    (void)shared;
    add(&mixer, wave.at, noise, on, move.start);
    for (size_t i = 0; i < steps.count; i++) {
        struct vg_chunk chunk = vg_chunk_of(&steps, i);
        size_t from = on + chunk.from;
        double ratio = vg_move_at(&move, vg_step_time(&steps, i));

        add(&mixer, wave.at + from, noise + from, chunk.to - chunk.from, ratio);
    }
    add(&mixer, wave.at + off, noise + off, wave.frames - off, move.end);
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_background_noise = {
    .words = {.name = "background_noise", .tier = tier_keys, .fixed = fixed_keys},
    .apply = apply,
};
