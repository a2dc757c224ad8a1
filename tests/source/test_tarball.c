/* SPDX-License-Identifier: MIT */
/* Archives read in place: every member in any order, whatever the compression is made of; or refused. */
#include "fixture.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include "dsp.h"
#include "tarball.h"
#include "tree.h"

enum { MEMBERS = 40, MEMBER_BYTES = 150001 };

/* Bytes that no compressor makes smaller, different for each seed. */
static unsigned char *noise(struct fixture *f, size_t count, uint64_t seed)
{
    unsigned char *bytes = vg_arena_take(&f->arena, count, 1);

    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (unsigned char)(seed >> 56);
    }
    return bytes;
}

static void add_member(struct archive *tar, const char *name, const void *bytes, size_t count)
{
    struct archive_entry *entry = archive_entry_new();

    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)count);
    assert_int_equal(archive_write_header(tar, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(tar, bytes, count), (la_ssize_t)count);
    archive_entry_free(entry);
}

/* a/0 a/1 ... of noise, names long enough for a pax header every third time. */
static char *name_of(struct fixture *f, size_t i)
{
    static const char longer[] =
        "a-folder-with-a-name-so-long-that-one-header-of-ustar-does-not-hold-it-and-a-second"
        "-one-is-needed-before-the-members-own-which-readers-must-know/and-a-name-as-long-as"
        "-that-one-again-so-that-no-prefix-helps";

    return i % 3 == 0 ? vg_arena_format(&f->arena, "%s-%zu", longer, i)
                      : vg_arena_format(&f->arena, "a/%zu", i);
}

static char *make_tar(struct fixture *f, const char *name)
{
    struct archive *tar = archive_write_new();
    char *path = fixture_path(f, name);

    archive_write_set_format_pax_restricted(tar);
    assert_int_equal(archive_write_open_filename(tar, path), ARCHIVE_OK);
    for (size_t i = 0; i < MEMBERS; i++)
        add_member(tar, name_of(f, i), noise(f, MEMBER_BYTES + i, i), MEMBER_BYTES + i);
    add_member(tar, "./a/text", "one\ntwo\n", 8);
    assert_int_equal(archive_write_close(tar), ARCHIVE_OK);
    archive_write_free(tar);
    return path;
}

/* The file as one gzip stream, or as several one after another. */
static char *zip(struct fixture *f, const char *path, const char *name, size_t streams)
{
    size_t count;
    unsigned char *bytes = fixture_get(f, path, &count);
    char *zipped = fixture_path(f, name);

    for (size_t s = 0; s < streams; s++) {
        size_t from = count * s / streams, to = count * (s + 1) / streams;
        gzFile out = gzopen(zipped, s == 0 ? "wb1" : "ab6");

        assert_int_equal(gzwrite(out, bytes + from, (unsigned)(to - from)), (int)(to - from));
        assert_int_equal(gzclose(out), Z_OK);
    }
    return zipped;
}

static void check_member(struct fixture *f, const struct vg_archive *archive, size_t i)
{
    const struct vg_archive_member *member = vg_archive_find(archive, name_of(f, i));
    char *bytes;

    assert_non_null(member);
    assert_int_equal(member->bytes, MEMBER_BYTES + i);
    assert_int_equal(vg_archive_get(archive, member, "t", &bytes, &f->arena, &f->err), VG_OK);
    assert_memory_equal(bytes, noise(f, MEMBER_BYTES + i, i), MEMBER_BYTES + i);
    assert_int_equal(bytes[MEMBER_BYTES + i], 0);
}

static void check_archive(struct fixture *f, const char *path, bool has_points)
{
    struct vg_archive *archive;

    assert_int_equal(vg_archive_index(&archive, path, &f->arena, &f->err), VG_OK);
    assert_int_equal(archive->count, MEMBERS + 1);
    assert_int_equal(archive->points.count > 3, has_points);
    for (size_t i = 0; i < MEMBERS; i++)
        check_member(f, archive, (i * 17 + 5) % MEMBERS);
    assert_null(vg_archive_find(archive, "a"));
    assert_null(vg_archive_find(archive, "./a/text"));
    assert_non_null(vg_archive_find(archive, "a/text"));
}

static void members_come_in_any_order(void **state)
{
    struct fixture *f = *state;
    char *path = make_tar(f, "t.tar");

    check_archive(f, path, false);
    check_archive(f, zip(f, path, "t.tar.gz", 1), true);
    check_archive(f, zip(f, path, "several.tar.gz", 7), true);
}

static void points_thin_out(void **state)
{
    enum { PIECES = 1300, PIECE_BYTES = 40000 };
    struct fixture *f = *state;
    struct vg_unzip_points *points = vg_arena_take_zero(&f->arena, 1, sizeof *points);
    char *path = fixture_path(f, "n.gz");
    gzFile out = gzopen(path, "wb1");
    struct vg_unzip *unzip;
    const void *bytes;
    size_t count = 1, total = 0;

    for (size_t i = 0; i < PIECES; i++)
        assert_int_equal(gzwrite(out, noise(f, PIECE_BYTES, i), PIECE_BYTES), PIECE_BYTES);
    assert_int_equal(gzclose(out), Z_OK);
    points->span = VG_UNZIP_WINDOW;
    assert_int_equal(vg_unzip_open(&unzip, path, "t", points, &f->err), VG_OK);
    for (; count > 0; total += count)
        assert_int_equal(vg_unzip_read(unzip, &bytes, &count, &f->err), VG_OK);
    vg_unzip_close(unzip);
    assert_int_equal(total, (size_t)PIECES * PIECE_BYTES);
    assert_true(points->span > VG_UNZIP_WINDOW && points->count <= VG_UNZIP_POINTS && points->count > 400);
    for (size_t i = PIECES; i-- > 0; i = i > 131 ? i - 131 : i) {
        assert_int_equal(vg_unzip_open(&unzip, path, "t", NULL, &f->err), VG_OK);
        vg_unzip_seek(unzip, points, (uint64_t)i * PIECE_BYTES);
        assert_int_equal(vg_unzip_read(unzip, &bytes, &count, &f->err), VG_OK);
        assert_memory_equal(bytes, noise(f, PIECE_BYTES, i), count < PIECE_BYTES ? count : PIECE_BYTES);
        vg_unzip_close(unzip);
    }
    for (size_t i = 0; i < points->count; i++)
        free(points->at[i].window);
}

static void refused(struct fixture *f, const char *name, const void *bytes, size_t count, const char *part)
{
    struct vg_archive *archive;
    char *path = fixture_put(f, name, bytes, count);

    if (vg_archive_index(&archive, path, &f->arena, &f->err) != VG_SOURCE)
        fail_msg("%s was not refused; expected: %s", name, part);
    expect_fault(f, VG_SOURCE, path, part, "");
}

static void damage_is_refused(void **state)
{
    struct fixture *f = *state;
    char *path = make_tar(f, "t.tar");
    size_t count, zipped_count;
    unsigned char *tar = fixture_get(f, path, &count);
    unsigned char *zipped = fixture_get(f, zip(f, path, "t.tar.gz", 1), &zipped_count);

    refused(f, "cut.tar", tar, count / 2, "cut");
    refused(f, "cut.tar.gz", zipped, zipped_count / 2, "is cut off inside its gzip stream");
    refused(f, "trailer.tar.gz", zipped, zipped_count - 3, "is cut off inside its gzip stream");
    zipped[zipped_count - 6] ^= 1; /* of the checksum */
    refused(f, "sum.tar.gz", zipped, zipped_count, "is damaged inside its gzip stream");
    zipped[zipped_count - 6] ^= 1;
    memset(zipped + zipped_count / 3, 0xff, 100);
    refused(f, "bits.tar.gz", zipped, zipped_count, "gzip stream");
    refused(f, "text.tar", "no tar at all\n", 14, "is no sound tar archive");
    refused(f, "twice.tar", vg_arena_take_zero(&f->arena, 1, 1), 0, "is no sound tar archive");
}

static void a_name_stands_once(void **state)
{
    struct fixture *f = *state;
    struct archive *tar = archive_write_new();
    struct vg_archive *archive;
    char *path = fixture_path(f, "twice.tar");

    archive_write_set_format_ustar(tar);
    assert_int_equal(archive_write_open_filename(tar, path), ARCHIVE_OK);
    add_member(tar, "a", "1", 1);
    add_member(tar, "./a", "2", 1);
    archive_write_close(tar);
    archive_write_free(tar);
    assert_int_equal(vg_archive_index(&archive, path, &f->arena, &f->err), VG_SOURCE);
    expect_fault(f, VG_SOURCE, path, "holds a twice", "");
}

static void a_tree_enters_archives_like_folders(void **state)
{
    struct fixture *f = *state;
    struct vg_tree tree;
    char **names, *bytes;
    size_t count;

    zip(f, make_tar(f, "t.tar"), "t.tar.gz", 1);
    vg_tree_init(&tree, vg_arena_format(&f->arena, "%s//", f->folder), &f->arena);
    assert_int_equal(vg_tree_list(&tree, "", &names, &count, &f->err), VG_OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[1], "t.tar.gz");
    assert_true(vg_tree_has_folder(&tree, "t.tar.gz"));
    assert_false(vg_tree_has_folder(&tree, "t.zip"));
    assert_int_equal(vg_tree_list(&tree, "t.tar.gz", &names, &count, &f->err), VG_OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "a");
    assert_true(vg_tree_has_folder(&tree, "t.tar.gz/a"));
    assert_false(vg_tree_has_folder(&tree, "t.tar.gz/a/1"));
    assert_true(vg_tree_has(&tree, "t.tar.gz/a/1"));
    assert_false(vg_tree_has(&tree, "t.tar.gz/a"));
    assert_int_equal(vg_tree_list(&tree, "t.tar.gz/a", &names, &count, &f->err), VG_OK);
    assert_string_equal(names[0], "1");
    assert_string_equal(names[1], "10"); /* by bytes */
    assert_string_equal(names[count - 1], "text");
    assert_int_equal(vg_tree_get(&tree, "t.tar.gz/a/text", &bytes, &count, &f->err), VG_OK);
    assert_string_equal(bytes, "one\ntwo\n");
    assert_int_equal(vg_tree_get(&tree, "t.tar.gz/b", &bytes, &count, &f->err), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "t.tar.gz/b"), "holds no file b", "");
    vg_tree_init(&tree, fixture_path(f, "t.tar.gz"), &f->arena);
    assert_int_equal(vg_tree_get(&tree, "a/text", &bytes, &count, &f->err), VG_OK);
    assert_int_equal(count, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(members_come_in_any_order, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(points_thin_out, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(damage_is_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_name_stands_once, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_tree_enters_archives_like_folders, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
