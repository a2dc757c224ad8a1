/* SPDX-License-Identifier: MIT */
/* Is one release a part of another?  Both manifests are in plan order, so that a walk through both at once
 * tells. */
#include "inside.h"

#include <string.h>

static bool same_item(const struct vg_record *a, const struct vg_record *b)
{
    return strcmp(a->category, b->category) == 0 && strcmp(a->id, b->id) == 0;
}

static int compare(const struct vg_record *part, const struct vg_record *whole, const char *folder,
                   struct vg_error *err)
{
    if (strcmp(part->audio_xxh128, whole->audio_xxh128) != 0)
        return vg_fail(err, VG_NO, folder,
                       "%s__%s has the samples %s there and %s here: this is no subset of it", part->category,
                       part->id, whole->audio_xxh128, part->audio_xxh128);
    if (strcmp(part->flac_xxh128, whole->flac_xxh128) != 0)
        return vg_fail(
            err, VG_NO, folder,
            "%s__%s has the same samples there in another FLAC file: this is no subset of it, to the byte",
            part->category, part->id);
    return VG_OK;
}

/* Moves `rows` on to the item; VG_NO where it does not come. */
static int find(struct vg_rows *rows, const struct vg_record *item, struct vg_record *found,
                const char *folder, struct vg_error *err)
{
    bool end = false;
    int rc = VG_OK;

    while (rc == VG_OK && !end) {
        rc = vg_rows_next(rows, found, &end, err);
        if (rc == VG_OK && !end && same_item(found, item))
            return VG_OK;
    }
    return rc != VG_OK
               ? rc
               : vg_fail(err, VG_NO, folder, "has no item %s__%s at its place: this is no subset of it",
                         item->category, item->id);
}

int vg_subset_check(const char *part, const char *whole, struct vg_error *err)
{
    struct vg_rows some = {0}, all = {0};
    bool end = false;
    int rc = vg_rows_open(&some, part, err);

    if (rc == VG_OK)
        rc = vg_rows_open(&all, whole, err);
    while (rc == VG_OK && !end) {
        struct vg_record item, found;

        rc = vg_rows_next(&some, &item, &end, err);
        if (rc == VG_OK && !end)
            rc = find(&all, &item, &found, whole, err);
        if (rc == VG_OK && !end)
            rc = compare(&item, &found, whole, err);
    }
    vg_rows_close(&some);
    vg_rows_close(&all);
    return rc;
}
