/* SPDX-License-Identifier: MIT */
/* The human study's subset: one source a speaker, conditions and directions even, order by the seed alone. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "study.h"

#include <stdio.h>
#include <string.h>

enum { SOURCES = 100, TIERS = 3, CURVES = 4, WANTED = 50 };

static char names[SOURCES][8];
static const char *speakers[SOURCES];

static struct vg_annotation_pool pool_of(const char *seed)
{
    for (size_t i = 0; i < SOURCES; i++) {
        snprintf(names[i], sizeof names[i], "p%zu", i / 2);
        speakers[i] = names[i];
    }
    return (struct vg_annotation_pool){seed, speakers, SOURCES, TIERS, CURVES, 2};
}

static size_t choose(const struct vg_annotation_pool *pool, size_t wanted, struct vg_annotated *out)
{
    struct vg_arena tmp = {0};
    size_t count = vg_annotation_choose(pool, wanted, out, &tmp);

    vg_arena_release(&tmp);
    return count;
}

static void balanced(void **state)
{
    struct vg_annotation_pool pool = pool_of("a");
    struct vg_annotated chosen[WANTED];
    size_t cells[TIERS][CURVES][2] = {{{0}}}, heard[SOURCES / 2] = {0}, up = 0, second = 0;

    (void)state;
    assert_int_equal(choose(&pool, WANTED, chosen), WANTED);
    for (size_t i = 0; i < WANTED; i++) {
        cells[chosen[i].tier][chosen[i].curve][chosen[i].direction]++;
        heard[chosen[i].source / 2]++;
        up += chosen[i].direction == 0;
        second += chosen[i].source % 2;
    }
    assert_int_equal(up, WANTED / 2);
    assert_true(second > 10 && second < 40); /* either source of a speaker */
    for (size_t i = 0; i < SOURCES / 2; i++)
        assert_int_equal(heard[i], 1);
    for (size_t t = 0; t < TIERS; t++)
        for (size_t c = 0; c < CURVES; c++) {
            size_t ways[2] = {cells[t][c][0], cells[t][c][1]};

            assert_true(ways[0] + ways[1] >= 4 && ways[0] + ways[1] <= 5);
            assert_true(ways[0] >= 2 && ways[1] >= 2);
        }
}

static void the_seed_decides(void **state)
{
    struct vg_annotation_pool a = pool_of("a"), b = pool_of("b");
    struct vg_annotated first[WANTED], again[WANTED], other[WANTED];

    (void)state;
    choose(&a, WANTED, first);
    choose(&a, WANTED, again);
    choose(&b, WANTED, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

static void few_speakers(void **state)
{
    struct vg_annotation_pool pool = pool_of("a");
    struct vg_annotated chosen[WANTED];

    (void)state;
    for (size_t i = 0; i < SOURCES; i++)
        speakers[i] = i < 50 ? "one" : i < 80 ? "two" : "three";
    assert_int_equal(choose(&pool, WANTED, chosen), 3);
    for (size_t i = 0; i < SOURCES; i++)
        speakers[i] = ""; /* unknown: each its own */
    assert_int_equal(choose(&pool, WANTED, chosen), WANTED);
    pool.sources = 0;
    assert_int_equal(choose(&pool, WANTED, chosen), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balanced),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(few_speakers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
