/* SPDX-License-Identifier: MIT */
/* Fourier transforms in f64, and their form with interleaved bins. */
#include "fft.h"

#define REAL double
#include "fft_body.h"

void vg_fft_forward(const struct vg_fft *fft, const double *in, struct vg_complex *out, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct planes bins = planes_take(fft->n / 2 + 1, tmp);

    vg_fft_split(fft, in, bins.re, bins.im, tmp);
    for (size_t k = 0; k <= fft->n / 2; k++)
        out[k] = (struct vg_complex){.re = bins.re[k], .im = bins.im[k]};
    vg_arena_rewind(tmp, mark);
}

void vg_fft_inverse(const struct vg_fft *fft, const struct vg_complex *in, double *out, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct planes bins = planes_take(fft->n / 2 + 1, tmp);

    for (size_t k = 0; k <= fft->n / 2; k++) {
        bins.re[k] = in[k].re;
        bins.im[k] = in[k].im;
    }
    vg_fft_join(fft, bins.re, bins.im, out, tmp);
    vg_arena_rewind(tmp, mark);
}
