/* SPDX-License-Identifier: MIT */
/* Texts that count.  A placeholder is cut out of the pattern by one function, which the check, the search
 * and the filling share. */
#include "pattern.h"

#include <string.h>

struct placeholder {
    const char *name; /* in the pattern, not terminated */
    size_t name_length;
    size_t width;     /* 0: as short as it is */
    const char *next; /* after the closing brace */
    bool sound;
};

/* The placeholder that opens at `brace`: {name} or {name:0W}. */
static struct placeholder placeholder_at(const char *brace)
{
    struct placeholder p = {.name = brace + 1};
    const char *close = strchr(brace, '}');
    const char *colon;

    if (close == NULL)
        return p;
    p.next = close + 1;
    colon = memchr(p.name, ':', (size_t)(close - p.name));
    p.name_length = (size_t)((colon != NULL ? colon : close) - p.name);
    if (colon != NULL && colon + 3 == close && colon[1] == '0' && colon[2] >= '1' && colon[2] <= '9')
        p.width = (size_t)(colon[2] - '0');
    p.sound = p.name_length > 0 && (colon == NULL || p.width > 0);
    return p;
}

static bool is_named(const struct placeholder *p, const char *name)
{
    return strlen(name) == p->name_length && memcmp(name, p->name, p->name_length) == 0;
}

static void add_padded(struct vg_text *out, double value, size_t width)
{
    struct vg_text digits = {0};

    vg_text_add_double(&digits, value);
    for (size_t length = digits.length; length < width; length++)
        vg_text_add_char(out, '0');
    vg_text_add(out, digits.data);
    vg_text_release(&digits);
}

char *vg_pattern_fill(const char *pattern, const struct vg_pattern_value *values, size_t count,
                      struct vg_arena *arena)
{
    struct vg_text out = {0};
    char *kept;

    while (*pattern != '\0') {
        struct placeholder p;
        size_t i = 0;

        if (*pattern != '{') {
            vg_text_add_char(&out, *pattern++);
            continue;
        }
        p = placeholder_at(pattern);
        while (i < count && !is_named(&p, values[i].name))
            i++;
        vg_check(p.sound && i < count);
        if (values[i].text != NULL)
            vg_text_add(&out, values[i].text);
        else
            add_padded(&out, values[i].value, p.width);
        pattern = p.next;
    }
    kept = vg_arena_text(arena, vg_text_or_empty(&out));
    vg_text_release(&out);
    return kept;
}

bool vg_pattern_holds(const char *pattern, const char *name)
{
    const char *brace = strchr(pattern, '{');

    while (brace != NULL) {
        struct placeholder p = placeholder_at(brace);

        if (p.sound && is_named(&p, name))
            return true;
        brace = strchr(brace + 1, '{');
    }
    return false;
}

static void add_names(struct vg_text *out, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vg_text_addf(out, "%s{%s}", i == 0 ? "" : ", ", names[i]);
}

void vg_pattern_check(const struct vg_node *map, const char *key, const char *const *names, size_t count,
                      struct vg_error *err)
{
    const struct vg_node *node = vg_node_find(map, key);
    const char *brace = node != NULL && node->text != NULL ? strchr(node->text, '{') : NULL;
    struct vg_text known = {0};

    add_names(&known, names, count);
    while (brace != NULL) {
        struct placeholder p = placeholder_at(brace);
        size_t i = 0;

        while (i < count && !is_named(&p, names[i]))
            i++;
        if (!p.sound)
            vg_node_fail(node, err, "%s has a badly formed placeholder at \"%s\"; write {n} or {n:02}", key,
                         brace);
        else if (i == count)
            vg_node_fail(node, err, "%s has an unknown placeholder {%.*s}; there are %s", key,
                         (int)p.name_length, p.name, vg_text_or_empty(&known));
        brace = p.next != NULL ? strchr(p.next, '{') : NULL;
    }
    vg_text_release(&known);
}
