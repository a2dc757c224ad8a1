/* SPDX-License-Identifier: MIT */
/* One item from its source: finds the item's transform, keeps the analysis that items of one source and
 * category share, and rewinds the scratch memory when the item is done. */
#include "render.h"

/* The engine's words and the category's are members of the engine and of the transform: an address tells. */
static const struct vg_engine *engine_of(const struct vg_spec *spec)
{
    for (size_t i = 0; i < vg_engine_count; i++)
        if (&vg_engines[i]->words == spec->engine)
            return vg_engines[i];
    return NULL;
}

static const struct vg_transform *transform_of(const struct vg_item *item)
{
    const struct vg_engine *engine = engine_of(item->spec);

    vg_check(engine != NULL);
    for (size_t i = 0; i < engine->words.category_count; i++)
        if (&engine->transforms[i]->words == item->category->words)
            return engine->transforms[i];
    return NULL;
}

static void renew_analysis(struct vg_renderer *renderer, const struct vg_item *item,
                           const struct vg_loaded *source, const struct vg_transform *transform)
{
    vg_renderer_clear(renderer);
    renderer->source = source;
    renderer->transform = transform;
    if (transform->analyse == NULL)
        return;

    struct vg_arena_mark mark = vg_arena_mark(&renderer->tmp);
    renderer->shared = transform->analyse(item, source, &renderer->analysis, &renderer->tmp);
    vg_arena_rewind(&renderer->tmp, mark);
}

void vg_render(struct vg_renderer *renderer, const struct vg_item *item, const struct vg_loaded *source,
               struct vg_rendered *out, struct vg_arena *keep)
{
    const struct vg_transform *transform = transform_of(item);

    vg_check(transform != NULL);
    vg_check(source->span.on < source->span.off && source->span.off <= source->clip.frames);
    if (renderer->source != source || renderer->transform != transform)
        renew_analysis(renderer, item, source, transform);

    struct vg_arena_mark mark = vg_arena_mark(&renderer->tmp);
    transform->apply(item, source, renderer->shared, out, keep, &renderer->tmp);
    vg_arena_rewind(&renderer->tmp, mark);
}

const char *vg_render_refuses(const struct vg_spec *spec, size_t split, const struct vg_loaded *source,
                              struct vg_arena *arena)
{
    const struct vg_engine *engine = engine_of(spec);

    vg_check(engine != NULL);
    return engine->refuse != NULL ? engine->refuse(spec, split, source, arena) : NULL;
}

void vg_renderer_clear(struct vg_renderer *renderer)
{
    vg_arena_rewind(&renderer->analysis, (struct vg_arena_mark){0});
    renderer->source = NULL;
    renderer->transform = NULL;
    renderer->shared = NULL;
}

void vg_renderer_release(struct vg_renderer *renderer)
{
    vg_arena_release(&renderer->analysis);
    vg_arena_release(&renderer->tmp);
    *renderer = (struct vg_renderer){0};
}
