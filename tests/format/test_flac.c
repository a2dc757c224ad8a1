/* SPDX-License-Identifier: MIT */
/* FLAC and WAV: round trips at every edge, our own header, determinism, and a decoder that refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "format.h"

#include <string.h>

static void fill(int16_t *samples, size_t frames, uint32_t state)
{
    for (size_t i = 0; i < frames; i++) {
        state = state * 1664525u + 1013904223u;
        samples[i] = (int16_t)((int)(state >> 16) - 32768);
        if (i % 1000 < 500)
            samples[i] = (int16_t)(samples[i] / 300 + (int)(i % 200));
    }
}

static void round_trip(size_t frames, uint32_t rate_hz, bool compact)
{
    static int16_t samples[3 * 4096 + 2];
    struct vg_text flac = {0};
    struct vg_error err = {0};
    struct vg_arena arena = {0};
    int16_t *back;
    size_t count;
    uint32_t rate;

    fill(samples, frames, (uint32_t)frames + rate_hz);
    assert_int_equal(vg_flac_encode(samples, frames, rate_hz, compact, &flac, "x", &err), VG_OK);
    assert_int_equal(vg_flac_decode(flac.data, flac.length, frames, &back, &count, &rate, &arena, "x", &err),
                     VG_OK);
    assert_int_equal(count, frames);
    assert_int_equal(rate, rate_hz);
    assert_memory_equal(back, samples, frames * sizeof *samples);
    vg_text_release(&flac);
    vg_arena_release(&arena);
}

static void lengths(void **state)
{
    static const size_t edges[] = {0, 1, 2, 15, 16, 4095, 4096, 4097, 3 * 4096 + 1};

    (void)state;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        round_trip(edges[i], 16000, false);
        round_trip(edges[i], 48000, true);
    }
}

static void rates(void **state)
{
    static const uint32_t all[] = {1,     8000,  11025, 16000,  22050,  44100,
                                   44101, 48000, 96000, 192000, 352801, 655350};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        round_trip(5000, all[i], false);
}

static void extremes(void **state)
{
    int16_t samples[6000];
    struct vg_text flac = {0};
    struct vg_error err = {0};

    (void)state;
    for (size_t i = 0; i < 6000; i++)
        samples[i] = i % 2 ? INT16_MAX : INT16_MIN;
    assert_int_equal(vg_flac_encode(samples, 6000, 8000, false, &flac, "x", &err), VG_OK);
    memset(samples, 0, sizeof samples);
    assert_int_equal(vg_flac_encode(samples, 6000, 8000, false, &flac, "x", &err), VG_OK);
    assert_true(flac.length < 200); /* silence costs nothing */
    vg_text_release(&flac);
}

static void header_is_ours(void **state)
{
    static const char comment[] = "\x84\0\0\x11\x09\0\0\0vocalgrad\0\0\0\0";
    int16_t samples[5000];
    struct vg_text flac = {0};
    struct vg_error err = {0};

    (void)state;
    fill(samples, 5000, 1);
    assert_int_equal(vg_flac_encode(samples, 5000, 16000, false, &flac, "x", &err), VG_OK);
    assert_memory_equal(flac.data, "fLaC\0\0\0\x22", 8);
    assert_memory_equal(flac.data + 42, comment, sizeof comment - 1);
    assert_int_equal((unsigned char)flac.data[42 + sizeof comment - 1],
                     0xff); /* the first frame's sync code */
    for (size_t i = 0; i + 9 < flac.length; i++)
        assert_memory_not_equal(flac.data + i, "reference", 9); /* libFLAC's vendor string */
    vg_text_release(&flac);
}

/* The bytes themselves, so that another encoder or setting cannot slip in unseen. */
static void bytes_are_pinned(void **state)
{
    static int16_t samples[20000];
    struct vg_text flac = {0};
    struct vg_error err = {0};
    char hex[VG_DIGEST_HEX];

    (void)state;
    fill(samples, 20000, 7);
    assert_int_equal(vg_flac_encode(samples, 20000, 16000, false, &flac, "x", &err), VG_OK);
    vg_digest_of(VG_XXH128, flac.data, flac.length, hex);
    assert_string_equal(hex, "f0e4bbd3c25ab45badf1ac400f656ad9");
    vg_text_release(&flac);
}

static void impossible_rate(void **state)
{
    int16_t sample = 0;
    struct vg_text flac = {0};
    struct vg_error err = {0};

    (void)state;
    assert_int_equal(vg_flac_encode(&sample, 1, 0, false, &flac, "item 3", &err), VG_IO);
    assert_int_equal(vg_flac_encode(&sample, 1, 2000000, false, &flac, "item 3", &err), VG_IO);
    assert_string_equal(err.issues[1].place, "item 3");
    assert_non_null(strstr(err.issues[1].sentence, "2000000 Hz"));
    vg_error_release(&err);
    vg_text_release(&flac);
}

/* No flipped bit, no cut and no addition decodes as if nothing had happened. */
static void altered_files_are_refused(void **state)
{
    int16_t samples[5000], *back;
    struct vg_text flac = {0};
    struct vg_error err = {0};
    struct vg_arena arena = {0};
    size_t count, refused = 0, tried = 0;
    uint32_t rate;

    (void)state;
    fill(samples, 5000, 3);
    assert_int_equal(vg_flac_encode(samples, 5000, 16000, false, &flac, "x", &err), VG_OK);
    for (size_t at = 0; at < flac.length; at += at < 100 ? 1 : 53)
        for (unsigned bit = 0; bit < 8; bit++) {
            int rc;

            flac.data[at] = (char)(flac.data[at] ^ (1 << bit));
            rc = vg_flac_decode(flac.data, flac.length, 6000, &back, &count, &rate, &arena, "x", &err);
            flac.data[at] = (char)(flac.data[at] ^ (1 << bit));
            /* what is not sound (sizes, vendor) may go through, the sound itself never altered */
            if (rc == VG_OK && rate == 16000 && count == 5000)
                assert_memory_equal(back, samples, sizeof samples);
            refused += rc != VG_OK;
            tried++;
        }
    assert_true(refused > tried * 3 / 4);
    for (size_t cut = 0; cut < flac.length; cut += 97)
        assert_int_not_equal(vg_flac_decode(flac.data, cut, 6000, &back, &count, &rate, &arena, "x", &err),
                             VG_OK);
    vg_text_add(&flac, "trailing bytes");
    assert_int_not_equal(
        vg_flac_decode(flac.data, flac.length, 6000, &back, &count, &rate, &arena, "x", &err), VG_OK);
    vg_error_release(&err);
    vg_arena_release(&arena);
    vg_text_release(&flac);
}

static void limit_holds(void **state)
{
    int16_t samples[100] = {0}, *back;
    struct vg_text flac = {0};
    struct vg_error err = {0};
    struct vg_arena arena = {0};
    size_t count;
    uint32_t rate;

    (void)state;
    assert_int_equal(vg_flac_encode(samples, 100, 16000, false, &flac, "x", &err), VG_OK);
    assert_int_equal(vg_flac_decode(flac.data, flac.length, 99, &back, &count, &rate, &arena, "x", &err),
                     VG_NO);
    flac.data[21] = (char)(flac.data[21] | 0x0f); /* claims 2^36 samples */
    assert_int_equal(vg_flac_decode(flac.data, flac.length, 1 << 30, &back, &count, &rate, &arena, "x", &err),
                     VG_NO);
    assert_true(arena.held_bytes < 1 << 20);
    vg_error_release(&err);
    vg_arena_release(&arena);
    vg_text_release(&flac);
}

static void wav_is_plain(void **state)
{
    static const int16_t samples[] = {0, 1, -1, 32767, -32768};
    static const char wanted[] =
        "RIFF\x2e\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\xbb\0\0\0\x77\1\0\2\0\x10\0data\x0a\0\0\0"
        "\0\0\1\0\xff\xff\xff\x7f\0\x80";
    struct vg_text wav = {0};

    (void)state;
    vg_wav_encode(samples, 5, 48000, &wav);
    assert_int_equal(wav.length, sizeof wanted - 1);
    assert_memory_equal(wav.data, wanted, wav.length);
    vg_text_release(&wav);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),
        cmocka_unit_test(rates),
        cmocka_unit_test(extremes),
        cmocka_unit_test(header_is_ours),
        cmocka_unit_test(bytes_are_pinned),
        cmocka_unit_test(impossible_rate),
        cmocka_unit_test(altered_files_are_refused),
        cmocka_unit_test(limit_holds),
        cmocka_unit_test(wav_is_plain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
