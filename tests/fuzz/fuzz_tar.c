/* SPDX-License-Identifier: MIT */
/* Any bytes as a tar file: a shard of a release or, of odd length, an archive of a corpus.  Headers get their
 * right checksum, or no mutation would pass the first. */
#include "fuzz.h"

#include "format.h"
#include "tarball.h"

enum { BLOCK = 512, SIZE_AT = 124, SUM_AT = 148 };

/* Walk the headers as a reader would and mend each. */
static void mend_headers(uint8_t *bytes, size_t size)
{
    size_t at = 0;

    while (at + BLOCK <= size) {
        uint64_t length = 0;
        unsigned sum = 0;

        memset(bytes + at + SUM_AT, ' ', 8);
        for (size_t i = 0; i < BLOCK; i++)
            sum += bytes[at + i];
        if (sum == 8 * ' ') { /* an empty block ends the file */
            memset(bytes + at + SUM_AT, 0, 8);
            return;
        }
        snprintf((char *)bytes + at + SUM_AT, 8, "%06o", sum);
        for (size_t i = 0; i < 12 && bytes[at + SIZE_AT + i] >= '0' && bytes[at + SIZE_AT + i] <= '7'; i++)
            length = length * 8 + bytes[at + SIZE_AT + i] - '0';
        at += BLOCK + (size_t)((length + BLOCK - 1) / BLOCK * BLOCK);
    }
}

static void read_shard(const char *path)
{
    struct vg_error err = {0};
    struct vg_shard_reader *reader = NULL;
    struct vg_member member;
    bool end = false;
    int rc = vg_shard_open(&reader, path, 1 << 20, &err);

    for (unsigned turn = 0; rc == VG_OK && !end; turn++) {
        rc = turn % 3 == 2 ? vg_shard_step(reader, &member, &end, &err)
                           : vg_shard_next(reader, &member, &end, &err);
        vg_check(rc != VG_OK || end || (member.name[0] != '/' && strncmp(member.name, "../", 3) != 0));
    }
    vg_shard_close(reader);
    fuzz_expect(rc, &err);
}

static void read_archive(const char *path)
{
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_archive *archive = NULL;
    int rc = vg_archive_index(&archive, path, &arena, &err);

    for (size_t i = 0; rc == VG_OK && i < archive->count; i++) {
        char *bytes;

        if (archive->members[i].bytes <= 1 << 20)
            rc = vg_archive_get(archive, &archive->members[i], "a", &bytes, &arena, &err);
    }
    fuzz_expect(rc, &err);
    vg_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = vg_memory_take(size + 1, 1);

    memcpy(bytes, data, size);
    if (size < 2 || data[0] != 0x1f || data[1] != 0x8b)
        mend_headers(bytes, size);
    if (size % 2 == 0)
        read_shard(fuzz_file("a.tar", bytes, size));
    else
        read_archive(fuzz_file("a.tar.gz", bytes, size));
    free(bytes);
    return 0;
}
