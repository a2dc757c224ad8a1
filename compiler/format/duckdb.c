/* SPDX-License-Identifier: MIT */
/* DuckDB's C library, found when the program runs: nothing here needs it to be there when it is compiled.
 * Only calls that DuckDB promises to keep are used; the result's struct is opaque but for its size. */
#include "format.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* duckdb.h's duckdb_result: six words, of which none is read here. */
struct result {
    uint64_t words[8];
};

/* The functions, in the order of their names below. */
struct calls {
    int (*open)(const char *path, void **database);
    int (*connect)(void *database, void **connection);
    int (*query)(void *connection, const char *sql, struct result *result);
    const char *(*error)(struct result *result);
    void (*destroy)(struct result *result);
    void (*disconnect)(void **connection);
    void (*close)(void **database);
    uint64_t (*rows)(struct result *result);
    uint64_t (*columns)(struct result *result);
    char *(*text)(struct result *result, uint64_t column, uint64_t row);
    void (*free)(void *text);
    const char *(*version)(void);
};
static const char *const call_names[] = {
    "duckdb_open",           "duckdb_connect",       "duckdb_query", "duckdb_result_error",
    "duckdb_destroy_result", "duckdb_disconnect",    "duckdb_close", "duckdb_row_count",
    "duckdb_column_count",   "duckdb_value_varchar", "duckdb_free",  "duckdb_library_version"};
enum { CALLS = sizeof call_names / sizeof *call_names };

struct vg_duckdb {
    void *library, *database, *connection;
    union { /* a function's address comes as an object's */
        struct calls calls;
        void *addresses[CALLS];
    } at;
};
_Static_assert(sizeof(struct calls) == CALLS * sizeof(void *),
               "a function's address is as wide as an object's");

static void *find_library(void)
{
    static const char *const names[] = {"libduckdb.so", "libduckdb.so.1", "libduckdb.dylib"};
    const char *given = getenv("VG_DUCKDB");
    void *library = NULL;

    if (given != NULL && *given != '\0')
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

int vg_duckdb_open(struct vg_duckdb **result, struct vg_error *err)
{
    struct vg_duckdb *db = vg_memory_take(1, sizeof *db);

    memset(db, 0, sizeof *db);
    *result = db;
    db->library = find_library();
    if (db->library == NULL)
        return vg_fail(
            err, VG_IO, "DuckDB",
            "its C library (libduckdb.so) is not to be found; install it, or name it in VG_DUCKDB");
    for (size_t i = 0; i < CALLS; i++) {
        db->at.addresses[i] = dlsym(db->library, call_names[i]);
        if (db->at.addresses[i] == NULL)
            return vg_fail(err, VG_IO, "DuckDB", "its library has no %s; another version is needed",
                           call_names[i]);
    }
    if (db->at.calls.open(NULL, &db->database) != 0 ||
        db->at.calls.connect(db->database, &db->connection) != 0)
        return vg_fail(err, VG_IO, "DuckDB", "cannot open a database in memory");
    return VG_OK;
}

const char *vg_duckdb_version(const struct vg_duckdb *db)
{
    return db->at.calls.version();
}

int vg_duckdb_run(struct vg_duckdb *db, const char *sql, struct vg_duckdb_rows *rows, struct vg_arena *arena,
                  struct vg_error *err)
{
    const struct calls *calls = &db->at.calls;
    struct result result = {{0}};
    int rc = VG_OK;

    if (calls->query(db->connection, sql, &result) != 0) {
        const char *reason = calls->error(&result);

        rc = vg_fail(err, VG_IO, "DuckDB", "%s (asked: %.200s)", reason != NULL ? reason : "failed", sql);
    } else if (rows != NULL) {
        *rows = (struct vg_duckdb_rows){.count = (size_t)calls->rows(&result),
                                        .columns = (size_t)calls->columns(&result)};
        rows->cells = vg_arena_take_zero(arena, rows->count * rows->columns + 1, sizeof *rows->cells);
        for (size_t i = 0; i < rows->count * rows->columns; i++) {
            char *text = calls->text(&result, i % rows->columns, i / rows->columns);

            rows->cells[i] = text != NULL ? vg_arena_text(arena, text) : NULL;
            calls->free(text);
        }
    }
    calls->destroy(&result);
    return rc;
}

void vg_duckdb_close(struct vg_duckdb *db)
{
    if (db == NULL)
        return;
    if (db->connection != NULL)
        db->at.calls.disconnect(&db->connection);
    if (db->database != NULL)
        db->at.calls.close(&db->database);
    if (db->library != NULL)
        dlclose(db->library);
    free(db);
}

void vg_duckdb_quote(struct vg_text *out, const char *text)
{
    vg_text_add_char(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            vg_text_add_char(out, '\'');
        vg_text_add_char(out, *text);
    }
    vg_text_add_char(out, '\'');
}
