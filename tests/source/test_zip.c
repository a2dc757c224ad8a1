/* SPDX-License-Identifier: MIT */
/* Zip archives read in place: every member in any order, or the archive is refused by name. */
#include "fixture.h"

#include <archive.h>
#include <archive_entry.h>

#include "tarball.h"
#include "tree.h"

enum { TEXT_BYTES = 300000 };

static char *text_of(struct fixture *f)
{
    char *text = vg_arena_take(&f->arena, TEXT_BYTES, 1);

    for (size_t i = 0; i < TEXT_BYTES; i++)
        text[i] = (char)('a' + i * i % 23);
    return text;
}

static void add(struct archive *zip, const char *name, unsigned kind, const char *bytes, size_t count)
{
    struct archive_entry *entry = archive_entry_new();

    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, kind);
    archive_entry_set_perm(entry, 0644);
    if (kind == AE_IFLNK)
        archive_entry_set_symlink(entry, bytes);
    else
        archive_entry_set_size(entry, (la_int64_t)count);
    assert_int_equal(archive_write_header(zip, entry), ARCHIVE_OK);
    if (kind == AE_IFREG)
        assert_int_equal(archive_write_data(zip, bytes, count), (la_ssize_t)count);
    archive_entry_free(entry);
}

/* libarchive's zip, by `options`: compression=store or deflate, zip64 or not. */
static char *make_zip(struct fixture *f, const char *name, const char *options)
{
    struct archive *zip = archive_write_new();
    char *path = fixture_path(f, name);

    archive_write_set_format_zip(zip);
    assert_int_equal(archive_write_set_options(zip, options), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(zip, path), ARCHIVE_OK);
    add(zip, "a/", AE_IFDIR, "", 0);
    add(zip, "a/text", AE_IFREG, text_of(f), TEXT_BYTES);
    add(zip, "a/link", AE_IFLNK, "/etc/hostname", 0);
    add(zip, "./b", AE_IFREG, "one\ntwo\n", 8);
    add(zip, "empty", AE_IFREG, "", 0);
    assert_int_equal(archive_write_close(zip), ARCHIVE_OK);
    archive_write_free(zip);
    return path;
}

static void members_of_any_kind_of_zip(void **state)
{
    static const char *const options[] = {"zip:compression=store", "zip:compression=deflate",
                                          "zip:compression=store,zip:zip64",
                                          "zip:compression=deflate,zip:zip64"};
    struct fixture *f = *state;

    for (size_t i = 0; i < 4; i++) {
        char *path = make_zip(f, vg_arena_format(&f->arena, "%zu.zip", i), options[i]), **names, *bytes;
        struct vg_tree tree;
        size_t count;

        vg_tree_init(&tree, path, &f->arena);
        assert_int_equal(vg_tree_get(&tree, "a/text", &bytes, &count, &f->err), VG_OK);
        assert_int_equal(count, TEXT_BYTES);
        assert_memory_equal(bytes, text_of(f), count);
        assert_int_equal(vg_tree_get(&tree, "b", &bytes, &count, &f->err), VG_OK);
        assert_string_equal(bytes, "one\ntwo\n");
        assert_int_equal(vg_tree_get(&tree, "empty", &bytes, &count, &f->err), VG_OK);
        assert_int_equal(count, 0);
        assert_int_equal(vg_tree_list(&tree, "", &names, &count, &f->err), VG_OK);
        assert_int_equal(count, 3);
        assert_true(vg_tree_has_folder(&tree, "a"));
        assert_false(vg_tree_has(&tree, "a/link")); /* a link is no member */
        assert_int_equal(vg_tree_get(&tree, "a/link", &bytes, &count, &f->err), VG_SOURCE);
        expect_fault(f, VG_SOURCE, vg_path_join(&f->arena, path, "a/link"), "holds no file a/link", "");
    }
}

/* ---- what is refused -------------------------------------------------------------------------------- */

/* A zip written by hand: what an entry says, of itself and before its bytes. */
struct entry {
    const char *name, *bytes;
    unsigned packed, unpacked, method, flags, at; /* at: 0 is where it is */
    bool is_packed; /* `packed` bytes stand there; else as many as the text has */
};

static void add_little(struct vg_text *text, uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        vg_text_add_char(text, (char)(value >> 8 * i & 0xff));
}

/* The fields that stand in both of an entry's headers: from the flags to the length of the name. */
static void add_facts(struct vg_text *zip, const struct entry *e, uint32_t checksum)
{
    add_little(zip, e->flags, 2);
    add_little(zip, e->method, 2);
    add_little(zip, 0, 4);
    add_little(zip, checksum, 4);
    add_little(zip, e->packed, 4);
    add_little(zip, e->unpacked, 4);
    add_little(zip, (uint32_t)strlen(e->name), 2);
    add_little(zip, 0, 2);
}

static char *write_zip(struct fixture *f, const struct entry *entries, size_t count, uint32_t checksum)
{
    struct vg_text zip = {0}, directory = {0};
    char *path;

    for (size_t i = 0; i < count; i++) {
        const struct entry *e = &entries[i];
        uint32_t at = e->at > 0 ? e->at - 1 : (uint32_t)zip.length;

        vg_text_add_part(&directory, "PK\1\2\x14\3\x14\0", 8);
        add_facts(&directory, e, checksum);
        add_little(&directory, 0, 6);
        add_little(&directory, 0100644u << 16, 4);
        add_little(&directory, at, 4);
        vg_text_add(&directory, e->name);
        if (e->at > 0)
            continue;
        vg_text_add_part(&zip, "PK\3\4\x14\0", 6);
        add_facts(&zip, e, checksum);
        vg_text_add(&zip, e->name);
        vg_text_add_part(&zip, e->bytes, e->is_packed ? e->packed : strlen(e->bytes));
    }
    {
        uint32_t at = (uint32_t)zip.length;

        vg_text_add_part(&zip, directory.data, directory.length);
        vg_text_add_part(&zip, "PK\5\6\0\0\0\0", 8);
        add_little(&zip, (uint32_t)count, 2);
        add_little(&zip, (uint32_t)count, 2);
        add_little(&zip, (uint32_t)directory.length, 4);
        add_little(&zip, at, 4);
        add_little(&zip, 0, 2);
    }
    path = fixture_put(f, "h.zip", zip.data, zip.length);
    vg_text_release(&zip);
    vg_text_release(&directory);
    return path;
}

static void refuse_entries(struct fixture *f, const struct entry *entries, size_t count, const char *part)
{
    struct vg_archive *archive;
    char *path = write_zip(f, entries, count, 0x3610a686), *bytes; /* of "hello" */
    int rc = vg_archive_index(&archive, path, &f->arena, &f->err);

    for (size_t i = 0; rc == VG_OK && i < archive->count; i++)
        rc = vg_archive_get(archive, &archive->members[i], path, &bytes, &f->arena, &f->err);
    if (rc != VG_SOURCE)
        fail_msg("was not refused; expected: %s", part);
    expect_fault(f, VG_SOURCE, path, part, "");
}

static void what_is_hostile_is_refused(void **state)
{
    static const struct {
        struct entry entries[2];
        const char *says;
    } cases[] = {
        {{{"../../etc/x", "hello", 5, 5, 0, 0, 0, false}}, "holds \"../../etc/x\"; expected names that stay"},
        {{{"a/../../x", "hello", 5, 5, 0, 0, 0, false}}, "holds \"a/../../x\""},
        {{{"a/..", "hello", 5, 5, 0, 0, 0, false}}, "holds \"a/..\""},
        {{{"/etc/x", "hello", 5, 5, 0, 0, 0, false}}, "holds \"/etc/x\""},
        {{{"x", "hello", 5, 1u << 30, 8, 0, 0, false}}, "5 bytes of it unpack to 1073741824"},
        {{{"x", "hello", 900, 900, 0, 0, 0, false}}, "has no room for x"},
        {{{"x", "hello", 5, 5, 0, 0, 0, false}, {"y", "", 5, 5, 0, 0, 1, false}}, "has no room for"},
        {{{"x", "hello", 5, 5, 0, 0, 0, false}, {"x", "hello", 5, 5, 0, 0, 0, false}}, "holds x twice"},
        {{{"x", "hellO", 5, 5, 0, 0, 0, false}}, "x in it is damaged: its checksum differs"},
        {{{"x", "hello", 5, 4, 0, 0, 0, false}}, "x in it is stored, but of two lengths"},
        {{{"x", "hello", 5, 5, 8, 0, 0, false}}, "x in it does not unpack to what the directory says"},
        {{{"x", "\xcb\x48\xcd\xc9\xc9\x07\0", 7, 4, 8, 0, 0, true}}, "does not unpack to what the directory"},
        {{{"x", "\xcb\x48\xcd\xc9\xc9\x07\0", 7, 6, 8, 0, 0, true}}, "does not unpack to what the directory"},
        {{{"x", "hello", 5, 5, 93, 0, 0, false}},
         "x in it is packed by method 93; stored (0) and deflated (8)"},
        {{{"x", "hello", 5, 5, 0, 1, 0, false}}, "x in it is encrypted; unpack it"},
        {{{"", "hello", 5, 5, 0, 0, 0, false}}, "an entry of its directory is damaged"},
    };
    static const struct entry sound = {"x", "hello", 5, 5, 0, 0, 0, false};
    static const struct entry packed = {"x", "\xcb\x48\xcd\xc9\xc9\x07\0", 7, 5, 8, 0, 0, true};
    struct fixture *f = *state;
    struct vg_archive *archive;
    char *bytes;

    for (size_t i = 0; i < 2; i++) { /* the hand that writes them is right */
        char *path = write_zip(f, i == 0 ? &sound : &packed, 1, 0x3610a686);

        assert_int_equal(vg_archive_index(&archive, path, &f->arena, &f->err), VG_OK);
        assert_int_equal(vg_archive_get(archive, archive->members, path, &bytes, &f->arena, &f->err), VG_OK);
        assert_string_equal(bytes, "hello");
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_entries(f, cases[i].entries, cases[i].entries[1].name != NULL ? 2 : 1, cases[i].says);
}

static void a_cut_zip_is_refused_wherever_it_is_cut(void **state)
{
    static const char *const options[] = {"zip:compression=deflate", "zip:compression=deflate,zip:zip64"};
    struct fixture *f = *state;

    for (size_t o = 0; o < 2; o++) {
        size_t count;
        unsigned char *bytes = fixture_get(f, make_zip(f, "t.zip", options[o]), &count);

        for (size_t cut = 4; cut < count; cut += 1 + cut / 40) {
            struct vg_archive *archive;
            char *path = fixture_put(f, "cut.zip", bytes, cut);

            assert_int_equal(vg_archive_index(&archive, path, &f->arena, &f->err), VG_SOURCE);
            expect_fault(f, VG_SOURCE, path, "is no sound zip archive", "it may be cut off");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(members_of_any_kind_of_zip, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_is_hostile_is_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_cut_zip_is_refused_wherever_it_is_cut, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
