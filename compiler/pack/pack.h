/* SPDX-License-Identifier: MIT */
/* pack: rendered items to a release, and a release back to items.  Nothing here knows the clock, the user
 * or the machine. */
#ifndef VG_PACK_H
#define VG_PACK_H

#include "plan.h"
#include "source.h"

/* ---- FLAC (flac.c): settings and what was measured about them stand there ------------------------- */

/* One mono 16-bit FLAC file in memory: vendor string, padding and seek table are ours, MD5 is set, and it
 * was decoded again and compared before it is returned.  Bytes live in the text. */
int vg_flac_encode(const int16_t *samples, size_t frames, uint32_t rate_hz, bool compact, struct vg_text *out,
                   const char *place, struct vg_error *err);
/* Decode mono 16-bit FLAC; refuses anything else, a bad CRC or MD5, and more than `limit_frames`. */
int vg_flac_decode(const void *bytes, size_t count, size_t limit_frames, int16_t **samples, size_t *frames,
                   uint32_t *rate_hz, struct vg_arena *arena, const char *place, struct vg_error *err);
/* WAV, 16-bit PCM mono, little endian. */
void vg_wav_encode(const int16_t *samples, size_t frames, uint32_t rate_hz, struct vg_text *out);

/* ---- shards (shard.c): plain ustar through libarchive, fixed metadata ------------------------------ */

/* One shard being written: `<key>.flac` then `<key>.json` per item, adjacent. */
struct vg_shard;
int vg_shard_create(struct vg_shard **shard, const char *path, struct vg_error *err);
int vg_shard_add(struct vg_shard *shard, const char *member, const void *bytes, size_t count, struct vg_error *err);
uint64_t vg_shard_bytes(const struct vg_shard *shard); /* written so far */
int vg_shard_commit(struct vg_shard *shard, struct vg_error *err);
void vg_shard_release(struct vg_shard *shard); /* NULL is fine; drops what was not committed */

/* Walk the members of a shard in order.  `bytes` is valid until the next call.  Refuses anything but plain
 * files with safe names, and members over `limit_bytes`. */
struct vg_member {
    const char *name;
    const char *bytes;
    size_t count;
    uint64_t offset; /* of the data in the shard */
};
struct vg_shard_reader;
int vg_shard_open(struct vg_shard_reader **reader, const char *path, size_t limit_bytes, struct vg_error *err);
int vg_shard_next(struct vg_shard_reader *reader, struct vg_member *member, bool *end, struct vg_error *err);
void vg_shard_close(struct vg_shard_reader *reader);

#endif
