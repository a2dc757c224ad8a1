/* SPDX-License-Identifier: MIT */
/* How often measures name the right answer, by category, tier and curve, beside the paper's listeners. */
#include "section.h"

#include <string.h>

enum { LEFT = 120, CELL = 54, TOP = 22 };

enum hearing { PAIRED, BLIND };

static double share_of(const struct vg_oracle_cell *cell, enum hearing hearing)
{
    return hearing == PAIRED ? cell->paired_share : cell->blind_share;
}

/* Half right is a guess and has no colour. */
static int level_of(double share)
{
    return (int)vg_round_even(2 * VG_HEAT_LEVELS * (share - 0.5));
}

static const char *short_curve(const char *curve)
{
    return strcmp(curve, "quad_first_flat") == 0  ? "first flat"
           : strcmp(curve, "quad_last_flat") == 0 ? "last flat"
                                                  : curve;
}

static void add_cell(const struct vg_heat *heat, size_t row, size_t column, double share, const char *tip)
{
    struct vg_text words = {0};

    vg_html_number(&words, 100 * share, 1);
    vg_heat_cell(heat, row, column, isfinite(share) ? level_of(share) : 0, words.data, tip);
    vg_text_release(&words);
}

static void add_map(const struct vg_findings *f, size_t tier, enum hearing hearing, struct vg_text *out)
{
    const struct vg_oracle *o = &f->oracle;
    struct vg_arena arena = {0};
    const char **rows = vg_arena_take(&arena, o->category_count + 2, sizeof *rows);
    const char **columns = vg_arena_take(&arena, o->curve_count + 1, sizeof *columns);
    const char *name = tier < o->tier_count ? o->tiers[tier] : "all tiers";
    struct vg_heat heat = {
        .out = out, .rows = rows, .columns = columns, .left = LEFT, .top = TOP, .cell_width = CELL};

    for (size_t c = 0; c < o->category_count; c++)
        rows[c] = o->categories[c].name;
    rows[o->category_count] = "all";
    rows[o->category_count + 1] = "listeners (paper)";
    for (size_t k = 0; k < o->curve_count; k++)
        columns[k] = short_curve(o->curves[k]);
    columns[o->curve_count] = "all";
    heat.row_count = o->category_count + (tier == o->tier_count ? 2 : 1);
    heat.column_count = o->curve_count + 1;
    heat.label = vg_arena_format(
        &arena, "%s: per cent right by category and curve; the numbers are in the table below", name);
    vg_html_panel_open(out, name, NULL);
    vg_heat_open(&heat);
    for (size_t c = 0; c <= o->category_count; c++)
        for (size_t k = 0; k <= o->curve_count; k++) {
            const struct vg_oracle_cell *cell = vg_oracle_cell_of(o, c, tier, k);

            add_cell(&heat, c, k, share_of(cell, hearing),
                     vg_arena_format(&arena, "%s, %s, %s: %zu items", rows[c], name,
                                     k < o->curve_count ? o->curves[k] : "all curves",
                                     hearing == PAIRED ? cell->paired_items : cell->items));
        }
    for (size_t k = 0; tier == o->tier_count && k <= o->curve_count; k++)
        add_cell(&heat, o->category_count + 1, k,
                 k < o->curve_count ? vg_oracle_human_of(o->curves[k]) : vg_oracle_human(),
                 "the paper's listeners");
    vg_heat_close(&heat);
    vg_html_panel_close(out);
    vg_arena_release(&arena);
}

static void add_row(const struct vg_oracle *o, const struct vg_oracle_cell *cell, struct vg_text *out)
{
    (void)o;
    vg_html_row_open(out, cell->category[0] != '\0' ? cell->category : "all");
    vg_html_cell_text(out, cell->tier[0] != '\0' ? cell->tier : "all");
    vg_html_cell_text(out, cell->curve[0] != '\0' ? cell->curve : "all");
    vg_html_cell_count(out, cell->items);
    vg_html_cell_number(out, 100 * cell->paired_share, 2);
    vg_html_cell_number(out, 100 * cell->blind_share, 2);
    vg_html_cell_number(out, 100 * cell->human_share, 2);
    vg_html_row_close(out);
}

static void add_numbers(const struct vg_oracle *o, struct vg_text *out)
{
    static const char *const columns[] = {"category",   "tier",       "curve",       "items",
                                          "P right, %", "B right, %", "listeners, %"};

    vg_html_table_open(out, "Right answers of the measures and of the paper's listeners", columns,
                       sizeof columns / sizeof *columns, 3);
    for (size_t c = 0; c <= o->category_count; c++)
        for (size_t t = 0; t <= o->tier_count; t++)
            for (size_t k = 0; k <= o->curve_count; k++)
                add_row(o, vg_oracle_cell_of(o, c, t, k), out);
    vg_html_table_close(out);
}

static void write_oracle(const struct vg_findings *f, struct vg_text *out)
{
    static const struct {
        const char *id, *title, *caption;
    } figures[] = {{"fig-oracle-paired", "Paired: the source is known",
                    "Per cent of items whose label the paired measure confirms; blue is right, white a "
                    "guess, orange wrong."},
                   {"fig-oracle-blind", "Blind: the item alone is heard",
                    "Per cent of items where what a blind measure hears has the label's sign. It decides "
                    "nothing: it says how "
                    "hard an item is, for the source moves too."}};

    if (f->oracle.items == 0) {
        vg_text_add(out, "<p>No item of this release was measured.</p>\n");
        return;
    }
    vg_text_add(
        out, "<p>How often a measure names the right one of two answers. The paper's listeners were given by "
             "curve, as the mean over its categories and tiers.</p>\n");
    for (int i = PAIRED; i <= BLIND; i++) {
        vg_html_figure_open(out, figures[i].id, figures[i].title);
        vg_html_panels_open(out, VG_PANELS_PAIRED);
        add_map(f, f->oracle.tier_count, (enum hearing)i, out);
        for (size_t t = 0; t < f->oracle.tier_count; t++)
            add_map(f, t, (enum hearing)i, out);
        vg_html_panels_close(out);
        vg_html_figure_caption(out, figures[i].caption, "vocalgrad verify . --report");
        add_numbers(&f->oracle, out);
        vg_html_figure_close(out);
    }
}

const struct vg_section vg_section_oracle = {"oracle", "Who can tell", write_oracle};
