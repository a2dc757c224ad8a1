/* SPDX-License-Identifier: MIT */
/* plan: spec and selection to ordered items.  A pure function; nothing is stored per item, so that a
 * plan of ten million items costs what its sources cost. */
#ifndef VG_PLAN_H
#define VG_PLAN_H

#include "spec.h"

/* What a frozen selection says its recording is; "" where it does not say. */
struct vg_pin {
    const char *file_xxh128, *audio_xxh128; /* of the file as stored; of the samples as decoded */
    const char *decoder;                    /* that gave those samples */
};
/* What the plan knows of a source: identity and speech span, before any audio is read. */
struct vg_source {
    const char *id;      /* source_item_id: unique within the release */
    const char *clip_id; /* source_clip_id */
    const char *speaker_id, *sentence_id, *text, *gender, *locale, *licence, *corpus; /* "" unknown */
    const char *place; /* for messages: file:row or spec.yaml:line:column */
    bool has_span;     /* else the detector decides when the audio is read */
    double onset_sec, offset_sec;
    struct vg_pin pin;    /* compared when the audio is read */
    size_t split;         /* index into spec.splits */
    const char *left_out; /* why it makes no items, where on_bad_source: skip allows that; else NULL */
    const struct vg_spec_source *origin;
    const void *detail; /* of the source kind that listed it */
};
struct vg_source_list {
    struct vg_source *at; /* in the arena */
    size_t count, room;
};

/* How a parameter moves. Progress 0..1 of a curve at t (clamped to 0..1); recipe.md "Curves". */
double vg_curve_progress(enum vg_curve curve, double jump_at, double t);
/* Value of a move v0 -> v1 at t: v0 + (v1 - v0) * progress. */
double vg_curve_at(enum vg_curve curve, double jump_at, double v0, double v1, double t);
/* The same for many t in 0..1 at once, in place. */
void vg_curve_fill(enum vg_curve curve, double jump_at, double v0, double v1, double *t, size_t count);

/* One item: a view made from its index, pointing into the plan. */
struct vg_item {
    size_t index; /* in plan order, from 0 */
    const struct vg_spec *spec;
    const struct vg_spec_split *split;
    const struct vg_spec_category *category;
    const struct vg_source *source;
    size_t source_index; /* in the source list */
    size_t tier;         /* index into spec.tiers */
    enum vg_curve curve;
    enum vg_direction direction;
    const struct vg_value *values; /* tier parameters, in the order of category->words->tier */
    const struct vg_value *fixed;  /* fixed parameters of the category */
    const char *label;             /* increase or decrease */
};
/* Items of one split and category: sources x tiers x curves x directions. */
struct vg_block {
    size_t split, category; /* category: index into spec.categories */
    size_t first_item;
    const size_t *sources; /* indices into the source list */
    size_t source_count;
};
struct vg_plan {
    const struct vg_spec *spec;
    const struct vg_source_list *sources;
    struct vg_block *blocks;
    size_t block_count;
    size_t item_count;
    size_t items_per_source; /* of one category: tiers x curves x directions */
};
/* Order: splits as the spec has them, then categories in the grid's order, sources in the selection's,
 * tiers, curves, directions.  A duplicate source id or an --only source that matches none is an error. */
int vg_plan_make(struct vg_plan *plan, const struct vg_spec *spec, const struct vg_source_list *sources,
                 struct vg_arena *arena, struct vg_error *err);
void vg_plan_item(const struct vg_plan *plan, size_t index, struct vg_item *item);
/* Index of the item with this id ("<category>__<item id>", "<item id>" where only one category has it,
 * or a shard key); SIZE_MAX where there is none, SIZE_MAX - 1 where it is ambiguous. */
size_t vg_plan_find(const struct vg_plan *plan, const char *name);

/* <source_item_id>__<source_clip_id>__<curve>__<tier>__<direction>, appended. */
void vg_item_id(const struct vg_item *item, struct vg_text *out);
/* <category>__<item id>, appended: the paper's public name without extension. */
void vg_item_name(const struct vg_item *item, struct vg_text *out);
/* Key in a shard, appended: <category>-<hash> or, by the spec's choice, the paper's name made safe. */
void vg_item_key(const struct vg_item *item, struct vg_text *out);
/* Text that seeds every draw of this item, appended: "<seed>:<item id>", or without the direction, behind the
 * category, "<seed>:<category>__<source>__<clip>__<curve>__<tier>", where the engine lets pairs share. */
void vg_item_seed_text(const struct vg_item *item, struct vg_text *out);

#endif
