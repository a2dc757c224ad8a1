/* SPDX-License-Identifier: MIT */
/* What a release adds up to: counts per split, category, tier, curve and direction, from which every table of
 * the card is a sum.  Integers only, so that the order of adding does not matter. */
#include "pack.h"

#include <stdlib.h>
#include <string.h>

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool holds(const struct vg_cell *cell, const struct vg_record *record)
{
    return same(cell->direction, record->direction) && same(cell->curve, record->curve) &&
           same(cell->tier, record->tier) && same(cell->category, record->category) &&
           same(cell->split, record->split);
}

static struct vg_cell *add_cell(struct vg_summary *summary, const struct vg_record *record)
{
    struct vg_cell *cell;

    if (summary->count == summary->room) {
        summary->room = summary->room > 0 ? 2 * summary->room : 64;
        summary->cells = vg_memory_grow(summary->cells, summary->room, sizeof *summary->cells);
    }
    cell = &summary->cells[summary->count++];
    *cell = (struct vg_cell){.split = vg_arena_text(&summary->arena, record->split),
                             .category = vg_arena_text(&summary->arena, record->category),
                             .tier = vg_arena_text(&summary->arena, record->tier),
                             .curve = vg_arena_text(&summary->arena, record->curve),
                             .direction = vg_arena_text(&summary->arena, record->direction)};
    return cell;
}

/* Records come in groups that run through the same cells again and again: the search starts behind the last
 * one found. */
static struct vg_cell *find_cell(struct vg_summary *summary, const struct vg_record *record)
{
    for (size_t i = 1; i <= summary->count; i++) {
        size_t at = (summary->last + i) % summary->count;

        if (holds(&summary->cells[at], record)) {
            summary->last = at;
            return &summary->cells[at];
        }
    }
    summary->last = summary->count;
    return add_cell(summary, record);
}

/* Confirmed beside the source, and opposed by the sound alone: see vg_verdict_judged. */
static bool is_disputed(const struct vg_record *record)
{
    enum vg_quantity own = vg_quantity_of(record->category);
    int claimed = strcmp(record->direction, vg_direction_names[VG_UP]) == 0 ? 1 : -1;

    return record->measured && own < VG_QUANTITIES && record->verdict == VG_UNDECIDED &&
           vg_verdict_of(&record->paired[own], claimed) == VG_CONFIRMED;
}

void vg_summary_add(struct vg_summary *summary, const struct vg_record *record)
{
    struct vg_cell *cell = find_cell(summary, record);

    cell->disputed += is_disputed(record);
    if (record->excluded != NULL) {
        cell->excluded++;
        return;
    }
    cell->items++;
    cell->clipped += record->clipped > 0;
    if (record->measured)
        cell->verdicts[record->verdict]++;
    else
        cell->unmeasured++;
    cell->below_jnd += record->measured && record->below_jnd;
    if (record->rate_hz > 0)
        cell->duration_us += (uint64_t)record->frames * 1000000 / record->rate_hz;
}

static bool agrees(const char *wanted, const char *have)
{
    return wanted == NULL || same(wanted, have);
}

struct vg_cell vg_summary_of(const struct vg_summary *summary, const char *split, const char *category,
                             const char *tier, const char *curve, const char *direction)
{
    struct vg_cell sum = {
        .split = split, .category = category, .tier = tier, .curve = curve, .direction = direction};

    for (size_t i = 0; i < summary->count; i++) {
        const struct vg_cell *cell = &summary->cells[i];

        if (!agrees(split, cell->split) || !agrees(category, cell->category) || !agrees(tier, cell->tier) ||
            !agrees(curve, cell->curve) || !agrees(direction, cell->direction))
            continue;
        sum.items += cell->items;
        sum.clipped += cell->clipped;
        for (size_t v = 0; v < 4; v++)
            sum.verdicts[v] += cell->verdicts[v];
        sum.unmeasured += cell->unmeasured;
        sum.below_jnd += cell->below_jnd;
        sum.disputed += cell->disputed;
        sum.excluded += cell->excluded;
        sum.duration_us += cell->duration_us;
    }
    return sum;
}

void vg_summary_release(struct vg_summary *summary)
{
    vg_arena_release(&summary->arena);
    free(summary->cells);
    *summary = (struct vg_summary){0};
}
