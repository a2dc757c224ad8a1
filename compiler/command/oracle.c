/* SPDX-License-Identifier: MIT */
/* verify --report, for machines: CSV and JSON; and the margins that a release was measured with. */
#include "oracle.h"

#include <math.h>

int vg_release_margins(struct vg_call *call, const char *folder, struct vg_margins *margins)
{
    struct vg_work work = {0};
    const char *operand = call->operands[0];
    int rc;

    call->operands[0] = vg_path_join(&call->arena, folder, "spec.yaml");
    rc = vg_work_spec(&work, call);
    call->operands[0] = operand;
    vg_margins_read(margins, rc == VG_OK ? vg_node_find(work.spec.root, "measure") : NULL);
    return rc;
}

/* ---- CSV
 * -----------------------------------------------------------------------------------------------------------
 */

static const char csv_header[] =
    "table,category,tier,curve,measure,source,item,items,confirmed,below_jnd,opposed,no_change,undecided,"
    "paired_share,blind_right,blind_opposed,blind_share,human_share,median_jnd,trend,deviation,median,"
    "blind_net,direction,blind_sign_right,unit\n";

/* One row; what it does not have stays empty. */
struct csv_row {
    const char *table, *category, *tier, *curve, *measure, *source, *item;
    bool counted, paired; /* items and the blind counts; the paired ones */
    const struct vg_oracle_cell *cell;
    size_t items;
    double jnds, trend, deviation, median, blind_net;
    const char *direction, *right, *unit;
};
static const struct csv_row no_row = {
    .jnds = NAN, .trend = NAN, .deviation = NAN, .median = NAN, .blind_net = NAN};

static void add_text(struct vg_text *out, const char *text)
{
    if (text != NULL && text[0] != '\0')
        vg_text_add_csv(out, text);
    vg_text_add_char(out, ',');
}

static void add_count(struct vg_text *out, size_t count, bool known)
{
    if (known)
        vg_text_addf(out, "%zu", count);
    vg_text_add_char(out, ',');
}

static void add_number(struct vg_text *out, double value)
{
    if (!isnan(value))
        vg_text_add_double(out, value);
    vg_text_add_char(out, ',');
}

static void add_cell(struct vg_text *out, const struct vg_oracle_cell *cell)
{
    static const struct vg_oracle_cell none = {
        .paired_share = (double)NAN, .blind_share = (double)NAN, .human_share = (double)NAN};
    const struct vg_oracle_cell *c = cell != NULL ? cell : &none;
    bool paired = c->paired_items > 0;

    add_count(out, c->verdicts[VG_CONFIRMED], paired);
    add_count(out, c->below_jnd, paired);
    add_count(out, c->verdicts[VG_OPPOSED], paired);
    add_count(out, c->verdicts[VG_NO_CHANGE], paired);
    add_count(out, c->verdicts[VG_UNDECIDED], paired);
    add_number(out, c->paired_share);
    add_count(out, c->blind_right, cell != NULL);
    add_count(out, c->blind_opposed, cell != NULL);
    add_number(out, c->blind_share);
    add_number(out, c->human_share);
}

static void add_row(struct vg_text *out, const struct csv_row *row)
{
    const char *names[] = {row->table,   row->category, row->tier, row->curve,
                           row->measure, row->source,   row->item};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_text(out, names[i]);
    add_count(out, row->items, row->counted);
    add_cell(out, row->cell);
    add_number(out, row->jnds);
    add_number(out, row->trend);
    add_number(out, row->deviation);
    add_number(out, row->median);
    add_number(out, row->blind_net);
    add_text(out, row->direction);
    add_text(out, row->right);
    vg_text_add(out, row->unit != NULL ? row->unit : "");
    vg_text_add_char(out, '\n');
}

static void add_cells(struct vg_text *out, const struct vg_oracle *oracle)
{
    for (size_t category = 0; category <= oracle->category_count; category++)
        for (size_t tier = 0; tier <= oracle->tier_count; tier++)
            for (size_t curve = 0; curve <= oracle->curve_count; curve++) {
                const struct vg_oracle_cell *cell = vg_oracle_cell_of(oracle, category, tier, curve);
                struct csv_row row = no_row;

                row.table = "oracle";
                row.category = cell->category;
                row.tier = cell->tier;
                row.curve = cell->curve;
                row.counted = true;
                row.items = cell->items;
                row.cell = cell;
                add_row(out, &row);
            }
}

static void add_leaks(struct vg_text *out, const struct vg_oracle *oracle)
{
    for (size_t category = 0; category < oracle->category_count; category++)
        for (size_t q = 0; q < VG_QUANTITIES; q++) {
            const struct vg_oracle_leak *leak = &oracle->leaks[category * VG_QUANTITIES + q];
            struct csv_row row = no_row;

            row.table = "leakage";
            row.category = oracle->categories[category].name;
            row.measure = vg_measures[q].name;
            row.counted = true;
            row.items = leak->items;
            row.jnds = leak->jnds;
            add_row(out, &row);
        }
}

/* `items` counts sources here. */
static void add_trends(struct vg_text *out, const struct vg_oracle *oracle)
{
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        struct csv_row row = no_row;

        row.table = "trend";
        row.measure = vg_measures[q].name;
        row.unit = vg_measures[q].unit_blind;
        row.counted = true;
        row.items = oracle->trends[q].sources;
        row.trend = oracle->trends[q].mean;
        row.deviation = oracle->trends[q].deviation;
        row.median = oracle->trends[q].median;
        add_row(out, &row);
    }
    for (size_t s = 0; s < oracle->source_count; s++)
        for (size_t q = 0; q < VG_QUANTITIES; q++) {
            struct csv_row row = no_row;

            row.table = "source";
            row.source = oracle->sources[s];
            row.measure = vg_measures[q].name;
            row.unit = vg_measures[q].unit_blind;
            row.trend = oracle->source_trends[s * VG_QUANTITIES + q];
            add_row(out, &row);
        }
}

static void add_against(struct vg_text *out, const struct vg_oracle *oracle)
{
    for (size_t i = 0; i < oracle->against_count; i++) {
        const struct vg_oracle_against *item = &oracle->against[i];
        struct csv_row row = no_row;

        row.table = "against";
        row.category = item->category;
        row.tier = item->tier;
        row.curve = item->curve;
        row.measure = vg_measures[item->quantity].name;
        row.source = item->source;
        row.item = item->id;
        row.trend = item->trend;
        row.blind_net = item->blind_net;
        row.direction = item->claimed > 0 ? "up" : "down";
        row.right = item->blind_right ? "true" : "false";
        row.unit = vg_measures[item->quantity].unit_blind;
        add_row(out, &row);
    }
}

void vg_oracle_csv(const struct vg_oracle *oracle, struct vg_text *out)
{
    vg_text_add(out, csv_header);
    add_cells(out, oracle);
    add_leaks(out, oracle);
    add_trends(out, oracle);
    add_against(out, oracle);
}

/* ---- JSON
 * ----------------------------------------------------------------------------------------------------------
 */

static void write_cell(struct vg_json *json, const struct vg_oracle_cell *cell)
{
    vg_json_open(json, NULL, '{');
    vg_json_integer(json, "below_jnd", (int64_t)cell->below_jnd);
    vg_json_integer(json, "blind_opposed", (int64_t)cell->blind_opposed);
    vg_json_integer(json, "blind_right", (int64_t)cell->blind_right);
    vg_json_double(json, "blind_share", cell->blind_share);
    vg_json_string(json, "category", cell->category[0] != '\0' ? cell->category : NULL);
    vg_json_integer(json, "confirmed", (int64_t)cell->verdicts[VG_CONFIRMED]);
    vg_json_string(json, "curve", cell->curve[0] != '\0' ? cell->curve : NULL);
    vg_json_double(json, "human_share", cell->human_share);
    vg_json_integer(json, "items", (int64_t)cell->items);
    vg_json_integer(json, "no_change", (int64_t)cell->verdicts[VG_NO_CHANGE]);
    vg_json_integer(json, "opposed", (int64_t)cell->verdicts[VG_OPPOSED]);
    vg_json_integer(json, "paired_items", (int64_t)cell->paired_items);
    vg_json_double(json, "paired_share", cell->paired_share);
    vg_json_string(json, "tier", cell->tier[0] != '\0' ? cell->tier : NULL);
    vg_json_integer(json, "undecided", (int64_t)cell->verdicts[VG_UNDECIDED]);
    vg_json_close(json, '}');
}

static void write_against(struct vg_json *json, const struct vg_oracle *oracle)
{
    vg_json_open(json, "against", '[');
    for (size_t i = 0; i < oracle->against_count; i++) {
        const struct vg_oracle_against *item = &oracle->against[i];

        vg_json_open(json, NULL, '{');
        vg_json_double(json, "blind_net", item->blind_net);
        vg_json_bool(json, "blind_right", item->blind_right);
        vg_json_string(json, "category", item->category);
        vg_json_integer(json, "claimed", item->claimed);
        vg_json_string(json, "curve", item->curve);
        vg_json_string(json, "id", item->id);
        vg_json_string(json, "source", item->source);
        vg_json_string(json, "tier", item->tier);
        vg_json_double(json, "trend", item->trend);
        vg_json_string(json, "unit", vg_measures[item->quantity].unit_blind);
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

static void write_categories(struct vg_json *json, const struct vg_oracle *oracle)
{
    vg_json_open(json, "categories", '[');
    for (size_t i = 0; i < oracle->category_count; i++) {
        const struct vg_oracle_category *category = &oracle->categories[i];

        vg_json_open(json, NULL, '{');
        vg_json_integer(json, "against", (int64_t)category->against);
        vg_json_integer(json, "against_wrong", (int64_t)category->against_wrong);
        vg_json_integer(json, "items", (int64_t)category->items);
        vg_json_string(json, "name", category->name);
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

static void write_cells(struct vg_json *json, const struct vg_oracle *oracle)
{
    vg_json_open(json, "cells", '[');
    for (size_t category = 0; category <= oracle->category_count; category++)
        for (size_t tier = 0; tier <= oracle->tier_count; tier++)
            for (size_t curve = 0; curve <= oracle->curve_count; curve++)
                write_cell(json, vg_oracle_cell_of(oracle, category, tier, curve));
    vg_json_close(json, ']');
}

static void write_leaks(struct vg_json *json, const struct vg_oracle *oracle)
{
    vg_json_open(json, "leakage", '[');
    for (size_t i = 0; i < oracle->category_count * VG_QUANTITIES; i++) {
        vg_json_open(json, NULL, '{');
        vg_json_string(json, "category", oracle->categories[i / VG_QUANTITIES].name);
        vg_json_integer(json, "items", (int64_t)oracle->leaks[i].items);
        vg_json_string(json, "measure", vg_measures[i % VG_QUANTITIES].name);
        vg_json_double(json, "median_jnd", oracle->leaks[i].jnds);
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

static void write_sources(struct vg_json *json, const struct vg_oracle *oracle)
{
    vg_json_open(json, "sources", '[');
    for (size_t s = 0; s < oracle->source_count; s++) {
        vg_json_open(json, NULL, '{');
        vg_json_string(json, "id", oracle->sources[s]);
        vg_json_open(json, "trends", '[');
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            vg_json_double(json, NULL, oracle->source_trends[s * VG_QUANTITIES + q]);
        vg_json_close(json, ']');
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

static void write_trends(struct vg_json *json, const struct vg_oracle *oracle)
{
    vg_json_open(json, "trends", '[');
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        const struct vg_oracle_trend *trend = &oracle->trends[q];

        vg_json_open(json, NULL, '{');
        vg_json_double(json, "deviation", trend->deviation);
        vg_json_double(json, "mean", trend->mean);
        vg_json_string(json, "measure", vg_measures[q].name);
        vg_json_double(json, "median", trend->median);
        vg_json_integer(json, "sources", (int64_t)trend->sources);
        vg_json_string(json, "unit", vg_measures[q].unit_blind);
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

void vg_oracle_json(const struct vg_oracle *oracle, const char *key, struct vg_json *json)
{
    vg_json_open(json, key, '{');
    write_against(json, oracle);
    write_categories(json, oracle);
    write_cells(json, oracle);
    write_leaks(json, oracle);
    write_sources(json, oracle);
    write_trends(json, oracle);
    vg_json_integer(json, "unmeasured", (int64_t)oracle->unmeasured);
    vg_json_close(json, '}');
}
