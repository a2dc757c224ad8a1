/* SPDX-License-Identifier: MIT */
/* Fleiss' kappa against published worked examples. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "study.h"

#include <math.h>

static void assert_near(double found, double expected, double half)
{
    if (!(fabs(found - expected) <= half))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

/* Ten subjects, fourteen raters, five answers: the worked example in Wikipedia's "Fleiss' kappa", 0.210, with
 * its intermediate results: P 0.378, Pe 0.213. */
static void ten_subjects(void **state)
{
    static const unsigned counts[10][5] = {
        {0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
        {7, 7, 0, 0, 0},  {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7},
    };
    struct vg_kappa kappa;

    (void)state;
    vg_kappa_of(&counts[0][0], 10, 5, &kappa);
    assert_near(kappa.observed, 0.378, 0.0005);
    assert_near(kappa.expected, 0.213, 0.0005);
    assert_near(kappa.kappa, 0.210, 0.0005);
    assert_int_equal(kappa.subjects, 10);
    assert_int_equal(kappa.ratings, 140);
    assert_int_equal(kappa.raters_min, 14);
    assert_int_equal(kappa.raters_max, 14);
}

/* Fleiss (1971), table 1: thirty patients, six psychiatrists, five diagnoses; kappa 0.430. */
static void thirty_patients(void **state)
{
    static const unsigned counts[30][5] = {
        {0, 0, 0, 6, 0}, {0, 3, 0, 0, 3}, {0, 1, 4, 0, 1}, {0, 0, 0, 0, 6}, {0, 3, 0, 3, 0}, {2, 0, 4, 0, 0},
        {0, 0, 4, 0, 2}, {2, 0, 3, 1, 0}, {2, 0, 0, 4, 0}, {0, 0, 0, 0, 6}, {1, 0, 0, 5, 0}, {1, 1, 0, 4, 0},
        {0, 3, 3, 0, 0}, {1, 0, 0, 5, 0}, {0, 2, 0, 3, 1}, {0, 0, 5, 0, 1}, {3, 0, 0, 1, 2}, {5, 1, 0, 0, 0},
        {0, 2, 0, 4, 0}, {1, 0, 2, 0, 3}, {0, 0, 0, 0, 6}, {0, 1, 0, 5, 0}, {0, 2, 0, 1, 3}, {2, 0, 0, 4, 0},
        {1, 0, 0, 4, 1}, {0, 5, 0, 1, 0}, {4, 0, 0, 0, 2}, {0, 2, 0, 4, 0}, {1, 0, 5, 0, 0}, {0, 0, 0, 0, 6},
    };
    struct vg_kappa kappa;

    (void)state;
    vg_kappa_of(&counts[0][0], 30, 5, &kappa);
    assert_near(kappa.kappa, 0.430, 0.0005);
}

/* Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, 3rd ed., chapter 18 (also
 * Stata's example `rvary`): 25 subjects with two to five raters and two answers; kappa 0.5415. */
static void unequal_raters(void **state)
{
    static const unsigned raters_and_positive[25][2] = {
        {2, 2}, {2, 0}, {3, 2}, {4, 3}, {3, 3}, {4, 1}, {3, 0}, {5, 0}, {2, 0},
        {4, 4}, {5, 5}, {3, 3}, {4, 4}, {4, 3}, {2, 0}, {2, 2}, {3, 1}, {2, 1},
        {4, 1}, {5, 4}, {3, 2}, {4, 0}, {3, 0}, {3, 3}, {2, 2}};
    unsigned counts[26][2];
    struct vg_kappa kappa;

    (void)state;
    for (size_t i = 0; i < 25; i++) {
        counts[i][0] = raters_and_positive[i][1];
        counts[i][1] = raters_and_positive[i][0] - raters_and_positive[i][1];
    }
    vg_kappa_of(&counts[0][0], 25, 2, &kappa);
    assert_near(kappa.kappa, 0.5415, 0.00005);
    assert_int_equal(kappa.ratings, 81);
    assert_int_equal(kappa.raters_min, 2);
    assert_int_equal(kappa.raters_max, 5);
    assert_int_equal(kappa.alone, 0);

    counts[25][0] = 1; /* heard by one person: no agreement, and no say in what chance gives */
    counts[25][1] = 0;
    vg_kappa_of(&counts[0][0], 26, 2, &kappa);
    assert_near(kappa.kappa, 0.5415, 0.00005);
    assert_int_equal(kappa.subjects, 25);
    assert_int_equal(kappa.alone, 1);
}

static void extremes(void **state)
{
    static const unsigned alike[][2] = {{3, 0}, {0, 3}, {3, 0}}, split[][2] = {{1, 1}, {1, 1}},
                          same[][2] = {{3, 0}, {3, 0}}, alone[][2] = {{1, 0}, {0, 0}, {0, 1}};
    struct vg_kappa kappa;

    (void)state;
    vg_kappa_of(&alike[0][0], 3, 2, &kappa);
    assert_near(kappa.kappa, 1, 0);
    vg_kappa_of(&split[0][0], 2, 2, &kappa);
    assert_near(kappa.kappa, -1, 0);
    vg_kappa_of(&same[0][0], 2, 2, &kappa); /* agreement cannot be told from a habit */
    assert_near(kappa.observed, 1, 0);
    assert_true(isnan(kappa.kappa));
    vg_kappa_of(&alone[0][0], 3, 2, &kappa);
    assert_true(isnan(kappa.kappa) && isnan(kappa.observed));
    assert_int_equal(kappa.alone, 2);
    vg_kappa_of(&alone[0][0], 0, 2, &kappa);
    assert_true(isnan(kappa.kappa));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_subjects),
        cmocka_unit_test(thirty_patients),
        cmocka_unit_test(unequal_raters),
        cmocka_unit_test(extremes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
