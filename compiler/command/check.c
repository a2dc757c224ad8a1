/* SPDX-License-Identifier: MIT */
/* check: parse, resolve and validate a spec, and say what it would make; with --sources look at all it is to
 * be made of. */
#include "make.h"

static int run(struct vg_call *call)
{
    struct vg_work work = {0};
    bool sources = vg_call_flag(call, "sources");
    int rc = vg_work_spec(&work, call);

    if (rc != VG_OK)
        return rc;
    if (sources)
        return vg_check_sources(&work, call);
    if (vg_choice_is_asked(&work.spec)) {
        vg_say(call, "%s: %s %s has rules for `vocalgrad select`", call->operands[0], work.spec.name,
               work.spec.version);
        return VG_OK;
    }
    rc = vg_work_list(&work, call);
    if (rc == VG_OK)
        vg_say(call, "%s: %s %s, engine %s: %zu items from %zu sources", call->operands[0], work.spec.name,
               work.spec.version, work.spec.engine->name, work.plan.item_count, work.sources.count);
    return rc;
}

static const struct vg_option options[] = {
    {"sources", 0, NULL, VG_OPTION_FLAG, "decode every source and list what is wrong or odd (TSV)"},
    {0},
};

const struct vg_verb vg_verb_check = {
    .name = "check",
    .operands = "[SPEC]",
    .operands_min = 1,
    .operands_max = 1,
    .operand_default = VG_DEFAULT_SPEC,
    .summary = "Parse, resolve and validate a spec; every error at once.",
    .details =
        "With --sources every source is decoded once. Standard output lists faults, remarks, recordings and "
        "texts that occur twice, and the mix of sample rates and channels.",
    .groups = VG_OPTIONS_SPEC | VG_OPTIONS_JOBS,
    .options = options,
    .run = run,
};
