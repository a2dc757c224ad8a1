/* SPDX-License-Identifier: MIT */
/* echo.  Paired: the filter between source and output is estimated over the whole clip; every part is then
 * fitted with the source and the filtered source, and tells how much of the filter's late part it holds.
 * Blind: how much of the cepstrum at 10 to 90 ms is common to a part's windows, as a room leaves it there
 * and speech does not. */
#include "quantity.h"

#include <math.h>
#include <string.h>

#define FIRST_SEC 0.0005 /* taps sooner than this are the source itself */
#define LATE_SEC 0.008   /* from here on they are an echo, not a colour */
#define LAST_SEC 0.3
#define STANDS_OUT 4.0 /* standard deviations of chance that a tap must exceed */
#define WEAKEST 0.18   /* of the strongest tap: weaker ones are what a moving mix leaves */
enum { TAPS_MAX = 400, NEIGHBOURS = 3 };
#define REGULAR 0.001         /* of the source's mean power: keeps weak frequencies from exploding */
#define FLOOR 3.1622776602e-4 /* -35 dB: less echo is none */
#define EXPLAINED 0.05        /* of what the dry sound leaves of the output, at least, or there is no echo */
#define MORE_MOST 2.0
#define RIDGE 1e-4        /* of the wet energy: keeps parts without any from exploding */
#define KEPT_SEC_MAX 60.0 /* of longer spans only this much, from both ends */

#define WINDOW_SEC 0.256
#define FIRST_LAG_SEC 0.010
#define LAST_LAG_SEC 0.090
#define LEAST_BIN 1e-5 /* of a window's mean bin: -50 dB */
#define LOUD_WINDOW 1e-3

static double power_of(struct vg_complex z)
{
    return z.re * z.re + z.im * z.im;
}

/* Which sample of the low-rate signal stands at place i of the kept ones. */
static size_t kept_sample(const struct vg_room *room, size_t i)
{
    return i < room->kept / 2 ? i : i + room->count - room->kept;
}

/* The first place whose sample is not before a share of the span. */
static size_t kept_place(const struct vg_room *room, double share)
{
    size_t sample = (size_t)ceil(share * (double)room->count), left_out = room->count - room->kept;

    if (sample < room->kept / 2)
        return sample;
    return sample > room->kept / 2 + left_out ? sample - left_out : room->kept / 2;
}

static void load(const struct vg_room *room, const struct vg_low *low, double *x)
{
    for (size_t i = 0; i < room->kept; i++)
        x[i] = (double)low->x[kept_sample(room, i)];
    memset(x + room->kept, 0, (room->n - room->kept) * sizeof *x);
}

void vg_room_make(struct vg_room *room, const struct vg_low *dry, const struct vg_room *like,
                  struct vg_arena *keep, struct vg_arena *tmp)
{
    size_t most = (size_t)(KEPT_SEC_MAX * dry->rate_hz), n = 64, last = (size_t)(LAST_SEC * dry->rate_hz),
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

/* What stands beside the source in the output: its filter's taps but the first. */
struct wet {
    double *x;    /* room->kept samples */
    double power; /* of all of them together */
    double late;  /* energy of the late taps beside a tap of 1 */
};

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
    size_t first = (size_t)(FIRST_SEC * rate_hz), last = (size_t)(LAST_SEC * rate_hz);
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

static struct wet find_wet(const struct vg_room *room, const struct vg_low *out, struct vg_arena *tmp)
{
    struct vg_complex *z = vg_arena_take(tmp, room->n / 2 + 1, sizeof *z);
    struct wet wet = {.x = vg_arena_take(tmp, room->n, sizeof *wet.x)};

    load(room, out, wet.x);
    estimate(room, z, wet.x, tmp);
    wet.late = keep_wet_taps(room, out->rate_hz, wet.x, tmp);
    vg_fft_forward(room->fft, wet.x, z, tmp);
    for (size_t i = 0; i <= room->n / 2; i++) {
        struct vg_complex a = z[i], b = room->spectrum[i];

        z[i] = (struct vg_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    vg_fft_inverse(room->fft, z, wet.x, tmp);
    for (size_t i = 0; i < room->kept; i++)
        wet.power += wet.x[i] * wet.x[i];
    return wet;
}

struct mix {
    const struct vg_room *room;
    const struct vg_low *dry, *out;
    const struct wet *wet;
};

/* By how much more the room sounds than its taps that stand out: what the dry sound leaves of the output over
 * what those explain of it.  0 where they explain little: then they are chance, another pitch, a moving gain.
 * `ww` and `ow`: of the wet sound's own part, beside the dry. */
static double whole_room(double ww, double left, double ow)
{
    double explained = ow > 0 && ww > 0 ? ow * ow / ww : 0;

    if (!(explained > 0) || explained < EXPLAINED * left)
        return 0;
    return left < MORE_MOST * explained ? left / explained : MORE_MOST;
}

/* Least squares of the output on dry and wet; the late energy of the fit, in dB re dry. */
static double echo_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct mix *mix = context;
    size_t end = kept_place(mix->room, part.to);
    double dd = 0, dw = 0, ww = 0, od = 0, ow = 0, oo = 0, dry, wet, determinant, more = 0;

    (void)tmp;
    for (size_t i = kept_place(mix->room, part.from); i < end; i++) {
        size_t k = kept_sample(mix->room, i);
        double d = (double)mix->dry->x[k], w = mix->wet->x[i], o = (double)mix->out->x[k];

        dd += d * d;
        dw += d * w;
        ww += w * w;
        od += o * d;
        ow += o * w;
        oo += o * o;
    }
    ww += RIDGE * mix->wet->power * (part.to - part.from);
    determinant = dd * ww - dw * dw;
    if (!(dd > 0))
        return NAN;
    if (determinant > 0)
        more = whole_room(determinant / dd, oo - od * od / dd, ow - od * dw / dd);
    if (!(more > 0))
        return 10 * vg_log10(FLOOR);
    dry = (od * ww - ow * dw) / determinant;
    wet = (ow * dd - od * dw) / determinant;
    return 10 * vg_log10((dry > 0 && wet > 0 ? more * wet * wet / (dry * dry) * mix->wet->late : 0) + FLOOR);
}

void vg_echo_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    const struct vg_low *out = &pair->output->lows.lower;
    struct vg_lows laid = pair->source->lows;
    struct vg_room room = pair->source->room;
    struct mix mix;
    struct wet wet;

    if (!pair->same_time) {
        laid = vg_lows_of(pair->laid, pair->output->blocks * pair->output->hop, pair->output->margin,
                          pair->output->sound.rate_hz, tmp, tmp);
        vg_room_make(&room, &laid.lower, &pair->source->room, tmp, tmp);
    }
    vg_trace_clear(trace);
    if (room.kept <= (size_t)(LAST_SEC * out->rate_hz) || !(room.kernel[0] > 0))
        return;
    wet = find_wet(&room, out, tmp);
    mix = (struct mix){&room, &laid.lower, out, &wet};
    vg_trace_fill(trace, (struct vg_asked){echo_in, &mix}, vg_thirds, tmp);
}

/* Cepstra of a sound's windows between FIRST_LAG_SEC and LAST_LAG_SEC. */
struct cepstra {
    float *at;     /* [window * lags + lag] */
    double *place; /* of the windows' centres: share of the span */
    size_t count, lags;
};

struct transform {
    const struct vg_fft *fft;
    size_t n;
    double *window, *x;
    struct vg_complex *z;
    float *power; /* n / 2 + 1 */
};

static struct transform make_transform(double rate_hz, struct vg_arena *tmp)
{
    struct transform t = {.n = 64};

    while ((double)t.n * 1.5 < WINDOW_SEC * rate_hz)
        t.n *= 2;
    t.fft = vg_fft_make(t.n, tmp);
    t.window = vg_arena_take(tmp, t.n, sizeof *t.window);
    t.x = vg_arena_take(tmp, t.n, sizeof *t.x);
    t.z = vg_arena_take(tmp, t.n / 2 + 1, sizeof *t.z);
    t.power = vg_arena_take(tmp, t.n / 2 + 1, sizeof *t.power);
    for (size_t i = 0; i < t.n; i++)
        t.window[i] = 0.5 - 0.5 * vg_cos(2 * VG_PI * ((double)i + 0.5) / (double)t.n);
    return t;
}

/* The cepstrum of the window at x, left in t->x; returns its power. */
static double cepstrum(struct transform *t, const float *x, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t bins = t->n / 2 + 1;
    double sum = 0;
    float least;

    for (size_t i = 0; i < t->n; i++)
        t->x[i] = (double)x[i] * t->window[i];
    vg_fft_forward(t->fft, t->x, t->z, tmp);
    for (size_t i = 0; i < bins; i++) {
        t->power[i] = (float)power_of(t->z[i]);
        sum += (double)t->power[i];
    }
    least = (float)(LEAST_BIN * sum / (double)bins) + 1;
    for (size_t i = 0; i < bins; i++)
        t->power[i] += least;
    vg_log2_rough(t->power, t->power, bins);
    for (size_t i = 0; i < bins; i++)
        t->z[i] = (struct vg_complex){(double)t->power[i], 0};
    vg_fft_inverse(t->fft, t->z, t->x, tmp);
    vg_arena_rewind(tmp, mark);
    return sum;
}

/* Windows a quarter of their length apart; those 30 dB below the loudest say nothing and are left out. */
static struct cepstra make_cepstra(const struct vg_low *low, struct vg_arena *tmp)
{
    struct transform t = make_transform(low->rate_hz, tmp);
    size_t hop = t.n / 4, first = (size_t)(FIRST_LAG_SEC * low->rate_hz), windows;
    struct cepstra c = {.lags = (size_t)(LAST_LAG_SEC * low->rate_hz) - first};
    double *power, loudest = 0;

    windows = low->count < t.n ? 0 : (low->count - t.n) / hop + 1;
    c.at = vg_arena_take(tmp, windows * c.lags, sizeof *c.at);
    c.place = vg_arena_take(tmp, windows, sizeof *c.place);
    power = vg_arena_take(tmp, windows, sizeof *power);
    for (size_t j = 0; j < windows; j++) {
        power[j] = cepstrum(&t, low->x + j * hop, tmp);
        loudest = power[j] > loudest ? power[j] : loudest;
        for (size_t i = 0; i < c.lags; i++)
            c.at[j * c.lags + i] = (float)t.x[first + i];
    }
    for (size_t j = 0; j < windows; j++) {
        if (power[j] <= LOUD_WINDOW * loudest)
            continue;
        memmove(c.at + c.count * c.lags, c.at + j * c.lags, c.lags * sizeof *c.at);
        c.place[c.count++] = ((double)(j * hop) + (double)t.n * 0.5) / (double)low->count;
    }
    return c;
}

/* Energy of the mean cepstrum, less what chance leaves in a mean, over the mean energy: 0..1. */
static double common_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct cepstra *c = context;
    double of_mean = 0, mean = 0, count = 0, chance;
    size_t first = 0, end;

    (void)tmp;
    while (first < c->count && c->place[first] < part.from)
        first++;
    for (end = first; end < c->count && c->place[end] < part.to;)
        end++;
    if (end < first + 2)
        return NAN;
    count = (double)(end - first);
    for (size_t i = 0; i < c->lags; i++) {
        double sum = 0, squares = 0;

        for (size_t j = first; j < end; j++) {
            double value = (double)c->at[j * c->lags + i];

            sum += value;
            squares += value * value;
        }
        of_mean += sum / count * (sum / count);
        mean += squares / count;
    }
    chance = (mean - of_mean) / (count - 1);
    return mean > 0 ? (of_mean - chance) / mean : NAN;
}

void vg_echo_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct cepstra cepstra = make_cepstra(&sound->lows.low, tmp);

    vg_trace_fill(trace, (struct vg_asked){common_in, &cepstra}, vg_halves, tmp);
}
