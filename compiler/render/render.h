/* SPDX-License-Identifier: MIT */
/* render: one item's sound from its source.  Shared here: trajectory, steps, joints, level match, 16-bit
 * edges.  An engine is a list of transforms, one acoustic category a file, in a folder of its own. */
#ifndef VG_RENDER_H
#define VG_RENDER_H

#include "dsp.h"
#include "source.h"

/* The finished sound of an item. */
struct vg_rendered {
    int16_t *samples; /* in the arena given to vg_render */
    size_t frames;
    size_t on, off; /* speech span in the output */
    size_t clipped; /* samples outside 16 bits before the clip */
    unsigned peak;  /* largest magnitude, 0..32768 */
};

/* One acoustic category.  Everything is borrowed; working memory comes only from `tmp`, results from
 * `keep`.  Neither function can fail on a checked item. */
struct vg_transform {
    struct vg_category words; /* name and parameters, as the spec checks them */
    /* Work that all items of one source share (spectra, envelopes), or NULL.  Depends on the source and
     * on the category's fixed values only, never on tier, curve or direction. */
    void *(*analyse)(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp);
    void (*apply)(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp);
};
struct vg_engine {
    struct vg_engine_words words; /* name, categories in the grid's order, keys of `trajectory` */
    const struct vg_transform *const *transforms; /* as words.categories, same order */
    /* Why no item can be made of a source, in a sentence that lives in the arena; NULL where all can.  The
     * engine may leave it out. */
    const char *(*refuse)(const struct vg_spec *spec, size_t split, const struct vg_loaded *source,
                          struct vg_arena *arena);
};
extern const struct vg_engine *const vg_engines[];
extern const size_t vg_engine_count;

/* Renders items one after another for one worker and keeps the analysis of the last source and category.
 * Zero-initialise. */
struct vg_renderer {
    const struct vg_loaded *source;
    const struct vg_transform *transform;
    void *shared;
    struct vg_arena analysis, tmp;
};
void vg_render(struct vg_renderer *renderer, const struct vg_item *item, const struct vg_loaded *source,
               struct vg_rendered *out, struct vg_arena *keep);
/* Forget the analysis: call before `source` goes out of scope. */
void vg_renderer_clear(struct vg_renderer *renderer);
void vg_renderer_release(struct vg_renderer *renderer);

/* What the spec's engine has against a source of a split: `refuse` above. */
const char *vg_render_refuses(const struct vg_spec *spec, size_t split, const struct vg_loaded *source,
                              struct vg_arena *arena);

#endif
