/* SPDX-License-Identifier: MIT */
/* Inside source: the kinds, one a file; kinds.c lists them. */
#ifndef VG_KINDS_H
#define VG_KINDS_H

#include "source.h"

extern const struct vg_source_kind vg_kind_tone;  /* tone.c */
extern const struct vg_source_kind vg_kind_table; /* selection.c */
extern const struct vg_source_kind vg_kind_voice; /* voice.c */
extern const struct vg_source_kind vg_kind_pack;  /* unpacking.c */
extern const struct vg_source_kind vg_kind_harmonic, vg_kind_noise, vg_kind_chirp;
extern const struct vg_source_kind vg_kind_commonvoice, vg_kind_spontaneous, vg_kind_loquacious, vg_kind_vctk,
    vg_kind_librispeech, vg_kind_mls, vg_kind_generic;

/* A new source at the end of the list: split, origin and place (that of the entry) are set, every text is
 * "", and there is no span.  Valid until the next one is added. */
struct vg_source *vg_source_add(struct vg_source_list *list, const struct vg_spec_source *entry, size_t split,
                                struct vg_arena *arena);
/* Hold the samples of a load, as decoded, against the source's pins.  VG_SOURCE where they differ. */
int vg_pin_check(const struct vg_spec *spec, const struct vg_source_kind *kind,
                 const struct vg_source *source, const struct vg_loaded *loaded, struct vg_error *err);
/* The kind that listed a source. */
const struct vg_source_kind *vg_kind_of(const struct vg_spec_source *entry);
/* Digest and length stand; set the span of the clip and what the facts say of it. */
int vg_source_find_span(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                        struct vg_arena *arena, struct vg_error *err);
/* Bring a recording to the entry's `sample_rate_hz`, if it names another (rate.c). */
void vg_source_convert_rate(const struct vg_source *source, struct vg_loaded *loaded, struct vg_arena *arena);
/* Hold what the robust detector found against the spec's rules: a note, or VG_SOURCE. */
int vg_span_doubt(const struct vg_spec *spec, const struct vg_source *source, const struct vg_speech *speech,
                  struct vg_loaded *loaded, struct vg_arena *arena, struct vg_error *err);
/* A length for people: seconds with six decimals. */
char *vg_seconds_text(double sec, struct vg_arena *arena);
/* Add a remark to facts->note; remarks are separated by "; ". */
void vg_facts_note(struct vg_source_facts *facts, const char *note, struct vg_arena *arena);

#endif
