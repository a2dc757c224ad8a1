/* SPDX-License-Identifier: MIT */
/* duckdb_query SQL...: what DuckDB's C library says, as tab-separated lines, for the shell tests.  77: it is
 * not installed here. */
#include "format.h"

#include <stdio.h>

static void print_rows(const struct vg_duckdb_rows *rows)
{
    for (size_t i = 0; i < rows->count * rows->columns; i++)
        printf("%s%c", rows->cells[i] != NULL ? rows->cells[i] : "NULL",
               (i + 1) % rows->columns == 0 ? '\n' : '\t');
}

int main(int argc, char **argv)
{
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_duckdb *db = NULL;
    int rc = vg_duckdb_open(&db, &err), missing = rc;

    for (int i = 1; rc == VG_OK && i < argc; i++) {
        struct vg_duckdb_rows rows;

        rc = vg_duckdb_run(db, argv[i], &rows, &arena, &err);
        if (rc == VG_OK)
            print_rows(&rows);
    }
    for (size_t i = 0; i < err.count; i++)
        fprintf(stderr, "%s: %s\n", err.issues[i].place, err.issues[i].sentence);
    vg_duckdb_close(db);
    vg_error_release(&err);
    vg_arena_release(&arena);
    return missing != VG_OK ? 77 : rc == VG_OK ? 0 : 1;
}
