/* SPDX-License-Identifier: MIT */
/* section: what the page is made of.  A section is a file with a `struct vg_section` and a line in page.c. */
#ifndef VG_SECTION_H
#define VG_SECTION_H

#include "html.h"
#include "report.h"
#include "svg.h"

/* ---- what the release tells (gather.c) ----------------------------------------------------------------- */

/* How far the items of a category move along their labels, in JNDs; negative: against them. */
struct vg_nets {
    struct vg_net {
        double jnds;
        enum vg_verdict verdict;
    } * at;
    size_t count, room; /* only those that could be measured: none is undecided */
};
/* Measured trajectories of one category, tier, curve and direction: each of VG_SEGMENTS values over the span,
 * NaN where nothing was heard.  Of very many items the first are kept. */
enum { VG_COURSES_MAX = 8192 };
struct vg_courses {
    double (*at)[VG_SEGMENTS];
    size_t count, room;
    size_t items;     /* measured ones, kept or not */
    uint32_t rate_hz; /* of the first */
};
/* Items left out for one reason, of one category. */
struct vg_left_out {
    const char *category, *why;
    size_t items;
};
struct vg_findings {
    const char *release; /* the folder; for messages */
    const struct vg_spec *spec;
    struct vg_about about;
    struct vg_margins margins;
    struct vg_summary summary;
    struct vg_audit *audit;
    struct vg_oracle oracle;
    struct vg_nets *nets;       /* [category of the spec] */
    struct vg_courses *courses; /* see vg_courses_of */
    struct vg_table sources;    /* sources.csv */
    struct vg_left_out *left_out;
    size_t left_out_count;
    struct vg_arena arena;
};
/* Zero-initialise; everything is released by vg_findings_release, also after a failure. */
int vg_findings_gather(struct vg_findings *findings, const char *release, const struct vg_spec *spec,
                       struct vg_error *err);
void vg_findings_release(struct vg_findings *findings);
struct vg_courses *vg_courses_of(const struct vg_findings *findings, size_t category, size_t tier,
                                 enum vg_curve curve, enum vg_direction direction);
/* Sums over a category of the spec. */
struct vg_cell vg_findings_of(const struct vg_findings *findings, size_t category);
/* How many values of sources.csv's column; a field of its row. */
const char *vg_source_field(const struct vg_findings *findings, size_t row, const char *column);

/* ---- sections ------------------------------------------------------------------------------------------ */

struct vg_section {
    const char *id, *title; /* our own words: the anchor and the heading */
    void (*write)(const struct vg_findings *findings, struct vg_text *out);
};
extern const struct vg_section vg_section_identity, vg_section_counts, vg_section_labels, vg_section_courses,
    vg_section_oracle, vg_section_leakage, vg_section_sources, vg_section_shortcuts, vg_section_excluded;

/* ---- small things that sections share ------------------------------------------------------------------ */

/* Sorts the values; NaN where there is none.  Between order statistics, linearly. */
double vg_quantile_of(double *values, size_t count, double quantile);
/* Formats into the arena; for labels and tips. */
const char *vg_report_number(struct vg_arena *arena, double value, int decimals);

#endif
