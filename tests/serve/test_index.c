/* SPDX-License-Identifier: MIT */
/* The manifest in columns: keys, opposites, filters and their counts, against a plain search. */
#include "library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { SOURCES = 40, TIERS = 3, CURVES = 4, DIRECTIONS = 2, CATEGORIES = 3 };
static const char *const categories[CATEGORIES] = {"volume", "echo", "voice_pitch"};
static const char *const tiers[TIERS] = {"low", "mid", "high"};

static void add(struct vg_index *index, size_t category, size_t source, size_t tier, size_t curve,
                size_t direction)
{
    char id[80], key[40], name[20], text[40];
    struct vg_record record = {.split = source < SOURCES / 2 ? "test" : "train",
                               .category = categories[category],
                               .tier = tiers[tier],
                               .curve = vg_curve_names[curve],
                               .direction = vg_direction_names[direction],
                               .speaker_id = source % 2 == 0 ? "Anna" : "Bert",
                               .rate_hz = 16000,
                               .frames = 8000 + 16 * source,
                               .measured = tier != 0,
                               .verdict = tier == 1 ? VG_CONFIRMED : VG_UNDECIDED};

    snprintf(name, sizeof name, "cv_%02zu", source);
    snprintf(text, sizeof text, "Sentence number %zu", source);
    snprintf(id, sizeof id, "%s__clip__%s__%s__%s", name, record.curve, record.tier, record.direction);
    snprintf(key, sizeof key, "%s-%04zx", record.category, index->count * 7919);
    record.source = name;
    record.source_text = text;
    record.id = id;
    record.key = key;
    vg_index_add(index, &record, 0, 100 * index->count, 99);
}

static struct vg_index make(void)
{
    struct vg_index index = {0};

    for (size_t category = 0; category < CATEGORIES; category++)
        for (size_t source = 0; source < SOURCES; source++)
            for (size_t tier = 0; tier < TIERS; tier++)
                for (size_t curve = 0; curve < CURVES; curve++)
                    for (size_t direction = 0; direction < DIRECTIONS; direction++)
                        add(&index, category, source, tier, curve, direction);
    return index;
}

static void keys_are_found(void **state)
{
    struct vg_index index = make();

    (void)state;
    assert_int_equal(index.count, SOURCES * TIERS * CURVES * DIRECTIONS * CATEGORIES);
    for (size_t i = 0; i < index.count; i++)
        assert_int_equal(vg_index_find(&index, index.at[i].key), i);
    assert_true(vg_index_find(&index, "volume-") == SIZE_MAX);
    assert_true(vg_index_find(&index, "") == SIZE_MAX);
    vg_index_release(&index);
    assert_true(vg_index_find(&index, "volume-0") == SIZE_MAX);
}

static void a_key_twice_is_the_first(void **state)
{
    struct vg_index index = {0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct vg_record record = {.split = "s",
                                   .category = "volume",
                                   .tier = "low",
                                   .curve = "jump",
                                   .direction = "up",
                                   .source = "a",
                                   .source_text = "",
                                   .speaker_id = "",
                                   .id = "x",
                                   .key = "volume-1",
                                   .rate_hz = 0};

        vg_index_add(&index, &record, 0, 0, 0);
    }
    assert_int_equal(index.count, 3);
    assert_int_equal(vg_index_find(&index, "volume-1"), 0);
    assert_true(vg_index_opposite(&index, 1) == SIZE_MAX);
    vg_index_release(&index);
}

static void opposites_are_found(void **state)
{
    struct vg_index index = make();

    (void)state;
    for (size_t i = 0; i < index.count; i++) {
        size_t other = vg_index_opposite(&index, i);

        assert_int_equal(other, i ^ 1);
    }
    vg_index_release(&index);
}

/* ---- filters ------------------------------------------------------------------------------------------- */

static bool has(const char *haystack, const char *needle)
{
    return strstr(haystack, needle) != NULL;
}

static void expect_found(const struct vg_index *index, const char *target, size_t wanted)
{
    struct vg_arena arena = {0};
    struct vg_request request = {.arena = &arena};
    struct vg_filter filter;
    struct vg_found found;
    size_t plain = 0;

    assert_null(vg_request_target(&request, target, strlen(target)));
    assert_true(vg_filter_read(&filter, index, &request));
    found = vg_filter_run(&filter, index, &arena);
    for (size_t i = 0; i < index->count; i++) {
        bool passes = vg_filter_passes(&filter, index, &index->at[i]);

        if (passes)
            assert_int_equal(found.at[plain], i);
        plain += passes;
    }
    assert_int_equal(plain, found.count);
    if (found.count != wanted)
        fail_msg("%s: %zu, not %zu", target, found.count, wanted);
    /* Setting a facet to a value gives as many items as was promised. */
    for (int f = 0; f < VG_FACETS; f++)
        for (size_t v = 0; v < index->values[f].count; v++) {
            struct vg_filter other = filter;
            size_t passing = 0;

            other.value[f] = (int64_t)v;
            for (size_t i = 0; i < index->count; i++)
                passing += vg_filter_passes(&other, index, &index->at[i]);
            assert_int_equal(found.counts[f][v], passing);
        }
    vg_arena_release(&arena);
}

static void filters_pass_what_they_say(void **state)
{
    struct vg_index index = make();

    (void)state;
    expect_found(&index, "/", index.count);
    expect_found(&index, "/?category=echo", index.count / 3);
    expect_found(&index, "/?category=echo&tier=low&direction=up&curve=jump", SOURCES);
    expect_found(&index, "/?verdict=unmeasured", index.count / 3);
    expect_found(&index, "/?verdict=confirmed&split=train", index.count / 6);
    expect_found(&index, "/?source=cv_07", index.count / SOURCES);
    expect_found(&index, "/?source=cv_0", 0);
    expect_found(&index, "/?category=nothing&tier=low", 0);
    expect_found(&index, "/?q=ANNA", index.count / 2);
    expect_found(&index, "/?q=anna+jump+HIGH+up", SOURCES / 2 * 3);
    expect_found(&index, "/?q=SENTENCE+cv_17", index.count / SOURCES);
    expect_found(&index, "/?q=++", index.count);
    expect_found(&index, "/?q=nobody", 0);
    assert_true(has(index.at[0].folded, "cv_00__clip"));
    vg_index_release(&index);
}

static void searches_have_a_limit(void **state)
{
    struct vg_index index = make();
    struct vg_arena arena = {0};
    struct vg_request request = {.arena = &arena};
    struct vg_filter filter;
    static const char many[] = "/?q=a+b+c+d+e+f+g+h+i";
    char longest[VG_WORDS_BYTES_MAX + 10] = "/?q=";

    (void)state;
    assert_null(vg_request_target(&request, many, strlen(many)));
    assert_false(vg_filter_read(&filter, &index, &request));
    memset(longest + 4, 'a', VG_WORDS_BYTES_MAX + 1);
    assert_null(vg_request_target(&request, longest, strlen(longest)));
    assert_false(vg_filter_read(&filter, &index, &request));
    vg_arena_release(&arena);
    vg_index_release(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_found),        cmocka_unit_test(a_key_twice_is_the_first),
        cmocka_unit_test(opposites_are_found),   cmocka_unit_test(filters_pass_what_they_say),
        cmocka_unit_test(searches_have_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
