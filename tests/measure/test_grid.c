/* SPDX-License-Identifier: MIT */
/* Audio roughness: quantisers of a known step. */
#include "sound.h"

/* log2 of the step moves from change->from to change->to, in whole bits. */
static double quantised(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    double step = vg_exp2(vg_round_even(sound_move(change, t)));

    return vg_round_even(source->samples[k] / step) * step;
}

static struct vg_sound rough(struct sounds *s, const struct vg_sound *source, double from, double to)
{
    return sound_changed(s, source, (struct sound_change){.sample = quantised, .from = from, .to = to});
}

static void steady_steps_are_read_exactly(void **state)
{
    struct sounds *s = *state;

    for (uint32_t rate_hz = 16000; rate_hz <= 48000; rate_hz += 32000) {
        struct vg_sound source = sound_speech(s, rate_hz, 1.5);

        for (int bits = 0; bits <= 10; bits++) {
            struct vg_sound output = rough(s, &source, bits, bits);
            struct vg_evidence paired = sound_paired(s, &source, &output, VG_Q_ROUGHNESS);
            struct vg_evidence blind = sound_blind(s, &output, VG_Q_ROUGHNESS);

            assert_int_equal(paired.sign, 0);
            for (size_t i = 0; i < 12; i++) {
                expect_near(paired.trajectory[i], bits, 1e-12);
                expect_near(blind.trajectory[i], bits, 1e-12);
            }
        }
    }
}

static void coarser_steps_are_rougher(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2);
    struct vg_sound up = rough(s, &source, 0, 12), down = rough(s, &source, 12, 0);
    struct vg_evidence rises = sound_paired(s, &source, &up, VG_Q_ROUGHNESS);
    struct vg_evidence falls = sound_paired(s, &source, &down, VG_Q_ROUGHNESS);

    assert_int_equal(rises.sign, 1);
    assert_int_equal(falls.sign, -1);
    expect_near(rises.net, 8, 1);
    expect_near(falls.net, -8, 1);
    assert_true(rises.net_jnd > 3 &&
                rises.net_jnd < 2 * rises.net); /* 6 dB a bit, 3 dB a JND, the floor hides the finest */
    assert_int_equal(sound_blind(s, &up, VG_Q_ROUGHNESS).sign, 1);
    assert_int_equal(sound_blind(s, &down, VG_Q_ROUGHNESS).sign, -1);
}

/* A step so coarse that frames vanish is coarser still. */
static void vanished_speech_is_rough(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2), output = rough(s, &source, 0, 15);
    struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_ROUGHNESS);

    assert_int_equal(e.sign, 1);
    assert_true(e.net > 9);
}

/* A gain of 2 spreads the values; more than one bit would take more than that. */
static void a_gain_is_hardly_rough(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2);
    struct vg_sound output =
        sound_changed(s, &source, (struct sound_change){.sample = sound_gain, .from = -6, .to = 6});

    expect_near(sound_paired(s, &source, &output, VG_Q_ROUGHNESS).net, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(steady_steps_are_read_exactly, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(coarser_steps_are_rougher, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(vanished_speech_is_rough, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_gain_is_hardly_rough, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
