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
/* The samples themselves around one of them, for periods up to `lag` that may be too short for the low rate.
 */
struct vg_excerpt {
    struct vg_low samples;
    const double *squares; /* of the samples before each, added up: exact */
    size_t centre;
};
struct vg_excerpt vg_excerpt_make(const struct vg_heard *heard, size_t centre, double lag,
                                  struct vg_arena *tmp);
/* As vg_period_near; a peak below `least` counts as none. */
struct vg_period vg_excerpt_period(const struct vg_excerpt *excerpt, double lag, double ratio, float least);
/* Correlation of two windows of 25 ms that lie `lag` apart, together centred on `centre`; 0 beyond the
 * margins. */
float vg_period_correlation(const struct vg_low *low, ptrdiff_t centre, ptrdiff_t lag);
/* Replaces the periods of windows that hold a steady tone above a voice's range. */
void vg_tones_find(const struct vg_heard *heard, double *period_sec, float *strength, size_t count,
                   struct vg_arena *tmp);

#endif
