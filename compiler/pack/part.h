/* SPDX-License-Identifier: MIT */
/* part: what a part of a release holds beside a release, and reading it back (part.c); used by merge.c. */
#ifndef VG_PACK_PART_H
#define VG_PACK_PART_H

#include "inside.h"

/* One part being read, group after group.  Zero-initialise. */
struct vg_part {
    const char *folder;
    const struct vg_about *about;
    size_t group_size;
    struct vg_rows rows;
    struct vg_table excluded;
    size_t excluded_next;
    struct vg_shard_reader *shard; /* open, or NULL */
    size_t shard_next;
    struct vg_record **records; /* of the group, in plan order */
    size_t *order;
    struct vg_arena keep, names;
};
int vg_part_open(struct vg_part *part, const char *folder, const struct vg_about *about, size_t group_size,
                 struct vg_error *err);
/* Hands the next group over; `end` where the part has no more, and then nothing was. */
int vg_part_group(struct vg_part *part, size_t group, struct vg_release *release, bool *end,
                  struct vg_error *err);
void vg_part_close(struct vg_part *part);

#endif
