/* SPDX-License-Identifier: MIT */
/* course: where the numbers of a course stand among the rules, and how far it reaches for a net change. */
#ifndef VG_COURSE_H
#define VG_COURSE_H

enum { VG_TRUE_CHANGE };   /* among the tier's */
enum { VG_TRUE_JND_RULE }; /* among the fixed */
enum {                     /* of `trajectory` */
       VG_TRUE_EDGES,
       VG_TRUE_EDGE_SEC,
       VG_TRUE_CROSSING_SEC,
       VG_TRUE_SPAN_LEAST_SEC,
       VG_TRUE_LEVEL_LEAST_DB,
       VG_TRUE_NOISE_MOST_DB
};
enum vg_edges { VG_EDGES_TRIM, VG_EDGES_HOLD, VG_EDGES_SOURCE };

/* Between the means of the outer thirds lie two thirds of a line's reach, and of a parabola's. */
#define VG_GLIDE_REACH 1.5

#endif
