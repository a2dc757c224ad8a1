/* SPDX-License-Identifier: MIT */
/* Steady tones above a voice's range: their period is a whole part of what the search for a voice found, and
 * is looked for at the full rate. */
#include "voice.h"

#define TONE_MAX_HZ 3000.0
#define TONE_LEAST 0.97f  /* as periodic as this is no vowel at half its period */
#define COARSE_LEAST 0.8f /* at the low rate, where a short period falls between samples */
#define NEAR 1.06

static ptrdiff_t centre_of(const struct vg_heard *heard, size_t window)
{
    return (ptrdiff_t)((2 * window + 1) * heard->hop);
}

/* The shortest whole part of a lag that is as good a period; 0 where there is none. */
static struct vg_period find_part(const struct vg_heard *heard, size_t window, double lag, float strength)
{
    const struct vg_low *low = &heard->lows.low, *full = &heard->full;
    size_t parts = (size_t)(lag * TONE_MAX_HZ / low->rate_hz);

    for (; parts > 1; parts--) {
        double part = lag / (double)parts;
        ptrdiff_t centre = centre_of(heard, window) / (ptrdiff_t)low->factor;
        struct vg_period tone;

        if (vg_period_correlation(low, centre, (ptrdiff_t)(part + 0.5)) < COARSE_LEAST)
            continue;
        tone = vg_period_near(full, (double)centre_of(heard, window), part * (double)low->factor, NEAR);
        if (tone.strength >= TONE_LEAST * strength)
            return tone;
    }
    return (struct vg_period){0, 0};
}

void vg_tones_find(struct vg_heard *heard, double *period_sec, float *strength, size_t count,
                   struct vg_arena *keep)
{
    for (size_t j = 0; j < count; j++) {
        struct vg_period tone;

        if (strength[j] < TONE_LEAST)
            continue;
        if (heard->full.x == NULL)
            heard->full = vg_full_of(heard->x, heard->span, heard->margin, heard->sound.rate_hz, keep);
        tone = find_part(heard, j, period_sec[j] * heard->lows.low.rate_hz, strength[j]);
        if (tone.lag > 0) {
            period_sec[j] = tone.lag / heard->full.rate_hz;
            strength[j] = tone.strength;
        }
    }
}
