/* SPDX-License-Identifier: MIT */
/* Root mean squares in the order numpy sums them: blocks of 8192 values, each pairwise (recursive halves
 * down to 128 values, these in eight interleaved accumulators).  That order bounds the error and, where
 * the recipe sums in f32, decides the bits. */
#include "dsp.h"

#include <math.h>

enum { BLOCK = 8192, LEAF = 128, LANES = 8 };

/* Squares are rounded to f32 before they are added, here in f32 ... */
static float leaf_f32(const float *x, size_t n)
{
    float sum = 0.0f;

    if (n < LANES) {
        for (size_t i = 0; i < n; i++)
            sum += x[i] * x[i];
        return sum;
    }

    float lane[LANES];
    size_t i = LANES;
    for (size_t k = 0; k < LANES; k++)
        lane[k] = x[k] * x[k];
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += x[i + k] * x[i + k];
    sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

/* ... and here in f64. */
static double leaf_f64(const float *x, size_t n)
{
    double sum = 0.0;

    if (n < LANES) {
        for (size_t i = 0; i < n; i++)
            sum += (double)(x[i] * x[i]);
        return sum;
    }

    double lane[LANES];
    size_t i = LANES;
    for (size_t k = 0; k < LANES; k++)
        lane[k] = (double)(x[k] * x[k]);
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += (double)(x[i + k] * x[i + k]);
    sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; i < n; i++)
        sum += (double)(x[i] * x[i]);
    return sum;
}

/* The left half, rounded down to whole lanes. */
static size_t left_of(size_t n)
{
    return n / 2 - n / 2 % LANES;
}

static float pairwise_f32(const float *x, size_t n)
{
    if (n <= LEAF)
        return leaf_f32(x, n);
    return pairwise_f32(x, left_of(n)) + pairwise_f32(x + left_of(n), n - left_of(n));
}

static double pairwise_f64(const float *x, size_t n)
{
    if (n <= LEAF)
        return leaf_f64(x, n);
    return pairwise_f64(x, left_of(n)) + pairwise_f64(x + left_of(n), n - left_of(n));
}

double vg_rms(const float *x, size_t n)
{
    double sum = 0.0;

    if (n == 0)
        return 0.0;
    for (size_t i = 0; i < n; i += BLOCK)
        sum += pairwise_f64(x + i, n - i < BLOCK ? n - i : BLOCK);
    return sqrt(sum / (double)n);
}

float vg_rms_pairwise(const float *x, size_t n)
{
    float sum = 0.0f;

    if (n == 0)
        return 0.0f;
    for (size_t i = 0; i < n; i += BLOCK)
        sum += pairwise_f32(x + i, n - i < BLOCK ? n - i : BLOCK);
    return sqrtf(sum / (float)n);
}
