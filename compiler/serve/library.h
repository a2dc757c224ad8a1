/* SPDX-License-Identifier: MIT */
/* library: a release held open for the browser.  Private to serve, except what serve.h repeats. */
#ifndef VG_SERVE_LIBRARY_H
#define VG_SERVE_LIBRARY_H

#include "edge.h"

/* ---- the manifest in columns (index.c) ----------------------------------------------------------------- */

/* What the list can be filtered by. */
enum vg_facet {
    VG_FACET_SPLIT,
    VG_FACET_CATEGORY,
    VG_FACET_TIER,
    VG_FACET_CURVE,
    VG_FACET_DIRECTION,
    VG_FACET_VERDICT,
    VG_FACET_SOURCE,
    VG_FACETS
};
extern const char *const vg_facet_names[VG_FACETS]; /* as the address and the page have them */
/* The values of a facet in order of first appearance; texts live in the index. */
struct vg_values {
    const char **at;
    size_t count, room, last;
};
struct vg_listed {
    uint64_t line_offset; /* in manifest.jsonl */
    uint32_t line_bytes;  /* without LF */
    uint32_t value[VG_FACETS];
    uint32_t shard;
    float duration_sec, net_jnd;
    bool below_jnd, measured;
    const char *id, *key, *folded; /* folded: what the search looks through, ASCII letters small */
};
struct vg_index {
    struct vg_listed *at;
    size_t count, room;
    size_t expected;   /* items that release.json counts */
    bool whole;        /* all of it has been read, or what came was at fault */
    const char *fault; /* why it stops before its end, or NULL */
    struct vg_values values[VG_FACETS];
    const char **source_folded; /* [source]: text and speaker, for the search */
    size_t source_room;
    uint32_t *table; /* key to number + 1, open addressing */
    size_t table_room;
    struct vg_arena arena;
};
/* Adds one row; `line_offset` and `line_bytes` are where it stands.  A second item with the same key is kept
 * in the list but is not found by it. */
void vg_index_add(struct vg_index *index, const struct vg_record *record, size_t shard, uint64_t line_offset,
                  size_t line_bytes);
/* Of a row of the manifest, what vg_index_add asks for, thirty times as fast as vg_record_parse; texts in the
 * arena. False where the row is not plain: then vg_record_parse reads it, or says what is wrong (scan.c). */
bool vg_row_scan(struct vg_record *record, const char *line, size_t length, struct vg_arena *arena);
/* Number of the item with this key, or SIZE_MAX. */
size_t vg_index_find(const struct vg_index *index, const char *key);
/* Number of a facet's value, or SIZE_MAX. */
size_t vg_values_find(const struct vg_values *values, const char *text);
/* Number of the item that differs from this one in its direction only, or SIZE_MAX. */
size_t vg_index_opposite(const struct vg_index *index, size_t number);
void vg_index_release(struct vg_index *index);

/* ---- filters (filter.c) -------------------------------------------------------------------------------- */

enum { VG_WORDS_MAX = 8, VG_WORDS_BYTES_MAX = 200 };
/* What a list shows.  value[f]: VG_ANY, or a value's number; VG_NEVER: a value that no item has. */
enum { VG_ANY = -1, VG_NEVER = -2 };
struct vg_filter {
    int64_t value[VG_FACETS];
    const char *words[VG_WORDS_MAX]; /* all of them must be found */
    size_t word_count;
};
/* From the query's fields; false where the free text is too long. */
bool vg_filter_read(struct vg_filter *filter, const struct vg_index *index, const struct vg_request *request);
bool vg_filter_passes(const struct vg_filter *filter, const struct vg_index *index,
                      const struct vg_listed *entry);
/* Items that pass, in plan order; `counts[f][v]`: items that would pass with facet f set to v instead.
 * Everything in the arena. */
struct vg_found {
    uint32_t *at;
    size_t count;
    uint32_t *counts[VG_FACETS];
};
struct vg_found vg_filter_run(const struct vg_filter *filter, const struct vg_index *index,
                              struct vg_arena *arena);

/* ---- drawings (spectrum.c) ----------------------------------------------------------------------------- */

struct vg_shape {
    const int16_t *samples;
    size_t frames;
    uint32_t rate_hz;
    const char *fault; /* what is wrong with the sound, or NULL */
};
/* Peaks and spectrogram, appended as the bytes that the page reads. */
void vg_shape_write(const struct vg_shape *shape, struct vg_text *out, struct vg_arena *tmp);

/* ---- sources (original.c) ------------------------------------------------------------------------------ */

struct vg_original {
    struct vg_clip clip;
    char audio_xxh128[VG_DIGEST_HEX];
    const struct vg_text *flac;
};
struct vg_originals;
struct vg_originals *vg_originals_make(const struct vg_audible *audible); /* NULL: none can be heard */
bool vg_originals_know(const struct vg_originals *originals, const char *split, const char *id);
/* The source's sound; valid until the next call. */
int vg_originals_get(struct vg_originals *originals, const char *split, const char *id,
                     const struct vg_original **original, struct vg_error *err);
void vg_originals_release(struct vg_originals *originals); /* NULL is fine */

/* ---- a release, open (library.c) ----------------------------------------------------------------------- */

struct vg_library {
    const char *folder;
    struct vg_about about;
    struct vg_index index;
    struct vg_rows rows;     /* while the manifest is being read */
    uint64_t read_bytes;     /* of it */
    int manifest;            /* descriptor, for single rows */
    struct vg_table sources; /* sources.csv */
    struct vg_media *media;
    const struct vg_spec *spec; /* the release's own, or NULL where it cannot be read */
    struct vg_originals *originals;
    struct vg_found found; /* of the list asked for last, and what that was */
    const char *found_query;
    size_t found_items;
    struct vg_arena found_arena, arena;
};
/* One item's row of the manifest, parsed, and as it stands; in the arena. */
int vg_library_record(struct vg_library *library, size_t number, struct vg_record *record, const char **line,
                      struct vg_arena *arena, struct vg_error *err);

/* What the request's filters show; valid until the next call.  NULL where they make no sense. */
const struct vg_found *vg_library_find(struct vg_library *library, const struct vg_request *request);

/* ---- handlers (list.c, item.c): their site is the library ---------------------------------------------- */

void vg_answer_release(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_items(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_item(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_flac(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_shape(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_source_flac(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_source_shape(void *site, const struct vg_request *request, struct vg_response *response);

/* ---- sound (media.c) ----------------------------------------------------------------------------------- */

struct vg_sound_place {
    int file; /* descriptor, the media's own */
    uint64_t offset, bytes;
};
int vg_media_find(struct vg_media *media, size_t shard, const char *key, struct vg_sound_place *place,
                  struct vg_error *err);
/* The whole file, in the arena. */
int vg_media_read(struct vg_media *media, size_t shard, const char *key, struct vg_arena *arena, char **bytes,
                  size_t *count, struct vg_error *err);

#endif
