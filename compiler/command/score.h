/* SPDX-License-Identifier: MIT */
/* score: what the two kinds of scores, models' and people's, print alike. */
#ifndef VG_COMMAND_SCORE_H
#define VG_COMMAND_SCORE_H

#include "command.h"
#include "study.h"

/* A blank and a share as per cent with two decimals, or -; 9 characters. */
void vg_score_add_percent(struct vg_text *out, double share);
/* A comma and a number, or nothing. */
void vg_score_add_number(struct vg_text *out, double value);
void vg_score_text(struct vg_text *out, const struct vg_scores *scores, const char *what);
/* Without line ends. */
void vg_score_csv_header(struct vg_text *out);
void vg_score_csv(struct vg_text *out, const struct vg_score *score);

/* score_people.c */
int vg_score_people(struct vg_call *call, const struct vg_about *about,
                    const struct vg_score_options *options);

#endif
