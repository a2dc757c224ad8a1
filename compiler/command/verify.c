/* SPDX-License-Identifier: MIT */
/* verify: check a release against its own digests, against a key and a list kept elsewhere, and against what
 * the compiler makes of it again. */
#include "checks.h"

#include <string.h>

enum { CHECKS_MAX = 8 };

struct levels {
    bool bytes, audio, labels, shortcuts;
};

/* --level bytes,audio,labels,shortcuts; default bytes,audio. */
static int read_levels(struct vg_call *call, struct levels *levels)
{
    const char *text = vg_call_text(call, "level", "bytes,audio");
    const struct {
        const char *name;
        bool *set;
    } known[] = {{"bytes", &levels->bytes},
                 {"audio", &levels->audio},
                 {"labels", &levels->labels},
                 {"shortcuts", &levels->shortcuts}};

    *levels = (struct levels){0};
    while (*text != '\0') {
        size_t length = strcspn(text, ","), k = 0, count = sizeof known / sizeof *known;

        while (k < count && (strlen(known[k].name) != length || memcmp(text, known[k].name, length) != 0))
            k++;
        if (k == count)
            return vg_fail(&call->err, VG_USAGE, "--level",
                           "\"%.*s\" is no level; expected bytes, audio, labels, shortcuts", (int)length,
                           text);
        *known[k].set = true;
        text += length + (text[length] == ',');
    }
    return VG_OK;
}

/* ---- steps
 * --------------------------------------------------------------------------------------------------- */

struct verifying {
    struct vg_call *call;
    const char *folder;
    struct levels levels;
    struct vg_verify_result result;
    struct vg_check checks[CHECKS_MAX];
    size_t count;
    int worst; /* the first that is not VG_OK */
    struct vg_text table;
};

static unsigned jobs_of(const struct vg_call *call)
{
    return (unsigned)vg_call_count(call, "jobs", vg_pool_default_jobs());
}

static int check_release(struct verifying *v)
{
    struct vg_verify_options options = {v->levels.bytes, v->levels.audio, jobs_of(v->call)};
    int rc = vg_release_verify(v->folder, &options, &v->result, &v->call->err);

    if (rc != VG_IO && v->levels.bytes && vg_provenance_check(v->folder, &v->call->err) != VG_OK)
        rc = rc == VG_OK ? VG_NO : rc;
    if (rc == VG_OK)
        vg_say(v->call, "%s: %zu files, %zu shards, %zu items are what they say; release id %s", v->folder,
               v->result.files, v->result.shards, v->result.items, v->result.release_id);
    return rc;
}

static int check_signature(struct verifying *v)
{
    return vg_check_signature(v->call, v->folder, vg_call_text(v->call, "pubkey", NULL));
}

static int check_against(struct verifying *v)
{
    const char *other = vg_call_text(v->call, "against", NULL);
    size_t files;
    int rc = vg_release_against(v->folder, other, jobs_of(v->call), &files, &v->call->err);

    if (rc == VG_OK)
        vg_say(v->call, "%s: %zu files are what %s says", v->folder, files, other);
    return rc;
}

static int check_labels(struct verifying *v)
{
    return vg_check_labels(v->call, v->folder);
}

static int check_shortcuts(struct verifying *v)
{
    return vg_check_shortcuts(v->call, v->folder, &v->table);
}

static int check_rebuild(struct verifying *v)
{
    return v->worst != VG_OK ? VG_OK
                             : vg_check_rebuild(v->call, v->folder); /* of what is broken anyway, no more */
}

static void take_step(struct verifying *v, const char *name, int (*step)(struct verifying *))
{
    struct vg_check check = {.name = name, .first = v->call->err.count};

    check.rc = step(v);
    check.count = v->call->err.count - check.first;
    v->checks[v->count++] = check;
    v->worst = v->worst == VG_OK ? check.rc : v->worst;
}

static int report(struct verifying *v)
{
    const char *junit = vg_call_text(v->call, "junit", NULL);
    struct vg_text out = {0};
    int rc = VG_OK;

    if (vg_call_flag(v->call, "json"))
        vg_checks_json(v->call, v->checks, v->count, &v->result, &out);
    else
        vg_text_add_part(&out, vg_text_or_empty(&v->table), v->table.length);
    if (out.length > 0)
        rc = vg_print_out(v->call, &out);
    if (rc == VG_OK && junit != NULL)
        rc = vg_checks_junit(v->call, v->checks, v->count, junit);
    vg_text_release(&out);
    return rc;
}

static int run(struct vg_call *call)
{
    struct verifying v = {.call = call, .folder = call->operands[0]};
    int rc = read_levels(call, &v.levels);

    if (rc != VG_OK)
        return rc;
    if (vg_call_flag(call, "pubkey"))
        take_step(&v, "signature", check_signature);
    if (v.levels.bytes || v.levels.audio)
        take_step(&v, !v.levels.audio ? "bytes" : v.levels.bytes ? "bytes,audio" : "audio", check_release);
    if (vg_call_flag(call, "against"))
        take_step(&v, "against", check_against);
    if (v.levels.labels)
        take_step(&v, "labels", check_labels);
    if (v.levels.shortcuts)
        take_step(&v, "shortcuts", check_shortcuts);
    if (vg_call_flag(call, "rebuild"))
        take_step(&v, "rebuild", check_rebuild);
    rc = report(&v);
    vg_text_release(&v.table);
    return v.worst != VG_OK ? v.worst : rc;
}

static const struct vg_option options[] = {
    {"level", 0, "LIST", VG_OPTION_TEXT,
     "what to check: bytes, audio, labels, shortcuts (default: bytes,audio)"},
    {"against", 0, "CHECKSUMS", VG_OPTION_TEXT,
     "hold every file against this list, or against another release"},
    {"pubkey", 0, "FILE", VG_OPTION_TEXT,
     "public key of minisign or SSH, or SSH's allowed signers: is SHA256SUMS signed by it?"},
    {"rebuild", 0, "K", VG_OPTION_TEXT, "render K items again, spread over the release, or all, and compare"},
    {"spec", 0, "SPEC", VG_OPTION_TEXT,
     "spec to rebuild from where the sources are recordings (default: the release's spec.yaml)"},
    {"junit", 0, "FILE", VG_OPTION_TEXT, "write what was found as JUnit's XML, for CI"},
    {0},
};

const struct vg_verb vg_verb_verify = {
    .name = "verify",
    .operands = "RELEASE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Check a release: every file, every sample, and what the compiler makes of it again.",
    .details = "Exit status 1 where anything differs; every difference is named by file and item. --json "
               "prints what "
               "each check found.\n\n"
               "The level shortcuts measures how well the label can be told from what a model should not use "
               "(names, "
               "order, size, length, level, silence), and says no only to what is of the packing's making.",
    .groups = VG_OPTIONS_SPEC | VG_OPTIONS_JOBS | VG_OPTIONS_JSON,
    .options = options,
    .run = run,
};
