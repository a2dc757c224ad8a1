/* SPDX-License-Identifier: MIT */
/* base: what every room may use.  Errors, memory, text, numbers, digests, files, tables, workers.
 *
 * Lifetimes: X_init makes, X_release accepts a zeroed or half-built object, X_clear empties and keeps
 * the memory.  The caller owns; a callee borrows for the call.  Nothing here prints or exits. */
#ifndef VG_BASE_H
#define VG_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined __GNUC__
#define VG_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define VG_FORMAT(text, first)
#endif

/* ---- errors -------------------------------------------------------------------------------------- */

/* What a function that can fail returns; the process exits with the negated value. */
enum vg_code {
    VG_OK = 0,
    VG_NO = -1,     /* the check says no: a digest or a label does not hold */
    VG_USAGE = -2,  /* the command line */
    VG_SPEC = -3,   /* the spec */
    VG_SOURCE = -4, /* source data */
    VG_IO = -5      /* disk full, no permission, out of memory */
};

/* One diagnostic.  All texts are owned by the list that holds it. */
struct vg_issue {
    int code;       /* enum vg_code; VG_OK for a warning */
    char *place;    /* file, file:line:column, file:row, source id or item id; never empty */
    char *sentence; /* found, expected, what to do; no final newline */
    char *excerpt;  /* the offending line and a caret below it, or NULL */
};

/* A list of diagnostics: a spec reports all its faults at once.  Zero-initialise. */
struct vg_error {
    struct vg_issue *issues;
    size_t count, room;
};

/* Add a diagnostic; returns `code`, so that a caller can `return vg_fail(...)`. */
int vg_fail(struct vg_error *err, int code, const char *place, const char *format, ...) VG_FORMAT(4, 5);
/* The same with errno's text after the sentence; the code is VG_IO unless `code` says otherwise. */
int vg_fail_errno(struct vg_error *err, int code, const char *place, const char *format, ...) VG_FORMAT(4, 5);
void vg_warn(struct vg_error *err, const char *place, const char *format, ...) VG_FORMAT(3, 4);
/* Give the newest diagnostic its excerpt (copied). */
void vg_error_excerpt(struct vg_error *err, const char *excerpt);
/* Move all of `from` to the end of `to`; `from` is left empty. */
void vg_error_move(struct vg_error *to, struct vg_error *from);
/* The code of the first diagnostic that is no warning; VG_OK where there is none. */
int vg_error_code(const struct vg_error *err);
void vg_error_release(struct vg_error *err);

/* A programmer's fault ends the process in every build type; never used for input. */
#define vg_check(condition) ((condition) ? (void)0 : vg_check_failed(#condition, __FILE__, __LINE__))
_Noreturn void vg_check_failed(const char *condition, const char *file, int line);

/* ---- memory -------------------------------------------------------------------------------------- */

/* Called when memory is out, with the bytes asked for; must not return.  The command line sets it. */
void vg_memory_on_exhausted(void (*handler)(size_t bytes));
/* Once, before there are threads: what is large goes back to the system as soon as it is let go, whichever
 * thread had it (glibc otherwise comes to keep up to 32 MiB a piece). */
void vg_memory_settle(void);
/* Calls it: for what a library cannot allocate.  Does not return. */
void vg_memory_exhausted(size_t bytes);
/* Like malloc and realloc, but never NULL.  The product of the two sizes is checked. */
void *vg_memory_take(size_t count, size_t size);
void *vg_memory_grow(void *old, size_t count, size_t size);

/* A stack of blocks: taken piece by piece, given back by rewinding.  Zero-initialise.  One for the
 * run, one of scratch per worker. */
struct vg_arena {
    struct vg_arena_block *top, *spare; /* spare: rewound blocks, kept for what comes next */
    size_t held_bytes;                  /* asked from the system and not yet given back */
};
struct vg_arena_mark {
    struct vg_arena_block *block;
    size_t used;
};
/* `count` objects of `size` bytes, 64-byte aligned, not initialised; never NULL. */
void *vg_arena_take(struct vg_arena *arena, size_t count, size_t size);
void *vg_arena_take_zero(struct vg_arena *arena, size_t count, size_t size);
char *vg_arena_text(struct vg_arena *arena, const char *text);
char *vg_arena_text_part(struct vg_arena *arena, const char *text, size_t length);
char *vg_arena_format(struct vg_arena *arena, const char *format, ...) VG_FORMAT(2, 3);
struct vg_arena_mark vg_arena_mark(const struct vg_arena *arena);
/* Everything taken since the mark is gone; its blocks stay as spares for what comes next, large ones go back
 * to the system. */
void vg_arena_rewind(struct vg_arena *arena, struct vg_arena_mark mark);
void vg_arena_release(struct vg_arena *arena);

/* ---- text ---------------------------------------------------------------------------------------- */

/* A growing byte string, always NUL-terminated once anything was added.  Zero-initialise. */
struct vg_text {
    char *data;
    size_t length, room;
};
void vg_text_add(struct vg_text *text, const char *part);
void vg_text_add_part(struct vg_text *text, const char *part, size_t length);
void vg_text_add_char(struct vg_text *text, char c);
/* For words and integers only: no %f, %g or %e (numbers have their own functions below). */
void vg_text_addf(struct vg_text *text, const char *format, ...) VG_FORMAT(2, 3);
void vg_text_addv(struct vg_text *text, const char *format, va_list args);
/* Shortest decimal that reads back as the same double, in ECMAScript's form (RFC 8785 section
 * 3.2.2.3); `value` must be finite. */
void vg_text_add_double(struct vg_text *text, double value);
/* Fixed number of decimals (0..9), rounded to nearest, ties to even of the exact binary value. */
void vg_text_add_fixed(struct vg_text *text, double value, int decimals);
/* One CSV field (RFC 4180), quoted whenever a careless reader could take it for something else:
 * separators, quotes, line ends, edge spaces, leading zeros, numbers, null, NA, true, empty. */
void vg_text_add_csv(struct vg_text *text, const char *field);
void vg_text_clear(struct vg_text *text);
void vg_text_release(struct vg_text *text);
const char *vg_text_or_empty(const struct vg_text *text);

/* Is this well-formed UTF-8 (RFC 3629, no surrogates, no overlong forms)? */
bool vg_text_is_utf8(const char *text, size_t length);
/* Locale-free: a whole decimal number (sign, digits, point, exponent), surrounded by nothing. */
bool vg_number_parse(const char *text, double *value);
bool vg_integer_parse(const char *text, int64_t *value);
/* The candidate closest to `word` by edit distance, or NULL where none is near; for "did you mean". */
const char *vg_nearest(const char *word, const char *const *candidates, size_t count);

/* ---- JSON ---------------------------------------------------------------------------------------- */

/* Writer of canonical JSON (RFC 8785): no blanks, keys ascending (checked), shortest numbers.
 * `key` is NULL inside an array and for the outermost value. */
struct vg_json {
    struct vg_text *out;
    unsigned depth;
    bool filled[16];          /* something was written at this depth */
    const char *last_key[16]; /* borrowed until the object is closed */
};
void vg_json_init(struct vg_json *json, struct vg_text *out);
void vg_json_open(struct vg_json *json, const char *key, char bracket);        /* '{' or '[' */
void vg_json_close(struct vg_json *json, char bracket);                        /* '}' or ']' */
void vg_json_string(struct vg_json *json, const char *key, const char *value); /* NULL: null */
void vg_json_double(struct vg_json *json, const char *key, double value);      /* not finite: null */
void vg_json_integer(struct vg_json *json, const char *key, int64_t value);
void vg_json_bool(struct vg_json *json, const char *key, bool value);
void vg_text_add_json(struct vg_text *text, const char *string); /* one quoted string */

/* ---- digests ------------------------------------------------------------------------------------- */

enum vg_digest_kind { VG_XXH128, VG_SHA256, VG_MD5 };
enum { VG_DIGEST_HEX = 65 }; /* room for the longest in lower-case hex and its NUL */

/* A running digest: init, add, finish (which also releases).  XXH128 is XXH3-128, seed 0, written
 * as xxhsum writes it. */
struct vg_digest {
    enum vg_digest_kind kind;
    void *state;
};
void vg_digest_init(struct vg_digest *digest, enum vg_digest_kind kind);
void vg_digest_add(struct vg_digest *digest, const void *bytes, size_t count);
void vg_digest_finish(struct vg_digest *digest, char hex[VG_DIGEST_HEX]);
void vg_digest_of(enum vg_digest_kind kind, const void *bytes, size_t count, char hex[VG_DIGEST_HEX]);
/* Of samples as little-endian 16-bit words, on any machine. */
void vg_digest_of_samples(enum vg_digest_kind kind, const int16_t *samples, size_t count,
                          char hex[VG_DIGEST_HEX]);
int vg_digest_of_file(enum vg_digest_kind kind, const char *path, char hex[VG_DIGEST_HEX], uint64_t *bytes,
                      struct vg_error *err);

/* ---- files --------------------------------------------------------------------------------------- */

/* A file written beside its place (`path` + ".tmp") and renamed into it by commit.  Zero-initialise. */
struct vg_file {
    FILE *stream;
    char *path, *temporary;
};
int vg_file_create(struct vg_file *file, const char *path, struct vg_error *err);
int vg_file_write(struct vg_file *file, const void *bytes, size_t count, struct vg_error *err);
int vg_file_commit(struct vg_file *file, struct vg_error *err); /* flush, fsync, rename */
void vg_file_release(struct vg_file *file);                     /* drops what was not committed */
/* A whole small file in one call each way. */
int vg_file_put(const char *path, const void *bytes, size_t count, struct vg_error *err);
/* Bytes of a regular file, NUL-terminated beyond `*count`; refuses more than `limit` bytes. */
int vg_file_get(const char *path, size_t limit, struct vg_arena *arena, char **bytes, size_t *count,
                struct vg_error *err);
/* A regular file for reading, else NULL and errno (EINVAL for a pipe, a device or a folder): never waits. */
FILE *vg_file_open(const char *path);
bool vg_file_exists(const char *path);
bool vg_folder_exists(const char *path);
int vg_folder_make(const char *path, struct vg_error *err);     /* with its parents; fine if there */
int vg_folder_sync(const char *path, struct vg_error *err);     /* fsync of the folder itself */
int vg_folder_sync_all(const char *path, struct vg_error *err); /* fsync of it and all in it */
int vg_folder_remove(const char *path, struct vg_error *err);   /* with all in it; never follows links */
int vg_path_rename(const char *from, const char *to, struct vg_error *err);
/* Names in a folder, sorted by bytes; `.` and `..` left out. */
int vg_folder_list(const char *path, struct vg_arena *arena, char ***names, size_t *count,
                   struct vg_error *err);
/* folder + "/" + name; name alone where it is absolute or the folder is empty. */
char *vg_path_join(struct vg_arena *arena, const char *folder, const char *name);
char *vg_path_folder(struct vg_arena *arena, const char *path); /* "." where there is none */
const char *vg_path_name(const char *path);                     /* after the last slash */

/* ---- tables -------------------------------------------------------------------------------------- */

/* A table held in memory: CSV (RFC 4180 quoting) or TSV (no quoting), columns found by name, BOM and
 * CRLF accepted.  All texts live in the arena given to the reader. */
struct vg_table {
    const char *path;
    char **columns;
    size_t column_count;
    char ***rows;  /* rows[r][c], always column_count fields */
    size_t *lines; /* line of the file each row starts on, from 1 */
    size_t row_count;
    bool usable; /* whatever was reported was of single rows: those kept are sound */
};
/* TSV where the name ends in .tsv or .tab, else CSV.  Every fault (a row with too many fields, an open
 * quote, a NUL, broken UTF-8, a column named twice) is reported as path:line with `code`. */
int vg_table_read(struct vg_table *table, const char *path, struct vg_arena *arena, int code,
                  struct vg_error *err);
int vg_table_parse(struct vg_table *table, const char *path, char *bytes, size_t count, bool quoted,
                   char separator, struct vg_arena *arena, int code, struct vg_error *err);
/* Index of a column, or SIZE_MAX. */
size_t vg_table_column(const struct vg_table *table, const char *name);
/* A field, or "" where there is no such column. */
const char *vg_table_field(const struct vg_table *table, size_t row, size_t column);

/* ---- workers ------------------------------------------------------------------------------------- */

/* Runs work(context, worker, index) for index 0..count-1 on `jobs` threads, and done(context, index)
 * on the calling thread in rising order of index, never more than `window` indices apart.  Either
 * returns 0 to go on; the first other value (in index order) stops everything and is returned.
 * `work` keeps its result in context, in slot index % window. */
struct vg_pool_job {
    void *context;
    size_t count;
    unsigned jobs;
    size_t window; /* at least 1 */
    int (*work)(void *context, unsigned worker, size_t index);
    int (*done)(void *context, size_t index); /* may be NULL */
};
int vg_pool_run(const struct vg_pool_job *job);
/* What workers share out among them, so that no more than `limit` is in use at once; who asks for more than
 * that gets it when nobody else has any. */
struct vg_quota;
struct vg_quota *vg_quota_make(size_t limit);
void vg_quota_take(struct vg_quota *quota, size_t amount); /* waits */
void vg_quota_give(struct vg_quota *quota, size_t amount);
void vg_quota_free(struct vg_quota *quota); /* may be NULL */
unsigned vg_pool_default_jobs(void);        /* processors this process may use, at least 1 */

#endif
