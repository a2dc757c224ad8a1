/* SPDX-License-Identifier: MIT */
/* Every rule a user can break: the tables of keys first, then what holds between keys.  Each check skips
 * what an earlier one has already reported as malformed, so that one slip gives one report. */
#include "loading.h"

#include <string.h>

/* ---- vocabulary ------------------------------------------------------------------------------------- */

const struct vg_engine_words *vg_engine_find(const struct vg_vocabulary *vocabulary, const char *name)
{
    for (size_t i = 0; i < vocabulary->engine_count; i++)
        if (strcmp(vocabulary->engines[i]->name, name) == 0)
            return vocabulary->engines[i];
    return NULL;
}

const struct vg_source_words *vg_source_find(const struct vg_vocabulary *vocabulary, const char *name)
{
    for (size_t i = 0; i < vocabulary->source_count; i++)
        if (strcmp(vocabulary->sources[i]->name, name) == 0)
            return vocabulary->sources[i];
    return NULL;
}

static const struct vg_category *find_category(const struct vg_engine_words *engine, const char *name)
{
    for (size_t i = 0; i < engine->category_count; i++)
        if (strcmp(engine->categories[i]->name, name) == 0)
            return engine->categories[i];
    return NULL;
}

const char **vg_map_keys(const struct vg_node *map, size_t *count, struct vg_arena *arena)
{
    size_t room = map != NULL && map->kind == VG_NODE_MAP ? map->count : 0;
    const char **keys = vg_arena_take(arena, room + 1, sizeof *keys);

    *count = 0;
    for (size_t i = 0; i < room; i++)
        if (!vg_node_is_null(map->entries[i].value))
            keys[(*count)++] = map->entries[i].key;
    return keys;
}

/* ---- lists of names --------------------------------------------------------------------------------- */

void vg_list_check_unique(const struct vg_node *list, const char *where, struct vg_error *err)
{
    if (list == NULL || list->kind != VG_NODE_LIST)
        return;
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++) {
            const char *one = vg_list_text(list, k), *other = vg_list_text(list, i);

            if (one == NULL || other == NULL || strcmp(one, other) != 0)
                continue;
            vg_node_fail(list->entries[i].value, err, "%s names %s twice; expected it once", where, other);
            break;
        }
}

static void check_tier_names(const struct vg_node *tiers, struct vg_error *err)
{
    for (size_t i = 0; tiers != NULL && tiers->kind == VG_NODE_LIST && i < tiers->count; i++) {
        const char *name = vg_list_text(tiers, i);

        if (name != NULL && name[0] != '\0' && !vg_is_part_name(name))
            vg_node_fail(tiers->entries[i].value, err, "tiers.%zu is %s; expected " VG_PART_NAME, i, name);
    }
}

/* ---- categories ------------------------------------------------------------------------------------- */

/* The categories of a spec under check. */
struct grid {
    struct vg_loading *l;
    const struct vg_engine_words *engine;
    const char **tiers; /* as `tiers` names them */
    size_t tier_count;
};

static bool is_tier(const struct grid *grid, const char *name)
{
    for (size_t i = 0; i < grid->tier_count; i++)
        if (strcmp(grid->tiers[i], name) == 0)
            return true;
    return false;
}

static void check_tiers(const struct grid *grid, const struct vg_category *words, const struct vg_node *tiers)
{
    struct vg_arena *arena = grid->l->arena;
    const struct vg_key_rule *rules = vg_rules_join(NULL, words->tier, VG_REQUIRED, arena);

    for (size_t i = 0; i < tiers->count; i++) {
        const struct vg_entry *entry = &tiers->entries[i];

        if (vg_node_is_null(entry->value))
            continue;
        if (!is_tier(grid, entry->key))
            vg_node_unknown(entry->key_node, grid->l->err, grid->tiers, grid->tier_count,
                            "%s.tiers.%s is no tier of this spec", words->name, entry->key);
        else
            vg_rules_check(entry->value, rules,
                           vg_arena_format(arena, "%s.tiers.%s", words->name, entry->key), grid->l->err);
    }
    for (size_t i = 0; i < grid->tier_count; i++)
        if (vg_node_find(tiers, grid->tiers[i]) == NULL)
            vg_node_fail(tiers, grid->l->err, "%s.tiers has no %s; expected a value for every one of tiers",
                         words->name, grid->tiers[i]);
}

static void check_category(const struct grid *grid, const struct vg_entry *entry)
{
    const struct vg_category *words = find_category(grid->engine, entry->key);
    const struct vg_node *tiers = vg_node_find(entry->value, "tiers");
    size_t before = grid->l->err->count;

    if (words == NULL) {
        const char **known = vg_arena_take(grid->l->arena, grid->engine->category_count + 1, sizeof *known);

        for (size_t i = 0; i < grid->engine->category_count; i++)
            known[i] = grid->engine->categories[i]->name;
        vg_node_unknown(entry->key_node, grid->l->err, known, grid->engine->category_count,
                        "engine %s has no category %s", grid->engine->name, entry->key);
        return;
    }
    vg_rules_check(entry->value, vg_rules_join(vg_category_keys, words->fixed, VG_REQUIRED, grid->l->arena),
                   words->name, grid->l->err);
    if (tiers != NULL && tiers->kind == VG_NODE_MAP)
        check_tiers(grid, words, tiers);
    if (words->check != NULL && grid->l->err->count == before) {
        vg_node_prune(entry->value);
        words->check(entry->value, grid->l->err);
    }
}

static void check_categories(struct vg_loading *l, const struct vg_engine_words *engine)
{
    const struct vg_node *categories = vg_node_find(l->root, "categories");
    const struct vg_node *tiers = vg_node_find(l->root, "tiers");
    struct grid grid = {.l = l, .engine = engine};
    size_t count;

    if (categories == NULL || categories->kind != VG_NODE_MAP || tiers == NULL || tiers->kind != VG_NODE_LIST)
        return;
    vg_map_keys(categories, &count, l->arena);
    if (count == 0)
        vg_node_fail(categories, l->err, "categories is empty; expected at least one acoustic category");
    grid.tiers = vg_arena_take(l->arena, tiers->count + 1, sizeof *grid.tiers);
    for (size_t i = 0; i < tiers->count; i++)
        if (vg_list_text(tiers, i) != NULL && vg_is_part_name(vg_list_text(tiers, i)))
            grid.tiers[grid.tier_count++] = vg_list_text(tiers, i);
    for (size_t i = 0; i < categories->count; i++)
        if (!vg_node_is_null(categories->entries[i].value))
            check_category(&grid, &categories->entries[i]);
}

/* ---- the whole -------------------------------------------------------------------------------------- */

static void check_engine(struct vg_loading *l)
{
    const struct vg_node *node = vg_node_find(l->root, "engine");
    const struct vg_node *trajectory = vg_node_find(l->root, "trajectory");
    const struct vg_vocabulary *vocabulary = l->vocabulary;
    const struct vg_engine_words *engine;

    if (node == NULL || node->kind != VG_NODE_SCALAR)
        return;
    engine = vg_engine_find(vocabulary, node->text);
    if (engine == NULL) {
        const char **known = vg_arena_take(l->arena, vocabulary->engine_count + 1, sizeof *known);

        for (size_t i = 0; i < vocabulary->engine_count; i++)
            known[i] = vocabulary->engines[i]->name;
        vg_node_unknown(node, l->err, known, vocabulary->engine_count, "there is no engine %s", node->text);
        return;
    }
    if (trajectory != NULL && trajectory->kind == VG_NODE_MAP)
        vg_rules_check(trajectory, vg_rules_join(NULL, engine->keys, VG_REQUIRED, l->arena), "trajectory",
                       l->err);
    check_categories(l, engine);
}

/* A kind of source may have a top-level map of its own. */
static const struct vg_key_rule *shared_keys(const struct vg_vocabulary *vocabulary, struct vg_arena *arena)
{
    struct vg_key_rule *keys = vg_arena_take_zero(arena, vocabulary->source_count + 1, sizeof *keys);
    size_t count = 0;

    for (size_t i = 0; i < vocabulary->source_count; i++)
        if (vocabulary->sources[i]->check_shared != NULL)
            keys[count++] = (struct vg_key_rule){
                .name = vocabulary->sources[i]->name, .type = VG_KEY_MAP, .meaning = "shared by its sources"};
    return keys;
}

static void check_vocabulary_maps(struct vg_loading *l)
{
    const struct vg_node *measure = vg_node_find(l->root, "measure");

    if (measure != NULL && measure->kind == VG_NODE_MAP && l->vocabulary->measure_keys != NULL)
        vg_rules_check(measure, l->vocabulary->measure_keys, "measure", l->err);
    for (size_t i = 0; i < l->vocabulary->source_count; i++) {
        const struct vg_source_words *words = l->vocabulary->sources[i];
        const struct vg_entry *shared = vg_map_entry(l->root, words->name);

        if (words->check_shared == NULL || shared == NULL || shared->value->kind != VG_NODE_MAP)
            continue;
        vg_node_prune(shared->value);
        words->check_shared(shared->value, l->err);
    }
}

/* Rules that nothing would follow. */
static void check_span(struct vg_loading *l)
{
    static const char *const keys[] = {"doubtful_span", "on_doubtful_span"};
    const struct vg_node *span = vg_node_find(l->root, "span");
    bool paper = span != NULL ? span->text != NULL && strcmp(span->text, "paper") == 0
                              : vg_node_find(l->root, "detector") != NULL;

    for (size_t i = 0; paper && i < sizeof keys / sizeof *keys; i++)
        if (vg_node_find(l->root, keys[i]) != NULL)
            vg_node_fail(vg_node_find(l->root, keys[i]), l->err,
                         "%s is about the robust detector; say `span: robust`, or leave it out", keys[i]);
}

void vg_spec_check(struct vg_loading *l)
{
    static const char *const sets[] = {"tiers", "curves", "directions", "only_sources"};

    vg_rules_check(l->root, vg_rules_join(vg_spec_keys, shared_keys(l->vocabulary, l->arena), 0, l->arena),
                   "", l->err);
    vg_texts_check(l);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        vg_list_check_unique(vg_node_find(l->root, sets[i]), sets[i], l->err);
    check_tier_names(vg_node_find(l->root, "tiers"), l->err);
    check_span(l);
    check_engine(l);
    check_vocabulary_maps(l);
    vg_splits_check(l);
}
