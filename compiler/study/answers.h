/* SPDX-License-Identifier: MIT */
/* answers: the items of a release by any of their names, and the predictions for them. */
#ifndef VG_STUDY_ANSWERS_H
#define VG_STUDY_ANSWERS_H

#include "study.h"

/* An item as scoring sees it; texts are shared: two that are equal are one. */
struct vg_examined {
    const char *split, *category, *tier, *curve, *direction;
    size_t source; /* number of the source, from 0 */
    bool up;
    enum vg_answer answer; /* VG_MISSING until its row comes */
    size_t line;           /* of the predictions; 0: none yet */
};
enum { VG_ROLL_WORDS = 1024 };
struct vg_roll {
    struct vg_examined *items; /* in manifest order */
    size_t count, room, source_count;
    const char *up, *down;      /* the two labels */
    struct vg_roll_name *names; /* sorted by hash: keys and <category>__<id> */
    size_t name_count, name_room;
    const char *words[VG_ROLL_WORDS]; /* every text that items share */
    size_t word_count;
    struct vg_arena arena;
};
int vg_roll_read(struct vg_roll *roll, const char *release, struct vg_error *err);
int vg_roll_answer(struct vg_roll *roll, const char *predictions, struct vg_error *err);
void vg_roll_release(struct vg_roll *roll);

#endif
