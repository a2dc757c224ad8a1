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
    enum { BLOCK = 512 };
    struct vg_text text = {0};
    struct vg_random random;
    float *noise = vg_arena_take(tmp, frames, sizeof *noise);
    double values[BLOCK];

    vg_item_seed_text(item, &text);
    vg_random_seed(&random, vg_random_entropy(text.data));
    vg_text_release(&text);
    for (size_t from = 0, count; from < frames; from += count) {
        count = frames - from < BLOCK ? frames - from : BLOCK;
        vg_random_normals(&random, values, count);
        for (size_t k = 0; k < count; k++)
            noise[from + k] = (float)values[k];
    }
    return noise;
}

/* What all items of a source share: the clip and the level of its speech, not below rms_min. */
struct speech {
    struct vg_wave wave;
    float level;
};

static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct speech *speech = vg_arena_take(keep, 1, sizeof *speech);
    struct vg_span span = source->span;

    (void)tmp;
    speech->wave = vg_wave_of(source, keep);
    speech->level = at_least(vg_rms_pairwise(speech->wave.at + span.on, span.off - span.on),
                             (float)vg_item_fixed(item, RMS_MIN));
    return speech;
}

/* From noise to the clip with the noise, normed, at so many times the speech's level; in place. */
struct mixer {
    const float *clip;
    float *noise, norm, level;
};
static void add(const struct mixer *mixer, size_t from, size_t to, double ratio)
{
    const float *restrict clip = mixer->clip;
    float *restrict noise = mixer->noise, norm = mixer->norm, gain = mixer->level * (float)ratio;

    for (size_t k = from; k < to; k++)
        noise[k] = clip[k] + noise[k] / norm * gain;
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    const struct speech *speech = shared;
    struct vg_wave wave = speech->wave;
    size_t on = wave.span.on, off = wave.span.off;
    float *noise = draw_noise(item, wave.frames, tmp), least = (float)vg_item_fixed(item, RMS_MIN);
    struct vg_move move = vg_move_of(item, 0.0, vg_item_value(item, RATIO_MAX));
    struct vg_steps steps = vg_paper_steps(item, source);
    struct mixer mixer = {
        .clip = wave.at,
        .noise = noise,
        .norm = at_least(vg_rms_pairwise(noise, wave.frames), least),
        .level = speech->level,
    };

    add(&mixer, 0, on, move.start);
    for (size_t i = 0; i < steps.count; i++) {
        struct vg_chunk chunk = vg_chunk_of(&steps, i);

        add(&mixer, on + chunk.from, on + chunk.to, vg_move_at(&move, vg_step_time(&steps, i)));
    }
    add(&mixer, off, wave.frames, move.end);
    wave.at = noise;
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_background_noise = {
    .words = {.name = "background_noise", .tier = tier_keys, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
