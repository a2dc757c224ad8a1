/* SPDX-License-Identifier: MIT */
/* voice_pitch: every chunk is stretched in time and resampled back to its length, so that its pitch moves by
 * the step's semitones.  Before and after the span the sound stays as it is. */
#include "short_time.h"

#include <string.h>

enum { DELTA_STEPS };
static const struct vg_key_rule tier_keys[] = {
    [DELTA_STEPS] = {.name = "delta_steps",
                     .type = VG_KEY_NUMBER,
                     .flags = VG_REQUIRED | VG_ABOVE_MIN,
                     .max = 24,
                     .meaning = "steps of the octave; the pitch moves from this far below to this far above"},
    {0},
};
enum { STEPS_PER_OCTAVE = VG_SHORT_TIME_KEYS, FILTER_PASS, FILTER_STOP };
static const struct vg_key_rule fixed_keys[] = {
    VG_SHORT_TIME_RULES,
    [STEPS_PER_OCTAVE] = {.name = "steps_per_octave",
                          .type = VG_KEY_NUMBER,
                          .flags = VG_REQUIRED | VG_ABOVE_MIN,
                          .max = 1200,
                          .meaning = "12 for semitones, 1200 for cents"},
    [FILTER_PASS] = {.name = "filter_pass",
                     .type = VG_KEY_NUMBER,
                     .flags = VG_REQUIRED,
                     .min = 0.5,
                     .max = 0.99,
                     .meaning = "of the lower Nyquist; end of the resampler's pass band"},
    [FILTER_STOP] = {.name = "filter_stop",
                     .type = VG_KEY_NUMBER,
                     .flags = VG_REQUIRED | VG_ABOVE_MIN,
                     .min = 0.99,
                     .max = 1,
                     .meaning = "of the lower Nyquist; begin of its stop band"},
    {0},
};

struct pitch {
    struct vg_vocoded vocoded;
    const struct vg_resampler *resampler;
};

static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct pitch *pitch = vg_arena_take(keep, 1, sizeof *pitch);
    struct vg_resample_filter filter = {
        .pass_end = vg_item_fixed(item, FILTER_PASS),
        .stop_begin = vg_item_fixed(item, FILTER_STOP),
    };

    vg_vocoded_make(&pitch->vocoded, item, source, vg_chunk_of, keep, tmp);
    pitch->resampler = vg_resampler_make(filter, keep);
    return pitch;
}

/* Samples from <= k < to of the chunk, stretched by `rate` and resampled by it; zeros where that is shorter
 * than the chunk. */
static void shift(const struct pitch *pitch, size_t i, double rate, size_t frames, size_t from, size_t to,
                  float *out, struct vg_arena *tmp)
{
    const struct vg_vocoder *vocoder = vg_vocoded_step(&pitch->vocoded, i, tmp);
    size_t stretched = vg_stretch_frames(frames, rate), end = vg_resample_frames(stretched, rate);
    float *x = vg_arena_take_zero(tmp, stretched, sizeof *x);

    memset(out, 0, (to - from) * sizeof *out);
    end = end < to ? end : to;
    if (from >= end)
        return;

    struct vg_resample_needs needs = vg_resample_needs(pitch->resampler, stretched, rate, from, end);
    vg_stretch(vocoder, rate, needs.first, needs.last, x + needs.first, tmp);
    vg_resample(pitch->resampler, x, stretched, rate, from, end, out, tmp);
}

static void append_step(struct vg_joined *joined, const struct pitch *pitch, size_t i, double rate,
                        struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    const struct vg_steps *steps = &pitch->vocoded.steps;
    struct vg_chunk chunk = pitch->vocoded.chunk_of(steps, i);
    size_t from = chunk.from - chunk.first, to = chunk.to - chunk.first;
    float *piece = vg_arena_take(tmp, to - from, sizeof *piece);

    shift(pitch, i, rate, chunk.last - chunk.first, from, to, piece, tmp);
    vg_joined_append(joined, piece, to - from, steps->crossfade);
    vg_arena_rewind(tmp, mark);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    const struct pitch *pitch = shared;
    const struct vg_wave *wave = &pitch->vocoded.wave;
    const struct vg_steps *steps = &pitch->vocoded.steps;
    double delta = vg_item_value(item, DELTA_STEPS);
    struct vg_move move = vg_move_of(item, -delta, delta);
    size_t after = wave->frames - wave->span.off;
    struct vg_joined joined = {.at = vg_arena_take(tmp, wave->frames, sizeof(float))};
    struct vg_joined inner = {.at = joined.at + wave->span.on};

    (void)source;
    memcpy(joined.at, wave->at, wave->span.on * sizeof(float));
    for (size_t i = 0; i < steps->count; i++) {
        double up = vg_move_at(&move, vg_step_time(steps, i));

        append_step(&inner, pitch, i, vg_exp2(-up / vg_item_fixed(item, STEPS_PER_OCTAVE)), tmp);
    }
    joined.frames = wave->span.on + inner.frames;
    memcpy(joined.at + joined.frames, wave->at + wave->span.off, after * sizeof(float));

    struct vg_wave result = {
        .at = joined.at,
        .frames = joined.frames + after,
        .span = {.on = wave->span.on, .off = joined.frames},
    };
    vg_wave_finish(&result, out, keep);
}

const struct vg_transform vg_paper_voice_pitch = {
    .words = {.name = "voice_pitch", .tier = tier_keys, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
