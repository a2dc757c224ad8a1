/* SPDX-License-Identifier: MIT */
/* score: how well a model's answers fit the labels of a release. */
#include "command.h"
#include "study.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 2000 };

/* ---- text
 * ------------------------------------------------------------------------------------------------------ */

static void add_percent(struct vg_text *out, double share)
{
    struct vg_text number = {0};

    if (isnan(share))
        vg_text_add(&number, "-");
    else
        vg_text_add_fixed(&number, 100 * share, 2);
    vg_text_addf(out, " %8s", number.data);
    vg_text_release(&number);
}

static void add_text(struct vg_text *out, const struct vg_scores *scores)
{
    const char *field = "";

    vg_text_addf(out, "%-36s %7s %8s %8s %8s %8s %8s %7s %7s\n", "per cent of", "items", "accuracy", "from",
                 "to", "balanced", "says up", "unclear", "missing");
    for (size_t i = 0; i < scores->count; i++) {
        const struct vg_score *score = &scores->at[i];

        if (strcmp(field, score->field) != 0 && i > 0)
            vg_text_addf(out, "by %s\n", score->field);
        field = score->field;
        vg_text_addf(out, "%s%-*s %7zu", i > 0 ? "  " : "", i > 0 ? 34 : 36,
                     i > 0 ? score->value : "all items", score->items);
        add_percent(out, score->accuracy);
        add_percent(out, score->low);
        add_percent(out, score->high);
        add_percent(out, score->balanced_accuracy);
        add_percent(out, score->bias);
        vg_text_addf(out, " %7zu %7zu\n", score->not_understood, score->missing);
    }
}

/* ---- CSV and JSON
 * ------------------------------------------------------------------------------------------------ */

static void add_number(struct vg_text *out, double value)
{
    vg_text_add_char(out, ',');
    if (!isnan(value))
        vg_text_add_double(out, value);
}

static void add_csv(struct vg_text *out, const struct vg_scores *scores)
{
    vg_text_add(out,
                "field,value,items,correct,parsed,not_understood,missing,accuracy,accuracy_low,accuracy_high,"
                "balanced_accuracy,says_up\n");
    for (size_t i = 0; i < scores->count; i++) {
        const struct vg_score *score = &scores->at[i];

        vg_text_add_csv(out, score->field);
        vg_text_add_char(out, ',');
        vg_text_add_csv(out, score->value);
        vg_text_addf(out, ",%zu,%zu,%zu,%zu,%zu", score->items, score->correct, score->parsed,
                     score->not_understood, score->missing);
        add_number(out, score->accuracy);
        add_number(out, score->low);
        add_number(out, score->high);
        add_number(out, score->balanced_accuracy);
        add_number(out, score->bias);
        vg_text_add_char(out, '\n');
    }
}

static void add_json_score(struct vg_json *json, const struct vg_score *score)
{
    vg_json_open(json, NULL, '{');
    vg_json_double(json, "accuracy", score->accuracy);
    vg_json_double(json, "accuracy_high", score->high);
    vg_json_double(json, "accuracy_low", score->low);
    vg_json_double(json, "balanced_accuracy", score->balanced_accuracy);
    vg_json_integer(json, "correct", (int64_t)score->correct);
    vg_json_string(json, "field", score->field);
    vg_json_integer(json, "items", (int64_t)score->items);
    vg_json_integer(json, "missing", (int64_t)score->missing);
    vg_json_integer(json, "not_understood", (int64_t)score->not_understood);
    vg_json_integer(json, "parsed", (int64_t)score->parsed);
    vg_json_double(json, "says_up", score->bias);
    vg_json_string(json, "value", score->value);
    vg_json_close(json, '}');
}

static void add_json(struct vg_text *out, const struct vg_scores *scores, const struct vg_about *about,
                     const struct vg_score_options *options)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_integer(&json, "bootstrap_draws", (int64_t)options->draws);
    vg_json_string(&json, "bootstrap_seed", options->seed);
    vg_json_string(&json, "release_id", about->release_id);
    vg_json_open(&json, "scores", '[');
    for (size_t i = 0; i < scores->count; i++)
        add_json_score(&json, &scores->at[i]);
    vg_json_close(&json, ']');
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

/* ---- the verb
 * ----------------------------------------------------------------------------------------------------- */

static int run(struct vg_call *call)
{
    struct vg_score_options options = {.seed = vg_call_text(call, "seed", "42"), .draws = DRAWS};
    struct vg_scores scores = {0};
    struct vg_text out = {0};
    struct vg_about about;
    int rc = vg_about_read(&about, call->operands[0], &call->arena, &call->err);

    if (rc == VG_OK && vg_call_flag(call, "json") && vg_call_flag(call, "csv"))
        rc = vg_fail(&call->err, VG_USAGE, "score", "--json and --csv exclude each other");
    if (rc == VG_OK)
        rc = vg_score_release(call->operands[0], call->operands[1], &options, &scores, &call->err);
    if (rc == VG_OK) {
        if (vg_call_flag(call, "json"))
            add_json(&out, &scores, &about, &options);
        else if (vg_call_flag(call, "csv"))
            add_csv(&out, &scores);
        else
            add_text(&out, &scores);
        rc = vg_print_out(call, &out);
        if (scores.at[0].missing > 0)
            vg_warn(&call->err, call->operands[1], "has no row for %zu of %zu items; they count as wrong",
                    scores.at[0].missing, scores.at[0].items);
    }
    vg_text_release(&out);
    vg_scores_release(&scores);
    return rc;
}

static const struct vg_option options[] = {
    {"csv", 0, NULL, VG_OPTION_FLAG, "a table as CSV on stdout"},
    {"seed", 0, "TEXT", VG_OPTION_TEXT, "seed of the bootstrap's draws (default: 42)"},
    {0},
};

const struct vg_verb vg_verb_score = {
    .name = "score",
    .operands = "RELEASE PREDICTIONS",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Score a model's answers.",
    .details =
        "PREDICTIONS is a file of JSON lines, or a table (.csv, .tsv): one row an item, with key (or name, "
        "or "
        "category and id) and response.\n\n"
        "An answer counts if it has exactly one of the two labels, or its plural, as a whole word in any "
        "case; "
        "anything else is wrong, and so is an item without a row. The interval holds 95 % of 2000 draws of "
        "sources with replacement.",
    .groups = VG_OPTIONS_JSON,
    .options = options,
    .run = run,
};
