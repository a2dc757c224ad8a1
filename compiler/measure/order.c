/* SPDX-License-Identifier: MIT */
/* Order statistics and rank correlation.  Unknown values are NaN and never counted. */
#include "trace.h"

#include <math.h>

bool vg_known(double x)
{
    return !isnan(x);
}

double vg_quantile(double *x, size_t n, double quantile)
{
    double rank, next = INFINITY;
    size_t below;

    if (n == 0)
        return NAN;
    rank = quantile * (double)(n - 1);
    below = (size_t)rank;
    vg_kth_smallest(x, n, below);
    for (size_t i = below + 1; i < n; i++)
        next = x[i] < next ? x[i] : next;
    return below + 1 < n ? x[below] + (next - x[below]) * (rank - (double)below) : x[below];
}

/* Twice the mean rank of x[i] among the known values: whole, so that sums of ranks are exact. */
static double twice_rank(const double *x, size_t n, size_t i)
{
    size_t twice = 1;

    for (size_t k = 0; k < n; k++) {
        if (vg_known(x[k]))
            twice += x[k] < x[i] ? 2 : (k != i && x[k] <= x[i]);
    }
    return (double)twice;
}

double vg_rank_trend(const double *x, size_t n)
{
    double count = 0, order = 0, xy = 0, xx = 0, yy = 0;

    for (size_t i = 0; i < n; i++)
        count += vg_known(x[i]);
    for (size_t i = 0; i < n; i++) {
        if (vg_known(x[i])) {
            double rank = twice_rank(x, n, i) - count, time = 2 * order + 1 - count;

            xy += rank * time;
            xx += rank * rank;
            yy += time * time;
            order++;
        }
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}
