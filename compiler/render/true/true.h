/* SPDX-License-Identifier: MIT */
/* true: the engine `true-1`, private to render.  The attribute follows the asked course exactly and nothing
 * else moves, at every sample rate.  A tier is a net change in just-noticeable differences, in the units that
 * measure/ uses: the last third of the span less the first.  One acoustic category a file.
 *
 * Samples are f64 in 16-bit units from source to finish; they are rounded once, to nearest, and never
 * clipped.  Courses are continuous; those of a pair are mirror images in time, and share their seed. */
#ifndef VG_TRUE_H
#define VG_TRUE_H

#include "steps.h"

extern const struct vg_engine vg_true_engine;

extern const struct vg_transform vg_true_volume;
extern const struct vg_transform vg_true_speaking_speed;
extern const struct vg_transform vg_true_voice_pitch;
extern const struct vg_transform vg_true_background_noise;
extern const struct vg_transform vg_true_audio_distortion;
extern const struct vg_transform vg_true_audio_roughness;
extern const struct vg_transform vg_true_voice_clarity;
extern const struct vg_transform vg_true_voice_vibration;
extern const struct vg_transform vg_true_echo;

/* ---- rules that all categories share (true.c) -------------------------------------------------------- */

/* Once per tier: change_jnd. */
extern const struct vg_key_rule vg_true_tier[];
/* First of every category's fixed rules: what one JND is, in the category's unit. */
#define VG_TRUE_JND                                                                                          \
    {                                                                                                        \
        .name = "jnd", .type = VG_KEY_NUMBER, .flags = VG_REQUIRED | VG_ABOVE_MIN, .max = 1000,              \
        .meaning = "one just-noticeable difference, in the category's unit"                                  \
    }
enum { VG_TRUE_OWN = 1 }; /* a category's own fixed rules start here */
/* A category's check: no tier's course may be longer than `most` units; `why` ends the sentence. */
void vg_true_limit(const struct vg_node *map, double most, const char *why, struct vg_error *err);

/* ---- the course (course.c) ----------------------------------------------------------------------------- */

/* Where the attribute stands along the span, in units from 0 to `reach`; downward it is run backwards. */
struct vg_course {
    double reach; /* of the whole course; 0: no change is asked */
    enum vg_curve curve;
    double jump_at, crossing; /* shares of the span; a jump crosses within `crossing` */
    bool backwards;
    struct vg_span span; /* of the source, in samples */
};
struct vg_course vg_course_of(const struct vg_item *item, const struct vg_loaded *source);
/* The longest that any item of a category has, whatever its tier and curve. */
double vg_course_longest(const struct vg_spec *spec, const struct vg_spec_category *category);
/* At a sample of the source, fractions included; before and after the span as at its ends. */
double vg_course_at(const struct vg_course *course, double sample);
/* What a category makes of the course's value at a moment. */
struct vg_dial {
    double (*of)(const void *self, double value);
    const void *self;
};
/* Such values at every sample of a clip: worked out 8,000 times a second, and linear in between. */
double *vg_course_fill(const struct vg_course *course, struct vg_dial dial, size_t frames, uint32_t rate_hz,
                       struct vg_arena *tmp);

/* ---- samples in and out (finish.c) --------------------------------------------------------------------- */

/* An item's sound before its edges are made: f64 in 16-bit units. */
struct vg_track {
    double *at;
    size_t frames;
    struct vg_span span;
    double outside; /* gain of the source where its surroundings come in */
};
/* The source's own samples, to be changed in place. */
struct vg_track vg_track_of(const struct vg_loaded *source, struct vg_arena *tmp);
/* Edges as the spec says, made in place with the ways into the span and out of it, one gain for the whole
 * item where it would not fit 16 bits, rounding. */
void vg_track_finish(struct vg_track *track, const struct vg_item *item, const struct vg_loaded *source,
                     struct vg_rendered *out, struct vg_arena *keep);

/* All items of a source but those of volume have one peak (peak.c): the source's own. */
double vg_one_peak(const struct vg_loaded *source);
/* What lies above is lowered, by a gain that moves smoothly. */
void vg_track_lower_peaks(struct vg_track *track, double most, uint32_t rate_hz, struct vg_arena *tmp);
/* What lies below, or a hair off, is scaled as a whole: samples that were equal stay equal. */
void vg_track_raise_peak(struct vg_track *track, double most);
void vg_track_one_peak(struct vg_track *track, const struct vg_loaded *source,
                       struct vg_arena *tmp); /* both */

/* ---- levels (level.c)
 * -------------------------------------------------------------------------------------- */

/* Power of the clip's quiet tenth in frames of 10 ms, one LSB squared added: what hides soft noise. */
double vg_floor_power(const struct vg_loaded *source, struct vg_arena *tmp);
/* Bring x to the reference's level in windows of 50 ms; the gain is continuous and stays within bound_db. */
void vg_level_match(const double *reference, double *x, size_t frames, uint32_t rate_hz, double bound_db,
                    struct vg_arena *tmp);
/* Lean the level, by at most most_db from end to end of the span and as a line in dB, until its last third is
 * as loud beside its first as the source's; returns by how much. */
double vg_track_level_ends(struct vg_track *track, const struct vg_loaded *source, double most_db);
/* Power that lifts a floor by `db`. */
double vg_power_above(double floor_power, double db);

/* Seed text of a draw that both directions of a pair share, and of nothing else. */
uint64_t vg_pair_entropy(const struct vg_item *item);

/* ---- sources (refuse.c)
 * ----------------------------------------------------------------------------------------- */

/* The engine's `refuse`: spans too short, speech too soft, a floor that leaves the noise of the highest tier
 * no room. */
const char *vg_true_refuse(const struct vg_spec *spec, size_t split, const struct vg_loaded *source,
                           struct vg_arena *arena);

#endif
