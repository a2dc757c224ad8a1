/* SPDX-License-Identifier: MIT */
/* paper: the engine `paper-1`, the published pipeline sample for sample (recipe.md), private to render.
 * One acoustic category a file, named after it. */
#ifndef VG_PAPER_H
#define VG_PAPER_H

#include "steps.h"

extern const struct vg_engine vg_paper_engine;

extern const struct vg_transform vg_paper_volume;
extern const struct vg_transform vg_paper_speaking_speed;
extern const struct vg_transform vg_paper_voice_pitch;
extern const struct vg_transform vg_paper_background_noise;
extern const struct vg_transform vg_paper_audio_distortion;
extern const struct vg_transform vg_paper_audio_roughness;
extern const struct vg_transform vg_paper_voice_clarity;
extern const struct vg_transform vg_paper_voice_vibration;
extern const struct vg_transform vg_paper_echo;

/* The item's span in steps, as the spec's `trajectory` says. */
struct vg_steps vg_paper_steps(const struct vg_item *item, const struct vg_loaded *source);

#endif
