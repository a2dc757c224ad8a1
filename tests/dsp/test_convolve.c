/* SPDX-License-Identifier: MIT */
/* Convolution by transforms against the sum itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "dsp.h"

static void fill(float *x, size_t n, uint64_t seed)
{
    struct vg_random random;

    vg_random_seed(&random, seed);
    for (size_t k = 0; k < n; k++)
        x[k] = (float)(vg_random_double(&random) - 0.5);
}

static void test_the_sum_itself(void **state)
{
    static const size_t rows[][2] = {{1, 1},     {1, 100},  {100, 1},  {1000, 7},
                                     {1000, 64}, {777, 65}, {300, 900}};
    static float x[1000], h[900], y[1000];
    struct vg_arena arena = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n = rows[i][0], m = rows[i][1];

        fill(x, n, 1);
        fill(h, m, 2);
        vg_convolve(x, n, h, m, y, &arena);
        for (size_t k = 0; k < n; k++) {
            double sum = 0;

            for (size_t j = 0; j < m && j <= k; j++)
                sum += (double)h[j] * (double)x[k - j];
            assert_true(fabs((double)y[k] - sum) < 1e-6);
        }
    }
    vg_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_sum_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
