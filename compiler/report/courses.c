/* SPDX-License-Identifier: MIT */
/* What was asked over time beside what was measured: per category a small plot for every tier and curve, up
 * and down in one; median and quartiles of the items, over twelve parts of the speech. */
#include "section.h"

#include <string.h>

enum { WIDTH = 236, HEIGHT = 172, LEFT = 44, FINE = 49, TABLE_COLUMNS = VG_SEGMENTS + 2 };

/* One direction of one panel. */
struct course {
    size_t items, drawn;
    struct vg_point low[VG_SEGMENTS], middle[VG_SEGMENTS], high[VG_SEGMENTS]; /* quartiles and median */
    enum vg_asked_kind kind;
    struct vg_point asked[FINE];
    double asked_at[VG_SEGMENTS]; /* at the middles of the segments */
};
static const char *const band_css[VG_DIRECTIONS] = {"band up", "band down"};
static const char *const line_css[VG_DIRECTIONS] = {"line up", "line down"};
static const char *const dot_css[VG_DIRECTIONS] = {"dot up", "dot down"};
static const char *const asked_css[VG_DIRECTIONS] = {"asked up", "asked down"};

/* ---- sums ---------------------------------------------------------------------------------------------- */

static double middle_of(size_t segment)
{
    return ((double)segment + 0.5) / VG_SEGMENTS;
}

static void sum_measured(const struct vg_courses *courses, struct course *course, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    double *values = vg_arena_take(tmp, courses->count + 1, sizeof *values);

    course->items = courses->items;
    course->drawn = courses->count;
    for (size_t s = 0; s < VG_SEGMENTS; s++) {
        double x = 100 * middle_of(s);
        size_t n = 0;

        for (size_t i = 0; i < courses->count; i++)
            if (isfinite(courses->at[i][s]))
                values[n++] = courses->at[i][s];
        course->low[s] = (struct vg_point){x, vg_quantile_of(values, n, 0.25)};
        course->middle[s] = (struct vg_point){x, vg_quantile_of(values, n, 0.5)};
        course->high[s] = (struct vg_point){x, vg_quantile_of(values, n, 0.75)};
    }
    vg_arena_rewind(tmp, mark);
}

/* By how much an asked change is raised: so that as many medians lie above it as below. */
static double offset_of(const struct course *course)
{
    double above[VG_SEGMENTS];
    size_t n = 0;

    for (size_t s = 0; s < VG_SEGMENTS; s++)
        if (isfinite(course->middle[s].y) && isfinite(course->asked_at[s]))
            above[n++] = course->middle[s].y - course->asked_at[s];
    return vg_quantile_of(above, n, 0.5);
}

static void sum_course(const struct vg_findings *f, size_t category, size_t tier, enum vg_curve curve,
                       enum vg_direction direction, struct course *course, struct vg_arena *tmp)
{
    const struct vg_courses *courses = vg_courses_of(f, category, tier, curve, direction);
    double t[FINE], value[FINE], middles[VG_SEGMENTS], offset = 0;

    *course = (struct course){0};
    sum_measured(courses, course, tmp);
    for (size_t s = 0; s < VG_SEGMENTS; s++)
        middles[s] = middle_of(s);
    for (size_t i = 0; i < FINE; i++)
        t[i] = (double)i / (FINE - 1);
    course->kind = courses->count == 0
                       ? VG_ASKED_UNKNOWN
                       : vg_asked_course(f->spec, category, tier, curve, direction, courses->rate_hz, middles,
                                         course->asked_at, VG_SEGMENTS);
    if (course->kind == VG_ASKED_UNKNOWN) {
        for (size_t s = 0; s < VG_SEGMENTS; s++)
            course->asked_at[s] = NAN;
        return;
    }
    vg_asked_course(f->spec, category, tier, curve, direction, courses->rate_hz, t, value, FINE);
    if (course->kind == VG_ASKED_CHANGE)
        offset = offset_of(course);
    for (size_t s = 0; s < VG_SEGMENTS; s++)
        course->asked_at[s] += offset;
    for (size_t i = 0; i < FINE; i++)
        course->asked[i] = (struct vg_point){100 * t[i], value[i] + offset};
}

/* ---- plots --------------------------------------------------------------------------------------------- */

static void reach(double value, double *least, double *most)
{
    if (!isfinite(value))
        return;
    *least = !(value >= *least) ? value : *least;
    *most = !(value <= *most) ? value : *most;
}

/* One axis for all panels of a category. */
static struct vg_axis axis_of(const struct course *courses, size_t count, const char *unit)
{
    double least = NAN, most = NAN;

    for (size_t i = 0; i < count; i++) {
        for (size_t s = 0; s < VG_SEGMENTS; s++) {
            reach(courses[i].low[s].y, &least, &most);
            reach(courses[i].high[s].y, &least, &most);
        }
        for (size_t k = 0; courses[i].kind != VG_ASKED_UNKNOWN && k < FINE; k++)
            reach(courses[i].asked[k].y, &least, &most);
    }
    return vg_axis_make(least, most, 6, unit);
}

static void draw_direction(struct vg_plot *plot, const struct course *course, size_t direction,
                           struct vg_arena *arena)
{
    if (course->drawn > 1)
        vg_plot_band(plot, course->low, course->high, VG_SEGMENTS, band_css[direction]);
    if (course->kind != VG_ASKED_UNKNOWN)
        vg_plot_line(plot, course->asked, FINE, asked_css[direction]);
    vg_plot_line(plot, course->middle, VG_SEGMENTS, line_css[direction]);
    for (size_t s = 0; s < VG_SEGMENTS; s++)
        if (isfinite(course->middle[s].y))
            vg_plot_dot(plot, course->middle[s], dot_css[direction],
                        vg_arena_format(arena, "%s: median %s, asked %s", vg_direction_names[direction],
                                        vg_report_number(arena, course->middle[s].y, 2),
                                        vg_report_number(arena, course->asked_at[s], 2)));
}

static void add_panel(const struct course *pair, struct vg_axis y, const char *name, const char *category,
                      struct vg_text *out)
{
    struct vg_arena arena = {0};
    struct vg_plot plot;
    struct vg_plot_frame frame = {.width = WIDTH, .height = HEIGHT, .left = LEFT, .y = y};

    frame.x = vg_axis_between(0, 100, 4, "time, % of the speech");
    frame.label = vg_arena_format(&arena,
                                  "%s, %s: asked and measured course of %zu items up and %zu down; the "
                                  "numbers are in the table below",
                                  category, name, pair[VG_UP].items, pair[VG_DOWN].items);
    vg_html_panel_open(out, name, pair[VG_UP].drawn + pair[VG_DOWN].drawn == 0 ? "nothing measured" : NULL);
    if (pair[VG_UP].drawn + pair[VG_DOWN].drawn > 0) {
        vg_plot_open(&plot, out, &frame);
        for (size_t d = 0; d < VG_DIRECTIONS; d++)
            if (pair[d].drawn > 0)
                draw_direction(&plot, &pair[d], d, &arena);
        vg_plot_close(&plot);
    }
    vg_html_panel_close(out);
    vg_arena_release(&arena);
}

/* ---- the numbers --------------------------------------------------------------------------------------- */

static void add_row(struct vg_text *out, const char *name, const char *what, const double values[VG_SEGMENTS])
{
    vg_html_row_open(out, name);
    vg_html_cell_text(out, what);
    for (size_t s = 0; s < VG_SEGMENTS; s++)
        vg_html_cell_number(out, values[s], 2);
    vg_html_row_close(out);
}

static void add_points(struct vg_text *out, const char *name, const char *what,
                       const struct vg_point points[VG_SEGMENTS])
{
    double values[VG_SEGMENTS];

    for (size_t s = 0; s < VG_SEGMENTS; s++)
        values[s] = points[s].y;
    add_row(out, name, what, values);
}

static void add_rows(const struct course *pair, const char *name, struct vg_text *out)
{
    for (size_t d = 0; d < VG_DIRECTIONS; d++) {
        struct vg_text what = {0};

        if (pair[d].drawn == 0)
            continue;
        vg_text_addf(&what, "%s of %zu items", vg_direction_names[d], pair[d].drawn);
        if (pair[d].kind != VG_ASKED_UNKNOWN)
            add_row(out, name, "asked", pair[d].asked_at);
        add_points(out, name, what.data, pair[d].middle);
        add_points(out, name, "lower quartile", pair[d].low);
        add_points(out, name, "upper quartile", pair[d].high);
        vg_text_release(&what);
    }
}

static void open_table(struct vg_text *out, const char *category)
{
    const char *columns[TABLE_COLUMNS] = {"tier, curve", "what"};
    struct vg_arena arena = {0};

    for (size_t s = 0; s < VG_SEGMENTS; s++) {
        struct vg_text name = {0};

        vg_text_add_fixed(&name, 100 * middle_of(s), 1);
        vg_text_add(&name, " %");
        columns[s + 2] = vg_arena_text(&arena, name.data);
        vg_text_release(&name);
    }
    vg_html_table_open(out,
                       vg_arena_format(&arena, "Courses of %s: median where no other is named", category),
                       columns, TABLE_COLUMNS, 2);
    vg_arena_release(&arena);
}

/* ---- a category ---------------------------------------------------------------------------------------- */

static const char *const kinds[] = {
    [VG_ASKED_UNKNOWN] = "What was asked has no course in this unit, so only what was measured is drawn.",
    [VG_ASKED_VALUE] = "Asked, at the sample rate of the first item: ",
    [VG_ASKED_CHANGE] =
        ("Asked is a change from wherever the source stands, drawn at the height of the medians: only "
         "its shape and size can be compared.")};

static const char *panel_name(const struct vg_findings *f, size_t tier, size_t curve, struct vg_arena *arena)
{
    return vg_arena_format(arena, "%s, %s", f->spec->tiers[tier], vg_curve_names[f->spec->curves[curve]]);
}

static void add_caption(const struct vg_findings *f, size_t category, enum vg_asked_kind kind, bool all_drawn,
                        struct vg_text *out)
{
    const char *name = f->spec->categories[category].words->name;
    const struct vg_measure *measure = &vg_measures[vg_quantity_of(name)];
    struct vg_text caption = {0}, command = {0};

    vg_text_addf(&caption, "%s: %s, in %s. %s", "Measured", measure->paired, measure->unit, kinds[kind]);
    if (kind == VG_ASKED_VALUE)
        vg_text_addf(&caption, "%s.", vg_asked_words(f->spec, category));
    if (kind == VG_ASKED_CHANGE)
        vg_text_addf(&caption, " %s", vg_asked_words(f->spec, category));
    if (!all_drawn)
        vg_text_addf(&caption, " Of each tier, curve and direction the first %d items are taken.",
                     VG_COURSES_MAX);
    vg_text_addf(&command,
                 "jq -c 'select(.category == \"%s\") | [.tier, .curve, .direction, "
                 ".evidence.paired.%s.trajectory]' manifest.jsonl",
                 name, name);
    vg_html_figure_caption(out, caption.data, command.data);
    vg_text_release(&caption);
    vg_text_release(&command);
}

static void add_category(const struct vg_findings *f, size_t category, struct vg_text *out)
{
    static const char *const key[] = {"up",         "up: median and quartiles", "down", "down",
                                      "line-asked", "asked (dashed)",           NULL};
    const struct vg_spec *spec = f->spec;
    const char *name = spec->categories[category].words->name;
    size_t count = spec->tier_count * spec->curve_count, drawn = 0, items = 0;
    struct vg_arena arena = {0};
    struct course *courses = vg_arena_take(&arena, VG_DIRECTIONS * count + 1, sizeof *courses);
    enum vg_asked_kind kind = VG_ASKED_UNKNOWN;
    struct vg_axis y;

    for (size_t i = 0; i < count; i++)
        for (int d = 0; d < VG_DIRECTIONS; d++) {
            struct course *course = &courses[VG_DIRECTIONS * i + (size_t)d];

            sum_course(f, category, i / spec->curve_count, spec->curves[i % spec->curve_count],
                       (enum vg_direction)d, course, &arena);
            drawn += course->drawn;
            items += course->items;
            kind = course->kind != VG_ASKED_UNKNOWN ? course->kind : kind;
        }
    vg_html_figure_open(out, vg_arena_format(&arena, "fig-course-%s", name), name);
    if (drawn > 0) {
        y = axis_of(courses, VG_DIRECTIONS * count, vg_measures[vg_quantity_of(name)].unit);
        vg_html_key(out, key);
        vg_html_panels_open(out, (int)spec->curve_count);
        for (size_t i = 0; i < count; i++)
            add_panel(&courses[VG_DIRECTIONS * i], y,
                      panel_name(f, i / spec->curve_count, i % spec->curve_count, &arena), name, out);
        vg_html_panels_close(out);
        add_caption(f, category, kind, drawn == items, out);
        open_table(out, name);
        for (size_t i = 0; i < count; i++)
            add_rows(&courses[VG_DIRECTIONS * i],
                     panel_name(f, i / spec->curve_count, i % spec->curve_count, &arena), out);
        vg_html_table_close(out);
        vg_html_figure_close(out);
    } else {
        vg_text_add(out, "<p>No item with a measured course.</p></figure>\n");
    }
    vg_arena_release(&arena);
}

static void write_courses(const struct vg_findings *f, struct vg_text *out)
{
    vg_text_add(
        out,
        "<p>The manifest stores what the paired measure found in twelve equal parts of each item's "
        "speech (six below 1.2 s, three below 0.6 s), for the category that the item is about. Lines are "
        "medians over the items, bands reach from quartile to quartile, dashes are what the recipe "
        "asked.</p>\n");
    for (size_t c = 0; c < f->spec->category_count; c++)
        add_category(f, c, out);
}

const struct vg_section vg_section_courses = {"courses", "Asked and measured", write_courses};
