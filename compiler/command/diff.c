/* SPDX-License-Identifier: MIT */
/* diff: what differs between two releases, by item and field; the specs side by side. */
#include "command.h"
#include "study.h"

#include <string.h>

enum { SHOWN_MAX = 10 }; /* items of one kind of change in the text, unless --verbose */

/* Items that changed alike, for the summary. */
struct cell {
    const char *category, *tier;
    enum vg_change change;
    unsigned aspects;
    size_t count;
};
struct showing {
    struct vg_call *call;
    bool json;
    struct vg_text out, items;
    size_t shown[VG_CHANGES];
    struct cell *cells;
    size_t cell_count, cell_room;
    bool headed;
};

static int flush(struct showing *s)
{
    enum { FLUSH_BYTES = 1 << 16 };
    int rc = s->out.length >= FLUSH_BYTES ? vg_print_out(s->call, &s->out) : VG_OK;

    if (s->out.length >= FLUSH_BYTES)
        vg_text_clear(&s->out);
    return rc;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

static const char *or_none(const char *text)
{
    return text != NULL ? text : "(none)";
}

static void add_spec_text(struct showing *s, const struct vg_spec_change *change)
{
    if (!s->headed)
        vg_text_add(&s->out, "spec:\n");
    s->headed = true;
    vg_text_addf(&s->out, "  %s: %s -> %s\n", change->path, or_none(change->a), or_none(change->b));
}

static void add_aspects(struct vg_text *out, unsigned aspects)
{
    const char *between = "";

    for (int k = 0; k < VG_ASPECTS; k++)
        if (aspects & 1u << k) {
            vg_text_addf(out, "%s%s", between, vg_aspect_names[k]);
            between = ", ";
        }
}

static void count_cell(struct showing *s, const struct vg_item_change *change)
{
    for (size_t i = 0; i < s->cell_count; i++) {
        struct cell *cell = &s->cells[i];

        if (cell->change == change->change && cell->aspects == change->aspects &&
            strcmp(cell->category, change->category) == 0 && strcmp(cell->tier, change->tier) == 0) {
            cell->count++;
            return;
        }
    }
    if (s->cell_count == s->cell_room) {
        struct cell *old = s->cells;

        s->cell_room = s->cell_room > 0 ? 2 * s->cell_room : 32;
        s->cells = vg_arena_take(&s->call->arena, s->cell_room, sizeof *s->cells);
        if (s->cell_count > 0)
            memcpy(s->cells, old, s->cell_count * sizeof *old);
    }
    s->cells[s->cell_count++] =
        (struct cell){vg_arena_text(&s->call->arena, change->category),
                      vg_arena_text(&s->call->arena, change->tier), change->change, change->aspects, 1};
}

static void add_item_text(struct showing *s, const struct vg_item_change *change)
{
    count_cell(s, change);
    if (s->shown[change->change]++ >= SHOWN_MAX && !s->call->verbose)
        return;
    vg_text_addf(&s->items, "  %s %s__%s", vg_change_names[change->change], change->category, change->id);
    for (size_t i = 0; i < change->field_count; i++) {
        const struct vg_field_change *field = &change->fields[i];

        if (field->aspect == VG_BY_LABEL ||
            (field->aspect == VG_BY_PARAMETER && strlen(or_none(field->a)) < 40) ||
            strcmp(field->name, "audio_xxh128") == 0 || strcmp(field->name, "verdict") == 0)
            vg_text_addf(&s->items, "\n    %s: %s -> %s", field->name, or_none(field->a), or_none(field->b));
    }
    vg_text_add_char(&s->items, '\n');
}

static void add_summary_text(struct showing *s, const struct vg_diff *diff)
{
    vg_text_addf(&s->out, "items: %zu in A, %zu in B; %zu the same, %zu added, %zu removed, %zu changed\n",
                 diff->items_a, diff->items_b, diff->same, diff->changes[VG_ADDED], diff->changes[VG_REMOVED],
                 diff->changes[VG_CHANGED]);
    for (size_t i = 0; i < s->cell_count; i++) {
        const struct cell *cell = &s->cells[i];

        vg_text_addf(&s->out, "  %6zu %s: %s, %s", cell->count, vg_change_names[cell->change], cell->category,
                     cell->tier);
        vg_text_add(&s->out, cell->aspects != 0 ? "; by " : "");
        add_aspects(&s->out, cell->aspects);
        vg_text_add_char(&s->out, '\n');
    }
    vg_text_add_part(&s->out, vg_text_or_empty(&s->items), s->items.length);
    for (int k = 0; k < VG_CHANGES && !s->call->verbose; k++)
        if (s->shown[k] > SHOWN_MAX)
            vg_text_addf(&s->out, "  ... and %zu more %s; all with --verbose or --json\n",
                         s->shown[k] - SHOWN_MAX, vg_change_names[k]);
}

/* ---- JSON lines
 * -------------------------------------------------------------------------------------------- */

static void add_raw(struct vg_text *out, const char *key, const char *json)
{
    vg_text_addf(out, "\"%s\":%s", key, json != NULL ? json : "null");
}

static void add_spec_json(struct vg_text *out, const struct vg_spec_change *change)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "a", change->a);
    vg_json_string(&json, "b", change->b);
    vg_json_string(&json, "is", "spec");
    vg_json_string(&json, "path", change->path);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

/* The values are JSON already: the object is put together by hand, its keys ascending. */
static void add_item_json(struct vg_text *out, const struct vg_item_change *change)
{
    vg_text_add(out, "{\"by\":[");
    for (int k = 0, n = 0; k < VG_ASPECTS; k++)
        if (change->aspects & 1u << k)
            vg_text_addf(out, "%s\"%s\"", n++ > 0 ? "," : "", vg_aspect_names[k]);
    vg_text_add(out, "],\"category\":");
    vg_text_add_json(out, change->category);
    vg_text_addf(out, ",\"change\":\"%s\",\"fields\":[", vg_change_names[change->change]);
    for (size_t i = 0; i < change->field_count; i++) {
        vg_text_add(out, i > 0 ? ",{" : "{");
        add_raw(out, "a", change->fields[i].a);
        vg_text_add_char(out, ',');
        add_raw(out, "b", change->fields[i].b);
        vg_text_add(out, ",\"name\":");
        vg_text_add_json(out, change->fields[i].name);
        vg_text_add_char(out, '}');
    }
    vg_text_add(out, "],\"id\":");
    vg_text_add_json(out, change->id);
    vg_text_add(out, ",\"is\":\"item\",\"tier\":");
    vg_text_add_json(out, change->tier);
    vg_text_add(out, "}\n");
}

static void add_summary_json(struct vg_text *out, const struct vg_diff *diff)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_integer(&json, "added", (int64_t)diff->changes[VG_ADDED]);
    vg_json_open(&json, "by", '{');
    for (const char *last = "";;) { /* ascending */
        int next = -1;

        for (int k = 0; k < VG_ASPECTS; k++)
            if (strcmp(vg_aspect_names[k], last) > 0 &&
                (next < 0 || strcmp(vg_aspect_names[k], vg_aspect_names[next]) < 0))
                next = k;
        if (next < 0)
            break;
        last = vg_aspect_names[next];
        vg_json_integer(&json, last, (int64_t)diff->by[next]);
    }
    vg_json_close(&json, '}');
    vg_json_integer(&json, "changed", (int64_t)diff->changes[VG_CHANGED]);
    vg_json_string(&json, "is", "summary");
    vg_json_integer(&json, "items_a", (int64_t)diff->items_a);
    vg_json_integer(&json, "items_b", (int64_t)diff->items_b);
    vg_json_integer(&json, "removed", (int64_t)diff->changes[VG_REMOVED]);
    vg_json_integer(&json, "same", (int64_t)diff->same);
    vg_json_integer(&json, "spec", (int64_t)diff->specs);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

/* ---- the verb
 * ----------------------------------------------------------------------------------------------- */

static int take_spec(void *context, const struct vg_spec_change *change)
{
    struct showing *s = context;

    if (s->json)
        add_spec_json(&s->out, change);
    else
        add_spec_text(s, change);
    return flush(s);
}

static int take_item(void *context, const struct vg_item_change *change)
{
    struct showing *s = context;

    if (s->json)
        add_item_json(&s->out, change);
    else
        add_item_text(s, change);
    return flush(s);
}

static int add_release(struct showing *s, const char *letter, const char *folder)
{
    struct vg_about about;
    int rc = vg_about_read(&about, folder, &s->call->arena, &s->call->err);

    if (rc != VG_OK || s->json)
        return rc;
    vg_text_addf(&s->out, "%s: %s %s, release id %s", letter, about.name, about.version, about.release_id);
    vg_text_addf(&s->out, about.subset_of != NULL ? ", a subset of %s\n" : "\n", about.subset_of);
    return VG_OK;
}

static int run(struct vg_call *call)
{
    struct showing s = {.call = call, .json = vg_call_flag(call, "json")};
    struct vg_diff_sink sink = {&s, take_spec, take_item};
    struct vg_diff diff = {0};
    int rc = add_release(&s, "A", call->operands[0]);

    if (rc == VG_OK)
        rc = add_release(&s, "B", call->operands[1]);
    if (rc == VG_OK)
        rc = vg_diff_releases(call->operands[0], call->operands[1], &sink, &diff, &call->err);
    if (rc == VG_OK) {
        if (s.json)
            add_summary_json(&s.out, &diff);
        else
            add_summary_text(&s, &diff);
        rc = vg_print_out(call, &s.out);
    }
    if (rc == VG_OK && (diff.specs > 0 || diff.same < diff.items_a || diff.changes[VG_ADDED] > 0))
        rc = VG_NO;
    vg_text_release(&s.out);
    vg_text_release(&s.items);
    return rc;
}

const struct vg_verb vg_verb_diff = {
    .name = "diff",
    .operands = "A B",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Tell what differs between two releases, by item and field.",
    .details =
        "Items are matched by category and id; what changed is sorted into audio, label, parameter, "
        "evidence, "
        "words and packing. The values of the two specs that differ stand first. With --json one line a "
        "difference and a summary at the end. Exit status 1 where anything differs.",
    .groups = VG_OPTIONS_JSON,
    .run = run,
};
