/* SPDX-License-Identifier: MIT */
/* The manifest, row by row, and what follows from it: the rows of metadata.csv and labels.csv, the release
 * id, the counts.  The tables are compared as they stream by, so that memory holds a few words per item. */
#include "verify.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_BYTES_MAX = 4 << 20 };

/* ---- a table that must follow the manifest ------------------------------------------------------------- */

struct follower {
    const char *path, *header;
    void (*row)(const struct vg_record *, struct vg_text *);
    bool may_exclude; /* rows of items that are not in the manifest may stand between */
    FILE *stream;     /* NULL: not there, or given up */
    struct vg_text wanted, found;
};

static void follow_begin(struct follower *follower, struct vg_error *err)
{
    size_t length = strlen(follower->header);

    follower->stream = vg_file_open(follower->path);
    if (follower->stream == NULL)
        return; /* the sums told */
    vg_text_add(&follower->found, follower->header);
    if (fread(follower->found.data, 1, length, follower->stream) == length &&
        memcmp(follower->found.data, follower->header, length) == 0)
        return;
    vg_fail(err, VG_NO, follower->path, "has another header than vocalgrad writes");
    fclose(follower->stream);
    follower->stream = NULL;
}

/* The next row of the file, its LF included; a quoted field may hold line ends. */
static bool read_row(FILE *stream, struct vg_text *row)
{
    bool quoted = false;
    int c;

    vg_text_clear(row);
    while (row->length < ROW_BYTES_MAX && (c = getc(stream)) != EOF) {
        vg_text_add_char(row, (char)c);
        if (c == '"')
            quoted = !quoted;
        if (c == '\n' && !quoted)
            return true;
    }
    return false;
}

/* Is this a row of labels.csv of an item that was excluded?  Then it is counted. */
static bool take_excluded(struct vg_checking *checking, const char *row)
{
    struct vg_arena arena = {0};
    struct vg_error unheard = {0};
    struct vg_table table = {0};
    char *text = vg_arena_format(&arena, "%s%s", vg_labels_header, row);
    bool excluded = vg_table_parse(&table, "labels.csv", text, strlen(text), true, ',', &arena, VG_NO,
                                   &unheard) == VG_OK &&
                    table.row_count == 1 &&
                    vg_table_field(&table, 0, vg_table_column(&table, "excluded"))[0] != '\0';

    if (excluded)
        vg_summary_add(
            &checking->summary,
            &(struct vg_record){.split = vg_table_field(&table, 0, vg_table_column(&table, "split")),
                                .category = vg_table_field(&table, 0, vg_table_column(&table, "category")),
                                .tier = "",
                                .curve = "",
                                .direction = "",
                                .excluded = "yes"});
    vg_error_release(&unheard);
    vg_arena_release(&arena);
    return excluded;
}

static void give_up(struct follower *follower)
{
    fclose(follower->stream);
    follower->stream = NULL;
}

static void follow(struct vg_checking *checking, struct follower *follower, const struct vg_record *record,
                   struct vg_error *err)
{
    bool read = true;

    if (follower->stream == NULL)
        return;
    vg_text_clear(&follower->wanted);
    follower->row(record, &follower->wanted);
    do
        read = read_row(follower->stream, &follower->found);
    while (read && follower->may_exclude && strcmp(follower->found.data, follower->wanted.data) != 0 &&
           take_excluded(checking, follower->found.data));
    if (read && strcmp(follower->found.data, follower->wanted.data) == 0)
        return;
    vg_fail(err, VG_NO, follower->path, "the row of item %s__%s (%s) is not what the manifest says",
            record->category, record->id, record->key);
    give_up(follower);
}

static void follow_end(struct vg_checking *checking, struct follower *follower, struct vg_error *err)
{
    if (follower->stream != NULL) {
        while (read_row(follower->stream, &follower->found))
            if (!follower->may_exclude || !take_excluded(checking, follower->found.data)) {
                vg_fail(err, VG_NO, follower->path,
                        "has a row for an item that is not in the manifest: %.80s", follower->found.data);
                break;
            }
        fclose(follower->stream);
    }
    vg_text_release(&follower->wanted);
    vg_text_release(&follower->found);
}

/* ---- items --------------------------------------------------------------------------------------------- */

static size_t find_shard(const struct vg_about *about, const char *name, size_t guess)
{
    for (size_t i = 0; i < about->shard_count; i++) {
        size_t at = (guess + i) % about->shard_count; /* rows of a shard follow each other */

        if (strcmp(about->shards[at].name, name) == 0)
            return at;
    }
    return SIZE_MAX;
}

static void keep_item(struct vg_checking *checking, const struct vg_record *record, size_t row,
                      struct vg_text *sample)
{
    struct vg_checked_item *item;
    size_t guess = 0;

    if (checking->item_count > 0 && checking->items[checking->item_count - 1].shard != SIZE_MAX)
        guess = checking->items[checking->item_count - 1].shard;
    if (checking->item_count == checking->item_room) {
        checking->item_room = checking->item_room > 0 ? 2 * checking->item_room : 1024;
        checking->items = vg_memory_grow(checking->items, checking->item_room, sizeof *checking->items);
    }
    item = &checking->items[checking->item_count++];
    *item = (struct vg_checked_item){
        .key = vg_arena_text(&checking->arena, record->key),
        .name = vg_arena_format(&checking->arena, "%s__%s", record->category, record->id),
        .shard = find_shard(&checking->about, record->shard, guess),
        .group = record->group,
        .row = row,
        .frames = record->frames,
        .rate_hz = record->rate_hz,
        .flac_bytes = record->flac_bytes,
        .peak = record->peak,
        .rms = record->rms,
        .silence_head = record->silence_head,
        .silence_tail = record->silence_tail,
    };
    memcpy(item->flac_xxh128, record->flac_xxh128, sizeof item->flac_xxh128);
    memcpy(item->audio_xxh128, record->audio_xxh128, sizeof item->audio_xxh128);
    vg_text_clear(sample);
    vg_record_sample(record, sample);
    item->sample_bytes = sample->length;
    vg_digest_of(VG_XXH128, sample->data, sample->length, item->sample_xxh128);
}

/* ---- sources ------------------------------------------------------------------------------------------- */

struct known_source {
    const char *id, *audio_xxh128;
};
struct known_sources {
    struct known_source *at; /* by id */
    size_t count;
    bool usable;
};

static int compare_sources(const void *a, const void *b)
{
    return strcmp(((const struct known_source *)a)->id, ((const struct known_source *)b)->id);
}

static void read_sources(struct vg_checking *checking, struct known_sources *sources, struct vg_error *err)
{
    const char *path = vg_checking_path(checking, "sources.csv");
    struct vg_table table;

    if (!vg_file_exists(path) || vg_table_read(&table, path, &checking->arena, VG_NO, err) != VG_OK)
        return;
    sources->usable = true;
    sources->at = vg_arena_take(&checking->arena, table.row_count + 1, sizeof *sources->at);
    for (size_t i = 0; i < table.row_count; i++) {
        if (vg_table_field(&table, i, vg_table_column(&table, "skipped"))[0] != '\0')
            continue;
        sources->at[sources->count++] =
            (struct known_source){vg_table_field(&table, i, vg_table_column(&table, "id")),
                                  vg_table_field(&table, i, vg_table_column(&table, "audio_xxh128"))};
    }
    /* Ids are distinct in a release; of equal ones any may answer. */
    if (sources->count > 0)
        qsort(sources->at, sources->count, sizeof *sources->at, compare_sources);
}

static void check_source(const struct known_sources *sources, const struct vg_record *record,
                         const char *path, struct vg_error *err)
{
    struct known_source wanted = {.id = record->source}, *found = NULL;

    if (!sources->usable || record->place > 0) /* once per group is enough */
        return;
    if (sources->count > 0)
        found = bsearch(&wanted, sources->at, sources->count, sizeof wanted, compare_sources);
    if (found == NULL)
        vg_fail(err, VG_NO, path, "item %s names the source %s, which sources.csv does not list as used",
                record->id, record->source);
    else if (strcmp(found->audio_xxh128, record->source_audio_xxh128) != 0)
        vg_fail(err, VG_NO, path, "item %s says its source %s has the samples %s; sources.csv says %s",
                record->id, record->source, record->source_audio_xxh128, found->audio_xxh128);
}

/* ---- the release id ------------------------------------------------------------------------------------ */

static void check_id(struct vg_checking *checking, struct vg_digest *digest, struct vg_error *err)
{
    const char *path = vg_checking_path(checking, "spec.yaml");
    char *bytes, hex[VG_DIGEST_HEX];
    size_t count;
    int rc = VG_NO;

    if (vg_file_exists(path))
        rc = vg_file_get(path, 1 << 28, &checking->arena, &bytes, &count, err);
    if (rc == VG_OK)
        vg_digest_add(digest, bytes, count);
    vg_digest_finish(digest, hex);
    if (rc != VG_OK || !checking->whole_manifest)
        return;
    memcpy(checking->result->release_id, hex, sizeof hex);
    if (strcmp(hex, checking->about.release_id) != 0)
        vg_fail(err, VG_NO, vg_checking_path(checking, "release.json"),
                "says release id %s; manifest.jsonl and spec.yaml give %s", checking->about.release_id, hex);
}

/* ---- all rows ------------------------------------------------------------------------------------------ */

struct row_check {
    struct vg_rows rows;
    struct follower tables[2];
    struct known_sources sources;
    struct vg_digest id;
    struct vg_text identity, sample;
    struct vg_error err;
};

static void check_row(struct vg_checking *checking, struct row_check *check, const struct vg_record *record)
{
    vg_text_clear(&check->identity);
    vg_text_addf(&check->identity, "%s %s\n", record->audio_xxh128, record->flac_xxh128);
    vg_digest_add(&check->id, check->identity.data, check->identity.length);
    keep_item(checking, record, check->rows.row, &check->sample);
    vg_summary_add(&checking->summary, record);
    if (!checking->options->bytes)
        return;
    if (checking->whole_manifest) /* behind a row that could not be read the tables do not match */
        for (size_t t = 0; t < 2; t++)
            follow(checking, &check->tables[t], record, &check->err);
    check_source(&check->sources, record, check->rows.path, &check->err);
}

static void run_rows(struct vg_checking *checking, struct row_check *check)
{
    bool end = false;
    int rc = vg_rows_open(&check->rows, checking->folder, &check->err);

    checking->whole_manifest = rc == VG_OK;
    while (rc != VG_IO && !end) {
        struct vg_record record;

        rc = vg_rows_next(&check->rows, &record, &end, &check->err);
        if (rc == VG_OK && !end)
            check_row(checking, check, &record);
        if (rc != VG_OK)
            checking->whole_manifest = false;
        if (rc == VG_NO && feof(check->rows.stream))
            break;
    }
}

void vg_check_rows(struct vg_checking *checking)
{
    struct row_check check = {
        .tables = {{.path = vg_checking_path(checking, "metadata.csv"),
                    .header = vg_metadata_header,
                    .row = vg_record_metadata},
                   {.path = vg_checking_path(checking, "labels.csv"),
                    .header = vg_labels_header,
                    .row = vg_record_labels,
                    .may_exclude = true}},
    };

    vg_digest_init(&check.id, VG_XXH128);
    if (checking->options->bytes) {
        follow_begin(&check.tables[0], &check.err);
        follow_begin(&check.tables[1], &check.err);
        read_sources(checking, &check.sources, &check.err);
    }
    run_rows(checking, &check);
    for (size_t t = 0; t < 2; t++) {
        if (!checking->whole_manifest && check.tables[t].stream != NULL)
            give_up(&check.tables[t]);
        follow_end(checking, &check.tables[t], &check.err);
    }
    check_id(checking, &check.id, &check.err);
    checking->result->items = checking->item_count;
    vg_rows_close(&check.rows);
    vg_text_release(&check.identity);
    vg_text_release(&check.sample);
    vg_checking_gather(checking, &check.err);
}
