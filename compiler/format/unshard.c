/* SPDX-License-Identifier: MIT */
/* Walks a shard: libarchive reads, every entry is held against what vg_shard_add writes.  Input is untrusted:
 * memory is taken only below the caller's limit, and no name is ever used as a path here. */
#include "format.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK_BYTES = 512, RECORD_BYTES = 10240, END_BYTES = 2 * BLOCK_BYTES, NAME_BYTES_MAX = 255 };

struct vg_shard_reader {
    struct archive *archive;
    FILE *raw; /* the same file, for what libarchive does not tell */
    char *path;
    struct vg_text name, bytes;
    size_t limit_bytes;
    uint64_t next_header, file_bytes;
};

static int complain(struct vg_shard_reader *reader, struct vg_error *err)
{
    const char *reason = archive_error_string(reader->archive);

    return vg_fail(err, VG_NO, reader->path, "not a readable tar file from byte %llu on: %s",
                   (unsigned long long)reader->next_header, reason != NULL ? reason : "unknown format");
}

static bool open_archive(struct vg_shard_reader *reader)
{
    return archive_read_support_format_tar(reader->archive) == ARCHIVE_OK &&
           archive_read_open_filename(reader->archive, reader->path, 1 << 16) == ARCHIVE_OK;
}

int vg_shard_open(struct vg_shard_reader **result, const char *path, size_t limit_bytes, struct vg_error *err)
{
    struct vg_shard_reader *reader = vg_memory_take(1, sizeof *reader);
    struct stat status;

    *reader = (struct vg_shard_reader){.limit_bytes = limit_bytes};
    *result = reader;
    reader->path = vg_memory_take(strlen(path) + 1, 1);
    memcpy(reader->path, path, strlen(path) + 1);
    if (stat(path, &status) != 0)
        return vg_fail_errno(err, VG_IO, path, "cannot open the shard");
    if (!S_ISREG(status.st_mode))
        return vg_fail(err, VG_NO, path, "is no regular file; a shard is one");
    reader->file_bytes = (uint64_t)status.st_size;
    reader->raw = fopen(path, "rb");
    if (reader->raw == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot open the shard");
    reader->archive = archive_read_new();
    if (reader->archive == NULL)
        return vg_fail(err, VG_IO, path, "libarchive is out of memory");
    return open_archive(reader) ? VG_OK : complain(reader, err);
}

/* A relative path of plain components: nothing that could leave a folder, on any file system. */
static bool is_safe(const char *name)
{
    size_t length = strlen(name), start = 0;

    if (length == 0 || length > NAME_BYTES_MAX)
        return false;
    for (size_t i = 0; i <= length; i++) {
        if (name[i] != '/' && name[i] != '\0') {
            if ((unsigned char)name[i] < ' ' || name[i] == 0x7f || strchr("\\:*?\"<>|", name[i]) != NULL)
                return false;
            continue;
        }
        if (i == start || (i - start == 1 && name[start] == '.') ||
            (i - start == 2 && name[start] == '.' && name[start + 1] == '.'))
            return false;
        start = i + 1;
    }
    return true;
}

/* libarchive takes a type it does not know for a plain file: the header must say '0' itself. */
static bool is_plain_header(struct vg_shard_reader *reader)
{
    enum { TYPE_AT = 156, MAGIC_AT = 257 };
    char header[BLOCK_BYTES];

    return fseeko(reader->raw, (off_t)reader->next_header, SEEK_SET) == 0 &&
           fread(header, 1, sizeof header, reader->raw) == sizeof header && header[TYPE_AT] == '0' &&
           memcmp(header + MAGIC_AT, "ustar", 6) == 0;
}

/* What is wrong with an entry, or NULL. */
static const char *fault_of(struct vg_shard_reader *reader, struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);

    if (name == NULL || !is_safe(name))
        return "has a member whose name is not a plain relative path";
    if ((uint64_t)archive_read_header_position(reader->archive) != reader->next_header)
        return "has bytes between its members";
    if (archive_format(reader->archive) != ARCHIVE_FORMAT_TAR_USTAR)
        return "has a member that is not plain ustar";
    if (!is_plain_header(reader) || archive_entry_filetype(entry) != AE_IFREG ||
        archive_entry_hardlink(entry) != NULL || archive_entry_symlink(entry) != NULL)
        return "has a member that is not a plain file";
    if (!archive_entry_size_is_set(entry) || archive_entry_size(entry) < 0 ||
        (uint64_t)archive_entry_size(entry) > reader->limit_bytes)
        return "has a member larger than it may be";
    if ((uint64_t)archive_entry_size(entry) > reader->file_bytes)
        return "has a member larger than the shard itself";
    return NULL;
}

static int read_data(struct vg_shard_reader *reader, size_t count, struct vg_error *err)
{
    char piece[1 << 14];

    vg_text_clear(&reader->bytes);
    while (reader->bytes.length < count) {
        la_ssize_t got = archive_read_data(reader->archive, piece, sizeof piece);

        if (got < 0)
            return complain(reader, err);
        if (got == 0)
            return vg_fail(err, VG_NO, reader->path, "ends inside its member %s", reader->name.data);
        vg_text_add_part(&reader->bytes, piece, (size_t)got);
    }
    return VG_OK;
}

/* Behind the last member: zeros up to a whole number of tar records, at least two blocks, nothing else. */
static int check_end(struct vg_shard_reader *reader, struct vg_error *err)
{
    uint64_t whole = (reader->next_header + END_BYTES + RECORD_BYTES - 1) / RECORD_BYTES * RECORD_BYTES;
    bool clean = true;
    int c;

    if (reader->file_bytes != whole)
        return vg_fail(err, VG_NO, reader->path,
                       "is %llu bytes long; after its last member it should end at %llu",
                       (unsigned long long)reader->file_bytes, (unsigned long long)whole);
    if (fseeko(reader->raw, (off_t)reader->next_header, SEEK_SET) != 0)
        return vg_fail_errno(err, VG_IO, reader->path, "cannot read the end of the shard");
    while ((c = getc(reader->raw)) != EOF)
        clean = clean && c == 0;
    return clean ? VG_OK : vg_fail(err, VG_NO, reader->path, "has bytes behind its last member");
}

int vg_shard_step(struct vg_shard_reader *reader, struct vg_member *member, bool *end, struct vg_error *err)
{
    struct archive_entry *entry;
    int status = archive_read_next_header(reader->archive, &entry);
    const char *fault;
    size_t count;

    *end = status == ARCHIVE_EOF;
    if (*end)
        return check_end(reader, err);
    if (status != ARCHIVE_OK)
        return complain(reader, err);
    fault = fault_of(reader, entry);
    if (fault != NULL)
        return vg_fail(err, VG_NO, reader->path, "%s (header at byte %llu)", fault,
                       (unsigned long long)archive_read_header_position(reader->archive));
    vg_text_clear(&reader->name);
    vg_text_add(&reader->name, archive_entry_pathname(entry));
    count = (size_t)archive_entry_size(entry);
    *member = (struct vg_member){reader->name.data, NULL, count, reader->next_header + BLOCK_BYTES};
    reader->next_header += vg_shard_member_bytes(count);
    return VG_OK;
}

int vg_shard_fetch(struct vg_shard_reader *reader, struct vg_member *member, struct vg_error *err)
{
    int rc = read_data(reader, member->count, err);

    member->bytes = vg_text_or_empty(&reader->bytes);
    return rc;
}

int vg_shard_next(struct vg_shard_reader *reader, struct vg_member *member, bool *end, struct vg_error *err)
{
    int rc = vg_shard_step(reader, member, end, err);

    return rc == VG_OK && !*end ? vg_shard_fetch(reader, member, err) : rc;
}

void vg_shard_close(struct vg_shard_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->archive != NULL)
        archive_read_free(reader->archive);
    if (reader->raw != NULL)
        fclose(reader->raw);
    vg_text_release(&reader->name);
    vg_text_release(&reader->bytes);
    free(reader->path);
    free(reader);
}
