/* SPDX-License-Identifier: MIT */
/* Inside source: what all readers of corpora share.  A reader goes through the tables or folders of its
 * corpus and adds a source for every recording, sound or faulty; what follows is the same for all: repeated
 * rows, ids, order, the keys `ids` and `limit`, telling the faults, decoding. */
#ifndef VG_CORPUS_H
#define VG_CORPUS_H

#include "select.h"
#include "tree.h"

/* What a corpus says of one recording, and where it is: `detail` of every source that was recorded.  Texts
 * are "" where nothing is said. */
struct vg_row {
    struct vg_tree *tree;
    const char *path; /* from the tree's root */
    const char *accent, *tags, *split, *version;
    const char *fallback; /* how a frozen table came by the span where detection failed */
    const char *remark;   /* for the note in sources.csv */
    bool undetected;      /* a frozen table says that no speech was found */
    double duration_sec;  /* negative: not said */
    double slack_sec;     /* by which the recording may differ from that without a remark */
    size_t rank;          /* of the id among all of its entry in byte order, from 1; 0 in a frozen table */
};

/* A listing under way. */
struct vg_corpus {
    const struct vg_spec *spec;
    const struct vg_spec_source *origin;
    const struct vg_node *entry; /* origin->entry */
    size_t split, first;         /* of the spec; index of the first source of this listing */
    struct vg_source_list *list;
    struct vg_tree *tree;
    const char *name, *licence; /* of sources, where neither entry nor table says more */
    struct vg_arena *arena;
    struct vg_error *err;
};

/* Keys of every corpus in the spec: rows of a table of keys. */
/* clang-format off */
#define VG_CORPUS_KEYS                                                                                      \
    {"root", VG_KEY_TEXT, 0, 1, 4096, NULL, NULL,                                                           \
     "folder or archive (tar, zip) of the corpus, below the spec's root if it has one"},                           \
    {"mix_down", VG_KEY_BOOL, 0, 0, 0, NULL, NULL, "average the channels; else more than one is an error"}, \
    {"sample_rate_hz", VG_KEY_INTEGER, 0, 4000, 192000, NULL, NULL, "resample to this; else as recorded"},  \
    {"duration_min_sec", VG_KEY_NUMBER, 0, 0, 86400, NULL, NULL, "seconds; shorter ones are refused (0.1)"},\
    {"duration_max_sec", VG_KEY_NUMBER, VG_ABOVE_MIN, 0, 86400, NULL, NULL,                                 \
     "seconds; longer ones are refused (600)"},                                                             \
    {"select", VG_KEY_MAP, 0, 0, 0, NULL, vg_select_keys, "rules by which `vocalgrad select` chooses"},     \
    {"limit", VG_KEY_INTEGER, 0, 1, 1e9, NULL, NULL, "take only so many of the first sources"},             \
    {"ids", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "take only these source ids"},                               \
    {"licence", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "licence of the recordings"},                             \
    {"corpus", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "corpus and its version"}
/* clang-format on */

/* ---- a listing, from begin to finish ------------------------------------------------------------- */

/* Set out.  The root is the entry's below the spec's, or either of them alone, else `root`; VG_SPEC where
 * that is NULL too. */
int vg_corpus_begin(struct vg_corpus *corpus, const struct vg_spec *spec, const struct vg_spec_source *origin,
                    size_t split, const char *root, struct vg_source_list *list, struct vg_arena *arena,
                    struct vg_error *err);
/* A source with its row: split, place, tree, corpus and licence are set.  Valid until the next one is added;
 * the row stays. */
struct vg_source *vg_corpus_add(struct vg_corpus *corpus, const char *place, struct vg_row **row);
/* The source is not fit for use.  Several faults are joined. */
void vg_source_fault(struct vg_source *source, struct vg_arena *arena, const char *format, ...)
    VG_FORMAT(3, 4);
/* More for the note of a row in sources.csv. */
void vg_row_remark(struct vg_row *row, struct vg_arena *arena, const char *remark);
/* A fault of the corpus itself, at a path below its root. */
int vg_corpus_fail(struct vg_corpus *corpus, const char *path, const char *format, ...) VG_FORMAT(3, 4);
/* Merge rows of one recording, check, sort by id, then the next. */
int vg_corpus_finish(struct vg_corpus *corpus);
/* Keep what the keys `ids` and `limit` ask for, and tell the faults of what is kept: errors, or warnings
 * under on_bad_source: skip. */
int vg_corpus_choose(struct vg_corpus *corpus);

/* ---- checks of one source ------------------------------------------------------------------------ */

/* An id must be visible and stay on one line: it becomes part of names and tables. */
void vg_source_check_id(struct vg_source *source, const char *what, const char *id, struct vg_arena *arena);
/* Where the recording is: `name`, as a table has it, in a folder of the tree.  It must stay in there; an
 * absolute name may lie below the root. */
void vg_row_place(struct vg_row *row, struct vg_source *source, const char *folder, const char *name,
                  struct vg_arena *arena);

/* ---- tables of a corpus -------------------------------------------------------------------------- */

/* A table of the corpus: TSV without quoting, CSV or JSON lines by its name; a row at fault becomes a source
 * at fault. */
int vg_corpus_table(struct vg_corpus *corpus, struct vg_table *table, const char *path);
/* The same of bytes that were read; `full` is the whole path. */
int vg_corpus_parse(struct vg_corpus *corpus, struct vg_table *table, const char *full, char *bytes,
                    size_t count);
/* A column by any of its names. */
struct vg_column {
    const char *names[4];
    bool required;
    size_t at; /* SIZE_MAX: there is none */
};
int vg_corpus_columns(struct vg_corpus *corpus, const struct vg_table *table, struct vg_column *columns,
                      size_t count);
/* table:line */
char *vg_table_place(const struct vg_table *table, size_t row, struct vg_arena *arena);
/* A length from a cell in units of `unit_sec`; anything but a number above 0 is a fault of the source. */
void vg_row_duration(struct vg_row *row, struct vg_source *source, const char *column, const char *cell,
                     double unit_sec, struct vg_arena *arena);
/* Does the entry's list `key` hold the word?  A missing list holds all. */
bool vg_entry_lists(const struct vg_node *entry, const char *key, const char *word);

/* ---- its sound ----------------------------------------------------------------------------------- */

/* `load` of every kind that lists through this. */
int vg_corpus_load(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                   struct vg_arena *arena, struct vg_error *err);
/* The same where only now it is known where the recording is. */
int vg_row_decode(const struct vg_source *source, const char *path, struct vg_loaded *loaded,
                  struct vg_arena *arena, struct vg_error *err);

/* A note where its sound ends far below what its rate allows (band.c). */
void vg_note_band(struct vg_loaded *loaded, struct vg_arena *arena);

#endif
