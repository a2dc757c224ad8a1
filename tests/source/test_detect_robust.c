/* SPDX-License-Identifier: MIT */
/* The robust detector on the labelled set it was tuned on, the paper's beside it, at several sample rates;
 * what is no speech; and the rules for doubtful spans.  VG_DRAWS: scenes for each speech and noise level. */
#include "speech_set.h"

#include "detect.h"

static void draw_scene(struct scene *scene, size_t draw, struct vg_random *random)
{
    static const double leads_sec[] = {0, 0.06, 0.5, 1.5}, tails_sec[] = {0, 0.3, 1.2};
    static const double hums_hz[] = {50, 60};
    uint64_t trouble = vg_random_below(random, 4);

    scene->pink = draw % 2 == 1;
    scene->lead_sec = leads_sec[vg_random_below(random, 4)];
    scene->tail_sec = tails_sec[vg_random_below(random, 3)];
    scene->hum_hz = trouble & 1 ? hums_hz[vg_random_below(random, 2)] : 0;
    scene->clicks = trouble & 2 ? 8 : 0;
}

static void run_level(double snr_db, size_t draws, struct tally *robust, struct tally *old,
                      struct tally sure[5])
{
    static const uint32_t rates_hz[] = {8000, 11025, 22050, 44100, 96000};

    for (size_t i = 0; i < SPEECHES; i++)
        for (size_t draw = 0; draw < draws; draw++) {
            struct vg_arena tmp = {0};
            struct scene scene = {.speech = &speeches[i], .snr_db = snr_db};
            struct speech other;
            struct vg_random random;

            vg_random_seed(&random,
                           vg_random_entropy(vg_arena_format(&tmp, "%d:%zu:%zu", (int)snr_db, i, draw)));
            if (draw % 4 == 3) {
                other = at_rate(scene.speech, rates_hz[vg_random_below(&random, 5)], &tmp);
                scene.speech = &other;
            }
            draw_scene(&scene, draw, &random);
            scene_make(&scene, &random, &tmp);
            try_scene(&scene, robust, old, sure, &tmp);
            vg_arena_release(&tmp);
        }
}

static void the_labelled_set(void **state)
{
    static const double levels_db[] = {99, 30, 20, 10, 5};
    const char *text = getenv("VG_DRAWS");
    int64_t draws = 0;
    struct tally high = {0}, low = {0}, sure[5] = {{0}};

    if (text == NULL || !vg_integer_parse(text, &draws))
        draws = 4;
    (void)state;
    speech_set_read();
    print_head();
    for (size_t i = 0; i < 5; i++) {
        struct tally robust = {0}, old = {0};

        run_level(levels_db[i], (size_t)draws, &robust, &old, sure);
        print_row(levels_db[i], &robust, &old);
        if (levels_db[i] >= 20) {
            high.count += robust.count;
            high.within_50 += robust.within_50;
        }
        low = robust;
    }
    print_sure(sure);
    assert_true(percent(high.within_50, high.count) >= 98);
    assert_true(percent(low.within_100, low.count) >= 95);
    assert_true(percent(sure[4].within_50, sure[4].count) >= 98);
}

/* ---- no speech ---------------------------------------------------------------------------------------- */

static double *nothing_but(struct fixture *f, double noise_db, double hum_hz, size_t clicks, size_t *frames)
{
    static double silence[16000];
    struct speech speech = {.x = silence, .frames = 16000, .rate_hz = 16000};
    struct scene scene = {.speech = &speech, .lead_sec = 2, .snr_db = 99};
    struct vg_random random;

    vg_random_seed(&random, 1);
    scene_make(&scene, &random, &f->arena);
    scene.snr_db = -noise_db; /* now above full scale instead of above speech */
    if (noise_db < 0)
        add_noise(&scene, 1, &random, &f->arena);
    scene.hum_hz = hum_hz;
    scene.snr_db = 20;
    if (hum_hz > 0)
        add_hum(&scene, 1);
    silence[0] = 0.5;
    scene.clicks = clicks;
    add_clicks(&scene, &random);
    silence[0] = 0;
    *frames = scene.frames;
    return scene.x;
}

static void what_is_no_speech_is_not_found(void **state)
{
    static const struct {
        double noise_db, hum_hz;
        size_t clicks;
    } cases[] = {{0, 0, 0}, {-60, 0, 0}, {-20, 0, 0}, {-40, 50, 0}, {0, 60, 0}, {-60, 0, 8}, {-40, 50, 8}};
    struct fixture *f = *state;
    size_t frames;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double *x = nothing_but(f, cases[i].noise_db, cases[i].hum_hz, cases[i].clicks, &frames);
        struct vg_speech found = vg_detect_robust(x, frames, 16000, &f->arena);

        if (found.found)
            fail_msg("case %zu: speech from %f to %f", i, found.onset_sec, found.offset_sec);
    }
}

static void clips_too_short_for_anything(void **state)
{
    struct fixture *f = *state;
    double x[400] = {0.5, -0.5, 0.5};

    for (size_t frames = 1; frames < 400; frames += 13)
        assert_false(vg_detect_robust(x, frames, 8000, &f->arena).found);
}

static void noise_has_no_pitch_and_voices_have(void **state)
{
    struct fixture *f = *state;
    size_t frames;
    double *noise = nothing_but(f, -20, 0, 0, &frames);

    assert_true(vg_speech_voiced_share(noise, 0, frames, 16000, &f->arena) < 0.03);
    speech_set_read();
    for (size_t i = 0; i < SPEECHES; i++)
        assert_true(vg_speech_voiced_share(speeches[i].x, 0, speeches[i].frames, speeches[i].rate_hz,
                                           &f->arena) > 0.3);
}

/* ---- doubts ------------------------------------------------------------------------------------------- */

/* A source of x through a spec with `span: robust` and one more override. */
static int load(struct fixture *f, const double *x, size_t frames, uint32_t rate_hz, const char *override,
                struct vg_loaded *loaded)
{
    static const char table[] = "item_id,clip_id,audio_path\none,c,a.wav\n";
    const char *set[] = {"span=robust", vg_arena_format(&f->arena, "root=%s", f->folder), override};
    struct vg_source_list list = {0};
    struct vg_spec spec;

    fixture_sound(f, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, (int)rate_hz, 1, x, frames);
    fixture_put(f, "t.csv", table, strlen(table));
    assert_int_equal(fixture_spec_set(f, "{kind: table, table: t.csv}", set, override != NULL ? 3 : 2, &spec),
                     VG_OK);
    assert_int_equal(vg_sources_list(&spec, &list, &f->arena, &f->err), VG_OK);
    return vg_source_load(&spec, &list.at[0], loaded, &f->arena, &f->err);
}

static void doubts_are_noted_or_refused(void **state)
{
    static const struct {
        const char *rule, *note;
    } cases[] = {
        {"doubtful_span.confidence_min=1", "doubtful span: confidence 0."},
        {"doubtful_span.share_min=0.99", "doubtful span: only "},
        {"doubtful_span.pause_max_sec=0", "s inside"},
        {"doubtful_span.voiced_share_min=1", " % voiced"},
        {"doubtful_span.level_min_dbfs=-3", "doubtful span: a level of -"},
    };
    struct fixture *f = *state;
    struct scene scene = {.speech = &speeches[5], .snr_db = 15, .lead_sec = 0.5, .tail_sec = 0.5};
    struct vg_random random;
    struct vg_loaded loaded;

    speech_set_read();
    vg_random_seed(&random, 2);
    scene_make(&scene, &random, &f->arena);
    assert_int_equal(load(f, scene.x, scene.frames, scene.speech->rate_hz, NULL, &loaded), VG_OK);
    assert_true(loaded.facts.detected && loaded.facts.span_found);
    assert_true(fabs(loaded.facts.onset_sec - scene.onset_sec) < 0.03);
    assert_true(strncmp(loaded.facts.note, "robust span, confidence ", 24) == 0);
    assert_null(strstr(loaded.facts.note, "doubtful"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(load(f, scene.x, scene.frames, scene.speech->rate_hz, cases[i].rule, &loaded),
                         VG_OK);
        if (strstr(loaded.facts.note, cases[i].note) == NULL)
            fail_msg("%s: %s", cases[i].rule, loaded.facts.note);
    }
}

static void faults_of_the_recording_are_doubts(void **state)
{
    struct fixture *f = *state;
    struct scene scene = {.speech = &speeches[5], .snr_db = 40, .lead_sec = 0.2, .tail_sec = 0.2};
    struct vg_random random;
    struct vg_loaded loaded;
    double *loud, *shifted, *silent;

    speech_set_read();
    vg_random_seed(&random, 3);
    scene_make(&scene, &random, &f->arena);
    loud = vg_arena_take(&f->arena, scene.frames, sizeof *loud);
    shifted = vg_arena_take(&f->arena, scene.frames, sizeof *shifted);
    silent = vg_arena_take_zero(&f->arena, scene.frames, sizeof *silent);
    for (size_t k = 0; k < scene.frames; k++) {
        loud[k] = 4 * scene.x[k] > 0.999 ? 0.999 : 4 * scene.x[k] < -0.999 ? -0.999 : 4 * scene.x[k];
        shifted[k] = 0.5 * scene.x[k] + 0.05;
    }
    assert_int_equal(load(f, loud, scene.frames, scene.speech->rate_hz, NULL, &loaded), VG_OK);
    assert_non_null(strstr(loaded.facts.note, "% of its samples clipped"));
    assert_int_equal(load(f, shifted, scene.frames, scene.speech->rate_hz, NULL, &loaded), VG_OK);
    assert_non_null(strstr(loaded.facts.note, "doubtful span: a DC offset of 0.05"));
    assert_int_equal(load(f, silent, scene.frames, scene.speech->rate_hz, NULL, &loaded), VG_OK);
    assert_non_null(strstr(loaded.facts.note, "the whole clip is taken; doubtful span: no speech was found"));
    assert_int_equal(load(f, silent, scene.frames, scene.speech->rate_hz, "on_doubtful_span=refuse", &loaded),
                     VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:2"),
                 "a.wav: its speech is doubtful: no speech was found", "give onset and offset");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_labelled_set, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_is_no_speech_is_not_found, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(clips_too_short_for_anything, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(noise_has_no_pitch_and_voices_have, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(doubts_are_noted_or_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(faults_of_the_recording_are_doubts, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
