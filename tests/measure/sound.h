/* SPDX-License-Identifier: MIT */
/* sound: made-up speech whose treatment is known, and what the measures say of it. */
#ifndef VG_SOUND_H
#define VG_SOUND_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "measure.h"

struct sounds {
    struct vg_arena arena, tmp;
    struct vg_margins margins; /* the defaults */
};
/* cmocka's set-up and tear-down; the sounds are *state. */
int sounds_open(void **state);
int sounds_close(void **state);

/* Speech-like: 0.25 s of faint noise, `sec` of syllables (voiced harmonics of about 120 Hz with moving
 * formants, every third one a fricative), 0.25 s of faint noise. */
struct vg_sound sound_speech(struct sounds *s, uint32_t rate_hz, double sec);
/* The same said at a rate that moves evenly from `from` to `to`; the fundamental's contour keeps its own
 * time. */
struct vg_sound sound_hurried(struct sounds *s, uint32_t rate_hz, double sec, double from, double to);
/* Silence, a sine of amplitude 10,000, silence; 0.25 s, `sec`, 0.25 s. */
struct vg_sound sound_tone(struct sounds *s, uint32_t rate_hz, double sec, double hz);

/* What is done to every sample: `t` is the share of the span, clamped to 0..1; `k` the sample of the clip. */
struct sound_change {
    double (*sample)(const struct sound_change *change, const struct vg_sound *source, size_t k, double t);
    double from, to, fixed; /* for the function */
    struct vg_random *random;
};
struct vg_sound sound_changed(struct sounds *s, const struct vg_sound *source, struct sound_change change);
/* A move from change->from to change->to. */
double sound_move(const struct sound_change *change, double t);
/* Sample changes: gain in dB; noise of an RMS; nothing. */
double sound_gain(const struct sound_change *change, const struct vg_sound *source, size_t k, double t);
double sound_noise(const struct sound_change *change, const struct vg_sound *source, size_t k, double t);
double sound_same(const struct sound_change *change, const struct vg_sound *source, size_t k, double t);

struct vg_evidence sound_paired(struct sounds *s, const struct vg_sound *source,
                                const struct vg_sound *output, enum vg_quantity quantity);
struct vg_evidence sound_blind(struct sounds *s, const struct vg_sound *sound, enum vg_quantity quantity);

void expect_near(double found, double asked, double tolerance);
/* The value half-way through segment s of a move over the span. */
double sound_asked(const struct sound_change *change, size_t segment, size_t segments);

#endif
