/* SPDX-License-Identifier: MIT */
/* Inside source: what turns a recording, whose container was checked, into 16-bit words; one a library.
 * decode.c takes the first of vg_decoders that reads the kind of file; pin.c asks the next one for a second
 * opinion. */
#ifndef VG_DECODER_H
#define VG_DECODER_H

#include "container.h"

enum { VG_BLOCK_FRAMES = 4096 };

/* One recording on its way. */
struct vg_stream {
    const struct vg_recording *file;
    const struct vg_container *container;
    struct vg_arena *tmp; /* for the state; outlives the stream */
    uint32_t rate_hz;     /* set by open, as are the next two */
    unsigned channels;
    uint64_t frames; /* that the library announces; 0: it does not say */
    size_t done;     /* frames read so far; for messages */
    size_t clipped;  /* samples out of range when they became words */
    void *state;     /* of the decoder */
};
struct vg_decoder {
    bool reads[VG_CONTAINER_KINDS];
    void (*library)(struct vg_text *out); /* "libsndfile 1.2.0", appended */
    const char *how;                      /* follows it in sources.csv: "", " mp3 (fixed point)" */
    int (*open)(struct vg_stream *stream, struct vg_error *err);
    /* The next block, channels interleaved: at most VG_BLOCK_FRAMES frames, none at the end. */
    int (*read)(struct vg_stream *stream, int16_t *words, size_t *frames, struct vg_error *err);
    void (*close)(struct vg_stream *stream); /* of a half-opened one too */
};
extern const struct vg_decoder vg_decoder_mp3;     /* mp3_libav.c, or mp3_none.c, which reads nothing */
extern const struct vg_decoder vg_decoder_sndfile; /* sndfile.c */

#endif
