/* SPDX-License-Identifier: MIT */
/* Steady tones above a voice's range: their period is a whole part of what the search for a voice found, and
 * is looked for in the samples themselves. */
#include "voice.h"

#define TONE_MAX_HZ 3000.0
#define TONE_LEAST 0.97f  /* as periodic as this is no vowel at half its period */
#define COARSE_LEAST 0.3f /* at the low rate, where a short period falls between samples */
#define NEAR 1.06

/* The shortest whole part of a window's period that is as good a period, in samples; 0 where there is none.
 */
static struct vg_period find_part(const struct vg_heard *heard, size_t window, double period_sec,
                                  float strength, struct vg_arena *tmp)
{
    const struct vg_low *low = &heard->lows.low;
    struct vg_excerpt excerpt = {.squares = NULL};
    size_t centre = (2 * window + 1) * heard->hop, parts = (size_t)(period_sec * TONE_MAX_HZ);

    for (; parts > 1; parts--) {
        double part_sec = period_sec / (double)parts;
        ptrdiff_t coarse = (ptrdiff_t)(part_sec * low->rate_hz + 0.5);
        struct vg_period tone;

        if (vg_period_correlation(low, (ptrdiff_t)(centre / low->factor), coarse) < COARSE_LEAST)
            continue;
        if (excerpt.squares == NULL)
            excerpt = vg_excerpt_make(heard, centre, NEAR * period_sec * heard->sound.rate_hz, tmp);
        tone = vg_excerpt_period(&excerpt, part_sec * heard->sound.rate_hz, NEAR, TONE_LEAST * strength);
        if (tone.lag > 0)
            return tone;
    }
    return (struct vg_period){0, 0};
}

void vg_tones_find(const struct vg_heard *heard, double *period_sec, float *strength, size_t count,
                   struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);

    for (size_t j = 0; j < count; j++) {
        struct vg_period tone = {0, 0};

        if (strength[j] >= TONE_LEAST)
            tone = find_part(heard, j, period_sec[j], strength[j], tmp);
        if (tone.lag > 0) {
            period_sec[j] = tone.lag / heard->sound.rate_hz;
            strength[j] = tone.strength;
        }
        vg_arena_rewind(tmp, mark);
    }
}
