/* SPDX-License-Identifier: MIT */
/* inside: what the files of pack share among themselves and nobody else needs. */
#ifndef VG_PACK_INSIDE_H
#define VG_PACK_INSIDE_H

#include "pack.h"

/* ---- a folder under construction (building.c) ------------------------------------------------------- */

/* `path` + ".tmp", held by a lock for as long as the process lives.  Zero-initialise. */
struct vg_building {
    struct vg_arena arena;
    const char *path;      /* final */
    const char *temporary; /* where to write */
    int lock;              /* descriptor + 1; 0: none */
};
int vg_building_begin(struct vg_building *building, const char *path, struct vg_error *err);
/* Path of a file inside, in the arena. */
char *vg_building_file(struct vg_building *building, const char *name);
/* Flush and rename into place.  A folder already there must hold the same files byte for byte (then the new
 * one is dropped), unless `replace`. */
int vg_building_install(struct vg_building *building, bool replace, struct vg_error *err);
/* Removes what was not installed. */
void vg_building_release(struct vg_building *building);

/* ---- texts of a release (about.c, card.c, croissant.c) ----------------------------------------------- */

/* Key of the spec's map `card`, or the fallback; the spec may have no tree. */
const char *vg_card_text(const struct vg_spec *spec, const char *key, const char *fallback);

/* All that the texts are made from. */
struct vg_story {
    const struct vg_spec *spec;
    const struct vg_about *about;
    const struct vg_summary *summary;
    const struct vg_source_row *sources;
    size_t source_count;
};
void vg_about_write(const struct vg_about *about, const struct vg_summary *summary, struct vg_text *out);
/* The object `counts` of release.json, so that it can be made again from a manifest. */
void vg_about_counts(const struct vg_about *about, const struct vg_summary *summary, struct vg_text *out);
void vg_card_write(const struct vg_story *story, struct vg_text *out);
void vg_attribution_write(const struct vg_story *story, struct vg_text *out);
/* `sums` of the files that it lists: all but itself and the sum files. */
void vg_croissant_write(const struct vg_story *story, const struct vg_sum *sums, size_t sum_count,
                        struct vg_text *out);

/* ---- names ------------------------------------------------------------------------------------------- */

/* Is this the name of a file that a release may hold beside what its sums list? */
bool vg_sums_is_signature(const char *name);
extern const char vg_checksums_name[], vg_sha256sums_name[];

/* A distinct value of a field and how often it occurs; in order of first appearance. */
struct vg_tally {
    const char *text; /* borrowed */
    size_t count;
};
struct vg_tallies {
    struct vg_tally *at; /* in the arena handed to vg_tally_add */
    size_t count, room;
};
void vg_tally_add(struct vg_tallies *tallies, const char *text, size_t times, struct vg_arena *arena);

#endif
