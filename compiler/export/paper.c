/* SPDX-License-Identifier: MIT */
/* The paper's two layouts in one folder: what its benchmark code reads, and what was published.  A file has
 * one content and two names, by a hard link. */
#include "laying.h"

#include <string.h>

static const char manifest_header[] =
    "item_id,audio_path,category,attribute,prompt,label,direction,curve,tier,"
    "source_item_id,source_clip_id,speaker_id,sentence_id,source_text,parameters,"
    "sample_rate_hz,frames,duration_sec,onset_sec,offset_sec,clipped_ratio,"
    "audio_xxh128\n";

/* A split may be called like a folder of the published form. */
static void add_split(const struct vg_record *record, struct vg_text *out)
{
    (void)vg_name_add_safe(out, record->split, VG_NAME_BYTES_MAX, strcmp(record->split, "audio") == 0);
}

static void place(struct vg_laying *laying, const struct vg_record *record, struct vg_text *path,
                  struct vg_text *twin)
{
    add_split(record, path);
    vg_text_addf(path, "/%s/audio/%s/", record->category, record->direction);
    vg_laying_name(laying, record, false, path);
    vg_text_addf(path, ".%s", laying->ending);
    vg_text_add(twin, "audio/");
    vg_laying_name(laying, record, true, twin);
    vg_text_addf(twin, ".%s", laying->ending);
}

static void add_parameters(const struct vg_record *record, struct vg_text *out)
{
    struct vg_text json = {0};

    vg_record_parameters(record, &json);
    vg_text_add_char(out, ',');
    vg_text_add_csv(out, json.data);
    vg_text_release(&json);
}

static void add_seconds(struct vg_text *out, size_t frames, uint32_t rate_hz)
{
    vg_text_add_char(out, ',');
    vg_text_add_fixed(out, (double)frames / (double)(rate_hz > 0 ? rate_hz : 1), 6);
}

static void add_manifest_row(const struct vg_record *record, const char *path, struct vg_text *out)
{
    /* the path as the category's folder sees it: audio/up/... */
    const char *inner = strchr(strchr(path, '/') + 1, '/') + 1;
    const char *texts[] = {record->id,
                           inner,
                           record->category,
                           record->attribute,
                           record->prompt,
                           record->label,
                           record->direction,
                           record->curve,
                           record->tier,
                           record->source,
                           record->source_clip_id,
                           record->speaker_id,
                           record->sentence_id,
                           record->source_text};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        vg_text_add(out, i > 0 ? "," : "");
        vg_text_add_csv(out, texts[i]);
    }
    add_parameters(record, out);
    vg_text_addf(out, ",%lu,%zu", (unsigned long)record->rate_hz, record->frames);
    add_seconds(out, record->frames, record->rate_hz);
    add_seconds(out, record->onset, record->rate_hz);
    add_seconds(out, record->offset, record->rate_hz);
    vg_text_add_char(out, ',');
    vg_text_add_fixed(out, record->frames > 0 ? (double)record->clipped / (double)record->frames : 0, 9);
    vg_text_add_char(out, ',');
    vg_text_add_csv(out, record->audio_xxh128);
    vg_text_add_char(out, '\n');
}

static int row(struct vg_laying *laying, const struct vg_record *record, const char *path, const char *twin,
               struct vg_error *err)
{
    struct vg_text part = {0};
    int rc = vg_laying_table(laying, "metadata.csv", vg_metadata_header, err);

    add_split(record, &part);
    vg_text_addf(&part, "/%s/metadata/%s_manifest.csv", record->category, record->category);
    if (rc == VG_OK)
        rc = vg_laying_part(laying, part.data, manifest_header, err);
    vg_text_release(&part);
    vg_text_clear(&laying->line);
    add_manifest_row(record, path, &laying->line);
    if (rc == VG_OK)
        rc = vg_laying_write(&laying->part, &laying->line, err);
    vg_text_clear(&laying->line);
    vg_record_metadata_as(record, twin, &laying->line);
    return rc == VG_OK ? vg_laying_write(&laying->table, &laying->line, err) : rc;
}

const struct vg_layout vg_layout_paper = {.name = "paper", .wav = true, .place = place, .row = row};
