/* SPDX-License-Identifier: MIT */
/* release.json: what the release is, what it holds, what it was made with; and the indices of its shards.
 * Canonical JSON. */
#include "inside.h"

#include <string.h>

enum { FORMAT = 1 }; /* of the release folder; raised when a reader of the last one could go wrong */

/* ---- tallies ---------------------------------------------------------------------------------------- */

void vg_tally_add(struct vg_tallies *tallies, const char *text, size_t times, struct vg_arena *arena)
{
    struct vg_tally *old = tallies->at;

    for (size_t i = 0; i < tallies->count; i++)
        if (strcmp(tallies->at[i].text, text) == 0) {
            tallies->at[i].count += times;
            return;
        }
    if (tallies->count == tallies->room) {
        tallies->room = tallies->room > 0 ? 2 * tallies->room : 16;
        tallies->at = vg_arena_take(arena, tallies->room, sizeof *tallies->at);
        if (tallies->count > 0)
            memcpy(tallies->at, old, tallies->count * sizeof *old);
    }
    tallies->at[tallies->count++] = (struct vg_tally){text, times};
}

/* JSON wants its keys ascending. */
static void sort_tallies(struct vg_tallies *tallies)
{
    for (size_t i = 1; i < tallies->count; i++) {
        struct vg_tally moving = tallies->at[i];
        size_t at = i;

        for (; at > 0 && strcmp(tallies->at[at - 1].text, moving.text) > 0; at--)
            tallies->at[at] = tallies->at[at - 1];
        tallies->at[at] = moving;
    }
}

/* ---- counts ----------------------------------------------------------------------------------------- */

static void write_verdicts(struct vg_json *json, const struct vg_cell *cell)
{
    struct vg_arena arena = {0};
    struct vg_tallies names = {0};

    for (size_t v = 0; v < 4; v++)
        vg_tally_add(&names, vg_verdict_names[v], cell->verdicts[v], &arena);
    sort_tallies(&names);
    vg_json_open(json, "verdicts", '{');
    for (size_t i = 0; i < names.count; i++)
        vg_json_integer(json, names.at[i].text, (int64_t)names.at[i].count);
    vg_json_close(json, '}');
    vg_arena_release(&arena);
}

static void write_head(struct vg_json *json, const struct vg_cell *cell)
{
    vg_json_integer(json, "below_jnd", (int64_t)cell->below_jnd);
}

static void write_middle(struct vg_json *json, const struct vg_cell *cell)
{
    vg_json_integer(json, "clipped_items", (int64_t)cell->clipped);
    vg_json_double(json, "duration_sec", (double)cell->duration_us / 1e6);
    vg_json_integer(json, "excluded", (int64_t)cell->excluded);
    vg_json_integer(json, "items", (int64_t)cell->items);
}

static void write_tail(struct vg_json *json, const struct vg_cell *cell)
{
    vg_json_integer(json, "unmeasured", (int64_t)cell->unmeasured);
    write_verdicts(json, cell);
}

static void write_cell(struct vg_json *json, const char *name, const struct vg_cell *cell)
{
    vg_json_open(json, name, '{');
    write_head(json, cell);
    write_middle(json, cell);
    write_tail(json, cell);
    vg_json_close(json, '}');
}

static void write_groups(struct vg_json *json, const char *key, const struct vg_summary *summary,
                         bool by_split)
{
    struct vg_arena arena = {0};
    struct vg_tallies names = {0};

    for (size_t i = 0; i < summary->count; i++)
        vg_tally_add(&names, by_split ? summary->cells[i].split : summary->cells[i].category, 1, &arena);
    sort_tallies(&names);
    vg_json_open(json, key, '{');
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.at[i].text;
        struct vg_cell cell =
            vg_summary_of(summary, by_split ? name : NULL, by_split ? NULL : name, NULL, NULL, NULL);

        write_cell(json, name, &cell);
    }
    vg_json_close(json, '}');
    vg_arena_release(&arena);
}

static void write_counts(struct vg_json *json, const char *key, const struct vg_about *about,
                         const struct vg_summary *summary)
{
    struct vg_cell all = vg_summary_of(summary, NULL, NULL, NULL, NULL, NULL);

    vg_json_open(json, key, '{');
    write_head(json, &all);
    write_groups(json, "categories", summary, false);
    write_middle(json, &all);
    vg_json_integer(json, "sources", (int64_t)about->sources);
    vg_json_integer(json, "sources_skipped", (int64_t)about->sources_skipped);
    write_groups(json, "splits", summary, true);
    write_tail(json, &all);
    vg_json_close(json, '}');
}

void vg_about_counts(const struct vg_about *about, const struct vg_summary *summary, struct vg_text *out)
{
    struct vg_json json;

    vg_json_init(&json, out);
    write_counts(&json, NULL, about, summary);
}

/* ---- the whole -------------------------------------------------------------------------------------- */

static void write_texts(struct vg_json *json, const char *key, const char *const *texts, size_t count)
{
    vg_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++)
        vg_json_string(json, NULL, texts[i]);
    vg_json_close(json, ']');
}

static void write_part(struct vg_json *json, const struct vg_about *about)
{
    if (about->parts == 0) {
        vg_json_string(json, "part", NULL);
        return;
    }
    vg_json_open(json, "part", '{');
    vg_json_integer(json, "index", about->part);
    vg_json_integer(json, "of", about->parts);
    vg_json_close(json, '}');
}

static void write_shards(struct vg_json *json, const struct vg_about *about)
{
    vg_json_open(json, "shards", '[');
    for (size_t i = 0; i < about->shard_count; i++) {
        const struct vg_about_shard *shard = &about->shards[i];

        vg_json_open(json, NULL, '{');
        vg_json_integer(json, "bytes", (int64_t)shard->bytes);
        vg_json_integer(json, "items", (int64_t)shard->items);
        vg_json_string(json, "md5", shard->md5);
        vg_json_string(json, "name", shard->name);
        vg_json_string(json, "sha256", shard->sha256);
        vg_json_string(json, "split", shard->split);
        vg_json_string(json, "xxh128", shard->xxh128);
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

static void write_tool(struct vg_json *json, const struct vg_about *about)
{
    vg_json_open(json, "tool", '{');
    vg_json_string(json, "name", about->tool);
    vg_json_string(json, "version", about->tool_version);
    vg_json_close(json, '}');
}

void vg_about_write(const struct vg_about *about, const struct vg_summary *summary, struct vg_text *out)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    write_counts(&json, "counts", about, summary);
    vg_json_string(&json, "date", about->date);
    vg_json_string(&json, "description", about->description);
    vg_json_string(&json, "engine", about->engine);
    vg_json_string(&json, "flac_profile", about->compact ? "compact" : "stable");
    vg_json_integer(&json, "format", FORMAT);
    write_texts(&json, "libraries", about->libraries, about->library_count);
    vg_json_string(&json, "license", about->license);
    vg_json_string(&json, "manifest_xxh128", about->manifest_xxh128);
    vg_json_string(&json, "name", about->name);
    write_texts(&json, "options", about->options, about->option_count);
    write_part(&json, about);
    vg_json_string(&json, "release_id", about->release_id);
    write_shards(&json, about);
    vg_json_string(&json, "spec_xxh128", about->spec_xxh128);
    vg_json_string(&json, "subset_of", about->subset_of);
    vg_json_string(&json, "subset_of_spec_xxh128", about->subset_of_spec_xxh128);
    write_tool(&json, about);
    vg_json_string(&json, "version", about->version);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

/* The index of one split's shards for WebDataset's random access, "wids". */
void vg_wids_write(const struct vg_about *about, const char *split, struct vg_text *out)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "__kind__", "wids-shard-index-v1");
    vg_json_string(&json, "name", about->name);
    vg_json_open(&json, "shardlist", '[');
    for (size_t i = 0; i < about->shard_count; i++) {
        const struct vg_about_shard *shard = &about->shards[i];

        if (strcmp(shard->split, split) != 0)
            continue;
        vg_json_open(&json, NULL, '{');
        vg_json_integer(&json, "filesize", (int64_t)shard->bytes);
        vg_json_string(&json, "md5sum", shard->md5);
        vg_json_integer(&json, "nsamples", (int64_t)shard->items);
        vg_json_string(&json, "url", shard->name);
        vg_json_close(&json, '}');
    }
    vg_json_close(&json, ']');
    vg_json_integer(&json, "wids_version", 1);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}
