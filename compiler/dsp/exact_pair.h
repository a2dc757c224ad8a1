/* SPDX-License-Identifier: MIT */
/* A value as an unevaluated sum of two doubles, about 106 bits, private to dsp.  Error-free sums after
 * Knuth (TAOCP 2, 4.2.2), products after Dekker (Numer. Math. 18, 1971) with Veltkamp's split: + - * only,
 * so that machines with and without fused multiply-add agree.  Arguments stay below 2^990. */
#ifndef VG_EXACT_PAIR_H
#define VG_EXACT_PAIR_H

#include <stdint.h>
#include <string.h>

struct pair {
    double hi, lo; /* |lo| <= ulp(hi)/2 once normalised */
};

/* a + b exactly. */
static inline struct pair pair_sum(double a, double b)
{
    double sum = a + b;
    double part = sum - a;

    return (struct pair){sum, (a - (sum - part)) + (b - part)};
}

/* The same where |a| >= |b| or a is 0. */
static inline struct pair pair_sum_ordered(double a, double b)
{
    double sum = a + b;

    return (struct pair){sum, b - (sum - a)};
}

/* a in two halves of at most 26 bits each: the factor is 2^27 + 1. */
static inline struct pair pair_split(double a)
{
    double big = a * 134217729.0;
    double hi = big - (big - a);

    return (struct pair){hi, a - hi};
}

/* a * b exactly. */
static inline struct pair pair_product(double a, double b)
{
    struct pair x = pair_split(a), y = pair_split(b);
    double product = a * b;

    return (struct pair){product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

/* Sum and product with a relative error near 2^-104 (the sum: of the larger term). */
static inline struct pair pair_add(struct pair a, struct pair b)
{
    struct pair sum = pair_sum(a.hi, b.hi);

    return pair_sum_ordered(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline struct pair pair_multiply(struct pair a, struct pair b)
{
    struct pair product = pair_product(a.hi, b.hi);

    return pair_sum_ordered(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* The bits of a double (IEEE 754 binary64) and back. */
static inline uint64_t double_bits(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^exponent for a normal result: -1022 <= exponent <= 1023. */
static inline double double_power_of_two(int exponent)
{
    return double_of_bits((uint64_t)(exponent + 1023) << 52);
}

#endif
