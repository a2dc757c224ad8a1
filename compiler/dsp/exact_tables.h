/* SPDX-License-Identifier: MIT */
/* Tables of the exact functions, private to dsp; tests/dsp/make_exact_tables.c writes them. */
#ifndef VG_EXACT_TABLES_H
#define VG_EXACT_TABLES_H

#include <stdint.h>

#include "exact_pair.h"

/* A bin of the logarithm: m * reciprocal is near 1, and ln m = high + low + ln(m * reciprocal). */
struct exact_bin {
    double reciprocal, high, low;
};

extern const struct pair vg_exact_sine[257];      /* sin(j pi/512) */
extern const struct pair vg_exact_arc[129];       /* atan(j/128) */
extern const struct pair vg_exact_power[128];     /* 2^(j/128) */
extern const struct exact_bin vg_exact_bins[128]; /* by the 7 bits after the leading one */
extern const uint32_t vg_exact_two_over_pi[42];   /* 1344 bits after the binary point */

#endif
