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

/* From the rate at every sample to the phase there, in place; a sample's rate moves the next one's phase,
 * whose value for the sample after the last is returned. */
static double rates_to_phases(double *x, size_t frames, double rate_hz, double phase)
{
    for (size_t k = 0; k < frames; k++) {
        double step = 2.0 * VG_PI * x[k] / rate_hz;

        x[k] = phase;
        phase += step;
    }
    return phase;
}

static void modulate(const int16_t *in, const double *depth, const double *phase, float *out, size_t frames)
{
    for (size_t k = 0; k < frames; k++) {
        float x = (float)in[k] * (1.0f / 32768.0f);

        out[k] = x * (float)(1.0 - depth[k] * (0.5 * (1.0 + vg_sin(phase[k]))));
    }
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    enum { BLOCK = 4096 };
    struct vg_move depth_move = vg_move_of(item, 0.0, vg_item_value(item, DEPTH_MAX));
    struct vg_move rate_move = vg_move_of(item, 0.0, vg_item_fixed(item, LFO_RATE_MAX));
    double depth[BLOCK], phase[BLOCK], next = 0.0;
    float part[BLOCK];

    (void)shared, (void)tmp;
    vg_output_start(source->clip.frames, source->span, out, keep);
    for (size_t from = 0, to; from < out->frames; from = to) {
        to = out->frames - from < BLOCK ? out->frames : from + BLOCK;
        vg_move_fill(&depth_move, source->span, from, to, depth);
        vg_move_fill(&rate_move, source->span, from, to, phase);
        next = rates_to_phases(phase, to - from, source->clip.rate_hz, next);
        modulate(source->clip.samples + from, depth, phase, part, to - from);
        vg_output_wave(out, from, part, to - from);
    }
}

const struct vg_transform vg_paper_voice_vibration = {
    .words = {.name = "voice_vibration", .tier = tier_keys, .fixed = fixed_keys},
    .apply = apply,
};
