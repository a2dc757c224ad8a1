/* SPDX-License-Identifier: MIT */
/* The layout that Hugging Face's `audiofolder` loads without code.  The words are JSON lines: of CSV its
 * reader makes numbers and nulls (007, NA).  A number of seconds always has a point, so that every split's
 * table is inferred alike.  The YAML names each split's files: otherwise words in their paths would. */
#include "laying.h"

#include <string.h>

static void place(struct vg_laying *laying, const struct vg_record *record, struct vg_text *path,
                  struct vg_text *twin)
{
    (void)twin;
    vg_text_add(path, "data/");
    (void)vg_name_add_safe(path, record->split, VG_NAME_BYTES_MAX, false);
    vg_text_addf(path, "/%03zu/%s.%s", laying->split_index / VG_FOLDER_FILES_MAX, record->key,
                 laying->ending);
}

static void add_text(struct vg_text *out, const char *key, const char *value)
{
    vg_text_addf(out, ",\"%s\":", key);
    vg_text_add_json(out, value);
}

static void add_seconds(struct vg_text *out, const char *key, const struct vg_record *record, size_t frames)
{
    vg_text_addf(out, ",\"%s\":", key);
    vg_text_add_fixed(out, (double)frames / (double)(record->rate_hz > 0 ? record->rate_hz : 1), 6);
}

void vg_hub_row(struct vg_text *out, const struct vg_record *record, const char *file_name)
{
    vg_text_add(out, "{\"file_name\":");
    vg_text_add_json(out, file_name);
    add_text(out, "key", record->key);
    add_text(out, "category", record->category);
    add_text(out, "benchmark_clip_id", record->id);
    add_text(out, "source_text", record->source_text);
    add_text(out, "attribute", record->attribute);
    add_text(out, "prompt", record->prompt);
    add_text(out, "label", record->label);
    add_text(out, "direction", record->direction);
    add_text(out, "curve", record->curve);
    add_text(out, "tier", record->tier);
    add_text(out, "source", record->source);
    add_text(out, "source_clip_id", record->source_clip_id);
    add_text(out, "speaker_id", record->speaker_id);
    add_text(out, "sentence_id", record->sentence_id);
    add_seconds(out, "duration_sec", record, record->frames);
    add_seconds(out, "onset_sec", record, record->onset);
    add_seconds(out, "offset_sec", record, record->offset);
    add_text(out, "verdict", record->measured ? vg_verdict_names[record->verdict] : "");
    add_text(out, "audio_xxh128", record->audio_xxh128);
    vg_text_add(out, "}\n");
}

static int row(struct vg_laying *laying, const struct vg_record *record, const char *path, const char *twin,
               struct vg_error *err)
{
    struct vg_text table = {0};
    int rc;

    (void)twin;
    vg_text_add_part(&table, path, (size_t)(strchr(path + strlen("data/"), '/') - path));
    vg_text_add(&table, "/metadata.jsonl");
    rc = vg_laying_part(laying, table.data, "", err);
    vg_text_release(&table);
    vg_text_clear(&laying->line);
    /* as the table sees it: behind data/<split>/ */
    vg_hub_row(&laying->line, record, strchr(strchr(path, '/') + 1, '/') + 1);
    return rc == VG_OK ? vg_laying_write(&laying->part, &laying->line, err) : rc;
}

static const struct vg_hub_words words = {
    .path_before = "data/",
    .path_after = "/**",
    .drop_labels = true,
    .files =
        "`data/<split>/` holds the sound and `metadata.jsonl`, one object per item. The answer is the field "
        "`label`; no path carries it.",
};

static int end(struct vg_laying *laying, struct vg_error *err)
{
    return vg_hub_card(laying, &words, err);
}

const struct vg_layout vg_layout_hub = {.name = "hub", .place = place, .row = row, .end = end};
