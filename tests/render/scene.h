/* SPDX-License-Identifier: MIT */
/* scene: what the tests of render share.  The paper's spec, sources made on the spot, items, digests. */
#ifndef VG_SCENE_H
#define VG_SCENE_H

#include "render.h"

struct scene {
    struct vg_arena arena;  /* spec, sources */
    struct vg_arena output; /* rendered samples; rewound by scene_digest */
    struct vg_error err;
    struct vg_spec spec;
    struct vg_renderer renderer;
};
/* cmocka's set-up and tear-down; the scene is *state.  The spec is scene.yaml: the paper's. */
int scene_open(void **state);
int scene_open_true(void **state); /* the same with specs/true.yaml */
int scene_close(void **state);

/* Reads a spec into an empty scene; ends the test where it cannot. */
void scene_load(struct scene *scene, const char *path, const struct vg_spec_options *options);

/* The categories whose samples are the published ones exactly. */
enum { SCENE_EXACT = 5 };
extern const char *const scene_exact[SCENE_EXACT];

/* Item number 0..23 of a category: tiers, curves, directions in the recipe's order. */
enum { SCENE_ITEMS = 24 };
struct vg_item scene_item(const struct scene *scene, const char *category, const struct vg_source *source,
                          size_t number);

/* A source of `frames` samples with speech at on <= k < off. */
enum scene_signal { SCENE_SILENCE, SCENE_TONE, SCENE_SQUARE, SCENE_SPEECHLIKE };
struct vg_loaded scene_sound(struct scene *scene, enum scene_signal signal, uint32_t rate_hz, size_t frames,
                             size_t on, size_t off);

/* Renders and gives the SHA-256 of the samples (s16le).  The samples stay until the next call. */
struct vg_rendered scene_digest(struct scene *scene, const struct vg_item *item,
                                const struct vg_loaded *source, char hex[VG_DIGEST_HEX]);
/* Ends the test with the scene's diagnostics where rc is not VG_OK. */
void scene_check(const struct scene *scene, int rc);

#endif
