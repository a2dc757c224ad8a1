/* SPDX-License-Identifier: MIT */
/* The columns of a table of recordings.  Tables name the same thing differently, so that every field has a
 * few names, and a spec can give its own. */
#include "columns.h"
#include "corpus.h"

#include <string.h>

/* Each key names a column. */
#define COLUMN VG_KEY_TEXT, 0, 1, 500, NULL, NULL
const struct vg_key_rule vg_column_keys[VG_FIELDS + 1] = {
    [VG_FIELD_ID] = {"id", COLUMN, "column: source id"},
    [VG_FIELD_CLIP] = {"clip_id", COLUMN, "column: clip id in its corpus"},
    [VG_FIELD_SPEAKER] = {"speaker_id", COLUMN, "column: speaker id"},
    [VG_FIELD_SENTENCE] = {"sentence_id", COLUMN, "column: sentence id"},
    [VG_FIELD_PATH] = {"audio_path", COLUMN, "column: path of the recording below the root"},
    [VG_FIELD_SELECTED_PATH] = {"selected_audio_path", COLUMN, "column: the same, where audio_path is empty"},
    [VG_FIELD_TEXT] = {"text", COLUMN, "column: what is said"},
    [VG_FIELD_GENDER] = {"gender", COLUMN, "column: gender of the speaker"},
    [VG_FIELD_LOCALE] = {"locale", COLUMN, "column: language and region"},
    [VG_FIELD_ONSET] = {"onset_sec", COLUMN, "column: start of the speech in seconds"},
    [VG_FIELD_OFFSET] = {"offset_sec", COLUMN, "column: end of the speech in seconds"},
    [VG_FIELD_DETECTED] = {"onset_detected", COLUMN, "column: False where the span is the whole clip"},
    [VG_FIELD_FALLBACK] = {"onset_fallback", COLUMN, "column: how the span was made where detection failed"},
    [VG_FIELD_DURATION] = {"duration_sec", COLUMN, "column: length of the recording in seconds"},
    [VG_FIELD_SPLIT] = {"split", COLUMN, "column: split of the corpus the clip lies in"},
    [VG_FIELD_LICENCE] = {"licence", COLUMN, "column: licence of the recording"},
    [VG_FIELD_CORPUS] = {"corpus", COLUMN, "column: corpus and its version"},
    [VG_FIELD_VERSION] = {"corpus_version", COLUMN, "column: the version alone"},
    [VG_FIELD_ACCENT] = {"accent", COLUMN, "column: accent of the speaker"},
    [VG_FIELD_TAGS] = {"quality_tags", COLUMN, "column: words on the quality, separated by |"},
    [VG_FIELD_FILE_DIGEST] = {"file_xxh128", COLUMN, "column: digest that the file must have"},
    [VG_FIELD_AUDIO_DIGEST] = {"audio_xxh128", COLUMN, "column: digest that the decoded samples must have"},
    [VG_FIELD_DECODER] = {"decoder", COLUMN, "column: decoder that gave those samples"},
};

enum { NAMES = 6 };

/* Without the spec's map: the first that is there.  The paper's tables, Hugging Face's metadata.csv, NeMo's
 * manifests and the corpora themselves name things each in their way. */
static const struct {
    const char *names[NAMES];
} known[VG_FIELDS] = {
    [VG_FIELD_ID] = {{"test_item_id", "train_item_id", "source_item_id", "item_id"}},
    [VG_FIELD_CLIP] = {{"clip_id", "source_clip_id"}},
    [VG_FIELD_SPEAKER] = {{"speaker_id", "speaker", "client_id", "spk_id"}},
    [VG_FIELD_SENTENCE] = {{"sentence_id"}},
    [VG_FIELD_PATH] = {{"audio_path", "file_name", "audio_filepath", "path", "wav", "audio"}},
    [VG_FIELD_SELECTED_PATH] = {{"selected_audio_path"}},
    [VG_FIELD_TEXT] = {{"text", "source_text", "sentence", "transcription", "transcript"}},
    [VG_FIELD_GENDER] = {{"gender", "sex"}},
    [VG_FIELD_LOCALE] = {{"locale", "language"}},
    [VG_FIELD_ONSET] = {{"onset_sec"}},
    [VG_FIELD_OFFSET] = {{"offset_sec"}},
    [VG_FIELD_DETECTED] = {{"onset_detected"}},
    [VG_FIELD_FALLBACK] = {{"onset_fallback"}},
    [VG_FIELD_DURATION] = {{"audio_duration_sec", "duration_sec", "duration"}},
    [VG_FIELD_SPLIT] = {{"source_split", "split"}},
    [VG_FIELD_LICENCE] = {{"licence", "license"}},
    [VG_FIELD_CORPUS] = {{"corpus"}},
    [VG_FIELD_VERSION] = {{"corpus_version"}},
    [VG_FIELD_ACCENT] = {{"accent", "accents"}},
    [VG_FIELD_TAGS] = {{"quality_tags"}},
    [VG_FIELD_FILE_DIGEST] = {{"file_xxh128"}},
    [VG_FIELD_AUDIO_DIGEST] = {{"audio_xxh128"}},
    [VG_FIELD_DECODER] = {{"decoder"}},
};

const char *vg_selection_cell(const struct vg_selection_table *selection, size_t row, enum vg_field field)
{
    return vg_table_field(&selection->table, row, selection->column[field]);
}

char *vg_selection_place(const struct vg_selection_table *selection, size_t row, struct vg_arena *arena)
{
    return vg_arena_format(arena, "%s:%zu", selection->table.path, selection->table.lines[row]);
}

bool vg_selection_seconds(const struct vg_selection_table *selection, size_t row, enum vg_field field,
                          struct vg_source *source, double *sec, struct vg_arena *arena)
{
    const char *cell = vg_selection_cell(selection, row, field), *name = vg_column_keys[field].name;
    double value;

    if (cell[0] == '\0')
        return true;
    if (!vg_number_parse(cell, &value))
        vg_source_fault(source, arena, "%s is \"%s\"; expected seconds as a decimal number", name, cell);
    else if (!(value >= 0 && value <= 1e9))
        vg_source_fault(source, arena, "%s is %s; expected 0 or more seconds", name, cell);
    else {
        *sec = value;
        return true;
    }
    return false;
}

void vg_selection_span(const struct vg_selection_table *selection, size_t row, struct vg_source *source,
                       struct vg_arena *arena)
{
    double onset_sec = -1, offset_sec = -1;
    bool onset_fine = vg_selection_seconds(selection, row, VG_FIELD_ONSET, source, &onset_sec, arena);
    bool offset_fine = vg_selection_seconds(selection, row, VG_FIELD_OFFSET, source, &offset_sec, arena);

    if (!onset_fine || !offset_fine)
        return;
    if ((onset_sec < 0) != (offset_sec < 0))
        vg_source_fault(source, arena, "has an %s and no %s; give both or neither",
                        onset_sec < 0 ? "offset_sec" : "onset_sec",
                        onset_sec < 0 ? "onset_sec" : "offset_sec");
    else if (onset_sec > offset_sec)
        vg_source_fault(source, arena, "onset_sec %s is after offset_sec %s",
                        vg_selection_cell(selection, row, VG_FIELD_ONSET),
                        vg_selection_cell(selection, row, VG_FIELD_OFFSET));
    source->has_span = onset_sec >= 0;
    source->onset_sec = source->has_span ? onset_sec : 0;
    source->offset_sec = source->has_span ? offset_sec : 0;
}

static const char *nearest_column(const struct vg_table *table, const char *name)
{
    return vg_nearest(name, (const char *const *)table->columns, table->column_count);
}

/* The column that the spec names for the field, checked; NULL where it names none. */
static const struct vg_node *named_column(const struct vg_node *entry, enum vg_field field)
{
    const struct vg_node *node = vg_node_find(vg_node_find(entry, "columns"), vg_column_keys[field].name);

    return node == NULL && field == VG_FIELD_ID ? vg_node_find(entry, "id_column") : node;
}

static int find_named(struct vg_selection_table *selection, enum vg_field field, const struct vg_node *name,
                      struct vg_error *err)
{
    const char *near;

    selection->column[field] = vg_table_column(&selection->table, name->text);
    if (selection->column[field] != SIZE_MAX)
        return VG_OK;
    near = nearest_column(&selection->table, name->text);
    return vg_node_fail(name, err, "%s has no column \"%s\"%s%s%s", selection->table.path, name->text,
                        near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                        near != NULL ? "\"?" : "");
}

static size_t find_known(const struct vg_table *table, enum vg_field field)
{
    size_t column = SIZE_MAX;

    for (size_t i = 0; i < NAMES && known[field].names[i] != NULL && column == SIZE_MAX; i++)
        column = vg_table_column(table, known[field].names[i]);
    return column;
}

const char *vg_header_hint(const struct vg_table *table, struct vg_arena *arena)
{
    enum { SHOWN = 120 };
    struct vg_text names = {0};
    const char *hint;

    for (size_t c = 0; c < table->column_count; c++)
        vg_text_addf(&names, "%s%s", c > 0 ? ", " : "", table->columns[c]);
    if (table->column_count == 1 && strpbrk(vg_text_or_empty(&names), ";\t,|") != NULL)
        hint = vg_arena_format(
            arena,
            "; its header is one column, \"%.*s\": expected commas between columns, or tabs in "
            "a .tsv",
            SHOWN, names.data);
    else
        hint = vg_arena_format(arena, "; its columns are %.*s%s", SHOWN, vg_text_or_empty(&names),
                               names.length > SHOWN ? " ..." : "");
    vg_text_release(&names);
    return hint;
}

static int fail_missing(const struct vg_selection_table *selection, enum vg_field field,
                        struct vg_arena *arena, struct vg_error *err)
{
    struct vg_text names = {0};
    const char *near = NULL;
    int rc;

    for (size_t i = 0; i < NAMES && known[field].names[i] != NULL; i++) {
        vg_text_addf(&names, "%s%s", i == 0 ? "" : " or ", known[field].names[i]);
        if (near == NULL)
            near = nearest_column(&selection->table, known[field].names[i]);
    }
    rc = vg_fail(err, VG_SOURCE, vg_arena_format(arena, "%s:1", selection->table.path),
                 "no column %s%s%s%s%s; name it in the map `columns` (%s: ...)", vg_text_or_empty(&names),
                 near != NULL ? "; nearest is \"" : "", near != NULL ? near : "", near != NULL ? "\"" : "",
                 near != NULL ? "" : vg_header_hint(&selection->table, arena), vg_column_keys[field].name);
    vg_text_release(&names);
    return rc;
}

static bool is_required(enum vg_field field, const enum vg_field *required, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (required[i] == field)
            return true;
    return false;
}

int vg_selection_find(struct vg_selection_table *selection, const struct vg_node *entry,
                      const enum vg_field *required, size_t count, struct vg_arena *arena,
                      struct vg_error *err)
{
    int first = VG_OK;

    for (enum vg_field field = 0; field < VG_FIELDS; field++) {
        const struct vg_node *name = named_column(entry, field);
        int rc = VG_OK;

        if (name != NULL)
            rc = find_named(selection, field, name, err);
        else
            selection->column[field] = find_known(&selection->table, field);
        if (rc == VG_OK && selection->column[field] == SIZE_MAX && is_required(field, required, count))
            rc = fail_missing(selection, field, arena, err);
        if (first == VG_OK)
            first = rc;
    }
    return first;
}
