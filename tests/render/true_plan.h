/* SPDX-License-Identifier: MIT */
/* true_plan: how far what the measures hear lies from the course that an item of `true-1` was to follow. */
#ifndef TRUE_PLAN_H
#define TRUE_PLAN_H

#include "measure.h"
#include "true/true.h"

double true_median(double *x, size_t n); /* reorders x; 0 of none */
/* Median distance of the segments from the plan; volume and clarity stand over a constant of the source's. */
double true_trajectory_error(size_t quantity, const struct vg_evidence *e, const struct vg_course *course,
                             const struct vg_loaded *loaded, struct vg_arena *tmp);

#endif
