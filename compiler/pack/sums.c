/* SPDX-License-Identifier: MIT */
/* CHECKSUMS and SHA256SUMS: digests of a folder's files, and the exact text of both lists. */
#include "inside.h"

#include <string.h>

const char vg_checksums_name[] = "CHECKSUMS", vg_sha256sums_name[] = "SHA256SUMS";

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);

    return length > end_length && strcmp(name + length - end_length, end) == 0;
}

bool vg_sums_is_signature(const char *name)
{
    return ends_with(name, ".minisig") || ends_with(name, ".sig") || strcmp(name, vg_provenance_name) == 0;
}

static bool is_listed(const char *name)
{
    return strcmp(name, vg_checksums_name) != 0 && strcmp(name, vg_sha256sums_name) != 0 &&
           strcmp(name, ".lock") != 0 && !vg_sums_is_signature(name);
}

/* ---- making ----------------------------------------------------------------------------------------- */

static int digest_both(const char *path, struct vg_sum *sum, struct vg_error *err)
{
    unsigned char piece[1 << 16];
    struct vg_digest xxh128, sha256;
    FILE *stream = vg_file_open(path);
    size_t got;
    bool broken;

    if (stream == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot open");
    vg_digest_init(&xxh128, VG_XXH128);
    vg_digest_init(&sha256, VG_SHA256);
    while ((got = fread(piece, 1, sizeof piece, stream)) > 0) {
        vg_digest_add(&xxh128, piece, got);
        vg_digest_add(&sha256, piece, got);
        sum->bytes += got;
    }
    broken = ferror(stream) != 0;
    vg_digest_finish(&xxh128, sum->xxh128);
    vg_digest_finish(&sha256, sum->sha256);
    fclose(stream);
    return broken ? vg_fail_errno(err, VG_IO, path, "cannot read") : VG_OK;
}

struct digest_job {
    char **paths;
    struct vg_sum *sums;
    struct vg_error *errors; /* one a file: workers do not share a list */
};

static int digest_one(void *context, unsigned worker, size_t index)
{
    struct digest_job *job = context;

    (void)worker;
    return digest_both(job->paths[index], &job->sums[index], &job->errors[index]);
}

static int digest_all(struct digest_job *job, size_t count, unsigned jobs, struct vg_error *err)
{
    int rc = VG_OK;

    if (count > 0)
        rc = vg_pool_run(&(struct vg_pool_job){.context = job,
                                               .count = count,
                                               .jobs = jobs > 0 ? jobs : 1,
                                               .window = count,
                                               .work = digest_one});
    for (size_t i = 0; i < count; i++) {
        vg_error_move(err, &job->errors[i]);
        vg_error_release(&job->errors[i]);
    }
    return rc;
}

int vg_sums_of_folder(const char *folder, unsigned jobs, struct vg_sum **sums, size_t *count,
                      struct vg_arena *arena, struct vg_error *err)
{
    struct digest_job job;
    char **names;
    size_t all, kept = 0;
    int rc = vg_folder_list(folder, arena, &names, &all, err), digested;

    *count = 0;
    if (rc != VG_OK)
        return rc;
    job.paths = vg_arena_take(arena, all + 1, sizeof *job.paths);
    job.sums = vg_arena_take_zero(arena, all + 1, sizeof *job.sums);
    job.errors = vg_arena_take_zero(arena, all + 1, sizeof *job.errors);
    for (size_t i = 0; i < all; i++) {
        char *path = vg_path_join(arena, folder, names[i]);

        if (!is_listed(names[i]))
            continue;
        if (!vg_file_exists(path)) {
            rc = vg_fail(err, VG_NO, path, "is no regular file; a release holds nothing else");
            continue;
        }
        job.paths[kept] = path;
        job.sums[kept++].name = names[i];
    }
    *sums = job.sums;
    *count = kept;
    digested = digest_all(&job, kept, jobs, err);
    return digested != VG_OK ? digested : rc;
}

static void add_line(struct vg_text *out, const char *hex, const char *name)
{
    vg_text_addf(out, "%s  %s\n", hex, name);
}

void vg_sums_checksums(const struct vg_sum *sums, size_t count, struct vg_text *out)
{
    for (size_t i = 0; i < count; i++)
        add_line(out, sums[i].xxh128, sums[i].name);
}

void vg_sums_sha256(const struct vg_sum *sums, size_t count, const struct vg_text *checksums,
                    struct vg_text *out)
{
    char hex[VG_DIGEST_HEX];
    bool added = false;

    vg_digest_of(VG_SHA256, vg_text_or_empty(checksums), checksums->length, hex);
    for (size_t i = 0; i < count; i++) {
        if (!added && strcmp(sums[i].name, vg_checksums_name) > 0) {
            add_line(out, hex, vg_checksums_name);
            added = true;
        }
        add_line(out, sums[i].sha256, sums[i].name);
    }
    if (!added)
        add_line(out, hex, vg_checksums_name);
}
