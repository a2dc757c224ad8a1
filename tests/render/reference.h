/* SPDX-License-Identifier: MIT */
/* reference: the folder named by VG_SHARED holds what the published pipeline wrote; tests that need it fail
 * where it exists and something is missing in it, and have nothing to say elsewhere. */
#ifndef VG_REFERENCE_H
#define VG_REFERENCE_H

#include "scene.h"

/* Skips the test where there is none. */
const char *reference_folder(struct scene *scene);
struct vg_table reference_table(struct scene *scene, const char *folder, const char *name);
const char *reference_field(const struct vg_table *table, size_t row, const char *name);
double reference_number(const struct vg_table *table, size_t row, const char *name);

/* A row of a selection table: its sound with the speech span, and its names. */
struct vg_loaded reference_load(struct scene *scene, const char *folder, const struct vg_table *table,
                                size_t row);
struct vg_source reference_source(const struct vg_table *table, size_t row);
/* The row of an item in expected.tsv, or SIZE_MAX. */
size_t reference_find(const struct vg_table *expected, const char *category, const char *id);

#endif
