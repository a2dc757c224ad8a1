/* SPDX-License-Identifier: MIT */
/* merge: parts built apart become the release that one build would have made. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

/* The parts carry their resolved spec; what it was told on the command line stands in release.json. */
static int read_spec(struct vg_work *work, struct vg_call *call, const struct vg_parts *parts,
                     const char **text)
{
    const char *path = vg_path_join(&call->arena, parts->folders[0], "spec.yaml");
    size_t count;
    char *bytes;
    int rc = vg_file_get(path, 1 << 28, &call->arena, &bytes, &count, &call->err);

    if (rc != VG_OK)
        return rc;
    *text = bytes;
    call->operands[0] = path;
    rc = vg_work_spec(work, call);
    work->spec.overrides = parts->abouts[0].options;
    work->spec.override_count = parts->abouts[0].option_count;
    return rc;
}

static int assemble(struct vg_work *work, struct vg_call *call, struct vg_parts *parts, const char *spec_text)
{
    const struct vg_about *about = &parts->abouts[0];
    struct vg_release_options options = {.spec = &work->spec,
                                         .spec_text = spec_text,
                                         .libraries = about->libraries,
                                         .library_count = about->library_count,
                                         .subset_of = about->subset_of,
                                         .subset_of_spec_xxh128 = about->subset_of_spec_xxh128,
                                         .date = about->date,
                                         .replace = vg_call_flag(call, "replace")};
    struct vg_source_row *rows;
    struct vg_release *release = NULL;
    size_t count;
    int rc = vg_parts_sources(parts, &rows, &count, &call->err);

    if (rc == VG_OK)
        rc = vg_release_begin(&release, vg_call_text(call, "output", "out"), &options, &call->err);
    if (rc == VG_OK)
        rc = vg_parts_join(parts, &work->spec, release, &call->err);
    if (rc == VG_OK)
        rc = vg_release_finish(release, rows, count, &call->err);
    if (rc == VG_OK) {
        vg_say(call, "%s: release id %s", vg_release_path(release), vg_release_id(release));
        printf("%s\n", vg_release_path(release));
    }
    vg_release_release(release);
    return rc;
}

static int run(struct vg_call *call)
{
    unsigned jobs = (unsigned)vg_call_count(call, "jobs", vg_pool_default_jobs());
    struct vg_parts parts = {0};
    struct vg_work work = {0};
    const char *spec_text;
    int rc = vg_parts_read(&parts, call->operands, call->operand_count, jobs, &call->err);

    if (rc == VG_OK)
        rc = read_spec(&work, call, &parts, &spec_text);
    if (rc == VG_OK)
        rc = assemble(&work, call, &parts, spec_text);
    vg_parts_release(&parts);
    return rc;
}

static const struct vg_option options[] = {
    {"output", 'o', "DIR", VG_OPTION_TEXT, "folder that receives <name>-<version>/ (default: out)"},
    {"replace", 0, NULL, VG_OPTION_FLAG, "replace a different release of the same name and version"},
    {0},
};

const struct vg_verb vg_verb_merge = {
    .name = "merge",
    .operands = "PART...",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .summary = "Join parts built with --shard into the release of a single build.",
    .details =
        "The parts, in any order, are the folders that `build --shard I/N` made. Every file of theirs is "
        "checked; a part that is missing, there twice or of another spec is named. The release is byte "
        "for byte the one a single build makes.",
    .groups = VG_OPTIONS_JOBS,
    .options = options,
    .run = run,
};
