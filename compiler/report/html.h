/* SPDX-License-Identifier: MIT */
/* html: text, numbers, tables and figures of the page.  What is written is HTML5 and well-formed XML at once.
 */
#ifndef VG_HTML_H
#define VG_HTML_H

#include "base.h"

#include <math.h>

/* ---- words and numbers --------------------------------------------------------------------------------- */

/* Foreign text, for content and quoted attributes.  Control characters, noncharacters and what turns the
 * direction of writing become U+FFFD: the first two are not XML, the last could make text look like other
 * text. */
void vg_html_text(struct vg_text *out, const char *text);
void vg_html_count(struct vg_text *out, size_t count); /* 108,000 */
/* A dash where it is not finite; never -0; U+2212 for minus. */
void vg_html_number(struct vg_text *out, double value, int decimals);
void vg_html_percent(struct vg_text *out, size_t part, size_t whole,
                     int decimals); /* a dash where whole is 0 */

/* ---- tables -------------------------------------------------------------------------------------------- */

/* The first `words` columns hold words, at least the rows' names; the others numbers, to the right.  It
 * scrolls by itself where the window is too narrow. */
void vg_html_table_open(struct vg_text *out, const char *caption, const char *const *columns, size_t count,
                        size_t words);
void vg_html_row_open(struct vg_text *out, const char *name);
void vg_html_cell_text(struct vg_text *out, const char *text);
void vg_html_cell_right(struct vg_text *out, const char *text); /* among numbers */
void vg_html_cell_count(struct vg_text *out, size_t count);
void vg_html_cell_number(struct vg_text *out, double value, int decimals);
void vg_html_cell_percent(struct vg_text *out, size_t part, size_t whole, int decimals);
void vg_html_row_close(struct vg_text *out);
void vg_html_table_close(struct vg_text *out);

/* ---- figures ------------------------------------------------------------------------------------------- */

/* A figure is its heading, plots, caption and numbers, in this order:
 *   figure_open, plots, figure_caption, table, figure_close.
 * `caption` is our own markup, `command` what a reader types in the release's folder for the same numbers. */
void vg_html_figure_open(struct vg_text *out, const char *id, const char *title);
void vg_html_figure_caption(struct vg_text *out, const char *caption, const char *command);
void vg_html_figure_close(struct vg_text *out);
/* Plots side by side, as many as fit; `across`: small ones, so many in a row of a wide window. */
enum { VG_PANELS_FREE = 0, VG_PANELS_PAIRED = -1 };
void vg_html_panels_open(struct vg_text *out, int across);
void vg_html_panel_open(struct vg_text *out, const char *name, const char *note);
void vg_html_panel_close(struct vg_text *out);
void vg_html_panels_close(struct vg_text *out);
/* The colours' meaning: pairs of a class of report.css and our own words; ends with NULL. */
void vg_html_key(struct vg_text *out, const char *const *pairs);

#endif
