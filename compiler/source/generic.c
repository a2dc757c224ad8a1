/* SPDX-License-Identifier: MIT */
/* Kind `generic`: any recordings.  A CSV, TSV or JSON-lines table that names them, WebDataset shards, or just
 * a folder: each becomes a table of clips, whose columns are found by name or by the entry's map. */
#include "generic.h"

#include "columns.h"
#include "kinds.h"

#include <string.h>

static const struct vg_key_rule generic_keys[] = {
    VG_CORPUS_KEYS,
    {"table", VG_KEY_TEXT, 0, 1, 4096, NULL, NULL, "CSV, TSV or JSON lines below the root"},
    {"columns", VG_KEY_MAP, 0, 0, 0, NULL, vg_column_keys, "columns with names of their own"},
    {"shards", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "WebDataset tar files below the root"},
    {"speaker", VG_KEY_CHOICE, 0, 0, 0, "none|folder", NULL, "in a folder of clips: who speaks (none)"},
    {0},
};

static void check_generic(const struct vg_node *entry, struct vg_error *err)
{
    const struct vg_node *table = vg_node_find(entry, "table"), *shards = vg_node_find(entry, "shards");

    vg_select_check(entry, err);
    if (table != NULL && shards != NULL)
        vg_node_fail(shards, err, "shards beside table; expected one of them");
}

/* "a/b.flac" as "a/b". */
static char *without_ending(const char *path, struct vg_arena *arena)
{
    const char *dot = strrchr(vg_path_name(path), '.');

    return vg_arena_text_part(arena, path,
                              dot != NULL && dot > vg_path_name(path) ? (size_t)(dot - path) : strlen(path));
}

static void add_clip(struct vg_corpus *corpus, const struct vg_selection_table *table, size_t index)
{
    struct vg_arena *arena = corpus->arena;
    const char *path = vg_selection_cell(table, index, VG_FIELD_PATH), *own;
    bool listed = vg_node_find(corpus->entry, "table") != NULL; /* else the recording is where it was found */
    struct vg_row *row;
    struct vg_source *source = vg_corpus_add(
        corpus, listed ? vg_selection_place(table, index, arena) : vg_tree_path(corpus->tree, path, arena),
        &row);

    source->clip_id = vg_selection_cell(table, index, VG_FIELD_CLIP);
    if (source->clip_id[0] == '\0')
        source->clip_id = without_ending(path, arena);
    own = vg_selection_cell(table, index, VG_FIELD_ID);
    source->id = own[0] != '\0' ? own : source->clip_id;
    source->speaker_id = vg_selection_cell(table, index, VG_FIELD_SPEAKER);
    source->sentence_id = vg_selection_cell(table, index, VG_FIELD_SENTENCE);
    source->text = vg_selection_cell(table, index, VG_FIELD_TEXT);
    source->gender = vg_selection_cell(table, index, VG_FIELD_GENDER);
    source->locale = vg_selection_cell(table, index, VG_FIELD_LOCALE);
    row->accent = vg_selection_cell(table, index, VG_FIELD_ACCENT);
    row->tags = vg_selection_cell(table, index, VG_FIELD_TAGS);
    row->split = vg_selection_cell(table, index, VG_FIELD_SPLIT);
    row->version = vg_selection_cell(table, index, VG_FIELD_VERSION);
    own = vg_selection_cell(table, index, VG_FIELD_DURATION);
    if (own[0] != '\0')
        vg_row_duration(row, source, vg_column_keys[VG_FIELD_DURATION].name, own, 1, arena);
    vg_selection_span(table, index, source, arena);
    vg_row_place(row, source, "", path, arena);
    own = vg_selection_cell(table, index, VG_FIELD_CORPUS);
    source->corpus = own[0] != '\0' ? own : source->corpus;
    own = vg_selection_cell(table, index, VG_FIELD_LICENCE);
    source->licence = own[0] != '\0' ? own : source->licence;
}

static int make_table(struct vg_corpus *corpus, struct vg_table *table)
{
    const struct vg_node *named = vg_node_find(corpus->entry, "table");

    if (named != NULL)
        return vg_corpus_table(corpus, table, named->text);
    if (vg_node_find(corpus->entry, "shards") != NULL || vg_is_archive_name(corpus->tree->root))
        return vg_generic_shards(corpus, table);
    return vg_generic_folder(corpus, table);
}

static int list_generic(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                        struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    static const enum vg_field required[] = {VG_FIELD_PATH};
    struct vg_selection_table table = {0};
    struct vg_corpus corpus;
    int rc = vg_corpus_begin(&corpus, spec, entry, split, NULL, list, arena, err);

    if (rc == VG_OK)
        rc = make_table(&corpus, &table.table);
    if (rc == VG_OK)
        rc = vg_selection_find(&table, entry->entry, required, 1, arena, err);
    for (size_t i = 0; rc == VG_OK && i < table.table.row_count; i++)
        add_clip(&corpus, &table, i);
    return rc != VG_OK ? rc : vg_corpus_finish(&corpus);
}

const struct vg_source_kind vg_kind_generic = {
    .words = {.name = "generic", .keys = generic_keys, .check = check_generic},
    .list = list_generic,
    .load = vg_corpus_load,
    .recorded = true,
};
