/* SPDX-License-Identifier: MIT */
/* heard: inside the measures.  What is worked out once of one sound and shared by the quantities: levels,
 * and by need the views named below.  All of it concerns the speech span; blocks are 5 ms, and a frame is
 * two blocks, so that frames of 10 ms start every 5 ms. */
#ifndef VG_HEARD_H
#define VG_HEARD_H

#include "trace.h"

enum {
    VG_VIEW_LOW = 1,
    VG_VIEW_BANDS = 2,
    VG_VIEW_VOICE = 4,
    VG_VIEW_HOLD = 8,
    VG_VIEW_GRID = 16,
    VG_VIEW_ROOM = 32
};

enum {
    VG_BLOCKS_PER_SEC = 200,
    VG_MARGIN_MS = 80,     /* samples kept on both sides of the span, for windows that reach out */
    VG_ERB_BANDS = 16,     /* 80 Hz to 8 kHz, for tempo */
    VG_EVEN_BANDS = 10,    /* equal parts of the spectrum, for noise */
    VG_FINE_BANDS_MAX = 64 /* sixths of an octave from 400 Hz, for clarity */
};

/* The span at a lower rate. */
struct vg_low {
    const float *x; /* x[-margin .. count + margin) can be read */
    size_t count, margin;
    size_t factor; /* x[j] stands at sample j * factor of the span */
    double rate_hz;
};

struct vg_lows {
    struct vg_low low, lower; /* about 8 kHz and half of that */
};

/* Band powers (mean squares) of Hann windows of 20 to 32 ms centred on every second frame. */
struct vg_bands {
    size_t count;      /* windows; window j is centred on frame 2j */
    size_t fine_count; /* bands below the Nyquist frequency */
    const float *erb;  /* [window * VG_ERB_BANDS + band] */
    const float *even; /* [window * VG_EVEN_BANDS + band] */
    const float *fine; /* [window * VG_FINE_BANDS_MAX + band] */
    double fine_edge_hz[VG_FINE_BANDS_MAX + 1];
};

/* Fundamental period on every second frame. */
struct vg_voice {
    size_t count;
    const double *period_sec; /* 0: unvoiced */
    const float *strength;    /* normalised correlation at the period, 0..1 */
};

/* What the search for late copies of a sound needs of it, at the lower of the low rates. */
struct vg_room {
    const struct vg_fft *fft;
    size_t n;                    /* of the transform */
    double regular;              /* added to every power before it divides */
    size_t count;                /* samples of the span at that rate */
    size_t kept;                 /* of them looked at: all, or as many from both ends of a long span */
    struct vg_complex *spectrum; /* n / 2 + 1 */
    double *kernel;              /* n: what the search finds of the sound in itself */
};

struct vg_heard {
    struct vg_sound sound; /* its span clamped; the whole clip where it was empty */
    size_t span;           /* samples */
    size_t hop;            /* samples of a block */
    size_t blocks, frames; /* whole blocks in the span; frames = blocks - 1, or 0 */
    size_t margin;         /* samples */
    const int16_t *x;      /* x[-margin .. span + margin) can be read; zero beyond the clip */
    const double *place;   /* of each frame's centre: share of the span */
    const double *energy;  /* of each block: sum of squares, exact */
    double power;          /* mean square of the span */
    double floor_power;    /* of the clip's quiet 10 ms (10 % quantile), one LSB squared added */
    struct vg_lows lows;
    struct vg_bands bands;
    struct vg_voice voice;
    struct vg_room room;
    const double *hold; /* of every second frame: samples a value is held, 1 where it is not; NaN if
                           the frame is constant */
    const double *step; /* of every second frame: least distance of distinct values; NaN if constant */
};
/* Levels and the views asked for; the span is `sound`'s own.  Views live in `keep`; `keep` and `tmp` may be
 * one arena, so that nothing here rewinds it past a view.  Who borrows the samples copies them only where the
 * margins reach beyond the clip. */
enum vg_heard_samples { VG_HEARD_COPIES, VG_HEARD_BORROWS };
void vg_heard_make(struct vg_heard *heard, const struct vg_sound *sound, unsigned views,
                   enum vg_heard_samples samples, struct vg_arena *keep, struct vg_arena *tmp);
/* Adds views to those that are there; does nothing for those. */
void vg_heard_views(struct vg_heard *heard, unsigned views, struct vg_arena *keep, struct vg_arena *tmp);

/* Energy of the frame that starts at a block. */
double vg_frame_energy(const double *energy, size_t frame);
/* Is a frame within 20 dB of the span's level? */
bool vg_heard_is_loud(const struct vg_heard *heard, size_t frame);
/* A contour over the frames, its values to be filled in. */
struct vg_contour vg_heard_contour(const struct vg_heard *heard, struct vg_arena *tmp);

/* How each view is made, in the file of its name or of its quantity.  `x` can be read from -margin to
 * count + margin. */
struct vg_lows vg_lows_of(const int16_t *x, size_t count, size_t margin, uint32_t rate_hz,
                          struct vg_arena *keep, struct vg_arena *tmp);
void vg_bands_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp);
void vg_voice_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp);
/* `like`: a room whose transform may be borrowed, or NULL. */
void vg_room_make(struct vg_room *room, const struct vg_low *dry, const struct vg_room *like,
                  struct vg_arena *keep, struct vg_arena *tmp);
void vg_hold_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp);
void vg_grid_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp);

/* ERB-number (Glasberg and Moore 1990) of a frequency, and back. */
double vg_erb_number(double hz);
double vg_erb_hz(double erb);

#endif
