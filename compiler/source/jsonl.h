/* SPDX-License-Identifier: MIT */
/* Inside source: JSON objects as the rows of a table. */
#ifndef VG_JSONL_H
#define VG_JSONL_H

#include <jansson.h>

#include "base.h"

/* JSON lines, one object each, as vg_table_parse reads a CSV: the columns are all the keys there are. */
int vg_jsonl_parse(struct vg_table *table, const char *path, const char *bytes, size_t count,
                   struct vg_arena *arena, int code, struct vg_error *err);
/* The objects as rows, `lines` of the same length.  Lists and objects inside them are left out. */
void vg_table_of_objects(struct vg_table *table, const char *path, json_t *const *objects,
                         const size_t *lines, size_t count, struct vg_arena *arena);

#endif
