/* SPDX-License-Identifier: MIT */
/* steps: what the transforms of every engine share, private to render.  A parameter's move over the speech
 * span (stepped or continuous), context chunks and their joints, level match, 16-bit edges.
 * recipe.md "Curves", "The speech span and the steps", "Samples in and out". */
#ifndef VG_STEPS_H
#define VG_STEPS_H

#include "render.h"

/* ---- an item's numbers ---------------------------------------------------------------------------- */

/* First number of a tier parameter and of a fixed parameter, by its place in the category's rules. */
double vg_item_value(const struct vg_item *item, size_t rule);
double vg_item_fixed(const struct vg_item *item, size_t rule);

/* ---- moves ---------------------------------------------------------------------------------------- */

/* A parameter's way over the speech span. */
struct vg_move {
    enum vg_curve curve;
    double jump_at;
    double start, end; /* also its values before and after the span */
};
/* The item's move for a parameter that runs `from` -> `to` on the way up; down swaps them. */
struct vg_move vg_move_of(const struct vg_item *item, double from, double to);
/* Value at t in 0..1 of the span. */
double vg_move_at(const struct vg_move *move, double t);
/* Continuous: the values at samples from <= k < to of a clip (in the span t = k/(span - 1); a span of one
 * sample has the end value). */
void vg_move_fill(const struct vg_move *move, struct vg_span span, size_t from, size_t to, double *values);

/* ---- steps and chunks ----------------------------------------------------------------------------- */

/* An engine's timing, from the spec's map `trajectory`. */
struct vg_pace {
    double step_sec, context_sec, crossfade_sec;
};
/* The span of `length` samples cut into `count` steps. */
struct vg_steps {
    size_t length;    /* of the span, at least 1 */
    size_t step;      /* samples in a step; the last may be shorter */
    size_t count;     /* at least 1 */
    size_t context;   /* samples of context on both sides of a chunk */
    size_t crossfade; /* samples of overlap at a joint, at most */
};
struct vg_steps vg_steps_of(struct vg_pace pace, uint32_t rate_hz, size_t length);
/* t of step i: i/(count - 1), or 1 where there is but one. */
double vg_step_time(const struct vg_steps *steps, size_t i);

/* Step i within the span: its own part from <= k < to, and the chunk with context first <= k < last. */
struct vg_chunk {
    size_t from, to, first, last;
};
/* Equal steps, the last one shorter. */
struct vg_chunk vg_chunk_of(const struct vg_steps *steps, size_t i);
/* The span divided evenly, borders rounded: speaking_speed's. */
struct vg_chunk vg_chunk_even(const struct vg_steps *steps, size_t i);

/* Pieces put together; each overlaps what stands by at most `crossfade` samples. */
struct vg_joined {
    float *at; /* room for all pieces laid end to end, and what stands before */
    size_t frames;
};
/* Append a piece with a linear crossfade.  The overlap is min(crossfade, frames that stand, piece). */
void vg_joined_append(struct vg_joined *joined, const float *piece, size_t frames, size_t crossfade);

/* ---- waves ---------------------------------------------------------------------------------------- */

/* A clip as f32 in -1..1, with its speech span. */
struct vg_wave {
    float *at;
    size_t frames;
    struct vg_span span;
};
/* int16 / 32768. */
struct vg_wave vg_wave_of(const struct vg_loaded *source, struct vg_arena *tmp);
/* trunc(clip(x * 32768, -32768, 32767)); fills every field of `out`. */
void vg_wave_finish(const struct vg_wave *wave, struct vg_rendered *out, struct vg_arena *keep);
/* The same part by part, for what need not stand in memory whole: samples of full scale 1, of 16 bits that
 * are taken as they are, or in 16-bit units held in f64; `at` rises. */
void vg_output_start(size_t frames, struct vg_span span, struct vg_rendered *out, struct vg_arena *keep);
void vg_output_wave(struct vg_rendered *out, size_t at, const float *x, size_t count);
void vg_output_samples(struct vg_rendered *out, size_t at, const int16_t *samples, size_t count);
void vg_output_units(struct vg_rendered *out, size_t at, const double *x, size_t count);

/* Scale x to the reference's RMS: the quotient rounded to f32; unchanged where either is 0. */
void vg_match_rms(const float *reference, float *x, size_t frames);
/* The same to an RMS that is known. */
void vg_set_rms(double wanted, float *x, size_t frames);

/* ---- chunked categories ---------------------------------------------------------------------------- */

/* One passage of sound to be treated with one value of the parameter. */
struct vg_passage {
    size_t number;   /* 0 before the span, 1..count the steps, count + 1 after it */
    const float *at; /* with its context */
    size_t frames;   /* at least 1 */
    double value;
};
/* How a category treats a passage: as many samples in `out` as came in.  `self` is the category's own. */
struct vg_treatment {
    void (*treat)(const void *self, const struct vg_passage *passage, float *out, struct vg_arena *tmp);
    const void *self;
    bool outside; /* also before and after the span, with the start and the end value; else copied */
};
/* The whole clip, step by step, joined: the result lives in `tmp`. */
struct vg_wave vg_treat_chunks(const struct vg_wave *wave, const struct vg_steps *steps,
                               const struct vg_move *move, const struct vg_treatment *treatment,
                               struct vg_arena *tmp);

#endif
