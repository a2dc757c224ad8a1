/* SPDX-License-Identifier: MIT */
/* README.md of a folder for the Hub: the release's own card, with the YAML that names each split's files and
 * with what is said of the shards replaced by what is there. */
#include "laying.h"

#include <string.h>

static void add_configs(const struct vg_laying *laying, const struct vg_hub_words *words, struct vg_text *out)
{
    vg_text_add(out, "configs:\n- config_name: default\n");
    vg_text_add(out, words->drop_labels ? "  drop_labels: true\n" : "");
    vg_text_add(out, "  data_files:\n");
    for (size_t i = 0; i < laying->about.shard_count; i++) {
        const char *split = laying->about.shards[i].split;

        if (i > 0 && strcmp(laying->about.shards[i - 1].split, split) == 0)
            continue;
        vg_card_split(split, out);
        vg_text_addf(out, "    path: \"%s", words->path_before);
        (void)vg_name_add_safe(out, split, VG_NAME_BYTES_MAX, false);
        vg_text_addf(out, "%s\"\n", words->path_after);
    }
}

static void add_loading(const struct vg_laying *laying, const struct vg_hub_words *words, struct vg_text *out)
{
    const char *split = laying->about.shard_count > 0 ? laying->about.shards[0].split : "SPLIT";

    vg_text_addf(
        out,
        "## Files and loading\n\nThis folder is the release laid out for the Hub: %s `manifest.jsonl` says "
        "everything of every item, with digests of its samples.\n\n"
        "```python\nfrom datasets import load_dataset\n\n"
        "dataset = load_dataset(\".\", split=\"%s\")  # this folder, or the repository's name\n"
        "print(dataset[0][\"prompt\"], dataset[0][\"label\"])\n```\n\n",
        words->files, vg_card_split_name(split));
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
static void add_card(const struct vg_laying *laying, const struct vg_hub_words *words, const char *card,
                     struct vg_text *out)
{
    bool front = true, keep = true, told = false;
    size_t number = 0;

    for (const char *line = card; *line != '\0'; number++) {
        const char *end = strchr(line, '\n'), *next = end != NULL ? end + 1 : line + strlen(line);
        enum part part = part_of(line, front);

        keep = part == PART_NONE ? keep : part == PART_KEPT;
        if (front && number > 0 && strncmp(line, "---", 3) == 0) {
            add_configs(laying, words, out);
            front = false;
        }
        if (!front && !told && strncmp(line, "## Files", 8) == 0) {
            add_loading(laying, words, out);
            told = true;
        }
        if (keep && strncmp(line, "- webdataset\n", 13) != 0)
            vg_text_add_part(out, line, (size_t)(next - line));
        line = next;
    }
}

int vg_hub_card(struct vg_laying *laying, const struct vg_hub_words *words, struct vg_error *err)
{
    struct vg_text text = {0};
    char *card;
    size_t count;
    int rc = vg_file_get(vg_path_join(&laying->arena, laying->release, "README.md"), 1 << 26, &laying->arena,
                         &card, &count, err);

    if (rc == VG_OK)
        add_card(laying, words, card, &text);
    if (rc == VG_OK)
        rc = vg_file_put(vg_laying_path(laying, "README.md"), vg_text_or_empty(&text), text.length, err);
    vg_text_release(&text);
    return rc;
}
