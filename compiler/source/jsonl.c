/* SPDX-License-Identifier: MIT */
/* JSON lines: every line is parsed by itself, and one that is no object is told and left out. */
#include "jsonl.h"

#include <stdlib.h>
#include <string.h>

/* ---- objects to rows ----------------------------------------------------------------------------- */

/* A scalar as a cell of a table. */
static char *text_of(const json_t *value, struct vg_arena *arena)
{
    struct vg_text number = {0};
    char *text;

    if (json_is_string(value))
        return vg_arena_text(arena, json_string_value(value));
    if (json_is_integer(value))
        return vg_arena_format(arena, "%lld", (long long)json_integer_value(value));
    if (json_is_boolean(value))
        return vg_arena_text(arena, json_is_true(value) ? "True" : "False");
    if (!json_is_real(value))
        return vg_arena_text(arena, "");
    vg_text_add_double(&number, json_real_value(value));
    text = vg_arena_text(arena, number.data);
    vg_text_release(&number);
    return text;
}

static void add_columns(struct vg_table *table, size_t *room, json_t *object, struct vg_arena *arena)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (vg_table_column(table, key) != SIZE_MAX)
            continue;
        if (table->column_count == *room) {
            char **columns;

            *room = 2 * *room + 16;
            columns = vg_arena_take(arena, *room, sizeof *columns);
            if (table->column_count > 0)
                memcpy(columns, table->columns, table->column_count * sizeof *columns);
            table->columns = columns;
        }
        table->columns[table->column_count++] = vg_arena_text(arena, key);
    }
}

void vg_table_of_objects(struct vg_table *table, const char *path, json_t *const *objects,
                         const size_t *lines, size_t count, struct vg_arena *arena)
{
    size_t room = 0;

    *table = (struct vg_table){.path = vg_arena_text(arena, path), .row_count = count, .usable = true};
    for (size_t i = 0; i < count; i++)
        add_columns(table, &room, objects[i], arena);
    table->rows = vg_arena_take(arena, count + 1, sizeof *table->rows);
    table->lines = vg_arena_take(arena, count + 1, sizeof *table->lines);
    for (size_t i = 0; i < count; i++) {
        table->lines[i] = lines[i];
        table->rows[i] = vg_arena_take(arena, table->column_count + 1, sizeof **table->rows);
        for (size_t c = 0; c < table->column_count; c++)
            table->rows[i][c] = text_of(json_object_get(objects[i], table->columns[c]), arena);
    }
}

/* ---- lines to objects ---------------------------------------------------------------------------- */

struct objects {
    json_t **at;
    size_t *lines;
    size_t count, room;
};

static void add_object(struct objects *objects, json_t *object, size_t line)
{
    if (objects->count == objects->room) {
        objects->room = 2 * objects->room + 256;
        objects->at = vg_memory_grow(objects->at, objects->room, sizeof *objects->at);
        objects->lines = vg_memory_grow(objects->lines, objects->room, sizeof *objects->lines);
    }
    objects->at[objects->count] = object;
    objects->lines[objects->count++] = line;
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

static int read_line(struct objects *objects, const char *path, const char *line, size_t length,
                     size_t number, struct vg_arena *arena, int code, struct vg_error *err)
{
    json_error_t why;
    json_t *object;

    if (is_blank(line, length))
        return VG_OK;
    object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
    if (json_is_object(object)) {
        add_object(objects, object, number);
        return VG_OK;
    }
    if (object != NULL)
        snprintf(why.text, sizeof why.text, "expected an object in braces");
    json_decref(object);
    return vg_fail(err, code, vg_arena_format(arena, "%s:%zu", path, number), "no JSON object: %s", why.text);
}

int vg_jsonl_parse(struct vg_table *table, const char *path, const char *bytes, size_t count,
                   struct vg_arena *arena, int code, struct vg_error *err)
{
    struct objects objects = {0};
    size_t number = 0;
    int rc = VG_OK;

    for (size_t start = 0; start < count;) {
        const char *feed = memchr(bytes + start, '\n', count - start);
        size_t stop = feed != NULL ? (size_t)(feed - bytes) : count;
        int line = read_line(&objects, path, bytes + start, stop - start, ++number, arena, code, err);

        rc = rc != VG_OK ? rc : line;
        start = stop + 1;
    }
    vg_table_of_objects(table, path, objects.at, objects.lines, objects.count, arena);
    for (size_t i = 0; i < objects.count; i++)
        json_decref(objects.at[i]);
    free(objects.at);
    free(objects.lines);
    table->usable = table->row_count > 0;
    if (rc == VG_OK && !table->usable)
        rc = vg_fail(err, code, path, "empty; expected a JSON object on every line");
    return rc;
}
