/* SPDX-License-Identifier: MIT */
/* The room between a source and an output: the filter that makes one of the other is estimated over the whole
 * clip, and its taps that stand out of chance are found one after another. */
#include "room.h"

#include <math.h>
#include <string.h>

#define FIRST_SEC 0.0005 /* taps sooner than this are the source itself */
#define LATE_SEC 0.008   /* from here on they are an echo, not a colour */
#define STANDS_OUT 4.0   /* standard deviations of chance that a tap must exceed */
#define WEAKEST 0.18     /* of the strongest tap: weaker ones are what a moving mix leaves */
enum { TAPS_MAX = 400, NEIGHBOURS = 3 };
#define REGULAR 0.001     /* of the source's mean power: keeps weak frequencies from exploding */
#define KEPT_SEC_MAX 60.0 /* of longer spans only this much, from both ends */

static double power_of(struct vg_complex z)
{
    return z.re * z.re + z.im * z.im;
}

/* Which sample of the low-rate signal stands at place i of the kept ones. */
size_t vg_room_sample(const struct vg_room *room, size_t i)
{
    return i < room->kept / 2 ? i : i + room->count - room->kept;
}

/* The first place whose sample is not before a share of the span. */
size_t vg_room_place(const struct vg_room *room, double share)
{
    size_t sample = (size_t)ceil(share * (double)room->count), left_out = room->count - room->kept;

    if (sample < room->kept / 2)
        return sample;
    return sample > room->kept / 2 + left_out ? sample - left_out : room->kept / 2;
}

static void load(const struct vg_room *room, const struct vg_low *low, double *x)
{
    for (size_t i = 0; i < room->kept; i++)
        x[i] = (double)low->x[vg_room_sample(room, i)];
    memset(x + room->kept, 0, (room->n - room->kept) * sizeof *x);
}

void vg_room_make(struct vg_room *room, const struct vg_low *dry, const struct vg_room *like,
                  struct vg_arena *keep, struct vg_arena *tmp)
{
    size_t most = (size_t)(KEPT_SEC_MAX * dry->rate_hz), n = 64, last = (size_t)(VG_ROOM_SEC * dry->rate_hz),
           bins;
    struct vg_complex *share;
    double mean = 0;

    room->count = dry->count;
    room->kept = dry->count < most ? dry->count : most;
    while (n < room->kept + last)
        n *= 2;
    room->n = n;
    bins = n / 2 + 1;
    room->fft = like && like->n == n ? like->fft : vg_fft_make(n, keep);
    room->spectrum = vg_arena_take(keep, bins, sizeof *room->spectrum);
    room->kernel = vg_arena_take(keep, n, sizeof *room->kernel);
    load(room, dry, room->kernel);
    vg_fft_forward(room->fft, room->kernel, room->spectrum, tmp);
    for (size_t i = 0; i < bins; i++)
        mean += power_of(room->spectrum[i]);
    room->regular = REGULAR * mean / (double)bins;
    share = vg_arena_take(tmp, bins, sizeof *share);
    for (size_t i = 0; i < bins; i++) {
        double power = power_of(room->spectrum[i]);

        share[i] = (struct vg_complex){power > 0 ? power / (power + room->regular) : 0, 0};
    }
    vg_fft_inverse(room->fft, share, room->kernel, tmp);
}

/* The filter from source to output, in `taps`; negative times at the end. */
static void estimate(const struct vg_room *room, struct vg_complex *z, double *taps, struct vg_arena *tmp)
{
    vg_fft_forward(room->fft, taps, z, tmp);
    for (size_t i = 0; i <= room->n / 2; i++) {
        struct vg_complex s = room->spectrum[i], o = z[i];
        double power = power_of(s) + room->regular;

        z[i].re = power > 0 ? (s.re * o.re + s.im * o.im) / power : 0;
        z[i].im = power > 0 ? (s.re * o.im - s.im * o.re) / power : 0;
    }
    vg_fft_inverse(room->fft, z, taps, tmp);
}

/* The causal part of what is left of a filter, and what stands before time zero. */
struct left {
    double *at; /* n values; negative times at the end */
    size_t n, late, last;
};

/* The largest value at a time of 0 <= i < last. */
static size_t strongest_tap(const struct left *left)
{
    size_t best = 0;

    for (size_t i = 1; i < left->last; i++)
        best = fabs(left->at[i]) > fabs(left->at[best]) ? i : best;
    return best;
}

/* What chance alone brings about.  A room never answers before it is asked: what stands before time zero is
 * chance, and so is all behind it that is not larger than any of that. */
static double chance_in(const struct left *left)
{
    double energy = 0, most = 0;

    for (size_t i = left->n - left->last; i < left->n - left->late; i++) {
        energy += left->at[i] * left->at[i];
        most = fabs(left->at[i]) > most ? fabs(left->at[i]) : most;
    }
    energy = STANDS_OUT * sqrt(energy / (double)(left->last - left->late));
    return energy > most ? energy : most;
}

/* Takes the kernel off around one tap; only times from -last to last matter. */
static void take_off(struct left *left, const double *kernel, size_t tap, double size)
{
    for (size_t i = 0; i < left->last; i++)
        left->at[i] -= size * kernel[i >= tap ? i - tap : i + left->n - tap];
    for (size_t i = left->n - left->last; i < left->n; i++)
        left->at[i] -= size * kernel[i - tap];
}

/* Energy of the late taps.  A copy that comes between two samples is found in parts on both sides of its
 * time, which the kernel there puts together again. */
static double energy_of(const struct left *taps, const double *kernel)
{
    double energy = 0;

    for (size_t i = taps->late; i < taps->last; i++) {
        energy += taps->at[i] * taps->at[i];
        for (size_t k = 1; k <= NEIGHBOURS && i + k < taps->last; k++)
            energy += 2 * taps->at[i] * taps->at[i + k] * kernel[k] / kernel[0];
    }
    return energy;
}

/* Leaves only the taps beside the first that stand out of chance, one after another, each with all that the
 * search finds of the sound in itself around it (CLEAN, Hogbom 1974); returns the energy of the late ones. */
static double keep_wet_taps(const struct vg_room *room, double rate_hz, double *taps, struct vg_arena *tmp)
{
    size_t first = (size_t)(FIRST_SEC * rate_hz), last = (size_t)(VG_ROOM_SEC * rate_hz);
    struct left left = {taps, room->n, (size_t)(LATE_SEC * rate_hz), last};
    double *kept = vg_arena_take_zero(tmp, last, sizeof *kept), strongest = 0;

    for (size_t i = 0; i < TAPS_MAX; i++) {
        size_t tap = strongest_tap(&left);
        double size = taps[tap] / room->kernel[0];

        if (tap >= first && (fabs(size) < WEAKEST * strongest || fabs(taps[tap]) <= chance_in(&left)))
            break;
        strongest = tap >= first && strongest <= 0 ? fabs(size) : strongest;
        kept[tap] += size;
        take_off(&left, room->kernel, tap, size);
    }
    memset(taps, 0, room->n * sizeof *taps);
    memcpy(taps + first, kept + first, (last - first) * sizeof *taps);
    return energy_of(&left, room->kernel);
}

struct vg_taps vg_room_taps(const struct vg_room *room, const struct vg_low *out, struct vg_arena *tmp)
{
    struct vg_complex *z = vg_arena_take(tmp, room->n / 2 + 1, sizeof *z);
    struct vg_taps taps = {.at = vg_arena_take(tmp, room->n, sizeof *taps.at)};

    load(room, out, taps.at);
    estimate(room, z, taps.at, tmp);
    taps.late = keep_wet_taps(room, out->rate_hz, taps.at, tmp);
    return taps;
}

double vg_room_answer(const struct vg_room *room, double *taps, struct vg_arena *tmp)
{
    struct vg_complex *z = vg_arena_take(tmp, room->n / 2 + 1, sizeof *z);
    double energy = 0;

    vg_fft_forward(room->fft, taps, z, tmp);
    for (size_t i = 0; i <= room->n / 2; i++) {
        struct vg_complex a = z[i], b = room->spectrum[i];

        z[i] = (struct vg_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    vg_fft_inverse(room->fft, z, taps, tmp);
    for (size_t i = 0; i < room->kept; i++)
        energy += taps[i] * taps[i];
    return energy;
}
