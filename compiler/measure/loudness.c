/* SPDX-License-Identifier: MIT */
/* volume.  Paired: level of the output over the source's, frame by frame, where it is not clipped.  Blind:
 * K-weighted level (ITU-R BS.1770-4) of 100 ms windows, the loud ones of each part. */
#include "quantity.h"

#include <math.h>

enum { WINDOW_BLOCKS = 20 };
#define LOUD_QUANTILE 0.9

struct biquad {
    double b0, b1, b2, a1, a2;
};
struct memory {
    double first, second;
};

static double tangent(double x)
{
    struct vg_sincos s = vg_sincos(x);

    return s.sin / s.cos;
}

/* BS.1770 tabulates its filters at 48 kHz only.  These are the analogue prototypes that the bilinear
 * transform turns into that table: a shelf of +4 dB at 1682 Hz and a high pass at 38 Hz. */
static struct biquad shelf(double rate_hz)
{
    double k = tangent(VG_PI * 1681.974450955533 / rate_hz), q = 0.7071752369554196;
    double high = vg_pow(10, 3.999843853973347 / 20), band = vg_pow(high, 0.4996667741545416);
    double a0 = 1 + k / q + k * k;

    return (struct biquad){(high + band * k / q + k * k) / a0, 2 * (k * k - high) / a0,
                           (high - band * k / q + k * k) / a0, 2 * (k * k - 1) / a0,
                           (1 - k / q + k * k) / a0};
}

static struct biquad high_pass(double rate_hz)
{
    double k = tangent(VG_PI * 38.13547087602444 / rate_hz), q = 0.5003270373238773;
    double a0 = 1 + k / q + k * k;

    return (struct biquad){1, -2, 1, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0};
}

/* Transposed direct form II. */
static double filter(const struct biquad *f, struct memory *m, double in)
{
    double out = f->b0 * in + m->first;

    m->first = f->b1 * in - f->a1 * out + m->second;
    m->second = f->b2 * in - f->a2 * out;
    return out;
}

void vg_loudness_power(const int16_t *x, size_t blocks, size_t hop, uint32_t rate_hz, double *power)
{
    struct biquad head = shelf(rate_hz), low_cut = high_pass(rate_hz);
    struct memory m1 = {0, 0}, m2 = {0, 0};

    for (size_t k = 0; k < blocks; k++) {
        double sum = 0;

        for (size_t i = 0; i < hop; i++) {
            double y = filter(&low_cut, &m2, filter(&head, &m1, x[k * hop + i]));

            sum += y * y;
        }
        power[k] = sum / (double)hop;
    }
}

double vg_loudness_lufs(double power)
{
    return 10 * vg_log10(power / (32768.0 * 32768.0)) - 0.691;
}

/* Energies of a block where the output is not clipped: a gain that drives loud moments into the limit is
 * still the same gain. */
static void add_unclipped(const int16_t *out, const int16_t *src, size_t n, double *after, double *before)
{
    int64_t out_sum = 0, src_sum = 0;

    for (size_t i = 0; i < n; i++) {
        int32_t clear = out[i] > INT16_MIN && out[i] < INT16_MAX;

        out_sum += clear * out[i] * out[i];
        src_sum += clear * src[i] * src[i];
    }
    *after = (double)out_sum;
    *before = (double)src_sum;
}

void vg_volume_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour db = vg_pair_contour(pair, tmp);
    size_t hop = pair->output->hop, blocks = pair->output->blocks;
    double *after = vg_arena_take(tmp, blocks, sizeof *after),
           *before = vg_arena_take(tmp, blocks, sizeof *before);

    for (size_t k = 0; k < blocks; k++)
        add_unclipped(pair->output->x + k * hop, pair->laid + k * hop, hop, &after[k], &before[k]);
    for (size_t k = 0; k < db.count; k++) {
        double out = vg_frame_energy(after, k), src = vg_frame_energy(before, k);

        db.value[k] = vg_pair_is_loud(pair, k) && out > 0 && src > 0 ? 10 * vg_log10(out / src) : NAN;
    }
    vg_trace_quantile(trace, &db, 0.5, tmp);
}

void vg_volume_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    double *power = vg_arena_take(tmp, sound->blocks, sizeof *power), sum = 0;
    struct vg_contour lufs = vg_heard_contour(sound, tmp);

    vg_loudness_power(sound->x, sound->blocks, sound->hop, sound->sound.rate_hz, power);
    for (size_t k = 0; k < lufs.count; k++)
        lufs.value[k] = NAN;
    for (size_t k = 0; k < sound->blocks; k++) {
        sum += power[k];
        if (k + 1 >= WINDOW_BLOCKS) {
            size_t first = k + 1 - WINDOW_BLOCKS;

            lufs.value[first + WINDOW_BLOCKS / 2 - 1] = sum > 0 ? vg_loudness_lufs(sum / WINDOW_BLOCKS) : NAN;
            sum -= power[first];
        }
    }
    vg_trace_quantile(trace, &lufs, LOUD_QUANTILE, tmp);
}
