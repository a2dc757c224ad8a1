/* SPDX-License-Identifier: MIT */
/* One recording of a corpus: what its row may say, and from there to its samples.  What table and recording
 * say differently goes into the note; what a frozen table pins is held against the recording. */
#include "corpus.h"
#include "columns.h"
#include "jsonl.h"
#include "kinds.h"
#include "tarball.h"

#include <string.h>

/* ---- checks -------------------------------------------------------------------------------------- */

void vg_source_check_id(struct vg_source *source, const char *what, const char *id, struct vg_arena *arena)
{
    size_t length = strlen(id);

    if (length == 0)
        vg_source_fault(source, arena, "the %s is empty", what);
    else if (length > 500)
        vg_source_fault(source, arena, "the %s has %zu bytes; at most 500 are taken", what, length);
    else if (id[0] == ' ' || id[length - 1] == ' ')
        vg_source_fault(source, arena, "the %s \"%s\" begins or ends with a space", what, id);
    else if (!vg_text_is_utf8(id, length))
        vg_source_fault(source, arena, "the %s is not UTF-8", what);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)id[i] < 0x20 || id[i] == 0x7f) {
            vg_source_fault(source, arena, "the %s holds a control character (byte 0x%02x at %zu)", what,
                            (unsigned)(unsigned char)id[i], i + 1);
            return;
        }
}

static bool is_below(const char *path, const char *root)
{
    size_t length = strlen(root);

    while (length > 0 && root[length - 1] == '/')
        length--;
    return strncmp(path, root, length) == 0 && path[length] == '/';
}

void vg_row_place(struct vg_row *row, struct vg_source *source, const char *folder, const char *name,
                  struct vg_arena *arena)
{
    bool below = name[0] == '/' && is_below(name, row->tree->root);

    if (name[0] == '\0')
        vg_source_fault(source, arena, "names no recording");
    else if (below && !vg_path_climbs(name))
        row->path = name + strlen(row->tree->root) + 1;
    else if (name[0] == '/' || vg_path_climbs(name))
        vg_source_fault(source, arena,
                        "audio path \"%s\" leads out of the root; set `root` to a folder that holds it",
                        name);
    else
        row->path = vg_tree_join(arena, folder, name);
}

void vg_row_remark(struct vg_row *row, struct vg_arena *arena, const char *remark)
{
    row->remark = row->remark[0] == '\0' ? remark : vg_arena_format(arena, "%s; %s", row->remark, remark);
}

void vg_row_duration(struct vg_row *row, struct vg_source *source, const char *column, const char *cell,
                     double unit_sec, struct vg_arena *arena)
{
    double value;

    if (!vg_number_parse(cell, &value) || !(value > 0 && value < 1e12))
        vg_source_fault(source, arena, "%s is \"%s\"; expected a number above 0", column, cell);
    else
        row->duration_sec = value * unit_sec;
}

/* ---- tables -------------------------------------------------------------------------------------- */

char *vg_table_place(const struct vg_table *table, size_t row, struct vg_arena *arena)
{
    return vg_arena_format(arena, "%s:%zu", table->path, table->lines[row]);
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length > tail && strcmp(name + length - tail, ending) == 0;
}

/* What the name says it is: CSV, JSON lines, else TSV. */
static int parse(struct vg_corpus *corpus, struct vg_table *table, const char *full, char *bytes,
                 size_t count, struct vg_error *faults)
{
    bool commas = ends_with(full, ".csv");

    if (ends_with(full, ".jsonl") || ends_with(full, ".ndjson") || ends_with(full, ".json"))
        return vg_jsonl_parse(table, full, bytes, count, corpus->arena, VG_SOURCE, faults);
    return vg_table_parse(table, full, bytes, count, commas, commas ? ',' : '\t', corpus->arena, VG_SOURCE,
                          faults);
}

int vg_corpus_parse(struct vg_corpus *corpus, struct vg_table *table, const char *full, char *bytes,
                    size_t count)
{
    struct vg_error faults = {0};
    int rc = parse(corpus, table, full, bytes, count, &faults);

    if (rc != VG_OK && !table->usable) {
        vg_error_move(corpus->err, &faults);
        vg_error_release(&faults);
        return rc;
    }
    for (size_t i = 0; i < faults.count; i++) {
        struct vg_row *row;
        struct vg_source *source =
            vg_corpus_add(corpus, vg_arena_text(corpus->arena, faults.issues[i].place), &row);

        vg_source_fault(source, corpus->arena, "%s", faults.issues[i].sentence);
    }
    vg_error_release(&faults);
    if (table->row_count == 0 && corpus->list->count == corpus->first)
        return vg_fail(corpus->err, VG_SOURCE, full,
                       "has a header and no rows; expected a row for each recording");
    return VG_OK;
}

int vg_corpus_table(struct vg_corpus *corpus, struct vg_table *table, const char *path)
{
    char *bytes;
    size_t count;
    int rc = vg_tree_get(corpus->tree, path, &bytes, &count, corpus->err);

    if (rc != VG_OK)
        return rc;
    return vg_corpus_parse(corpus, table, vg_tree_path(corpus->tree, path, corpus->arena), bytes, count);
}

static int fail_missing(struct vg_corpus *corpus, const struct vg_table *table,
                        const struct vg_column *column)
{
    const char *near = vg_nearest(column->names[0], (const char *const *)table->columns, table->column_count);

    return vg_fail(corpus->err, VG_SOURCE, vg_arena_format(corpus->arena, "%s:1", table->path),
                   "no column %s%s%s%s%s", column->names[0], near != NULL ? "; nearest is \"" : "",
                   near != NULL ? near : "", near != NULL ? "\"" : "",
                   near != NULL ? "" : vg_header_hint(table, corpus->arena));
}

int vg_corpus_columns(struct vg_corpus *corpus, const struct vg_table *table, struct vg_column *columns,
                      size_t count)
{
    int rc = VG_OK;

    for (size_t c = 0; c < count; c++) {
        columns[c].at = SIZE_MAX;
        for (size_t n = 0; n < 4 && columns[c].names[n] != NULL && columns[c].at == SIZE_MAX; n++)
            columns[c].at = vg_table_column(table, columns[c].names[n]);
        if (columns[c].required && columns[c].at == SIZE_MAX)
            rc = fail_missing(corpus, table, &columns[c]);
    }
    return rc;
}

bool vg_entry_lists(const struct vg_node *entry, const char *key, const char *word)
{
    const struct vg_node *list = vg_node_find(entry, key);
    bool found = list == NULL;

    for (size_t i = 0; list != NULL && i < list->count && !found; i++)
        found = strcmp(list->entries[i].value->text, word) == 0;
    return found;
}

/* ---- its sound ----------------------------------------------------------------------------------- */

/* What the table says and the recording does not: remarks, for a preflight to weigh. */
static void compare_with_table(const struct vg_row *row, struct vg_loaded *loaded, struct vg_arena *arena)
{
    struct vg_source_facts *facts = &loaded->facts;
    double duration_sec = (double)loaded->clip.frames / loaded->clip.rate_hz;
    double difference_sec = row->duration_sec - duration_sec;

    if (row->duration_sec >= 0 && (difference_sec > row->slack_sec || difference_sec < -row->slack_sec))
        vg_facts_note(facts,
                      vg_arena_format(arena, "the table says %s s, the recording has %s s",
                                      vg_seconds_text(row->duration_sec, arena),
                                      vg_seconds_text(duration_sec, arena)),
                      arena);
    if (row->fallback[0] != '\0')
        vg_facts_note(facts, vg_arena_format(arena, "span by fallback: %s", row->fallback), arena);
    if (row->remark[0] != '\0')
        vg_facts_note(facts, row->remark, arena);
    facts->span_found = !row->undetected && strcmp(row->fallback, "full_clip") != 0;
}

int vg_row_decode(const struct vg_source *source, const char *path, struct vg_loaded *loaded,
                  struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_node *entry = source->origin->entry;
    const struct vg_row *row = source->detail;
    double shortest_sec = vg_node_number(entry, "duration_min_sec", 0.1);
    struct vg_decode_rules rules = {.mix_down = vg_node_bool(entry, "mix_down", false),
                                    .duration_max_sec = vg_node_number(entry, "duration_max_sec", 600)};
    int rc = vg_tree_decode(row->tree, path, source->place, &rules, loaded, arena, err);

    if (rc != VG_OK)
        return rc;
    if ((double)loaded->clip.frames < shortest_sec * loaded->clip.rate_hz)
        return vg_fail(err, VG_SOURCE, source->place,
                       "%s: is %s s long; at least %s are needed (duration_min_sec)", loaded->path,
                       vg_seconds_text((double)loaded->clip.frames / loaded->clip.rate_hz, arena),
                       vg_seconds_text(shortest_sec, arena));
    compare_with_table(row, loaded, arena);
    vg_note_band(loaded, arena);
    return VG_OK;
}

int vg_corpus_load(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                   struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_row *row = source->detail;

    (void)spec;
    return vg_row_decode(source, row->path, loaded, arena, err);
}
