/* SPDX-License-Identifier: MIT */
/* Gzip at any offset.  Deflate cannot be entered just anywhere: at the ends of some of its blocks we keep the
 * 32 KiB before them, and later start at the nearest such point (the method of zlib's example zran).  However
 * long the file is, there are at most 1024 points: when they run out every other one is dropped. */
#include "tarball.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { IN_BYTES = 1 << 16, SPAN_BYTES = 1 << 20, TRAILER_BYTES = 8 };
enum { AS_GZIP = 15 + 16, AS_DEFLATE = -15 }; /* zlib's windowBits */

struct vg_unzip {
    int fd;
    const char *path, *place;
    struct vg_unzip_points *points; /* being made, or NULL */
    bool zipped;
    uint64_t in, out, skip; /* offsets in the file and its content; content to be dropped */
    z_stream stream;
    bool open, ended, raw;
    unsigned char input[IN_BYTES], window[VG_UNZIP_WINDOW]; /* the window is filled round and round */
};

static int fail(const struct vg_unzip *unzip, struct vg_error *err, const char *what)
{
    return vg_fail(err, VG_SOURCE, unzip->place, "%s %s; download it again", unzip->path, what);
}

int vg_unzip_open(struct vg_unzip **result, const char *path, const char *place, struct vg_unzip_points *made,
                  struct vg_error *err)
{
    struct vg_unzip *unzip = vg_memory_take(1, sizeof *unzip);
    unsigned char magic[2] = {0};
    struct stat facts;

    memset(unzip, 0, sizeof *unzip);
    unzip->path = path;
    unzip->place = place;
    unzip->points = made;
    *result = unzip;
    unzip->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (unzip->fd < 0 || fstat(unzip->fd, &facts) != 0)
        return vg_fail_errno(err, VG_SOURCE, place, "cannot open %s", path);
    if (!S_ISREG(facts.st_mode))
        return vg_fail(err, VG_SOURCE, place, "%s is not a regular file", path);
    unzip->zipped = pread(unzip->fd, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
    if (made != NULL)
        made->zipped = unzip->zipped;
    if (unzip->zipped && inflateInit2(&unzip->stream, AS_GZIP) != Z_OK)
        return vg_fail(err, VG_IO, place, "zlib is out of memory");
    unzip->open = unzip->zipped;
    return VG_OK;
}

/* ---- points -------------------------------------------------------------------------------------- */

static void drop_every_other(struct vg_unzip_points *points)
{
    size_t kept = 0;

    for (size_t i = 0; i < points->count; i++) {
        if (i % 2 == 1)
            free(points->at[i].window);
        else
            points->at[kept++] = points->at[i];
    }
    points->count = kept;
    points->span *= 2;
}

/* At the end of a deflate block: keep where we are and the last 32 KiB of content, oldest first. */
static void add_point(struct vg_unzip *unzip)
{
    struct vg_unzip_points *points = unzip->points;
    struct vg_unzip_point *point;
    size_t newest = (size_t)(unzip->out % VG_UNZIP_WINDOW);

    if (points->count == VG_UNZIP_POINTS)
        drop_every_other(points);
    point = &points->at[points->count++];
    point->in = unzip->in - unzip->stream.avail_in;
    point->out = unzip->out;
    point->bits = unzip->stream.data_type & 7;
    point->window = vg_memory_take(VG_UNZIP_WINDOW, 1);
    memcpy(point->window, unzip->window + newest, VG_UNZIP_WINDOW - newest);
    memcpy(point->window + VG_UNZIP_WINDOW - newest, unzip->window, newest);
}

static void consider_point(struct vg_unzip *unzip)
{
    struct vg_unzip_points *points = unzip->points;
    bool at_block_end = (unzip->stream.data_type & 128) != 0 && (unzip->stream.data_type & 64) == 0;

    if (points == NULL || !at_block_end || unzip->out < VG_UNZIP_WINDOW)
        return;
    if (points->span == 0)
        points->span = SPAN_BYTES;
    if (points->count == 0 || unzip->out - points->at[points->count - 1].out >= points->span)
        add_point(unzip);
}

static const struct vg_unzip_point *point_before(const struct vg_unzip_points *points, uint64_t offset)
{
    const struct vg_unzip_point *best = NULL;

    for (size_t i = 0; i < points->count && points->at[i].out <= offset; i++)
        best = &points->at[i];
    return best;
}

void vg_unzip_seek(struct vg_unzip *unzip, const struct vg_unzip_points *points, uint64_t offset)
{
    const struct vg_unzip_point *point = point_before(points, offset);
    unsigned char byte = 0;

    unzip->ended = false;
    if (!unzip->zipped) {
        unzip->in = unzip->out = offset;
        return;
    }
    unzip->stream.avail_in = 0;
    unzip->raw = point != NULL;
    unzip->in = point != NULL ? point->in : 0;
    unzip->out = point != NULL ? point->out : 0;
    unzip->skip = offset - unzip->out;
    inflateReset2(&unzip->stream, unzip->raw ? AS_DEFLATE : AS_GZIP);
    if (point == NULL)
        return;
    if (point->bits != 0 && pread(unzip->fd, &byte, 1, (off_t)(point->in - 1)) == 1)
        inflatePrime(&unzip->stream, point->bits, byte >> (8 - point->bits));
    inflateSetDictionary(&unzip->stream, point->window, VG_UNZIP_WINDOW);
}

/* ---- reading ------------------------------------------------------------------------------------- */

static int refill(struct vg_unzip *unzip, struct vg_error *err)
{
    ssize_t got = pread(unzip->fd, unzip->input, IN_BYTES, (off_t)unzip->in);

    if (got < 0)
        return vg_fail_errno(err, VG_SOURCE, unzip->place, "%s: cannot read", unzip->path);
    unzip->stream.next_in = unzip->input;
    unzip->stream.avail_in = (unsigned)got;
    unzip->in += (uint64_t)got;
    return VG_OK;
}

/* A gzip file may hold several streams one after another (pigz, bgzip, cat): go on with the next. */
static int next_stream(struct vg_unzip *unzip, struct vg_error *err)
{
    unsigned char magic[2] = {0};

    if (unzip->raw) { /* the trailer that zlib does not read by itself then */
        uint64_t after = unzip->in - unzip->stream.avail_in + TRAILER_BYTES;

        unzip->raw = false;
        unzip->in = after;
        unzip->stream.avail_in = 0;
    }
    unzip->in -= unzip->stream.avail_in;
    unzip->stream.avail_in = 0;
    unzip->ended = pread(unzip->fd, magic, 2, (off_t)unzip->in) != 2 || magic[0] != 0x1f || magic[1] != 0x8b;
    return inflateReset2(&unzip->stream, AS_GZIP) == Z_OK ? VG_OK : fail(unzip, err, "cannot be unpacked");
}

/* Unpack up to the end of a block or of the window. */
static int unpack(struct vg_unzip *unzip, struct vg_error *err)
{
    size_t from = (size_t)(unzip->out % VG_UNZIP_WINDOW);
    int rc = VG_OK, status;

    if (unzip->stream.avail_in == 0)
        rc = refill(unzip, err);
    if (rc != VG_OK)
        return rc;
    if (unzip->stream.avail_in == 0)
        return fail(unzip, err, "is cut off inside its gzip stream");
    unzip->stream.next_out = unzip->window + from;
    unzip->stream.avail_out = (unsigned)(VG_UNZIP_WINDOW - from);
    status = inflate(&unzip->stream, unzip->points != NULL ? Z_BLOCK : Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        return fail(unzip, err, "is damaged inside its gzip stream");
    unzip->out += VG_UNZIP_WINDOW - from - unzip->stream.avail_out;
    if (status == Z_STREAM_END)
        return next_stream(unzip, err);
    consider_point(unzip);
    return VG_OK;
}

static int read_plain(struct vg_unzip *unzip, const void **bytes, size_t *count, struct vg_error *err)
{
    int rc = refill(unzip, err);

    *bytes = unzip->input;
    *count = unzip->stream.avail_in;
    unzip->out += *count;
    return rc;
}

int vg_unzip_read(struct vg_unzip *unzip, const void **bytes, size_t *count, struct vg_error *err)
{
    int rc = VG_OK;

    *count = 0;
    if (!unzip->zipped)
        return read_plain(unzip, bytes, count, err);
    while (rc == VG_OK && *count == 0 && !unzip->ended) {
        uint64_t before = unzip->out;
        size_t made, dropped;

        rc = unpack(unzip, err);
        made = (size_t)(unzip->out - before);
        dropped = unzip->skip < made ? (size_t)unzip->skip : made;
        unzip->skip -= dropped;
        *bytes = unzip->window + (size_t)(before % VG_UNZIP_WINDOW) + dropped;
        *count = made - dropped;
    }
    return rc;
}

uint64_t vg_unzip_skip(struct vg_unzip *unzip, uint64_t count)
{
    if (unzip->zipped)
        return 0;
    unzip->in += count;
    unzip->out += count;
    return count;
}

void vg_unzip_close(struct vg_unzip *unzip)
{
    if (unzip == NULL)
        return;
    if (unzip->open)
        inflateEnd(&unzip->stream);
    if (unzip->fd >= 0)
        close(unzip->fd);
    free(unzip);
}
