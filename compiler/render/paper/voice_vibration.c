/* SPDX-License-Identifier: MIT */
/* voice_vibration: tremolo.  Depth and rate of the modulation move together, sample by sample; the phase
 * runs on from sample to sample over the whole clip, in f64 and in order. */
#include "paper.h"

enum { DEPTH_MAX };
static const struct vg_key_rule tier_keys[] = {
    [DEPTH_MAX] = {.name = "depth_max",
                   .type = VG_KEY_NUMBER,
                   .flags = VG_REQUIRED | VG_ABOVE_MIN,
                   .max = 1,
                   .meaning = "share of the amplitude taken at the deepest"},
    {0},
};
enum { LFO_RATE_MAX };
static const struct vg_key_rule fixed_keys[] = {
    [LFO_RATE_MAX] = {.name = "lfo_rate_max_hz",
                      .type = VG_KEY_NUMBER,
                      .flags = VG_REQUIRED | VG_ABOVE_MIN | VG_UP_TO_NYQUIST,
                      .max = 1000,
                      .meaning = "Hz; the modulation at its fastest"},
    {0},
};

/* From the rate at every sample to the phase there, in place; a sample's rate moves the next one's phase. */
static void rates_to_phases(double *x, size_t frames, double rate_hz)
{
    double phase = 0.0;

    for (size_t k = 0; k < frames; k++) {
        double step = 2.0 * VG_PI * x[k] / rate_hz;

        x[k] = phase;
        phase += step;
    }
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_wave wave = vg_wave_of(source, tmp);
    struct vg_move depth_move = vg_move_of(item, 0.0, vg_item_value(item, DEPTH_MAX));
    struct vg_move rate_move = vg_move_of(item, 0.0, vg_item_fixed(item, LFO_RATE_MAX));
    double *depth = vg_arena_take(tmp, wave.frames, sizeof *depth);
    double *phase = vg_arena_take(tmp, wave.frames, sizeof *phase);

    (void)shared;
    vg_move_fill(&depth_move, wave.span, 0, wave.frames, depth);
    vg_move_fill(&rate_move, wave.span, 0, wave.frames, phase);
    rates_to_phases(phase, wave.frames, source->clip.rate_hz);
    for (size_t k = 0; k < wave.frames; k++)
        wave.at[k] *= (float)(1.0 - depth[k] * (0.5 * (1.0 + vg_sin(phase[k]))));
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_voice_vibration = {
    .words = {.name = "voice_vibration", .tier = tier_keys, .fixed = fixed_keys},
    .apply = apply,
};
