/* SPDX-License-Identifier: MIT */
/* Writes a release.  FLAC bytes go to the shard as they come; the rows of a group (one category of one
 * source) are kept until the group is complete, then written in plan order.  How many shards there will be is
 * known only at the end: until then a row names its shard by a number, which the last step replaces. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

const char vg_rows_name[] = "manifest.rows";

/* ---- beginning -------------------------------------------------------------------------------------- */

/* What becomes part of a file name must be one on every file system. */
static bool is_file_word(const char *word)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";

    return word[0] != '\0' && word[0] != '.' && word[0] != '-' && strspn(word, allowed) == strlen(word);
}

static int check_words(const struct vg_spec *spec, struct vg_error *err)
{
    const char *bad = NULL;

    if (!is_file_word(spec->name))
        bad = spec->name;
    else if (!is_file_word(spec->version))
        bad = spec->version;
    else if (!is_file_word(spec->pack.shard_suffix + (spec->pack.shard_suffix[0] == '.')))
        bad = spec->pack.shard_suffix;
    for (size_t i = 0; bad == NULL && i < spec->split_count; i++)
        if (!is_file_word(spec->splits[i].name))
            bad = spec->splits[i].name;
    if (bad == NULL)
        return VG_OK;
    return vg_fail(err, VG_SPEC, spec->path,
                   "\"%s\" becomes part of a file name; expected ASCII letters, digits and . _ + - only",
                   bad);
}

/* Found out before the work, not after it. */
static int check_place(struct vg_release *release, const char *path, struct vg_error *err)
{
    const char *spec_path = vg_path_join(&release->arena, path, "spec.yaml"),
               *text = release->options.spec_text;
    char *bytes;
    size_t count;

    if (release->options.replace || !vg_file_exists(spec_path))
        return VG_OK;
    if (vg_file_get(spec_path, 1 << 28, &release->arena, &bytes, &count, err) != VG_OK)
        return VG_IO;
    if (count == strlen(text) && memcmp(bytes, text, count) == 0)
        return VG_OK;
    return vg_fail(
        err, VG_IO, path,
        "holds a release made from another spec; raise the version, choose another output folder, or "
        "allow replacing it");
}

static int open_excluded(struct vg_release *release, struct vg_error *err)
{
    int rc = vg_file_create(&release->excluded, vg_building_file(&release->building, vg_excluded_name), err);

    if (rc == VG_OK)
        rc = vg_file_write(&release->excluded, vg_excluded_header, strlen(vg_excluded_header), err);
    return rc;
}

static int open_tables(struct vg_release *release, struct vg_error *err)
{
    struct vg_building *building = &release->building;
    int rc = vg_file_create(&release->rows, vg_building_file(building, vg_rows_name), err);

    if (rc == VG_OK)
        rc = vg_file_create(&release->metadata, vg_building_file(building, "metadata.csv"), err);
    if (rc == VG_OK)
        rc = vg_file_create(&release->labels, vg_building_file(building, "labels.csv"), err);
    if (rc == VG_OK && release->options.parts > 0)
        rc = open_excluded(release, err);
    if (rc == VG_OK)
        rc = vg_file_write(&release->metadata, vg_metadata_header, strlen(vg_metadata_header), err);
    if (rc == VG_OK)
        rc = vg_file_write(&release->labels, vg_labels_header, strlen(vg_labels_header), err);
    return rc;
}

int vg_release_begin(struct vg_release **result, const char *folder, const struct vg_release_options *options,
                     struct vg_error *err)
{
    struct vg_release *release = vg_memory_take(1, sizeof *release);
    const char *path;
    int rc;

    *release = (struct vg_release){.options = *options};
    *result = release;
    release->audit = vg_audit_make();
    vg_digest_init(&release->id_digest, VG_XXH128);
    rc = check_words(options->spec, err);
    if (rc != VG_OK)
        return rc;
    release->stem = vg_arena_format(&release->arena, "%s-%s", options->spec->name, options->spec->version);
    path = vg_path_join(&release->arena, folder, release->stem);
    if (options->parts > 0)
        path = vg_arena_format(&release->arena, "%s.part-%05u-of-%05u", path, options->part, options->parts);
    rc = check_place(release, path, err);
    if (rc == VG_OK)
        rc = vg_building_begin(&release->building, path, err);
    return rc == VG_OK ? open_tables(release, err) : rc;
}

/* ---- adding ----------------------------------------------------------------------------------------- */

int vg_release_close_shard(struct vg_release *release, struct vg_error *err)
{
    int rc;

    if (release->open == NULL)
        return VG_OK;
    rc = vg_shard_commit(release->open, &release->shards[release->shard_count - 1].sums, err);
    vg_shard_release(release->open);
    release->open = NULL;
    return rc;
}

static int open_shard(struct vg_release *release, const char *split, struct vg_error *err)
{
    struct vg_written_shard *last =
        release->shard_count > 0 ? &release->shards[release->shard_count - 1] : NULL;
    struct vg_written_shard shard = {.split = vg_arena_text(&release->arena, split)};

    if (last != NULL && strcmp(last->split, split) == 0)
        shard.number = last->number + 1;
    shard.path = vg_building_file(&release->building,
                                  vg_arena_format(&release->arena, "shard-%zu.part", release->shard_count));
    if (release->shard_count == release->shard_room) {
        release->shard_room = release->shard_room > 0 ? 2 * release->shard_room : 16;
        release->shards = vg_memory_grow(release->shards, release->shard_room, sizeof shard);
    }
    release->shards[release->shard_count++] = shard;
    return vg_shard_create(&release->open, shard.path, err);
}

/* A shard ends with its split, or before the item that would make it larger than the spec says. */
static int make_room(struct vg_release *release, const struct vg_record *record, uint64_t more,
                     struct vg_error *err)
{
    bool other_split =
        release->open != NULL && strcmp(release->shards[release->shard_count - 1].split, record->split) != 0;
    bool full = release->open != NULL &&
                vg_shard_bytes(release->open) + more > (uint64_t)release->options.spec->pack.shard_bytes;
    int rc = VG_OK;

    if (other_split || full)
        rc = vg_release_close_shard(release, err);
    if (rc == VG_OK && release->open == NULL)
        rc = open_shard(release, record->split, err);
    return rc;
}

static int add_member(struct vg_release *release, const char *key, const char *end, const void *bytes,
                      size_t count, struct vg_error *err)
{
    vg_text_clear(&release->member);
    vg_text_addf(&release->member, "%s.%s", key, end);
    return vg_shard_add(release->open, release->member.data, bytes, count, err);
}

static int add_to_shard(struct vg_release *release, const struct vg_record *record,
                        const struct vg_text *flac, struct vg_error *err)
{
    int rc;

    vg_check(flac != NULL);
    vg_text_clear(&release->sample);
    vg_record_sample(record, &release->sample);
    rc = make_room(release, record,
                   vg_shard_member_bytes(flac->length) + vg_shard_member_bytes(release->sample.length), err);
    if (rc == VG_OK)
        rc = add_member(release, record->key, "flac", flac->data, flac->length, err);
    if (rc == VG_OK)
        rc = add_member(release, record->key, "json", release->sample.data, release->sample.length, err);
    if (rc == VG_OK)
        release->shards[release->shard_count - 1].items++;
    return rc;
}

static void keep_key(struct vg_release *release, const char *key)
{
    if (release->key_count == release->key_room) {
        release->key_room = release->key_room > 0 ? 2 * release->key_room : 1024;
        release->keys = vg_memory_grow(release->keys, release->key_room, sizeof *release->keys);
    }
    release->keys[release->key_count++] = vg_hash_text(key, strlen(key));
}

static struct vg_row_slot *take_slot(struct vg_release *release)
{
    if (release->slot_count == release->slot_room) {
        size_t room = release->slot_room > 0 ? 2 * release->slot_room : 32;

        release->slots = vg_memory_grow(release->slots, room, sizeof *release->slots);
        for (size_t i = release->slot_room; i < room; i++)
            release->slots[i] = (struct vg_row_slot){0};
        release->slot_room = room;
    }
    return &release->slots[release->slot_count++];
}

static size_t group_size(const struct vg_release *release)
{
    const struct vg_spec *spec = release->options.spec;

    return spec->tier_count * spec->curve_count * spec->direction_count;
}

static void fill_slot(struct vg_release *release, const struct vg_record *record)
{
    struct vg_row_slot *slot = take_slot(release);
    char mark[32];

    slot->place = record->place;
    vg_text_clear(&slot->manifest);
    vg_text_clear(&slot->metadata);
    vg_text_clear(&slot->labels);
    vg_text_clear(&slot->identity);
    vg_text_clear(&slot->excluded);
    vg_record_labels(record, &slot->labels);
    if (record->excluded != NULL && release->options.parts > 0)
        vg_excluded_row(record, record->group * group_size(release) + record->place, &slot->excluded);
    if (record->excluded != NULL)
        return;
    snprintf(mark, sizeof mark, "#%zu", release->shard_count - 1);
    vg_record_manifest(record, mark, &slot->manifest);
    vg_record_metadata(record, &slot->metadata);
    vg_text_addf(&slot->identity, "%s %s\n", record->audio_xxh128, record->flac_xxh128);
}

static int write_text(struct vg_file *file, const struct vg_text *text, struct vg_error *err)
{
    return vg_file_write(file, vg_text_or_empty(text), text->length, err);
}

static int write_slot(struct vg_release *release, const struct vg_row_slot *slot, struct vg_error *err)
{
    int rc = write_text(&release->rows, &slot->manifest, err);

    if (rc == VG_OK)
        rc = write_text(&release->metadata, &slot->metadata, err);
    if (rc == VG_OK)
        rc = write_text(&release->labels, &slot->labels, err);
    if (rc == VG_OK && slot->excluded.length > 0)
        rc = write_text(&release->excluded, &slot->excluded, err);
    vg_digest_add(&release->id_digest, vg_text_or_empty(&slot->identity), slot->identity.length);
    return rc;
}

/* Places of a group are few: the next one is looked for each time. */
int vg_release_flush(struct vg_release *release, struct vg_error *err)
{
    size_t from = 0; /* the lowest place that may come next */
    int rc = VG_OK;

    for (size_t written = 0; rc == VG_OK && written < release->slot_count; written++) {
        size_t lowest = SIZE_MAX;

        for (size_t i = 0; i < release->slot_count; i++)
            if (release->slots[i].place >= from &&
                (lowest == SIZE_MAX || release->slots[i].place < release->slots[lowest].place))
                lowest = i;
        vg_check(lowest < release->slot_count); /* no item is handed over twice */
        from = release->slots[lowest].place + 1;
        rc = write_slot(release, &release->slots[lowest], err);
    }
    release->slot_count = 0;
    return rc;
}

int vg_release_add(struct vg_release *release, const struct vg_record *record, const struct vg_text *flac,
                   struct vg_error *err)
{
    int rc = VG_OK;

    if (release->slot_count > 0 && record->group != release->group) {
        vg_check(record->group > release->group);
        rc = vg_release_flush(release, err);
    }
    release->group = record->group;
    if (rc == VG_OK && record->excluded == NULL) {
        keep_key(release, record->key);
        vg_audit_add(release->audit, record);
        rc = add_to_shard(release, record, flac, err);
    }
    if (rc == VG_OK)
        fill_slot(release, record);
    vg_summary_add(&release->summary, record);
    return rc;
}

/* ---- asking and ending --------------------------------------------------------------------------------- */

const char *vg_release_path(const struct vg_release *release)
{
    return release->building.path;
}

const char *vg_release_id(const struct vg_release *release)
{
    return release->id;
}

const struct vg_summary *vg_release_summary(const struct vg_release *release)
{
    return &release->summary;
}

void vg_release_release(struct vg_release *release)
{
    char hex[VG_DIGEST_HEX];

    if (release == NULL)
        return;
    vg_shard_release(release->open);
    vg_file_release(&release->rows);
    vg_file_release(&release->metadata);
    vg_file_release(&release->labels);
    vg_file_release(&release->excluded);
    for (size_t i = 0; i < release->slot_room; i++) {
        vg_text_release(&release->slots[i].manifest);
        vg_text_release(&release->slots[i].metadata);
        vg_text_release(&release->slots[i].labels);
        vg_text_release(&release->slots[i].identity);
        vg_text_release(&release->slots[i].excluded);
    }
    if (release->id_digest.state != NULL)
        vg_digest_finish(&release->id_digest, hex);
    vg_text_release(&release->sample);
    vg_text_release(&release->member);
    vg_summary_release(&release->summary);
    vg_audit_release(release->audit);
    vg_building_release(&release->building);
    free(release->slots);
    free(release->shards);
    free(release->keys);
    vg_arena_release(&release->arena);
    free(release);
}
