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

/* `file_name` is seen from the folder of the table: the path behind its second slash. */
static void add_row(struct vg_text *out, const struct vg_record *record, const char *path)
{
    const char *inner = strchr(strchr(path, '/') + 1, '/') + 1;

    vg_text_add(out, "{\"file_name\":");
    vg_text_add_json(out, inner);
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
    add_row(&laying->line, record, path);
    return rc == VG_OK ? vg_laying_write(&laying->part, &laying->line, err) : rc;
}

/* ---- README.md
 * --------------------------------------------------------------------------------------------- */

/* `all` means every split to the loader. */
static const char *split_name(const char *split)
{
    return strcmp(split, "all") == 0 ? "all_items" : split;
}

static void add_configs(const struct vg_laying *laying, struct vg_text *out)
{
    vg_text_add(out, "configs:\n- config_name: default\n  drop_labels: true\n  data_files:\n");
    for (size_t i = 0; i < laying->about.shard_count; i++) {
        const char *split = laying->about.shards[i].split;

        if (i > 0 && strcmp(laying->about.shards[i - 1].split, split) == 0)
            continue;
        vg_text_addf(out, "  - split: %s\n    path: \"data/", split_name(split));
        (void)vg_name_add_safe(out, split, VG_NAME_BYTES_MAX, false);
        vg_text_add(out, "/**\"\n");
    }
}

static void add_loading(const struct vg_laying *laying, struct vg_text *out)
{
    const char *split = laying->about.shard_count > 0 ? laying->about.shards[0].split : "SPLIT";

    vg_text_addf(
        out,
        "## Files and loading\n\nThis folder is the release laid out for the Hub: `data/<split>/` holds the "
        "sound and `metadata.jsonl`, one object per item. The answer is the field `label`; no path carries "
        "it. `manifest.jsonl` says everything of every item, with digests of its samples.\n\n"
        "```python\nfrom datasets import load_dataset\n\n"
        "dataset = load_dataset(\".\")  # this folder, or the repository's name\n"
        "print(dataset[\"%s\"][0][\"prompt\"], dataset[\"%s\"][0][\"label\"])\n```\n\n",
        split_name(split), split_name(split));
}

/* What a line of the release's card begins here: a part that is left out, one that is kept, or neither. */
enum part { PART_KEPT, PART_LEFT_OUT, PART_NONE };

static enum part part_of(const char *line, bool front)
{
    static const char *const left_out[] = {"configs:", "## Files", "## Loading", "## Verifying"};

    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strncmp(line, left_out[i], strlen(left_out[i])) == 0)
            return PART_LEFT_OUT;
    if (front ? strchr(" -\n", line[0]) == NULL || strncmp(line, "---", 3) == 0
              : strncmp(line, "## ", 3) == 0)
        return PART_KEPT;
    return PART_NONE;
}

/* The release's card, its parts on the shards' files replaced by ours. */
static void add_card(const struct vg_laying *laying, const char *card, struct vg_text *out)
{
    bool front = true, keep = true, told = false;
    size_t number = 0;

    for (const char *line = card; *line != '\0'; number++) {
        const char *end = strchr(line, '\n'), *next = end != NULL ? end + 1 : line + strlen(line);
        enum part part = part_of(line, front);

        keep = part == PART_NONE ? keep : part == PART_KEPT;
        if (front && number > 0 && strncmp(line, "---", 3) == 0) {
            add_configs(laying, out);
            front = false;
        }
        if (!front && !told && strncmp(line, "## Files", 8) == 0) {
            add_loading(laying, out);
            told = true;
        }
        if (keep && strncmp(line, "- webdataset\n", 13) != 0)
            vg_text_add_part(out, line, (size_t)(next - line));
        line = next;
    }
}

static int end(struct vg_laying *laying, struct vg_error *err)
{
    struct vg_text text = {0};
    char *card;
    size_t count;
    int rc = vg_file_get(vg_path_join(&laying->arena, laying->release, "README.md"), 1 << 26, &laying->arena,
                         &card, &count, err);

    if (rc == VG_OK)
        add_card(laying, card, &text);
    if (rc == VG_OK)
        rc = vg_file_put(vg_laying_path(laying, "README.md"), vg_text_or_empty(&text), text.length, err);
    vg_text_release(&text);
    return rc;
}

const struct vg_layout vg_layout_hub = {.name = "hub", .place = place, .row = row, .end = end};
