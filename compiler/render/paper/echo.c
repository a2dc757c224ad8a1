/* SPDX-License-Identifier: MIT */
/* echo: a Schroeder reverberator whose room is the tier's and whose share of the sound moves.  The wet sound
 * is the whole clip convolved with the room's impulse response and has the clip's level. */
#include "paper.h"

#include <string.h>

enum { ROOM_SCALE_MAX, WET_MIX_MAX };
static const struct vg_key_rule tier_keys[] = {
    [ROOM_SCALE_MAX] = {.name = "room_scale_max",
                        .type = VG_KEY_NUMBER,
                        .flags = VG_REQUIRED | VG_ABOVE_MIN,
                        .max = 1,
                        .meaning = "scales every feedback of the room"},
    [WET_MIX_MAX] = {.name = "wet_mix_max",
                     .type = VG_KEY_NUMBER,
                     .flags = VG_REQUIRED | VG_ABOVE_MIN,
                     .max = 1,
                     .meaning = "share of the reverberated sound at its most"},
    {0},
};
enum { IMPULSE, COMB_MS, COMB_FEEDBACK, ALLPASS_MS, ALLPASS_GAIN };
static const struct vg_key_rule fixed_keys[] = {
    [IMPULSE] = {.name = "impulse_sec",
                 .type = VG_KEY_NUMBER,
                 .flags = VG_REQUIRED | VG_ABOVE_MIN,
                 .max = 60,
                 .meaning = "seconds; length of the impulse response"},
    [COMB_MS] = {.name = "comb_ms",
                 .type = VG_KEY_NUMBERS,
                 .flags = VG_REQUIRED | VG_ABOVE_MIN,
                 .max = 1000,
                 .meaning = "milliseconds; delays of the parallel combs"},
    [COMB_FEEDBACK] = {.name = "comb_feedback",
                       .type = VG_KEY_NUMBERS,
                       .flags = VG_REQUIRED | VG_BELOW_MAX,
                       .max = 1,
                       .meaning = "feedback of each comb, before the room scale"},
    [ALLPASS_MS] = {.name = "allpass_ms",
                    .type = VG_KEY_NUMBERS,
                    .flags = VG_REQUIRED | VG_ABOVE_MIN,
                    .max = 1000,
                    .meaning = "milliseconds; delays of the all-passes in series"},
    [ALLPASS_GAIN] = {.name = "allpass_gain",
                      .type = VG_KEY_NUMBER,
                      .flags = VG_REQUIRED | VG_BELOW_MAX,
                      .max = 1,
                      .meaning = "gain of every all-pass, before the room scale"},
    {0},
};

static size_t delay_of(double milliseconds, double rate_hz)
{
    double frames = vg_round_even(milliseconds / 1000.0 * rate_hz);

    return frames > 1.0 ? (size_t)frames : 1;
}

static void impulse(const struct vg_item *item, double room, double rate_hz, float *h, size_t m,
                    struct vg_arena *tmp)
{
    double *y = vg_arena_take_zero(tmp, m, sizeof *y);
    size_t combs = item->fixed[COMB_MS].count;
    for (size_t c = 0; c < combs; c++) {
        size_t d = delay_of(item->fixed[COMB_MS].at[c], rate_hz);
        double g = item->fixed[COMB_FEEDBACK].at[c] * room;
        float *buf = vg_arena_take_zero(tmp, m, sizeof *buf);
        for (size_t k = 0; k < m; k++) {
            double v = (k == 0 ? 1.0 : 0.0) + (k >= d ? g * (double)buf[k - d] : 0.0);
            buf[k] = (float)v;
            y[k] += (double)buf[k] / (double)combs;
        }
    }
    for (size_t a = 0; a < item->fixed[ALLPASS_MS].count; a++) {
        size_t d = delay_of(item->fixed[ALLPASS_MS].at[a], rate_hz);
        double g = item->fixed[ALLPASS_GAIN].at[0] * room;
        float *buf = vg_arena_take_zero(tmp, m, sizeof *buf);
        for (size_t k = 0; k < m; k++) {
            double late = k >= d ? (double)buf[k - d] : 0.0;
            double o = -g * y[k] + late;
            buf[k] = (float)(y[k] + g * o);
            y[k] = o;
        }
    }
    for (size_t k = 0; k < m; k++)
        h[k] = (float)y[k];
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_wave wave = vg_wave_of(source, tmp);
    double rate_hz = source->clip.rate_hz;
    size_t m = (size_t)vg_round_even(vg_item_fixed(item, IMPULSE) * rate_hz);
    float *h = vg_arena_take(tmp, m, sizeof *h);
    float *wet = vg_arena_take(tmp, wave.frames, sizeof *wet);
    double *mix = vg_arena_take(tmp, wave.frames, sizeof *mix);
    struct vg_move move = vg_move_of(item, 0.0, vg_item_value(item, WET_MIX_MAX));

    (void)shared;
    impulse(item, vg_item_value(item, ROOM_SCALE_MAX), rate_hz, h, m, tmp);
    vg_convolve(wave.at, wave.frames, h, m, wet, tmp);
    vg_match_rms(wave.at, wet, wave.frames);
    vg_move_fill(&move, wave.span, mix, wave.frames);
    for (size_t k = 0; k < wave.frames; k++)
        wave.at[k] = (float)((1.0 - mix[k]) * (double)wave.at[k] + mix[k] * (double)wet[k]);
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_echo = {
    .words = {.name = "echo", .tier = tier_keys, .fixed = fixed_keys},
    .apply = apply,
};
