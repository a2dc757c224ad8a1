/* SPDX-License-Identifier: MIT */
/* Inside source: who speaks in a corpus, as lists beside the recordings say, and such text files line by
 * line. */
#ifndef VG_SPEAKERS_H
#define VG_SPEAKERS_H

#include "corpus.h"

/* A text file of the corpus as it is, checked to be UTF-8 without NULs. */
int vg_corpus_text(struct vg_corpus *corpus, const char *path, char **text);
/* Cut off the next line, without its end; NULL after the last. */
char *vg_line_cut(char **text);

struct vg_speaker {
    const char *id, *gender, *accent;
};
struct vg_speakers {
    struct vg_speaker *at; /* by id, once sorted */
    size_t count, room;
};
void vg_speakers_add(struct vg_speakers *speakers, const struct vg_speaker *speaker, struct vg_arena *arena);
/* By id, each once; one that is listed with two genders is a fault of the file at `path`. */
int vg_speakers_sort(struct vg_speakers *speakers, struct vg_corpus *corpus, const char *path);
/* NULL where there is none. */
const struct vg_speaker *vg_speakers_find(const struct vg_speakers *speakers, const char *id);
/* A list with bars, "14 | F | train-clean-360 | ...", as LibriSpeech and MLS have it; ";" begins a comment.
 * No file, no speakers. */
int vg_speakers_read_bars(struct vg_speakers *speakers, struct vg_corpus *corpus, const char *path);

#endif
