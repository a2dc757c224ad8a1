/* SPDX-License-Identifier: MIT */
/* Two manifests, item by item.  Of each row only a hash of its name and its place in the file are kept; a row
 * of B is read again when A's comes by, so that memory stays small and any order of the two works. */
#include "study.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES_MAX = 4 << 20 };

const char *const vg_change_names[VG_CHANGES] = {"added", "removed", "changed"};
const char *const vg_aspect_names[VG_ASPECTS] = {"audio",    "label", "parameter",
                                                 "evidence", "words", "packing"};

/* ---- manifests as files of lines ---------------------------------------------------------------------- */

struct row_place {
    char hash[VG_DIGEST_HEX]; /* of "<category>__<id>" */
    int64_t offset;
    bool met;
};
struct rows {
    const char *path;
    FILE *stream;
    struct vg_text line;
    struct row_place *at; /* by hash */
    size_t count, room;
};

static int open_rows(struct rows *rows, const char *folder, struct vg_arena *arena, struct vg_error *err)
{
    rows->path = vg_path_join(arena, folder, "manifest.jsonl");
    rows->stream = vg_file_open(rows->path);
    return rows->stream != NULL ? VG_OK : vg_fail_errno(err, VG_IO, rows->path, "cannot open");
}

static void close_rows(struct rows *rows)
{
    if (rows->stream != NULL)
        fclose(rows->stream);
    vg_text_release(&rows->line);
    free(rows->at);
}

/* The line at the file's position, as JSON; NULL at the end. */
static int read_row(struct rows *rows, json_t **object, struct vg_error *err)
{
    json_error_t fault;
    int c = 0;

    *object = NULL;
    vg_text_clear(&rows->line);
    while (rows->line.length < LINE_BYTES_MAX && (c = getc(rows->stream)) != EOF && c != '\n')
        vg_text_add_char(&rows->line, (char)c);
    if (c == EOF && rows->line.length == 0)
        return ferror(rows->stream) ? vg_fail_errno(err, VG_IO, rows->path, "cannot read") : VG_OK;
    *object = json_loadb(rows->line.data, rows->line.length, JSON_REJECT_DUPLICATES, &fault);
    return json_is_object(*object)
               ? VG_OK
               : vg_fail(err, VG_NO, rows->path, "has a row that is no JSON object: %.60s",
                         vg_text_or_empty(&rows->line));
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value != NULL ? value : "";
}

static void hash_name(const json_t *object, char hash[VG_DIGEST_HEX])
{
    struct vg_text name = {0};

    vg_text_addf(&name, "%s__%s", text_of(object, "category"), text_of(object, "id"));
    vg_digest_of(VG_XXH128, name.data, name.length, hash);
    vg_text_release(&name);
}

static int compare_places(const void *a, const void *b)
{
    return strcmp(((const struct row_place *)a)->hash, ((const struct row_place *)b)->hash);
}

static int index_rows(struct rows *rows, struct vg_error *err)
{
    json_t *object = NULL;
    int rc = VG_OK;

    while (rc == VG_OK) {
        int64_t offset = (int64_t)ftello(rows->stream);

        rc = read_row(rows, &object, err);
        if (rc != VG_OK || object == NULL)
            break;
        if (rows->count == rows->room) {
            rows->room = rows->room > 0 ? 2 * rows->room : 1024;
            rows->at = vg_memory_grow(rows->at, rows->room, sizeof *rows->at);
        }
        rows->at[rows->count] = (struct row_place){.offset = offset};
        hash_name(object, rows->at[rows->count++].hash);
        json_decref(object);
        object = NULL;
    }
    json_decref(object);
    /* Items are distinct; of equal ones any may answer. */
    if (rows->count > 0)
        qsort(rows->at, rows->count, sizeof *rows->at, compare_places);
    return rc;
}

static struct row_place *find_place(const struct rows *rows, const json_t *object)
{
    struct row_place wanted = {0};

    hash_name(object, wanted.hash);
    return rows->count > 0 ? bsearch(&wanted, rows->at, rows->count, sizeof wanted, compare_places) : NULL;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static enum vg_aspect aspect_of(const char *field)
{
    static const struct {
        const char *field;
        enum vg_aspect aspect;
    } known[] = {
        {"below_jnd", VG_BY_EVIDENCE}, {"evidence", VG_BY_EVIDENCE},
        {"verdict", VG_BY_EVIDENCE},   {"label", VG_BY_LABEL},
        {"direction", VG_BY_LABEL},    {"parameters", VG_BY_PARAMETER},
        {"seed", VG_BY_PARAMETER},     {"source_audio_xxh128", VG_BY_PARAMETER},
        {"flac_bytes", VG_BY_PACKING}, {"flac_xxh128", VG_BY_PACKING},
        {"key", VG_BY_PACKING},        {"attribute", VG_BY_WORDS},
        {"prompt", VG_BY_WORDS},       {"sentence_id", VG_BY_WORDS},
        {"source", VG_BY_WORDS},       {"source_clip_id", VG_BY_WORDS},
        {"source_text", VG_BY_WORDS},  {"speaker_id", VG_BY_WORDS},
        {"split", VG_BY_WORDS},        {"tier", VG_BY_WORDS},
        {"curve", VG_BY_WORDS},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].field, field) == 0)
            return known[i].aspect;
    return VG_BY_AUDIO; /* digests, lengths and levels of the sound */
}

struct fields {
    struct vg_field_change *at;
    size_t count, room;
    struct vg_arena *arena;
};

/* A JSON value as the manifest writes it; NULL stays NULL. */
static const char *show(json_t *value, struct vg_arena *arena)
{
    char *text;
    const char *kept;

    if (value == NULL)
        return NULL;
    text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    kept = vg_arena_text(arena, text != NULL ? text : "null");
    free(text);
    return kept;
}

static void add_field(struct fields *fields, const char *name, enum vg_aspect aspect, json_t *a, json_t *b)
{
    if (fields->count == fields->room) {
        struct vg_field_change *old = fields->at;

        fields->room = fields->room > 0 ? 2 * fields->room : 32;
        fields->at = vg_arena_take(fields->arena, fields->room, sizeof *fields->at);
        if (fields->count > 0)
            memcpy(fields->at, old, fields->count * sizeof *old);
    }
    fields->at[fields->count++] =
        (struct vg_field_change){name, aspect, show(a, fields->arena), show(b, fields->arena)};
}

/* Keys of `a` whose value differs in `b`, then keys that only `b` has; parameters one by one. */
static void compare_objects(struct fields *fields, json_t *a, json_t *b, const char *above)
{
    const char *key;
    json_t *value;

    json_object_foreach(a, key, value)
    {
        json_t *other = json_object_get(b, key);
        const char *name = vg_arena_format(fields->arena, "%s%s", above, key);

        if ((other != NULL && json_equal(value, other)) || strcmp(name, "shard") == 0)
            continue; /* a shard's name has the version in it, its number depends on the items before */
        if (above[0] == '\0' && strcmp(key, "parameters") == 0 && json_is_object(value) &&
            json_is_object(other))
            compare_objects(fields, value, other, "parameters.");
        else
            add_field(fields, name, above[0] != '\0' ? VG_BY_PARAMETER : aspect_of(key), value, other);
    }
    json_object_foreach(b, key, value)
    {
        if (json_object_get(a, key) == NULL)
            add_field(fields, vg_arena_format(fields->arena, "%s%s", above, key),
                      above[0] != '\0' ? VG_BY_PARAMETER : aspect_of(key), NULL, value);
    }
}

/* ---- items --------------------------------------------------------------------------------------------- */

struct comparing {
    struct rows a, b;
    const struct vg_diff_sink *sink;
    struct vg_diff *diff;
    struct vg_arena scratch;
    struct vg_error *err;
};

static int tell(struct comparing *c, enum vg_change kind, const json_t *object, const struct fields *fields)
{
    struct vg_item_change change = {.change = kind,
                                    .split = text_of(object, "split"),
                                    .category = text_of(object, "category"),
                                    .id = text_of(object, "id"),
                                    .tier = text_of(object, "tier"),
                                    .curve = text_of(object, "curve"),
                                    .direction = text_of(object, "direction"),
                                    .label = text_of(object, "label"),
                                    .fields = fields->at,
                                    .field_count = fields->count};

    for (size_t i = 0; i < fields->count; i++)
        change.aspects |= 1u << fields->at[i].aspect;
    for (int k = 0; k < VG_ASPECTS; k++)
        c->diff->by[k] += (change.aspects & 1u << k) != 0;
    c->diff->changes[kind]++;
    return c->sink->item(c->sink->context, &change);
}

static int read_other(struct comparing *c, const struct row_place *place, json_t **object)
{
    if (fseeko(c->b.stream, (off_t)place->offset, SEEK_SET) != 0)
        return vg_fail_errno(c->err, VG_IO, c->b.path, "cannot read");
    return read_row(&c->b, object, c->err);
}

static int compare_item(struct comparing *c, json_t *object)
{
    struct row_place *place = find_place(&c->b, object);
    struct fields fields = {.arena = &c->scratch};
    struct vg_arena_mark empty = {0};
    json_t *other = NULL;
    int rc = VG_OK;

    vg_arena_rewind(&c->scratch, empty);
    if (place == NULL)
        return tell(c, VG_REMOVED, object, &fields);
    place->met = true;
    rc = read_other(c, place, &other);
    if (rc == VG_OK) {
        compare_objects(&fields, object, other, "");
        if (fields.count > 0)
            rc = tell(c, VG_CHANGED, object, &fields);
        else
            c->diff->same++;
    }
    json_decref(other);
    return rc;
}

static int walk_a(struct comparing *c)
{
    json_t *object = NULL;
    int rc = read_row(&c->a, &object, c->err);

    while (rc == VG_OK && object != NULL) {
        c->diff->items_a++;
        rc = compare_item(c, object);
        json_decref(object);
        object = NULL;
        if (rc == VG_OK)
            rc = read_row(&c->a, &object, c->err);
    }
    json_decref(object);
    return rc;
}

static int compare_offsets(const void *a, const void *b)
{
    int64_t x = ((const struct row_place *)a)->offset, y = ((const struct row_place *)b)->offset;

    return (x > y) - (x < y);
}

/* What only B has, in its order. */
static int walk_added(struct comparing *c)
{
    struct fields none = {0};
    int rc = VG_OK;

    /* Offsets are distinct. */
    if (c->b.count > 0)
        qsort(c->b.at, c->b.count, sizeof *c->b.at, compare_offsets);
    for (size_t i = 0; rc == VG_OK && i < c->b.count; i++) {
        json_t *object = NULL;

        if (c->b.at[i].met)
            continue;
        rc = read_other(c, &c->b.at[i], &object);
        if (rc == VG_OK)
            rc = tell(c, VG_ADDED, object, &none);
        json_decref(object);
    }
    return rc;
}

int vg_diff_releases(const char *a, const char *b, const struct vg_diff_sink *sink, struct vg_diff *diff,
                     struct vg_error *err)
{
    struct comparing c = {.sink = sink, .diff = diff, .err = err};
    struct vg_arena arena = {0};
    int rc;

    *diff = (struct vg_diff){0};
    rc = open_rows(&c.a, a, &arena, err);
    if (rc == VG_OK)
        rc = open_rows(&c.b, b, &arena, err);
    if (rc == VG_OK)
        rc = vg_diff_specs(a, b, sink, &diff->specs, err);
    if (rc == VG_OK)
        rc = index_rows(&c.b, err);
    diff->items_b = c.b.count;
    if (rc == VG_OK)
        rc = walk_a(&c);
    if (rc == VG_OK)
        rc = walk_added(&c);
    close_rows(&c.a);
    close_rows(&c.b);
    vg_arena_release(&c.scratch);
    vg_arena_release(&arena);
    return rc;
}
