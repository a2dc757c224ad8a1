/* SPDX-License-Identifier: MIT */
/* The resolved spec as canonical YAML, section by section in a fixed order. */
#include "loading.h"

#include <inttypes.h>
#include <string.h>

static void add_text_line(struct vg_text *out, unsigned depth, const char *key, const char *text)
{
    vg_yaml_key(out, depth, key);
    vg_text_add_char(out, ' ');
    vg_yaml_word(out, text);
    vg_text_add_char(out, '\n');
}

static void add_words_line(struct vg_text *out, unsigned depth, const char *key, const char *const *words,
                           size_t count)
{
    vg_yaml_key(out, depth, key);
    vg_text_add_char(out, ' ');
    vg_yaml_words(out, words, count);
    vg_text_add_char(out, '\n');
}

static void add_value_lines(struct vg_text *out, const struct vg_value *values,
                            const struct vg_key_rule *rules, unsigned depth)
{
    for (size_t r = 0; rules != NULL && rules[r].name != NULL; r++) {
        vg_yaml_key(out, depth, rules[r].name);
        vg_text_add_char(out, ' ');
        vg_yaml_values(out, &values[r], &rules[r]);
        vg_text_add_char(out, '\n');
    }
}

static void add_grid(const struct vg_spec *spec, struct vg_text *out)
{
    const char *curves[VG_CURVES], *directions[VG_DIRECTIONS];

    for (size_t i = 0; i < spec->curve_count; i++)
        curves[i] = vg_curve_names[spec->curves[i]];
    for (size_t i = 0; i < spec->direction_count; i++)
        directions[i] = vg_direction_names[spec->directions[i]];
    vg_yaml_key(out, 0, "labels");
    vg_text_add_char(out, '\n');
    for (size_t i = 0; i < VG_DIRECTIONS; i++)
        add_text_line(out, 1, vg_direction_names[i], spec->labels[i]);
    add_words_line(out, 0, "tiers", spec->tiers, spec->tier_count);
    add_words_line(out, 0, "curves", curves, spec->curve_count);
    add_words_line(out, 0, "directions", directions, spec->direction_count);
    vg_yaml_key(out, 0, "jump_at");
    vg_text_add_char(out, ' ');
    vg_yaml_number(out, spec->jump_at);
    vg_text_add_char(out, '\n');
}

static void add_category(const struct vg_spec *spec, const struct vg_spec_category *category,
                         struct vg_text *out)
{
    const struct vg_key_rule *rules = category->words->tier;

    vg_yaml_key(out, 1, category->words->name);
    vg_text_add_char(out, '\n');
    add_text_line(out, 2, "attribute", category->attribute);
    add_value_lines(out, category->fixed, category->words->fixed, 2);
    vg_yaml_key(out, 2, "tiers");
    vg_text_add_char(out, '\n');
    for (size_t t = 0; t < spec->tier_count; t++) {
        vg_yaml_indent(out, 3);
        vg_yaml_word(out, spec->tiers[t]);
        vg_text_add(out, ": {");
        for (size_t r = 0; rules != NULL && rules[r].name != NULL; r++) {
            vg_text_addf(out, "%s%s: ", r > 0 ? ", " : "", rules[r].name);
            vg_yaml_values(out, &category->tiers[t][r], &rules[r]);
        }
        vg_text_add(out, "}\n");
    }
}

void vg_spec_source_write(const struct vg_spec_source *source, struct vg_text *out)
{
    vg_text_add(out, "      - kind: ");
    vg_yaml_word(out, source->words->name);
    vg_text_add_char(out, '\n');
    vg_yaml_map(out, source->entry, source->words->keys, 4);
}

static void add_split(const struct vg_spec *spec, const struct vg_spec_split *split, struct vg_text *out)
{
    vg_yaml_indent(out, 1);
    vg_yaml_word(out, split->name);
    vg_text_add(out, ":\n    categories: [");
    for (size_t i = 0; i < split->category_count; i++)
        vg_text_addf(out, "%s%s", i > 0 ? ", " : "", spec->categories[split->categories[i]].words->name);
    vg_text_add(out, "]\n    sources:\n");
    for (size_t i = 0; i < split->source_count; i++)
        vg_spec_source_write(&split->sources[i], out);
}

static void add_pack(const struct vg_spec *spec, struct vg_text *out)
{
    add_text_line(out, 0, "on_bad_source", vg_policy_names[spec->on_bad_source]);
    add_text_line(out, 0, "on_label", vg_policy_names[spec->on_label]);
    add_text_line(out, 0, "on_below_jnd", vg_policy_names[spec->on_below_jnd]);
    vg_yaml_key(out, 0, "pack");
    vg_text_addf(out, "\n  shard_bytes: %" PRId64 "\n", spec->pack.shard_bytes);
    add_text_line(out, 1, "shard_suffix", spec->pack.shard_suffix);
    add_text_line(out, 1, "keys", spec->pack.opaque_keys ? "opaque" : "paper");
    add_text_line(out, 1, "flac_profile", spec->pack.compact ? "compact" : "stable");
}

/* A map of the root, where there is one. */
static void add_root_map(struct vg_text *out, const struct vg_spec *spec, const char *key,
                         const struct vg_key_rule *keys)
{
    const struct vg_key_rule rule = {.type = VG_KEY_MAP, .keys = keys};
    const struct vg_node *node = vg_node_find(spec->root, key);

    if (node == NULL)
        return;
    vg_yaml_key(out, 0, key);
    vg_yaml_node(out, node, &rule, 0);
}

static const struct vg_key_rule *keys_of(const char *map)
{
    const struct vg_key_rule *rule = vg_spec_keys;

    while (strcmp(rule->name, map) != 0)
        rule++;
    return rule->keys;
}

/* The paper's detector is said by its numbers alone. */
static void add_span(const struct vg_spec *spec, struct vg_text *out)
{
    if (!spec->robust_span) {
        add_root_map(out, spec, "detector", keys_of("detector"));
        return;
    }
    add_text_line(out, 0, "span", "robust");
    vg_text_add(out, "doubtful_span:\n");
    for (size_t i = 0; i < VG_DOUBTS; i++) {
        vg_yaml_key(out, 1, vg_doubt_keys[i].name);
        vg_text_add_char(out, ' ');
        vg_yaml_number(out, spec->doubts[i]);
        vg_text_add_char(out, '\n');
    }
    add_text_line(out, 0, "on_doubtful_span", spec->refuse_doubtful ? "refuse" : "flag");
}

void vg_spec_write(const struct vg_spec *spec, struct vg_text *out)
{
    add_text_line(out, 0, "name", spec->name);
    add_text_line(out, 0, "version", spec->version);
    add_text_line(out, 0, "description", spec->description);
    add_text_line(out, 0, "license", spec->license);
    add_text_line(out, 0, "engine", spec->engine->name);
    add_text_line(out, 0, "seed", spec->seed);
    add_text_line(out, 0, "prompt", vg_node_text(spec->root, "prompt", ""));
    add_grid(spec, out);
    vg_yaml_key(out, 0, "trajectory");
    vg_text_add(out, vg_rules_count(spec->engine->keys) > 0 ? "\n" : " {}\n");
    add_value_lines(out, spec->trajectory, spec->engine->keys, 1);
    add_span(spec, out);
    vg_text_add(out, "categories:\n");
    for (size_t i = 0; i < spec->category_count; i++)
        add_category(spec, &spec->categories[i], out);
    vg_text_add(out, "splits:\n");
    for (size_t i = 0; i < spec->split_count; i++)
        add_split(spec, &spec->splits[i], out);
    for (size_t i = 0; i < spec->vocabulary.source_count; i++)
        if (spec->vocabulary.sources[i]->check_shared != NULL)
            add_root_map(out, spec, spec->vocabulary.sources[i]->name, NULL);
    if (spec->only_source_count > 0)
        add_words_line(out, 0, "only_sources", spec->only_sources, spec->only_source_count);
    add_root_map(out, spec, "measure", spec->vocabulary.measure_keys);
    add_pack(spec, out);
    add_root_map(out, spec, "card", keys_of("card"));
}
