/* SPDX-License-Identifier: MIT */
/* voice_clarity: a low-pass on the short-time spectrum, its cutoff moving between the tier's lowest and half
 * the sample rate; every passage keeps its level. */
#include "short_time.h"

enum { CUTOFF_MIN };
static const struct vg_key_rule tier_keys[] = {
    [CUTOFF_MIN] = {.name = "cutoff_min_hz",
                    .type = VG_KEY_NUMBER,
                    .flags = VG_REQUIRED | VG_ABOVE_MIN | VG_UP_TO_NYQUIST,
                    .max = 1000000,
                    .meaning = "Hz; the lowest cutoff, where the voice is least clear"},
    {0},
};
enum { TRANSITION = VG_SHORT_TIME_KEYS };
static const struct vg_key_rule fixed_keys[] = {
    VG_SHORT_TIME_RULES,
    [TRANSITION] = {.name = "transition_hz",
                    .type = VG_KEY_NUMBER,
                    .flags = VG_REQUIRED | VG_ABOVE_MIN,
                    .max = 1000000,
                    .meaning = "Hz on either side of the cutoff over which the gain falls from 1 to 0"},
    {0},
};

struct low_pass {
    struct vg_short_time short_time;
    double rate_hz, transition_hz;
};

/* 1 below the transition, 0 above it, half a cosine between. */
static float gain_at(const struct low_pass *filter, double cutoff_hz, double frequency_hz)
{
    double u = (frequency_hz - (cutoff_hz - filter->transition_hz)) / (2.0 * filter->transition_hz);

    if (u <= 0.0)
        return 1.0f;
    if (u >= 1.0)
        return 0.0f;
    return (float)(0.5 * (1.0 + vg_cos(VG_PI * u)));
}

static void treat(const void *self, const struct vg_passage *passage, float *out, struct vg_arena *tmp)
{
    const struct low_pass *filter = self;
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    const struct vg_stft *stft = vg_short_time_stft(&filter->short_time, passage->frames, tmp);
    float *gain = vg_arena_take(tmp, stft->bins, sizeof *gain);
    float *re = vg_arena_take(tmp, stft->bins, sizeof *re), *im = vg_arena_take(tmp, stft->bins, sizeof *im);
    size_t columns = vg_stft_columns(stft, passage->frames);
    struct vg_overlap overlap = vg_overlap_start(stft, columns, 0, passage->frames, out);

    for (size_t k = 0; k < stft->bins; k++)
        gain[k] = gain_at(filter, passage->value, (double)k * filter->rate_hz / (double)stft->size.n_fft);
    for (size_t c = overlap.first; c < overlap.last; c++) {
        vg_stft_column(stft, passage->at, passage->frames, c, re, im, tmp);
        for (size_t k = 0; k < stft->bins; k++) {
            re[k] *= gain[k];
            im[k] *= gain[k];
        }
        vg_overlap_add(&overlap, c, re, im, tmp);
    }
    vg_overlap_finish(&overlap);
    vg_match_rms(passage->at, out, passage->frames);
    vg_arena_rewind(tmp, mark);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    double rate_hz = source->clip.rate_hz;
    struct low_pass filter = {
        .short_time = vg_short_time_of(item, tmp),
        .rate_hz = rate_hz,
        .transition_hz = vg_item_fixed(item, TRANSITION),
    };
    struct vg_treatment treatment = {.treat = treat, .self = &filter, .outside = true};
    struct vg_wave wave = vg_wave_of(source, tmp);
    struct vg_move move = vg_move_of(item, vg_item_value(item, CUTOFF_MIN), rate_hz / 2.0);
    struct vg_steps steps = vg_paper_steps(item, source);

    (void)shared;
    wave = vg_treat_chunks(&wave, &steps, &move, &treatment, tmp);
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_voice_clarity = {
    .words = {.name = "voice_clarity", .tier = tier_keys, .fixed = fixed_keys},
    .apply = apply,
};
