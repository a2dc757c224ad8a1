/* SPDX-License-Identifier: MIT */
/* Shards: round trip, the same bytes always, and a reader that refuses what a release does not write. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, RECORD = 10240 };

struct fixture {
    struct vg_arena arena;
    struct vg_error err;
    char *folder;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    char template[] = "/tmp/vg-shard-XXXXXX";

    assert_non_null(mkdtemp(template));
    f->folder = vg_arena_text(&f->arena, template);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    vg_folder_remove(f->folder, &f->err);
    vg_error_release(&f->err);
    vg_arena_release(&f->arena);
    free(f);
    return 0;
}

static const char *path_of(struct fixture *f, const char *name)
{
    return vg_path_join(&f->arena, f->folder, name);
}

static const char long_name[] = "0123456789012345678901234567890123456789012345678901234567890123456789"
                                "0123456789012345678901234.flac"; /* 100 bytes */

static struct vg_shard_sums write_shard(struct fixture *f, const char *path)
{
    struct vg_shard *shard = NULL;
    struct vg_shard_sums sums;
    static const char block[BLOCK];

    assert_int_equal(vg_shard_create(&shard, path, &f->err), VG_OK);
    assert_int_equal(vg_shard_add(shard, "a.flac", "one", 3, &f->err), VG_OK);
    assert_int_equal(vg_shard_add(shard, "a.json", "", 0, &f->err), VG_OK);
    assert_int_equal(vg_shard_add(shard, "b.flac", block, sizeof block, &f->err), VG_OK);
    assert_int_equal(vg_shard_add(shard, long_name, "x", 1, &f->err), VG_OK);
    assert_int_equal(vg_shard_bytes(shard), 4 * BLOCK + 3 * BLOCK);
    assert_int_equal(vg_shard_commit(shard, &sums, &f->err), VG_OK);
    vg_shard_release(shard);
    return sums;
}

static void round_trip(void **state)
{
    struct fixture *f = *state;
    const char *path = path_of(f, "s.tar");
    struct vg_shard_reader *reader = NULL;
    struct vg_member member;
    bool end;
    size_t count;
    char *bytes;

    write_shard(f, path);
    assert_int_equal(vg_file_get(path, 1 << 20, &f->arena, &bytes, &count, &f->err), VG_OK);
    assert_int_equal(count, RECORD);
    assert_int_equal(vg_shard_open(&reader, path, 1000, &f->err), VG_OK);
    assert_int_equal(vg_shard_next(reader, &member, &end, &f->err), VG_OK);
    assert_false(end);
    assert_string_equal(member.name, "a.flac");
    assert_int_equal(member.count, 3);
    assert_memory_equal(member.bytes, "one", 3);
    assert_memory_equal(bytes + member.offset, "one", 3);
    assert_int_equal(vg_shard_next(reader, &member, &end, &f->err), VG_OK);
    assert_int_equal(member.count, 0);
    assert_int_equal(vg_shard_next(reader, &member, &end, &f->err), VG_OK);
    assert_int_equal(member.count, BLOCK);
    assert_int_equal(vg_shard_next(reader, &member, &end, &f->err), VG_OK);
    assert_string_equal(member.name, long_name);
    assert_memory_equal(bytes + member.offset, "x", 1);
    assert_int_equal(vg_shard_next(reader, &member, &end, &f->err), VG_OK);
    assert_true(end);
    vg_shard_close(reader);
}

/* The digest itself: what libarchive or a field of a header would change. */
static void same_bytes_always(void **state)
{
    struct fixture *f = *state;
    struct vg_shard_sums a = write_shard(f, path_of(f, "a.tar")), b = write_shard(f, path_of(f, "b.tar"));
    char hex[VG_DIGEST_HEX];
    uint64_t bytes;

    assert_string_equal(a.xxh128, "aa5a91086b44c7da92087835eae0600f");
    assert_string_equal(a.sha256, b.sha256);
    assert_int_equal(vg_digest_of_file(VG_SHA256, path_of(f, "b.tar"), hex, &bytes, &f->err), VG_OK);
    assert_string_equal(hex, b.sha256);
    assert_int_equal(bytes, b.bytes);
    assert_int_equal(vg_digest_of_file(VG_MD5, path_of(f, "b.tar"), hex, NULL, &f->err), VG_OK);
    assert_string_equal(hex, b.md5);
}

static void nothing_before_commit(void **state)
{
    struct fixture *f = *state;
    struct vg_shard *shard = NULL;
    char **names;
    size_t count;

    assert_int_equal(vg_shard_create(&shard, path_of(f, "s.tar"), &f->err), VG_OK);
    assert_int_equal(vg_shard_add(shard, "a.flac", "one", 3, &f->err), VG_OK);
    assert_false(vg_file_exists(path_of(f, "s.tar")));
    vg_shard_release(shard);
    assert_int_equal(vg_folder_list(f->folder, &f->arena, &names, &count, &f->err), VG_OK);
    assert_int_equal(count, 0);
    vg_shard_release(NULL);
}

static void no_folder(void **state)
{
    struct fixture *f = *state;
    struct vg_shard *shard = NULL;

    assert_int_equal(vg_shard_create(&shard, path_of(f, "no/s.tar"), &f->err), VG_IO);
    vg_shard_release(shard);
    assert_non_null(strstr(f->err.issues[0].place, "no/s.tar"));
}

/* ---- hostile files ---------------------------------------------------------------------------------- */

struct tar {
    char bytes[3 * RECORD];
    size_t length;
};

static void octal(char *field, size_t width, unsigned long value)
{
    snprintf(field, width, "%0*lo", (int)width - 1, value);
}

/* A header as POSIX.1-1988 has it, checksum and all. */
static void add_header(struct tar *tar, const char *name, char type, unsigned long size, const char *link)
{
    char *h = tar->bytes + tar->length;
    unsigned long sum = 0;

    memset(h, 0, BLOCK);
    memcpy(h, name, strlen(name) < 100 ? strlen(name) : 100);
    octal(h + 100, 8, 0644);
    octal(h + 108, 8, 0);
    octal(h + 116, 8, 0);
    octal(h + 124, 12, size);
    octal(h + 136, 12, 0);
    memset(h + 148, ' ', 8);
    h[156] = type;
    memcpy(h + 157, link, strlen(link));
    memcpy(h + 257,
           "ustar\0"
           "00",
           8);
    for (size_t i = 0; i < BLOCK; i++)
        sum += (unsigned char)h[i];
    octal(h + 148, 7, sum);
    tar->length += BLOCK;
}

static void add_data(struct tar *tar, const char *text)
{
    memset(tar->bytes + tar->length, 0, BLOCK);
    memcpy(tar->bytes + tar->length, text, strlen(text));
    tar->length += BLOCK;
}

static void end(struct tar *tar)
{
    size_t whole = (tar->length + 2 * BLOCK + RECORD - 1) / RECORD * RECORD;

    memset(tar->bytes + tar->length, 0, whole - tar->length);
    tar->length = whole;
}

/* Reads all members; the code of the first failure. */
static int read_all(struct fixture *f, const struct tar *tar, size_t limit)
{
    const char *path = path_of(f, "hostile.tar");
    struct vg_shard_reader *reader = NULL;
    struct vg_member member;
    bool at_end = false;
    int rc;

    assert_int_equal(vg_file_put(path, tar->bytes, tar->length, &f->err), VG_OK);
    rc = vg_shard_open(&reader, path, limit, &f->err);
    while (rc == VG_OK && !at_end)
        rc = vg_shard_next(reader, &member, &at_end, &f->err);
    vg_shard_close(reader);
    return rc;
}

static const char *last_told(const struct fixture *f)
{
    return f->err.count > 0 ? f->err.issues[f->err.count - 1].sentence : "";
}

static void a_plain_one_is_read(void **state)
{
    static struct tar tar;

    tar.length = 0;
    add_header(&tar, "a.flac", '0', 3, "");
    add_data(&tar, "one");
    end(&tar);
    assert_int_equal(read_all(*state, &tar, 3), VG_OK);
    assert_int_equal(read_all(*state, &tar, 2), VG_NO);
    assert_non_null(strstr(last_told(*state), "larger than it may be"));
}

static void names_are_refused(void **state)
{
    static const char *const bad[] = {"../a", "/etc/x", "a/../b", "a//b", "./a",    "a/.",      "a\\b",
                                      "a:b",  "a\nb",   "..",     ".",    "a/b/..", "con|trol", "a\x7f"};
    static struct tar tar;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tar.length = 0;
        add_header(&tar, bad[i], '0', 3, "");
        add_data(&tar, "one");
        end(&tar);
        assert_int_equal(read_all(*state, &tar, 100), VG_NO);
        assert_non_null(strstr(last_told(*state), "not a plain relative path"));
    }
}

static void types_are_refused(void **state)
{
    static const char types[] = "123456xgLK7S";
    static struct tar tar;

    for (const char *type = types; *type != '\0'; type++) {
        tar.length = 0;
        add_header(&tar, "a.flac", *type,
                   *type == 'x' || *type == 'g' || *type == 'L' || *type == 'K' ? 3 : 0, "b");
        if (*type == 'x' || *type == 'g' || *type == 'L' || *type == 'K')
            add_data(&tar, "one");
        add_header(&tar, "b.flac", '0', 3, "");
        add_data(&tar, "one");
        end(&tar);
        assert_int_equal(read_all(*state, &tar, 100), VG_NO);
    }
}

static void damage_is_refused(void **state)
{
    static struct tar whole, tar;

    whole.length = 0;
    add_header(&whole, "a.flac", '0', 3, "");
    add_data(&whole, "one");
    add_header(&whole, "a.json", '0', 3, "");
    add_data(&whole, "two");
    end(&whole);
    assert_int_equal(read_all(*state, &whole, 100), VG_OK);
    for (size_t cut = 0; cut < whole.length; cut += 100) { /* every truncation */
        tar = whole;
        tar.length = cut;
        assert_int_equal(read_all(*state, &tar, 100), VG_NO);
    }
    for (size_t at = 0; at < whole.length; at += 61) { /* no data there: header or padding or the end */
        if (at % (2 * BLOCK) >= BLOCK && at % (2 * BLOCK) < BLOCK + 3)
            continue;
        if (at % (2 * BLOCK) >= BLOCK && at < 4 * BLOCK)
            continue; /* padding behind data: the digests' matter */
        if (at < 4 * BLOCK && at % (2 * BLOCK) >= 148 && at % (2 * BLOCK) < 156)
            continue; /* inside the checksum field some blanks are free */
        tar = whole;
        tar.bytes[at] = (char)(tar.bytes[at] ^ 4);
        assert_int_equal(read_all(*state, &tar, 100), VG_NO);
    }
    tar = whole;
    memset(tar.bytes + tar.length, 0, RECORD);
    tar.length += RECORD; /* a record too many */
    assert_int_equal(read_all(*state, &tar, 100), VG_NO);
}

static void sizes_are_refused(void **state)
{
    static struct tar tar;

    tar.length = 0;
    add_header(&tar, "a.flac", '0', 077777777777UL, "");
    end(&tar);
    assert_int_equal(read_all(*state, &tar, SIZE_MAX / 2), VG_NO);
    tar.length = 0;
    add_header(&tar, "a.flac", '0', 5000, "");
    add_data(&tar, "one");
    tar.length = 2 * BLOCK;
    assert_int_equal(read_all(*state, &tar, 1 << 20), VG_NO);
}

static void no_tar_at_all(void **state)
{
    static struct tar tar;
    struct fixture *f = *state;
    struct vg_shard_reader *reader = NULL;

    memset(tar.bytes, 'x', RECORD);
    tar.length = RECORD;
    assert_int_equal(read_all(f, &tar, 100), VG_NO);
    tar.length = 0;
    assert_int_equal(read_all(f, &tar, 100), VG_NO);
    memcpy(tar.bytes, "\x1f\x8b\x08\0", 4); /* gzip: no filter is allowed */
    tar.length = RECORD;
    assert_int_equal(read_all(f, &tar, 100), VG_NO);
    assert_int_equal(vg_shard_open(&reader, f->folder, 100, &f->err), VG_NO);
    vg_shard_close(reader);
    assert_int_equal(vg_shard_open(&reader, path_of(f, "none"), 100, &f->err), VG_IO);
    vg_shard_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(same_bytes_always, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_before_commit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_plain_one_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(types_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_tar_at_all, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
