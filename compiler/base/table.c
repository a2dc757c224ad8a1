/* SPDX-License-Identifier: MIT */
/* Tables: one pass over the bytes, fields cut in place.  CSV by RFC 4180; TSV without any quoting, as
 * Common Voice writes it, where a quote is a letter like any other. */
#include "base.h"

#include <string.h>

enum { TABLE_BYTES_MAX = 1 << 30, COLUMNS_MAX = 512 };

struct reader {
    struct vg_table *table;
    char *at, *end;
    bool quoted;
    char separator;
    size_t line, row_line; /* of the byte at hand, of the row's start */
    char *fields[COLUMNS_MAX];
    size_t field_count;
    size_t room; /* rows */
    int code;
    struct vg_arena *arena;
    struct vg_error *err;
};

static int fail_at(struct reader *r, size_t line, const char *sentence)
{
    char *place = vg_arena_format(r->arena, "%s:%zu", r->table->path, line);

    return vg_fail(r->err, r->code, place, "%s", sentence);
}

/* Is this the end of a field: a separator, the end of a row or of the table? */
static bool ends_field(const struct reader *r)
{
    const char *at = r->at;

    if (at < r->end && *at == '\r')
        at++;
    return at == r->end || *at == '\n' || (at == r->at && *at == r->separator);
}

/* Cut a quoted field; returns its text and leaves `at` on the byte after the closing quote. */
static char *cut_quoted(struct reader *r, int *rc)
{
    char *start = ++r->at, *to = start;

    for (; r->at < r->end; r->at++) {
        if (*r->at == '"' && r->at + 1 < r->end && r->at[1] == '"')
            r->at++;
        else if (*r->at == '"')
            break;
        r->line += *r->at == '\n';
        *to++ = *r->at;
    }
    if (r->at == r->end) {
        r->table->usable = false; /* who knows how many rows this one swallowed */
        *rc = fail_at(r, r->row_line, "a quote opens here and is never closed; close it or double it");
        return start;
    }
    r->at++;
    if (!ends_field(r))
        *rc = fail_at(r, r->line, "text follows a closing quote; expected a separator or the end of the row");
    *to = '\0';
    return start;
}

/* Cut one field and the separator or line end after it; `*last` where the row ends. */
static int cut_field(struct reader *r, bool *last)
{
    int rc = VG_OK;
    char *start = r->at, *stop;

    if (r->quoted && r->at < r->end && *r->at == '"') {
        start = cut_quoted(r, &rc);
        if (rc != VG_OK)
            return rc;
        stop = r->at;
    } else {
        while (r->at < r->end && *r->at != r->separator && *r->at != '\n')
            r->at++;
        stop = r->at;
        if (stop > start && stop[-1] == '\r' && (r->at == r->end || *r->at == '\n'))
            stop--;
    }
    if (r->quoted && r->at < r->end && *r->at == '\r')
        r->at++;
    *last = r->at >= r->end || *r->at == '\n';
    if (r->at < r->end) {
        r->line += *r->at == '\n';
        r->at++;
    }
    *stop = '\0'; /* the buffer ends in a NUL of its own, so the last field has room */
    if (r->field_count == COLUMNS_MAX)
        return fail_at(r, r->row_line, "more than 512 fields in a row");
    r->fields[r->field_count++] = start;
    return VG_OK;
}

static int cut_row(struct reader *r)
{
    bool last = false;
    int rc = VG_OK;

    r->row_line = r->line;
    r->field_count = 0;
    while (rc == VG_OK && !last)
        rc = cut_field(r, &last);
    return rc;
}

static int keep_header(struct reader *r)
{
    struct vg_table *table = r->table;
    int rc = VG_OK;

    table->column_count = r->field_count;
    table->columns = vg_arena_take(r->arena, r->field_count, sizeof *table->columns);
    memcpy(table->columns, r->fields, r->field_count * sizeof *table->columns);
    for (size_t i = 0; i < r->field_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(table->columns[i], table->columns[k]) == 0 && table->columns[i][0] != '\0')
                rc = fail_at(r, 1,
                             vg_arena_format(r->arena, "column \"%s\" is named twice; rename one of them",
                                             table->columns[i]));
    table->usable = rc == VG_OK;
    return rc;
}

static void keep_row(struct reader *r)
{
    struct vg_table *table = r->table;

    if (table->row_count == r->room) {
        size_t room = r->room ? 2 * r->room : 256;
        char ***rows = vg_arena_take(r->arena, room, sizeof *rows);
        size_t *lines = vg_arena_take(r->arena, room, sizeof *lines);

        if (table->row_count > 0) {
            memcpy(rows, table->rows, table->row_count * sizeof *rows);
            memcpy(lines, table->lines, table->row_count * sizeof *lines);
        }
        table->rows = rows;
        table->lines = lines;
        r->room = room;
    }
    table->lines[table->row_count] = r->row_line;
    table->rows[table->row_count] = vg_arena_take(r->arena, table->column_count, sizeof(char *));
    for (size_t i = 0; i < table->column_count; i++)
        table->rows[table->row_count][i] = i < r->field_count ? r->fields[i] : r->end; /* "" */
    table->row_count++;
}

static int take_row(struct reader *r)
{
    bool blank = r->field_count == 1 && r->fields[0][0] == '\0';

    if (blank)
        return VG_OK;
    if (r->table->column_count == 0)
        return keep_header(r);
    if (r->field_count != r->table->column_count)
        return fail_at(r, r->row_line,
                       vg_arena_format(r->arena, "%zu fields; the header has %zu columns%s", r->field_count,
                                       r->table->column_count,
                                       r->quoted ? "" : " (in a TSV a quote is a letter like any other)"));
    keep_row(r);
    return VG_OK;
}

/* What is no table, whatever its name says: how it begins and what it is. */
static const struct {
    const char *magic, *what;
} strangers[] = {
    {"\xff\xfe", "is UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
    {"\xfe\xff", "is UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
    {"\x1f\x8b", "is compressed by gzip; unpack it (gunzip)"},
    {"PK\x03\x04", "is a zip archive or a spreadsheet; save it as CSV or TSV"},
    {"PAR1", "is Parquet, not text; expected CSV, TSV or JSON lines"},
    {"version https://git-lfs", "is a Git LFS pointer, not the file itself; run `git lfs pull`"},
    {"<!DOCTYPE", "is a web page, not a table; download it again"},
    {"<!doctype", "is a web page, not a table; download it again"},
    {"<html", "is a web page, not a table; download it again"},
};

static int refuse_strangers(struct reader *r, const char *bytes, size_t count)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        size_t length = strlen(strangers[i].magic);

        if (count >= length && memcmp(bytes, strangers[i].magic, length) == 0)
            return fail_at(r, 1, strangers[i].what);
    }
    if (memchr(bytes, '\r', count) != NULL && memchr(bytes, '\n', count) == NULL && bytes[count - 1] == '\r')
        return fail_at(r, 1, "its lines end in a carriage return alone; save it with line feeds");
    return VG_OK;
}

static int check_bytes(struct reader *r, const char *bytes, size_t count)
{
    const char *nul = memchr(bytes, '\0', count);
    size_t line = 1;
    int rc = refuse_strangers(r, bytes, count);

    if (rc != VG_OK)
        return rc;
    if (nul != NULL) {
        for (const char *c = bytes; c < nul; c++)
            line += *c == '\n';
        return fail_at(r, line, "a NUL byte; a table is UTF-8 text, save it as that");
    }
    for (size_t start = 0; start < count; line++) {
        const char *feed = memchr(bytes + start, '\n', count - start);
        size_t stop = feed != NULL ? (size_t)(feed - bytes) : count;

        if (!vg_text_is_utf8(bytes + start, stop - start))
            return fail_at(r, line, "not UTF-8; save the table as UTF-8");
        start = stop + 1;
    }
    return VG_OK;
}

int vg_table_parse(struct vg_table *table, const char *path, char *bytes, size_t count, bool quoted,
                   char separator, struct vg_arena *arena, int code, struct vg_error *err)
{
    struct reader r = {.table = table,
                       .at = bytes,
                       .end = bytes + count,
                       .quoted = quoted,
                       .separator = separator,
                       .line = 1,
                       .code = code,
                       .arena = arena,
                       .err = err};
    int rc;

    *table = (struct vg_table){.path = vg_arena_text(arena, path)};
    if (count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        r.at += 3;
    rc = check_bytes(&r, r.at, (size_t)(r.end - r.at));
    if (rc != VG_OK)
        return rc;
    while (r.at < r.end) {
        int row = cut_row(&r);

        if (row == VG_OK)
            row = take_row(&r);
        if (row != VG_OK && table->column_count == 0)
            return row; /* what follows would be read against no header */
        if (row != VG_OK && rc == VG_OK)
            rc = row;
    }
    if (rc == VG_OK && table->column_count == 0)
        rc = fail_at(&r, 1, "empty; expected a header row with the names of the columns");
    return rc;
}

int vg_table_read(struct vg_table *table, const char *path, struct vg_arena *arena, int code,
                  struct vg_error *err)
{
    size_t length = strlen(path), count;
    bool tabs = (length > 4 && strcmp(path + length - 4, ".tsv") == 0) ||
                (length > 4 && strcmp(path + length - 4, ".tab") == 0);
    char *bytes;

    if (vg_file_get(path, TABLE_BYTES_MAX, arena, &bytes, &count, err) != VG_OK) {
        err->issues[err->count - 1].code = code;
        return code;
    }
    return vg_table_parse(table, path, bytes, count, !tabs, tabs ? '\t' : ',', arena, code, err);
}

size_t vg_table_column(const struct vg_table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i], name) == 0)
            return i;
    return SIZE_MAX;
}

const char *vg_table_field(const struct vg_table *table, size_t row, size_t column)
{
    vg_check(row < table->row_count);
    return column < table->column_count ? table->rows[row][column] : "";
}
