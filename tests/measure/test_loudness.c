/* SPDX-License-Identifier: MIT */
/* Volume: gains that are known; over any sound, libebur128's K-weighted level (test_tech3341.c has the
 * standard's signals). */
#include "sound.h"

#include <ebur128.h>

#include "quantity.h"

enum { MOMENTARY_BLOCKS = 80 }; /* 400 ms */

static void gains_are_read(void **state)
{
    struct sounds *s = *state;
    const uint32_t rates[] = {8000, 16000, 44100, 48000};

    for (size_t r = 0; r < 4; r++) {
        struct vg_sound source = sound_speech(s, rates[r], 2.4);

        for (double db = -6; db <= 6; db += 4) {
            struct sound_change ramp = {.sample = sound_gain, .from = -db, .to = db};
            struct vg_sound output = sound_changed(s, &source, ramp);
            struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_VOLUME);

            assert_int_equal(e.segments, 12);
            for (size_t i = 0; i < 12; i++)
                expect_near(e.trajectory[i], sound_asked(&ramp, i, 12), 0.25); /* syllables sit unevenly */
            expect_near(e.net, 2 * db * 2 / 3, 0.2);
            expect_near(e.net_jnd, e.net, 0);
            assert_int_equal(e.sign, db > 0 ? 1 : -1);
            assert_int_equal(sound_blind(s, &output, VG_Q_VOLUME).net > 0, db > 0);
        }
    }
}

static void constant_gains_are_no_change(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 1.5);

    for (double db = -18; db <= 6; db += 6) {
        struct vg_sound output =
            sound_changed(s, &source, (struct sound_change){.sample = sound_gain, .from = db, .to = db});
        struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_VOLUME);

        assert_int_equal(e.sign, 0);
        expect_near(e.net, 0, 0.05);
        expect_near(e.trajectory[0], db, 0.1);
    }
}

/* Momentary loudness every 5 ms beside libebur128's, from the first whole window on. */
static void compare_with_libebur128(struct sounds *s, uint32_t rate_hz)
{
    struct vg_sound sound = sound_speech(s, rate_hz, 3);
    size_t hop = rate_hz / VG_BLOCKS_PER_SEC, blocks = sound.frames / hop, compared = 0;
    double *power = vg_arena_take(&s->arena, blocks, sizeof *power), sum = 0;
    ebur128_state *theirs = ebur128_init(1, rate_hz, EBUR128_MODE_M);

    assert_non_null(theirs);
    vg_loudness_power(sound.samples, blocks, hop, rate_hz, power);
    for (size_t k = 0; k < blocks; k++) {
        double lufs;

        assert_int_equal(ebur128_add_frames_short(theirs, sound.samples + k * hop, hop), EBUR128_SUCCESS);
        sum += power[k];
        if (k + 1 < MOMENTARY_BLOCKS)
            continue;
        assert_int_equal(ebur128_loudness_momentary(theirs, &lufs), EBUR128_SUCCESS);
        expect_near(vg_loudness_lufs(sum / MOMENTARY_BLOCKS), lufs, 0.05);
        sum -= power[k + 1 - MOMENTARY_BLOCKS];
        compared++;
    }
    ebur128_destroy(&theirs);
    assert_true(compared > 500);
}

static void momentary_loudness_is_libebur128s(void **state)
{
    compare_with_libebur128(*state, 48000);
    compare_with_libebur128(*state, 44100 - 44100 % VG_BLOCKS_PER_SEC);
    compare_with_libebur128(*state, 16000);
    compare_with_libebur128(*state, 8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gains_are_read, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(constant_gains_are_no_change, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(momentary_loudness_is_libebur128s, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
