/* SPDX-License-Identifier: MIT */
/* A sound file as bytes: opened once, so that what is hashed is what is decoded, and read at any offset. */
#include "container.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a name says that may never be that of a file here. */
static const char *hint_of(const char *path)
{
    if (strstr(path, "://") != NULL)
        return " (an address; download it and name the file)";
    if (strchr(path, '\\') != NULL)
        return " (a path of Windows? write folder/clip.wav)";
    return "";
}

int vg_recording_open(struct vg_recording *file, struct vg_error *err)
{
    struct stat facts;

    if (file->memory != NULL)
        return file->bytes > 0 ? VG_OK : vg_recording_fail(file, err, "is empty (0 bytes)");
    /* Not blocking: a FIFO with the name of a clip must not stop the build. */
    file->fd = open(file->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file->fd < 0 || fstat(file->fd, &facts) != 0)
        return vg_fail_errno(err, VG_SOURCE, file->place, "cannot open %s%s", file->path,
                             hint_of(file->path));
    if (!S_ISREG(facts.st_mode))
        return vg_recording_fail(file, err, "is not a regular file%s; expected a sound file",
                                 S_ISDIR(facts.st_mode)    ? " but a folder"
                                 : S_ISFIFO(facts.st_mode) ? " but a pipe"
                                                           : "");
    if (facts.st_size == 0)
        return vg_recording_fail(file, err, "is empty (0 bytes); download it again");
    file->bytes = (uint64_t)facts.st_size;
    return VG_OK;
}

int vg_recording_digest(const struct vg_recording *file, char hex[VG_DIGEST_HEX], struct vg_error *err)
{
    enum { BLOCK_BYTES = 1 << 16 };
    char *block = vg_memory_take(BLOCK_BYTES, 1);
    struct vg_digest digest;
    uint64_t at = 0;
    size_t got;
    int rc = VG_OK;

    vg_digest_init(&digest, VG_XXH128);
    while ((got = vg_recording_read(file, at, block, BLOCK_BYTES)) > 0) {
        vg_digest_add(&digest, block, got);
        at += got;
    }
    if (at != file->bytes)
        rc = vg_fail_errno(err, VG_SOURCE, file->place, "%s: cannot read beyond byte %llu", file->path,
                           (unsigned long long)at);
    vg_digest_finish(&digest, hex);
    free(block);
    return rc;
}

void vg_recording_release(struct vg_recording *file)
{
    if (file->memory == NULL && file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

size_t vg_recording_read(const struct vg_recording *file, uint64_t offset, void *to, size_t count)
{
    size_t got = 0;

    if (file->memory != NULL) {
        got = offset >= file->bytes ? 0 : (size_t)(file->bytes - offset);
        got = got < count ? got : count;
        memcpy(to, file->memory + offset, got);
        return got;
    }
    while (got < count && offset + got < file->bytes) {
        ssize_t n = pread(file->fd, (char *)to + got, count - got, (off_t)(offset + got));

        if (n <= 0)
            break;
        got += (size_t)n;
    }
    return got;
}

int vg_recording_fail(const struct vg_recording *file, struct vg_error *err, const char *format, ...)
{
    struct vg_text text = {0};
    va_list args;
    int rc;

    if (strcmp(file->place, file->path) != 0)
        vg_text_addf(&text, "%s: ", file->path);
    va_start(args, format);
    vg_text_addv(&text, format, args);
    va_end(args);
    rc = vg_fail(err, VG_SOURCE, file->place, "%s", vg_text_or_empty(&text));
    vg_text_release(&text);
    return rc;
}
