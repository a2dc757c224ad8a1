/* SPDX-License-Identifier: MIT */
/* Inside source: the files of a corpus by their path, whether they lie in folders or in an archive (tar,
 * zip), which a path enters like a folder: ROOT/cv-corpus-en.tar.gz/cv-corpus/en/clips/1.mp3.  Nothing is
 * unpacked to disk.
 *
 * Archives are indexed when they are first met; after that a tree is only read, from several threads. */
#ifndef VG_TREE_H
#define VG_TREE_H

#include "source.h"

struct vg_tree {
    const char *root;
    struct vg_archive *archives; /* those met so far, a chain */
    struct vg_arena *arena;      /* of the run */
};
/* Set the root, a folder or an archive; what is not there is told by whoever reads it. */
void vg_tree_init(struct vg_tree *tree, const char *root, struct vg_arena *arena);
/* Below, `path` starts at the root; "" is the root itself.  Faults are VG_SOURCE, of a full path. */

/* Meet the archive that the path enters, if it enters one. */
int vg_tree_enter(struct vg_tree *tree, const char *path, struct vg_error *err);
char *vg_tree_path(const struct vg_tree *tree, const char *path, struct vg_arena *arena); /* in full */
bool vg_tree_has(struct vg_tree *tree, const char *path);        /* a file, or what may be one */
bool vg_tree_has_folder(struct vg_tree *tree, const char *path); /* a folder, or an archive */
/* Names in a folder, sorted by bytes; archives are among them. */
int vg_tree_list(struct vg_tree *tree, const char *path, char ***names, size_t *count, struct vg_error *err);
/* A text file as a whole, NUL-terminated beyond `*count`. */
int vg_tree_get(struct vg_tree *tree, const char *path, char **bytes, size_t *count, struct vg_error *err);
int vg_tree_decode(const struct vg_tree *tree, const char *path, const char *place,
                   const struct vg_decode_rules *rules, struct vg_loaded *loaded, struct vg_arena *arena,
                   struct vg_error *err);

/* Does the name end like an archive: .tar, .tar.gz, .tgz, .zip? */
bool vg_is_archive_name(const char *name);
size_t vg_archive_stem(const char *name); /* length without that ending */
/* One part of a path joined to another; either may be "". */
char *vg_tree_join(struct vg_arena *arena, const char *folder, const char *name);

#endif
