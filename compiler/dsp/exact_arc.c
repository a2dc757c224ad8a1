/* SPDX-License-Identifier: MIT */
/* Arc tangent.  For 0 <= n <= d: atan(n/d) = atan(c) + atan(t) with c = j/128 nearest to n/d and
 * t = (n - c d)/(d + c n), a pair; atan(c) from a table of pairs, atan(t) from its Taylor series.  Then
 * quarter turns are added.  About 2^-69 before the one rounding. */
#include "dsp.h"
#include "exact_tables.h"

#include <math.h>

static const struct pair HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const struct pair PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const double TINY = 0x1p-60; /* below, atan(q) = q to far more than 53 bits */

static struct pair pair_negative(struct pair a)
{
    return (struct pair){-a.hi, -a.lo};
}

/* atan(n/d) for 0 < n <= d, both within 2^-1000 .. 2^900 or so. */
static struct pair arc(double n, double d)
{
    unsigned j = (unsigned)(n / d * 128.0 + 0.5);
    double c = (double)j / 128.0;
    struct pair above = pair_add((struct pair){n, 0.0}, pair_negative(pair_product(c, d)));
    struct pair below = pair_add((struct pair){d, 0.0}, pair_product(c, n));
    double t = above.hi / below.hi;
    struct pair back = pair_product(t, below.hi);
    double rest = ((above.hi - back.hi - back.lo) + (above.lo - t * below.lo)) / below.hi;
    double square = t * t;
    double series = t * square * (-1.0 / 3 + square * (1.0 / 5 - square * (1.0 / 7 - square * (1.0 / 9))));
    struct pair sum = pair_sum(vg_exact_arc[j].hi, t);

    return pair_sum_ordered(sum.hi, sum.lo + (vg_exact_arc[j].lo + (rest + series)));
}

/* The angle in the first octant turned to where (x, |y|) lies: 0..pi. */
static double turn(struct pair angle, bool steep, bool left)
{
    if (steep)
        angle = pair_add(HALF_PI, left ? angle : pair_negative(angle));
    else if (left)
        angle = pair_add(PI, pair_negative(angle));
    return angle.hi + angle.lo;
}

static double positive_atan2(double y, double x)
{
    double width = fabs(x);
    bool steep = y > width, left = signbit(x);
    double n = steep ? width : y, d = steep ? y : width;

    if (isinf(d))
        return turn(isinf(n) ? vg_exact_arc[128] : (struct pair){0.0, 0.0}, steep, left);
    if (n == 0.0 || n < d * TINY) /* also 0/0 */
        return turn((struct pair){n == 0.0 ? 0.0 : n / d, 0.0}, steep, left);
    double scale = d > 0x1p900 ? 0x1p-200 : d < 0x1p-700 ? 0x1p300 : 1.0;
    return turn(arc(n * scale, d * scale), steep, left);
}

double vg_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return NAN;

    double angle = positive_atan2(fabs(y), x);
    return signbit(y) ? -angle : angle;
}
