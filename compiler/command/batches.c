/* SPDX-License-Identifier: MIT */
/* All items of a plan, on workers.  A batch is the group of one source and category (tiers x curves x
 * directions), so that its analysis is made once; where the sound is long a batch is one pair of opposites,
 * so that what is in flight stays bounded by the number of workers. */
#include "cache.h"

#include <string.h>

enum { CACHE_MIB = 4096 };           /* unless told otherwise */
enum { GROUP_BYTES_MAX = 32 << 20 }; /* samples of a group that one batch may hold */
enum { MAKING_BYTES = 256 << 20 };   /* what makers may hold at once of long sources */

struct slot {
    struct vg_arena keep;
    struct vg_record **records; /* of the batch, in shard order */
    struct vg_text *flacs;
    size_t count;
    struct vg_error err;
};
struct batches {
    struct vg_work *work;
    struct vg_source_store *store;
    const struct vg_source_row *rows;
    struct vg_release *release;
    struct vg_margins margins;
    struct vg_cache *cache; /* or NULL */
    struct vg_quota *quota;
    bool large;    /* the sound is long: a batch is a pair, and what is done is let go at once */
    size_t slices; /* batches in a group */
    size_t window;
    struct vg_maker *makers; /* one a worker */
    struct slot *slots;      /* [window] */
    struct vg_error *err;
    struct vg_progress progress;
    size_t items_done;
};

/* The group of a batch: part I of N takes every Nth, so that each part has its share of every category. */
static size_t group_of(const struct batches *b, size_t index)
{
    size_t nth = index / b->slices;

    return b->work->parts == 0 ? nth : nth * b->work->parts + b->work->part - 1;
}

static size_t count_groups(const struct vg_work *work)
{
    size_t all = work->plan.item_count / work->plan.items_per_source;

    return work->parts == 0 ? all : (all + work->parts - work->part) / work->parts;
}

/* Records of a whole group in shard order: only the batch's own are made. */
static struct vg_record **group_records(const struct batches *b, size_t group, struct vg_arena *keep)
{
    const struct vg_plan *plan = &b->work->plan;
    size_t count = plan->items_per_source;
    struct vg_record **records = vg_arena_take(keep, count, sizeof *records);
    struct vg_record **ordered = vg_arena_take(keep, count, sizeof *ordered);
    size_t *order = vg_arena_take(keep, count, sizeof *order);

    for (size_t i = 0; i < count; i++) {
        struct vg_item item;

        records[i] = vg_arena_take_zero(keep, 1, sizeof **records);
        vg_plan_item(plan, group * count + i, &item);
        vg_record_of_item(records[i], &item, &b->rows[item.source_index].facts, keep);
        records[i]->group = group;
        records[i]->place = i;
    }
    vg_records_shuffle(records, count, order);
    for (size_t i = 0; i < count; i++)
        ordered[i] = records[order[i]];
    return ordered;
}

static bool rejected(const struct vg_spec *spec, const struct vg_record *record)
{
    return (record->verdict != VG_CONFIRMED && spec->on_label == VG_POLICY_EXCLUDE) ||
           (record->verdict == VG_CONFIRMED && record->below_jnd && spec->on_below_jnd == VG_POLICY_EXCLUDE);
}

/* An item and its opposite go together, so that directions stay balanced. */
static void apply_policy(const struct vg_spec *spec, struct slot *slot)
{
    for (size_t i = 0; i < slot->count; i++) {
        struct vg_record *record = slot->records[i];

        if (!record->measured || !rejected(spec, record))
            continue;
        record->excluded = record->verdict != VG_CONFIRMED ? vg_verdict_names[record->verdict] : "below_jnd";
    }
    for (size_t i = 0; i < slot->count; i++) {
        struct vg_record *record = slot->records[i];

        for (size_t k = 0; record->excluded == NULL && k < slot->count; k++) {
            const struct vg_record *other = slot->records[k];

            if (k != i && other->excluded != NULL && strcmp(other->tier, record->tier) == 0 &&
                strcmp(other->curve, record->curve) == 0)
                record->excluded = "opposite excluded";
        }
    }
}

static int make_batch(struct batches *b, struct vg_maker *maker, struct slot *slot,
                      const struct vg_loaded *source)
{
    int rc = VG_OK;

    for (size_t i = 0; rc == VG_OK && i < slot->count; i++) {
        struct vg_record *record = slot->records[i];
        size_t group = record->group, place = record->place;
        struct vg_item item;

        vg_plan_item(&b->work->plan, group * b->work->plan.items_per_source + place, &item);
        if (!vg_cache_take(b->cache, &item, source, record, &slot->flacs[i], &slot->keep)) {
            rc = vg_make_item(maker, &b->margins, &item, source, record, &slot->flacs[i], &slot->keep,
                              &slot->err);
            if (rc == VG_OK)
                vg_cache_put(b->cache, &item, source, record, &slot->flacs[i]);
        }
        record->group = group;
        record->place = place;
    }
    return rc;
}

/* A source that did not fit into the store is decoded again: it must be what preflight saw. */
static int check_same(const struct batches *b, size_t index, const struct vg_loaded *source,
                      struct vg_error *err)
{
    if (strcmp(source->facts.audio_xxh128, b->rows[index].facts.audio_xxh128) == 0)
        return VG_OK;
    return vg_fail(err, VG_SOURCE, source->path,
                   "changed while the release was built: its samples are %s and were %s; build again once it "
                   "stays as it is",
                   source->facts.audio_xxh128, b->rows[index].facts.audio_xxh128);
}

static int make_group(struct batches *b, struct vg_maker *maker, struct slot *slot, size_t index)
{
    const struct vg_loaded *source;
    int rc = vg_source_store_acquire(b->store, index, &source, &slot->err);

    if (rc != VG_OK)
        return rc;
    rc = check_same(b, index, source, &slot->err);
    if (rc == VG_OK)
        rc = make_batch(b, maker, slot, source);
    vg_renderer_clear(&maker->renderer);
    maker->heard = NULL;
    if (b->large) /* scratch of a long source is much, and the next may be another worker's */
        vg_maker_release(maker);
    vg_source_store_release(b->store, index);
    return rc;
}

static int work(void *context, unsigned worker, size_t index)
{
    struct batches *b = context;
    const struct vg_plan *plan = &b->work->plan;
    struct slot *slot = &b->slots[index % b->window];
    size_t group = group_of(b, index), slice = index % b->slices,
           per_slice = plan->items_per_source / b->slices;
    struct vg_arena_mark empty = {0};
    struct vg_item first;
    size_t bytes;
    int rc;

    vg_arena_rewind(&slot->keep, empty);
    vg_plan_item(plan, group * plan->items_per_source, &first);
    bytes = b->rows[first.source_index].facts.frames * VG_MAKER_BYTES_PER_FRAME;
    slot->count = per_slice;
    slot->records = group_records(b, group, &slot->keep) + slice * per_slice;
    for (size_t i = 0; i < per_slice; i++)
        vg_text_clear(&slot->flacs[i]);
    vg_quota_take(b->quota, bytes);
    rc = make_group(b, &b->makers[worker], slot, first.source_index);
    vg_quota_give(b->quota, bytes);
    apply_policy(&b->work->spec, slot);
    return rc;
}
static int done(void *context, size_t index)
{
    struct batches *b = context;
    struct slot *slot = &b->slots[index % b->window];
    int rc = vg_interrupt_check(b->err, b->work->spec.path);

    for (size_t i = 0; rc == VG_OK && i < slot->count; i++) {
        rc = vg_release_add(b->release, slot->records[i], &slot->flacs[i], b->err);
        if (b->large)
            vg_text_release(&slot->flacs[i]);
    }
    b->items_done += slot->count;
    vg_progress_step(&b->progress, b->items_done);
    return rc;
}

static size_t longest_frames(const struct vg_work *job, const struct vg_source_row *rows)
{
    size_t longest = 0;

    for (size_t i = 0; i < job->sources.count; i++)
        if (rows[i].facts.frames > longest)
            longest = rows[i].facts.frames;
    return longest;
}

/* Workers: one where no two makers fit side by side, as each keeps what its thread once had. */
static unsigned workers_of(const struct batches *b, size_t longest, unsigned jobs)
{
    return b->large && longest > MAKING_BYTES / 2 / VG_MAKER_BYTES_PER_FRAME ? 1 : jobs;
}

static void open_slots(struct batches *b, struct vg_arena *arena, unsigned jobs)
{
    size_t per_slice = b->work->plan.items_per_source / b->slices;

    /* Of a long source no finished batch waits for its turn: noise makes files as large as its samples. */
    b->window = b->large ? jobs : (size_t)jobs + 1;
    b->makers = vg_arena_take_zero(arena, jobs, sizeof *b->makers);
    b->slots = vg_arena_take_zero(arena, b->window, sizeof *b->slots);
    for (size_t i = 0; i < b->window; i++)
        b->slots[i].flacs = vg_arena_take_zero(arena, per_slice, sizeof *b->slots[i].flacs);
}

static void close_slots(struct batches *b, unsigned jobs)
{
    size_t per_slice = b->work->plan.items_per_source / b->slices;

    for (size_t i = 0; i < b->window; i++) {
        vg_error_move(b->err, &b->slots[i].err);
        vg_error_release(&b->slots[i].err);
        vg_arena_release(&b->slots[i].keep);
        for (size_t k = 0; k < per_slice; k++)
            vg_text_release(&b->slots[i].flacs[k]);
    }
    for (unsigned i = 0; i < jobs; i++)
        vg_maker_release(&b->makers[i]);
}

/* Beside the output unless told otherwise; a build that is killed finds there what it had made. */
static int open_cache(struct batches *b, struct vg_call *call)
{
    const char *folder = vg_call_text(call, "cache", NULL), *limit = vg_call_text(call, "cache-limit", NULL);
    int64_t mib = CACHE_MIB;

    if (limit != NULL && (!vg_integer_parse(limit, &mib) || mib < 0 || mib > INT64_MAX >> 20))
        return vg_fail(&call->err, VG_USAGE, "--cache-limit", "%s; expected a whole number of MiB", limit);
    if (vg_call_flag(call, "no-cache"))
        return VG_OK;
    if (folder == NULL)
        folder = vg_path_join(&call->arena, vg_call_text(call, "output", "out"), ".cache");
    b->cache = vg_cache_open(folder, (uint64_t)mib << 20, &b->work->spec, &b->margins);
    if (b->cache == NULL)
        vg_warn(&call->err, folder, "cannot be used to keep finished items; the build goes on without");
    return VG_OK;
}

static void close_cache(struct vg_cache *cache, const struct vg_call *call)
{
    struct vg_cache_counts counts = vg_cache_close(cache);

    if (cache != NULL)
        vg_say(call, "cache: %zu items taken, %zu made, %zu damaged entries; %llu MiB held", counts.taken,
               counts.made, counts.damaged, (unsigned long long)(counts.bytes >> 20));
}

int vg_make_all(struct vg_work *job, struct vg_call *call, struct vg_source_store *store,
                const struct vg_source_row *rows, struct vg_release *release)
{
    struct batches b = {.work = job, .store = store, .rows = rows, .release = release, .err = &call->err};
    unsigned jobs = (unsigned)vg_call_count(call, "jobs", vg_pool_default_jobs());
    size_t pair = job->spec.direction_count, groups = count_groups(job), longest = longest_frames(job, rows);
    int rc;

    b.large = longest * sizeof(int16_t) * job->plan.items_per_source > GROUP_BYTES_MAX;
    b.slices = b.large ? job->plan.items_per_source / pair : 1;
    vg_margins_read(&b.margins, vg_node_find(job->spec.root, "measure"));
    rc = open_cache(&b, call);
    if (rc != VG_OK)
        return rc;
    jobs = workers_of(&b, longest, jobs);
    open_slots(&b, &call->arena, jobs);
    b.quota = vg_quota_make(MAKING_BYTES);
    vg_progress_begin(&b.progress, call, "items", groups * job->plan.items_per_source);
    rc = vg_pool_run(&(struct vg_pool_job){&b, groups * b.slices, jobs, b.window, work, done});
    vg_progress_end(&b.progress);
    close_slots(&b, jobs);
    vg_quota_free(b.quota);
    close_cache(b.cache, call);
    return rc;
}
