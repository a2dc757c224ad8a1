/* SPDX-License-Identifier: MIT */
/* score --annotations: people's answers, how they agree, and what else answers the same items. */
#include "score.h"

#include <math.h>
#include <string.h>

/* ---- text ---------------------------------------------------------------------------------------------- */

static void add_fixed(struct vg_text *out, double value, int width, int decimals)
{
    struct vg_text number = {0};

    if (isnan(value))
        vg_text_add(&number, "-");
    else
        vg_text_add_fixed(&number, value, decimals);
    vg_text_addf(out, " %*s", width, number.data);
    vg_text_release(&number);
}

static void add_raters(struct vg_text *out, const struct vg_kappa *kappa)
{
    struct vg_text raters = {0};

    if (kappa->subjects == 0)
        vg_text_add(&raters, "-");
    else if (kappa->raters_min == kappa->raters_max)
        vg_text_addf(&raters, "%u", kappa->raters_min);
    else
        vg_text_addf(&raters, "%u-%u", kappa->raters_min, kappa->raters_max);
    vg_text_addf(out, " %7s", raters.data);
    vg_text_release(&raters);
}

static void add_row(struct vg_text *out, const struct vg_people *people, const struct vg_people_row *row,
                    bool first)
{
    vg_text_addf(out, "%s%-*s %7zu", first ? "all " : "  ", first ? 32 : 34,
                 first ? "items" : row->score->value, row->items);
    add_raters(out, &row->kappa);
    add_fixed(out, row->kappa.kappa, 7, 3);
    vg_score_add_percent(out, row->score->accuracy);
    vg_score_add_percent(out, row->paper);
    vg_score_add_percent(out, row->paired);
    vg_score_add_percent(out, row->blind);
    for (size_t m = 0; m < people->model_count; m++)
        vg_score_add_percent(out, row->models[m]);
    add_fixed(out, row->median_ms / 1000, 7, 1);
    add_fixed(out, row->replays, 7, 2);
    vg_text_add_char(out, '\n');
}

static void add_text(struct vg_text *out, const struct vg_people *people)
{
    const char *field = "";

    vg_score_text(out, &people->scores, "answers");
    vg_text_addf(out, "\n%-36s %7s %7s %7s %8s %8s %8s %8s", "per cent right, side by side", "items",
                 "raters", "kappa", "people", "paper's", "P", "B");
    for (size_t m = 0; m < people->model_count; m++)
        vg_text_addf(out, " %8.8s", people->models[m]);
    vg_text_addf(out, " %7s %7s\n", "s", "replays");
    for (size_t i = 0; i < people->count; i++) {
        const struct vg_people_row *row = &people->rows[i];

        if (strcmp(field, row->score->field) != 0 && i > 0)
            vg_text_addf(out, "by %s\n", row->score->field);
        field = row->score->field;
        add_row(out, people, row, i == 0);
    }
}

/* ---- CSV and JSON -------------------------------------------------------------------------------------- */

static void add_csv(struct vg_text *out, const struct vg_people *people)
{
    vg_score_csv_header(out);
    vg_text_add(out, ",answered_items,raters_min,raters_max,agreement,agreement_by_chance,kappa,"
                     "paper_people,paired,blind,median_response_ms,mean_replays");
    for (size_t m = 0; m < people->model_count; m++) {
        vg_text_add_char(out, ',');
        vg_text_add_csv(out, people->models[m]);
    }
    vg_text_add_char(out, '\n');
    for (size_t i = 0; i < people->count; i++) {
        const struct vg_people_row *row = &people->rows[i];

        vg_score_csv(out, row->score);
        vg_text_addf(out, ",%zu,%u,%u", row->items, row->kappa.raters_min, row->kappa.raters_max);
        vg_score_add_number(out, row->kappa.observed);
        vg_score_add_number(out, row->kappa.expected);
        vg_score_add_number(out, row->kappa.kappa);
        vg_score_add_number(out, row->paper);
        vg_score_add_number(out, row->paired);
        vg_score_add_number(out, row->blind);
        vg_score_add_number(out, row->median_ms);
        vg_score_add_number(out, row->replays);
        for (size_t m = 0; m < people->model_count; m++)
            vg_score_add_number(out, row->models[m]);
        vg_text_add_char(out, '\n');
    }
}

static void add_json_row(struct vg_json *json, const struct vg_people *people,
                         const struct vg_people_row *row)
{
    const struct vg_score *score = row->score;

    vg_json_open(json, NULL, '{');
    vg_json_double(json, "accuracy", score->accuracy);
    vg_json_double(json, "accuracy_high", score->high);
    vg_json_double(json, "accuracy_low", score->low);
    vg_json_integer(json, "answers", (int64_t)score->items);
    vg_json_double(json, "balanced_accuracy", score->balanced_accuracy);
    vg_json_double(json, "blind", row->blind);
    vg_json_integer(json, "correct", (int64_t)score->correct);
    vg_json_string(json, "field", score->field);
    vg_json_integer(json, "items", (int64_t)row->items);
    vg_json_open(json, "kappa", '{');
    vg_json_double(json, "expected", row->kappa.expected);
    vg_json_integer(json, "items_of_one_person", (int64_t)row->kappa.alone);
    vg_json_integer(json, "items_that_count", (int64_t)row->kappa.subjects);
    vg_json_double(json, "observed", row->kappa.observed);
    vg_json_integer(json, "raters_max", row->kappa.raters_max);
    vg_json_integer(json, "raters_min", row->kappa.raters_min);
    vg_json_double(json, "value", row->kappa.kappa);
    vg_json_close(json, '}');
    vg_json_double(json, "mean_replays", row->replays);
    vg_json_double(json, "median_response_ms", row->median_ms);
    vg_json_open(json, "models", '[');
    for (size_t m = 0; m < people->model_count; m++)
        vg_json_double(json, NULL, row->models[m]);
    vg_json_close(json, ']');
    vg_json_double(json, "paired", row->paired);
    vg_json_double(json, "paper_people", row->paper);
    vg_json_double(json, "says_up", score->bias);
    vg_json_string(json, "value", score->value);
    vg_json_close(json, '}');
}

static void add_json(struct vg_text *out, const struct vg_people *people, const struct vg_about *about,
                     const struct vg_score_options *options)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_integer(&json, "annotators", (int64_t)people->annotators);
    vg_json_integer(&json, "bootstrap_draws", (int64_t)options->draws);
    vg_json_string(&json, "bootstrap_seed", options->seed);
    vg_json_open(&json, "models", '[');
    for (size_t m = 0; m < people->model_count; m++)
        vg_json_string(&json, NULL, people->models[m]);
    vg_json_close(&json, ']');
    vg_json_string(&json, "release_id", about->release_id);
    vg_json_open(&json, "scores", '[');
    for (size_t i = 0; i < people->count; i++)
        add_json_row(&json, people, &people->rows[i]);
    vg_json_close(&json, ']');
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

int vg_score_people(struct vg_call *call, const struct vg_about *about,
                    const struct vg_score_options *options)
{
    struct vg_people people = {0};
    struct vg_text out = {0};
    int rc = vg_people_read(&people, call->operands[0], vg_call_text(call, "annotations", NULL),
                            call->operands + 1, call->operand_count - 1, options, &call->err);

    if (rc == VG_OK) {
        if (vg_call_flag(call, "json"))
            add_json(&out, &people, about, options);
        else if (vg_call_flag(call, "csv"))
            add_csv(&out, &people);
        else
            add_text(&out, &people);
        rc = vg_print_out(call, &out);
    }
    vg_text_release(&out);
    vg_people_release(&people);
    return rc;
}
