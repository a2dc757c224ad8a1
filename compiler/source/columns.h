/* SPDX-License-Identifier: MIT */
/* Inside source: the columns of a selection table, found by name. */
#ifndef VG_COLUMNS_H
#define VG_COLUMNS_H

#include "source.h"

enum vg_field {
    VG_FIELD_ID,
    VG_FIELD_CLIP,
    VG_FIELD_SPEAKER,
    VG_FIELD_SENTENCE,
    VG_FIELD_PATH,
    VG_FIELD_SELECTED_PATH,
    VG_FIELD_TEXT,
    VG_FIELD_GENDER,
    VG_FIELD_LOCALE,
    VG_FIELD_ONSET,
    VG_FIELD_OFFSET,
    VG_FIELD_DETECTED,
    VG_FIELD_FALLBACK,
    VG_FIELD_DURATION,
    VG_FIELD_SPLIT,
    VG_FIELD_LICENCE,
    VG_FIELD_CORPUS,
    VG_FIELD_VERSION,
    VG_FIELD_ACCENT,
    VG_FIELD_TAGS,
    VG_FIELD_FILE_DIGEST,
    VG_FIELD_AUDIO_DIGEST,
    VG_FIELD_DECODER,
    VG_FIELDS
};
/* The keys of an entry's map `columns`, in the order of the fields. */
extern const struct vg_key_rule vg_column_keys[VG_FIELDS + 1];

/* A selection table: what stands where. */
struct vg_selection_table {
    struct vg_table table;
    size_t column[VG_FIELDS]; /* SIZE_MAX: there is none */
};
/* Find the columns of a table that was read: those of the map, else the names that are known for a field. The
 * `count` fields `required` must be there. */
int vg_selection_find(struct vg_selection_table *selection, const struct vg_node *entry,
                      const enum vg_field *required, size_t count, struct vg_arena *arena,
                      struct vg_error *err);
/* A cell, "" where there is no such column. */
const char *vg_selection_cell(const struct vg_selection_table *selection, size_t row, enum vg_field field);
/* Seconds in a cell, not negative; an empty cell leaves *sec alone.  False where the source got a fault. */
bool vg_selection_seconds(const struct vg_selection_table *selection, size_t row, enum vg_field field,
                          struct vg_source *source, double *sec, struct vg_arena *arena);
/* Onset and offset of a row, if it gives them. */
void vg_selection_span(const struct vg_selection_table *selection, size_t row, struct vg_source *source,
                       struct vg_arena *arena);
/* What a message on a missing column should add: the columns there are. */
const char *vg_header_hint(const struct vg_table *table, struct vg_arena *arena);
/* table:line of a row, in the arena. */
char *vg_selection_place(const struct vg_selection_table *selection, size_t row, struct vg_arena *arena);

#endif
