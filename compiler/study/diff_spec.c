/* SPDX-License-Identifier: MIT */
/* Two resolved specs, value by value.  They are the compiler's own canonical YAML: block maps indented by
 * two, lists of maps with "- ", and short maps and lists on one line; that is all that is read here. */
#include "study.h"

#include <string.h>

enum { DEPTH_MAX = 32, SPEC_BYTES_MAX = 1 << 28 };

struct leaf {
    const char *path, *value;
    bool met;
};
struct leaves {
    struct leaf *at;
    size_t count, room;
    struct vg_arena *arena;
};
/* Where a line stands: the names and list indices above it. */
struct level {
    size_t indent;
    const char *name; /* a key, or the number of an entry */
    size_t entries;   /* seen below it */
};
struct stack {
    struct level at[DEPTH_MAX];
    size_t depth;
};

static void add_leaf(struct leaves *leaves, const char *path, const char *value)
{
    if (leaves->count == leaves->room) {
        struct leaf *old = leaves->at;

        leaves->room = leaves->room > 0 ? 2 * leaves->room : 128;
        leaves->at = vg_arena_take(leaves->arena, leaves->room, sizeof *leaves->at);
        if (leaves->count > 0)
            memcpy(leaves->at, old, leaves->count * sizeof *old);
    }
    leaves->at[leaves->count++] = (struct leaf){path, value, false};
}

static const char *join(const struct stack *stack, const char *name, struct vg_arena *arena)
{
    struct vg_text path = {0};
    const char *kept;

    for (size_t i = 0; i < stack->depth; i++)
        vg_text_addf(&path, "%s.", stack->at[i].name);
    vg_text_add(&path, name);
    kept = vg_arena_text(arena, vg_text_or_empty(&path));
    vg_text_release(&path);
    return kept;
}

/* Length of the text up to `stop` or the end, outside quotes and brackets. */
static size_t span_to(const char *text, char stop)
{
    size_t depth = 0, i = 0;
    bool quoted = false;

    for (; text[i] != '\0'; i++) {
        if (text[i] == '\\' && quoted && text[i + 1] != '\0')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && depth == 0 && text[i] == stop)
            break;
        else if (!quoted)
            depth += text[i] == '{' || text[i] == '[' ? 1 : 0;
        if (!quoted && depth > 0 && (text[i] == '}' || text[i] == ']'))
            depth--;
    }
    return i;
}

/* "{low: 1, high: {a: 2}}" below `path`. */
static void take_flow_map(struct leaves *leaves, const char *path, const char *text)
{
    const char *at = text + 1;

    while (*at != '\0' && *at != '}') {
        size_t key = span_to(at, ':'), length;
        const char *name = vg_arena_format(leaves->arena, "%s.%.*s", path, (int)key, at), *value;

        at += key + strspn(at + key, ": ");
        length = span_to(at, ',');
        if (at[length] == '\0' && length > 0)
            length--; /* the closing brace */
        value = vg_arena_text_part(leaves->arena, at, length);
        if (value[0] == '{')
            take_flow_map(leaves, name, value);
        else
            add_leaf(leaves, name, value);
        at += length + strspn(at + length, ", ");
    }
}

static void pop_to(struct stack *stack, size_t indent)
{
    while (stack->depth > 0 && stack->at[stack->depth - 1].indent >= indent)
        stack->depth--;
}

/* One "key: value" at its indentation; a list's entry was pushed before. */
static void take_pair(struct leaves *leaves, struct stack *stack, size_t indent, const char *text)
{
    size_t key = span_to(text, ':');
    const char *name = vg_arena_text_part(leaves->arena, text, key), *value = text + key;

    value += strspn(value, ": ");
    pop_to(stack, indent);
    if (*value == '{')
        take_flow_map(leaves, join(stack, name, leaves->arena), value);
    else if (*value != '\0')
        add_leaf(leaves, join(stack, name, leaves->arena), value);
    else if (stack->depth < DEPTH_MAX)
        stack->at[stack->depth++] = (struct level){indent, name, 0};
}

static void take_line(struct leaves *leaves, struct stack *stack, const char *line)
{
    size_t indent = strspn(line, " ");
    const char *text = line + indent;

    if (strncmp(text, "- ", 2) == 0) {
        const char *number;

        pop_to(stack, indent);
        number = vg_arena_format(leaves->arena, "%zu",
                                 stack->depth > 0 ? stack->at[stack->depth - 1].entries++ : 0);
        if (span_to(text + 2, ':') == strlen(text + 2) || text[2] == '"' || text[2] == '[') {
            add_leaf(leaves, join(stack, number, leaves->arena), vg_arena_text(leaves->arena, text + 2));
            return;
        }
        if (text[2] == '{') {
            take_flow_map(leaves, join(stack, number, leaves->arena), vg_arena_text(leaves->arena, text + 2));
            return;
        }
        if (stack->depth < DEPTH_MAX)
            stack->at[stack->depth++] = (struct level){indent, number, 0};
        indent += 2;
        text += 2;
    }
    if (*text != '\0' && *text != '#')
        take_pair(leaves, stack, indent, vg_arena_text(leaves->arena, text));
}

static int read_spec(const char *folder, struct leaves *leaves, struct vg_error *err)
{
    struct stack stack = {0};
    char *bytes;
    size_t count;
    int rc = vg_file_get(vg_path_join(leaves->arena, folder, "spec.yaml"), SPEC_BYTES_MAX, leaves->arena,
                         &bytes, &count, err);

    for (char *line = bytes; rc == VG_OK && line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');

        if (end != NULL)
            *end = '\0';
        take_line(leaves, &stack, line);
        line = end != NULL ? end + 1 : NULL;
    }
    return rc;
}

/* Both lists follow the same canonical order, so that the search starts where the last one ended. */
static struct leaf *find_leaf(struct leaves *leaves, const char *path, size_t *from)
{
    for (size_t i = 0; i < leaves->count; i++) {
        size_t at = (*from + i) % leaves->count;

        if (strcmp(leaves->at[at].path, path) == 0) {
            *from = at + 1;
            return &leaves->at[at];
        }
    }
    return NULL;
}

int vg_diff_specs(const char *a, const char *b, const struct vg_diff_sink *sink, size_t *count,
                  struct vg_error *err)
{
    struct vg_arena arena = {0};
    struct leaves of_a = {.arena = &arena}, of_b = {.arena = &arena};
    size_t from = 0;
    int rc = read_spec(a, &of_a, err);

    *count = 0;
    if (rc == VG_OK)
        rc = read_spec(b, &of_b, err);
    for (size_t i = 0; rc == VG_OK && i < of_a.count; i++) {
        struct leaf *leaf = &of_a.at[i], *other = find_leaf(&of_b, leaf->path, &from);

        if (other != NULL)
            other->met = true;
        if (other != NULL && strcmp(leaf->value, other->value) == 0)
            continue;
        ++*count;
        rc = sink->spec(sink->context, &(struct vg_spec_change){leaf->path, leaf->value,
                                                                other != NULL ? other->value : NULL});
    }
    for (size_t i = 0; rc == VG_OK && i < of_b.count; i++)
        if (!of_b.at[i].met) {
            ++*count;
            rc = sink->spec(sink->context, &(struct vg_spec_change){of_b.at[i].path, NULL, of_b.at[i].value});
        }
    vg_arena_release(&arena);
    return rc;
}
