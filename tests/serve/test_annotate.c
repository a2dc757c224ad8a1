/* SPDX-License-Identifier: MIT */
/* The human study below its routes: a FLAC file that tells nothing but its sound, and answers on a disk that
 * fills up. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "annotate.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FRAMES = 9000, RATE_HZ = 16000 };

static void make_flac(int16_t *samples, struct vg_text *flac)
{
    struct vg_error err = {0};
    uint32_t noise = 1;

    for (size_t i = 0; i < FRAMES; i++) {
        noise = noise * 1664525u + 1013904223u;
        samples[i] = (int16_t)((int)(noise >> 20) - 2048);
    }
    assert_int_equal(vg_flac_encode(samples, FRAMES, RATE_HZ, false, flac, "test", &err), VG_OK);
    vg_error_release(&err);
}

static void keeps_the_sound_only(void **state)
{
    static int16_t samples[FRAMES];
    static const unsigned char none[16];
    struct vg_text flac = {0}, blind = {0};

    (void)state;
    make_flac(samples, &flac);
    for (size_t more = VG_BLIND_BYTES; more < VG_BLIND_BYTES + 70000; more += 34999) {
        vg_text_clear(&blind);
        assert_true(vg_flac_blind(flac.data, flac.length, flac.length + more, &blind));
        assert_int_equal(blind.length, flac.length + more);
        assert_memory_equal(blind.data + 26, none, sizeof none);    /* MD5 */
        assert_memory_equal(blind.data + 12, none, 6);              /* sizes of frames */
        assert_int_equal((unsigned char)blind.data[42], 0x80 | 1);  /* then padding, the last block */
        assert_memory_not_equal(flac.data + 26, none, sizeof none); /* it was there */
        memcpy(blind.data + 26, flac.data + 26, sizeof none);       /* our own reader wants one */
        assert_true(vg_flac_holds(blind.data, blind.length, samples, FRAMES, RATE_HZ));
    }
    vg_text_release(&flac);
    vg_text_release(&blind);
}

/* Cut anywhere, or with a block that claims too much: nothing is read beyond its end. */
static void hostile(void **state)
{
    static int16_t samples[FRAMES];
    struct vg_text flac = {0}, blind = {0};

    (void)state;
    make_flac(samples, &flac);
    for (size_t count = 0; count < 400; count++) {
        char *part = malloc(count + 1); /* as long as it says, for the sanitizers */

        assert_non_null(part);
        memcpy(part, flac.data, count);
        vg_text_clear(&blind);
        (void)vg_flac_blind(part, count, flac.length, &blind);
        free(part);
    }
    assert_false(vg_flac_blind(flac.data, flac.length, 100, &blind));
    assert_false(vg_flac_blind(flac.data, flac.length, flac.length + (1u << 25), &blind));
    flac.data[43] = (char)0xff; /* the length of the second block */
    assert_false(vg_flac_blind(flac.data, flac.length, flac.length + VG_BLIND_BYTES, &blind));
    flac.data[0] = 'F';
    assert_false(vg_flac_blind(flac.data, flac.length, flac.length + VG_BLIND_BYTES, &blind));
    vg_text_release(&flac);
    vg_text_release(&blind);
}

static struct vg_judgement answer_of(const char *key)
{
    return (struct vg_judgement){.annotator = "Ann",
                                 .category = "volume",
                                 .key = key,
                                 .answer = "increase",
                                 .release_id = "r",
                                 .utc = "2026-12-01T10:00:00Z",
                                 .position = 1};
}

/* A write that stops in the middle of a line: the line is taken back, those before it stand. */
static void a_full_disk(void **state)
{
    char folder[] = "/tmp/vocalgrad-annotate-XXXXXX";
    struct vg_judgement first = answer_of("a"), second = answer_of("b");
    struct vg_answer_log log = {0};
    struct vg_judgements read = {0};
    struct vg_error err = {0};
    struct rlimit limit, narrow;

    (void)state;
    assert_non_null(mkdtemp(folder));
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(vg_answer_log_open(&log, folder, "r", &err), VG_OK);
    assert_int_equal(vg_answer_log_add(&log, &first, &err), VG_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    narrow = limit;
    narrow.rlim_cur = (rlim_t)log.bytes + 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &narrow), 0);
    assert_int_equal(vg_answer_log_add(&log, &second, &err), VG_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_null(vg_answer_log_find(&log, "Ann", "b"));
    assert_int_equal(vg_judgements_read(&read, log.path, &err), VG_OK);
    assert_int_equal(read.count, 1);
    assert_int_equal(read.torn_bytes, 0);
    assert_int_equal(vg_answer_log_add(&log, &second, &err), VG_OK);
    assert_int_equal(vg_judgements_read(&read, log.path, &err), VG_OK);
    assert_int_equal(read.count, 1 + 2);
    assert_non_null(vg_answer_log_find(&log, "Ann", "b"));
    vg_answer_log_release(&log);
    assert_int_equal(vg_answer_log_open(&log, folder, "r", &err), VG_OK);
    assert_int_equal(log.known.count, 2);
    vg_answer_log_release(&log);
    assert_int_equal(vg_folder_remove(folder, &err), VG_OK);
    vg_judgements_release(&read);
    vg_error_release(&err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_sound_only),
        cmocka_unit_test(hostile),
        cmocka_unit_test(a_full_disk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
