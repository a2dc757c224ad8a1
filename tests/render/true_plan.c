/* SPDX-License-Identifier: MIT */
/* The plan of an item of `true-1`, in the unit of P. */
#include "true_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double mean_power(const struct vg_loaded *loaded)
{
    double sum = 0;

    for (size_t k = loaded->span.on; k < loaded->span.off; k++)
        sum += (double)loaded->clip.samples[k] * loaded->clip.samples[k];
    return sum / (double)(loaded->span.off - loaded->span.on);
}

static double planned(size_t quantity, const struct vg_course *course, const struct vg_loaded *loaded,
                      double sample, struct vg_arena *tmp)
{
    double value = vg_course_at(course, sample), power = vg_power_above(vg_floor_power(loaded, tmp), value);

    switch (quantity) {
    case VG_Q_SPEED:
    case VG_Q_PITCH:
        return value - course->reach / 2;
    case VG_Q_NOISE: /* 1 LSB squared is P's own floor; a quarter of the frames lies lower */
        return 10 * log10((power + 1) / mean_power(loaded));
    case VG_Q_ROUGHNESS:
        return 12 * power > 1 ? log2(sqrt(12 * power)) : 0;
    case VG_Q_ECHO:
        return value - 35;
    default:
        return value;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double true_median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, compare);
    return n > 0 ? (x[(n - 1) / 2] + x[n / 2]) / 2 : 0;
}

/* Median distance of the segments from the plan; volume and clarity stand over a constant of the source's. */
double true_trajectory_error(size_t quantity, const struct vg_evidence *e, const struct vg_course *course,
                             const struct vg_loaded *loaded, struct vg_arena *tmp)
{
    double off[VG_SEGMENTS] = {0}, sorted[VG_SEGMENTS], constant = 0;
    size_t n = 0;

    for (size_t s = 0; s < e->segments; s++) {
        double place = ((double)s + 0.5) / (double)e->segments,
               sample = (double)loaded->span.on + place * (double)(loaded->span.off - loaded->span.on);

        if (!isnan(e->trajectory[s]))
            off[n++] = e->trajectory[s] - planned(quantity, course, loaded, sample, tmp);
    }
    memcpy(sorted, off, sizeof sorted);
    if (quantity == VG_Q_VOLUME || quantity == VG_Q_CLARITY)
        constant = true_median(sorted, n);
    for (size_t s = 0; s < n; s++)
        off[s] = fabs(off[s] - constant);
    return true_median(off, n);
}
