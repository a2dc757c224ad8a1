/* SPDX-License-Identifier: MIT */
/* format: the two containers that releases and source packs are made of, FLAC files and tar shards of them,
 * and WAV for those who ask.  Written so that content alone decides the bytes; read strictly, as input that
 * nobody vouches for. */
#ifndef VG_FORMAT_H
#define VG_FORMAT_H

#include "base.h"

/* ---- sound files (flac.c, unflac.c, wav.c) --------------------------------------------------------- */

/* One mono 16-bit FLAC file in memory: vendor string, padding and seek table are ours, MD5 is set, and it
 * was decoded again and compared before it is returned.  Replaces the content of `out`.  VG_IO on failure. */
int vg_flac_encode(const int16_t *samples, size_t frames, uint32_t rate_hz, bool compact, struct vg_text *out,
                   const char *place, struct vg_error *err);
/* Decode mono 16-bit FLAC; refuses anything else, a bad CRC or MD5, and more than `limit_frames`, with VG_NO.
 */
int vg_flac_decode(const void *bytes, size_t count, size_t limit_frames, int16_t **samples, size_t *frames,
                   uint32_t *rate_hz, struct vg_arena *arena, const char *place, struct vg_error *err);
/* Does this FLAC file decode to exactly these samples?  The MD5 in it is not looked at: the comparison says
 * more, and the sum would cost a sixth of the encoding. */
bool vg_flac_holds(const void *bytes, size_t count, const int16_t *samples, size_t frames, uint32_t rate_hz);
/* WAV, 16-bit PCM mono, little endian, a header of 44 bytes.  Replaces the content of `out`. */
void vg_wav_encode(const int16_t *samples, size_t frames, uint32_t rate_hz, struct vg_text *out);

/* ---- shards (shard.c, unshard.c): plain ustar through libarchive, fixed metadata -------------------- */

/* One shard being written.  Member names are ASCII and at most 100 bytes. */
struct vg_shard;
struct vg_shard_sums {
    uint64_t bytes;
    char xxh128[VG_DIGEST_HEX], sha256[VG_DIGEST_HEX], md5[VG_DIGEST_HEX];
};
int vg_shard_create(struct vg_shard **shard, const char *path, struct vg_error *err);
int vg_shard_add(struct vg_shard *shard, const char *member, const void *bytes, size_t count,
                 struct vg_error *err);
uint64_t vg_shard_bytes(const struct vg_shard *shard); /* of the members so far, with their headers */
/* Bytes that one more member of `count` bytes adds. */
uint64_t vg_shard_member_bytes(size_t count);
/* Close, flush, rename into place; `sums` are of the bytes as handed to the system. */
int vg_shard_commit(struct vg_shard *shard, struct vg_shard_sums *sums, struct vg_error *err);
void vg_shard_release(struct vg_shard *shard); /* NULL is fine; drops what was not committed */

enum { VG_MEMBER_BYTES_MAX = 1 << 30 }; /* no item is longer: three hours at 48 kHz */
/* Walk the members of a shard in order.  `bytes` is valid until the next call.  Refuses, with VG_NO, anything
 * but plain files with safe names (relative, no "..", no control characters), members over `limit_bytes`, a
 * missing or wrong end, and bytes behind it. */
struct vg_member {
    const char *name;
    const char *bytes;
    size_t count;
    uint64_t offset; /* of the data in the shard */
};
struct vg_shard_reader;
int vg_shard_open(struct vg_shard_reader **reader, const char *path, size_t limit_bytes,
                  struct vg_error *err);
int vg_shard_next(struct vg_shard_reader *reader, struct vg_member *member, bool *end, struct vg_error *err);
/* The same in two steps: the next member without its bytes, and these, where they are wanted. */
int vg_shard_step(struct vg_shard_reader *reader, struct vg_member *member, bool *end, struct vg_error *err);
int vg_shard_fetch(struct vg_shard_reader *reader, struct vg_member *member, struct vg_error *err);
void vg_shard_close(struct vg_shard_reader *reader); /* NULL is fine */

/* ---- DuckDB (duckdb.c): Parquet and SQL where its C library is installed ------------------------------ */

struct vg_duckdb;
/* An answer as texts, row by row; NULL is SQL's. */
struct vg_duckdb_rows {
    const char **cells; /* [row * columns + column], in the arena */
    size_t count, columns;
};
/* Loads the library (VG_DUCKDB, else the system's) and opens a database in memory.  VG_IO where there is
 * none. */
int vg_duckdb_open(struct vg_duckdb **db, struct vg_error *err);
const char *vg_duckdb_version(const struct vg_duckdb *db);
/* Runs one statement; `rows` may be NULL. */
int vg_duckdb_run(struct vg_duckdb *db, const char *sql, struct vg_duckdb_rows *rows, struct vg_arena *arena,
                  struct vg_error *err);
void vg_duckdb_close(struct vg_duckdb *db); /* NULL and half-open are fine */
/* A text as SQL writes it, appended. */
void vg_duckdb_quote(struct vg_text *out, const char *text);

#endif
