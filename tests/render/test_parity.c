/* SPDX-License-Identifier: MIT */
/* The published samples: every reference item of the five exact categories has the digest of what the
 * published pipeline wrote.  Needs the reference folder; where that exists nothing is skipped. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "scene.h"

/* The folder named by VG_SHARED holds reference/; elsewhere these tests have nothing to say. */
static const char *reference_folder(struct scene *scene)
{
    const char *shared = getenv("VG_SHARED");

    if (shared == NULL || !vg_folder_exists(shared))
        skip();
    return vg_path_join(&scene->arena, shared, "reference");
}

static struct vg_table read_table(struct scene *scene, const char *folder, const char *name)
{
    struct vg_table table = {0};
    const char *path = vg_path_join(&scene->arena, folder, name);

    scene_check(scene, vg_table_read(&table, path, &scene->arena, VG_SOURCE, &scene->err));
    assert_true(table.row_count > 0);
    return table;
}

static const char *field(const struct vg_table *table, size_t row, const char *name)
{
    size_t column = vg_table_column(table, name);

    assert_true(column != SIZE_MAX);
    return vg_table_field(table, row, column);
}

static double number(const struct vg_table *table, size_t row, const char *name)
{
    double value = 0;

    assert_true(vg_number_parse(field(table, row, name), &value));
    return value;
}

/* A source as a selection table names it; its first column is the item id whatever its name. */
static struct vg_loaded load(struct scene *scene, const char *folder, const struct vg_table *table,
                             size_t row)
{
    struct vg_loaded loaded = {0};
    struct vg_decode_rules rules = {.duration_max_sec = 60};
    const char *path = vg_path_join(&scene->arena, folder, field(table, row, "audio_path"));

    scene_check(scene, vg_decode_file(path, path, &rules, &loaded, &scene->arena, &scene->err));
    loaded.span = vg_span_of(number(table, row, "onset_sec"), number(table, row, "offset_sec"),
                             loaded.clip.rate_hz, loaded.clip.frames);
    return loaded;
}

static const char *expected_row(const struct vg_table *expected, const char *category, const char *id,
                                struct vg_rendered *out, uint32_t rate_hz)
{
    for (size_t row = 0; row < expected->row_count; row++)
        if (strcmp(field(expected, row, "category"), category) == 0 &&
            strcmp(field(expected, row, "item_id"), id) == 0) {
            assert_int_equal(out->frames, (size_t)number(expected, row, "frames"));
            assert_int_equal(rate_hz, (uint32_t)number(expected, row, "sample_rate_hz"));
            return field(expected, row, "pcm_sha256");
        }
    return NULL;
}

struct tally {
    size_t same, different, unknown;
};

static void compare_source(struct scene *scene, const struct vg_table *expected,
                           const struct vg_source *source, const struct vg_loaded *loaded,
                           struct tally *tally)
{
    for (size_t i = 0; i < (size_t)SCENE_EXACT * SCENE_ITEMS; i++) {
        struct vg_item item = scene_item(scene, scene_exact[i / SCENE_ITEMS], source, i % SCENE_ITEMS);
        struct vg_text id = {0};
        char hex[VG_DIGEST_HEX];
        struct vg_rendered out = scene_digest(scene, &item, loaded, hex);

        vg_item_id(&item, &id);
        const char *wanted =
            expected_row(expected, scene_exact[i / SCENE_ITEMS], id.data, &out, loaded->clip.rate_hz);
        if (wanted == NULL)
            tally->unknown++;
        else if (strcmp(wanted, hex) == 0)
            tally->same++;
        else {
            print_error("%s %s: %s, not %s\n", scene_exact[i / SCENE_ITEMS], id.data, hex, wanted);
            tally->different++;
        }
        vg_text_release(&id);
    }
}

static void compare_table(struct scene *scene, const char *folder, const char *name, struct tally *tally)
{
    struct vg_table expected = read_table(scene, folder, "expected.tsv");
    struct vg_table sources = read_table(scene, folder, name);

    for (size_t row = 0; row < sources.row_count; row++) {
        struct vg_loaded loaded = load(scene, folder, &sources, row);
        struct vg_source source = {
            .id = vg_table_field(&sources, row, 0),
            .clip_id = field(&sources, row, "clip_id"),
        };

        compare_source(scene, &expected, &source, &loaded, tally);
        vg_renderer_clear(&scene->renderer);
    }
}

static void test_recordings(void **state)
{
    struct scene *scene = *state;
    struct tally tally = {0};

    compare_table(scene, reference_folder(scene), "sources_speech.csv", &tally);
    assert_int_equal(tally.different, 0);
    assert_int_equal(tally.unknown, 0);
    assert_int_equal(tally.same, 3 * 5 * 24);
}

/* The published grid has no distortion and roughness of the beeps. */
static void test_beeps(void **state)
{
    struct scene *scene = *state;
    struct tally tally = {0};

    compare_table(scene, reference_folder(scene), "sources_beep.csv", &tally);
    assert_int_equal(tally.different, 0);
    assert_int_equal(tally.unknown, 2 * 2 * 24);
    assert_int_equal(tally.same, 2 * 3 * 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_beeps),
    };

    return cmocka_run_group_tests(tests, scene_open, scene_close);
}
