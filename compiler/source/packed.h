/* SPDX-License-Identifier: MIT */
/* Inside source: one source of a source pack, as its JSON member says it. */
#ifndef VG_PACKED_H
#define VG_PACKED_H

#include "source.h"

struct vg_packed {
    struct vg_source source; /* ids and texts; the rest is not used */
    const char *split;
    size_t entry;                     /* of the split's `sources`, from 0 */
    char entry_xxh128[VG_DIGEST_HEX]; /* of the entry as the resolved spec writes it */
    struct vg_source_facts facts;
    const char *skipped; /* why there is no sound, or NULL */
};
/* One canonical JSON object and LF, appended (packing.c). */
void vg_packed_write(const struct vg_packed *packed, struct vg_text *out);
/* The reverse (packed.c); VG_SOURCE for what vg_packed_write would not have written. */
int vg_packed_parse(struct vg_packed *packed, const char *line, size_t length, struct vg_arena *arena,
                    const char *place, struct vg_error *err);
void vg_packed_entry_digest(const struct vg_spec_source *entry, char hex[VG_DIGEST_HEX]);

/* All sources of the spec, out of the pack at `path` instead of where the entries say: each entry must be the
 * one that was packed (pack.c). */
int vg_pack_list_all(const struct vg_spec *spec, const char *path, struct vg_source_list *list,
                     struct vg_arena *arena, struct vg_error *err);

#endif
