/* SPDX-License-Identifier: MIT */
/* MP3: the length is that of the recording before it was encoded, whatever the rate, channels and bit rate;
 * damage is found; and where libavcodec is built in, its samples are the same everywhere. */
#include "fixture.h"

#include "dsp.h"

enum { FRAMES = 30000, MP3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III };

static double *chirp(struct fixture *f, size_t count)
{
    double *x = vg_arena_take(&f->arena, count, sizeof *x);

    for (size_t k = 0; k < count; k++)
        x[k] = 0.6 * vg_sin(1e-6 * (double)(k * k)) + 0.1 * vg_sin(0.7 * (double)k);
    return x;
}

/* `mode` is SF_BITRATE_MODE_*. */
static char *encoded(struct fixture *f, const char *name, int rate_hz, int channels, int mode)
{
    SF_INFO info = {.format = MP3, .samplerate = rate_hz, .channels = channels};
    char *path = fixture_path(f, name);
    SNDFILE *sound = sf_open(path, SFM_WRITE, &info);

    assert_non_null(sound);
    sf_command(sound, SFC_SET_BITRATE_MODE, &mode, sizeof mode);
    assert_int_equal(sf_writef_double(sound, chirp(f, (size_t)(FRAMES * channels)), FRAMES), FRAMES);
    sf_close(sound);
    return path;
}

static bool is_libav(const struct vg_loaded *loaded)
{
    return strncmp(loaded->facts.decoder, "libavcodec ", 11) == 0;
}

static void expect_close(const struct vg_loaded *a, const struct vg_loaded *b, int at_most)
{
    assert_int_equal(a->clip.frames, b->clip.frames);
    for (size_t k = 0; k < a->clip.frames; k++)
        if (abs(a->clip.samples[k] - b->clip.samples[k]) > at_most)
            fail_msg("sample %zu is %d by %s and %d by %s", k, a->clip.samples[k], a->facts.decoder,
                     b->clip.samples[k], b->facts.decoder);
}

static void the_tag_gives_back_the_exact_length(void **state)
{
    static const int rates_hz[] = {8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000};
    static const int modes[] = {SF_BITRATE_MODE_CONSTANT, SF_BITRATE_MODE_AVERAGE, SF_BITRATE_MODE_VARIABLE};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof rates_hz / sizeof *rates_hz; i++)
        for (int channels = 1; channels <= 2; channels++)
            for (size_t m = 0; m < 3; m++) {
                const char *path = encoded(f, "a.mp3", rates_hz[i], channels, modes[m]);
                struct vg_loaded loaded, second = {.second_opinion = true};
                struct vg_decode_rules rules = {.mix_down = true, .duration_max_sec = 600};

                if (m == 0 && channels == 1 && rates_hz[i] < 32000)
                    continue; /* its frames have no room for the tag */
                if (fixture_decode(f, path, true, &loaded) != VG_OK)
                    fail_msg("%d Hz: %s", rates_hz[i], f->err.issues[0].sentence);
                assert_int_equal(loaded.clip.rate_hz, rates_hz[i]);
                assert_int_equal(loaded.clip.frames, FRAMES);
                if (!is_libav(&loaded))
                    continue;
                assert_int_equal(vg_decode_file(path, path, &rules, &second, &f->arena, &f->err), VG_OK);
                assert_true(strncmp(second.facts.decoder, "libsndfile ", 11) == 0);
                expect_close(&loaded, &second, 3);
            }
}

/* A file of 16 kHz at 40 kbit/s, made by LAME 3.100 of a chirp of 6400 samples; also as bytes in memory. */
static void the_samples_are_the_same_everywhere(void **state)
{
    struct fixture *f = *state;
    struct vg_decode_rules rules = {.duration_max_sec = 600};
    const char *path = vg_path_join(&f->arena, getenv("VG_TESTS"), "source/chirp.mp3");
    struct vg_loaded loaded, held = {0};
    char hex[VG_DIGEST_HEX];
    size_t count;
    unsigned char *bytes = fixture_get(f, path, &count);

    assert_int_equal(fixture_decode(f, path, false, &loaded), VG_OK);
    assert_int_equal(loaded.clip.frames, 6400);
    if (is_libav(&loaded)) {
        vg_digest_of_samples(VG_XXH128, loaded.clip.samples, loaded.clip.frames, hex);
        assert_string_equal(hex, "948b9e3793e687881ec2a92039119200");
    }
    assert_int_equal(vg_decode_bytes(bytes, count, "chirp.mp3", "x", &rules, &held, &f->arena, &f->err),
                     VG_OK);
    expect_close(&loaded, &held, 0);
    assert_string_equal(held.facts.file_xxh128, loaded.facts.file_xxh128);
}

/* The frames of a stream of varying bit rate, one by one; a tag would say how many there are. */
static void a_varying_rate_without_a_tag_is_read_whole(void **state)
{
    struct fixture *f = *state;
    size_t count, second = 4;
    unsigned char *bytes = fixture_get(f, encoded(f, "a.mp3", 48000, 1, SF_BITRATE_MODE_VARIABLE), &count);
    struct vg_loaded whole, bare;

    assert_int_equal(fixture_decode(f, fixture_path(f, "a.mp3"), false, &whole), VG_OK);
    while (bytes[second] != 0xff || (bytes[second + 1] & 0xfe) != 0xfa)
        second++;
    if (!is_libav(&whole))
        skip(); /* libsndfile guesses: test_hostile.c */
    assert_int_equal(
        fixture_decode(f, fixture_put(f, "bare.mp3", bytes + second, count - second), false, &bare), VG_OK);
    assert_string_equal(bare.facts.note, "untrimmed MP3");
    assert_int_equal(bare.clip.frames % 1152, 0);
    assert_true(bare.clip.frames > FRAMES + 1105);
    /* LAME puts 576 samples before the sound, a decoder 529. */
    assert_memory_equal(bare.clip.samples + 1105, whole.clip.samples, FRAMES * sizeof(int16_t));
}

static void damage_inside_a_frame_is_found(void **state)
{
    struct fixture *f = *state;
    const char *path = vg_path_join(&f->arena, getenv("VG_TESTS"), "source/chirp.mp3");
    size_t count, found = 0;
    unsigned char *bytes = fixture_get(f, path, &count);
    struct vg_loaded loaded;

    assert_int_equal(fixture_decode(f, path, false, &loaded), VG_OK);
    if (!is_libav(&loaded))
        skip(); /* libmpg123 conceals it */
    for (size_t at = 5 * 180; at < 6 * 180; at++) {
        bytes[at] ^= 0xff;
        if (fixture_decode(f, fixture_put(f, "bad.mp3", bytes, count), false, &loaded) != VG_OK) {
            expect_fault(f, VG_SOURCE, "table.csv:7", "bad.mp3: ", " at byte ");
            found++;
        }
        bytes[at] ^= 0xff;
    }
    assert_true(found >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_tag_gives_back_the_exact_length, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_samples_are_the_same_everywhere, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_varying_rate_without_a_tag_is_read_whole, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(damage_inside_a_frame_is_found, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
