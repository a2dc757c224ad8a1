/* SPDX-License-Identifier: MIT */
/* Inside source: archives whose members are read in any order without unpacking: tar, plain or gzipped, and
 * zip.  unzip.c gives the bytes of a gzip file at any offset, tarball.c knows which member is where
 * (libarchive reads the tar), zip.c does both for zip. */
#ifndef VG_TARBALL_H
#define VG_TARBALL_H

#include "base.h"

/* ---- unzip.c ------------------------------------------------------------------------------------- */

/* A place in a gzip file from which it can be unpacked: what a decoder must know there. */
struct vg_unzip_point {
    uint64_t in, out; /* offsets in the file and in its content */
    int bits;         /* of the byte before `in` that still count */
    unsigned char *window;
};
enum { VG_UNZIP_POINTS = 1024, VG_UNZIP_WINDOW = 1 << 15 };
/* Points no closer than `span` apart, the first ones dropped as the file turns out long.  Zero-initialise. */
struct vg_unzip_points {
    struct vg_unzip_point at[VG_UNZIP_POINTS];
    size_t count;
    uint64_t span;
    bool zipped; /* else the file is its content, and there are no points */
};
/* A cursor in a file, gzipped or not. */
struct vg_unzip;
/* From the start.  With `made` points are made on the way, their windows in the heap. */
int vg_unzip_open(struct vg_unzip **unzip, const char *path, const char *place, struct vg_unzip_points *made,
                  struct vg_error *err);
/* Go to an offset of the content by points made before. */
void vg_unzip_seek(struct vg_unzip *unzip, const struct vg_unzip_points *points, uint64_t offset);
/* The next bytes, borrowed until the next call; *count is 0 at the end. */
int vg_unzip_read(struct vg_unzip *unzip, const void **bytes, size_t *count, struct vg_error *err);
/* Step over so many bytes if that costs nothing: how many were stepped over. */
uint64_t vg_unzip_skip(struct vg_unzip *unzip, uint64_t count);
void vg_unzip_close(struct vg_unzip *unzip); /* NULL is fine */

/* ---- tarball.c ----------------------------------------------------------------------------------- */

struct vg_archive_member {
    const char *name;
    uint64_t header, bytes; /* offset of the header in the content; size */
    struct {
        uint64_t packed; /* bytes in the archive */
        uint32_t checksum;
        unsigned method;
        bool encrypted;
    } zip; /* all 0 in a tar */
};
/* The members that are regular files, sorted by name.  Everything lives in the arena. */
struct vg_archive {
    const char *path;
    struct vg_archive_member *members;
    size_t count;
    bool zip; /* else tar */
    struct vg_unzip_points points;
    struct vg_archive *next; /* for whoever keeps several */
};
/* Is a part between slashes ".."?  No path of a corpus may have one: it would lead out of it. */
bool vg_path_climbs(const char *path);
/* One pass over the file (a zip: over its directory); a damaged or cut one is refused with VG_SOURCE. */
int vg_archive_index(struct vg_archive **archive, const char *path, struct vg_arena *arena,
                     struct vg_error *err);
const struct vg_archive_member *vg_archive_find(const struct vg_archive *archive, const char *name);
/* The member's bytes, NUL-terminated beyond its size, in the arena.  Faults are reported at `place`. */
int vg_archive_get(const struct vg_archive *archive, const struct vg_archive_member *member,
                   const char *place, char **bytes, struct vg_arena *arena, struct vg_error *err);

/* ---- zip.c --------------------------------------------------------------------------------------- */

/* By its first bytes; false where they cannot be read. */
bool vg_is_zip(const char *path);
/* Fill members and count, in any order. */
int vg_zip_index(struct vg_archive *archive, struct vg_arena *arena, struct vg_error *err);
/* member->bytes bytes into `bytes`. */
int vg_zip_get(const struct vg_archive *archive, const struct vg_archive_member *member, const char *place,
               char *bytes, struct vg_error *err);

#endif
