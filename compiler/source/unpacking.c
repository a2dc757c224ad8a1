/* SPDX-License-Identifier: MIT */
/* Kind `pack`: sources out of a source pack, decoded and with all their facts, so that a release can be built
 * again whatever decoders a machine has.  The spec's key source_pack takes every source of a spec from a pack
 * instead of from where its entries say; the release is the same then, byte for byte. */
#include "format.h"
#include "kinds.h"
#include "packed.h"

#include <stdlib.h>
#include <string.h>

enum { JSON_BYTES_MAX = 1 << 20, FRAMES_MAX = 1 << 29 };

static const struct vg_key_rule pack_keys[] = {
    {"pack", VG_KEY_TEXT, VG_REQUIRED, 1, 4096, NULL, NULL,
     "file written by pack-sources, seen from this spec's folder"},
    {"split", VG_KEY_TEXT, 0, 1, 64, NULL, NULL, "take only what was packed of this split"},
    {"xxh128", VG_KEY_TEXT, 0, 32, 32, NULL, NULL, "digest that the file must have"},
    {0},
};

/* Where a source lies, and what is known of it. */
struct held {
    const char *path;
    uint64_t offset;
    size_t bytes;
    struct vg_packed packed;
};

/* A pack being walked, and who takes its sources. */
struct walk {
    const char *path;
    struct vg_shard_reader *reader;
    struct vg_member flac; /* of the pair that is under way; no name: none */
    struct vg_text flac_name;
    int (*take)(struct walk *walk, const struct held *held, const char *place);
    const struct vg_spec *spec;
    const struct vg_spec_source *entry; /* NULL: every entry takes its own */
    const char *split_name;             /* NULL: all */
    size_t split, taken;
    struct vg_source_list *list;
    struct vg_arena *arena;
    struct vg_error *err;
};

/* ---- walking a pack ----------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_pair(const char *flac, const char *json)
{
    size_t stem = strlen(json) - strlen(".json");

    return strlen(flac) == stem + strlen(".flac") && memcmp(flac, json, stem) == 0;
}

static int take_description(struct walk *walk, struct vg_member *json)
{
    const char *place = vg_arena_format(walk->arena, "%s: %s", walk->path, json->name);
    struct held held = {.path = walk->path, .offset = walk->flac.offset, .bytes = walk->flac.count};
    bool has_sound = walk->flac.name != NULL && is_pair(walk->flac.name, json->name);
    int rc;

    if (json->count > JSON_BYTES_MAX)
        return vg_fail(walk->err, VG_SOURCE, place, "has %zu bytes; a description has %d at most",
                       json->count, JSON_BYTES_MAX);
    rc = vg_shard_fetch(walk->reader, json, walk->err);
    if (rc == VG_OK)
        rc = vg_packed_parse(&held.packed, json->bytes, json->count, walk->arena, place, walk->err);
    if (rc == VG_OK && has_sound != (held.packed.skipped == NULL))
        rc = vg_fail(walk->err, VG_SOURCE, place,
                     has_sound ? "says that the source was skipped, but its sound is there"
                               : "has no FLAC file of the same name before it");
    walk->flac.name = NULL;
    return rc == VG_OK ? walk->take(walk, &held, place) : rc;
}

static int take_member(struct walk *walk, struct vg_member *member)
{
    if (ends_with(member->name, ".json"))
        return take_description(walk, member);
    if (!ends_with(member->name, ".flac") || walk->flac.name != NULL)
        return vg_fail(walk->err, VG_SOURCE, walk->path,
                       "holds %s where a source pack has no such member; is it one?", member->name);
    vg_text_clear(&walk->flac_name);
    vg_text_add(&walk->flac_name, member->name);
    walk->flac = *member;
    walk->flac.name = walk->flac_name.data;
    return VG_OK;
}

static int walk_members(struct walk *walk)
{
    struct vg_member member;
    bool end = false;
    int rc = vg_shard_open(&walk->reader, walk->path, VG_MEMBER_BYTES_MAX, walk->err);

    while (rc == VG_OK && !end) {
        rc = vg_shard_step(walk->reader, &member, &end, walk->err);
        if (rc == VG_OK && !end)
            rc = take_member(walk, &member);
    }
    if (rc == VG_OK && walk->flac.name != NULL)
        rc = vg_fail(walk->err, VG_SOURCE, walk->path, "ends after %s, which nothing describes",
                     walk->flac.name);
    return rc;
}

/* Faults of the tar file itself are faults of source data here. */
static int blame_source(struct vg_error *err, size_t from)
{
    for (size_t i = from; i < err->count; i++)
        if (err->issues[i].code != VG_OK)
            err->issues[i].code = VG_SOURCE;
    return VG_SOURCE;
}

static int walk_pack(struct walk *walk)
{
    size_t known = walk->err->count;
    int rc;

    if (!vg_file_exists(walk->path))
        return vg_fail(walk->err, VG_SOURCE, walk->path,
                       "no such source pack; `vocalgrad pack-sources SPEC -o FILE` writes one");
    rc = walk_members(walk);
    vg_shard_close(walk->reader);
    vg_text_release(&walk->flac_name);
    return rc == VG_OK ? VG_OK : blame_source(walk->err, known);
}

/* ---- listing ------------------------------------------------------------------------------------------ */

static void add_source(struct walk *walk, const struct vg_spec_source *entry, size_t split,
                       const struct held *held, const char *place)
{
    struct vg_source *source = vg_source_add(walk->list, entry, split, walk->arena);
    struct held *kept = vg_arena_take(walk->arena, 1, sizeof *kept);
    const struct vg_source *said = &held->packed.source;

    *kept = *held;
    source->place = place;
    source->id = said->id;
    source->clip_id = said->clip_id;
    source->speaker_id = said->speaker_id;
    source->sentence_id = said->sentence_id;
    source->text = said->text;
    source->gender = said->gender;
    source->locale = said->locale;
    source->licence = said->licence;
    source->corpus = said->corpus;
    source->has_span = true;
    source->onset_sec = held->packed.facts.onset_sec;
    source->offset_sec = held->packed.facts.offset_sec;
    source->pin.audio_xxh128 = kept->packed.facts.audio_xxh128;
    source->detail = kept;
}

static int take_into_entry(struct walk *walk, const struct held *held, const char *place)
{
    if (walk->split_name != NULL && strcmp(walk->split_name, held->packed.split) != 0)
        return VG_OK;
    add_source(walk, walk->entry, walk->split, held, place);
    walk->taken++;
    return VG_OK;
}

static int list_pack(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                     struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    const char *digest = vg_node_text(entry->entry, "xxh128", NULL);
    struct walk walk = {.path = vg_node_path(vg_node_find(entry->entry, "pack"), arena),
                        .take = take_into_entry,
                        .spec = spec,
                        .entry = entry,
                        .split_name = vg_node_text(entry->entry, "split", NULL),
                        .split = split,
                        .list = list,
                        .arena = arena,
                        .err = err};
    char hex[VG_DIGEST_HEX];
    int rc = walk_pack(&walk);

    if (rc == VG_OK && walk.taken == 0)
        rc = vg_fail(err, VG_SOURCE, walk.path, "holds no source of split %s",
                     walk.split_name != NULL ? walk.split_name : "any");
    if (rc != VG_OK || digest == NULL)
        return rc;
    rc = vg_digest_of_file(VG_XXH128, walk.path, hex, NULL, err);
    if (rc == VG_OK && strcmp(hex, digest) != 0)
        rc = vg_fail(err, VG_SOURCE, walk.path, "has XXH128 %s, the spec says %s; it is another pack", hex,
                     digest);
    return rc;
}

/* The split and the entry that a packed source belongs to, as long as the spec still has it. */
static int take_into_spec(struct walk *walk, const struct held *held, const char *place)
{
    const struct vg_spec *spec = walk->spec;
    char hex[VG_DIGEST_HEX];

    for (size_t s = 0; s < spec->split_count; s++) {
        const struct vg_spec_split *split = &spec->splits[s];

        if (strcmp(split->name, held->packed.split) != 0)
            continue;
        if (held->packed.entry < split->source_count)
            vg_packed_entry_digest(&split->sources[held->packed.entry], hex);
        if (held->packed.entry >= split->source_count || strcmp(hex, held->packed.entry_xxh128) != 0)
            return vg_fail(walk->err, VG_SOURCE, place,
                           "was packed for another spec: entry %zu of split %s is not the same here",
                           held->packed.entry, split->name);
        add_source(walk, &split->sources[held->packed.entry], s, held, place);
    }
    return VG_OK;
}

static int check_all_found(const struct walk *walk)
{
    const struct vg_spec *spec = walk->spec;
    int rc = VG_OK;

    for (size_t s = 0; s < spec->split_count; s++)
        for (size_t e = 0; e < spec->splits[s].source_count; e++) {
            bool found = false;

            for (size_t i = 0; i < walk->list->count && !found; i++)
                found = walk->list->at[i].origin == &spec->splits[s].sources[e];
            if (!found)
                rc = vg_fail(walk->err, VG_SOURCE, walk->path, "holds no source of entry %zu of split %s", e,
                             spec->splits[s].name);
        }
    return rc;
}

int vg_pack_list_all(const struct vg_spec *spec, const char *path, struct vg_source_list *list,
                     struct vg_arena *arena, struct vg_error *err)
{
    struct walk walk = {
        .path = path, .take = take_into_spec, .spec = spec, .list = list, .arena = arena, .err = err};
    int rc = walk_pack(&walk);

    return rc == VG_OK ? check_all_found(&walk) : rc;
}

/* ---- loading ------------------------------------------------------------------------------------------ */

static int read_flac(const struct held *held, const char *place, char *bytes, struct vg_error *err)
{
    FILE *stream = fopen(held->path, "rb");
    bool whole = stream != NULL && fseeko(stream, (off_t)held->offset, SEEK_SET) == 0 &&
                 fread(bytes, 1, held->bytes, stream) == held->bytes;

    if (stream != NULL)
        fclose(stream);
    return whole ? VG_OK : vg_fail(err, VG_SOURCE, place, "cannot be read; was the pack altered meanwhile?");
}

static int load_packed(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                       struct vg_arena *arena, struct vg_error *err)
{
    const struct held *held = source->detail;
    size_t limit = held->packed.facts.frames < FRAMES_MAX ? held->packed.facts.frames : FRAMES_MAX;
    size_t known = err->count;
    char *bytes;
    int rc;

    (void)spec;
    if (held->packed.skipped != NULL)
        return vg_fail(err, VG_SOURCE, source->place, "%s", held->packed.skipped);
    bytes = vg_memory_take(held->bytes + 1, 1);
    rc = read_flac(held, source->place, bytes, err);
    if (rc == VG_OK)
        rc = vg_flac_decode(bytes, held->bytes, limit, &loaded->clip.samples, &loaded->clip.frames,
                            &loaded->clip.rate_hz, arena, source->place, err);
    free(bytes);
    loaded->facts = held->packed.facts;
    if (rc == VG_OK &&
        (loaded->clip.frames != loaded->facts.frames || loaded->clip.rate_hz != loaded->facts.rate_hz))
        rc = vg_fail(err, VG_SOURCE, source->place, "describes another sound than its FLAC file holds");
    return rc == VG_OK ? VG_OK : blame_source(err, known);
}

const struct vg_source_kind vg_kind_pack = {
    .words = {.name = "pack", .keys = pack_keys},
    .list = list_pack,
    .load = load_packed,
    .complete = true,
};
