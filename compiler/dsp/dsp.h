/* SPDX-License-Identifier: MIT */
/* dsp: exact mathematics and signal kernels.  Arguments in, bits out: no file, no clock, no locale, no
 * thread, no libm but the correctly rounded and exact operations (+ - * / sqrt fabs floor ceil trunc
 * rint).  The order of every sum is written down, so that each result has the same bits on every
 * machine.  Working memory comes from the arena `tmp`, which the caller rewinds. */
#ifndef VG_DSP_H
#define VG_DSP_H

#include "base.h"

/* ---- exact: elementary functions whose bits are ours ---------------------------------------------- */

/* Each within 0.5001 ulp of the true value, subnormal results included: the nearest double but for one
 * result in ten thousand at most (tests/dsp/test_exact.c). */

#define VG_PI 0x1.921fb54442d18p+1

struct vg_sincos {
    double sin, cos;
};
struct vg_sincos vg_sincos(double radians); /* any finite argument, full range reduction */
double vg_sin(double radians);
double vg_cos(double radians);
double vg_atan2(double y, double x); /* C99 Annex F for zeros and infinities */
double vg_exp(double x);
double vg_exp2(double x);
double vg_log(double x);
double vg_log2(double x);
double vg_log10(double x);
double vg_log1p(double x);
double vg_pow(double base, double exponent); /* base > 0 */
double vg_db_to_gain(double db);             /* 10^q, q = db/20 rounded */
double vg_gain_to_db(double gain);           /* 20 log10(gain); -infinity at 0 */
double vg_round_even(double x);              /* to nearest, ties to even */

/* ---- random: numpy's default_rng, bit for bit (SeedSequence, PCG64 XSL-RR, 256-level ziggurat) ---- */

struct vg_random {
    uint64_t state_high, state_low, step_high, step_low;
};
void vg_random_seed(struct vg_random *random, uint64_t entropy); /* default_rng(entropy) */
/* First 8 bytes, big endian, of SHA-256 of the text: how every draw gets its identity. */
uint64_t vg_random_entropy(const char *text);
uint64_t vg_random_next(struct vg_random *random);
double vg_random_double(struct vg_random *random);                          /* 53 bits in [0, 1) */
double vg_random_normal(struct vg_random *random);                          /* standard_normal */
void vg_random_normals(struct vg_random *random, double *values, size_t n); /* n of them */
/* Uniform in 0..bound-1 without bias (Lemire's multiply and reject); bound >= 1. */
uint64_t vg_random_below(struct vg_random *random, uint64_t bound);

/* ---- level --------------------------------------------------------------------------------------- */

/* Root mean square: squares rounded to f32, mean and root in f64; 0 if n = 0. */
double vg_rms(const float *x, size_t n);
/* numpy's float32 mean of squares with pairwise sums in blocks of 8192, root in f32 (recipe.md). */
float vg_rms_pairwise(const float *x, size_t n);

/* ---- order -------------------------------------------------------------------------------------------- */

/* The k-th smallest of n known values, k from 0; leaves it at x[k], none larger before it, none smaller
 * behind. */
double vg_kth_smallest(double *x, size_t n, size_t k);

/* ---- spectrum ------------------------------------------------------------------------------------ */

struct vg_complex {
    double re, im;
};
/* Transforms of one length, any n >= 1; mixed radix, so that time grows with the largest prime factor of n.
 * Tables live in `keep`. */
struct vg_fft;
const struct vg_fft *vg_fft_make(size_t n, struct vg_arena *keep);
/* Real input of n values to n/2+1 bins, f64 butterflies; no scaling. */
void vg_fft_forward(const struct vg_fft *fft, const double *in, struct vg_complex *out, struct vg_arena *tmp);
/* n/2+1 bins to n real values, scaled by 1/n. */
void vg_fft_inverse(const struct vg_fft *fft, const struct vg_complex *in, double *out, struct vg_arena *tmp);

/* ---- short-time spectra (recipe.md "STFT, inverse and phase vocoder") ---------------------------------- */

/* Length of a column's transform and distance between columns, in samples.  A signal shorter than n_fft has
 * n_fft = max(n_fft_min, frames), and hop = n_fft/4 where the hop would not be smaller than that. */
struct vg_stft_size {
    size_t n_fft, hop;
};
struct vg_stft_size vg_stft_size(size_t frames, size_t n_fft, size_t n_fft_min, size_t hop);

/* Window (periodic Hann) and transforms of one size; lives in `keep`. */
struct vg_stft {
    struct vg_stft_size size;
    size_t bins; /* n_fft/2 + 1 */
    const double *window;
    const float *window_f32;
    const float *steady;           /* [hop]: what samples are divided by where columns overlap fully, ... */
    const float *rising, *falling; /* ... before that and after the last column's start */
    const struct vg_fft *fft;      /* analysis in f64 ... */
    const struct vg_fftf *fft_f32; /* ... synthesis in f32 */
};
const struct vg_stft *vg_stft_make(struct vg_stft_size size, struct vg_arena *keep);
/* Columns of a signal: column c is centred on sample c * hop, with zeros beyond the ends. */
size_t vg_stft_columns(const struct vg_stft *stft, size_t frames);
/* Column c of x, `bins` values in each plane. */
void vg_stft_column(const struct vg_stft *stft, const float *x, size_t frames, size_t column, float *re,
                    float *im, struct vg_arena *tmp);

/* The way back: samples from <= k < to of a signal of `columns` columns, which are added one by one in
 * rising order.  Only those in first <= c < last reach the samples asked for. */
struct vg_overlap {
    const struct vg_stft *stft;
    float *out; /* of to - from samples */
    size_t from, to, columns, first, last;
};
struct vg_overlap vg_overlap_start(const struct vg_stft *stft, size_t columns, size_t from, size_t to,
                                   float *out);
void vg_overlap_add(const struct vg_overlap *overlap, size_t column, const float *re, const float *im,
                    struct vg_arena *tmp);
/* Divide by the squared windows added up. */
void vg_overlap_finish(const struct vg_overlap *overlap);

/* ---- time stretch ---------------------------------------------------------------------------------- */

/* What the phase vocoder needs of a signal, for any number of stretches; lives in `keep`. */
struct vg_vocoder;
const struct vg_vocoder *vg_vocoder_make(const struct vg_stft *stft, const float *x, size_t frames,
                                         struct vg_arena *keep, struct vg_arena *tmp);
size_t vg_vocoder_bytes(const struct vg_stft *stft, size_t frames); /* about what that takes in `keep` */
/* round(frames / rate): what `frames` samples become. */
size_t vg_stretch_frames(size_t frames, double rate);
/* Samples from <= k < to of the signal stretched by `rate` > 0 (above 1: shorter), the pitch kept. */
void vg_stretch(const struct vg_vocoder *vocoder, double rate, size_t from, size_t to, float *out,
                struct vg_arena *tmp);

/* ---- resample -------------------------------------------------------------------------------------- */

/* Where the pass band ends and the stop band begins, of the lower of the two Nyquist frequencies.  libsoxr's
 * HQ, which the paper's stack uses, has 0.913743653 and 1. */
struct vg_resample_filter {
    double pass_end, stop_begin;
};
/* What does not depend on the ratio; lives in `keep`. */
struct vg_resampler;
const struct vg_resampler *vg_resampler_make(struct vg_resample_filter filter, struct vg_arena *keep);
/* floor(n * ratio + 0.5): what n samples become at ratio = rate_out / rate_in > 0. */
size_t vg_resample_frames(size_t frames, double ratio);
/* Samples from <= k < to of the result, of any positive ratio: linear phase, no delay, zeros beyond the
 * ends.  Pass band flat within 0.01 dB to 0.91 of the lower Nyquist, images and aliases below -100 dB
 * (tests/dsp/test_resample.c).  A ratio of 1 copies. */
void vg_resample(const struct vg_resampler *resampler, const float *in, size_t frames, double ratio,
                 size_t from, size_t to, float *out, struct vg_arena *tmp);
/* The samples of `in` that those depend on: first <= k < last.  The others can be zero. */
struct vg_resample_needs {
    size_t first, last;
};
struct vg_resample_needs vg_resample_needs(const struct vg_resampler *resampler, size_t frames, double ratio,
                                           size_t from, size_t to);

/* First n samples of the convolution of x (n) with h (m), f32 in and out. */
void vg_convolve(const float *x, size_t n, const float *h, size_t m, float *out, struct vg_arena *tmp);

#endif
