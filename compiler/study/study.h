/* SPDX-License-Identifier: MIT */
/* study: what finished releases tell: how two of them differ, how well a model answers, which items a human
 * study takes.  Reads releases through pack; changes nothing and prints nothing. */
#ifndef VG_STUDY_H
#define VG_STUDY_H

#include "pack.h"

/* ---- two releases side by side (diff.c, diff_spec.c) ------------------------------------------------ */

enum vg_change { VG_ADDED, VG_REMOVED, VG_CHANGED, VG_CHANGES };
extern const char *const vg_change_names[VG_CHANGES];
/* What of an item changed; the fields of the manifest fall into these. */
enum vg_aspect {
    VG_BY_AUDIO,     /* samples, and all that is counted in them */
    VG_BY_LABEL,     /* label and direction */
    VG_BY_PARAMETER, /* parameters, seed, source's samples */
    VG_BY_EVIDENCE,  /* what was measured */
    VG_BY_WORDS,     /* question, texts and names */
    VG_BY_PACKING,   /* key, FLAC bytes; not the shard it happens to lie in */
    VG_ASPECTS
};
extern const char *const vg_aspect_names[VG_ASPECTS];
struct vg_field_change {
    const char *name; /* "label", "parameters.delta_gain_db" */
    enum vg_aspect aspect;
    const char *a, *b; /* as JSON; NULL: not there */
};
struct vg_item_change {
    enum vg_change change;
    const char *split, *category, *id, *tier, *curve, *direction, *label;
    unsigned aspects;                     /* 1u << aspect */
    const struct vg_field_change *fields; /* of VG_CHANGED */
    size_t field_count;
};
struct vg_spec_change {
    const char *path;  /* categories.volume.tiers.high.delta_gain_db */
    const char *a, *b; /* as the spec writes them; NULL: not there */
};
struct vg_diff {
    size_t items_a, items_b, changes[VG_CHANGES], by[VG_ASPECTS], same, specs;
};
/* Called for every difference: first the specs', then items in the order of A, then those that only B has.
 * What is handed over lives for the call.  Anything but VG_OK ends the comparison. */
struct vg_diff_sink {
    void *context;
    int (*spec)(void *context, const struct vg_spec_change *change);
    int (*item)(void *context, const struct vg_item_change *change);
};
/* An item is the same in both where category and id are.  VG_OK even where they differ. */
int vg_diff_releases(const char *a, const char *b, const struct vg_diff_sink *sink, struct vg_diff *diff,
                     struct vg_error *err);
/* The values of two resolved specs that differ, in the order of A. */
int vg_diff_specs(const char *a, const char *b, const struct vg_diff_sink *sink, size_t *count,
                  struct vg_error *err);

#endif
