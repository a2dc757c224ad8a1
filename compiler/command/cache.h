/* SPDX-License-Identifier: MIT */
/* cache: finished items kept beside the output, so that a killed or changed build makes only what is missing.
 */
#ifndef VG_CACHE_H
#define VG_CACHE_H

#include "make.h"

/* A folder of entries, each named by all that decides its content; shared by workers and by builds.  NULL,
 * for "none", is fine everywhere. */
struct vg_cache;
/* NULL, and no error, where the folder cannot be used: a build does without.  `spec` and `margins` are
 * borrowed. */
struct vg_cache *vg_cache_open(const char *folder, uint64_t limit_bytes, const struct vg_spec *spec,
                               const struct vg_margins *margins);
/* Is there a sound entry of this item?  Then the record, made by vg_record_of_item, gets all that
 * vg_make_item would add, and `flac` the file.  A damaged entry is removed and is none. */
bool vg_cache_take(struct vg_cache *cache, const struct vg_item *item, const struct vg_loaded *source,
                   struct vg_record *record, struct vg_text *flac, struct vg_arena *keep);
/* Keeps a finished item; where that fails (a full disk) nothing is kept from then on. */
void vg_cache_put(struct vg_cache *cache, const struct vg_item *item, const struct vg_loaded *source,
                  const struct vg_record *record, const struct vg_text *flac);
struct vg_cache_counts {
    size_t taken, made, damaged;
    uint64_t bytes; /* held now */
};
struct vg_cache_counts vg_cache_close(struct vg_cache *cache);

/* Names of entries (cache_key.c): "ab/" and 30 more hexadecimal digits. */
enum { VG_CACHE_NAME = 34 };
/* What is the same for all items of a build. */
char *vg_cache_context(const struct vg_spec *spec, const struct vg_margins *margins, struct vg_arena *arena);
void vg_cache_name(const char *context, const struct vg_item *item, const struct vg_loaded *source,
                   char name[VG_CACHE_NAME]);

#endif
