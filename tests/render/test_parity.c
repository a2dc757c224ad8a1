/* SPDX-License-Identifier: MIT */
/* The published samples: every reference item of the five exact categories has the digest of what the
 * published pipeline wrote.  Needs the reference folder; where that exists nothing is skipped. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "reference.h"

struct tally {
    size_t same, different, unknown;
};

static void compare_item(const struct vg_table *expected, size_t row, const struct vg_rendered *out,
                         uint32_t rate_hz, const char *hex, struct tally *tally)
{
    if (row == SIZE_MAX) {
        tally->unknown++;
        return;
    }
    assert_int_equal(out->frames, (size_t)reference_number(expected, row, "frames"));
    assert_int_equal(rate_hz, (uint32_t)reference_number(expected, row, "sample_rate_hz"));
    if (strcmp(reference_field(expected, row, "pcm_sha256"), hex) == 0) {
        tally->same++;
        return;
    }
    print_error("%s %s: %s\n", reference_field(expected, row, "category"),
                reference_field(expected, row, "item_id"), hex);
    tally->different++;
}

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
        compare_item(expected, reference_find(expected, scene_exact[i / SCENE_ITEMS], id.data), &out,
                     loaded->clip.rate_hz, hex, tally);
        vg_text_release(&id);
    }
}

static void compare_table(struct scene *scene, const char *folder, const char *name, struct tally *tally)
{
    struct vg_table expected = reference_table(scene, folder, "expected.tsv");
    struct vg_table sources = reference_table(scene, folder, name);

    for (size_t row = 0; row < sources.row_count; row++) {
        struct vg_loaded loaded = reference_load(scene, folder, &sources, row);
        struct vg_source source = reference_source(&sources, row);

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
