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

/* A sound as a measure hears it: mono 16 bit with its speech span, on <= k < off; an empty span stands for
 * the whole sound.  The samples are borrowed for the call. */
struct vg_sound {
    const int16_t *samples;
    size_t frames;
    uint32_t rate_hz; /* at least VG_MEASURE_RATE_MIN_HZ, else nothing can be said */
    size_t on, off;
};
enum { VG_MEASURE_RATE_MIN_HZ = 4000 };
/* The span of an output that has none of its own: from its source's onset; what follows the source's span
 * follows the output's. */
void vg_sound_follow(struct vg_sound *output, const struct vg_sound *source);

/* Thresholds of one quantity; from the spec's map `measure`, each with its source beside it there. */
struct vg_margin {
    double jnd;    /* just-noticeable difference, in the unit of `unit_jnd` */
    double paired; /* |net| needed for a P verdict, in the unit of P */
    double blind;  /* |net| needed for a B verdict, in the unit of B */
    bool gate;     /* a B verdict opposed to the label makes what P confirms undecided */
};

enum { VG_SEGMENTS = 12 };
/* What one measure found. */
struct vg_evidence {
    double net;     /* change from the first third of the span to the last, each taken as a whole (halves
                       for B of speaking_speed and echo, a line through all for B of voice_pitch), in the
                       unit; 0 where undefined */
    double net_jnd; /* how much of it is heard, in JNDs; P only; 0 where undefined */
    double rank;    /* Spearman correlation of the trajectory with time, -1..1; 0 where undefined */
    double trajectory[VG_SEGMENTS]; /* of equal parts of the span; NaN: nothing to be heard there */
    size_t segments; /* 12; 6 under 1.2 s; 3 under 0.6 s; 0: undefined (silent, under 0.2 s, other rate) */
    int sign; /* +1 rises, -1 falls, 0 no change beyond the margin, 2 undecided: the net is undefined */
};
struct vg_measure {
    const char *name;           /* the category's name: "voice_pitch" */
    const char *unit;           /* of P: "semitones" */
    const char *unit_jnd;       /* of the JND; another than P's where the sign comes from another cue */
    const char *unit_blind;     /* of B */
    const char *paired, *blind; /* what is measured, half a line each */
};
/* quantity          P                                        B
 * volume            dB, level over the source's              LUFS, loud tenth of 100 ms windows (BS.1770-4)
 * speaking_speed    ln %, slope of the time map              ln %, change within 30 ms beside 200 ms
 * voice_pitch       semitones over the source's period       semitones re 100 Hz
 * background_noise  dB re span, what does not follow         dB re full scale, quiet tenth, ten bands
 * audio_distortion  octaves, samples a value is held         the same of the output alone
 * audio_roughness   bits lost, least step of values          log2 of the step
 * voice_clarity     ERB-number, highest band kept            ERB-number, highest within 45 dB, of a tenth
 * voice_vibration   index of the envelope's modulation       dB, 12-22 Hz part over the local mean
 * echo              dB, late filter over dry                 share of the cepstrum common to a part, 0..1 */
extern const struct vg_measure vg_measures[VG_QUANTITIES];

/* The source's side of the paired measures, made once and shared by its items; lives in `keep`, which is
 * another arena than `tmp`, and holds its own copy of what it needs of the samples. */
struct vg_reference;
struct vg_reference *vg_reference_make(const struct vg_sound *source, struct vg_arena *keep,
                                       struct vg_arena *tmp);

struct vg_margins {
    struct vg_margin of[VG_QUANTITIES];
};
extern const struct vg_key_rule vg_measure_keys[]; /* the spec's map `measure` */
/* Margins of a checked spec's `measure` map; NULL gives the defaults, which are specs/paper.yaml's. */
void vg_margins_read(struct vg_margins *margins, const struct vg_node *measure);

/* All nine at once, or those with their bit set in `wanted` (1u << quantity); the others' evidence is left
 * alone.  The output's span is tried as given and as vg_sound_follow has it; the better fit counts, so that
 * a wrong one does no harm.  What is found does not depend on what else is wanted. */
void vg_measure_paired(const struct vg_reference *reference, const struct vg_sound *output,
                       const struct vg_margins *margins, unsigned wanted,
                       struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp);
void vg_measure_blind(const struct vg_sound *sound, const struct vg_margins *margins, unsigned wanted,
                      struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp);
/* Both, hearing the output once; B takes the span that P found.  The same results for a true span. */
void vg_measure_both(const struct vg_reference *reference, const struct vg_sound *output,
                     const struct vg_margins *margins, unsigned wanted,
                     struct vg_evidence paired[VG_QUANTITIES], struct vg_evidence blind[VG_QUANTITIES],
                     struct vg_arena *tmp);

enum vg_verdict { VG_CONFIRMED, VG_OPPOSED, VG_NO_CHANGE, VG_UNDECIDED };
extern const char *const vg_verdict_names[4];
/* P's sign against what the label claims (+1 increase, -1 decrease). */
enum vg_verdict vg_verdict_of(const struct vg_evidence *paired, int claimed);
/* The same with B heard as well: where P confirms and B, being a gate, is opposed beyond its margin, two
 * independent measures disagree, and the label is undecided. */
enum vg_verdict vg_verdict_judged(const struct vg_evidence *paired, const struct vg_evidence *blind,
                                  const struct vg_margin *margin, int claimed);

#endif
