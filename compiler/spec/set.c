/* SPDX-License-Identifier: MIT */
/* --set PATH=VALUE: walk down the path, then lay the value over what stands there, as a child spec would.
 * The last key of a path may be new (the rules say later whether it is known); a new one further up is
 * most likely a slip and is refused here, unless it opens a map that every spec may have. */
#include "loading.h"

#include <string.h>

/* One argument under way: `at` is the place of what is read next. */
struct setting {
    struct vg_loading *l;
    struct vg_origin at;
    const char *path; /* the whole one */
};

static struct vg_node *place_of(const struct setting *s)
{
    return vg_node_make(VG_NODE_SCALAR, &s->at, s->l->arena);
}

static unsigned characters(const char *text, size_t length)
{
    unsigned count = 0;

    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

static bool is_spec_map(const char *key)
{
    for (const struct vg_key_rule *rule = vg_spec_keys; rule->name != NULL; rule++)
        if (strcmp(rule->name, key) == 0)
            return rule->type == VG_KEY_MAP;
    return false;
}

/* May the walk go through a key that is not there? */
static bool may_open(const struct setting *s, const struct vg_node *map, const char *key)
{
    return map->file == s->at.file || (map == s->l->root && is_spec_map(key));
}

static struct vg_node **step_into_map(struct setting *s, struct vg_node *map, const char *key, bool last)
{
    struct vg_entry *entry = vg_map_entry(map, key);
    struct vg_node *word = place_of(s);
    size_t count;

    word->text = key;
    if (entry == NULL && !last && !may_open(s, map, key)) {
        const char **known = vg_map_keys(map, &count, s->l->arena);

        vg_node_unknown(word, s->l->err, known, count, "there is no %s at this place of %s", key, s->path);
        return NULL;
    }
    if (entry == NULL)
        entry = vg_map_add(map, word, place_of(s), s->l->arena);
    if (!last && vg_node_is_null(entry->value))
        entry->value = vg_node_make(VG_NODE_MAP, &s->at, s->l->arena);
    return &entry->value;
}

static struct vg_node **step_into_list(struct setting *s, struct vg_node *list, const char *key)
{
    int64_t index = 0;

    if (list->count == 0) {
        vg_node_fail(place_of(s), s->l->err, "the list before %s is empty; set the whole list", key);
        return NULL;
    }
    if (!vg_integer_parse(key, &index) || index < 0 || (uint64_t)index >= list->count) {
        vg_node_fail(place_of(s), s->l->err, "%s is no item of this list; expected a number from 0 to %zu",
                     key, list->count - 1);
        return NULL;
    }
    return &list->entries[index].value;
}

static struct vg_node **step(struct setting *s, struct vg_node *node, const char *key, bool last)
{
    if (key[0] == '\0') {
        vg_node_fail(place_of(s), s->l->err,
                     "a key is missing here; expected PATH=VALUE with keys joined by dots");
        return NULL;
    }
    if (node->kind == VG_NODE_MAP)
        return step_into_map(s, node, key, last);
    if (node->kind == VG_NODE_LIST)
        return step_into_list(s, node, key);
    vg_node_fail(place_of(s), s->l->err, "%s stands below a single value; shorten the path", key);
    return NULL;
}

/* The value that the path leads to, or NULL (reported); moves s->at to the end of the path. */
static struct vg_node **walk(struct setting *s)
{
    struct vg_node **slot = &s->l->root;
    const char *rest = s->path;

    for (;;) {
        size_t length = strcspn(rest, ".");
        bool last = rest[length] == '\0';

        slot = step(s, *slot, vg_arena_text_part(s->l->arena, rest, length), last);
        s->at.column += characters(rest, length) + 1;
        if (slot == NULL || last)
            return slot;
        rest += length + 1;
    }
}

static void apply_one(struct vg_loading *l, const char *argument, const struct vg_origin *at)
{
    struct setting s = {.l = l, .at = *at};
    const char *equals = strchr(argument, '=');
    struct vg_node **slot, *value;

    if (!vg_text_is_utf8(argument, strlen(argument)) || strpbrk(argument, "\r\n") != NULL) {
        vg_node_fail(place_of(&s), l->err, "an override is one line of UTF-8");
        return;
    }
    if (equals == NULL) {
        vg_node_fail(place_of(&s), l->err, "found no =; expected PATH=VALUE, such as pack.keys=paper");
        return;
    }
    s.path = vg_arena_text_part(l->arena, argument, (size_t)(equals - argument));
    slot = walk(&s);
    if (slot == NULL)
        return;
    value = place_of(&s);
    if (equals[1] != '\0')
        value = vg_yaml_parse(equals + 1, strlen(equals + 1), &s.at, l->arena, l->err);
    if (value != NULL)
        *slot = vg_node_merge(*slot, value, l->arena);
}

/* All arguments, one a line, for excerpts. */
static const char *lines_of(const char *const *arguments, size_t count, struct vg_arena *arena)
{
    struct vg_text lines = {0};
    const char *kept;

    for (size_t i = 0; i < count; i++) {
        size_t start = lines.length;

        vg_text_add(&lines, arguments[i]);
        for (char *c = lines.data + start; *c != '\0'; c++)
            *c = *c == '\n' ? ' ' : *c;
        vg_text_add_char(&lines, '\n');
    }
    kept = vg_arena_text(arena, vg_text_or_empty(&lines));
    vg_text_release(&lines);
    return kept;
}

struct vg_origin vg_argument_place(const char *option, const char *const *arguments, size_t count,
                                   struct vg_arena *arena)
{
    return (struct vg_origin){option, lines_of(arguments, count, arena), 1, 1};
}

void vg_set_apply(struct vg_loading *l)
{
    struct vg_origin at = vg_argument_place("--set", l->options->set, l->options->set_count, l->arena);

    for (size_t i = 0; i < l->options->set_count; i++) {
        at.line = (unsigned)i + 1;
        apply_one(l, l->options->set[i], &at);
    }
}
