/* SPDX-License-Identifier: MIT */
/* plan: the items of a spec, one a row, streamed. */
#include "command.h"
#include "study.h"

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

/* `position`: in which an annotator hears it, from 1; 0: it is no such table. */
static void add_row(struct vg_text *out, const struct vg_item *item, size_t position)
{
    struct vg_text id = {0};

    if (position > 0)
        vg_text_addf(out, "%zu\t", position);
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

static void add_json(struct vg_text *out, const struct vg_item *item, size_t position)
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
    if (position > 0)
        vg_json_integer(&json, "position", (int64_t)position);
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

struct listing {
    struct vg_call *call;
    const struct vg_plan *plan;
    struct vg_text out;
    bool json;
};

static int list_item(struct listing *l, size_t index, size_t position)
{
    enum { FLUSH_BYTES = 1 << 16 };
    struct vg_item item;
    int rc = VG_OK;

    vg_plan_item(l->plan, index, &item);
    if (l->json)
        add_json(&l->out, &item, position);
    else
        add_row(&l->out, &item, position);
    if (l->out.length >= FLUSH_BYTES) {
        rc = vg_print_out(l->call, &l->out);
        vg_text_clear(&l->out);
    }
    return rc;
}

static int list_all(struct listing *l)
{
    int rc = VG_OK;

    for (size_t i = 0; rc == VG_OK && i < l->plan->item_count; i++)
        rc = list_item(l, i, 0);
    return rc;
}

/* The human study's items of one split and category, in the order they are heard. */
static int list_annotated(struct listing *l, const struct vg_block *block, size_t wanted, size_t *count)
{
    const struct vg_spec *spec = l->plan->spec;
    const char *split = spec->splits[block->split].name,
               *category = spec->categories[block->category].words->name;
    struct vg_arena tmp = {0};
    const char **speakers = vg_arena_take(&tmp, block->source_count + 1, sizeof *speakers);
    struct vg_annotated *chosen = vg_arena_take(&tmp, wanted, sizeof *chosen);
    struct vg_annotation_pool pool = {.seed = vg_annotation_seed(spec, split, category, &tmp),
                                      .speakers = speakers,
                                      .sources = block->source_count,
                                      .tiers = spec->tier_count,
                                      .curves = spec->curve_count,
                                      .directions = spec->direction_count};
    int rc = VG_OK;

    for (size_t i = 0; i < block->source_count; i++)
        speakers[i] = l->plan->sources->at[block->sources[i]].speaker_id;
    *count = vg_annotation_choose(&pool, wanted, chosen, &tmp);
    for (size_t i = 0; rc == VG_OK && i < *count; i++) {
        size_t place =
            (chosen[i].tier * pool.curves + chosen[i].curve) * pool.directions + chosen[i].direction;

        rc = list_item(l, block->first_item + chosen[i].source * l->plan->items_per_source + place, i + 1);
    }
    vg_arena_release(&tmp);
    return rc;
}

static int list_annotation(struct listing *l)
{
    size_t wanted = vg_call_count(l->call, "items", VG_ANNOTATED_ITEMS);
    int rc = VG_OK;

    for (size_t b = 0; rc == VG_OK && b < l->plan->block_count; b++) {
        const struct vg_block *block = &l->plan->blocks[b];
        const struct vg_spec *spec = l->plan->spec;
        size_t count = 0;

        rc = list_annotated(l, block, wanted, &count);
        if (rc == VG_OK && count < wanted)
            vg_warn(&l->call->err,
                    vg_arena_format(&l->call->arena, "%s: %s", spec->splits[block->split].name,
                                    spec->categories[block->category].words->name),
                    "has %zu speakers, so that only as many items are listed; %zu were asked for", count,
                    wanted);
    }
    return rc;
}

static void add_header(struct listing *l, bool annotation)
{
    size_t count = sizeof columns / sizeof *columns;

    if (l->json)
        return;
    vg_text_add(&l->out, annotation ? "position\t" : "");
    for (size_t i = 0; i < count; i++)
        vg_text_addf(&l->out, "%s%s", columns[i], i + 1 < count ? "\t" : "\n");
}

static int run(struct vg_call *call)
{
    bool annotation = vg_call_flag(call, "annotation");
    struct vg_work work = {0};
    struct listing l = {.call = call, .plan = &work.plan, .json = vg_call_flag(call, "json")};
    int rc = vg_work_plan(&work, call);

    if (rc == VG_OK) {
        add_header(&l, annotation);
        rc = annotation ? list_annotation(&l) : list_all(&l);
    }
    if (rc == VG_OK)
        rc = vg_print_out(call, &l.out);
    if (rc == VG_OK && !annotation)
        vg_say(call, "%zu items from %zu sources", work.plan.item_count, work.sources.count);
    vg_text_release(&l.out);
    return rc;
}

static const struct vg_option options[] = {
    {"annotation", 0, NULL, VG_OPTION_FLAG,
     "only the items of a human study, per split and category, in the order they are heard"},
    {"items", 0, "N", VG_OPTION_COUNT, "with --annotation: how many of a category (default: 50)"},
    {0},
};

const struct vg_verb vg_verb_plan = {
    .name = "plan",
    .operands = "[SPEC]",
    .operands_min = 1,
    .operands_max = 1,
    .operand_default = VG_DEFAULT_SPEC,
    .summary = "List the items of a spec, one a row (TSV, or JSON lines with --json); reads no audio.",
    .details =
        "With --annotation: one source a speaker, tiers and curves balanced, directions balanced, the order "
        "shuffled by the spec's seed.",
    .groups = VG_OPTIONS_SPEC | VG_OPTIONS_JSON,
    .options = options,
    .run = run,
};
