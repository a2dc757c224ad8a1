/* SPDX-License-Identifier: MIT */
/* plan: the items of a spec, one a row, streamed. */
#include "command.h"

#include <string.h>

static const char *const columns[] = {"item_id",   "category",   "split", "source_id",
                                      "clip_id",   "speaker_id", "tier",  "curve",
                                      "direction", "label",      "key",   "parameters"};

/* name=value of every tier parameter, joined by a blank. */
static void add_parameters(struct vg_text *out, const struct vg_item *item)
{
    const struct vg_key_rule *rules = item->category->words->tier;

    for (size_t i = 0; rules[i].name != NULL; i++) {
        vg_text_addf(out, "%s%s=", i > 0 ? " " : "", rules[i].name);
        for (size_t k = 0; k < item->values[i].count; k++) {
            vg_text_add(out, k > 0 ? "," : "");
            vg_text_add_double(out, item->values[i].at[k]);
        }
    }
}

/* A TSV field: a tab or a line end inside an id would break the row. */
static void add_field(struct vg_text *out, const char *field)
{
    for (const char *c = field; *c != '\0'; c++)
        vg_text_add_char(out, *c == '\t' || *c == '\n' || *c == '\r' ? ' ' : *c);
    vg_text_add_char(out, '\t');
}

static void add_row(struct vg_text *out, const struct vg_item *item)
{
    struct vg_text id = {0};

    vg_item_id(item, &id);
    add_field(out, id.data);
    add_field(out, item->category->words->name);
    add_field(out, item->split->name);
    add_field(out, item->source->id);
    add_field(out, item->source->clip_id);
    add_field(out, item->source->speaker_id);
    add_field(out, item->spec->tiers[item->tier]);
    add_field(out, vg_curve_names[item->curve]);
    add_field(out, vg_direction_names[item->direction]);
    add_field(out, item->label);
    vg_item_key(item, out);
    vg_text_add_char(out, '\t');
    add_parameters(out, item);
    vg_text_add_char(out, '\n');
    vg_text_release(&id);
}

static void add_json_parameters(struct vg_json *json, const struct vg_item *item)
{
    const struct vg_key_rule *rules = item->category->words->tier;
    const char *last = "";

    vg_json_open(json, "parameters", '{');
    for (;;) { /* ascending by name: the rules may stand in another order */
        size_t next = SIZE_MAX;

        for (size_t i = 0; rules[i].name != NULL; i++)
            if (strcmp(rules[i].name, last) > 0 &&
                (next == SIZE_MAX || strcmp(rules[i].name, rules[next].name) < 0))
                next = i;
        if (next == SIZE_MAX)
            break;
        last = rules[next].name;
        vg_json_double(json, last, item->values[next].at[0]);
    }
    vg_json_close(json, '}');
}

static void add_json(struct vg_text *out, const struct vg_item *item)
{
    struct vg_text id = {0}, key = {0};
    struct vg_json json;

    vg_item_id(item, &id);
    vg_item_key(item, &key);
    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "category", item->category->words->name);
    vg_json_string(&json, "clip_id", item->source->clip_id);
    vg_json_string(&json, "curve", vg_curve_names[item->curve]);
    vg_json_string(&json, "direction", vg_direction_names[item->direction]);
    vg_json_string(&json, "item_id", id.data);
    vg_json_string(&json, "key", key.data);
    vg_json_string(&json, "label", item->label);
    add_json_parameters(&json, item);
    vg_json_string(&json, "prompt", item->category->prompt);
    vg_json_string(&json, "source_id", item->source->id);
    vg_json_string(&json, "speaker_id", item->source->speaker_id);
    vg_json_string(&json, "split", item->split->name);
    vg_json_string(&json, "tier", item->spec->tiers[item->tier]);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
    vg_text_release(&id);
    vg_text_release(&key);
}

static int run(struct vg_call *call)
{
    enum { FLUSH_BYTES = 1 << 16 };
    struct vg_work work = {0};
    struct vg_text out = {0};
    bool json = vg_call_flag(call, "json");
    int rc = vg_work_plan(&work, call);

    for (size_t i = 0; !json && i < sizeof columns / sizeof *columns; i++)
        vg_text_addf(&out, "%s%s", columns[i], i + 1 < sizeof columns / sizeof *columns ? "\t" : "\n");
    for (size_t i = 0; rc == VG_OK && i < work.plan.item_count; i++) {
        struct vg_item item;

        vg_plan_item(&work.plan, i, &item);
        if (json)
            add_json(&out, &item);
        else
            add_row(&out, &item);
        if (out.length >= FLUSH_BYTES || i + 1 == work.plan.item_count) {
            rc = vg_print_out(call, &out);
            vg_text_clear(&out);
        }
    }
    if (rc == VG_OK)
        vg_say(call, "%zu items from %zu sources", work.plan.item_count, work.sources.count);
    vg_text_release(&out);
    return rc;
}

const struct vg_verb vg_verb_plan = {
    .name = "plan",
    .operands = "[SPEC]",
    .operands_min = 1,
    .operands_max = 1,
    .operand_default = VG_DEFAULT_SPEC,
    .summary = "List the items of a spec, one a row (TSV, or JSON lines with --json); reads no audio.",
    .groups = VG_OPTIONS_SPEC | VG_OPTIONS_JSON,
    .run = run,
};
