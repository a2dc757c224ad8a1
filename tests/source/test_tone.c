/* SPDX-License-Identifier: MIT */
/* The beeps: identity from patterns, samples against the recipe's formula and the published files, and what
 * the detector says of them. */
#include "fixture_spec.h"

#include "dsp.h"

static const char beeps[] =
    "{kind: tone, id: 'beep_{n:02}', clip_id: 'beep_{n:02}', speaker_id: beep,\n"
    " sentence_id: '{n:03}', text: 'synthetic machine beep clip {n:02}',\n"
    " sample_rate_hz: 48000, lead_sec: 0.75, tone_sec: 2.10, tail_sec: 0.75,\n"
    " amplitude: 0.65, frequencies_hz: [700, 850, 1000, 1150, 1300, 1450, 1600, 1750, "
    "1900, 2050]}";

static void patterns_count(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    assert_int_equal(fixture_list(f, beeps, NULL, &spec, &list), VG_OK);
    assert_int_equal(list.count, 10);
    assert_string_equal(list.at[0].id, "beep_01");
    assert_string_equal(list.at[9].id, "beep_10");
    assert_string_equal(list.at[9].clip_id, "beep_10");
    assert_string_equal(list.at[9].sentence_id, "010");
    assert_string_equal(list.at[0].text, "synthetic machine beep clip 01");
    assert_string_equal(list.at[0].licence, "CC0-1.0");
    assert_true(list.at[0].has_span);
    assert_true(list.at[0].onset_sec == 0.75 && list.at[0].offset_sec == 0.75 + 2.10);
    assert_int_equal(fixture_list(f,
                                  "{kind: tone, id: 'f{f}_{n}', sample_rate_hz: 8000, lead_sec: 0, "
                                  "tone_sec: 1, tail_sec: 0, amplitude: 1, frequencies_hz: [99.5, 440]}",
                                  NULL, &spec, &list),
                     VG_OK);
    assert_string_equal(list.at[0].id, "f99.5_1");
    assert_string_equal(list.at[1].clip_id, "f440_2");
}

static void silence_tone_silence(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;
    struct vg_loaded loaded;

    assert_int_equal(fixture_list(f, beeps, NULL, &spec, &list), VG_OK);
    assert_int_equal(vg_source_load(&spec, &list.at[2], &loaded, &f->arena, &f->err), VG_OK);
    assert_int_equal(loaded.clip.frames, 172800);
    assert_int_equal(loaded.clip.rate_hz, 48000);
    assert_int_equal(loaded.span.on, 36000);
    assert_int_equal(loaded.span.off, 136800);
    for (size_t k = 0; k < 172800; k++) {
        size_t phase = (k - 36000) % 48; /* 1000 Hz at 48 kHz: a period of 48 samples */
        int16_t x = loaded.clip.samples[k];

        if (k < 36000 || k >= 136800 || phase == 0 || phase == 24)
            assert_int_equal(x, 0);
        else
            assert_int_equal(x, loaded.clip.samples[36000 + phase]);
        if (k >= 36000 && k < 136800 && phase == 12)
            assert_int_equal(x, 21299); /* 0.65 * 32767 = 21298.55 */
    }
    assert_string_equal(loaded.facts.decoder, "synthetic");
    assert_string_equal(loaded.facts.file_xxh128, "");
    assert_int_equal(strlen(loaded.facts.audio_xxh128), 32);
}

static void expect_published(struct fixture *f, const struct vg_spec *spec, const struct vg_source *source,
                             const char *path)
{
    struct vg_loaded made, published;

    assert_int_equal(vg_source_load(spec, source, &made, &f->arena, &f->err), VG_OK);
    assert_int_equal(fixture_decode(f, path, false, &published), VG_OK);
    assert_int_equal(made.clip.frames, published.clip.frames);
    assert_int_equal(made.clip.rate_hz, published.clip.rate_hz);
    assert_memory_equal(made.clip.samples, published.clip.samples, made.clip.frames * sizeof(int16_t));
}

static void the_published_beeps_sample_for_sample(void **state)
{
    struct fixture *f = *state;
    const char *shared = fixture_shared(f);
    struct vg_spec spec;
    struct vg_source_list list;

    assert_int_equal(fixture_list(f, beeps, NULL, &spec, &list), VG_OK);
    if (shared == NULL)
        skip();
    expect_published(f, &spec, &list.at[0], vg_path_join(&f->arena, shared, "reference/sources/beep_01.wav"));
    expect_published(f, &spec, &list.at[9], vg_path_join(&f->arena, shared, "reference/sources/beep_10.wav"));
}

/* The same two beeps where the published files are not at hand. */
static void the_beeps_have_known_digests(void **state)
{
    static const struct {
        size_t index;
        const char *sha256;
    } known[] = {
        {0, "e206031044d5ae9e92b2ff5281819dfdc1cf4f21d9dd85d2affed8c31d4b6844"},
        {9, "dbd3b20ec82b27224bf311a16f95e7e70b7f6548ba310f5968d300d793ce7dc1"},
    };
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    assert_int_equal(fixture_list(f, beeps, NULL, &spec, &list), VG_OK);
    for (size_t i = 0; i < 2; i++) {
        struct vg_loaded loaded;
        char hex[VG_DIGEST_HEX];

        assert_int_equal(vg_source_load(&spec, &list.at[known[i].index], &loaded, &f->arena, &f->err), VG_OK);
        vg_digest_of_samples(VG_SHA256, loaded.clip.samples, loaded.clip.frames, hex);
        assert_string_equal(hex, known[i].sha256);
    }
}

static void faults_stand_where_they_were_written(void **state)
{
    static const struct {
        const char *entry;
        unsigned line, column;
        const char *part, *other;
    } cases[] = {
        {"{kind: tone, id: 'beep_{k}', sample_rate_hz: 48000, lead_sec: 0, tone_sec: 1, tail_sec: 0,\n"
         "amplitude: 1, frequencies_hz: [700]}",
         19, 18, "unknown placeholder {k}", "{n}, {f}"},
        {"{kind: tone, id: 'b{n:2}', sample_rate_hz: 48000, lead_sec: 0, tone_sec: 1, tail_sec: 0,\n"
         "amplitude: 1, frequencies_hz: [700]}",
         19, 18, "badly formed placeholder", "{n:02}"},
        {"{kind: tone, id: 'b{n', sample_rate_hz: 48000, lead_sec: 0, tone_sec: 1, tail_sec: 0,\n"
         "amplitude: 1, frequencies_hz: [700]}",
         19, 18, "badly formed placeholder", ""},
        {"{kind: tone, id: beep, sample_rate_hz: 48000, lead_sec: 0, tone_sec: 1, tail_sec: 0,\n"
         "amplitude: 1, frequencies_hz: [700, 800]}",
         19, 18, "the same for every frequency", "{n}"},
        {"{kind: tone, id: 'b{n}', sample_rate_hz: 8000, lead_sec: 0, tone_sec: 1, tail_sec: 0,\n"
         "amplitude: 1, frequencies_hz: [700, 4001]}",
         20, 37, "4001", "4000"},
        {"{kind: tone, id: 'b{n}', sample_rate_hz: 8000, lead_sec: 0, tone_sec: 1, tail_sec: 0,\n"
         "amplitude: 1.5, frequencies_hz: [700]}",
         20, 12, "amplitude is 1.5", "at most 1"},
    };
    struct fixture *f = *state;
    struct vg_spec spec;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *place =
            vg_arena_format(&f->arena, "%s/spec.yaml:%u:%u", f->folder, cases[i].line, cases[i].column);

        assert_int_equal(fixture_spec(f, cases[i].entry, NULL, &spec), VG_SPEC);
        expect_fault(f, VG_SPEC, place, cases[i].part, cases[i].other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(patterns_count, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(silence_tone_silence, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_published_beeps_sample_for_sample, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_beeps_have_known_digests, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(faults_stand_where_they_were_written, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
