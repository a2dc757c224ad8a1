/* SPDX-License-Identifier: MIT */
/* The release writer and reader: the same bytes twice, whole or not at all, and everything found again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_up(void **state)
{
    struct fake *fake = malloc(sizeof *fake);

    fake_init(fake, NULL);
    *state = fake;
    return 0;
}

static int tear_down(void **state)
{
    fake_release(*state);
    free(*state);
    return 0;
}

static void build(struct fake *fake, const char *under)
{
    int rc = fake_build(fake, under, false);

    if (rc != VG_OK)
        fake_print(fake);
    assert_int_equal(rc, VG_OK);
}

static size_t list(struct fake *fake, const char *path, char ***names)
{
    size_t count;

    assert_int_equal(vg_folder_list(path, &fake->arena, names, &count, &fake->err), VG_OK);
    return count;
}

static void same_folders(struct fake *fake, const char *a, struct fake *other, const char *b)
{
    char **left, **right;
    size_t count = list(fake, fake_path(fake, a, ""), &left);

    assert_int_equal(count, list(other, fake_path(other, b, ""), &right));
    for (size_t i = 0; i < count; i++) {
        size_t size_a, size_b;
        char *bytes_a = fake_read(fake, fake_path(fake, a, left[i]), &size_a);
        char *bytes_b = fake_read(other, fake_path(other, b, right[i]), &size_b);

        assert_string_equal(left[i], right[i]);
        assert_int_equal(size_a, size_b);
        assert_memory_equal(bytes_a, bytes_b, size_a);
    }
}

static void same_bytes_twice(void **state)
{
    struct fake *fake = *state, other;

    fake_init(&other, NULL);
    build(fake, "a");
    build(&other, "somewhere else");
    same_folders(fake, "a", &other, "somewhere else");
    fake_release(&other);
}

static void all_files_are_there(void **state)
{
    static const char *const wanted[] = {"ATTRIBUTION.md", "CHECKSUMS",   "README.md",      "SHA256SUMS",
                                         "croissant.json", "labels.csv",  "manifest.jsonl", "metadata.csv",
                                         "release.json",   "sources.csv", "spec.yaml",      "wids-test.json",
                                         "wids-train.json"};
    struct fake *fake = *state;
    char **names;
    size_t count, shards = 0, found = 0;

    build(fake, "a");
    count = list(fake, fake_path(fake, "a", ""), &names);
    for (size_t i = 0; i < count; i++) {
        shards += strstr(names[i], ".tar.flac") != NULL;
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            found += strcmp(names[i], wanted[k]) == 0;
    }
    assert_int_equal(found, sizeof wanted / sizeof *wanted);
    assert_int_equal(count, found + shards);
    assert_true(shards > 4); /* more than one in each split */
    assert_true(vg_file_exists(fake_path(fake, "a", "fake-set-0.1.0-train-00000-of-00002.tar.flac")));
    count = list(fake, vg_path_join(&fake->arena, fake->folder, "a"), &names);
    assert_int_equal(count, 1); /* nothing is left beside it */
}

static void index_for_wids(void **state)
{
    struct fake *fake = *state;
    struct vg_about about;
    char *index, *entry;
    size_t count;

    build(fake, "a");
    index = fake_read(fake, fake_path(fake, "a", "wids-train.json"), &count);
    assert_int_equal(vg_about_read(&about, fake_path(fake, "a", ""), &fake->arena, &fake->err), VG_OK);
    assert_string_equal(about.shards[7].split, "train");
    entry =
        vg_arena_format(&fake->arena, "{\"filesize\":%llu,\"md5sum\":\"%s\",\"nsamples\":%zu,\"url\":\"%s\"}",
                        (unsigned long long)about.shards[7].bytes, about.shards[7].md5, about.shards[7].items,
                        about.shards[7].name);
    assert_non_null(
        strstr(index, "{\"__kind__\":\"wids-shard-index-v1\",\"name\":\"fake-set\",\"shardlist\":["));
    assert_non_null(strstr(index, entry));
    assert_null(strstr(index, "-test-"));
}

static void id_is_as_documented(void **state)
{
    struct fake *fake = *state;
    struct vg_text all = {0};
    struct vg_about about;
    char hex[VG_DIGEST_HEX];

    build(fake, "a");
    for (size_t i = 0; i < FAKE_ITEMS; i++)
        if (fake->records[i].excluded == NULL)
            vg_text_addf(&all, "%s %s\n", fake->records[i].audio_xxh128, fake->records[i].flac_xxh128);
    vg_text_add(&all, fake->spec_text.data);
    vg_digest_of(VG_XXH128, all.data, all.length, hex);
    assert_int_equal(vg_about_read(&about, fake_path(fake, "a", ""), &fake->arena, &fake->err), VG_OK);
    assert_string_equal(about.release_id, hex);
    assert_int_equal(about.items, FAKE_ITEMS - 2);
    assert_int_equal(about.sources, FAKE_SOURCES);
    assert_int_equal(about.sources_skipped, 1);
    assert_string_equal(about.date, "2026-02-03");
    assert_string_equal(about.tool, "vocalgrad");
    vg_text_release(&all);
}

static void rows_come_in_plan_order(void **state)
{
    struct fake *fake = *state;
    struct vg_rows rows = {0};
    struct vg_record record;
    bool end = false;
    size_t next = 0;

    build(fake, "a");
    assert_int_equal(vg_rows_open(&rows, fake_path(fake, "a", ""), &fake->err), VG_OK);
    for (;;) {
        assert_int_equal(vg_rows_next(&rows, &record, &end, &fake->err), VG_OK);
        if (end)
            break;
        while (fake->records[next].excluded != NULL)
            next++;
        assert_string_equal(record.key, fake->records[next].key);
        assert_int_equal(record.group, next / 8);
        assert_true(vg_file_exists(fake_path(fake, "a", record.shard)));
        next++;
    }
    assert_int_equal(next, FAKE_ITEMS);
    vg_rows_close(&rows);
}

/* A shard holds groups in plan order, each in the order of its keys, FLAC then JSON. */
static void shards_tell_nothing(void **state)
{
    struct fake *fake = *state;
    struct vg_about about;
    char last[128] = "";
    size_t members = 0;

    build(fake, "a");
    assert_int_equal(vg_about_read(&about, fake_path(fake, "a", ""), &fake->arena, &fake->err), VG_OK);
    for (size_t s = 0; s < about.shard_count; s++) {
        struct vg_shard_reader *reader = NULL;
        struct vg_member member;
        bool end = false;

        assert_int_equal(
            vg_shard_open(&reader, fake_path(fake, "a", about.shards[s].name), 1 << 20, &fake->err), VG_OK);
        for (;;) {
            assert_int_equal(vg_shard_next(reader, &member, &end, &fake->err), VG_OK);
            if (end)
                break;
            if (members % 2 == 1) {
                assert_int_equal(strncmp(last, member.name, strlen(member.name) - 4), 0);
                assert_string_equal(member.name + strlen(member.name) - 5, ".json");
            } else {
                assert_string_equal(member.name + strlen(member.name) - 5, ".flac");
                assert_null(strstr(member.name, "up"));
            }
            snprintf(last, sizeof last, "%s", member.name);
            members++;
        }
        vg_shard_close(reader);
        assert_true(about.shards[s].bytes <= 25000 + 10240);
    }
    assert_int_equal(members, 2 * (FAKE_ITEMS - 2));
}

static void items_are_found(void **state)
{
    struct fake *fake = *state;
    const struct vg_record *wanted = &fake->records[20]; /* echo of s1 */
    const char *folder;
    struct vg_rows rows = {0};
    struct vg_record record;
    char *bytes;
    size_t count;

    build(fake, "a");
    folder = fake_path(fake, "a", "");
    assert_int_equal(vg_rows_find(&rows, folder, wanted->key, &record, &fake->err), VG_OK);
    assert_string_equal(record.id, wanted->id);
    assert_int_equal(vg_record_extract(&record, folder, &fake->arena, &bytes, &count, &fake->err), VG_OK);
    assert_int_equal(count, fake->flacs[20].length);
    assert_memory_equal(bytes, fake->flacs[20].data, count);
    vg_rows_close(&rows);
    assert_int_equal(vg_rows_find(&rows, folder, "echo__s1__007__linear__high__up", &record, &fake->err),
                     VG_OK);
    assert_string_equal(record.key, wanted->key);
    vg_rows_close(&rows);
    assert_int_equal(vg_rows_find(&rows, folder, "s3__c3__jump__low__up", &record, &fake->err), VG_OK);
    assert_string_equal(record.category, "volume");
    vg_rows_close(&rows);
    assert_int_equal(vg_rows_find(&rows, folder, "s1__007__linear__high__up", &record, &fake->err), VG_USAGE);
    assert_true(fake_told(fake, "s1__007__linear__high__up", "id of 2 items"));
    vg_rows_close(&rows);
    assert_int_equal(vg_rows_find(&rows, folder, "nobody", &record, &fake->err), VG_USAGE);
    vg_rows_close(&rows);
}

static void hostile_shard_names_stay_inside(void **state)
{
    struct fake *fake = *state;
    struct vg_record record = fake->records[0];
    char *bytes;
    size_t count;

    record.shard = "../../etc/passwd";
    assert_int_equal(vg_record_extract(&record, fake->folder, &fake->arena, &bytes, &count, &fake->err),
                     VG_NO);
    assert_true(fake_told(fake, record.id, "is not a file name"));
}

/* ---- what is there already ----------------------------------------------------------------------------- */

static void again_is_fine(void **state)
{
    struct fake *fake = *state;
    char **names;

    build(fake, "a");
    build(fake, "a");
    assert_int_equal(list(fake, vg_path_join(&fake->arena, fake->folder, "a"), &names), 1);
}

static void a_difference_is_refused(void **state)
{
    struct fake *fake = *state;

    build(fake, "a");
    assert_int_equal(vg_file_put(fake_path(fake, "a", "README.md"), "x", 1, &fake->err), VG_OK);
    assert_int_equal(fake_build(fake, "a", false), VG_NO);
    assert_true(fake_told(fake, "fake-set-0.1.0", "its README.md differs"));
    assert_int_equal(fake_build(fake, "a", true), VG_OK);
    build(fake, "b");
    same_folders(fake, "a", fake, "b");
    assert_false(vg_folder_exists(vg_path_join(&fake->arena, fake->folder, "a/fake-set-0.1.0.old")));
}

static void another_spec_is_refused_at_once(void **state)
{
    struct fake *fake = *state;

    build(fake, "a");
    assert_int_equal(vg_file_put(fake_path(fake, "a", "spec.yaml"), "x", 1, &fake->err), VG_OK);
    assert_int_equal(fake_build(fake, "a", false), VG_IO);
    assert_true(fake_told(fake, "fake-set-0.1.0", "another spec"));
}

static void a_broken_replacement_is_undone(void **state)
{
    struct fake *fake = *state;
    const char *final = vg_path_join(&fake->arena, fake->folder, "a/fake-set-0.1.0");
    const char *old = vg_path_join(&fake->arena, fake->folder, "a/fake-set-0.1.0.old");

    build(fake, "a");
    assert_int_equal(vg_path_rename(final, old, &fake->err), VG_OK); /* killed between the two renames */
    build(fake, "a");
    assert_false(vg_folder_exists(old));
    assert_true(vg_folder_exists(final));
}

/* ---- what is not finished ------------------------------------------------------------------------------ */

static struct vg_release_options options_of(struct fake *fake)
{
    return (struct vg_release_options){.spec = &fake->spec, .spec_text = fake->spec_text.data};
}

static void abandoned_leaves_nothing(void **state)
{
    struct fake *fake = *state;
    struct vg_release_options options = options_of(fake);
    struct vg_release *release = NULL;
    char **names;

    assert_int_equal(vg_release_begin(&release, fake->folder, &options, &fake->err), VG_OK);
    assert_int_equal(vg_release_add(release, &fake->records[0], &fake->flacs[0], &fake->err), VG_OK);
    assert_int_equal(list(fake, fake->folder, &names), 1);
    vg_release_release(release);
    assert_int_equal(list(fake, fake->folder, &names), 0);
    vg_release_release(NULL);
}

static void a_killed_build_is_cleared(void **state)
{
    struct fake *fake = *state;
    pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (child == 0) {
        struct vg_release_options options = options_of(fake);
        struct vg_release *release = NULL;

        vg_release_begin(&release, vg_path_join(&fake->arena, fake->folder, "a"), &options, &fake->err);
        vg_release_add(release, &fake->records[0], &fake->flacs[0], &fake->err);
        _exit(7); /* as if killed: nothing is cleaned up */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_true(vg_folder_exists(vg_path_join(&fake->arena, fake->folder, "a/fake-set-0.1.0.tmp")));
    assert_false(vg_folder_exists(vg_path_join(&fake->arena, fake->folder, "a/fake-set-0.1.0")));
    build(fake, "a");
    build(fake, "b");
    same_folders(fake, "a", fake, "b");
}

/* The child holds the folder until it is told to go. */
static void hold(struct fake *fake, int ready, int go)
{
    struct vg_release_options options = options_of(fake);
    struct vg_release *release = NULL;
    char byte = 0;

    if (vg_release_begin(&release, fake->folder, &options, &fake->err) == VG_OK &&
        write(ready, &byte, 1) == 1 && read(go, &byte, 1) >= 0)
        vg_release_release(release);
    _exit(0);
}

static void two_builds_do_not_mix(void **state)
{
    struct fake *fake = *state;
    struct vg_release_options options = options_of(fake);
    struct vg_release *release = NULL;
    int ready[2], go[2];
    pid_t child;
    char byte;

    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(go), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(go[1]);
        hold(fake, ready[1], go[0]);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(vg_release_begin(&release, fake->folder, &options, &fake->err), VG_IO);
    assert_true(fake_told(fake, "fake-set-0.1.0.tmp", "another build"));
    vg_release_release(release);
    assert_true(vg_folder_exists(vg_path_join(&fake->arena, fake->folder, "fake-set-0.1.0.tmp")));
    close(go[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ready[0]);
    close(ready[1]);
    close(go[0]);
}

/* A full disk, as far as a process can have one of its own: files may not grow beyond `bytes`. */
static int build_on_full_disk(struct fake *fake, rlim_t bytes)
{
    struct rlimit limit = {bytes, bytes};
    char **names;
    size_t count = 1;
    int rc;

    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    rc = fake_build(fake, "full", false);
    if (vg_folder_list(vg_path_join(&fake->arena, fake->folder, "full"), &fake->arena, &names, &count,
                       &fake->err) != VG_OK)
        return 2;
    return rc == VG_IO && count == 0 && fake_told(fake, "fake-set-0.1.0.tmp/", "File too large") ? 0 : 3;
}

static void a_full_disk_leaves_nothing(void **state)
{
    static const rlim_t limits[] = {0, 5000, 21000, 40000}; /* the lock's folder, a shard, the manifest */
    int status;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        pid_t child = fork();

        assert_true(child >= 0);
        if (child == 0)
            _exit(build_on_full_disk(*state, limits[i]));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

/* ---- variants ------------------------------------------------------------------------------------------ */

static void tar_suffix_is_offered_to_the_hub(void **state)
{
    struct fake fake;
    size_t count;
    char *card;

    (void)state;
    fake_init(&fake, "pack.shard_suffix=.tar");
    build(&fake, "a");
    card = fake_read(&fake, fake_path(&fake, "a", "README.md"), &count);
    assert_non_null(strstr(card, "  - split: \"train\"\n    path: \"fake-set-"));
    assert_non_null(strstr(card, "-train-*.tar\"\n"));
    assert_non_null(strstr(card, "| built with | --set pack.shard\\_suffix=.tar |"));
    fake_release(&fake);
}

static void parts_have_their_own_folder(void **state)
{
    struct fake *fake = *state;
    struct vg_release_options options = options_of(fake);
    struct vg_release *release = NULL;

    options.part = 2;
    options.parts = 10;
    assert_int_equal(vg_release_begin(&release, fake->folder, &options, &fake->err), VG_OK);
    assert_non_null(strstr(vg_release_path(release), "/fake-set-0.1.0.part-00002-of-00010"));
    vg_release_release(release);
}

static void names_that_are_no_file_names(void **state)
{
    static const char *const bad[] = {"", "../x", "a/b", ".x", "-x", "a b", "caf\xc3\xa9"};
    struct fake *fake = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct vg_spec spec = fake->spec;
        struct vg_release_options options = {.spec = &spec, .spec_text = fake->spec_text.data};
        struct vg_release *release = NULL;

        spec.name = bad[i];
        assert_int_equal(vg_release_begin(&release, fake->folder, &options, &fake->err), VG_SPEC);
        vg_release_release(release);
    }
}

static void same_key_twice(void **state)
{
    struct fake *fake = *state;

    fake->records[9].key = fake->records[0].key; /* in another group */
    assert_int_equal(fake_build(fake, "a", false), VG_SPEC);
    assert_true(fake_told(fake, "", "two items have the same key"));
}

static void nowhere_to_write(void **state)
{
    struct fake *fake = *state;

    assert_int_equal(vg_file_put(vg_path_join(&fake->arena, fake->folder, "a"), "x", 1, &fake->err), VG_OK);
    assert_int_equal(fake_build(fake, "a", false), VG_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(same_bytes_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_files_are_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(index_for_wids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(id_is_as_documented, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_come_in_plan_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shards_tell_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(items_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_shard_names_stay_inside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(again_is_fine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_difference_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_spec_is_refused_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_broken_replacement_is_undone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(abandoned_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_killed_build_is_cleared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_builds_do_not_mix, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_nothing, set_up, tear_down),
        cmocka_unit_test(tar_suffix_is_offered_to_the_hub),
        cmocka_unit_test_setup_teardown(parts_have_their_own_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_that_are_no_file_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(same_key_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nowhere_to_write, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
