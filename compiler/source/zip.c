/* SPDX-License-Identifier: MIT */
/* Zip archives as a place to read from (PKWARE's APPNOTE 6.3.10, zip64 included): the directory at their end
 * says where each member is.  Whatever it says has to fit the file before memory or time is spent on it: no
 * member may lie on another, unpack to more than it can hold, or differ from its checksum. */
#include "container.h"
#include "tarball.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { END_BYTES = 22, COMMENT_MAX = 65535, LOCATOR_BYTES = 20, END64_BYTES = 56 };
enum { ENTRY_BYTES = 46, LOCAL_BYTES = 30, DIRECTORY_BYTES_MAX = 1 << 29 };
enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1, UNIX = 3, ZIP64 = 1 };
enum { FILE_KIND = 0170000, REGULAR = 0100000 }; /* of a mode, on Unix */
enum { IN_BYTES = 1 << 16 };
#define DEFLATE_MOST 1032 /* bytes that one can stand for (zlib's "technical details") */

struct directory {
    uint64_t at, bytes, count;
};

static int fail_zip(const struct vg_recording *file, struct vg_error *err, const char *what)
{
    return vg_recording_fail(file, err, "is no sound zip archive: %s; download it again", what);
}

static bool starts_with(const unsigned char *bytes, unsigned a, unsigned b)
{
    return bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == a && bytes[3] == b;
}

bool vg_is_zip(const char *path)
{
    struct vg_recording file = {.fd = -1, .path = path, .place = path};
    struct vg_error unheard = {0};
    unsigned char magic[4] = {0};
    bool is = vg_recording_open(&file, &unheard) == VG_OK && vg_recording_read(&file, 0, magic, 4) == 4 &&
              (starts_with(magic, 3, 4) || starts_with(magic, 5, 6));

    vg_recording_release(&file);
    vg_error_release(&unheard);
    return is;
}

/* ---- the directory ------------------------------------------------------------------------------- */

/* Offset of the last record, behind which only a comment of the length it says may stand; UINT64_MAX: none.
 */
static uint64_t find_end(const struct vg_recording *file, unsigned char end[END_BYTES])
{
    size_t count = file->bytes < END_BYTES + COMMENT_MAX ? (size_t)file->bytes : END_BYTES + COMMENT_MAX;
    unsigned char *tail = vg_memory_take(count + 1, 1);
    uint64_t start = file->bytes - count, found = UINT64_MAX;

    if (vg_recording_read(file, start, tail, count) == count)
        for (size_t i = count >= END_BYTES ? count - END_BYTES + 1 : 0; i-- > 0 && found == UINT64_MAX;)
            if (starts_with(tail + i, 5, 6) && i + END_BYTES + vg_little16(tail + i + 20) == count) {
                memcpy(end, tail + i, END_BYTES);
                found = start + i;
            }
    free(tail);
    return found;
}

/* The same record with room for more than 4 GiB or 65535 members; a locator before the last one says where.
 */
static int read_end64(const struct vg_recording *file, uint64_t *end_at, struct directory *directory,
                      struct vg_error *err)
{
    unsigned char locator[LOCATOR_BYTES], end[END64_BYTES];
    uint64_t at;

    if (*end_at < LOCATOR_BYTES ||
        vg_recording_read(file, *end_at - LOCATOR_BYTES, locator, LOCATOR_BYTES) != LOCATOR_BYTES ||
        !starts_with(locator, 6, 7))
        return fail_zip(file, err, "its directory has no zip64 locator");
    at = vg_little64(locator + 8);
    if (at > *end_at || vg_recording_read(file, at, end, END64_BYTES) != END64_BYTES ||
        !starts_with(end, 6, 6))
        return fail_zip(file, err, "its zip64 record is not where it should be");
    *directory = (struct directory){vg_little64(end + 48), vg_little64(end + 40), vg_little64(end + 32)};
    *end_at = at;
    return VG_OK;
}

static int find_directory(const struct vg_recording *file, struct directory *directory, struct vg_error *err)
{
    unsigned char end[END_BYTES] = {0};
    uint64_t at = find_end(file, end);
    int rc = VG_OK;

    if (at == UINT64_MAX)
        return fail_zip(file, err, "it does not end with a directory, it may be cut off");
    if (vg_little16(end + 4) != 0 && vg_little16(end + 4) != 0xffff)
        return vg_recording_fail(file, err, "is one part of several; join them (zip -s 0)");
    *directory = (struct directory){vg_little32(end + 16), vg_little32(end + 12), vg_little16(end + 10)};
    if (directory->at == UINT32_MAX || directory->bytes == UINT32_MAX || directory->count == UINT16_MAX)
        rc = read_end64(file, &at, directory, err);
    if (rc == VG_OK &&
        (directory->at > at || directory->bytes > at - directory->at ||
         directory->bytes > DIRECTORY_BYTES_MAX || directory->count > directory->bytes / ENTRY_BYTES))
        rc = fail_zip(file, err, "its directory does not fit in it");
    return rc;
}

/* ---- its entries --------------------------------------------------------------------------------- */

/* Lengths and the place that do not fit 32 bits stand in an extra field, in this order, as far as needed. */
static bool read_extra(const unsigned char *extra, size_t count, struct vg_archive_member *member)
{
    uint64_t *const values[] = {&member->bytes, &member->zip.packed, &member->header};
    size_t at = 0, end;

    while (at + 4 <= count && vg_little16(extra + at) != ZIP64)
        at += 4 + vg_little16(extra + at + 2);
    end = at + 4 <= count ? at + 4 + vg_little16(extra + at + 2) : 0;
    for (size_t i = 0; i < 3; i++) {
        if (*values[i] != UINT32_MAX)
            continue;
        if (end > count || at + 12 > end)
            return false;
        *values[i] = vg_little64(extra + at + 4);
        at += 8;
    }
    return true;
}

/* One entry of `room` bytes: its length, 0 where it is none.  *file: is it a regular file? */
static size_t read_entry(const unsigned char *entry, size_t room, struct vg_archive_member *member,
                         bool *file, struct vg_arena *arena)
{
    size_t name, extra, length;
    uint32_t mode;

    if (room < ENTRY_BYTES || !starts_with(entry, 1, 2))
        return 0;
    name = vg_little16(entry + 28);
    extra = vg_little16(entry + 30);
    length = ENTRY_BYTES + name + extra + vg_little16(entry + 32);
    if (length > room || name == 0 || memchr(entry + ENTRY_BYTES, '\0', name) != NULL)
        return 0;
    member->header = vg_little32(entry + 42);
    member->bytes = vg_little32(entry + 24);
    member->zip.packed = vg_little32(entry + 20);
    member->zip.checksum = vg_little32(entry + 16);
    member->zip.method = vg_little16(entry + 10);
    member->zip.encrypted = (vg_little16(entry + 8) & ENCRYPTED) != 0;
    member->name = vg_arena_text_part(arena, (const char *)entry + ENTRY_BYTES, name);
    mode = entry[5] == UNIX ? vg_little32(entry + 38) >> 16 & FILE_KIND : 0;
    *file = member->name[name - 1] != '/' && (mode == 0 || mode == REGULAR); /* no folder, no link */
    return read_extra(entry + ENTRY_BYTES + name, extra, member) ? length : 0;
}

static int read_entries(struct vg_archive *archive, const struct vg_recording *file,
                        const struct directory *directory, const unsigned char *entries,
                        struct vg_arena *arena, struct vg_error *err)
{
    size_t at = 0;

    archive->members = vg_arena_take(arena, (size_t)directory->count + 1, sizeof *archive->members);
    for (uint64_t i = 0; i < directory->count; i++) {
        struct vg_archive_member *member = &archive->members[archive->count];
        bool regular;
        size_t length = read_entry(entries + at, (size_t)directory->bytes - at, member, &regular, arena);

        if (length == 0)
            return fail_zip(file, err, "an entry of its directory is damaged");
        if (member->bytes / DEFLATE_MOST > member->zip.packed)
            return vg_recording_fail(
                file, err, "says that %llu bytes of it unpack to %llu (%s); no zip does that",
                (unsigned long long)member->zip.packed, (unsigned long long)member->bytes, member->name);
        archive->count += regular;
        at += length;
    }
    return VG_OK;
}

static int compare_headers(const void *a, const void *b)
{
    const struct vg_archive_member *x = a, *y = b;

    return (x->header > y->header) - (x->header < y->header);
}

/* Members stand one behind the other, before the directory.  Where they share bytes, a small file could
 * unpack to as much as it likes (Fifield 2019). */
static int check_places(struct vg_archive *archive, const struct vg_recording *file, uint64_t end,
                        struct vg_error *err)
{
    struct vg_archive_member *at = archive->members;

    if (archive->count > 0) /* equals are refused next */
        qsort(at, archive->count, sizeof *at, compare_headers);
    for (size_t i = 0; i < archive->count; i++) {
        uint64_t next = i + 1 < archive->count ? at[i + 1].header : end;

        if (at[i].header > next || next - at[i].header < LOCAL_BYTES + strlen(at[i].name) ||
            next - at[i].header - LOCAL_BYTES - strlen(at[i].name) < at[i].zip.packed)
            return vg_recording_fail(
                file, err, "has no room for %s where its directory puts it; download it again", at[i].name);
    }
    return VG_OK;
}

int vg_zip_index(struct vg_archive *archive, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_recording file = {.fd = -1, .path = archive->path, .place = archive->path};
    struct directory directory = {0};
    unsigned char *entries = NULL;
    int rc = vg_recording_open(&file, err);

    if (rc == VG_OK)
        rc = find_directory(&file, &directory, err);
    if (rc == VG_OK) {
        entries = vg_memory_take((size_t)directory.bytes + 1, 1);
        if (vg_recording_read(&file, directory.at, entries, (size_t)directory.bytes) != directory.bytes)
            rc = fail_zip(&file, err, "its directory cannot be read");
    }
    if (rc == VG_OK)
        rc = read_entries(archive, &file, &directory, entries, arena, err);
    if (rc == VG_OK)
        rc = check_places(archive, &file, directory.at, err);
    free(entries);
    vg_recording_release(&file);
    return rc;
}

/* ---- one member ---------------------------------------------------------------------------------- */

static int fail_member(const struct vg_recording *file, const struct vg_archive_member *member,
                       struct vg_error *err, const char *what)
{
    return vg_recording_fail(file, err, "%s in it %s; download it again", member->name, what);
}

/* Where its bytes begin: behind a header of its own, which must be of the same member. */
static int find_bytes(const struct vg_recording *file, const struct vg_archive_member *member, uint64_t *at,
                      struct vg_error *err)
{
    unsigned char header[LOCAL_BYTES];
    size_t name;

    if (vg_recording_read(file, member->header, header, LOCAL_BYTES) != LOCAL_BYTES ||
        !starts_with(header, 3, 4) || vg_little16(header + 8) != member->zip.method)
        return fail_member(file, member, err, "does not begin where the directory says");
    name = vg_little16(header + 26);
    *at = member->header + LOCAL_BYTES + name + vg_little16(header + 28);
    if (*at > file->bytes || file->bytes - *at < member->zip.packed)
        return fail_member(file, member, err, "is cut off");
    return VG_OK;
}

static int inflate_member(const struct vg_recording *file, const struct vg_archive_member *member,
                          uint64_t at, char *bytes, struct vg_error *err)
{
    unsigned char *in = vg_memory_take(IN_BYTES, 1);
    uint64_t left = member->zip.packed;
    z_stream stream = {.next_out = (unsigned char *)bytes, .avail_out = (unsigned)member->bytes};
    int status = inflateInit2(&stream, -15), rc = VG_OK;

    if (status != Z_OK)
        rc = vg_fail(err, VG_IO, file->place, "zlib is out of memory");
    while (status == Z_OK && (left > 0 || stream.avail_in > 0)) {
        if (stream.avail_in == 0) {
            size_t got = vg_recording_read(file, at, in, left < IN_BYTES ? (size_t)left : IN_BYTES);

            stream.next_in = in;
            stream.avail_in = (unsigned)got;
            at += got;
            left = got > 0 ? left - got : 0;
        }
        status = inflate(&stream, Z_NO_FLUSH);
    }
    inflateEnd(&stream);
    free(in);
    if (rc == VG_OK && (status != Z_STREAM_END || stream.avail_out > 0 || stream.avail_in > 0 || left > 0))
        rc = fail_member(file, member, err, "does not unpack to what the directory says");
    return rc;
}

static int check_method(const struct vg_recording *file, const struct vg_archive_member *member,
                        struct vg_error *err)
{
    if (member->zip.encrypted)
        return vg_recording_fail(file, err, "%s in it is encrypted; unpack it", member->name);
    if (member->zip.method != STORED && member->zip.method != DEFLATED)
        return vg_recording_fail(file, err,
                                 "%s in it is packed by method %u; stored (0) and deflated (8) are read, "
                                 "unpack the archive",
                                 member->name, member->zip.method);
    if (member->zip.method == STORED && member->zip.packed != member->bytes)
        return fail_member(file, member, err, "is stored, but of two lengths");
    return VG_OK;
}

int vg_zip_get(const struct vg_archive *archive, const struct vg_archive_member *member, const char *place,
               char *bytes, struct vg_error *err)
{
    struct vg_recording file = {.fd = -1, .path = archive->path, .place = place};
    uint64_t at = 0;
    int rc = vg_recording_open(&file, err);

    if (rc == VG_OK)
        rc = check_method(&file, member, err);
    if (rc == VG_OK)
        rc = find_bytes(&file, member, &at, err);
    if (rc == VG_OK && member->zip.method == DEFLATED)
        rc = inflate_member(&file, member, at, bytes, err);
    else if (rc == VG_OK && vg_recording_read(&file, at, bytes, (size_t)member->bytes) != member->bytes)
        rc = fail_member(&file, member, err, "cannot be read");
    if (rc == VG_OK &&
        crc32_z(0, (const unsigned char *)bytes, (size_t)member->bytes) != member->zip.checksum)
        rc = fail_member(&file, member, err, "is damaged: its checksum differs");
    vg_recording_release(&file);
    return rc;
}
