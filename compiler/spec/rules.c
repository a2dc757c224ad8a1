/* SPDX-License-Identifier: MIT */
/* A map against its rules, one row a key.  Method: go through the keys as written and check each against
 * its row, then through the rows and name what is missing; every report says what was found and, worded
 * from the row itself, what was expected. */
#include "loading.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 1 << 16 }; /* of one text in a list */

size_t vg_rules_count(const struct vg_key_rule *rules)
{
    size_t count = 0;

    while (rules != NULL && rules[count].name != NULL)
        count++;
    return count;
}

const struct vg_key_rule *vg_rules_join(const struct vg_key_rule *a, const struct vg_key_rule *b,
                                        unsigned flags, struct vg_arena *arena)
{
    size_t count_a = vg_rules_count(a), count_b = vg_rules_count(b);
    struct vg_key_rule *joined = vg_arena_take_zero(arena, count_a + count_b + 1, sizeof *joined);

    for (size_t i = 0; i < count_a; i++)
        joined[i] = a[i];
    for (size_t i = 0; i < count_b; i++) {
        joined[count_a + i] = b[i];
        joined[count_a + i].flags |= flags;
    }
    return joined;
}

static const struct vg_key_rule *find_rule(const struct vg_key_rule *rules, const char *name)
{
    for (; rules->name != NULL; rules++)
        if (strcmp(rules->name, name) == 0)
            return rules;
    return NULL;
}

/* "<path> is <found><remark>; expected <what the rule says>" */
static void report(const struct vg_node *node, const struct vg_key_rule *rule, const char *path,
                   const char *remark, struct vg_error *err)
{
    struct vg_text found = {0}, expected = {0};

    vg_node_show(node, &found);
    vg_rule_expected(rule, &expected);
    vg_node_fail(node, err, "%s is %s%s; expected %s", path, found.data, remark, expected.data);
    vg_text_release(&found);
    vg_text_release(&expected);
}

/* ---- values ----------------------------------------------------------------------------------------- */

static bool is_in_range(double value, const struct vg_key_rule *rule)
{
    if (rule->min == 0 && rule->max == 0)
        return true;
    if (value < rule->min || (value == rule->min && (rule->flags & VG_ABOVE_MIN) != 0))
        return false;
    return value < rule->max || (value == rule->max && (rule->flags & VG_BELOW_MAX) == 0);
}

/* What keeps a text that looks like a number from being one. */
static const char *why_no_number(const struct vg_node *node)
{
    double value;

    if (node->text == NULL || !vg_number_parse(node->text, &value))
        return "";
    return node->quoted ? ", a text because of its quotes: take them off"
                        : ", octal to some readers because of its leading zero";
}

static void check_number(const struct vg_node *node, const struct vg_key_rule *rule, const char *path,
                         struct vg_error *err)
{
    double value = 0;
    int64_t whole;

    if (!vg_node_is_number(node, &value))
        report(node, rule, path, why_no_number(node), err);
    else if ((rule->type == VG_KEY_INTEGER && !vg_integer_parse(node->text, &whole)) ||
             !is_in_range(value, rule))
        report(node, rule, path, "", err);
}

static void check_text(const struct vg_node *node, const struct vg_key_rule *rule, const char *path,
                       struct vg_error *err)
{
    double length;

    if (node->kind != VG_NODE_SCALAR || node->text == NULL) {
        report(node, rule, path, "", err);
        return;
    }
    length = (double)strlen(node->text);
    if (rule->max > 0 && (length < rule->min || length > rule->max))
        report(node, rule, path, length > rule->max ? ", too long" : "", err);
}

static void check_bool(const struct vg_node *node, const struct vg_key_rule *rule, const char *path,
                       struct vg_error *err)
{
    bool is_bool = node->kind == VG_NODE_SCALAR && node->text != NULL && !node->quoted &&
                   (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0);

    if (!is_bool)
        report(node, rule, path, "", err);
}

size_t vg_choice_find(const char *word, const char *choices)
{
    size_t length = strlen(word), place = 0;

    for (const char *c = choices; c != NULL && length > 0; c = strchr(c, '|'), place++) {
        c += *c == '|';
        if (strncmp(c, word, length) == 0 && (c[length] == '|' || c[length] == '\0'))
            return place;
    }
    return SIZE_MAX;
}

/* The choice nearest to a word, copied into `near`; empty where none is near. */
static void nearest_choice(const char *word, const char *choices, struct vg_text *near)
{
    struct vg_text words = {0};
    const char **list = vg_memory_take(strlen(choices) / 2 + 1, sizeof *list), *found;
    size_t count = 1;

    vg_text_add(&words, choices);
    list[0] = words.data;
    for (char *c = words.data; *c != '\0'; c++)
        if (*c == '|') {
            *c = '\0';
            list[count++] = c + 1;
        }
    found = vg_nearest(word, list, count);
    vg_text_add(near, found != NULL ? found : "");
    vg_text_release(&words);
    free(list);
}

static void check_choice(const struct vg_node *node, const struct vg_key_rule *rule, const char *path,
                         struct vg_error *err)
{
    struct vg_text near = {0}, remark = {0};

    if (node->kind == VG_NODE_SCALAR && node->text != NULL) {
        if (vg_choice_find(node->text, rule->choices) != SIZE_MAX)
            return;
        nearest_choice(node->text, rule->choices, &near);
    }
    if (near.length > 0)
        vg_text_addf(&remark, " (did you mean %s?)", near.data);
    report(node, rule, path, vg_text_or_empty(&remark), err);
    vg_text_release(&near);
    vg_text_release(&remark);
}

static void check_items(const struct vg_node *list, const struct vg_key_rule *rule, const char *path,
                        struct vg_error *err)
{
    struct vg_key_rule each = *rule;

    if (rule->type == VG_KEY_LIST)
        return;
    each.type = rule->type == VG_KEY_NUMBERS ? VG_KEY_NUMBER
                : rule->choices != NULL      ? VG_KEY_CHOICE
                                             : VG_KEY_TEXT;
    if (rule->type == VG_KEY_TEXTS) { /* its limits are the list's */
        each.min = 1;
        each.max = TEXT_BYTES_MAX;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct vg_text item_path = {0};
        const struct vg_node *item = list->entries[i].value;

        vg_text_addf(&item_path, "%s.%zu", path, i);
        if (each.type == VG_KEY_NUMBER)
            check_number(item, &each, item_path.data, err);
        else if (each.type == VG_KEY_CHOICE)
            check_choice(item, &each, item_path.data, err);
        else
            check_text(item, &each, item_path.data, err);
        vg_text_release(&item_path);
    }
}

static void check_list(const struct vg_node *node, const struct vg_key_rule *rule, const char *path,
                       struct vg_error *err)
{
    bool counts = rule->type != VG_KEY_NUMBERS && rule->max > 0;
    double least = counts ? rule->min : rule->type == VG_KEY_LIST ? 0 : 1;
    struct vg_text remark = {0};

    if (node->kind != VG_NODE_LIST) {
        report(node, rule, path, "", err);
        return;
    }
    if ((double)node->count < least || (counts && (double)node->count > rule->max)) {
        vg_text_addf(&remark, " of %zu item%s", node->count, node->count == 1 ? "" : "s");
        report(node, rule, path, node->count == 0 ? " without items" : remark.data, err);
        vg_text_release(&remark);
        return;
    }
    check_items(node, rule, path, err);
}

static void check_value(const struct vg_node *node, const struct vg_key_rule *rule, const char *path,
                        struct vg_error *err)
{
    switch (rule->type) {
    case VG_KEY_NUMBER:
    case VG_KEY_INTEGER:
        check_number(node, rule, path, err);
        break;
    case VG_KEY_TEXT:
        check_text(node, rule, path, err);
        break;
    case VG_KEY_BOOL:
        check_bool(node, rule, path, err);
        break;
    case VG_KEY_CHOICE:
        check_choice(node, rule, path, err);
        break;
    case VG_KEY_NUMBERS:
    case VG_KEY_TEXTS:
    case VG_KEY_LIST:
        check_list(node, rule, path, err);
        break;
    case VG_KEY_MAP:
        if (node->kind != VG_NODE_MAP)
            report(node, rule, path, "", err);
        else if (rule->keys != NULL)
            vg_rules_check(node, rule->keys, path, err);
        break;
    }
}

/* ---- maps ------------------------------------------------------------------------------------------- */

static void add_path(const char *where, const char *key, struct vg_text *out)
{
    vg_text_addf(out, "%s%s%s", where, where[0] != '\0' ? "." : "", key);
}

/* All names of the rules; the caller frees. */
static const char **names_of(const struct vg_key_rule *rules, size_t *count)
{
    const char **names = vg_memory_take(vg_rules_count(rules) + 1, sizeof *names);

    *count = vg_rules_count(rules);
    for (size_t i = 0; i < *count; i++)
        names[i] = rules[i].name;
    return names;
}

static void report_unknown(const struct vg_node *key, const struct vg_key_rule *rules, const char *where,
                           struct vg_error *err)
{
    size_t count;
    const char **names = names_of(rules, &count);

    vg_node_unknown(key, err, names, count, "unknown key %s%s%s", key->text, where[0] != '\0' ? " in " : "",
                    where);
    free(names);
}

/* Is `name` what an unknown key of this map was taken for?  Then one report says it all. */
static bool is_misspelt(const struct vg_node *map, const struct vg_key_rule *rules, const char *name)
{
    size_t count;
    const char **names = names_of(rules, &count);
    bool found = false;

    for (size_t i = 0; i < map->count && !found; i++) {
        const char *near = find_rule(rules, map->entries[i].key) == NULL
                               ? vg_nearest(map->entries[i].key, names, count)
                               : NULL;

        found = near != NULL && strcmp(near, name) == 0;
    }
    free(names);
    return found;
}

/* A key with nothing behind it counts as missing, but is reported where it stands. */
static void report_missing(const struct vg_node *map, const struct vg_key_rule *rule, const char *where,
                           struct vg_error *err)
{
    const struct vg_entry *entry = vg_map_entry(map, rule->name);
    struct vg_text expected = {0};

    vg_rule_expected(rule, &expected);
    if (entry != NULL)
        vg_node_fail(entry->value, err, "%s%s%s is empty; expected %s", where, where[0] != '\0' ? "." : "",
                     rule->name, expected.data);
    else
        vg_node_fail(map, err, "%s has no %s; expected %s", where[0] != '\0' ? where : "the spec", rule->name,
                     expected.data);
    vg_text_release(&expected);
}

void vg_rules_check(const struct vg_node *map, const struct vg_key_rule *rules, const char *where,
                    struct vg_error *err)
{
    const struct vg_key_rule whole = {.type = VG_KEY_MAP, .keys = rules};

    if (map->kind != VG_NODE_MAP) {
        report(map, &whole, where, "", err);
        return;
    }
    for (size_t i = 0; i < map->count; i++) {
        const struct vg_entry *entry = &map->entries[i];
        const struct vg_key_rule *rule = find_rule(rules, entry->key);
        struct vg_text path = {0};

        add_path(where, entry->key, &path);
        if (rule == NULL)
            report_unknown(entry->key_node, rules, where, err);
        else if (!vg_node_is_null(entry->value))
            check_value(entry->value, rule, path.data, err);
        vg_text_release(&path);
    }
    for (size_t i = 0; rules[i].name != NULL; i++)
        if ((rules[i].flags & VG_REQUIRED) != 0 && vg_node_find(map, rules[i].name) == NULL &&
            !is_misspelt(map, rules, rules[i].name))
            report_missing(map, &rules[i], where, err);
}
