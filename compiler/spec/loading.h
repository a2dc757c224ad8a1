/* SPDX-License-Identifier: MIT */
/* Inside spec: what its files share, in the order in which vg_spec_load (load.c) calls them; writing last. */
#ifndef VG_LOADING_H
#define VG_LOADING_H

#include "spec.h"

/* One load under way. */
struct vg_loading {
    struct vg_spec *spec;
    const struct vg_spec_options *options;
    const struct vg_vocabulary *vocabulary;
    struct vg_arena *arena;
    struct vg_error *err;
    struct vg_node *root; /* what check and resolve read */
};

/* ---- excerpt.c, node.c ------------------------------------------------------------------------------ */

/* Line `line` of `source` and a caret below its character `column`; nothing where there is no such line. */
void vg_excerpt(const char *source, unsigned line, unsigned column, struct vg_text *out);
/* A value as it is shown in a message: cut to one short line. */
void vg_node_show(const struct vg_node *node, struct vg_text *out);
/* Report an unknown word: the sentence, then the nearest known word or, where none is near, all of them. */
int vg_node_unknown(const struct vg_node *word, struct vg_error *err, const char *const *known, size_t count,
                    const char *format, ...) VG_FORMAT(5, 6);
/* A plain scalar that every YAML reader takes for the same number. */
bool vg_node_is_number(const struct vg_node *node, double *value);
/* The text of item i of a list, or NULL where it is no scalar or null. */
const char *vg_list_text(const struct vg_node *list, size_t i);

/* ---- parse.c: text to tree -------------------------------------------------------------------------- */

/* Where a piece of YAML stands. */
struct vg_origin {
    const char *file, *source; /* as in struct vg_node */
    unsigned line, column;     /* of the piece's first character */
};
/* The one document of a text; NULL where there was a fault or nothing at all (reported). */
struct vg_node *vg_yaml_parse(const char *bytes, size_t count, const struct vg_origin *at,
                              struct vg_arena *arena, struct vg_error *err);

/* ---- merge.c: one tree over another ----------------------------------------------------------------- */

struct vg_node *vg_node_make(enum vg_node_kind kind, const struct vg_origin *at, struct vg_arena *arena);
struct vg_entry *vg_map_entry(const struct vg_node *map, const char *key); /* null values too */
struct vg_entry *vg_map_add(struct vg_node *map, const struct vg_node *key, struct vg_node *value,
                            struct vg_arena *arena);
void vg_map_drop(struct vg_node *map, const char *key);
/* Maps merge key by key, all else is replaced by `upper`.  Both are used up. */
struct vg_node *vg_node_merge(struct vg_node *lower, struct vg_node *upper, struct vg_arena *arena);
/* Take out of all maps the keys whose value is null: they are there to hide inherited ones. */
void vg_node_prune(struct vg_node *node);

/* ---- extends.c, set.c: files and overrides ----------------------------------------------------------- */

/* The spec at `path` over all that it extends; NULL where a file is missing or broken (reported). */
struct vg_node *vg_extends_load(struct vg_loading *l, const char *path);
/* Arguments of an option as the lines of a text; line i+1 is argument i. */
struct vg_origin vg_argument_place(const char *option, const char *const *arguments, size_t count,
                                   struct vg_arena *arena);
/* Put the options' --set values into l->root. */
void vg_set_apply(struct vg_loading *l);

/* ---- expected.c, rules.c, schema.c, check.c
 * ---------------------------------------------------------------------- */

/* "a number from 0 to 1 (share of the span)". */
void vg_rule_expected(const struct vg_key_rule *rule, struct vg_text *out);
/* One array of rules out of two, the second with more flags; either may be NULL. */
const struct vg_key_rule *vg_rules_join(const struct vg_key_rule *a, const struct vg_key_rule *b,
                                        unsigned flags, struct vg_arena *arena);
size_t vg_rules_count(const struct vg_key_rule *rules);
/* Place of a word in "a|b|c", from 0; SIZE_MAX where it is none of them. */
size_t vg_choice_find(const char *word, const char *choices);
/* Keys of a spec, of a category and of a split, apart from what the vocabulary knows. */
extern const struct vg_key_rule vg_doubt_keys[VG_DOUBTS + 1];
extern const struct vg_key_rule vg_spec_keys[], vg_category_keys[], vg_split_keys[];
/* Every rule a user can break; faults go to l->err. */
void vg_spec_check(struct vg_loading *l);
/* check_text.c: names, version, prompt and the other texts that have a form. */
void vg_texts_check(struct vg_loading *l);
bool vg_is_part_name(const char *text); /* of a tier or a split */
#define VG_PART_NAME "lower-case letters, digits and single _, a letter or digit at both ends, at most 64"
/* check_split.c: the splits and their sources, and what the rates of these sources allow. */
void vg_splits_check(struct vg_loading *l);
bool vg_split_uses(const struct vg_node *split, const char *category);
/* `kind` and the keys of that kind. */
const struct vg_key_rule *vg_source_rules(const struct vg_source_words *words, struct vg_arena *arena);
void vg_list_check_unique(const struct vg_node *list, const char *where, struct vg_error *err);

const struct vg_engine_words *vg_engine_find(const struct vg_vocabulary *vocabulary, const char *name);
const struct vg_source_words *vg_source_find(const struct vg_vocabulary *vocabulary, const char *name);
/* Keys of a map whose value is no null; count in *count. */
const char **vg_map_keys(const struct vg_node *map, size_t *count, struct vg_arena *arena);

/* ---- resolve.c, only.c ------------------------------------------------------------------------------- */

extern const char *const vg_policy_names[4]; /* [enum vg_policy] */
/* Fill l->spec from the checked tree. */
void vg_spec_resolve(struct vg_loading *l);
/* Check the options' --only values against the tree... */
struct vg_only;
struct vg_only *vg_only_read(struct vg_loading *l);
/* ...and narrow the resolved spec to them. */
void vg_only_apply(struct vg_loading *l, const struct vg_only *only);

/* ---- write_value.c ------------------------------------------------------------------------------------ */

void vg_yaml_indent(struct vg_text *out, unsigned depth);
void vg_yaml_key(struct vg_text *out, unsigned depth, const char *key); /* "key:" */
void vg_yaml_word(struct vg_text *out, const char *text);
void vg_yaml_words(struct vg_text *out, const char *const *words, size_t count);
void vg_yaml_number(struct vg_text *out, double value);
void vg_yaml_values(struct vg_text *out, const struct vg_value *value, const struct vg_key_rule *rule);
/* What follows "key:" at this depth, up to and with the line end. */
void vg_yaml_node(struct vg_text *out, const struct vg_node *node, const struct vg_key_rule *rule,
                  unsigned depth);
/* The keys of a map in the order of its rules. */
void vg_yaml_map(struct vg_text *out, const struct vg_node *map, const struct vg_key_rule *rules,
                 unsigned depth);

#endif
