/* SPDX-License-Identifier: MIT */
/* build: the whole job, from spec to release. */
#include "checks.h"
#include "make.h"

#include <stdlib.h>
#include <string.h>

enum { STORE_BYTES = 128 << 20 }; /* decoded sources kept beside those in use */

/* The date a release may state, from the environment alone: YYYY-MM-DD of SOURCE_DATE_EPOCH, or NULL. */
static const char *stated_date(struct vg_call *call)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds, days, era, day_of_era, year_of_era, day_of_year, year, month, day;

    if (text == NULL || !vg_integer_parse(text, &seconds) || seconds < 0)
        return NULL;
    /* Days to a civil date, counted in 400-year eras that start on 1 March (Gregorian calendar). */
    days = seconds / 86400 + 719468;
    era = days / 146097;
    day_of_era = days % 146097;
    year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    month = (5 * day_of_year + 2) / 153;
    year = year_of_era + era * 400 + (month >= 10 ? 1 : 0);
    day = day_of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    return vg_arena_format(&call->arena, "%04lld-%02lld-%02lld", (long long)year, (long long)month,
                           (long long)day);
}

/* One error per category and tier whose labels the policy `fail` does not let pass. */
static int judge(const struct vg_work *work, const struct vg_summary *summary, struct vg_call *call)
{
    const struct vg_spec *spec = &work->spec;
    int rc = VG_OK;

    for (size_t c = 0; c < spec->category_count; c++)
        for (size_t t = 0; t < spec->tier_count; t++) {
            const char *category = spec->categories[c].words->name, *tier = spec->tiers[t];
            struct vg_cell cell = vg_summary_of(summary, NULL, category, tier, NULL, NULL);
            size_t failed =
                cell.verdicts[VG_OPPOSED] + cell.verdicts[VG_NO_CHANGE] + cell.verdicts[VG_UNDECIDED];
            char *place = vg_arena_format(&call->arena, "%s: %s %s", call->operands[0], category, tier);

            if (spec->on_label == VG_POLICY_FAIL && failed > 0)
                rc = vg_fail(
                    &call->err, VG_NO, place,
                    "%zu of %zu labels are not confirmed by the finished audio (%zu opposed, %zu no change, "
                    "%zu undecided); change the tier, or set on_label: exclude or flag",
                    failed, cell.items, cell.verdicts[VG_OPPOSED], cell.verdicts[VG_NO_CHANGE],
                    cell.verdicts[VG_UNDECIDED]);
            if (spec->on_below_jnd == VG_POLICY_FAIL && cell.below_jnd > 0)
                rc = vg_fail(
                    &call->err, VG_NO, place,
                    "%zu of %zu labels are below one just-noticeable difference; change the tier, or set "
                    "on_below_jnd: exclude or flag",
                    cell.below_jnd, cell.items);
        }
    return rc;
}

static void add_label_rows(struct vg_call *call, const struct vg_work *work, const struct vg_summary *summary)
{
    size_t excluded = 0, disputed = vg_summary_of(summary, NULL, NULL, NULL, NULL, NULL).disputed;

    vg_say(call, "%-18s %8s %10s %8s %10s %10s %10s %9s", "labels", "items", "confirmed", "opposed",
           "no change", "undecided", "below JND", "excluded");
    for (size_t c = 0; c < work->spec.category_count; c++) {
        const char *name = work->spec.categories[c].words->name;
        struct vg_cell cell = vg_summary_of(summary, NULL, name, NULL, NULL, NULL);

        if (cell.items + cell.excluded > 0)
            vg_say(call, "%-18s %8zu %10zu %8zu %10zu %10zu %10zu %9zu", name, cell.items,
                   cell.verdicts[VG_CONFIRMED], cell.verdicts[VG_OPPOSED], cell.verdicts[VG_NO_CHANGE],
                   cell.verdicts[VG_UNDECIDED], cell.below_jnd, cell.excluded);
        excluded += cell.excluded;
    }
    if (disputed > 0)
        vg_say(call,
               "%zu of the undecided hold beside their source, while the sound alone shows the opposite; "
               "their blind_verdict in labels.csv is opposed",
               disputed);
    if (excluded > 0)
        vg_say(call,
               "%zu items are left out, each with its opposite, so that both directions stay balanced; "
               "labels.csv gives the reason of each",
               excluded);
}

/* The decoders of the recordings; pack keeps one of each. */
static const char **decoders_of(const struct vg_source_row *rows, size_t row_count, size_t *count,
                                struct vg_arena *arena)
{
    const char **names = vg_arena_take(arena, row_count + 1, sizeof *names);

    *count = 0;
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].facts.file_xxh128[0] != '\0')
            names[(*count)++] = rows[i].facts.decoder;
    return names;
}

/* Croissant requires a date, and none is made up. */
static void tell_of_date(struct vg_call *call, const struct vg_spec *spec, const char *date)
{
    const struct vg_node *card = vg_node_find(spec->root, "card");

    if (date == NULL && (card == NULL || vg_node_find(card, "date_published") == NULL))
        vg_say(call, "croissant.json: without datePublished, which Croissant requires, as nobody states a "
                     "date; set card.date_published in the spec, or SOURCE_DATE_EPOCH");
}

/* Companions of the finished release: who made it, and signatures.  They are no part of its bytes. */
static int attest(struct vg_call *call, const char *folder)
{
    static const char self[] = "/proc/self/exe"; /* where there is such a thing */
    const char *key = vg_call_text(call, "sign", NULL);
    char executable[VG_DIGEST_HEX] = "";
    int rc = VG_OK;

    if (key == NULL && !vg_call_flag(call, "provenance"))
        return VG_OK;
    if (vg_file_exists(self))
        rc = vg_digest_of_file(VG_SHA256, self, executable, NULL, &call->err);
    if (rc == VG_OK)
        rc = vg_provenance_write(folder, (unsigned)vg_call_count(call, "jobs", vg_pool_default_jobs()),
                                 executable[0] != '\0' ? executable : NULL, &call->err);
    if (rc == VG_OK && key != NULL)
        rc = vg_sign(call, folder, key);
    return rc;
}

static int assemble(struct vg_work *work, struct vg_call *call, struct vg_source_store *store,
                    const struct vg_source_row *rows, const struct vg_text *spec_text)
{
    struct vg_release_options options = {.spec = &work->spec,
                                         .spec_text = spec_text->data,
                                         .part = work->part,
                                         .parts = work->parts,
                                         .date = stated_date(call),
                                         .replace = vg_call_flag(call, "replace")};
    struct vg_release *release = NULL;
    int rc;

    options.libraries = decoders_of(rows, work->sources.count, &options.library_count, &call->arena);
    rc = vg_make_subset(call, &options);
    if (rc == VG_OK)
        rc = vg_release_begin(&release, vg_call_text(call, "output", "out"), &options, &call->err);
    if (rc == VG_OK)
        rc = vg_make_all(work, call, store, rows, release);
    if (rc == VG_OK) {
        add_label_rows(call, work, vg_release_summary(release));
        rc = judge(work, vg_release_summary(release), call);
    }
    if (rc == VG_OK)
        rc = vg_release_finish(release, rows, work->sources.count, &call->err);
    if (rc == VG_OK)
        rc = attest(call, vg_release_path(release));
    if (rc == VG_OK) {
        tell_of_date(call, &work->spec, options.date);
        vg_say(call, "%s: release id %s", vg_release_path(release), vg_release_id(release));
        printf("%s\n", vg_release_path(release));
    }
    vg_release_release(release);
    return rc;
}

static int run(struct vg_call *call)
{
    struct vg_work work = {0};
    struct vg_text spec_text = {0};
    struct vg_source_row *rows = NULL;
    struct vg_source_store *store = NULL;
    int rc = vg_work_plan(&work, call);

    vg_interrupt_watch();
    if (rc == VG_OK) {
        store = vg_source_store_make(&work.spec, &work.sources, STORE_BYTES);
        rc = vg_make_preflight(&work, call, store, &rows);
    }
    if (rc == VG_OK) /* again, without the sources that were skipped */
        rc = vg_plan_make(&work.plan, &work.spec, &work.sources, &call->arena, &call->err);
    if (rc == VG_OK)
        rc = vg_make_part(&work, call);
    if (rc == VG_OK) {
        vg_spec_write(&work.spec, &spec_text);
        rc = assemble(&work, call, store, rows, &spec_text);
    }
    vg_text_release(&spec_text);
    vg_source_store_free(store);
    return rc;
}

static const struct vg_option options[] = {
    {"output", 'o', "DIR", VG_OPTION_TEXT, "folder that receives <name>-<version>/ (default: out)"},
    {"shard", 0, "I/N", VG_OPTION_TEXT, "build part I of N (default: the Slurm array's); see merge"},
    {"cache", 0, "DIR", VG_OPTION_TEXT, "where finished items are kept (default: .cache in the output)"},
    {"cache-limit", 0, "MIB", VG_OPTION_TEXT, "how much of it, at most (default: 4096)"},
    {"no-cache", 0, NULL, VG_OPTION_FLAG, "keep none and take none"},
    {"subset-of", 0, "RELEASE", VG_OPTION_TEXT,
     "the release that holds all items, to be compared with and named; or its release id, unchecked"},
    {"provenance", 0, NULL, VG_OPTION_FLAG,
     "leave provenance.intoto.jsonl beside the release's files: who made it of what"},
    {"sign", 0, "KEY", VG_OPTION_TEXT,
     "sign SHA256SUMS and the provenance with this secret key, through minisign or ssh-keygen"},
    {"replace", 0, NULL, VG_OPTION_FLAG, "replace a different release of the same name and version"},
    {0},
};

const struct vg_verb vg_verb_build = {
    .name = "build",
    .operands = "[SPEC]",
    .operands_min = 1,
    .operands_max = 1,
    .operand_default = VG_DEFAULT_SPEC,
    .summary = "Build the whole release: render, measure, encode, hash, pack.",
    .details =
        "The folder appears under its final name only when it is whole. The folder's path is printed on "
        "stdout.",
    .groups = VG_OPTIONS_SPEC | VG_OPTIONS_JOBS,
    .options = options,
    .run = run,
};
