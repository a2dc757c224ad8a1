/* SPDX-License-Identifier: MIT */
/* Sine and cosine.  x = k pi/512 + r with |r| <= pi/1024; sin and cos of k pi/512 from a table of pairs, of
 * r from their Taylor series, joined by the addition theorems with the leading products exact.  The sum is
 * good to about 2^-69 before its one rounding, so the result is the nearest double but for about one
 * argument in 2^16. */
#include "dsp.h"
#include "exact_tables.h"

#include <math.h>

/* An angle: steps of pi/512, of which 1024 make a turn, and the rest. */
struct angle {
    uint32_t steps;
    struct pair rest;
};

/* pi/512 as a pair, and in three parts of which the first two have 27 bits; each is nearest to what the ones
 * before it leave. */
static const struct pair STEP = {0x1.921fb54442d18p-8, 0x1.1a62633145c07p-62};
static const double STEP_1 = 0x1.921fb54p-8, STEP_2 = 0x1.10b461p-38, STEP_3 = 0x1.a62633145c06ep-66;
static const double STEPS_PER_RADIAN = 0x1.45f306dc9c883p+7; /* 512/pi */
static const double FAR = 0x1p18;   /* from here on step counts times STEP_1 are no longer exact */
static const double NEAR = 0x1p-21; /* closer to an axis the three parts have too few bits */

/* The quarter turns in x >= 1, modulo 4, after Payne and Hanek (SIGNUM Newsletter 18, 1983):
 * x = m 2^e with m of 53 bits, and the words of 2/pi whose product with it is a multiple of 4 are left out.
 * Returns the whole quarters; `fraction` is the rest as words of 32 bits after the point. */
enum { WINDOW = 8, FRACTION = 5 };
static uint32_t quarter_turns(double x, uint32_t fraction[FRACTION])
{
    uint64_t bits = double_bits(x);
    uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;
    int e = (int)(bits >> 52) - 1075;
    unsigned skipped = e >= 34 ? (unsigned)(e - 2) / 32 : 0;
    unsigned place = (unsigned)(e - 32 * (int)skipped + 64); /* 64 keeps it positive: e >= -52 */
    unsigned shift = place % 32;
    uint32_t factor[3] = {(uint32_t)(m << shift), (uint32_t)(m >> (32 - shift)),
                          (uint32_t)(m >> 32 >> (32 - shift))};
    uint32_t product[WINDOW + 3] = {0};

    for (unsigned j = 0; j < WINDOW; j++) {
        uint64_t word = vg_exact_two_over_pi[skipped + WINDOW - 1 - j];
        uint64_t carry = 0;

        for (unsigned i = 0; i < 3; i++) {
            carry += word * factor[i] + product[i + j];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[j + 3] = (uint32_t)carry;
    }

    unsigned unit = WINDOW + 2 - place / 32; /* product's word just before the point */
    for (unsigned i = 0; i < FRACTION; i++)
        fraction[i] = product[unit - 1 - i];
    return product[unit] & 3;
}

static struct angle reduce_far(double x)
{
    uint32_t fraction[FRACTION];
    uint32_t steps = quarter_turns(x, fraction) << 8 | fraction[0] >> 24;
    struct pair rest = {(double)(fraction[0] & 0xffffff) * 0x1p-24, 0.0};

    if (rest.hi >= 0.5) {
        steps += 1;
        rest.hi -= 1.0;
    }
    double scale = 0x1p-56;
    for (unsigned i = 1; i < FRACTION; i++, scale *= 0x1p-32) {
        struct pair sum = pair_sum(rest.hi, (double)fraction[i] * scale);

        rest = (struct pair){sum.hi, sum.lo + rest.lo};
    }
    return (struct angle){steps, pair_multiply(rest, STEP)};
}

/* x >= 0 and finite. */
static struct angle reduce(double x)
{
    if (x >= FAR)
        return reduce_far(x);

    double k = (x * STEPS_PER_RADIAN + 0x1.8p52) - 0x1.8p52; /* to nearest */
    struct pair near = pair_sum(x - k * STEP_1, -k * STEP_2);
    uint32_t steps = (uint32_t)k;
    if ((steps & 255) == 0 && steps != 0 && fabs(near.hi) < NEAR)
        return reduce_far(x);
    return (struct angle){steps, pair_sum_ordered(near.hi, near.lo - k * STEP_3)};
}

/* sin(rest) - rest.hi and cos(rest) - 1; the first terms left out are below 2^-84. */
static struct pair rest_series(struct pair rest)
{
    double r = rest.hi, square = r * r;
    double sine = rest.lo + r * square * (-1.0 / 6 + square * (1.0 / 120 - square * (1.0 / 5040)));
    double cosine = square * (-0.5 + square * (1.0 / 24 - square * (1.0 / 720))) - r * rest.lo;

    return (struct pair){sine, cosine};
}

/* The sine of the angle; a quarter turn, 256 steps, more gives the cosine. */
static double sine_at(uint32_t steps, struct pair rest, struct pair series)
{
    uint32_t j = steps & 255;
    struct pair sine = vg_exact_sine[j], cosine = vg_exact_sine[256 - j];

    if ((steps & 256) != 0) {
        struct pair turned = {-sine.hi, -sine.lo};

        sine = cosine;
        cosine = turned;
    }
    struct pair product = pair_product(cosine.hi, rest.hi);
    struct pair sum = pair_sum(sine.hi, product.hi);
    double small = sine.hi * series.lo + cosine.hi * series.hi;
    double result = sum.hi + (sum.lo + (product.lo + (sine.lo + (cosine.lo * rest.hi + small))));
    return (steps & 512) != 0 ? -result : result;
}

struct vg_sincos vg_sincos(double radians)
{
    if (!isfinite(radians))
        return (struct vg_sincos){NAN, NAN};

    struct angle angle = reduce(fabs(radians));
    struct pair series = rest_series(angle.rest);
    double sine = sine_at(angle.steps, angle.rest, series);
    return (struct vg_sincos){signbit(radians) ? -sine : sine,
                              sine_at(angle.steps + 256, angle.rest, series)};
}

double vg_sin(double radians)
{
    if (!isfinite(radians))
        return NAN;

    struct angle angle = reduce(fabs(radians));
    double sine = sine_at(angle.steps, angle.rest, rest_series(angle.rest));
    return signbit(radians) ? -sine : sine;
}

double vg_cos(double radians)
{
    if (!isfinite(radians))
        return NAN;

    struct angle angle = reduce(fabs(radians));
    return sine_at(angle.steps + 256, angle.rest, rest_series(angle.rest));
}
