/* SPDX-License-Identifier: MIT */
/* Expansion: a plan is a list of blocks (one per split and category), each a product of sources, tiers,
 * curves and directions; an item is found from its index by division, so nothing is stored per item. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

static bool wanted(const struct vg_spec *spec, const struct vg_source *source)
{
    if (source->left_out != NULL)
        return false;
    if (spec->only_sources == NULL)
        return true;
    for (size_t i = 0; i < spec->only_source_count; i++)
        if (strcmp(spec->only_sources[i], source->id) == 0)
            return true;
    return false;
}

static int compare_sources(const void *a, const void *b)
{
    const struct vg_source *const *x = a, *const *y = b;
    int order = strcmp((*x)->id, (*y)->id);

    return order != 0 ? order : (*x < *y ? -1 : *x > *y);
}

/* Item ids start with the source's id, so no two sources may share one. */
static void check_duplicates(const struct vg_source_list *sources, struct vg_arena *arena,
                             struct vg_error *err)
{
    const struct vg_source **sorted = vg_arena_take(arena, sources->count + 1, sizeof(struct vg_source *));
    size_t count = 0;

    for (size_t i = 0; i < sources->count; i++)
        if (sources->at[i].left_out == NULL)
            sorted[count++] = &sources->at[i];
    qsort(sorted, count, sizeof *sorted, compare_sources); /* no equals: the place decides */
    for (size_t i = 1; i < count; i++)
        if (strcmp(sorted[i]->id, sorted[i - 1]->id) == 0)
            vg_fail(err, VG_SPEC, sorted[i]->place,
                    "source id \"%s\" is already taken at %s; expected ids unique "
                    "within the release",
                    sorted[i]->id, sorted[i - 1]->place);
}

static void check_only(const struct vg_spec *spec, const struct vg_source_list *sources,
                       struct vg_arena *arena, struct vg_error *err)
{
    const char **ids = vg_arena_take(arena, sources->count + 1, sizeof *ids);

    for (size_t i = 0; i < sources->count; i++)
        ids[i] = sources->at[i].id;
    for (size_t k = 0; k < spec->only_source_count; k++) {
        const char *asked = spec->only_sources[k], *near = NULL;
        bool found = false;

        for (size_t i = 0; i < sources->count && !found; i++)
            found = strcmp(ids[i], asked) == 0;
        if (found)
            continue;
        near = vg_nearest(asked, ids, sources->count);
        vg_fail(err, VG_SPEC, "--only", "no source has the id \"%s\"%s%s%s", asked,
                near != NULL ? "; did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"?" : "");
    }
}

static size_t *sources_of_split(const struct vg_spec *spec, const struct vg_source_list *sources,
                                size_t split, size_t *count, struct vg_arena *arena)
{
    size_t *indices = vg_arena_take(arena, sources->count + 1, sizeof *indices);

    *count = 0;
    for (size_t i = 0; i < sources->count; i++)
        if (sources->at[i].split == split && wanted(spec, &sources->at[i]))
            indices[(*count)++] = i;
    return indices;
}

static void add_blocks(struct vg_plan *plan, size_t split, struct vg_arena *arena)
{
    const struct vg_spec_split *words = &plan->spec->splits[split];
    size_t count;
    size_t *sources = sources_of_split(plan->spec, plan->sources, split, &count, arena);

    for (size_t c = 0; c < words->category_count && count > 0; c++) {
        plan->blocks[plan->block_count++] =
            (struct vg_block){split, words->categories[c], plan->item_count, sources, count};
        plan->item_count += count * plan->items_per_source;
    }
}

int vg_plan_make(struct vg_plan *plan, const struct vg_spec *spec, const struct vg_source_list *sources,
                 struct vg_arena *arena, struct vg_error *err)
{
    size_t room = 0, known = err->count;

    *plan = (struct vg_plan){.spec = spec, .sources = sources};
    plan->items_per_source = spec->tier_count * spec->curve_count * spec->direction_count;
    check_duplicates(sources, arena, err);
    check_only(spec, sources, arena, err);
    for (size_t s = 0; s < spec->split_count; s++)
        room += spec->splits[s].category_count;
    plan->blocks = vg_arena_take(arena, room + 1, sizeof *plan->blocks);
    for (size_t s = 0; s < spec->split_count; s++)
        add_blocks(plan, s, arena);
    if (plan->item_count == 0 && err->count == known)
        return vg_fail(err, VG_SPEC, spec->path,
                       "no item is left; expected at least one source in a split after --only");
    return err->count > known ? VG_SPEC : VG_OK;
}

static const struct vg_block *block_of(const struct vg_plan *plan, size_t index)
{
    size_t low = 0, high = plan->block_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (plan->blocks[middle].first_item <= index)
            low = middle;
        else
            high = middle;
    }
    return &plan->blocks[low];
}

void vg_plan_item(const struct vg_plan *plan, size_t index, struct vg_item *item)
{
    const struct vg_spec *spec = plan->spec;
    const struct vg_block *block = block_of(plan, index);
    size_t rest = index - block->first_item;

    vg_check(index < plan->item_count);
    item->index = index;
    item->spec = spec;
    item->split = &spec->splits[block->split];
    item->category = &spec->categories[block->category];
    item->direction = spec->directions[rest % spec->direction_count];
    rest /= spec->direction_count;
    item->curve = spec->curves[rest % spec->curve_count];
    rest /= spec->curve_count;
    item->tier = rest % spec->tier_count;
    item->source_index = block->sources[rest / spec->tier_count];
    item->source = &plan->sources->at[item->source_index];
    item->values = item->category->tiers[item->tier];
    item->fixed = item->category->fixed;
    item->label = spec->labels[item->direction];
}
