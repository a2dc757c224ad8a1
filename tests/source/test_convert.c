/* SPDX-License-Identifier: MIT */
/* The rule of conversion: every width against whole-number arithmetic, ties, clipping, and the mean. */
#include "fixture.h"

#include "convert.h"

/* Nearest whole number to a / 2^shift, ties to even, in integers only. */
static int64_t divide_even(int64_t a, int shift)
{
    int64_t unit = (int64_t)1 << shift, floor = a >= 0 ? a / unit : -((-a + unit - 1) / unit);
    int64_t rest = a - floor * unit;

    if (2 * rest > unit || (2 * rest == unit && floor % 2 != 0))
        floor++;
    return floor;
}

static void ints_round_ties_to_even(void **state)
{
    (void)state;
    for (int64_t top = -32768; top <= 32767; top += 7)
        for (int64_t low = 0; low < 65536; low += 4096) {
            int32_t in = (int32_t)(top * 65536 + low);
            int64_t want = divide_even(in, 16);
            int16_t out;
            size_t clipped = vg_words_from_ints(&in, 1, &out);

            assert_int_equal(out, want > 32767 ? 32767 : want);
            assert_int_equal(clipped, want > 32767);
        }
}

static void reals_are_scaled_by_32768(void **state)
{
    static const struct {
        double in;
        int16_t out;
        size_t clipped;
    } cases[] = {
        {0, 0, 0},
        {0.5, 16384, 0},
        {-1, -32768, 0},
        {1, 32767, 1},
        {0.5 / 32768, 0, 0},
        {1.5 / 32768, 2, 0},
        {2.5 / 32768, 2, 0},
        {-0.5 / 32768, 0, 0},
        {-1.5 / 32768, -2, 0},
        {6, 32767, 1},
        {-6, -32768, 1},
        {1e308, 32767, 1},
        {32767.25 / 32768, 32767, 0},
        {32767.5 / 32768, 32767, 1},
        {-32768.5 / 32768, -32768, 0},
        {-32768.75 / 32768, -32768, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int16_t out;
        size_t done, clipped = vg_words_from_reals(&cases[i].in, 1, &out, &done);

        assert_int_equal(done, 1);
        assert_int_equal(out, cases[i].out);
        assert_int_equal(clipped, cases[i].clipped);
    }
}

static void the_mean_rounds_ties_to_even(void **state)
{
    static const int16_t two[] = {1, 2, 2, 3, -1, -2, -2, -3, 32767, 32767, -32768, -32768, 100, -100};
    static const int16_t want[] = {2, 2, -2, -2, 32767, -32768, 0};
    static const int16_t three[] = {1, 1, 0, -1, -1, 0, 32767, 32767, 32766};
    int16_t out[7];

    (void)state;
    vg_words_mix(two, 7, 2, out);
    assert_memory_equal(out, want, sizeof want);
    vg_words_mix(three, 3, 3, out);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], -1);
    assert_int_equal(out[2], 32767);
    vg_words_mix(two, 7, 1, out);
    assert_memory_equal(out, two, sizeof out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ints_round_ties_to_even),
        cmocka_unit_test(reals_are_scaled_by_32768),
        cmocka_unit_test(the_mean_rounds_ties_to_even),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
