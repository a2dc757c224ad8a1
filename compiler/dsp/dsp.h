/* SPDX-License-Identifier: MIT */
/* dsp: exact mathematics and signal kernels.  Arguments in, bits out: no file, no clock, no locale, no
 * thread, no libm but the correctly rounded and exact operations (+ - * / sqrt fabs floor ceil trunc
 * rint).  The order of every sum is written down, so that each result has the same bits on every
 * machine.  Working memory comes from the arena `tmp`, which the caller rewinds. */
#ifndef VG_DSP_H
#define VG_DSP_H

#include "base.h"

/* ---- exact: elementary functions whose bits are ours (at most 1 ulp; tests/dsp/test_exact.c) ------ */

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
double vg_db_to_gain(double db);             /* 10^(db/20) */
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
double vg_random_double(struct vg_random *random); /* 53 bits in [0, 1) */
double vg_random_normal(struct vg_random *random); /* standard_normal */
/* Uniform in 0..bound-1 without bias (Lemire's multiply and reject); bound >= 1. */
uint64_t vg_random_below(struct vg_random *random, uint64_t bound);

/* ---- level --------------------------------------------------------------------------------------- */

/* Root mean square: squares in f32, mean in f64, square root rounded to f32's argument f64. 0 if n = 0. */
double vg_rms(const float *x, size_t n);
/* numpy's float32 mean of squares with pairwise sums in blocks of 8192, root in f32 (recipe.md). */
float vg_rms_pairwise(const float *x, size_t n);

/* ---- spectrum ------------------------------------------------------------------------------------ */

struct vg_complex {
    double re, im;
};
struct vg_complexf {
    float re, im;
};
/* Transforms of one length, any n >= 1 (mixed radix; Bluestein for large primes); tables live in `keep`. */
struct vg_fft;
const struct vg_fft *vg_fft_make(size_t n, struct vg_arena *keep);
/* Real input of n values to n/2+1 bins, f64 butterflies; no scaling. */
void vg_fft_forward(const struct vg_fft *fft, const double *in, struct vg_complex *out, struct vg_arena *tmp);
/* n/2+1 bins to n real values, scaled by 1/n. */
void vg_fft_inverse(const struct vg_fft *fft, const struct vg_complex *in, double *out, struct vg_arena *tmp);

/* A short-time spectrum: frames x bins, bin-contiguous: at[frame * bins + bin]. */
struct vg_stft {
    struct vg_complexf *at;
    size_t frames, bins, n_fft, hop;
};
/* Centred frames, periodic Hann (recipe.md "STFT, inverse and phase vocoder").  n_fft as asked unless the
 * signal is shorter: see vg_stft_size. */
struct vg_stft_size {
    size_t n_fft, hop;
};
struct vg_stft_size vg_stft_size(size_t frames, size_t n_fft, size_t hop);
struct vg_stft vg_stft_forward(const float *x, size_t frames, struct vg_stft_size size, struct vg_arena *tmp);
void vg_stft_inverse(const struct vg_stft *stft, float *out, size_t frames, struct vg_arena *tmp);
/* Phase-vocoder time stretch: `frames_out` = round(frames/rate) samples in `out`. */
size_t vg_stretch_frames(size_t frames, double rate);
void vg_stretch(const struct vg_stft *stft, double rate, float *out, size_t frames_out, struct vg_arena *tmp);

/* ---- resample ------------------------------------------------------------------------------------ */

/* Windowed-sinc rate change by any positive ratio = rate_out / rate_in, delay-free, zeros beyond the ends;
 * floor(n * ratio + 0.5) samples.  Pass band flat within 0.01 dB to 0.91 of the lower Nyquist, images and
 * aliases below -100 dB. */
size_t vg_resample_frames(size_t frames, double ratio);
void vg_resample(const float *in, size_t frames, double ratio, float *out, struct vg_arena *tmp);

/* First n samples of the convolution of x (n) with h (m), f32 in and out. */
void vg_convolve(const float *x, size_t n, const float *h, size_t m, float *out, struct vg_arena *tmp);

#endif
