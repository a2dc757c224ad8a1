/* SPDX-License-Identifier: MIT */
/* Heat maps: names on two sides, a number in every cell, a colour for its size. */
#include "svg.h"

enum { CELL_HEIGHT = 26, SLANT = 40 };

static double cell_x(const struct vg_heat *heat, size_t column)
{
    return heat->left + heat->cell_width * (double)column;
}

void vg_heat_open(const struct vg_heat *heat)
{
    double beside = heat->slanted ? 40 : 4; /* slanted names reach beyond the last column */

    vg_svg_open(heat->out, cell_x(heat, heat->column_count) + beside,
                heat->top + CELL_HEIGHT * (double)heat->row_count + 4, heat->label);
    for (size_t i = 0; i < heat->column_count; i++) {
        double x = cell_x(heat, i) + heat->cell_width / 2, y = heat->top - 6;

        vg_text_addf(heat->out, "<text class=\"mark%s\"", heat->slanted ? "" : " mid");
        if (heat->slanted) {
            vg_text_add(heat->out, " transform=\"translate(");
            vg_svg_px(heat->out, x);
            vg_text_add_char(heat->out, ' ');
            vg_svg_px(heat->out, y);
            vg_text_addf(heat->out, ") rotate(-%d)\">", SLANT);
        } else {
            vg_svg_attribute(heat->out, "x", x);
            vg_svg_attribute(heat->out, "y", y);
            vg_text_add_char(heat->out, '>');
        }
        vg_html_text(heat->out, heat->columns[i]);
        vg_text_add(heat->out, "</text>\n");
    }
    for (size_t i = 0; i < heat->row_count; i++) {
        vg_svg_words(heat->out, heat->left - 7, heat->top + CELL_HEIGHT * (double)i + 17, "mark end",
                     heat->rows[i]);
        vg_text_add_char(heat->out, '\n');
    }
}

void vg_heat_cell(const struct vg_heat *heat, size_t row, size_t column, int level, const char *words,
                  const char *tip)
{
    double x = cell_x(heat, column), y = heat->top + CELL_HEIGHT * (double)row;
    int size = level < 0 ? -level : level;

    if (size > VG_HEAT_LEVELS)
        size = VG_HEAT_LEVELS;
    vg_text_addf(heat->out, "<g><rect class=\"h%s%d\"", level < 0 ? "n" : "p", size);
    vg_svg_attribute(heat->out, "x", x);
    vg_svg_attribute(heat->out, "y", y);
    vg_svg_attribute(heat->out, "width", heat->cell_width - 1);
    vg_svg_attribute(heat->out, "height", CELL_HEIGHT - 1);
    vg_text_add(heat->out, "/>");
    vg_svg_words(heat->out, x + (heat->cell_width - 1) / 2, y + 17, size >= 4 ? "cell on" : "cell", words);
    if (tip != NULL) {
        vg_text_add(heat->out, "<title>");
        vg_html_text(heat->out, tip);
        vg_text_add(heat->out, "</title>");
    }
    vg_text_add(heat->out, "</g>\n");
}

void vg_heat_close(const struct vg_heat *heat)
{
    vg_text_add(heat->out, "</svg>\n");
}
