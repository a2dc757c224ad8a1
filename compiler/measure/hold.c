/* SPDX-License-Identifier: MIT */
/* audio_distortion: how long sample values are held, as sample-and-hold at a lower rate leaves them.  A
 * frame's hold is the largest h of 2..16 for which at least 90 % of its changes of value fall on one residue
 * of the sample number modulo h; else, where its changes come as evenly as those of a rate between whole
 * holds do, the mean number of samples between them; else 1. */
#include "quantity.h"

#include <math.h>

enum { HOLD_MAX = 16, CHANGES_MIN = 5 };
#define REGULAR 0.9
#define TOGETHER 6.0 /* samples */

static size_t list_changes(const int16_t *x, size_t n, uint32_t *at)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        at[count] = (uint32_t)i;
        count += x[i] != (x - 1)[i];
    }
    return count;
}

static bool holds(const uint32_t *at, size_t count, unsigned h)
{
    size_t on[HOLD_MAX] = {0}, most = 0;

    for (size_t i = 0; i < count; i++)
        on[at[i] % h]++;
    for (unsigned r = 0; r < h; r++)
        most = on[r] > most ? on[r] : most;
    return (double)most >= REGULAR * (double)count;
}

static double largest_whole(const uint32_t *at, size_t count, size_t n)
{
    size_t most = (n + 1) / 2; /* changes with h = 2 */

    if (count < CHANGES_MIN || REGULAR * (double)count > (double)most)
        return 1;
    for (unsigned h = HOLD_MAX; h > 1; h--) {
        if (holds(at, count, h))
            return h;
    }
    return 1;
}

/* Mean distance of places that come as a steady clock's do when rounded: so many of them together that
 * chance would scatter their distance widely, and nearly all such distances within a sample of the mean. */
static double clock_of(const uint32_t *at, size_t count)
{
    double mean, even = 0;
    size_t together;

    if (count < CHANGES_MIN)
        return 0;
    mean = (double)(at[count - 1] - at[0]) / (double)(count - 1);
    together = (size_t)(TOGETHER / mean) + 1;
    if (count < together + CHANGES_MIN - 1)
        return 0;
    for (size_t i = together; i < count; i++)
        even += fabs((double)(at[i] - at[i - together]) - mean * (double)together) < 1;
    return even >= REGULAR * (double)(count - together) ? mean : 0;
}

/* The other places of 0..n-1; in `to`, which has room for them. */
static size_t list_others(const uint32_t *at, size_t count, size_t n, uint32_t *to)
{
    size_t others = 0;

    for (size_t i = 0, next = 0; i < n; i++) {
        if (next < count && at[next] == i)
            next++;
        else
            to[others++] = (uint32_t)i;
    }
    return others;
}

/* Under two samples a hold shows in the values that repeat, which are then the rarer ones. */
static double hold_of(const int16_t *x, size_t n, uint32_t *at)
{
    size_t count = list_changes(x, n, at), others;
    uint32_t *repeats = at + n;
    double whole, clock;

    if (count == 0)
        return NAN;
    whole = largest_whole(at, count, n);
    if (whole > 1)
        return whole;
    if (2 * count <= n) {
        clock = clock_of(at, count);
        return clock > 0 && clock < HOLD_MAX + 1 ? clock : 1;
    }
    others = list_others(at, count, n, repeats);
    clock = clock_of(repeats, others);
    return clock > 1 ? clock / (clock - 1) : 1;
}

void vg_hold_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp)
{
    size_t count = (heard->frames + 1) / 2;
    double *hold = vg_arena_take(keep, count + 1, sizeof *hold);
    uint32_t *at = vg_arena_take(tmp, 4 * heard->hop + 2, sizeof *at);

    for (size_t j = 0; j < count; j++)
        hold[j] = hold_of(heard->x + 2 * j * heard->hop, 2 * heard->hop, at);
    heard->hold = hold;
}

void vg_hold_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour octaves = vg_pair_contour(pair, tmp);

    for (size_t k = 0; k < octaves.count; k++) {
        size_t s = vg_pair_source_frame(pair, k) / 2;
        double before = pair->source->hold[s], after = pair->output->hold[k / 2];

        octaves.value[k] =
            k % 2 == 0 && vg_heard_is_loud(pair->source, 2 * s) ? vg_log2(after / before) : NAN;
    }
    vg_trace_quantile(trace, &octaves, 0.5, tmp);
}

void vg_hold_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour octaves = vg_heard_contour(sound, tmp);

    for (size_t k = 0; k < octaves.count; k++)
        octaves.value[k] = k % 2 == 0 && vg_heard_is_loud(sound, k) ? vg_log2(sound->hold[k / 2]) : NAN;
    vg_trace_quantile(trace, &octaves, 0.5, tmp);
}
