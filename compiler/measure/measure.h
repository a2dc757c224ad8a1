/* SPDX-License-Identifier: MIT */
/* measure: what the finished samples carry.  Hears samples and spans; never the plan, the label or the
 * renderer.  P (paired) compares with the source and decides; B (blind) hears the output alone. */
#ifndef VG_MEASURE_H
#define VG_MEASURE_H

#include "dsp.h"
#include "spec.h"

enum vg_quantity {
    VG_Q_VOLUME,
    VG_Q_SPEED,
    VG_Q_PITCH,
    VG_Q_NOISE,
    VG_Q_DISTORTION,
    VG_Q_ROUGHNESS,
    VG_Q_CLARITY,
    VG_Q_VIBRATION,
    VG_Q_ECHO,
    VG_QUANTITIES
};

/* A sound as a measure hears it: mono 16 bit with its speech span, on <= k < off. */
struct vg_sound {
    const int16_t *samples;
    size_t frames;
    uint32_t rate_hz;
    size_t on, off;
};

/* Thresholds of one quantity; from the spec's map `measure`, each with its source beside it there. */
struct vg_margin {
    double jnd;    /* just-noticeable difference, in the quantity's unit */
    double paired; /* |net| needed for a P verdict, same unit */
    double blind;  /* |net| needed for a B verdict, in the blind measure's unit */
    bool gate;     /* a B verdict opposed to the label rejects the item */
};

enum { VG_SEGMENTS = 12 };
/* What one measure found. `net`: mean of the last third of the trajectory minus mean of the first. */
struct vg_evidence {
    double net;         /* in the unit; 0 where undefined */
    double net_jnd;     /* net / jnd (P only) */
    double rank;        /* Spearman correlation of the trajectory with time, -1..1 */
    double trajectory[VG_SEGMENTS];
    size_t segments;    /* 12; 6 under 1.2 s; 3 under 0.6 s; 0: undefined */
    int sign;           /* +1 rises, -1 falls, 0 no change beyond the margin, 2 undecided */
};
struct vg_measure {
    const char *name;       /* the category's name: "voice_pitch" */
    const char *unit;       /* of P: "semitones" */
    const char *unit_blind; /* of B */
};
extern const struct vg_measure vg_measures[VG_QUANTITIES];

/* The source's side of the paired measures, made once and shared by its items. */
struct vg_reference;
struct vg_reference *vg_reference_make(const struct vg_sound *source, struct vg_arena *keep, struct vg_arena *tmp);

struct vg_margins {
    struct vg_margin of[VG_QUANTITIES];
};
extern const struct vg_key_rule vg_measure_keys[]; /* the spec's map `measure` */
/* Margins of a checked spec's `measure` map; NULL gives the defaults of labels.md. */
void vg_margins_read(struct vg_margins *margins, const struct vg_node *measure);

/* All nine at once, or those with their bit set in `wanted` (1u << quantity). */
void vg_measure_paired(const struct vg_reference *reference, const struct vg_sound *output,
                       const struct vg_margins *margins, unsigned wanted,
                       struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp);
void vg_measure_blind(const struct vg_sound *sound, const struct vg_margins *margins, unsigned wanted,
                      struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp);

enum vg_verdict { VG_CONFIRMED, VG_OPPOSED, VG_NO_CHANGE, VG_UNDECIDED };
extern const char *const vg_verdict_names[4];
/* P's sign against what the label claims (+1 increase, -1 decrease). */
enum vg_verdict vg_verdict_of(const struct vg_evidence *paired, int claimed);

#endif
