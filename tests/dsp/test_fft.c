/* SPDX-License-Identifier: MIT */
/* The transforms against the definition of the discrete Fourier transform, and back again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "fft.h"

/* Powers of two and neighbours, mixed radices, primes. */
static const size_t lengths[] = {1,  2,  3,  4,   5,   6,   7,   8,   9,   12,  15,  16,  30,   31,   32,
                                 33, 64, 97, 100, 105, 128, 250, 441, 509, 511, 512, 513, 1000, 1024, 2048};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static struct vg_arena arena;

static int release(void **state)
{
    (void)state;
    vg_arena_release(&arena);
    return 0;
}

static double *noise(size_t n)
{
    struct vg_random random;
    double *x = vg_arena_take(&arena, n, sizeof *x);

    vg_random_seed(&random, n);
    for (size_t k = 0; k < n; k++)
        x[k] = vg_random_double(&random) - 0.5;
    return x;
}

static struct vg_complex bin_by_definition(const double *x, size_t n, size_t bin)
{
    struct vg_complex sum = {0};

    for (size_t k = 0; k < n; k++) {
        double turn = 2.0 * VG_PI * (double)(bin * k % n) / (double)n;

        sum.re += x[k] * cos(turn);
        sum.im -= x[k] * sin(turn);
    }
    return sum;
}

static void test_bins_are_the_definition(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTHS; i++) {
        size_t n = lengths[i];
        double *x = noise(n);
        struct vg_complex *bins = vg_arena_take(&arena, n / 2 + 1, sizeof *bins);

        vg_fft_forward(vg_fft_make(n, &arena), x, bins, &arena);
        for (size_t k = 0; k <= n / 2; k++) {
            struct vg_complex want = bin_by_definition(x, n, k);
            double error = hypot(bins[k].re - want.re, bins[k].im - want.im);

            if (error > 2e-15 * (double)(n + 8))
                fail_msg("bin %zu of %zu is off by %g", k, n, error);
        }
        assert_true(bins[0].im == 0.0 && (n % 2 == 1 || bins[n / 2].im == 0.0));
    }
}

static void test_there_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTHS; i++) {
        size_t n = lengths[i];
        double *x = noise(n), *back = vg_arena_take(&arena, n, sizeof *back);
        struct vg_complex *bins = vg_arena_take(&arena, n / 2 + 1, sizeof *bins);
        const struct vg_fft *fft = vg_fft_make(n, &arena);

        vg_fft_forward(fft, x, bins, &arena);
        vg_fft_inverse(fft, bins, back, &arena);
        for (size_t k = 0; k < n; k++)
            if (fabs(back[k] - x[k]) > 2e-15)
                fail_msg("sample %zu of %zu is off by %g", k, n, back[k] - x[k]);
    }
}

static void test_single_precision(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTHS; i++) {
        size_t n = lengths[i], bins = n / 2 + 1;
        const struct vg_fftf *fft = vg_fftf_make(n, &arena);
        double *wide = noise(n);
        float *x = vg_arena_take(&arena, n, sizeof *x), *back = vg_arena_take(&arena, n, sizeof *back);
        float *re = vg_arena_take(&arena, bins, sizeof *re), *im = vg_arena_take(&arena, bins, sizeof *im);

        for (size_t k = 0; k < n; k++)
            wide[k] = (double)(x[k] = (float)wide[k]);
        vg_fftf_split(fft, x, re, im, &arena);
        vg_fftf_join(fft, re, im, back, &arena);
        for (size_t k = 0; k < bins; k++) {
            struct vg_complex want = bin_by_definition(wide, n, k);

            assert_true(hypot((double)re[k] - want.re, (double)im[k] - want.im) < 4e-8 * (double)(n + 8));
        }
        for (size_t k = 0; k < n; k++)
            assert_true(fabs((double)(back[k] - x[k])) < 1e-6);
    }
}

/* The vocoder's DC and Nyquist bins come with an imaginary part, which a real signal has no place for. */
static void test_imaginary_ends_are_ignored(void **state)
{
    float re[5] = {1, 2, 3, 4, 5}, im[5] = {0, 1, 2, 3, 0}, odd[5] = {9, 1, 2, 3, -9};
    float plain[8], same[8];
    const struct vg_fftf *fft = vg_fftf_make(8, &arena);

    (void)state;
    vg_fftf_join(fft, re, im, plain, &arena);
    vg_fftf_join(fft, re, odd, same, &arena);
    assert_memory_equal(plain, same, sizeof plain);
}

static void test_silence_is_positive_zero(void **state)
{
    double x[512] = {0};
    struct vg_complex bins[257];

    (void)state;
    vg_fft_forward(vg_fft_make(512, &arena), x, bins, &arena);
    for (size_t k = 0; k <= 256; k++)
        assert_true(bins[k].re == 0.0 && bins[k].im == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_bins_are_the_definition, release),
        cmocka_unit_test_teardown(test_there_and_back, release),
        cmocka_unit_test_teardown(test_single_precision, release),
        cmocka_unit_test_teardown(test_imaginary_ends_are_ignored, release),
        cmocka_unit_test_teardown(test_silence_is_positive_zero, release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
