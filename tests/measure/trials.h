/* SPDX-License-Identifier: MIT */
/* trials: real speech rendered by the product and measured, every item of every category; what the tests of
 * labels look at. */
#ifndef VG_TRIALS_H
#define VG_TRIALS_H

#include "measure.h"
#include "scene.h"

/* What was done to the source. */
enum trial_treatment { TRIAL_ITEM, TRIAL_CONSTANT, TRIAL_UNMODIFIED };

struct trial {
    size_t source;
    double span_sec;
    uint32_t rate_hz;
    enum trial_treatment treatment;
    size_t category, tier; /* category: also the quantity */
    enum vg_curve curve;
    int claimed; /* +1, -1; of a constant treatment 0 */
    bool no_op;  /* the treatment leaves no trace: there is nothing to confirm */
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];
    double page_noise; /* dB, see page.h; of items in categories that are known to move it, else NaN */
};
struct trials {
    struct vg_arena arena;
    struct vg_margins margins;
    const char **sources; /* names */
    size_t source_count;
    size_t published; /* items measured as the published pipeline wrote them */
    struct trial *rows;
    size_t count, room;
};

/* Renders and measures; ends the test where something cannot be read. */
void trials_run(struct trials *trials, struct scene *scene);
void trials_release(struct trials *trials);
/* Has this item a change, and a span long enough to be asked of? */
bool trials_counts(const struct trial *row);

#endif
