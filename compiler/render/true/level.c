/* SPDX-License-Identifier: MIT */
/* Levels: a clip's own floor, a continuous match of one sound's level to another's, a lean against drift, and
 * the seed of what is drawn for a pair. */
#include "true.h"

#include <math.h>
#include <string.h>

enum { BLOCKS_PER_SEC = 100, REACH = 2 }; /* blocks of 10 ms; windows of five */
#define QUIET_SHARE 0.1
#define LSB_POWER 1.0
#define LEAN_LEAST_DB 0.02
#define SILENCE 1e-5 /* of the mean power: what is softer has no level to match */

static double power_of(const int16_t *x, size_t count)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++)
        sum += (double)x[k] * (double)x[k];
    return sum / (double)count;
}

/* The value at place n in rising order, by repeated halving (Hoare 1961); reorders x. */
static double nth(double *x, size_t count, size_t n)
{
    size_t low = 0, high = count - 1;

    while (low < high) {
        double pivot = x[(low + high) / 2];
        size_t i = low, j = high;

        for (;;) {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i >= j)
                break;

            double swap = x[i];
            x[i++] = x[j];
            x[j--] = swap;
        }
        if (n <= j)
            high = j;
        else
            low = j + 1;
    }
    return x[low];
}

double vg_floor_power(const struct vg_loaded *source, struct vg_arena *tmp)
{
    size_t frame = source->clip.rate_hz / BLOCKS_PER_SEC, count;
    double *power;

    frame = frame > 0 ? frame : 1;
    count = source->clip.frames / frame;
    if (count == 0)
        return LSB_POWER;
    power = vg_arena_take(tmp, count, sizeof *power);
    for (size_t i = 0; i < count; i++)
        power[i] = power_of(source->clip.samples + i * frame, frame);
    return LSB_POWER + nth(power, count, (size_t)(QUIET_SHARE * (double)(count - 1)));
}

double vg_power_above(double floor_power, double db)
{
    return floor_power * (vg_pow(10, db / 10) - 1);
}

/* ---- level match --------------------------------------------------------------------------------------- */

struct blocks {
    size_t length, count;
    double *energy; /* of each block */
};

static struct blocks blocks_of(const double *x, size_t frames, uint32_t rate_hz, struct vg_arena *tmp)
{
    struct blocks b = {.length = rate_hz / BLOCKS_PER_SEC};

    b.length = b.length > 0 ? b.length : 1;
    b.count = (frames + b.length - 1) / b.length;
    b.energy = vg_arena_take_zero(tmp, b.count, sizeof *b.energy);
    for (size_t k = 0; k < frames; k++)
        b.energy[k / b.length] += x[k] * x[k];
    return b;
}

static double around(const struct blocks *b, size_t i)
{
    static const double weight[REACH + 1] = {1.0, 0.75, 0.25}; /* a Hann window's */
    double sum = b->energy[i];

    for (size_t d = 1; d <= REACH; d++) {
        sum += i >= d ? weight[d] * b->energy[i - d] : 0;
        sum += i + d < b->count ? weight[d] * b->energy[i + d] : 0;
    }
    return sum;
}

static void find_gains(const struct blocks *wanted, const struct blocks *found, double frames,
                       double bound_db, double *gain)
{
    double most = vg_db_to_gain(bound_db), least = 0;

    for (size_t i = 0; i < wanted->count; i++)
        least += wanted->energy[i];
    least *= SILENCE * (double)wanted->length / frames;
    for (size_t i = 0; i < wanted->count; i++) {
        double g = least > 0 ? sqrt((around(wanted, i) + least) / (around(found, i) + least)) : 1;

        gain[i] = g > most ? most : g < 1 / most ? 1 / most : g;
    }
}

void vg_level_match(const double *reference, double *x, size_t frames, uint32_t rate_hz, double bound_db,
                    struct vg_arena *tmp)
{
    struct blocks wanted = blocks_of(reference, frames, rate_hz, tmp),
                  found = blocks_of(x, frames, rate_hz, tmp);
    double *gain = vg_arena_take(tmp, wanted.count, sizeof *gain);

    if (frames == 0)
        return;
    find_gains(&wanted, &found, (double)frames, bound_db, gain);
    for (size_t k = 0; k < frames; k++) {
        double at = ((double)k + 0.5) / (double)wanted.length - 0.5; /* between the blocks' centres */
        size_t i = at > 0 ? (size_t)at : 0, next = i + 1 < wanted.count ? i + 1 : i;
        double share = at > 0 ? at - (double)i : 0;

        x[k] *= gain[i] + (gain[next] - gain[i]) * share;
    }
}

/* ---- drift --------------------------------------------------------------------------------------------- */

/* How much louder the last third of a span is than the first, in dB; 0 where one is silent. */
static double rise_of(const struct vg_track *track)
{
    size_t third = (track->span.off - track->span.on) / 3;
    const double *first = track->at + track->span.on, *last = track->at + track->span.off - third;
    double before = 0, after = 0;

    for (size_t k = 0; k < third; k++) {
        before += first[k] * first[k];
        after += last[k] * last[k];
    }
    return before > 0 && after > 0 ? 10 * vg_log10(after / before) : 0;
}

static double own_rise(const struct vg_loaded *source)
{
    size_t third = (source->span.off - source->span.on) / 3;
    const int16_t *x = source->clip.samples;
    double before = power_of(x + source->span.on, third),
           after = power_of(x + source->span.off - third, third);

    return before > 0 && after > 0 ? 10 * vg_log10(after / before) : 0;
}

/* A gain that is a line in dB over the span and goes on beyond it as at its ends. */
static void lean(struct vg_track *track, double db)
{
    size_t span = track->span.off - track->span.on;
    double step = vg_db_to_gain(db / (double)span), gain = vg_db_to_gain(-db / 2);

    for (size_t k = 0; k < track->frames; k++) {
        track->at[k] *= gain;
        gain *= k >= track->span.on && k < track->span.off ? step : 1;
    }
}

double vg_track_level_ends(struct vg_track *track, const struct vg_loaded *source, double most_db)
{
    /* two thirds of a line lie between the outer thirds' middles */
    double db = 1.5 * (own_rise(source) - rise_of(track));

    if (fabs(db) < LEAN_LEAST_DB)
        return 0;
    db = db > most_db ? most_db : db < -most_db ? -most_db : db;
    lean(track, db);
    return db;
}

/* ---- seed --------------------------------------------------------------------------------------------- */

uint64_t vg_pair_entropy(const struct vg_item *item)
{
    struct vg_text text = {0};
    uint64_t entropy;

    vg_item_seed_text(item, &text);
    entropy = vg_random_entropy(text.data);
    vg_text_release(&text);
    return entropy;
}
