/* SPDX-License-Identifier: MIT */
/* The fast reader of rows says what the whole parser says, and takes nothing that is broken off. */
#include "library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct vg_record sample(bool measured, const char *words)
{
    struct vg_record record = {.id = "cv_1__clip__jump__low__up",
                               .key = "echo-0123456789abcdef",
                               .split = "test",
                               .category = "echo",
                               .attribute = "echo",
                               .prompt = "Does \"it\" {rise}, or [fall]?",
                               .label = "increase",
                               .direction = "up",
                               .curve = "jump",
                               .tier = "low",
                               .seed = "42:cv_1",
                               .source = "cv_1",
                               .source_clip_id = "clip",
                               .speaker_id = "anna",
                               .sentence_id = "007",
                               .source_text = words,
                               .rate_hz = 16000,
                               .frames = 27200,
                               .onset = 10,
                               .offset = 20000,
                               .peak = 32768,
                               .rms = 1234.5,
                               .flac_bytes = 999,
                               .measured = measured,
                               .verdict = VG_NO_CHANGE,
                               .below_jnd = measured};

    memset(record.source_audio_xxh128, '0', 32);
    memset(record.audio_xxh128, '1', 32);
    memset(record.flac_xxh128, '2', 32);
    record.paired[VG_Q_ECHO].net_jnd = -3.25e-7;
    record.paired[VG_Q_ECHO].sign = -1;
    record.paired[VG_Q_VOLUME].net_jnd = 99;
    return record;
}

static void compare(const struct vg_record *record)
{
    struct vg_text line = {0};
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_record scanned, parsed;
    size_t length;

    vg_record_manifest(record, "x-00000-of-00001.tar", &line);
    length = line.length - 1;
    assert_int_equal(vg_record_parse(&parsed, line.data, length, &arena, "row", &err), VG_OK);
    assert_true(vg_row_scan(&scanned, line.data, length, &arena));
    assert_string_equal(scanned.id, parsed.id);
    assert_string_equal(scanned.key, parsed.key);
    assert_string_equal(scanned.shard, parsed.shard);
    assert_string_equal(scanned.split, parsed.split);
    assert_string_equal(scanned.category, parsed.category);
    assert_string_equal(scanned.tier, parsed.tier);
    assert_string_equal(scanned.curve, parsed.curve);
    assert_string_equal(scanned.direction, parsed.direction);
    assert_string_equal(scanned.source, parsed.source);
    assert_string_equal(scanned.source_text, parsed.source_text);
    assert_string_equal(scanned.speaker_id, parsed.speaker_id);
    assert_int_equal(scanned.frames, parsed.frames);
    assert_int_equal(scanned.rate_hz, parsed.rate_hz);
    assert_int_equal(scanned.measured, parsed.measured);
    assert_int_equal(scanned.below_jnd, parsed.below_jnd);
    assert_int_equal(scanned.verdict, parsed.measured ? parsed.verdict : 0);
    assert_true(!parsed.measured || scanned.paired[VG_Q_ECHO].net_jnd == parsed.paired[VG_Q_ECHO].net_jnd);
    vg_text_release(&line);
    vg_error_release(&err);
    vg_arena_release(&arena);
}

static void rows_are_read_alike(void **state)
{
    struct vg_record measured = sample(true, "na\xc3\xafve"), plain = sample(false, "");

    (void)state;
    compare(&measured);
    compare(&plain);
    measured.verdict = VG_CONFIRMED;
    compare(&measured);
}

/* A text with an escape is the parser's; what is broken off is nobody's. */
static void the_rest_is_left_to_the_parser(void **state)
{
    struct vg_record record = sample(true, "a \"quoted\" word");
    struct vg_text line = {0};
    struct vg_arena arena = {0};
    struct vg_record scanned;
    char *part;

    (void)state;
    vg_record_manifest(&record, "x.tar", &line);
    assert_false(vg_row_scan(&scanned, line.data, line.length - 1, &arena));
    vg_text_clear(&line);
    record = sample(true, "plain");
    vg_record_manifest(&record, "x.tar", &line);
    for (size_t length = 0; length + 30 < line.length; length++) {
        part = malloc(length + 1); /* its end is where the sanitizer watches */
        memcpy(part, line.data, length);
        vg_row_scan(&scanned, part, length, &arena);
        free(part);
    }
    assert_false(vg_row_scan(&scanned, line.data, line.length / 2, &arena));
    assert_false(vg_row_scan(&scanned, "", 0, &arena));
    assert_false(vg_row_scan(&scanned, "{}", 2, &arena));
    assert_false(vg_row_scan(&scanned, "[]]]", 4, &arena));
    vg_text_release(&line);
    vg_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_alike),
        cmocka_unit_test(the_rest_is_left_to_the_parser),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
