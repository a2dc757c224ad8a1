/* SPDX-License-Identifier: MIT */
/* Folders and archives as one: a path is cut at the first part that is an archive; what is left names a
 * member of it. */
#include "tree.h"

#include "parquet.h"
#include "tarball.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 1 << 30 };

size_t vg_archive_stem(const char *name)
{
    static const char *const endings[] = {".tar", ".tar.gz", ".tgz", ".zip"};
    size_t length = strlen(name);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t tail = strlen(endings[i]);

        if (length > tail && strcmp(name + length - tail, endings[i]) == 0)
            return length - tail;
    }
    return length;
}

bool vg_is_archive_name(const char *name)
{
    return vg_archive_stem(name) < strlen(name);
}

char *vg_tree_join(struct vg_arena *arena, const char *folder, const char *name)
{
    if (name[0] == '\0')
        return vg_arena_text(arena, folder);
    return vg_path_join(arena, folder, name);
}

void vg_tree_init(struct vg_tree *tree, const char *root, struct vg_arena *arena)
{
    size_t length = strlen(root);

    while (length > 1 && root[length - 1] == '/')
        length--;
    *tree = (struct vg_tree){.root = vg_arena_text_part(arena, root, length), .arena = arena};
}

char *vg_tree_path(const struct vg_tree *tree, const char *path, struct vg_arena *arena)
{
    return vg_tree_join(arena, tree->root, path);
}

/* ---- where a path leads -------------------------------------------------------------------------- */

/* The archive that the full path enters, and in *member the rest of the path; NULL where it enters none. */
static char *archive_of(const char *full, const char **member, struct vg_arena *arena)
{
    const char *end = full;

    while (*end != '\0') {
        char *prefix;

        end = strchr(end + 1, '/');
        if (end == NULL)
            end = full + strlen(full);
        prefix = vg_arena_text_part(arena, full, (size_t)(end - full));
        if (!vg_is_archive_name(prefix) || !vg_file_exists(prefix))
            continue;
        *member = *end == '/' ? end + 1 : end;
        return prefix;
    }
    return NULL;
}

/* Where a path leads once its archive was met: to a file, or into `archive`. */
struct spot {
    char *full;
    const struct vg_archive *archive; /* NULL: the file system */
    const char *member;
};

static struct spot spot_of(const struct vg_tree *tree, const char *path, struct vg_arena *arena)
{
    struct spot spot = {.full = vg_tree_path(tree, path, arena), .member = ""};
    const struct vg_archive *archive = tree->archives;

    for (; archive != NULL && spot.archive == NULL; archive = archive->next) {
        size_t length = strlen(archive->path);

        if (strncmp(spot.full, archive->path, length) != 0 ||
            (spot.full[length] != '/' && spot.full[length] != '\0'))
            continue;
        spot.archive = archive;
        spot.member = spot.full + length + (spot.full[length] == '/');
    }
    return spot;
}

int vg_tree_enter(struct vg_tree *tree, const char *path, struct vg_error *err)
{
    struct spot spot = spot_of(tree, path, tree->arena);
    struct vg_archive *archive;
    const char *member;
    char *file;
    int rc;

    if (spot.archive != NULL)
        return VG_OK;
    file = archive_of(spot.full, &member, tree->arena);
    if (file == NULL)
        return VG_OK;
    rc = vg_archive_index(&archive, file, tree->arena, err);
    archive->next = tree->archives;
    tree->archives = archive;
    return rc;
}

/* ---- looking ------------------------------------------------------------------------------------- */

static bool is_folder_of(const struct vg_archive *archive, const char *folder)
{
    size_t length = strlen(folder);

    if (length == 0)
        return true;
    for (size_t i = 0; i < archive->count; i++)
        if (strncmp(archive->members[i].name, folder, length) == 0 && archive->members[i].name[length] == '/')
            return true;
    return false;
}

bool vg_tree_has(struct vg_tree *tree, const char *path)
{
    struct spot spot = spot_of(tree, path, tree->arena);

    if (spot.archive != NULL)
        return vg_archive_find(spot.archive, spot.member) != NULL;
    return vg_file_exists(spot.full);
}

bool vg_tree_has_folder(struct vg_tree *tree, const char *path)
{
    struct spot spot = spot_of(tree, path, tree->arena);

    if (spot.archive != NULL)
        return is_folder_of(spot.archive, spot.member);
    return vg_folder_exists(spot.full) || (vg_is_archive_name(spot.full) && vg_file_exists(spot.full));
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The next part of every member's name below the folder, each once.  Members of one folder stand together,
 * but "a-b" comes before "a/b" and after "a": hence the sorting. */
static void list_members(const struct vg_archive *archive, const char *folder, char ***names, size_t *count,
                         struct vg_arena *arena)
{
    size_t length = strlen(folder), start = length > 0 ? length + 1 : 0;

    *count = 0;
    *names = vg_arena_take(arena, archive->count + 1, sizeof **names);
    for (size_t i = 0; i < archive->count; i++) {
        const char *name = archive->members[i].name;
        char *part;

        if (length > 0 && (strncmp(name, folder, length) != 0 || name[length] != '/'))
            continue;
        part = vg_arena_text_part(arena, name + start, strcspn(name + start, "/"));
        if (*count == 0 || strcmp((*names)[*count - 1], part) != 0)
            (*names)[(*count)++] = part;
    }
    if (*count > 0)
        qsort(*names, *count, sizeof **names, compare_names); /* no equals */
}

int vg_tree_list(struct vg_tree *tree, const char *path, char ***names, size_t *count, struct vg_error *err)
{
    int rc = vg_tree_enter(tree, path, err);
    struct spot spot = spot_of(tree, path, tree->arena);

    if (rc != VG_OK)
        return rc;
    if (spot.archive == NULL) {
        rc = vg_folder_list(spot.full, tree->arena, names, count, err);
        if (rc != VG_OK)
            err->issues[err->count - 1].code = VG_SOURCE;
        return rc != VG_OK ? VG_SOURCE : VG_OK;
    }
    list_members(spot.archive, spot.member, names, count, tree->arena);
    return VG_OK;
}

/* ---- reading ------------------------------------------------------------------------------------- */

static const struct vg_archive_member *member_of(const struct spot *spot, const char *place,
                                                 struct vg_error *err)
{
    const struct vg_archive_member *member = vg_archive_find(spot->archive, spot->member);

    if (member == NULL)
        vg_fail(err, VG_SOURCE, place, "%s holds no file %s", spot->archive->path, spot->member);
    return member;
}

int vg_tree_get(struct vg_tree *tree, const char *path, char **bytes, size_t *count, struct vg_error *err)
{
    int rc = vg_tree_enter(tree, path, err);
    struct spot spot = spot_of(tree, path, tree->arena);
    const struct vg_archive_member *member;

    if (rc != VG_OK)
        return rc;
    if (spot.archive == NULL) {
        rc = vg_file_get(spot.full, TEXT_BYTES_MAX, tree->arena, bytes, count, err);
        if (rc != VG_OK)
            err->issues[err->count - 1].code = VG_SOURCE;
        return rc != VG_OK ? VG_SOURCE : VG_OK;
    }
    member = member_of(&spot, spot.full, err);
    if (member == NULL)
        return VG_SOURCE;
    *count = (size_t)member->bytes;
    return vg_archive_get(spot.archive, member, spot.full, bytes, tree->arena, err);
}

int vg_tree_decode(const struct vg_tree *tree, const char *path, const char *place,
                   const struct vg_decode_rules *rules, struct vg_loaded *loaded, struct vg_arena *arena,
                   struct vg_error *err)
{
    struct vg_arena tmp = {0};
    struct spot spot = spot_of(tree, path, &tmp);
    const struct vg_archive_member *member = NULL;
    size_t count;
    char *bytes;
    int rc = VG_SOURCE;

    if (spot.archive == NULL && vg_parquet_enters(spot.full, &count)) {
        rc = vg_parquet_get(spot.full, place, &bytes, &count, &tmp, err);
        if (rc == VG_OK)
            rc = vg_decode_bytes(bytes, count, spot.full, place, rules, loaded, arena, err);
    } else if (spot.archive == NULL) {
        rc = vg_decode_file(spot.full, place, rules, loaded, arena, err);
    } else {
        member = member_of(&spot, place, err);
        rc = member == NULL ? VG_SOURCE : vg_archive_get(spot.archive, member, place, &bytes, &tmp, err);
        if (rc == VG_OK)
            rc = vg_decode_bytes(bytes, (size_t)member->bytes, spot.full, place, rules, loaded, arena, err);
    }
    vg_arena_release(&tmp);
    return rc;
}
