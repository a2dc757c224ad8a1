/* SPDX-License-Identifier: MIT */
/* volume: the gain in dB moves from -D to +D in steps; each whole step is scaled by 10^(dB/20).  16-bit
 * units in f64 throughout, so that no rounding but the last truncation happens. */
#include "paper.h"

enum { DELTA };
static const struct vg_key_rule tier_keys[] = {
    [DELTA] = {.name = "delta_gain_db",
               .type = VG_KEY_NUMBER,
               .flags = VG_REQUIRED | VG_ABOVE_MIN,
               .max = 90,
               .meaning = "dB; the gain moves from minus to plus this"},
    {0},
};
static const struct vg_key_rule fixed_keys[] = {{0}};

static void scale(const int16_t *in, size_t from, size_t to, double gain, struct vg_rendered *out)
{
    enum { BLOCK = 4096 };
    double scaled[BLOCK];

    for (size_t at = from, count; at < to; at += count) {
        count = to - at < BLOCK ? to - at : BLOCK;
        for (size_t k = 0; k < count; k++)
            scaled[k] = (double)in[at + k] * gain;
        vg_output_units(out, at, scaled, count);
    }
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    const int16_t *in = source->clip.samples;
    size_t frames = source->clip.frames, on = source->span.on, off = source->span.off;
    double delta = vg_item_value(item, DELTA);
    struct vg_move move = vg_move_of(item, -delta, delta);
    struct vg_steps steps = vg_paper_steps(item, source);

    (void)shared, (void)tmp;
    vg_output_start(frames, source->span, out, keep);
    scale(in, 0, on, vg_db_to_gain(move.start), out);
    for (size_t i = 0; i < steps.count; i++) {
        struct vg_chunk chunk = vg_chunk_of(&steps, i);
        double gain = vg_db_to_gain(vg_move_at(&move, vg_step_time(&steps, i)));

        scale(in, on + chunk.from, on + chunk.to, gain, out);
    }
    scale(in, off, frames, vg_db_to_gain(move.end), out);
}

const struct vg_transform vg_paper_volume = {
    .words = {.name = "volume", .tier = tier_keys, .fixed = fixed_keys},
    .apply = apply,
};
