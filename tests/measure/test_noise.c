/* SPDX-License-Identifier: MIT */
/* Background noise: white noise of a known RMS, over speech of a known floor. */
#include "sound.h"

static struct vg_sound noisy(struct sounds *s, const struct vg_sound *source, double from, double to)
{
    struct vg_random random;

    vg_random_seed(&random, 11);
    return sound_changed(
        s, source, (struct sound_change){.sample = sound_noise, .from = from, .to = to, .random = &random});
}

static double span_rms(const struct vg_sound *sound)
{
    double sum = 0;

    for (size_t k = sound->on; k < sound->off; k++)
        sum += (double)sound->samples[k] * sound->samples[k];
    return sqrt(sum / (double)(sound->off - sound->on));
}

static void the_level_of_steady_noise(void **state)
{
    struct sounds *s = *state;
    const uint32_t rates[] = {8000, 16000, 48000};

    for (size_t r = 0; r < 3; r++) {
        struct vg_sound source = sound_speech(s, rates[r], 2);

        for (double rms = 10; rms <= 1000; rms *= 10) {
            struct vg_sound output = noisy(s, &source, rms, rms);
            struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_NOISE);

            assert_int_equal(e.sign, 0);
            for (size_t i = 0; i < e.segments; i++) /* the quieter quarter of 10 ms */
                expect_near(e.trajectory[i], 20 * vg_log10(rms / span_rms(&source)) - 0.5, 1);
        }
    }
}

static void rising_and_falling_noise(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2);
    struct vg_sound up = noisy(s, &source, 20, 400), down = noisy(s, &source, 400, 20);
    struct vg_evidence rises = sound_paired(s, &source, &up, VG_Q_NOISE);
    struct vg_evidence falls = sound_paired(s, &source, &down, VG_Q_NOISE);

    assert_int_equal(rises.sign, 1);
    assert_int_equal(falls.sign, -1);
    assert_true(rises.rank > 0.95 && falls.rank < -0.95);
    expect_near(rises.net, 20 * vg_log10((20 + 380 * 0.79) / (20 + 380 * 0.12)),
                2.5); /* quiet quarter of a third */
    expect_near(falls.net, -rises.net, 1.5);
    assert_int_equal(sound_blind(s, &up, VG_Q_NOISE).net > 0, 1);
    assert_int_equal(sound_blind(s, &down, VG_Q_NOISE).net < 0, 1);
}

/* The sign is read below the source's own floor, where a listener hears nothing: less than one JND. */
static void noise_under_the_floor_is_not_heard(void **state)
{
    struct sounds *s = *state;
    struct vg_sound clean = sound_speech(s, 16000, 2), source = noisy(s, &clean, 100, 100);
    struct vg_random random;
    struct vg_sound output;
    struct vg_evidence e;

    vg_random_seed(&random, 12);
    output = sound_changed(
        s, &source, (struct sound_change){.sample = sound_noise, .from = 0, .to = 60, .random = &random});
    e = sound_paired(s, &source, &output, VG_Q_NOISE);
    assert_int_equal(e.sign, 1);
    assert_true(e.net > 10);
    assert_true(e.net_jnd > 0 && e.net_jnd < 1);
}

/* A gain that moves within a frame leaves a rest 50 dB below the speech: nothing to be heard. */
static void a_gain_is_no_noise(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2);
    struct vg_sound output =
        sound_changed(s, &source, (struct sound_change){.sample = sound_gain, .from = -12, .to = 6});

    expect_near(sound_paired(s, &source, &output, VG_Q_NOISE).net_jnd, 0, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_level_of_steady_noise, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(rising_and_falling_noise, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(noise_under_the_floor_is_not_heard, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_gain_is_no_noise, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
