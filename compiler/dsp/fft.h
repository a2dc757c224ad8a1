/* SPDX-License-Identifier: MIT */
/* fft: Fourier transforms on split planes (real parts in one array, imaginary parts in another), private to
 * dsp.  vg_fft works in f64, vg_fftf in f32; both are fft_body.h.  Any length is exact to rounding; the
 * time grows with the largest prime factor, so long transforms want lengths of small primes. */
#ifndef VG_FFT_H
#define VG_FFT_H

#include "dsp.h"

/* Real `in` of n values to n/2 + 1 bins; no scaling. */
void vg_fft_split(const struct vg_fft *fft, const double *in, double *re, double *im, struct vg_arena *tmp);
/* n/2 + 1 bins to n real values, scaled by 1/n.  What the imaginary parts of bin 0 and, for even n, of
 * bin n/2 hold is ignored. */
void vg_fft_join(const struct vg_fft *fft, const double *re, const double *im, double *out,
                 struct vg_arena *tmp);

struct vg_fftf;
const struct vg_fftf *vg_fftf_make(size_t n, struct vg_arena *keep);
void vg_fftf_split(const struct vg_fftf *fft, const float *in, float *re, float *im, struct vg_arena *tmp);
void vg_fftf_join(const struct vg_fftf *fft, const float *re, const float *im, float *out,
                  struct vg_arena *tmp);

#endif
