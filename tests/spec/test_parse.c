/* SPDX-License-Identifier: MIT */
/* YAML that is broken, hostile or merely unusual: refused at its place, or read for what it is. */
#include "fixture.h"

struct text_fault {
    const char *text, *place, *sentence;
};

#define CHECK "; check indentation, quotes and brackets"

static const struct text_fault text_faults[] = {
    {"", "x.yaml:1:1", "is empty; expected a value"},
    {"# nothing but a remark\n", "x.yaml:1:1", "is empty; expected a value"},
    {"- a\n", "x.yaml:1:1", "the spec is a list; expected a map of keys such as name and splits"},
    {"just words", "x.yaml:1:1", "the spec is just words; expected a map of keys such as name and splits"},
    {"a: [1, 2\n", "x.yaml:1:9",
     "this is not YAML: did not find expected ',' or ']' while parsing a flow sequence that starts at "
     "1:4" CHECK},
    {"a: 1\n b: 2\n", "x.yaml:2:3", "this is not YAML: mapping values are not allowed in this context" CHECK},
    {"a:\n\tb: 2\n", "x.yaml:2:1",
     "this is not YAML: found character that cannot start any token while scanning for the next token that "
     "starts "
     "at 2:1; indent with spaces, not tabs"},
    {"a: \"open\n", "x.yaml:1:9",
     "this is not YAML: found unexpected end of stream while scanning a quoted scalar that starts at "
     "1:4" CHECK},
    {"a: *gone\n", "x.yaml:1:4", "this is not YAML: found undefined alias" CHECK},
    {"a: &b [*b]\n", "x.yaml:1:4", "its aliases unfold to more than 20000 values or 32 levels; write less"},
    {"name: a\nname: b\n", "x.yaml:2:1", "the key name stands here twice, first on line 1; keep one"},
    {"a: {b: 1, \"b\": 2}\n", "x.yaml:1:11", "the key b stands here twice, first on line 1; keep one"},
    {"a: 1\n---\nb: 2\n", "x.yaml:2:1", "a second document starts here; a spec is one document"},
    {"b: &b {c: 1}\na:\n  <<: *b\n", "x.yaml:3:3",
     "merge keys (<<) are not read; write the keys out or use extends"},
    {"? [a]\n: 1\n", "x.yaml:1:3", "a key must be a word; this one is a list or a map"},
    {"? ~\n: 1\n", "x.yaml:1:3", "a key must be a word; this one is empty"},
    {"name: !!int 5\n", "x.yaml:1:7", "tags are not read; found tag:yaml.org,2002:int"},
    {"name: !x 5\n", "x.yaml:1:7", "tags are not read; found !x"},
    {"name: \"a\\0b\"\n", "x.yaml:1:7", "holds the character U+0000; expected text"},
    {"name: a\nb: \x01\n", "x.yaml:2:4", "holds the control character U+0001; expected text"},
    {"name: a\n\x80\xff\n", "x.yaml:2:1",
     "is no UTF-8 (invalid leading UTF-8 octet); save the file as UTF-8"},
    {"n\xc3\xa4me: \xed\xa0\x80\n", "x.yaml:1:7",
     "is no UTF-8 (invalid Unicode character); save the file as UTF-8"},
    {"name: \xc0\xaf\n", "x.yaml:1:7",
     "is no UTF-8 (invalid length of a UTF-8 sequence); save the file as UTF-8"},
    {"\xff\xfe"
     "n\0a\0",
     "x.yaml:1:1", "is no UTF-8 (invalid leading UTF-8 octet); save the file as UTF-8"},
    {"# \xe2\x80\xa8\n", "x.yaml:1:3",
     "holds the line separator U+2028; end the line, or write it as an escape in quotes"},
    {"a: 1\nb: \xe2\x80\xa9\n", "x.yaml:2:4",
     "holds the line separator U+2029; end the line, or write it as an escape in quotes"},
    {"\xc2\x85", "x.yaml:1:1",
     "holds the line separator U+0085; end the line, or write it as an escape in quotes"},
};

static void test_broken_text_is_refused_at_its_place(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof text_faults / sizeof *text_faults; i++) {
        const struct text_fault *fault = &text_faults[i];

        assert_int_equal(load_text(f, fault->text), VG_SPEC);
        assert_issue(&f->err.issues[0], fault->place, fault->sentence);
    }
}

static void test_a_nul_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(load_bytes(f, "name: a\nb: \0\n", 13), VG_SPEC);
    assert_issue(&f->err.issues[0], "x.yaml:2:4", "holds the control character U+0000; expected text");
}

/* `count` times `part`, between two texts. */
static char *repeated(struct fixture *f, const char *before, const char *part, size_t count,
                      const char *after)
{
    struct vg_text text = {0};
    char *kept;

    vg_text_add(&text, before);
    for (size_t i = 0; i < count; i++)
        vg_text_add(&text, part);
    vg_text_add(&text, after);
    kept = vg_arena_text(&f->arena, text.data);
    vg_text_release(&text);
    return kept;
}

/* The first is quadratic in libyaml: half a minute where nothing stops it. */
static void test_nesting_is_bounded(void **state)
{
    static const char *const parts[] = {"[", "{a: ", "- ", "? "};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_int_equal(load_text(f, repeated(f, "", parts[i], 100000, "")), VG_SPEC);
        assert_string_equal(f->err.issues[0].sentence, "is nested deeper than 32 levels");
    }
}

static void test_size_is_bounded(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(load_text(f, repeated(f, "a: [", "1,", 20000, "]")), VG_SPEC);
    assert_string_equal(f->err.issues[0].sentence, "is too long; a spec has at most 20000 values");
    assert_int_equal(load_text(f, repeated(f, "", "# 23456\n", 131073, "")), VG_SPEC);
    assert_issue(&f->err.issues[0], "x.yaml:1:1", "is too long: 1048584 bytes; a spec has at most 1048576");
    assert_int_equal(load_text(f, repeated(f, "", "k", 129, ": 1\n")), VG_SPEC);
    assert_issue(&f->err.issues[0], "x.yaml:1:1", "a key has at most 128 bytes; this one has 129");
}

static void test_aliases_unfold_within_bounds(void **state)
{
    static const char bomb[] = "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
                               "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                               "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                               "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                               "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
                               "f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
                               "g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n";
    struct fixture *f = *state;

    assert_int_equal(load_text(f, bomb), VG_SPEC);
    assert_string_equal(f->err.issues[0].sentence,
                        "its aliases unfold to more than 20000 values or 32 levels; write less");
    assert_int_equal(f->err.count, 1);
    assert_loads(f, base_with(f, "      - {kind",
                              "      - &tone {kind: tone, id: a, sample_rate_hz: 48000, tone_sec: 1, "
                              "amplitude: 0.5, frequencies_hz: [700]}\n"
                              "  more: {sources: [*tone]}",
                              NULL));
    assert_int_equal(f->spec.split_count, 2);
    assert_string_equal(vg_node_text(f->spec.splits[1].sources[0].entry, "id", ""), "a");
}

/* A byte order mark and any line ends change neither places nor values. */
static void test_marks_and_line_ends(void **state)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct vg_text text = {0};

        vg_text_add(&text, "\xEF\xBB\xBF");
        for (const char *c = base_text; *c != '\0'; c++)
            vg_text_add_part(&text, *c == '\n' ? ends[i] : c, *c == '\n' ? strlen(ends[i]) : 1);
        assert_loads(f, text.data);
        assert_string_equal(f->spec.description, "A test.");
        vg_text_addf(&text, "x: 1%s", ends[i]);
        assert_int_equal(load_text(f, text.data), VG_SPEC);
        assert_string_equal(f->err.issues[0].place, "embedded:x.yaml:10:1");
        assert_string_equal(f->err.issues[0].excerpt, "x: 1\n^");
        vg_text_release(&text);
    }
}

/* Wherever a file was cut off, the load ends with reports that have a place, or with a spec. */
static void test_a_spec_cut_off_anywhere(void **state)
{
    struct fixture *f = *state;
    size_t length;
    const char *paper = paper_text(f, &length);

    for (size_t cut = 0; cut < length; cut++) {
        struct vg_arena_mark mark = vg_arena_mark(&f->arena);

        assert_int_equal(load_bytes(f, paper, cut), VG_SPEC);
        assert_true(f->err.count > 0);
        for (size_t i = 0; i < f->err.count; i++)
            assert_memory_equal(f->err.issues[i].place, "embedded:x.yaml:", 16);
        vg_arena_rewind(&f->arena, mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_broken_text_is_refused_at_its_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_nul_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nesting_is_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_size_is_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_aliases_unfold_within_bounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_marks_and_line_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_spec_cut_off_anywhere, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
