/* SPDX-License-Identifier: MIT */
/* What release.json and croissant.json state of other files, held against those files. */
#include "verify.h"

#include <jansson.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 64 << 20 };

static const struct vg_sum *find_sum(const struct vg_checking *checking, const char *name)
{
    for (size_t i = 0; i < checking->sum_count; i++)
        if (strcmp(checking->sums[i].name, name) == 0)
            return &checking->sums[i];
    return NULL;
}

/* Of a file that is altered itself nothing more is said. */
static void check_stated(struct vg_checking *checking, const struct vg_sum *sum, const char *stated,
                         const char *actual, const char *in, struct vg_error *err)
{
    if (!sum->altered && (stated == NULL || strcmp(stated, actual) != 0))
        vg_fail(err, VG_NO, vg_checking_path(checking, in),
                "states another digest for %s than the file has (%s)", sum->name, actual);
}

static void check_shard_digests(struct vg_checking *checking, struct vg_error *err)
{
    for (size_t i = 0; i < checking->about.shard_count; i++) {
        const struct vg_about_shard *shard = &checking->about.shards[i];
        const struct vg_sum *sum = find_sum(checking, shard->name);

        if (sum == NULL) {
            vg_fail(err, VG_NO, vg_checking_path(checking, shard->name),
                    "is a shard of release.json and missing");
            continue;
        }
        check_stated(checking, sum, shard->sha256, sum->sha256, "release.json", err);
        check_stated(checking, sum, shard->xxh128, sum->xxh128, "release.json", err);
    }
}

static void check_file_digests(struct vg_checking *checking, struct vg_error *err)
{
    const struct vg_sum *manifest = find_sum(checking, "manifest.jsonl"),
                        *spec = find_sum(checking, "spec.yaml");

    if (manifest != NULL)
        check_stated(checking, manifest, checking->about.manifest_xxh128, manifest->xxh128, "release.json",
                     err);
    if (spec != NULL)
        check_stated(checking, spec, checking->about.spec_xxh128, spec->xxh128, "release.json", err);
}

/* release.json is canonical and `counts` its first key: the text can be compared as it stands. */
static void check_counts(struct vg_checking *checking, struct vg_error *err)
{
    static const char head[] = "{\"counts\":";
    const char *path = vg_checking_path(checking, "release.json");
    struct vg_text wanted = {0};
    char *bytes;
    size_t count;

    if (!checking->whole_manifest ||
        vg_file_get(path, TEXT_BYTES_MAX, &checking->arena, &bytes, &count, err) != VG_OK)
        return;
    vg_text_add(&wanted, head);
    vg_about_counts(&checking->about, &checking->summary, &wanted);
    if (count < wanted.length || memcmp(bytes, wanted.data, wanted.length) != 0)
        vg_fail(err, VG_NO, path, "states other counts than manifest.jsonl and labels.csv give: %s",
                wanted.data + sizeof head - 1);
    vg_text_release(&wanted);
}

static void check_croissant(struct vg_checking *checking, struct vg_error *err)
{
    const char *name = "croissant.json", *path = vg_checking_path(checking, name);
    char *bytes;
    size_t count;
    json_error_t fault;
    json_t *root, *files;

    if (!vg_file_exists(path) ||
        vg_file_get(path, TEXT_BYTES_MAX, &checking->arena, &bytes, &count, err) != VG_OK)
        return;
    root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &fault);
    if (root == NULL) {
        vg_fail(err, VG_NO, path, "is not JSON: %s (byte %d)", fault.text, fault.position);
        return;
    }
    files = json_object_get(root, "distribution");
    for (size_t i = 0; i < json_array_size(files); i++) {
        const json_t *file = json_array_get(files, i);
        const char *stated = json_string_value(json_object_get(file, "sha256"));
        const char *id = json_string_value(json_object_get(file, "@id"));
        const struct vg_sum *sum = id != NULL ? find_sum(checking, id) : NULL;

        if (stated != NULL && sum != NULL)
            check_stated(checking, sum, stated, sum->sha256, name, err);
        else if (stated != NULL)
            vg_fail(err, VG_NO, path, "lists a file that is not there: %s",
                    id != NULL ? id : "(without @id)");
    }
    json_decref(root);
}

void vg_check_texts(struct vg_checking *checking)
{
    struct vg_error local = {0};

    check_shard_digests(checking, &local);
    check_file_digests(checking, &local);
    check_counts(checking, &local);
    check_croissant(checking, &local);
    vg_checking_gather(checking, &local);
}
