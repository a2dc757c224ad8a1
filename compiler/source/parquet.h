/* SPDX-License-Identifier: MIT */
/* Inside source: Parquet files as the Hub publishes speech: a row a clip, the sound file itself in a column
 * that is a struct of bytes and a path.  Read through DuckDB's C library, by columns and row groups: a table
 * costs no sound, a sound no other row group.
 *
 * A path enters such a file like a folder: test-00000-of-00006.parquet/17 is the sound of row 17, from 0. */
#ifndef VG_PARQUET_H
#define VG_PARQUET_H

#include "base.h"

/* The Parquet files of a split, sorted; paths start at the root.  They are looked for in
 * [data/]CONFIG/SPLIT/, [data/]CONFIG/SPLIT-*, SPLIT/ and [data/]SPLIT-*; the first that has any counts.
 * *count is 0 where there are none. */
int vg_parquet_files(const char *root, const char *config, const char *split, char ***paths, size_t *count,
                     struct vg_arena *arena, struct vg_error *err);
/* All columns but the sound as a table of texts, and the column `wav`: FILE/ROW, where the sound is.  Line n
 * is row n - 1. */
int vg_parquet_table(struct vg_table *table, const char *root, const char *path, struct vg_arena *arena,
                     struct vg_error *err);
/* FILE/ROW of the clip with this value in the column ID; NULL where no file has it. */
int vg_parquet_find(const char *root, char *const *paths, size_t count, const char *id, char **path,
                    struct vg_arena *arena, struct vg_error *err);
/* Does the path enter a Parquet file?  Then where its name ends. */
bool vg_parquet_enters(const char *full, size_t *length);
/* The bytes of the sound at FILE/ROW. */
int vg_parquet_get(const char *full, const char *place, char **bytes, size_t *count, struct vg_arena *arena,
                   struct vg_error *err);

#endif
