/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all (written beside, flushed, renamed), and folders. */
#include "base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int vg_file_create(struct vg_file *file, const char *path, struct vg_error *err)
{
    size_t length = strlen(path);
    struct stat there;

    /* Renaming over a device, a pipe or a folder would replace it by a file. */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return vg_fail(err, VG_IO, path, "is there and no regular file; give the name of a file");
    file->path = vg_memory_take(length + 1, 1);
    memcpy(file->path, path, length + 1);
    file->temporary = vg_memory_take(length + sizeof ".tmp", 1);
    memcpy(file->temporary, path, length);
    memcpy(file->temporary + length, ".tmp", sizeof ".tmp");
    file->stream = fopen(file->temporary, "wb");
    if (file->stream == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot create");
    return VG_OK;
}

int vg_file_write(struct vg_file *file, const void *bytes, size_t count, struct vg_error *err)
{
    if (count > 0 && fwrite(bytes, 1, count, file->stream) != count)
        return vg_fail_errno(err, VG_IO, file->path, "cannot write");
    return VG_OK;
}

static void forget(struct vg_file *file)
{
    free(file->path);
    free(file->temporary);
    *file = (struct vg_file){0};
}

int vg_file_commit(struct vg_file *file, struct vg_error *err)
{
    FILE *stream = file->stream;
    bool flushed;

    vg_check(stream != NULL && file->temporary != NULL);
    flushed = fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    if (!flushed)
        return vg_fail_errno(err, VG_IO, file->path, "cannot write");
    file->stream = NULL;
    if (fclose(stream) != 0)
        return vg_fail_errno(err, VG_IO, file->path, "cannot write");
    /* The umask of the user must not reach a release; what may be read by whom is the folder's matter. */
    if (chmod(file->temporary, 0644) != 0 || rename(file->temporary, file->path) != 0)
        return vg_fail_errno(err, VG_IO, file->path, "cannot rename into place");
    forget(file);
    return VG_OK;
}

void vg_file_release(struct vg_file *file)
{
    if (file->stream != NULL)
        fclose(file->stream);
    if (file->temporary != NULL)
        unlink(file->temporary);
    forget(file);
}

int vg_file_put(const char *path, const void *bytes, size_t count, struct vg_error *err)
{
    struct vg_file file = {0};
    int rc = vg_file_create(&file, path, err);

    if (rc == VG_OK)
        rc = vg_file_write(&file, bytes, count, err);
    if (rc == VG_OK)
        rc = vg_file_commit(&file, err);
    vg_file_release(&file);
    return rc;
}

static int read_stream(FILE *stream, const char *path, size_t size, struct vg_arena *arena, char **bytes,
                       size_t *count, struct vg_error *err)
{
    *bytes = vg_arena_take(arena, size + 1, 1);
    *count = fread(*bytes, 1, size, stream);
    if (ferror(stream))
        return vg_fail_errno(err, VG_IO, path, "cannot read");
    (*bytes)[*count] = '\0';
    return VG_OK;
}

int vg_file_get(const char *path, size_t limit, struct vg_arena *arena, char **bytes, size_t *count,
                struct vg_error *err)
{
    struct stat facts;
    FILE *stream;
    int rc;

    if (stat(path, &facts) != 0)
        return vg_fail_errno(err, VG_IO, path, "cannot open");
    if (!S_ISREG(facts.st_mode))
        return vg_fail(err, VG_IO, path, "is not a regular file");
    if ((uint64_t)facts.st_size > limit)
        return vg_fail(err, VG_IO, path, "has %lld bytes; at most %zu are read", (long long)facts.st_size,
                       limit);
    stream = fopen(path, "rb");
    if (stream == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot open");
    rc = read_stream(stream, path, (size_t)facts.st_size, arena, bytes, count, err);
    fclose(stream);
    return rc;
}

FILE *vg_file_open(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat facts;
    FILE *stream = NULL;

    if (descriptor < 0)
        return NULL;
    if (fstat(descriptor, &facts) == 0) {
        if (S_ISREG(facts.st_mode))
            stream = fdopen(descriptor, "rb");
        else
            errno = EINVAL;
    }
    if (stream == NULL)
        close(descriptor);
    return stream;
}

bool vg_file_exists(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

bool vg_folder_exists(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

int vg_folder_make(const char *path, struct vg_error *err)
{
    struct vg_text part = {0};
    int rc = VG_OK;

    for (const char *c = path; rc == VG_OK; c++) {
        if ((*c == '/' || *c == '\0') && part.length > 0 && mkdir(part.data, 0777) != 0 && errno != EEXIST)
            rc = vg_fail_errno(err, VG_IO, path, "cannot make the folder");
        if (*c == '\0')
            break;
        vg_text_add_char(&part, *c);
    }
    if (rc == VG_OK && !vg_folder_exists(path))
        rc = vg_fail(err, VG_IO, path, "is there and is not a folder");
    vg_text_release(&part);
    return rc;
}

int vg_folder_sync(const char *path, struct vg_error *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY);
    int rc = VG_OK;

    if (fd < 0)
        return vg_fail_errno(err, VG_IO, path, "cannot open the folder");
    if (fsync(fd) != 0 && errno != EINVAL) /* some file systems cannot sync a folder */
        rc = vg_fail_errno(err, VG_IO, path, "cannot flush the folder");
    close(fd);
    return rc;
}

static int sync_file(const char *path, struct vg_error *err)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int rc = VG_OK;

    if (fd < 0)
        return vg_fail_errno(err, VG_IO, path, "cannot open");
    if (fsync(fd) != 0)
        rc = vg_fail_errno(err, VG_IO, path, "cannot flush");
    close(fd);
    return rc;
}

int vg_folder_sync_all(const char *path, struct vg_error *err)
{
    struct vg_arena arena = {0};
    char **names;
    size_t count;
    int rc = vg_folder_list(path, &arena, &names, &count, err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        struct vg_arena_mark mark = vg_arena_mark(&arena);
        const char *inside = vg_path_join(&arena, path, names[i]);

        rc = vg_folder_exists(inside) ? vg_folder_sync_all(inside, err) : sync_file(inside, err);
        vg_arena_rewind(&arena, mark);
    }
    vg_arena_release(&arena);
    return rc == VG_OK ? vg_folder_sync(path, err) : rc;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int vg_folder_list(const char *path, struct vg_arena *arena, char ***names, size_t *count,
                   struct vg_error *err)
{
    DIR *folder = opendir(path);
    size_t room = 0;
    char **list = NULL;
    struct dirent *entry;

    *count = 0;
    if (folder == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot open the folder");
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (*count == room) {
            room = room ? 2 * room : 64;
            list = vg_memory_grow(list, room, sizeof *list);
        }
        list[(*count)++] = vg_arena_text(arena, entry->d_name);
    }
    closedir(folder);
    if (*count > 0)
        qsort(list, *count, sizeof *list, compare_names); /* names are distinct: no equals */
    *names = vg_arena_take(arena, *count + 1, sizeof *list);
    if (*count > 0)
        memcpy(*names, list, *count * sizeof *list);
    free(list);
    return VG_OK;
}

int vg_folder_remove(const char *path, struct vg_error *err)
{
    struct vg_arena arena = {0};
    struct stat facts;
    char **names;
    size_t count;
    int rc = VG_OK;

    if (lstat(path, &facts) != 0)
        return errno == ENOENT ? VG_OK : vg_fail_errno(err, VG_IO, path, "cannot look at");
    if (!S_ISDIR(facts.st_mode))
        return unlink(path) == 0 ? VG_OK : vg_fail_errno(err, VG_IO, path, "cannot remove");
    rc = vg_folder_list(path, &arena, &names, &count, err);
    for (size_t i = 0; rc == VG_OK && i < count; i++)
        rc = vg_folder_remove(vg_path_join(&arena, path, names[i]), err);
    if (rc == VG_OK && rmdir(path) != 0)
        rc = vg_fail_errno(err, VG_IO, path, "cannot remove the folder");
    vg_arena_release(&arena);
    return rc;
}

int vg_path_rename(const char *from, const char *to, struct vg_error *err)
{
    if (rename(from, to) != 0)
        return vg_fail_errno(err, VG_IO, to, "cannot rename %s into place", from);
    return VG_OK;
}

char *vg_path_join(struct vg_arena *arena, const char *folder, const char *name)
{
    size_t length = strlen(folder);

    if (name[0] == '/' || length == 0)
        return vg_arena_text(arena, name);
    return vg_arena_format(arena, folder[length - 1] == '/' ? "%s%s" : "%s/%s", folder, name);
}

char *vg_path_folder(struct vg_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return vg_arena_text(arena, ".");
    return vg_arena_text_part(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

const char *vg_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}
