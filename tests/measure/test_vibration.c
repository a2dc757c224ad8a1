/* SPDX-License-Identifier: MIT */
/* Voice vibration: amplitude modulation of a known index. */
#include "sound.h"

/* The index moves; change->fixed is the rate in Hz. */
static double tremble(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    double sec = (double)k / source->rate_hz;

    return source->samples[k] * (1 + sound_move(change, t) * vg_sin(2 * VG_PI * change->fixed * sec)) / 2;
}

static struct vg_sound trembling(struct sounds *s, const struct vg_sound *source, double from, double to,
                                 double hz)
{
    return sound_changed(s, source,
                         (struct sound_change){.sample = tremble, .from = from, .to = to, .fixed = hz});
}

static void the_index_of_steady_modulation(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2);

    for (double index = 0.1; index < 0.7; index += 0.25) {
        for (double hz = 8; hz <= 20; hz += 6) {
            struct vg_sound output = trembling(s, &source, index, index, hz);
            struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_VIBRATION);

            assert_int_equal(e.sign, 0);
            expect_near(e.trajectory[6], index, 0.15 * index + 0.02); /* 10 ms frames flatten 20 Hz by 6 % */
        }
    }
}

static void growing_and_fading_modulation(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 48000, 2.4);
    struct vg_sound up = trembling(s, &source, 0, 0.6, 15), down = trembling(s, &source, 0.6, 0, 15);
    struct vg_evidence rises = sound_paired(s, &source, &up, VG_Q_VIBRATION);
    struct vg_evidence falls = sound_paired(s, &source, &down, VG_Q_VIBRATION);

    expect_near(rises.net, 0.4, 0.05);
    expect_near(falls.net, -0.4, 0.05);
    assert_int_equal(rises.sign, 1);
    assert_int_equal(falls.sign, -1);
    expect_near(rises.net_jnd, rises.net / 0.1, 1e-12);
    assert_true(sound_blind(s, &up, VG_Q_VIBRATION).net > 0);
    assert_true(sound_blind(s, &down, VG_Q_VIBRATION).net < 0);
}

static void a_slow_swell_is_no_vibration(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2);
    struct vg_sound output =
        sound_changed(s, &source, (struct sound_change){.sample = sound_gain, .from = -12, .to = 6});
    struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_VIBRATION);

    assert_int_equal(e.sign, 0);
    assert_true(e.trajectory[6] < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_index_of_steady_modulation, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(growing_and_fading_modulation, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_slow_swell_is_no_vibration, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
