/* SPDX-License-Identifier: MIT */
/* File names: which stay, which change, and that no two become one. */
#include "export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 64 };

static bool safe(const char *name, bool distinct, char out[MAX + 1])
{
    struct vg_text text = {0};
    bool changed = vg_name_add_safe(&text, name, MAX, distinct);

    assert_true(text.length > 0 && text.length <= MAX);
    memcpy(out, text.data, text.length + 1);
    vg_text_release(&text);
    return changed;
}

static void plain_names_stay(void **state)
{
    static const char *const names[] = {
        "p225_001__p225_001__jump__low__up", "a.b", "UPPER-case_1", "console", "com10", "comma", "nul_", "a"};
    char out[MAX + 1];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(safe(names[i], false, out));
        assert_string_equal(out, names[i]);
    }
}

/* What the name becomes before its hash of 17 bytes. */
static void odd_names_change(void **state)
{
    static const struct {
        const char *name, *becomes;
    } cases[] = {
        {"a:b/c", "a_b_c"},
        {"e\xcc\x81t\xc3\xa9", "e__t__"}, /* NFD and NFC */
        {"CON", "_CON"},
        {"con.x", "_con.x"},
        {"Lpt1.wav", "_Lpt1.wav"},
        {".hidden", "_.hidden"},
        {"-rf", "_-rf"},
        {"end.", "end."},
        {"tab\there", "tab_here"},
        {"", "_"},
        {"..", "_.."},
        {"a b", "a_b"},
    };
    char out[MAX + 1];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(safe(cases[i].name, false, out));
        assert_memory_equal(out, cases[i].becomes, strlen(cases[i].becomes));
        assert_int_equal(strlen(out), strlen(cases[i].becomes) + 17);
    }
}

static void long_names_are_cut_and_stay_apart(void **state)
{
    char a[301], b[301], out_a[MAX + 1], out_b[MAX + 1];

    (void)state;
    memset(a, 'x', 300);
    a[300] = '\0';
    memcpy(b, a, sizeof a);
    b[299] = 'y';
    assert_true(safe(a, false, out_a));
    assert_true(safe(b, false, out_b));
    assert_string_not_equal(out_a, out_b);
}

static void distinct_names_have_a_hash(void **state)
{
    char out_a[MAX + 1], out_b[MAX + 1];

    (void)state;
    assert_true(safe("abc", true, out_a));
    assert_true(safe("aBc", true, out_b));
    assert_true(vg_name_fold(out_a) != vg_name_fold(out_b));
    assert_true(vg_name_fold("abc") == vg_name_fold("ABC"));
    assert_true(vg_name_fold("abc") != vg_name_fold("abd"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_names_stay),
        cmocka_unit_test(odd_names_change),
        cmocka_unit_test(long_names_are_cut_and_stay_apart),
        cmocka_unit_test(distinct_names_have_a_hash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
