/* SPDX-License-Identifier: MIT */
/* Logarithms.  x = 2^e m with m in [0.707, 1.414); with a short reciprocal c of m from a table the rest
 * r = m c - 1 is exact as a pair, |r| < 2^-7, and ln x = e ln2 - ln c + ln(1 + r), the first three terms of
 * the series as pairs.  Good to about 2^-74, so that powers can be made of it. */
#include "dsp.h"
#include "exact_log.h"
#include "exact_tables.h"

#include <math.h>

/* ln2 with an upper part that is a multiple of 2^-42, like those of the table. */
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;
static const struct pair THIRD = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
static const struct pair PER_LN2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};       /* 1/ln2 */
static const struct pair PER_LN10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};      /* 1/ln10 */
static const struct pair DB_PER_NEPER = {0x1.15f2ced384f29p+3, -0x1.02bea6b55233cp-52}; /* 20/ln10 */

/* ln(1 + r) - r as a pair. */
static struct pair series_after_first(struct pair r)
{
    struct pair square = pair_multiply(r, r);
    struct pair third = pair_multiply(pair_multiply(square, r), THIRD);
    double x = r.hi, fourth = square.hi * square.hi;
    double tail = -1.0 / 4 + x * (1.0 / 5 + x * (-1.0 / 6 + x * (1.0 / 7 + x * (-1.0 / 8 + x * (1.0 / 9)))));

    tail += fourth * x * x * (-1.0 / 10 + x * (1.0 / 11));
    third.lo += fourth * tail;
    return pair_add((struct pair){-0.5 * square.hi, -0.5 * square.lo}, third);
}

struct pair exact_log(struct pair x)
{
    int e = 0;

    if (x.hi < 0x1p-1022) {
        x = (struct pair){x.hi * 0x1p54, x.lo * 0x1p54};
        e = -54;
    }
    uint64_t bits = double_bits(x.hi);
    unsigned j = (unsigned)(bits >> 45) & 127;
    int power = (int)(bits >> 52) - 1023 + (j >= 53); /* m > sqrt 2 is halved */
    e += power;

    /* m = top + bottom, 41 bits and the rest, each times the reciprocal's 11 bits exact */
    uint64_t m = bits - ((uint64_t)(int64_t)power << 52);
    double top = double_of_bits(m & ~(uint64_t)0xfff);
    double bottom = double_of_bits(m) - top;
    struct exact_bin bin = vg_exact_bins[j];
    double scale = power < 1000 ? double_power_of_two(-power) : 0.0;
    struct pair r = pair_sum(top * bin.reciprocal - 1.0, bottom * bin.reciprocal);
    r = pair_sum_ordered(r.hi, r.lo + x.lo * scale * bin.reciprocal);

    struct pair sum = pair_sum((double)e * LN2_HIGH + bin.high, r.hi);
    sum.lo += r.lo + ((double)e * LN2_LOW + bin.low);
    return pair_add(pair_sum(sum.hi, sum.lo), series_after_first(r));
}

/* Is x outside (0, infinity)?  Then `*result` is what every logarithm gives there. */
static bool outside(double x, double *result)
{
    if (x > 0.0 && x < INFINITY)
        return false;
    *result = x == 0.0 ? -INFINITY : x > 0.0 ? x : NAN;
    return true;
}

static double log_times(double x, struct pair factor)
{
    double result;

    if (outside(x, &result))
        return result;
    struct pair product = pair_multiply(exact_log((struct pair){x, 0.0}), factor);
    return product.hi + product.lo;
}

double vg_log(double x)
{
    double result;

    if (outside(x, &result))
        return result;
    struct pair log = exact_log((struct pair){x, 0.0});
    return log.hi + log.lo;
}

double vg_log2(double x)
{
    return log_times(x, PER_LN2);
}

double vg_log10(double x)
{
    return log_times(x, PER_LN10);
}

double vg_gain_to_db(double gain)
{
    return log_times(gain, DB_PER_NEPER);
}

double vg_log1p(double x)
{
    double result;

    if (outside(1.0 + x, &result))
        return result;
    if (fabs(x) < 0x1p-70)
        return x;
    struct pair log = exact_log(pair_sum(1.0, x));
    return log.hi + log.lo;
}
