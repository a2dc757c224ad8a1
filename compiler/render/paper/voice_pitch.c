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
    double steps_per_octave;
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
    pitch->steps_per_octave = vg_item_fixed(item, STEPS_PER_OCTAVE);
    return pitch;
}

/* The step's own part of its chunk, stretched by `rate` and resampled by it; zeros where that falls short. */
static void shift(const struct pitch *pitch, size_t i, struct vg_chunk chunk, double rate, float *out,
                  struct vg_arena *tmp)
{
    const struct vg_vocoder *vocoder = vg_vocoded_step(&pitch->vocoded, i, tmp);
    size_t stretched = vg_stretch_frames(chunk.last - chunk.first, rate);
    size_t from = chunk.from - chunk.first, to = chunk.to - chunk.first;
    size_t end = vg_resample_frames(stretched, rate);
    float *x = vg_arena_take_zero(tmp, stretched, sizeof *x);

    memset(out, 0, (to - from) * sizeof *out);
    end = end < to ? end : to;
    if (from >= end)
        return;

    struct vg_resample_needs needs = vg_resample_needs(pitch->resampler, stretched, rate, from, end);
    vg_stretch(vocoder, rate, needs.first, needs.last, x + needs.first, tmp);
    vg_resample(pitch->resampler, x, stretched, rate, from, end, out, tmp);
}

static void append_step(const void *self, size_t i, double up, struct vg_joined *joined, struct vg_arena *tmp)
{
    const struct pitch *pitch = self;
    const struct vg_steps *steps = &pitch->vocoded.steps;
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct vg_chunk chunk = pitch->vocoded.chunk_of(steps, i);
    float *piece = vg_arena_take(tmp, chunk.to - chunk.from, sizeof *piece);

    shift(pitch, i, chunk, vg_exp2(-up / pitch->steps_per_octave), piece, tmp);
    vg_joined_append(joined, piece, chunk.to - chunk.from, steps->crossfade);
    vg_arena_rewind(tmp, mark);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    const struct pitch *pitch = shared;
    double delta = vg_item_value(item, DELTA_STEPS);
    struct vg_move move = vg_move_of(item, -delta, delta);
    struct vg_piecework work = {
        .append = append_step,
        .self = pitch,
        .frames_max = pitch->vocoded.steps.length,
    };
    struct vg_wave wave = vg_vocoded_join(&pitch->vocoded, &move, &work, tmp);

    (void)source;
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_voice_pitch = {
    .words = {.name = "voice_pitch", .tier = tier_keys, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
