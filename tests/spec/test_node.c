/* SPDX-License-Identifier: MIT */
/* Nodes: reading values, naming files, and the excerpt below a report. */
#include "fixture.h"
#include "loading.h"

static const struct excerpt {
    const char *source;
    unsigned line, column;
    const char *expected;
} excerpts[] = {
    {"name: x\nseed: 5\n", 2, 7, "seed: 5\n      ^"},
    {"a\nb", 2, 1, "b\n^"},
    {"a: b", 1, 5, "a: b\n    ^"},                /* just behind the end */
    {"a\n", 2, 1, ""},                            /* below the last line */
    {"a\n\nb\n", 2, 1, ""},                       /* nothing to show */
    {"a\n", 7, 1, ""},                            /* no such line */
    {"a:\tb\n", 1, 4, "a: b\n   ^"},              /* a tab is one column */
    {"\xc3\xa4: b\n", 1, 4, "\xc3\xa4: b\n   ^"}, /* columns are characters, not bytes */
    {"\xe8\xaf\xad\xe9\x9f\xb3: b\n", 1, 5, "\xe8\xaf\xad\xe9\x9f\xb3: b\n      ^"}, /* two cells each */
    {"e\xcc\x81: b\n", 1, 5, "e\xcc\x81: b\n   ^"},  /* a combining accent has none */
    {"a\x1b[31m: b\n", 1, 8, "a?[31m: b\n       ^"}, /* nothing steers the terminal */
    {"a\xc2\x9b: b\xff\n", 1, 5, "a?: b?\n    ^"},   /* nor a C1 control, nor a stray byte */
};

static void test_excerpts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof excerpts / sizeof *excerpts; i++) {
        struct vg_text text = {0};

        vg_excerpt(excerpts[i].source, excerpts[i].line, excerpts[i].column, &text);
        assert_string_equal(vg_text_or_empty(&text), excerpts[i].expected);
        vg_text_release(&text);
    }
}

/* A long line is cut on both sides, with the caret's character in sight. */
static void test_long_lines_are_cut(void **state)
{
    char line[401];
    static const unsigned columns[] = {1, 61, 62, 200, 400};

    (void)state;
    for (size_t i = 0; i < 400; i++)
        line[i] = (char)('0' + i % 10);
    line[400] = '\0';
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        struct vg_text text = {0};
        const char *caret;

        vg_excerpt(line, 1, columns[i], &text);
        caret = strchr(text.data, '\n') + 1;
        assert_true(caret - text.data <= 100 + 3 + 3 + 1);
        assert_int_equal(text.data[strcspn(caret, "^")], line[columns[i] - 1]);
        assert_int_equal(strncmp(text.data, "...", 3) == 0, columns[i] > 61);
        assert_int_equal(strncmp(caret - 4, "...", 3) == 0, columns[i] < 400);
        vg_text_release(&text);
    }
}

static void test_readings(void **state)
{
    struct fixture *f = *state;
    const struct vg_node *map;

    assert_loads(
        f,
        base_with(f, "      - {kind",
                  "      - {kind: mix, id: \"5\", exact: false, depth: -1.5e1, names: [a, b], free: {n: 7}}",
                  NULL));
    map = f->spec.splits[0].sources[0].entry;
    assert_string_equal(vg_node_text(map, "id", "none"), "5");
    assert_true(vg_node_number(map, "depth", 0) == -15);
    assert_false(vg_node_bool(map, "exact", true));
    assert_int_equal(vg_node_integer(vg_node_find(map, "free"), "n", 0), 7);
    assert_string_equal(vg_node_text(map, "gone", "none"), "none");
    assert_true(vg_node_number(map, "gone", 0.5) == 0.5);
    assert_true(vg_node_bool(map, "gone", true));
    assert_int_equal(vg_node_integer(NULL, "gone", 3), 3);
    assert_null(vg_node_find(vg_node_find(map, "id"), "x")); /* no map */
    assert_int_equal(map->line, 9);
    assert_int_equal(map->column, 9);
}

static void test_paths_start_at_the_file_that_holds_them(void **state)
{
    static const struct {
        const char *file, *text, *path;
    } cases[] = {
        {"specs/a.yaml", "t.csv", "specs/t.csv"},
        {"a.yaml", "t.csv", "t.csv"},
        {"/specs/a.yaml", "../t.csv", "/specs/../t.csv"},
        {"specs/a.yaml", "/t.csv", "/t.csv"},
        {"--set", "t.csv", "t.csv"},
        {"embedded:a.yaml", "t.csv", "t.csv"},
        {"<stdin>", "t.csv", "t.csv"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vg_node node = {.kind = VG_NODE_SCALAR, .file = cases[i].file, .text = cases[i].text};

        assert_string_equal(vg_node_path(&node, &f->arena), cases[i].path);
    }
}

/* A report is one line, however its words came about. */
static void test_reports_are_tame(void **state)
{
    struct fixture *f = *state;
    struct vg_node node = {.file = "a.yaml", .line = 3, .column = 9};

    assert_int_equal(vg_node_fail(&node, &f->err, "%s", "a\nb\x1b[31m\tc\xc2\x9b\xc3\xa4"), VG_SPEC);
    assert_string_equal(f->err.issues[0].place, "a.yaml:3:9");
    assert_string_equal(f->err.issues[0].sentence, "a b?[31m c??\xc3\xa4");
    assert_null(f->err.issues[0].excerpt);
}

static void test_long_values_are_cut(void **state)
{
    struct vg_node node = {.kind = VG_NODE_SCALAR};
    struct vg_text text = {0};

    (void)state;
    node.text = "1234567890123456789012345678901234567890123456789012345678\xe8\xaf\xad\xe9\x9f\xb3";
    vg_node_show(&node, &text);
    assert_string_equal(text.data, "1234567890123456789012345678901234567890123456789012345678...");
    vg_text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_excerpts),
        cmocka_unit_test(test_long_lines_are_cut),
        cmocka_unit_test_setup_teardown(test_readings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_paths_start_at_the_file_that_holds_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reports_are_tame, set_up, tear_down),
        cmocka_unit_test(test_long_values_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
