/* SPDX-License-Identifier: MIT */
/* Exponentials and powers.  x = k ln2/128 + r; e^x = 2^(k/128) (1 + r + r^2/2 + ...), the power of two from
 * a table of pairs, the first terms of the series exact.  Good to about 2^-76 before the one rounding (a
 * power: 2^-66 at worst), also where the result is subnormal. */
#include "dsp.h"
#include "exact_tables.h"
#include "exact_log.h"

#include <math.h>

/* ln2/128 in two parts, the first of 35 bits so that its multiples below 2^18 are exact; ln2 as a pair. */
static const double STEP_1 = 0x1.62e42fefcp-8, STEP_2 = -0x1.c610ca86c3899p-44;
static const double STEPS_PER_UNIT = 0x1.71547652b82fep+7; /* 128/ln2 */
static const struct pair LN2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

static const double TOO_LARGE = 0x1.62e42fefa39efp+9;  /* 1024 ln2 */
static const double TOO_SMALL = -0x1.74910d52d3052p+9; /* below, less than half the least subnormal */

/* value * 2^exponent, rounded once; 0.9 < value.hi < 2. */
static double scaled(struct pair value, int exponent)
{
    if (exponent > 1000)
        return (value.hi * 0x1p1000 + value.lo * 0x1p1000) * double_power_of_two(exponent - 1000);
    if (exponent > -1022 || (exponent == -1022 && value.hi >= 1.0))
        return (value.hi + value.lo) * double_power_of_two(exponent);

    /* subnormal: next to 1 the doubles are as far apart as subnormals are next to 2^-1022 */
    double shift = double_power_of_two(exponent + 1022);
    struct pair sum = pair_sum_ordered(1.0, value.hi * shift);
    double rounded = sum.hi + (sum.lo + value.lo * shift);
    return (rounded - 1.0) * 0x1p-1022;
}

/* 2^(k/128) e^rest for |rest| < 0.003. */
static double power_times_exp(int k, struct pair rest)
{
    struct pair table = vg_exact_power[(unsigned)k & 127];
    struct pair square = pair_product(rest.hi, rest.hi);
    double r = rest.hi;
    double cubic =
        r * square.hi * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040)))));
    struct pair growth = pair_sum_ordered(r, 0.5 * square.hi);
    growth.lo += rest.lo + (0.5 * square.lo + (r * rest.lo + cubic));
    struct pair product = pair_product(table.hi, growth.hi);
    struct pair sum = pair_sum_ordered(table.hi, product.hi);
    double small = product.lo + (table.lo + (table.lo * growth.hi + table.hi * growth.lo));

    return scaled(pair_sum_ordered(sum.hi, sum.lo + small), (k - (int)((unsigned)k & 127)) / 128);
}

/* e^(x.hi + x.lo) */
static double exp_of_pair(struct pair x)
{
    if (isnan(x.hi))
        return x.hi;
    if (x.hi > TOO_LARGE)
        return INFINITY;
    if (x.hi < TOO_SMALL)
        return 0.0;

    double k = (x.hi * STEPS_PER_UNIT + 0x1.8p52) - 0x1.8p52;
    struct pair rest = pair_sum(x.hi - k * STEP_1, -k * STEP_2);
    return power_times_exp((int)k, pair_sum_ordered(rest.hi, rest.lo + x.lo));
}

double vg_exp(double x)
{
    return exp_of_pair((struct pair){x, 0.0});
}

double vg_exp2(double x)
{
    if (isnan(x))
        return x;
    if (x >= 1024.0)
        return INFINITY;
    if (x < -1075.0)
        return 0.0;

    double k = (x * 128.0 + 0x1.8p52) - 0x1.8p52;
    return power_times_exp((int)k, pair_multiply((struct pair){x - k / 128.0, 0.0}, LN2));
}

double vg_pow(double base, double exponent)
{
    if (exponent == 0.0 || base == 1.0)
        return 1.0;
    if (base == 0.0 || isinf(base))
        return (base == 0.0) == (exponent > 0.0) ? 0.0 : INFINITY;

    struct pair log = exact_log((struct pair){base, 0.0});
    double estimate = log.hi * exponent;
    if (!(fabs(estimate) < 800.0)) /* too large, too small, or not a number */
        return vg_exp(estimate);
    if (fabs(estimate) < 0x1p-60)
        return 1.0 + estimate;
    return exp_of_pair(pair_multiply(log, (struct pair){exponent, 0.0}));
}
