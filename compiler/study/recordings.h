/* SPDX-License-Identifier: MIT */
/* recordings: sound files anywhere below a folder, found by their name without its ending, or by the id in a
 * JSON file of the same name: a source pack that was unpacked. */
#ifndef VG_STUDY_RECORDINGS_H
#define VG_STUDY_RECORDINGS_H

#include "base.h"

struct vg_recording_name {
    const char *stem, *path; /* stem: or the id */
};
struct vg_recordings {
    struct vg_recording_name *at; /* sorted by stem, then path */
    size_t count, room;
};
/* Lists them; texts live in the arena. */
int vg_recordings_list(struct vg_recordings *recordings, const char *folder, struct vg_arena *arena,
                       struct vg_error *err);
/* How many have this stem; the first is *found. */
size_t vg_recordings_find(const struct vg_recordings *recordings, const char *stem,
                          const struct vg_recording_name **found);
void vg_recordings_release(struct vg_recordings *recordings);

#endif
