/* SPDX-License-Identifier: MIT */
/* report: a release as one page to look at. */
#include "command.h"
#include "report.h"

#include <string.h>

/* The sums of a release are over all that lies in its folder: a page in there would break them. */
static bool lies_inside(struct vg_call *call, const char *path, const char *release)
{
    return vg_file_exists(vg_path_join(&call->arena, vg_path_folder(&call->arena, path), "release.json")) &&
           vg_file_exists(vg_path_join(&call->arena, release, "release.json"));
}

static int run(struct vg_call *call)
{
    const char *release = call->operands[0], *path = vg_call_text(call, "output", NULL);
    struct vg_work work = {0};
    struct vg_about about;
    struct vg_text page = {0};
    int rc;

    if (path == NULL)
        return vg_fail(&call->err, VG_USAGE, "report", "needs -o FILE.html");
    if (lies_inside(call, path, release))
        return vg_fail(
            &call->err, VG_USAGE, path,
            "lies in the folder of a release, whose sums list every file; write the page elsewhere");
    rc = vg_about_read(&about, release, &call->arena, &call->err);
    if (rc == VG_OK)
        rc = vg_report_check(release, &call->err);
    call->operands[0] = vg_path_join(&call->arena, release, "spec.yaml");
    if (rc == VG_OK)
        rc = vg_work_spec(&work, call);
    if (rc == VG_OK)
        rc = vg_report_write(release, &work.spec, &page, &call->err);
    if (rc == VG_OK)
        rc = vg_file_put(path, page.data, page.length, &call->err);
    if (rc == VG_OK)
        vg_say(call, "%s: %zu items of %s %s, %zu bytes", path, about.items, about.name, about.version,
               page.length);
    vg_text_release(&page);
    return rc;
}

static const struct vg_option options[] = {
    {"output", 'o', "FILE", VG_OPTION_TEXT, "the page to write, FILE.html"},
    {0},
};

const struct vg_verb vg_verb_report = {
    .name = "report",
    .operands = "RELEASE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Write a release as one page to look at.",
    .details = "One HTML file that needs no network and no script: what the release is, its counts, how far "
               "each label "
               "is heard, what was asked beside what was measured over time, who can tell, what else moves, "
               "the sources, "
               "shortcuts, and what was left out and why. Below every plot stand its numbers and the command "
               "that makes "
               "them. The same release gives the same bytes.\n\n"
               "Only the tables of the release are read, and they must be those that its CHECKSUMS lists; "
               "`vocalgrad "
               "verify` checks the sounds too.",
    .options = options,
    .run = run,
};
