/* SPDX-License-Identifier: MIT */
/* voice_vibration.  Paired: modulation index of the output's envelope over the source's, its 250 ms mean
 * removed.  Blind: the 12-22 Hz part of the envelope over its 250 ms mean. */
#include "quantity.h"

#include <math.h>

enum { REACH = VG_BLOCKS_PER_SEC / 8, TAPS = 2 * REACH + 1 }; /* 125 ms on either side */
#define CREST 8.0 /* of the median square: a sine's is 2, that of the deepest swing of power 6 */
#define LOW_HZ 12.0
#define HIGH_HZ 22.0

/* Mean of the known values within REACH; NaN where there are none. */
static double local_mean(const struct vg_contour *c, size_t k)
{
    size_t first = k < REACH ? 0 : k - REACH, end = k + REACH < c->count ? k + REACH + 1 : c->count, n = 0;
    double sum = 0;

    for (size_t i = first; i < end; i++) {
        if (vg_known(c->value[i])) {
            sum += c->value[i];
            n++;
        }
    }
    return n ? sum / (double)n : NAN;
}

/* Of a sine, sqrt(2) times its RMS.  A few frames that swing far beyond the others are edges of the speech
 * that have moved, no modulation: they count no more than its crests do. */
static double index_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct vg_contour *square = context;
    double most = CREST * vg_contour_quantile(square, part, 0.5, tmp), sum = 0;
    size_t end = vg_contour_find(square, part.to), n = 0;

    for (size_t k = vg_contour_find(square, part.from); k < end; k++) {
        if (vg_known(square->value[k])) {
            sum += square->value[k] < most ? square->value[k] : most;
            n++;
        }
    }
    return n ? sqrt(2 * sum / (double)n) : NAN;
}

void vg_vibration_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour ratio = vg_pair_contour(pair, tmp), square = vg_pair_contour(pair, tmp);

    for (size_t k = 0; k < ratio.count; k++) {
        double after = vg_frame_energy(pair->output->energy, k), before = vg_frame_energy(pair->energy, k);

        ratio.value[k] = vg_pair_is_loud(pair, k) ? sqrt(after / before) : NAN;
    }
    for (size_t k = 0; k < ratio.count; k++) {
        double mean = local_mean(&ratio, k), swing = mean > 0 ? ratio.value[k] / mean - 1 : NAN;

        square.value[k] = swing * swing;
    }
    vg_trace_fill(trace, (struct vg_asked){index_in, &square}, vg_thirds, tmp);
}

/* Hann-windowed band pass for an envelope of 200 values a second. */
static void make_band_pass(double h[TAPS])
{
    for (int i = -REACH; i <= REACH; i++) {
        double t = (double)i / VG_BLOCKS_PER_SEC, window = 0.5 + 0.5 * vg_cos(VG_PI * i / (REACH + 1));
        double wide = i ? vg_sin(2 * VG_PI * HIGH_HZ * t) / (VG_PI * t) : 2 * HIGH_HZ;
        double narrow = i ? vg_sin(2 * VG_PI * LOW_HZ * t) / (VG_PI * t) : 2 * LOW_HZ;

        h[i + REACH] = window * (wide - narrow) / VG_BLOCKS_PER_SEC;
    }
}

static double filtered(const struct vg_contour *c, size_t k, const double h[TAPS])
{
    size_t first = k < REACH ? 0 : k - REACH, end = k + REACH < c->count ? k + REACH + 1 : c->count;
    double sum = 0;

    for (size_t i = first; i < end; i++)
        sum += c->value[i] * h[i + REACH - k];
    return sum;
}

static double flutter_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    (void)tmp;
    return 10 * vg_log10(2 * vg_contour_mean(context, part) + 1e-12);
}

void vg_vibration_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour envelope = vg_heard_contour(sound, tmp), square = vg_heard_contour(sound, tmp);
    double h[TAPS];

    make_band_pass(h);
    for (size_t k = 0; k < envelope.count; k++)
        envelope.value[k] = sqrt(vg_frame_energy(sound->energy, k));
    for (size_t k = 0; k < envelope.count; k++) {
        double mean = local_mean(&envelope, k), swing = mean > 0 ? filtered(&envelope, k, h) / mean : NAN;

        square.value[k] = vg_heard_is_loud(sound, k) ? swing * swing : NAN;
    }
    vg_trace_fill(trace, (struct vg_asked){flutter_in, &square}, vg_thirds, tmp);
}
