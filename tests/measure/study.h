/* SPDX-License-Identifier: MIT */
/* study: real speech rendered by the product and measured, every item of every category; what the tests of
 * labels look at. */
#ifndef VG_STUDY_H
#define VG_STUDY_H

#include "measure.h"
#include "scene.h"

/* What was done to the source. */
enum study_treatment { STUDY_ITEM, STUDY_CONSTANT, STUDY_UNMODIFIED };

struct study_row {
    size_t source;
    double span_sec;
    uint32_t rate_hz;
    enum study_treatment treatment;
    size_t category, tier; /* category: also the quantity */
    enum vg_curve curve;
    int claimed; /* +1, -1; of a constant treatment 0 */
    bool no_op;  /* the treatment leaves no trace: there is nothing to confirm */
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];
};
struct study {
    struct vg_arena arena;
    struct vg_margins margins;
    const char **sources; /* names */
    size_t source_count;
    size_t published; /* items measured as the published pipeline wrote them */
    struct study_row *rows;
    size_t count, room;
};

/* Renders and measures; ends the test where something cannot be read. */
void study_run(struct study *study, struct scene *scene);
void study_release(struct study *study);
/* Has this item a change, and a span long enough to be asked of? */
bool study_counts(const struct study_row *row);

#endif
