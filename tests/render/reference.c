/* SPDX-License-Identifier: MIT */
/* Readers of the reference folder's tables and sounds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "reference.h"

const char *reference_folder(struct scene *scene)
{
    const char *shared = getenv("VG_SHARED");

    if (shared == NULL || !vg_folder_exists(shared))
        skip();
    return vg_path_join(&scene->arena, shared, "reference");
}

struct vg_table reference_table(struct scene *scene, const char *folder, const char *name)
{
    struct vg_table table = {0};
    const char *path = vg_path_join(&scene->arena, folder, name);

    scene_check(scene, vg_table_read(&table, path, &scene->arena, VG_SOURCE, &scene->err));
    assert_true(table.row_count > 0);
    return table;
}

const char *reference_field(const struct vg_table *table, size_t row, const char *name)
{
    size_t column = vg_table_column(table, name);

    assert_true(column != SIZE_MAX);
    return vg_table_field(table, row, column);
}

double reference_number(const struct vg_table *table, size_t row, const char *name)
{
    double value = 0;

    assert_true(vg_number_parse(reference_field(table, row, name), &value));
    return value;
}

struct vg_loaded reference_load(struct scene *scene, const char *folder, const struct vg_table *table,
                                size_t row)
{
    struct vg_loaded loaded = {0};
    struct vg_decode_rules rules = {.duration_max_sec = 60};
    const char *path = vg_path_join(&scene->arena, folder, reference_field(table, row, "audio_path"));

    scene_check(scene, vg_decode_file(path, path, &rules, &loaded, &scene->arena, &scene->err));
    loaded.span =
        vg_span_of(reference_number(table, row, "onset_sec"), reference_number(table, row, "offset_sec"),
                   loaded.clip.rate_hz, loaded.clip.frames);
    return loaded;
}

struct vg_source reference_source(const struct vg_table *table, size_t row)
{
    return (struct vg_source){
        .id = vg_table_field(table, row, 0), /* whatever its column is called */
        .clip_id = reference_field(table, row, "clip_id"),
    };
}

size_t reference_find(const struct vg_table *expected, const char *category, const char *id)
{
    for (size_t row = 0; row < expected->row_count; row++)
        if (strcmp(reference_field(expected, row, "category"), category) == 0 &&
            strcmp(reference_field(expected, row, "item_id"), id) == 0)
            return row;
    return SIZE_MAX;
}
