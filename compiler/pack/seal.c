/* SPDX-License-Identifier: MIT */
/* Seals a release that is otherwise complete: digests of every file as the disk gives it back, croissant.json
 * that states them, then the two lists, read back. */
#include "inside.h"

#include <string.h>

int vg_release_put(struct vg_release *release, const char *name, const struct vg_text *text,
                   struct vg_error *err)
{
    return vg_file_put(vg_building_file(&release->building, name), vg_text_or_empty(text), text->length, err);
}

/* The shards were digested while they were written; what the disk gives back must be that. */
static int check_shards(const struct vg_about *about, const struct vg_sum *sums, size_t count,
                        const char *folder, struct vg_error *err)
{
    for (size_t i = 0; i < about->shard_count; i++)
        for (size_t k = 0; k < count; k++)
            if (strcmp(about->shards[i].name, sums[k].name) == 0 &&
                strcmp(about->shards[i].sha256, sums[k].sha256) != 0)
                return vg_fail(err, VG_IO, folder,
                               "%s reads back other bytes than were written: is the disk sound?",
                               sums[k].name);
    return VG_OK;
}

static int write_croissant(struct vg_release *release, const struct vg_story *story, struct vg_sum **sums,
                           size_t *count, struct vg_error *err)
{
    const char *name = "croissant.json";
    struct vg_text text = {0};
    struct vg_sum own = {.name = name}, *all = vg_arena_take(&release->arena, *count + 1, sizeof *all);
    size_t at = 0;
    int rc;

    vg_croissant_write(story, *sums, *count, &text);
    rc = vg_release_put(release, name, &text, err);
    vg_digest_of(VG_XXH128, text.data, text.length, own.xxh128);
    vg_digest_of(VG_SHA256, text.data, text.length, own.sha256);
    vg_text_release(&text);
    while (at < *count && strcmp((*sums)[at].name, name) < 0)
        at++;
    memcpy(all, *sums, at * sizeof *all);
    all[at] = own;
    memcpy(all + at + 1, *sums + at, (*count - at) * sizeof *all);
    *sums = all;
    ++*count;
    return rc;
}

static int write_sums(struct vg_release *release, struct vg_sum *sums, size_t count, struct vg_error *err)
{
    struct vg_text checksums = {0}, sha256 = {0};
    int rc;

    vg_sums_checksums(sums, count, &checksums);
    vg_sums_sha256(sums, count, &checksums, &sha256);
    rc = vg_release_put(release, vg_checksums_name, &checksums, err);
    if (rc == VG_OK)
        rc = vg_release_put(release, vg_sha256sums_name, &sha256, err);
    vg_text_release(&checksums);
    vg_text_release(&sha256);
    return rc == VG_OK ? vg_sums_check(release->building.temporary, sums, count, err) : rc;
}

int vg_release_seal(struct vg_release *release, const struct vg_story *story, struct vg_error *err)
{
    const char *folder = release->building.temporary;
    struct vg_sum *sums;
    size_t count;
    int rc = vg_sums_of_folder(folder, vg_pool_default_jobs(), &sums, &count, &release->arena, err);

    if (rc == VG_OK)
        rc = check_shards(story->about, sums, count, folder, err);
    if (rc == VG_OK)
        rc = write_croissant(release, story, &sums, &count, err);
    return rc == VG_OK ? write_sums(release, sums, count, err) : rc;
}
