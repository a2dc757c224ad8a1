/* SPDX-License-Identifier: MIT */
/* The published samples of the four categories made of short-time spectra and filters, whose arithmetic is
 * ours: the same length, and samples within what recipe.md ("What parity means") allows.  Prints the worst
 * file of each category. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

struct tolerance {
    const char *category;
    int largest;           /* difference of any sample, in 16-bit steps */
    double differ_percent; /* of a file's samples, at all */
    double beyond_percent; /* by more than one step */
    double snr_db;         /* signal to difference */
    size_t items;          /* in expected.tsv */
    size_t files;          /* with samples */
};
static const struct tolerance tolerances[] = {
    {"speaking_speed", 1, 0.5, 0, 0, 72, 48},
    {"voice_clarity", 1, 0.5, 0, 0, 72, 48},
    {"echo", 1, 0.5, 0, 0, 72, 48},
    {"voice_pitch", 12, 100, 1, 65, 120, 96},
};
enum { CATEGORIES = sizeof tolerances / sizeof tolerances[0] };

struct difference {
    double differ_percent, beyond_percent, snr_db;
    int largest;
};
struct worst {
    struct difference difference;
    char id[160];
    size_t items, files;
};

static struct difference difference_of(const int16_t *found, const int16_t *wanted, size_t frames)
{
    struct difference difference = {0};
    double signal = 0, error = 0;
    size_t differ = 0, beyond = 0;

    for (size_t k = 0; k < frames; k++) {
        int step = abs(found[k] - wanted[k]);

        differ += step > 0;
        beyond += step > 1;
        difference.largest = step > difference.largest ? step : difference.largest;
        signal += (double)wanted[k] * wanted[k];
        error += (double)step * step;
    }
    difference.differ_percent = 100.0 * (double)differ / (double)frames;
    difference.beyond_percent = 100.0 * (double)beyond / (double)frames;
    difference.snr_db = error > 0 ? 10.0 * log10(signal / error) : 999;
    return difference;
}

static void compare_file(struct scene *scene, const char *folder, const struct tolerance *tolerance,
                         const char *id, const struct vg_rendered *out, struct worst *worst)
{
    struct vg_text path = {0};
    struct vg_loaded wanted = {0};
    struct vg_decode_rules rules = {.duration_max_sec = 60};

    vg_text_addf(&path, "%s/audio/%s/%s.flac", folder, tolerance->category, id);
    if (vg_file_exists(path.data)) {
        scene_check(scene,
                    vg_decode_file(path.data, path.data, &rules, &wanted, &scene->output, &scene->err));
        assert_int_equal(out->frames, wanted.clip.frames);
        struct difference found = difference_of(out->samples, wanted.clip.samples, out->frames);

        worst->files++;
        if (found.differ_percent >= worst->difference.differ_percent) {
            strncpy(worst->id, id, sizeof worst->id - 1);
            worst->difference = found;
        }
        if (found.largest > tolerance->largest || found.differ_percent > tolerance->differ_percent ||
            found.beyond_percent > tolerance->beyond_percent || found.snr_db < tolerance->snr_db)
            fail_msg("%s %s: %.3f %% differ, %.3f %% by more than 1, %d at most, %.1f dB",
                     tolerance->category, id, found.differ_percent, found.beyond_percent, found.largest,
                     found.snr_db);
    }
    vg_text_release(&path);
}

static void compare_source(struct scene *scene, const char *folder, const struct vg_table *expected,
                           const struct vg_table *sources, size_t row, struct worst worst[CATEGORIES])
{
    struct vg_loaded loaded = reference_load(scene, folder, sources, row);
    struct vg_source source = reference_source(sources, row);

    for (size_t i = 0; i < (size_t)CATEGORIES * SCENE_ITEMS; i++) {
        const struct tolerance *tolerance = &tolerances[i / SCENE_ITEMS];
        struct vg_item item = scene_item(scene, tolerance->category, &source, i % SCENE_ITEMS);
        struct vg_text id = {0};
        char hex[VG_DIGEST_HEX];

        vg_item_id(&item, &id);
        size_t found = reference_find(expected, tolerance->category, id.data);
        if (found != SIZE_MAX) {
            struct vg_rendered out = scene_digest(scene, &item, &loaded, hex);

            worst[i / SCENE_ITEMS].items++;
            assert_int_equal(out.frames, (size_t)reference_number(expected, found, "frames"));
            compare_file(scene, folder, tolerance, id.data, &out, &worst[i / SCENE_ITEMS]);
        }
        vg_text_release(&id);
    }
    vg_renderer_clear(&scene->renderer);
}

static void test_published_samples(void **state)
{
    struct scene *scene = *state;
    static const char *const tables[] = {"sources_speech.csv", "sources_beep.csv"};
    const char *folder = reference_folder(scene);
    struct vg_table expected = reference_table(scene, folder, "expected.tsv");
    struct worst worst[CATEGORIES] = {0};

    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        struct vg_table sources = reference_table(scene, folder, tables[t]);

        for (size_t row = 0; row < sources.row_count; row++)
            compare_source(scene, folder, &expected, &sources, row, worst);
    }
    for (size_t c = 0; c < CATEGORIES; c++) {
        const struct difference *most = &worst[c].difference;

        print_message(
            "%-14s worst of %zu files: %.4f %% of samples differ, %.4f %% by more than 1, %d at most, "
            "%.1f dB (%s)\n",
            tolerances[c].category, worst[c].files, most->differ_percent, most->beyond_percent, most->largest,
            most->snr_db, worst[c].id);
        assert_int_equal(worst[c].items, tolerances[c].items);
        assert_int_equal(worst[c].files, tolerances[c].files);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_samples),
    };

    return cmocka_run_group_tests(tests, scene_open, scene_close);
}
