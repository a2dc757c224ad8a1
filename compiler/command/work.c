/* SPDX-License-Identifier: MIT */
/* What most verbs start with: spec, sources, plan, item. */
#include "command.h"
#include "embedded.h"
#include "measure.h"

#include <string.h>

struct vg_vocabulary vg_vocabulary_make(struct vg_arena *arena)
{
    const struct vg_engine_words **engines = vg_arena_take(arena, vg_engine_count, sizeof *engines);
    const struct vg_source_words **sources = vg_arena_take(arena, vg_source_kind_count, sizeof *sources);

    for (size_t i = 0; i < vg_engine_count; i++)
        engines[i] = &vg_engines[i]->words;
    for (size_t i = 0; i < vg_source_kind_count; i++)
        sources[i] = &vg_source_kinds[i]->words;
    return (struct vg_vocabulary){engines, vg_engine_count, sources, vg_source_kind_count, vg_measure_keys};
}

static int load_spec(struct vg_spec *spec, struct vg_call *call, bool only)
{
    struct vg_vocabulary vocabulary = vg_vocabulary_make(&call->arena);
    struct vg_spec_options options = {.embedded = vg_embedded_specs,
                                      .embedded_count = vg_embedded_spec_count};

    options.set = vg_call_list(call, "set", &options.set_count);
    if (only)
        options.only = vg_call_list(call, "only", &options.only_count);
    return vg_spec_load(spec, call->operands[0], &options, &vocabulary, &call->arena, &call->err);
}

int vg_work_spec(struct vg_work *work, struct vg_call *call)
{
    return load_spec(&work->spec, call, true);
}

int vg_work_spec_whole(struct vg_spec *spec, struct vg_call *call)
{
    return load_spec(spec, call, false);
}

int vg_work_list(struct vg_work *work, struct vg_call *call)
{
    int rc;

    if (vg_choice_is_asked(&work->spec))
        return vg_fail(
            &call->err, VG_SPEC, call->operands[0],
            "a source has rules to select by; run `vocalgrad select`, and build from the table that "
            "it writes (kind: table)");
    rc = vg_sources_list(&work->spec, &work->sources, &call->arena, &call->err);
    if (rc == VG_OK)
        rc = vg_plan_make(&work->plan, &work->spec, &work->sources, &call->arena, &call->err);
    return rc;
}

int vg_work_plan(struct vg_work *work, struct vg_call *call)
{
    int rc = vg_work_spec(work, call);

    return rc != VG_OK ? rc : vg_work_list(work, call);
}

int vg_work_item(const struct vg_work *work, struct vg_call *call, struct vg_item *item)
{
    const char *name = call->operands[1];
    size_t index = vg_plan_find(&work->plan, name);

    if (index == SIZE_MAX - 1)
        return vg_fail(&call->err, VG_USAGE, name,
                       "several categories have this item id; put one before it: CATEGORY__%s", name);
    if (index == SIZE_MAX)
        return vg_fail(
            &call->err, VG_USAGE, name,
            "no such item in %s; expected CATEGORY__ID, ID or a shard key, as `vocalgrad plan` lists them",
            call->operands[0]);
    vg_plan_item(&work->plan, index, item);
    return VG_OK;
}
