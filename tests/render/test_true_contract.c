/* SPDX-License-Identifier: MIT */
/* What every category of `true-1` promises, on every kind of sound, span, rate and edge: no change asked is
 * no change made, nothing clips, items are the same whenever they are made, and a pair has one length. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "true/true.h"

static const struct vg_source source = {.id = "made_01", .clip_id = "made"};

enum { RATES = 5, CATEGORIES = 9 };
static const uint32_t rates[RATES] = {8000, 16000, 22050, 44100, 48000};
enum { TRIM, HOLD, SOURCE, EDGES };

/* The spec's edges, said otherwise. */
static void set_edges(struct scene *scene, double edges)
{
    double *at = vg_arena_take(&scene->arena, 1, sizeof *at);

    *at = edges;
    scene->spec.trajectory[0] = (struct vg_value){at, 1};
}

static const char *category(size_t i)
{
    return vg_true_engine.words.categories[i]->name;
}

static struct vg_rendered render(struct scene *scene, const struct vg_item *item,
                                 const struct vg_loaded *loaded)
{
    char hex[VG_DIGEST_HEX];

    vg_renderer_clear(&scene->renderer);
    return scene_digest(scene, item, loaded, hex);
}

static void assert_span_is_source(const struct vg_rendered *out, const struct vg_loaded *loaded)
{
    const struct vg_span *span = &loaded->span;

    assert_int_equal(out->off - out->on, span->off - span->on);
    assert_memory_equal(out->samples + out->on, loaded->clip.samples + span->on,
                        (span->off - span->on) * sizeof *out->samples);
}

static void test_no_change_gives_the_source(void **state)
{
    struct scene *scene = *state;
    static const double zero = 0;
    struct vg_value nothing[] = {{&zero, 1}};

    for (size_t r = 0; r < RATES; r++) {
        struct vg_loaded loaded =
            scene_sound(scene, SCENE_SPEECHLIKE, rates[r], rates[r], rates[r] / 4, rates[r] - rates[r] / 4);

        for (size_t c = 0; c < CATEGORIES; c++)
            for (int edges = 0; edges < EDGES; edges++) {
                struct vg_item item = scene_item(scene, category(c), &source, 17 + (size_t)edges);
                struct vg_rendered out;

                set_edges(scene, edges);
                item.values = nothing;
                out = render(scene, &item, &loaded);
                assert_span_is_source(&out, &loaded);
                if (edges == TRIM)
                    continue;
                assert_int_equal(out.frames, loaded.clip.frames);
                assert_memory_equal(out.samples, loaded.clip.samples, out.frames * sizeof *out.samples);
            }
    }
}

static void test_edges_are_what_the_spec_says(void **state)
{
    enum { RATE = 16000, ON = 4000, OFF = 12000, CROSSING = 160, KEPT = 1600 };
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_TONE, RATE, 16000, ON, OFF);
    struct vg_item item = scene_item(scene, "volume", &source, 22); /* jump high up: -6 dB, +6 dB */
    const int16_t *in = loaded.clip.samples;
    struct vg_rendered out;

    set_edges(scene, SOURCE);
    out = render(scene, &item, &loaded);
    for (size_t k = 0; k < ON - 2 * CROSSING; k++) /* at the headroom's level, which is one gain throughout */
        assert_true(abs(out.samples[k] - out.samples[k + 160]) <= 1); /* seven periods */

    set_edges(scene, HOLD);
    struct vg_rendered held = render(scene, &item, &loaded);
    assert_int_equal(held.frames, 16000);
    double ratio = 0, count = 0;
    for (size_t k = 100; k < ON - CROSSING; k++)
        if (abs(in[k]) > 10000) {
            ratio += (double)held.samples[k] / in[k];
            count++;
        }
    assert_true(ratio / count < 0.5); /* -6 dB and the headroom */

    set_edges(scene, TRIM);
    out = render(scene, &item, &loaded);
    assert_int_equal(out.frames, OFF - ON + 2 * KEPT);
    assert_int_equal(out.on, KEPT);
    assert_int_equal(out.off, KEPT + OFF - ON);
    for (size_t k = 0; k < 30; k++) /* faded */
        assert_true(abs(out.samples[k]) < 600 && abs(out.samples[out.frames - 1 - k]) < 600);
}

/* Squares of full scale leave no room at all; silence and a single sample leave nothing to measure. */
static void test_nothing_clips_or_breaks(void **state)
{
    enum { RATE = 16000 };
    static const enum scene_signal signals[] = {SCENE_SILENCE, SCENE_TONE, SCENE_SQUARE, SCENE_SPEECHLIKE};
    static const struct vg_span spans[] = {{0, 9000},    {0, 1},       {8999, 9000},
                                           {4000, 4003}, {1000, 1400}, {3000, 8000}};
    struct scene *scene = *state;

    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++)
        for (size_t p = 0; p < sizeof spans / sizeof *spans; p++)
            for (size_t c = 0; c < CATEGORIES; c++) {
                struct vg_loaded loaded =
                    scene_sound(scene, signals[s], RATE, 9000, spans[p].on, spans[p].off);

                set_edges(scene, (double)((s + p + c) % EDGES));
                for (size_t number = 16; number < SCENE_ITEMS; number++) {
                    struct vg_item item = scene_item(scene, category(c), &source, number);
                    struct vg_rendered out = render(scene, &item, &loaded);
                    unsigned peak = 0;

                    assert_int_equal(out.clipped, 0);
                    assert_true(out.on < out.off && out.off <= out.frames);
                    for (size_t k = 0; k < out.frames; k++)
                        peak = (unsigned)abs(out.samples[k]) > peak ? (unsigned)abs(out.samples[k]) : peak;
                    assert_int_equal(out.peak, peak);
                }
            }
}

static void test_items_do_not_know_each_other(void **state)
{
    enum { RATE = 22050 };
    struct scene *scene = *state;

    for (size_t c = 0; c < CATEGORIES; c++) {
        bool needs_pitch = strcmp(category(c), "voice_pitch") == 0;
        struct vg_loaded loaded =
            scene_sound(scene, needs_pitch ? SCENE_TONE : SCENE_SPEECHLIKE, RATE, RATE, 3000, RATE - 3000);
        char alone[VG_DIGEST_HEX], after[VG_DIGEST_HEX], pair[VG_DIGEST_HEX];
        struct vg_item item = scene_item(scene, category(c), &source, 18),
                       other = scene_item(scene, category(c), &source, 19);

        vg_renderer_clear(&scene->renderer);
        size_t frames = scene_digest(scene, &item, &loaded, alone).frames;
        assert_int_equal(scene_digest(scene, &other, &loaded, pair).frames, frames);
        scene_digest(scene, &item, &loaded, after);
        assert_string_equal(alone, after);
        assert_string_not_equal(alone, pair);
    }
}

static void test_courses_are_mirrored_and_continuous(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SILENCE, 48000, 10000, 100, 9701);

    for (size_t number = 0; number < SCENE_ITEMS; number += 2) {
        struct vg_item up = scene_item(scene, "volume", &source, number),
                       down = scene_item(scene, "volume", &source, number + 1);
        struct vg_course rising = vg_course_of(&up, &loaded), falling = vg_course_of(&down, &loaded);
        double net = up.values[0].at[0], last = 0, first_third = 0, last_third = 0;

        assert_true(vg_course_at(&rising, 0) == 0 && vg_course_at(&rising, 1e6) == rising.reach);
        for (size_t k = 100; k < 9701; k++) {
            double value = vg_course_at(&rising, (double)k), back = vg_course_at(&falling, 9800 - (double)k);

            assert_true(value >= last && value - last < 0.1); /* 480 samples across a jump of at most 12 */
            assert_true(value - back < 1e-9 && back - value < 1e-9);
            first_third += k < 100 + 3200 ? value / 3200 : 0;
            last_third += k >= 9701 - 3200 ? value / 3200 : 0;
            last = value;
        }
        assert_true(last_third - first_third > 0.99 * net && last_third - first_third < 1.01 * net);
    }
}

/* A tier beyond what a category can do is refused where it stands. */
static void test_too_much_is_refused(void **state)
{
    static const char *const too_much[] = {
        "voice_pitch.tiers.high.change_jnd=6", "speaking_speed.tiers.high.change_jnd=18",
        "audio_distortion.tiers.high.change_jnd=6", "voice_vibration.tiers.high.change_jnd=5"};
    struct scene *scene = *state;
    const struct vg_source_words *kind = NULL;
    const struct vg_engine_words *engine = &vg_true_engine.words;
    struct vg_vocabulary vocabulary = {
        .engines = &engine, .engine_count = 1, .sources = &kind, .source_count = 1};
    const char *path = vg_path_join(&scene->arena, getenv("VG_SPECS"), "true.yaml");

    for (size_t i = 0; i < vg_source_kind_count; i++)
        if (strcmp(vg_source_kinds[i]->words.name, "voice") == 0)
            kind = &vg_source_kinds[i]->words;
    for (size_t i = 0; i < sizeof too_much / sizeof *too_much; i++) {
        const char *set = vg_arena_format(&scene->arena, "categories.%s", too_much[i]);
        struct vg_spec_options options = {.set = &set, .set_count = 1};
        struct vg_error err = {0};
        struct vg_spec spec;

        assert_int_equal(vg_spec_load(&spec, path, &options, &vocabulary, &scene->arena, &err), VG_SPEC);
        assert_int_equal(err.count, 1);
        assert_non_null(strstr(err.issues[0].sentence, "asks for more than can be done"));
        vg_error_release(&err);
    }
}

/* Each rule refuses what lies beyond it, and says which it is. */
static void test_sources_are_refused_by_rule(void **state)
{
    enum { RATE = 16000 };
    struct scene *scene = *state;
    struct vg_loaded good = scene_sound(scene, SCENE_SPEECHLIKE, RATE, 32000, 8000, 24000), bad = good;
    const struct vg_spec *spec = &scene->spec;

    /* its pauses lie 32 dB below its syllables: more than the noise of the highest tier has room over */
    assert_non_null(strstr(vg_render_refuses(spec, 0, &good, &scene->arena), "noise_most_db"));
    scene->spec.splits[0].category_count = 1; /* volume alone */
    assert_null(vg_render_refuses(spec, 0, &good, &scene->arena));
    bad.span.off = bad.span.on + RATE / 2;
    assert_non_null(strstr(vg_render_refuses(spec, 0, &bad, &scene->arena), "0.50 s"));
    bad = scene_sound(scene, SCENE_SILENCE, RATE, 32000, 8000, 24000);
    assert_non_null(strstr(vg_render_refuses(spec, 0, &bad, &scene->arena), "level_least_db"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_change_gives_the_source, scene_open_true, scene_close),
        cmocka_unit_test_setup_teardown(test_edges_are_what_the_spec_says, scene_open_true, scene_close),
        cmocka_unit_test_setup_teardown(test_nothing_clips_or_breaks, scene_open_true, scene_close),
        cmocka_unit_test_setup_teardown(test_items_do_not_know_each_other, scene_open_true, scene_close),
        cmocka_unit_test_setup_teardown(test_courses_are_mirrored_and_continuous, scene_open_true,
                                        scene_close),
        cmocka_unit_test_setup_teardown(test_too_much_is_refused, scene_open_true, scene_close),
        cmocka_unit_test_setup_teardown(test_sources_are_refused_by_rule, scene_open_true, scene_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
