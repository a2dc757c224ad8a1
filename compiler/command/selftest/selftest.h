/* SPDX-License-Identifier: MIT */
/* Inside selftest: known-answer vectors.  A vector runs one piece of the compiler over fixed arguments and
 * feeds every result, bit by bit, into a digest; expected.c holds what it must be on any machine. */
#ifndef VG_SELFTEST_H
#define VG_SELFTEST_H

#include "command.h"

/* What the vectors of sources, transforms, measures and files share: selftest-<engine>.yaml of every engine.
 */
struct vg_scene {
    struct vg_arena arena;
    struct vg_act {
        struct vg_work work;
        struct vg_loaded *loaded; /* [work.sources.count]; the first is speech */
    } * acts;                     /* [vg_engine_count] */
    struct vg_margins margins;
};
int vg_scene_open(struct vg_scene *scene, struct vg_error *err);
void vg_scene_release(struct vg_scene *scene);
/* The next item of "<engine> <category>" of the first source at or after *index, which moves on; false after
 * the last. */
bool vg_scene_next(const struct vg_scene *scene, const char *what, size_t *index, struct vg_item *item);
const struct vg_loaded *vg_scene_source(const struct vg_scene *scene, const struct vg_item *item);

/* Where a vector puts its results, in order, each with its length and kind fixed by the call. */
struct vg_values {
    struct vg_digest digest;
    struct vg_text *listing; /* every value a line, to be compared with another machine's; NULL: none */
    const struct vg_scene *scene;
    struct vg_arena keep, tmp; /* the vector's own; what is made with both lives in keep */
    struct vg_error *err;
};
void vg_values_integer(struct vg_values *values, uint64_t value);
void vg_values_double(struct vg_values *values, double value); /* the bits; one NaN for all */
void vg_values_doubles(struct vg_values *values, const double *x, size_t count);
void vg_values_float(struct vg_values *values, float value);
void vg_values_floats(struct vg_values *values, const float *x, size_t count);
void vg_values_samples(struct vg_values *values, const int16_t *x, size_t count);
void vg_values_text(struct vg_values *values, const char *text); /* must not be NULL */
void vg_values_bytes(struct vg_values *values, const void *bytes, size_t count);

/* Arguments that are the same everywhere: made of integers only (Steele, Lea and Flood 2014, splitmix64). */
uint64_t vg_argument_bits(uint64_t *state);
/* Uniform in [low, high): 53 random bits. */
double vg_argument_between(uint64_t *state, double low, double high);
/* A random mantissa and an exponent uniform in low..high (that of frexp, less one); above 0. */
double vg_argument_scaled(uint64_t *state, int low, int high);
/* Samples of a noise with swells and a tone below it, within -1..1. */
float *vg_argument_sound(size_t frames, struct vg_arena *tmp);

/* One vector.  `what` is its name within its room, and says what to run. */
struct vg_vector {
    const char *room, *what;
    /* VG_OK, or a fault in values->err. */
    int (*fill)(struct vg_values *values, const char *what);
};
extern const struct vg_vector vg_vectors[];
extern const size_t vg_vector_count;

/* XXH128 of each vector, in the order of vg_vectors (expected.c, written by `selftest --print`). */
struct vg_expected {
    const char *name; /* "room/what" */
    const char *xxh128;
};
extern const struct vg_expected vg_expected[];
extern const size_t vg_expected_count;

/* The fills, by file. */
int vg_fill_text(struct vg_values *values, const char *what); /* numbers.c: base */
int vg_fill_digest(struct vg_values *values, const char *what);
int vg_fill_exact(struct vg_values *values, const char *what);  /* exact.c: dsp, elementary functions */
int vg_fill_random(struct vg_values *values, const char *what); /* signal.c: dsp */
int vg_fill_level(struct vg_values *values, const char *what);
int vg_fill_fft(struct vg_values *values, const char *what);
int vg_fill_stft(struct vg_values *values, const char *what);
int vg_fill_stretch(struct vg_values *values, const char *what);
int vg_fill_resample(struct vg_values *values, const char *what);
int vg_fill_convolve(struct vg_values *values, const char *what);
int vg_fill_plan(struct vg_values *values, const char *what); /* scene.c: spec, plan, source, render */
int vg_fill_spec(struct vg_values *values, const char *what);
int vg_fill_source(struct vg_values *values, const char *what);
int vg_fill_detector(struct vg_values *values, const char *what);
int vg_fill_render(struct vg_values *values, const char *what);
int vg_fill_paired(struct vg_values *values, const char *what); /* finish.c: measure, pack */
int vg_fill_blind(struct vg_values *values, const char *what);
int vg_fill_flac(struct vg_values *values, const char *what);
int vg_fill_wav(struct vg_values *values, const char *what);
int vg_fill_shard(struct vg_values *values, const char *what);
int vg_fill_record(struct vg_values *values, const char *what);

#endif
