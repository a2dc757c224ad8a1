/* SPDX-License-Identifier: MIT */
/* voice_clarity: a low-pass on the short-time spectrum, its cutoff moving between the tier's lowest and half
 * the sample rate; every passage keeps its level. */
#include "short_time.h"

#include <string.h>

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

/* The short-time spectrum of a step's chunk, column after column: [columns][bins]; and the chunk's RMS. */
struct spectrum {
    float *re, *im;
    double rms;
};
/* The sound before and after the span, filtered. */
struct outside {
    double cutoff_hz;
    const float *before, *after;
};
/* What all items of a source share. */
struct clarity {
    struct vg_wave wave;
    struct vg_short_time short_time;
    struct vg_steps steps;
    double rate_hz, transition_hz;
    struct spectrum *spectra; /* one a step; NULL where they would take too much memory */
    struct outside *outsides; /* for every cutoff that items start or end with */
    size_t outside_count;     /* 0 where they would take too much memory */
};

enum { KEPT_BYTES_MAX = 32 << 20 }; /* of either kind */

/* 1 below the transition, 0 above it, half a cosine between. */
static float gain_at(const struct clarity *clarity, double cutoff_hz, double frequency_hz)
{
    double width_hz = clarity->transition_hz;
    double u = (frequency_hz - (cutoff_hz - width_hz)) / (2.0 * width_hz);

    if (u <= 0.0)
        return 1.0f;
    if (u >= 1.0)
        return 0.0f;
    return (float)(0.5 * (1.0 + vg_cos(VG_PI * u)));
}

static void scale(const float *restrict gain, const float *restrict in, float *restrict out, size_t bins)
{
    for (size_t k = 0; k < bins; k++)
        out[k] = gain[k] * in[k];
}

static struct spectrum take_columns(size_t columns, size_t bins, struct vg_arena *arena)
{
    return (struct spectrum){
        .re = vg_arena_take(arena, columns * bins, sizeof(float)),
        .im = vg_arena_take(arena, columns * bins, sizeof(float)),
    };
}

/* The passage filtered; its spectrum may have been kept, or is NULL. */
static void filter(const struct clarity *clarity, const struct vg_passage *passage,
                   const struct spectrum *kept, float *out, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    const struct vg_stft *stft = vg_short_time_stft(&clarity->short_time, passage->frames, tmp);
    size_t bins = stft->bins;
    struct spectrum column = take_columns(1, bins, tmp), filtered = take_columns(1, bins, tmp);
    float *gain = vg_arena_take(tmp, bins, sizeof *gain);
    struct vg_overlap overlap =
        vg_overlap_start(stft, vg_stft_columns(stft, passage->frames), 0, passage->frames, out);

    for (size_t k = 0; k < bins; k++)
        gain[k] = gain_at(clarity, passage->value, (double)k * clarity->rate_hz / (double)stft->size.n_fft);
    for (size_t c = overlap.first; c < overlap.last; c++) {
        if (kept != NULL)
            column = (struct spectrum){.re = kept->re + c * bins, .im = kept->im + c * bins};
        else
            vg_stft_column(stft, passage->at, passage->frames, c, column.re, column.im, tmp);
        scale(gain, column.re, filtered.re, bins);
        scale(gain, column.im, filtered.im, bins);
        vg_overlap_add(&overlap, c, filtered.re, filtered.im, tmp);
    }
    vg_overlap_finish(&overlap);
    vg_set_rms(kept != NULL ? kept->rms : vg_rms(passage->at, passage->frames), out, passage->frames);
    vg_arena_rewind(tmp, mark);
}

/* ---- analysis -------------------------------------------------------------------------------------- */

static void keep_spectra(struct clarity *clarity, struct vg_arena *keep, struct vg_arena *tmp)
{
    const struct vg_steps *steps = &clarity->steps;
    const float *span = clarity->wave.at + clarity->wave.span.on;
    size_t columns = vg_stft_columns(clarity->short_time.whole, steps->step + 2 * steps->context);

    if (columns * clarity->short_time.whole->bins > KEPT_BYTES_MAX / (2 * sizeof(float)) / steps->count)
        return;
    clarity->spectra = vg_arena_take(keep, steps->count, sizeof *clarity->spectra);
    for (size_t i = 0; i < steps->count; i++) {
        struct vg_arena_mark mark = vg_arena_mark(tmp);
        struct vg_chunk chunk = vg_chunk_of(steps, i);
        size_t frames = chunk.last - chunk.first;
        const struct vg_stft *stft = vg_short_time_stft(&clarity->short_time, frames, tmp);
        struct spectrum spectrum = take_columns(vg_stft_columns(stft, frames), stft->bins, keep);

        for (size_t c = 0; c < vg_stft_columns(stft, frames); c++)
            vg_stft_column(stft, span + chunk.first, frames, c, spectrum.re + c * stft->bins,
                           spectrum.im + c * stft->bins, tmp);
        spectrum.rms = vg_rms(span + chunk.first, frames);
        clarity->spectra[i] = spectrum;
        vg_arena_rewind(tmp, mark);
    }
}

static const float *filter_outside(const struct clarity *clarity, size_t from, size_t to, double cutoff_hz,
                                   struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_passage passage = {.at = clarity->wave.at + from, .frames = to - from, .value = cutoff_hz};
    float *out = vg_arena_take(keep, to - from, sizeof *out);

    if (to > from)
        filter(clarity, &passage, NULL, out, tmp);
    return out;
}

/* Items start and end with the lowest cutoff of their tier and with half the sample rate. */
static void keep_outsides(struct clarity *clarity, const struct vg_item *item, struct vg_arena *keep,
                          struct vg_arena *tmp)
{
    const struct vg_wave *wave = &clarity->wave;
    size_t tiers = item->spec->tier_count;

    if (wave->frames > KEPT_BYTES_MAX / sizeof(float) / (tiers + 1))
        return;
    clarity->outsides = vg_arena_take(keep, tiers + 1, sizeof *clarity->outsides);
    for (size_t tier = 0; tier <= tiers; tier++) {
        double cutoff_hz =
            tier < tiers ? item->category->tiers[tier][CUTOFF_MIN].at[0] : clarity->rate_hz / 2.0;

        clarity->outsides[clarity->outside_count++] = (struct outside){
            .cutoff_hz = cutoff_hz,
            .before = filter_outside(clarity, 0, wave->span.on, cutoff_hz, keep, tmp),
            .after = filter_outside(clarity, wave->span.off, wave->frames, cutoff_hz, keep, tmp),
        };
    }
}

static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct clarity *clarity = vg_arena_take(keep, 1, sizeof *clarity);

    *clarity = (struct clarity){
        .wave = vg_wave_of(source, keep),
        .short_time = vg_short_time_of(item, keep),
        .steps = vg_paper_steps(item, source),
        .rate_hz = source->clip.rate_hz,
        .transition_hz = vg_item_fixed(item, TRANSITION),
    };
    keep_spectra(clarity, keep, tmp);
    keep_outsides(clarity, item, keep, tmp);
    return clarity;
}

/* ---- one item -------------------------------------------------------------------------------------- */

static void treat(const void *self, const struct vg_passage *passage, float *out, struct vg_arena *tmp)
{
    const struct clarity *clarity = self;
    bool before = passage->number == 0, after = passage->number > clarity->steps.count;

    if (!before && !after) {
        filter(clarity, passage, clarity->spectra ? &clarity->spectra[passage->number - 1] : NULL, out, tmp);
        return;
    }
    for (size_t i = 0; i < clarity->outside_count; i++) {
        const struct outside *outside = &clarity->outsides[i];

        if (outside->cutoff_hz == passage->value) {
            memcpy(out, before ? outside->before : outside->after, passage->frames * sizeof *out);
            return;
        }
    }
    filter(clarity, passage, NULL, out, tmp);
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    const struct clarity *clarity = shared;
    struct vg_treatment treatment = {.treat = treat, .self = clarity, .outside = true};
    struct vg_move move = vg_move_of(item, vg_item_value(item, CUTOFF_MIN), clarity->rate_hz / 2.0);
    struct vg_wave wave = vg_treat_chunks(&clarity->wave, &clarity->steps, &move, &treatment, tmp);

    (void)source;
    vg_wave_finish(&wave, out, keep);
}

const struct vg_transform vg_paper_voice_clarity = {
    .words = {.name = "voice_clarity", .tier = tier_keys, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
