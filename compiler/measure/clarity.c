/* SPDX-License-Identifier: MIT */
/* voice_clarity: how high the sound reaches, in ERB-number.  Paired: the highest sixth of an octave in which
 * the output keeps more than -8 dB of the part's overall gain, so far as the source shows anything there.
 * Blind: the highest within 45 dB of the strongest. */
#include "quantity.h"

#include <math.h>

#define KEPT 0.15848931924611134     /* -8 dB */
#define SHOWN 1e-6                   /* of the source's strongest band: -60 dB */
#define ROUNDING_POWER 1.0           /* LSB squared: what 16 bits leave, spread over the spectrum */
#define WITHIN 3.1622776601683795e-5 /* -45 dB */
#define NOTHING 1e-12

struct spectrum {
    double power[VG_FINE_BANDS_MAX]; /* mean over the part */
};

static struct spectrum spectrum_in(const struct vg_bands *bands, const double *place, size_t frames,
                                   struct vg_part part)
{
    struct vg_contour at = {NULL, place, frames};
    size_t first = (vg_contour_find(&at, part.from) + 1) / 2, end = (vg_contour_find(&at, part.to) + 1) / 2;
    struct spectrum s = {{0}};

    for (size_t j = first; j < end; j++) {
        for (size_t b = 0; b < bands->fine_count; b++)
            s.power[b] += (double)bands->fine[j * VG_FINE_BANDS_MAX + b];
    }
    for (size_t b = 0; end > first && b < bands->fine_count; b++)
        s.power[b] /= (double)(end - first);
    return s;
}

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

struct reach {
    const struct vg_pair *pair;
    size_t common; /* bands that the source shows in the first and in the last third */
};

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

static struct spectrum source_in(const struct vg_pair *pair, struct vg_part part)
{
    return spectrum_in(&pair->source->bands, pair->source->place, pair->source->frames, part);
}

/* Share of the part's overall gain that each band of the output keeps; returns whether there is any. */
static bool kept_in(const struct vg_pair *pair, struct vg_part part, const struct spectrum *before,
                    struct spectrum *kept)
{
    const struct vg_bands *bands = &pair->source->bands;
    double all_before = 0, all_after = 0;

    *kept = spectrum_in(&pair->output->bands, pair->place, pair->output->frames, part);
    for (size_t b = 0; b < bands->fine_count; b++) {
        all_before += before->power[b];
        all_after += kept->power[b];
    }
    if (!(all_before > 0 && all_after > 0))
        return false;
    for (size_t b = 0; b < bands->fine_count; b++)
        kept->power[b] *= all_before / all_after / (before->power[b] + NOTHING * all_before);
    return true;
}

/* A part that keeps all it shows, but shows less than both thirds do, says nothing. */
static double limit_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct reach *reach = context;
    const struct vg_bands *bands = &reach->pair->source->bands;
    struct spectrum before = source_in(reach->pair, part), kept;
    size_t top = shown(reach->pair->source, &before), b;

    (void)tmp;
    if (top > reach->common)
        top = reach->common;
    if (top == 0 || !kept_in(reach->pair, part, &before, &kept))
        return NAN;
    for (b = top; b > 1 && kept.power[b - 1] <= KEPT;)
        b--;
    if (b == top)
        return top == reach->common ? centre_erb(bands, b - 1) : NAN;
    return kept.power[b - 1] > KEPT ? crossing(bands, b - 1, kept.power[b - 1], kept.power[b], KEPT)
                                    : centre_erb(bands, 0);
}

void vg_clarity_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct spectrum first = source_in(pair, vg_thirds[0]), last = source_in(pair, vg_thirds[1]);
    size_t a = shown(pair->source, &first), z = shown(pair->source, &last);
    struct reach reach = {pair, a < z ? a : z};

    vg_trace_fill(trace, (struct vg_asked){limit_in, &reach}, vg_thirds, tmp);
}

static double top_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct vg_heard *sound = context;
    const struct vg_bands *bands = &sound->bands;
    struct spectrum s = spectrum_in(bands, sound->place, sound->frames, part);
    double least = WITHIN * strongest(bands, &s);
    size_t b = bands->fine_count;

    (void)tmp;
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
