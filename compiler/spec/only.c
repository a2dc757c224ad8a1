/* SPDX-License-Identifier: MIT */
/* --only KEY=VALUE[,VALUE][,KEY=VALUE...]: the values are checked against the tree, then the resolved spec is
 * narrowed. The same key given twice means both; the order of what stays is the spec's. */
#include "loading.h"

#include <string.h>

enum axis { SPLIT, CATEGORY, TIER, CURVE, DIRECTION, SOURCE, AXES };
static const char *const axis_names[AXES] = {"split", "category", "tier", "curve", "direction", "source"};

struct words {
    const char **at;
    size_t count;
};
struct vg_only {
    struct words keep[AXES];     /* none: everything */
    struct vg_node *first[AXES]; /* place of the first value */
};

static bool holds(const struct words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->at[i], word) == 0)
            return true;
    return false;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

/* What may follow an axis: keys of a map or texts of a list of the spec. */
static struct words known_words(struct vg_loading *l, enum axis axis)
{
    static const char *const keys[AXES] = {"splits", "categories", "tiers",
                                           "curves", "directions", "only_sources"};
    const struct vg_node *node = vg_node_find(l->root, keys[axis]);
    struct words known = {NULL, 0};

    if (node != NULL && node->kind == VG_NODE_LIST) {
        known.at = vg_arena_take(l->arena, node->count + 1, sizeof *known.at);
        for (size_t i = 0; i < node->count; i++)
            if (vg_list_text(node, i) != NULL)
                known.at[known.count++] = vg_list_text(node, i);
    } else {
        known.at = vg_map_keys(node, &known.count, l->arena);
    }
    return known;
}

static void read_value(struct vg_loading *l, struct vg_only *only, enum axis axis, struct vg_node *value)
{
    struct words known = known_words(l, axis), *keep = &only->keep[axis];
    const char **longer;

    if (value->text[0] == '\0') {
        vg_node_fail(value, l->err, "a %s is missing here; expected %s=VALUE[,VALUE]", axis_names[axis],
                     axis_names[axis]);
        return;
    }
    /* A source table is not read here; the plan checks the ids. */
    if (!holds(&known, value->text) && (axis != SOURCE || known.count > 0))
        vg_node_unknown(value, l->err, known.at, known.count, "the spec has no %s %s", axis_names[axis],
                        value->text);
    longer = vg_arena_take(l->arena, keep->count + 1, sizeof *longer);
    if (keep->count > 0)
        memcpy(longer, keep->at, keep->count * sizeof *longer);
    longer[keep->count++] = value->text;
    keep->at = longer;
    if (only->first[axis] == NULL)
        only->first[axis] = value;
}

static struct vg_node *part_of(struct vg_loading *l, const struct vg_origin *at, const char *text,
                               size_t length)
{
    struct vg_node *node = vg_node_make(VG_NODE_SCALAR, at, l->arena);

    node->text = vg_arena_text_part(l->arena, text, length);
    return node;
}

/* The axis that the part before a = names, or AXES. */
static enum axis axis_of(const char *part, size_t length)
{
    enum axis axis = SPLIT;

    while (axis < AXES && (strlen(axis_names[axis]) != length || memcmp(axis_names[axis], part, length) != 0))
        axis++;
    return axis;
}

static unsigned columns_of(const char *text, size_t length)
{
    unsigned columns = 0;

    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

static void fail_axis(struct vg_loading *l, const struct vg_origin *at, const char *part)
{
    size_t length = strcspn(part, "=,");
    struct vg_node *key = part_of(l, at, part, length);

    if (axis_of(part, length) == AXES)
        vg_node_unknown(key, l->err, axis_names, AXES, "there is nothing called %s to choose by", key->text);
    else
        vg_node_fail(key, l->err, "found no =; expected %s=VALUE[,VALUE]", key->text);
}

/* KEY=VALUE[,VALUE][,KEY=VALUE...]: a part that starts with a known KEY= turns to that key. */
static void read_argument(struct vg_loading *l, struct vg_only *only, const char *argument,
                          struct vg_origin at)
{
    enum axis axis = AXES;

    if (!vg_text_is_utf8(argument, strlen(argument))) {
        vg_node_fail(part_of(l, &at, "", 0), l->err, "is no UTF-8; expected KEY=VALUE[,VALUE]");
        return;
    }
    for (const char *part = argument;;) {
        size_t length = strcspn(part, ","), key = strcspn(part, "=,");

        if (part[key] == '=' && axis_of(part, key) != AXES) {
            axis = axis_of(part, key);
            at.column += (unsigned)key + 1;
            part += key + 1;
            length -= key + 1;
        }
        if (axis == AXES) {
            fail_axis(l, &at, part);
            return;
        }
        read_value(l, only, axis, part_of(l, &at, part, length));
        if (part[length] == '\0')
            return;
        at.column += columns_of(part, length) + 1;
        part += length + 1;
    }
}

struct vg_only *vg_only_read(struct vg_loading *l)
{
    struct vg_only *only = vg_arena_take_zero(l->arena, 1, sizeof *only);
    struct vg_origin at = vg_argument_place("--only", l->options->only, l->options->only_count, l->arena);

    for (size_t i = 0; i < l->options->only_count; i++) {
        at.line = (unsigned)i + 1;
        read_argument(l, only, l->options->only[i], at);
    }
    return only;
}

/* ---- narrowing -------------------------------------------------------------------------------------- */

static bool keeps(const struct vg_only *only, enum axis axis, const char *word)
{
    return only->keep[axis].count == 0 || holds(&only->keep[axis], word);
}

static void narrow_tiers(struct vg_spec *spec, const struct vg_only *only)
{
    size_t kept = 0;

    for (size_t t = 0; t < spec->tier_count; t++) {
        if (!keeps(only, TIER, spec->tiers[t]))
            continue;
        spec->tiers[kept] = spec->tiers[t];
        for (size_t c = 0; c < spec->category_count; c++)
            spec->categories[c].tiers[kept] = spec->categories[c].tiers[t];
        kept++;
    }
    spec->tier_count = kept;
}

static void narrow_moves(struct vg_spec *spec, const struct vg_only *only)
{
    size_t curves = 0, directions = 0;

    for (size_t i = 0; i < spec->curve_count; i++)
        if (keeps(only, CURVE, vg_curve_names[spec->curves[i]]))
            spec->curves[curves++] = spec->curves[i];
    spec->curve_count = curves;
    for (size_t i = 0; i < spec->direction_count; i++)
        if (keeps(only, DIRECTION, vg_direction_names[spec->directions[i]]))
            spec->directions[directions++] = spec->directions[i];
    spec->direction_count = directions;
}

/* Splits that are named and still have a category. */
static void narrow_splits(struct vg_spec *spec, const struct vg_only *only)
{
    size_t kept = 0;

    for (size_t s = 0; s < spec->split_count; s++) {
        struct vg_spec_split split = spec->splits[s];
        size_t categories = 0;

        for (size_t i = 0; i < split.category_count; i++)
            if (keeps(only, CATEGORY, spec->categories[split.categories[i]].words->name))
                split.categories[categories++] = split.categories[i];
        split.category_count = categories;
        if (categories > 0 && keeps(only, SPLIT, split.name))
            spec->splits[kept++] = split;
    }
    spec->split_count = kept;
}

/* Categories that no split uses any more go, and the indices of the others move up. */
static void narrow_categories(struct vg_spec *spec)
{
    size_t kept = 0;

    for (size_t c = 0; c < spec->category_count; c++) {
        bool used = false;

        for (size_t s = 0; s < spec->split_count; s++)
            for (size_t i = 0; i < spec->splits[s].category_count; i++)
                if (spec->splits[s].categories[i] == c) {
                    spec->splits[s].categories[i] = kept;
                    used = true;
                }
        if (used)
            spec->categories[kept++] = spec->categories[c];
    }
    spec->category_count = kept;
}

void vg_only_apply(struct vg_loading *l, const struct vg_only *only)
{
    struct vg_spec *spec = l->spec;
    const struct vg_node *place = only->first[CATEGORY] != NULL ? only->first[CATEGORY] : only->first[SPLIT];

    narrow_tiers(spec, only);
    narrow_moves(spec, only);
    narrow_splits(spec, only);
    if (spec->split_count == 0) {
        vg_node_fail(place, l->err, "leaves nothing: no split that is kept has a category that is kept");
        return;
    }
    narrow_categories(spec);
    if (only->keep[SOURCE].count > 0) {
        spec->only_sources = only->keep[SOURCE].at;
        spec->only_source_count = only->keep[SOURCE].count;
    }
}
