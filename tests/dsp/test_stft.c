/* SPDX-License-Identifier: MIT */
/* Short-time spectra: sizes, columns against the definition, and samples that come back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "dsp.h"

static struct vg_arena arena;

static int release(void **state)
{
    (void)state;
    vg_arena_release(&arena);
    return 0;
}

static float *noise(size_t n)
{
    struct vg_random random;
    float *x = vg_arena_take(&arena, n, sizeof *x);

    vg_random_seed(&random, n);
    for (size_t k = 0; k < n; k++)
        x[k] = (float)(vg_random_double(&random) - 0.5);
    return x;
}

static void test_sizes(void **state)
{
    static const struct {
        size_t frames, n_fft, hop, columns;
    } rows[] = {
        {7200, 512, 128, 57}, {512, 512, 128, 5}, {511, 511, 128, 4}, {129, 129, 128, 2},
        {128, 128, 32, 5},    {33, 33, 8, 5},     {31, 32, 8, 4},     {1, 32, 8, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct vg_stft_size size = vg_stft_size(rows[i].frames, 512, 32, 128);

        assert_int_equal(size.n_fft, rows[i].n_fft);
        assert_int_equal(size.hop, rows[i].hop);
        assert_int_equal(vg_stft_columns(vg_stft_make(size, &arena), rows[i].frames), rows[i].columns);
    }
}

/* One bin of a column: the signal around its centre under the window (zeros beyond the ends). */
static struct vg_complex bin_by_definition(const float *x, size_t frames, size_t n_fft, size_t centre,
                                           size_t bin)
{
    struct vg_complex sum = {0};

    for (size_t k = 0; k < n_fft; k++) {
        double window = 0.5 - 0.5 * cos(2.0 * VG_PI * (double)k / (double)n_fft);
        double turn = 2.0 * VG_PI * (double)(bin * k % n_fft) / (double)n_fft;
        size_t place = centre + k;

        if (place < n_fft / 2 || place - n_fft / 2 >= frames)
            continue;
        sum.re += window * (double)x[place - n_fft / 2] * cos(turn);
        sum.im -= window * (double)x[place - n_fft / 2] * sin(turn);
    }
    return sum;
}

static void test_columns_are_the_definition(void **state)
{
    static const size_t frames[] = {1200, 511, 40, 1};

    (void)state;
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        const struct vg_stft *stft = vg_stft_make(vg_stft_size(frames[i], 512, 32, 128), &arena);
        float *x = noise(frames[i]), re[257], im[257];

        for (size_t c = 0; c < vg_stft_columns(stft, frames[i]); c++) {
            vg_stft_column(stft, x, frames[i], c, re, im, &arena);
            for (size_t k = 0; k < stft->bins; k++) {
                struct vg_complex want =
                    bin_by_definition(x, frames[i], stft->size.n_fft, c * stft->size.hop, k);

                assert_true(hypot((double)re[k] - want.re, (double)im[k] - want.im) < 2e-6);
            }
        }
    }
}

/* Samples from <= k < to, put together from the signal's own columns. */
static float *put_together(const struct vg_stft *stft, const float *x, size_t frames, size_t from, size_t to)
{
    float *out = vg_arena_take(&arena, to - from, sizeof *out), re[257], im[257];
    struct vg_overlap overlap = vg_overlap_start(stft, vg_stft_columns(stft, frames), from, to, out);

    for (size_t c = overlap.first; c < overlap.last; c++) {
        vg_stft_column(stft, x, frames, c, re, im, &arena);
        vg_overlap_add(&overlap, c, re, im, &arena);
    }
    vg_overlap_finish(&overlap);
    return out;
}

static void test_samples_come_back(void **state)
{
    static const size_t frames[] = {5000, 1200, 513, 512, 511, 129, 128, 33};

    (void)state;
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        const struct vg_stft *stft = vg_stft_make(vg_stft_size(frames[i], 512, 32, 128), &arena);
        float *x = noise(frames[i]), *back = put_together(stft, x, frames[i], 0, frames[i]);
        size_t covered = (vg_stft_columns(stft, frames[i]) - 1) * stft->size.hop; /* by all windows */

        for (size_t k = 0; k < covered; k++)
            if (fabs((double)(back[k] - x[k])) > 1e-5) /* less by far but where windows nearly vanish */
                fail_msg("sample %zu of %zu: %g, not %g", k, frames[i], (double)back[k], (double)x[k]);
    }
}

static void test_a_part_is_the_whole_cut(void **state)
{
    static const size_t parts[][2] = {{0, 1}, {0, 1200}, {1, 130}, {700, 701}, {511, 900}, {1199, 1200}};
    const struct vg_stft *stft = vg_stft_make(vg_stft_size(1200, 512, 32, 128), &arena);
    float *x = noise(1200), *whole = put_together(stft, x, 1200, 0, 1200);

    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t from = parts[i][0], to = parts[i][1];

        assert_memory_equal(put_together(stft, x, 1200, from, to), whole + from, (to - from) * sizeof *x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_sizes, release),
        cmocka_unit_test_teardown(test_columns_are_the_definition, release),
        cmocka_unit_test_teardown(test_samples_come_back, release),
        cmocka_unit_test_teardown(test_a_part_is_the_whole_cut, release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
