/* SPDX-License-Identifier: MIT */
/* Oracle: how the sources move of themselves.  An item and its opposite carry the same change with two signs,
 * and both carry the source's own: half of the sum of what the blind measure hears of them is the source's
 * alone.  The median over all pairs of a source, whatever they change, is its trend. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* Pairs stand together, the item that rises first; equals are told apart by their place, so that the order
 * is one. */
static int compare_notes(const void *a, const void *b)
{
    const struct vg_oracle_note *x = *(const struct vg_oracle_note *const *)a,
                                *y = *(const struct vg_oracle_note *const *)b;
    int order = compare_numbers(x->source, y->source);

    order = order != 0 ? order : compare_numbers(x->category, y->category);
    order = order != 0 ? order : compare_numbers(x->tier, y->tier);
    order = order != 0 ? order : compare_numbers(x->curve, y->curve);
    order = order != 0 ? order : (x->claimed < y->claimed) - (x->claimed > y->claimed);
    return order != 0 ? order : (x > y) - (x < y);
}

static const struct vg_oracle_note **sort_notes(const struct vg_oracle_notes *notes)
{
    const struct vg_oracle_note **sorted = vg_memory_take(notes->count + 1, sizeof(struct vg_oracle_note *));

    for (size_t i = 0; i < notes->count; i++)
        sorted[i] = &notes->at[i];
    /* Distinct: the last key is the place among the notes. */
    if (notes->count > 0)
        qsort(sorted, notes->count, sizeof *sorted, compare_notes);
    return sorted;
}

static bool are_opposites(const struct vg_oracle_note *a, const struct vg_oracle_note *b)
{
    return a->source == b->source && a->category == b->category && a->tier == b->tier &&
           a->curve == b->curve && a->claimed == -b->claimed;
}

/* Trend of the source whose notes are sorted[0..count). */
static double trend_of(const struct vg_oracle_note *const *sorted, size_t count, size_t quantity,
                       double *values)
{
    size_t found = 0;

    for (size_t i = 0; i + 1 < count; i++) {
        double mean = (sorted[i]->blind[quantity] + sorted[i + 1]->blind[quantity]) / 2;

        if (!are_opposites(sorted[i], sorted[i + 1]))
            continue;
        if (!isnan(mean))
            values[found++] = mean;
        i++;
    }
    return vg_oracle_median(values, found);
}

static void find_trends(struct vg_oracle *oracle)
{
    const struct vg_oracle_notes *notes = oracle->notes;
    const struct vg_oracle_note **sorted = sort_notes(notes);
    double *values = vg_memory_take(notes->count + 1, sizeof *values);

    for (size_t from = 0, to; from < notes->count; from = to) {
        to = from;
        while (to < notes->count && sorted[to]->source == sorted[from]->source)
            to++;
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            oracle->source_trends[sorted[from]->source * VG_QUANTITIES + q] =
                trend_of(sorted + from, to - from, q, values);
    }
    for (size_t i = 0; i < notes->heard_count; i++)
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            oracle->source_trends[notes->heard[i].source * VG_QUANTITIES + q] = notes->heard[i].blind[q];
    free(values);
    free(sorted);
}

double vg_oracle_trend_of(const struct vg_oracle *oracle, const char *source, enum vg_quantity quantity)
{
    for (size_t s = 0; s < oracle->source_count; s++)
        if (strcmp(oracle->sources[s], source) == 0)
            return oracle->source_trends[s * VG_QUANTITIES + quantity];
    return (double)NAN;
}

/* ---- over all sources
 * --------------------------------------------------------------------------------------------- */

static double deviation_of(const double *values, size_t count, double mean)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return count > 1 ? sqrt(sum / (double)(count - 1)) : (double)NAN;
}

static struct vg_oracle_trend sum_trend(const struct vg_oracle *oracle, size_t quantity, double *values)
{
    struct vg_oracle_trend trend = {.mean = (double)NAN};
    double sum = 0;

    for (size_t s = 0; s < oracle->source_count; s++) {
        double value = oracle->source_trends[s * VG_QUANTITIES + quantity];

        if (isnan(value))
            continue;
        values[trend.sources++] = value;
        sum += value;
    }
    if (trend.sources > 0)
        trend.mean = sum / (double)trend.sources;
    trend.deviation = deviation_of(values, trend.sources, trend.mean);
    trend.median = vg_oracle_median(values, trend.sources);
    return trend;
}

/* ---- items whose source goes the other way
 * ------------------------------------------------------------------------ */

/* B's margin is two standard deviations of what unmodified recordings show; half of it is one. */
static bool goes_against(const struct vg_oracle *oracle, const struct vg_oracle_note *note, double *trend)
{
    *trend = oracle->source_trends[note->source * VG_QUANTITIES + note->quantity];
    return *trend * note->claimed < 0 && fabs(*trend) >= oracle->trends[note->quantity].margin / 2;
}

static void list_against(struct vg_oracle *oracle)
{
    const struct vg_oracle_notes *notes = oracle->notes;

    oracle->against = vg_arena_take(&oracle->arena, notes->count + 1, sizeof *oracle->against);
    for (size_t i = 0; i < notes->count; i++) {
        const struct vg_oracle_note *note = &notes->at[i];
        struct vg_oracle_category *category = &oracle->categories[note->category];
        double trend, net = note->blind[note->quantity];
        bool right = net * note->claimed > 0;

        if (!goes_against(oracle, note, &trend))
            continue;
        category->against++;
        category->against_wrong += !right;
        oracle->against[oracle->against_count++] =
            (struct vg_oracle_against){.category = category->name,
                                       .id = note->id,
                                       .source = oracle->sources[note->source],
                                       .tier = oracle->tiers[note->tier],
                                       .curve = oracle->curves[note->curve],
                                       .quantity = note->quantity,
                                       .claimed = note->claimed,
                                       .trend = trend,
                                       .blind_net = net,
                                       .blind_right = right};
    }
}

void vg_oracle_sum_trends(struct vg_oracle *oracle, const struct vg_margins *margins)
{
    size_t count = oracle->source_count * VG_QUANTITIES;
    double *values = vg_memory_take(oracle->source_count + 1, sizeof *values);

    oracle->source_trends = vg_arena_take(&oracle->arena, count + 1, sizeof *oracle->source_trends);
    for (size_t i = 0; i < count; i++)
        oracle->source_trends[i] = (double)NAN;
    find_trends(oracle);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        oracle->trends[q] = sum_trend(oracle, q, values);
        oracle->trends[q].margin = margins->of[q].blind;
    }
    list_against(oracle);
    free(values);
}
