/* SPDX-License-Identifier: MIT */
/* Root mean squares against what numpy 1.24 gives for the first n values of default_rng(3)'s
 * standard_normal as f32: sqrt(mean(square(x))) in f32, and with the mean in f64. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "dsp.h"

enum { VALUES = 100003 };
static float values[VALUES];

static int draw_values(void **state)
{
    struct vg_random random;

    (void)state;
    vg_random_seed(&random, 3);
    for (size_t i = 0; i < VALUES; i++)
        values[i] = (float)vg_random_normal(&random);
    return 0;
}

static void test_numpy_gives_the_same(void **state)
{
    static const struct {
        size_t n;
        float pairwise;
        double rms;
    } rows[] = {
        {1, 0x1.053cd60000000p+1f, 0x1.053cd59996f17p+1},
        {7, 0x1.7d41600000000p+0f, 0x1.7d416120abd07p+0},
        {8, 0x1.653fc00000000p+0f, 0x1.653fc1873bed2p+0},
        {9, 0x1.58d0940000000p+0f, 0x1.58d09340f80acp+0},
        {127, 0x1.1482b80000000p+0f, 0x1.1482b83ff6461p+0},
        {128, 0x1.13736a0000000p+0f, 0x1.13736a02e2aa5p+0},
        {129, 0x1.153bd60000000p+0f, 0x1.153bd61b86d5dp+0},
        {136, 0x1.142a280000000p+0f, 0x1.142a27c1d8882p+0},
        {1000, 0x1.01e9c20000000p+0f, 0x1.01e9c0c10996fp+0},
        {8191, 0x1.0118ba0000000p+0f, 0x1.0118b97f53539p+0},
        {8192, 0x1.0116920000000p+0f, 0x1.011692899b187p+0},
        {8193, 0x1.0114cc0000000p+0f, 0x1.0114cc445ffa3p+0},
        {8200, 0x1.010c340000000p+0f, 0x1.010c337cc8f27p+0},
        {100003, 0x1.ff85ee0000000p-1f, 0x1.ff85edf6ec5f0p-1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (vg_rms_pairwise(values, rows[i].n) != rows[i].pairwise ||
            vg_rms(values, rows[i].n) != rows[i].rms)
            fail_msg("%zu values: %a and %a", rows[i].n, (double)vg_rms_pairwise(values, rows[i].n),
                     vg_rms(values, rows[i].n));
}

static void test_nothing_and_silence(void **state)
{
    static const float silence[300];

    (void)state;
    assert_true(vg_rms(silence, 0) == 0.0 && vg_rms_pairwise(silence, 0) == 0.0f);
    assert_true(vg_rms(silence, 300) == 0.0 && vg_rms_pairwise(silence, 300) == 0.0f);
}

/* Full scale has level 1 at any length. */
static void test_square_wave(void **state)
{
    static float square[10000];

    (void)state;
    for (size_t i = 0; i < 10000; i++)
        square[i] = i / 50 % 2 == 0 ? 1.0f : -1.0f;
    for (size_t n = 1; n <= 10000; n += 37)
        assert_true(vg_rms(square, n) == 1.0 && vg_rms_pairwise(square, n) == 1.0f);
}

/* Reads exactly the values it was given: the rest would turn the sum into NaN. */
static void test_reads_no_further(void **state)
{
    static float x[400];

    (void)state;
    for (size_t n = 1; n < 300; n++) {
        for (size_t i = 0; i < 400; i++)
            x[i] = i < n ? 0.5f : NAN;
        assert_true(vg_rms(x, n) == 0.5 && vg_rms_pairwise(x, n) == 0.5f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numpy_gives_the_same),
        cmocka_unit_test(test_nothing_and_silence),
        cmocka_unit_test(test_square_wave),
        cmocka_unit_test(test_reads_no_further),
    };

    return cmocka_run_group_tests(tests, draw_values, NULL);
}
