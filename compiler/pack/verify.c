/* SPDX-License-Identifier: MIT */
/* Checks a release from the outside in: every file against the two sum files, the manifest against the
 * tables, the shards against the manifest, the sound against its digests.  Every step goes on as far as it
 * can, so that one run names all that is wrong. */
#include "verify.h"

#include <stdlib.h>

enum { TOLD_MAX = 500 }; /* diagnostics kept; all are counted */

static void note_code(struct vg_checking *checking, int code)
{
    if (code != VG_OK && (checking->worst == VG_OK || code == VG_IO))
        checking->worst = code == VG_IO ? VG_IO : VG_NO;
}

void vg_checking_gather(struct vg_checking *checking, struct vg_error *from)
{
    size_t faults = 0;

    for (size_t i = 0; i < from->count; i++) {
        note_code(checking, from->issues[i].code);
        faults += from->issues[i].code != VG_OK;
    }
    if (checking->result->faults < TOLD_MAX)
        vg_error_move(checking->err, from);
    checking->result->faults += faults;
    vg_error_release(from);
}

const char *vg_checking_path(struct vg_checking *checking, const char *name)
{
    return vg_path_join(&checking->arena, checking->folder, name);
}

static void check_files(struct vg_checking *checking)
{
    struct vg_error local = {0};
    int rc = vg_sums_of_folder(checking->folder, checking->options->jobs, &checking->sums,
                               &checking->sum_count, &checking->arena, &local);

    if (rc != VG_IO)
        (void)vg_sums_check(checking->folder, checking->sums, checking->sum_count, &local);
    checking->result->files = checking->sum_count + 2;
    for (size_t i = 0; i < checking->sum_count; i++)
        checking->result->bytes += checking->sums[i].bytes;
    vg_checking_gather(checking, &local);
}

/* What is missing was told by the check of the sums; without it, it is told here. */
static bool is_there(struct vg_checking *checking, const char *name)
{
    struct vg_error local = {0};
    const char *path = vg_checking_path(checking, name);

    if (vg_file_exists(path))
        return true;
    if (!checking->options->bytes)
        vg_fail(&local, VG_NO, path, "is missing");
    vg_checking_gather(checking, &local);
    return false;
}

static bool read_about(struct vg_checking *checking)
{
    struct vg_error local = {0};
    int rc;

    if (!is_there(checking, "release.json"))
        return false;
    rc = vg_about_read(&checking->about, checking->folder, &checking->arena, &local);
    vg_checking_gather(checking, &local);
    checking->result->shards = checking->about.shard_count;
    return rc == VG_OK;
}

static void check_contents(struct vg_checking *checking)
{
    if (!read_about(checking) || !is_there(checking, "manifest.jsonl"))
        return;
    vg_check_rows(checking);
    if (checking->options->bytes)
        vg_check_texts(checking);
    vg_check_shards(checking);
    if (checking->options->audio)
        vg_check_audio(checking);
    if (checking->result->reencoded > 0 && !checking->options->bytes)
        vg_warn(checking->err, checking->folder,
                "%zu of %zu FLAC files have other bytes than the manifest says and the same samples: another "
                "encoder, or another version of it",
                checking->result->reencoded, checking->result->items);
}

int vg_release_verify(const char *folder, const struct vg_verify_options *options,
                      struct vg_verify_result *result, struct vg_error *err)
{
    struct vg_checking checking = {.folder = folder, .options = options, .result = result, .err = err};

    *result = (struct vg_verify_result){0};
    if (!vg_folder_exists(folder))
        return vg_fail(err, VG_IO, folder, "is no folder; expected a release");
    if (options->bytes)
        check_files(&checking);
    if (options->bytes || options->audio)
        check_contents(&checking);
    if (result->faults > TOLD_MAX)
        vg_fail(err, VG_NO, folder, "has %zu faults; not all of them are listed", result->faults);
    free(checking.items);
    vg_summary_release(&checking.summary);
    vg_arena_release(&checking.arena);
    return checking.worst;
}
