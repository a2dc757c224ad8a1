/* SPDX-License-Identifier: MIT */
/* Nodes of the tree: finding, reading and reporting at the place where the user wrote the value. */
#include "loading.h"

#include <string.h>

bool vg_node_is_null(const struct vg_node *node)
{
    return node->kind == VG_NODE_SCALAR && node->text == NULL;
}

const struct vg_node *vg_node_find(const struct vg_node *map, const char *key)
{
    if (map == NULL || map->kind != VG_NODE_MAP)
        return NULL;
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->entries[i].key, key) == 0)
            return vg_node_is_null(map->entries[i].value) ? NULL : map->entries[i].value;
    return NULL;
}

/* ---- reporting -------------------------------------------------------------------------------------- */

/* One line without control characters: values of a spec must not steer a terminal. */
static void tame(struct vg_text *sentence)
{
    for (size_t i = 0; i < sentence->length; i++) {
        unsigned char c = (unsigned char)sentence->data[i];
        bool after_c2 = i > 0 && (unsigned char)sentence->data[i - 1] == 0xC2;

        if (c == '\n' || c == '\t')
            sentence->data[i] = ' ';
        else if (c < 0x20 || c == 0x7F)
            sentence->data[i] = '?';
        else if (after_c2 && c < 0xA0)
            sentence->data[i - 1] = sentence->data[i] = '?';
    }
}

static int fail_with(const struct vg_node *node, struct vg_error *err, struct vg_text *sentence)
{
    struct vg_text place = {0}, excerpt = {0};

    tame(sentence);
    vg_text_addf(&place, "%s:%u:%u", node->file, node->line, node->column);
    vg_fail(err, VG_SPEC, place.data, "%s", vg_text_or_empty(sentence));
    if (node->source != NULL)
        vg_excerpt(node->source, node->line, node->column, &excerpt);
    if (excerpt.length > 0)
        vg_error_excerpt(err, excerpt.data);
    vg_text_release(&place);
    vg_text_release(&excerpt);
    vg_text_release(sentence);
    return VG_SPEC;
}

int vg_node_fail(const struct vg_node *node, struct vg_error *err, const char *format, ...)
{
    struct vg_text sentence = {0};
    va_list args;

    va_start(args, format);
    vg_text_addv(&sentence, format, args);
    va_end(args);
    return fail_with(node, err, &sentence);
}

int vg_node_unknown(const struct vg_node *word, struct vg_error *err, const char *const *known, size_t count,
                    const char *format, ...)
{
    struct vg_text sentence = {0};
    const char *near = word->text != NULL ? vg_nearest(word->text, known, count) : NULL;
    va_list args;

    va_start(args, format);
    vg_text_addv(&sentence, format, args);
    va_end(args);
    if (near != NULL)
        vg_text_addf(&sentence, "; did you mean %s?", near);
    else if (count > 0)
        vg_text_add(&sentence, "; known:");
    for (size_t i = 0; near == NULL && i < count; i++)
        vg_text_addf(&sentence, "%s %s", i > 0 ? "," : "", known[i]);
    return fail_with(word, err, &sentence);
}

void vg_node_show(const struct vg_node *node, struct vg_text *out)
{
    enum { SHOWN = 60 };
    size_t length;

    if (node->kind != VG_NODE_SCALAR) {
        vg_text_add(out, node->kind == VG_NODE_LIST ? "a list" : "a map");
        return;
    }
    if (node->text == NULL) {
        vg_text_add(out, "empty");
        return;
    }
    length = strlen(node->text);
    if (length > SHOWN)
        for (length = SHOWN; ((unsigned char)node->text[length] & 0xC0) == 0x80;)
            length--;
    if (node->quoted)
        vg_text_add_char(out, '"');
    vg_text_add_part(out, node->text, length);
    vg_text_add(out, node->text[length] != '\0' ? "..." : "");
    if (node->quoted)
        vg_text_add_char(out, '"');
}

/* ---- readings --------------------------------------------------------------------------------------- */

/* 010 is eight to a YAML 1.1 reader and ten to a 1.2 reader. */
static bool has_leading_zero(const char *text)
{
    text += *text == '-' || *text == '+';
    return text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

bool vg_node_is_number(const struct vg_node *node, double *value)
{
    if (node->kind != VG_NODE_SCALAR || node->text == NULL || node->quoted || has_leading_zero(node->text) ||
        !vg_number_parse(node->text, value))
        return false;
    *value += 0.0; /* -0 becomes 0 */
    return true;
}

const char *vg_list_text(const struct vg_node *list, size_t i)
{
    const struct vg_node *item = list->entries[i].value;

    return item->kind == VG_NODE_SCALAR ? item->text : NULL;
}

double vg_node_number(const struct vg_node *map, const char *key, double fallback)
{
    const struct vg_node *node = vg_node_find(map, key);
    double value = fallback;

    if (node != NULL)
        vg_check(vg_node_is_number(node, &value));
    return value;
}

int64_t vg_node_integer(const struct vg_node *map, const char *key, int64_t fallback)
{
    const struct vg_node *node = vg_node_find(map, key);
    int64_t value = fallback;

    if (node != NULL)
        vg_check(node->kind == VG_NODE_SCALAR && vg_integer_parse(node->text, &value));
    return value;
}

const char *vg_node_text(const struct vg_node *map, const char *key, const char *fallback)
{
    const struct vg_node *node = vg_node_find(map, key);

    if (node == NULL)
        return fallback;
    vg_check(node->kind == VG_NODE_SCALAR);
    return node->text;
}

bool vg_node_bool(const struct vg_node *map, const char *key, bool fallback)
{
    const struct vg_node *node = vg_node_find(map, key);

    if (node == NULL)
        return fallback;
    vg_check(node->kind == VG_NODE_SCALAR && !node->quoted);
    vg_check(strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0);
    return node->text[0] == 't';
}

char *vg_node_path(const struct vg_node *node, struct vg_arena *arena)
{
    const char *folder = vg_path_folder(arena, node->file);

    vg_check(node->kind == VG_NODE_SCALAR && node->text != NULL);
    return vg_path_join(arena, strcmp(folder, ".") == 0 ? "" : folder, node->text);
}
