/* SPDX-License-Identifier: MIT */
/* audio_roughness: samples lie on a grid whose step grows.  A step's noise, step^2/12, lifts the source's own
 * floor by as many dB as the course says.  Steps are whole LSBs on a scale of quarter octaves, and never
 * above the peak nearby, so that quiet speech is not erased. */
#include "true.h"

#include <math.h>

static const struct vg_key_rule fixed_keys[] = {VG_TRUE_JND, {0}};

enum { STEPS_PER_OCTAVE = 4, BLOCKS_PER_SEC = 100 };

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

/* Whole LSBs nearest to the place on the scale nearest to `step`; 1 changes nothing. */
static double step_on_scale(double step)
{
    if (step < 1)
        return 1;
    return vg_round_even(vg_exp2(vg_round_even(vg_log2(step) * STEPS_PER_OCTAVE) / STEPS_PER_OCTAVE));
}

/* To the nearest point of the grid, whose last point is the source's peak, that no step may move. */
static double on_grid(double x, double step, double peak)
{
    if (fabs(x) > peak - step / 2)
        return x < 0 ? -peak : peak;
    return vg_round_even(x / step) * step;
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track track = vg_track_of(source, tmp);
    struct peaks peaks = peaks_of(&source->clip, tmp);
    double floor_power = vg_floor_power(source, tmp), most = vg_one_peak(source), step = 1;
    size_t scan = peaks.length / 8 + 1; /* samples between two looks at the course */

    (void)shared;
    for (size_t k = 0; k < track.frames; k++) {
        if (k % scan == 0) {
            double power = vg_power_above(floor_power, vg_course_at(&course, (double)k)),
                   peak = peaks.at[k / peaks.length];

            step = sqrt(12 * power);
            step = step_on_scale(step < peak ? step : peak);
        }
        if (step > 1)
            track.at[k] = on_grid(track.at[k], step, most);
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_audio_roughness = {
    .words = {.name = "audio_roughness", .tier = vg_true_tier, .fixed = fixed_keys},
    .apply = apply,
};
