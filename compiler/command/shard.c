/* SPDX-License-Identifier: MIT */
/* Which part of the items this process builds: --shard I/N, else the Slurm array that it is a task of. */
#include "make.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 99999 }; /* five digits in the folder's name */

static bool read_pair(struct vg_call *call, const char *text, int64_t *part, int64_t *parts)
{
    const char *slash = strchr(text, '/');

    return slash != NULL &&
           vg_integer_parse(vg_arena_text_part(&call->arena, text, (size_t)(slash - text)), part) &&
           vg_integer_parse(slash + 1, parts);
}

static int take(struct vg_call *call, struct vg_work *work, const char *place, int64_t part, int64_t parts)
{
    size_t groups = work->plan.item_count / work->plan.items_per_source;

    if (parts < 1 || parts > PARTS_MAX || part < 1 || part > parts)
        return vg_fail(&call->err, VG_USAGE, place, "part %lld of %lld; expected I/N with 1 <= I <= N <= %d",
                       (long long)part, (long long)parts, PARTS_MAX);
    if ((size_t)parts > groups)
        return vg_fail(&call->err, VG_USAGE, place,
                       "%lld parts, but the items of one source and category stay together and there are %zu "
                       "such groups; ask for at most that many parts",
                       (long long)parts, groups);
    work->part = (unsigned)part;
    work->parts = (unsigned)parts;
    return VG_OK;
}

/* A part is known by its number in the whole array.  An array that runs some tasks of another again
 * (--array=3) has another count, and cannot be told from one that numbers its tasks otherwise. */
static int from_slurm(struct vg_call *call, struct vg_work *work, const char *id)
{
    const char *count = getenv("SLURM_ARRAY_TASK_COUNT"), *first = getenv("SLURM_ARRAY_TASK_MIN");
    int64_t part, parts, low = 1;

    if (count == NULL || !vg_integer_parse(id, &part) || !vg_integer_parse(count, &parts) ||
        (first != NULL && !vg_integer_parse(first, &low)) || low != 1 || part > parts)
        return vg_fail(&call->err, VG_USAGE, "SLURM_ARRAY_TASK_ID",
                       "is %s in an array of %s tasks; number the array 1-N, or say --shard I/N (to run one "
                       "task again, its own I of the whole N)",
                       id, count != NULL ? count : "an unknown number of");
    return take(call, work, "SLURM_ARRAY_TASK_ID", part, parts);
}

int vg_make_part(struct vg_work *work, struct vg_call *call)
{
    const char *given = vg_call_text(call, "shard", NULL), *id = getenv("SLURM_ARRAY_TASK_ID");
    int64_t part, parts;

    if (given == NULL)
        return id != NULL ? from_slurm(call, work, id) : VG_OK;
    if (!read_pair(call, given, &part, &parts))
        return vg_fail(&call->err, VG_USAGE, "--shard", "\"%s\"; expected I/N, such as 2/8", given);
    return take(call, work, "--shard", part, parts);
}
