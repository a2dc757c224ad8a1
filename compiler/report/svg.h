/* SPDX-License-Identifier: MIT */
/* svg: plots as inline SVG.  Numbers in, marks out; colours are classes of report.css.  Every mark that
 * stands for a number may have a tip, which browsers show when it is pointed at. */
#ifndef VG_SVG_H
#define VG_SVG_H

#include "html.h"

/* ---- axes ---------------------------------------------------------------------------------------------- */

struct vg_axis {
    double from, to, step; /* what is drawn; marks are multiples of step */
    int decimals;          /* of the marks */
    const char *title;     /* what it is, and its unit */
};
/* The least axis over both numbers with about so many marks, a step of 1, 2 or 5 times a power of ten.  Not
 * finite or equal numbers give an axis around them. */
struct vg_axis vg_axis_make(double least, double most, int marks, const char *title);
/* From 0 in whole numbers, for counts. */
struct vg_axis vg_axis_counting(size_t most, int marks, const char *title);
/* The same, ending where told; the step still is a round number. */
struct vg_axis vg_axis_between(double from, double to, int marks, const char *title);

/* ---- plots over two axes ------------------------------------------------------------------------------- */

struct vg_plot {
    struct vg_text *out;
    struct vg_axis x, y;
    double left, top, right, bottom; /* edges of the area between the axes, in pixels */
};
struct vg_plot_frame {
    double width, height; /* of the whole */
    double left;          /* for the words of the axis y */
    struct vg_axis x, y;
    const char *label;            /* what a screen reader says instead */
    const char *const *row_names; /* y is rows, one a whole number from 0 downwards; or NULL */
    size_t row_count;
};
/* Draws grid, marks and titles. */
void vg_plot_open(struct vg_plot *plot, struct vg_text *out, const struct vg_plot_frame *frame);
void vg_plot_close(struct vg_plot *plot);

/* A point among the numbers; not finite: none, and lines break there.  What lies outside the axes is drawn on
 * their edge. */
struct vg_point {
    double x, y;
};
/* `tip` is plain text or NULL. */
void vg_plot_bar(struct vg_plot *plot, struct vg_point a, struct vg_point b, const char *css,
                 const char *tip);
void vg_plot_line(struct vg_plot *plot, const struct vg_point *points, size_t count, const char *css);
/* The area between two lines over the same x. */
void vg_plot_band(struct vg_plot *plot, const struct vg_point *low, const struct vg_point *high, size_t count,
                  const char *css);
void vg_plot_dot(struct vg_plot *plot, struct vg_point at, const char *css, const char *tip);
/* A line across the whole plot at one x. */
void vg_plot_upright(struct vg_plot *plot, double x, const char *css, const char *tip);

/* ---- elements, which plots and heat maps share --------------------------------------------------------- */

void vg_svg_open(struct vg_text *out, double width, double height, const char *label);
void vg_svg_px(struct vg_text *out, double px); /* one decimal at most */
void vg_svg_attribute(struct vg_text *out, const char *name, double px);
void vg_svg_words_open(struct vg_text *out, double x, double y, const char *css);
void vg_svg_words(struct vg_text *out, double x, double y, const char *css, const char *words);

/* ---- heat maps (heat.c) -------------------------------------------------------------------------------- */

enum { VG_HEAT_LEVELS = 5 }; /* on either side of 0 */

struct vg_heat {
    struct vg_text *out;
    const char *label;
    const char *const *rows, *const *columns;
    size_t row_count, column_count;
    double left, top, cell_width; /* pixels for the names, and of a cell */
    bool slanted;                 /* names of the columns */
};
void vg_heat_open(const struct vg_heat *heat);
/* `level` -5..5 gives the colour; `words` stand in the cell. */
void vg_heat_cell(const struct vg_heat *heat, size_t row, size_t column, int level, const char *words,
                  const char *tip);
void vg_heat_close(const struct vg_heat *heat);

#endif
