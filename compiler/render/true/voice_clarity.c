/* SPDX-License-Identifier: MIT */
/* voice_clarity: a low-pass whose cutoff follows the course in ERB-number (Glasberg and Moore 1990), downward
 * from the highest frequency that the source shows.  Short-time spectra of overlapping windows are weighted,
 * so that the filter changes without edges; the level is matched within bounds. */
#include "true.h"

#include <math.h>

enum { SLOPE = VG_TRUE_OWN, MATCH };
static const struct vg_key_rule fixed_keys[] = {
    VG_TRUE_JND,
    [SLOPE] = {.name = "slope_db_per_erb",
               .type = VG_KEY_NUMBER,
               .flags = VG_REQUIRED | VG_ABOVE_MIN,
               .max = 100,
               .meaning = "dB per ERB; how fast the low-pass falls"},
    [MATCH] = {.name = "match_db",
               .type = VG_KEY_NUMBER,
               .flags = VG_REQUIRED,
               .max = 60,
               .meaning = "dB; the most that the level is raised or lowered to match the source's"},
    {0},
};

#define WINDOW_SEC 0.030
#define CUTOFF_DB (-8.0) /* the gain at the cutoff: what the label is confirmed by */
#define SHOWN 1e-6       /* of the strongest band: -60 dB */
#define BANDS_FROM_HZ 400.0
#define BEYOND_ERB 0.1 /* so that the highest band is still kept at the upper end */
enum { OVERLAP = 4, BANDS_PER_OCTAVE = 6 };

static double erb_of(double hz)
{
    return 21.4 * vg_log10(1 + 0.00437 * hz);
}

struct clarity {
    size_t n, hop;
    const struct vg_fft *fft;
    const double *window; /* root of a Hann window, for both ways */
    const double *fall;   /* gain of each bin of a filter that falls from ERB-number 0 on */
    double slope_db;      /* per ERB */
    double top;           /* ERB-number: where the source ends */
};

static void take_spectrum(const struct clarity *c, const int16_t *samples, size_t frames, ptrdiff_t from,
                          double *x, struct vg_complex *z, struct vg_arena *tmp)
{
    for (size_t k = 0; k < c->n; k++) {
        ptrdiff_t at = from + (ptrdiff_t)k;

        x[k] = at >= 0 && at < (ptrdiff_t)frames ? samples[at] * c->window[k] : 0;
    }
    vg_fft_forward(c->fft, x, z, tmp);
}

/* Power of the bins over the windows of a part of the span. */
static double *power_in(const struct clarity *c, const struct vg_loaded *source, struct vg_span part,
                        struct vg_arena *tmp)
{
    double *power = vg_arena_take_zero(tmp, c->n / 2 + 1, sizeof *power),
           *x = vg_arena_take(tmp, c->n, sizeof *x);
    struct vg_complex *z = vg_arena_take(tmp, c->n / 2 + 1, sizeof *z);

    for (size_t k = part.on; k < part.off; k += c->n / 2) {
        struct vg_arena_mark mark = vg_arena_mark(tmp);

        take_spectrum(c, source->clip.samples, source->clip.frames, (ptrdiff_t)k, x, z, tmp);
        for (size_t i = 0; i <= c->n / 2; i++)
            power[i] += z[i].re * z[i].re + z[i].im * z[i].im;
        vg_arena_rewind(tmp, mark);
    }
    return power;
}

static double band_edge_hz(size_t band)
{
    return BANDS_FROM_HZ * vg_exp2((double)band / BANDS_PER_OCTAVE);
}

static double band_power(const double *power, double per_bin_hz, size_t band)
{
    size_t end = (size_t)(band_edge_hz(band + 1) / per_bin_hz);
    double sum = 0;

    for (size_t i = (size_t)(band_edge_hz(band) / per_bin_hz) + 1; i <= end; i++)
        sum += power[i];
    return sum;
}

/* The centre of the highest sixth of an octave that a part of the span has within 60 dB of its strongest. */
static double top_in(const struct clarity *c, const struct vg_loaded *source, struct vg_span part,
                     struct vg_arena *tmp)
{
    const double *power = power_in(c, source, part, tmp);
    double rate_hz = source->clip.rate_hz, per_bin_hz = rate_hz / (double)c->n, strongest = 0;
    size_t bands = 0;

    while (band_edge_hz(bands + 1) <= rate_hz / 2) {
        double here = band_power(power, per_bin_hz, bands++);

        strongest = here > strongest ? here : strongest;
    }
    while (bands > 1 && band_power(power, per_bin_hz, bands - 1) <= SHOWN * strongest)
        bands--;
    return erb_of(bands > 0 ? sqrt(band_edge_hz(bands - 1) * band_edge_hz(bands)) : rate_hz / 2);
}

/* Where both outer thirds of the span, between which the net change lies, still show something. */
static double find_top(const struct clarity *c, const struct vg_loaded *source, struct vg_arena *tmp)
{
    struct vg_span span = source->span;
    size_t third = (span.off - span.on) / 3;
    double first = top_in(c, source, (struct vg_span){span.on, span.on + third + 1}, tmp),
           last = top_in(c, source, (struct vg_span){span.off - third - 1, span.off}, tmp);

    return (first < last ? first : last) + BEYOND_ERB;
}

static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct clarity *c = vg_arena_take(keep, 1, sizeof *c);
    double *window, *fall;

    *c = (struct clarity){.n = 64, .slope_db = vg_item_fixed(item, SLOPE)};
    while ((double)c->n < WINDOW_SEC * source->clip.rate_hz)
        c->n *= 2;
    c->hop = c->n / OVERLAP;
    c->fft = vg_fft_make(c->n, keep);
    window = vg_arena_take(keep, c->n, sizeof *window);
    fall = vg_arena_take(keep, c->n / 2 + 1, sizeof *fall);
    for (size_t k = 0; k < c->n; k++) /* sin^2 summed over four hops is 2 */
        window[k] = vg_sin(VG_PI * ((double)k + 0.5) / (double)c->n) * sqrt(2.0 / OVERLAP);
    for (size_t i = 0; i <= c->n / 2; i++)
        fall[i] = vg_db_to_gain(-c->slope_db * erb_of((double)i * source->clip.rate_hz / (double)c->n));
    c->window = window;
    c->fall = fall;
    c->top = find_top(c, source, tmp);
    return c;
}

static void weigh(const struct clarity *c, double cutoff, struct vg_complex *z)
{
    double lift = vg_db_to_gain(cutoff * c->slope_db + CUTOFF_DB); /* 1 where the gain begins to fall */

    for (size_t i = 0; i <= c->n / 2; i++) {
        double gain = lift * c->fall[i];

        gain = gain < 1 ? gain : 1;
        z[i] = (struct vg_complex){z[i].re * gain, z[i].im * gain};
    }
}

static double *filter(const struct clarity *c, const struct vg_course *course, const struct vg_loaded *source,
                      struct vg_arena *tmp)
{
    size_t frames = source->clip.frames;
    double *out = vg_arena_take_zero(tmp, frames, sizeof *out), *x = vg_arena_take(tmp, c->n, sizeof *x);
    struct vg_complex *z = vg_arena_take(tmp, c->n / 2 + 1, sizeof *z);

    for (size_t end = c->hop; end < frames + c->n; end += c->hop) {
        struct vg_arena_mark mark = vg_arena_mark(tmp);
        ptrdiff_t from = (ptrdiff_t)end - (ptrdiff_t)c->n;
        double centre = (double)from + (double)c->n / 2;

        take_spectrum(c, source->clip.samples, frames, from, x, z, tmp);
        weigh(c, c->top - course->reach + vg_course_at(course, centre), z);
        vg_fft_inverse(c->fft, z, x, tmp);
        for (size_t k = 0; k < c->n; k++) {
            ptrdiff_t at = from + (ptrdiff_t)k;

            if (at >= 0 && at < (ptrdiff_t)frames)
                out[at] += x[k] * c->window[k];
        }
        vg_arena_rewind(tmp, mark);
    }
    return out;
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track track = vg_track_of(source, tmp);

    if (course.reach > 0) {
        double *filtered = filter(shared, &course, source, tmp);

        vg_level_match(track.at, filtered, track.frames, source->clip.rate_hz, vg_item_fixed(item, MATCH),
                       tmp);
        track.at = filtered;
        vg_track_one_peak(&track, source, tmp);
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_voice_clarity = {
    .words = {.name = "voice_clarity", .tier = vg_true_tier, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
