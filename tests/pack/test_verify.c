/* SPDX-License-Identifier: MIT */
/* The verifier: whole releases pass; every kind of tampering is found and named, with and without new sums.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int set_up(void **state)
{
    struct fake *fake = malloc(sizeof *fake);

    fake_init(fake, NULL);
    if (fake_build(fake, "a", false) != VG_OK) {
        fake_print(fake);
        return -1;
    }
    *state = fake;
    return 0;
}

static int tear_down(void **state)
{
    fake_release(*state);
    free(*state);
    return 0;
}

static struct vg_verify_result result;

static int verify(struct fake *fake, bool bytes, bool audio, unsigned jobs)
{
    struct vg_verify_options options = {.bytes = bytes, .audio = audio, .jobs = jobs};

    vg_error_release(&fake->err);
    return vg_release_verify(fake_path(fake, "a", ""), &options, &result, &fake->err);
}

static const char *path_of(struct fake *fake, const char *name)
{
    return fake_path(fake, "a", name);
}

static void put(struct fake *fake, const char *name, const char *bytes, size_t count)
{
    assert_int_equal(vg_file_put(path_of(fake, name), bytes, count, &fake->err), VG_OK);
}

/* New sums over whatever is there, as a careful forger would make them. */
static void reseal(struct fake *fake)
{
    struct vg_text checksums = {0}, sha256 = {0};
    struct vg_sum *sums;
    size_t count;

    assert_int_equal(vg_sums_of_folder(path_of(fake, ""), 1, &sums, &count, &fake->arena, &fake->err), VG_OK);
    vg_sums_checksums(sums, count, &checksums);
    vg_sums_sha256(sums, count, &checksums, &sha256);
    put(fake, "CHECKSUMS", checksums.data, checksums.length);
    put(fake, "SHA256SUMS", sha256.data, sha256.length);
    vg_text_release(&checksums);
    vg_text_release(&sha256);
}

/* Replaces the first `from` in a file; both may differ in length. */
static void replace(struct fake *fake, const char *name, const char *from, const char *to)
{
    size_t count;
    char *bytes = fake_read(fake, path_of(fake, name), &count), *found = strstr(bytes, from);
    struct vg_text text = {0};

    assert_non_null(found);
    vg_text_add_part(&text, bytes, (size_t)(found - bytes));
    vg_text_add(&text, to);
    vg_text_add(&text, found + strlen(from));
    put(fake, name, text.data, text.length);
    vg_text_release(&text);
}

static void told(struct fake *fake, const char *place, const char *words)
{
    if (!fake_told(fake, place, words))
        fake_print(fake);
    assert_true(fake_told(fake, place, words));
}

static const struct vg_record *kept(const struct fake *fake, size_t index)
{
    assert_null(fake->records[index].excluded);
    return &fake->records[index];
}

static const char *name_of(struct fake *fake, const struct vg_record *record)
{
    return vg_arena_format(&fake->arena, "%s__%s", record->category, record->id);
}

/* ---- whole --------------------------------------------------------------------------------------------- */

static void a_whole_release_passes(void **state)
{
    struct fake *fake = *state;
    struct vg_about about;

    for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
        int rc = verify(fake, true, true, jobs);

        fake_print(fake);
        assert_int_equal(rc, VG_OK);
        assert_int_equal(fake->err.count, 0);
        assert_int_equal(result.items, FAKE_ITEMS - 2);
        assert_int_equal(result.decoded, FAKE_ITEMS - 2);
        assert_int_equal(result.faults, 0);
    }
    assert_int_equal(vg_about_read(&about, path_of(fake, ""), &fake->arena, &fake->err), VG_OK);
    assert_string_equal(result.release_id, about.release_id);
    assert_int_equal(result.shards, about.shard_count);
}

static void a_signature_may_lie_beside(void **state)
{
    struct fake *fake = *state;

    put(fake, "SHA256SUMS.minisig", "x", 1);
    assert_int_equal(verify(fake, true, false, 1), VG_OK);
}

/* ---- without new sums ---------------------------------------------------------------------------------- */

/* The item whose members hold byte `at` of a shard, or NULL: the end of the file. */
static const char *item_at(struct fake *fake, const char *shard, size_t at)
{
    struct vg_shard_reader *reader = NULL;
    struct vg_member member;
    bool end = false;
    char *key = NULL;

    assert_int_equal(vg_shard_open(&reader, path_of(fake, shard), 1 << 20, &fake->err), VG_OK);
    while (vg_shard_next(reader, &member, &end, &fake->err) == VG_OK && !end)
        if (at >= member.offset - 512 && at < member.offset - 512 + vg_shard_member_bytes(member.count))
            key = vg_arena_text_part(&fake->arena, member.name, strcspn(member.name, "."));
    vg_shard_close(reader);
    for (size_t i = 0; key != NULL && i < FAKE_ITEMS; i++)
        if (strcmp(fake->records[i].key, key) == 0)
            return name_of(fake, &fake->records[i]);
    return NULL;
}

/* Padding behind a member's data belongs to no item's bytes. */
static bool is_padding(const char *bytes, size_t at, size_t count)
{
    for (size_t i = at; i < count && i % 512 != 0; i++)
        if (bytes[i] != 0)
            return false;
    return bytes[at] == 0 && at % 512 != 0 && at / 512 * 512 < at;
}

static void any_flipped_bit_is_named(void **state)
{
    struct fake *fake = *state;
    char **names;
    size_t files;

    assert_int_equal(vg_folder_list(path_of(fake, ""), &fake->arena, &names, &files, &fake->err), VG_OK);
    for (size_t f = 0; f < files; f++) {
        bool shard = strstr(names[f], ".tar") != NULL;
        size_t count;
        char *bytes = fake_read(fake, path_of(fake, names[f]), &count);
        size_t step = count / (shard ? 9 : 5) + 1;

        for (size_t at = 0; at < count; at += step + at % 7) {
            char *flipped = vg_arena_text_part(&fake->arena, bytes, count);
            const char *item;

            put(fake, names[f], bytes, count);
            item = shard ? item_at(fake, names[f], at) : NULL;
            flipped[at] = (char)(flipped[at] ^ (1 << at % 8));
            put(fake, names[f], flipped, count);
            assert_int_equal(verify(fake, true, false, 2), VG_NO);
            told(fake, names[f], "");
            if (item != NULL && !is_padding(bytes, at, count))
                told(fake, names[f], item);
        }
        put(fake, names[f], bytes, count);
    }
    assert_int_equal(verify(fake, true, true, 2), VG_OK);
}

static void missing_and_extra_files(void **state)
{
    struct fake *fake = *state;

    put(fake, "extra.txt", "x", 1);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "extra.txt", "extra file");
    assert_int_equal(fake->err.count, 1);
    assert_int_equal(unlink(path_of(fake, "extra.txt")), 0);
    assert_int_equal(unlink(path_of(fake, "labels.csv")), 0);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "labels.csv", "missing");
}

static void a_missing_list(void **state)
{
    struct fake *fake = *state;

    assert_int_equal(unlink(path_of(fake, "CHECKSUMS")), 0);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "CHECKSUMS", "missing");
    put(fake, "README.md", "x", 1);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "README.md", "altered");
    assert_int_equal(unlink(path_of(fake, "SHA256SUMS")), 0);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "SHA256SUMS", "missing");
}

static void a_renamed_file(void **state)
{
    struct fake *fake = *state;

    assert_int_equal(vg_path_rename(path_of(fake, "labels.csv"), path_of(fake, "label.csv"), &fake->err),
                     VG_OK);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "label.csv", "extra file");
    told(fake, "labels.csv", "missing");
}

static void lists_written_otherwise(void **state)
{
    struct fake *fake = *state;
    size_t count;
    char *bytes = fake_read(fake, path_of(fake, "SHA256SUMS"), &count);
    struct vg_text text = {0};

    vg_text_add(&text, bytes);
    vg_text_add(&text, bytes); /* every line twice */
    put(fake, "SHA256SUMS", text.data, text.length);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "SHA256SUMS", "altered");
    put(fake, "SHA256SUMS", bytes, count);
    replace(fake, "SHA256SUMS", "  README.md\n", "  README.md\r\n");
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "SHA256SUMS", "does not list README.md");
    vg_text_release(&text);
}

static void stale_lists(void **state)
{
    struct fake *fake = *state;
    size_t count;
    char *old = fake_read(fake, path_of(fake, "CHECKSUMS"), &count);

    put(fake, "README.md", "x", 1);
    reseal(fake);
    put(fake, "CHECKSUMS", old, count);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "CHECKSUMS", "wrong about README.md");
}

static void a_truncated_shard(void **state)
{
    struct fake *fake = *state;
    const char *shard = "fake-set-0.1.0-test-00001-of-00007.tar.flac", *last;
    size_t count;
    char *bytes = fake_read(fake, path_of(fake, shard), &count);

    last = item_at(fake, shard, 20000);
    put(fake, shard, bytes, 12345);
    assert_int_equal(verify(fake, true, true, 2), VG_NO);
    told(fake, shard, "altered");
    told(fake, shard, last);
    told(fake, shard, "not a readable tar file");
}

/* ---- with new sums
 * ----------------------------------------------------------------------------------------- */

static void swapped_labels(void **state)
{
    struct fake *fake = *state;
    const struct vg_record *record = kept(fake, 4);
    size_t count;
    char *bytes = fake_read(fake, path_of(fake, "manifest.jsonl"), &count);
    char *row = strstr(bytes, record->key), *label = strstr(row, "\"label\":\"increase\"");

    assert_non_null(label);
    memcpy(label + 9, "decrease", 8);
    put(fake, "manifest.jsonl", bytes, count);
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 2), VG_NO);
    told(fake, "metadata.csv", record->id);
    told(fake, ".tar.flac", name_of(fake, record));
    told(fake, "release.json", "manifest.jsonl");
}

static void a_removed_row(void **state)
{
    struct fake *fake = *state;
    const struct vg_record *record = kept(fake, 5);
    size_t count;
    char *bytes = fake_read(fake, path_of(fake, "manifest.jsonl"), &count), *row = strstr(bytes, record->key),
         *next;
    const char *key = vg_arena_text(&fake->arena, record->key);

    while (row[-1] != '\n')
        row--;
    next = strchr(row, '\n') + 1;
    memmove(row, next, count - (size_t)(next - bytes));
    put(fake, "manifest.jsonl", bytes, count - (size_t)(next - row));
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 2), VG_NO);
    told(fake, ".tar.flac", key);
    told(fake, "release.json", "other counts");
    told(fake, "release.json", "release id");
}

/* Writes a shard again with its members changed by `change`, which returns false to leave one out. */
static void rewrite(struct fake *fake, const char *name,
                    bool (*change)(struct fake *, size_t, const char **, const char **, size_t *))
{
    const char *path = path_of(fake, name), *beside = vg_arena_format(&fake->arena, "%s.new", path);
    struct vg_shard_reader *reader = NULL;
    struct vg_shard *shard = NULL;
    struct vg_shard_sums sums;
    struct vg_member member;
    bool end = false;

    assert_int_equal(vg_shard_open(&reader, path, 1 << 20, &fake->err), VG_OK);
    assert_int_equal(vg_shard_create(&shard, beside, &fake->err), VG_OK);
    for (size_t i = 0; vg_shard_next(reader, &member, &end, &fake->err) == VG_OK && !end; i++) {
        const char *member_name = member.name, *bytes = member.bytes;
        size_t count = member.count;

        if (change(fake, i, &member_name, &bytes, &count))
            assert_int_equal(vg_shard_add(shard, member_name, bytes, count, &fake->err), VG_OK);
    }
    vg_shard_close(reader);
    assert_int_equal(vg_shard_commit(shard, &sums, &fake->err), VG_OK);
    vg_shard_release(shard);
    assert_int_equal(vg_path_rename(beside, path, &fake->err), VG_OK);
    reseal(fake);
}

static const char first_shard[] = "fake-set-0.1.0-test-00000-of-00007.tar.flac";

static bool drop_first_pair(struct fake *fake, size_t i, const char **name, const char **bytes, size_t *count)
{
    (void)fake;
    (void)name;
    (void)bytes;
    (void)count;
    return i > 1;
}

static void a_removed_item(void **state)
{
    struct fake *fake = *state;
    const char *item = item_at(fake, first_shard, 0);

    rewrite(fake, first_shard, drop_first_pair);
    assert_int_equal(verify(fake, true, false, 2), VG_NO);
    told(fake, first_shard, item);
    told(fake, first_shard, ".flac is missing");
}

static bool drop_first_json(struct fake *fake, size_t i, const char **name, const char **bytes, size_t *count)
{
    (void)fake;
    (void)name;
    (void)bytes;
    (void)count;
    return i != 1;
}

static void a_removed_annotation(void **state)
{
    struct fake *fake = *state;

    rewrite(fake, first_shard, drop_first_json);
    assert_int_equal(verify(fake, true, false, 2), VG_NO);
    told(fake, first_shard, ".json is missing");
}

static bool rename_first(struct fake *fake, size_t i, const char **name, const char **bytes, size_t *count)
{
    (void)fake;
    (void)bytes;
    (void)count;
    if (i < 2)
        *name = i == 0 ? "extra.flac" : "extra.json";
    return true;
}

static void an_item_of_another_name(void **state)
{
    struct fake *fake = *state;
    const char *item = item_at(fake, first_shard, 0);

    rewrite(fake, first_shard, rename_first);
    assert_int_equal(verify(fake, true, false, 2), VG_NO);
    told(fake, first_shard, "extra.flac that the manifest does not list");
    told(fake, first_shard, item);
}

static bool swap_sounds(struct fake *fake, size_t i, const char **name, const char **bytes, size_t *count)
{
    static size_t other;

    (void)name;
    if (i == 0)
        for (other = 0; strcmp(fake->records[other].key,
                               vg_arena_text_part(&fake->arena, *name, strcspn(*name, "."))) == 0;)
            other++;
    if (i == 0) {
        *bytes = fake->flacs[other].data;
        *count = fake->flacs[other].length;
    }
    return true;
}

static void another_sound(void **state)
{
    struct fake *fake = *state;
    const char *item = item_at(fake, first_shard, 0);

    rewrite(fake, first_shard, swap_sounds);
    assert_int_equal(verify(fake, true, true, 2), VG_NO);
    told(fake, first_shard, item);
    told(fake, first_shard, ".flac has other bytes");
}

static struct vg_text encoded; /* of the first member, with the other profile */

static bool encode_otherwise(struct fake *fake, size_t i, const char **name, const char **bytes,
                             size_t *count)
{
    int16_t *samples;
    size_t frames;
    uint32_t rate;

    (void)name;
    if (i % 2 == 1)
        return true;
    assert_int_equal(
        vg_flac_decode(*bytes, *count, 1 << 20, &samples, &frames, &rate, &fake->arena, "x", &fake->err),
        VG_OK);
    assert_int_equal(vg_flac_encode(samples, frames, rate, true, &encoded, "x", &fake->err), VG_OK);
    *bytes = encoded.data;
    *count = encoded.length;
    return true;
}

/* The same samples from another encoder: the bytes are not what was said, the sound is. */
static void another_encoder(void **state)
{
    struct fake *fake = *state;

    rewrite(fake, first_shard, encode_otherwise);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, first_shard, ".flac has other bytes");
    assert_int_equal(verify(fake, true, true, 1), VG_NO);
    told(fake, first_shard, "and the same samples: another encoder");
    assert_int_equal(verify(fake, false, true, 1), VG_OK);
    told(fake, "", "other bytes than the manifest says and the same samples: another encoder");
    assert_int_equal(result.decoded, FAKE_ITEMS - 2);
    assert_true(result.reencoded > 0);
    vg_text_release(&encoded);
}

static void altered_tables(void **state)
{
    struct fake *fake = *state;

    replace(fake, "metadata.csv", ",increase,", ",decrease,");
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "metadata.csv", "the row of item volume__s1__007__linear__low__up");
    assert_int_equal(fake_build(fake, "a", true), VG_OK);
    replace(fake, "labels.csv", ",confirmed,yes,", ",confirmed,no,");
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "labels.csv", "the row of item volume__s1__007__linear__low__up");
    assert_int_equal(fake_build(fake, "a", true), VG_OK);
    replace(fake, "labels.csv", ",no_change\n", ",\"\"\n"); /* an excluded item taken in */
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "labels.csv", "is not what the manifest says");
}

static void altered_facts(void **state)
{
    struct fake *fake = *state;

    replace(fake, "sources.csv", fake->rows[0].facts.audio_xxh128, "00000000000000000000000000000000");
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "manifest.jsonl", "its source s1 has the samples");
    assert_int_equal(fake_build(fake, "a", true), VG_OK);
    replace(fake, "sources.csv", "s3,c3", "s9,c3");
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "manifest.jsonl", "the source s3, which sources.csv does not list");
    assert_int_equal(fake_build(fake, "a", true), VG_OK);
    replace(fake, "spec.yaml", "seed: \"42\"", "seed: \"43\"");
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "release.json", "release id");
    told(fake, "release.json", "spec.yaml");
    told(fake, "croissant.json", "spec.yaml");
    assert_int_equal(fake_build(fake, "a", true), VG_OK);
    replace(fake, "release.json", "\"excluded\":2", "\"excluded\":0");
    reseal(fake);
    assert_int_equal(verify(fake, true, false, 1), VG_NO);
    told(fake, "release.json", "other counts");
}

static void a_false_peak_and_length(void **state)
{
    struct fake *fake = *state;
    char *from = vg_arena_format(&fake->arena, "\"peak\":%u,", fake->records[0].peak);

    replace(fake, "manifest.jsonl", from, "\"peak\":7,");
    reseal(fake);
    assert_int_equal(verify(fake, false, true, 1), VG_NO);
    told(fake, ".tar.flac", "the manifest says 7");
}

static void a_false_silence(void **state)
{
    struct fake *fake = *state;
    char *from = vg_arena_format(&fake->arena, "\"silence_head_frames\":%zu,", fake->records[0].silence_head);

    replace(fake, "manifest.jsonl", from, "\"silence_head_frames\":77,");
    reseal(fake);
    assert_int_equal(verify(fake, false, true, 1), VG_NO);
    told(fake, ".tar.flac", "its rms or silence");
}

static void no_release_at_all(void **state)
{
    struct fake *fake = *state;
    struct vg_verify_options options = {true, true, 1};

    assert_int_equal(vg_release_verify("/nonexistent", &options, &result, &fake->err), VG_IO);
    assert_int_equal(vg_release_verify(fake->folder, &options, &result, &fake->err), VG_NO);
    told(fake, "CHECKSUMS", "missing");
    assert_int_equal(unlink(path_of(fake, "release.json")), 0);
    assert_int_equal(verify(fake, false, true, 1), VG_NO);
    told(fake, "release.json", "missing");
    put(fake, "release.json", "[1,2", 4);
    assert_int_equal(verify(fake, false, true, 1), VG_NO);
    told(fake, "release.json", "not JSON");
    put(fake, "release.json", "{}", 2);
    assert_int_equal(verify(fake, false, true, 1), VG_NO);
    told(fake, "release.json", "not a vocalgrad release");
    put(fake, "manifest.jsonl", "", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_whole_release_passes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_signature_may_lie_beside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_flipped_bit_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_and_extra_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_missing_list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_renamed_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists_written_otherwise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stale_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_truncated_shard, set_up, tear_down),
        cmocka_unit_test_setup_teardown(swapped_labels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_removed_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_removed_item, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_removed_annotation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_item_of_another_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_sound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_encoder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(altered_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(altered_facts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_false_peak_and_length, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_false_silence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_release_at_all, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
