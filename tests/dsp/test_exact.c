/* SPDX-License-Identifier: MIT */
/* The exact functions against MPFR on some four million arguments, the hard ones among them; their values
 * at zeros, infinities and wherever the answer is exact; and the tables they stand on. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <mpfr.h>

#include "dsp.h"

/* What dsp.h promises: half an ulp and hardly more. */
static const double ULPS_MAX = 0.5001;
/* A result other than the nearest double is possible where the value lies within 2^-13 ulp of a tie. */
static const double NOT_NEAREST_MAX = 1e-4;

/* ---- arguments ------------------------------------------------------------------------------------ */

enum kind {
    NONE,
    UNIFORM,   /* low .. high */
    MAGNITUDE, /* +-2^u with u uniform in low .. high */
    POSITIVE,  /* the same without the sign */
    ANY,       /* any finite bits */
    NEAR_AXIS, /* within a few ulps of k pi/2, k up to 2^high */
};
struct range {
    enum kind kind;
    double low, high;
};

static double finite_bits(struct vg_random *random)
{
    for (;;) {
        uint64_t bits = vg_random_next(random);
        double x;

        memcpy(&x, &bits, sizeof x);
        if (isfinite(x))
            return x;
    }
}

static double draw(const struct range *range, struct vg_random *random)
{
    double u = range->low + (range->high - range->low) * vg_random_double(random);

    switch (range->kind) {
    case UNIFORM:
        return u;
    case MAGNITUDE:
        return (vg_random_next(random) & 1) != 0 ? exp2(u) : -exp2(u);
    case POSITIVE:
        return exp2(u);
    case ANY:
        return finite_bits(random);
    case NEAR_AXIS: {
        double x = floor(exp2(u)) * (VG_PI / 2);

        for (uint64_t k = vg_random_below(random, 4); k > 0; k--)
            x = nextafter(x, INFINITY);
        return x;
    }
    case NONE:
        break;
    }
    return 0.0;
}

/* ---- the comparison ------------------------------------------------------------------------------- */

struct row {
    const char *name;
    double (*one)(double);
    int (*exact_one)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    double (*two)(double, double);
    int (*exact_two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
    struct range x, y;
    unsigned count;
};

struct score {
    double worst, worst_x, worst_y; /* in ulps, and where */
    unsigned not_nearest;
};

/* |found - exact| in units of the last place of the nearest double. */
static double ulps(double found, double nearest, const mpfr_t exact)
{
    mpfr_t rest;
    int exponent;

    frexp(nearest, &exponent);
    if (exponent < DBL_MIN_EXP || nearest == 0.0)
        exponent = DBL_MIN_EXP;
    mpfr_init2(rest, 200);
    mpfr_sub_d(rest, exact, found, MPFR_RNDN);
    mpfr_mul_2si(rest, rest, DBL_MANT_DIG - exponent, MPFR_RNDN);
    double result = fabs(mpfr_get_d(rest, MPFR_RNDN));
    mpfr_clear(rest);
    return result;
}

static void compare(const struct row *row, double x, double y, struct score *score)
{
    mpfr_t exact, a, b;

    mpfr_inits2(200, exact, a, b, (mpfr_ptr)NULL);
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    if (row->one != NULL)
        row->exact_one(exact, a, MPFR_RNDN);
    else
        row->exact_two(exact, a, b, MPFR_RNDN);

    double found = row->one != NULL ? row->one(x) : row->two(x, y);
    double nearest = mpfr_get_d(exact, MPFR_RNDN);
    if (isfinite(nearest) && isfinite(found)) {
        double error = ulps(found, nearest, exact);

        score->not_nearest += found != nearest;
        if (error > score->worst) {
            score->worst = error;
            score->worst_x = x;
            score->worst_y = y;
        }
    } else if (!(found == nearest) && !(isnan(found) && isnan(nearest))) {
        fail_msg("%s(%a, %a) is %a, not %a", row->name, x, y, found, nearest);
    }
    mpfr_clears(exact, a, b, (mpfr_ptr)NULL);
}

static void check_row(const struct row *row)
{
    struct score score = {0};
    struct vg_random random;

    vg_random_seed(&random, 20240917);
    for (unsigned i = 0; i < row->count; i++) {
        double x = draw(&row->x, &random);
        double y = draw(&row->y, &random);

        compare(row, x, y, &score);
    }
    print_message("%-13s %6u arguments: at most %.7f ulp, %u not nearest\n", row->name, row->count,
                  score.worst, score.not_nearest);
    if (score.worst > ULPS_MAX)
        fail_msg("%s(%a, %a) is off by %.6f ulp", row->name, score.worst_x, score.worst_y, score.worst);
    assert_true(score.not_nearest <= NOT_NEAREST_MAX * row->count);
}

/* ---- what dsp.h computes that MPFR has no function for --------------------------------------------- */

static int exact_db_to_gain(mpfr_t result, const mpfr_t db, mpfr_rnd_t rounding)
{
    mpfr_t ten;

    mpfr_init2(ten, 53);
    mpfr_set_d(ten, mpfr_get_d(db, MPFR_RNDN) / 20.0, MPFR_RNDN); /* the quotient is rounded first */
    int ternary = mpfr_exp10(result, ten, rounding);
    mpfr_clear(ten);
    return ternary;
}

static int exact_gain_to_db(mpfr_t result, const mpfr_t gain, mpfr_rnd_t rounding)
{
    mpfr_log10(result, gain, rounding);
    return mpfr_mul_ui(result, result, 20, rounding);
}

static double sin_of_both(double x)
{
    return vg_sincos(x).sin;
}

static double cos_of_both(double x)
{
    return vg_sincos(x).cos;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_row(&rows[i]);
}

static void test_sine(void **state)
{
    static const struct row rows[] = {
        {.name = "sin", .one = vg_sin, .exact_one = mpfr_sin, .x = {UNIFORM, -10, 10}, .count = 200000},
        {.name = "sin", .one = vg_sin, .exact_one = mpfr_sin, .x = {UNIFORM, -3e5, 3e5}, .count = 200000},
        {.name = "sin", .one = vg_sin, .exact_one = mpfr_sin, .x = {ANY, 0, 0}, .count = 50000},
        {.name = "sin", .one = vg_sin, .exact_one = mpfr_sin, .x = {MAGNITUDE, -1074, 8}, .count = 100000},
        {.name = "sin", .one = vg_sin, .exact_one = mpfr_sin, .x = {NEAR_AXIS, 0, 12}, .count = 100000},
        {.name = "sin", .one = vg_sin, .exact_one = mpfr_sin, .x = {NEAR_AXIS, 10, 300}, .count = 50000},
        {.name = "sincos.sin",
         .one = sin_of_both,
         .exact_one = mpfr_sin,
         .x = {UNIFORM, -99, 99},
         .count = 50000},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void test_cosine(void **state)
{
    static const struct row rows[] = {
        {.name = "cos", .one = vg_cos, .exact_one = mpfr_cos, .x = {UNIFORM, -10, 10}, .count = 200000},
        {.name = "cos", .one = vg_cos, .exact_one = mpfr_cos, .x = {UNIFORM, -3e5, 3e5}, .count = 200000},
        {.name = "cos", .one = vg_cos, .exact_one = mpfr_cos, .x = {ANY, 0, 0}, .count = 50000},
        {.name = "cos", .one = vg_cos, .exact_one = mpfr_cos, .x = {MAGNITUDE, -40, 8}, .count = 100000},
        {.name = "cos", .one = vg_cos, .exact_one = mpfr_cos, .x = {NEAR_AXIS, 0, 12}, .count = 100000},
        {.name = "cos", .one = vg_cos, .exact_one = mpfr_cos, .x = {NEAR_AXIS, 10, 300}, .count = 50000},
        {.name = "sincos.cos",
         .one = cos_of_both,
         .exact_one = mpfr_cos,
         .x = {UNIFORM, -99, 99},
         .count = 50000},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void test_arc(void **state)
{
    static const struct row rows[] = {
        {.name = "atan2",
         .two = vg_atan2,
         .exact_two = mpfr_atan2,
         .x = {UNIFORM, -1, 1},
         .y = {UNIFORM, -1, 1},
         .count = 300000},
        {.name = "atan2",
         .two = vg_atan2,
         .exact_two = mpfr_atan2,
         .x = {MAGNITUDE, -50, 50},
         .y = {MAGNITUDE, -50, 50},
         .count = 100000},
        {.name = "atan2",
         .two = vg_atan2,
         .exact_two = mpfr_atan2,
         .x = {ANY, 0, 0},
         .y = {ANY, 0, 0},
         .count = 50000},
        {.name = "atan2",
         .two = vg_atan2,
         .exact_two = mpfr_atan2,
         .x = {MAGNITUDE, -1074, -1000},
         .y = {MAGNITUDE, -1074, -1000},
         .count = 50000},
        {.name = "atan2",
         .two = vg_atan2,
         .exact_two = mpfr_atan2,
         .x = {MAGNITUDE, 960, 1023.9},
         .y = {MAGNITUDE, 960, 1023.9},
         .count = 50000},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void test_exponential(void **state)
{
    static const struct row rows[] = {
        {.name = "exp", .one = vg_exp, .exact_one = mpfr_exp, .x = {UNIFORM, -750, 712}, .count = 200000},
        {.name = "exp", .one = vg_exp, .exact_one = mpfr_exp, .x = {UNIFORM, -1, 1}, .count = 200000},
        {.name = "exp", .one = vg_exp, .exact_one = mpfr_exp, .x = {UNIFORM, -745.2, -708}, .count = 100000},
        {.name = "exp", .one = vg_exp, .exact_one = mpfr_exp, .x = {MAGNITUDE, -1074, 5}, .count = 100000},
        {.name = "exp2",
         .one = vg_exp2,
         .exact_one = mpfr_exp2,
         .x = {UNIFORM, -1080, 1030},
         .count = 200000},
        {.name = "exp2", .one = vg_exp2, .exact_one = mpfr_exp2, .x = {UNIFORM, -1, 1}, .count = 100000},
        {.name = "exp2",
         .one = vg_exp2,
         .exact_one = mpfr_exp2,
         .x = {UNIFORM, -1076, -1021},
         .count = 100000},
        {.name = "exp2", .one = vg_exp2, .exact_one = mpfr_exp2, .x = {MAGNITUDE, -1074, 5}, .count = 50000},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void test_power(void **state)
{
    static const struct row rows[] = {
        {.name = "pow",
         .two = vg_pow,
         .exact_two = mpfr_pow,
         .x = {UNIFORM, 0, 20},
         .y = {UNIFORM, -3, 3},
         .count = 200000},
        {.name = "pow",
         .two = vg_pow,
         .exact_two = mpfr_pow,
         .x = {POSITIVE, -1074, 1023.9},
         .y = {MAGNITUDE, -20, 12},
         .count = 200000},
        {.name = "pow",
         .two = vg_pow,
         .exact_two = mpfr_pow,
         .x = {UNIFORM, 0.999, 1.001},
         .y = {MAGNITUDE, 0, 20},
         .count = 100000},
        {.name = "pow",
         .two = vg_pow,
         .exact_two = mpfr_pow,
         .x = {POSITIVE, -1, 1},
         .y = {MAGNITUDE, -1074, 1023},
         .count = 50000},
        {.name = "db_to_gain",
         .one = vg_db_to_gain,
         .exact_one = exact_db_to_gain,
         .x = {UNIFORM, -120, 120},
         .count = 200000},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void test_logarithm(void **state)
{
    static const struct row rows[] = {
        {.name = "log",
         .one = vg_log,
         .exact_one = mpfr_log,
         .x = {POSITIVE, -1074, 1023.99},
         .count = 100000},
        {.name = "log", .one = vg_log, .exact_one = mpfr_log, .x = {UNIFORM, 0.5, 2}, .count = 100000},
        {.name = "log", .one = vg_log, .exact_one = mpfr_log, .x = {UNIFORM, 0.999, 1.001}, .count = 100000},
        {.name = "log2",
         .one = vg_log2,
         .exact_one = mpfr_log2,
         .x = {POSITIVE, -1074, 1023.99},
         .count = 100000},
        {.name = "log2", .one = vg_log2, .exact_one = mpfr_log2, .x = {UNIFORM, 0.9, 1.1}, .count = 100000},
        {.name = "log10",
         .one = vg_log10,
         .exact_one = mpfr_log10,
         .x = {POSITIVE, -1074, 1023.99},
         .count = 100000},
        {.name = "log10",
         .one = vg_log10,
         .exact_one = mpfr_log10,
         .x = {UNIFORM, 0.9, 1.1},
         .count = 100000},
        {.name = "log1p", .one = vg_log1p, .exact_one = mpfr_log1p, .x = {UNIFORM, -1, 3}, .count = 100000},
        {.name = "log1p",
         .one = vg_log1p,
         .exact_one = mpfr_log1p,
         .x = {MAGNITUDE, -1074, 0},
         .count = 100000},
        {.name = "log1p",
         .one = vg_log1p,
         .exact_one = mpfr_log1p,
         .x = {POSITIVE, 0, 1023.99},
         .count = 50000},
        {.name = "gain_to_db",
         .one = vg_gain_to_db,
         .exact_one = exact_gain_to_db,
         .x = {POSITIVE, -20, 20},
         .count = 100000},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* ---- known arguments ------------------------------------------------------------------------------ */

/* The double closest to a multiple of pi/2 of all (Muller, Elementary Functions, 2016, section 11.3.2). */
static void test_closest_to_an_axis(void **state)
{
    static const struct row sine = {.name = "sin", .one = vg_sin, .exact_one = mpfr_sin};
    static const struct row cosine = {.name = "cos", .one = vg_cos, .exact_one = mpfr_cos};
    struct score score = {0};
    double x = ldexp(6381956970095103.0, 797);

    (void)state;
    compare(&sine, x, 0, &score);
    compare(&cosine, x, 0, &score);
    compare(&sine, DBL_MAX, 0, &score);
    compare(&cosine, DBL_MAX, 0, &score);
    assert_int_equal(score.not_nearest, 0);
    assert_true(fabs(vg_cos(x)) < 1e-18);
}

/* Equal in value and in sign of zero; NaN equals NaN. */
static void assert_same(double found, double wanted)
{
    if (isnan(wanted) ? !isnan(found) : found != wanted || signbit(found) != signbit(wanted))
        fail_msg("found %a, wanted %a", found, wanted);
}

static void test_special_values(void **state)
{
    (void)state;
    assert_same(vg_sin(-0.0), -0.0);
    assert_same(vg_sin(0.0), 0.0);
    assert_same(vg_cos(-0.0), 1.0);
    assert_same(vg_sin(INFINITY), NAN);
    assert_same(vg_cos(NAN), NAN);
    assert_same(vg_exp(-INFINITY), 0.0);
    assert_same(vg_exp(INFINITY), INFINITY);
    assert_same(vg_exp(NAN), NAN);
    assert_same(vg_exp(0.0), 1.0);
    assert_same(vg_exp2(-INFINITY), 0.0);
    assert_same(vg_exp2(INFINITY), INFINITY);
    assert_same(vg_exp2(-1075.0), 0.0);
    assert_same(vg_exp2(-1074.0), 0x1p-1074);
    assert_same(vg_log(0.0), -INFINITY);
    assert_same(vg_log(1.0), 0.0);
    assert_same(vg_log(-1.0), NAN);
    assert_same(vg_log(INFINITY), INFINITY);
    assert_same(vg_log1p(-1.0), -INFINITY);
    assert_same(vg_log1p(-0.0), -0.0);
    assert_same(vg_log1p(-1.5), NAN);
    assert_same(vg_log1p(INFINITY), INFINITY);
    assert_same(vg_pow(7.0, 0.0), 1.0);
    assert_same(vg_pow(1.0, 1e300), 1.0);
    assert_same(vg_pow(2.0, 1e300), INFINITY);
    assert_same(vg_pow(0.5, 1e300), 0.0);
    assert_same(vg_pow(2.0, -INFINITY), 0.0);
    assert_same(vg_pow(0.0, 2.0), 0.0);
    assert_same(vg_pow(0.0, -2.0), INFINITY);
    assert_same(vg_db_to_gain(0.0), 1.0);
    assert_same(vg_db_to_gain(20.0), 10.0);
    assert_same(vg_gain_to_db(0.0), -INFINITY);
    assert_same(vg_gain_to_db(0.1), -20.0);
}

/* C11 F.10.1.4. */
static void test_arc_of_zeros_and_infinities(void **state)
{
    (void)state;
    assert_same(vg_atan2(0.0, 0.0), 0.0);
    assert_same(vg_atan2(-0.0, 0.0), -0.0);
    assert_same(vg_atan2(0.0, -0.0), VG_PI);
    assert_same(vg_atan2(-0.0, -0.0), -VG_PI);
    assert_same(vg_atan2(-0.0, 3.0), -0.0);
    assert_same(vg_atan2(0.0, -3.0), VG_PI);
    assert_same(vg_atan2(-2.0, 0.0), -VG_PI / 2);
    assert_same(vg_atan2(2.0, -0.0), VG_PI / 2);
    assert_same(vg_atan2(2.0, INFINITY), 0.0);
    assert_same(vg_atan2(-2.0, -INFINITY), -VG_PI);
    assert_same(vg_atan2(INFINITY, 2.0), VG_PI / 2);
    assert_same(vg_atan2(-INFINITY, INFINITY), -VG_PI / 4);
    assert_same(vg_atan2(INFINITY, -INFINITY), 0x1.2d97c7f3321d2p+1); /* 3 pi/4 */
    assert_same(vg_atan2(NAN, 1.0), NAN);
    assert_same(vg_atan2(1.0, NAN), NAN);
}

static void test_exact_powers(void **state)
{
    double ten = 1.0;

    (void)state;
    for (int k = -1074; k < 1024; k++) {
        assert_same(vg_exp2(k), ldexp(1.0, k));
        assert_same(vg_log2(ldexp(1.0, k)), k);
    }
    for (int k = 0; k <= 22; k++, ten *= 10.0) { /* 10^22 is the last that a double holds */
        assert_same(vg_log10(ten), k);
        assert_same(vg_pow(10.0, k), ten);
        assert_same(vg_db_to_gain(20.0 * k), ten);
    }
}

static void test_round_even(void **state)
{
    (void)state;
    assert_same(vg_round_even(0.5), 0.0);
    assert_same(vg_round_even(1.5), 2.0);
    assert_same(vg_round_even(-2.5), -2.0);
    assert_same(vg_round_even(-0.4), -0.0);
    assert_same(vg_round_even(0x1.fffffffffffffp-2), 0.0);
    assert_same(vg_round_even(0x1p60 + 256.0), 0x1p60 + 256.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine),
        cmocka_unit_test(test_cosine),
        cmocka_unit_test(test_arc),
        cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_logarithm),
        cmocka_unit_test(test_closest_to_an_axis),
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_arc_of_zeros_and_infinities),
        cmocka_unit_test(test_exact_powers),
        cmocka_unit_test(test_round_even),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
