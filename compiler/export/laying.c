/* SPDX-License-Identifier: MIT */
/* What every layout needs of a release being laid out: names that no file system takes for one another,
 * tables, and the release's own texts beside the sound. */
#include "laying.h"

#include <stdlib.h>
#include <string.h>

/* ---- paths and tables -------------------------------------------------------------------------------- */

char *vg_laying_path(struct vg_laying *laying, const char *path)
{
    return vg_path_join(&laying->arena, laying->building.temporary, path);
}

static int compare_folds(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Does another item's name differ from this one in case only? */
static bool is_shared(const struct vg_laying *laying, const char *name)
{
    uint64_t fold = vg_name_fold(name);
    const uint64_t *found = laying->item_count > 0 ? bsearch(&fold, laying->folded, laying->item_count,
                                                             sizeof fold, compare_folds)
                                                   : NULL;

    return found != NULL && ((found > laying->folded && found[-1] == fold) ||
                             (found + 1 < laying->folded + laying->item_count && found[1] == fold));
}

static void add_public_name(const struct vg_record *record, struct vg_text *out)
{
    vg_text_clear(out);
    vg_text_addf(out, "%s__%s", record->category, record->id);
}

void vg_laying_name(struct vg_laying *laying, const struct vg_record *record, bool category,
                    struct vg_text *out)
{
    struct vg_text safe = {0};
    bool shared;

    add_public_name(record, &laying->name);
    (void)vg_name_add_safe(&safe, laying->name.data, VG_NAME_BYTES_MAX, false);
    shared = is_shared(laying, safe.data);
    vg_text_release(&safe);
    if (vg_name_add_safe(out, category ? laying->name.data : record->id, VG_NAME_BYTES_MAX, shared) &&
        category)
        laying->renamed++;
}

int vg_laying_write(struct vg_file *table, const struct vg_text *line, struct vg_error *err)
{
    return vg_file_write(table, vg_text_or_empty(line), line->length, err);
}

static int create(struct vg_laying *laying, struct vg_file *table, const char *path, const char *header,
                  struct vg_error *err)
{
    const char *whole = vg_laying_path(laying, path);
    int rc = vg_folder_make(vg_path_folder(&laying->arena, whole), err);

    if (rc == VG_OK)
        rc = vg_file_create(table, whole, err);
    return rc == VG_OK ? vg_file_write(table, header, strlen(header), err) : rc;
}

int vg_laying_part(struct vg_laying *laying, const char *path, const char *header, struct vg_error *err)
{
    int rc = VG_OK;

    if (strcmp(vg_text_or_empty(&laying->part_of), path) == 0)
        return VG_OK;
    if (laying->part.stream != NULL)
        rc = vg_file_commit(&laying->part, err);
    vg_file_release(&laying->part);
    vg_text_clear(&laying->part_of);
    vg_text_add(&laying->part_of, path);
    return rc == VG_OK ? create(laying, &laying->part, path, header, err) : rc;
}

int vg_laying_table(struct vg_laying *laying, const char *path, const char *header, struct vg_error *err)
{
    return laying->table.stream != NULL ? VG_OK : create(laying, &laying->table, path, header, err);
}

/* ---- names that differ in case only ------------------------------------------------------------------ */

int vg_laying_fold_names(struct vg_laying *laying, struct vg_error *err)
{
    struct vg_text safe = {0};
    struct vg_rows rows = {0};
    size_t room = 0;
    bool end = false;
    int rc = vg_rows_open(&rows, laying->release, err);

    while (rc == VG_OK && !end) {
        struct vg_record record;

        rc = vg_rows_next(&rows, &record, &end, err);
        if (rc != VG_OK || end)
            break;
        if (laying->item_count == room) {
            room = room > 0 ? 2 * room : 1024;
            laying->folded = vg_memory_grow(laying->folded, room, sizeof *laying->folded);
        }
        add_public_name(&record, &laying->name);
        vg_text_clear(&safe);
        (void)vg_name_add_safe(&safe, laying->name.data, VG_NAME_BYTES_MAX, false);
        laying->folded[laying->item_count++] = vg_name_fold(safe.data);
    }
    /* Equals cannot be told apart. */
    if (laying->item_count > 0)
        qsort(laying->folded, laying->item_count, sizeof *laying->folded, compare_folds);
    vg_rows_close(&rows);
    vg_text_release(&safe);
    return rc;
}

/* ---- the release's own texts --------------------------------------------------------------------------- */

static int copy_stream(FILE *from, struct vg_file *to, struct vg_error *err)
{
    char piece[1 << 16];
    size_t got;
    int rc = VG_OK;

    while (rc == VG_OK && (got = fread(piece, 1, sizeof piece, from)) > 0)
        rc = vg_file_write(to, piece, got, err);
    if (rc == VG_OK && ferror(from))
        rc = vg_fail_errno(err, VG_IO, to->path, "cannot read what it is a copy of");
    return rc;
}

static int copy_file(const char *from, const char *to, struct vg_error *err)
{
    struct vg_file file = {0};
    FILE *stream = vg_file_open(from);
    int rc;

    if (stream == NULL)
        return vg_fail_errno(err, VG_IO, from, "cannot open");
    rc = vg_file_create(&file, to, err);
    if (rc == VG_OK)
        rc = copy_stream(stream, &file, err);
    if (rc == VG_OK)
        rc = vg_file_commit(&file, err);
    vg_file_release(&file);
    fclose(stream);
    return rc;
}

int vg_laying_copy_texts(struct vg_laying *laying, struct vg_error *err)
{
    static const char *const names[] = {"ATTRIBUTION.md", "manifest.jsonl", "release.json", "sources.csv",
                                        "spec.yaml"};
    int rc = VG_OK;

    for (size_t i = 0; rc == VG_OK && i < sizeof names / sizeof *names; i++)
        rc = copy_file(vg_path_join(&laying->arena, laying->release, names[i]),
                       vg_laying_path(laying, names[i]), err);
    return rc;
}

/* ---- which there are
 * ------------------------------------------------------------------------------------------ */

const struct vg_layout *const vg_layouts[] = {&vg_layout_paper, &vg_layout_hub, &vg_layout_flat,
                                              &vg_layout_parquet};
const size_t vg_layout_count = sizeof vg_layouts / sizeof *vg_layouts;

const struct vg_layout *vg_layout_find(const char *name)
{
    for (size_t i = 0; i < vg_layout_count; i++)
        if (strcmp(vg_layouts[i]->name, name) == 0)
            return vg_layouts[i];
    return NULL;
}

const char *vg_layout_name(const struct vg_layout *layout)
{
    return layout->name;
}
