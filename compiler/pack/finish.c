/* SPDX-License-Identifier: MIT */
/* Ends a release: the shards get their names, the manifest the shards', then every other file, the sums last;
 * everything is read back before the folder gets its name. */
#include "inside.h"

#include <FLAC/format.h>
#include <archive.h>
#include <stdlib.h>
#include <string.h>

static const char shard_mark[] =
    "\"shard\":\"#"; /* in canonical JSON a quote inside a text is \": this is a key */

/* ---- finishing: shards and manifest -------------------------------------------------------------------- */

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static int check_keys(struct vg_release *release, struct vg_error *err)
{
    /* Equal keys are refused below. */
    if (release->key_count > 0)
        qsort(release->keys, release->key_count, sizeof *release->keys, compare_hashes);
    for (size_t i = 1; i < release->key_count; i++)
        if (release->keys[i] == release->keys[i - 1])
            return vg_fail(err, VG_SPEC, release->options.spec->path,
                           "two items have the same key; rename a source, or change the seed");
    return VG_OK;
}

/* Gives every shard its final name, which lives in the arena. */
static int name_shards(struct vg_release *release, struct vg_about *about, struct vg_error *err)
{
    const char *suffix = release->options.spec->pack.shard_suffix;
    int rc = VG_OK;

    about->shard_count = release->shard_count;
    about->shards = vg_arena_take(&release->arena, release->shard_count + 1, sizeof *about->shards);
    for (size_t i = 0; rc == VG_OK && i < release->shard_count; i++) {
        const struct vg_written_shard *shard = &release->shards[i];
        size_t total = 0;
        char *name;

        for (size_t k = 0; k < release->shard_count; k++)
            total += strcmp(release->shards[k].split, shard->split) == 0;
        name = vg_arena_format(&release->arena, "%s-%s-%05zu-of-%05zu%s", release->stem, shard->split,
                               shard->number, total, suffix);
        about->shards[i] = (struct vg_about_shard){.name = name,
                                                   .split = shard->split,
                                                   .items = shard->items,
                                                   .bytes = shard->sums.bytes,
                                                   .xxh128 = shard->sums.xxh128,
                                                   .sha256 = shard->sums.sha256,
                                                   .md5 = shard->sums.md5};
        rc = vg_path_rename(shard->path, vg_building_file(&release->building, name), err);
    }
    return rc;
}

/* Copies one row, the number of its shard replaced by the name. */
static int copy_row(const char *line, const struct vg_about *about, struct vg_file *to, struct vg_error *err)
{
    const char *mark = strstr(line, shard_mark), *number = mark != NULL ? mark + sizeof shard_mark - 1 : line;
    char *rest;
    unsigned long index = strtoul(number, &rest, 10);
    int rc;

    if (mark == NULL || index >= about->shard_count)
        return vg_fail(err, VG_IO, to->path,
                       "a row reads back other than it was written: is the disk sound?");
    rc = vg_file_write(to, line, (size_t)(number - 1 - line), err);
    if (rc == VG_OK)
        rc = vg_file_write(to, about->shards[index].name, strlen(about->shards[index].name), err);
    return rc == VG_OK ? vg_file_write(to, rest, strlen(rest), err) : rc;
}

static int copy_rows(FILE *from, const struct vg_about *about, struct vg_file *to, struct vg_error *err)
{
    char piece[4096];
    struct vg_text line = {0};
    int rc = VG_OK;

    while (rc == VG_OK && fgets(piece, sizeof piece, from) != NULL) {
        vg_text_add(&line, piece);
        if (vg_text_or_empty(&line)[line.length - 1] != '\n')
            continue;
        rc = copy_row(vg_text_or_empty(&line), about, to, err);
        vg_text_clear(&line);
    }
    if (rc == VG_OK && (ferror(from) || line.length > 0))
        rc = vg_fail(err, VG_IO, to->path, "cannot read back the rows that were written");
    vg_text_release(&line);
    return rc;
}

static int write_manifest(struct vg_release *release, const struct vg_about *about, struct vg_error *err)
{
    const char *path = vg_building_file(&release->building, vg_rows_name);
    struct vg_file manifest = {0};
    FILE *rows;
    int rc = vg_file_commit(&release->rows, err);

    if (rc != VG_OK)
        return rc;
    rows = fopen(path, "rb");
    if (rows == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot open");
    rc = vg_file_create(&manifest, vg_building_file(&release->building, "manifest.jsonl"), err);
    if (rc == VG_OK)
        rc = copy_rows(rows, about, &manifest, err);
    if (rc == VG_OK)
        rc = vg_file_commit(&manifest, err);
    vg_file_release(&manifest);
    fclose(rows);
    return rc == VG_OK ? vg_folder_remove(path, err) : rc;
}

/* ---- finishing: all other files ------------------------------------------------------------------------ */

static int put_made(struct vg_release *release, const char *name, const struct vg_story *story,
                    void (*write)(const struct vg_story *, struct vg_text *), struct vg_error *err)
{
    struct vg_text text = {0};
    int rc;

    write(story, &text);
    rc = vg_release_put(release, name, &text, err);
    vg_text_release(&text);
    return rc;
}

static void write_sources(const struct vg_story *story, struct vg_text *out)
{
    vg_text_add(out, vg_sources_header);
    for (size_t i = 0; i < story->source_count; i++)
        vg_source_row_add(&story->sources[i], out);
}

static void write_spec(const struct vg_story *story, struct vg_text *out)
{
    vg_text_add(out, story->spec_text);
}

static void write_about(const struct vg_story *story, struct vg_text *out)
{
    vg_about_write(story->about, story->summary, out);
}

static void add_library(const char **list, size_t *count, const char *text)
{
    size_t at = *count;

    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i], text) == 0)
            return;
    for (; at > 0 && strcmp(list[at - 1], text) > 0; at--)
        list[at] = list[at - 1];
    list[at] = text;
    ++*count;
}

static void fill_libraries(struct vg_release *release, struct vg_about *about)
{
    const struct vg_release_options *options = &release->options;

    about->libraries = vg_arena_take(&release->arena, options->library_count + 2, sizeof *about->libraries);
    for (size_t i = 0; i < options->library_count; i++)
        add_library(about->libraries, &about->library_count, options->libraries[i]);
    add_library(about->libraries, &about->library_count, archive_version_string());
    add_library(about->libraries, &about->library_count,
                vg_arena_format(&release->arena, "libFLAC %s", FLAC__VERSION_STRING));
}

static void fill_about(struct vg_release *release, struct vg_about *about,
                       const struct vg_source_row *sources, size_t source_count)
{
    const struct vg_spec *spec = release->options.spec;

    about->name = spec->name;
    about->version = spec->version;
    about->description = spec->description;
    about->license = spec->license;
    about->engine = spec->engine->name;
    about->release_id = release->id;
    about->tool = "vocalgrad";
    about->tool_version = VG_VERSION;
    about->subset_of = release->options.subset_of;
    about->subset_of_spec_xxh128 = release->options.subset_of_spec_xxh128;
    about->date = vg_card_text(spec, "date_published", release->options.date);
    about->compact = spec->pack.compact;
    about->part = release->options.part;
    about->parts = release->options.parts;
    about->items = release->key_count;
    for (size_t i = 0; i < source_count; i++) {
        about->sources += sources[i].skipped == NULL;
        about->sources_skipped += sources[i].skipped != NULL;
    }
    about->options = spec->overrides;
    about->option_count = spec->override_count;
    fill_libraries(release, about);
}

static int digest_file(struct vg_release *release, const char *name, const char **hex, struct vg_error *err)
{
    char *digest = vg_arena_take(&release->arena, VG_DIGEST_HEX, 1);

    *hex = digest;
    return vg_digest_of_file(VG_XXH128, vg_building_file(&release->building, name), digest, NULL, err);
}

/* One index for each split that has shards. */
static int write_indices(struct vg_release *release, const struct vg_about *about, struct vg_error *err)
{
    struct vg_text text = {0};
    int rc = VG_OK;

    for (size_t i = 0; rc == VG_OK && i < about->shard_count; i++) {
        const char *split = about->shards[i].split;

        if (i > 0 && strcmp(about->shards[i - 1].split, split) == 0)
            continue;
        vg_text_clear(&text);
        vg_wids_write(about, split, &text);
        rc = vg_release_put(release, vg_arena_format(&release->arena, "wids-%s.json", split), &text, err);
    }
    vg_text_release(&text);
    return rc;
}

static int write_texts(struct vg_release *release, struct vg_story *story, struct vg_about *about,
                       struct vg_error *err)
{
    int rc = put_made(release, "sources.csv", story, write_sources, err);

    if (rc == VG_OK)
        rc = write_indices(release, about, err);
    if (rc == VG_OK)
        rc = put_made(release, "spec.yaml", story, write_spec, err);
    if (rc == VG_OK)
        rc = digest_file(release, "manifest.jsonl", &about->manifest_xxh128, err);
    if (rc == VG_OK)
        rc = digest_file(release, "spec.yaml", &about->spec_xxh128, err);
    if (rc == VG_OK)
        rc = put_made(release, "release.json", story, write_about, err);
    if (rc == VG_OK)
        rc = put_made(release, "README.md", story, vg_card_write, err);
    if (rc == VG_OK)
        rc = put_made(release, "ATTRIBUTION.md", story, vg_attribution_write, err);
    return rc;
}

int vg_release_finish(struct vg_release *release, const struct vg_source_row *sources, size_t source_count,
                      struct vg_error *err)
{
    const char *spec_text = release->options.spec_text;
    struct vg_about about = {0};
    struct vg_story story = {.spec = release->options.spec,
                             .spec_text = spec_text,
                             .about = &about,
                             .summary = &release->summary,
                             .audit = release->audit,
                             .sources = sources,
                             .source_count = source_count};
    int rc = vg_release_flush(release, err);

    if (rc == VG_OK)
        rc = vg_release_close_shard(release, err);
    if (rc == VG_OK)
        rc = check_keys(release, err);
    if (rc == VG_OK)
        rc = name_shards(release, &about, err);
    if (rc == VG_OK)
        rc = vg_file_commit(&release->metadata, err);
    if (rc == VG_OK)
        rc = vg_file_commit(&release->labels, err);
    if (rc == VG_OK && release->options.parts > 0)
        rc = vg_file_commit(&release->excluded, err);
    if (rc == VG_OK)
        rc = write_manifest(release, &about, err);
    if (rc == VG_OK && release->options.whole != NULL)
        rc = vg_subset_check(release->building.temporary, release->options.whole, err);
    if (rc != VG_OK)
        return rc;
    vg_digest_add(&release->id_digest, spec_text, strlen(spec_text));
    vg_digest_finish(&release->id_digest, release->id);
    fill_about(release, &about, sources, source_count);
    rc = write_texts(release, &story, &about, err);
    if (rc == VG_OK)
        rc = vg_release_seal(release, &story, err);
    if (rc == VG_OK)
        rc = vg_building_install(&release->building, release->options.replace, err);
    return rc;
}
