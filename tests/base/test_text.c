/* SPDX-License-Identifier: MIT */
/* Text: quoting, numbers, JSON, UTF-8, nearest words. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void csv_quotes_what_a_reader_could_mistake(void **state)
{
    static const char *const rows[][2] = {
        {"plain", "plain"},
        {"two words", "two words"},
        {"007", "\"007\""},
        {"null", "\"null\""},
        {"NA", "\"NA\""},
        {"1e5", "\"1e5\""},
        {"-3", "\"-3\""},
        {"", "\"\""},
        {"a,b", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""},
        {"a\nb", "\"a\nb\""},
        {" edge", "\" edge\""},
        {"True", "\"True\""},
        {"=1+1", "\"=1+1\""},
        {"na\xC3\xAFve", "na\xC3\xAFve"},
    };
    struct vg_text text = {0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vg_text_clear(&text);
        vg_text_add_csv(&text, rows[i][0]);
        assert_string_equal(text.data, rows[i][1]);
    }
    vg_text_release(&text);
}

/* Forms from ECMA-262 and the samples of RFC 8785 appendix B. */
static void doubles_are_shortest(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {1e21, "1e+21"},
        {1e20, "100000000000000000000"},
        {1e-6, "0.000001"},
        {1e-7, "1e-7"},
        {0x1p-1074, "5e-324"},
        {0x1.fffffffffffffp+1023, "1.7976931348623157e+308"},
        {9007199254740992.0, "9007199254740992"},
        {333333333.33333329, "333333333.3333333"},
        {1e23, "1e+23"},
        {4.35, "4.35"},
        {0.000035689, "0.000035689"},
    };
    struct vg_text text = {0};
    uint64_t state_bits = 88172645463325252u;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vg_text_clear(&text);
        vg_text_add_double(&text, rows[i].value);
        assert_string_equal(text.data, rows[i].text);
    }
    for (int i = 0; i < 200000; i++) { /* any double reads back as itself */
        double value, back;

        state_bits ^= state_bits << 13;
        state_bits ^= state_bits >> 7;
        state_bits ^= state_bits << 17;
        memcpy(&value, &state_bits, sizeof value);
        if (!isfinite(value))
            continue;
        vg_text_clear(&text);
        vg_text_add_double(&text, value);
        assert_true(vg_number_parse(text.data, &back));
        assert_true(back == value);
    }
    vg_text_release(&text);
}

static void fixed_decimals(void **state)
{
    struct vg_text text = {0};

    (void)state;
    vg_text_add_fixed(&text, 2.5, 0); /* a tie goes to even */
    vg_text_add_char(&text, ' ');
    vg_text_add_fixed(&text, -0.0000001, 6); /* no minus zero */
    vg_text_add_char(&text, ' ');
    vg_text_add_fixed(&text, 3.6, 6);
    assert_string_equal(text.data, "2 0.000000 3.600000");
    vg_text_release(&text);
}

static void numbers_are_read_whole_or_refused(void **state)
{
    static const char *const bad[] = {"",    "x",   "1x", " 1", "1 ",  "0x10",
                                      "inf", "nan", "1e", ".",  "1,5", "1e999"};
    double value;
    int64_t whole;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(vg_number_parse(bad[i], &value));
    assert_true(vg_number_parse("-1.5e-3", &value));
    assert_true(value == -1.5e-3);
    assert_true(vg_integer_parse("-9223372036854775808", &whole));
    assert_true(whole == INT64_MIN);
    assert_false(vg_integer_parse("9223372036854775808", &whole));
    assert_false(vg_integer_parse("1.0", &whole));
}

static void json_is_canonical(void **state)
{
    struct vg_text text = {0};
    struct vg_json json;

    (void)state;
    vg_json_init(&json, &text);
    vg_json_open(&json, NULL, '{');
    vg_json_integer(&json, "a", -5);
    vg_json_open(&json, "b", '[');
    vg_json_double(&json, NULL, 0.5);
    vg_json_double(&json, NULL, NAN);
    vg_json_string(&json, NULL, NULL);
    vg_json_close(&json, ']');
    vg_json_string(&json, "c", "q\"\\\n\x01\xC3\xA9");
    vg_json_bool(&json, "d", true);
    vg_json_close(&json, '}');
    assert_string_equal(text.data,
                        "{\"a\":-5,\"b\":[0.5,null,null],\"c\":\"q\\\"\\\\\\n\\u0001\xC3\xA9\",\"d\":true}");
    vg_text_release(&text);
}

static void utf8_is_told_from_what_only_looks_like_it(void **state)
{
    static const char *const bad[] = {"\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                      "\xC3", "\xFF"};

    (void)state;
    assert_true(vg_text_is_utf8("h\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", 12));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(vg_text_is_utf8(bad[i], strlen(bad[i])));
}

static void nearest_word(void **state)
{
    static const char *const words[] = {"volume", "voice_pitch", "echo"};

    (void)state;
    assert_string_equal(vg_nearest("volum", words, 3), "volume");
    assert_string_equal(vg_nearest("voice_pich", words, 3), "voice_pitch");
    assert_null(vg_nearest("zzzzzzzz", words, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_quotes_what_a_reader_could_mistake),
        cmocka_unit_test(doubles_are_shortest),
        cmocka_unit_test(fixed_decimals),
        cmocka_unit_test(numbers_are_read_whole_or_refused),
        cmocka_unit_test(json_is_canonical),
        cmocka_unit_test(utf8_is_told_from_what_only_looks_like_it),
        cmocka_unit_test(nearest_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
