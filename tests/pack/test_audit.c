/* SPDX-License-Identifier: MIT */
/* The audit of shortcuts: known areas and intervals, ties, pairs, names, whatever order within a group. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "pack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One pair of opposites, a group of its own. */
static void add_pair(struct vg_audit *audit, size_t group, size_t bytes_up, size_t bytes_down, bool telling)
{
    char source[16], keys[2][48];

    snprintf(source, sizeof source, "s%zu", group);
    for (size_t d = 0; d < 2; d++) {
        struct vg_record record = {.group = group,
                                   .place = d,
                                   .category = "echo",
                                   .key = keys[d],
                                   .split = "test",
                                   .source = source,
                                   .tier = "low",
                                   .curve = "jump",
                                   .direction = vg_direction_names[d],
                                   .label = d == 0 ? "increase" : "decrease",
                                   .rate_hz = 1000,
                                   .frames = 2000,
                                   .peak = 100,
                                   .rms = 10,
                                   .silence_head = d == 0 ? 5 : 0,
                                   .flac_bytes = d == 0 ? bytes_up : bytes_down};

        if (telling)
            snprintf(keys[d], sizeof keys[d], "echo__s%zu__%s", group, vg_direction_names[d]);
        else /* a number that knows no direction */
            snprintf(keys[d], sizeof keys[d], "echo-%05zu", (group * 7919 + d * 4999) % 10007);
        vg_audit_add(audit, &record);
    }
}

static struct vg_audit_finding find(struct vg_audit *audit, enum vg_shortcut shortcut)
{
    assert_int_equal(vg_audit_categories(audit), 1);
    assert_string_equal(vg_audit_category(audit, 0), "echo");
    return vg_audit_of(audit, 0, shortcut);
}

static void known_areas(void **state)
{
    struct vg_audit *audit = vg_audit_make();
    struct vg_audit_finding size, duration, head;

    (void)state;
    /* ups 4 1 6, downs 2 3 5: of nine comparisons five go up's way (4>2 4>3 6>2 6>3 6>5) */
    add_pair(audit, 0, 4, 2, false);
    add_pair(audit, 1, 1, 3, false);
    add_pair(audit, 2, 6, 5, false);
    size = find(audit, VG_TOLD_BY_SIZE);
    assert_int_equal(size.items, 6);
    assert_int_equal(size.pairs, 3);
    assert_true(size.auc == 5.0 / 9);
    assert_true(size.expected == 0.5);
    /* ranks differ by 2, 2 and 1 within the pairs: variance 9/4, over 3 x 3 */
    assert_true(fabs(size.deviation - 1.5 / 9) < 1e-15);
    duration = find(audit, VG_TOLD_BY_DURATION); /* all the same */
    assert_true(duration.auc == 0.5 && duration.deviation == 0);
    head = find(audit, VG_TOLD_BY_HEAD);
    assert_true(head.auc == 1);
    assert_false(vg_audit_tells(&head, 3)); /* of three pairs nothing can be sure */
    vg_audit_release(audit);
}

static void what_many_pairs_tell(void **state)
{
    struct vg_audit *audit = vg_audit_make();
    struct vg_audit_finding head, order, words, place;

    (void)state;
    for (size_t i = 0; i < 200; i++)
        add_pair(audit, i, 100 + i, 100 + i, false);
    head = find(audit, VG_TOLD_BY_HEAD);
    order = find(audit, VG_TOLD_BY_ORDER);
    words = find(audit, VG_TOLD_BY_WORDS);
    place = find(audit, VG_TOLD_BY_PLACE);
    assert_true(vg_audit_tells(&head, 4));
    assert_false(vg_audit_tells(&order, 3));
    assert_true(words.auc == 0.5);
    assert_false(vg_audit_tells(&place, 3));
    vg_audit_release(audit);
}

static void names_that_tell(void **state)
{
    struct vg_audit *audit = vg_audit_make();
    struct vg_audit_finding words;

    (void)state;
    for (size_t i = 0; i < 50; i++)
        add_pair(audit, i, 1, 1, true);
    words = find(audit, VG_TOLD_BY_WORDS);
    assert_true(words.auc == 1);
    assert_true(vg_audit_tells(&words, 4));
    vg_audit_release(audit);
}

static void a_very_large_release_is_sampled(void **state)
{
    struct vg_audit *audit = vg_audit_make();
    struct vg_audit_finding head;

    (void)state;
    for (size_t i = 0; i < 60000; i++)
        add_pair(audit, i, 1, 1, false);
    head = find(audit, VG_TOLD_BY_HEAD);
    assert_int_equal(head.pairs, 16384);
    assert_int_equal(head.items, 32768);
    assert_true(head.auc == 1);
    vg_audit_release(audit);
}

static void one_direction_says_nothing(void **state)
{
    struct vg_audit *audit = vg_audit_make();
    struct vg_record record = {.category = "echo",
                               .key = "k",
                               .split = "",
                               .source = "",
                               .tier = "",
                               .curve = "",
                               .direction = "up",
                               .label = "increase"};
    struct vg_audit_finding finding;
    struct vg_text table = {0};

    (void)state;
    vg_audit_add(audit, &record);
    finding = find(audit, VG_TOLD_BY_SIZE);
    assert_int_equal(finding.pairs, 0);
    vg_audit_table(audit, &table);
    assert_non_null(strstr(table.data, "| echo | - | - |"));
    vg_text_release(&table);
    vg_audit_release(audit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_areas),
        cmocka_unit_test(what_many_pairs_tell),
        cmocka_unit_test(names_that_tell),
        cmocka_unit_test(a_very_large_release_is_sampled),
        cmocka_unit_test(one_direction_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
