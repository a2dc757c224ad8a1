/* SPDX-License-Identifier: MIT */
/* The phase vocoder: lengths, a tone that keeps its pitch, rate 1, and parts of the result. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "dsp.h"

enum { FRAMES = 7200 };
static struct vg_arena arena;
static const double rates[] = {0.6, 0.8, 0.943, 1.0, 1.0595, 1.19, 1.4, 1.9};
enum { RATES = sizeof rates / sizeof rates[0] };

static int release(void **state)
{
    (void)state;
    vg_arena_release(&arena);
    return 0;
}

static float *tone(size_t frames, double cycles_per_sample)
{
    float *x = vg_arena_take(&arena, frames, sizeof *x);

    for (size_t k = 0; k < frames; k++)
        x[k] = (float)(0.5 * sin(2.0 * VG_PI * cycles_per_sample * (double)k));
    return x;
}

static const struct vg_vocoder *vocoder_of(const float *x, size_t frames)
{
    const struct vg_stft *stft = vg_stft_make(vg_stft_size(frames, 512, 32, 128), &arena);

    return vg_vocoder_make(stft, x, frames, &arena, &arena);
}

static float *stretched(const struct vg_vocoder *vocoder, double rate, size_t from, size_t to)
{
    float *out = vg_arena_take(&arena, to - from, sizeof *out);

    vg_stretch(vocoder, rate, from, to, out, &arena);
    return out;
}

static void test_lengths(void **state)
{
    (void)state;
    assert_int_equal(vg_stretch_frames(7200, 0.6), 12000);
    assert_int_equal(vg_stretch_frames(7200, 1.4), 5143);
    assert_int_equal(vg_stretch_frames(5, 2.0), 2); /* 2.5: to even */
    assert_int_equal(vg_stretch_frames(7, 2.0), 4); /* 3.5 */
    assert_int_equal(vg_stretch_frames(1, 1.9), 1);
}

/* Least squares of x against sine and cosine of a frequency: the share of energy it explains. */
static double share_at(const float *x, size_t frames, double cycles_per_sample)
{
    double s = 0, c = 0, energy = 0;

    for (size_t k = 0; k < frames; k++) {
        double turn = 2.0 * VG_PI * cycles_per_sample * (double)k;

        s += (double)x[k] * sin(turn);
        c += (double)x[k] * cos(turn);
        energy += (double)x[k] * (double)x[k];
    }
    return 2.0 * (s * s + c * c) / (energy * (double)frames);
}

static void test_a_tone_keeps_its_pitch(void **state)
{
    double pitch = 700.0 / 48000.0;
    const struct vg_vocoder *vocoder = vocoder_of(tone(FRAMES, pitch), FRAMES);

    (void)state;
    for (size_t i = 0; i < RATES; i++) {
        size_t frames = vg_stretch_frames(FRAMES, rates[i]);
        float *y = stretched(vocoder, rates[i], 1000, frames - 1000);

        assert_true(share_at(y, frames - 2000, pitch) > 0.98);
        assert_true(share_at(y, frames - 2000, pitch * 1.02) < 0.8);
    }
}

static void test_rate_one_is_no_change(void **state)
{
    float *x = tone(FRAMES, 0.031), *y = stretched(vocoder_of(x, FRAMES), 1.0, 0, FRAMES);

    (void)state;
    for (size_t k = 256; k + 512 < FRAMES; k++) /* to the rounding of f32 phases */
        assert_true(fabs((double)(y[k] - x[k])) < 2e-3);
}

static void test_a_part_is_the_whole_cut(void **state)
{
    const struct vg_vocoder *vocoder = vocoder_of(tone(FRAMES, 0.0234), FRAMES);

    (void)state;
    for (size_t i = 0; i < RATES; i++) {
        size_t frames = vg_stretch_frames(FRAMES, rates[i]);
        float *whole = stretched(vocoder, rates[i], 0, frames);

        for (size_t from = 0; from + 1111 <= frames; from += 777)
            assert_memory_equal(stretched(vocoder, rates[i], from, from + 1111), whole + from,
                                1111 * sizeof *whole);
    }
}

static void test_silence_stays_silent(void **state)
{
    float *x = vg_arena_take_zero(&arena, FRAMES, sizeof *x);
    float *y = stretched(vocoder_of(x, FRAMES), 0.7, 0, vg_stretch_frames(FRAMES, 0.7));

    (void)state;
    for (size_t k = 0; k < vg_stretch_frames(FRAMES, 0.7); k++)
        assert_true(y[k] == 0.0f);
}

static void test_short_signals(void **state)
{
    static const size_t frames[] = {1, 2, 31, 32, 33, 127, 128, 129, 511, 512};

    (void)state;
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++)
        for (size_t r = 0; r < RATES; r++) {
            size_t n = frames[i], out = vg_stretch_frames(n, rates[r]);
            float *y = stretched(vocoder_of(tone(n, 0.1), n), rates[r], 0, out);

            for (size_t k = 0; k < out; k++)
                assert_true(isfinite((double)y[k])); /* where windows nearly vanish it may swell */
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_lengths, release),
        cmocka_unit_test_teardown(test_a_tone_keeps_its_pitch, release),
        cmocka_unit_test_teardown(test_rate_one_is_no_change, release),
        cmocka_unit_test_teardown(test_a_part_is_the_whole_cut, release),
        cmocka_unit_test_teardown(test_silence_stays_silent, release),
        cmocka_unit_test_teardown(test_short_signals, release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
