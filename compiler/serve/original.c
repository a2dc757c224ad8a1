/* SPDX-License-Identifier: MIT */
/* The source beside its item.  A release holds no sources: those that the spec makes out of numbers are made
 * again; others are heard where the user says where they are (--sources).  A few are kept, as FLAC. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 4 };

struct kept {
    const struct vg_source *source; /* NULL: free */
    struct vg_original original;
    struct vg_text flac;
    struct vg_arena arena;
    uint64_t used;
};
struct vg_originals {
    struct vg_audible audible;
    struct kept kept[KEPT];
    uint64_t clock;
};

struct vg_originals *vg_originals_make(const struct vg_audible *audible)
{
    struct vg_originals *originals = vg_memory_take(1, sizeof *originals);

    memset(originals, 0, sizeof *originals);
    if (audible != NULL)
        originals->audible = *audible;
    return originals;
}

static const struct vg_source *find(const struct vg_originals *originals, const char *split, const char *id)
{
    const struct vg_source_list *list = originals->audible.list;

    for (size_t i = 0; list != NULL && i < list->count; i++)
        if (strcmp(list->at[i].id, id) == 0 &&
            strcmp(originals->audible.spec->splits[list->at[i].split].name, split) == 0)
            return &list->at[i];
    return NULL;
}

bool vg_originals_know(const struct vg_originals *originals, const char *split, const char *id)
{
    return find(originals, split, id) != NULL;
}

static struct kept *free_place(struct vg_originals *originals)
{
    struct kept *oldest = &originals->kept[0];

    for (size_t i = 0; i < KEPT; i++)
        if (originals->kept[i].used < oldest->used)
            oldest = &originals->kept[i];
    vg_text_release(&oldest->flac);
    vg_arena_release(&oldest->arena);
    *oldest = (struct kept){0};
    return oldest;
}

static int load(struct vg_originals *originals, const struct vg_source *source, struct kept *kept,
                struct vg_error *err)
{
    struct vg_loaded loaded = {0};
    int rc = vg_source_load(originals->audible.spec, source, &loaded, &kept->arena, err);

    if (rc == VG_OK)
        rc = vg_flac_encode(loaded.clip.samples, loaded.clip.frames, loaded.clip.rate_hz, false, &kept->flac,
                            source->id, err);
    if (rc != VG_OK)
        return rc;
    kept->original = (struct vg_original){.clip = loaded.clip};
    memcpy(kept->original.audio_xxh128, loaded.facts.audio_xxh128, VG_DIGEST_HEX);
    kept->original.flac = &kept->flac;
    kept->source = source;
    return VG_OK;
}

int vg_originals_get(struct vg_originals *originals, const char *split, const char *id,
                     const struct vg_original **original, struct vg_error *err)
{
    const struct vg_source *source = find(originals, split, id);
    struct kept *kept = NULL;
    int rc = VG_OK;

    if (source == NULL)
        return vg_fail(err, VG_NO, id, "is not at hand");
    for (size_t i = 0; i < KEPT && kept == NULL; i++)
        if (originals->kept[i].source == source)
            kept = &originals->kept[i];
    if (kept == NULL) {
        kept = free_place(originals);
        rc = load(originals, source, kept, err);
    }
    kept->used = ++originals->clock;
    *original = &kept->original;
    return rc;
}

void vg_originals_release(struct vg_originals *originals)
{
    if (originals == NULL)
        return;
    for (size_t i = 0; i < KEPT; i++) {
        vg_text_release(&originals->kept[i].flac);
        vg_arena_release(&originals->kept[i].arena);
    }
    free(originals);
}
