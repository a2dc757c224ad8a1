/* SPDX-License-Identifier: MIT */
/* Can the label be told from what a model should not use?  The area under the ROC curve of each shortcut, and
 * where 95 % of it lies if labels are swapped at random within pairs of opposites. */
#include "section.h"

enum { WIDTH = 350, ROW = 20, LEFT = 128, FRAME = 52 };

#define SURE 3.0 /* deviations beyond which it is called telling: as in the card and in verify */
#define NORMAL_95 1.96

/* All findings once: [category * VG_SHORTCUTS + shortcut]. */
static struct vg_audit_finding *find_all(const struct vg_findings *f, size_t categories,
                                         struct vg_arena *arena)
{
    struct vg_audit_finding *all = vg_arena_take(arena, categories * VG_SHORTCUTS + 1, sizeof *all);

    for (size_t c = 0; c < categories; c++)
        for (int k = 0; k < VG_SHORTCUTS; k++)
            all[c * VG_SHORTCUTS + (size_t)k] = vg_audit_of(f->audit, c, (enum vg_shortcut)k);
    return all;
}

static double low_of(const struct vg_audit_finding *finding)
{
    return finding->expected - NORMAL_95 * finding->deviation;
}

static double high_of(const struct vg_audit_finding *finding)
{
    return finding->expected + NORMAL_95 * finding->deviation;
}

static void draw(const struct vg_audit_finding *all, const char *const *names, size_t categories,
                 size_t shortcut, struct vg_text *out)
{
    struct vg_arena arena = {0};
    struct vg_plot plot;
    struct vg_plot_frame frame = {
        .width = WIDTH, .height = FRAME + ROW * (double)categories, .left = LEFT, .row_names = names};

    frame.x = vg_axis_between(0, 1, 4, "area under the ROC curve");
    frame.y = vg_axis_between((double)categories - 0.5, -0.5, 1, "");
    frame.row_count = categories;
    frame.label =
        vg_arena_format(&arena,
                        "%s: area under the ROC curve of each category with the interval of chance; "
                        "the numbers are in the table below",
                        vg_shortcut_names[shortcut]);
    vg_plot_open(&plot, out, &frame);
    vg_plot_upright(&plot, 0.5, "zero", "a guess");
    for (size_t c = 0; c < categories; c++) {
        const struct vg_audit_finding *finding = &all[c * VG_SHORTCUTS + shortcut];
        double y = (double)c;

        if (finding->pairs == 0)
            continue;
        vg_plot_bar(&plot, (struct vg_point){low_of(finding), y - 0.22},
                    (struct vg_point){high_of(finding), y + 0.22}, "chance", "95 % of chance");
        vg_plot_dot(&plot, (struct vg_point){finding->auc, y},
                    vg_audit_tells(finding, SURE) ? "dot tells" : "dot plain",
                    vg_arena_format(&arena, "%s: %s", names[c], vg_report_number(&arena, finding->auc, 3)));
    }
    vg_plot_close(&plot);
    vg_arena_release(&arena);
}

static void add_numbers(const struct vg_audit_finding *all, const char *const *names, size_t categories,
                        struct vg_text *out)
{
    static const char *const columns[] = {"category", "shortcut",     "items", "pairs",
                                          "AUC",      "chance, from", "to",    "tells"};

    vg_html_table_open(out, "Shortcuts", columns, sizeof columns / sizeof *columns, 2);
    for (size_t c = 0; c < categories; c++)
        for (size_t k = 0; k < VG_SHORTCUTS; k++) {
            const struct vg_audit_finding *finding = &all[c * VG_SHORTCUTS + k];
            bool known = finding->pairs > 0;

            vg_html_row_open(out, names[c]);
            vg_html_cell_text(out, vg_shortcut_names[k]);
            vg_html_cell_count(out, finding->items);
            vg_html_cell_count(out, finding->pairs);
            vg_html_cell_number(out, known ? finding->auc : NAN, 3);
            vg_html_cell_number(out, known ? low_of(finding) : NAN, 3);
            vg_html_cell_number(out, known ? high_of(finding) : NAN, 3);
            vg_html_cell_right(out, !known ? "" : vg_audit_tells(finding, SURE) ? "yes" : "no");
            vg_html_row_close(out);
        }
    vg_html_table_close(out);
}

static void write_shortcuts(const struct vg_findings *f, struct vg_text *out)
{
    static const char *const key[] = {"plain",  "does not tell",  "tells", "tells the label",
                                      "chance", "95 % of chance", NULL};
    struct vg_arena arena = {0};
    size_t categories = vg_audit_categories(f->audit);
    const char **names = vg_arena_take(&arena, categories + 1, sizeof *names);
    struct vg_audit_finding *all = find_all(f, categories, &arena);

    for (size_t c = 0; c < categories; c++)
        names[c] = vg_audit_category(f->audit, c);
    vg_html_figure_open(out, "fig-shortcuts", "What tells the label beside the attribute");
    vg_html_key(out, key);
    vg_html_panels_open(out, VG_PANELS_FREE);
    for (size_t k = 0; k < VG_SHORTCUTS; k++) {
        vg_html_panel_open(out, vg_shortcut_names[k],
                           k <= VG_TOLD_BY_PLACE ? "of the packing: must tell nothing" : "of the sound");
        draw(all, names, categories, k, out);
        vg_html_panel_close(out);
    }
    vg_html_panels_close(out);
    vg_html_figure_caption(
        out,
        "0.5 is a guess; 1 says that the larger value always goes with up, 0 with down. Chance: "
        "labels swapped at random within pairs of opposites. A shortcut tells where it is off by "
        "0.05 and more than three deviations.",
        "vocalgrad verify . --level shortcuts");
    add_numbers(all, names, categories, out);
    vg_html_figure_close(out);
    vg_arena_release(&arena);
}

const struct vg_section vg_section_shortcuts = {"shortcuts", "Shortcuts", write_shortcuts};
