/* SPDX-License-Identifier: MIT */
/* export: a release laid out for other tools.  The sound and the words are the release's own; only their
 * places, names and containers change.  Nothing here decides what an item is.
 *
 *   paper  <split>/<category>/audio/{up,down}/<item id>.wav and <split>/<category>/metadata/
 *          <category>_manifest.csv, as the paper's code reads them; beside them the flat form that was
 *          published: metadata.csv and audio/<category>__<item id>.wav, the same files by another name
 *   hub    data/<split>/metadata.jsonl and data/<split>/<NNN>/<key>.flac with a README.md whose YAML names
 *          the files of every split: a folder that Hugging Face's `audiofolder` loads without code
 *   flat   metadata.csv and audio/<NNN>/<key>.flac
 *   parquet  data/<split>-NNNNN-of-NNNNN.parquet with the sound inside and the same README.md, through DuckDB
 *
 * In every layout ATTRIBUTION.md, manifest.jsonl, release.json, sources.csv and spec.yaml are the release's.
 */
#ifndef VG_EXPORT_H
#define VG_EXPORT_H

#include "pack.h"

struct vg_layout;
extern const struct vg_layout *const vg_layouts[];
extern const size_t vg_layout_count;
/* The layout of that name, or NULL. */
const struct vg_layout *vg_layout_find(const char *name);
const char *vg_layout_name(const struct vg_layout *layout);

struct vg_unpack_options {
    const struct vg_layout *layout;
    const char *format; /* "flac" or "wav"; NULL: what the layout is used to */
    unsigned jobs;
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    void *context;
};
struct vg_unpacked {
    size_t items;
    size_t renamed; /* items whose id could not be a file name as it stands */
};
/* Lays the release out in `folder`, which must not exist or be empty; it appears whole or not at all.  Every
 * FLAC file is held against its digest, every WAV file's samples against theirs: VG_NO where one differs. */
int vg_unpack(const char *release, const char *folder, const struct vg_unpack_options *options,
              struct vg_unpacked *unpacked, struct vg_error *err);

/* ---- names (names.c) -------------------------------------------------------------------------------- */

/* A name that every file system takes and no loader mistakes: ASCII letters, digits, `_`, `-` and `.`, the
 * last two not at an edge, no device of DOS, at most `bytes_max` bytes.  A name that had to be changed, or
 * that is to be `distinct`, ends with a hash of the original, so that two never become one.  Appended; tells
 * whether the name was changed. */
bool vg_name_add_safe(struct vg_text *out, const char *name, size_t bytes_max, bool distinct);
/* Would Windows or macOS take it for the same name?  A hash in which ASCII letters have no case. */
uint64_t vg_name_fold(const char *name);

#endif
