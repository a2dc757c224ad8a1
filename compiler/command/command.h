/* SPDX-License-Identifier: MIT */
/* command: the verbs.  The only room that prints and decides the exit code.  Data goes to stdout, words to
 * stderr. */
#ifndef VG_COMMAND_H
#define VG_COMMAND_H

#include "pack.h"
#include "render.h"

/* ---- options: one table drives parsing, --help, the man page and shell completion ------------------ */

enum vg_option_kind { VG_OPTION_FLAG, VG_OPTION_TEXT, VG_OPTION_LIST, VG_OPTION_COUNT };
struct vg_option {
    const char *name;         /* long, without dashes */
    char letter;              /* 0: none */
    const char *argument;     /* "FILE"; NULL for a flag */
    enum vg_option_kind kind; /* LIST may be repeated; COUNT is a whole number >= 1 */
    const char *meaning;
};
enum vg_option_group {
    VG_OPTIONS_SPEC = 1, /* --set --only */
    VG_OPTIONS_JOBS = 2, /* -j --progress */
    VG_OPTIONS_JSON = 4  /* --json */
};
struct vg_call;
struct vg_verb {
    const char *name;
    const char *operands; /* "SPEC ITEM"; "..." at the end: one or more; [X]: optional */
    size_t operands_min, operands_max;
    const char *operand_default; /* the first operand where none is given, or NULL */
    const char *summary;         /* one line */
    const char *details;         /* paragraphs for --help and the man page */
    unsigned groups;
    const struct vg_option *options; /* own ones; ends without a name; may be NULL */
    int (*run)(struct vg_call *call);
};

/* One command line, parsed. */
struct vg_call {
    const struct vg_verb *verb;
    const char **operands;
    size_t operand_count;
    struct vg_given {
        const struct vg_option *option;
        const char *value;
    } * given;
    size_t given_count;
    bool quiet, verbose;
    struct vg_arena arena; /* for the run */
    struct vg_error err;
};
bool vg_call_flag(const struct vg_call *call, const char *name);
const char *vg_call_text(const struct vg_call *call, const char *name, const char *fallback);
const char **vg_call_list(struct vg_call *call, const char *name, size_t *count);
size_t vg_call_count(const struct vg_call *call, const char *name, size_t fallback);

/* Options of a verb one by one, its own and its groups'; NULL after the last. */
const struct vg_option *vg_verb_option(const struct vg_verb *verb, size_t index);
int vg_call_parse(struct vg_call *call, const struct vg_verb *verb, int argc, char **argv);
void vg_help_print(const struct vg_verb *verb); /* on stdout, 80 columns */
void vg_help_overview(const struct vg_verb *const *verbs, size_t count);
void vg_manual_print(const struct vg_verb *const *verbs, size_t count); /* roff */
void vg_completion_print(const struct vg_verb *const *verbs, size_t count);

/* ---- words ------------------------------------------------------------------------------------------ */

/* Print all diagnostics to stderr and forget them; colour only on a terminal without NO_COLOR. */
void vg_print_issues(struct vg_error *err);
/* One line to stderr unless --quiet. */
void vg_say(const struct vg_call *call, const char *format, ...) VG_FORMAT(2, 3);
/* Write text to stdout; VG_IO where it cannot be written. */
int vg_print_out(struct vg_call *call, const struct vg_text *text);

/* A bar on stderr with rate and time left, when it is a terminal or --progress=always. */
struct vg_progress {
    bool shown;
    const char *what;
    size_t total, done;
    double started_sec, printed_sec;
};
void vg_progress_begin(struct vg_progress *progress, const struct vg_call *call, const char *what,
                       size_t total);
void vg_progress_step(struct vg_progress *progress, size_t done);
void vg_progress_end(struct vg_progress *progress);

/* From now on SIGINT, SIGTERM and SIGHUP are remembered instead of killing; a second one kills. */
void vg_interrupt_watch(void);
bool vg_interrupt_came(void);
/* VG_OK, or VG_IO with a diagnostic once one came. */
int vg_interrupt_check(struct vg_error *err, const char *place);

/* The spec of a verb that is given none: it needs no outside file. */
#define VG_DEFAULT_SPEC "embedded:voice.yaml"

/* ---- what most verbs start with ---------------------------------------------------------------------- */

struct vg_work {
    struct vg_spec spec;
    struct vg_source_list sources;
    struct vg_plan plan;
    unsigned part, parts; /* what this process builds of it, from 1; 0 and 0: all */
};
/* All that a spec may say: every engine, kind of source and measure; lives in the arena. */
struct vg_vocabulary vg_vocabulary_make(struct vg_arena *arena);
/* The spec named by the first operand, with --set and --only. */
int vg_work_spec(struct vg_work *work, struct vg_call *call);
/* The same without --only: the spec that a subset is a subset of. */
int vg_work_spec_whole(struct vg_spec *spec, struct vg_call *call);
/* The sources and the plan of the spec that stands; no audio is read. */
int vg_work_list(struct vg_work *work, struct vg_call *call);
/* Both. */
int vg_work_plan(struct vg_work *work, struct vg_call *call);
/* Index of the item that the second operand names. */
int vg_work_item(const struct vg_work *work, struct vg_call *call, struct vg_item *item);

/* ---- the verbs ---------------------------------------------------------------------------------------- */

extern const struct vg_verb vg_verb_check, vg_verb_plan, vg_verb_render, vg_verb_build, vg_verb_verify,
    vg_verb_explain, vg_verb_selftest, vg_verb_pack_sources;
extern const struct vg_verb vg_verb_unpack, vg_verb_diff, vg_verb_score;
extern const struct vg_verb vg_verb_select;
extern const struct vg_verb vg_verb_merge, vg_verb_measure;
extern const struct vg_verb vg_verb_serve, vg_verb_report;

#endif
