/* SPDX-License-Identifier: MIT */
/* Oracle: what the measures, which stand for listeners that hear everything, say of every label.  Items are
 * noted as they come, names as numbers; all tables are made at the end. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The paper's listeners, mean of its categories. */
static const struct {
    const char *curve;
    double share;
} human[] = {{"jump", 0.9846}, {"linear", 0.9373}, {"quad_first_flat", 0.9202}, {"quad_last_flat", 0.9383}};
enum { HUMAN_CURVES = sizeof human / sizeof *human };

double vg_oracle_human_of(const char *curve)
{
    for (size_t i = 0; i < HUMAN_CURVES; i++)
        if (strcmp(human[i].curve, curve) == 0)
            return human[i].share;
    return (double)NAN;
}

double vg_oracle_human(void)
{
    double sum = 0;

    for (size_t i = 0; i < HUMAN_CURVES; i++)
        sum += human[i].share;
    return sum / HUMAN_CURVES;
}

/* ---- what comes is noted
 * ------------------------------------------------------------------------------------------ */

/* Items run through the same names again and again: the search starts at the last one found. */
static size_t number_of(struct vg_oracle *oracle, struct vg_oracle_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        size_t at = (names->last + i) % names->count;

        if (strcmp(names->at[at], name) == 0) {
            names->last = at;
            return at;
        }
    }
    if (names->count == names->room) {
        names->room = names->room > 0 ? 2 * names->room : 16;
        names->at = vg_memory_grow(names->at, names->room, sizeof *names->at);
    }
    names->at[names->count] = vg_arena_text(&oracle->arena, name);
    names->last = names->count;
    return names->count++;
}

static struct vg_oracle_notes *notes_of(struct vg_oracle *oracle)
{
    if (oracle->notes == NULL) {
        oracle->notes = vg_memory_take(1, sizeof *oracle->notes);
        *oracle->notes = (struct vg_oracle_notes){0};
    }
    return oracle->notes;
}

static double net_of(const struct vg_evidence *evidence)
{
    return evidence->sign == 2 ? (double)NAN : evidence->net;
}

void vg_oracle_add(struct vg_oracle *oracle, const struct vg_oracle_item *item)
{
    struct vg_oracle_notes *notes = notes_of(oracle);
    enum vg_quantity own = vg_quantity_of(item->category);
    struct vg_oracle_note *note;

    if (own == VG_QUANTITIES) {
        oracle->unmeasured++;
        return;
    }
    if (notes->count == notes->room) {
        notes->room = notes->room > 0 ? 2 * notes->room : 1024;
        notes->at = vg_memory_grow(notes->at, notes->room, sizeof *notes->at);
    }
    note = &notes->at[notes->count++];
    *note = (struct vg_oracle_note){.category = number_of(oracle, &notes->categories, item->category),
                                    .tier = number_of(oracle, &notes->tiers, item->tier),
                                    .curve = number_of(oracle, &notes->curves, item->curve),
                                    .source = number_of(oracle, &notes->sources, item->source),
                                    .id = vg_arena_text(&oracle->arena, item->id),
                                    .quantity = own,
                                    .claimed = item->claimed,
                                    .is_paired = item->paired != NULL,
                                    .blind_opposed = item->blind[own].sign == -item->claimed};
    if (item->paired != NULL)
        note->verdict = vg_verdict_of(&item->paired[own], item->claimed);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        bool known = item->paired != NULL && item->paired[q].sign != 2;

        note->jnds[q] = known ? item->paired[q].net_jnd : (double)NAN;
        note->blind[q] = net_of(&item->blind[q]);
    }
}

void vg_oracle_add_source(struct vg_oracle *oracle, const char *source, const struct vg_evidence *blind)
{
    struct vg_oracle_notes *notes = notes_of(oracle);
    struct vg_oracle_heard *heard;

    if (notes->heard_count == notes->heard_room) {
        notes->heard_room = notes->heard_room > 0 ? 2 * notes->heard_room : 64;
        notes->heard = vg_memory_grow(notes->heard, notes->heard_room, sizeof *notes->heard);
    }
    heard = &notes->heard[notes->heard_count++];
    *heard = (struct vg_oracle_heard){.source = number_of(oracle, &notes->sources, source)};
    for (size_t q = 0; q < VG_QUANTITIES; q++)
        heard->blind[q] = net_of(&blind[q]);
}

/* ---- all of it
 * ---------------------------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double vg_oracle_median(double *values, size_t count)
{
    if (count == 0)
        return (double)NAN;
    /* Equals cannot be told apart. */
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static const char **keep_names(struct vg_oracle *oracle, const struct vg_oracle_names *names)
{
    const char **kept = vg_arena_take(&oracle->arena, names->count + 1, sizeof *kept);

    for (size_t i = 0; i < names->count; i++)
        kept[i] = names->at[i];
    return kept;
}

static void name_all(struct vg_oracle *oracle)
{
    const struct vg_oracle_notes *notes = oracle->notes;

    oracle->items = notes->count;
    oracle->category_count = notes->categories.count;
    oracle->tier_count = notes->tiers.count;
    oracle->curve_count = notes->curves.count;
    oracle->source_count = notes->sources.count;
    oracle->tiers = keep_names(oracle, &notes->tiers);
    oracle->curves = keep_names(oracle, &notes->curves);
    oracle->sources = keep_names(oracle, &notes->sources);
    oracle->categories =
        vg_arena_take_zero(&oracle->arena, oracle->category_count + 1, sizeof *oracle->categories);
    vg_check(notes->categories.at != NULL || oracle->category_count == 0);
    for (size_t c = 0; c < oracle->category_count; c++)
        oracle->categories[c] = (struct vg_oracle_category){
            .name = notes->categories.at[c], .quantity = vg_quantity_of(notes->categories.at[c])};
}

static void forget_notes(struct vg_oracle *oracle)
{
    struct vg_oracle_notes *notes = oracle->notes;

    if (notes == NULL)
        return;
    free(notes->categories.at);
    free(notes->tiers.at);
    free(notes->curves.at);
    free(notes->sources.at);
    free(notes->at);
    free(notes->heard);
    free(notes);
    oracle->notes = NULL;
}

void vg_oracle_sum(struct vg_oracle *oracle, const struct vg_margins *margins)
{
    (void)notes_of(oracle);
    name_all(oracle);
    vg_oracle_sum_cells(oracle);
    vg_oracle_sum_leaks(oracle);
    vg_oracle_sum_trends(oracle, margins);
    forget_notes(oracle);
}

static void add_record(struct vg_oracle *oracle, const struct vg_record *record)
{
    struct vg_oracle_item item = {.category = record->category,
                                  .id = record->id,
                                  .source = record->source,
                                  .tier = record->tier,
                                  .curve = record->curve,
                                  .paired = record->paired,
                                  .blind = record->blind};

    if (!record->measured) {
        oracle->unmeasured++;
        return;
    }
    item.claimed = strcmp(record->direction, vg_direction_names[VG_UP]) == 0 ? 1 : -1;
    vg_oracle_add(oracle, &item);
}

int vg_oracle_read(struct vg_oracle *oracle, const char *release, const struct vg_margins *margins,
                   struct vg_error *err)
{
    struct vg_rows rows = {0};
    bool end = false;
    int rc = vg_rows_open(&rows, release, err);

    while (rc == VG_OK && !end) {
        struct vg_record record;

        rc = vg_rows_next(&rows, &record, &end, err);
        if (rc == VG_OK && !end)
            add_record(oracle, &record);
    }
    vg_rows_close(&rows);
    if (rc == VG_OK)
        vg_oracle_sum(oracle, margins);
    return rc;
}

void vg_oracle_release(struct vg_oracle *oracle)
{
    forget_notes(oracle);
    vg_arena_release(&oracle->arena);
    *oracle = (struct vg_oracle){0};
}
