/* SPDX-License-Identifier: MIT */
/* Keeping a selection apart from others: no speaker, no words of theirs.  Their tables may leave out who
 * speaks and what; the corpus then tells by the clip's id. */
#include "columns.h"
#include "select.h"

#include <stdlib.h>
#include <string.h>

static int compare_clip(const void *id, const void *source)
{
    return strcmp(id, (*(const struct vg_source *const *)source)->clip_id);
}

static int compare_sources(const void *a, const void *b)
{
    return strcmp((*(const struct vg_source *const *)a)->clip_id,
                  (*(const struct vg_source *const *)b)->clip_id);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What a table of another selection keeps away. */
struct taken {
    const char **at; /* sorted */
    size_t count, room;
};

static void take(struct taken *taken, const char *text, struct vg_arena *arena)
{
    if (taken->count == taken->room) {
        const char **at;

        taken->room = 2 * taken->room + 128;
        at = vg_arena_take(arena, taken->room, sizeof *at);
        if (taken->count > 0)
            memcpy(at, taken->at, taken->count * sizeof *at);
        taken->at = at;
    }
    taken->at[taken->count++] = text;
}

static bool is_taken(const struct taken *taken, const char *text)
{
    return taken->count > 0 &&
           bsearch(&text, taken->at, taken->count, sizeof *taken->at, compare_texts) != NULL;
}

/* A table that leaves out texts or speakers (the published ones do) is asked by its clip ids. */
static int take_row(struct vg_choice *choice, const struct vg_selection_table *table, size_t row,
                    enum vg_field field, const struct vg_source **by_clip, struct taken *taken,
                    struct vg_error *err)
{
    const char *clip = vg_selection_cell(table, row, VG_FIELD_CLIP),
               *cell = vg_selection_cell(table, row, field);
    const struct vg_source *const *found;
    struct vg_text words = {0};

    if (cell[0] == '\0') {
        found = bsearch(clip, by_clip, choice->list.count, sizeof *by_clip, compare_clip);
        if (found == NULL)
            return vg_fail(err, VG_SOURCE, vg_selection_place(table, row, choice->arena),
                           "has no %s, and clip \"%s\" is not in the corpus, which could tell",
                           vg_column_keys[field].name, clip);
        cell = field == VG_FIELD_TEXT ? (*found)->text : (*found)->speaker_id;
    }
    if (field == VG_FIELD_TEXT) {
        vg_words_normalise(cell, &words);
        cell = vg_arena_text(choice->arena, vg_text_or_empty(&words));
        vg_text_release(&words);
    }
    if (cell[0] != '\0')
        take(taken, cell, choice->arena);
    return VG_OK;
}

static int take_table(struct vg_choice *choice, const struct vg_node *name, enum vg_field field,
                      const struct vg_source **by_clip, struct taken *taken, struct vg_error *err)
{
    static const enum vg_field required[] = {VG_FIELD_CLIP};
    struct vg_selection_table table;
    int rc = vg_table_read(&table.table, vg_node_path(name, choice->arena), choice->arena, VG_SOURCE, err);

    if (rc == VG_OK)
        rc = vg_selection_find(&table, choice->rules.map, required, 1, choice->arena, err);
    for (size_t row = 0; rc == VG_OK && row < table.table.row_count; row++)
        rc = take_row(choice, &table, row, field, by_clip, taken, err);
    return rc;
}

/* Rule out what shares speakers, or words, with the tables of a key. */
static int keep_apart(struct vg_choice *choice, const char *key, enum vg_field field, struct vg_error *err)
{
    const struct vg_node *tables = vg_node_find(choice->rules.map, key);
    const struct vg_source **by_clip;
    struct taken taken = {0};
    int rc = VG_OK;

    if (tables == NULL)
        return VG_OK;
    by_clip = vg_arena_take(choice->arena, choice->list.count, sizeof *by_clip);
    for (size_t i = 0; i < choice->list.count; i++)
        by_clip[i] = &choice->list.at[i];
    qsort(by_clip, choice->list.count, sizeof *by_clip, compare_sources); /* equals say the same */
    for (size_t i = 0; rc == VG_OK && i < tables->count; i++)
        rc = take_table(choice, tables->entries[i].value, field, by_clip, &taken, err);
    if (taken.count > 0)
        qsort(taken.at, taken.count, sizeof *taken.at, compare_texts); /* equals are the same */
    for (size_t i = 0; rc == VG_OK && i < choice->list.count; i++) {
        struct vg_candidate *candidate = &choice->at[i];

        if (field == VG_FIELD_SPEAKER && candidate->source->speaker_id[0] == '\0')
            vg_candidate_rule_out(candidate, "speaker unknown, who must not be in another selection");
        else if (field == VG_FIELD_SPEAKER && is_taken(&taken, candidate->source->speaker_id))
            vg_candidate_rule_out(candidate, "speaker in another selection");
        else if (field == VG_FIELD_TEXT && is_taken(&taken, candidate->words))
            vg_candidate_rule_out(candidate, "words in another selection");
    }
    return rc;
}

int vg_choice_keep_apart(struct vg_choice *choice, struct vg_error *err)
{
    int rc = keep_apart(choice, "speakers_not_in", VG_FIELD_SPEAKER, err);

    return rc != VG_OK ? rc : keep_apart(choice, "texts_not_in", VG_FIELD_TEXT, err);
}
