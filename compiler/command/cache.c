/* SPDX-License-Identifier: MIT */
/* The store of finished items.  An entry's name is the XXH128 of all that decides its bytes: this program,
 * the encoder, the item's recipe and seed, the source's samples and span.  Its content is a line with the
 * digest of its name and of the rest, the item's row of the manifest, and the FLAC file.  Nothing is trusted:
 * what does not have its digest, or lies under another item's name, is removed and made again.  Entries are
 * written beside and renamed, not flushed: a torn one is told by its digest.  When the limit is reached,
 * entries go that no build used since before this one began. */
#include "cache.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char head[] = "vocalgrad cache 2 ";
enum {
    NAME_BYTES = VG_CACHE_NAME - 2,
    HEAD_BYTES = sizeof head - 1 + NAME_BYTES + 1,
    ENTRY_BYTES_MAX = 1 << 30
};

struct entry {
    char name[VG_CACHE_NAME]; /* "ab/cdef..." and NUL */
    int64_t used_at;          /* seconds; decides what goes, never what a release holds */
    uint64_t bytes;
};
struct vg_cache {
    struct vg_arena arena;
    const char *folder, *context; /* context: what all keys begin with */
    uint64_t limit_bytes;
    int64_t opened_at;
    pthread_mutex_t lock; /* of all below */
    struct entry *old;    /* used longest ago first; from `old_next` on still there */
    size_t old_count, old_room, old_next, writes;
    bool broken;
    struct vg_cache_counts counts;
};

/* ---- opening ------------------------------------------------------------------------------------------- */

static void note_entry(struct vg_cache *cache, const char *shelf, const char *file, const char *path)
{
    struct stat facts;
    struct entry *entry;

    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return;
    if (strlen(shelf) != 2 || strlen(file) != NAME_BYTES - 2) { /* half an entry of a killed build */
        if (facts.st_mtime < cache->opened_at - 3600)
            unlink(path);
        return;
    }
    if (cache->old_count == cache->old_room) {
        cache->old_room = cache->old_room > 0 ? 2 * cache->old_room : 256;
        cache->old = vg_memory_grow(cache->old, cache->old_room, sizeof *cache->old);
    }
    entry = &cache->old[cache->old_count++];
    memcpy(entry->name, shelf, 2);
    entry->name[2] = '/';
    memcpy(entry->name + 3, file, sizeof entry->name - 3);
    entry->used_at = facts.st_mtime;
    entry->bytes = (uint64_t)facts.st_size;
    cache->counts.bytes += entry->bytes;
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int by_use = (x->used_at > y->used_at) - (x->used_at < y->used_at);

    return by_use != 0 ? by_use : strcmp(x->name, y->name);
}

static bool look_around(struct vg_cache *cache, struct vg_error *err)
{
    struct vg_arena arena = {0};
    char **shelves, **files;
    size_t shelf_count, file_count;
    bool fine = vg_folder_make(cache->folder, err) == VG_OK &&
                vg_folder_list(cache->folder, &arena, &shelves, &shelf_count, err) == VG_OK;

    for (size_t s = 0; fine && s < shelf_count; s++) {
        const char *shelf = vg_path_join(&arena, cache->folder, shelves[s]);

        if (!vg_folder_exists(shelf))
            continue;
        fine = vg_folder_list(shelf, &arena, &files, &file_count, err) == VG_OK;
        for (size_t f = 0; fine && f < file_count; f++)
            note_entry(cache, shelves[s], files[f], vg_path_join(&arena, shelf, files[f]));
    }
    vg_arena_release(&arena);
    /* Names are distinct: no equals. */
    if (cache->old_count > 0)
        qsort(cache->old, cache->old_count, sizeof *cache->old, compare_entries);
    return fine;
}

struct vg_cache *vg_cache_open(const char *folder, uint64_t limit_bytes, const struct vg_spec *spec,
                               const struct vg_margins *margins)
{
    struct vg_cache *cache = vg_memory_take(1, sizeof *cache);
    struct vg_error unheard = {0};

    *cache = (struct vg_cache){.limit_bytes = limit_bytes, .opened_at = (int64_t)time(NULL)};
    pthread_mutex_init(&cache->lock, NULL);
    cache->folder = vg_arena_text(&cache->arena, folder);
    cache->context = vg_cache_context(spec, margins, &cache->arena);
    if (!look_around(cache, &unheard)) {
        vg_cache_close(cache);
        cache = NULL;
    }
    vg_error_release(&unheard);
    return cache;
}

struct vg_cache_counts vg_cache_close(struct vg_cache *cache)
{
    struct vg_cache_counts counts = {0};

    if (cache == NULL)
        return counts;
    counts = cache->counts;
    pthread_mutex_destroy(&cache->lock);
    free(cache->old);
    vg_arena_release(&cache->arena);
    free(cache);
    return counts;
}

/* ---- taking -------------------------------------------------------------------------------------------- */

/* What was measured and made, from the record read back to the one of this item. */
static void adopt(struct vg_record *record, const struct vg_record *found)
{
    record->rate_hz = found->rate_hz;
    record->frames = found->frames;
    record->onset = found->onset;
    record->offset = found->offset;
    record->clipped = found->clipped;
    record->peak = found->peak;
    record->rms = found->rms;
    record->silence_head = found->silence_head;
    record->silence_tail = found->silence_tail;
    memcpy(record->audio_xxh128, found->audio_xxh128, sizeof record->audio_xxh128);
    memcpy(record->flac_xxh128, found->flac_xxh128, sizeof record->flac_xxh128);
    record->flac_bytes = found->flac_bytes;
    record->measured = found->measured;
    memcpy(record->paired, found->paired, sizeof record->paired);
    memcpy(record->blind, found->blind, sizeof record->blind);
    record->verdict = found->verdict;
    record->below_jnd = found->below_jnd;
}

static void digest_entry(const char *name, const void *row, size_t row_bytes, const void *flac,
                         size_t flac_bytes, char hex[VG_DIGEST_HEX])
{
    struct vg_digest digest;

    vg_digest_init(&digest, VG_XXH128);
    vg_digest_add(&digest, name, VG_CACHE_NAME - 1);
    vg_digest_add(&digest, row, row_bytes);
    vg_digest_add(&digest, flac, flac_bytes);
    vg_digest_finish(&digest, hex);
}

/* Is this the entry of this name, and whole? */
static bool read_entry(char *bytes, size_t count, const char *name, struct vg_record *record,
                       struct vg_text *flac, struct vg_arena *keep, struct vg_error *err)
{
    char hex[VG_DIGEST_HEX], *row = bytes + HEAD_BYTES, *end;
    struct vg_record found = {0};

    if (count < HEAD_BYTES || memcmp(bytes, head, sizeof head - 1) != 0)
        return false;
    digest_entry(name, row, count - HEAD_BYTES, "", 0, hex);
    end = memchr(row, '\n', count - HEAD_BYTES);
    if (memcmp(bytes + sizeof head - 1, hex, NAME_BYTES) != 0 || end == NULL ||
        vg_record_parse(&found, row, (size_t)(end - row), keep, "cache", err) != VG_OK ||
        found.flac_bytes != count - (size_t)(end + 1 - bytes))
        return false;
    vg_text_clear(flac);
    vg_text_add_part(flac, end + 1, found.flac_bytes);
    adopt(record, &found);
    return true;
}

bool vg_cache_take(struct vg_cache *cache, const struct vg_item *item, const struct vg_loaded *source,
                   struct vg_record *record, struct vg_text *flac, struct vg_arena *keep)
{
    struct vg_error unheard = {0};
    char name[VG_CACHE_NAME], *bytes;
    const char *path;
    size_t count;
    bool there, taken;

    if (cache == NULL)
        return false;
    vg_cache_name(cache->context, item, source, name);
    path = vg_path_join(keep, cache->folder, name);
    there = vg_file_exists(path);
    taken = there && vg_file_get(path, ENTRY_BYTES_MAX, keep, &bytes, &count, &unheard) == VG_OK &&
            read_entry(bytes, count, name, record, flac, keep, &unheard);
    if (taken)
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* used now */
    else if (there)
        (void)unlink(path);
    pthread_mutex_lock(&cache->lock);
    cache->counts.taken += taken;
    cache->counts.damaged += there && !taken;
    pthread_mutex_unlock(&cache->lock);
    vg_error_release(&unheard);
    return taken;
}

/* ---- putting ------------------------------------------------------------------------------------------- */

/* Under the lock: drops what was used longest ago until `more` bytes fit; false where they cannot. */
static bool make_room(struct vg_cache *cache, uint64_t more)
{
    while (cache->counts.bytes + more > cache->limit_bytes && cache->old_next < cache->old_count) {
        const struct entry *oldest = &cache->old[cache->old_next++];
        struct vg_arena arena = {0};
        const char *path = vg_path_join(&arena, cache->folder, oldest->name);
        struct stat facts;

        /* Gone already: another build, or damaged. */
        if (stat(path, &facts) != 0 || (facts.st_mtime < cache->opened_at && unlink(path) == 0))
            cache->counts.bytes -= oldest->bytes;
        vg_arena_release(&arena);
    }
    return cache->counts.bytes + more <= cache->limit_bytes;
}

static bool write_entry(const char *path, const char *name, const struct vg_text *row,
                        const struct vg_text *flac)
{
    char hex[VG_DIGEST_HEX];
    FILE *stream = fopen(path, "wb");
    bool fine = stream != NULL;

    digest_entry(name, row->data, row->length, flac->data, flac->length, hex);
    fine = fine && fprintf(stream, "%s%.*s\n", head, NAME_BYTES, hex) == HEAD_BYTES;
    fine = fine && fwrite(row->data, 1, row->length, stream) == row->length;
    fine = fine && fwrite(flac->data, 1, flac->length, stream) == flac->length;
    if (stream != NULL)
        fine = fclose(stream) == 0 && fine;
    return fine;
}

static bool put(struct vg_cache *cache, const char *name, size_t nth, const struct vg_text *row,
                const struct vg_text *flac)
{
    struct vg_arena arena = {0};
    struct vg_error unheard = {0};
    const char *path = vg_path_join(&arena, cache->folder, name);
    const char *beside = vg_arena_format(&arena, "%s.%ld-%zu.tmp", path, (long)getpid(), nth);
    bool fine = vg_folder_make(vg_path_folder(&arena, path), &unheard) == VG_OK &&
                write_entry(beside, name, row, flac) && rename(beside, path) == 0;

    if (!fine)
        (void)unlink(beside);
    vg_error_release(&unheard);
    vg_arena_release(&arena);
    return fine;
}

void vg_cache_put(struct vg_cache *cache, const struct vg_item *item, const struct vg_loaded *source,
                  const struct vg_record *record, const struct vg_text *flac)
{
    struct vg_text row = {0};
    char name[VG_CACHE_NAME];
    uint64_t bytes;
    size_t nth;
    bool wanted, fine;

    if (cache == NULL)
        return;
    vg_cache_name(cache->context, item, source, name);
    vg_record_manifest(record, "", &row);
    bytes = HEAD_BYTES + row.length + flac->length;
    pthread_mutex_lock(&cache->lock);
    cache->counts.made++;
    wanted = !cache->broken && make_room(cache, bytes);
    nth = cache->writes++;
    cache->counts.bytes += wanted ? bytes : 0;
    pthread_mutex_unlock(&cache->lock);
    fine = !wanted || put(cache, name, nth, &row, flac);
    if (!fine) {
        pthread_mutex_lock(&cache->lock);
        cache->broken = true;
        cache->counts.bytes -= bytes;
        pthread_mutex_unlock(&cache->lock);
    }
    vg_text_release(&row);
}
