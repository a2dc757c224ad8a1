/* SPDX-License-Identifier: MIT */
/* The resampler's quality, measured with tones: flat within 0.01 dB to 0.91 of the lower Nyquist, everything
 * that is not the tone below -100 dB; no delay; lengths and parts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "dsp.h"

static const struct vg_resample_filter hq = {.pass_end = 0.913743653, .stop_begin = 1.0};
/* Rational ones between common rates, and semitones and others that are no fraction. */
static const double ratios[] = {8000.0 / 96000,
                                16000.0 / 48000,
                                0.5,
                                0.70710678118654752,
                                32000.0 / 48000,
                                0.84089641525,
                                44100.0 / 48000,
                                0.9999,
                                1.0123456,
                                48000.0 / 44100,
                                1.18920711500,
                                1.5,
                                1.7320508,
                                2.0,
                                3.0,
                                12.0};
enum { RATIOS = sizeof ratios / sizeof ratios[0] };

struct bench {
    struct vg_arena arena;
    const struct vg_resampler *resampler;
};

static int open_bench(void **state)
{
    static struct bench bench;

    bench = (struct bench){0};
    bench.resampler = vg_resampler_make(hq, &bench.arena);
    *state = &bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;

    vg_arena_release(&bench->arena);
    return 0;
}

/* A tone resampled: the ends, where it sets in and stops, are left out. */
struct tone {
    double gain_db;  /* of the tone itself */
    double other_db; /* everything else, relative to the tone that went in */
};

static struct tone measure(struct bench *bench, double ratio, double of_lower_nyquist)
{
    double lower = ratio < 1.0 ? ratio : 1.0, turn = VG_PI * of_lower_nyquist * lower;
    size_t reach = (size_t)(160.0 / lower), frames = 4 * reach + (size_t)(3000.0 / lower);
    size_t from = (size_t)((double)reach * ratio), to = (size_t)((double)(frames - reach) * ratio);
    float *x = vg_arena_take(&bench->arena, frames, sizeof *x);
    float *y = vg_arena_take(&bench->arena, to - from, sizeof *y);
    double ss = 0, sc = 0, cc = 0, ys = 0, yc = 0, rest = 0, n = (double)(to - from);

    for (size_t k = 0; k < frames; k++)
        x[k] = (float)sin(turn * (double)k);
    vg_resample(bench->resampler, x, frames, ratio, from, to, y, &bench->arena);
    for (size_t k = from; k < to; k++) {
        double s = sin(turn / ratio * (double)k), c = cos(turn / ratio * (double)k), v = (double)y[k - from];

        ss += s * s, sc += s * c, cc += c * c, ys += v * s, yc += v * c;
    }
    double det = ss * cc - sc * sc, a = (ys * cc - yc * sc) / det, b = (yc * ss - ys * sc) / det;
    for (size_t k = from; k < to; k++) {
        double phase = turn / ratio * (double)k;
        double left = (double)y[k - from] - a * sin(phase) - b * cos(phase);

        rest += left * left;
    }
    return (struct tone){10.0 * log10(a * a + b * b), 10.0 * log10(2.0 * rest / n + 1e-30)};
}

static void test_pass_band(void **state)
{
    static const double places[] = {0.003, 0.1, 0.3, 0.5, 0.7, 0.8, 0.87, 0.9, 0.91};
    struct bench *bench = *state;

    for (size_t i = 0; i < RATIOS; i++)
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
            struct tone tone = measure(bench, ratios[i], places[p]);

            if (fabs(tone.gain_db) > 0.01 || tone.other_db > -100.0)
                fail_msg("ratio %g, %g of the lower Nyquist: %+.4f dB, the rest %.1f dB", ratios[i],
                         places[p], tone.gain_db, tone.other_db);
        }
}

/* What would fold down at a lower rate. */
static void test_stop_band(void **state)
{
    static const double places[] = {1.001, 1.01, 1.05, 1.2, 1.5, 1.9, 2.45, 4.9, 11.3};
    struct bench *bench = *state;

    for (size_t i = 0; i < RATIOS; i++)
        for (size_t p = 0; p < sizeof places / sizeof places[0] && places[p] * ratios[i] < 0.99; p++) {
            struct tone tone = measure(bench, ratios[i], places[p]);

            if (tone.gain_db > -100.0 || tone.other_db > -100.0)
                fail_msg("ratio %g, %g of the lower Nyquist: %.1f dB, the rest %.1f dB", ratios[i], places[p],
                         tone.gain_db, tone.other_db);
        }
}

static void test_no_delay(void **state)
{
    struct bench *bench = *state;
    float x[1001] = {0}, y[1502];

    x[500] = 1.0f;
    vg_resample(bench->resampler, x, 1001, 1.5, 0, 1502, y, &bench->arena);
    assert_true(y[750] > 0.9f);
    for (size_t k = 1; k < 700; k++)
        assert_true(fabs((double)(y[750 + k] - y[750 - k])) < 1e-6);
}

static void test_lengths(void **state)
{
    (void)state;
    assert_int_equal(vg_resample_frames(7200, 0.84089641525), 6054);
    assert_int_equal(vg_resample_frames(1, 0.5), 1);
    assert_int_equal(vg_resample_frames(1, 0.49), 0);
    assert_int_equal(vg_resample_frames(48000, 44100.0 / 48000), 44100);
}

static void test_ratio_one_copies(void **state)
{
    struct bench *bench = *state;
    float x[3] = {1, -2, 3}, y[2];

    vg_resample(bench->resampler, x, 3, 1.0, 1, 3, y, &bench->arena);
    assert_memory_equal(y, x + 1, sizeof y);
}

/* Parts agree with the whole, also where the samples they do not need are gone, to f32 rounding: they sit
 * elsewhere in their blocks. */
static void test_parts(void **state)
{
    enum { FRAMES = 9000 };
    struct bench *bench = *state;
    struct vg_random random;
    float *x = vg_arena_take(&bench->arena, FRAMES, sizeof *x);

    vg_random_seed(&random, 5);
    for (size_t k = 0; k < FRAMES; k++)
        x[k] = (float)(vg_random_double(&random) - 0.5);
    for (size_t i = 0; i < RATIOS; i++) {
        size_t whole = vg_resample_frames(FRAMES, ratios[i]), from = whole / 3, to = whole / 2;
        struct vg_resample_needs needs = vg_resample_needs(bench->resampler, FRAMES, ratios[i], from, to);
        float *y = vg_arena_take(&bench->arena, whole, sizeof *y);
        float *part = vg_arena_take(&bench->arena, to - from, sizeof *part);
        float *needed = vg_arena_take_zero(&bench->arena, FRAMES, sizeof *needed);

        memcpy(needed + needs.first, x + needs.first, (needs.last - needs.first) * sizeof *x);
        vg_resample(bench->resampler, x, FRAMES, ratios[i], 0, whole, y, &bench->arena);
        vg_resample(bench->resampler, needed, FRAMES, ratios[i], from, to, part, &bench->arena);
        for (size_t k = from; k < to; k++)
            assert_true(fabs((double)(part[k - from] - y[k])) < 2e-6);
    }
}

static void test_tiny_signals(void **state)
{
    struct bench *bench = *state;
    float x[2] = {1.0f, 1.0f}, y[24];

    for (size_t n = 1; n <= 2; n++)
        for (size_t i = 0; i < RATIOS; i++) {
            size_t frames = vg_resample_frames(n, ratios[i]);

            vg_resample(bench->resampler, x, n, ratios[i], 0, frames, y, &bench->arena);
            for (size_t k = 0; k < frames; k++)
                assert_true(fabs((double)y[k]) < 2.0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pass_band, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(test_stop_band, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(test_no_delay, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(test_lengths, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(test_ratio_one_copies, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(test_parts, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(test_tiny_signals, open_bench, close_bench),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
