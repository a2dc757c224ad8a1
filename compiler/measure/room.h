/* SPDX-License-Identifier: MIT */
/* room: inside the measures.  The filter between a source and an output, for echo. */
#ifndef VG_ROOM_H
#define VG_ROOM_H

#include "heard.h"

#define VG_ROOM_SEC 0.3 /* the latest tap */

/* Which sample of the low-rate signal stands at place i of the kept ones. */
size_t vg_room_sample(const struct vg_room *room, size_t i);
/* The first place whose sample is not before a share of the span. */
size_t vg_room_place(const struct vg_room *room, double share);

/* The filter's taps beside the first, which is the source itself. */
struct vg_taps {
    double *at;  /* room->n values */
    double late; /* energy of the late ones beside a tap of 1 */
};
struct vg_taps vg_room_taps(const struct vg_room *room, const struct vg_low *out, struct vg_arena *tmp);
/* In place of the taps what they make of the source: room->kept samples; returns their energy. */
double vg_room_answer(const struct vg_room *room, double *taps, struct vg_arena *tmp);

#endif
