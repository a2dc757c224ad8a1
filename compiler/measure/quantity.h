/* SPDX-License-Identifier: MIT */
/* quantity: the nine measures inside the room, one file each.  A measure fills a trace whose `segments` is
 * set.  Paired measures get the source laid along the output where they ask for it (measure.c). */
#ifndef VG_QUANTITY_H
#define VG_QUANTITY_H

#include "pair.h"

void vg_volume_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
void vg_tempo_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
void vg_pitch_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
void vg_noise_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
void vg_hold_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
void vg_grid_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
void vg_clarity_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
void vg_vibration_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
void vg_echo_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);

void vg_volume_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
void vg_tempo_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
void vg_pitch_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
void vg_noise_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
void vg_hold_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
void vg_grid_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
void vg_clarity_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
void vg_vibration_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
void vg_echo_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);

/* Mean squares of K-weighted blocks (BS.1770-4, one channel), in sample units squared; `blocks` blocks of
 * `hop` samples from x on, the filter at rest before them. */
void vg_loudness_power(const int16_t *x, size_t blocks, size_t hop, uint32_t rate_hz, double *power);
/* LUFS of such a mean square; -infinity at 0. */
double vg_loudness_lufs(double power);

#endif
