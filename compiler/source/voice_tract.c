/* SPDX-License-Identifier: MIT */
/* The vocal tract: formant resonators in cascade, each of unit gain at 0 Hz, and a nasal pole and zero
 * that cancel each other except in nasals (Klatt 1980).  Coefficients move linearly from frame to frame;
 * the region of stable coefficients is a triangle, so what lies between two stable points is stable. */
#include "voice.h"

enum { SPREAD = 128 }; /* a power of two */
_Static_assert((int)SPREAD >= (int)VG_VOICE_FORMANTS, "every formant has a place in the order");

/* y = a x + b y' + c y'' with a = 1 - b - c; the zero is the same backwards. */
struct resonance {
    double b, c;
};

static struct resonance resonance_of(double hz, double bandwidth_hz, uint32_t rate_hz)
{
    double radius = vg_exp(-VG_PI * bandwidth_hz / rate_hz);

    return (struct resonance){2 * radius * vg_cos(2 * VG_PI * hz / rate_hz), -radius * radius};
}

/* Coefficients of one resonance at every frame. */
static struct resonance *formant_path(const struct vg_tracks *tracks, size_t formant, struct resonance *path)
{
    for (size_t f = 0; f < tracks->count; f++)
        path[f] = resonance_of(tracks->frames[f].formants_hz[formant],
                               tracks->frames[f].bandwidths_hz[formant], tracks->score->rate_hz);
    return path;
}

static struct resonance *nasal_path(const struct vg_tracks *tracks, bool zero, struct resonance *path)
{
    const struct vg_voice *voice = &tracks->score->voice;

    for (size_t f = 0; f < tracks->count; f++)
        path[f] = resonance_of(zero ? tracks->frames[f].nasal_zero_hz : voice->nasal_pole_hz,
                               voice->nasal_bandwidth_hz, tracks->score->rate_hz);
    return path;
}

/* Coefficients of sample k. */
static struct resonance between(const struct vg_tracks *tracks, const struct resonance *path, size_t k)
{
    const struct resonance *from = &path[k / tracks->hop], *to = from + 1;
    double way = (double)(k % tracks->hop) / (double)tracks->hop;

    return (struct resonance){from->b + (to->b - from->b) * way, from->c + (to->c - from->c) * way};
}

static void add_pole(const struct vg_tracks *tracks, const struct resonance *path, double *x)
{
    double last = 0, before = 0;

    for (size_t k = 0; k < tracks->score->frames; k++) {
        struct resonance r = between(tracks, path, k);
        double y = (1 - r.b - r.c) * x[k] + r.b * last + r.c * before;

        before = last;
        last = y;
        x[k] = y;
    }
}

static void add_zero(const struct vg_tracks *tracks, const struct resonance *path, double *x)
{
    double last = 0, before = 0;

    for (size_t k = 0; k < tracks->score->frames; k++) {
        struct resonance r = between(tracks, path, k);
        double y = (x[k] - r.b * last - r.c * before) / (1 - r.b - r.c);

        before = last;
        last = x[k];
        x[k] = y;
    }
}

/* Place `i` of an order in which every run of poles is spread over the whole band (bits reversed, van der
 * Corput).  In rising order the middle of a cascade of 50 would be hundreds of dB off balance between low
 * and high frequencies, more than a double holds. */
static size_t spread(size_t i)
{
    size_t reversed = 0;

    for (size_t bit = 1; bit < SPREAD; bit *= 2)
        if ((i & bit) != 0)
            reversed += SPREAD / 2 / bit;
    return reversed;
}

void vg_tract_filter(const struct vg_tracks *tracks, double *x, struct vg_arena *tmp)
{
    struct resonance *path = vg_arena_take(tmp, tracks->count, sizeof *path);

    for (size_t i = 0; i < SPREAD; i++)
        if (spread(i) < tracks->formants)
            add_pole(tracks, formant_path(tracks, spread(i), path), x);
    add_zero(tracks, nasal_path(tracks, true, path), x);
    add_pole(tracks, nasal_path(tracks, false, path), x);
}
