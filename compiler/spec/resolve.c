/* SPDX-License-Identifier: MIT */
/* From a checked tree to struct vg_spec: names become indices, numbers become numbers, defaults are filled
 * in, and an override shows in the version. */
#include "loading.h"

#include <string.h>

static size_t index_of(const char *word, const char *const *words, size_t count)
{
    size_t i = 0;

    while (i < count && strcmp(words[i], word) != 0)
        i++;
    vg_check(i < count); /* the check lets no other word through */
    return i;
}

static const char **texts_of(const struct vg_node *list, size_t *count, struct vg_arena *arena)
{
    const char **texts;

    *count = 0;
    if (list == NULL)
        return NULL;
    texts = vg_arena_take(arena, list->count + 1, sizeof *texts);
    for (size_t i = 0; i < list->count; i++)
        texts[(*count)++] = vg_list_text(list, i);
    return texts;
}

/* A number is itself; a choice is its place among the choices. */
static double value_of(const struct vg_node *node, const struct vg_key_rule *rule)
{
    double value = 0;

    if (rule->type == VG_KEY_CHOICE)
        return (double)vg_choice_find(node->text, rule->choices);
    vg_check(vg_node_is_number(node, &value));
    return value;
}

static struct vg_value *values_of(const struct vg_node *map, const struct vg_key_rule *rules,
                                  struct vg_arena *arena)
{
    size_t count = vg_rules_count(rules);
    struct vg_value *values = vg_arena_take_zero(arena, count + 1, sizeof *values);

    for (size_t r = 0; r < count; r++) {
        const struct vg_node *node = vg_node_find(map, rules[r].name);
        size_t items = node->kind == VG_NODE_LIST ? node->count : 1;
        double *at = vg_arena_take(arena, items, sizeof *at);

        for (size_t i = 0; i < items; i++)
            at[i] = value_of(node->kind == VG_NODE_LIST ? node->entries[i].value : node, &rules[r]);
        values[r] = (struct vg_value){at, items};
    }
    return values;
}

/* ---- categories and splits -------------------------------------------------------------------------- */

static const char *fill_prompt(const char *prompt, const char *attribute, struct vg_arena *arena)
{
    static const char placeholder[] = "{attribute}";
    struct vg_text filled = {0};
    const char *at, *kept;

    while ((at = strstr(prompt, placeholder)) != NULL) {
        vg_text_add_part(&filled, prompt, (size_t)(at - prompt));
        vg_text_add(&filled, attribute);
        prompt = at + sizeof placeholder - 1;
    }
    vg_text_add(&filled, prompt);
    kept = vg_arena_text(arena, filled.data);
    vg_text_release(&filled);
    return kept;
}

/* "speaking_speed" as "speaking speed". */
static const char *spaced(const char *name, struct vg_arena *arena)
{
    char *copy = vg_arena_text(arena, name);

    for (char *c = copy; *c != '\0'; c++)
        *c = *c == '_' ? ' ' : *c;
    return copy;
}

static void resolve_category(struct vg_loading *l, const struct vg_category *words, const struct vg_node *map)
{
    struct vg_spec_category *category = &l->spec->categories[l->spec->category_count++];
    const struct vg_node *tiers = vg_node_find(map, "tiers");

    category->words = words;
    category->attribute = vg_node_text(map, "attribute", spaced(words->name, l->arena));
    category->prompt = fill_prompt(vg_node_text(l->root, "prompt", ""), category->attribute, l->arena);
    category->fixed = values_of(map, words->fixed, l->arena);
    for (size_t t = 0; t < l->spec->tier_count; t++)
        category->tiers[t] = values_of(vg_node_find(tiers, l->spec->tiers[t]), words->tier, l->arena);
}

static bool is_used(const struct vg_node *splits, const char *category)
{
    for (size_t s = 0; s < splits->count; s++)
        if (vg_split_uses(splits->entries[s].value, category))
            return true;
    return false;
}

static void resolve_categories(struct vg_loading *l)
{
    const struct vg_engine_words *engine = l->spec->engine;
    const struct vg_node *maps = vg_node_find(l->root, "categories"),
                         *splits = vg_node_find(l->root, "splits");

    l->spec->categories =
        vg_arena_take_zero(l->arena, engine->category_count + 1, sizeof *l->spec->categories);
    for (size_t i = 0; i < engine->category_count; i++) {
        const char *name = engine->categories[i]->name;

        if (vg_node_find(maps, name) != NULL && is_used(splits, name))
            resolve_category(l, engine->categories[i], vg_node_find(maps, name));
    }
}

static void resolve_split(struct vg_loading *l, const struct vg_entry *entry)
{
    struct vg_spec *spec = l->spec;
    struct vg_spec_split *split = &spec->splits[spec->split_count++];
    const struct vg_node *sources = vg_node_find(entry->value, "sources");

    split->name = entry->key;
    split->node = entry->value;
    split->categories = vg_arena_take(l->arena, spec->category_count + 1, sizeof *split->categories);
    for (size_t c = 0; c < spec->category_count; c++)
        if (vg_split_uses(entry->value, spec->categories[c].words->name))
            split->categories[split->category_count++] = c;
    split->sources = vg_arena_take_zero(l->arena, sources->count + 1, sizeof *split->sources);
    for (size_t i = 0; i < sources->count; i++) {
        const struct vg_node *source = sources->entries[i].value;

        split->sources[split->source_count++] =
            (struct vg_spec_source){vg_source_find(l->vocabulary, vg_node_text(source, "kind", "")), source};
    }
}

/* ---- the rest --------------------------------------------------------------------------------------- */

static void resolve_grid(struct vg_loading *l)
{
    struct vg_spec *spec = l->spec;
    const struct vg_node *curves = vg_node_find(l->root, "curves"), *labels = vg_node_find(l->root, "labels");
    const struct vg_node *directions = vg_node_find(l->root, "directions");

    spec->tiers = texts_of(vg_node_find(l->root, "tiers"), &spec->tier_count, l->arena);
    for (size_t i = 0; i < curves->count; i++)
        spec->curves[spec->curve_count++] =
            (enum vg_curve)index_of(vg_list_text(curves, i), vg_curve_names, VG_CURVES);
    for (size_t i = 0; i < directions->count; i++)
        spec->directions[spec->direction_count++] =
            (enum vg_direction)index_of(vg_list_text(directions, i), vg_direction_names, VG_DIRECTIONS);
    for (size_t i = 0; i < VG_DIRECTIONS; i++)
        spec->labels[i] = vg_node_text(labels, vg_direction_names[i], "");
    spec->jump_at = vg_node_number(l->root, "jump_at", 0);
}

const char *const vg_policy_names[4] = {
    [VG_POLICY_FAIL] = "fail",
    [VG_POLICY_SKIP] = "skip",
    [VG_POLICY_EXCLUDE] = "exclude",
    [VG_POLICY_FLAG] = "flag",
};

static enum vg_policy policy_of(const struct vg_node *root, const char *key, enum vg_policy fallback)
{
    return (enum vg_policy)index_of(vg_node_text(root, key, vg_policy_names[fallback]), vg_policy_names, 4);
}

static void resolve_pack(struct vg_loading *l)
{
    const struct vg_node *pack = vg_node_find(l->root, "pack");
    struct vg_spec *spec = l->spec;

    spec->on_bad_source = policy_of(l->root, "on_bad_source", VG_POLICY_FAIL);
    spec->on_label = policy_of(l->root, "on_label", VG_POLICY_FAIL);
    spec->on_below_jnd = policy_of(l->root, "on_below_jnd", VG_POLICY_FLAG);
    spec->pack.shard_bytes = vg_node_integer(pack, "shard_bytes", 268435456);
    spec->pack.shard_suffix = vg_node_text(pack, "shard_suffix", ".tar.flac");
    spec->pack.opaque_keys = strcmp(vg_node_text(pack, "keys", "opaque"), "opaque") == 0;
    spec->pack.compact = strcmp(vg_node_text(pack, "flac_profile", "stable"), "compact") == 0;
}

/* Where the sources lie on this machine is no part of the release. */
static bool is_machine_override(const char *argument)
{
    return strncmp(argument, "root=", 5) == 0 || strncmp(argument, "source_pack=", 12) == 0;
}

/* A spec with numbers for the paper's detector means it unless it says otherwise. */
static void resolve_span(struct vg_loading *l)
{
    static const double usual[VG_DOUBTS] = {
        [VG_DOUBT_CONFIDENCE] = 0.3, [VG_DOUBT_SHARE] = 0.15, [VG_DOUBT_PAUSE] = 1.0,
        [VG_DOUBT_VOICED] = 0.1,     [VG_DOUBT_LEVEL] = -50,  [VG_DOUBT_CLIPPED] = 0.002,
        [VG_DOUBT_DC] = 0.01};
    const struct vg_node *map = vg_node_find(l->root, "doubtful_span");
    const char *usual_span = vg_node_find(l->root, "detector") != NULL ? "paper" : "robust";

    l->spec->robust_span = strcmp(vg_node_text(l->root, "span", usual_span), "robust") == 0;
    for (size_t i = 0; i < VG_DOUBTS; i++)
        l->spec->doubts[i] = vg_node_number(map, vg_doubt_keys[i].name, usual[i]);
    l->spec->refuse_doubtful = strcmp(vg_node_text(l->root, "on_doubtful_span", "flag"), "refuse") == 0;
}

static void resolve_overrides(struct vg_loading *l)
{
    const struct vg_spec_options *options = l->options;
    struct vg_spec *spec = l->spec;
    struct vg_text text = {0};
    char hex[VG_DIGEST_HEX];

    spec->overrides =
        vg_arena_take(l->arena, options->set_count + options->only_count + 1, sizeof *spec->overrides);
    for (size_t i = 0; i < options->set_count; i++) {
        if (is_machine_override(options->set[i]))
            continue;
        spec->overrides[spec->override_count++] = vg_arena_format(l->arena, "--set %s", options->set[i]);
        vg_text_addf(&text, "%s\n", options->set[i]);
    }
    for (size_t i = 0; i < options->only_count; i++)
        spec->overrides[spec->override_count++] = vg_arena_format(l->arena, "--only %s", options->only[i]);
    if (text.length > 0) {
        vg_digest_of(VG_XXH128, text.data, text.length, hex);
        spec->version = vg_arena_format(l->arena, "%s%clocal.%.8s", spec->version,
                                        strchr(spec->version, '+') != NULL ? '.' : '+', hex);
    }
    vg_text_release(&text);
}

void vg_spec_resolve(struct vg_loading *l)
{
    struct vg_spec *spec = l->spec;
    const struct vg_node *splits;

    vg_node_prune(l->root);
    splits = vg_node_find(l->root, "splits");
    spec->root = l->root;
    spec->name = vg_node_text(l->root, "name", "");
    spec->version = vg_node_text(l->root, "version", "");
    spec->description = vg_node_text(l->root, "description", "");
    spec->license = vg_node_text(l->root, "license", "");
    spec->seed = vg_node_text(l->root, "seed", "");
    spec->engine = vg_engine_find(l->vocabulary, vg_node_text(l->root, "engine", ""));
    spec->trajectory = values_of(vg_node_find(l->root, "trajectory"), spec->engine->keys, l->arena);
    spec->only_sources = texts_of(vg_node_find(l->root, "only_sources"), &spec->only_source_count, l->arena);
    resolve_grid(l);
    resolve_categories(l);
    spec->splits = vg_arena_take_zero(l->arena, splits->count + 1, sizeof *spec->splits);
    for (size_t i = 0; i < splits->count; i++)
        resolve_split(l, &splits->entries[i]);
    resolve_pack(l);
    resolve_span(l);
    resolve_overrides(l);
}
