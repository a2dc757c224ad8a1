/* SPDX-License-Identifier: MIT */
/* Voice clarity: low-pass filters of a known cutoff, over sources that show their whole band or not. */
#include "sound.h"

#include "heard.h"

enum { HALF = 128 };

/* Windowed sinc of a cutoff in shares of the rate. */
static void make_taps(double cutoff, double taps[2 * HALF + 1])
{
    for (int i = -HALF; i <= HALF; i++) {
        double x = VG_PI * i, window = 0.5 + 0.5 * vg_cos(x / (HALF + 1));

        taps[i + HALF] = window * (i ? vg_sin(2 * cutoff * x) / x : 2 * cutoff);
    }
}

/* A low pass whose cutoff moves along the ERB scale, anew every 10 ms. */
static double low_pass(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    static double taps[2 * HALF + 1];
    double sum = 0;

    if (k % (source->rate_hz / 100) == 0)
        make_taps(vg_erb_hz(sound_move(change, t)) / source->rate_hz, taps);
    for (ptrdiff_t i = -HALF; i <= HALF; i++) {
        ptrdiff_t at = (ptrdiff_t)k + i;

        if (at >= 0 && at < (ptrdiff_t)source->frames)
            sum += source->samples[at] * taps[i + HALF];
    }
    return sum;
}

static struct vg_sound dull(struct sounds *s, const struct vg_sound *source, double from_hz, double to_hz)
{
    struct sound_change change = {
        .sample = low_pass, .from = vg_erb_number(from_hz), .to = vg_erb_number(to_hz)};

    return sound_changed(s, source, change);
}

/* Speech with a hiss that shows the whole band. */
static struct vg_sound bright_speech(struct sounds *s, uint32_t rate_hz)
{
    struct vg_sound speech = sound_speech(s, rate_hz, 1.5);
    struct vg_random random;

    vg_random_seed(&random, 21);
    return sound_changed(
        s, &speech, (struct sound_change){.sample = sound_noise, .from = 60, .to = 60, .random = &random});
}

static void steady_cutoffs_are_read(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = bright_speech(s, 16000);

    for (double hz = 1200; hz < 7000; hz *= 1.5) {
        struct vg_sound output = dull(s, &source, hz, hz);
        struct vg_evidence paired = sound_paired(s, &source, &output, VG_Q_CLARITY);

        assert_int_equal(paired.sign, 0);
        expect_near(paired.net, 0, 0.3);
        expect_near(paired.trajectory[6], vg_erb_number(hz), 0.6); /* -8 dB of a sixth of an octave */
    }
}

static void moving_cutoffs_have_a_sign(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = bright_speech(s, 16000);
    struct vg_sound up = dull(s, &source, 1200, 6500), down = dull(s, &source, 6500, 1200);
    struct vg_evidence rises = sound_paired(s, &source, &up, VG_Q_CLARITY);
    struct vg_evidence falls = sound_paired(s, &source, &down, VG_Q_CLARITY);
    double asked = (vg_erb_number(6500) - vg_erb_number(1200)) * 2 / 3;

    expect_near(rises.net, asked, 1);
    expect_near(falls.net, -asked, 1);
    assert_int_equal(rises.sign, 1);
    assert_int_equal(falls.sign, -1);
    assert_int_equal(sound_blind(s, &up, VG_Q_CLARITY).net > 0, 1);
    assert_int_equal(sound_blind(s, &down, VG_Q_CLARITY).net < 0, 1);
}

/* Telephone speech in a wide-band file shows nothing above 3.4 kHz: taking that away is no change. */
static void what_the_source_does_not_show_cannot_go(void **state)
{
    struct sounds *s = *state;
    struct vg_sound wide = bright_speech(s, 16000), source = dull(s, &wide, 3400, 3400);
    struct vg_sound output = dull(s, &source, 5000, 7900);
    struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_CLARITY);

    assert_int_equal(e.sign, 0);
    expect_near(e.net, 0, 0.1);
}

/* A level that is matched piece by piece, as an engine may do, is not taken for a change of bandwidth. */
static double surge(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    return source->samples[k] * (0.6 + 0.4 * vg_sin((double)k * 2e-4 + t + change->from));
}

static void levels_do_not_count(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = bright_speech(s, 16000);
    struct vg_sound output = sound_changed(s, &source, (struct sound_change){.sample = surge});

    expect_near(sound_paired(s, &source, &output, VG_Q_CLARITY).net, 0, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(steady_cutoffs_are_read, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(moving_cutoffs_have_a_sign, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(what_the_source_does_not_show_cannot_go, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(levels_do_not_count, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
