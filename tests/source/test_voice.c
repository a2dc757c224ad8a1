/* SPDX-License-Identifier: MIT */
/* The shipped speakers: every utterance of specs/voice.yaml as users get it, pinned to the last bit, and
 * what its samples depend on. */
#include "fixture_voice.h"

/* Put specs/voices.yaml and specs/voice.yaml beside a paper.yaml that knows only the fixture's engine. */
static void put_specs(struct fixture *f)
{
    static const char *const names[] = {"voices.yaml", "voice.yaml"};
    const char *folder = getenv("VG_SPECS");

    assert_non_null(folder);
    fixture_put(f, "paper.yaml", fixture_head, (size_t)(strstr(fixture_head, "splits:") - fixture_head));
    for (size_t i = 0; i < 2; i++) {
        char *bytes;
        size_t count;

        assert_int_equal(vg_file_get(vg_path_join(&f->arena, folder, names[i]), 1 << 20, &f->arena, &bytes,
                                     &count, &f->err),
                         VG_OK);
        fixture_put(f, names[i], bytes, count);
    }
}

static void load_spec(struct fixture *f, const char *name, struct vg_spec *spec, struct vg_source_list *list)
{
    static const struct vg_source_words *words[16]; /* the spec keeps the vocabulary */
    const struct vg_vocabulary vocabulary = {.engines = fixture_engines,
                                             .engine_count = 1,
                                             .sources = words,
                                             .source_count = vg_source_kind_count};

    assert_true(vg_source_kind_count <= 16);
    for (size_t i = 0; i < vg_source_kind_count; i++)
        words[i] = &vg_source_kinds[i]->words;
    *list = (struct vg_source_list){0};
    if (vg_spec_load(spec, fixture_path(f, name), NULL, &vocabulary, &f->arena, &f->err) != VG_OK ||
        vg_sources_list(spec, list, &f->arena, &f->err) != VG_OK)
        fail_msg("%s: %s", f->err.issues[0].place, f->err.issues[0].sentence);
}

static void load_source(struct fixture *f, const struct vg_spec *spec, const struct vg_source *source,
                        struct vg_loaded *loaded)
{
    if (vg_source_load(spec, source, loaded, &f->arena, &f->err) != VG_OK)
        fail_msg("%s: %s", f->err.issues[0].place, f->err.issues[0].sentence);
}

/* ---- the shipped utterances ------------------------------------------------------------------------- */

/* audio_xxh128.  A change here is a change of the release: it needs a new version in the spec. */
static const char *const digests[] = {
    "df9425bb2fef76941f18dfd08ee5eb73", "08911ec3ccaed106e5243f1b1e4a4829",
    "3df1837faed833f444c83a9cc2048d7b", "a3f59175cf72a7fd45e56840d51707b9",
    "9e48683d13774dad44ad9afec3669350", "57054e5351054c7c8cec51721692381e",
};

static void utterances_are_pinned(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    put_specs(f);
    load_spec(f, "voice.yaml", &spec, &list);
    assert_int_equal(list.count, sizeof digests / sizeof *digests);
    for (size_t i = 0; i < list.count; i++) {
        struct vg_loaded loaded;

        load_source(f, &spec, &list.at[i], &loaded);
        assert_string_equal(loaded.facts.audio_xxh128, digests[i]);
    }
}

/* The resolved spec of a release has voices and phones in it and says the same. */
static void the_resolved_spec_speaks_alike(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec, resolved;
    struct vg_source_list list;
    struct vg_text text = {0};
    struct vg_loaded loaded;

    put_specs(f);
    load_spec(f, "voice.yaml", &spec, &list);
    vg_spec_write(&spec, &text);
    fixture_put(f, "resolved.yaml", text.data, text.length);
    vg_text_release(&text);
    load_spec(f, "resolved.yaml", &resolved, &list);
    assert_int_equal(list.count, sizeof digests / sizeof *digests);
    load_source(f, &resolved, &list.at[5], &loaded);
    assert_string_equal(loaded.facts.audio_xxh128, digests[5]);
}

static void check_utterance(struct fixture *f, const struct vg_loaded *loaded)
{
    const struct vg_detector detector = {0.97, 0.010, 0.010, 0.2, 1.8, 0.003, 5e-5, 10};
    double *x = samples_of(f, &loaded->clip, 0, loaded->clip.frames), peak = 0;
    double sec = (double)loaded->clip.frames / loaded->clip.rate_hz;
    struct vg_detection found;

    assert_true(sec >= 2 && sec <= 4);
    for (size_t k = 0; k < loaded->clip.frames; k++) {
        peak = fabs(x[k]) > peak ? fabs(x[k]) : peak;
        x[k] /= 32768;
    }
    assert_true(fabs(20 * log10(peak / 32767) + 6) < 0.05); /* the room may add a little */
    found = vg_detect_speech(&detector, x, loaded->clip.frames, loaded->clip.rate_hz, &f->arena);
    assert_true(found.found);
    assert_true(fabs(found.onset_sec - loaded->facts.onset_sec) <= 0.03);
    assert_true(fabs(found.offset_sec - loaded->facts.offset_sec) <= 0.03);
}

/* Six voices, 2 to 4 s each, at their level, and the paper's detector finds what construction says. */
static void utterances_are_fit_for_the_paper(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    put_specs(f);
    load_spec(f, "voice.yaml", &spec, &list);
    for (size_t i = 0; i < list.count; i++) {
        struct vg_loaded loaded;

        load_source(f, &spec, &list.at[i], &loaded);
        check_utterance(f, &loaded);
        assert_false(loaded.facts.detected);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(list.at[i].speaker_id, list.at[k].speaker_id);
        assert_true(strlen(list.at[i].text) > 0 && strlen(list.at[i].sentence_id) == 3);
        assert_string_equal(list.at[i].clip_id, list.at[i].id);
        assert_string_equal(list.at[i].licence, "CC0-1.0");
    }
}

/* ---- every voice says every phone ------------------------------------------------------------------- */

/* An entry that says all phones of the spec, each with a neutral vowel after it. */
static char *say_everything(struct fixture *f, const char *voice, int rate_hz, const struct vg_node *phones)
{
    struct vg_text text = {0};
    char *kept;

    vg_text_addf(&text, "extends: voices.yaml\nsplits: {s: {sources: [{kind: voice, id: %s_%d, voice: %s,\n",
                 voice, rate_hz, voice);
    vg_text_addf(&text, "  sample_rate_hz: %d, score: [\n", rate_hz);
    for (size_t i = 0; i < phones->count; i++)
        vg_text_addf(&text, "  {say: [%s, ax], sec: 0.3},\n", phones->entries[i].key);
    vg_text_add(&text, "]}]}}\n");
    kept = vg_arena_text(&f->arena, text.data);
    vg_text_release(&text);
    return kept;
}

static void every_voice_says_every_phone(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;
    const struct vg_node *voices, *phones;

    put_specs(f);
    load_spec(f, "voice.yaml", &spec, &list);
    voices = vg_node_find(vg_node_find(spec.root, "voice"), "voices");
    phones = vg_node_find(vg_node_find(spec.root, "voice"), "phones");
    assert_int_equal(voices->count, 6);
    assert_true(phones->count >= 40);
    for (size_t i = 0; i <= voices->count; i++) { /* all at a low rate, the last at a high one too */
        int rate_hz = i < voices->count ? 11025 : 96000;
        const char *voice = voices->entries[i < voices->count ? i : i - 1].key;
        const char *text = say_everything(f, voice, rate_hz, phones);
        struct vg_spec all;
        struct vg_loaded loaded;

        fixture_put(f, "all.yaml", text, strlen(text));
        load_spec(f, "all.yaml", &all, &list);
        load_source(f, &all, &list.at[0], &loaded);
        assert_int_equal(loaded.clip.rate_hz, rate_hz);
        assert_true(loaded.span.off - loaded.span.on > (size_t)(rate_hz * 0.29 * (double)phones->count));
    }
}

/* ---- what samples depend on ------------------------------------------------------------------------- */

static const char two[] = "{kind: voice, id: a, sample_rate_hz: 16000, score: [{say: [t, v], sec: 0.4}],\n"
                          " parameters: {jitter_percent: 1, breath_db: -20}},\n"
                          "{kind: voice, id: b, sample_rate_hz: 16000, score: [{say: [t, v], sec: 0.4}],\n"
                          " parameters: {jitter_percent: 1, breath_db: -20}}";

static void samples_depend_on_identity_alone(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec, alone;
    struct vg_source_list list = {0}, other = {0};
    struct vg_loaded a, b, again, last;

    assert_int_equal(voice_spec(f, steady_voice, two, &spec), VG_OK);
    assert_int_equal(vg_sources_list(&spec, &list, &f->arena, &f->err), VG_OK);
    load_source(f, &spec, &list.at[0], &a);
    load_source(f, &spec, &list.at[1], &b);
    load_source(f, &spec, &list.at[0], &again);
    assert_string_not_equal(a.facts.audio_xxh128, b.facts.audio_xxh128);
    assert_string_equal(a.facts.audio_xxh128, again.facts.audio_xxh128);
    assert_int_equal(voice_spec(f, steady_voice, strstr(two, "{kind: voice, id: b"), &alone), VG_OK);
    assert_int_equal(vg_sources_list(&alone, &other, &f->arena, &f->err), VG_OK);
    load_source(f, &alone, &other.at[0], &last);
    assert_string_equal(b.facts.audio_xxh128, last.facts.audio_xxh128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(utterances_are_pinned, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_resolved_spec_speaks_alike, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(utterances_are_fit_for_the_paper, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_voice_says_every_phone, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(samples_depend_on_identity_alone, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
