/* SPDX-License-Identifier: MIT */
/* The columns of a table of recordings.  Tables name the same thing differently, so that every field has a
 * few names, and a spec can give its own. */
#include "columns.h"

#include <string.h>

const struct vg_key_rule vg_column_keys[VG_FIELDS + 1] = {
    [VG_FIELD_ID] = {"id", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: source id"},
    [VG_FIELD_CLIP] = {"clip_id", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: clip id in its corpus"},
    [VG_FIELD_SPEAKER] = {"speaker_id", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: speaker id"},
    [VG_FIELD_SENTENCE] = {"sentence_id", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: sentence id"},
    [VG_FIELD_PATH] = {"audio_path", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                       "column: path of the recording below the root"},
    [VG_FIELD_SELECTED_PATH] = {"selected_audio_path", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                                "column: the same, where audio_path is empty"},
    [VG_FIELD_TEXT] = {"text", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: what is said"},
    [VG_FIELD_GENDER] = {"gender", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: gender of the speaker"},
    [VG_FIELD_LOCALE] = {"locale", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: language and region"},
    [VG_FIELD_ONSET] = {"onset_sec", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                        "column: start of the speech in seconds"},
    [VG_FIELD_OFFSET] = {"offset_sec", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                         "column: end of the speech in seconds"},
    [VG_FIELD_DETECTED] = {"onset_detected", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                           "column: False where the span is the whole clip"},
    [VG_FIELD_FALLBACK] = {"onset_fallback", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                           "column: how the span was made where detection failed"},
    [VG_FIELD_DURATION] = {"duration_sec", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                           "column: length of the recording in seconds"},
    [VG_FIELD_SPLIT] = {"split", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                        "column: split of the corpus the clip lies in"},
    [VG_FIELD_LICENCE] = {"licence", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: licence of the recording"},
    [VG_FIELD_CORPUS] = {"corpus", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: corpus and its version"},
    [VG_FIELD_VERSION] = {"corpus_version", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: the version alone"},
    [VG_FIELD_ACCENT] = {"accent", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "column: accent of the speaker"},
    [VG_FIELD_TAGS] = {"quality_tags", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                       "column: words on the quality, separated by |"},
    [VG_FIELD_FILE_DIGEST] = {"file_xxh128", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                              "column: digest that the file must have"},
    [VG_FIELD_AUDIO_DIGEST] = {"audio_xxh128", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                               "column: digest that the decoded samples must have"},
    [VG_FIELD_DECODER] = {"decoder", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
                          "column: decoder that gave those samples"},
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
                 "no column %s%s%s%s; name it in the map `columns` (%s: ...)", vg_text_or_empty(&names),
                 near != NULL ? "; nearest is \"" : "", near != NULL ? near : "", near != NULL ? "\"" : "",
                 vg_column_keys[field].name);
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
