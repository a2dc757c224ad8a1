/* SPDX-License-Identifier: MIT */
/* Inside source: what the robust detector looks at, one frame each 5 ms. */
#ifndef VG_DETECT_H
#define VG_DETECT_H

#include "dsp.h"

enum { VG_SPEECH_BANDS = 20 };

/* Power in bands of equal width on the ear's scale, from 120 Hz to 8 kHz or, if that is less, 0.45 of the
 * rate. */
struct vg_speech_bands {
    size_t count, hop; /* frames; samples between their middles, the first of which is sample 0 */
    double *power[VG_SPEECH_BANDS];  /* [count]: mean square */
    double degrees[VG_SPEECH_BANDS]; /* independent values in a band of one frame */
};
void vg_speech_bands_make(struct vg_speech_bands *bands, const double *x, size_t frames, uint32_t rate_hz,
                          struct vg_arena *arena);
/* Which frames a click reaches: [bands->count]. */
bool *vg_speech_clicks(const struct vg_speech_bands *bands, const double *x, size_t frames, uint32_t rate_hz,
                       struct vg_arena *arena);
/* Share of the stretch from <= k < to that has a pitch. */
double vg_speech_voiced_share(const double *x, size_t from, size_t to, uint32_t rate_hz,
                              struct vg_arena *tmp);

#endif
