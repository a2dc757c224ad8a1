/* SPDX-License-Identifier: MIT */
/* verify: check a release against its own digests, against a key and a list kept elsewhere, and against what
 * the compiler makes of it again; or the labels of somebody else's set against its sound. */
#include "checks.h"
#include "oracle.h"

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
    const char *folder; /* of a release; NULL: a published table is checked */
    struct levels levels;
    struct vg_verify_result result;
    struct vg_foreign foreign;
    struct vg_oracle oracle; /* --report */
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

static int check_foreign(struct verifying *v)
{
    return vg_check_foreign(v->call, &v->foreign, &v->oracle);
}

/* The tables that the evidence in the manifest gives. */
static int read_oracle(struct verifying *v)
{
    struct vg_margins margins;
    int rc = vg_release_margins(v->call, v->folder, &margins);

    return rc == VG_OK ? vg_oracle_read(&v->oracle, v->folder, &margins, &v->call->err) : rc;
}

/* ---- what is told
 * ------------------------------------------------------------------------------------------- */

static int report(struct verifying *v)
{
    const char *junit = vg_call_text(v->call, "junit", NULL);
    bool has_oracle = vg_call_flag(v->call, "report") && v->oracle.cells != NULL;
    struct vg_checked checked = {.subject =
                                     v->folder != NULL ? v->folder : vg_call_text(v->call, "labels", ""),
                                 .checks = v->checks,
                                 .count = v->count,
                                 .result = &v->result,
                                 .foreign = v->folder != NULL ? NULL : &v->foreign,
                                 .oracle = has_oracle ? &v->oracle : NULL};
    struct vg_text out = {0};
    int rc = VG_OK;

    if (vg_call_flag(v->call, "json"))
        vg_checks_json(v->call, &checked, &out);
    else
        vg_text_add_part(&out, vg_text_or_empty(&v->table), v->table.length);
    if (has_oracle && vg_call_flag(v->call, "csv"))
        vg_oracle_csv(&v->oracle, &out);
    else if (has_oracle && !vg_call_flag(v->call, "json"))
        vg_oracle_text(&v->oracle, &out);
    if (out.length > 0)
        rc = vg_print_out(v->call, &out);
    if (rc == VG_OK && junit != NULL)
        rc = vg_checks_junit(v->call, &checked, junit);
    vg_text_release(&out);
    return rc;
}

static int check_options(struct vg_call *call)
{
    static const char *const of_releases[] = {"level", "against", "pubkey", "rebuild", "spec"};
    bool foreign = vg_call_flag(call, "labels");

    if (call->operand_count == (foreign ? 1 : 0))
        return vg_fail(&call->err, VG_USAGE, "verify",
                       "expected either a RELEASE or --labels TABLE, and %s given",
                       foreign ? "both are" : "neither is");
    for (size_t i = 0; foreign && i < sizeof of_releases / sizeof *of_releases; i++)
        if (vg_call_flag(call, of_releases[i]))
            return vg_fail(&call->err, VG_USAGE, "verify", "--%s is for a release, --labels for another set",
                           of_releases[i]);
    if (!foreign && (vg_call_flag(call, "audio") || vg_call_flag(call, "sources")))
        return vg_fail(&call->err, VG_USAGE, "verify", "--audio and --sources go with --labels");
    if (vg_call_flag(call, "csv") && (!vg_call_flag(call, "report") || vg_call_flag(call, "json")))
        return vg_fail(&call->err, VG_USAGE, "verify", "--csv goes with --report, and not with --json");
    return VG_OK;
}

/* With --report alone nothing else is checked: the tables are those of the manifest. */
static void check_all(struct verifying *v)
{
    bool tables = vg_call_flag(v->call, "report"), alone = tables && !vg_call_flag(v->call, "level");

    if (vg_call_flag(v->call, "pubkey"))
        take_step(v, "signature", check_signature);
    if (!alone && (v->levels.bytes || v->levels.audio))
        take_step(v, !v->levels.audio ? "bytes" : v->levels.bytes ? "bytes,audio" : "audio", check_release);
    if (vg_call_flag(v->call, "against"))
        take_step(v, "against", check_against);
    if (v->levels.labels)
        take_step(v, "labels", check_labels);
    if (v->levels.shortcuts)
        take_step(v, "shortcuts", check_shortcuts);
    if (vg_call_flag(v->call, "rebuild"))
        take_step(v, "rebuild", check_rebuild);
    if (tables)
        take_step(v, "report", read_oracle);
}

static int run(struct vg_call *call)
{
    struct verifying v = {.call = call};
    int rc = check_options(call);

    if (rc == VG_OK)
        rc = read_levels(call, &v.levels);
    if (rc != VG_OK)
        return rc;
    if (vg_call_flag(call, "labels")) {
        take_step(&v, "labels", check_foreign);
    } else {
        v.folder = call->operands[0];
        check_all(&v);
    }
    rc = report(&v);
    vg_text_release(&v.table);
    vg_oracle_release(&v.oracle);
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
    {"report", 0, NULL, VG_OPTION_FLAG,
     "tables of what the measures say: labels right by category, tier and curve; leakage; the sources' own "
     "trends"},
    {"csv", 0, NULL, VG_OPTION_FLAG, "with --report: the tables as one CSV on stdout"},
    {"labels", 0, "TABLE", VG_OPTION_TEXT,
     "instead of a RELEASE: a published metadata.csv, whose labels are held against the sound"},
    {"audio", 0, "DIR", VG_OPTION_TEXT,
     "with --labels: the folder that its file names start from (default: the table's)"},
    {"sources", 0, "DIR", VG_OPTION_TEXT,
     "with --labels: the recordings that the items were made from, by source_clip_id"},
    {"junit", 0, "FILE", VG_OPTION_TEXT, "write what was found as JUnit's XML, for CI"},
    {0},
};

const struct vg_verb vg_verb_verify = {
    .name = "verify",
    .operands = "[RELEASE]",
    .operands_min = 0,
    .operands_max = 1,
    .summary = "Check a release: every file, every sample, and what the compiler makes of it again.",
    .details =
        "Exit status 1 where anything differs; every difference is named by file and item. --json "
        "prints what "
        "each check found.\n\n"
        "The level shortcuts measures how well the label can be told from what a model should not use "
        "(names, "
        "order, size, length, level, silence), and says no only to what is of the packing's making.\n\n"
        "--report reads the evidence in the manifest, and checks nothing else unless --level asks for "
        "it.\n\n"
        "--labels reads the columns file_name (or audio_path), category and label by name, and "
        "onset_sec, "
        "offset_sec, curve, tier, source_clip_id where they are there; WAV or FLAC. A label is false "
        "where, "
        "beside its source, the sound does the opposite or does not change; without the sources where "
        "a "
        "blind measure that may decide by itself hears the opposite, or where the same sound has both "
        "labels.",
    .groups = VG_OPTIONS_SPEC | VG_OPTIONS_JOBS | VG_OPTIONS_JSON,
    .options = options,
    .run = run,
};
