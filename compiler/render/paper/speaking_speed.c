/* SPDX-License-Identifier: MIT */
/* speaking_speed: every chunk is stretched in time by its step's rate, and of the result the step's own part
 * is taken.  Before and after the span the sound stays as it is. */
#include "short_time.h"

enum { DELTA_RATE };
static const struct vg_key_rule tier_keys[] = {
    [DELTA_RATE] = {.name = "delta_rate",
                    .type = VG_KEY_NUMBER,
                    .flags = VG_REQUIRED | VG_ABOVE_MIN | VG_BELOW_MAX,
                    .max = 1,
                    .meaning = "of the natural rate; it moves from 1 - this to 1 + this"},
    {0},
};
static const struct vg_key_rule fixed_keys[] = {VG_SHORT_TIME_RULES, {0}};

static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct vg_vocoded *vocoded = vg_arena_take(keep, 1, sizeof *vocoded);

    vg_vocoded_make(vocoded, item, source, vg_chunk_even, keep, tmp);
    return vocoded;
}

/* Samples from <= k < to of the stretched chunk; never empty. */
struct part {
    size_t from, to;
};

static struct part part_of(const struct vg_chunk *chunk, double rate)
{
    size_t frames = vg_stretch_frames(chunk->last - chunk->first, rate);
    struct part part = {
        .from = (size_t)((double)(chunk->from - chunk->first) / rate),
        .to = (size_t)((double)(chunk->to - chunk->first) / rate),
    };

    if (part.to > frames)
        part.to = frames;
    if (part.from >= part.to) {
        part.from = part.from < frames ? part.from : frames - 1;
        part.to = part.from + 1;
    }
    return part;
}

static void append_step(const void *self, size_t i, double rate, struct vg_joined *joined,
                        struct vg_arena *tmp)
{
    const struct vg_vocoded *vocoded = self;
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct vg_chunk chunk = vocoded->chunk_of(&vocoded->steps, i);
    struct part part = part_of(&chunk, rate);
    float *piece = vg_arena_take(tmp, part.to - part.from, sizeof *piece);

    vg_stretch(vg_vocoded_step(vocoded, i, tmp), rate, part.from, part.to, piece, tmp);
    vg_joined_append(joined, piece, part.to - part.from, vocoded->steps.crossfade);
    vg_arena_rewind(tmp, mark);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    const struct vg_vocoded *vocoded = shared;
    double delta = vg_item_value(item, DELTA_RATE);
    struct vg_move move = vg_move_of(item, 1.0 - delta, 1.0 + delta);
    struct vg_piecework work = {
        .append = append_step,
        .self = vocoded,
        .frames_max = (size_t)((double)vocoded->steps.length / (1.0 - delta)) + 2 * vocoded->steps.count,
    };
    struct vg_wave wave = vg_vocoded_join(vocoded, &move, &work, tmp);

    (void)source;
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_speaking_speed = {
    .words = {.name = "speaking_speed", .tier = tier_keys, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
