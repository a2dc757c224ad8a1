/* SPDX-License-Identifier: MIT */
/* verify: what the files that check a release share. */
#ifndef VG_PACK_VERIFY_H
#define VG_PACK_VERIFY_H

#include "inside.h"

/* One item as the manifest describes it, and where it was found. */
struct vg_checked_item {
    const char *key, *name; /* name: <category>__<id> */
    const char *pair;       /* the lesser key of the item and its opposite */
    size_t shard;           /* index into about.shards, or SIZE_MAX */
    size_t group, row;
    size_t frames, flac_bytes, sample_bytes;
    uint32_t rate_hz;
    unsigned peak;
    double rms;
    size_t silence_head, silence_tail;
    char flac_xxh128[VG_DIGEST_HEX], audio_xxh128[VG_DIGEST_HEX], sample_xxh128[VG_DIGEST_HEX];
    uint64_t offset; /* of the FLAC file in the shard, once seen; flac_bytes is then its true size */
    bool seen;
};

struct vg_checking {
    const char *folder;
    const struct vg_verify_options *options;
    struct vg_verify_result *result;
    struct vg_arena arena;
    struct vg_about about;
    struct vg_sum *sums;
    size_t sum_count;
    struct vg_checked_item *items; /* in manifest order */
    size_t item_count, item_room;
    struct vg_summary summary;
    bool whole_manifest; /* every row could be read */
    struct vg_error *err;
    int worst; /* VG_OK, VG_NO or VG_IO */
};

/* Takes over the diagnostics of one step: counts them all, keeps the first hundreds. */
void vg_checking_gather(struct vg_checking *checking, struct vg_error *from);
/* Path of a file in the release; lives in the arena. */
const char *vg_checking_path(struct vg_checking *checking, const char *name);

/* verify_rows.c: manifest, tables, release id, counts, sources. */
void vg_check_rows(struct vg_checking *checking);
/* verify_texts.c: release.json, croissant.json and the digests they state. */
void vg_check_texts(struct vg_checking *checking);
/* verify_shards.c: members of every shard; with options.audio every FLAC file. */
void vg_check_shards(struct vg_checking *checking);
void vg_check_audio(struct vg_checking *checking);

#endif
