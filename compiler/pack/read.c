/* SPDX-License-Identifier: MIT */
/* A release read back: rows of the manifest one at a time, one item by its name, one FLAC file out of its
 * shard. Input is untrusted: lines and members have a largest size, names of shards never leave the folder.
 */
#include "inside.h"

#include <string.h>

enum { LINE_BYTES_MAX = 4 << 20 };

int vg_rows_open(struct vg_rows *rows, const char *folder, struct vg_error *err)
{
    rows->path = vg_path_join(&rows->names, folder, "manifest.jsonl");
    rows->stream = vg_file_open(rows->path);
    if (rows->stream == NULL)
        return vg_fail_errno(err, VG_IO, rows->path, "cannot open");
    return VG_OK;
}

/* Reads up to the next LF into rows->line, without it. */
static int read_line(struct vg_rows *rows, bool *end, struct vg_error *err)
{
    char piece[4096];

    vg_text_clear(&rows->line);
    *end = false;
    while (fgets(piece, sizeof piece, rows->stream) != NULL) {
        size_t length = strlen(piece);

        if (length == 0)
            return vg_fail(err, VG_NO, rows->path, "line %zu begins with a NUL byte", rows->row + 1);
        vg_text_add_part(&rows->line, piece, length);
        if (length > 0 && piece[length - 1] == '\n') {
            rows->line.length--;
            return VG_OK;
        }
        if (rows->line.length > LINE_BYTES_MAX)
            return vg_fail(err, VG_NO, rows->path, "line %zu is longer than %d bytes", rows->row + 1,
                           LINE_BYTES_MAX);
    }
    if (ferror(rows->stream))
        return vg_fail_errno(err, VG_IO, rows->path, "cannot read");
    *end = rows->line.length == 0;
    return *end ? VG_OK
                : vg_fail(err, VG_NO, rows->path, "line %zu has no end: the file is cut off", rows->row + 1);
}

int vg_rows_line(struct vg_rows *rows, bool *end, struct vg_error *err)
{
    int rc = read_line(rows, end, err);

    rows->row += rc == VG_OK && !*end;
    return rc;
}

static bool changed(struct vg_text *last, const char *now)
{
    if (last->data != NULL && strcmp(last->data, now) == 0)
        return false;
    vg_text_clear(last);
    vg_text_add(last, now);
    return true;
}

/* Rows of one split, category and source that follow each other are a group. */
static void number_row(struct vg_rows *rows, struct vg_record *record)
{
    bool split = changed(&rows->last_split, record->split),
         category = changed(&rows->last_category, record->category);
    bool source = changed(&rows->last_source, record->source);

    if (split || category || source) {
        rows->group++;
        rows->place = 0;
    }
    record->group = rows->group - 1;
    record->place = rows->place++;
}

int vg_rows_next_in(struct vg_rows *rows, struct vg_record *record, struct vg_arena *arena, bool *end,
                    struct vg_error *err)
{
    const char *place;
    int rc = read_line(rows, end, err);

    if (rc != VG_OK || *end)
        return rc;
    rows->row++;
    place = vg_arena_format(arena, "%s:%zu", rows->path, rows->row);
    rc = vg_record_parse(record, vg_text_or_empty(&rows->line), rows->line.length, arena, place, err);
    if (rc == VG_OK)
        number_row(rows, record);
    return rc;
}

int vg_rows_next(struct vg_rows *rows, struct vg_record *record, bool *end, struct vg_error *err)
{
    struct vg_arena_mark empty = {0};

    vg_arena_rewind(&rows->arena, empty);
    return vg_rows_next_in(rows, record, &rows->arena, end, err);
}

void vg_rows_close(struct vg_rows *rows)
{
    if (rows->stream != NULL)
        fclose(rows->stream);
    vg_text_release(&rows->line);
    vg_text_release(&rows->last_split);
    vg_text_release(&rows->last_category);
    vg_text_release(&rows->last_source);
    vg_arena_release(&rows->arena);
    vg_arena_release(&rows->names);
    *rows = (struct vg_rows){0};
}

/* ---- one item --------------------------------------------------------------------------------------- */

enum match { MATCH_NONE, MATCH_ID, MATCH_WHOLE };

static enum match match(const struct vg_record *record, const char *name)
{
    size_t length = strlen(record->category);

    if (strcmp(record->key, name) == 0)
        return MATCH_WHOLE;
    if (strncmp(name, record->category, length) == 0 && strncmp(name + length, "__", 2) == 0 &&
        strcmp(name + length + 2, record->id) == 0)
        return MATCH_WHOLE;
    return strcmp(record->id, name) == 0 ? MATCH_ID : MATCH_NONE;
}

static int scan_rows(struct vg_rows *rows, const char *name, size_t *matches, size_t *row,
                     struct vg_record *record, struct vg_error *err)
{
    bool end = false;
    int rc = VG_OK;

    while (rc == VG_OK && !end) {
        enum match found = MATCH_NONE;

        rc = vg_rows_next(rows, record, &end, err);
        if (rc == VG_OK && !end)
            found = match(record, name);
        if (found != MATCH_NONE) {
            *row = rows->row;
            *matches = found == MATCH_WHOLE ? 1 : *matches + 1;
        }
        if (found == MATCH_WHOLE)
            break;
    }
    return rc;
}

/* The record has to live in the rows: the file is read again up to the row that was found. */
static int go_to_row(struct vg_rows *rows, const char *folder, size_t row, struct vg_record *record,
                     struct vg_error *err)
{
    bool end = false;
    int rc;

    if (rows->row == row)
        return VG_OK;
    vg_rows_close(rows);
    rc = vg_rows_open(rows, folder, err);
    while (rc == VG_OK && !end && rows->row < row)
        rc = vg_rows_next(rows, record, &end, err);
    return rc;
}

int vg_rows_find(struct vg_rows *rows, const char *folder, const char *name, struct vg_record *record,
                 struct vg_error *err)
{
    size_t matches = 0, row = 0;
    int rc = vg_rows_open(rows, folder, err);

    if (rc == VG_OK)
        rc = scan_rows(rows, name, &matches, &row, record, err);
    if (rc != VG_OK)
        return rc;
    if (matches > 1)
        return vg_fail(err, VG_USAGE, name, "is the id of %zu items in %s; write <category>__<id>", matches,
                       folder);
    if (matches == 0)
        return vg_fail(err, VG_USAGE, name,
                       "is no item of %s; expected a key, <category>__<id> or an id of its manifest.jsonl",
                       folder);
    return go_to_row(rows, folder, row, record, err);
}

/* ---- one FLAC file ----------------------------------------------------------------------------------- */

static int check_member(const struct vg_record *record, const struct vg_member *member, const char *path,
                        struct vg_error *err)
{
    char hex[VG_DIGEST_HEX];

    vg_digest_of(VG_XXH128, member->bytes, member->count, hex);
    if (strcmp(hex, record->flac_xxh128) == 0)
        return VG_OK;
    return vg_fail(err, VG_NO, path, "%s has XXH128 %s; the manifest says %s", member->name, hex,
                   record->flac_xxh128);
}

static int find_member(struct vg_shard_reader *reader, const struct vg_record *record, const char *path,
                       struct vg_arena *arena, struct vg_member *found, struct vg_error *err)
{
    const char *wanted = vg_arena_format(arena, "%s.flac", record->key);
    struct vg_member member;
    bool end = false;
    int rc = VG_OK;

    while (rc == VG_OK) {
        rc = vg_shard_next(reader, &member, &end, err);
        if (rc != VG_OK || end)
            break;
        if (strcmp(member.name, wanted) != 0)
            continue;
        rc = check_member(record, &member, path, err);
        *found = member;
        return rc;
    }
    return rc != VG_OK ? rc : vg_fail(err, VG_NO, path, "has no member %s", wanted);
}

int vg_record_extract(const struct vg_record *record, const char *folder, struct vg_arena *arena,
                      char **bytes, size_t *count, struct vg_error *err)
{
    const char *path = vg_path_join(arena, folder, record->shard);
    struct vg_shard_reader *reader = NULL;
    struct vg_member member = {0};
    int rc;

    if (record->shard[0] == '\0' || record->shard[0] == '.' || strchr(record->shard, '/') != NULL)
        return vg_fail(err, VG_NO, record->id, "its shard \"%s\" is not a file name", record->shard);
    rc = vg_shard_open(&reader, path, VG_MEMBER_BYTES_MAX, err);
    if (rc == VG_OK)
        rc = find_member(reader, record, path, arena, &member, err);
    if (rc == VG_OK) {
        *count = member.count;
        *bytes = vg_arena_text_part(arena, member.bytes, member.count);
    }
    vg_shard_close(reader);
    return rc;
}
