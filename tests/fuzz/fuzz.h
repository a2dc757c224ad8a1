/* SPDX-License-Identifier: MIT */
/* What every libFuzzer target shares: input arrives as bytes, faults must say where and what, and readers
 * that want a file get one. */
#ifndef VG_FUZZ_H
#define VG_FUZZ_H

#include "base.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A failure has a diagnostic with a place and a sentence, a success none; then forget them. */
static inline void fuzz_expect(int rc, struct vg_error *err)
{
    vg_check((rc == VG_OK) == (vg_error_code(err) == VG_OK));
    for (size_t i = 0; i < err->count; i++)
        vg_check(err->issues[i].place[0] != '\0' && err->issues[i].sentence[0] != '\0');
    vg_error_release(err);
}

/* The bytes as a file of this name in a folder that is made once. */
static inline const char *fuzz_file(const char *name, const void *bytes, size_t count)
{
    static char folder[] = "/tmp/vg_fuzz_XXXXXX", path[64];
    static bool made;
    int fd;

    if (!made)
        vg_check(mkdtemp(folder) != NULL);
    made = true;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    vg_check(fd >= 0 && write(fd, bytes, count) == (ssize_t)count);
    close(fd);
    return path;
}

#endif
