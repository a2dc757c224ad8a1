/* SPDX-License-Identifier: MIT */
/* Parquet through DuckDB, which is opened once and asked by one thread at a time; it spreads the work itself.
 * Sounds come as hexadecimal texts: its C interface promises texts for good. */
#include "parquet.h"

#include "format.h"

#include <pthread.h>
#include <string.h>

/* ---- asking --------------------------------------------------------------------------------------- */

static const char advice[] = "`npm install @duckdb/node-bindings-linux-x64` (or -arm64) brings it";

/* Everything that goes wrong is the file's fault or a missing library: VG_SOURCE at the file. */
static int complain(const char *file, const struct vg_error *faults, bool opened, struct vg_error *err)
{
    const char *why = faults->count > 0 ? faults->issues[0].sentence : "DuckDB fails";
    int length = (int)strcspn(why, "\n"); /* below it shows the question */

    return opened ? vg_fail(err, VG_SOURCE, file, "cannot be read as Parquet: %.*s", length, why)
                  : vg_fail(err, VG_SOURCE, file, "is Parquet, which DuckDB reads: %s; %s", why, advice);
}

static int ask(const char *file, const char *sql, struct vg_duckdb_rows *rows, struct vg_arena *arena,
               struct vg_error *err)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    static struct vg_duckdb *db; /* stays open until the program ends */
    struct vg_error faults = {0};
    bool opened;
    int rc = VG_OK;

    *rows = (struct vg_duckdb_rows){0};
    pthread_mutex_lock(&turn);
    if (db == NULL) {
        rc = vg_duckdb_open(&db, &faults);
        if (rc == VG_OK) /* nothing is to be fetched while reading */
            rc = vg_duckdb_run(db, "SET autoinstall_known_extensions = false", NULL, arena, &faults);
        if (rc != VG_OK) {
            vg_duckdb_close(db);
            db = NULL;
        }
    }
    opened = db != NULL;
    if (rc == VG_OK)
        rc = vg_duckdb_run(db, sql, rows, arena, &faults);
    pthread_mutex_unlock(&turn);
    if (rc != VG_OK)
        rc = complain(file, &faults, opened, err);
    vg_error_release(&faults);
    return rc;
}

static void add_identifier(struct vg_text *sql, const char *name)
{
    vg_text_add_char(sql, '"');
    for (; *name != '\0'; name++) {
        if (*name == '"')
            vg_text_add_char(sql, '"');
        vg_text_add_char(sql, *name);
    }
    vg_text_add_char(sql, '"');
}

static void add_source(struct vg_text *sql, const char *file)
{
    vg_text_add(sql, " FROM read_parquet(");
    vg_duckdb_quote(sql, file);
    vg_text_add(sql, ", file_row_number = true)");
}

/* ---- columns -------------------------------------------------------------------------------------- */

struct columns {
    const char **names; /* all but the sound */
    size_t count;
    const char *sound; /* NULL: there is none */
};

static int find_columns(const char *file, struct columns *columns, struct vg_arena *arena,
                        struct vg_error *err)
{
    struct vg_text sql = {0};
    struct vg_duckdb_rows rows;
    int rc;

    vg_text_add(&sql, "SELECT column_name, column_type FROM (DESCRIBE SELECT * EXCLUDE (file_row_number)");
    add_source(&sql, file);
    vg_text_add_char(&sql, ')');
    rc = ask(file, sql.data, &rows, arena, err);
    vg_text_release(&sql);
    if (rc != VG_OK)
        return rc;
    *columns = (struct columns){.names = vg_arena_take(arena, rows.count + 1, sizeof *columns->names)};
    for (size_t i = 0; i < rows.count; i++) {
        const char *name = rows.cells[2 * i], *type = rows.cells[2 * i + 1];

        if (name == NULL || type == NULL)
            continue;
        if (columns->sound == NULL && strncmp(type, "STRUCT(", 7) == 0 && strstr(type, "bytes BLOB") != NULL)
            columns->sound = name;
        else
            columns->names[columns->count++] = name;
    }
    if (columns->sound != NULL)
        return VG_OK;
    vg_fail(err, VG_SOURCE, file, "has no column that is a struct with the bytes of a sound file");
    return VG_SOURCE;
}

/* ---- a table -------------------------------------------------------------------------------------- */

int vg_parquet_table(struct vg_table *table, const char *root, const char *path, struct vg_arena *arena,
                     struct vg_error *err)
{
    const char *file = vg_path_join(arena, root, path);
    struct columns columns;
    struct vg_duckdb_rows rows;
    struct vg_text sql = {0};
    int rc = find_columns(file, &columns, arena, err);

    if (rc != VG_OK)
        return rc;
    vg_text_add(&sql, "SELECT ");
    for (size_t i = 0; i < columns.count; i++) {
        vg_text_add(&sql, "CAST(");
        add_identifier(&sql, columns.names[i]);
        vg_text_add(&sql, " AS VARCHAR), ");
    }
    vg_text_add(&sql, "file_row_number");
    add_source(&sql, file);
    vg_text_add(&sql, " ORDER BY file_row_number");
    rc = ask(file, sql.data, &rows, arena, err);
    vg_text_release(&sql);
    if (rc != VG_OK)
        return rc;
    *table = (struct vg_table){
        .path = file, .column_count = columns.count + 1, .row_count = rows.count, .usable = true};
    table->columns = vg_arena_take(arena, table->column_count, sizeof *table->columns);
    for (size_t c = 0; c < columns.count; c++)
        table->columns[c] = vg_arena_text(arena, columns.names[c]);
    table->columns[columns.count] = vg_arena_text(arena, "wav");
    table->rows = vg_arena_take(arena, rows.count + 1, sizeof *table->rows);
    table->lines = vg_arena_take(arena, rows.count + 1, sizeof *table->lines);
    for (size_t r = 0; r < rows.count; r++) {
        const char **cells = rows.cells + r * rows.columns;

        table->rows[r] = vg_arena_take(arena, table->column_count, sizeof **table->rows);
        for (size_t c = 0; c < columns.count; c++)
            table->rows[r][c] = vg_arena_text(arena, cells[c] != NULL ? cells[c] : "");
        table->rows[r][columns.count] = vg_arena_format(arena, "%s/%s", path, cells[columns.count]);
        table->lines[r] = r + 1;
    }
    return VG_OK;
}

int vg_parquet_find(const char *root, char *const *paths, size_t count, const char *id, char **path,
                    struct vg_arena *arena, struct vg_error *err)
{
    *path = NULL;
    for (size_t i = 0; i < count && *path == NULL; i++) {
        const char *file = vg_path_join(arena, root, paths[i]);
        struct vg_duckdb_rows rows;
        struct vg_text sql = {0};
        int rc;

        vg_text_add(&sql, "SELECT file_row_number");
        add_source(&sql, file);
        vg_text_add(&sql, " WHERE \"ID\" = ");
        vg_duckdb_quote(&sql, id);
        rc = ask(file, sql.data, &rows, arena, err);
        vg_text_release(&sql);
        if (rc != VG_OK)
            return rc;
        if (rows.count > 1)
            return vg_fail(err, VG_SOURCE, file, "has %zu rows with the ID %s", rows.count, id);
        if (rows.count == 1)
            *path = vg_arena_format(arena, "%s/%s", paths[i], rows.cells[0]);
    }
    return VG_OK;
}

/* ---- a sound -------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, size_t length, const char *ending)
{
    size_t tail = strlen(ending);

    return length > tail && memcmp(name + length - tail, ending, tail) == 0;
}

bool vg_parquet_enters(const char *full, size_t *length)
{
    const char *slash = strrchr(full, '/');

    *length = slash != NULL ? (size_t)(slash - full) : 0;
    return slash != NULL && ends_with(full, *length, ".parquet") && slash[1] != '\0' &&
           strspn(slash + 1, "0123456789") == strlen(slash + 1);
}

static unsigned digit_of(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'A' + 10);
}

int vg_parquet_get(const char *full, const char *place, char **bytes, size_t *count, struct vg_arena *arena,
                   struct vg_error *err)
{
    struct vg_text sql = {0};
    struct vg_duckdb_rows rows;
    struct columns columns;
    const char *file, *hex;
    size_t length;
    int rc;

    vg_check(vg_parquet_enters(full, &length));
    file = vg_arena_text_part(arena, full, length);
    rc = find_columns(file, &columns, arena, err);
    if (rc != VG_OK)
        return rc;
    vg_text_add(&sql, "SELECT hex(");
    add_identifier(&sql, columns.sound);
    vg_text_add(&sql, ".bytes)");
    add_source(&sql, file);
    vg_text_addf(&sql, " WHERE file_row_number = %s", full + length + 1);
    rc = ask(file, sql.data, &rows, arena, err);
    vg_text_release(&sql);
    if (rc != VG_OK)
        return rc;
    if (rows.count != 1 || rows.cells[0] == NULL)
        return vg_fail(err, VG_SOURCE, place, "%s: %s", full,
                       rows.count != 1 ? "the file has no such row" : "the row has no sound");
    hex = rows.cells[0];
    *count = strlen(hex) / 2;
    *bytes = vg_arena_take(arena, *count + 1, 1);
    for (size_t i = 0; i < *count; i++)
        (*bytes)[i] = (char)(unsigned char)(digit_of(hex[2 * i]) << 4 | digit_of(hex[2 * i + 1]));
    return VG_OK;
}

/* ---- the files of a split ------------------------------------------------------------------------- */

/* Parquet files in a folder whose names begin like the split, or all of them. */
static int look_in(const char *root, const char *folder, const char *split, char ***paths, size_t *count,
                   struct vg_arena *arena, struct vg_error *err)
{
    const char *full = folder[0] != '\0' ? vg_path_join(arena, root, folder) : root;
    size_t begin = split != NULL ? strlen(split) : 0, all;
    char **names;
    int rc;

    if (!vg_folder_exists(full))
        return VG_OK;
    rc = vg_folder_list(full, arena, &names, &all, err);
    if (rc != VG_OK)
        return rc;
    *paths = vg_arena_take(arena, all + 1, sizeof **paths);
    for (size_t i = 0; i < all; i++) {
        bool named = begin == 0 || (strncmp(names[i], split, begin) == 0 &&
                                    (names[i][begin] == '-' || names[i][begin] == '.'));

        if (named && ends_with(names[i], strlen(names[i]), ".parquet"))
            (*paths)[(*count)++] = folder[0] != '\0' ? vg_path_join(arena, folder, names[i]) : names[i];
    }
    return VG_OK;
}

int vg_parquet_files(const char *root, const char *config, const char *split, char ***paths, size_t *count,
                     struct vg_arena *arena, struct vg_error *err)
{
    const struct {
        const char *folder;
        bool by_name;
    } places[] = {
        {vg_arena_format(arena, "%s/%s", config, split), false},
        {vg_arena_format(arena, "data/%s/%s", config, split), false},
        {config, true},
        {vg_arena_format(arena, "data/%s", config), true},
        {split, false},
        {"", true},
        {"data", true},
    };
    int rc = VG_OK;

    *count = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places && *count == 0 && rc == VG_OK; i++)
        rc = look_in(root, places[i].folder, places[i].by_name ? split : NULL, paths, count, arena, err);
    return rc;
}
