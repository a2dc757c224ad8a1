/* SPDX-License-Identifier: MIT */
/* Lays a release out.  Manifest and shards are read side by side, group by group (one category of one
 * source): the rows say where each item goes, the shard holds the same items in its own order.  Memory holds
 * one group. */
#include "laying.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One item of the group, between its row and its member. */
struct waiting {
    const char *key, *path, *twin, *place;
    char flac_xxh128[VG_DIGEST_HEX], audio_xxh128[VG_DIGEST_HEX];
    size_t frames;
    const char *bytes; /* NULL until its member came */
    size_t count;
};
struct group {
    struct vg_arena arena;
    struct waiting *at;
    size_t count, room, number;
};
struct unpacking {
    struct vg_laying laying;
    const struct vg_unpack_options *options;
    struct group group;
    struct vg_shard_reader *reader;
    size_t shard;             /* the next to open */
    struct vg_arena *scratch; /* one a worker */
    struct vg_error *errors;  /* one an item of the group */
};

/* ---- one file ------------------------------------------------------------------------------------------ */

/* Not flushed: vg_folder_sync_all does that at the end, when most of the bytes are on the disk already. */
static int write_plain(const char *path, const void *bytes, size_t count, struct vg_error *err)
{
    FILE *stream = fopen(path, "wb");
    bool fine;

    if (stream == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot create");
    fine = fwrite(bytes, 1, count, stream) == count;
    fine = fclose(stream) == 0 && fine;
    return fine ? VG_OK : vg_fail_errno(err, VG_IO, path, "cannot write");
}

static int check_digest(const struct waiting *item, const char *found, const char *wanted, const char *what,
                        struct vg_error *err)
{
    if (strcmp(found, wanted) == 0)
        return VG_OK;
    return vg_fail(err, VG_NO, item->place, "%s of %s: XXH128 %s; the manifest says %s; verify the release",
                   what, item->key, found, wanted);
}

static int convert(const struct waiting *item, struct vg_arena *scratch, struct vg_text *wav,
                   struct vg_error *err)
{
    char hex[VG_DIGEST_HEX];
    int16_t *samples;
    size_t frames;
    uint32_t rate_hz;
    int rc = vg_flac_decode(item->bytes, item->count, item->frames, &samples, &frames, &rate_hz, scratch,
                            item->place, err);

    if (rc != VG_OK)
        return rc;
    vg_digest_of_samples(VG_XXH128, samples, frames, hex);
    vg_wav_encode(samples, frames, rate_hz, wav);
    return check_digest(item, hex, item->audio_xxh128, "the samples", err);
}

static int write_item(void *context, unsigned worker, size_t index)
{
    struct unpacking *u = context;
    const struct waiting *item = &u->group.at[index];
    struct vg_error *err = &u->errors[index];
    struct vg_arena_mark empty = {0};
    struct vg_text wav = {0};
    char hex[VG_DIGEST_HEX];
    int rc;

    vg_arena_rewind(&u->scratch[worker], empty);
    vg_digest_of(VG_XXH128, item->bytes, item->count, hex);
    rc = check_digest(item, hex, item->flac_xxh128, "the FLAC file", err);
    if (rc == VG_OK && strcmp(u->laying.ending, "wav") == 0) {
        rc = convert(item, &u->scratch[worker], &wav, err);
        if (rc == VG_OK)
            rc = write_plain(item->path, wav.data, wav.length, err);
    } else if (rc == VG_OK) {
        rc = write_plain(item->path, item->bytes, item->count, err);
    }
    if (rc == VG_OK && item->twin != NULL && link(item->path, item->twin) != 0)
        rc = vg_fail_errno(err, VG_IO, item->twin, "cannot link to %s", item->path);
    vg_text_release(&wav);
    return rc;
}

/* ---- one group
 * --------------------------------------------------------------------------------------------- */

static int open_next_shard(struct unpacking *u, struct vg_error *err)
{
    struct vg_laying *laying = &u->laying;
    const char *name;

    vg_shard_close(u->reader);
    u->reader = NULL;
    if (u->shard == laying->about.shard_count)
        return vg_fail(err, VG_NO, laying->release, "its shards end before its manifest; verify the release");
    name = laying->about.shards[u->shard++].name;
    return vg_shard_open(&u->reader, vg_path_join(&laying->arena, laying->release, name), VG_MEMBER_BYTES_MAX,
                         err);
}

static int next_member(struct unpacking *u, struct vg_member *member, struct vg_error *err)
{
    bool end = true;
    int rc = VG_OK;

    if (u->reader != NULL)
        rc = vg_shard_next(u->reader, member, &end, err);
    while (rc == VG_OK && end) {
        rc = open_next_shard(u, err);
        if (rc == VG_OK)
            rc = vg_shard_next(u->reader, member, &end, err);
    }
    return rc;
}

static struct waiting *find_waiting(struct group *group, const struct vg_member *member)
{
    for (size_t i = 0; i < group->count; i++) {
        size_t length = strlen(group->at[i].key);

        if (strncmp(member->name, group->at[i].key, length) == 0 &&
            strcmp(member->name + length, ".flac") == 0 && group->at[i].bytes == NULL)
            return &group->at[i];
    }
    return NULL;
}

static int read_members(struct unpacking *u, struct vg_error *err)
{
    for (size_t got = 0; got < u->group.count;) {
        struct vg_member member;
        struct waiting *item;
        int rc = next_member(u, &member, err);

        if (rc != VG_OK)
            return rc;
        if (strcmp(member.name + strcspn(member.name, "."), ".json") == 0)
            continue; /* the annotation: the manifest says the same */
        item = find_waiting(&u->group, &member);
        if (item == NULL)
            return vg_fail(err, VG_NO, u->laying.release,
                           "a shard has %s where the manifest has another item; verify the release",
                           member.name);
        item->bytes = vg_arena_text_part(&u->group.arena, member.bytes, member.count);
        item->count = member.count;
        got++;
    }
    return VG_OK;
}

static int write_group(struct unpacking *u, struct vg_error *err)
{
    struct vg_arena_mark empty = {0};
    size_t count = u->group.count;
    int rc = read_members(u, err);

    if (rc == VG_OK && count > 0) {
        u->errors = vg_arena_take_zero(&u->group.arena, count, sizeof *u->errors);
        rc = vg_pool_run(&(struct vg_pool_job){
            .context = u, .count = count, .jobs = u->options->jobs, .window = count, .work = write_item});
        for (size_t i = 0; i < count; i++) {
            vg_error_move(err, &u->errors[i]);
            vg_error_release(&u->errors[i]);
        }
    }
    vg_arena_rewind(&u->group.arena, empty);
    u->group.at = NULL;
    u->group.count = u->group.room = 0;
    if (u->options->progress != NULL)
        u->options->progress(u->options->context, u->laying.index, u->laying.about.items);
    return rc;
}

static struct waiting *add_waiting(struct group *group)
{
    struct waiting *old = group->at;

    if (group->count == group->room) {
        group->room = group->room > 0 ? 2 * group->room : 32;
        group->at = vg_arena_take_zero(&group->arena, group->room, sizeof *group->at);
        if (old != NULL)
            memcpy(group->at, old, group->count * sizeof *old);
    }
    return &group->at[group->count++];
}

/* ---- all of it
 * ----------------------------------------------------------------------------------------------- */

static int make_folder_of(const char *path, struct vg_text *last, struct vg_arena *arena,
                          struct vg_error *err)
{
    const char *folder = vg_path_folder(arena, path);

    if (strcmp(vg_text_or_empty(last), folder) == 0)
        return VG_OK;
    vg_text_clear(last);
    vg_text_add(last, folder);
    return vg_folder_make(folder, err);
}

static int take_row(struct unpacking *u, const struct vg_record *record, struct vg_error *err)
{
    struct vg_laying *laying = &u->laying;
    struct vg_text path = {0}, twin = {0}, last = {0};
    struct waiting *item = add_waiting(&u->group);
    struct vg_arena *arena = &u->group.arena;
    int rc;

    u->options->layout->place(laying, record, &path, &twin);
    item->key = vg_arena_text(arena, record->key);
    item->place = vg_arena_format(arena, "%s/%s", laying->release, record->shard);
    item->path = vg_path_join(arena, laying->building.temporary, path.data);
    item->frames = record->frames;
    memcpy(item->flac_xxh128, record->flac_xxh128, sizeof item->flac_xxh128);
    memcpy(item->audio_xxh128, record->audio_xxh128, sizeof item->audio_xxh128);
    if (twin.length > 0)
        item->twin = vg_path_join(arena, laying->building.temporary, twin.data);
    rc = make_folder_of(item->path, &last, arena, err);
    if (rc == VG_OK && item->twin != NULL)
        rc = make_folder_of(item->twin, &last, arena, err);
    if (rc == VG_OK)
        rc = u->options->layout->row(laying, record, path.data, vg_text_or_empty(&twin), err);
    laying->index++;
    laying->split_index++;
    vg_text_release(&path);
    vg_text_release(&twin);
    vg_text_release(&last);
    return rc;
}

static int walk(struct unpacking *u, struct vg_error *err)
{
    struct vg_rows rows = {0};
    struct vg_text split = {0};
    bool end = false;
    int rc = vg_rows_open(&rows, u->laying.release, err);

    while (rc == VG_OK && !end) {
        struct vg_record record;

        rc = vg_rows_next(&rows, &record, &end, err);
        if (rc == VG_OK && u->group.count > 0 && (end || record.group != u->group.number))
            rc = write_group(u, err);
        if (rc != VG_OK || end)
            break;
        if (strcmp(vg_text_or_empty(&split), record.split) != 0)
            u->laying.split_index = 0;
        vg_text_clear(&split);
        vg_text_add(&split, record.split);
        u->group.number = record.group;
        rc = take_row(u, &record, err);
    }
    vg_text_release(&split);
    vg_rows_close(&rows);
    return rc;
}

static int finish(struct unpacking *u, struct vg_error *err)
{
    struct vg_laying *laying = &u->laying;
    int rc = VG_OK;

    if (laying->table.stream != NULL)
        rc = vg_file_commit(&laying->table, err);
    if (rc == VG_OK && laying->part.stream != NULL)
        rc = vg_file_commit(&laying->part, err);
    if (rc == VG_OK)
        rc = vg_laying_copy_texts(laying, err);
    if (rc == VG_OK && u->options->layout->end != NULL)
        rc = u->options->layout->end(laying, err);
    if (rc == VG_OK)
        rc = vg_folder_sync_all(laying->building.temporary, err);
    return rc == VG_OK ? vg_building_install(&laying->building, false, err) : rc;
}

/* An empty folder may be given: what makes one to unpack into need not remove it first. */
static int check_folder(const char *folder, struct vg_arena *arena, struct vg_error *err)
{
    char **names;
    size_t count;

    if (vg_folder_exists(folder)) {
        if (vg_folder_list(folder, arena, &names, &count, err) != VG_OK)
            return VG_IO;
        if (count == 0)
            return vg_folder_remove(folder, err);
    }
    if (vg_folder_exists(folder) || vg_file_exists(folder))
        return vg_fail(err, VG_IO, folder, "is already there; give a folder that does not exist or is empty");
    return VG_OK;
}

static void release_all(struct unpacking *u)
{
    for (unsigned i = 0; u->scratch != NULL && i < u->options->jobs; i++)
        vg_arena_release(&u->scratch[i]);
    vg_shard_close(u->reader);
    vg_file_release(&u->laying.table);
    vg_file_release(&u->laying.part);
    vg_building_release(&u->laying.building);
    vg_text_release(&u->laying.part_of);
    vg_text_release(&u->laying.line);
    vg_text_release(&u->laying.name);
    vg_arena_release(&u->group.arena);
    vg_arena_release(&u->laying.arena);
    free(u->laying.folded);
}

int vg_unpack(const char *release, const char *folder, const struct vg_unpack_options *options,
              struct vg_unpacked *unpacked, struct vg_error *err)
{
    struct unpacking u = {.options = options, .laying = {.release = release}};
    int rc = vg_about_read(&u.laying.about, release, &u.laying.arena, err);

    vg_check(options->jobs > 0);
    u.laying.ending = options->format != NULL ? options->format : options->layout->wav ? "wav" : "flac";
    u.scratch = vg_arena_take_zero(&u.laying.arena, options->jobs, sizeof *u.scratch);
    if (rc == VG_OK)
        rc = check_folder(folder, &u.laying.arena, err);
    if (rc == VG_OK && options->layout->begin != NULL)
        rc = options->layout->begin(&u.laying, err);
    if (rc == VG_OK)
        rc = vg_laying_fold_names(&u.laying, err);
    if (rc == VG_OK)
        rc = vg_building_begin(&u.laying.building, folder, err);
    if (rc == VG_OK)
        rc = walk(&u, err);
    if (rc == VG_OK)
        rc = finish(&u, err);
    *unpacked = (struct vg_unpacked){u.laying.index, u.laying.renamed};
    release_all(&u);
    return rc;
}
