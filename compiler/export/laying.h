/* SPDX-License-Identifier: MIT */
/* laying: what the layouts share. */
#ifndef VG_EXPORT_LAYING_H
#define VG_EXPORT_LAYING_H

#include "export.h"

enum {
    VG_NAME_BYTES_MAX = 180,   /* of a file's name: a path below 260 characters stays possible on Windows */
    VG_FOLDER_FILES_MAX = 5000 /* the Hub refuses more than 10,000 */
};

/* A release being laid out. */
struct vg_laying {
    const char *release;
    struct vg_about about;
    struct vg_building building;
    struct vg_arena arena;
    const char *ending; /* "flac" or "wav" */
    uint64_t *folded;   /* of every item's name in the paper's form, sorted */
    size_t item_count;
    size_t index;       /* of the item, from 0 */
    size_t split_index; /* of the item within its split, from 0 */
    size_t renamed;
    struct vg_file table, part; /* of the whole, and of a split or category; created by the layout */
    struct vg_text part_of;     /* what `part` is of */
    struct vg_text line, name;  /* scratch */
};

struct vg_layout {
    const char *name;
    bool wav; /* unless told otherwise */
    /* Before anything is done; may be NULL. */
    int (*begin)(struct vg_laying *laying, struct vg_error *err);
    /* Path of the item's file below the top, and of its second name or "". */
    void (*place)(struct vg_laying *laying, const struct vg_record *record, struct vg_text *path,
                  struct vg_text *twin);
    /* Its rows in the tables. */
    int (*row)(struct vg_laying *laying, const struct vg_record *record, const char *path, const char *twin,
               struct vg_error *err);
    /* What comes once, at the end; may be NULL. */
    int (*end)(struct vg_laying *laying, struct vg_error *err);
};
extern const struct vg_layout vg_layout_paper, vg_layout_hub, vg_layout_flat, vg_layout_parquet;

/* "<category>__<item id>" or, where `category` is false, "<item id>", made safe; appended. */
void vg_laying_name(struct vg_laying *laying, const struct vg_record *record, bool category,
                    struct vg_text *out);
/* A path below the top, in the folder under construction; lives in the arena. */
char *vg_laying_path(struct vg_laying *laying, const char *path);
/* Makes `part` the table at `path` unless it is; a new one starts with `header`. */
int vg_laying_part(struct vg_laying *laying, const char *path, const char *header, struct vg_error *err);
int vg_laying_write(struct vg_file *table, const struct vg_text *line, struct vg_error *err);
/* Makes the table of the whole with its header, once. */
int vg_laying_table(struct vg_laying *laying, const char *path, const char *header, struct vg_error *err);

/* Before the first item: which names differ in case only. */
int vg_laying_fold_names(struct vg_laying *laying, struct vg_error *err);
/* After the last: ATTRIBUTION.md, manifest.jsonl and so on, as they are. */
int vg_laying_copy_texts(struct vg_laying *laying, struct vg_error *err);

/* An item's words as a line of JSON (hub.c). */
void vg_hub_row(struct vg_text *out, const struct vg_record *record, const char *file_name);
/* README.md of a folder for the Hub (hub_card.c). */
struct vg_hub_words {
    const char *path_before, *path_after; /* of a split's files, around its name */
    bool drop_labels;                     /* labels must not be inferred from folders */
    const char *files;                    /* a sentence on what lies where */
};
int vg_hub_card(struct vg_laying *laying, const struct vg_hub_words *words, struct vg_error *err);

#endif
