/* SPDX-License-Identifier: MIT */
/* foreign: what one worker hears of a published set. */
#ifndef VG_FOREIGN_H
#define VG_FOREIGN_H

#include "command.h"
#include "study.h"

/* A worker's memory: the recording at hand and what the paired measures keep of it.  Zero-initialise, then
 * recording = SIZE_MAX. */
struct vg_ear {
    struct vg_arena keep, item, tmp; /* of the recording; of the item; of the measures */
    size_t recording;
    struct vg_sound source;
    const struct vg_reference *reference;
    struct vg_evidence blind[VG_QUANTITIES]; /* of the recording */
};
/* One item as it was heard. */
struct vg_overheard {
    bool heard, paired_too;
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];
    struct vg_evidence source[VG_QUANTITIES]; /* B of the recording */
    char digest[VG_DIGEST_HEX];               /* of the samples */
    struct vg_error err;
};
/* Hears item `index`; faults are VG_SOURCE at `place`, the row. */
int vg_ear_hear(struct vg_ear *ear, const struct vg_published *set, size_t index,
                const struct vg_margins *margins, const char *place, struct vg_overheard *heard);
void vg_ear_release(struct vg_ear *ear);

#endif
