/* SPDX-License-Identifier: MIT */
/* Sources that change or disappear between preflight and rendering.  The store keeps nothing here, so that
 * every use reads the file again, as with a corpus larger than the store. */
#include "make.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 16000, RATE_HZ = 16000 };
static char folder[] = "/tmp/vg-moving-XXXXXX";
static struct vg_arena arena;

static const char *path_of(const char *name)
{
    return vg_path_join(&arena, folder, name);
}

static void put_sound(const char *name, int step)
{
    int16_t samples[FRAMES];
    struct vg_text wav = {0};
    struct vg_error err = {0};

    for (int i = 0; i < FRAMES; i++)
        samples[i] = (int16_t)(i * step % 20001 - 10000);
    vg_wav_encode(samples, FRAMES, RATE_HZ, &wav);
    assert_int_equal(vg_file_put(path_of(name), wav.data, wav.length, &err), VG_OK);
    vg_text_release(&wav);
}

static void put_text(const char *name, const char *text)
{
    struct vg_error err = {0};

    assert_int_equal(vg_file_put(path_of(name), text, strlen(text), &err), VG_OK);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    put_text("table.csv", "source_item_id,source_clip_id,path,onset_sec,offset_sec\n"
                          "one,one,one.wav,0.2,0.8\ntwo,two,two.wav,0.2,0.8\n");
    put_text(
        "spec.yaml",
        vg_arena_format(
            &arena,
            "extends: %s/paper.yaml\nname: moving\nversion: 1.0.0\ndescription: Sources that "
            "move.\nlicense: CC0-1.0\non_label: flag\non_below_jnd: flag\nsplits:\n  test:\n    categories: "
            "[volume]\n    sources:\n      - {kind: table, table: table.csv, root: .}\n",
            getenv("VG_SPECS")));
    return 0;
}

static int tear_down(void **state)
{
    struct vg_error err = {0};

    (void)state;
    assert_int_equal(vg_folder_remove(folder, &err), VG_OK);
    vg_arena_release(&arena);
    return 0;
}

/* Preflight, then `move`, then the items; the code, and what was said first. */
static int build(void (*move)(void), struct vg_call *call)
{
    char *words[] = {vg_arena_format(&arena, "%s/spec.yaml", folder), "-j1", "--quiet"};
    struct vg_work work = {0};
    struct vg_text spec_text = {0};
    struct vg_source_row *rows;
    struct vg_source_store *store;
    struct vg_release *release = NULL;
    struct vg_release_options options = {.spec = &work.spec};
    int rc;

    put_sound("one.wav", 7);
    put_sound("two.wav", 11);
    assert_int_equal(vg_call_parse(call, &vg_verb_build, 3, words), VG_OK);
    rc = vg_work_plan(&work, call);
    if (rc != VG_OK)
        print_error("%s: %s\n", call->err.issues[0].place, call->err.issues[0].sentence);
    assert_int_equal(rc, VG_OK);
    store = vg_source_store_make(&work.spec, &work.sources, 0);
    assert_int_equal(vg_make_preflight(&work, call, store, &rows), VG_OK);
    move();
    vg_spec_write(&work.spec, &spec_text);
    options.spec_text = spec_text.data;
    assert_int_equal(vg_release_begin(&release, path_of("out"), &options, &call->err), VG_OK);
    rc = vg_make_all(&work, call, store, rows, release);
    vg_release_release(release);
    assert_false(vg_folder_exists(path_of("out/moving-1.0.0")));
    assert_false(vg_folder_exists(path_of("out/moving-1.0.0.tmp")));
    vg_source_store_free(store);
    vg_text_release(&spec_text);
    return rc;
}

static void expect_build(void (*move)(void), int code, const char *sentence)
{
    struct vg_call call = {0};

    assert_int_equal(build(move, &call), code);
    if (sentence != NULL) {
        assert_int_equal(call.err.count, 1);
        assert_true(strstr(call.err.issues[0].place, "two.wav") != NULL ||
                    strstr(call.err.issues[0].sentence, "two.wav") != NULL);
        assert_non_null(strstr(call.err.issues[0].sentence, sentence));
    }
    vg_error_release(&call.err);
    vg_arena_release(&call.arena);
}

static void stay(void)
{
}
static void change(void)
{
    put_sound("two.wav", 13);
}
static void disappear(void)
{
    assert_int_equal(unlink(path_of("two.wav")), 0);
}
static void shrink(void)
{
    assert_int_equal(truncate(path_of("two.wav"), 1000), 0);
}

static void test_moving(void **state)
{
    (void)state;
    expect_build(stay, VG_OK, NULL);
    expect_build(change, VG_SOURCE, "changed while the release was built");
    expect_build(disappear, VG_SOURCE, "");
    expect_build(shrink, VG_SOURCE, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moving)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
