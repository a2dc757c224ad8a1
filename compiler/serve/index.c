/* SPDX-License-Identifier: MIT */
/* The manifest as the list needs it: names as numbers, a hash table of keys, and where each row stands in the
 * file, so that an item's page reads one line.  About 200 bytes an item. */
#include "library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const vg_facet_names[VG_FACETS] = {"split",     "category", "tier",  "curve",
                                               "direction", "verdict",  "source"};

/* ---- names --------------------------------------------------------------------------------------------- */

size_t vg_values_find(const struct vg_values *values, const char *text)
{
    for (size_t i = 0; i < values->count; i++)
        if (strcmp(values->at[i], text) == 0)
            return i;
    return SIZE_MAX;
}

/* Rows of one source follow each other: the last value is looked at first. */
static uint32_t number_of(struct vg_index *index, struct vg_values *values, const char *text)
{
    size_t number;

    if (values->count > 0 && strcmp(values->at[values->last], text) == 0)
        return (uint32_t)values->last;
    number = vg_values_find(values, text);
    if (number == SIZE_MAX) {
        if (values->count == values->room) {
            values->room = values->room > 0 ? 2 * values->room : 16;
            values->at = vg_memory_grow(values->at, values->room, sizeof *values->at);
        }
        number = values->count++;
        values->at[number] = vg_arena_text(&index->arena, text);
    }
    values->last = number;
    return (uint32_t)number;
}

/* ---- keys ---------------------------------------------------------------------------------------------- */

static size_t slot_of(const struct vg_index *index, const char *key)
{
    size_t slot = (size_t)vg_hash_text(key, strlen(key)) & (index->table_room - 1);

    while (index->table[slot] != 0 && strcmp(index->at[index->table[slot] - 1].key, key) != 0)
        slot = (slot + 1) & (index->table_room - 1);
    return slot;
}

/* At most half full. */
static void grow_table(struct vg_index *index)
{
    index->table_room = index->table_room > 0 ? 2 * index->table_room : 1024;
    index->table = vg_memory_grow(index->table, index->table_room, sizeof *index->table);
    memset(index->table, 0, index->table_room * sizeof *index->table);
    for (size_t i = 0; i < index->count; i++) {
        size_t slot = slot_of(index, index->at[i].key);

        if (index->table[slot] == 0)
            index->table[slot] = (uint32_t)i + 1;
    }
}

size_t vg_index_find(const struct vg_index *index, const char *key)
{
    size_t slot;

    if (index->table_room == 0)
        return SIZE_MAX;
    slot = slot_of(index, key);
    return index->table[slot] != 0 ? index->table[slot] - 1 : SIZE_MAX;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static const char *fold(struct vg_index *index, const char *a, const char *b)
{
    char *text = vg_arena_format(&index->arena, "%s %s", a, b);

    for (char *c = text; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return text;
}

static void fold_source(struct vg_index *index, const struct vg_record *record, size_t source)
{
    if (source < index->source_room && index->source_folded[source] != NULL)
        return;
    while (source >= index->source_room) {
        size_t room = index->source_room > 0 ? 2 * index->source_room : 64;

        index->source_folded = vg_memory_grow(index->source_folded, room, sizeof *index->source_folded);
        for (size_t i = index->source_room; i < room; i++)
            index->source_folded[i] = NULL;
        index->source_room = room;
    }
    index->source_folded[source] = fold(index, record->source_text, record->speaker_id);
}

static struct vg_listed *take_row(struct vg_index *index)
{
    if (index->count == index->room) {
        index->room = index->room > 0 ? 2 * index->room : 1024;
        index->at = vg_memory_grow(index->at, index->room, sizeof *index->at);
    }
    return &index->at[index->count];
}

void vg_index_add(struct vg_index *index, const struct vg_record *record, size_t shard, uint64_t line_offset,
                  size_t line_bytes)
{
    const char *texts[VG_FACETS] = {
        record->split, record->category,  record->tier,
        record->curve, record->direction, record->measured ? vg_verdict_names[record->verdict] : "unmeasured",
        record->source};
    enum vg_quantity quantity = vg_quantity_of(record->category);
    struct vg_listed *row = take_row(index);

    *row = (struct vg_listed){.line_offset = line_offset,
                              .line_bytes = (uint32_t)line_bytes,
                              .shard = (uint32_t)shard,
                              .below_jnd = record->below_jnd,
                              .measured = record->measured,
                              .net_jnd = NAN};
    row->duration_sec = record->rate_hz > 0 ? (float)((double)record->frames / record->rate_hz) : 0;
    if (record->measured && quantity < VG_QUANTITIES)
        row->net_jnd = (float)record->paired[quantity].net_jnd;
    for (int f = 0; f < VG_FACETS; f++)
        row->value[f] = number_of(index, &index->values[f], texts[f]);
    row->id = vg_arena_text(&index->arena, record->id);
    row->key = vg_arena_text(&index->arena, record->key);
    row->folded = fold(index, row->id, row->key);
    fold_source(index, record, row->value[VG_FACET_SOURCE]);
    index->count++;
    if (2 * index->count > index->table_room) {
        grow_table(index);
    } else {
        size_t slot = slot_of(index, row->key);

        if (index->table[slot] == 0)
            index->table[slot] = (uint32_t)index->count;
    }
}

/* Opposites are of one group and lie close together: looked for outwards from the item. */
size_t vg_index_opposite(const struct vg_index *index, size_t number)
{
    const struct vg_listed *item = &index->at[number];

    for (size_t distance = 1; distance < index->count; distance++)
        for (int side = -1; side <= 1; side += 2) {
            size_t other = side < 0 ? number - distance : number + distance;
            bool same = true;

            if (other >= index->count)
                continue;
            for (int f = 0; f < VG_FACETS && same; f++)
                same = f == VG_FACET_VERDICT ||
                       (index->at[other].value[f] == item->value[f]) == (f != VG_FACET_DIRECTION);
            if (same)
                return other;
        }
    return SIZE_MAX;
}

void vg_index_release(struct vg_index *index)
{
    for (int f = 0; f < VG_FACETS; f++)
        free(index->values[f].at);
    free(index->at);
    free(index->source_folded);
    free(index->table);
    vg_arena_release(&index->arena);
    *index = (struct vg_index){0};
}
