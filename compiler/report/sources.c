/* SPDX-License-Identifier: MIT */
/* The recordings: how long they are, how long the speech in them is, where they come from. */
#include "section.h"

#include <string.h>

enum { WIDTH = 350, HEIGHT = 210, BIN_MARKS = 20, BINS_MAX = 64 };

struct spread {
    double *at;
    size_t count;
    struct vg_axis x; /* a step is a bin */
    size_t bins[BINS_MAX], bin_count, highest;
};

static bool is_used(const struct vg_findings *f, size_t row)
{
    return vg_source_field(f, row, "skipped")[0] == '\0';
}

static bool number_of(const struct vg_findings *f, size_t row, const char *column, double *value)
{
    return vg_number_parse(vg_source_field(f, row, column), value);
}

static bool duration_of(const struct vg_findings *f, size_t row, double *sec)
{
    return number_of(f, row, "duration_sec", sec);
}

static bool span_of(const struct vg_findings *f, size_t row, double *sec)
{
    double on, off;

    if (!number_of(f, row, "onset_sec", &on) || !number_of(f, row, "offset_sec", &off))
        return false;
    *sec = off - on;
    return true;
}

static void fill(const struct vg_findings *f, bool (*of)(const struct vg_findings *, size_t, double *),
                 struct spread *spread, struct vg_arena *arena)
{
    double most = 0;

    *spread = (struct spread){.at = vg_arena_take(arena, f->sources.row_count + 1, sizeof *spread->at)};
    for (size_t i = 0; i < f->sources.row_count; i++)
        if (is_used(f, i) && of(f, i, &spread->at[spread->count])) {
            most = spread->at[spread->count] > most ? spread->at[spread->count] : most;
            spread->count++;
        }
    spread->x = vg_axis_make(0, most, BIN_MARKS, "");
    spread->bin_count = (size_t)vg_round_even((spread->x.to - spread->x.from) / spread->x.step);
    vg_check(spread->bin_count < BINS_MAX);
    for (size_t i = 0; i < spread->count; i++) {
        double place = (spread->at[i] - spread->x.from) / spread->x.step;
        size_t bin = place > 0 ? (size_t)place : 0;

        bin = bin < spread->bin_count ? bin : spread->bin_count - 1;
        if (++spread->bins[bin] > spread->highest)
            spread->highest = spread->bins[bin];
    }
}

static void draw(const struct spread *spread, const char *name, const char *title, struct vg_text *out)
{
    struct vg_arena arena = {0};
    struct vg_plot plot;
    struct vg_plot_frame frame = {.width = WIDTH, .height = HEIGHT, .left = 46};

    frame.x = vg_axis_between(spread->x.from, spread->x.to, 7, title);
    frame.y = vg_axis_counting(spread->highest, 5, "sources");
    frame.label = vg_arena_format(&arena, "%s: histogram of %zu sources; the numbers are in the table below",
                                  name, spread->count);
    vg_html_panel_open(out, name, NULL);
    vg_plot_open(&plot, out, &frame);
    for (size_t b = 0; b < spread->bin_count; b++) {
        double from = spread->x.from + (double)b * spread->x.step;

        if (spread->bins[b] > 0)
            vg_plot_bar(&plot, (struct vg_point){from, 0},
                        (struct vg_point){from + spread->x.step, (double)spread->bins[b]}, "bar confirmed",
                        vg_arena_format(&arena, "%s to %s s: %zu",
                                        vg_report_number(&arena, from, spread->x.decimals),
                                        vg_report_number(&arena, from + spread->x.step, spread->x.decimals),
                                        spread->bins[b]));
    }
    vg_plot_close(&plot);
    vg_html_panel_close(out);
    vg_arena_release(&arena);
}

static void add_quantiles(struct spread *spread, const char *name, struct vg_text *out)
{
    vg_html_row_open(out, name);
    vg_html_cell_count(out, spread->count);
    for (int i = 0; i <= 4; i++)
        vg_html_cell_number(out, vg_quantile_of(spread->at, spread->count, 0.25 * i), 2);
    vg_html_row_close(out);
}

static void add_bins(const struct spread *spread, const char *caption, struct vg_text *out)
{
    static const char *const columns[] = {"from, s", "to", "sources"};
    struct vg_text name = {0};

    vg_html_table_open(out, caption, columns, sizeof columns / sizeof *columns, 1);
    for (size_t b = 0; b < spread->bin_count; b++) {
        double from = spread->x.from + (double)b * spread->x.step;

        if (spread->bins[b] == 0)
            continue;
        vg_text_clear(&name);
        vg_html_number(&name, from, spread->x.decimals);
        vg_html_row_open(out, name.data);
        vg_html_cell_number(out, from + spread->x.step, spread->x.decimals);
        vg_html_cell_count(out, spread->bins[b]);
        vg_html_row_close(out);
    }
    vg_html_table_close(out);
    vg_text_release(&name);
}

/* ---- where they come from ------------------------------------------------------------------------------ */

static const char *const origin_columns[] = {"corpus", "licence", "split", "sample_rate_hz", "span_by"};
enum { ORIGINS = sizeof origin_columns / sizeof *origin_columns };

static bool same_origin(const struct vg_findings *f, size_t a, size_t b)
{
    for (int i = 0; i < ORIGINS; i++)
        if (strcmp(vg_source_field(f, a, origin_columns[i]), vg_source_field(f, b, origin_columns[i])) != 0)
            return false;
    return true;
}

static const char *or_otherwise(const char *text, const char *otherwise)
{
    return text[0] != '\0' ? text : otherwise;
}

/* Sources alike in all that the table shows. */
struct origin {
    size_t row, sources; /* row: the first of them */
};

/* Kinds of origin are few; each is a row, in order of first appearance. */
static size_t count_origins(const struct vg_findings *f, struct origin *origins)
{
    size_t count = 0;

    for (size_t i = 0; i < f->sources.row_count; i++) {
        size_t k = 0;

        if (!is_used(f, i))
            continue;
        while (k < count && !same_origin(f, origins[k].row, i))
            k++;
        if (k == count)
            origins[count++] = (struct origin){.row = i};
        origins[k].sources++;
    }
    return count;
}

static void add_origins(const struct vg_findings *f, struct vg_text *out)
{
    static const char *const columns[] = {"corpus",          "licence",         "split",
                                          "sample rate, Hz", "speech found by", "sources"};
    struct vg_arena arena = {0};
    struct origin *origins = vg_arena_take(&arena, f->sources.row_count + 1, sizeof *origins);
    size_t count = count_origins(f, origins);

    vg_html_table_open(out, "Where the sources come from", columns, sizeof columns / sizeof *columns,
                       ORIGINS);
    for (size_t k = 0; k < count; k++) {
        size_t row = origins[k].row;

        vg_html_row_open(out, or_otherwise(vg_source_field(f, row, "corpus"), "made by the compiler"));
        for (int i = 1; i < ORIGINS; i++)
            vg_html_cell_text(out, or_otherwise(vg_source_field(f, row, origin_columns[i]), "not stated"));
        vg_html_cell_count(out, origins[k].sources);
        vg_html_row_close(out);
    }
    vg_html_table_close(out);
    vg_arena_release(&arena);
}

static void write_sources(const struct vg_findings *f, struct vg_text *out)
{
    static const char *const columns[] = {"length of", "sources",        "least, s",  "lower quartile",
                                          "median",    "upper quartile", "longest, s"};
    struct vg_arena arena = {0};
    struct spread clips, spans;

    fill(f, duration_of, &clips, &arena);
    fill(f, span_of, &spans, &arena);
    vg_html_figure_open(out, "fig-sources", "How long the sources and the speech in them are");
    vg_html_panels_open(out, VG_PANELS_FREE);
    draw(&clips, "whole recordings", "duration, s", out);
    draw(&spans, "speech", "from onset to offset, s", out);
    vg_html_panels_close(out);
    vg_html_figure_caption(
        out,
        "Changes happen between onset and offset of the speech. Sources that were left out are "
        "not counted here.",
        "python3 -c \"import csv; [print(r['id'], r['duration_sec'], float(r['offset_sec']) - "
        "float(r['onset_sec'])) for r in csv.DictReader(open('sources.csv')) if not "
        "r['skipped']]\"");
    add_bins(&clips, "Durations of the recordings", out);
    add_bins(&spans, "Durations of the speech", out);
    vg_html_table_open(out, "Quantiles of the durations", columns, sizeof columns / sizeof *columns, 1);
    add_quantiles(&clips, "recording", out);
    add_quantiles(&spans, "speech", out);
    vg_html_table_close(out);
    vg_html_figure_close(out);
    add_origins(f, out);
    vg_text_add(out, "<p class=\"how\"><span>From</span> <code>sources.csv</code></p>\n");
    vg_arena_release(&arena);
}

const struct vg_section vg_section_sources = {"sources", "Where it comes from", write_sources};
