/* SPDX-License-Identifier: MIT */
/* Texts made comparable: what is said counts, how it is written does not. */
#include "fixture.h"

static void expect_words(const char *text, const char *words)
{
    struct vg_text out = {0};

    vg_words_normalise(text, &out);
    assert_string_equal(vg_text_or_empty(&out), words);
    vg_text_release(&out);
}

static void writing_makes_no_difference(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {" ... !?", ""},
        {"Well... DONE!", "well done"},
        {"  one\t two\nthree ", "one two three"},
        {"don't", "dont"},
        {"don\xe2\x80\x99t", "dont"},
        {"twenty-one", "twenty one"},
        {"[noise] yes [um] no", "yes no"},
        {"a[b", "ab"},
        {"42 \xc2\xb0", "42"},
        {"\xc3\x84\xc3\x96\xc3\x9c \xc3\x89", "\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa9"},
        {"\xc4\x8c\xc5\x98\xc5\xbd", "\xc4\x8d\xc5\x99\xc5\xbe"}, /* Czech: Latin Extended-A, both parities */
        {"\xce\x91\xce\xa9", "\xce\xb1\xcf\x89"},
        {"\xd0\x90\xd0\xaf\xd0\x81", "\xd0\xb0\xd1\x8f\xd1\x91"},
        {"\xc2\xabs\xc3\xad\xc2\xbb", "s\xc3\xad"},
        {"\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82", "\xe4\xbd\xa0\xe5\xa5\xbd"},
        {"\xf0\x9f\x90\x9f x", "\xf0\x9f\x90\x9f x"},
        {"zero\xe2\x80\x8bwidth", "zerowidth"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_words(cases[i][0], cases[i][1]);
}

static void it_is_done_once(void **state)
{
    static const char *const texts[] = {"Well... DONE!", "\xc3\x84 \xc5\xbd\xd0\x90 [x] y", "I'm 42"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct vg_text once = {0};

        vg_words_normalise(texts[i], &once);
        expect_words(once.data, once.data);
        vg_text_release(&once);
    }
}

static void bytes_that_are_no_utf8_do_no_harm(void **state)
{
    (void)state;
    expect_words("a\xff", "a\xc3\xbf"); /* read as Latin-1; tables refuse such bytes before */
    expect_words("\xe2\x80", "\xc3\xa2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_makes_no_difference),
        cmocka_unit_test(it_is_done_once),
        cmocka_unit_test(bytes_that_are_no_utf8_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
