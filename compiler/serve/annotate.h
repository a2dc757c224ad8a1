/* SPDX-License-Identifier: MIT */
/* annotate: what the files of the human study share.  Private to serve. */
#ifndef VG_SERVE_ANNOTATE_H
#define VG_SERVE_ANNOTATE_H

#include "library.h"

/* ---- who takes part (annotators.c) --------------------------------------------------------------------- */

enum { VG_ANNOTATOR_TOKEN_BYTES_MIN = 8, VG_ANNOTATOR_NAME_BYTES_MAX = 64 };
struct vg_annotator {
    const char *name;
    char token_sha256[VG_DIGEST_HEX], cookie_sha256[VG_DIGEST_HEX];
    size_t *parts; /* of the study, in the order assigned */
    size_t part_count;
    size_t *items; /* of the study, in the order they are heard; item number n is items[n - 1] */
    bool *answered;
    size_t item_count, answered_count;
};
struct vg_annotators {
    struct vg_annotator *at;
    size_t count;
    struct vg_arena arena;
};
/* A table with columns name, token, categories (names, separated by blanks, commas or semicolons; none: all).
 * Every fault is reported as file:row. */
int vg_annotators_read(struct vg_annotators *annotators, const char *path, const struct vg_study *study,
                       struct vg_error *err);
/* Everybody's cookie, out of token, name and the log's key: nobody can guess it token by token, so a session
 * needs no limit of guesses, which would shut out all who come from the same address. */
void vg_annotators_key(struct vg_annotators *annotators, const char *key);
void vg_annotators_release(struct vg_annotators *annotators);

/* ---- their answers (annotate_log.c) -------------------------------------------------------------------- */

/* <folder>/answers.jsonl, held by a lock for as long as the process lives. */
struct vg_answer_log {
    const char *path;
    int lock, file;          /* descriptors + 1; 0: none */
    uint64_t bytes;          /* of whole lines */
    bool broken;             /* what a failed write left could not be taken back: nothing is added any more */
    char key[VG_DIGEST_HEX]; /* of sessions: <folder>/session.key, drawn once: they outlive a restart */
    struct vg_judgements known;
    struct vg_arena arena;
};
/* Sets what an interrupted write left aside into answers.jsonl.torn, with a warning. */
int vg_answer_log_open(struct vg_answer_log *log, const char *folder, const char *release_id,
                       struct vg_error *err);
/* On the disk when it returns VG_OK; else the file is as it was. */
int vg_answer_log_add(struct vg_answer_log *log, const struct vg_judgement *judgement, struct vg_error *err);
const struct vg_judgement *vg_answer_log_find(const struct vg_answer_log *log, const char *annotator,
                                              const char *key);
void vg_answer_log_release(struct vg_answer_log *log);

/* ---- what they hear (annotate_sound.c) ----------------------------------------------------------------- */

enum { VG_BLIND_BYTES = 64 }; /* at most so many more than the file has */
/* The FLAC file with nothing but its sound: no tags, no MD5, no sizes of frames; padded to `target` bytes, at
 * least VG_BLIND_BYTES more than `count`.  False where it is no FLAC file of ours. */
bool vg_flac_blind(const char *bytes, size_t count, size_t target, struct vg_text *out);

/* ---- the study as it is served (annotate.c) ------------------------------------------------------------ */

struct vg_annotate {
    struct vg_annotate_options options;
    struct vg_about about;
    struct vg_annotators annotators;
    struct vg_answer_log log;
    struct vg_media *media;
    size_t *shards;     /* of the study's items */
    size_t *part_bytes; /* what every file of a part is padded to */
    size_t *part_of;    /* of the study's items */
    struct vg_arena arena;
};

/* ---- who asks (annotate_session.c) --------------------------------------------------------------------- */

/* Whose session the request has; NULL: nobody's, and the response says so. */
struct vg_annotator *vg_annotate_session(struct vg_annotate *a, const struct vg_request *request,
                                         struct vg_response *response);
const char *vg_field_of(const struct vg_field *fields, size_t count, const char *name); /* "": none */
void vg_answer_enter(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_leave(void *site, const struct vg_request *request, struct vg_response *response);

/* ---- one item at a time (annotate_item.c) -------------------------------------------------------------- */

/* What is asked next, and how far this annotator is. */
void vg_annotate_send_state(const struct vg_annotate *a, const struct vg_annotator *annotator,
                            struct vg_response *response);
void vg_answer_state(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_sound(void *site, const struct vg_request *request, struct vg_response *response);
void vg_answer_judgement(void *site, const struct vg_request *request, struct vg_response *response);

#endif
