/* SPDX-License-Identifier: MIT */
/* Sound straight out of the shards.  The first time a shard is asked for, its headers are walked once and the
 * place of every FLAC file in it is kept; from then on a request costs one look-up.  Names of shards come
 * from release.json and are checked when the release is opened; a request only picks one by its number. */
#include "library.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPEN_MAX_SHARDS = 48 }; /* descriptors kept; the one unused longest is closed */

struct place {
    const char *key;
    uint64_t offset, bytes;
};
struct shard {
    const char *path;
    bool walked;
    int file; /* descriptor + 1; 0: closed */
    uint64_t used;
    struct place *places; /* sorted by key */
    size_t count, room;
};
struct vg_media {
    struct shard *shards;
    size_t count;
    uint64_t clock; /* counts uses */
    struct vg_arena arena;
};

/* A name that cannot leave the folder. */
static bool is_file_name(const char *name)
{
    return name != NULL && name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL;
}

int vg_media_open(struct vg_media **result, const char *folder, const struct vg_about *about,
                  struct vg_error *err)
{
    struct vg_media *media = vg_memory_take(1, sizeof *media);

    *media = (struct vg_media){.count = about->shard_count};
    *result = media;
    media->shards = vg_arena_take_zero(&media->arena, media->count + 1, sizeof *media->shards);
    for (size_t i = 0; i < media->count; i++) {
        if (!is_file_name(about->shards[i].name))
            return vg_fail(err, VG_NO, folder, "release.json names shard %zu \"%s\", which is no file name",
                           i, about->shards[i].name != NULL ? about->shards[i].name : "");
        media->shards[i].path = vg_path_join(&media->arena, folder, about->shards[i].name);
    }
    return VG_OK;
}

/* ---- where the files are ------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = strcmp(x->key, y->key);

    return order != 0 ? order : (x->offset > y->offset) - (x->offset < y->offset);
}

static void keep_place(struct vg_media *media, struct shard *shard, const struct vg_member *member)
{
    size_t length = strlen(member->name);

    if (length <= 5 || strcmp(member->name + length - 5, ".flac") != 0)
        return;
    if (shard->count == shard->room) {
        shard->room = shard->room > 0 ? 2 * shard->room : 256;
        shard->places = vg_memory_grow(shard->places, shard->room, sizeof *shard->places);
    }
    shard->places[shard->count++] = (struct place){
        vg_arena_text_part(&media->arena, member->name, length - 5), member->offset, member->count};
}

static int walk(struct vg_media *media, struct shard *shard, struct vg_error *err)
{
    struct vg_shard_reader *reader = NULL;
    struct vg_member member;
    bool end = false;
    int rc = vg_shard_open(&reader, shard->path, VG_MEMBER_BYTES_MAX, err);

    while (rc == VG_OK) {
        rc = vg_shard_step(reader, &member, &end, err);
        if (rc != VG_OK || end)
            break;
        keep_place(media, shard, &member);
    }
    vg_shard_close(reader);
    if (rc == VG_OK && shard->count > 0)
        qsort(shard->places, shard->count, sizeof *shard->places,
              compare_places); /* no equals: offsets differ */
    if (rc != VG_OK)
        shard->count = 0;
    shard->walked = rc == VG_OK;
    return rc;
}

static const struct place *find_place(const struct shard *shard, const char *key)
{
    size_t low = 0, high = shard->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(shard->places[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < shard->count && strcmp(shard->places[low].key, key) == 0 ? &shard->places[low] : NULL;
}

/* ---- descriptors --------------------------------------------------------------------------------------- */

static void close_oldest(struct vg_media *media)
{
    struct shard *oldest = NULL;
    size_t open = 0;

    for (size_t i = 0; i < media->count; i++) {
        struct shard *shard = &media->shards[i];

        open += shard->file != 0;
        if (shard->file != 0 && (oldest == NULL || shard->used < oldest->used))
            oldest = shard;
    }
    if (oldest == NULL || open < OPEN_MAX_SHARDS)
        return;
    close(oldest->file - 1);
    oldest->file = 0;
}

static int open_shard(struct vg_media *media, struct shard *shard, struct vg_error *err)
{
    int file;

    shard->used = ++media->clock;
    if (shard->file != 0)
        return VG_OK;
    close_oldest(media);
    file = open(shard->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return vg_fail_errno(err, VG_IO, shard->path, "cannot open the shard");
    shard->file = file + 1;
    return VG_OK;
}

int vg_media_find(struct vg_media *media, size_t number, const char *key, struct vg_sound_place *found,
                  struct vg_error *err)
{
    struct shard *shard;
    const struct place *place;
    int rc = VG_OK;

    vg_check(number < media->count);
    shard = &media->shards[number];
    if (!shard->walked)
        rc = walk(media, shard, err);
    if (rc == VG_OK)
        rc = open_shard(media, shard, err);
    if (rc != VG_OK)
        return rc;
    place = find_place(shard, key);
    if (place == NULL)
        return vg_fail(err, VG_NO, shard->path, "has no member %s.flac", key);
    *found = (struct vg_sound_place){shard->file - 1, place->offset, place->bytes};
    return VG_OK;
}

int vg_media_read(struct vg_media *media, size_t number, const char *key, struct vg_arena *arena,
                  char **bytes, size_t *count, struct vg_error *err)
{
    struct vg_sound_place place = {0};
    int rc = vg_media_find(media, number, key, &place, err);

    if (rc != VG_OK)
        return rc;
    *count = 0;
    *bytes = vg_arena_take(arena, (size_t)place.bytes + 1, 1);
    while (*count < place.bytes) {
        ssize_t got =
            pread(place.file, *bytes + *count, (size_t)place.bytes - *count, (off_t)(place.offset + *count));

        if (got <= 0)
            return vg_fail(err, VG_IO, media->shards[number].path, "ends inside %s.flac", key);
        *count += (size_t)got;
    }
    return VG_OK;
}

/* ---- as a response ------------------------------------------------------------------------------------- */

void vg_media_send(struct vg_media *media, size_t number, const char *key, const char *tag,
                   const struct vg_request *request, struct vg_response *response)
{
    struct vg_error err = {0};
    struct vg_sound_place place = {0};

    if (vg_media_find(media, number, key, &place, &err) != VG_OK) {
        vg_response_fail(response, request, &err);
        return;
    }
    response->file = fcntl(place.file, F_DUPFD_CLOEXEC, 0); /* the response closes its own */
    if (response->file < 0) {
        vg_fail_errno(&err, VG_IO, media->shards[number].path, "cannot be opened once more");
        vg_response_fail(response, request, &err);
        return;
    }
    response->has_file = true;
    response->file_offset = place.offset;
    response->file_bytes = place.bytes;
    response->type = "audio/flac";
    vg_response_ranged(response, request, tag);
}

void vg_media_close(struct vg_media *media)
{
    if (media == NULL)
        return;
    for (size_t i = 0; media->shards != NULL && i < media->count; i++) {
        if (media->shards[i].file != 0)
            close(media->shards[i].file - 1);
        free(media->shards[i].places);
    }
    vg_arena_release(&media->arena);
    free(media);
}
