/* SPDX-License-Identifier: MIT */
/* voice: the period of a sound near a moment. */
#ifndef VG_VOICE_H
#define VG_VOICE_H

#include "heard.h"

struct vg_period {
    double lag;     /* samples of the signal; 0 where no peak was found */
    float strength; /* normalised correlation, 0..1 */
};
/* The strongest correlation peak with a lag from lag / ratio to lag * ratio; `centre` in the same samples. */
struct vg_period vg_period_near(const struct vg_low *low, double centre, double lag, double ratio);
/* The same in the samples themselves, around one of them, for periods too short for the low rate. */
struct vg_period vg_period_near_exact(const struct vg_heard *heard, size_t centre, double lag, double ratio,
                                      struct vg_arena *tmp);
/* Correlation of two windows of 25 ms that lie `lag` apart, together centred on `centre`; 0 beyond the
 * margins. */
float vg_period_correlation(const struct vg_low *low, ptrdiff_t centre, ptrdiff_t lag);
/* Replaces the periods of windows that hold a steady tone above a voice's range. */
void vg_tones_find(const struct vg_heard *heard, double *period_sec, float *strength, size_t count,
                   struct vg_arena *tmp);

#endif
