/* SPDX-License-Identifier: MIT */
/* Preflight: every source is decoded once before anything is rendered, so that all faults come at once and
 * what is skipped is known to the plan. */
#include "make.h"

#include <stdlib.h>
#include <string.h>

struct preflight {
    struct vg_work *work;
    struct vg_source_store *store;
    struct vg_source_row *rows;
    struct vg_arena *arena;
    struct vg_error *errors;       /* [window] */
    struct vg_source_facts *facts; /* [window]; texts copied into `texts` while the source is held */
    struct vg_arena *texts;        /* [window] */
    size_t window;
    struct vg_error *err;
    struct vg_progress progress;
};

static int work(void *context, unsigned worker, size_t index)
{
    struct preflight *flight = context;
    size_t slot = index % flight->window;
    struct vg_arena_mark empty = {0};
    const struct vg_loaded *loaded;
    const struct vg_source *source = &flight->work->sources.at[index];
    const char *refusal;
    int rc;

    (void)worker;
    vg_arena_rewind(&flight->texts[slot], empty);
    flight->facts[slot] = (struct vg_source_facts){.decoder = "", .note = ""};
    if (source->left_out != NULL)
        return VG_OK;
    rc = vg_source_store_acquire(flight->store, index, &loaded, &flight->errors[slot]);
    if (rc != VG_OK)
        return VG_OK; /* told by done(), which lists every bad source */
    flight->facts[slot] = loaded->facts;
    flight->facts[slot].decoder = vg_arena_text(&flight->texts[slot], loaded->facts.decoder);
    flight->facts[slot].note = vg_arena_text(&flight->texts[slot], loaded->facts.note);
    refusal = vg_render_refuses(&flight->work->spec, source->split, loaded, &flight->texts[slot]);
    if (refusal != NULL)
        vg_fail(&flight->errors[slot], VG_SOURCE, source->place, "source %s: %s", source->id, refusal);
    vg_source_store_release(flight->store, index);
    return VG_OK;
}

/* What was wrong with a source: the first that is no warning. */
static const char *sentence_of(const struct vg_error *err)
{
    for (size_t i = 0; i < err->count; i++)
        if (err->issues[i].code != VG_OK)
            return err->issues[i].sentence;
    return "unknown";
}

static int done(void *context, size_t index)
{
    struct preflight *flight = context;
    size_t slot = index % flight->window;
    struct vg_error *found = &flight->errors[slot];
    const struct vg_spec *spec = &flight->work->spec;
    const struct vg_source *source = &flight->work->sources.at[index];
    struct vg_source_row *row = &flight->rows[index];
    int code = vg_error_code(found);

    *row = (struct vg_source_row){
        .source = *source, .split = spec->splits[source->split].name, .facts = flight->facts[slot]};
    row->facts.decoder = vg_arena_text(flight->arena, row->facts.decoder);
    row->facts.note = vg_arena_text(flight->arena, row->facts.note);
    if (source->left_out != NULL)
        row->skipped = vg_source_reason(spec, source, source->left_out, flight->arena);
    if (code == VG_SOURCE)
        row->skipped = vg_source_reason(spec, source, sentence_of(found), flight->arena);
    for (size_t i = 0; code == VG_SOURCE && spec->on_bad_source == VG_POLICY_SKIP && i < found->count; i++)
        found->issues[i].code = VG_OK; /* a warning: the spec asked for it */
    vg_error_move(flight->err, found);
    vg_progress_step(&flight->progress, index + 1);
    return code == VG_IO ? VG_IO : VG_OK; /* a full disk or the like will not get better */
}

/* Take skipped sources out of the list; the rows keep all. */
static void drop_skipped(struct vg_work *job, const struct vg_source_row *rows)
{
    for (size_t i = 0; i < job->sources.count; i++)
        job->sources.at[i].left_out = rows[i].skipped;
}

int vg_make_preflight(struct vg_work *job, struct vg_call *call, struct vg_source_store *store,
                      struct vg_source_row **rows)
{
    struct preflight flight = {.work = job, .store = store, .arena = &call->arena, .err = &call->err};
    unsigned jobs = (unsigned)vg_call_count(call, "jobs", vg_pool_default_jobs());
    size_t known = call->err.count;
    int rc;

    flight.window = 2 * (size_t)jobs;
    flight.rows = vg_arena_take_zero(&call->arena, job->sources.count + 1, sizeof *flight.rows);
    flight.errors = vg_arena_take_zero(&call->arena, flight.window, sizeof *flight.errors);
    flight.facts = vg_arena_take_zero(&call->arena, flight.window, sizeof *flight.facts);
    flight.texts = vg_arena_take_zero(&call->arena, flight.window, sizeof *flight.texts);
    vg_progress_begin(&flight.progress, call, "sources", job->sources.count);
    rc = vg_pool_run(&(struct vg_pool_job){&flight, job->sources.count, jobs, flight.window, work, done});
    vg_progress_end(&flight.progress);
    for (size_t i = 0; i < flight.window; i++) {
        vg_arena_release(&flight.texts[i]);
        vg_error_release(&flight.errors[i]);
    }
    for (size_t i = known; rc == VG_OK && i < call->err.count; i++)
        rc = call->err.issues[i].code;
    drop_skipped(job, flight.rows);
    *rows = flight.rows;
    return rc;
}
