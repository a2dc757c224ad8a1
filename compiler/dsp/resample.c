/* SPDX-License-Identifier: MIT */
/* Sample rate conversion in two stages, with the responses of libsoxr's HQ recipe: a sharp low-pass to twice
 * the input rate, by FFT in blocks, and from there a short interpolator to any place.  Both are sincs under
 * Kaiser windows (Kaiser & Schafer, IEEE Trans. ASSP 28, 1980). */
#include "fft.h"

#include <math.h>
#include <string.h>

/* libsoxr's design for 20 bits, 132.45 dB shared out over the stages: each window's beta, and the product of
 * its length in samples and half its transition in units of the Nyquist, at which it reaches that. */
static const double SHARP_BETA = 13.711204, SHARP_PRODUCT = 8.729522;
static const double SMOOTH_BETA = 14.058639, SMOOTH_PRODUCT = 8.950692;
/* Share of half a transition, from the pass band, at which a response has fallen by 0.01 dB. */
static const double SMOOTH_FALL = 0.12578716;
/* In cycles per half window: past the windows' main lobes, which end at 2.3. */
static const double EDGE_WIDTH = 2.5;

enum { STEPS = 256, PHASES = 1024, WIDE = 2048 };

/* Half of a low-pass's response under a Kaiser window, from its cutoff into the pass band: rise[i] at i/STEPS
 * of EDGE_WIDTH; beyond that, 1 but for ripples below the stop band's depth. */
struct edge {
    double rise[STEPS + 1], slope[STEPS + 1]; /* slope per step */
};

struct vg_resampler {
    struct vg_resample_filter filter;
    struct edge sharp, smooth;
    size_t taps;                         /* of the interpolator, a multiple of 4 */
    float *kernel;                       /* [PHASES + 1][taps] */
    const struct vg_fftf *narrow, *wide; /* of WIDE/2 and WIDE values */
};

/* ---- design ---------------------------------------------------------------------------------------- */

/* Modified Bessel function of the first kind and order 0, by its power series. */
static double bessel_i0(double x)
{
    double term = 1.0, sum = 1.0;

    for (double k = 1.0; term > sum * 0x1p-60; k += 1.0) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

/* The Kaiser window of half length 1 and area 1, transformed, at x cycles. */
static double window_spectrum(double beta, double x)
{
    double omega = 2.0 * VG_PI * x, square = beta * beta - omega * omega, root = sqrt(fabs(square));
    double ratio = 1.0;

    if (root > 0.0)
        ratio = (square > 0.0 ? 0.5 * (vg_exp(root) - vg_exp(-root)) : vg_sin(root)) / root;
    return 2.0 * ratio / bessel_i0(beta);
}

/* The window's spectrum added up from the cutoff on, by Simpson's rule. */
static void edge_make(struct edge *edge, double beta)
{
    const double step = EDGE_WIDTH / STEPS;

    for (size_t i = 0; i <= STEPS; i++)
        edge->slope[i] = step * window_spectrum(beta, step * (double)i);
    edge->rise[0] = 0.5;
    for (size_t i = 0; i < STEPS; i++) {
        double middle = step * window_spectrum(beta, step * ((double)i + 0.5));

        edge->rise[i + 1] = edge->rise[i] + (edge->slope[i] + 4.0 * middle + edge->slope[i + 1]) / 6.0;
    }
}

/* Response of a low-pass at `inside` cycles per half window from its cutoff into the pass band, by cubic
 * interpolation. */
static double edge_at(const struct edge *edge, double inside)
{
    double place = fabs(inside) * (STEPS / EDGE_WIDTH);
    size_t i = place < STEPS ? (size_t)place : STEPS;

    if (i == STEPS)
        return inside > 0.0 ? 1.0 : 0.0;

    double t = place - (double)i, rise = edge->rise[i + 1] - edge->rise[i];
    double a = edge->slope[i] - rise, b = rise - edge->slope[i + 1];
    double at = edge->rise[i] + t * rise + t * (1.0 - t) * ((1.0 - t) * a + t * b);
    return inside > 0.0 ? at : 1.0 - at;
}

/* One low-pass: cutoff in units of the Nyquist of twice the input rate, half length in samples there. */
struct low_pass {
    double cutoff, half;
};

/* libsoxr's sharp stage has 4 m + 1 coefficients. */
static struct low_pass sharp_of(struct vg_resample_filter filter, double ratio)
{
    double scale = 0.5 * (ratio < 1.0 ? ratio : 1.0);
    double half_transition = 0.5 * scale * (filter.stop_begin - filter.pass_end);
    double taps = 4.0 * ceil(0.25 * ceil(SHARP_PRODUCT / half_transition)) + 1.0;

    return (struct low_pass){
        .cutoff = 0.5 * scale * (filter.pass_end + filter.stop_begin),
        .half = 0.5 * taps,
    };
}

/* libsoxr's interpolator lets go 0.01 dB at the end of the pass band; its images may fall where the sharp
 * stage has passed little.  Its length is whole samples, for ratios below 1 an even number of them. */
static struct low_pass smooth_of(struct vg_resample_filter filter, double ratio)
{
    double scale = 0.5 * (ratio < 1.0 ? ratio : 1.0);
    double pass = scale * filter.pass_end, stop = 2.0 - (0.3 * pass + 0.7 * scale * filter.stop_begin);
    double half_transition = 0.5 * (stop - pass) / (1.0 - SMOOTH_FALL);
    double taps = floor(SMOOTH_PRODUCT / half_transition) + 1.0;

    if (ratio < 1.0)
        taps = 2.0 * ceil(0.5 * taps);
    return (struct low_pass){.cutoff = stop - half_transition, .half = 0.5 * taps};
}

static double smooth_kernel(struct low_pass smooth, double at)
{
    double y = at / smooth.half, x = VG_PI * at;

    if (y * y >= 1.0)
        return 0.0;
    return (at != 0.0 ? vg_sin(smooth.cutoff * x) / x : smooth.cutoff) *
           bessel_i0(SMOOTH_BETA * sqrt(1.0 - y * y)) / bessel_i0(SMOOTH_BETA);
}

/* Every phase of the interpolator; the second half mirrors the first. */
static void kernel_make(struct vg_resampler *resampler, struct vg_arena *keep)
{
    struct low_pass smooth = smooth_of(resampler->filter, 1.0);
    size_t taps = resampler->taps, middle = taps / 2 - 1;
    float *kernel = vg_arena_take(keep, (PHASES + 1) * taps, sizeof *kernel);

    for (size_t p = 0; p <= PHASES / 2; p++)
        for (size_t j = 0; j < taps; j++) {
            double at = (double)p / PHASES + (double)middle - (double)j;
            float value = (float)smooth_kernel(smooth, at);

            kernel[p * taps + j] = value;
            kernel[(PHASES - p) * taps + (taps - 1 - j)] = value;
        }
    resampler->kernel = kernel;
}

const struct vg_resampler *vg_resampler_make(struct vg_resample_filter filter, struct vg_arena *keep)
{
    struct vg_resampler *resampler = vg_arena_take(keep, 1, sizeof *resampler);
    struct low_pass smooth = smooth_of(filter, 1.0);

    vg_check(filter.pass_end > 0.0 && filter.pass_end < filter.stop_begin && filter.stop_begin <= 1.0);
    *resampler = (struct vg_resampler){
        .filter = filter,
        .taps = 4 * (size_t)ceil(0.5 * smooth.half),
        .narrow = vg_fftf_make(WIDE / 2, keep),
        .wide = vg_fftf_make(WIDE, keep),
    };
    edge_make(&resampler->sharp, SHARP_BETA);
    edge_make(&resampler->smooth, SMOOTH_BETA);
    kernel_make(resampler, keep);
    return resampler;
}

/* ---- conversion ------------------------------------------------------------------------------------ */

/* A stretch of the signal at twice the input rate, made block by block. */
struct block {
    const struct vg_resampler *resampler;
    const float *in;
    int64_t frames;
    const struct vg_fftf *narrow, *wide;
    size_t size;   /* of the wide transform; the narrow one has half */
    int64_t reach; /* samples at either end that a block spoils */
    int64_t start; /* place of the block's first sample */
    float *gain;   /* [size/4 + 1] response of the sharp stage, by bins of the narrow transform */
    float *at;     /* [size] */
};

/* The sharp stage for this ratio.  The interpolator's table is that of ratios from 1 on; where libsoxr's has
 * another response, the difference is made up here. */
static void set_gain(struct block *block, double ratio)
{
    const struct vg_resampler *resampler = block->resampler;
    struct low_pass sharp = sharp_of(resampler->filter, ratio);
    struct low_pass smooth = smooth_of(resampler->filter, ratio), table = smooth_of(resampler->filter, 1.0);
    size_t bins = block->size / 4 + 1;

    memset(block->gain, 0, bins * sizeof *block->gain);
    for (size_t k = 0; k < bins; k++) {
        double frequency = 2.0 * (double)k / (double)block->size; /* of the Nyquist at twice the rate */
        double gain = 2.0 * edge_at(&resampler->sharp, 0.5 * sharp.half * (sharp.cutoff - frequency));

        if (gain == 0.0)
            break;
        if (ratio < 1.0)
            gain *= edge_at(&resampler->smooth, 0.5 * smooth.half * (smooth.cutoff - frequency)) /
                    edge_at(&resampler->smooth, 0.5 * table.half * (table.cutoff - frequency));
        block->gain[k] = (float)gain;
    }
}

static int64_t reach_of(const struct vg_resampler *resampler, double ratio)
{
    return (int64_t)ceil(sharp_of(resampler->filter, ratio).half) + (int64_t)resampler->taps / 2;
}

static struct block block_open(const struct vg_resampler *resampler, const float *in, size_t frames,
                               double ratio, struct vg_arena *tmp)
{
    struct block block = {
        .resampler = resampler,
        .in = in,
        .frames = (int64_t)frames,
        .narrow = resampler->narrow,
        .wide = resampler->wide,
        .size = WIDE,
        .reach = reach_of(resampler, ratio),
    };

    while (block.size < 8 * (size_t)block.reach)
        block.size *= 2;
    if (block.size != WIDE) {
        block.narrow = vg_fftf_make(block.size / 2, tmp);
        block.wide = vg_fftf_make(block.size, tmp);
    }
    block.gain = vg_arena_take(tmp, block.size / 4 + 1, sizeof *block.gain);
    block.at = vg_arena_take(tmp, block.size, sizeof *block.at);
    set_gain(&block, ratio);
    return block;
}

/* Make the block whose good part begins at `place`, or one before. */
static void block_move(struct block *block, int64_t place, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t half = block->size / 2, bins = half + 1;
    float *x = vg_arena_take_zero(tmp, half, sizeof *x);
    float *re = vg_arena_take_zero(tmp, bins, sizeof *re), *im = vg_arena_take_zero(tmp, bins, sizeof *im);
    int64_t begin = (place - block->reach) >= 0 ? (place - block->reach) / 2 : (place - block->reach - 1) / 2;
    int64_t from = begin < 0 ? 0 : begin, to = begin + (int64_t)half;

    to = to < block->frames ? to : block->frames;
    if (from < to)
        memcpy(x + (from - begin), block->in + from, (size_t)(to - from) * sizeof *x);
    vg_fftf_split(block->narrow, x, re, im, tmp);
    for (size_t k = 0; k <= half / 2; k++) {
        re[k] *= block->gain[k];
        im[k] *= block->gain[k];
    }
    vg_fftf_join(block->wide, re, im, block->at, tmp);
    block->start = 2 * begin;
    /* libsoxr's interpolator hears nothing from before the first sample, not even the low-pass ringing */
    if (block->start < 0)
        memset(block->at, 0, (size_t)(-block->start) * sizeof *block->at);
    vg_arena_rewind(tmp, mark);
}

/* The signal `part` of a sample after the middle tap's place. */
static float interpolate(const struct vg_resampler *resampler, const float *x, double part)
{
    int32_t phase = (int32_t)(part * PHASES);
    float between = (float)(part * PHASES - (double)phase), sum[4] = {0};
    size_t taps = resampler->taps;
    const float *here = resampler->kernel + (size_t)phase * taps, *next = here + taps;

    for (size_t j = 0; j < taps; j += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += x[j + k] * (here[j + k] + between * (next[j + k] - here[j + k]));
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

size_t vg_resample_frames(size_t frames, double ratio)
{
    return (size_t)floor((double)frames * ratio + 0.5);
}

void vg_resample(const struct vg_resampler *resampler, const float *in, size_t frames, double ratio,
                 size_t from, size_t to, float *out, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    int64_t taps = (int64_t)resampler->taps;
    struct block block;

    if (ratio == 1.0) {
        memcpy(out, in + from, (to - from) * sizeof *out);
        return;
    }
    block = block_open(resampler, in, frames, ratio, tmp);
    for (size_t k = from; k < to; k++) {
        double place = (double)k * (2.0 / ratio);
        int64_t middle = (int64_t)place, first = middle - (taps / 2 - 1);

        if (k == from || first + taps > block.start + (int64_t)block.size - block.reach)
            block_move(&block, first, tmp);
        out[k - from] = interpolate(resampler, block.at + (first - block.start), place - (double)middle);
    }
    vg_arena_rewind(tmp, mark);
}

struct vg_resample_needs vg_resample_needs(const struct vg_resampler *resampler, size_t frames, double ratio,
                                           size_t from, size_t to)
{
    double reach = (double)(reach_of(resampler, ratio) + (int64_t)resampler->taps);
    double first = ((double)from * (2.0 / ratio) - reach) / 2.0;
    double last = ((double)to * (2.0 / ratio) + reach) / 2.0;

    return (struct vg_resample_needs){
        .first = first > 0.0 ? (size_t)first : 0,
        .last = last < (double)frames ? (size_t)last : frames,
    };
}
