/* SPDX-License-Identifier: MIT */
/* speech: recordings for the tests of measures. */
#ifndef VG_SPEECH_H
#define VG_SPEECH_H

#include "scene.h"

/* At most the first eight seconds; ends the test where it cannot be read. */
struct vg_loaded speech_load(struct scene *scene, struct vg_arena *arena, const char *path);
/* Sets the span as the paper's detector finds it. */
void speech_detect(struct vg_loaded *loaded, struct vg_arena *arena);

#endif
