/* SPDX-License-Identifier: MIT */
/* Pins: a recording that is not the frozen one, or that decodes to other samples, stops with the file, the
 * decoder, the cause and the size of the difference. */
#include "fixture_spec.h"

#include "dsp.h"

/* Digests of tests/source/chirp.mp3: the file, and its samples by libavcodec (test_mp3.c). */
static const char file_hex[] = "0e3b865789027ca8481336c3c7753ef0";
static const char audio_hex[] = "948b9e3793e687881ec2a92039119200";

/* Load the one row of a table that pins chirp.mp3 this way. */
static int load(struct fixture *f, const char *entry, const char *file, const char *audio,
                const char *decoder, struct vg_loaded *loaded)
{
    struct vg_text table = {0};
    struct vg_source_list list;
    struct vg_spec spec;
    int rc;

    vg_text_addf(&table,
                 "item_id,clip_id,audio_path,file_xxh128,audio_xxh128,decoder,onset_sec,offset_sec\n"
                 "one,c,chirp.mp3,%s,%s,%s,0,0.4\n",
                 file, audio, decoder);
    fixture_put(f, "t.csv", table.data, table.length);
    vg_text_release(&table);
    rc = fixture_list(f, entry, vg_path_join(&f->arena, getenv("VG_TESTS"), "source"), &spec, &list);
    return rc == VG_OK ? vg_source_load(&spec, &list.at[0], loaded, &f->arena, &f->err) : rc;
}

static const char plain[] = "{kind: table, table: t.csv}";

static bool has_libav(struct fixture *f, struct vg_loaded *loaded)
{
    assert_int_equal(load(f, plain, "", "", "", loaded), VG_OK);
    return strncmp(loaded->facts.decoder, "libavcodec ", 11) == 0;
}

/* What libsndfile makes of the file. */
static const char *digest_by_libsndfile(struct fixture *f)
{
    struct vg_decode_rules rules = {.duration_max_sec = 600};
    struct vg_loaded first, loaded = {.second_opinion = has_libav(f, &first)};
    char *hex = vg_arena_take(&f->arena, VG_DIGEST_HEX, 1);

    assert_int_equal(vg_decode_file(first.path, "x", &rules, &loaded, &f->arena, &f->err), VG_OK);
    assert_true(strncmp(loaded.facts.decoder, "libsndfile ", 11) == 0);
    vg_digest_of_samples(VG_XXH128, loaded.clip.samples, loaded.clip.frames, hex);
    return hex;
}

static void pins_that_hold_are_silent(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded;
    const char *audio = has_libav(f, &loaded) ? audio_hex : digest_by_libsndfile(f);

    assert_int_equal(load(f, plain, file_hex, audio, "", &loaded), VG_OK);
    assert_string_equal(loaded.facts.note, "");
    /* They are of the recording as decoded, whatever rate the spec asks for. */
    assert_int_equal(
        load(f, "{kind: table, table: t.csv, sample_rate_hz: 8000}", file_hex, audio, "", &loaded), VG_OK);
    assert_int_equal(loaded.clip.rate_hz, 8000);
}

static void another_file_is_named(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded;

    assert_int_equal(load(f, plain, "00000000000000000000000000000000", audio_hex, "", &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:2"), "chirp.mp3: is not the file that was pinned",
                 file_hex);
}

static void other_samples_are_told_apart(void **state)
{
    static const char none[] = "0123456789abcdef0123456789abcdef";
    struct fixture *f = *state;
    struct vg_loaded loaded;
    bool two = has_libav(f, &loaded);
    const char *place = fixture_path(f, "t.csv:2"), *decoder = vg_arena_text(&f->arena, loaded.facts.decoder);

    assert_int_equal(load(f, plain, file_hex, none, "libmad 0.15", &loaded), VG_SOURCE);
    expect_fault(
        f, VG_SOURCE, place, vg_arena_format(&f->arena, "chirp.mp3: %s gives other samples", decoder),
        "pinned is 0123456789abcdef0123456789abcdef by libmad 0.15); the file is the same, so another "
        "decoder is the cause");
    assert_int_equal(load(f, plain, file_hex, none, decoder, &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, place, "file and decoder are the same",
                 two ? " of 6400 samples differ, by " : "no second decoder is here");
    assert_int_equal(load(f, plain, "", none, "", &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, place, "whether the file is the same is not pinned", "a source pack");
}

static void the_pinned_decoder_is_recognised(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded;
    const char *audio = digest_by_libsndfile(f);

    if (!has_libav(f, &loaded))
        skip(); /* only one decoder reads MP3 then */
    assert_int_equal(load(f, plain, file_hex, audio, "libsndfile 1.2.0", &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:2"), " of 6400 samples differ, by 1 at most",
                 "and those are the pinned ones");
}

static void a_pin_must_be_a_digest(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded;

    assert_int_equal(load(f, plain, "abc", "", "", &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:2"), "file_xxh128 is \"abc\"", "expected 32 digits");
    assert_int_equal(load(f, plain, "", "0123456789ABCDEF0123456789abcdef", "", &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:2"), "audio_xxh128 is", "expected 32 digits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pins_that_hold_are_silent, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(another_file_is_named, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(other_samples_are_told_apart, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_pinned_decoder_is_recognised, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_pin_must_be_a_digest, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
