/* SPDX-License-Identifier: MIT */
/* make: from plan to finished items, on workers, in a bounded window; shared by build and verify. */
#ifndef VG_MAKE_H
#define VG_MAKE_H

#include "command.h"

/* One worker's tools.  Zero-initialise. */
struct vg_maker {
    struct vg_renderer renderer;
    const struct vg_loaded *heard; /* the source that `reference` was made from */
    struct vg_reference *reference;
    struct vg_arena analysis, sound; /* of `reference`; of the item in hand */
};
/* Memory that an item takes on its way, beside its FLAC file, by the samples of its source: what a maker
 * holds of a long one at once. */
enum { VG_MAKER_BYTES_PER_FRAME = 12 };
void vg_maker_release(struct vg_maker *maker);

/* Render, measure and encode one item; the record is complete but for shard and policy.  Texts live in
 * `keep`, the FLAC file in `flac`. */
int vg_make_item(struct vg_maker *maker, const struct vg_margins *margins, const struct vg_item *item,
                 const struct vg_loaded *source, struct vg_record *record, struct vg_text *flac,
                 struct vg_arena *keep, struct vg_error *err);

/* Decode every source once, on workers: facts of each in `rows` (one a source), every fault at once.  The row
 * of a bad source says why it is skipped, and so does its `left_out`; only on_bad_source: skip lets the
 * caller go on. */
int vg_make_preflight(struct vg_work *work, struct vg_call *call, struct vg_source_store *store,
                      struct vg_source_row **rows);

/* check --sources (sources.c): list them, look at each, print what was found. */
int vg_check_sources(struct vg_work *work, struct vg_call *call);

/* Fills part and parts, from --shard or the Slurm array (shard.c). */
int vg_make_part(struct vg_work *work, struct vg_call *call);

/* Make every item of the plan, or of this process's part of it, and hand the finished ones to the release in
 * its order. */
int vg_make_all(struct vg_work *work, struct vg_call *call, struct vg_source_store *store,
                const struct vg_source_row *rows, struct vg_release *release);

/* What a release made with --only or --subset-of says of the whole one (subset.c): fills the options. */
int vg_make_subset(struct vg_call *call, struct vg_release_options *options);

#endif
