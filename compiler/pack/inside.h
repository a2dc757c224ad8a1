/* SPDX-License-Identifier: MIT */
/* inside: what the files of pack share among themselves and nobody else needs. */
#ifndef VG_PACK_INSIDE_H
#define VG_PACK_INSIDE_H

#include "pack.h"

/* ---- a release being written (release.c, finish.c) --------------------------------------------------- */

/* One item of the group under construction. */
struct vg_row_slot {
    size_t place;
    struct vg_text manifest, metadata, labels, identity, excluded;
};
struct vg_written_shard {
    const char *split, *path;
    size_t number, items; /* number: within the split */
    struct vg_shard_sums sums;
};
struct vg_release {
    struct vg_release_options options;
    struct vg_arena arena;
    struct vg_building building;
    const char *stem; /* <name>-<version> */
    struct vg_file rows, metadata, labels;
    struct vg_file excluded; /* of a part only */
    struct vg_row_slot *slots;
    size_t slot_count, slot_room, group;
    struct vg_digest id_digest;
    char id[VG_DIGEST_HEX];
    struct vg_summary summary;
    struct vg_audit *audit;
    struct vg_shard *open;
    struct vg_written_shard *shards;
    size_t shard_count, shard_room;
    uint64_t *keys; /* a hash of every key, to find two that are the same */
    size_t key_count, key_room;
    struct vg_text sample, member; /* scratch */
};
extern const char vg_rows_name[]; /* the manifest while the names of its shards are not known */
/* Of a part: the items that it leaves out, so that a merge can say the same of them. */
extern const char vg_excluded_name[], vg_excluded_header[];
/* `index` in the plan of the whole release. */
void vg_excluded_row(const struct vg_record *record, size_t index, struct vg_text *out);
int vg_release_close_shard(struct vg_release *release, struct vg_error *err);
/* Writes the rows of the group that is complete. */
int vg_release_flush(struct vg_release *release, struct vg_error *err);
/* A whole file of the folder under construction. */
int vg_release_put(struct vg_release *release, const char *name, const struct vg_text *text,
                   struct vg_error *err);

/* Is every item of the manifest in `part` also in `whole`, in the same order, with the same digests?  VG_NO
 * names the first that is not. */
int vg_subset_check(const char *part, const char *whole, struct vg_error *err);

/* ---- texts of a release (about.c, card.c, croissant.c) ----------------------------------------------- */

/* Key of the spec's map `card`, or NULL; its text, or the fallback.  The spec may have no tree. */
const struct vg_node *vg_card_node(const struct vg_spec *spec, const char *key);
const char *vg_card_text(const struct vg_spec *spec, const char *key, const char *fallback);

/* All that the texts are made from. */
struct vg_story {
    const struct vg_spec *spec;
    const char *spec_text;
    const struct vg_about *about;
    const struct vg_summary *summary;
    struct vg_audit *audit;
    const struct vg_source_row *sources;
    size_t source_count;
};
int vg_release_seal(struct vg_release *release, const struct vg_story *story, struct vg_error *err);
void vg_about_write(const struct vg_about *about, const struct vg_summary *summary, struct vg_text *out);
/* The object `counts` of release.json, so that it can be made again from a manifest. */
void vg_about_counts(const struct vg_about *about, const struct vg_summary *summary, struct vg_text *out);
void vg_wids_write(const struct vg_about *about, const char *split, struct vg_text *out);
void vg_card_front(const struct vg_story *story, struct vg_text *out); /* its YAML head */
void vg_card_write(const struct vg_story *story, struct vg_text *out);
void vg_attribution_write(const struct vg_story *story, struct vg_text *out);
void vg_attribution_table(const struct vg_story *story, struct vg_text *out);
/* `sums` of the files that it lists: all but itself and the sum files. */
void vg_croissant_write(const struct vg_story *story, const struct vg_sum *sums, size_t sum_count,
                        struct vg_text *out);

void vg_croissant_records(struct vg_json *json, const struct vg_story *story, struct vg_arena *arena);
void vg_croissant_reference(struct vg_json *json, const char *key, const char *id);

/* ---- names ------------------------------------------------------------------------------------------- */

/* Is this the name of a file that a release may hold beside what its sums list: a signature, or the
 * provenance? */
bool vg_sums_is_signature(const char *name);
extern const char vg_checksums_name[];

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
