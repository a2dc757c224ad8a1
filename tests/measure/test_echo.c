/* SPDX-License-Identifier: MIT */
/* Echo: a few late copies of known level. */
#include "sound.h"

/* Three copies at 31, 47 and 90 ms, each change->fixed of the direct sound, mixed in by a move. */
static double room(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    const double delays_sec[] = {0.031, 0.047, 0.090};
    double sum = 0;

    for (size_t i = 0; i < 3; i++) {
        size_t delay = (size_t)(delays_sec[i] * source->rate_hz);

        sum += k >= delay ? source->samples[k - delay] : 0;
    }
    return 0.7 * (source->samples[k] + sound_move(change, t) * sum);
}

static struct vg_sound echoing(struct sounds *s, const struct vg_sound *source, double from, double to)
{
    return sound_changed(s, source, (struct sound_change){.sample = room, .from = from, .to = to});
}

static void the_level_of_a_steady_echo(void **state)
{
    struct sounds *s = *state;
    const uint32_t rates[] = {8000, 16000, 48000};

    for (size_t r = 0; r < 3; r++) {
        struct vg_sound source = sound_speech(s, rates[r], 2);

        for (double share = 0.1; share < 0.6; share *= 2) {
            struct vg_sound output = echoing(s, &source, share, share);
            struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_ECHO);

            assert_int_equal(e.sign, 0);
            expect_near(e.trajectory[6], 10 * vg_log10(3 * share * share), 2);
        }
    }
}

static void growing_and_fading_echo(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2.4);
    struct vg_sound up = echoing(s, &source, 0, 0.5), down = echoing(s, &source, 0.5, 0);
    struct vg_evidence rises = sound_paired(s, &source, &up, VG_Q_ECHO);
    struct vg_evidence falls = sound_paired(s, &source, &down, VG_Q_ECHO);

    assert_int_equal(rises.sign, 1);
    assert_int_equal(falls.sign, -1);
    expect_near(rises.net, 20 * vg_log10(5),
                2.5); /* the mix is 5/6 of the way in the last third, 1/6 in the first */
    expect_near(falls.net, -20 * vg_log10(5), 6); /* tails hide some of the fall */
    expect_near(rises.net_jnd, rises.net / 3, 1e-12);
    assert_true(sound_blind(s, &up, VG_Q_ECHO).net > 0);
    assert_true(sound_blind(s, &down, VG_Q_ECHO).net < 0);
}

/* Noise and modulation are chance to the estimate; they must not pass for a room. */
static void noise_is_no_echo(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2), output;
    struct vg_random random;

    vg_random_seed(&random, 4);
    output = sound_changed(
        s, &source, (struct sound_change){.sample = sound_noise, .from = 0, .to = 500, .random = &random});
    assert_int_equal(sound_paired(s, &source, &output, VG_Q_ECHO).sign, 0);
}

/* A long span, here of noise, is looked at from both ends only. */
static void long_spans(void **state)
{
    struct sounds *s = *state;
    struct vg_sound silence = sound_tone(s, 8000, 75, 0), source, output;
    struct vg_random random;
    struct vg_evidence e;

    vg_random_seed(&random, 6);
    source = sound_changed(
        s, &silence,
        (struct sound_change){.sample = sound_noise, .from = 2000, .to = 2000, .random = &random});
    output = echoing(s, &source, 0, 0.5);
    e = sound_paired(s, &source, &output, VG_Q_ECHO);
    assert_int_equal(e.sign, 1);
    expect_near(e.net, 20 * vg_log10(5), 2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_level_of_a_steady_echo, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(growing_and_fading_echo, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(noise_is_no_echo, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(long_spans, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
