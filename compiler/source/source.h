/* SPDX-License-Identifier: MIT */
/* source: where sound comes from.  One file per kind: each lists what an entry of the spec offers, and
 * loads one of them as mono 16-bit samples with digests and a speech span. */
#ifndef VG_SOURCE_H
#define VG_SOURCE_H

#include "plan.h"

/* Decoded sound as everything downstream sees it: mono, 16 bit, at the source's own rate. */
struct vg_clip {
    int16_t *samples;
    size_t frames;
    uint32_t rate_hz;
};
/* Speech: samples on <= k < off.  Recipe "The speech span": clamped; the whole clip where empty. */
struct vg_span {
    size_t on, off;
};

/* All that sources.csv says of one source. */
struct vg_source_facts {
    char file_xxh128[VG_DIGEST_HEX];  /* of the file as stored; "" for a synthetic source */
    char audio_xxh128[VG_DIGEST_HEX]; /* of the samples, s16le */
    uint32_t rate_hz;
    unsigned channels; /* in the file, before any mixing down */
    size_t frames;
    double onset_sec, offset_sec; /* as given or detected */
    bool detected;                /* by the detector, not the table */
    bool span_found;              /* false: nothing detected, the whole clip is the span */
    size_t clipped;               /* samples out of range when a float file was converted */
    const char *decoder;          /* "libsndfile 1.2.0", "synthetic", ...; static or arena */
    const char *note;             /* "untrimmed MP3", "mixed down from 2", ...; "" where nothing */
};
struct vg_loaded {
    bool second_opinion; /* asked for before a load: by the next decoder that reads such a file (pin.c) */
    const char *path;    /* of the recording, for messages; the id of a synthetic source */
    struct vg_clip clip;
    struct vg_span span;
    struct vg_source_facts facts;
};

/* One kind of source; `words.name` is the spec's `kind`. */
struct vg_source_kind {
    struct vg_source_words words;
    /* Append what the entry offers, without reading audio; texts live in the arena. */
    int (*list)(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err);
    /* Decode or synthesise; fills clip and facts (rate, channels, frames, clipped, decoder, note, and the
     * file digest).  Samples live in the arena.  Safe from several threads at once. */
    int (*load)(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                struct vg_arena *arena, struct vg_error *err);
    bool complete; /* load gives every fact, the span's too */
    bool recorded; /* listed from a corpus (corpus.h), so that `select` can choose among its sources */
};
extern const struct vg_source_kind *const vg_source_kinds[];
extern const size_t vg_source_kind_count;

/* Every source of the spec, in plan order of the splits. */
int vg_sources_list(const struct vg_spec *spec, struct vg_source_list *list, struct vg_arena *arena,
                    struct vg_error *err);
/* Load one: the kind's load, then the audio digest and the span (table, else detector). */
int vg_source_load(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                   struct vg_arena *arena, struct vg_error *err);

/* Tell why a source is left out: an error, a warning under VG_POLICY_SKIP, nothing under VG_POLICY_FLAG
 * (whoever listed with that policy tells). */
int vg_source_tell(const struct vg_source *source, enum vg_policy policy, struct vg_error *err);
/* Why a source is left out, for those who read it elsewhere: its row or file and the sentence, without the
 * folders of this machine.  What a pack says is such a text already. */
char *vg_source_reason(const struct vg_spec *spec, const struct vg_source *source, const char *sentence,
                       struct vg_arena *arena);

/* What is said, so that texts can be compared: case, punctuation, [tags] and blanks make no difference. */
void vg_words_normalise(const char *text, struct vg_text *out);

/* ---- choosing sources by rule (select.c) --------------------------------------------------------------- */

/* Does an entry of the spec have rules (a map `select`)?  It is built from the table that they give. */
bool vg_choice_is_asked(const struct vg_spec *spec);
struct vg_choice; /* lives in the arena */
/* The sources of the one entry that has rules, without those that the rules rule out by what the
 * tables say. */
int vg_choice_open(struct vg_choice **choice, const struct vg_spec *spec, struct vg_arena *arena,
                   struct vg_error *err);
/* Choose: which of the chosen sources are still to be heard, and how many; none: the choice stands. */
size_t vg_choice_pick(struct vg_choice *choice, const size_t **unheard);
const struct vg_source *vg_choice_source(const struct vg_choice *choice, size_t index);
/* What hearing one showed: how it sounds, or why it cannot be heard. */
void vg_choice_hear(struct vg_choice *choice, size_t index, const struct vg_loaded *loaded,
                    const char *fault);
/* The frozen table, and a report of what was chosen and what was not, once the choice stands.  The same bytes
 * in whatever order folders and tables are.  VG_SOURCE where there are fewer sources than asked for. */
int vg_choice_write(struct vg_choice *choice, struct vg_text *table, struct vg_text *report,
                    struct vg_error *err);

/* ---- source packs (packing.c, unpacking.c): decoded sources in one tar of FLAC files ------------------ */

/* The two members of one source: a FLAC file and all its facts as JSON.  `skipped` says why there is no sound
 * (`loaded` is not used then, and `flac` stays empty), or is NULL.  Replaces the contents. */
int vg_source_pack(const struct vg_spec *spec, const struct vg_source *source, const struct vg_loaded *loaded,
                   const char *skipped, struct vg_text *flac, struct vg_text *json, struct vg_error *err);

/* ---- a store of decoded sources, shared by workers -------------------------------------------------- */

struct vg_source_store;
/* Holds about `limit_bytes` of samples beside what is in use.  `list` and `spec` must outlive it. */
struct vg_source_store *vg_source_store_make(const struct vg_spec *spec, const struct vg_source_list *list,
                                             size_t limit_bytes);
/* The source, decoded at need; stays until released.  Safe from several threads at once. */
int vg_source_store_acquire(struct vg_source_store *store, size_t index, const struct vg_loaded **loaded,
                            struct vg_error *err);
void vg_source_store_release(struct vg_source_store *store, size_t index);
void vg_source_store_free(struct vg_source_store *store); /* NULL is fine */

/* ---- speech ------------------------------------------------------------------------------------------ */

/* A WAV, FLAC, Ogg or MP3 file as mono 16-bit samples; decode.c states the one rule of conversion.  Fills
 * the clip and the facts, not the span.  A file that is not whole and sound is refused: VG_SOURCE at `place`
 * (the path itself, or file:row of the table that names it). */
struct vg_decode_rules {
    bool mix_down;           /* average the channels; else more than one is an error */
    double duration_max_sec; /* longer is an error, found before memory is spent */
};
int vg_decode_file(const char *path, const char *place, const struct vg_decode_rules *rules,
                   struct vg_loaded *loaded, struct vg_arena *arena, struct vg_error *err);
/* The same of a file held in memory: a member of an archive, a cell of a table.  `name` is what messages call
 * it. */
int vg_decode_bytes(const void *bytes, size_t count, const char *name, const char *place,
                    const struct vg_decode_rules *rules, struct vg_loaded *loaded, struct vg_arena *arena,
                    struct vg_error *err);

/* Recipe "The speech span and the steps": seconds to samples. */
struct vg_span vg_span_of(double onset_sec, double offset_sec, uint32_t rate_hz, size_t frames);

/* The paper's energy detector (recipe.md "The speech detector") on mono samples in -1..1. */
struct vg_detector {
    double pre_emphasis, frame_sec, hop_sec, background_sec; /* 0.97 0.010 0.010 0.2 */
    double floor_factor, peak_factor, threshold_min;         /* 1.8 0.003 5e-5 */
    size_t run_frames;                                       /* 10 */
};
struct vg_detection {
    bool found;
    double onset_sec, offset_sec;
    size_t segments;
    double threshold, noise_floor, peak_rms;
};
struct vg_detection vg_detect_speech(const struct vg_detector *detector, const double *x, size_t frames,
                                     uint32_t rate_hz, struct vg_arena *tmp);

/* The robust detector (detect_robust.c), of the same kind of samples: speech may start at sample 0, stand in
 * constant noise down to 5 dB and among clicks and hum, at any rate (tests/source/test_detect_robust.c). */
struct vg_speech {
    bool found;
    double onset_sec, offset_sec;
    double confidence;   /* 0..1, of the less certain edge; from 0.4 on, nine in ten are within 100 ms */
    double pause_sec;    /* the longest stretch without speech between them */
    double voiced_share; /* 0..1, of the span: frames that have a pitch */
};
struct vg_speech vg_detect_robust(const double *x, size_t frames, uint32_t rate_hz, struct vg_arena *tmp);

#endif
