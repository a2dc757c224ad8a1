/* SPDX-License-Identifier: MIT */
/* voice_clarity: how high the sound reaches, in ERB-number.  Paired: the highest sixth of an octave in which
 * the output keeps more than -8 dB of its gain at 400-800 Hz, so far as the source shows anything there.
 * Blind: the highest within 45 dB of a window's strongest, of the tenth of the loud windows that reach
 * highest. */
#include "quantity.h"

#include <math.h>

enum { REFERENCE_BANDS = 6, SMOOTH = 2 }; /* the octave from 400 Hz; windows on either side */
#define KEPT 0.15848931924611134          /* -8 dB */
#define SHOWN 1e-6                        /* of the source's strongest band: -60 dB */
#define REFERENCE_LEAST 1e-5         /* of the source's mean power: weaker windows have no gain to tell */
#define ROUNDING_POWER 1.0           /* LSB squared: what 16 bits leave, spread over the spectrum */
#define WITHIN 3.1622776601683795e-5 /* -45 dB */
#define HIGHEST 0.9                  /* quantile of the loud windows' */
#define NOTHING 1e-12

/* Mean band powers over a part. */
struct spectrum {
    double power[VG_FINE_BANDS_MAX];
};

static double centre_erb(const struct vg_bands *bands, size_t band)
{
    return vg_erb_number(sqrt(bands->fine_edge_hz[band] * bands->fine_edge_hz[band + 1]));
}

/* Where a level falls through a limit between a band and the next, linearly in dB. */
static double crossing(const struct vg_bands *bands, size_t band, double here, double next, double limit)
{
    double low = centre_erb(bands, band), high = centre_erb(bands, band + 1);

    return low + (high - low) * vg_log2(here / limit) / vg_log2(here / (next + NOTHING * here));
}

static double strongest(const struct vg_bands *bands, const struct spectrum *s)
{
    double most = 0;

    for (size_t b = 0; b < bands->fine_count; b++)
        most = s->power[b] > most ? s->power[b] : most;
    return most;
}

/* Windows whose frames lie in a part. */
struct range {
    size_t first, end;
};

static struct range windows_in(const double *place, size_t frames, struct vg_part part)
{
    struct vg_contour at = {NULL, place, frames};

    return (struct range){(vg_contour_find(&at, part.from) + 1) / 2, (vg_contour_find(&at, part.to) + 1) / 2};
}

static double band_power(const struct vg_bands *bands, size_t window, size_t band)
{
    return (double)bands->fine[window * VG_FINE_BANDS_MAX + band];
}

static void add_window(const struct vg_bands *bands, size_t window, struct spectrum *sum)
{
    for (size_t b = 0; b < bands->fine_count; b++)
        sum->power[b] += band_power(bands, window, b);
}

struct reach {
    const struct vg_pair *pair;
    const double *weight; /* of each output window: what makes its gain 1; 0 where there is none to tell */
    size_t common;        /* bands that the source shows in the first and in the last third */
};

static size_t source_window(const struct vg_pair *pair, size_t window)
{
    return vg_pair_source_frame(pair, 2 * window) / 2;
}

static double reference_power(const struct vg_bands *bands, size_t window)
{
    double sum = 0;

    for (size_t b = 0; b < REFERENCE_BANDS; b++)
        sum += band_power(bands, window, b);
    return sum;
}

/* An engine may match the level of every piece: each window is brought back to the source's level first. */
static const double *weigh(const struct vg_pair *pair, struct vg_arena *tmp)
{
    const struct vg_bands *out = &pair->output->bands, *src = &pair->source->bands;
    double *weight = vg_arena_take(tmp, out->count, sizeof *weight);

    for (size_t j = 0; j < out->count; j++) {
        size_t first = j < SMOOTH ? 0 : j - SMOOTH,
               end = j + SMOOTH < out->count ? j + SMOOTH + 1 : out->count;
        double before = 0, after = 0;

        for (size_t k = first; k < end; k++) {
            before += reference_power(src, source_window(pair, k));
            after += reference_power(out, k);
        }
        before /= (double)(end - first);
        after /= (double)(end - first);
        weight[j] = before > REFERENCE_LEAST * pair->source->power && after > 0 ? before / after : 0;
    }
    return weight;
}

/* Mean spectrum of the source over the windows of a part that have a gain. */
static struct spectrum source_in(const struct reach *reach, struct vg_part part)
{
    struct range range = windows_in(reach->pair->place, reach->pair->output->frames, part);
    const struct vg_bands *bands = &reach->pair->source->bands;
    struct spectrum sum = {{0}};
    double count = 0;

    for (size_t j = range.first; j < range.end; j++) {
        if (reach->weight[j] > 0) {
            add_window(bands, source_window(reach->pair, j), &sum);
            count++;
        }
    }
    for (size_t b = 0; count > 0 && b < bands->fine_count; b++)
        sum.power[b] /= count;
    return sum;
}

/* What 16 bits leave in a band, at least. */
static double rounding_in(const struct vg_heard *sound, size_t band)
{
    const double *edge_hz = sound->bands.fine_edge_hz;

    return 2 * ROUNDING_POWER * (edge_hz[band + 1] - edge_hz[band]) / sound->sound.rate_hz;
}

/* Power that a band must have to be shown. */
static double shown_least(const struct vg_heard *source, const struct spectrum *s, size_t band)
{
    double rounding = rounding_in(source, band), least = SHOWN * strongest(&source->bands, s);

    return least > rounding ? least : rounding;
}

/* Bands up to the highest that the source shows in a part. */
static size_t shown_in(const struct reach *reach, struct vg_part part)
{
    const struct vg_heard *source = reach->pair->source;
    struct spectrum s = source_in(reach, part);
    size_t b = source->bands.fine_count;

    while (b > 0 && s.power[b - 1] <= shown_least(source, &s, b - 1))
        b--;
    return b;
}

/* What a band keeps of its power: median over the windows in which the source shows it. */
static double kept_in(const struct reach *reach, struct vg_part part, const struct spectrum *s, size_t band,
                      struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    const struct vg_pair *pair = reach->pair;
    struct range range = windows_in(pair->place, pair->output->frames, part);
    double *kept = vg_arena_take(tmp, range.end - range.first, sizeof *kept), median;
    double least = shown_least(pair->source, s, band);
    size_t n = 0;

    for (size_t j = range.first; j < range.end; j++) {
        double before = band_power(&pair->source->bands, source_window(pair, j), band);

        if (reach->weight[j] > 0 && before > least)
            kept[n++] = reach->weight[j] * band_power(&pair->output->bands, j, band) / before;
    }
    median = vg_quantile(kept, n, 0.5);
    vg_arena_rewind(tmp, mark);
    return median;
}

/* A part that keeps all it shows, but shows less than both thirds do, says nothing. */
static double limit_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct reach *reach = context;
    const struct vg_bands *bands = &reach->pair->source->bands;
    struct spectrum s = source_in(reach, part);
    size_t shown = shown_in(reach, part), top = shown < reach->common ? shown : reach->common;
    double kept = 0, above = 0;
    size_t b = top;

    for (; b > 0 && !((kept = kept_in(reach, part, &s, b - 1, tmp)) > KEPT); b--)
        above = kept;
    if (b == top)
        return top > 0 && top == reach->common ? centre_erb(bands, b - 1) : NAN;
    return b > 0 ? crossing(bands, b - 1, kept, above, KEPT) : centre_erb(bands, 0);
}

void vg_clarity_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct reach reach = {.pair = pair, .weight = weigh(pair, tmp)};
    size_t first = shown_in(&reach, vg_thirds[0]), last = shown_in(&reach, vg_thirds[1]);

    reach.common = first < last ? first : last;
    vg_trace_fill(trace, (struct vg_asked){limit_in, &reach}, vg_thirds, tmp);
}

/* How high a window reaches. */
static double top_of(const struct vg_heard *sound, size_t window)
{
    const struct vg_bands *bands = &sound->bands;
    struct spectrum s = {{0}};
    size_t b = bands->fine_count;
    double least;

    add_window(bands, window, &s);
    least = WITHIN * strongest(bands, &s);
    if (least <= 0)
        return NAN;
    while (b > 1 && (s.power[b - 1] < least || s.power[b - 1] < rounding_in(sound, b - 1)))
        b--;
    return b == bands->fine_count ? centre_erb(bands, b - 1)
                                  : crossing(bands, b - 1, s.power[b - 1], s.power[b], least);
}

/* Back vowels show little treble in the best of recordings, so that a mean over a part tells which vowels are
 * in it; the windows that reach highest tell what there is room for. */
static double top_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct vg_heard *sound = context;
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct range range = windows_in(sound->place, sound->frames, part);
    double *tops = vg_arena_take(tmp, range.end - range.first, sizeof *tops), top;
    size_t n = 0;

    for (size_t j = range.first; j < range.end; j++) {
        double at = vg_heard_is_loud(sound, 2 * j) ? top_of(sound, j) : NAN;

        if (vg_known(at))
            tops[n++] = at;
    }
    top = vg_quantile(tops, n, HIGHEST);
    vg_arena_rewind(tmp, mark);
    return top;
}

void vg_clarity_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    vg_trace_fill(trace, (struct vg_asked){top_in, sound}, vg_thirds, tmp);
}
