/* SPDX-License-Identifier: MIT */
/* Order statistics, rank correlation, sums and traces against values worked out by hand or the slow way. */
#include "sound.h"

#include "trace.h"

static void quantiles_lie_between_order_statistics(void **state)
{
    double one[] = {4}, five[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, ties[] = {2, 2, 2, 1, 2, 2};

    (void)state;
    assert_true(isnan(vg_quantile(one, 0, 0.5)));
    expect_near(vg_quantile(one, 1, 0.9), 4, 0);
    expect_near(vg_quantile(five, 5, 0.5), 3, 0);
    expect_near(vg_quantile(five, 5, 0), 1, 0);
    expect_near(vg_quantile(five, 5, 1), 5, 0);
    expect_near(vg_quantile(five, 5, 0.1), 1.4, 1e-12);
    expect_near(vg_quantile(even, 4, 0.5), 2.5, 0);
    expect_near(vg_quantile(ties, 6, 0.5), 2, 0);
}

/* Against sorting by insertion. */
static void quantiles_of_random_values(void **state)
{
    struct vg_random random;

    (void)state;
    vg_random_seed(&random, 3);
    for (int trial = 0; trial < 2000; trial++) {
        size_t n = 1 + (size_t)vg_random_below(&random, 60);
        double x[60], sorted[60], q = (double)vg_random_below(&random, 11) / 10, rank = q * (double)(n - 1),
                                  asked;
        size_t low = (size_t)rank;

        for (size_t i = 0; i < n; i++) {
            size_t k = i;

            x[i] = (double)vg_random_below(&random, trial % 2 ? 5 : 1000);
            for (; k > 0 && sorted[k - 1] > x[i]; k--)
                sorted[k] = sorted[k - 1];
            sorted[k] = x[i];
        }
        asked =
            low + 1 < n ? sorted[low] + (sorted[low + 1] - sorted[low]) * (rank - (double)low) : sorted[low];
        expect_near(vg_quantile(x, n, q), asked, 1e-12);
    }
}

static void ranks_follow_spearman(void **state)
{
    const double rising[] = {1, 2, 30, 400}, falling[] = {4, 3, 2, 1}, flat[] = {1, 1, 1},
                 gaps[] = {1, NAN, 2, NAN, 3};
    const double ties[] = {1, 2, 2, 3}, mixed[] = {1, 3, 2, 4, 5};

    (void)state;
    expect_near(vg_rank_trend(rising, 4), 1, 1e-15);
    expect_near(vg_rank_trend(falling, 4), -1, 1e-15);
    expect_near(vg_rank_trend(flat, 3), 0, 0);
    expect_near(vg_rank_trend(gaps, 5), 1, 1e-15);
    expect_near(vg_rank_trend(rising, 1), 0, 0);
    expect_near(vg_rank_trend(ties, 4), 4.5 / sqrt(4.5 * 5), 1e-15);
    expect_near(vg_rank_trend(mixed, 5), 0.9, 1e-15); /* 1 - 6 * 2 / (5 * 24) */
}

static void dot_products_are_sums_of_products(void **state)
{
    float a[37], b[37];
    int16_t x[300], y[300];

    (void)state;
    for (int i = 0; i < 37; i++) {
        a[i] = (float)(i - 9);
        b[i] = (float)(i % 5 + 1);
    }
    for (size_t n = 0; n <= 37; n++) {
        float asked = 0;

        for (size_t i = 0; i < n; i++)
            asked += a[i] * b[i]; /* small whole numbers: exact in any order */
        assert_true(vg_dot(a, b, n) >= asked && vg_dot(a, b, n) <= asked);
    }
    for (int i = 0; i < 300; i++)
        x[i] = y[i] = INT16_MIN;
    assert_true(vg_product_sum(x, y, 300) == INT64_C(300) * 32768 * 32768);
}

static void rough_logarithms(void **state)
{
    (void)state;
    for (int e = -100; e <= 100; e++) {
        float in[7], out[7];

        for (int i = 0; i < 7; i++)
            in[i] = (float)vg_exp2(e + i / 7.0);
        vg_log2_rough(in, out, 7);
        for (int i = 0; i < 7; i++)
            expect_near((double)out[i], vg_log2((double)in[i]), 6e-6); /* half an ulp at 100 is 3.8e-6 */
    }
}

static double start_of(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    (void)context;
    (void)tmp;
    return part.from;
}

static void traces_have_segments_by_length(void **state)
{
    struct sounds *s = *state;
    struct vg_trace trace = {.segments = 3};

    assert_int_equal(vg_segments_of(57600, 48000), 12);
    assert_int_equal(vg_segments_of(57599, 48000), 6);
    assert_int_equal(vg_segments_of(28800, 48000), 6);
    assert_int_equal(vg_segments_of(28799, 48000), 3);
    vg_trace_fill(&trace, (struct vg_asked){start_of, NULL}, vg_thirds, &s->tmp);
    expect_near(trace.at[0], 0, 0);
    expect_near(trace.at[2], 2.0 / 3, 1e-15);
    expect_near(trace.net, 2.0 / 3, 1e-15);
    vg_trace_fill(&trace, (struct vg_asked){start_of, NULL}, vg_halves, &s->tmp);
    expect_near(trace.net, 0.5, 1e-15);
    vg_trace_clear(&trace);
    assert_true(isnan(trace.at[1]) && isnan(trace.net) && isnan(trace.heard));
}

static void contours_know_their_parts(void **state)
{
    struct sounds *s = *state;
    double value[] = {1, NAN, 3, 4, NAN, NAN}, place[] = {0, 0.2, 0.4, 0.6, 0.8, 0.9};
    struct vg_contour c = {value, place, 6};

    assert_int_equal(vg_contour_find(&c, 0), 0);
    assert_int_equal(vg_contour_find(&c, 0.4), 2);
    assert_int_equal(vg_contour_find(&c, 0.41), 3);
    assert_int_equal(vg_contour_find(&c, 1), 6);
    assert_int_equal(vg_contour_known(&c, (struct vg_part){0, 0.5}), 2);
    expect_near(vg_contour_mean(&c, (struct vg_part){0, 0.5}), 2, 0);
    expect_near(vg_contour_quantile(&c, (struct vg_part){0.4, 1}, 0.5, &s->tmp), 3.5, 0);
    assert_true(isnan(vg_contour_mean(&c, vg_thirds[1])));
    assert_true(isnan(vg_contour_quantile(&c, vg_thirds[1], 0.5, &s->tmp)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_lie_between_order_statistics),
        cmocka_unit_test(quantiles_of_random_values),
        cmocka_unit_test(ranks_follow_spearman),
        cmocka_unit_test(dot_products_are_sums_of_products),
        cmocka_unit_test(rough_logarithms),
        cmocka_unit_test_setup_teardown(traces_have_segments_by_length, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(contours_know_their_parts, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
