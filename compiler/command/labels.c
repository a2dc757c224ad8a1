/* SPDX-License-Identifier: MIT */
/* verify --level labels: the sound of every shard is measured again and compared with the evidence in the
 * manifest, to the last bit.  Manifest and shards are walked side by side, group by group.  Without the
 * sources the blind measures alone can be taken again. */
#include "checks.h"
#include "measure.h"

#include <string.h>

enum { GROUP_MAX = 1024, MEMBER_BYTES_MAX = 1 << 30, FRAMES_MAX = 1 << 29 };

struct hearing {
    struct vg_call *call;
    const char *folder;
    struct vg_about about;
    struct vg_rows rows;
    struct vg_record group[GROUP_MAX]; /* rows of the group at hand; texts in `texts` */
    size_t count, left;                /* rows, and those not heard yet */
    bool heard[GROUP_MAX];
    struct vg_record ahead; /* the row that ended the group; its texts live until the next row is read */
    bool has_ahead, end;
    struct vg_arena texts, sound, reference_arena, tmp;
    struct vg_work work;
    bool has_sources;
    struct vg_source_store *store;
    size_t source_index; /* of `reference`; SIZE_MAX: none */
    const struct vg_reference *reference;
    struct vg_sound source;
    struct vg_margins margins;
    size_t items, verdicts[4], below_jnd;
};

/* ---- the manifest's rows, a group at a time ------------------------------------------------------------ */

static void keep_row(struct hearing *h, const struct vg_record *row)
{
    struct vg_record *kept = &h->group[h->count];

    *kept = *row;
    kept->key = vg_arena_text(&h->texts, row->key);
    kept->id = vg_arena_text(&h->texts, row->id);
    kept->category = vg_arena_text(&h->texts, row->category);
    kept->label = vg_arena_text(&h->texts, row->label);
    kept->source = vg_arena_text(&h->texts, row->source);
    h->heard[h->count++] = false;
}

static int next_group(struct hearing *h)
{
    struct vg_arena_mark empty = {0};
    int rc = VG_OK;

    vg_arena_rewind(&h->texts, empty);
    h->count = 0;
    if (h->has_ahead)
        keep_row(h, &h->ahead);
    h->has_ahead = false;
    while (rc == VG_OK && !h->end && !h->has_ahead && h->count < GROUP_MAX) {
        rc = vg_rows_next(&h->rows, &h->ahead, &h->end, &h->call->err);
        if (rc != VG_OK || h->end)
            break;
        h->has_ahead = h->count > 0 && h->ahead.group != h->group[0].group;
        if (!h->has_ahead)
            keep_row(h, &h->ahead);
    }
    h->left = h->count;
    return rc;
}

/* The row of a member, or NULL. */
static const struct vg_record *row_of(struct hearing *h, const char *member)
{
    size_t length = strcspn(member, ".");

    for (size_t i = 0; i < h->count; i++)
        if (!h->heard[i] && strlen(h->group[i].key) == length &&
            memcmp(h->group[i].key, member, length) == 0) {
            h->heard[i] = true;
            h->left--;
            return &h->group[i];
        }
    return NULL;
}

/* ---- one item
 * ---------------------------------------------------------------------------------------------- */

static int find_reference(struct hearing *h, const char *source_id)
{
    const struct vg_loaded *loaded;
    struct vg_arena_mark empty = {0};
    size_t index = 0;
    int rc;

    if (h->source_index != SIZE_MAX && strcmp(h->work.sources.at[h->source_index].id, source_id) == 0)
        return VG_OK;
    while (index < h->work.sources.count && strcmp(h->work.sources.at[index].id, source_id) != 0)
        index++;
    if (index == h->work.sources.count)
        return vg_fail(&h->call->err, VG_NO, source_id,
                       "the spec has no such source; the release was made from it");
    rc = vg_source_store_acquire(h->store, index, &loaded, &h->call->err);
    if (rc != VG_OK)
        return rc;
    vg_arena_rewind(&h->reference_arena, empty);
    h->source = (struct vg_sound){loaded->clip.samples, loaded->clip.frames, loaded->clip.rate_hz,
                                  loaded->span.on, loaded->span.off};
    h->reference = vg_reference_make(&h->source, &h->reference_arena, &h->tmp);
    h->source_index = index;
    vg_source_store_release(h->store, index); /* the reference keeps what it needs */
    return VG_OK;
}

static bool same(const struct vg_evidence *a, const struct vg_evidence *b)
{
    return a->net == b->net && a->rank == b->rank && a->sign == b->sign && a->segments == b->segments;
}

static int compare(struct hearing *h, const struct vg_record *row, const struct vg_evidence *paired,
                   const struct vg_evidence *blind)
{
    enum vg_quantity own = vg_quantity_of(row->category);
    enum vg_verdict verdict;

    for (size_t q = 0; q < VG_QUANTITIES; q++)
        if (!same(&blind[q], &row->blind[q]) || (h->has_sources && !same(&paired[q], &row->paired[q])))
            return vg_fail(
                &h->call->err, VG_NO, row->id,
                "%s: the measure of %s finds something else than the manifest says; the sound, the "
                "source or the evidence was changed",
                row->category, vg_measures[q].name);
    if (own == VG_QUANTITIES || !h->has_sources)
        return VG_OK;
    verdict = vg_verdict_judged(&paired[own], &blind[own], &h->margins.of[own],
                                strcmp(row->label, h->work.spec.labels[VG_UP]) == 0 ? 1 : -1);
    h->verdicts[verdict]++;
    h->below_jnd += verdict == VG_CONFIRMED && row->below_jnd;
    if (verdict != row->verdict)
        return vg_fail(&h->call->err, VG_NO, row->id, "%s: the label \"%s\" is %s; the manifest says %s",
                       row->category, row->label, vg_verdict_names[verdict], vg_verdict_names[row->verdict]);
    return VG_OK;
}

static int hear_item(struct hearing *h, const struct vg_record *row, const struct vg_member *member)
{
    struct vg_evidence paired[VG_QUANTITIES] = {0}, blind[VG_QUANTITIES] = {0};
    struct vg_arena_mark empty = {0};
    struct vg_sound sound = {.on = row->onset, .off = row->offset};
    int16_t *samples;
    int rc = vg_flac_decode(member->bytes, member->count, FRAMES_MAX, &samples, &sound.frames, &sound.rate_hz,
                            &h->sound, row->id, &h->call->err);

    if (rc == VG_OK && h->has_sources)
        rc = find_reference(h, row->source);
    if (rc == VG_OK) {
        sound.samples = samples;
        if (h->has_sources)
            vg_measure_both(h->reference, &sound, &h->margins, (1u << VG_QUANTITIES) - 1, paired, blind,
                            &h->tmp);
        else
            vg_measure_blind(&sound, &h->margins, (1u << VG_QUANTITIES) - 1, blind, &h->tmp);
        vg_arena_rewind(&h->tmp, empty);
        rc = row->measured ? compare(h, row, paired, blind) : VG_OK;
    }
    vg_arena_rewind(&h->sound, empty);
    h->items++;
    return rc;
}

/* ---- all of them
 * ------------------------------------------------------------------------------------------- */

static int hear_shard(struct hearing *h, const char *path)
{
    struct vg_shard_reader *reader = NULL;
    struct vg_member member;
    bool end = false, good = true;
    int rc = vg_shard_open(&reader, path, MEMBER_BYTES_MAX, &h->call->err);

    while (rc == VG_OK) {
        const struct vg_record *row;
        size_t length;

        rc = vg_shard_next(reader, &member, &end, &h->call->err);
        if (rc != VG_OK || end)
            break;
        length = strlen(member.name);
        if (length < 5 || strcmp(member.name + length - 5, ".flac") != 0)
            continue;
        if (h->left == 0)
            rc = next_group(h);
        row = row_of(h, member.name);
        if (rc == VG_OK)
            rc = row != NULL
                     ? hear_item(h, row, &member)
                     : vg_fail(&h->call->err, VG_NO, path, "%s is not the manifest's next item", member.name);
        good = good && rc == VG_OK;
        rc = rc == VG_NO ? VG_OK : rc; /* go on: name every item that differs */
    }
    vg_shard_close(reader);
    return rc != VG_OK ? rc : good ? VG_OK : VG_NO;
}

/* The sources, through --spec or the release's own spec.yaml; false where they are not at hand. */
static bool find_sources(struct hearing *h)
{
    struct vg_error aside = h->call->err;
    bool found;

    h->call->err = (struct vg_error){0};
    h->call->operands[0] =
        vg_call_text(h->call, "spec", vg_path_join(&h->call->arena, h->folder, "spec.yaml"));
    found = vg_work_plan(&h->work, h->call) == VG_OK;
    vg_error_release(&h->call->err);
    h->call->err = aside;
    if (!found)
        vg_warn(
            &h->call->err, h->call->operands[0],
            "the sources are not at hand, so the blind measures alone are taken again; --spec names a spec "
            "that finds them");
    return found;
}

static void say_result(const struct hearing *h)
{
    if (h->has_sources)
        vg_say(h->call,
               "%s: %zu items measured again, the same evidence; labels: %zu confirmed (%zu below one JND), "
               "%zu opposed, %zu no change, %zu undecided",
               h->folder, h->items, h->verdicts[VG_CONFIRMED], h->below_jnd, h->verdicts[VG_OPPOSED],
               h->verdicts[VG_NO_CHANGE], h->verdicts[VG_UNDECIDED]);
    else
        vg_say(h->call, "%s: %zu items measured again without their sources, the same blind evidence",
               h->folder, h->items);
}

int vg_check_labels(struct vg_call *call, const char *folder)
{
    struct hearing *h = vg_arena_take_zero(&call->arena, 1, sizeof *h);
    int rc = vg_about_read(&h->about, folder, &call->arena, &call->err), worst = VG_OK;

    h->call = call;
    h->folder = folder;
    h->source_index = SIZE_MAX;
    if (rc == VG_OK)
        rc = vg_rows_open(&h->rows, folder, &call->err);
    if (rc != VG_OK)
        return rc;
    h->has_sources = find_sources(h);
    vg_margins_read(&h->margins, h->has_sources ? vg_node_find(h->work.spec.root, "measure") : NULL);
    if (h->has_sources)
        h->store = vg_source_store_make(&h->work.spec, &h->work.sources, 0);
    for (size_t i = 0; i < h->about.shard_count && worst != VG_IO; i++) {
        rc = hear_shard(h, vg_path_join(&call->arena, folder, h->about.shards[i].name));
        worst = worst == VG_OK ? rc : worst;
    }
    if (worst == VG_OK)
        say_result(h);
    vg_source_store_free(h->store);
    vg_rows_close(&h->rows);
    vg_arena_release(&h->texts);
    vg_arena_release(&h->sound);
    vg_arena_release(&h->reference_arena);
    vg_arena_release(&h->tmp);
    return worst;
}
