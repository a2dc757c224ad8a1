/* SPDX-License-Identifier: MIT */
/* audio_roughness: samples lie on a grid whose step grows.  A step's noise, step^2/12, lifts the source's own
 * floor by as many dB as the course says.  Steps are whole LSBs, and never above the peak nearby, so that
 * quiet speech is not erased. */
#include "true.h"

#include <math.h>

static const struct vg_key_rule fixed_keys[] = {VG_TRUE_JND, {0}};

enum { BLOCKS_PER_SEC = 100, STEPS_MAX = 160 };
/* By 1 to 10, 12, 14, 15, 18 ...: from 4 on it is never half an octave to the next. */
enum { DIVISIBLE = 2520 };

/* Largest sample of each block of 10 ms and of its two neighbours. */
struct peaks {
    size_t length, count;
    double *at;
};

static double *block_peaks(const struct vg_clip *clip, size_t length, size_t count, struct vg_arena *tmp)
{
    double *peak = vg_arena_take_zero(tmp, count, sizeof *peak);

    for (size_t k = 0; k < clip->frames; k++)
        if (fabs((double)clip->samples[k]) > peak[k / length])
            peak[k / length] = fabs((double)clip->samples[k]);
    return peak;
}

static struct peaks peaks_of(const struct vg_clip *clip, struct vg_arena *tmp)
{
    struct peaks p = {.length = clip->rate_hz / BLOCKS_PER_SEC};
    double *own;

    p.length = p.length > 0 ? p.length : 1;
    p.count = clip->frames / p.length + 1;
    p.at = vg_arena_take(tmp, p.count, sizeof *p.at);
    own = block_peaks(clip, p.length, p.count, tmp);
    for (size_t i = 0; i < p.count; i++) {
        double before = i > 0 ? own[i - 1] : 0, after = i + 1 < p.count ? own[i + 1] : 0;

        p.at[i] = own[i] > before ? own[i] : before;
        p.at[i] = p.at[i] > after ? p.at[i] : after;
    }
    return p;
}

/* The steps of a source: whole LSBs, all of which divide its peak, so that no step moves that. */
struct scale {
    int peak;
    size_t count;
    int step[STEPS_MAX]; /* rising from 1 */
};

static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct scale *s = vg_arena_take_zero(keep, 1, sizeof *s);
    int peak = (int)vg_one_peak(source);

    (void)item;
    (void)tmp;
    s->peak = peak > DIVISIBLE ? peak - peak % DIVISIBLE : peak;
    for (int step = 1; step <= s->peak / 2 && s->count < STEPS_MAX; step++)
        if (s->peak % step == 0)
            s->step[s->count++] = step;
    return s;
}

/* The step of the scale that is nearest, as a ratio; 1 changes nothing. */
static double step_on_scale(const struct scale *s, double step)
{
    size_t i = 0;

    while (i + 1 < s->count && (double)s->step[i] * s->step[i + 1] < step * step)
        i++;
    return s->count > 0 ? s->step[i] : 1;
}

/* To the nearest point of the grid that 16 bits hold. */
static double on_grid(double x, double step)
{
    double most = floor(32767 / step) * step, y = vg_round_even(x / step) * step;

    return y > most ? most : y < -most ? -most : y;
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track track = vg_track_of(source, tmp);
    const struct scale *scale = shared;
    struct peaks peaks = peaks_of(&source->clip, tmp);
    double floor_power = vg_floor_power(source, tmp), step = 1;
    size_t scan = peaks.length / 8 + 1; /* samples between two looks at the course */

    if (course.reach > 0) /* before: a grid does not survive a gain */
        vg_track_lower_peaks(&track, scale->peak, source->clip.rate_hz, tmp);
    for (size_t k = 0; k < track.frames; k++) {
        if (k % scan == 0) {
            double power = vg_power_above(floor_power, vg_course_at(&course, (double)k)),
                   peak = peaks.at[k / peaks.length];

            step = sqrt(12 * power);
            step = step_on_scale(scale, step < peak ? step : peak);
        }
        if (step > 1)
            track.at[k] = on_grid(track.at[k], step);
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_audio_roughness = {
    .words = {.name = "audio_roughness", .tier = vg_true_tier, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
