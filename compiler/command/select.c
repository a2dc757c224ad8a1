/* SPDX-License-Identifier: MIT */
/* select: choose the sources of a spec by its rules and freeze them as a table.  What was chosen is decoded
 * on workers; what turns out unfit is replaced, until all that is chosen was heard. */
#include "command.h"

#include <string.h>

struct hearing {
    struct vg_choice *choice;
    const struct vg_spec *spec;
    const size_t *indices;
    size_t window;
    struct heard {
        struct vg_arena arena;
        struct vg_loaded loaded;
        struct vg_error err;
        int rc;
    } * slots; /* [window] */
    struct vg_progress progress;
    struct vg_error *err;
};

static int hear(void *context, unsigned worker, size_t index)
{
    struct hearing *hearing = context;
    struct heard *heard = &hearing->slots[index % hearing->window];
    struct vg_arena_mark empty = {0};

    (void)worker;
    vg_arena_rewind(&heard->arena, empty);
    heard->rc = vg_source_load(hearing->spec, vg_choice_source(hearing->choice, hearing->indices[index]),
                               &heard->loaded, &heard->arena, &heard->err);
    return VG_OK; /* told by judge(): a bad source is replaced */
}

static int judge(void *context, size_t index)
{
    struct hearing *hearing = context;
    struct heard *heard = &hearing->slots[index % hearing->window];
    const struct vg_source *source = vg_choice_source(hearing->choice, hearing->indices[index]);
    int rc = heard->rc;

    vg_progress_step(&hearing->progress, index + 1);
    if (rc == VG_OK) {
        vg_choice_hear(hearing->choice, hearing->indices[index], &heard->loaded, NULL);
    } else if (rc == VG_SOURCE) {
        const char *why = heard->err.issues[heard->err.count - 1].sentence;

        vg_choice_hear(hearing->choice, hearing->indices[index], NULL,
                       vg_source_reason(hearing->spec, source, why, &heard->arena));
        rc = VG_OK;
    } else {
        vg_error_move(hearing->err, &heard->err);
    }
    vg_error_release(&heard->err);
    return rc;
}

/* Decode what was chosen and is not heard yet. */
static int hear_all(struct hearing *hearing, struct vg_call *call, const size_t *indices, size_t count)
{
    unsigned jobs = (unsigned)vg_call_count(call, "jobs", vg_pool_default_jobs());
    int rc;

    hearing->indices = indices;
    hearing->window = 2 * (size_t)jobs;
    hearing->slots = vg_arena_take_zero(&call->arena, hearing->window, sizeof *hearing->slots);
    vg_progress_begin(&hearing->progress, call, "sources", count);
    rc = vg_pool_run(&(struct vg_pool_job){hearing, count, jobs, hearing->window, hear, judge});
    vg_progress_end(&hearing->progress);
    for (size_t i = 0; i < hearing->window; i++) {
        vg_arena_release(&hearing->slots[i].arena);
        vg_error_release(&hearing->slots[i].err);
    }
    return rc;
}

/* NAME.csv as NAME.report.txt. */
static char *report_path(const char *path, struct vg_arena *arena)
{
    size_t length = strlen(path);

    if (length > 4 && strcmp(path + length - 4, ".csv") == 0)
        length -= 4;
    return vg_arena_format(arena, "%.*s.report.txt", (int)length, path);
}

static int write_choice(struct vg_choice *choice, struct vg_call *call, const char *path)
{
    struct vg_text table = {0}, report = {0};
    char *beside = report_path(path, &call->arena);
    int rc = vg_choice_write(choice, &table, &report, &call->err);
    int put = vg_file_put(beside, report.data, report.length, &call->err);

    if (rc == VG_OK && put == VG_OK)
        put = vg_file_put(path, table.data, table.length, &call->err);
    if (rc == VG_OK && put == VG_OK)
        vg_say(call, "%s is written; %s says what was chosen and why the rest was not", path, beside);
    vg_text_release(&table);
    vg_text_release(&report);
    return rc != VG_OK ? rc : put;
}

static int run(struct vg_call *call)
{
    const char *path = vg_call_text(call, "output", NULL);
    struct vg_work work = {0};
    struct hearing hearing = {.spec = &work.spec, .err = &call->err};
    const size_t *unheard;
    size_t count;
    int rc;

    if (path == NULL)
        return vg_fail(&call->err, VG_USAGE, "--output", "not given; expected -o FILE.csv");
    rc = vg_work_spec(&work, call);
    if (rc == VG_OK)
        rc = vg_choice_open(&hearing.choice, &work.spec, &call->arena, &call->err);
    while (rc == VG_OK && (count = vg_choice_pick(hearing.choice, &unheard)) > 0)
        rc = hear_all(&hearing, call, unheard, count);
    return rc != VG_OK ? rc : write_choice(hearing.choice, call, path);
}

static const struct vg_option options[] = {
    {"output", 'o', "FILE", VG_OPTION_TEXT,
     "the table to write, FILE.csv; FILE.report.txt is written beside it"},
    {0},
};

const struct vg_verb vg_verb_select = {
    .name = "select",
    .operands = "SPEC",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Choose sources from a corpus by rule and freeze them as a selection table.",
    .details = "One source of the spec has a map `select` with the rules. The same corpus and rules give the "
               "same table, in "
               "whatever order its folders and rows are. Its rows pin every recording by digest.",
    .groups = VG_OPTIONS_SPEC | VG_OPTIONS_JOBS,
    .options = options,
    .run = run,
};
