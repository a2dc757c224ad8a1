/* SPDX-License-Identifier: MIT */
/* Inside source: what the generic corpus makes tables of.  Each gives a table with the columns audio_path and
 * clip_id at least; generic.c turns its rows into sources. */
#ifndef VG_GENERIC_H
#define VG_GENERIC_H

#include "corpus.h"

/* Every sound file in the folders below the root. */
int vg_generic_folder(struct vg_corpus *corpus, struct vg_table *table);
/* The members of WebDataset shards: KEY.flac, KEY.json, KEY.txt. */
int vg_generic_shards(struct vg_corpus *corpus, struct vg_table *table);
/* Does the name end like a sound file's? */
bool vg_is_sound_name(const char *name);

#endif
