/* SPDX-License-Identifier: MIT */
/* Parquet with the sound inside, as the Hub stores it: a column `audio` of struct{bytes, path}, and metadata
 * by which its `datasets` library knows the column for sound.  DuckDB writes; the files and rows it reads are
 * laid out beside and removed at the end. */
#include "laying.h"

#include "format.h"

#include <stdio.h>
#include <string.h>

enum {
    FILE_ITEMS = 2000,
    GROUP_ITEMS = 100
}; /* of a file: some 300 MB of speech; of a row group, for viewers */

static const char work_folder[] = ".work";

static void place(struct vg_laying *laying, const struct vg_record *record, struct vg_text *path,
                  struct vg_text *twin)
{
    (void)twin;
    vg_text_addf(path, "%s/%s/%05zu/%s.%s", work_folder, record->split, laying->split_index / FILE_ITEMS,
                 record->key, laying->ending);
}

/* One table of rows beside each folder of sound: .work/<split>/NNNNN.jsonl. */
static int row(struct vg_laying *laying, const struct vg_record *record, const char *path, const char *twin,
               struct vg_error *err)
{
    struct vg_text table = {0};
    int rc;

    (void)twin;
    vg_text_add_part(&table, path, (size_t)(strrchr(path, '/') - path));
    vg_text_add(&table, ".jsonl");
    rc = vg_laying_part(laying, table.data, "", err);
    vg_text_release(&table);
    vg_text_clear(&laying->line);
    vg_hub_row(&laying->line, record, strrchr(path, '/') + 1);
    return rc == VG_OK ? vg_laying_write(&laying->part, &laying->line, err) : rc;
}

/* ---- SQL
 * ------------------------------------------------------------------------------------------------------ */

/* As vg_hub_row writes them, behind file_name. */
static const struct {
    const char *name;
    bool number;
} columns[] = {{"key", false},         {"category", false},    {"benchmark_clip_id", false},
               {"source_text", false}, {"attribute", false},   {"prompt", false},
               {"label", false},       {"direction", false},   {"curve", false},
               {"tier", false},        {"source", false},      {"source_clip_id", false},
               {"speaker_id", false},  {"sentence_id", false}, {"duration_sec", true},
               {"onset_sec", true},    {"offset_sec", true},   {"verdict", false},
               {"audio_xxh128", false}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void add_names(struct vg_text *out)
{
    for (size_t i = 0; i < COLUMNS; i++)
        vg_text_addf(out, ", \"%s\"", columns[i].name);
}

/* Given, so that 007 and null stay texts. */
static void add_types(struct vg_text *out)
{
    for (size_t i = 0; i < COLUMNS; i++)
        vg_text_addf(out, ", %s: '%s'", columns[i].name, columns[i].number ? "DOUBLE" : "VARCHAR");
}

/* What tells `datasets` that the first column is sound. */
static void add_features(struct vg_text *out)
{
    struct vg_text json = {0};

    vg_text_add(&json, "{\"info\":{\"features\":{\"audio\":{\"_type\":\"Audio\"}");
    for (size_t i = 0; i < COLUMNS; i++)
        vg_text_addf(&json, ",\"%s\":{\"dtype\":\"%s\",\"_type\":\"Value\"}", columns[i].name,
                     columns[i].number ? "float64" : "string");
    vg_text_add(&json, "}}}");
    vg_duckdb_quote(out, json.data);
    vg_text_release(&json);
}

static void add_copy(struct vg_text *sql, const char *rows, const char *sounds, const char *to)
{
    vg_text_add(sql, "COPY (SELECT struct_pack(bytes := b.content, path := r.file_name) AS audio");
    add_names(sql);
    vg_text_add(sql, " FROM (SELECT *, row_number() OVER () AS place FROM read_json(");
    vg_duckdb_quote(sql, rows);
    vg_text_add(sql, ", format = 'newline_delimited', columns = {file_name: 'VARCHAR'");
    add_types(sql);
    vg_text_add(sql, "})) r JOIN (SELECT parse_filename(filename) AS name, content FROM read_blob(");
    vg_duckdb_quote(sql, sounds);
    vg_text_add(sql, ")) b ON b.name = r.file_name ORDER BY r.place) TO ");
    vg_duckdb_quote(sql, to);
    vg_text_addf(sql, " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE %d, KV_METADATA {huggingface: ",
                 GROUP_ITEMS);
    add_features(sql);
    vg_text_add(sql, "})");
}

/* ---- files
 * ------------------------------------------------------------------------------------------------------ */

static size_t items_of(const struct vg_laying *laying, const char *split)
{
    size_t items = 0;

    for (size_t i = 0; i < laying->about.shard_count; i++)
        if (strcmp(laying->about.shards[i].split, split) == 0)
            items += laying->about.shards[i].items;
    return items;
}

/* Does the file hold as many rows as went in? */
static int check_rows(struct vg_duckdb *db, const char *path, size_t wanted, struct vg_arena *arena,
                      struct vg_error *err)
{
    struct vg_text sql = {0};
    struct vg_duckdb_rows rows;
    int64_t found = -1;
    int rc;

    vg_text_add(&sql, "SELECT count(*) FROM read_parquet(");
    vg_duckdb_quote(&sql, path);
    vg_text_add(&sql, ")");
    rc = vg_duckdb_run(db, sql.data, &rows, arena, err);
    vg_text_release(&sql);
    if (rc == VG_OK &&
        (rows.count != 1 || !vg_integer_parse(rows.cells[0], &found) || found != (int64_t)wanted))
        rc = vg_fail(err, VG_IO, path, "has %lld rows after writing; %zu items went in", (long long)found,
                     wanted);
    return rc;
}

static int write_split(struct vg_laying *laying, struct vg_duckdb *db, const char *split,
                       struct vg_error *err)
{
    size_t items = items_of(laying, split), files = (items + FILE_ITEMS - 1) / FILE_ITEMS;
    struct vg_arena *arena = &laying->arena;
    struct vg_text name = {0}; /* as the card's pattern has it */
    int rc = vg_folder_make(vg_laying_path(laying, "data"), err);

    (void)vg_name_add_safe(&name, split, VG_NAME_BYTES_MAX, false);
    for (size_t i = 0; rc == VG_OK && i < files; i++) {
        struct vg_text sql = {0};
        const char *work =
            vg_laying_path(laying, vg_arena_format(arena, "%s/%s/%05zu", work_folder, split, i));
        const char *to = vg_laying_path(
            laying, vg_arena_format(arena, "data/%s-%05zu-of-%05zu.parquet", name.data, i, files));

        add_copy(&sql, vg_arena_format(arena, "%s.jsonl", work), vg_arena_format(arena, "%s/*", work), to);
        rc = vg_duckdb_run(db, sql.data, NULL, arena, err);
        vg_text_release(&sql);
        if (rc == VG_OK)
            rc = check_rows(db, to, i + 1 < files ? FILE_ITEMS : items - i * FILE_ITEMS, arena, err);
    }
    vg_text_release(&name);
    return rc;
}

static const struct vg_hub_words words = {
    .path_before = "data/",
    .path_after = "-*.parquet",
    .files = "`data/<split>-NNNNN-of-NNNNN.parquet` holds one row per item, the FLAC file in the column "
             "`audio`. The "
             "answer is the column `label`.",
};

static int end(struct vg_laying *laying, struct vg_error *err)
{
    struct vg_duckdb *db = NULL;
    int rc = vg_duckdb_open(&db, err);

    if (rc == VG_OK) /* one thread: the same bytes again */
        rc = vg_duckdb_run(db, "SET threads = 1", NULL, &laying->arena, err);
    for (size_t i = 0; rc == VG_OK && i < laying->about.shard_count; i++)
        if (i == 0 || strcmp(laying->about.shards[i - 1].split, laying->about.shards[i].split) != 0)
            rc = write_split(laying, db, laying->about.shards[i].split, err);
    vg_duckdb_close(db);
    if (rc == VG_OK)
        rc = vg_folder_remove(vg_laying_path(laying, work_folder), err);
    return rc == VG_OK ? vg_hub_card(laying, &words, err) : rc;
}

/* Asked before the work: a missing library is told at once. */
static int begin(struct vg_laying *laying, struct vg_error *err)
{
    struct vg_duckdb *db = NULL;
    int rc = vg_duckdb_open(&db, err);

    (void)laying;
    vg_duckdb_close(db);
    return rc;
}

const struct vg_layout vg_layout_parquet = {
    .name = "parquet", .begin = begin, .place = place, .row = row, .end = end};
