/* SPDX-License-Identifier: MIT */
/* Speaking speed: the same syllables said at a rate that moves evenly. */
#include "sound.h"

/* Seconds at which the moving rate has said `said_sec`; t * (from + (to - from) * t / lasts / 2) = said. */
static double moment_of(double said_sec, double sec, double from, double to)
{
    double lasts = 2 * sec / (from + to), bend = (to - from) / lasts / 2;

    return fabs(bend) < 1e-9 ? said_sec / from
                             : (sqrt(from * from + 4 * bend * said_sec) - from) / (2 * bend);
}

/* ln % of the mean rate in the last third of what is said over that in the first. */
static double asked_net(double sec, double from, double to)
{
    double first = moment_of(sec / 3, sec, from, to);
    double last = moment_of(sec, sec, from, to) - moment_of(sec * 2 / 3, sec, from, to);

    return 100 * vg_log(first / last);
}

static void a_moving_rate_is_followed(void **state)
{
    struct sounds *s = *state;
    const uint32_t rates[] = {8000, 16000, 48000};
    const double moves[][2] = {{0.8, 1.2}, {1.2, 0.8}, {0.65, 1.35}, {1.35, 0.65}};

    for (size_t r = 0; r < 3; r++) {
        struct vg_sound source = sound_speech(s, rates[r], 3);

        for (size_t i = 0; i < 4; i++) {
            struct vg_sound output = sound_hurried(s, rates[r], 3, moves[i][0], moves[i][1]);
            struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_SPEED);

            expect_near(e.net, asked_net(3, moves[i][0], moves[i][1]), 8);
            expect_near(e.net_jnd, e.net / 5, 1e-12);
            assert_int_equal(e.sign, moves[i][1] > moves[i][0] ? 1 : -1);
            assert_true(e.rank * e.sign > 0.7);
            assert_true(sound_blind(s, &output, VG_Q_SPEED).net * e.sign > 0);
        }
    }
}

static void a_steady_rate_is_no_change(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 3);
    const double rates[] = {0.7, 0.85, 1, 1.2, 1.4};

    for (size_t i = 0; i < 5; i++) {
        struct vg_sound output = sound_hurried(s, 16000, 3, rates[i], rates[i]);
        struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_SPEED);

        assert_int_equal(e.sign, 0);
        expect_near(e.trajectory[5], 100 * vg_log(rates[i]), 15);
    }
}

/* What changes the levels but not the time is no change of speed. */
static void a_gain_is_no_change(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 3);
    struct vg_sound output =
        sound_changed(s, &source, (struct sound_change){.sample = sound_gain, .from = -18, .to = 0});

    assert_int_equal(sound_paired(s, &source, &output, VG_Q_SPEED).sign, 0);
    expect_near(sound_paired(s, &source, &output, VG_Q_SPEED).net, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_moving_rate_is_followed, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_steady_rate_is_no_change, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_gain_is_no_change, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
