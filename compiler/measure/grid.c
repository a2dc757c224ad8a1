/* SPDX-License-Identifier: MIT */
/* audio_roughness: the grid that sample values lie on.  A frame's step is the least distance between distinct
 * values: the quantiser's, whatever the signal does.  Paired: bits lost, from the output's step over the
 * source's; how much of it is heard, from the step's noise over the source's own floor.  Blind: the output's
 * step alone. */
#include "quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, WORDS = 65536 / WORD };

static size_t lowest_bit(uint64_t word)
{
    size_t n = 0;

    for (unsigned width = 32; width > 0; width /= 2) {
        if ((word & ((UINT64_C(1) << width) - 1)) == 0) {
            word >>= width;
            n += width;
        }
    }
    return n;
}

/* A set of sample values, one bit each; words outside first..last are empty. */
struct values {
    uint64_t word[WORDS];
    size_t first, last;
};

static bool has_neighbours(const struct values *set)
{
    uint64_t below = 0;

    for (size_t w = set->first; w <= set->last; w++) {
        uint64_t word = set->word[w];

        if ((word & (word >> 1 | word << 1)) || (word & 1 & below >> (WORD - 1)))
            return true;
        below = word;
    }
    return false;
}

/* NaN where there is but one value. */
static double least_distance(const struct values *set)
{
    size_t least = WORDS * WORD, before = WORDS * WORD;

    if (has_neighbours(set))
        return 1;
    for (size_t w = set->first; w <= set->last; w++) {
        for (uint64_t bits = set->word[w]; bits; bits &= bits - 1) {
            size_t at = w * WORD + lowest_bit(bits);

            if (before < at && at - before < least)
                least = at - before;
            before = at;
        }
    }
    return least < WORDS * WORD ? (double)least : NAN;
}

static void gather(struct values *set, const int16_t *x, size_t n)
{
    set->first = WORDS;
    set->last = 0;
    for (size_t i = 0; i < n; i++) {
        size_t value = (size_t)(x[i] + 32768), word = value / WORD;

        set->word[word] |= UINT64_C(1) << value % WORD;
        set->first = word < set->first ? word : set->first;
        set->last = word > set->last ? word : set->last;
    }
}

/* Two values beside each other in time and in size: then the least distance is known to be 1. */
static bool has_unit_step(const int16_t *x, size_t n)
{
    int32_t found = 0;

    for (size_t i = 1; i < n; i++) {
        int32_t step = (int32_t)x[i] - x[i - 1];

        found |= (step == 1) | (step == -1);
    }
    return found != 0;
}

void vg_grid_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp)
{
    size_t count = (heard->frames + 1) / 2;
    double *step = vg_arena_take(keep, count + 1, sizeof *step);
    struct values *set = vg_arena_take_zero(tmp, 1, sizeof *set);

    for (size_t j = 0; j < count; j++) {
        const int16_t *x = heard->x + 2 * j * heard->hop;

        step[j] = 1;
        if (has_unit_step(x, 2 * heard->hop))
            continue;
        gather(set, x, 2 * heard->hop);
        step[j] = least_distance(set);
        memset(set->word + set->first, 0, (set->last - set->first + 1) * sizeof *set->word);
    }
    heard->step = step;
}

static double peak_of(const struct vg_heard *heard, size_t frame)
{
    const int16_t *x = heard->x + frame * heard->hop;
    int peak = 0;

    for (size_t i = 0; i < 2 * heard->hop; i++)
        peak = abs(x[i]) > peak ? abs(x[i]) : peak;
    return peak;
}

/* Steps of the source's frame and of the output's.  A frame that vanished lay between two points of the
 * grid, whose distance is then at least twice its peak. */
static bool steps_at(const struct vg_pair *pair, size_t k, double *before, double *after)
{
    size_t s = vg_pair_source_frame(pair, k) / 2;

    *before = pair->source->step[s];
    *after = pair->output->step[k / 2];
    if (!vg_known(*before) || !vg_heard_is_loud(pair->source, 2 * s))
        return false;
    if (!vg_known(*after))
        *after = 2 * peak_of(pair->source, 2 * s);
    return true;
}

void vg_grid_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour bits = vg_pair_contour(pair, tmp), heard = vg_pair_contour(pair, tmp);
    double floor_power = pair->source->floor_power, power = pair->source->power, change;

    for (size_t k = 0; k < bits.count; k++) {
        double before, after;
        bool known = k % 2 == 0 && steps_at(pair, k, &before, &after);

        bits.value[k] = known ? vg_log2(after / before) : NAN;
        heard.value[k] = known ? 10 * vg_log10((after * after / 12 + floor_power) / power) : NAN;
    }
    change = vg_contour_quantile(&heard, vg_thirds[1], 0.5, tmp) -
             vg_contour_quantile(&heard, vg_thirds[0], 0.5, tmp);
    vg_trace_quantile(trace, &bits, 0.5, tmp);
    trace->heard = change;
}

void vg_grid_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour bits = vg_heard_contour(sound, tmp);

    for (size_t k = 0; k < bits.count; k++)
        bits.value[k] = k % 2 == 0 && vg_heard_is_loud(sound, k) ? vg_log2(sound->step[k / 2]) : NAN;
    vg_trace_quantile(trace, &bits, 0.5, tmp);
}
