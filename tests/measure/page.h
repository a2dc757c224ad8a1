/* SPDX-License-Identifier: MIT */
/* page: paired measures as labels.md defines them, where ours differ because they measure better.  Its known
 * answers were taken with these definitions, and are tested with them. */
#ifndef VG_PAGE_H
#define VG_PAGE_H

#include "pair.h"

/* A source's side; lives in `keep`, which is another arena than `tmp`. */
void page_source(struct vg_heard *heard, const struct vg_sound *source, struct vg_arena *keep,
                 struct vg_arena *tmp);
/* Change in dB of what does not follow the source: 25 % quantile of the residual per segment, on top of the
 * source's own floor, re the span; mean of the last third of the segments minus that of the first. */
double page_noise(const struct vg_heard *source, const struct vg_sound *output, struct vg_arena *tmp);

#endif
