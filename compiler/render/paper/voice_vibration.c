/* SPDX-License-Identifier: MIT */
/* voice_vibration: tremolo.  Depth and rate of the modulation move together, sample by sample; the phase
 * runs on from sample to sample over the whole clip, in f64 and in order. */
#include "paper.h"

enum { BLOCK = 512 }; /* samples at a time; few have one that is hard to round */
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
    for (size_t k = 0; k < frames; k++)
        x[k] = 2.0 * VG_PI * x[k] / rate_hz;
    for (size_t k = 0; k < frames; k++) {
        double step = x[k];

        x[k] = phase;
        phase += step;
    }
    return phase;
}

/* Sines and cosines of 0 <= x < FAR to 1e-13: the quarter turn nearest to x is taken off in two parts, of
 * which the first times a whole number is exact; what remains goes through the power series. */
#define FAR 0x1p22
static const double QUARTER_HIGH = 0x1.921fb544p+0, QUARTER_LOW = 0x1.0b4611a626331p-34;

static void circle(const double *restrict x, double *restrict sine, double *restrict cosine, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double quarters = (x[k] * (2.0 / VG_PI) + 0x1.8p52) - 0x1.8p52;
        double r = (x[k] - quarters * QUARTER_HIGH) - quarters * QUARTER_LOW, u = r * r;
        double s = 1.0 - u * (1.0 / 72) * (1.0 - u * (1.0 / 110) * (1.0 - u * (1.0 / 156)));
        double c = 1.0 - u * (1.0 / 90) * (1.0 - u * (1.0 / 132) * (1.0 - u * (1.0 / 182)));
        int32_t quarter = (int32_t)quarters;

        s = r * (1.0 - u * (1.0 / 6) * (1.0 - u * (1.0 / 20) * (1.0 - u * (1.0 / 42) * s)));
        c = 1.0 -
            u * (1.0 / 2) * (1.0 - u * (1.0 / 12) * (1.0 - u * (1.0 / 30) * (1.0 - u * (1.0 / 56) * c)));
        sine[k] = ((quarter & 1) != 0 ? c : s) * ((quarter & 2) != 0 ? -1.0 : 1.0);
        cosine[k] = ((quarter & 1) != 0 ? s : c) * (((quarter + 1) & 2) != 0 ? -1.0 : 1.0);
    }
}

/* Sines of rising x: those of a row go by the way from its first, whose sine and cosine are at hand, where
 * that is short enough for what the series leaves out to stay below 1e-14. */
enum { ROW = 8 };
static const double ROW_MAX = 1.0 / 16;

static bool rows_are_short(const double *x, size_t rows)
{
    double longest = 0.0;

    for (size_t row = 0; row < rows; row++) {
        double way = x[row * ROW + ROW - 1] - x[row * ROW];

        longest = way > longest ? way : longest;
    }
    return longest < ROW_MAX;
}

static void sines_of_rows(const double *restrict x, const double *restrict first_sine,
                          const double *restrict first_cosine, double *restrict sine, size_t rows)
{
    for (size_t row = 0; row < rows; row++) {
        double s = first_sine[row], c = first_cosine[row], first = x[row * ROW];

        for (size_t k = row * ROW; k < (row + 1) * ROW; k++) {
            double d = x[k] - first, u = d * d;
            double up = d + d * u * (u * (1.0 / 120 - u * (1.0 / 5040)) - 1.0 / 6); /* sin d */
            double less = u * (0.5 - u * (1.0 / 24 - u * (1.0 / 720)));             /* 1 - cos d */

            sine[k] = s + (c * up - s * less);
        }
    }
}

static void sines(const double *x, double *sine, size_t count)
{
    double first[BLOCK], first_sine[BLOCK], first_cosine[BLOCK];
    size_t rows = count / ROW;

    if (!rows_are_short(x, rows))
        rows = 0;
    for (size_t row = 0; row < rows; row++)
        first[row] = x[row * ROW];
    circle(first, first_sine, first_cosine, rows);
    sines_of_rows(x, first_sine, first_cosine, sine, rows);
    circle(x + rows * ROW, sine + rows * ROW, first_cosine, count - rows * ROW);
}

/* Gains rounded to f32, by `sine`; how many are too close to the middle between two f32 to tell. */
#define UNSURE 1e-12
static int32_t gains(const double *restrict depth, const double *restrict sine, float *restrict gain,
                     size_t count)
{
    int32_t doubts = 0;

    for (size_t k = 0; k < count; k++) {
        double exact = 1.0 - depth[k] * (0.5 * (1.0 + sine[k]));

        gain[k] = (float)(exact - UNSURE);
        doubts += gain[k] < (float)(exact + UNSURE);
    }
    return doubts;
}

static void modulate(const int16_t *in, const double *depth, const double *phase, float *out, size_t frames)
{
    double sine[BLOCK];

    sines(phase, sine, frames);
    if (gains(depth, sine, out, frames) > 0 || phase[frames - 1] >= FAR) {
        for (size_t k = 0; k < frames; k++)
            out[k] = (float)(1.0 - depth[k] * (0.5 * (1.0 + vg_sin(phase[k]))));
    }
    for (size_t k = 0; k < frames; k++)
        out[k] *= (float)in[k] * (1.0f / 32768.0f);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_move depth_move = vg_move_of(item, 0.0, vg_item_value(item, DEPTH_MAX));
    struct vg_move rate_move = vg_move_of(item, 0.0, vg_item_fixed(item, LFO_RATE_MAX));
    double depth[BLOCK], phase[BLOCK], next = 0.0;
    float part[BLOCK];

    (void)shared, (void)tmp;
    vg_output_start(source->clip.frames, source->span, out, keep);
    for (size_t from = 0, to; from < out->frames; from = to) {
        to = out->frames - from < BLOCK ? out->frames : from + BLOCK;
        vg_move_fill(&depth_move, source->span, from, to, depth);
        if (depth[0] == 0.0 && depth[to - from - 1] == 0.0) { /* and so is the rate, all between them */
            vg_output_samples(out, from, source->clip.samples + from, to - from);
            continue;
        }
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
