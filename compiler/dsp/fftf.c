/* SPDX-License-Identifier: MIT */
/* The transforms of fft.c in f32: the same text under other names. */
#include "fft.h"

#define REAL float
#define vg_fft vg_fftf
#define vg_fft_make vg_fftf_make
#define vg_fft_split vg_fftf_split
#define vg_fft_join vg_fftf_join
#include "fft_body.h"
