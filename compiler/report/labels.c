/* SPDX-License-Identifier: MIT */
/* How far the finished sounds carry their labels: per category a histogram of the measured change in JNDs,
 * along the label, with the margin of a verdict and one JND. */
#include "section.h"

#include <string.h>

enum { WIDTH = 350, HEIGHT = 210, BINS_MARKS = 24, BINS_MAX = 128, VERDICTS = VG_UNDECIDED };

static const char *const css[VERDICTS] = {
    [VG_CONFIRMED] = "bar confirmed", [VG_OPPOSED] = "bar opposed", [VG_NO_CHANGE] = "bar nochange"};

struct histogram {
    struct vg_axis x; /* of the bins: a step is one */
    size_t bins;
    size_t at[BINS_MAX][VERDICTS];
    size_t highest;
};

/* Where the unit of the verdict is that of the JND, the margin in JNDs; else NaN. */
static double margin_of(const struct vg_findings *f, enum vg_quantity q)
{
    const struct vg_measure *measure = &vg_measures[q];

    return strcmp(measure->unit, measure->unit_jnd) == 0 ? f->margins.of[q].paired / f->margins.of[q].jnd
                                                         : NAN;
}

static void fill(struct histogram *h, const struct vg_nets *nets)
{
    double least = -1, most = 1;

    for (size_t i = 0; i < nets->count; i++) {
        least = nets->at[i].jnds < least ? nets->at[i].jnds : least;
        most = nets->at[i].jnds > most ? nets->at[i].jnds : most;
    }
    *h = (struct histogram){.x = vg_axis_make(least, most, BINS_MARKS, "")};
    h->bins = (size_t)vg_round_even((h->x.to - h->x.from) / h->x.step);
    vg_check(h->bins < BINS_MAX); /* a step is at least a 24th of the range */
    for (size_t i = 0; i < nets->count; i++) {
        size_t bin = (size_t)((nets->at[i].jnds - h->x.from) / h->x.step), sum = 0;

        bin = bin < h->bins ? bin : h->bins - 1;
        h->at[bin][nets->at[i].verdict]++;
        for (size_t v = 0; v < VERDICTS; v++)
            sum += h->at[bin][v];
        h->highest = sum > h->highest ? sum : h->highest;
    }
}

static void draw(const struct histogram *h, double margin, const char *label, struct vg_text *out)
{
    struct vg_arena arena = {0};
    struct vg_plot plot;
    struct vg_plot_frame frame = {.width = WIDTH, .height = HEIGHT, .left = 46, .label = label};

    frame.x = vg_axis_between(h->x.from, h->x.to, 7, "change along the label, JND");
    frame.y = vg_axis_counting(h->highest, 5, "items");
    vg_plot_open(&plot, out, &frame);
    for (size_t b = 0; b < h->bins; b++) {
        double from = h->x.from + (double)b * h->x.step, below = 0;

        for (size_t v = 0; v < VERDICTS; v++) {
            double top = below + (double)h->at[b][v];

            if (h->at[b][v] > 0)
                vg_plot_bar(&plot, (struct vg_point){from, below}, (struct vg_point){from + h->x.step, top},
                            css[v],
                            vg_arena_format(&arena, "%s to %s JND: %zu %s",
                                            vg_report_number(&arena, from, h->x.decimals),
                                            vg_report_number(&arena, from + h->x.step, h->x.decimals),
                                            h->at[b][v], vg_verdict_names[v]));
            below = top;
        }
    }
    vg_plot_upright(&plot, 0, "zero", "no change");
    vg_plot_upright(&plot, 1, "jnd", "one JND along the label");
    vg_plot_upright(&plot, -1, "jnd", "one JND against the label");
    if (isfinite(margin)) {
        vg_plot_upright(&plot, margin, "margin", "margin: confirmed beyond");
        vg_plot_upright(&plot, -margin, "margin", "margin: opposed beyond");
    }
    vg_plot_close(&plot);
    vg_arena_release(&arena);
}

static void add_panel(const struct vg_findings *f, size_t category, struct vg_text *out)
{
    const char *name = f->spec->categories[category].words->name;
    enum vg_quantity q = vg_quantity_of(name);
    struct vg_cell cell = vg_findings_of(f, category);
    struct histogram h;
    struct vg_text note = {0}, label = {0};

    if (cell.items == 0) {
        vg_text_add(&note, "no items");
    } else {
        vg_html_percent(&note, cell.verdicts[VG_CONFIRMED], cell.items, 1);
        vg_text_addf(&note, " of %zu confirmed", cell.items);
        if (q == VG_QUANTITIES || f->nets[category].count < cell.items)
            vg_text_addf(&note, "; %zu could not be measured and are not drawn",
                         cell.items - f->nets[category].count);
    }
    vg_html_panel_open(out, name, note.data);
    if (q < VG_QUANTITIES && f->nets[category].count > 0) {
        fill(&h, &f->nets[category]);
        vg_text_addf(&label, "%s: histogram of the change in JNDs; %s; the numbers are in the table below",
                     name, note.data);
        draw(&h, margin_of(f, q), label.data, out);
    }
    vg_html_panel_close(out);
    vg_text_release(&note);
    vg_text_release(&label);
}

/* ---- the numbers --------------------------------------------------------------------------------------- */

static void add_quantiles(const struct vg_nets *nets, struct vg_text *out)
{
    static const double asked[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    struct vg_arena arena = {0};
    double *values = vg_arena_take(&arena, nets->count + 1, sizeof *values);

    for (size_t i = 0; i < nets->count; i++)
        values[i] = nets->at[i].jnds;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        vg_html_cell_number(out, vg_quantile_of(values, nets->count, asked[i]), 2);
    vg_arena_release(&arena);
}

static size_t left_out_of(const struct vg_findings *f, const char *category)
{
    size_t items = 0;

    for (size_t i = 0; i < f->left_out_count; i++)
        if (strcmp(f->left_out[i].category, category) == 0)
            items += f->left_out[i].items;
    return items;
}

static void add_margin(const struct vg_findings *f, enum vg_quantity q, struct vg_text *out)
{
    struct vg_text cell = {0};

    if (q < VG_QUANTITIES) {
        vg_text_add_double(&cell, f->margins.of[q].paired);
        vg_text_addf(&cell, " %s", vg_measures[q].unit);
    }
    vg_html_cell_right(out, vg_text_or_empty(&cell));
    vg_text_clear(&cell);
    if (q < VG_QUANTITIES) {
        vg_text_add_double(&cell, f->margins.of[q].jnd);
        vg_text_addf(&cell, " %s", vg_measures[q].unit_jnd);
    }
    vg_html_cell_right(out, vg_text_or_empty(&cell));
    vg_text_release(&cell);
}

static void add_summary(const struct vg_findings *f, struct vg_text *out)
{
    static const char *const columns[] = {"category",
                                          "items",
                                          "confirmed",
                                          "share",
                                          "opposed",
                                          "no change",
                                          "undecided",
                                          "not measured",
                                          "below one JND",
                                          "left out",
                                          "margin",
                                          "one JND",
                                          "5 %",
                                          "25 %",
                                          "median",
                                          "75 %",
                                          "95 %, JND along the label"};

    vg_html_table_open(out, "Verdicts and changes per category", columns, sizeof columns / sizeof *columns,
                       1);
    for (size_t c = 0; c < f->spec->category_count; c++) {
        const char *name = f->spec->categories[c].words->name;
        struct vg_cell cell = vg_findings_of(f, c);

        vg_html_row_open(out, name);
        vg_html_cell_count(out, cell.items);
        vg_html_cell_count(out, cell.verdicts[VG_CONFIRMED]);
        vg_html_cell_percent(out, cell.verdicts[VG_CONFIRMED], cell.items, 2);
        vg_html_cell_count(out, cell.verdicts[VG_OPPOSED]);
        vg_html_cell_count(out, cell.verdicts[VG_NO_CHANGE]);
        vg_html_cell_count(out, cell.verdicts[VG_UNDECIDED]);
        vg_html_cell_count(out, cell.unmeasured);
        vg_html_cell_count(out, cell.below_jnd);
        vg_html_cell_count(out, left_out_of(f, name));
        add_margin(f, vg_quantity_of(name), out);
        add_quantiles(&f->nets[c], out);
        vg_html_row_close(out);
    }
    vg_html_table_close(out);
}

static void add_bins(const struct vg_nets *nets, const char *category, struct vg_text *out)
{
    static const char *const columns[] = {"from, JND", "to", "confirmed", "opposed", "no change"};
    struct vg_text name = {0};
    struct histogram h;

    if (nets->count == 0)
        return;
    fill(&h, nets);
    vg_text_addf(&name, "Histogram of %s", category);
    vg_html_table_open(out, name.data, columns, sizeof columns / sizeof *columns, 1);
    for (size_t b = 0; b < h.bins; b++) {
        double from = h.x.from + (double)b * h.x.step;

        if (h.at[b][VG_CONFIRMED] + h.at[b][VG_OPPOSED] + h.at[b][VG_NO_CHANGE] == 0)
            continue;
        vg_text_clear(&name);
        vg_html_number(&name, from, h.x.decimals);
        vg_html_row_open(out, name.data);
        vg_html_cell_number(out, from + h.x.step, h.x.decimals);
        for (size_t v = 0; v < VERDICTS; v++)
            vg_html_cell_count(out, h.at[b][v]);
        vg_html_row_close(out);
    }
    vg_html_table_close(out);
    vg_text_release(&name);
}

static void write_labels(const struct vg_findings *f, struct vg_text *out)
{
    static const char *const key[] = {"confirmed",   "confirmed",           "opposed",   "opposed",
                                      "nochange",    "no change",           "line-zero", "no change at all",
                                      "line-margin", "margin of a verdict", "line-jnd",  "one JND",
                                      NULL};

    vg_text_add(
        out, "<p>A measure that knows neither the label nor how the sound was made compares each finished "
             "sound with its source. To the right of zero it moved as the label says. The change is given in "
             "just-noticeable differences (JND); the share that moves beyond the margin is confirmed.</p>\n");
    vg_html_figure_open(out, "fig-labels", "Measured change along the label");
    vg_html_key(out, key);
    vg_html_panels_open(out, VG_PANELS_FREE);
    for (size_t c = 0; c < f->spec->category_count; c++)
        add_panel(f, c, out);
    vg_html_panels_close(out);
    vg_html_figure_caption(out,
                           "Paired measure, last third of the speech less the first. Margins and JNDs stand "
                           "in the spec with their "
                           "sources. audio_roughness is decided in bits and heard in dB, so its margin has "
                           "no place on this axis.",
                           "jq -r '[.category, .verdict, (if .direction == \"up\" then 1 else -1 end) * "
                           ".evidence.paired[.category].net_jnd] | @tsv' manifest.jsonl");
    add_summary(f, out);
    vg_text_add(out, "<div class=\"tables\">\n");
    for (size_t c = 0; c < f->spec->category_count; c++)
        add_bins(&f->nets[c], f->spec->categories[c].words->name, out);
    vg_text_add(out, "</div>\n");
    vg_html_figure_close(out);
}

const struct vg_section vg_section_labels = {"labels", "Labels, as measured", write_labels};
