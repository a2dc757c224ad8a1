/* SPDX-License-Identifier: MIT */
/* Any bytes as a zip archive of a corpus: its directory, then every member. */
#include "fuzz.h"

#include "tarball.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file("a.zip", data, size);
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_archive *archive = NULL;
    int rc;

    if (!vg_is_zip(path))
        return 0;
    rc = vg_archive_index(&archive, path, &arena, &err);
    for (size_t i = 0; rc == VG_OK && i < archive->count; i++) {
        const struct vg_archive_member *member = &archive->members[i];
        char *bytes;

        vg_check(member->name[0] != '/' && strncmp(member->name, "../", 3) != 0);
        vg_check(member->zip.packed <= size);
        if (member->bytes <= 1 << 20)
            rc = vg_archive_get(archive, member, "t.csv:2", &bytes, &arena, &err);
    }
    fuzz_expect(rc, &err);
    vg_arena_release(&arena);
    return 0;
}
