/* SPDX-License-Identifier: MIT */
/* Specs inside the program: those that need no outside file (embed.cmake). */
#ifndef VG_EMBEDDED_H
#define VG_EMBEDDED_H

#include "spec.h"

extern const struct vg_spec_text vg_embedded_specs[];
extern const size_t vg_embedded_spec_count;

#endif
