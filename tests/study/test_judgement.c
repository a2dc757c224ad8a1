/* SPDX-License-Identifier: MIT */
/* Answers as lines: what is written is read, and what was cut off is told from what is wrong. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "study.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];
static const struct vg_judgement given = {.annotator = "J\xc3\xb3hanna \"J\"",
                                          .category = "volume",
                                          .key = "volume-0123",
                                          .answer = "increase",
                                          .release_id = "abc",
                                          .utc = "2026-12-01T10:00:00Z",
                                          .position = 12,
                                          .replays = 3,
                                          .response_ms = VG_RESPONSE_MS_MAX};

static void put(const char *text, size_t count)
{
    FILE *stream = fopen(path, "wb");

    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, count, stream), count);
    fclose(stream);
}

static int read_back(struct vg_judgements *judgements, const char *expected)
{
    struct vg_error err = {0};
    int rc = vg_judgements_read(judgements, path, &err);

    if (rc == VG_OK)
        rc = vg_judgements_check_single(judgements, &err);
    if (expected != NULL) {
        assert_true(err.count > 0);
        if (strstr(err.issues[0].place, path) == NULL || strstr(err.issues[0].sentence, expected) == NULL)
            fail_msg("%s: %s", err.issues[0].place, err.issues[0].sentence);
    }
    vg_error_release(&err);
    return rc;
}

static void round_trip(void **state)
{
    struct vg_judgements judgements = {0};
    struct vg_text text = {0};

    (void)state;
    vg_judgement_write(&given, &text);
    put(text.data, text.length);
    assert_int_equal(read_back(&judgements, NULL), VG_OK);
    assert_int_equal(judgements.count, 1);
    assert_string_equal(judgements.at[0].annotator, given.annotator);
    assert_string_equal(judgements.at[0].key, given.key);
    assert_string_equal(judgements.at[0].answer, given.answer);
    assert_int_equal(judgements.at[0].position, 12);
    assert_int_equal(judgements.at[0].replays, 3);
    assert_int_equal(judgements.at[0].response_ms, VG_RESPONSE_MS_MAX);
    assert_int_equal(judgements.whole_bytes, text.length);
    assert_int_equal(judgements.torn_bytes, 0);
    vg_judgements_release(&judgements);
    vg_text_release(&text);
}

/* Cut at every byte: the first line always counts, the second when it is whole. */
static void cut_anywhere(void **state)
{
    struct vg_judgement second = given;
    struct vg_text text = {0};
    size_t first;

    (void)state;
    vg_judgement_write(&given, &text);
    first = text.length;
    second.key = "volume-4567";
    vg_judgement_write(&second, &text);
    for (size_t cut = first; cut <= text.length; cut++) {
        struct vg_judgements judgements = {0};

        put(text.data, cut);
        assert_int_equal(read_back(&judgements, NULL), VG_OK);
        assert_int_equal(judgements.count, cut == text.length ? 2 : 1);
        assert_int_equal(judgements.whole_bytes, cut == text.length ? cut : first);
        assert_int_equal(judgements.torn_bytes, cut == text.length ? 0 : cut - first);
        vg_judgements_release(&judgements);
    }
    vg_text_release(&text);
}

/* After a power cut a file may be as long as it should be and hold zeros. */
static void zeros_at_the_end(void **state)
{
    struct vg_judgements judgements = {0};
    struct vg_text text = {0};
    size_t first;

    (void)state;
    vg_judgement_write(&given, &text);
    first = text.length;
    vg_text_add_part(&text, "\0\0\0\0\n", 5);
    put(text.data, text.length);
    assert_int_equal(read_back(&judgements, NULL), VG_OK);
    assert_int_equal(judgements.whole_bytes, first);
    assert_int_equal(judgements.torn_bytes, 5);
    vg_judgements_release(&judgements);
    vg_text_release(&text);
}

static void faults(void **state)
{
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"{\n{}\n", "is no JSON object"},
        {"[]\n", "is no JSON object"},
        {"{}\n", "is no answer"},
        {"{\"annotator\":\"a\",\"answer\":\"increase\",\"category\":\"v\",\"key\":\"k\",\"position\":1,"
         "\"release_id\":\"r\",\"replays\":-1,\"response_ms\":1,\"utc\":\"\"}\n",
         "is no answer"},
        {"{\"annotator\":\"a\",\"answer\":\"increase\",\"category\":\"v\",\"key\":\"k\",\"position\":1,"
         "\"release_id\":\"r\",\"replays\":1,\"response_ms\":86400001,\"utc\":\"\"}\n",
         "is no answer"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vg_judgements judgements = {0};

        put(cases[i].text, strlen(cases[i].text));
        assert_int_equal(read_back(&judgements, cases[i].told), VG_SOURCE);
        vg_judgements_release(&judgements);
    }
}

static void twice(void **state)
{
    struct vg_judgements judgements = {0};
    struct vg_judgement other = given;
    struct vg_text text = {0};

    (void)state;
    vg_judgement_write(&given, &text);
    other.annotator = "Another";
    vg_judgement_write(&other, &text);
    other = given;
    other.answer = "decrease";
    vg_judgement_write(&other, &text);
    put(text.data, text.length);
    assert_int_equal(read_back(&judgements, "answers volume-0123 again"), VG_SOURCE);
    vg_judgements_release(&judgements);
    vg_text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip), cmocka_unit_test(cut_anywhere), cmocka_unit_test(zeros_at_the_end),
        cmocka_unit_test(faults),     cmocka_unit_test(twice),
    };
    int rc;

    snprintf(path, sizeof path, "/tmp/vocalgrad-judgement-%ld", (long)getpid());
    rc = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path);
    return rc;
}
