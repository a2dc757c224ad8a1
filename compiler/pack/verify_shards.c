/* SPDX-License-Identifier: MIT */
/* The shards against the manifest: every member there, none else, in order, with the right bytes; then the
 * sound of every FLAC file.  A shard's layout follows from the manifest, so that behind a broken header each
 * item can still be looked at where it must be. */
#include "verify.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    struct vg_checked_item *item;
};
/* Items of one shard in the order of the shard: by group, within it by pair, then by key. */
struct shelf {
    struct entry *at;
    size_t count;
};
struct shard_check {
    struct vg_checking *checking;
    struct entry *by_key;    /* all items */
    struct shelf *shelves;   /* one a shard */
    struct vg_error *errors; /* one a shard */
};

static const char *shard_path(const struct vg_checking *checking, size_t shard, struct vg_arena *arena)
{
    return vg_path_join(arena, checking->folder, checking->about.shards[shard].name);
}

/* ---- order --------------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->item->key, ((const struct entry *)b)->item->key);
}

static int compare_places(const void *a, const void *b)
{
    const struct vg_checked_item *x = ((const struct entry *)a)->item, *y = ((const struct entry *)b)->item;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->pair != y->pair ? strcmp(x->pair, y->pair) : strcmp(x->key, y->key);
}

static struct vg_checked_item *find_item(const struct shard_check *check, const char *key)
{
    struct vg_checked_item wanted = {.key = key};
    struct entry entry = {&wanted}, *found = NULL;

    if (check->checking->item_count > 0)
        found = bsearch(&entry, check->by_key, check->checking->item_count, sizeof entry, compare_keys);
    return found != NULL ? found->item : NULL;
}

static void index_keys(struct shard_check *check, struct vg_error *err)
{
    struct vg_checking *checking = check->checking;

    check->by_key = vg_arena_take(&checking->arena, checking->item_count + 1, sizeof *check->by_key);
    for (size_t i = 0; i < checking->item_count; i++)
        check->by_key[i].item = &checking->items[i];
    /* Equal keys are a fault, told below. */
    if (checking->item_count > 0)
        qsort(check->by_key, checking->item_count, sizeof *check->by_key, compare_keys);
    for (size_t i = 1; i < checking->item_count; i++)
        if (compare_keys(&check->by_key[i - 1], &check->by_key[i]) == 0)
            vg_fail(err, VG_NO, vg_checking_path(checking, "manifest.jsonl"), "has the key %s twice",
                    check->by_key[i].item->key);
}

/* Opposites stand side by side in the manifest and differ in the last part of the name alone. */
static bool are_opposites(const struct vg_checked_item *a, const struct vg_checked_item *b)
{
    const char *last = strrchr(a->name, '_');
    size_t stem = last != NULL ? (size_t)(last - a->name) : 0;

    return a->group == b->group && stem > 0 && strncmp(a->name, b->name, stem + 1) == 0 &&
           strchr(b->name + stem + 1, '_') == NULL;
}

static void pair_up(struct vg_checked_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i].pair = items[i].key;
    for (size_t i = 1; i < count; i++)
        if (are_opposites(&items[i - 1], &items[i])) {
            const char *least = strcmp(items[i - 1].key, items[i].key) < 0 ? items[i - 1].key : items[i].key;

            items[i - 1].pair = items[i].pair = least;
        }
}

static void fill_shelves(struct shard_check *check, struct vg_error *err)
{
    struct vg_checking *checking = check->checking;
    size_t shards = checking->about.shard_count;

    pair_up(checking->items, checking->item_count);
    check->shelves = vg_arena_take_zero(&checking->arena, shards + 1, sizeof *check->shelves);
    for (size_t i = 0; i < checking->item_count; i++)
        if (checking->items[i].shard != SIZE_MAX)
            check->shelves[checking->items[i].shard].count++;
    for (size_t s = 0; s < shards; s++) {
        struct shelf *shelf = &check->shelves[s];

        shelf->at = vg_arena_take(&checking->arena, shelf->count + 1, sizeof *shelf->at);
        shelf->count = 0;
    }
    for (size_t i = 0; i < checking->item_count; i++) {
        struct vg_checked_item *item = &checking->items[i];

        if (item->shard == SIZE_MAX)
            vg_fail(err, VG_NO, vg_checking_path(checking, "manifest.jsonl"),
                    "item %s (%s) names a shard that release.json does not list", item->name, item->key);
        else
            check->shelves[item->shard].at[check->shelves[item->shard].count++].item = item;
    }
    /* Keys are distinct: no equals. */
    for (size_t s = 0; s < shards; s++)
        if (check->shelves[s].count > 0)
            qsort(check->shelves[s].at, check->shelves[s].count, sizeof *check->shelves[s].at,
                  compare_places);
}

/* ---- members ------------------------------------------------------------------------------------------- */

struct walk {
    const struct shard_check *check;
    size_t shard;
    const char *path;
    struct vg_arena arena;
    struct vg_error *err;
    struct vg_checked_item *open; /* its FLAC file was the last member */
    size_t next;                  /* place on the shelf */
};

static void blame(struct walk *walk, const struct vg_checked_item *item, const char *what)
{
    vg_fail(walk->err, VG_NO, walk->path, "item %s: its member %s%s", item->name, item->key, what);
}

static bool digest_differs(const void *bytes, size_t count, const char *wanted)
{
    char hex[VG_DIGEST_HEX];

    vg_digest_of(VG_XXH128, bytes, count, hex);
    return strcmp(hex, wanted) != 0;
}

static void take_flac(struct walk *walk, const struct vg_member *member, const char *key)
{
    struct vg_checked_item *item = find_item(walk->check, key);
    const struct shelf *shelf = &walk->check->shelves[walk->shard];

    walk->open = item;
    if (item == NULL) {
        if (walk->check->checking->whole_manifest)
            vg_fail(walk->err, VG_NO, walk->path, "has a member %s that the manifest does not list",
                    member->name);
        return;
    }
    if (item->shard != walk->shard || item->seen) {
        blame(walk, item, item->seen ? ".flac stands there twice" : ".flac belongs to another shard");
        return;
    }
    item->seen = true;
    item->offset = member->offset;
    item->flac_bytes = member->count;
    if (walk->check->checking->whole_manifest &&
        (walk->next >= shelf->count || shelf->at[walk->next].item != item))
        blame(walk, item, ".flac is not at its place in the order of the shard");
    while (walk->next < shelf->count && shelf->at[walk->next].item->seen)
        walk->next++;
    /* Where the sound is heard as well, that tells what the other bytes are. */
    if (walk->check->checking->options->bytes && !walk->check->checking->options->audio &&
        digest_differs(member->bytes, member->count, item->flac_xxh128))
        blame(walk, item, ".flac has other bytes than the manifest says");
}

static void take_json(struct walk *walk, const struct vg_member *member, const char *key)
{
    struct vg_checked_item *item = walk->open;

    walk->open = NULL;
    if (item == NULL) {
        if (find_item(walk->check, key) != NULL)
            vg_fail(walk->err, VG_NO, walk->path, "has %s without its FLAC file before it", member->name);
        return; /* of a member that was named already */
    }
    if (strcmp(item->key, key) != 0)
        vg_fail(walk->err, VG_NO, walk->path, "has %s where %s.json must be", member->name, item->key);
    else if (walk->check->checking->options->bytes &&
             digest_differs(member->bytes, member->count, item->sample_xxh128))
        blame(walk, item, ".json does not say what the manifest says");
}

static void take_member(struct walk *walk, const struct vg_member *member)
{
    const char *dot = strchr(member->name, '.');
    const char *key = dot != NULL
                          ? vg_arena_text_part(&walk->arena, member->name, (size_t)(dot - member->name))
                          : member->name;

    if (dot != NULL && strcmp(dot, ".flac") == 0) {
        if (walk->open != NULL)
            blame(walk, walk->open, ".json is missing");
        take_flac(walk, member, key);
    } else if (dot != NULL && strcmp(dot, ".json") == 0) {
        take_json(walk, member, key);
    } else {
        vg_fail(walk->err, VG_NO, walk->path, "has a member %s; expected <key>.flac and <key>.json",
                member->name);
    }
}

/* ---- behind a broken header ---------------------------------------------------------------------------- */

static bool bytes_at_differ(FILE *stream, uint64_t offset, size_t count, const char *wanted,
                            struct vg_arena *arena)
{
    struct vg_arena_mark mark = vg_arena_mark(arena);
    char *bytes = vg_arena_take(arena, count + 1, 1);
    bool differ = fseeko(stream, (off_t)offset, SEEK_SET) != 0 || fread(bytes, 1, count, stream) != count ||
                  digest_differs(bytes, count, wanted);

    vg_arena_rewind(arena, mark);
    return differ;
}

/* Where each item must lie, whatever the headers say. */
static void look_in_place(struct walk *walk)
{
    enum { HEADER_BYTES = 512 };
    const struct shelf *shelf = &walk->check->shelves[walk->shard];
    FILE *stream = vg_file_open(walk->path);
    uint64_t at = 0;
    size_t whole = 0;

    for (size_t i = 0; stream != NULL && i < shelf->count; i++) {
        struct vg_checked_item *item = shelf->at[i].item;
        uint64_t flac = at + HEADER_BYTES, json = at + vg_shard_member_bytes(item->flac_bytes) + HEADER_BYTES;

        at += vg_shard_member_bytes(item->flac_bytes) + vg_shard_member_bytes(item->sample_bytes);
        if (item->seen)
            continue;
        item->offset = flac;
        item->seen = !bytes_at_differ(stream, flac, item->flac_bytes, item->flac_xxh128, &walk->arena);
        if (!item->seen)
            blame(walk, item, ".flac is missing or has other bytes than the manifest says");
        if (bytes_at_differ(stream, json, item->sample_bytes, item->sample_xxh128, &walk->arena))
            blame(walk, item, ".json is missing or does not say what the manifest says");
        else if (item->seen)
            whole++;
    }
    if (whole > 0)
        vg_warn(walk->err, walk->path, "%zu items behind the broken header are whole", whole);
    if (stream != NULL)
        fclose(stream);
}

static void name_absent(struct walk *walk)
{
    const struct shelf *shelf = &walk->check->shelves[walk->shard];

    if (walk->open != NULL)
        blame(walk, walk->open, ".json is missing");
    for (size_t i = 0; i < shelf->count; i++)
        if (!shelf->at[i].item->seen)
            blame(walk, shelf->at[i].item, ".flac is missing");
}

/* The item whose header or padding libarchive stumbled over. */
static void name_next(struct walk *walk)
{
    const struct shelf *shelf = &walk->check->shelves[walk->shard];

    if (walk->open != NULL)
        blame(walk, walk->open, ".json cannot be reached");
    else if (walk->next < shelf->count)
        blame(walk, shelf->at[walk->next].item, ".flac cannot be reached");
}

static int walk_shard(void *context, unsigned worker, size_t index)
{
    struct shard_check *check = context;
    struct walk walk = {.check = check, .shard = index, .err = &check->errors[index]};
    struct vg_shard_reader *reader = NULL;
    bool end = false;
    int rc;

    (void)worker;
    walk.path = shard_path(check->checking, index, &walk.arena);
    rc = vg_file_exists(walk.path) ? vg_shard_open(&reader, walk.path, VG_MEMBER_BYTES_MAX, walk.err)
                                   : vg_fail(walk.err, VG_NO, walk.path, "is missing");
    while (rc == VG_OK && !end) {
        struct vg_member member;

        rc = vg_shard_next(reader, &member, &end, walk.err);
        if (rc == VG_OK && !end)
            take_member(&walk, &member);
    }
    if (rc == VG_NO && reader != NULL && !end) {
        name_next(&walk);
        look_in_place(&walk);
    } else if (rc == VG_OK || reader == NULL) {
        name_absent(&walk);
    }
    if (check->checking->about.shards[index].items != check->shelves[index].count &&
        check->checking->whole_manifest)
        vg_fail(walk.err, VG_NO, walk.path, "holds %zu items by release.json and %zu by the manifest",
                check->checking->about.shards[index].items, check->shelves[index].count);
    vg_shard_close(reader);
    vg_arena_release(&walk.arena);
    return 0;
}

void vg_check_shards(struct vg_checking *checking)
{
    struct shard_check check = {.checking = checking};
    struct vg_error local = {0};
    size_t shards = checking->about.shard_count;

    index_keys(&check, &local);
    fill_shelves(&check, &local);
    check.errors = vg_arena_take_zero(&checking->arena, shards + 1, sizeof *check.errors);
    vg_checking_gather(checking, &local);
    if (shards > 0)
        vg_pool_run(&(struct vg_pool_job){.context = &check,
                                          .count = shards,
                                          .jobs = checking->options->jobs > 0 ? checking->options->jobs : 1,
                                          .window = shards,
                                          .work = walk_shard});
    for (size_t i = 0; i < shards; i++)
        vg_checking_gather(checking, &check.errors[i]);
}
