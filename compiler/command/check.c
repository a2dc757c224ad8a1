/* SPDX-License-Identifier: MIT */
/* check: parse, resolve and validate a spec, and say what it would make. */
#include "command.h"

static int run(struct vg_call *call)
{
    struct vg_work work = {0};
    int rc = vg_work_plan(&work, call);

    if (rc == VG_OK)
        vg_say(call, "%s: %s %s, engine %s: %zu items from %zu sources", call->operands[0], work.spec.name,
               work.spec.version, work.spec.engine->name, work.plan.item_count, work.sources.count);
    return rc;
}

const struct vg_verb vg_verb_check = {
    .name = "check",
    .operands = "[SPEC]",
    .operands_min = 1,
    .operands_max = 1,
    .operand_default = VG_DEFAULT_SPEC,
    .summary = "Parse, resolve and validate a spec; every error at once.",
    .groups = VG_OPTIONS_SPEC,
    .run = run,
};
