/* SPDX-License-Identifier: MIT */
/* Kind `table`: a frozen selection, one source a row.  Nothing is repaired: every fault of a row is reported
 * as table:line, all in one run; audio is first looked at when a source is loaded. */
#include "columns.h"
#include "corpus.h"
#include "kinds.h"
#include "layout.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES_MAX = 1 << 30 };

static const struct vg_key_rule table_keys[] = {
    {"table", VG_KEY_TEXT, VG_REQUIRED, 1, 4096, NULL, NULL,
     "CSV, TSV or JSON lines, seen from this spec's folder"},
    {"id_column", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column of the source id"},
    {"columns", VG_KEY_MAP, 0, 0, 0, NULL, vg_column_keys, "columns with names of their own"},
    {"layout", VG_KEY_CHOICE, 0, 0, 0, VG_LAYOUTS, NULL, "how a clip id maps to a file without a path"},
    VG_CORPUS_KEYS,
    {0},
};

struct listing {
    struct vg_corpus corpus;
    struct vg_selection_table selection;
};

/* ---- cells ---------------------------------------------------------------------------------------- */

/* A digest in a cell: 32 lower-case hexadecimal digits, or nothing. */
static const char *read_digest(struct listing *l, size_t row, enum vg_field field, struct vg_source *source)
{
    const char *digest = vg_selection_cell(&l->selection, row, field);

    if (digest[0] != '\0' && (strlen(digest) != 32 || strspn(digest, "0123456789abcdef") != 32))
        vg_source_fault(source, l->corpus.arena,
                        "%s is \"%s\"; expected 32 digits 0-9 a-f, as xxhsum -H2 writes",
                        vg_column_keys[field].name, digest);
    return digest;
}

static bool says_no(const char *cell)
{
    return strcmp(cell, "False") == 0 || strcmp(cell, "false") == 0 || strcmp(cell, "0") == 0;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static const char *cell_or(const char *cell, const char *other)
{
    return cell[0] != '\0' ? cell : other;
}

static void place_recording(struct listing *l, size_t index, struct vg_source *source, struct vg_row *row)
{
    const struct vg_selection_table *selection = &l->selection;
    const char *path = cell_or(vg_selection_cell(selection, index, VG_FIELD_PATH),
                               vg_selection_cell(selection, index, VG_FIELD_SELECTED_PATH));

    if (path[0] != '\0') /* else the layout says when the source is loaded */
        vg_row_place(row, source, "", path, l->corpus.arena);
}

static void add_row(struct listing *l, size_t index)
{
    const struct vg_selection_table *selection = &l->selection;
    struct vg_arena *arena = l->corpus.arena;
    struct vg_row *row;
    struct vg_source *source = vg_corpus_add(&l->corpus, vg_selection_place(selection, index, arena), &row);

    source->id = vg_selection_cell(selection, index, VG_FIELD_ID);
    source->clip_id = vg_selection_cell(selection, index, VG_FIELD_CLIP);
    source->speaker_id =
        cell_or(vg_selection_cell(selection, index, VG_FIELD_SPEAKER),
                vg_layout_speaker(vg_node_text(l->corpus.entry, "layout", ""), source->clip_id, arena));
    source->sentence_id = vg_selection_cell(selection, index, VG_FIELD_SENTENCE);
    source->text = vg_selection_cell(selection, index, VG_FIELD_TEXT);
    source->gender = vg_selection_cell(selection, index, VG_FIELD_GENDER);
    source->locale = vg_selection_cell(selection, index, VG_FIELD_LOCALE);
    source->licence = cell_or(vg_selection_cell(selection, index, VG_FIELD_LICENCE), source->licence);
    source->corpus = cell_or(vg_selection_cell(selection, index, VG_FIELD_CORPUS), source->corpus);
    row->accent = vg_selection_cell(selection, index, VG_FIELD_ACCENT);
    row->tags = vg_selection_cell(selection, index, VG_FIELD_TAGS);
    row->version = vg_selection_cell(selection, index, VG_FIELD_VERSION);
    row->split = vg_selection_cell(selection, index, VG_FIELD_SPLIT);
    row->fallback = vg_selection_cell(selection, index, VG_FIELD_FALLBACK);
    row->undetected = says_no(vg_selection_cell(selection, index, VG_FIELD_DETECTED));
    row->slack_sec = 0.01;
    vg_source_check_id(source, "source id", source->id, arena);
    vg_source_check_id(source, "clip id", source->clip_id, arena);
    place_recording(l, index, source, row);
    vg_selection_span(selection, index, source, arena);
    vg_selection_seconds(selection, index, VG_FIELD_DURATION, source, &row->duration_sec, arena);
    source->pin = (struct vg_pin){.file_xxh128 = read_digest(l, index, VG_FIELD_FILE_DIGEST, source),
                                  .audio_xxh128 = read_digest(l, index, VG_FIELD_AUDIO_DIGEST, source),
                                  .decoder = vg_selection_cell(selection, index, VG_FIELD_DECODER)};
}

static int compare_sources(const void *a, const void *b)
{
    const struct vg_source *const *x = a, *const *y = b;
    int order = strcmp((*x)->id, (*y)->id);

    return order != 0 ? order : (*x > *y) - (*x < *y); /* of one list: the row above first */
}

static void refuse_duplicates(struct listing *l)
{
    struct vg_source *at = l->corpus.list->at + l->corpus.first;
    size_t count = l->corpus.list->count - l->corpus.first;
    struct vg_source **by_id = vg_arena_take(l->corpus.arena, count, sizeof(struct vg_source *));
    size_t first = 0;

    for (size_t i = 0; i < count; i++)
        by_id[i] = &at[i];
    /* No equals: the row above first. */
    qsort(by_id, count, sizeof *by_id, compare_sources);
    for (size_t i = 1; i < count; i++) {
        if (by_id[i]->id[0] == '\0' || strcmp(by_id[i]->id, by_id[first]->id) != 0)
            first = i;
        else
            vg_source_fault(by_id[i], l->corpus.arena,
                            "source id \"%s\" stands already on line %s; ids must be unique", by_id[i]->id,
                            strrchr(by_id[first]->place, ':') + 1);
    }
}

/* An archive is indexed before the sources are loaded by several threads at once. */
static int enter_archives(struct listing *l)
{
    int rc = VG_OK;

    for (size_t i = l->corpus.first; rc == VG_OK && i < l->corpus.list->count; i++) {
        const struct vg_row *row = l->corpus.list->at[i].detail;

        rc = vg_tree_enter(l->corpus.tree, row->path, l->corpus.err);
    }
    return rc;
}

/* ---- the table ------------------------------------------------------------------------------------ */

static int read_table(struct listing *l, const char *path)
{
    static const enum vg_field required[] = {VG_FIELD_ID, VG_FIELD_CLIP};
    char *bytes;
    size_t count;
    int rc = vg_file_get(path, TABLE_BYTES_MAX, l->corpus.arena, &bytes, &count, l->corpus.err);

    if (rc != VG_OK)
        l->corpus.err->issues[l->corpus.err->count - 1].code = rc = VG_SOURCE;
    if (rc == VG_OK)
        rc = vg_corpus_parse(&l->corpus, &l->selection.table, path, bytes, count);
    if (rc == VG_OK)
        rc = vg_selection_find(&l->selection, l->corpus.entry, required, 2, l->corpus.arena, l->corpus.err);
    return rc;
}

static int list_rows(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                     struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct listing l = {0};
    const char *path = vg_node_path(vg_node_find(entry->entry, "table"), arena);
    int rc = vg_corpus_begin(&l.corpus, spec, entry, split, vg_path_folder(arena, path), list, arena, err);

    if (rc == VG_OK)
        rc = read_table(&l, path);
    if (rc != VG_OK)
        return rc;
    for (size_t row = 0; row < l.selection.table.row_count; row++)
        add_row(&l, row);
    refuse_duplicates(&l);
    rc = vg_corpus_choose(&l.corpus);
    return rc != VG_OK ? rc : enter_archives(&l);
}

static int load_row(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                    struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_row *row = source->detail;
    struct vg_layout_clip clip = {.layout = vg_node_text(source->origin->entry, "layout", "path"),
                                  .root = row->tree->root,
                                  .clip_id = source->clip_id,
                                  .split = row->split,
                                  .place = source->place};
    char *path;
    int rc;

    if (row->path[0] != '\0')
        return vg_corpus_load(spec, source, loaded, arena, err);
    rc = vg_layout_resolve(&clip, &path, arena, err);
    return rc != VG_OK ? rc : vg_row_decode(source, path, loaded, arena, err);
}

const struct vg_source_kind vg_kind_table = {
    .words = {.name = "table", .keys = table_keys, .check = vg_select_check},
    .list = list_rows,
    .load = load_row,
    .recorded = true,
};
