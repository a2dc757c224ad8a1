/* SPDX-License-Identifier: MIT */
/* annotate: what `serve --annotate` starts with. */
#ifndef VG_COMMAND_ANNOTATE_H
#define VG_COMMAND_ANNOTATE_H

#include "command.h"
#include "serve.h"

/* The study of a release, ready to be served.  Zero-initialise. */
struct vg_annotating {
    struct vg_work work; /* the release's own spec */
    struct vg_study study;
    struct vg_annotate *annotate;
};
int vg_annotating_open(struct vg_annotating *annotating, struct vg_call *call);
void vg_annotating_release(struct vg_annotating *annotating);

#endif
