/* SPDX-License-Identifier: MIT */
/* Recordings that are sound: every width, rate, channel count and container gives the samples it should. */
#include "fixture.h"

#include "convert.h"
#include "dsp.h"

enum { FRAMES = 5000 };

/* A sound that uses the whole range and no simple period. */
static double *wave(struct fixture *f, size_t count)
{
    double *x = vg_arena_take(&f->arena, count, sizeof *x);

    for (size_t k = 0; k < count; k++)
        x[k] = 0.9 * vg_sin(0.01 * (double)k) + 0.09 * vg_sin(0.37 * (double)k);
    return x;
}

static void every_16_bit_value_passes_untouched(void **state)
{
    static const int formats[] = {SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_FLAC};
    struct fixture *f = *state;
    int16_t *all = vg_arena_take(&f->arena, 65536, sizeof *all);
    struct vg_loaded loaded;

    for (int64_t k = 0; k < 65536; k++)
        all[k] = (int16_t)(k * 40503 % 65536 - 32768);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        SF_INFO info = {.format = formats[i] | SF_FORMAT_PCM_16, .samplerate = 44100, .channels = 1};
        char *path = fixture_path(f, "all.bin");
        SNDFILE *sound = sf_open(path, SFM_WRITE, &info);

        assert_int_equal(sf_write_short(sound, all, 65536), 65536);
        sf_close(sound);
        assert_int_equal(fixture_decode(f, path, false, &loaded), VG_OK);
        assert_int_equal(loaded.clip.frames, 65536);
        assert_int_equal(loaded.clip.rate_hz, 44100);
        assert_memory_equal(loaded.clip.samples, all, 65536 * sizeof *all);
        assert_int_equal(loaded.facts.clipped, 0);
        assert_int_equal(loaded.facts.channels, 1);
        assert_string_equal(loaded.facts.note, "");
        assert_true(strncmp(loaded.facts.decoder, "libsndfile 1", 12) == 0);
    }
}

/* What libsndfile itself says the samples are, put through the rule. */
static void expect_by_rule(struct fixture *f, const char *path, const struct vg_loaded *loaded)
{
    SF_INFO info = {0};
    SNDFILE *sound = sf_open(path, SFM_READ, &info);
    size_t count = (size_t)(info.frames * info.channels), done;
    double *x = vg_arena_take(&f->arena, count, sizeof *x);
    int16_t *words = vg_arena_take(&f->arena, count, sizeof *words);

    assert_int_equal(sf_readf_double(sound, x, info.frames), info.frames);
    sf_close(sound);
    vg_words_from_reals(x, count, words, &done);
    assert_int_equal(loaded->clip.frames, info.frames);
    vg_words_mix(words, (size_t)info.frames, (size_t)info.channels, words);
    assert_memory_equal(loaded->clip.samples, words, loaded->clip.frames * sizeof *words);
}

static void every_width_and_codec_follows_the_rule(void **state)
{
    static const struct {
        const char *name;
        int format;
    } cases[] = {
        {"u8.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_U8},     {"s24.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_24},
        {"s32.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_32},    {"f32.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT},
        {"f64.wav", SF_FORMAT_WAV | SF_FORMAT_DOUBLE},    {"x24.wav", SF_FORMAT_WAVEX | SF_FORMAT_PCM_24},
        {"mulaw.wav", SF_FORMAT_WAV | SF_FORMAT_ULAW},    {"alaw.wav", SF_FORMAT_WAV | SF_FORMAT_ALAW},
        {"ima.wav", SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM}, {"s8.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_S8},
        {"s24.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24},  {"v.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS},
        {"o.opus", SF_FORMAT_OGG | SF_FORMAT_OPUS},
    };
    struct fixture *f = *state;
    double *x = wave(f, 2 * FRAMES);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int channels = 1; channels <= 2; channels++) {
            struct vg_loaded loaded;
            char *path = fixture_sound(f, cases[i].name, cases[i].format, 48000, channels, x, FRAMES);

            if (fixture_decode(f, path, true, &loaded) != VG_OK)
                fail_msg("%s: %s", cases[i].name, f->err.issues[0].sentence);
            assert_true(loaded.clip.frames >= FRAMES);
            assert_int_equal(loaded.facts.frames, loaded.clip.frames);
            assert_int_equal(loaded.facts.channels, channels);
            expect_by_rule(f, path, &loaded);
        }
}

static void unsigned_8_bit_is_shifted_up(void **state)
{
    static const unsigned char wav[] =
        "RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0"
        "data\4\0\0\0\x00\x80\xff\x01";
    static const int16_t want[] = {-32768, 0, 32512, -32512};
    struct fixture *f = *state;
    struct vg_loaded loaded;

    assert_int_equal(fixture_decode(f, fixture_put(f, "a.wav", wav, sizeof wav - 1), false, &loaded), VG_OK);
    assert_int_equal(loaded.clip.frames, 4);
    assert_int_equal(loaded.clip.rate_hz, 8000);
    assert_memory_equal(loaded.clip.samples, want, sizeof want);
}

/* EXTENSIBLE with 24 valid bits in 32, and a chunk of odd length before the sound. */
static void extensible_24_in_32_after_an_odd_chunk(void **state)
{
    static const unsigned char wav[] =
        "RIFF\x5a\0\0\0WAVELIST\5\0\0\0INFOx\0fmt \x28\0\0\0\xfe\xff\1\0\x80\xbb\0\0\0\xee\2\0\4\0\x20\0"
        "\x16\0\x18\0\4\0\0\0\1\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71"
        "data\x0c\0\0\0\0\0\x80\1\0\0\0\x80\0\0\x80\2";
    static const int16_t want[] = {384, -32768, 640};
    struct fixture *f = *state;
    struct vg_loaded loaded;

    assert_int_equal(fixture_decode(f, fixture_put(f, "a.wav", wav, sizeof wav - 1), false, &loaded), VG_OK);
    assert_int_equal(loaded.clip.frames, 3);
    assert_memory_equal(loaded.clip.samples, want, sizeof want);
}

static void channels_are_mixed_only_when_asked(void **state)
{
    struct fixture *f = *state;
    char *path =
        fixture_sound(f, "two.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 2, wave(f, 2 * FRAMES), FRAMES);
    struct vg_loaded loaded;

    assert_int_equal(fixture_decode(f, path, false, &loaded), VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "two.wav: has 2 channels", "mix_down: true");
    assert_int_equal(fixture_decode(f, path, true, &loaded), VG_OK);
    assert_int_equal(loaded.facts.channels, 2);
    assert_string_equal(loaded.facts.note, "mixed down from 2 channels");
}

static void rates_outside_the_range_are_refused(void **state)
{
    static const int rates[] = {7999, 8000, 11025, 44100, 192000, 192001};
    struct fixture *f = *state;
    double *x = wave(f, FRAMES);

    for (size_t i = 0; i < 6; i++) {
        char *path = fixture_sound(f, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, rates[i], 1, x, FRAMES);
        struct vg_loaded loaded;
        int rc = fixture_decode(f, path, false, &loaded);

        if (rates[i] >= 8000 && rates[i] <= 192000) {
            assert_int_equal(rc, VG_OK);
            assert_int_equal(loaded.clip.rate_hz, rates[i]);
        } else {
            expect_fault(f, VG_SOURCE, "table.csv:7", "samples a second", "8000 to 192000");
        }
    }
}

static void floats_are_clipped_and_counted(void **state)
{
    static const double x[] = {0, 1.5, -1.5, 0.25, -1, 1};
    static const int16_t want[] = {0, 32767, -32768, 8192, -32768, 32767};
    struct fixture *f = *state;
    struct vg_loaded loaded;

    assert_int_equal(
        fixture_decode(f, fixture_sound(f, "a.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 16000, 1, x, 6), false,
                       &loaded),
        VG_OK);
    assert_memory_equal(loaded.clip.samples, want, sizeof want);
    assert_int_equal(loaded.facts.clipped, 3);
}

static void what_is_not_finite_is_named_by_sample_and_channel(void **state)
{
    struct fixture *f = *state;
    double *x = wave(f, 2 * FRAMES);
    struct vg_loaded loaded;

    x[2 * 4500 + 1] = strtod("nan", NULL);
    assert_int_equal(
        fixture_decode(f, fixture_sound(f, "n.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 16000, 2, x, FRAMES),
                       true, &loaded),
        VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "n.wav: sample 4500 of channel 2 is not a number", "expected");
    x[2 * 3] = strtod("inf", NULL);
    assert_int_equal(
        fixture_decode(f, fixture_sound(f, "i.wav", SF_FORMAT_WAV | SF_FORMAT_DOUBLE, 16000, 2, x, FRAMES),
                       true, &loaded),
        VG_SOURCE);
    expect_fault(f, VG_SOURCE, "table.csv:7", "i.wav: sample 3 of channel 1 is infinite", "");
}

static void the_content_counts_and_not_the_name(void **state)
{
    struct fixture *f = *state;
    double *x = wave(f, FRAMES);
    struct vg_loaded loaded;

    assert_int_equal(
        fixture_decode(f, fixture_sound(f, "a.mp3", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 1, x, FRAMES),
                       false, &loaded),
        VG_OK);
    assert_string_equal(loaded.facts.note, "is WAV, whatever its name says");
    assert_int_equal(
        fixture_decode(f, fixture_sound(f, "a.flac", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 16000, 1, x, FRAMES),
                       false, &loaded),
        VG_OK);
    assert_string_equal(loaded.facts.note, "is Ogg, whatever its name says");
    assert_int_equal(
        fixture_decode(f, fixture_sound(f, "noext", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 16000, 1, x, FRAMES),
                       false, &loaded),
        VG_OK);
    assert_string_equal(loaded.facts.note, "");
}

static void digests_are_of_the_file_as_stored(void **state)
{
    struct fixture *f = *state;
    char *path =
        fixture_sound(f, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 1, wave(f, FRAMES), FRAMES);
    char hex[VG_DIGEST_HEX];
    uint64_t bytes;
    struct vg_loaded loaded;

    assert_int_equal(vg_digest_of_file(VG_XXH128, path, hex, &bytes, &f->err), VG_OK);
    assert_int_equal(fixture_decode(f, path, false, &loaded), VG_OK);
    assert_string_equal(loaded.facts.file_xxh128, hex);
}

static void too_long_is_refused_before_memory_is_spent(void **state)
{
    struct fixture *f = *state;
    struct vg_decode_rules rules = {.duration_max_sec = 1};
    double *x = wave(f, 16001);
    struct vg_loaded loaded = {0};
    char *path = fixture_sound(f, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 1, x, 16001);

    assert_int_equal(vg_decode_file(path, path, &rules, &loaded, &f->arena, &f->err), VG_SOURCE);
    expect_fault(f, VG_SOURCE, path, "is longer than 1 seconds", "duration_max_sec");
    path = fixture_sound(f, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 1, x, 16000);
    assert_int_equal(vg_decode_file(path, path, &rules, &loaded, &f->arena, &f->err), VG_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_16_bit_value_passes_untouched, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_width_and_codec_follows_the_rule, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(unsigned_8_bit_is_shifted_up, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(extensible_24_in_32_after_an_odd_chunk, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(channels_are_mixed_only_when_asked, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(rates_outside_the_range_are_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(floats_are_clipped_and_counted, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_is_not_finite_is_named_by_sample_and_channel, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(the_content_counts_and_not_the_name, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(digests_are_of_the_file_as_stored, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(too_long_is_refused_before_memory_is_spent, fixture_open,
                                        fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
