/* SPDX-License-Identifier: MIT */
/* short_time: what the categories that work on short-time spectra share, private to paper.  Their keys, the
 * transforms of a passage's size, and the phase vocoders of the span's chunks. */
#ifndef VG_SHORT_TIME_H
#define VG_SHORT_TIME_H

#include "paper.h"

/* The first fixed keys of such a category, in this order. */
enum { VG_N_FFT, VG_N_FFT_MIN, VG_HOP, VG_SHORT_TIME_KEYS };
#define VG_SHORT_TIME_RULES                                                                                  \
    [VG_N_FFT] = {.name = "n_fft",                                                                           \
                  .type = VG_KEY_INTEGER,                                                                    \
                  .flags = VG_REQUIRED,                                                                      \
                  .min = 16,                                                                                 \
                  .max = 4096,                                                                               \
                  .meaning = "samples; length of a column's transform"},                                     \
    [VG_N_FFT_MIN] = {.name = "n_fft_min",                                                                   \
                      .type = VG_KEY_INTEGER,                                                                \
                      .flags = VG_REQUIRED,                                                                  \
                      .min = 16,                                                                             \
                      .max = 4096,                                                                           \
                      .meaning = "samples; the shortest, for chunks shorter than n_fft"},                    \
    [VG_HOP] = {.name = "hop",                                                                               \
                .type = VG_KEY_INTEGER,                                                                      \
                .flags = VG_REQUIRED,                                                                        \
                .min = 1,                                                                                    \
                .max = 4096,                                                                                 \
                .meaning = "samples from column to column"}

struct vg_short_time {
    size_t n_fft, n_fft_min, hop;
    const struct vg_stft *whole; /* for passages of n_fft samples and more */
};
struct vg_short_time vg_short_time_of(const struct vg_item *item, struct vg_arena *keep);
/* The transforms for a passage; made in `tmp` where it is shorter than n_fft. */
const struct vg_stft *vg_short_time_stft(const struct vg_short_time *short_time, size_t frames,
                                         struct vg_arena *tmp);

/* The source and the phase vocoders of its chunks, for all items of the source. */
struct vg_vocoded {
    struct vg_wave wave;
    struct vg_short_time short_time;
    struct vg_steps steps;
    struct vg_chunk (*chunk_of)(const struct vg_steps *steps, size_t i); /* vg_chunk_of or vg_chunk_even */
    const struct vg_vocoder **vocoders; /* one a step; NULL where they would take too much memory */
};
void vg_vocoded_make(struct vg_vocoded *vocoded, const struct vg_item *item, const struct vg_loaded *source,
                     struct vg_chunk (*chunk_of)(const struct vg_steps *steps, size_t i),
                     struct vg_arena *keep, struct vg_arena *tmp);
/* The vocoder of step i; computed in `tmp` where it was not kept. */
const struct vg_vocoder *vg_vocoded_step(const struct vg_vocoded *vocoded, size_t i, struct vg_arena *tmp);

/* How a category makes the piece of a step and joins it on, given the parameter's value there. */
struct vg_piecework {
    void (*append)(const void *self, size_t i, double value, struct vg_joined *joined, struct vg_arena *tmp);
    const void *self;
    size_t frames_max; /* of all pieces together */
};
/* The clip with its span put together from pieces, before and after it as it was; lives in `tmp`. */
struct vg_wave vg_vocoded_join(const struct vg_vocoded *vocoded, const struct vg_move *move,
                               const struct vg_piecework *work, struct vg_arena *tmp);

#endif
