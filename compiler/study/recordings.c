/* SPDX-License-Identifier: MIT */
/* Recordings below a folder: corpora lay them out by speaker, split or not at all, and name them alike. */
#include "recordings.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 8, PACKED_BYTES_MAX = 1 << 16 };

/* Length of the name without its ending, or 0 where it is no sound's. */
static size_t stem_of(const char *name)
{
    static const char *const endings[] = {".wav", ".flac", ".ogg", ".opus", ".mp3"};
    size_t length = strlen(name);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);

        if (length > ending && strcmp(name + length - ending, endings[i]) == 0)
            return length - ending;
    }
    return 0;
}

static void add_as(struct vg_recordings *recordings, const char *stem, const char *path)
{
    if (recordings->count == recordings->room) {
        recordings->room = recordings->room > 0 ? 2 * recordings->room : 256;
        recordings->at = vg_memory_grow(recordings->at, recordings->room, sizeof *recordings->at);
    }
    recordings->at[recordings->count++] = (struct vg_recording_name){stem, path};
}

/* The id that the JSON file beside it gives; NULL where there is none. */
static const char *packed_id(const char *path, struct vg_arena *arena)
{
    const char *beside = vg_arena_format(arena, "%.*s.json", (int)(strrchr(path, '.') - path), path);
    struct vg_error err = {0};
    json_t *object = NULL;
    const char *id;
    char *text;
    size_t count;

    if (vg_file_exists(beside) && vg_file_get(beside, PACKED_BYTES_MAX, arena, &text, &count, &err) == VG_OK)
        object = json_loadb(text, count, JSON_REJECT_DUPLICATES, NULL);
    vg_error_release(&err); /* some other JSON */
    id = json_string_value(json_object_get(object, "id"));
    id = id != NULL ? vg_arena_text(arena, id) : NULL;
    json_decref(object);
    return id;
}

static void add(struct vg_recordings *recordings, const char *name, const char *path, struct vg_arena *arena)
{
    const char *id = packed_id(path, arena);

    add_as(recordings, id != NULL ? id : vg_arena_text_part(arena, name, stem_of(name)), path);
}

static int list(struct vg_recordings *recordings, const char *folder, unsigned depth, struct vg_arena *arena,
                struct vg_error *err)
{
    char **names;
    size_t count;
    int rc = vg_folder_list(folder, arena, &names, &count, err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        const char *path = vg_path_join(arena, folder, names[i]);

        if (stem_of(names[i]) > 0)
            add(recordings, names[i], path, arena);
        else if (depth < DEPTH_MAX && vg_folder_exists(path))
            rc = list(recordings, path, depth + 1, arena, err);
    }
    return rc;
}

static int compare(const void *a, const void *b)
{
    const struct vg_recording_name *x = a, *y = b;
    int order = strcmp(x->stem, y->stem);

    return order != 0 ? order : strcmp(x->path, y->path); /* no path comes twice */
}

int vg_recordings_list(struct vg_recordings *recordings, const char *folder, struct vg_arena *arena,
                       struct vg_error *err)
{
    int rc = list(recordings, folder, 0, arena, err);

    /* Paths are distinct: no equals. */
    if (recordings->count > 0)
        qsort(recordings->at, recordings->count, sizeof *recordings->at, compare);
    return rc;
}

size_t vg_recordings_find(const struct vg_recordings *recordings, const char *stem,
                          const struct vg_recording_name **found)
{
    size_t low = 0, high = recordings->count, count = 0;

    while (low < high) { /* the first that is not before it */
        size_t middle = low + (high - low) / 2;

        if (strcmp(recordings->at[middle].stem, stem) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + count < recordings->count && strcmp(recordings->at[low + count].stem, stem) == 0)
        count++;
    *found = count > 0 ? &recordings->at[low] : NULL;
    return count;
}

void vg_recordings_release(struct vg_recordings *recordings)
{
    free(recordings->at);
    *recordings = (struct vg_recordings){0};
}
