/* SPDX-License-Identifier: MIT */
/* Voice pitch: glides whose course is known, of a voice and of the paper's beeps; F0 itself. */
#include "sound.h"

#include "heard.h"

/* A pulse-like voice or a sine whose F0 stands at `hz` and is shifted by a move in semitones. */
struct glide {
    double hz, from_st, to_st;
    int harmonics;
};

static struct vg_sound sing(struct sounds *s, uint32_t rate_hz, struct glide glide)
{
    struct vg_sound sound = sound_tone(s, rate_hz, 2.1, glide.hz);
    int16_t *x = vg_arena_take_zero(&s->arena, sound.frames, sizeof *x);
    double phase = 0;

    for (size_t k = sound.on; k < sound.off; k++) {
        double t = (double)(k - sound.on) / (double)(sound.off - sound.on), sum = 0;
        double hz = glide.hz * vg_exp2((glide.from_st + (glide.to_st - glide.from_st) * t) / 12);

        phase += 2 * VG_PI * hz / rate_hz;
        for (int h = 1; h <= glide.harmonics; h++)
            sum += vg_sin(h * phase) / h;
        x[k] = (int16_t)vg_round_even(8000 * sum);
    }
    sound.samples = x;
    return sound;
}

static void glides_are_read_to_a_tenth(void **state)
{
    struct sounds *s = *state;
    const double voices_hz[] = {85, 120, 210, 330};

    for (size_t v = 0; v < 4; v++) {
        for (double st = -3; st <= 3; st += 2) {
            struct vg_sound source = sing(s, 16000, (struct glide){voices_hz[v], 0, 0, 12});
            struct vg_sound output = sing(s, 16000, (struct glide){voices_hz[v], -st, st, 12});
            struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_PITCH);

            for (size_t i = 0; i < 12; i++)
                expect_near(e.trajectory[i], -st + 2 * st * ((double)i + 0.5) / 12, 0.1);
            expect_near(e.net, 2 * st * 2 / 3, 0.1);
            expect_near(sound_blind(s, &output, VG_Q_PITCH).net, 2 * st, 0.3);
            assert_int_equal(e.sign, st > 0 ? 1 : -1);
        }
    }
}

/* The beeps of the paper's ablation: 700 to 2050 Hz, far above a voice. */
static void tones_are_followed(void **state)
{
    struct sounds *s = *state;

    for (double hz = 700; hz <= 2050; hz += 150) {
        for (double st = -3; st <= 3; st += 6) {
            struct vg_sound source = sing(s, 48000, (struct glide){hz, 0, 0, 1});
            struct vg_sound output = sing(s, 48000, (struct glide){hz, -st, st, 1});
            struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_PITCH);

            expect_near(e.net, 2 * st * 2 / 3, 0.1);
            assert_int_equal(e.sign, st > 0 ? 1 : -1);
        }
    }
}

static void a_steady_shift_is_no_change(void **state)
{
    struct sounds *s = *state;

    for (double st = -3; st <= 3; st += 1.5) {
        struct vg_sound source = sing(s, 16000, (struct glide){140, 0, 0, 12});
        struct vg_sound output = sing(s, 16000, (struct glide){140, st, st, 12});
        struct vg_evidence e = sound_paired(s, &source, &output, VG_Q_PITCH);

        assert_int_equal(e.sign, 0);
        expect_near(e.trajectory[6], st, 0.1);
    }
}

/* Noise has no pitch that could change. */
static void without_a_voice_nothing_is_decided(void **state)
{
    struct sounds *s = *state;
    struct vg_random random;
    struct sound_change hiss = {.sample = sound_noise, .from = 3000, .to = 3000, .random = &random};
    struct vg_sound silence = sound_tone(s, 16000, 2, 0), source, output;

    vg_random_seed(&random, 5);
    source = sound_changed(s, &silence, hiss);
    output = sound_changed(s, &source, (struct sound_change){.sample = sound_gain, .from = -3, .to = 0});
    assert_int_equal(sound_paired(s, &source, &output, VG_Q_PITCH).sign, 2);
}

static void fundamental_of_made_up_speech(void **state)
{
    struct sounds *s = *state;
    struct vg_sound speech = sound_speech(s, 16000, 3);
    struct vg_heard heard;
    size_t voiced = 0;

    vg_heard_make(&heard, &speech, VG_VIEW_VOICE, VG_HEARD_COPIES, &s->arena, &s->tmp);
    for (size_t j = 0; j < heard.voice.count; j++) {
        double sec = (double)((2 * j + 1) * heard.hop) / 16000, syllable = sec * 4.5;

        if (heard.voice.period_sec[j] <= 0)
            continue;
        voiced++;
        assert_true((long)syllable % 3 != 2 || syllable - floor(syllable) < 0.1 ||
                    syllable - floor(syllable) > 0.9);
        expect_near(1 / heard.voice.period_sec[j], 120 + 15 * vg_sin(2 * VG_PI * sec / 1.7), 3);
    }
    assert_true(voiced > heard.voice.count / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(glides_are_read_to_a_tenth, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(tones_are_followed, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_steady_shift_is_no_change, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(without_a_voice_nothing_is_decided, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(fundamental_of_made_up_speech, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
