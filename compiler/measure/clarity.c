/* SPDX-License-Identifier: MIT */
/* voice_clarity: how high the sound reaches, in ERB-number.  Paired: the highest sixth of an octave in which
 * the output keeps more than -8 dB of its gain at 400-800 Hz, so far as the source shows anything there.
 * Blind: the highest within 45 dB of the strongest. */
#include "quantity.h"

#include <math.h>

enum { REFERENCE_BANDS = 6, SMOOTH = 2 }; /* the octave from 400 Hz; windows on either side */
#define KEPT 0.15848931924611134          /* -8 dB */
#define SHOWN 1e-6                        /* of the source's strongest band: -60 dB */
#define REFERENCE_LEAST 1e-5         /* of the source's mean power: weaker windows have no gain to tell */
#define ROUNDING_POWER 1.0           /* LSB squared: what 16 bits leave, spread over the spectrum */
#define WITHIN 3.1622776601683795e-5 /* -45 dB */
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

static void add_window(const struct vg_bands *bands, size_t window, double weight, struct spectrum *sum)
{
    for (size_t b = 0; b < bands->fine_count; b++)
        sum->power[b] += weight * (double)bands->fine[window * VG_FINE_BANDS_MAX + b];
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
        sum += (double)bands->fine[window * VG_FINE_BANDS_MAX + b];
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

/* Mean spectra of source and output over the windows of a part; false where there are none. */
static bool listen(const struct reach *reach, struct vg_part part, struct spectrum *before,
                   struct spectrum *after)
{
    const struct vg_pair *pair = reach->pair;
    struct range range = windows_in(pair->place, pair->output->frames, part);
    double count = 0;

    *before = *after = (struct spectrum){{0}};
    for (size_t j = range.first; j < range.end; j++) {
        if (reach->weight[j] > 0) {
            add_window(&pair->source->bands, source_window(pair, j), 1, before);
            add_window(&pair->output->bands, j, reach->weight[j], after);
            count++;
        }
    }
    for (size_t b = 0; count > 0 && b < pair->source->bands.fine_count; b++) {
        before->power[b] /= count;
        after->power[b] /= count;
    }
    return count > 0;
}

/* Bands up to the highest that the source shows. */
static size_t shown(const struct vg_heard *source, const struct spectrum *s)
{
    const struct vg_bands *bands = &source->bands;
    double least = SHOWN * strongest(bands, s), per_hz = 2 * ROUNDING_POWER / source->sound.rate_hz;

    for (size_t b = bands->fine_count; b > 0; b--) {
        double width_hz = bands->fine_edge_hz[b] - bands->fine_edge_hz[b - 1];

        if (s->power[b - 1] > least && s->power[b - 1] > per_hz * width_hz)
            return b;
    }
    return 0;
}

static size_t shown_in(const struct reach *reach, struct vg_part part)
{
    struct spectrum before, after;

    return listen(reach, part, &before, &after) ? shown(reach->pair->source, &before) : 0;
}

static double kept(const struct spectrum *before, const struct spectrum *after, size_t band)
{
    return after->power[band] / (before->power[band] + NOTHING * before->power[0] + NOTHING);
}

/* A part that keeps all it shows, but shows less than both thirds do, says nothing. */
static double limit_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct reach *reach = context;
    const struct vg_bands *bands = &reach->pair->source->bands;
    struct spectrum before, after;
    size_t top, b;

    (void)tmp;
    if (!listen(reach, part, &before, &after))
        return NAN;
    top = shown(reach->pair->source, &before);
    top = top < reach->common ? top : reach->common;
    for (b = top; b > 0 && kept(&before, &after, b - 1) <= KEPT;)
        b--;
    if (b == top)
        return top > 0 && top == reach->common ? centre_erb(bands, b - 1) : NAN;
    if (b == 0)
        return centre_erb(bands, 0);
    return crossing(bands, b - 1, kept(&before, &after, b - 1), kept(&before, &after, b), KEPT);
}

void vg_clarity_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct reach reach = {.pair = pair, .weight = weigh(pair, tmp)};
    size_t first = shown_in(&reach, vg_thirds[0]), last = shown_in(&reach, vg_thirds[1]);

    reach.common = first < last ? first : last;
    vg_trace_fill(trace, (struct vg_asked){limit_in, &reach}, vg_thirds, tmp);
}

static double top_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct vg_heard *sound = context;
    const struct vg_bands *bands = &sound->bands;
    struct range range = windows_in(sound->place, sound->frames, part);
    struct spectrum s = {{0}};
    size_t b = bands->fine_count;
    double least;

    (void)tmp;
    for (size_t j = range.first; j < range.end; j++)
        add_window(bands, j, 1, &s);
    least = WITHIN * strongest(bands, &s);
    if (least <= 0)
        return NAN;
    while (s.power[b - 1] < least)
        b--;
    return b == bands->fine_count ? centre_erb(bands, b - 1)
                                  : crossing(bands, b - 1, s.power[b - 1], s.power[b], least);
}

void vg_clarity_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    vg_trace_fill(trace, (struct vg_asked){top_in, sound}, vg_thirds, tmp);
}
