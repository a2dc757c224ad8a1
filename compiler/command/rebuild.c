/* SPDX-License-Identifier: MIT */
/* Does the compiler still make of the spec what the release holds? */
#include "checks.h"
#include "make.h"

#include <string.h>

/* Is item `index` among the `asked` of `total` that are spread evenly over the release? */
static bool chosen(size_t index, size_t asked, size_t total)
{
    return total == 0 || asked >= total || index * asked / total != (index + 1) * asked / total;
}

struct rebuild {
    struct vg_work *work;
    struct vg_call *call;
    struct vg_margins margins;
    struct vg_maker maker;
    struct vg_source_store *store;
    size_t next; /* item of the plan to look at first: rows are in plan order */
    size_t rendered;
};

static int compare_digests(struct rebuild *r, const struct vg_record *packed, const struct vg_record *made)
{
    if (strcmp(packed->audio_xxh128, made->audio_xxh128) != 0)
        return vg_fail(&r->call->err, VG_NO, packed->id,
                       "%s rendered again has the samples %s; the release says %s", packed->category,
                       made->audio_xxh128, packed->audio_xxh128);
    if (strcmp(packed->flac_xxh128, made->flac_xxh128) != 0)
        vg_warn(&r->call->err, packed->id,
                "%s: same samples, but this encoder writes other FLAC bytes (another version of libFLAC)",
                packed->category);
    return VG_OK;
}

/* The row's item, at or behind the last one found: a release may lack items of the plan, not reorder them. */
static bool find_item(struct rebuild *r, const struct vg_record *packed, struct vg_item *item)
{
    struct vg_text id = {0};
    bool found = false;

    for (size_t i = r->next; !found && i < r->work->plan.item_count; i++) {
        vg_plan_item(&r->work->plan, i, item);
        vg_text_clear(&id);
        vg_item_id(item, &id);
        found =
            strcmp(packed->category, item->category->words->name) == 0 && strcmp(packed->id, id.data) == 0;
        if (found)
            r->next = i + 1;
    }
    vg_text_release(&id);
    return found;
}

static int rebuild_item(struct rebuild *r, const struct vg_record *packed)
{
    struct vg_text flac = {0};
    struct vg_arena keep = {0};
    struct vg_record made = {0};
    const struct vg_loaded *source;
    struct vg_item item;
    int rc;

    if (!find_item(r, packed, &item))
        return vg_fail(&r->call->err, VG_NO, packed->id, "%s: the spec makes no such item at this place",
                       packed->category);
    rc = vg_source_store_acquire(r->store, item.source_index, &source, &r->call->err);
    if (rc != VG_OK)
        return rc;
    rc = vg_make_item(&r->maker, &r->margins, &item, source, &made, &flac, &keep, &r->call->err);
    vg_renderer_clear(&r->maker.renderer);
    r->maker.heard = NULL;
    vg_source_store_release(r->store, item.source_index);
    if (rc == VG_OK)
        rc = compare_digests(r, packed, &made);
    r->rendered++;
    vg_text_release(&flac);
    vg_arena_release(&keep);
    return rc;
}

static int rebuild_rows(struct rebuild *r, const char *folder, size_t asked, size_t total)
{
    struct vg_progress progress;
    struct vg_rows rows = {0};
    bool end = false, good = true;
    int rc = vg_rows_open(&rows, folder, &r->call->err);

    vg_progress_begin(&progress, r->call, "rebuild", total);
    for (size_t i = 0; rc == VG_OK && !end; i++) {
        struct vg_record record;

        rc = vg_rows_next(&rows, &record, &end, &r->call->err);
        if (rc == VG_OK && !end && chosen(i, asked, total))
            rc = rebuild_item(r, &record);
        good = good && rc == VG_OK;
        rc = rc == VG_NO ? VG_OK : rc; /* go on: name every item that differs */
        vg_progress_step(&progress, i + 1 < total ? i + 1 : total);
    }
    vg_progress_end(&progress);
    vg_rows_close(&rows);
    return rc != VG_OK ? rc : good ? VG_OK : VG_NO;
}

int vg_check_rebuild(struct vg_call *call, const char *folder)
{
    const char *many = vg_call_text(call, "rebuild", "all");
    struct vg_work work = {0};
    struct rebuild r = {.work = &work, .call = call};
    struct vg_about about;
    int64_t asked = INT64_MAX;
    int rc = vg_about_read(&about, folder, &call->arena, &call->err);

    if (strcmp(many, "all") != 0 && (!vg_integer_parse(many, &asked) || asked < 1))
        return vg_fail(&call->err, VG_USAGE, "--rebuild", "%s; expected a whole number or all", many);
    if (rc != VG_OK)
        return rc;
    call->operands[0] = vg_call_text(call, "spec", vg_path_join(&call->arena, folder, "spec.yaml"));
    rc = vg_work_plan(&work, call);
    if (rc != VG_OK)
        return rc;
    vg_margins_read(&r.margins, vg_node_find(work.spec.root, "measure"));
    r.store = vg_source_store_make(&work.spec, &work.sources, 0);
    rc = rebuild_rows(&r, folder, (size_t)asked, about.items);
    if (rc == VG_OK)
        vg_say(call, "%s: %zu items rendered again, all the same", folder, r.rendered);
    vg_maker_release(&r.maker);
    vg_source_store_free(r.store);
    return rc;
}
