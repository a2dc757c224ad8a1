/* SPDX-License-Identifier: MIT */
/* Inside source: what the bytes of a sound file say of themselves, read before any decoder is trusted.
 * Decoders clamp, skip and guess in silence; these readers refuse what is cut off or does not add up. */
#ifndef VG_CONTAINER_H
#define VG_CONTAINER_H

#include "base.h"

/* A sound file, read at any offset: a regular file, or bytes in memory.  Initialise with its path and place,
 * and either fd = -1 or memory and bytes. */
struct vg_recording {
    int fd;
    const unsigned char *memory; /* borrowed; NULL: `path` is opened */
    uint64_t bytes;
    const char *path;  /* for bytes in memory what they are called in messages */
    const char *place; /* where its faults are reported: the path itself, or file:row of a table */
};
int vg_recording_open(struct vg_recording *file, struct vg_error *err);
int vg_recording_digest(const struct vg_recording *file, char hex[VG_DIGEST_HEX], struct vg_error *err);
void vg_recording_release(struct vg_recording *file);
/* Up to `count` bytes from `offset`; how many there were. */
size_t vg_recording_read(const struct vg_recording *file, uint64_t offset, void *to, size_t count);
/* A fault of the file: VG_SOURCE at its place; the sentence begins with the path. */
int vg_recording_fail(const struct vg_recording *file, struct vg_error *err, const char *format, ...)
    VG_FORMAT(3, 4);

enum vg_container_kind {
    VG_CONTAINER_WAV,
    VG_CONTAINER_FLAC,
    VG_CONTAINER_OGG,
    VG_CONTAINER_MP3,
    VG_CONTAINER_KINDS
};
struct vg_container {
    enum vg_container_kind kind;
    uint64_t start;          /* of the content, after an ID3v2 tag */
    uint64_t frames;         /* that a decoder must give; 0: the file does not say */
    char md5[VG_DIGEST_HEX]; /* FLAC: of the samples as coded; "" where not set */
    struct {
        uint32_t rate_hz, channels;
        uint64_t sound; /* the first frame that is no tag */
        uint64_t lead;  /* samples that encoder and decoder put before the sound */
    } mpeg;
    char note[128]; /* a remark for sources.csv; "" */
};
extern const char *const vg_container_names[VG_CONTAINER_KINDS];

/* Recognise by content, whatever the name, and check the structure to the last byte. */
int vg_container_read(const struct vg_recording *file, struct vg_container *container, struct vg_error *err);
/* One format each, given `start`. */
int vg_riff_read(const struct vg_recording *file, struct vg_container *container, struct vg_error *err);
int vg_ogg_read(const struct vg_recording *file, struct vg_container *container, struct vg_error *err);
int vg_mpeg_read(const struct vg_recording *file, struct vg_container *container, struct vg_error *err);

/* Unsigned numbers as they stand in files. */
uint32_t vg_little16(const unsigned char *bytes);
uint32_t vg_little32(const unsigned char *bytes);
uint64_t vg_little64(const unsigned char *bytes);
uint32_t vg_big32(const unsigned char *bytes);

#endif
