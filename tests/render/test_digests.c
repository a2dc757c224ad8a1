/* SPDX-License-Identifier: MIT */
/* Pinned samples of sources made on the spot: common ones and every edge of the recipe.  digests.tsv holds,
 * for each case and category, the SHA-256 over the hex digests of its 24 items in the recipe's order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "scene.h"

static const struct {
    const char *name;
    enum scene_signal signal;
    uint32_t rate_hz;
    size_t frames, on, off;
} cases[] = {
    {"speechlike_48k", SCENE_SPEECHLIKE, 48000, 48000, 9600, 40800},
    {"speechlike_16k", SCENE_SPEECHLIKE, 16000, 32000, 4000, 28000},
    {"speechlike_44k1", SCENE_SPEECHLIKE, 44100, 30000, 5001, 27777},
    {"speechlike_96k", SCENE_SPEECHLIKE, 96000, 40000, 9000, 39000},
    {"speechlike_8k", SCENE_SPEECHLIKE, 8000, 9000, 801, 8555},
    {"tone_48k", SCENE_TONE, 48000, 48000, 9600, 40800},
    {"square_full_scale", SCENE_SQUARE, 48000, 20000, 3000, 17000},
    {"silence", SCENE_SILENCE, 48000, 20000, 3000, 17000},
    {"whole_clip", SCENE_SPEECHLIKE, 16000, 16000, 0, 16000},
    {"span_of_one", SCENE_SPEECHLIKE, 16000, 4000, 2000, 2001},
    {"span_at_end", SCENE_SPEECHLIKE, 16000, 4000, 3999, 4000},
    {"span_at_start", SCENE_SPEECHLIKE, 16000, 4000, 0, 3},
    {"span_one_step", SCENE_SPEECHLIKE, 16000, 4000, 1000, 1800},
    {"span_step_and_one", SCENE_SPEECHLIKE, 16000, 4000, 1000, 1801},
    {"short_before_after", SCENE_SPEECHLIKE, 16000, 4000, 30, 3960},
    {"clip_of_1", SCENE_SQUARE, 16000, 1, 0, 1},
    {"clip_of_31", SCENE_SPEECHLIKE, 16000, 31, 3, 29},
    {"clip_of_511", SCENE_SPEECHLIKE, 48000, 511, 0, 511},
    {"clip_of_513", SCENE_SPEECHLIKE, 8000, 513, 20, 500},
};

static void digest_category(struct scene *scene, const char *category, size_t i,
                            const struct vg_loaded *loaded, char hex[VG_DIGEST_HEX])
{
    struct vg_source source = {.id = cases[i].name, .clip_id = "made"};
    struct vg_digest all;

    vg_digest_init(&all, VG_SHA256);
    for (size_t number = 0; number < SCENE_ITEMS; number++) {
        struct vg_item item = scene_item(scene, category, &source, number);
        struct vg_rendered out = scene_digest(scene, &item, loaded, hex);

        assert_true(out.on < out.off && out.off <= out.frames && out.peak <= 32768);
        vg_digest_add(&all, hex, strlen(hex));
    }
    vg_digest_finish(&all, hex);
}

static const char *pinned(const struct vg_table *table, const char *name, const char *category)
{
    for (size_t row = 0; row < table->row_count; row++)
        if (strcmp(vg_table_field(table, row, vg_table_column(table, "case")), name) == 0 &&
            strcmp(vg_table_field(table, row, vg_table_column(table, "category")), category) == 0)
            return vg_table_field(table, row, vg_table_column(table, "sha256"));
    return "nothing";
}

static void test_pinned_samples(void **state)
{
    struct scene *scene = *state;
    struct vg_table table = {0};
    const char *path = vg_path_join(&scene->arena, getenv("VG_TESTS"), "render/digests.tsv");
    size_t different = 0;

    scene_check(scene, vg_table_read(&table, path, &scene->arena, VG_SOURCE, &scene->err));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct vg_loaded loaded =
            scene_sound(scene, cases[i].signal, cases[i].rate_hz, cases[i].frames, cases[i].on, cases[i].off);

        for (size_t c = 0; c < scene->spec.category_count; c++) {
            const char *category = scene->spec.categories[c].words->name;
            char hex[VG_DIGEST_HEX];

            digest_category(scene, category, i, &loaded, hex);
            if (strcmp(hex, pinned(&table, cases[i].name, category)) != 0) {
                print_error("digests.tsv should read:\n%s\t%s\t%s\n", cases[i].name, category, hex);
                different++;
            }
        }
        vg_renderer_clear(&scene->renderer);
    }
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pinned_samples),
    };

    return cmocka_run_group_tests(tests, scene_open, scene_close);
}
