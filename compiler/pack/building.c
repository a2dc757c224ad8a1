/* SPDX-License-Identifier: MIT */
/* A folder that appears under its name only when it is whole: built beside it under a lock, flushed, renamed.
 * What a killed build left is cleared by the next one. */
#include "inside.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lock_name[] = ".lock";

char *vg_building_file(struct vg_building *building, const char *name)
{
    return vg_path_join(&building->arena, building->temporary, name);
}

/* A replacement that was cut off between its two renames is undone. */
static int restore(const char *path, const char *old, struct vg_error *err)
{
    if (!vg_folder_exists(old))
        return VG_OK;
    if (vg_folder_exists(path))
        return vg_folder_remove(old, err);
    return vg_path_rename(old, path, err);
}

/* The lock is the kernel's and dies with the process, so that a killed build locks nobody out. */
static int lock(struct vg_building *building, struct vg_error *err)
{
    const char *path = vg_building_file(building, lock_name);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

    if (descriptor < 0)
        return vg_fail_errno(err, VG_IO, path, "cannot create");
    building->lock = descriptor + 1;
    if (fcntl(descriptor, F_SETLK, &whole) == 0)
        return VG_OK;
    close(descriptor);
    building->lock = 0;
    if (errno != EACCES && errno != EAGAIN)
        return vg_fail_errno(err, VG_IO, path, "cannot lock");
    return vg_fail(err, VG_IO, building->temporary,
                   "another build is writing here; wait for it, or give another output folder");
}

static int clear(struct vg_building *building, struct vg_error *err)
{
    char **names;
    size_t count;
    int rc = vg_folder_list(building->temporary, &building->arena, &names, &count, err);

    for (size_t i = 0; rc == VG_OK && i < count; i++)
        if (strcmp(names[i], lock_name) != 0)
            rc = vg_folder_remove(vg_building_file(building, names[i]), err);
    return rc;
}

int vg_building_begin(struct vg_building *building, const char *path, struct vg_error *err)
{
    int rc;

    building->path = vg_arena_text(&building->arena, path);
    building->temporary = vg_arena_format(&building->arena, "%s.tmp", path);
    rc = vg_folder_make(building->temporary, err);
    if (rc == VG_OK)
        rc = lock(building, err);
    if (rc == VG_OK)
        rc = restore(path, vg_arena_format(&building->arena, "%s.old", path), err);
    return rc == VG_OK ? clear(building, err) : rc;
}

/* ---- installing ------------------------------------------------------------------------------------- */

static bool same_streams(FILE *a, FILE *b)
{
    char piece_a[1 << 14], piece_b[1 << 14];
    size_t got_a, got_b;

    do {
        got_a = fread(piece_a, 1, sizeof piece_a, a);
        got_b = fread(piece_b, 1, sizeof piece_b, b);
        if (got_a != got_b || memcmp(piece_a, piece_b, got_a) != 0)
            return false;
    } while (got_a > 0);
    return !ferror(a) && !ferror(b);
}

static bool same_files(const char *path_a, const char *path_b)
{
    FILE *a = vg_file_open(path_a), *b = vg_file_open(path_b);
    bool same = a != NULL && b != NULL && same_streams(a, b);

    if (a != NULL)
        fclose(a);
    if (b != NULL)
        fclose(b);
    return same;
}

/* The first name that differs between the two folders, or NULL; signatures and the lock do not count. */
static int first_difference(struct vg_building *building, const char **name, struct vg_error *err)
{
    char **old, **new;
    size_t old_count, new_count, i = 0, k = 0;
    int rc = vg_folder_list(building->path, &building->arena, &old, &old_count, err);

    *name = NULL;
    if (rc == VG_OK)
        rc = vg_folder_list(building->temporary, &building->arena, &new, &new_count, err);
    while (rc == VG_OK && *name == NULL && (i < old_count || k < new_count)) {
        int order = i == old_count ? 1 : k == new_count ? -1 : strcmp(old[i], new[k]);

        if (order < 0 && vg_sums_is_signature(old[i]))
            i++;
        else if (order > 0 && strcmp(new[k], lock_name) == 0)
            k++;
        else if (order != 0)
            *name = order < 0 ? old[i] : new[k];
        else if (!same_files(vg_path_join(&building->arena, building->path, old[i]),
                             vg_building_file(building, new[k])))
            *name = new[k];
        else
            i++, k++;
    }
    return rc;
}

static void unlock(struct vg_building *building)
{
    if (building->lock > 0)
        close(building->lock - 1);
    building->lock = 0;
}

static int move_in(struct vg_building *building, struct vg_error *err)
{
    int rc;

    if (unlink(vg_building_file(building, lock_name)) != 0)
        return vg_fail_errno(err, VG_IO, building->temporary, "cannot remove the lock");
    rc = vg_folder_sync(building->temporary, err);
    if (rc == VG_OK)
        rc = vg_path_rename(building->temporary, building->path, err);
    if (rc == VG_OK)
        building->temporary = NULL;
    if (rc == VG_OK)
        rc = vg_folder_sync(vg_path_folder(&building->arena, building->path), err);
    return rc;
}

static int swap_in(struct vg_building *building, struct vg_error *err)
{
    const char *old = vg_arena_format(&building->arena, "%s.old", building->path);
    int rc = vg_path_rename(building->path, old, err);

    if (rc == VG_OK)
        rc = move_in(building, err);
    if (rc != VG_OK && building->temporary != NULL && vg_folder_exists(old))
        (void)vg_path_rename(old, building->path, err);
    return rc == VG_OK ? vg_folder_remove(old, err) : rc;
}

int vg_building_install(struct vg_building *building, bool replace, struct vg_error *err)
{
    const char *differs;
    int rc;

    if (!vg_folder_exists(building->path))
        return move_in(building, err);
    rc = first_difference(building, &differs, err);
    if (rc != VG_OK || differs == NULL)
        return rc; /* the same release is there already */
    if (replace)
        return swap_in(building, err);
    return vg_fail(err, VG_NO, building->path,
                   "is already there and its %s differs from what this build makes of the same spec (other "
                   "sources, another library version, or an altered file); verify it, or allow replacing it",
                   differs);
}

void vg_building_release(struct vg_building *building)
{
    struct vg_error unheard = {0};

    /* Without the lock the folder is another build's. */
    if (building->temporary != NULL && building->lock > 0)
        (void)vg_folder_remove(building->temporary, &unheard);
    unlock(building);
    vg_error_release(&unheard);
    vg_arena_release(&building->arena);
    *building = (struct vg_building){0};
}
