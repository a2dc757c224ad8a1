/* SPDX-License-Identifier: MIT */
/* A shard: a plain ustar file through libarchive with every field of a header fixed, so that only names and
 * contents decide its bytes.  Digests run along with the writing. */
#include "format.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

/* 10240 is tar's own record of 20 blocks; the last one is padded to it whether a file or a pipe is written.
 */
enum { BLOCK_BYTES = 512, RECORD_BYTES = 10240, NAME_BYTES_MAX = 100, MODE = 0644 };

struct vg_shard {
    struct vg_file file;
    struct archive *archive;
    struct archive_entry *entry;
    struct vg_digest xxh128, sha256, md5;
    uint64_t bytes_out, member_bytes;
    struct vg_error *err; /* of the call in progress, for the callback */
    int failed;           /* VG_OK, or what the callback has reported */
    bool dropped;         /* nothing more is to be written */
};

/* Never tells libarchive of a failure: an archive that has failed does not give its memory back. */
static la_ssize_t write_out(struct archive *archive, void *data, const void *bytes, size_t count)
{
    struct vg_shard *shard = data;

    (void)archive;
    if (shard->dropped)
        return (la_ssize_t)count;
    if (shard->failed == VG_OK)
        shard->failed = vg_file_write(&shard->file, bytes, count, shard->err);
    vg_digest_add(&shard->xxh128, bytes, count);
    vg_digest_add(&shard->sha256, bytes, count);
    vg_digest_add(&shard->md5, bytes, count);
    shard->bytes_out += count;
    return (la_ssize_t)count;
}

static int complain(struct vg_shard *shard, struct vg_error *err)
{
    const char *reason = archive_error_string(shard->archive);

    return vg_fail(err, VG_IO, shard->file.path, "cannot write the shard: %s",
                   reason != NULL ? reason : "libarchive gives no reason");
}

static bool open_archive(struct vg_shard *shard)
{
    return archive_write_set_format_ustar(shard->archive) == ARCHIVE_OK &&
           archive_write_add_filter_none(shard->archive) == ARCHIVE_OK &&
           archive_write_set_bytes_per_block(shard->archive, RECORD_BYTES) == ARCHIVE_OK &&
           archive_write_set_bytes_in_last_block(shard->archive, RECORD_BYTES) == ARCHIVE_OK &&
           archive_write_open(shard->archive, shard, NULL, write_out, NULL) == ARCHIVE_OK;
}

int vg_shard_create(struct vg_shard **result, const char *path, struct vg_error *err)
{
    struct vg_shard *shard = vg_memory_take(1, sizeof *shard);
    int rc;

    *shard = (struct vg_shard){.err = err};
    *result = shard;
    vg_digest_init(&shard->xxh128, VG_XXH128);
    vg_digest_init(&shard->sha256, VG_SHA256);
    vg_digest_init(&shard->md5, VG_MD5);
    rc = vg_file_create(&shard->file, path, err);
    if (rc != VG_OK)
        return rc;
    shard->archive = archive_write_new();
    shard->entry = archive_entry_new();
    if (shard->archive == NULL || shard->entry == NULL)
        return vg_fail(err, VG_IO, path, "libarchive is out of memory");
    return open_archive(shard) ? VG_OK : complain(shard, err);
}

static void fill_entry(struct archive_entry *entry, const char *name, size_t count)
{
    archive_entry_clear(entry);
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, MODE);
    archive_entry_set_size(entry, (la_int64_t)count);
    archive_entry_set_uid(entry, 0);
    archive_entry_set_gid(entry, 0);
    archive_entry_set_mtime(entry, 0, 0);
}

static bool name_fits(const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < length; i++)
        if (name[i] <= ' ' || name[i] > '~')
            return false;
    return length > 0 && length <= NAME_BYTES_MAX;
}

int vg_shard_add(struct vg_shard *shard, const char *member, const void *bytes, size_t count,
                 struct vg_error *err)
{
    shard->err = err;
    vg_check(name_fits(member));
    fill_entry(shard->entry, member, count);
    if (archive_write_header(shard->archive, shard->entry) != ARCHIVE_OK)
        return complain(shard, err);
    if (count > 0 && archive_write_data(shard->archive, bytes, count) != (la_ssize_t)count)
        return complain(shard, err);
    if (archive_write_finish_entry(shard->archive) != ARCHIVE_OK)
        return complain(shard, err);
    shard->member_bytes += vg_shard_member_bytes(count);
    return shard->failed;
}

uint64_t vg_shard_member_bytes(size_t count)
{
    return BLOCK_BYTES + ((uint64_t)count + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
}

uint64_t vg_shard_bytes(const struct vg_shard *shard)
{
    return shard->member_bytes;
}

int vg_shard_commit(struct vg_shard *shard, struct vg_shard_sums *sums, struct vg_error *err)
{
    shard->err = err;
    if (archive_write_close(shard->archive) != ARCHIVE_OK)
        return complain(shard, err);
    if (shard->failed != VG_OK)
        return shard->failed;
    sums->bytes = shard->bytes_out;
    vg_digest_finish(&shard->xxh128, sums->xxh128);
    vg_digest_finish(&shard->sha256, sums->sha256);
    vg_digest_finish(&shard->md5, sums->md5);
    return vg_file_commit(&shard->file, err);
}

/* A digest that was not asked for is finished all the same: that is what gives its memory back. */
static void drop_digest(struct vg_digest *digest)
{
    char hex[VG_DIGEST_HEX];

    if (digest->state != NULL)
        vg_digest_finish(digest, hex);
}

void vg_shard_release(struct vg_shard *shard)
{
    if (shard == NULL)
        return;
    shard->dropped = true;
    if (shard->archive != NULL)
        archive_write_free(shard->archive); /* flushes what it holds, into nothing */
    archive_entry_free(shard->entry);
    drop_digest(&shard->xxh128);
    drop_digest(&shard->sha256);
    drop_digest(&shard->md5);
    vg_file_release(&shard->file);
    free(shard);
}
