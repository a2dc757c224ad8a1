/* SPDX-License-Identifier: MIT */
/* The spec built into the program, its sources and plans; vectors of spec, plan, source and render. */
#include "embedded.h"
#include "selftest.h"

#include <string.h>

static int open_act(struct vg_scene *scene, struct vg_act *act, const char *engine, struct vg_error *err)
{
    const char *path = vg_arena_format(&scene->arena, "embedded:selftest-%s.yaml", engine);
    struct vg_spec_options options = {.embedded = vg_embedded_specs,
                                      .embedded_count = vg_embedded_spec_count};
    struct vg_vocabulary vocabulary = vg_vocabulary_make(&scene->arena);
    struct vg_work *work = &act->work;
    int rc = vg_spec_load(&work->spec, path, &options, &vocabulary, &scene->arena, err);

    if (rc == VG_OK)
        rc = vg_sources_list(&work->spec, &work->sources, &scene->arena, err);
    if (rc == VG_OK)
        rc = vg_plan_make(&work->plan, &work->spec, &work->sources, &scene->arena, err);
    act->loaded = vg_arena_take_zero(&scene->arena, work->sources.count + 1, sizeof *act->loaded);
    for (size_t i = 0; rc == VG_OK && i < work->sources.count; i++)
        rc = vg_source_load(&work->spec, &work->sources.at[i], &act->loaded[i], &scene->arena, err);
    return rc;
}

int vg_scene_open(struct vg_scene *scene, struct vg_error *err)
{
    int rc = VG_OK;

    vg_margins_read(&scene->margins, NULL);
    scene->acts = vg_arena_take_zero(&scene->arena, vg_engine_count, sizeof *scene->acts);
    for (size_t i = 0; rc == VG_OK && i < vg_engine_count; i++)
        rc = open_act(scene, &scene->acts[i], vg_engines[i]->words.name, err);
    return rc;
}

void vg_scene_release(struct vg_scene *scene)
{
    vg_arena_release(&scene->arena);
    *scene = (struct vg_scene){0};
}

/* The resolved spec as text. */
int vg_fill_spec(struct vg_values *values, const char *what)
{
    struct vg_text text = {0};

    for (size_t i = 0; i < vg_engine_count; i++)
        if (strcmp(vg_engines[i]->words.name, what) == 0)
            vg_spec_write(&values->scene->acts[i].work.spec, &text);
    vg_values_text(values, vg_text_or_empty(&text));
    vg_text_release(&text);
    return VG_OK;
}

int vg_fill_plan(struct vg_values *values, const char *what)
{
    static void (*const name[])(const struct vg_item *, struct vg_text *) = {vg_item_id, vg_item_name,
                                                                             vg_item_key, vg_item_seed_text};
    const struct vg_plan *plan = &values->scene->acts[0].work.plan;
    struct vg_text text = {0};
    struct vg_item item;

    if (strcmp(what, "curves") == 0)
        for (int i = 0; i <= 4000; i++)
            vg_values_double(values,
                             vg_curve_at((enum vg_curve)(i % VG_CURVES), 0.5, -3.7, 11.3, i / 4000.0));
    else
        for (size_t i = 0; i < plan->item_count; i++) {
            vg_plan_item(plan, i, &item);
            for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
                vg_text_clear(&text);
                name[k](&item, &text);
                vg_values_text(values, text.data);
            }
        }
    vg_text_release(&text);
    return VG_OK;
}

int vg_fill_source(struct vg_values *values, const char *what)
{
    const struct vg_source_list *sources = &values->scene->acts[0].work.sources;

    for (size_t i = 0; i < sources->count; i++) {
        const struct vg_loaded *loaded = &values->scene->acts[0].loaded[i];

        if (strcmp(sources->at[i].id, what) != 0)
            continue;
        vg_values_integer(values, loaded->span.on);
        vg_values_integer(values, loaded->span.off);
        vg_values_samples(values, loaded->clip.samples, loaded->clip.frames);
    }
    return VG_OK;
}

static void add_papers_span(struct vg_values *values, const double *x, const struct vg_clip *clip)
{
    struct vg_detector detector = {0.97, 0.010, 0.010, 0.2, 1.8, 0.003, 5e-5, 10};
    struct vg_detection found = vg_detect_speech(&detector, x, clip->frames, clip->rate_hz, &values->tmp);

    vg_values_integer(values, found.found);
    vg_values_integer(values, found.segments);
    vg_values_double(values, found.onset_sec);
    vg_values_double(values, found.offset_sec);
    vg_values_double(values, found.threshold);
    vg_values_double(values, found.noise_floor);
    vg_values_double(values, found.peak_rms);
}

static void add_robust_span(struct vg_values *values, const double *x, const struct vg_clip *clip)
{
    struct vg_speech found = vg_detect_robust(x, clip->frames, clip->rate_hz, &values->tmp);

    vg_values_integer(values, found.found);
    vg_values_double(values, found.onset_sec);
    vg_values_double(values, found.offset_sec);
    vg_values_double(values, found.confidence);
    vg_values_double(values, found.pause_sec);
    vg_values_double(values, found.voiced_share);
}

/* What either detector finds in every source, as if none had a span. */
int vg_fill_detector(struct vg_values *values, const char *what)
{
    for (size_t i = 0; i < values->scene->acts[0].work.sources.count; i++) {
        const struct vg_clip *clip = &values->scene->acts[0].loaded[i].clip;
        double *x = vg_arena_take(&values->tmp, clip->frames, sizeof *x);

        for (size_t k = 0; k < clip->frames; k++)
            x[k] = clip->samples[k] / 32768.0;
        if (strcmp(what, "robust detector") == 0)
            add_robust_span(values, x, clip);
        else
            add_papers_span(values, x, clip);
    }
    return VG_OK;
}

bool vg_scene_next(const struct vg_scene *scene, const char *what, size_t *index, struct vg_item *item)
{
    for (size_t e = 0; e < vg_engine_count; e++) {
        const struct vg_plan *plan = &scene->acts[e].work.plan;
        const char *engine = vg_engines[e]->words.name;
        size_t length = strlen(engine);

        if (strncmp(what, engine, length) != 0 || what[length] != ' ')
            continue;
        while (*index < plan->item_count) {
            vg_plan_item(plan, (*index)++, item);
            if (item->source_index == 0 && strcmp(item->category->words->name, what + length + 1) == 0)
                return true;
        }
    }
    return false;
}

const struct vg_loaded *vg_scene_source(const struct vg_scene *scene, const struct vg_item *item)
{
    size_t e = 0;

    while (&scene->acts[e].work.spec != item->spec)
        vg_check(++e < vg_engine_count);
    return &scene->acts[e].loaded[item->source_index];
}

/* Every item of one category: tiers, curves, directions. */
int vg_fill_render(struct vg_values *values, const char *what)
{
    struct vg_renderer renderer = {0};
    struct vg_rendered out;
    struct vg_item item;
    size_t index = 0;

    while (vg_scene_next(values->scene, what, &index, &item)) {
        vg_render(&renderer, &item, vg_scene_source(values->scene, &item), &out, &values->keep);
        vg_values_integer(values, out.on);
        vg_values_integer(values, out.off);
        vg_values_integer(values, out.clipped);
        vg_values_integer(values, out.peak);
        vg_values_samples(values, out.samples, out.frames);
    }
    vg_renderer_release(&renderer);
    return VG_OK;
}
