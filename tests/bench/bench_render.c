/* SPDX-License-Identifier: MIT */
/* Rendering alone, as the paper's figures are: processor time of one thread for the items of a spec, their
 * sources decoded before.  What items of one source share is worked out once and is part of it.  For each
 * category, as JSON: items, samples of their sources, seconds. */
#include "command.h"

#include <stdlib.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All items of one source and category; returns the seconds. */
static double render_group(const struct vg_plan *plan, size_t first, const struct vg_loaded *source,
                           struct vg_renderer *renderer, struct vg_arena *keep)
{
    double begun = seconds_now();

    for (size_t i = 0; i < plan->items_per_source; i++) {
        struct vg_arena_mark mark = vg_arena_mark(keep);
        struct vg_rendered out;
        struct vg_item item;

        vg_plan_item(plan, first + i, &item);
        vg_render(renderer, &item, source, &out, keep);
        vg_arena_rewind(keep, mark);
    }
    vg_renderer_clear(renderer);
    return seconds_now() - begun;
}

static int render_block(const struct vg_work *work, const struct vg_block *block,
                        struct vg_source_store *store, struct vg_json *json, struct vg_error *err)
{
    struct vg_renderer renderer = {0};
    struct vg_arena keep = {0};
    double seconds = 0;
    size_t samples = 0, per_source = work->plan.items_per_source;
    int rc = VG_OK;

    for (size_t i = 0; rc == VG_OK && i < block->source_count; i++) {
        const struct vg_loaded *source;

        rc = vg_source_store_acquire(store, block->sources[i], &source, err);
        if (rc != VG_OK)
            break;
        seconds += render_group(&work->plan, block->first_item + i * per_source, source, &renderer, &keep);
        samples += source->clip.frames * per_source;
        vg_source_store_release(store, block->sources[i]);
    }
    vg_json_open(json, NULL, '{');
    vg_json_string(json, "category", work->spec.categories[block->category].words->name);
    vg_json_integer(json, "items", (int64_t)(block->source_count * per_source));
    vg_json_integer(json, "samples", (int64_t)samples);
    vg_json_double(json, "seconds", seconds);
    vg_json_close(json, '}');
    vg_renderer_release(&renderer);
    vg_arena_release(&keep);
    return rc;
}

static int render_all(const struct vg_work *work, struct vg_error *err)
{
    struct vg_source_store *store = vg_source_store_make(&work->spec, &work->sources, (size_t)1 << 30);
    struct vg_text out = {0};
    struct vg_json json;
    int rc = VG_OK;

    vg_json_init(&json, &out);
    vg_json_open(&json, NULL, '[');
    for (size_t b = 0; rc == VG_OK && b < work->plan.block_count; b++)
        rc = render_block(work, &work->plan.blocks[b], store, &json, err);
    vg_json_close(&json, ']');
    puts(out.data);
    vg_text_release(&out);
    vg_source_store_free(store);
    return rc;
}

/* bench_render SPEC [OPTION of build...] */
int main(int argc, char **argv)
{
    struct vg_call call = {0};
    struct vg_work work = {0};
    int rc = vg_call_parse(&call, &vg_verb_build, argc - 1, argv + 1);

    if (rc == VG_OK)
        rc = vg_work_plan(&work, &call);
    if (rc == VG_OK)
        rc = render_all(&work, &call.err);
    for (size_t i = 0; rc != VG_OK && i < call.err.count; i++)
        fprintf(stderr, "%s: %s\n", call.err.issues[i].place, call.err.issues[i].sentence);
    vg_error_release(&call.err);
    vg_arena_release(&call.arena);
    return -rc;
}
