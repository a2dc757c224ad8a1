/* SPDX-License-Identifier: MIT */
/* YAML text to a tree that remembers line and column.  Method: libyaml's events once over, to refuse what is
 * too large, too deep or no YAML before anything is built (its parser takes quadratic time over deep
 * nesting), then libyaml's document, copied node by node into the arena; an alias is copied as often as it
 * is used, within one bound for all. */
#include "loading.h"

#include <string.h>
#include <yaml.h>

/* Far above any sensible spec, far below what hurts. */
enum { BYTES_MAX = 1 << 20, NODES_MAX = 20000, DEPTH_MAX = 32, KEY_BYTES_MAX = 128 };

struct parsing {
    const struct vg_origin *at;
    const char *bytes;
    size_t count;
    struct vg_arena *arena;
    struct vg_error *err;
    yaml_document_t document;
    size_t nodes; /* copied so far */
    bool over;    /* a bound was met: stop */
};

/* ---- places and reports ----------------------------------------------------------------------------- */

static struct vg_node place_of(const struct parsing *p, const yaml_mark_t *mark)
{
    unsigned line = (unsigned)mark->line, column = (unsigned)mark->column;

    return (struct vg_node){
        .file = p->at->file,
        .source = p->at->source,
        .line = p->at->line + line,
        .column = line == 0 ? p->at->column + column : column + 1,
    };
}

/* Mark of a byte; libyaml gives an offset only where it could not read the text. */
static yaml_mark_t mark_of(const struct parsing *p, size_t offset)
{
    yaml_mark_t mark = {0, 0, 0};

    for (size_t i = 0; i < offset && i < p->count; i++) {
        if (p->bytes[i] == '\n') {
            mark.line++;
            mark.column = 0;
        } else if (((unsigned char)p->bytes[i] & 0xC0) != 0x80) {
            mark.column++;
        }
    }
    return mark;
}

static int report_unreadable(const struct parsing *p, const yaml_parser_t *parser)
{
    yaml_mark_t mark = mark_of(p, parser->problem_offset);
    struct vg_node place = place_of(p, &mark);

    if (strncmp(parser->problem, "control", 7) == 0)
        return vg_node_fail(&place, p->err, "holds the control character U+%04X; expected text",
                            (unsigned)parser->problem_value);
    return vg_node_fail(&place, p->err, "is no UTF-8 (%s); save the file as UTF-8", parser->problem);
}

/* Is a tab what stands at, or opens the line of, the place? */
static bool is_at_tab(const struct parsing *p, const yaml_mark_t *mark)
{
    size_t i = 0;

    for (size_t line = mark->line; i < p->count && line > 0; i++)
        line -= p->bytes[i] == '\n';
    while (i < p->count && p->bytes[i] == ' ')
        i++;
    return i < p->count && p->bytes[i] == '\t';
}

/* libyaml places what is missing at the end below the last line; no line of that number can be shown. */
static yaml_mark_t within_text(const struct parsing *p, yaml_mark_t mark)
{
    size_t count = p->count;
    yaml_mark_t end;

    while (count > 0 && p->bytes[count - 1] == '\n')
        count--;
    end = mark_of(p, count);
    return mark.line > end.line ? end : mark;
}

static int report_problem(const struct parsing *p, const yaml_parser_t *parser)
{
    yaml_mark_t mark = within_text(p, parser->problem_mark);
    struct vg_node place = place_of(p, &mark);
    struct vg_text context = {0};
    int rc;

    if (parser->error == YAML_MEMORY_ERROR)
        return vg_fail(p->err, VG_IO, p->at->file, "out of memory while reading");
    if (parser->error == YAML_READER_ERROR)
        return report_unreadable(p, parser);
    if (parser->context != NULL) {
        struct vg_node from = place_of(p, &parser->context_mark);

        vg_text_addf(&context, " %s that starts at %u:%u", parser->context, from.line, from.column);
    }
    rc = vg_node_fail(&place, p->err, "this is not YAML: %s%s; %s", parser->problem,
                      vg_text_or_empty(&context),
                      is_at_tab(p, &parser->problem_mark) ? "indent with spaces, not tabs"
                                                          : "check indentation, quotes and brackets");
    vg_text_release(&context);
    return rc;
}

/* ---- first pass: bounds ----------------------------------------------------------------------------- */

struct bounds {
    unsigned depth, documents;
    size_t nodes;
};

static int check_event(const struct parsing *p, const yaml_event_t *event, struct bounds *seen)
{
    struct vg_node place = place_of(p, &event->start_mark);

    if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT)
        seen->depth++;
    if (event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT)
        seen->depth--;
    else
        seen->nodes++;
    if (event->type == YAML_DOCUMENT_START_EVENT && ++seen->documents > 1)
        return vg_node_fail(&place, p->err, "a second document starts here; a spec is one document");
    if (seen->depth > DEPTH_MAX)
        return vg_node_fail(&place, p->err, "is nested deeper than %d levels", DEPTH_MAX);
    if (seen->nodes > NODES_MAX)
        return vg_node_fail(&place, p->err, "is too long; a spec has at most %d values", NODES_MAX);
    return VG_OK;
}

static void start_parser(const struct parsing *p, yaml_parser_t *parser)
{
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)p->bytes, p->count);
}

static int check_bounds(const struct parsing *p)
{
    yaml_parser_t parser;
    yaml_event_t event;
    struct bounds seen = {0, 0, 0};
    bool ended = false;
    int rc = VG_OK;

    if (!yaml_parser_initialize(&parser))
        return vg_fail(p->err, VG_IO, p->at->file, "out of memory while reading");
    start_parser(p, &parser);
    while (rc == VG_OK && !ended) {
        if (!yaml_parser_parse(&parser, &event)) {
            rc = report_problem(p, &parser);
        } else {
            rc = check_event(p, &event, &seen);
            ended = event.type == YAML_STREAM_END_EVENT;
            yaml_event_delete(&event);
        }
    }
    yaml_parser_delete(&parser);
    return rc;
}

/* ---- second pass: the tree -------------------------------------------------------------------------- */

static struct vg_node *copy_node(struct parsing *p, int index, unsigned depth);

static bool is_null_word(const char *text)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

static void copy_scalar(struct parsing *p, const yaml_node_t *from, struct vg_node *to)
{
    const char *text = (const char *)from->data.scalar.value;
    size_t length = from->data.scalar.length;

    to->quoted = from->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (memchr(text, '\0', length) != NULL)
        vg_node_fail(to, p->err, "holds the character U+0000; expected text");
    if (to->quoted || !is_null_word(text))
        to->text = vg_arena_text_part(p->arena, text, length);
}

static void copy_list(struct parsing *p, const yaml_node_t *from, struct vg_node *to, unsigned depth)
{
    const yaml_node_item_t *items = from->data.sequence.items.start;
    size_t count = (size_t)(from->data.sequence.items.top - items);

    to->entries = vg_arena_take_zero(p->arena, count + 1, sizeof *to->entries);
    for (size_t i = 0; i < count && !p->over; i++) {
        struct vg_node *value = copy_node(p, items[i], depth + 1);

        if (value != NULL)
            to->entries[to->count++].value = value;
    }
}

/* What keeps a key out of the map, reported; a key that is none has no text. */
static bool key_is_sound(struct parsing *p, const struct vg_node *map, const struct vg_node *key)
{
    const struct vg_entry *twin;

    if (key->kind != VG_NODE_SCALAR || key->text == NULL || key->text[0] == '\0') {
        vg_node_fail(key, p->err, "a key must be a word; this one is %s",
                     key->kind == VG_NODE_SCALAR ? "empty" : "a list or a map");
        return false;
    }
    if (strcmp(key->text, "<<") == 0 && !key->quoted) {
        vg_node_fail(key, p->err, "merge keys (<<) are not read; write the keys out or use extends");
        return false;
    }
    if (strlen(key->text) > KEY_BYTES_MAX) {
        vg_node_fail(key, p->err, "a key has at most %d bytes; this one has %zu", KEY_BYTES_MAX,
                     strlen(key->text));
        return false;
    }
    twin = vg_map_entry(map, key->text);
    if (twin != NULL) {
        vg_node_fail(key, p->err, "the key %s stands here twice, first on line %u; keep one", key->text,
                     twin->key_node->line);
        return false;
    }
    return true;
}

static void copy_map(struct parsing *p, const yaml_node_t *from, struct vg_node *to, unsigned depth)
{
    const yaml_node_pair_t *pairs = from->data.mapping.pairs.start;
    size_t count = (size_t)(from->data.mapping.pairs.top - pairs);

    to->entries = vg_arena_take_zero(p->arena, count + 1, sizeof *to->entries);
    for (size_t i = 0; i < count && !p->over; i++) {
        struct vg_node *key = copy_node(p, pairs[i].key, depth + 1);
        struct vg_node *value = key != NULL ? copy_node(p, pairs[i].value, depth + 1) : NULL;

        if (value != NULL && key_is_sound(p, to, key))
            to->entries[to->count++] = (struct vg_entry){key->text, key, value};
    }
}

/* libyaml gives every untagged node one of these. */
static bool has_no_tag(const yaml_node_t *node)
{
    const char *tag = (const char *)node->tag;

    return strcmp(tag, YAML_STR_TAG) == 0 || strcmp(tag, YAML_SEQ_TAG) == 0 || strcmp(tag, YAML_MAP_TAG) == 0;
}

static struct vg_node *copy_node(struct parsing *p, int index, unsigned depth)
{
    const yaml_node_t *from = yaml_document_get_node(&p->document, index);
    struct vg_node *to = vg_arena_take_zero(p->arena, 1, sizeof *to);

    *to = place_of(p, &from->start_mark);
    if (++p->nodes > NODES_MAX || depth > DEPTH_MAX) {
        vg_node_fail(to, p->err, "its aliases unfold to more than %d values or %d levels; write less",
                     NODES_MAX, DEPTH_MAX);
        p->over = true;
        return NULL;
    }
    if (!has_no_tag(from))
        vg_node_fail(to, p->err, "tags are not read; found %s", (const char *)from->tag);
    if (from->type == YAML_SCALAR_NODE) {
        to->kind = VG_NODE_SCALAR;
        copy_scalar(p, from, to);
    } else if (from->type == YAML_SEQUENCE_NODE) {
        to->kind = VG_NODE_LIST;
        copy_list(p, from, to, depth);
    } else {
        to->kind = VG_NODE_MAP;
        copy_map(p, from, to, depth);
    }
    return to;
}

static struct vg_node *copy_document(struct parsing *p)
{
    yaml_parser_t parser;
    struct vg_node *root = NULL;

    if (!yaml_parser_initialize(&parser)) {
        vg_fail(p->err, VG_IO, p->at->file, "out of memory while reading");
        return NULL;
    }
    start_parser(p, &parser);
    if (!yaml_parser_load(&parser, &p->document)) {
        report_problem(p, &parser);
    } else {
        if (yaml_document_get_root_node(&p->document) != NULL)
            root = copy_node(p, 1, 1);
        yaml_document_delete(&p->document);
    }
    yaml_parser_delete(&parser);
    return p->over ? NULL : root;
}

/* YAML 1.1, which libyaml reads, ends lines at these too; YAML 1.2 and every editor do not. */
static int check_line_ends(const struct parsing *p)
{
    for (size_t i = 0; i + 1 < p->count; i++) {
        const char *c = p->bytes + i;
        bool is_next_line = memcmp(c, "\xC2\x85", 2) == 0;
        bool is_separator = i + 2 < p->count && c[0] == '\xE2' && c[1] == '\x80' && (c[2] & 0xFE) == 0xA8;

        if (is_next_line || is_separator) {
            yaml_mark_t mark = mark_of(p, i);
            struct vg_node place = place_of(p, &mark);

            return vg_node_fail(
                &place, p->err,
                "holds the line separator U+%s; end the line, or write it as an escape in quotes",
                is_next_line      ? "0085"
                : (c[2] & 1) != 0 ? "2029"
                                  : "2028");
        }
    }
    return VG_OK;
}

struct vg_node *vg_yaml_parse(const char *bytes, size_t count, const struct vg_origin *at,
                              struct vg_arena *arena, struct vg_error *err)
{
    struct parsing p = {.at = at, .bytes = bytes, .count = count, .arena = arena, .err = err};
    struct vg_node start = place_of(&p, &(yaml_mark_t){0, 0, 0}), *root;
    size_t before = err->count;

    if (count > BYTES_MAX) {
        vg_node_fail(&start, err, "is too long: %zu bytes; a spec has at most %d", count, BYTES_MAX);
        return NULL;
    }
    if (check_line_ends(&p) != VG_OK || check_bounds(&p) != VG_OK)
        return NULL;
    root = copy_document(&p);
    if (root == NULL && err->count == before)
        vg_node_fail(&start, err, "is empty; expected a value");
    return root;
}
