/* SPDX-License-Identifier: MIT */
/* A release held open: its manifest read little by little between requests, so that the first list is there
 * at once; its shards; its sources. */
#include "library.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_A_SLICE = 500 }; /* some 10 ms */

static size_t shard_number(const struct vg_library *library, const char *name)
{
    for (size_t i = 0; i < library->about.shard_count; i++)
        if (strcmp(library->about.shards[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

int vg_library_open(struct vg_library **result, const char *folder, struct vg_error *err)
{
    struct vg_library *library = vg_memory_take(1, sizeof *library);
    int rc;

    *library = (struct vg_library){.manifest = -1};
    *result = library;
    library->folder = vg_arena_text(&library->arena, folder);
    rc = vg_about_read(&library->about, folder, &library->arena, err);
    if (rc == VG_OK)
        rc = vg_media_open(&library->media, folder, &library->about, err);
    if (rc == VG_OK)
        rc = vg_rows_open(&library->rows, folder, err);
    if (rc != VG_OK)
        return rc;
    library->index.expected = library->about.items;
    library->originals = vg_originals_make(NULL);
    library->manifest = fcntl(fileno(library->rows.stream), F_DUPFD_CLOEXEC, 0);
    if (library->manifest < 0)
        return vg_fail_errno(err, VG_IO, folder, "cannot open manifest.jsonl once more");
    return vg_table_read(&library->sources, vg_path_join(&library->arena, folder, "sources.csv"),
                         &library->arena, VG_NO, err);
}

void vg_library_hear(struct vg_library *library, const struct vg_audible *audible)
{
    library->spec = audible->recipe;
    vg_originals_release(library->originals);
    library->originals = vg_originals_make(audible->list != NULL ? audible : NULL);
}

/* ---- reading the manifest ------------------------------------------------------------------------------ */

static void stop_reading(struct vg_library *library, const char *fault)
{
    library->index.whole = true;
    library->index.fault = fault;
    vg_rows_close(&library->rows);
}

static void stop_at_fault(struct vg_library *library, struct vg_error *err)
{
    const char *fault = "cannot be read";

    if (err->count > 0)
        fault = vg_arena_format(&library->arena, "%s: %s", err->issues[0].place, err->issues[0].sentence);
    stop_reading(library, fault);
    vg_error_release(err);
}

static int parse_row(struct vg_library *library, struct vg_record *record, struct vg_error *err)
{
    struct vg_rows *rows = &library->rows;
    struct vg_arena_mark empty = {0};

    vg_arena_rewind(&rows->arena, empty);
    if (vg_row_scan(record, vg_text_or_empty(&rows->line), rows->line.length, &rows->arena))
        return VG_OK;
    return vg_record_parse(record, vg_text_or_empty(&rows->line), rows->line.length, &rows->arena,
                           vg_arena_format(&rows->arena, "manifest.jsonl:%zu", rows->row), err);
}

/* One row; false where there is none left. */
static bool read_row(struct vg_library *library)
{
    struct vg_error err = {0};
    struct vg_record record;
    bool end = false;
    size_t shard;
    int rc = vg_rows_line(&library->rows, &end, &err);

    if (rc == VG_OK && !end)
        rc = parse_row(library, &record, &err);
    if (rc != VG_OK) {
        stop_at_fault(library, &err);
        return false;
    }
    if (end) {
        stop_reading(library, library->index.count == library->index.expected
                                  ? NULL
                                  : "manifest.jsonl and release.json count different numbers of items");
        return false;
    }
    shard = shard_number(library, record.shard);
    if (shard == SIZE_MAX) {
        vg_fail(&err, VG_NO, record.id, "its shard is none of those that release.json lists");
        stop_at_fault(library, &err);
        return false;
    }
    vg_index_add(&library->index, &record, shard, library->read_bytes, library->rows.line.length);
    library->read_bytes += library->rows.line.length + 1;
    return true;
}

bool vg_library_work(struct vg_library *library)
{
    for (int i = 0; i < ROWS_A_SLICE && !library->index.whole; i++)
        if (!read_row(library))
            return false;
    return !library->index.whole;
}

const char *vg_library_fault(const struct vg_library *library)
{
    return library->index.fault;
}

/* ---- one item ------------------------------------------------------------------------------------------ */

int vg_library_record(struct vg_library *library, size_t number, struct vg_record *record, const char **line,
                      struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_listed *item = &library->index.at[number];
    char *text = vg_arena_take(arena, (size_t)item->line_bytes + 1, 1);
    ssize_t got = pread(library->manifest, text, item->line_bytes, (off_t)item->line_offset);

    if (got < 0 || (size_t)got != item->line_bytes)
        return vg_fail(err, VG_IO, "manifest.jsonl", "the row of %s cannot be read again", item->id);
    text[item->line_bytes] = '\0';
    *line = text;
    return vg_record_parse(record, text, item->line_bytes, arena, "manifest.jsonl", err);
}

void vg_library_release(struct vg_library *library)
{
    if (library == NULL)
        return;
    if (library->manifest >= 0)
        close(library->manifest);
    vg_rows_close(&library->rows);
    vg_media_close(library->media);
    vg_index_release(&library->index);
    vg_originals_release(library->originals);
    vg_arena_release(&library->found_arena);
    vg_arena_release(&library->arena);
    free(library);
}
