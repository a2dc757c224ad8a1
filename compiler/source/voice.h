/* SPDX-License-Identifier: MIT */
/* Inside source: kind `voice`, a source-filter speech synthesiser (Fant 1960; Klatt 1980).
 *
 *   spec --voice_read.c--> voice, phones --voice_score.c--> score (phones and stages in time)
 *        --voice_track.c--> tracks (a frame of control values each millisecond)
 *        --voice_glottis.c, voice_noise.c--> excitation --voice_tract.c--> sound --voice.c--> samples
 *
 * Every number comes from the spec; specs/voices.yaml has voices and the phones of English. */
#ifndef VG_VOICE_H
#define VG_VOICE_H

#include "synth.h"

enum {
    VG_VOICE_TARGETS = 5,    /* most formants a phone sets itself: F1..F5 */
    VG_VOICE_FORMANTS = 100, /* most of a tract: rules allow one each 560 Hz up to 48 kHz */
    VG_VOICE_BANDS = 6,      /* most bands of a phone's frication */
    VG_VOICE_STAGES = 6      /* most stages of a phone */
};

/* ---- voice and phones, as the spec has them (voice_read.c) ------------------------------------------ */

/* Shape of one glottal cycle, LF model (Fant, Liljencrants and Lin 1985), as shares of the period. */
struct vg_glottis {
    double open_quotient;   /* te / T0: opening to main excitation */
    double asymmetry;       /* tp / te: flow peak within the open phase; above 0.5 */
    double return_quotient; /* ta / T0: return phase, the more the steeper the tilt */
};

/* One speaker: all that is not in the score. */
struct vg_voice {
    double f0_hz, declination_st_per_sec, accent_sec, accent_at;
    double jitter_percent, shimmer_percent, flutter_percent;
    struct vg_glottis modal, lax;
    double breath_db, lax_breath_db, breath_modulation, breath_cutoff_hz;
    const char *target_set;
    double formant_scale, bandwidth_scale, noise_scale;
    double upper_hz[VG_VOICE_FORMANTS], upper_bandwidths_hz[VG_VOICE_FORMANTS]; /* scaled */
    size_t upper_count;                                                         /* all below Nyquist */
    double nasal_pole_hz, nasal_bandwidth_hz;                                   /* the pole scaled */
    double ramp_sec, arch_db, level_fall_db_per_sec;
    double lead_sec, tail_sec, floor_dbfs, peak_dbfs;
};

/* What a stage of a phone sounds with.  Gains are linear; 0 is off. */
enum vg_voice_control { VG_VOICING, VG_BREATH, VG_FRICATION, VG_LAX, VG_VOICE_CONTROLS };

struct vg_voice_band {
    double hz, bandwidth_hz, gain;
};
/* One speech sound for one voice: frequencies are scaled to its tract. */
struct vg_phone {
    const char *name;
    const struct vg_node *node;
    size_t targets;                   /* formants set here, the rest are the voice's */
    double from_hz[VG_VOICE_TARGETS]; /* equal to to_hz but in a diphthong */
    double to_hz[VG_VOICE_TARGETS];
    double bandwidths_hz[VG_VOICE_TARGETS];
    double coarticulation; /* how far F2 and above lean to the vowel's, 0..1 */
    double edge_sec;       /* share of each formant transition that lies in this phone */
    double nasal_zero_hz;  /* the nasal pole's frequency where it cancels it: no nasal */
    struct vg_voice_band bands[VG_VOICE_BANDS];
    size_t band_count;
    struct vg_phone_stage {
        double sec; /* 0: takes what the syllable leaves */
        double ramp_sec;
        double controls[VG_VOICE_CONTROLS];
    } stages[VG_VOICE_STAGES];
    size_t stage_count;
    double fixed_sec; /* of all stages with a length */
    size_t elastic;   /* stages without one */
};

extern const struct vg_key_rule vg_voice_rules[]; /* a voice: presets and an entry's `parameters` */
extern const struct vg_key_rule vg_syllable_rules[];
/* The top-level map `voice`: its defaults, voices and phones. */
void vg_voice_check_shared(const struct vg_node *map, struct vg_error *err);
/* The voice of an entry: its `parameters`, then the preset it names, then the defaults. */
int vg_voice_read(const struct vg_spec *spec, const struct vg_node *entry, struct vg_voice *voice,
                  struct vg_error *err);
/* The phone called like the text of `name`, for a voice. */
int vg_phone_read(const struct vg_spec *spec, const struct vg_node *name, const struct vg_voice *voice,
                  uint32_t rate_hz, struct vg_phone *phone, struct vg_error *err);

/* ---- score: what is said when (voice_score.c) ------------------------------------------------------- */

struct vg_syllable {
    double start_sec, end_sec;
    double level_db, accent_st, accent_sec; /* accent_sec: when its peak is */
};
/* A phone in time, its targets leaning to its vowel. */
struct vg_score_phone {
    struct vg_phone phone;
    double start_sec, end_sec;
};
/* A stretch in which the sources are steady but for their ramps. */
struct vg_score_stage {
    double start_sec, end_sec, ramp_sec;
    double controls[VG_VOICE_CONTROLS];
};
struct vg_score {
    uint32_t rate_hz;
    size_t frames;                /* samples of the clip */
    double onset_sec, offset_sec; /* first and last moment at which a source is on */
    struct vg_voice voice;
    struct vg_syllable *syllables;
    size_t syllable_count;
    struct vg_score_phone *phones;
    size_t phone_count;
    struct vg_score_stage *stages; /* from 0 to the end without a hole: pauses are silent stages */
    size_t stage_count;
};
/* Compile an entry.  All its faults are reported. */
int vg_score_make(const struct vg_spec *spec, const struct vg_node *entry, struct vg_score *score,
                  struct vg_arena *arena, struct vg_error *err);

/* ---- tracks: control values in time (voice_track.c) ------------------------------------------------- */

struct vg_voice_frame {
    double f0_hz;                       /* before jitter */
    double controls[VG_VOICE_CONTROLS]; /* level included */
    double nasal_zero_hz;
    double formants_hz[VG_VOICE_FORMANTS], bandwidths_hz[VG_VOICE_FORMANTS];
};
/* Frame i stands at sample i * hop; between frames values move linearly. */
struct vg_tracks {
    const struct vg_score *score;
    size_t hop, count, formants;
    struct vg_voice_frame *frames; /* [count]; the last at or after the clip's end */
};
double vg_score_f0_hz(const struct vg_score *score, double sec);
struct vg_tracks vg_tracks_make(const struct vg_score *score, struct vg_arena *tmp);

/* ---- sound (voice_glottis.c, voice_noise.c, voice_tract.c)
 * --------------------------------------------------------- */

/* Harmonics 1..count of one period of the flow derivative (radiation at the lips included), the main
 * excitation of height 1 at phase 0: x(p) = 2 Re sum c[k-1] exp(2 pi i k p). */
void vg_glottis_spectrum(const struct vg_glottis *glottis, struct vg_complex *c, size_t count);
/* Add the voiced excitation to x and fill `open`, the glottis' opening in each sample as 0..1 (a raised
 * cosine with the middle of the open phase at 1). */
void vg_glottis_render(const struct vg_tracks *tracks, struct vg_random *random, double *x, double *open,
                       struct vg_arena *tmp);
/* Add breath noise, louder while the glottis is open. */
void vg_breath_render(const struct vg_tracks *tracks, struct vg_random *random, const double *open,
                      double *x);
/* Send x through the formants and the nose, in place. */
void vg_tract_filter(const struct vg_tracks *tracks, double *x, struct vg_arena *tmp);
/* Add the frication noise of every phone that has bands. */
void vg_frication_render(const struct vg_tracks *tracks, struct vg_random *random, const double *open,
                         double *x);

#endif
