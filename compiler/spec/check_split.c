/* SPDX-License-Identifier: MIT */
/* Splits and their sources, and what the sample rates that the spec itself states allow. */
#include "loading.h"

#include <string.h>

/* ---- sources ---------------------------------------------------------------------------------------- */

static const struct vg_source_words *kind_of(struct vg_loading *l, const struct vg_node *entry,
                                             const char *where)
{
    const struct vg_node *kind = vg_node_find(entry, "kind");
    const struct vg_vocabulary *vocabulary = l->vocabulary;
    const struct vg_source_words *words = NULL;
    const char **known = vg_arena_take(l->arena, vocabulary->source_count + 1, sizeof *known);

    for (size_t i = 0; i < vocabulary->source_count; i++)
        known[i] = vocabulary->sources[i]->name;
    if (kind != NULL && kind->kind == VG_NODE_SCALAR)
        words = vg_source_find(vocabulary, kind->text);
    if (kind == NULL)
        vg_node_unknown(entry, l->err, known, vocabulary->source_count, "%s has no kind", where);
    else if (words == NULL)
        vg_node_unknown(kind, l->err, known, vocabulary->source_count, "%s.kind is %s; there is no such kind",
                        where, kind->kind == VG_NODE_SCALAR ? kind->text : "no word");
    return words;
}

const struct vg_key_rule *vg_source_rules(const struct vg_source_words *words, struct vg_arena *arena)
{
    static const struct vg_key_rule kind[] = {
        {"kind", VG_KEY_TEXT, VG_REQUIRED, 0, 0, NULL, NULL, "kind of source"},
        {0},
    };

    return vg_rules_join(kind, words->keys, 0, arena);
}

static void check_source(struct vg_loading *l, struct vg_node *entry, const char *where)
{
    const struct vg_source_words *words;
    size_t before = l->err->count;

    if (entry->kind != VG_NODE_MAP) {
        vg_node_fail(entry, l->err, "%s is no map; expected kind and what belongs to it", where);
        return;
    }
    words = kind_of(l, entry, where);
    if (words == NULL)
        return;
    vg_rules_check(entry, vg_source_rules(words, l->arena), where, l->err);
    if (words->check != NULL && l->err->count == before) {
        vg_node_prune(entry);
        words->check(entry, l->err);
    }
}

/* ---- splits ----------------------------------------------------------------------------------------- */

static void check_split_categories(struct vg_loading *l, const struct vg_node *list, const char *where)
{
    size_t count;
    const char **known = vg_map_keys(vg_node_find(l->root, "categories"), &count, l->arena);

    vg_list_check_unique(list, where, l->err);
    for (size_t i = 0; i < list->count; i++) {
        const char *name = vg_list_text(list, i);
        size_t k = 0;

        while (name != NULL && k < count && strcmp(known[k], name) != 0)
            k++;
        if (name != NULL && k == count)
            vg_node_unknown(list->entries[i].value, l->err, known, count,
                            "%s.%zu is %s; categories has no such key", where, i, name);
    }
}

static void check_split(struct vg_loading *l, const struct vg_entry *entry)
{
    const char *where = vg_arena_format(l->arena, "splits.%s", entry->key);
    const struct vg_node *sources = vg_node_find(entry->value, "sources");
    const struct vg_node *categories = vg_node_find(entry->value, "categories");

    if (!vg_is_part_name(entry->key))
        vg_node_fail(entry->key_node, l->err, "a split is called %s; expected " VG_PART_NAME, entry->key);
    vg_rules_check(entry->value, vg_split_keys, where, l->err);
    if (categories != NULL && categories->kind == VG_NODE_LIST)
        check_split_categories(l, categories, vg_arena_format(l->arena, "%s.categories", where));
    for (size_t i = 0; sources != NULL && sources->kind == VG_NODE_LIST && i < sources->count; i++)
        check_source(l, sources->entries[i].value, vg_arena_format(l->arena, "%s.sources.%zu", where, i));
}

/* ---- sample rates ----------------------------------------------------------------------------------- */

bool vg_split_uses(const struct vg_node *split, const char *category)
{
    const struct vg_node *list = vg_node_find(split, "categories");

    if (list == NULL)
        return true; /* all there are */
    for (size_t i = 0; list->kind == VG_NODE_LIST && i < list->count; i++) {
        const char *name = vg_list_text(list, i);

        if (name != NULL && strcmp(name, category) == 0)
            return true;
    }
    return false;
}

/* The lowest rate that a source of a split using this category states; 0 where none does. */
static double lowest_rate(const struct vg_node *splits, const char *category)
{
    double lowest = 0, rate;

    for (size_t s = 0; s < splits->count; s++) {
        const struct vg_node *split = splits->entries[s].value;
        const struct vg_node *sources = vg_node_find(split, "sources");

        if (sources == NULL || sources->kind != VG_NODE_LIST || !vg_split_uses(split, category))
            continue;
        for (size_t i = 0; i < sources->count; i++) {
            const struct vg_node *node = vg_node_find(sources->entries[i].value, "sample_rate_hz");

            if (node != NULL && vg_node_is_number(node, &rate) && rate > 0 && (lowest == 0 || rate < lowest))
                lowest = rate;
        }
    }
    return lowest;
}

static void check_frequency(const struct vg_node *node, double rate_hz, const char *path,
                            struct vg_error *err)
{
    struct vg_text found = {0};
    double value;

    if (!vg_node_is_number(node, &value) || value <= rate_hz / 2)
        return;
    vg_node_show(node, &found);
    vg_text_add(&found, "; a ");
    vg_text_add_double(&found, rate_hz);
    vg_text_add(&found, " Hz source ends at ");
    vg_text_add_double(&found, rate_hz / 2);
    vg_node_fail(node, err, "%s is %s", path, found.data);
    vg_text_release(&found);
}

static void check_frequencies(const struct vg_node *map, const struct vg_key_rule *rules, double rate_hz,
                              const char *where, struct vg_loading *l)
{
    for (; rules != NULL && rules->name != NULL; rules++) {
        const struct vg_node *node = vg_node_find(map, rules->name);
        const char *path = vg_arena_format(l->arena, "%s.%s", where, rules->name);

        if (node == NULL || (rules->flags & VG_UP_TO_NYQUIST) == 0)
            continue;
        check_frequency(node, rate_hz, path, l->err);
        for (size_t i = 0; node->kind == VG_NODE_LIST && i < node->count; i++)
            check_frequency(node->entries[i].value, rate_hz, vg_arena_format(l->arena, "%s.%zu", path, i),
                            l->err);
    }
}

static void check_category_rates(struct vg_loading *l, const struct vg_category *words,
                                 const struct vg_node *map, const struct vg_node *splits)
{
    const struct vg_node *tiers = vg_node_find(map, "tiers");
    double rate_hz = lowest_rate(splits, words->name);

    if (map == NULL || rate_hz == 0)
        return;
    check_frequencies(map, words->fixed, rate_hz, words->name, l);
    for (size_t i = 0; tiers != NULL && tiers->kind == VG_NODE_MAP && i < tiers->count; i++)
        check_frequencies(tiers->entries[i].value, words->tier, rate_hz,
                          vg_arena_format(l->arena, "%s.tiers.%s", words->name, tiers->entries[i].key), l);
}

/* A source's own frequencies against its own rate. */
static void check_source_rates(struct vg_loading *l, const struct vg_node *split, const char *name)
{
    const struct vg_node *sources = vg_node_find(split, "sources");

    for (size_t i = 0; sources != NULL && sources->kind == VG_NODE_LIST && i < sources->count; i++) {
        const struct vg_node *entry = sources->entries[i].value;
        const struct vg_node *kind = vg_node_find(entry, "kind"),
                             *rate = vg_node_find(entry, "sample_rate_hz");
        const struct vg_source_words *words =
            kind != NULL && kind->kind == VG_NODE_SCALAR ? vg_source_find(l->vocabulary, kind->text) : NULL;
        double rate_hz;

        if (words != NULL && rate != NULL && vg_node_is_number(rate, &rate_hz) && rate_hz > 0)
            check_frequencies(entry, words->keys, rate_hz,
                              vg_arena_format(l->arena, "splits.%s.sources.%zu", name, i), l);
    }
}

void vg_splits_check(struct vg_loading *l)
{
    const struct vg_node *splits = vg_node_find(l->root, "splits"), *engine = vg_node_find(l->root, "engine");
    const struct vg_node *categories = vg_node_find(l->root, "categories");
    const struct vg_engine_words *words =
        engine != NULL && engine->kind == VG_NODE_SCALAR ? vg_engine_find(l->vocabulary, engine->text) : NULL;
    size_t count;

    vg_map_keys(splits, &count, l->arena);
    if (splits == NULL || splits->kind != VG_NODE_MAP)
        return;
    if (count == 0)
        vg_node_fail(splits, l->err, "splits is empty; expected at least one split with its sources");
    for (size_t i = 0; i < splits->count; i++) {
        if (vg_node_is_null(splits->entries[i].value))
            continue;
        check_split(l, &splits->entries[i]);
        check_source_rates(l, splits->entries[i].value, splits->entries[i].key);
    }
    for (size_t i = 0; words != NULL && i < words->category_count; i++)
        check_category_rates(l, words->categories[i], vg_node_find(categories, words->categories[i]->name),
                             splits);
}
