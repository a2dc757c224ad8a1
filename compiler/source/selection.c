/* SPDX-License-Identifier: MIT */
/* Kind `table`: a frozen selection, one source a row.  Nothing is repaired: every fault of a row is reported
 * as table:line, all in one run; audio is first looked at when a source is loaded. */
#include "columns.h"
#include "dsp.h"
#include "kinds.h"
#include "layout.h"

#include <stdlib.h>
#include <string.h>

static const struct vg_key_rule table_keys[] = {
    {"table", VG_KEY_TEXT, VG_REQUIRED, 1, 4096, NULL, NULL, "CSV or TSV file, seen from this spec's folder"},
    {"root", VG_KEY_TEXT, 0, 1, 4096, NULL, NULL,
     "folder of the recordings, below the spec's root if it has one"},
    {"id_column", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column of the source id"},
    {"columns", VG_KEY_MAP, 0, 0, 0, NULL, vg_column_keys, "columns with names of their own"},
    {"layout", VG_KEY_CHOICE, 0, 0, 0, VG_LAYOUTS, NULL, "how a clip id maps to a file without a path"},
    {"mix_down", VG_KEY_BOOL, 0, 0, 0, NULL, NULL, "average the channels; else more than one is an error"},
    {"sample_rate_hz", VG_KEY_INTEGER, 0, 4000, 192000, NULL, NULL,
     "resample to this rate; else as recorded"},
    {"duration_max_sec", VG_KEY_NUMBER, VG_ABOVE_MIN, 0, 86400, NULL, NULL,
     "seconds; longer ones are refused (600)"},
    {"limit", VG_KEY_INTEGER, 0, 1, 1e9, NULL, NULL, "take only so many of the first rows"},
    {"ids", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "take only the rows with these source ids"},
    {"licence", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "licence of the recordings"},
    {"corpus", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "corpus and its version"},
    {0},
};

/* What a row adds to the source: where its sound is, and what to compare it with. */
struct row {
    const char *path, *split, *fallback;
    bool undetected;     /* the table says that no speech was found */
    double duration_sec; /* as the table has it; negative: it does not say */
};

struct named_row {
    const char *id;
    size_t row;
};
struct listing {
    struct vg_selection_table selection;
    const struct vg_spec_source *entry;
    struct named_row *by_id; /* all rows, in the order of their ids */
    bool *chosen;            /* [row] */
    size_t split;
    struct vg_source_list *list;
    struct vg_arena *arena;
    struct vg_error *err;
};

/* ---- which rows ----------------------------------------------------------------------------------- */

static int compare_named(const void *a, const void *b)
{
    const struct named_row *x = a, *y = b;
    int order = strcmp(x->id, y->id);

    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static int compare_id(const void *id, const void *row)
{
    return strcmp(id, ((const struct named_row *)row)->id);
}

static void index_ids(struct listing *l)
{
    size_t count = l->selection.table.row_count;

    l->by_id = vg_arena_take(l->arena, count, sizeof *l->by_id);
    for (size_t row = 0; row < count; row++)
        l->by_id[row] = (struct named_row){vg_selection_cell(&l->selection, row, VG_FIELD_ID), row};
    qsort(l->by_id, count, sizeof *l->by_id, compare_named); /* no equals: rows differ */
}

static int refuse_duplicates(struct listing *l)
{
    const struct vg_table *table = &l->selection.table;
    size_t *first = vg_arena_take_zero(l->arena, table->row_count, sizeof *first); /* row + 1, 0: none */
    int rc = VG_OK;

    for (size_t i = 1; i < table->row_count; i++)
        if (strcmp(l->by_id[i].id, l->by_id[i - 1].id) == 0)
            first[l->by_id[i].row] =
                first[l->by_id[i - 1].row] != 0 ? first[l->by_id[i - 1].row] : l->by_id[i - 1].row + 1;
    for (size_t row = 0; row < table->row_count; row++)
        if (first[row] != 0)
            rc = vg_fail(l->err, VG_SOURCE, vg_selection_place(&l->selection, row, l->arena),
                         "source id \"%s\" stands already on line %zu; ids must be unique",
                         vg_selection_cell(&l->selection, row, VG_FIELD_ID), table->lines[first[row] - 1]);
    return rc;
}

static int fail_unknown_id(struct listing *l, const struct vg_node *id)
{
    size_t count = l->selection.table.row_count;
    const char **all = vg_arena_take(l->arena, count, sizeof *all), *near;

    for (size_t i = 0; i < count; i++)
        all[i] = l->by_id[i].id;
    near = vg_nearest(id->text, all, count);
    return vg_node_fail(id, l->err, "%s has no source \"%s\"%s%s%s", l->selection.table.path, id->text,
                        near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                        near != NULL ? "\"?" : "");
}

/* Rows by the keys `ids` and `limit`; the order stays the table's. */
static int choose_rows(struct listing *l)
{
    const struct vg_node *ids = vg_node_find(l->entry->entry, "ids");
    size_t count = l->selection.table.row_count, taken = 0;
    size_t limit = (size_t)vg_node_integer(l->entry->entry, "limit", (int64_t)count);
    int rc = VG_OK;

    l->chosen = vg_arena_take_zero(l->arena, count, sizeof *l->chosen);
    for (size_t i = 0; ids != NULL && i < ids->count; i++) {
        const struct vg_node *id = ids->entries[i].value;
        const struct named_row *found = bsearch(id->text, l->by_id, count, sizeof *found, compare_id);

        if (found == NULL)
            rc = fail_unknown_id(l, id);
        else
            l->chosen[found->row] = true;
    }
    for (size_t row = 0; row < count; row++) {
        l->chosen[row] = (ids == NULL || l->chosen[row]) && taken < limit;
        taken += l->chosen[row];
    }
    return rc;
}

/* ---- one row -------------------------------------------------------------------------------------- */

/* An id must be visible and stay on one line: it becomes part of names and tables. */
static int check_id(struct listing *l, const char *place, const char *what, const char *id)
{
    size_t length = strlen(id);

    if (length == 0)
        return vg_fail(l->err, VG_SOURCE, place, "the %s is empty", what);
    if (length > 500)
        return vg_fail(l->err, VG_SOURCE, place, "the %s has %zu bytes; at most 500 are taken", what, length);
    if (id[0] == ' ' || id[length - 1] == ' ')
        return vg_fail(l->err, VG_SOURCE, place, "the %s \"%s\" begins or ends with a space", what, id);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)id[i] < 0x20 || id[i] == 0x7f)
            return vg_fail(l->err, VG_SOURCE, place, "the %s holds a control character (byte 0x%02x at %zu)",
                           what, (unsigned)(unsigned char)id[i], i + 1);
    return VG_OK;
}

/* Seconds in a cell, not negative; an empty cell leaves *sec alone. */
static int read_seconds(struct listing *l, size_t row, enum vg_field field, const char *place, double *sec)
{
    const char *cell = vg_selection_cell(&l->selection, row, field), *name = vg_column_keys[field].name;
    double value;

    if (cell[0] == '\0')
        return VG_OK;
    if (!vg_number_parse(cell, &value))
        return vg_fail(l->err, VG_SOURCE, place, "%s is \"%s\"; expected seconds as a decimal number", name,
                       cell);
    if (!(value >= 0 && value <= 1e9))
        return vg_fail(l->err, VG_SOURCE, place, "%s is %s; expected 0 or more seconds", name, cell);
    *sec = value;
    return VG_OK;
}

static int read_span(struct listing *l, size_t row, const char *place, struct vg_source *source)
{
    double onset_sec = -1, offset_sec = -1;
    int rc = read_seconds(l, row, VG_FIELD_ONSET, place, &onset_sec);
    int rc_offset = read_seconds(l, row, VG_FIELD_OFFSET, place, &offset_sec);

    if (rc != VG_OK || rc_offset != VG_OK)
        return VG_SOURCE;
    if ((onset_sec < 0) != (offset_sec < 0))
        return vg_fail(l->err, VG_SOURCE, place, "has an %s and no %s; give both or neither",
                       onset_sec < 0 ? "offset_sec" : "onset_sec",
                       onset_sec < 0 ? "onset_sec" : "offset_sec");
    if (onset_sec > offset_sec)
        return vg_fail(l->err, VG_SOURCE, place, "onset_sec %s is after offset_sec %s",
                       vg_selection_cell(&l->selection, row, VG_FIELD_ONSET),
                       vg_selection_cell(&l->selection, row, VG_FIELD_OFFSET));
    source->has_span = onset_sec >= 0;
    source->onset_sec = source->has_span ? onset_sec : 0;
    source->offset_sec = source->has_span ? offset_sec : 0;
    return VG_OK;
}

/* A digest in a cell: 32 lower-case hexadecimal digits, or nothing. */
static int read_digest(struct listing *l, size_t row, enum vg_field field, const char *place,
                       const char **digest)
{
    *digest = vg_selection_cell(&l->selection, row, field);
    if ((*digest)[0] != '\0' && (strlen(*digest) != 32 || strspn(*digest, "0123456789abcdef") != 32))
        return vg_fail(l->err, VG_SOURCE, place,
                       "%s is \"%s\"; expected 32 digits 0-9 a-f, as xxhsum -H2 writes",
                       vg_column_keys[field].name, *digest);
    return VG_OK;
}

static const char *cell_or_key(const struct listing *l, size_t row, enum vg_field field, const char *key)
{
    const char *cell = vg_selection_cell(&l->selection, row, field);

    return cell[0] != '\0' ? cell : vg_node_text(l->entry->entry, key, "");
}

static bool says_no(const char *cell)
{
    return strcmp(cell, "False") == 0 || strcmp(cell, "false") == 0 || strcmp(cell, "0") == 0;
}

static int add_row(struct listing *l, size_t index)
{
    const struct vg_selection_table *selection = &l->selection;
    struct vg_source *source = vg_source_add(l->list, l->entry, l->split, l->arena);
    struct row *row = vg_arena_take_zero(l->arena, 1, sizeof *row);
    const char *place = vg_selection_place(selection, index, l->arena);
    int rc[6];

    source->place = place;
    source->detail = row;
    source->id = vg_selection_cell(selection, index, VG_FIELD_ID);
    source->clip_id = vg_selection_cell(selection, index, VG_FIELD_CLIP);
    source->speaker_id = vg_selection_cell(selection, index, VG_FIELD_SPEAKER);
    source->sentence_id = vg_selection_cell(selection, index, VG_FIELD_SENTENCE);
    source->text = vg_selection_cell(selection, index, VG_FIELD_TEXT);
    source->gender = vg_selection_cell(selection, index, VG_FIELD_GENDER);
    source->locale = vg_selection_cell(selection, index, VG_FIELD_LOCALE);
    source->licence = cell_or_key(l, index, VG_FIELD_LICENCE, "licence");
    source->corpus = cell_or_key(l, index, VG_FIELD_CORPUS, "corpus");
    row->path = vg_selection_cell(selection, index, VG_FIELD_PATH);
    if (row->path[0] == '\0')
        row->path = vg_selection_cell(selection, index, VG_FIELD_SELECTED_PATH);
    row->split = vg_selection_cell(selection, index, VG_FIELD_SPLIT);
    row->fallback = vg_selection_cell(selection, index, VG_FIELD_FALLBACK);
    row->undetected = says_no(vg_selection_cell(selection, index, VG_FIELD_DETECTED));
    row->duration_sec = -1;
    rc[0] = check_id(l, place, "source id", source->id);
    rc[1] = check_id(l, place, "clip id", source->clip_id);
    rc[2] = read_span(l, index, place, source);
    rc[3] = read_seconds(l, index, VG_FIELD_DURATION, place, &row->duration_sec);
    rc[4] = read_digest(l, index, VG_FIELD_FILE_DIGEST, place, &source->pin.file_xxh128);
    rc[5] = read_digest(l, index, VG_FIELD_AUDIO_DIGEST, place, &source->pin.audio_xxh128);
    source->pin.decoder = vg_selection_cell(selection, index, VG_FIELD_DECODER);
    for (size_t i = 0; i < 6; i++)
        if (rc[i] != VG_OK)
            return rc[i];
    return VG_OK;
}

static int list_rows(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                     struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct listing l = {.entry = entry, .split = split, .list = list, .arena = arena, .err = err};
    const char *path = vg_node_path(vg_node_find(entry->entry, "table"), arena);
    int first = vg_selection_read(&l.selection, path, entry->entry, arena, err), rc;

    (void)spec;
    if (first != VG_OK)
        return first;
    index_ids(&l);
    first = refuse_duplicates(&l);
    rc = choose_rows(&l);
    first = first != VG_OK ? first : rc;
    for (size_t row = 0; row < l.selection.table.row_count; row++) {
        rc = l.chosen[row] ? add_row(&l, row) : VG_OK;
        first = first != VG_OK ? first : rc;
    }
    return first;
}

/* ---- its sound ------------------------------------------------------------------------------------ */

/* The entry's root below the spec's, either of them alone, or the folder of the table. */
static char *root_of(const struct vg_spec *spec, const struct vg_node *entry, struct vg_arena *arena)
{
    const struct vg_node *outer = vg_node_find(spec->root, "root"), *inner = vg_node_find(entry, "root");

    if (outer != NULL && inner != NULL)
        return vg_path_join(arena, vg_node_path(outer, arena), inner->text);
    if (outer != NULL || inner != NULL)
        return vg_node_path(outer != NULL ? outer : inner, arena);
    return vg_path_folder(arena, vg_node_path(vg_node_find(entry, "table"), arena));
}

/* What the table says and the recording does not: remarks, for a preflight to weigh. */
static void compare_with_table(const struct row *row, struct vg_loaded *loaded, struct vg_arena *arena)
{
    double duration_sec = (double)loaded->clip.frames / loaded->clip.rate_hz;
    double difference_sec = row->duration_sec - duration_sec;

    if (row->duration_sec >= 0 && (difference_sec > 0.01 || difference_sec < -0.01))
        vg_facts_note(&loaded->facts,
                      vg_arena_format(arena, "the table says %s s, the recording has %s s",
                                      vg_seconds_text(row->duration_sec, arena),
                                      vg_seconds_text(duration_sec, arena)),
                      arena);
    if (row->fallback[0] != '\0')
        vg_facts_note(&loaded->facts, vg_arena_format(arena, "span by fallback: %s", row->fallback), arena);
    loaded->facts.span_found = !row->undetected && strcmp(row->fallback, "full_clip") != 0;
}

static int load_row(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                    struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_node *entry = source->origin->entry;
    const struct row *row = source->detail;
    struct vg_decode_rules rules = {.mix_down = vg_node_bool(entry, "mix_down", false),
                                    .duration_max_sec = vg_node_number(entry, "duration_max_sec", 600)};
    struct vg_layout_clip clip = {.layout = vg_node_text(entry, "layout", "path"),
                                  .root = root_of(spec, entry, arena),
                                  .path = row->path,
                                  .clip_id = source->clip_id,
                                  .split = row->split,
                                  .place = source->place};
    char *path;
    int rc = vg_layout_resolve(&clip, &path, arena, err);

    if (rc == VG_OK)
        rc = vg_decode_file(path, source->place, &rules, loaded, arena, err);
    if (rc == VG_OK)
        compare_with_table(row, loaded, arena);
    return rc;
}

const struct vg_source_kind vg_kind_table = {
    .words = {.name = "table", .keys = table_keys},
    .list = list_rows,
    .load = load_row,
};
