/* SPDX-License-Identifier: MIT */
/* Axes with round marks, and bars, lines, bands and dots between them.  Coordinates are written with one
 * decimal, so that the bytes do not hang on the last bit of a product. */
#include "svg.h"

#include <string.h>

enum { TOP = 22, BELOW = 40, BESIDE = 12, TICK = 4 };

/* ---- axes ---------------------------------------------------------------------------------------------- */

/* The least of 1, 2, 5 times a power of ten that is no less than `span` / `marks`. */
static double round_step(double span, int marks, int *decimals)
{
    static const double factors[] = {1, 2, 5};
    double wanted = span / marks, power = 1, divisor = 1;

    *decimals = 0;
    while (power * 10 <= wanted)
        power *= 10;
    while (power / divisor > wanted && *decimals < 6) {
        divisor *= 10;
        ++*decimals;
    }
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (factors[i] * power / divisor >= wanted)
            return factors[i] * power / divisor;
    *decimals -= *decimals > 0;
    return 10 * power / divisor;
}

struct vg_axis vg_axis_between(double from, double to, int marks, const char *title)
{
    struct vg_axis axis = {.from = from, .to = to, .title = title};

    axis.step = round_step(to - from, marks, &axis.decimals);
    return axis;
}

struct vg_axis vg_axis_make(double least, double most, int marks, const char *title)
{
    struct vg_axis axis;

    if (!isfinite(least) || !isfinite(most)) {
        least = 0;
        most = 1;
    }
    if (most - least < 1e-6) {
        least -= 0.5;
        most += 0.5;
    }
    axis = vg_axis_between(least, most, marks, title);
    axis.from = floor(least / axis.step) * axis.step;
    axis.to = ceil(most / axis.step) * axis.step;
    return axis;
}

struct vg_axis vg_axis_counting(size_t most, int marks, const char *title)
{
    struct vg_axis axis = vg_axis_make(0, most > 0 ? (double)most : 1, marks, title);

    if (axis.step < 1) {
        axis.step = 1;
        axis.decimals = 0;
        axis.to = most > 0 ? (double)most : 1;
    }
    return axis;
}

/* ---- pixels -------------------------------------------------------------------------------------------- */

void vg_svg_px(struct vg_text *out, double px)
{
    struct vg_text digits = {0};

    vg_text_add_fixed(&digits, fabs(px) < 0.05 ? 0 : px, 1);
    if (digits.length > 2 && strcmp(digits.data + digits.length - 2, ".0") == 0)
        vg_text_add_part(out, digits.data, digits.length - 2);
    else
        vg_text_add(out, digits.data);
    vg_text_release(&digits);
}

void vg_svg_attribute(struct vg_text *out, const char *name, double px)
{
    vg_text_addf(out, " %s=\"", name);
    vg_svg_px(out, px);
    vg_text_add_char(out, '"');
}

static double within(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static double x_of(const struct vg_plot *plot, double x)
{
    double share = (within(x, plot->x.from, plot->x.to) - plot->x.from) / (plot->x.to - plot->x.from);

    return plot->left + share * (plot->right - plot->left);
}

static double y_of(const struct vg_plot *plot, double y)
{
    double low = plot->y.from < plot->y.to ? plot->y.from : plot->y.to;
    double high = plot->y.from < plot->y.to ? plot->y.to : plot->y.from;
    double share = (within(y, low, high) - plot->y.from) / (plot->y.to - plot->y.from);

    return plot->bottom - share * (plot->bottom - plot->top);
}

static void add_segment(struct vg_text *out, struct vg_point a, struct vg_point b, const char *css)
{
    vg_text_addf(out, "<line class=\"%s\"", css);
    vg_svg_attribute(out, "x1", a.x);
    vg_svg_attribute(out, "y1", a.y);
    vg_svg_attribute(out, "x2", b.x);
    vg_svg_attribute(out, "y2", b.y);
}

void vg_svg_words_open(struct vg_text *out, double x, double y, const char *css)
{
    vg_text_addf(out, "<text class=\"%s\"", css);
    vg_svg_attribute(out, "x", x);
    vg_svg_attribute(out, "y", y);
    vg_text_add_char(out, '>');
}

void vg_svg_words(struct vg_text *out, double x, double y, const char *css, const char *words)
{
    vg_svg_words_open(out, x, y, css);
    vg_html_text(out, words);
    vg_text_add(out, "</text>");
}

static void add_tip(struct vg_text *out, const char *element, const char *tip)
{
    if (tip == NULL) {
        vg_text_add(out, "/>");
        return;
    }
    vg_text_add(out, "><title>");
    vg_html_text(out, tip);
    vg_text_addf(out, "</title></%s>", element);
}

/* ---- the frame ----------------------------------------------------------------------------------------- */

/* Marks are whole numbers of steps. */
static int first_mark(const struct vg_axis *axis)
{
    return (int)ceil(axis->from / axis->step - 1e-9);
}

static int last_mark(const struct vg_axis *axis)
{
    return (int)floor(axis->to / axis->step + 1e-9);
}

static void add_x_axis(const struct vg_plot *plot)
{
    const struct vg_axis *axis = &plot->x;
    int end = last_mark(axis);

    for (int i = first_mark(axis); i <= end; i++) {
        double x = x_of(plot, i * axis->step);

        add_segment(plot->out, (struct vg_point){x, plot->top}, (struct vg_point){x, plot->bottom + TICK},
                    "grid");
        vg_text_add(plot->out, "/>");
        vg_svg_words_open(plot->out, x, plot->bottom + 16, "mark mid");
        vg_html_number(plot->out, i * axis->step, axis->decimals);
        vg_text_add(plot->out, "</text>");
    }
    vg_svg_words(plot->out, (plot->left + plot->right) / 2, plot->bottom + 33, "axis mid", axis->title);
}

static void add_y_axis(const struct vg_plot *plot)
{
    const struct vg_axis *axis = &plot->y;
    int end = last_mark(axis);

    for (int i = first_mark(axis); i <= end; i++) {
        double y = y_of(plot, i * axis->step);

        add_segment(plot->out, (struct vg_point){plot->left - TICK, y}, (struct vg_point){plot->right, y},
                    "grid");
        vg_text_add(plot->out, "/>");
        vg_svg_words_open(plot->out, plot->left - 7, y + 4, "mark end");
        vg_html_number(plot->out, i * axis->step, axis->decimals);
        vg_text_add(plot->out, "</text>");
    }
    vg_svg_words(plot->out, 2, 12, "axis", axis->title);
}

static void add_row_names(const struct vg_plot *plot, const struct vg_plot_frame *frame)
{
    for (size_t i = 0; i < frame->row_count; i++) {
        double y = y_of(plot, (double)i);

        add_segment(plot->out, (struct vg_point){plot->left, y}, (struct vg_point){plot->right, y}, "grid");
        vg_text_add(plot->out, "/>");
        vg_svg_words(plot->out, plot->left - 7, y + 4, "mark end", frame->row_names[i]);
    }
}

void vg_svg_open(struct vg_text *out, double width, double height, const char *label)
{
    vg_text_add(out, "<svg role=\"img\" viewBox=\"0 0 ");
    vg_svg_px(out, width);
    vg_text_add_char(out, ' ');
    vg_svg_px(out, height);
    vg_text_add_char(out, '"');
    vg_svg_attribute(out, "width", width);
    vg_svg_attribute(out, "height", height);
    vg_text_add(out, " aria-label=\"");
    vg_html_text(out, label);
    vg_text_add(out, "\">\n");
}

void vg_plot_open(struct vg_plot *plot, struct vg_text *out, const struct vg_plot_frame *frame)
{
    *plot = (struct vg_plot){.out = out,
                             .x = frame->x,
                             .y = frame->y,
                             .left = frame->left,
                             .top = frame->row_names != NULL ? 6 : TOP,
                             .right = frame->width - BESIDE,
                             .bottom = frame->height - BELOW};
    vg_svg_open(out, frame->width, frame->height, frame->label);
    add_x_axis(plot);
    if (frame->row_names != NULL)
        add_row_names(plot, frame);
    else
        add_y_axis(plot);
    vg_text_add_char(out, '\n');
}

void vg_plot_close(struct vg_plot *plot)
{
    vg_text_add(plot->out, "</svg>\n");
}

/* ---- marks --------------------------------------------------------------------------------------------- */

void vg_plot_bar(struct vg_plot *plot, struct vg_point a, struct vg_point b, const char *css, const char *tip)
{
    double x0 = x_of(plot, a.x), x1 = x_of(plot, b.x), y0 = y_of(plot, a.y), y1 = y_of(plot, b.y);

    vg_text_addf(plot->out, "<rect class=\"%s\"", css);
    vg_svg_attribute(plot->out, "x", x0 < x1 ? x0 : x1);
    vg_svg_attribute(plot->out, "y", y0 < y1 ? y0 : y1);
    vg_svg_attribute(plot->out, "width", fabs(x1 - x0));
    vg_svg_attribute(plot->out, "height", fabs(y1 - y0));
    add_tip(plot->out, "rect", tip);
    vg_text_add_char(plot->out, '\n');
}

static bool is_known(struct vg_point point)
{
    return isfinite(point.x) && isfinite(point.y);
}

static void add_place(const struct vg_plot *plot, struct vg_point point, char before)
{
    vg_text_add_char(plot->out, before);
    vg_svg_px(plot->out, x_of(plot, point.x));
    vg_text_add_char(plot->out, ' ');
    vg_svg_px(plot->out, y_of(plot, point.y));
}

void vg_plot_line(struct vg_plot *plot, const struct vg_point *points, size_t count, const char *css)
{
    bool drawing = false;

    vg_text_addf(plot->out, "<path class=\"%s\" d=\"", css);
    for (size_t i = 0; i < count; i++) {
        if (is_known(points[i]))
            add_place(plot, points[i], drawing ? 'L' : 'M');
        drawing = is_known(points[i]);
    }
    vg_text_add(plot->out, "\"/>\n");
}

void vg_plot_band(struct vg_plot *plot, const struct vg_point *low, const struct vg_point *high, size_t count,
                  const char *css)
{
    vg_text_addf(plot->out, "<path class=\"%s\" d=\"", css);
    for (size_t i = 0, end; i < count; i = end + 1) {
        for (end = i; end < count && is_known(low[end]) && is_known(high[end]);)
            end++;
        for (size_t k = i; k < end; k++)
            add_place(plot, high[k], k == i ? 'M' : 'L');
        for (size_t k = end; k > i; k--)
            add_place(plot, low[k - 1], 'L');
        if (end > i)
            vg_text_add_char(plot->out, 'Z');
    }
    vg_text_add(plot->out, "\"/>\n");
}

void vg_plot_dot(struct vg_plot *plot, struct vg_point at, const char *css, const char *tip)
{
    if (!is_known(at))
        return;
    vg_text_addf(plot->out, "<circle class=\"%s\" r=\"3\"", css);
    vg_svg_attribute(plot->out, "cx", x_of(plot, at.x));
    vg_svg_attribute(plot->out, "cy", y_of(plot, at.y));
    add_tip(plot->out, "circle", tip);
    vg_text_add_char(plot->out, '\n');
}

void vg_plot_upright(struct vg_plot *plot, double x, const char *css, const char *tip)
{
    double px = x_of(plot, x);

    if (x < plot->x.from || x > plot->x.to)
        return;
    add_segment(plot->out, (struct vg_point){px, plot->top}, (struct vg_point){px, plot->bottom}, css);
    add_tip(plot->out, "line", tip);
    vg_text_add_char(plot->out, '\n');
}
