/* SPDX-License-Identifier: MIT */
/* The paper's parser: exactly one of the two labels, as a whole word, in any case. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "study.h"

static const struct {
    const char *text;
    enum vg_answer answer;
} cases[] = {
    {"increase", VG_ANSWERED_UP},
    {"decrease", VG_ANSWERED_DOWN},
    {"Increase.", VG_ANSWERED_UP},
    {"DECREASES", VG_ANSWERED_DOWN},
    {"It increases over time", VG_ANSWERED_UP},
    {"**decrease**", VG_ANSWERED_DOWN},
    {"\xe2\x80\x9cincrease\xe2\x80\x9d", VG_ANSWERED_UP},
    {"increase increase", VG_ANSWERED_UP},
    {"line\nincrease\n", VG_ANSWERED_UP},
    {"non-increase", VG_ANSWERED_UP},
    {"", VG_NOT_UNDERSTOOD},
    {"increase or decrease", VG_NOT_UNDERSTOOD},
    {"increases, then decreases", VG_NOT_UNDERSTOOD},
    {"increased", VG_NOT_UNDERSTOOD},
    {"increasing", VG_NOT_UNDERSTOOD},
    {"increasess", VG_NOT_UNDERSTOOD},
    {"preincrease", VG_NOT_UNDERSTOOD},
    {"increase_1", VG_NOT_UNDERSTOOD},
    {"1increase", VG_NOT_UNDERSTOOD},
    {"increas", VG_NOT_UNDERSTOOD},
    {"up", VG_NOT_UNDERSTOOD},
};

static void answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (vg_answer_parse(cases[i].text, "increase", "decrease") != cases[i].answer)
            fail_msg("\"%s\"", cases[i].text);
}

static void labels_are_the_specs(void **state)
{
    (void)state;
    assert_int_equal(vg_answer_parse("It rises", "rise", "fall"), VG_ANSWERED_UP);
    assert_int_equal(vg_answer_parse("Falls!", "rise", "fall"), VG_ANSWERED_DOWN);
    assert_int_equal(vg_answer_parse("increase", "rise", "fall"), VG_NOT_UNDERSTOOD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(labels_are_the_specs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
