/* SPDX-License-Identifier: MIT */
/* A small spec around one entry of `sources`, so that a kind is tested through the door users take. */
#ifndef VG_TEST_FIXTURE_SPEC_H
#define VG_TEST_FIXTURE_SPEC_H

#include "fixture.h"

static const struct vg_key_rule fixture_tier[] = {
    {"depth", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "how much"},
    {0},
};
static const struct vg_key_rule fixture_none[] = {{0}};
static const struct vg_category fixture_category = {
    .name = "volume", .tier = fixture_tier, .fixed = fixture_none};
static const struct vg_category *const fixture_categories[] = {&fixture_category};
static const struct vg_engine_words fixture_engine = {
    .name = "test-1", .categories = fixture_categories, .category_count = 1, .keys = fixture_none};
static const struct vg_engine_words *const fixture_engines[] = {&fixture_engine};

/* Where entries stand in the text below. */
enum { FIXTURE_ENTRY_LINE = 19 };
static const char fixture_head[] =
    "name: t\n"
    "version: 1.0.0\n"
    "description: d\n"
    "license: CC0-1.0\n"
    "engine: test-1\n"
    "seed: \"42\"\n"
    "prompt: Does the {attribute} rise?\n"
    "labels: {up: increase, down: decrease}\n"
    "tiers: [low]\n"
    "curves: [linear]\n"
    "directions: [up, down]\n"
    "jump_at: 0.5\n"
    "trajectory: {}\n"
    "detector: {pre_emphasis: 0.97, frame_sec: 0.01, hop_sec: 0.01, background_sec: 0.2,\n"
    "           floor_factor: 1.8, peak_factor: 0.003, threshold_min: 0.00005, run_frames: 10}\n"
    "categories: {volume: {tiers: {low: {depth: 0.5}}}}\n"
    "splits:\n"
    "  s: {sources: [\n";

/* Load the spec whose sources are `entries` (YAML flow maps, the first on line FIXTURE_ENTRY_LINE) from
 * spec.yaml in the fixture's folder, with overrides as --set takes them. */
static inline int fixture_spec_set(struct fixture *f, const char *entries, const char **set, size_t count,
                                   struct vg_spec *spec)
{
    struct vg_text text = {0};
    struct vg_spec_options options = {.set = set, .set_count = count};
    const struct vg_source_words *words[16];
    struct vg_vocabulary vocabulary = {.engines = fixture_engines,
                                       .engine_count = 1,
                                       .sources = words,
                                       .source_count = vg_source_kind_count};
    char *path;

    assert_true(vg_source_kind_count <= 16);
    for (size_t i = 0; i < vg_source_kind_count; i++)
        words[i] = &vg_source_kinds[i]->words;
    vg_text_addf(&text, "%s%s]}\n", fixture_head, entries);
    path = fixture_put(f, "spec.yaml", text.data, text.length);
    vg_text_release(&text);
    return vg_spec_load(spec, path, &options, &vocabulary, &f->arena, &f->err);
}

/* The same with the spec's root, where it is not NULL. */
static inline int fixture_spec(struct fixture *f, const char *entries, const char *root, struct vg_spec *spec)
{
    const char *set[] = {root != NULL ? vg_arena_format(&f->arena, "root=%s", root) : ""};

    return fixture_spec_set(f, entries, set, root != NULL, spec);
}

/* The same, and its sources; faults of the spec fail the test. */
static inline int fixture_list(struct fixture *f, const char *entries, const char *root, struct vg_spec *spec,
                               struct vg_source_list *list)
{
    if (fixture_spec(f, entries, root, spec) != VG_OK)
        fail_msg("%s: %s", f->err.issues[0].place, f->err.issues[0].sentence);
    *list = (struct vg_source_list){0};
    return vg_sources_list(spec, list, &f->arena, &f->err);
}

static inline const struct vg_source *fixture_find(const struct vg_source_list *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i].id, id) == 0)
            return &list->at[i];
    fail_msg("no source %s", id);
    return NULL;
}

/* The folder of reference material; NULL where it is not there. */
static inline const char *fixture_shared(struct fixture *f)
{
    const char *shared = getenv("VG_SHARED");

    return shared != NULL && vg_folder_exists(shared) ? vg_arena_text(&f->arena, shared) : NULL;
}

#endif
