/* SPDX-License-Identifier: MIT */
/* One peak for all items of a source, so that it does not tell them apart: the source's own.  Moments above
 * it are lowered by a smooth dip of some hundredths of a second, as deep as its highest sample needs; an item
 * that stays below is raised as a whole.  Where a span's end would so be louder or softer beside its
 * beginning than the source's, the level leans against it. */
#include "true.h"

#include <math.h>

#define HIGHEST 32767.0
enum { BLOCKS_PER_SEC = 500, REACH = 12 }; /* blocks on either side of one that is lowered */
#define LEAN_MOST_DB 3.0                   /* over the span: 2 dB between the middles of its outer thirds */
enum { ROUNDS = 3 };                       /* a lowered peak moves the level, and a level moves peaks */

double vg_one_peak(const struct vg_loaded *source)
{
    int peak = 0;

    for (size_t k = source->span.on; k < source->span.off; k++) {
        int x = source->clip.samples[k], size = x < 0 ? -x : x;

        peak = size > peak ? size : peak;
    }
    return peak < HIGHEST ? peak : HIGHEST;
}

static double span_peak(const struct vg_track *track)
{
    double peak = 0;

    for (size_t k = track->span.on; k < track->span.off; k++) {
        double size = fabs(track->at[k]);

        peak = size > peak ? size : peak;
    }
    return peak;
}

/* Gain that each block needs, at most 1. */
static void find_needs(const struct vg_track *track, size_t length, double most, double *need, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t from = track->span.on + i * length, to = from + length;
        double peak = most;

        to = to < track->span.off ? to : track->span.off;
        for (size_t k = from; k < to; k++)
            peak = fabs(track->at[k]) > peak ? fabs(track->at[k]) : peak;
        need[i] = most / peak;
    }
}

/* Around a block: the least need, or with a Hann window's weights the mean. */
static double least_around(const double *need, size_t count, size_t i)
{
    size_t first = i > REACH ? i - REACH : 0, end = i + REACH < count ? i + REACH + 1 : count;
    double least = 1;

    for (size_t k = first; k < end; k++)
        least = need[k] < least ? need[k] : least;
    return least;
}

static double mean_around(const double *held, size_t count, size_t i)
{
    double sum = 0, all = 0;

    for (size_t d = 0; d < REACH; d++) {
        double weight = (0.5 + 0.5 * vg_cos(VG_PI * (double)d / REACH)) * (d == 0 ? 0.5 : 1);

        sum += weight * (held[i >= d ? i - d : 0] + held[i + d < count ? i + d : count - 1]);
        all += 2 * weight;
    }
    return sum / all;
}

/* Between the middles of blocks; nowhere above what any sample needs. */
static void lower(struct vg_track *track, size_t length, const double *gain, size_t count)
{
    for (size_t k = track->span.on; k < track->span.off; k++) {
        double at = ((double)(k - track->span.on) + 0.5) / (double)length - 0.5;
        size_t i = at > 0 ? (size_t)at : 0, next = i + 1 < count ? i + 1 : i;
        double share = at > 0 ? at - (double)i : 0;

        track->at[k] *= gain[i] + (gain[next] - gain[i]) * share;
    }
}

void vg_track_lower_peaks(struct vg_track *track, double most, uint32_t rate_hz, struct vg_arena *tmp)
{
    size_t length = rate_hz / BLOCKS_PER_SEC, count;
    double *need, *held;

    if (most <= 0 || span_peak(track) <= most)
        return;
    length = length > 0 ? length : 1;
    count = (track->span.off - track->span.on + length - 1) / length;
    need = vg_arena_take(tmp, count, sizeof *need);
    held = vg_arena_take(tmp, count, sizeof *held);
    find_needs(track, length, most, need, count);
    for (size_t i = 0; i < count; i++)
        held[i] = least_around(need, count, i);
    for (size_t i = 0; i < count; i++)
        need[i] = mean_around(held, count, i);
    lower(track, length, need, count);
}

void vg_track_raise_peak(struct vg_track *track, double most)
{
    double peak = span_peak(track);

    if (peak <= 0 || most <= 0)
        return;
    for (size_t k = 0; k < track->frames; k++)
        track->at[k] *= most / peak;
}

void vg_track_one_peak(struct vg_track *track, const struct vg_loaded *source, struct vg_arena *tmp)
{
    double most = vg_one_peak(source), room_db = LEAN_MOST_DB;

    for (size_t i = 0; i < ROUNDS; i++) {
        if (track->span.off - track->span.on == source->span.off - source->span.on)
            room_db -= fabs(vg_track_level_ends(track, source, room_db));
        vg_track_lower_peaks(track, most, source->clip.rate_hz, tmp);
    }
    vg_track_raise_peak(track, most);
}
