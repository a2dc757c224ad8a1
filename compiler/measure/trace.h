/* SPDX-License-Identifier: MIT */
/* trace: inside the measures.  Values over time (contours), what a part of the span says (traces), and the
 * small mathematics both need.  An unknown value is NaN and is never counted. */
#ifndef VG_TRACE_H
#define VG_TRACE_H

#include "measure.h"

bool vg_known(double x); /* not NaN */
/* Between order statistics, linearly; reorders `x`, of which all are known; NaN where n = 0. */
double vg_quantile(double *x, size_t n, double quantile);
/* Spearman's correlation of the known values with their order, ties sharing their mean rank; 0 where all
 * are equal or fewer than two are known. */
double vg_rank_trend(const double *x, size_t n);
/* Sum of a[i] * b[i] in eight running sums, joined ((0+1)+(2+3))+((4+5)+(6+7)), then the tail in order. */
float vg_dot(const float *a, const float *b, size_t n);
int64_t vg_product_sum(const int16_t *a, const int16_t *b, size_t n); /* exact */
/* log2 of positive normal numbers within 2e-6 + half an ulp. */
void vg_log2_rough(const float *in, float *out, size_t n);

/* A part of the span: from <= t < to, in shares of it, 0..1. */
struct vg_part {
    double from, to;
};
extern const struct vg_part vg_thirds[2], vg_halves[2]; /* the first and the last */

/* Values in order of time; place[i], a share of the span, does not fall. */
struct vg_contour {
    double *value;
    const double *place;
    size_t count;
};
double vg_contour_quantile(const struct vg_contour *contour, struct vg_part part, double quantile,
                           struct vg_arena *tmp);
/* How many values of a part are known. */
size_t vg_contour_known(const struct vg_contour *contour, struct vg_part part);
double vg_contour_mean(const struct vg_contour *contour, struct vg_part part);
/* First value at or after a place. */
size_t vg_contour_find(const struct vg_contour *contour, double place);

/* What a quantity finds in one part of the span; NaN where that part shows nothing. */
struct vg_asked {
    double (*in)(const void *context, struct vg_part part, struct vg_arena *tmp);
    const void *context;
};
/* A quantity over time: 12, 6 or 3 equal parts of the span, and its change from the first to the last
 * third (or half) taken as a whole. */
struct vg_trace {
    size_t segments; /* set by whoever asks for the trace */
    double at[VG_SEGMENTS];
    double net;   /* in the unit */
    double heard; /* the same change in the unit of the JND: how much of it is heard */
};
size_t vg_segments_of(size_t span, uint32_t rate_hz);
/* Fills `at`, and `net` and `heard` with the difference between two parts. */
void vg_trace_fill(struct vg_trace *trace, struct vg_asked asked, const struct vg_part outer[2],
                   struct vg_arena *tmp);
double vg_trace_change(struct vg_asked asked, const struct vg_part outer[2], struct vg_arena *tmp);
/* The same of a contour's quantile, over thirds. */
void vg_trace_quantile(struct vg_trace *trace, const struct vg_contour *contour, double quantile,
                       struct vg_arena *tmp);
/* No value anywhere. */
void vg_trace_clear(struct vg_trace *trace);

#endif
