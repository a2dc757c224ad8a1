/* SPDX-License-Identifier: MIT */
/* oracle: the items as they were added, before they are summed. */
#ifndef VG_STUDY_ORACLE_H
#define VG_STUDY_ORACLE_H

#include "study.h"

/* Names, each once, in order of first appearance; the texts live in the oracle's arena. */
struct vg_oracle_names {
    const char **at;
    size_t count, room, last;
};
struct vg_oracle_note {
    size_t category, tier, curve, source; /* numbers of names */
    const char *id;
    enum vg_quantity quantity; /* the category's */
    int claimed;
    bool is_paired, blind_opposed;
    enum vg_verdict verdict;     /* of P */
    double jnds[VG_QUANTITIES];  /* P's net; NaN where it is undefined */
    double blind[VG_QUANTITIES]; /* B's net; NaN where it is undefined */
};
/* A source that was heard itself. */
struct vg_oracle_heard {
    size_t source;
    double blind[VG_QUANTITIES]; /* NaN where it is undefined */
};
struct vg_oracle_notes {
    struct vg_oracle_names categories, tiers, curves, sources;
    struct vg_oracle_note *at;
    size_t count, room;
    struct vg_oracle_heard *heard;
    size_t heard_count, heard_room;
};

/* Median of the values, which are sorted in place; NaN where there is none. */
double vg_oracle_median(double *values, size_t count);
/* oracle_cells.c: cells and leaks; oracle_trends.c: the sources' trends and the items against them. */
void vg_oracle_sum_cells(struct vg_oracle *oracle);
void vg_oracle_sum_leaks(struct vg_oracle *oracle);
void vg_oracle_sum_trends(struct vg_oracle *oracle, const struct vg_margins *margins);

#endif
