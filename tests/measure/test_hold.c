/* SPDX-License-Identifier: MIT */
/* Audio distortion: sample-and-hold of known lengths, and what must not be taken for it. */
#include "sound.h"

/* Holds every value for a whole number of samples that moves from change->from to change->to. */
static double hold(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    size_t h = (size_t)vg_round_even(sound_move(change, t));

    return source->samples[k - k % h];
}

static struct vg_sound held(struct sounds *s, const struct vg_sound *source, double from, double to)
{
    return sound_changed(s, source, (struct sound_change){.sample = hold, .from = from, .to = to});
}

static void steady_holds_are_read_exactly(void **state)
{
    struct sounds *s = *state;

    for (uint32_t rate_hz = 16000; rate_hz <= 48000; rate_hz += 32000) {
        struct vg_sound source = sound_speech(s, rate_hz, 1.5);

        for (int h = 2; h <= 16; h++) {
            struct vg_sound output = held(s, &source, h, h);
            struct vg_evidence paired = sound_paired(s, &source, &output, VG_Q_DISTORTION);
            struct vg_evidence blind = sound_blind(s, &output, VG_Q_DISTORTION);

            assert_int_equal(paired.sign, 0);
            for (size_t i = 0; i < 12; i++) {
                expect_near(paired.trajectory[i], vg_log2(h), 1e-12);
                expect_near(blind.trajectory[i], vg_log2(h), 1e-12);
            }
        }
    }
}

static void longer_holds_are_more_distortion(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 48000, 2);
    struct vg_sound up = held(s, &source, 1, 8), down = held(s, &source, 8, 1);
    struct vg_evidence rises = sound_paired(s, &source, &up, VG_Q_DISTORTION);
    struct vg_evidence falls = sound_paired(s, &source, &down, VG_Q_DISTORTION);

    assert_int_equal(rises.sign, 1);
    assert_int_equal(falls.sign, -1);
    expect_near(rises.net, vg_log2(7) - vg_log2(2), 0.4); /* medians of the thirds */
    expect_near(rises.net_jnd, rises.net / 0.5, 1e-12);
    assert_int_equal(sound_blind(s, &up, VG_Q_DISTORTION).sign, 1);
    assert_int_equal(sound_blind(s, &down, VG_Q_DISTORTION).sign, -1);
}

/* Values that repeat because they are few, or quiet, are not held. */
static double coarse(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    double step = vg_exp2(sound_move(change, t));

    return vg_round_even(source->samples[k] / step) * step;
}

static void a_coarse_grid_is_no_hold(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 48000, 2);
    struct vg_sound output =
        sound_changed(s, &source, (struct sound_change){.sample = coarse, .from = 0, .to = 12});
    struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_DISTORTION);

    assert_int_equal(e.sign, 0);
    expect_near(e.net, 0, 0);
}

static void a_held_source_is_its_own_measure(void **state)
{
    struct sounds *s = *state;
    struct vg_sound clean = sound_speech(s, 48000, 2), source = held(s, &clean, 3, 3);
    struct vg_sound output =
        sound_changed(s, &source, (struct sound_change){.sample = sound_gain, .from = -3, .to = 0});

    assert_int_equal(sound_paired(s, &source, &output, VG_Q_DISTORTION).sign, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(steady_holds_are_read_exactly, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(longer_holds_are_more_distortion, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_coarse_grid_is_no_hold, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_held_source_is_its_own_measure, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
