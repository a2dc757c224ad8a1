/* SPDX-License-Identifier: MIT */
/* The flat layout: one table of the benchmark's 17 columns, and the files it names. */
#include "laying.h"

static void place(struct vg_laying *laying, const struct vg_record *record, struct vg_text *path,
                  struct vg_text *twin)
{
    (void)twin;
    vg_text_addf(path, "audio/%03zu/%s.%s", laying->index / VG_FOLDER_FILES_MAX, record->key, laying->ending);
}

static int row(struct vg_laying *laying, const struct vg_record *record, const char *path, const char *twin,
               struct vg_error *err)
{
    int rc = vg_laying_table(laying, "metadata.csv", vg_metadata_header, err);

    (void)twin;
    vg_text_clear(&laying->line);
    vg_record_metadata_as(record, path, &laying->line);
    return rc == VG_OK ? vg_laying_write(&laying->table, &laying->line, err) : rc;
}

const struct vg_layout vg_layout_flat = {.name = "flat", .place = place, .row = row};
