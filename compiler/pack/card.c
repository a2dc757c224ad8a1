/* SPDX-License-Identifier: MIT */
/* README.md, the card: front matter for the Hub, then what the release holds and how it is used.  Whatever
 * the data can say is counted here; only the words of the spec's map `card` come from a person. */
#include "inside.h"

#include <string.h>

const struct vg_node *vg_card_node(const struct vg_spec *spec, const char *key)
{
    const struct vg_node *card = spec->root != NULL ? vg_node_find(spec->root, "card") : NULL;

    return card != NULL ? vg_node_find(card, key) : NULL;
}

const char *vg_card_text(const struct vg_spec *spec, const char *key, const char *fallback)
{
    const struct vg_node *node = vg_card_node(spec, key);

    return node != NULL && node->text != NULL ? node->text : fallback;
}

/* Text in a table cell or a line: nothing in it may end the cell, the line or start markup. */
static void add_plain(struct vg_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("|<>*_`[]\\", *c) != NULL)
            vg_text_add_char(out, '\\');
        vg_text_add_char(out, (unsigned char)*c < ' ' ? ' ' : *c);
    }
}

static void add_row(struct vg_text *out, const char *name, const char *value)
{
    vg_text_addf(out, "| %s | ", name);
    add_plain(out, value);
    vg_text_add(out, " |\n");
}

static void add_hours(struct vg_text *out, uint64_t duration_us)
{
    vg_text_add_fixed(out, (double)duration_us / 3.6e9, 2);
    vg_text_add(out, " h");
}

static struct vg_cell whole(const struct vg_story *story)
{
    return vg_summary_of(story->summary, NULL, NULL, NULL, NULL, NULL);
}

/* ---- what it is ---------------------------------------------------------------------------------------- */

static void add_identity(const struct vg_story *story, struct vg_text *out)
{
    const struct vg_about *about = story->about;
    struct vg_cell all = whole(story);

    vg_text_add(out, "# ");
    add_plain(out, vg_card_text(story->spec, "title", about->name));
    vg_text_add_char(out, ' ');
    add_plain(out, about->version);
    vg_text_add(out, "\n\n");
    add_plain(out, about->description != NULL ? about->description : "");
    vg_text_add(out, "\n\n| | |\n|---|---|\n");
    vg_text_addf(out, "| release id | `%s` |\n", about->release_id);
    vg_text_addf(out, "| items | %zu, ", all.items);
    add_hours(out, all.duration_us);
    vg_text_addf(out, ", in %zu shard%s |\n| sources | %zu used, %zu left out |\n", about->shard_count,
                 about->shard_count == 1 ? "" : "s", about->sources, about->sources_skipped);
    add_row(out, "engine", about->engine);
    add_row(out, "licence", about->license != NULL ? about->license : "see ATTRIBUTION.md");
    vg_text_addf(out, "| made by | vocalgrad %s |\n", about->tool_version);
    if (about->parts > 0)
        vg_text_addf(out, "| part | %u of %u: merge the parts before use |\n", about->part, about->parts);
    if (about->subset_of != NULL)
        vg_text_addf(out, "| subset of | `%s` |\n", about->subset_of);
    else if (about->subset_of_spec_xxh128 != NULL)
        vg_text_addf(out, "| subset of | the release whose spec.yaml has the XXH128 `%s` |\n",
                     about->subset_of_spec_xxh128);
    for (size_t i = 0; i < about->option_count; i++)
        add_row(out, i == 0 ? "built with" : "", about->options[i]);
    vg_text_add_char(out, '\n');
}

static void add_task(const struct vg_story *story, struct vg_text *out)
{
    const struct vg_spec *spec = story->spec;

    vg_text_add(
        out,
        "## Task\n\nOne acoustic attribute of a recording rises or falls over its speech; the model says "
        "which. The answer is the field `label`.\n\n| category | question |\n|---|---|\n");
    for (size_t i = 0; i < spec->category_count; i++) {
        const char *name = spec->categories[i].words->name;

        if (vg_summary_of(story->summary, NULL, name, NULL, NULL, NULL).items > 0)
            add_row(out, name, spec->categories[i].prompt);
    }
    vg_text_add_char(out, '\n');
}

/* ---- counts -------------------------------------------------------------------------------------------- */

/* One table: categories down, the values of one field across. */
struct columns {
    const char *title;
    const char *const *names;
    size_t count;
    int field; /* 0 split, 1 tier, 2 curve, 3 direction */
};

static struct vg_cell cell_of(const struct vg_story *story, const char *category, int field,
                              const char *value)
{
    return vg_summary_of(story->summary, field == 0 ? value : NULL, category, field == 1 ? value : NULL,
                         field == 2 ? value : NULL, field == 3 ? value : NULL);
}

static void add_count_table(const struct vg_story *story, const struct columns *columns, struct vg_text *out)
{
    const struct vg_spec *spec = story->spec;

    vg_text_addf(out, "| %s |", columns->title);
    for (size_t k = 0; k < columns->count; k++)
        vg_text_addf(out, " %s |", columns->names[k]);
    vg_text_add(out, "\n|---|");
    for (size_t k = 0; k < columns->count; k++)
        vg_text_add(out, "---:|");
    vg_text_add_char(out, '\n');
    for (size_t i = 0; i < spec->category_count; i++) {
        const char *name = spec->categories[i].words->name;

        if (vg_summary_of(story->summary, NULL, name, NULL, NULL, NULL).items == 0)
            continue;
        vg_text_addf(out, "| %s |", name);
        for (size_t k = 0; k < columns->count; k++)
            vg_text_addf(out, " %zu |", cell_of(story, name, columns->field, columns->names[k]).items);
        vg_text_add_char(out, '\n');
    }
    vg_text_add_char(out, '\n');
}

static void add_counts(const struct vg_story *story, struct vg_text *out)
{
    const struct vg_spec *spec = story->spec;
    struct vg_arena arena = {0};
    const char **splits = vg_arena_take(&arena, spec->split_count + 1, sizeof *splits);
    const char *curves[VG_CURVES], *directions[VG_DIRECTIONS];

    for (size_t i = 0; i < spec->split_count; i++)
        splits[i] = spec->splits[i].name;
    for (size_t i = 0; i < spec->curve_count; i++)
        curves[i] = vg_curve_names[spec->curves[i]];
    for (size_t i = 0; i < spec->direction_count; i++)
        directions[i] = vg_direction_names[spec->directions[i]];
    vg_text_add(out, "## Counts\n\n");
    add_count_table(story, &(struct columns){"items by split", splits, spec->split_count, 0}, out);
    add_count_table(story, &(struct columns){"by tier", spec->tiers, spec->tier_count, 1}, out);
    add_count_table(story, &(struct columns){"by curve", curves, spec->curve_count, 2}, out);
    add_count_table(story, &(struct columns){"by direction", directions, spec->direction_count, 3}, out);
    vg_arena_release(&arena);
}

static void add_labels(const struct vg_story *story, struct vg_text *out)
{
    const struct vg_spec *spec = story->spec;

    vg_text_add(
        out,
        "## Labels, as measured on the finished audio\n\nEach label was compared with what a measure that "
        "knows neither label nor renderer hears in the samples (`labels.csv`).\n\n| category | items | "
        "confirmed | opposed | no change | undecided | below one JND | not measured | excluded | clipped "
        "items |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < spec->category_count; i++) {
        const char *name = spec->categories[i].words->name;
        struct vg_cell cell = vg_summary_of(story->summary, NULL, name, NULL, NULL, NULL);

        if (cell.items + cell.excluded == 0)
            continue;
        vg_text_addf(out, "| %s | %zu | %zu | %zu | %zu | %zu | %zu | %zu | %zu | %zu |\n", name, cell.items,
                     cell.verdicts[VG_CONFIRMED], cell.verdicts[VG_OPPOSED], cell.verdicts[VG_NO_CHANGE],
                     cell.verdicts[VG_UNDECIDED], cell.below_jnd, cell.unmeasured, cell.excluded,
                     cell.clipped);
    }
    vg_text_add_char(out, '\n');
}

static void add_shortcuts(const struct vg_story *story, struct vg_text *out)
{
    vg_text_add(
        out,
        "## Shortcuts\n\nHow well the label can be told from what a model should not use: the area under the "
        "ROC curve (0.5: not at all; 1 or 0: always), and where 95 % of it would lie if labels were swapped "
        "at random within pairs of opposites. Bold: more than chance, by 0.05 or more. "
        "`vocalgrad verify` makes this table again from the release (`--level shortcuts`).\n\n");
    vg_audit_table(story->audit, out);
    vg_text_add_char(out, '\n');
}

/* ---- how it is used ------------------------------------------------------------------------------------ */

static void add_files(const struct vg_story *story, struct vg_text *out)
{
    vg_text_addf(
        out,
        "## Files\n\n"
        "| file | what |\n|---|---|\n"
        "| `%s-%s-*%s` | plain tar files: `<key>.flac` and `<key>.json` of an item, side by side |\n"
        "| `manifest.jsonl` | one JSON object per item: parameters, seed, digests, label evidence |\n"
        "| `metadata.csv` | the benchmark's 17 columns; times are of the finished file |\n"
        "| `labels.csv` | what was measured per item, and the verdict |\n"
        "| `sources.csv` | the recordings, their digests and licences, and what was left out |\n"
        "| `spec.yaml`, `release.json` | what it was made from, and with what |\n"
        "| `croissant.json`, `ATTRIBUTION.md` | Croissant 1.1 metadata; credits |\n"
        "| `CHECKSUMS`, `SHA256SUMS` | digests of every file |\n\n",
        story->about->name, story->about->version, story->spec->pack.shard_suffix);
}

static void add_loading(const struct vg_story *story, struct vg_text *out)
{
    const struct vg_about *about = story->about;
    const char *shard = about->shard_count > 0 ? about->shards[0].name : "SHARD";

    vg_text_addf(out,
                 "## Loading\n\nKeys do not carry the answer; labels are in each sample's JSON and in the "
                 "manifest.\n\n"
                 "```python\n# nothing but Python: a shard is a tar file\nimport json, tarfile\n\n"
                 "with tarfile.open(\"%s\") as shard:\n"
                 "    for member in shard:  # <key>.flac, then <key>.json\n"
                 "        data = shard.extractfile(member).read()\n"
                 "        if member.name.endswith(\".flac\"):\n"
                 "            sound = data\n"
                 "        else:\n"
                 "            note = json.loads(data)\n"
                 "            print(note[\"key\"], note[\"prompt\"], note[\"label\"], len(sound))\n\n"
                 "# WebDataset\nimport webdataset\n\ndataset = webdataset.WebDataset(\"%s\")\n```\n\n"
                 "```sql\n-- DuckDB\nSELECT category, tier, label, count(*) FROM read_json('manifest.jsonl') "
                 "GROUP BY ALL;\n```\n\n"
                 "```sh\n# files on disk, as the Hub or the paper's code read them\n"
                 "vocalgrad unpack . -o ../unpacked --layout hub\n```\n\n",
                 shard, shard);
}

/* Recordings are not in the release, and its spec.yaml names tables that are not either. */
static bool has_recordings(const struct vg_story *story)
{
    for (size_t i = 0; i < story->source_count; i++)
        if (story->sources[i].skipped == NULL && story->sources[i].facts.file_xxh128[0] != '\0')
            return true;
    return false;
}

static void add_rebuilding(const struct vg_story *story, struct vg_text *out)
{
    if (has_recordings(story))
        vg_text_addf(
            out,
            "```\n\nTo render again, the recordings are needed: with the spec that this was built from and "
            "its "
            "corpus (SPEC), or from a source pack, which `vocalgrad pack-sources SPEC -o sources.tar.flac` "
            "makes of them.\n\n```sh\n"
            "vocalgrad verify . --rebuild all --spec SPEC\n"
            "vocalgrad verify . --rebuild all --set source_pack=sources.tar.flac\n"
            "vocalgrad build spec.yaml --set source_pack=sources.tar.flac -o ../rebuilt\n"
            "# the release id must be %s\n```\n\n",
            story->about->release_id);
    else
        vg_text_addf(out,
                     "vocalgrad verify . --rebuild all   # renders every item again and compares\n"
                     "vocalgrad build spec.yaml -o ../rebuilt\n"
                     "# the release id must be %s\n```\n\n",
                     story->about->release_id);
}

static void add_checking(const struct vg_story *story, struct vg_text *out)
{
    vg_text_add(out, "## Verifying and rebuilding\n\nIn the release's folder:\n\n```sh\n"
                     "sha256sum -c SHA256SUMS\nxxhsum -c CHECKSUMS\n"
                     "vocalgrad verify .                 # files, shards, tables, every FLAC file\n"
                     "vocalgrad verify . --level shortcuts\n");
    add_rebuilding(story, out);
}

/* What a user of the data must know, from its own counts. */
static void add_limits(const struct vg_story *story, struct vg_text *out)
{
    struct vg_cell all = whole(story);
    const char *words = vg_card_text(story->spec, "limitations", NULL);
    size_t doubtful = all.verdicts[VG_OPPOSED] + all.verdicts[VG_NO_CHANGE] + all.verdicts[VG_UNDECIDED];

    vg_text_add(out, "## Known limitations\n\n");
    if (words != NULL)
        vg_text_addf(out, "%s\n\n", words);
    vg_text_addf(out,
                 "- Attributes are changed by signal processing; other attributes may move with them.\n"
                 "- %zu of %zu labels are not confirmed by measurement, %zu are below one just-noticeable "
                 "difference, %zu were not measured.\n"
                 "- %zu items have clipped samples (`clipped_samples` in the manifest).\n\n",
                 doubtful, all.items, all.below_jnd, all.unmeasured, all.clipped);
}

static void add_sources(const struct vg_story *story, struct vg_text *out)
{
    vg_text_add(out, "## Sources and licences\n\n");
    vg_attribution_table(story, out);
    vg_text_add(out, "\nThe same in `ATTRIBUTION.md`, to go with copies; per recording: `sources.csv`.\n\n");
}

static void add_list(const struct vg_story *story, const char *heading, const char *key, struct vg_text *out)
{
    const struct vg_node *list = vg_card_node(story->spec, key);

    vg_text_addf(out, "## %s\n\n", heading);
    if (list == NULL || list->count == 0)
        vg_text_add(out, "None recorded.\n");
    for (size_t i = 0; list != NULL && i < list->count; i++)
        vg_text_addf(out, "- %s\n", list->entries[i].value->text);
    vg_text_add_char(out, '\n');
}

static void add_citation(const struct vg_story *story, struct vg_text *out)
{
    const char *words = vg_card_text(story->spec, "citation", NULL);

    vg_text_add(out, "## Citation\n\n");
    if (words != NULL)
        vg_text_addf(out, "```\n%s\n```\n\nand the release id above, which names these very samples.\n\n",
                     words);
    else
        vg_text_addf(out, "%s %s, release id %s.\n\n", story->about->name, story->about->version,
                     story->about->release_id);
}

void vg_card_write(const struct vg_story *story, struct vg_text *out)
{
    vg_card_front(story, out);
    add_identity(story, out);
    add_task(story, out);
    add_counts(story, out);
    add_labels(story, out);
    add_shortcuts(story, out);
    add_files(story, out);
    add_loading(story, out);
    add_checking(story, out);
    add_limits(story, out);
    add_sources(story, out);
    add_citation(story, out);
    add_list(story, "Changes", "changelog", out);
    add_list(story, "Errata", "errata", out);
}
