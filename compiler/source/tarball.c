/* SPDX-License-Identifier: MIT */
/* Archives as a place to read from.  Tar: one pass notes where the header of each member is; a member is read
 * by starting again at its header; libarchive understands the tar, unzip.c the compression.  Zip: zip.c. */
#include "tarball.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MEMBERS_FIRST = 1024, MEMBER_BYTES_MAX = 1 << 30 };

/* libarchive on its way through one of our cursors. */
struct walk {
    struct archive *tar;
    struct vg_unzip *unzip;
    const char *path, *place;
    struct vg_error *err;
    bool failed; /* a fault of the cursor, already told */
};

static la_ssize_t give_bytes(struct archive *tar, void *user, const void **bytes)
{
    struct walk *walk = user;
    size_t count = 0;

    if (vg_unzip_read(walk->unzip, bytes, &count, walk->err) == VG_OK)
        return (la_ssize_t)count;
    walk->failed = true;
    archive_set_error(tar, -1, "told already");
    return -1;
}

static la_int64_t skip_bytes(struct archive *tar, void *user, la_int64_t count)
{
    struct walk *walk = user;

    (void)tar;
    return count > 0 ? (la_int64_t)vg_unzip_skip(walk->unzip, (uint64_t)count) : 0;
}

static int fail_tar(struct walk *walk)
{
    const char *why = archive_error_string(walk->tar);

    if (walk->failed)
        return VG_SOURCE;
    return vg_fail(walk->err, VG_SOURCE, walk->place, "%s is no sound tar archive: %s", walk->path,
                   why != NULL ? why : "unknown format");
}

static int open_tar(struct walk *walk)
{
    walk->tar = archive_read_new();
    if (walk->tar == NULL)
        return vg_fail(walk->err, VG_IO, walk->place, "libarchive is out of memory");
    if (archive_read_support_format_tar(walk->tar) != ARCHIVE_OK ||
        archive_read_open2(walk->tar, walk, NULL, give_bytes, skip_bytes, NULL) != ARCHIVE_OK)
        return fail_tar(walk);
    return VG_OK;
}

static void close_walk(struct walk *walk)
{
    archive_read_free(walk->tar);
    vg_unzip_close(walk->unzip);
}

/* The name of a member; "" where there is none. */
static const char *name_of(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname_utf8(entry);

    if (name == NULL)
        name = archive_entry_pathname(entry);
    if (name == NULL)
        return "";
    return name;
}

static const char *without_dot(const char *name)
{
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    return name;
}

/* ---- the index ----------------------------------------------------------------------------------- */

static int compare_members(const void *a, const void *b)
{
    const struct vg_archive_member *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->header > y->header) - (x->header < y->header);
}

static void add_member(struct vg_archive *archive, size_t *room, struct archive_entry *entry, uint64_t header,
                       struct vg_arena *arena)
{
    if (archive->count == *room) {
        struct vg_archive_member *members;

        *room = *room > 0 ? 2 * *room : MEMBERS_FIRST;
        members = vg_arena_take(arena, *room, sizeof *members);
        if (archive->count > 0)
            memcpy(members, archive->members, archive->count * sizeof *members);
        archive->members = members;
    }
    archive->members[archive->count++] =
        (struct vg_archive_member){.name = vg_arena_text(arena, name_of(entry)),
                                   .header = header,
                                   .bytes = (uint64_t)archive_entry_size(entry)};
}

static int walk_members(struct vg_archive *archive, struct walk *walk, struct vg_arena *arena)
{
    struct archive_entry *entry;
    size_t room = 0, count = 1;
    const void *bytes;
    int status;

    while ((status = archive_read_next_header(walk->tar, &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN)
        if (archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == NULL)
            add_member(archive, &room, entry, (uint64_t)archive_read_header_position(walk->tar), arena);
    if (status != ARCHIVE_EOF)
        return fail_tar(walk);
    while (count > 0) /* to the end, so that the checksum of the compression is checked */
        if (vg_unzip_read(walk->unzip, &bytes, &count, walk->err) != VG_OK)
            return VG_SOURCE;
    return VG_OK;
}

bool vg_path_climbs(const char *path)
{
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return true;
    }
    return false;
}

static int check_members(const struct vg_archive *archive, struct vg_error *err)
{
    struct stat facts = {0};

    if (stat(archive->path, &facts) != 0)
        return vg_fail_errno(err, VG_SOURCE, archive->path, "cannot look at it");
    for (size_t i = 0; i < archive->count; i++) {
        const struct vg_archive_member *member = &archive->members[i];

        if (member->name[0] == '/' || member->name[0] == '\0' || vg_path_climbs(member->name))
            return vg_fail(err, VG_SOURCE, archive->path,
                           "holds \"%s\"; expected names that stay inside: pack it again without \"..\" or a "
                           "leading \"/\"",
                           member->name);
        if (member->bytes > MEMBER_BYTES_MAX)
            return vg_fail(err, VG_SOURCE, archive->path, "%s in it has %llu bytes; at most %d are read",
                           member->name, (unsigned long long)member->bytes, MEMBER_BYTES_MAX);
        if (i > 0 && strcmp(member->name, member[-1].name) == 0)
            return vg_fail(err, VG_SOURCE, archive->path, "holds %s twice; expected every name once",
                           member->name);
        if (!archive->zip && !archive->points.zipped &&
            member->header + member->bytes > (uint64_t)facts.st_size)
            return vg_fail(err, VG_SOURCE, archive->path, "is cut off inside %s; download it again",
                           member->name);
    }
    return VG_OK;
}

/* The windows of the points were grown in the heap, one by one; they stay in the arena. */
static void keep_points(struct vg_unzip_points *points, struct vg_arena *arena)
{
    for (size_t i = 0; i < points->count; i++) {
        unsigned char *window = points->at[i].window;

        points->at[i].window = vg_arena_take(arena, VG_UNZIP_WINDOW, 1);
        memcpy(points->at[i].window, window, VG_UNZIP_WINDOW);
        free(window);
    }
}

static int index_tar(struct vg_archive *archive, struct vg_arena *arena, struct vg_error *err)
{
    struct walk walk = {.path = archive->path, .place = archive->path, .err = err};
    int rc = vg_unzip_open(&walk.unzip, walk.path, walk.place, &archive->points, err);

    if (rc == VG_OK)
        rc = open_tar(&walk);
    if (rc == VG_OK)
        rc = walk_members(archive, &walk, arena);
    close_walk(&walk);
    keep_points(&archive->points, arena);
    return rc;
}

int vg_archive_index(struct vg_archive **result, const char *path, struct vg_arena *arena,
                     struct vg_error *err)
{
    struct vg_archive *archive = vg_arena_take_zero(arena, 1, sizeof *archive);
    int rc;

    archive->path = vg_arena_text(arena, path);
    archive->zip = vg_is_zip(path);
    *result = archive;
    rc = archive->zip ? vg_zip_index(archive, arena, err) : index_tar(archive, arena, err);
    if (rc != VG_OK)
        return rc;
    for (size_t i = 0; i < archive->count; i++)
        archive->members[i].name = without_dot(archive->members[i].name);
    if (archive->count > 0) /* no equals: headers stand at distinct places */
        qsort(archive->members, archive->count, sizeof *archive->members, compare_members);
    return check_members(archive, err);
}

static int compare_name(const void *name, const void *member)
{
    return strcmp(name, ((const struct vg_archive_member *)member)->name);
}

const struct vg_archive_member *vg_archive_find(const struct vg_archive *archive, const char *name)
{
    if (archive->count == 0)
        return NULL;
    return bsearch(name, archive->members, archive->count, sizeof *archive->members, compare_name);
}

/* ---- one member ---------------------------------------------------------------------------------- */

static int read_member(struct walk *walk, const struct vg_archive_member *member, char *bytes)
{
    struct archive_entry *entry;
    uint64_t got = 0;

    if (archive_read_next_header(walk->tar, &entry) > ARCHIVE_OK ||
        strcmp(without_dot(name_of(entry)), member->name) != 0)
        return vg_fail(walk->err, VG_SOURCE, walk->place, "%s changed while it was read", walk->path);
    while (got < member->bytes) {
        la_ssize_t count = archive_read_data(walk->tar, bytes + got, (size_t)(member->bytes - got));

        if (count < 0)
            return fail_tar(walk);
        if (count == 0)
            return vg_fail(walk->err, VG_SOURCE, walk->place, "%s/%s is cut off", walk->path, member->name);
        got += (uint64_t)count;
    }
    return VG_OK;
}

static int get_from_tar(const struct vg_archive *archive, const struct vg_archive_member *member,
                        const char *place, char *bytes, struct vg_error *err)
{
    struct walk walk = {.path = archive->path, .place = place, .err = err};
    int rc = vg_unzip_open(&walk.unzip, archive->path, place, NULL, err);

    if (rc == VG_OK) {
        vg_unzip_seek(walk.unzip, &archive->points, member->header);
        rc = open_tar(&walk);
    }
    if (rc == VG_OK)
        rc = read_member(&walk, member, bytes);
    close_walk(&walk);
    return rc;
}

int vg_archive_get(const struct vg_archive *archive, const struct vg_archive_member *member,
                   const char *place, char **bytes, struct vg_arena *arena, struct vg_error *err)
{
    *bytes = vg_arena_take(arena, (size_t)member->bytes + 1, 1);
    (*bytes)[member->bytes] = '\0';
    return archive->zip ? vg_zip_get(archive, member, place, *bytes, err)
                        : get_from_tar(archive, member, place, *bytes, err);
}
