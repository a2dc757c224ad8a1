/* SPDX-License-Identifier: MIT */
/* The paper's speech detector: frame energies of the pre-emphasised signal against a threshold made of
 * the opening background and the peak (recipe.md "The speech detector").  It needs background first. */
#include "dsp.h"
#include "source.h"

#include <math.h>
#include <stdlib.h>

static size_t frames_of(double sec, uint32_t rate_hz)
{
    double count = vg_round_even(sec * rate_hz);

    return count > 1 ? (size_t)count : 1;
}

/* RMS of y[k] = x[k] - c x[k-1] over one frame; what lies beyond the clip is zero. */
static double frame_rms(const double *x, size_t frames, size_t start, size_t length, double pre_emphasis)
{
    double sum = 0;

    for (size_t k = start; k < start + length && k < frames; k++) {
        double y = x[k] - (k > 0 ? pre_emphasis * x[k - 1] : 0);

        sum += y * y;
    }
    return sqrt(sum / (double)length);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(const double *values, size_t count, struct vg_arena *tmp)
{
    double *sorted = vg_arena_take(tmp, count, sizeof *sorted);

    for (size_t i = 0; i < count; i++)
        sorted[i] = values[i];
    qsort(sorted, count, sizeof *sorted, compare_doubles); /* equals cannot be told apart */
    return count % 2 == 1 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

/* How many frames at the start count as background. */
static size_t background_frames(const struct vg_detector *d, uint32_t rate_hz, size_t frame, size_t hop)
{
    size_t background = frames_of(d->background_sec, rate_hz);
    size_t starts = background >= frame ? background - frame + 1 : 1;

    return (starts + hop - 1) / hop;
}

/* Keep runs of active frames that are long enough: how many, the first's start, the last's end. */
static size_t find_runs(const double *rms, size_t count, double threshold, size_t run_frames, size_t *first,
                        size_t *last)
{
    size_t segments = 0, run = 0;

    for (size_t i = 0; i < count; i++) {
        run = rms[i] >= threshold ? run + 1 : 0;
        if (run < run_frames)
            continue;
        if (run == run_frames && segments++ == 0)
            *first = i + 1 - run;
        *last = i;
    }
    return segments;
}

struct vg_detection vg_detect_speech(const struct vg_detector *d, const double *x, size_t frames,
                                     uint32_t rate_hz, struct vg_arena *tmp)
{
    size_t frame = frames_of(d->frame_sec, rate_hz), hop = frames_of(d->hop_sec, rate_hz);
    size_t count = frames > frame ? (frames - frame) / hop + 1 : 1;
    size_t background = background_frames(d, rate_hz, frame, hop);
    double *rms = vg_arena_take(tmp, count, sizeof *rms);
    struct vg_detection found = {0};
    size_t first = 0, last = 0, end;

    for (size_t i = 0; i < count; i++) {
        rms[i] = frame_rms(x, frames, i * hop, frame, d->pre_emphasis);
        found.peak_rms = larger(found.peak_rms, rms[i]);
    }
    found.noise_floor = median(rms, background < count ? background : count, tmp);
    found.threshold = larger(larger(d->floor_factor * found.noise_floor, d->peak_factor * found.peak_rms),
                             d->threshold_min);
    found.segments = find_runs(rms, count, found.threshold, d->run_frames, &first, &last);
    found.found = found.segments > 0;
    if (!found.found)
        return found;
    end = last * hop + frame;
    found.onset_sec = (double)(first * hop) / rate_hz;
    found.offset_sec = (double)(end < frames ? end : frames) / rate_hz;
    return found;
}
