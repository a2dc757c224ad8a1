/* SPDX-License-Identifier: MIT */
/* pair: inside the measures.  An output beside its source: which moment of the one is which of the other,
 * and the source laid along the output.  Blocks and frames are the output's. */
#ifndef VG_PAIR_H
#define VG_PAIR_H

#include "heard.h"

/* A warped time map: steps of 10 ms (or more, for long spans) of source and output. */
struct vg_warp {
    size_t stride;             /* windows of the bands that one step stands for */
    size_t count;              /* steps of the source */
    double *column;            /* of each: step of the output; rises; halves possible */
    double distance, straight; /* mean band-level distance along the path and along the straight line */
};
/* False where either is too short or their lengths differ by more than the moves allow. */
bool vg_warp_make(struct vg_warp *warp, const struct vg_bands *source, const struct vg_bands *output,
                  struct vg_arena *tmp);

/* Mean distance in dB of the two spans' levels along the straight line, each re its own mean. */
double vg_pair_level_distance(const struct vg_heard *source, const struct vg_heard *output);

struct vg_pair {
    const struct vg_heard *source, *output;
    bool same_time;             /* sample k of one span is sample k of the other */
    const struct vg_warp *warp; /* NULL: the straight line fits */
    const double *to_source; /* of each block's start, and of the last's end: sample of the source's span */
    const double *place;     /* of each frame's centre: share of the source's span */
    const int16_t *laid;     /* the source laid along the output; blocks * hop samples, margins around them */
    const double *energy;    /* of `laid`, per block */
    const double *cross;     /* output times `laid`, per block */
};
/* Maps the times.  Where the straight line is in doubt the bands of both are needed: `output` gets them
 * here, `source` has them. */
void vg_pair_make(struct vg_pair *pair, const struct vg_heard *source, struct vg_heard *output,
                  struct vg_arena *tmp);
/* Lays the source along the output; both need their low-rate view unless `same_time`. */
void vg_pair_lay(struct vg_pair *pair, struct vg_arena *tmp);

/* Is the source laid along this frame within 20 dB of its span's level? */
bool vg_pair_is_loud(const struct vg_pair *pair, size_t frame);
/* What of the output's frame does not follow the source's, fitted with one gain: energy. */
double vg_pair_rest(const struct vg_pair *pair, size_t frame);
/* The source's own frame nearest to an output's. */
size_t vg_pair_source_frame(const struct vg_pair *pair, size_t frame);
/* A contour over the output's frames at the source's time, its values to be filled in. */
struct vg_contour vg_pair_contour(const struct vg_pair *pair, struct vg_arena *tmp);

#endif
