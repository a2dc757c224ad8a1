/* SPDX-License-Identifier: MIT */
/* background_noise.  Paired: what of the output does not follow the source, in its quiet frames.  Blind:
 * the quiet windows of ten even bands. */
#include "quantity.h"

#include <math.h>

#define REST_QUANTILE 0.25
#define LEAST_QUANTILE 0.15
#define SPREAD 6.0 /* of those two: more than 8 dB is no noise, which lies under all quiet frames alike */
#define FLOOR_QUANTILE 0.1
#define LSB_POWER 1.0 /* rounding and truncation to 16 bits stay below: no noise */
#define CONTRAST 0.25 /* quiet frame over loud one, at most: 6 dB tell noise from what the speech makes */
enum { REACH = VG_BLOCKS_PER_SEC / 10, KNOWN_LEAST = 4 }; /* frames: 100 ms on either side */

/* Powers of every frame: the source's, and what of the output does not follow it. */
struct frames {
    double *speech, *rest;
    size_t count;
};

static size_t loudest_near(const struct frames *f, size_t k)
{
    size_t first = k > REACH ? k - REACH : 0, end = k + REACH < f->count ? k + REACH + 1 : f->count;
    size_t best = first;

    for (size_t i = first + 1; i < end; i++)
        best = f->speech[i] > f->speech[best] ? i : best;
    return best;
}

/* Noise lies under quiet and loud speech alike; what a filter, a moving gain or a held value leaves grows
 * with the speech.  Two frames near each other, two unknowns: rest = noise + share * speech.  NaN where the
 * speech is level. */
static double noise_at(const struct frames *f, size_t k)
{
    size_t loud = loudest_near(f, k);
    double ratio = f->speech[k] / f->speech[loud], noise;

    if (!(ratio <= CONTRAST))
        return NAN;
    noise = (f->rest[k] - ratio * f->rest[loud]) / (1 - ratio);
    return noise > 0 ? noise : 0;
}

struct levels {
    struct vg_contour noise, rest; /* powers */
    double floor_power, power;
};

static double level_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct levels *l = context;
    bool known = vg_contour_known(&l->noise, part) >= KNOWN_LEAST;
    double noise = vg_contour_quantile(known ? &l->noise : &l->rest, part, REST_QUANTILE, tmp);

    if (known) {
        double most = SPREAD * vg_contour_quantile(&l->noise, part, LEAST_QUANTILE, tmp);

        noise = noise < most ? noise : most;
    }
    return 10 * vg_log10((noise + l->floor_power) / l->power);
}

void vg_noise_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct levels own = {vg_pair_contour(pair, tmp), vg_pair_contour(pair, tmp), LSB_POWER,
                         pair->source->power},
                  heard;
    size_t count = own.rest.count;
    struct frames frames = {vg_arena_take(tmp, count, sizeof(double)), own.rest.value, count};
    double samples = 2 * (double)pair->output->hop;

    for (size_t k = 0; k < count; k++) {
        frames.speech[k] = vg_frame_energy(pair->energy, k) / samples;
        frames.rest[k] = vg_pair_rest(pair, k) / samples;
    }
    for (size_t k = 0; k < count; k++)
        own.noise.value[k] = noise_at(&frames, k);
    heard = own;
    heard.floor_power = pair->source->floor_power;
    vg_trace_fill(trace, (struct vg_asked){level_in, &own}, vg_thirds, tmp);
    trace->heard = vg_trace_change((struct vg_asked){level_in, &heard}, vg_thirds, tmp);
}

/* Level that a band's quiet windows reach in a part, in dB re full scale. */
static double band_floor(const struct vg_heard *sound, size_t band, struct vg_part part, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    const struct vg_bands *bands = &sound->bands;
    struct vg_contour frames = {NULL, sound->place, sound->frames};
    size_t first = (vg_contour_find(&frames, part.from) + 1) / 2,
           end = (vg_contour_find(&frames, part.to) + 1) / 2;
    double *power = vg_arena_take(tmp, end - first, sizeof *power), quiet;

    for (size_t j = first; j < end; j++)
        power[j - first] = (double)bands->even[j * VG_EVEN_BANDS + band];
    quiet = vg_quantile(power, end - first, FLOOR_QUANTILE);
    vg_arena_rewind(tmp, mark);
    return 10 * vg_log10((quiet + 0.01 * LSB_POWER) / (32768.0 * 32768.0));
}

static double floor_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    double level[VG_EVEN_BANDS];

    for (size_t b = 0; b < VG_EVEN_BANDS; b++)
        level[b] = band_floor(context, b, part, tmp);
    return vg_known(level[0]) ? vg_quantile(level, VG_EVEN_BANDS, 0.5) : NAN;
}

void vg_noise_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    double change[VG_EVEN_BANDS];

    vg_trace_fill(trace, (struct vg_asked){floor_in, sound}, vg_thirds, tmp);
    for (size_t b = 0; b < VG_EVEN_BANDS; b++)
        change[b] = band_floor(sound, b, vg_thirds[1], tmp) - band_floor(sound, b, vg_thirds[0], tmp);
    if (vg_known(trace->net)) /* the median change is steadier than the change of the median */
        trace->net = trace->heard = vg_quantile(change, VG_EVEN_BANDS, 0.5);
}
