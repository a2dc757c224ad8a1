/* SPDX-License-Identifier: MIT */
/* Inside source: how a clip of a known corpus maps to a file where the table does not name one. */
#ifndef VG_LAYOUT_H
#define VG_LAYOUT_H

#include "base.h"

#define VG_LAYOUTS "path|vctk-0.92|vctk-0.80|loquacious|commonvoice-spontaneous"

struct vg_layout_clip {
    const char *layout; /* one of VG_LAYOUTS */
    const char *root;   /* folder of the corpus */
    const char *clip_id;
    const char *split; /* of the corpus, where it keeps folders apart by split; "" unknown */
    const char *place; /* for messages */
};
/* The file's path from the root.  Faults are VG_SOURCE at the place. */
int vg_layout_resolve(const struct vg_layout_clip *clip, char **path, struct vg_arena *arena,
                      struct vg_error *err);
/* The speaker that a clip's name tells in this layout; "" where it tells none. */
const char *vg_layout_speaker(const char *layout, const char *clip_id, struct vg_arena *arena);

#endif
