/* SPDX-License-Identifier: MIT */
/* score: how well a model's answers, or people's, fit the labels of a release. */
#include "score.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 2000 };

/* ---- text
 * ------------------------------------------------------------------------------------------------------ */

void vg_score_add_percent(struct vg_text *out, double share)
{
    struct vg_text number = {0};

    if (isnan(share))
        vg_text_add(&number, "-");
    else
        vg_text_add_fixed(&number, 100 * share, 2);
    vg_text_addf(out, " %8s", number.data);
    vg_text_release(&number);
}

void vg_score_text(struct vg_text *out, const struct vg_scores *scores, const char *what)
{
    const char *field = "";

    vg_text_addf(out, "%-36s %7s %8s %8s %8s %8s %8s %7s %7s\n", "per cent of", what, "accuracy", "from",
                 "to", "balanced", "says up", "unclear", "missing");
    for (size_t i = 0; i < scores->count; i++) {
        const struct vg_score *score = &scores->at[i];

        if (strcmp(field, score->field) != 0 && i > 0)
            vg_text_addf(out, "by %s\n", score->field);
        field = score->field;
        vg_text_addf(out, "%s%-*s %7zu", i > 0 ? "  " : "all ", i > 0 ? 34 : 32, i > 0 ? score->value : what,
                     score->items);
        vg_score_add_percent(out, score->accuracy);
        vg_score_add_percent(out, score->low);
        vg_score_add_percent(out, score->high);
        vg_score_add_percent(out, score->balanced_accuracy);
        vg_score_add_percent(out, score->bias);
        vg_text_addf(out, " %7zu %7zu\n", score->not_understood, score->missing);
    }
}

/* ---- CSV and JSON
 * ------------------------------------------------------------------------------------------------ */

void vg_score_add_number(struct vg_text *out, double value)
{
    vg_text_add_char(out, ',');
    if (!isnan(value))
        vg_text_add_double(out, value);
}

void vg_score_csv_header(struct vg_text *out)
{
    vg_text_add(out,
                "field,value,items,correct,parsed,not_understood,missing,accuracy,accuracy_low,accuracy_high,"
                "balanced_accuracy,says_up");
}

void vg_score_csv(struct vg_text *out, const struct vg_score *score)
{
    vg_text_add_csv(out, score->field);
    vg_text_add_char(out, ',');
    vg_text_add_csv(out, score->value);
    vg_text_addf(out, ",%zu,%zu,%zu,%zu,%zu", score->items, score->correct, score->parsed,
                 score->not_understood, score->missing);
    vg_score_add_number(out, score->accuracy);
    vg_score_add_number(out, score->low);
    vg_score_add_number(out, score->high);
    vg_score_add_number(out, score->balanced_accuracy);
    vg_score_add_number(out, score->bias);
}

static void add_csv(struct vg_text *out, const struct vg_scores *scores)
{
    vg_score_csv_header(out);
    vg_text_add_char(out, '\n');
    for (size_t i = 0; i < scores->count; i++) {
        vg_score_csv(out, &scores->at[i]);
        vg_text_add_char(out, '\n');
    }
}

static void add_json_score(struct vg_json *json, const struct vg_score *score)
{
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
    for (size_t i = 0; i < scores->count; i++) {
        vg_json_open(&json, NULL, '{');
        add_json_score(&json, &scores->at[i]);
        vg_json_close(&json, '}');
    }
    vg_json_close(&json, ']');
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

/* ---- the verb
 * ----------------------------------------------------------------------------------------------------- */

static int score_model(struct vg_call *call, const struct vg_about *about,
                       const struct vg_score_options *options)
{
    struct vg_scores scores = {0};
    struct vg_text out = {0};
    int rc;

    if (call->operand_count != 2)
        return vg_fail(&call->err, VG_USAGE, "score",
                       "%zu files of predictions given; expected one, or --annotations DIR",
                       call->operand_count - 1);
    rc = vg_score_release(call->operands[0], call->operands[1], options, &scores, &call->err);
    if (rc == VG_OK) {
        if (vg_call_flag(call, "json"))
            add_json(&out, &scores, about, options);
        else if (vg_call_flag(call, "csv"))
            add_csv(&out, &scores);
        else
            vg_score_text(&out, &scores, "items");
        rc = vg_print_out(call, &out);
        if (scores.at[0].missing > 0)
            vg_warn(&call->err, call->operands[1], "has no row for %zu of %zu items; they count as wrong",
                    scores.at[0].missing, scores.at[0].items);
    }
    vg_text_release(&out);
    vg_scores_release(&scores);
    return rc;
}

static int run(struct vg_call *call)
{
    struct vg_score_options options = {.seed = vg_call_text(call, "seed", "42"), .draws = DRAWS};
    struct vg_about about;
    int rc = vg_about_read(&about, call->operands[0], &call->arena, &call->err);

    if (rc == VG_OK && vg_call_flag(call, "json") && vg_call_flag(call, "csv"))
        rc = vg_fail(&call->err, VG_USAGE, "score", "--json and --csv exclude each other");
    if (rc != VG_OK)
        return rc;
    return vg_call_text(call, "annotations", NULL) != NULL ? vg_score_people(call, &about, &options)
                                                           : score_model(call, &about, &options);
}

static const struct vg_option options[] = {
    {"annotations", 0, "DIR", VG_OPTION_TEXT,
     "people's answers, as serve --annotate keeps them; models stand beside them"},
    {"csv", 0, NULL, VG_OPTION_FLAG, "a table as CSV on stdout"},
    {"seed", 0, "TEXT", VG_OPTION_TEXT, "seed of the bootstrap's draws (default: 42)"},
    {0},
};

const struct vg_verb vg_verb_score = {
    .name = "score",
    .operands = "RELEASE [PREDICTIONS]...",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .summary = "Score a model's answers, or people's.",
    .details =
        "PREDICTIONS is a file of JSON lines, or a table (.csv, .tsv): one row an item, with key (or name, "
        "or category and id) and response.\n\n"
        "An answer counts if it has exactly one of the two labels, or its plural, as a whole word in any "
        "case; anything else is wrong, and so is an item without a row. The interval holds 95 % of 2000 "
        "draws of sources with replacement.\n\n"
        "With --annotations every answer of a person counts once, and a second table puts beside each other, "
        "on the items that were answered: Fleiss' kappa, the people, the people of the paper, the measures P "
        "(with the source) and B (without), and each PREDICTIONS. Where items were answered by unequal "
        "numbers of people, an item weighs in kappa as much as it has answers beyond the first (Fleiss and "
        "Cuzick 1979); one that a single person answered has no weight.",
    .groups = VG_OPTIONS_JSON,
    .options = options,
    .run = run,
};
