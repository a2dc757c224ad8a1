/* SPDX-License-Identifier: MIT */
/* reverb: a Schroeder reverberator, private to paper. */
#ifndef VG_REVERB_H
#define VG_REVERB_H

#include "paper.h"

/* Parallel feedback combs, averaged, then all-passes in series.  `scale` multiplies every feedback and gain;
 * the impulse response ends after impulse_sec. */
struct vg_room {
    double impulse_sec;
    struct vg_value comb_ms, comb_feedback; /* as many of each */
    struct vg_value allpass_ms;
    double allpass_gain, scale;
};
/* x convolved with the room's impulse response, n samples of it. */
void vg_reverb(const struct vg_room *room, double rate_hz, const float *x, size_t n, float *out,
               struct vg_arena *tmp);

#endif
