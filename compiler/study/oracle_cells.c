/* SPDX-License-Identifier: MIT */
/* Oracle: shares of right answers by category, tier and curve, and what each measure hears of each category.
 * Every item counts in its own cell and in the sums over tiers, curves and categories. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

/* ---- cells
 * -------------------------------------------------------------------------------------------------------- */

static size_t cell_index(const struct vg_oracle *oracle, size_t category, size_t tier, size_t curve)
{
    return (category * (oracle->tier_count + 1) + tier) * (oracle->curve_count + 1) + curve;
}

const struct vg_oracle_cell *vg_oracle_cell_of(const struct vg_oracle *oracle, size_t category, size_t tier,
                                               size_t curve)
{
    return &oracle->cells[cell_index(oracle, category, tier, curve)];
}

static void count_item(struct vg_oracle_cell *cell, const struct vg_oracle_note *note)
{
    cell->items++;
    cell->blind_right += note->blind[note->quantity] * note->claimed > 0;
    cell->blind_opposed += note->blind_opposed;
    if (!note->is_paired)
        return;
    cell->paired_items++;
    cell->verdicts[note->verdict]++;
    cell->below_jnd += note->verdict == VG_CONFIRMED && fabs(note->jnds[note->quantity]) < 1;
}

/* Bit by bit: the item's own category or all of them, its own tier or all, its own curve or all. */
static void count_everywhere(struct vg_oracle *oracle, const struct vg_oracle_note *note)
{
    oracle->categories[note->category].items++;
    for (unsigned all = 0; all < 8; all++)
        count_item(&oracle->cells[cell_index(oracle, all & 1 ? oracle->category_count : note->category,
                                             all & 2 ? oracle->tier_count : note->tier,
                                             all & 4 ? oracle->curve_count : note->curve)],
                   note);
}

static double share_of(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

static void finish_cell(const struct vg_oracle *oracle, size_t category, size_t tier, size_t curve)
{
    struct vg_oracle_cell *cell = &oracle->cells[cell_index(oracle, category, tier, curve)];

    cell->category = category < oracle->category_count ? oracle->categories[category].name : "";
    cell->tier = tier < oracle->tier_count ? oracle->tiers[tier] : "";
    cell->curve = curve < oracle->curve_count ? oracle->curves[curve] : "";
    cell->paired_share = share_of(cell->verdicts[VG_CONFIRMED], cell->paired_items);
    cell->blind_share = share_of(cell->blind_right, cell->items);
    cell->human_share = curve < oracle->curve_count ? vg_oracle_human_of(cell->curve) : vg_oracle_human();
}

void vg_oracle_sum_cells(struct vg_oracle *oracle)
{
    size_t count = cell_index(oracle, oracle->category_count + 1, 0, 0);

    oracle->cells = vg_arena_take_zero(&oracle->arena, count, sizeof *oracle->cells);
    for (size_t i = 0; i < oracle->notes->count; i++)
        count_everywhere(oracle, &oracle->notes->at[i]);
    for (size_t category = 0; category <= oracle->category_count; category++)
        for (size_t tier = 0; tier <= oracle->tier_count; tier++)
            for (size_t curve = 0; curve <= oracle->curve_count; curve++)
                finish_cell(oracle, category, tier, curve);
}

/* ---- leaks
 * -------------------------------------------------------------------------------------------------------- */

static struct vg_oracle_leak leak_of(const struct vg_oracle_notes *notes, size_t category, size_t quantity,
                                     double *values)
{
    size_t count = 0;

    for (size_t i = 0; i < notes->count; i++) {
        const struct vg_oracle_note *note = &notes->at[i];

        if (note->category == category && !isnan(note->jnds[quantity]))
            values[count++] = note->jnds[quantity] * note->claimed;
    }
    return (struct vg_oracle_leak){count, vg_oracle_median(values, count)};
}

void vg_oracle_sum_leaks(struct vg_oracle *oracle)
{
    double *values = vg_memory_take(oracle->notes->count + 1, sizeof *values);

    oracle->leaks =
        vg_arena_take(&oracle->arena, oracle->category_count * VG_QUANTITIES + 1, sizeof *oracle->leaks);
    for (size_t c = 0; c < oracle->category_count; c++)
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            oracle->leaks[c * VG_QUANTITIES + q] = leak_of(oracle->notes, c, q, values);
    free(values);
}
