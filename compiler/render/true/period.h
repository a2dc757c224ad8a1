/* SPDX-License-Identifier: MIT */
/* period: where a sound's periods begin, private to the engine's voice_pitch. */
#ifndef VG_PERIOD_H
#define VG_PERIOD_H

#include "true.h"

/* The start of a period, in samples of the clip, fractions included. */
struct vg_mark {
    double at, period; /* samples to the next */
    bool last;         /* of a voiced stretch */
};
struct vg_marks {
    struct vg_mark *at; /* rising */
    size_t count;
};
/* Marks of all voiced stretches of the span; alike moments of neighbouring periods.  Lives in `keep`. */
struct vg_marks vg_marks_find(const struct vg_loaded *source, struct vg_arena *keep, struct vg_arena *tmp);

#endif
