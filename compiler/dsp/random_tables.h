/* SPDX-License-Identifier: MIT */
/* Layers of the ziggurat, private to dsp; tests/dsp/make_random_tables.c writes them. */
#ifndef VG_RANDOM_TABLES_H
#define VG_RANDOM_TABLES_H

#include <stdint.h>

struct normal_layer {
    uint64_t inside; /* 52-bit draws below this need no further test */
    double width;    /* of the layer, over 2^52 */
    double density;  /* exp(-x^2/2) at its edge */
};
extern const struct normal_layer vg_normal_layers[256];

#endif
