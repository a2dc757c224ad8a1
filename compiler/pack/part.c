/* SPDX-License-Identifier: MIT */
/* One part of a release built apart, read back as the items that were handed to it, in that order.  A part
 * holds whole groups.  Its manifest lacks the items that were excluded; excluded.tsv holds those, with the
 * place that each has in the whole plan, so that both together give every place exactly once. */
#include "part.h"

#include <string.h>

const char vg_excluded_name[] = "excluded.tsv", vg_excluded_header[] = "index\texcluded\trow\n";

enum { EXCLUDED_COLUMNS = 3, ORDER_MAX = 1 << 20 };

void vg_excluded_row(const struct vg_record *record, size_t index, struct vg_text *out)
{
    vg_text_addf(out, "%zu\t%s\t", index, record->excluded);
    vg_record_manifest(record, "", out); /* canonical JSON has no tab */
}

int vg_part_open(struct vg_part *part, const char *folder, const struct vg_about *about, size_t group_size,
                 struct vg_error *err)
{
    const char *path = vg_path_join(&part->names, folder, vg_excluded_name);

    part->folder = vg_arena_text(&part->names, folder);
    part->about = about;
    part->group_size = group_size;
    if (group_size == 0 || group_size > ORDER_MAX)
        return vg_fail(err, VG_NO, folder, "its spec has %zu items in a group", group_size);
    part->records = vg_arena_take(&part->names, group_size, sizeof(struct vg_record *));
    part->order = vg_arena_take(&part->names, group_size, sizeof *part->order);
    if (vg_table_read(&part->excluded, path, &part->names, VG_NO, err) != VG_OK)
        return VG_NO;
    if (part->excluded.column_count != EXCLUDED_COLUMNS || strcmp(part->excluded.columns[0], "index") != 0)
        return vg_fail(err, VG_NO, path, "has other columns than vocalgrad writes");
    return vg_rows_open(&part->rows, folder, err);
}

void vg_part_close(struct vg_part *part)
{
    vg_rows_close(&part->rows);
    vg_shard_close(part->shard);
    vg_arena_release(&part->keep);
    vg_arena_release(&part->names);
    *part = (struct vg_part){0};
}

/* ---- records ------------------------------------------------------------------------------------------ */

/* Is the item at this place of the plan an excluded one?  Then it is read. */
static int take_excluded(struct vg_part *part, size_t index, struct vg_record *record, bool *taken,
                         struct vg_error *err)
{
    const char *const *fields, *place;
    int64_t stated;
    int rc;

    *taken = false;
    if (part->excluded_next == part->excluded.row_count)
        return VG_OK;
    fields = (const char *const *)part->excluded.rows[part->excluded_next];
    if (!vg_integer_parse(fields[0], &stated) || (uint64_t)stated != index)
        return VG_OK;
    place = vg_arena_format(&part->keep, "%s:%zu", part->excluded.path, part->excluded_next + 2);
    rc = vg_record_parse(record, fields[2], strlen(fields[2]), &part->keep, place, err);
    record->excluded = fields[1];
    part->excluded_next++;
    *taken = true;
    return rc;
}

static int too_few(const struct vg_part *part, struct vg_error *err)
{
    return vg_fail(
        err, VG_NO, part->folder,
        "ends in the middle of its items: manifest.jsonl and excluded.tsv do not make a whole part");
}

/* All records of one group of the plan, in plan order. */
static int read_group(struct vg_part *part, size_t group, bool *end, struct vg_error *err)
{
    struct vg_arena_mark empty = {0};
    int rc = VG_OK;

    vg_arena_rewind(&part->keep, empty);
    *end = false;
    for (size_t place = 0; rc == VG_OK && place < part->group_size; place++) {
        struct vg_record *record = vg_arena_take_zero(&part->keep, 1, sizeof *record);
        bool taken, over = false;

        rc = take_excluded(part, group * part->group_size + place, record, &taken, err);
        if (rc == VG_OK && !taken)
            rc = vg_rows_next_in(&part->rows, record, &part->keep, &over, err);
        if (rc == VG_OK && over && place == 0 && part->excluded_next == part->excluded.row_count) {
            *end = true;
            return VG_OK;
        }
        if (rc == VG_OK && over)
            rc = too_few(part, err);
        record->group = group;
        record->place = place;
        part->records[place] = record;
    }
    return rc;
}

/* ---- sound -------------------------------------------------------------------------------------------- */

/* The next FLAC member, over the ends of shards; its annotation is made again from the record. */
static int next_member(struct vg_part *part, struct vg_member *member, struct vg_error *err)
{
    bool end = true;
    int rc = VG_OK;

    while (rc == VG_OK && end) {
        if (part->shard == NULL) {
            if (part->shard_next == part->about->shard_count)
                return too_few(part, err);
            rc = vg_shard_open(
                &part->shard,
                vg_path_join(&part->keep, part->folder, part->about->shards[part->shard_next++].name),
                VG_MEMBER_BYTES_MAX, err);
        }
        if (rc == VG_OK)
            rc = vg_shard_next(part->shard, member, &end, err);
        if (rc == VG_OK && end) {
            vg_shard_close(part->shard);
            part->shard = NULL;
        }
    }
    return rc;
}

static int hand_over(struct vg_part *part, const struct vg_record *record, struct vg_release *release,
                     struct vg_error *err)
{
    struct vg_member member = {0};
    struct vg_text flac = {0};
    char hex[VG_DIGEST_HEX];
    int rc = next_member(part, &member, err);

    if (rc != VG_OK)
        return rc;
    vg_digest_of(VG_XXH128, member.bytes, member.count, hex);
    if (strcmp(hex, record->flac_xxh128) != 0)
        return vg_fail(err, VG_NO, part->folder,
                       "the member %s of its shards is not the item %s__%s that its manifest has there",
                       member.name, record->category, record->id);
    vg_text_add_part(&flac, member.bytes, member.count);
    rc = vg_release_add(release, record, &flac, err);
    vg_text_release(&flac);
    return rc == VG_OK ? next_member(part, &member, err) : rc; /* the annotation */
}

int vg_part_group(struct vg_part *part, size_t group, struct vg_release *release, bool *end,
                  struct vg_error *err)
{
    int rc = read_group(part, group, end, err);

    if (rc != VG_OK || *end)
        return rc;
    vg_records_shuffle(part->records, part->group_size, part->order);
    for (size_t i = 0; rc == VG_OK && i < part->group_size; i++) {
        const struct vg_record *record = part->records[part->order[i]];

        rc = record->excluded != NULL ? vg_release_add(release, record, NULL, err)
                                      : hand_over(part, record, release, err);
    }
    return rc;
}
