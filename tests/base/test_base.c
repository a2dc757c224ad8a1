/* SPDX-License-Identifier: MIT */
/* Arenas, digests, files, tables, workers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void arena_pieces_are_aligned_and_come_back(void **state)
{
    struct vg_arena arena = {0};
    struct vg_arena_mark mark;
    char *first, *second;

    (void)state;
    first = vg_arena_take(&arena, 3, 1);
    mark = vg_arena_mark(&arena);
    second = vg_arena_take(&arena, 1000, 8);
    assert_int_equal((uintptr_t)first % 64, 0);
    assert_int_equal((uintptr_t)second % 64, 0);
    vg_arena_take(&arena, 5u << 20, 1); /* beyond a block */
    vg_arena_rewind(&arena, mark);
    assert_ptr_not_equal(first, vg_arena_take(&arena, 1, 1)); /* what was taken before the mark stays */
    for (int i = 0; i < 100; i++) {                           /* scratch settles: no growth over items */
        vg_arena_rewind(&arena, mark);
        vg_arena_take(&arena, 3u << 20, 1);
        assert_true(arena.held_bytes <= 16u << 20);
    }
    vg_arena_release(&arena);
    vg_arena_release(&arena); /* released twice is fine */
}

/* FIPS 180-4 and RFC 1321 vectors; XXH3-128 of nothing as the xxHash specification states it. */
static void digests_match_published_vectors(void **state)
{
    static const int16_t samples[2] = {0x0201, -2}; /* bytes 01 02 fe ff */
    char hex[VG_DIGEST_HEX], other[VG_DIGEST_HEX];

    (void)state;
    vg_digest_of(VG_SHA256, "abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    vg_digest_of(VG_MD5, "abc", 3, hex);
    assert_string_equal(hex, "900150983cd24fb0d6963f7d28e17f72");
    vg_digest_of(VG_XXH128, "", 0, hex);
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
    vg_digest_of_samples(VG_SHA256, samples, 2, hex);
    vg_digest_of(VG_SHA256, "\x01\x02\xfe\xff", 4, other);
    assert_string_equal(hex, other);
}

static char *scratch_folder(void)
{
    static char path[64];

    strcpy(path, "/tmp/vocalgrad-test-XXXXXX");
    assert_non_null(mkdtemp(path));
    return path;
}

static void files_appear_whole_or_not_at_all(void **state)
{
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_file file = {0};
    char *folder = scratch_folder(), *path = vg_path_join(&arena, folder, "x"), *bytes;
    char **names;
    size_t count;

    (void)state;
    assert_int_equal(vg_file_create(&file, path, &err), VG_OK);
    assert_int_equal(vg_file_write(&file, "abc", 3, &err), VG_OK);
    assert_false(vg_file_exists(path));
    vg_file_release(&file); /* never committed */
    assert_int_equal(vg_folder_list(folder, &arena, &names, &count, &err), VG_OK);
    assert_int_equal(count, 0);
    assert_int_equal(vg_file_put(path, "abc", 3, &err), VG_OK);
    assert_int_equal(vg_file_get(path, 10, &arena, &bytes, &count, &err), VG_OK);
    assert_string_equal(bytes, "abc");
    assert_int_equal(vg_file_get(path, 2, &arena, &bytes, &count, &err), VG_IO);
    assert_int_equal(vg_file_put("/dev/full/x", "abc", 3, &err), VG_IO);
    assert_int_equal(vg_folder_remove(folder, &err), VG_OK);
    assert_false(vg_folder_exists(folder));
    assert_int_equal(err.count, 2);
    vg_error_release(&err);
    vg_arena_release(&arena);
}

static void a_link_is_removed_and_not_followed(void **state)
{
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    char kept[64], *folder;

    (void)state;
    strcpy(kept, scratch_folder());
    folder = scratch_folder();
    assert_int_equal(symlink(kept, vg_path_join(&arena, folder, "link")), 0);
    assert_int_equal(vg_folder_remove(folder, &err), VG_OK);
    assert_true(vg_folder_exists(kept));
    assert_int_equal(rmdir(kept), 0);
    vg_arena_release(&arena);
}

static int parse(struct vg_table *table, const char *text, bool csv, struct vg_arena *arena,
                 struct vg_error *err)
{
    char *bytes = vg_arena_text(arena, text);

    return vg_table_parse(table, "t", bytes, strlen(bytes), csv, csv ? ',' : '\t', arena, VG_SOURCE, err);
}

static void tables_are_read_as_their_kind_says(void **state)
{
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_table table;

    (void)state;
    assert_int_equal(parse(&table,
                           "\xEF\xBB\xBF"
                           "a,b\r\n1,\"x,\"\"y\"\"\nz\"\r\n\r\n2,\r\n",
                           true, &arena, &err),
                     VG_OK);
    assert_int_equal(table.row_count, 2);
    assert_string_equal(vg_table_field(&table, 0, vg_table_column(&table, "b")), "x,\"y\"\nz");
    assert_string_equal(vg_table_field(&table, 1, 1), "");
    assert_int_equal(table.lines[1], 5);
    assert_true(vg_table_column(&table, "c") == SIZE_MAX);
    assert_int_equal(parse(&table, "a\tb\n\"open\t2", false, &arena, &err), VG_OK);
    assert_string_equal(vg_table_field(&table, 0, 0), "\"open");
    vg_arena_release(&arena);
}

static void table_faults_name_their_line(void **state)
{
    static const struct {
        const char *text, *place, *part;
    } rows[] = {
        {"a,b\n1,2\n1,2,3\n", "t:3", "3 fields"},
        {"a,b\n1,\"2\n", "t:2", "never closed"},
        {"a,a\n1,2\n", "t:1", "named twice"},
        {"a,b\n1,\xFF\n", "t:2", "not UTF-8"},
        {"", "t:1", "empty"},
        {"a,b\n\"x\"y,2\n", "t:2", "closing quote"},
        {"a,b\n\"x\"\ry,2\n", "t:2", "closing quote"},
        {"\xEF\xBB\xBF<html>", "t:1", "is a web page"}, /* behind a mark of the byte order too */
    };
    struct vg_arena arena = {0};
    struct vg_table table;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vg_error err = {0};

        assert_int_equal(parse(&table, rows[i].text, true, &arena, &err), VG_SOURCE);
        assert_string_equal(err.issues[0].place, rows[i].place);
        assert_non_null(strstr(err.issues[0].sentence, rows[i].part));
        vg_error_release(&err);
    }
    vg_arena_release(&arena);
}

struct sum {
    size_t slots[4];
    size_t next;
    size_t fail_at;
};

static int square(void *context, unsigned worker, size_t index)
{
    struct sum *sum = context;

    (void)worker;
    sum->slots[index % 4] = index * index;
    return index == sum->fail_at ? VG_SOURCE : VG_OK;
}

static int in_order(void *context, size_t index)
{
    struct sum *sum = context;

    assert_int_equal(index, sum->next);
    assert_int_equal(sum->slots[index % 4], index * index);
    sum->next++;
    return VG_OK;
}

static void workers_hand_over_in_order_and_stop_at_the_first_fault(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 4; jobs++) {
        struct sum sum = {.fail_at = SIZE_MAX};
        struct vg_pool_job job = {&sum, 1000, jobs, 4, square, in_order};

        assert_int_equal(vg_pool_run(&job), VG_OK);
        assert_int_equal(sum.next, 1000);
        sum = (struct sum){.fail_at = 500};
        assert_int_equal(vg_pool_run(&job), VG_SOURCE);
        assert_int_equal(sum.next, 500);
        job.count = 0;
        assert_int_equal(vg_pool_run(&job), VG_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_pieces_are_aligned_and_come_back),
        cmocka_unit_test(digests_match_published_vectors),
        cmocka_unit_test(files_appear_whole_or_not_at_all),
        cmocka_unit_test(a_link_is_removed_and_not_followed),
        cmocka_unit_test(tables_are_read_as_their_kind_says),
        cmocka_unit_test(table_faults_name_their_line),
        cmocka_unit_test(workers_hand_over_in_order_and_stop_at_the_first_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
