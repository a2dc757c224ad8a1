/* SPDX-License-Identifier: MIT */
/* The plan: order and ids of the recipe, curves, keys that tell nothing, finding, duplicates. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan.h"

#include <stdlib.h>
#include <string.h>

static const struct vg_category volume = {.name = "volume"}, echo = {.name = "echo"};
static struct vg_spec_category categories[] = {{.words = &volume, .attribute = "volume", .prompt = "?"},
                                               {.words = &echo, .attribute = "echo", .prompt = "?"}};
static size_t both[] = {0, 1}, only_volume[] = {0};
static const char *tiers[] = {"low", "mid", "high"};

static void fill_spec(struct vg_spec *spec, struct vg_spec_split *splits)
{
    splits[0] = (struct vg_spec_split){.name = "test", .categories = both, .category_count = 2};
    splits[1] = (struct vg_spec_split){.name = "extra", .categories = only_volume, .category_count = 1};
    *spec = (struct vg_spec){.path = "x.yaml",
                             .name = "x",
                             .version = "1.0.0",
                             .seed = "42",
                             .categories = categories,
                             .category_count = 2,
                             .splits = splits,
                             .split_count = 2,
                             .tiers = tiers,
                             .tier_count = 3,
                             .curves = {VG_LINEAR, VG_QUAD_FIRST_FLAT, VG_QUAD_LAST_FLAT, VG_JUMP},
                             .curve_count = 4,
                             .jump_at = 0.5,
                             .directions = {VG_UP, VG_DOWN},
                             .direction_count = 2,
                             .labels = {"increase", "decrease"}};
    spec->pack.opaque_keys = true;
}

static struct vg_source sources[] = {
    {.id = "s1", .clip_id = "c1", .place = "t.csv:2", .split = 0},
    {.id = "s2", .clip_id = "c2", .place = "t.csv:3", .split = 0},
    {.id = "s3", .clip_id = "c3", .place = "t.csv:4", .split = 1},
};

struct fixture {
    struct vg_arena arena;
    struct vg_error err;
    struct vg_spec spec;
    struct vg_spec_split splits[2];
    struct vg_source_list list;
    struct vg_plan plan;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    fill_spec(&f->spec, f->splits);
    f->list = (struct vg_source_list){sources, 3, 3};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    vg_error_release(&f->err);
    vg_arena_release(&f->arena);
    free(f);
    return 0;
}

static void assert_name(const struct vg_plan *plan, size_t index, const char *split, const char *expected)
{
    struct vg_text name = {0};
    struct vg_item item;

    vg_plan_item(plan, index, &item);
    vg_item_name(&item, &name);
    assert_string_equal(name.data, expected);
    assert_string_equal(item.split->name, split);
    assert_string_equal(item.label,
                        strcmp(expected + strlen(expected) - 2, "up") == 0 ? "increase" : "decrease");
    assert_int_equal(vg_plan_find(plan, name.data), index);
    vg_text_release(&name);
}

static void order_and_ids_are_the_recipes(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_OK);
    assert_int_equal(f->plan.item_count, 2 * 2 * 24 + 24);
    assert_name(&f->plan, 0, "test", "volume__s1__c1__linear__low__up");
    assert_name(&f->plan, 1, "test", "volume__s1__c1__linear__low__down");
    assert_name(&f->plan, 7, "test", "volume__s1__c1__jump__low__down");
    assert_name(&f->plan, 8, "test", "volume__s1__c1__linear__mid__up");
    assert_name(&f->plan, 24, "test", "volume__s2__c2__linear__low__up");
    assert_name(&f->plan, 48, "test", "echo__s1__c1__linear__low__up");
    assert_name(&f->plan, 119, "extra", "volume__s3__c3__jump__high__down");
}

static void an_id_that_two_categories_share_is_ambiguous(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_OK);
    assert_true(vg_plan_find(&f->plan, "s1__c1__jump__low__up") == SIZE_MAX - 1);
    assert_int_equal(vg_plan_find(&f->plan, "s3__c3__linear__low__up"), 96);
    assert_true(vg_plan_find(&f->plan, "nothing") == SIZE_MAX);
}

static void duplicates_and_unknown_sources_are_all_reported(void **state)
{
    struct fixture *f = *state;
    struct vg_source twice[] = {sources[0], sources[1], sources[0]};
    const char *only[] = {"s9"};

    twice[2].place = "t.csv:9";
    f->list = (struct vg_source_list){twice, 3, 3};
    f->spec.only_sources = only;
    f->spec.only_source_count = 1;
    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_SPEC);
    assert_int_equal(f->err.count, 2);
    assert_string_equal(f->err.issues[0].place, "t.csv:9");
    assert_non_null(strstr(f->err.issues[0].sentence, "t.csv:2"));
    assert_string_equal(f->err.issues[1].place, "--only");
    assert_non_null(strstr(f->err.issues[1].sentence, "did you mean"));
}

static void left_out_and_unwanted_sources_make_no_items(void **state)
{
    struct fixture *f = *state;
    struct vg_source some[] = {sources[0], sources[1], sources[2]};
    const char *only[] = {"s2", "s3"};

    some[2].left_out = "is bad";
    f->list = (struct vg_source_list){some, 3, 3};
    f->spec.only_sources = only;
    f->spec.only_source_count = 2;
    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_OK);
    assert_int_equal(f->plan.item_count, 48);
    some[1].left_out = "is bad";
    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_SPEC);
}

static void opaque_keys_do_not_tell_the_direction(void **state)
{
    struct fixture *f = *state;
    struct vg_text key = {0};
    struct vg_item item;

    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_OK);
    for (size_t i = 0; i < f->plan.item_count; i++) {
        vg_text_clear(&key);
        vg_plan_item(&f->plan, i, &item);
        vg_item_key(&item, &key);
        assert_null(strstr(key.data, "up"));
        assert_null(strchr(key.data, '.'));
        assert_true(key.length < 94);
        assert_int_equal(vg_plan_find(&f->plan, key.data), i);
    }
    vg_text_release(&key);
}

static void the_papers_names_are_made_safe_and_stay_apart(void **state)
{
    struct fixture *f = *state;
    struct vg_source odd[] = {sources[0], sources[1]};
    struct vg_text a = {0}, b = {0};
    struct vg_item item;

    odd[0].id = "x:y/z.1";
    odd[1].id = "x_y_z_1";
    odd[1].clip_id = odd[0].clip_id;
    f->list = (struct vg_source_list){odd, 2, 2};
    f->spec.pack.opaque_keys = false;
    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_OK);
    vg_plan_item(&f->plan, 0, &item);
    vg_item_key(&item, &a);
    vg_plan_item(&f->plan, 24, &item);
    vg_item_key(&item, &b);
    assert_string_equal(b.data, "volume__x_y_z_1__c1__linear__low__up");
    assert_memory_equal(a.data, "volume__x_y_z_1__c1__linear__low__up-", 37);
    assert_int_equal(a.length, 37 + 16);
    vg_text_release(&a);
    vg_text_release(&b);
}

static void ids_that_differ_in_case_stay_apart_without_case(void **state)
{
    struct fixture *f = *state;
    struct vg_source odd[] = {sources[0], sources[1]};
    struct vg_text a = {0}, b = {0};
    struct vg_item item;

    odd[0].id = "abc";
    odd[1].id = "ABC";
    odd[1].clip_id = odd[0].clip_id;
    f->list = (struct vg_source_list){odd, 2, 2};
    f->spec.pack.opaque_keys = false;
    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_OK);
    vg_plan_item(&f->plan, 0, &item);
    vg_item_key(&item, &a);
    vg_plan_item(&f->plan, 24, &item);
    vg_item_key(&item, &b);
    assert_string_equal(a.data, "volume__abc__c1__linear__low__up");
    assert_memory_equal(b.data, "volume__ABC__c1__linear__low__up-", 33);
    assert_int_equal(b.length, 33 + 16);
    vg_text_release(&a);
    vg_text_release(&b);
}

static void curves_are_the_recipes(void **state)
{
    (void)state;
    assert_true(vg_curve_progress(VG_LINEAR, 0.5, 0.25) == 0.25);
    assert_true(vg_curve_progress(VG_QUAD_FIRST_FLAT, 0.5, 0.25) == 0.0625);
    assert_true(vg_curve_progress(VG_QUAD_LAST_FLAT, 0.5, 0.25) == 0.4375);
    assert_true(vg_curve_progress(VG_JUMP, 0.5, 0.4999) == 0.0);
    assert_true(vg_curve_progress(VG_JUMP, 0.5, 0.5) == 1.0);
    assert_true(vg_curve_progress(VG_LINEAR, 0.5, -1.0) == 0.0 &&
                vg_curve_progress(VG_LINEAR, 0.5, 2.0) == 1.0);
    assert_true(vg_curve_at(VG_LINEAR, 0.5, -6.0, 6.0, 0.75) == 3.0);
}

static void ten_million_items_cost_nothing(void **state)
{
    struct fixture *f = *state;
    struct vg_source *many = calloc(100000, sizeof *many);
    char(*names)[12] = calloc(100000, sizeof *names);
    struct vg_item item;

    for (size_t i = 0; i < 100000; i++) {
        snprintf(names[i], sizeof names[i], "s%zu", i);
        many[i] = (struct vg_source){.id = names[i], .clip_id = "c", .place = "t", .split = 0};
    }
    f->list = (struct vg_source_list){many, 100000, 100000};
    assert_int_equal(vg_plan_make(&f->plan, &f->spec, &f->list, &f->arena, &f->err), VG_OK);
    assert_int_equal(f->plan.item_count, 4800000);
    vg_plan_item(&f->plan, 4799999, &item);
    assert_string_equal(item.source->id, "s99999");
    assert_true(f->arena.held_bytes < 16u << 20);
    free(many);
    free(names);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(order_and_ids_are_the_recipes),
        WITH_FIXTURE(an_id_that_two_categories_share_is_ambiguous),
        WITH_FIXTURE(duplicates_and_unknown_sources_are_all_reported),
        WITH_FIXTURE(left_out_and_unwanted_sources_make_no_items),
        WITH_FIXTURE(opaque_keys_do_not_tell_the_direction),
        WITH_FIXTURE(the_papers_names_are_made_safe_and_stay_apart),
        WITH_FIXTURE(ids_that_differ_in_case_stay_apart_without_case),
        WITH_FIXTURE(ten_million_items_cost_nothing),
        cmocka_unit_test(curves_are_the_recipes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
