/* SPDX-License-Identifier: MIT */
/* A spec over all that it extends: each file is read, the file it names is read before it, and the upper
 * tree is laid over the lower one. */
#include "loading.h"

#include <string.h>

enum { CHAIN_MAX = 16, FILE_BYTES_MAX = 1 << 24 }; /* larger ones are not even read; parse.c sets the limit */
static const char embedded_prefix[] = "embedded:";

/* The files that led here. */
struct chain {
    const char *path;
    const struct chain *from;
    unsigned length;
};

static const struct vg_spec_text *find_embedded(const struct vg_spec_options *options, const char *name)
{
    for (size_t i = 0; i < options->embedded_count; i++)
        if (strcmp(options->embedded[i].name, name) == 0)
            return &options->embedded[i];
    return NULL;
}

static bool is_embedded(const char *path)
{
    return strncmp(path, embedded_prefix, sizeof embedded_prefix - 1) == 0;
}

static void report_missing(const struct vg_spec_options *options, const char *path,
                           const struct vg_node *named_by, struct vg_error *err)
{
    struct vg_text names = {0};

    for (size_t i = 0; i < options->embedded_count; i++)
        vg_text_addf(&names, "%s%s", i > 0 ? ", " : "", options->embedded[i].name);
    if (names.length == 0)
        vg_text_add(&names, "none");
    if (named_by != NULL)
        vg_node_fail(named_by, err, "there is no built-in spec %s; there are: %s", path, names.data);
    else
        vg_fail(err, VG_SPEC, path, "there is no such built-in spec; there are: %s", names.data);
    vg_text_release(&names);
}

/* Bytes of a spec, wherever it stands; NULL where it cannot be read (reported). */
static char *read_text(struct vg_loading *l, const char *path, const struct vg_node *named_by, size_t *count)
{
    bool embedded = is_embedded(path) || strcmp(path, "-") == 0;
    const char *name = is_embedded(path) ? path + sizeof embedded_prefix - 1 : path;
    const struct vg_spec_text *text = embedded ? find_embedded(l->options, name) : NULL;
    struct vg_error failed = {0};
    char *bytes = NULL;

    if (text != NULL) {
        bytes = vg_arena_take(l->arena, text->length + 1, 1);
        memcpy(bytes, text->text, text->length);
        *count = text->length;
    } else if (embedded) {
        report_missing(l->options, path, named_by, l->err);
    } else if (vg_file_get(path, FILE_BYTES_MAX, l->arena, &bytes, count, &failed) != VG_OK) {
        bytes = NULL;
        if (named_by != NULL)
            vg_node_fail(named_by, l->err, "extends %s: %s", path, failed.issues[0].sentence);
        else
            vg_error_move(l->err, &failed);
    }
    vg_error_release(&failed);
    return bytes;
}

/* Take a byte order mark and carriage returns out of a text, in place; returns its new length. */
static size_t clean(char *bytes, size_t count)
{
    size_t from = count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0, to = 0;

    for (; from < count; from++) {
        if (bytes[from] != '\r')
            bytes[to++] = bytes[from];
        else if (from + 1 == count || bytes[from + 1] != '\n')
            bytes[to++] = '\n'; /* the line end of old Macintosh files */
    }
    bytes[to] = '\0';
    return to;
}

static struct vg_node *read_tree(struct vg_loading *l, const char *path, const struct vg_node *named_by)
{
    struct vg_origin at = {strcmp(path, "-") == 0 ? "<stdin>" : path, NULL, 1, 1};
    struct vg_node *root;
    size_t count = 0;
    char *bytes = read_text(l, path, named_by, &count);

    if (bytes == NULL)
        return NULL;
    count = clean(bytes, count);
    at.source = bytes;
    root = vg_yaml_parse(bytes, count, &at, l->arena, l->err);
    if (root != NULL && root->kind != VG_NODE_MAP) {
        struct vg_text shown = {0};

        vg_node_show(root, &shown);
        vg_node_fail(root, l->err, "the spec is %s; expected a map of keys such as name and splits",
                     shown.data);
        vg_text_release(&shown);
        return NULL;
    }
    return root;
}

/* The file that `extends` names, seen from the file that names it. */
static const char *path_of(const struct vg_node *extends, struct vg_arena *arena)
{
    const char *name = extends->text;

    if (is_embedded(name))
        return name;
    while (strncmp(name, "./", 2) == 0)
        name += 2; /* so that a loop meets the same path again */
    if (is_embedded(extends->file))
        return vg_arena_format(arena, "%s%s", embedded_prefix, name);
    return vg_node_path(&(struct vg_node){.kind = VG_NODE_SCALAR, .file = extends->file, .text = name},
                        arena);
}

static bool leads_back(const struct chain *chain, const char *path)
{
    for (; chain != NULL; chain = chain->from)
        if (strcmp(chain->path, path) == 0)
            return true;
    return false;
}

static struct vg_node *load_over(struct vg_loading *l, const char *path, const struct vg_node *named_by,
                                 const struct chain *from)
{
    struct chain chain = {path, from, from != NULL ? from->length + 1 : 1};
    struct vg_node *root = read_tree(l, path, named_by), *lower;
    const struct vg_node *extends = vg_node_find(root, "extends");
    const char *next;

    if (root == NULL || extends == NULL)
        return root;
    if (extends->kind != VG_NODE_SCALAR) {
        vg_node_fail(extends, l->err, "extends names one file; found a list or a map");
        return NULL;
    }
    next = path_of(extends, l->arena);
    if (leads_back(&chain, next) || chain.length == CHAIN_MAX) {
        vg_node_fail(extends, l->err, "%s extends itself, through %u file%s; take one extends out", next,
                     chain.length, chain.length > 1 ? "s" : "");
        return NULL;
    }
    lower = load_over(l, next, extends, &chain);
    return lower != NULL ? vg_node_merge(lower, root, l->arena) : NULL;
}

struct vg_node *vg_extends_load(struct vg_loading *l, const char *path)
{
    struct vg_node *root = load_over(l, path, NULL, NULL);

    if (root != NULL)
        vg_map_drop(root, "extends");
    return root;
}
