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
    const char *rater; /* of a person's answer; else NULL */
    bool measured, paired_right, blind_right;
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
/* Index of the item by one of its names; false where there is none. */
bool vg_roll_find(const struct vg_roll *roll, const char *name, size_t *item);
int vg_roll_answer(struct vg_roll *roll, const char *predictions, struct vg_error *err);
/* Forget all answers. */
void vg_roll_clear(struct vg_roll *roll);
void vg_roll_release(struct vg_roll *roll);

/* Scores of the items with their answers; the same item may be there for several people. */
void vg_score_roll(const struct vg_roll *roll, const struct vg_score_options *options,
                   struct vg_scores *scores);
/* Is the item in the group of this score? */
bool vg_score_covers(const struct vg_score *score, const struct vg_examined *item);

#endif
