/* SPDX-License-Identifier: MIT */
/* What else moves: every paired measure on the items of every category; and how the sources move of
 * themselves. */
#include "section.h"

enum { LEFT = 132, TOP = 104, CELL = 46 };

/* One level a JND, beyond half of one. */
static int level_of(double jnds)
{
    return (int)vg_round_even(jnds);
}

static void add_matrix(const struct vg_oracle *o, struct vg_text *out)
{
    const char *columns[VG_QUANTITIES];
    struct vg_arena arena = {0};
    const char **rows = vg_arena_take(&arena, o->category_count + 1, sizeof *rows);
    struct vg_heat heat = {
        .out = out,
        .label = "Median change in JNDs along the label, by category and measure; the numbers are "
                 "in the table below",
        .rows = rows,
        .columns = columns,
        .row_count = o->category_count,
        .column_count = VG_QUANTITIES,
        .left = LEFT,
        .top = TOP,
        .cell_width = CELL,
        .slanted = true};

    for (size_t c = 0; c < o->category_count; c++)
        rows[c] = o->categories[c].name;
    for (size_t q = 0; q < VG_QUANTITIES; q++)
        columns[q] = vg_measures[q].name;
    vg_text_add(out, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Leakage matrix\">\n");
    vg_heat_open(&heat);
    for (size_t c = 0; c < o->category_count; c++)
        for (size_t q = 0; q < VG_QUANTITIES; q++) {
            const struct vg_oracle_leak *leak = &o->leaks[c * VG_QUANTITIES + q];

            vg_heat_cell(&heat, c, q, isfinite(leak->jnds) ? level_of(leak->jnds) : 0,
                         vg_report_number(&arena, leak->jnds, 1),
                         vg_arena_format(&arena, "items about %s, measured for %s: %zu", rows[c], columns[q],
                                         leak->items));
        }
    vg_heat_close(&heat);
    vg_text_add(out, "</div>\n");
    vg_arena_release(&arena);
}

static void add_matrix_numbers(const struct vg_oracle *o, struct vg_text *out)
{
    const char *columns[VG_QUANTITIES + 1] = {"items about"};

    for (size_t q = 0; q < VG_QUANTITIES; q++)
        columns[q + 1] = vg_measures[q].name;
    vg_html_table_open(out, "Median change along the label, JND", columns, VG_QUANTITIES + 1, 1);
    for (size_t c = 0; c < o->category_count; c++) {
        vg_html_row_open(out, o->categories[c].name);
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            vg_html_cell_number(out, o->leaks[c * VG_QUANTITIES + q].jnds, 2);
        vg_html_row_close(out);
    }
    vg_html_table_close(out);
}

static size_t against_of(const struct vg_oracle *o, size_t quantity, size_t *items)
{
    size_t against = 0;

    *items = 0;
    for (size_t c = 0; c < o->category_count; c++)
        if ((size_t)o->categories[c].quantity == quantity) {
            against += o->categories[c].against;
            *items += o->categories[c].items;
        }
    return against;
}

static void add_trends(const struct vg_oracle *o, struct vg_text *out)
{
    static const char *const columns[] = {"attribute",
                                          "unit",
                                          "sources",
                                          "mean",
                                          "standard deviation",
                                          "median",
                                          "margin of a verdict",
                                          "items against their source",
                                          "of"};

    vg_text_add(out, "<h3>How the sources move of themselves</h3>\n");
    vg_html_table_open(out, "Trends of the sources, as the blind measures hear them", columns,
                       sizeof columns / sizeof *columns, 2);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        const struct vg_oracle_trend *trend = &o->trends[q];
        size_t items, against = against_of(o, q, &items);

        vg_html_row_open(out, vg_measures[q].name);
        vg_html_cell_text(out, vg_measures[q].unit_blind);
        vg_html_cell_count(out, trend->sources);
        vg_html_cell_number(out, trend->mean, 2);
        vg_html_cell_number(out, trend->deviation, 2);
        vg_html_cell_number(out, trend->median, 2);
        vg_html_cell_number(out, trend->margin, 2);
        vg_html_cell_count(out, against);
        vg_html_cell_count(out, items);
        vg_html_row_close(out);
    }
    vg_html_table_close(out);
    vg_text_add(
        out,
        "<p>A voice falls in pitch towards the end of a sentence without any help. A source's own trend is "
        "half the sum of what is heard of an item and of its opposite, in which the asked change "
        "cancels; an item goes against its source where that trend opposes the label by half the margin "
        "or more.</p><p class=\"how\"><span>Made by</span> <code>vocalgrad verify . --report</code></p>\n");
}

static void write_leakage(const struct vg_findings *f, struct vg_text *out)
{
    static const char *const key[] = {"line-plus", "moves along the label", "line-minus", "moves against it",
                                      NULL};

    if (f->oracle.items == 0) {
        vg_text_add(out, "<p>No item of this release was measured.</p>\n");
        return;
    }
    vg_html_figure_open(out, "fig-leakage", "Leakage: what moves along with the label");
    vg_html_key(out, key);
    add_matrix(&f->oracle, out);
    vg_html_figure_caption(
        out,
        "Rows: what the items are about; columns: what was measured. Median of the net change "
        "along the label, in JNDs. Off the diagonal nothing should move by a JND or more.",
        "vocalgrad verify . --report");
    add_matrix_numbers(&f->oracle, out);
    vg_html_figure_close(out);
    add_trends(&f->oracle, out);
}

const struct vg_section vg_section_leakage = {"leakage", "What else moves", write_leakage};
