/* SPDX-License-Identifier: MIT */
/* What is not in the release and why; and what is in it though its label is in doubt. */
#include "section.h"

#include <string.h>

static void add_items(const struct vg_findings *f, struct vg_text *out)
{
    static const char *const columns[] = {"category", "why", "items"};

    vg_text_add(out, "<h3>Items left out</h3>\n");
    if (f->left_out_count == 0) {
        vg_text_add(out, "<p>None.</p>\n");
        return;
    }
    vg_html_table_open(out, "Out of labels.csv", columns, sizeof columns / sizeof *columns, 2);
    for (size_t i = 0; i < f->left_out_count; i++) {
        vg_html_row_open(out, f->left_out[i].category);
        vg_html_cell_text(out, f->left_out[i].why);
        vg_html_cell_count(out, f->left_out[i].items);
        vg_html_row_close(out);
    }
    vg_html_table_close(out);
    vg_text_add(
        out,
        "<p>An item and its opposite go together, so that the answers stay balanced.</p>"
        "<p class=\"how\"><span>From</span> <code>labels.csv</code>, column <code>excluded</code></p>\n");
}

enum { SHOWN_MAX = 200 };

/* Rows of sources.csv that have something in a column. */
static void add_sources(const struct vg_findings *f, const char *column, const char *heading,
                        const char *what, struct vg_text *out)
{
    const char *columns[] = {"source", what};
    size_t count = 0, shown = 0;

    for (size_t i = 0; i < f->sources.row_count; i++)
        count += vg_source_field(f, i, column)[0] != '\0';
    vg_text_addf(out, "<h3>%s</h3>\n", heading);
    if (count == 0) {
        vg_text_add(out, "<p>None.</p>\n");
        return;
    }
    vg_html_table_open(out, "Out of sources.csv", columns, sizeof columns / sizeof *columns, 2);
    for (size_t i = 0; i < f->sources.row_count && shown < SHOWN_MAX; i++) {
        const char *words = vg_source_field(f, i, column);

        if (words[0] == '\0')
            continue;
        shown++;
        vg_html_row_open(out, vg_source_field(f, i, "id"));
        vg_html_cell_text(out, words);
        vg_html_row_close(out);
    }
    vg_html_table_close(out);
    if (shown < count)
        vg_text_addf(out, "<p>The first %zu of %zu.</p>\n", shown, count);
    vg_text_addf(out,
                 "<p class=\"how\"><span>From</span> <code>sources.csv</code>, column <code>%s</code></p>\n",
                 column);
}

static void add_doubtful(const struct vg_findings *f, struct vg_text *out)
{
    struct vg_cell all = vg_summary_of(&f->summary, NULL, NULL, NULL, NULL, NULL);

    vg_text_add(out, "<h3>Kept though in doubt</h3>\n<p>Labels: ");
    vg_html_count(out, all.verdicts[VG_OPPOSED] + all.verdicts[VG_NO_CHANGE] + all.verdicts[VG_UNDECIDED]);
    vg_text_add(out, " not confirmed (");
    vg_html_count(out, all.verdicts[VG_OPPOSED]);
    vg_text_add(out, " opposed, ");
    vg_html_count(out, all.verdicts[VG_NO_CHANGE]);
    vg_text_add(out, " without a change, ");
    vg_html_count(out, all.verdicts[VG_UNDECIDED]);
    vg_text_add(out, " undecided); ");
    vg_html_count(out, all.unmeasured);
    vg_text_add(out, " not measured; ");
    vg_html_count(out, all.below_jnd);
    vg_text_add(out, " with a change below one JND; ");
    vg_html_count(out, all.clipped);
    vg_text_add(out, " with clipped samples. They are marked in <code>labels.csv</code> and "
                     "<code>manifest.jsonl</code>.</p>\n");
}

static void write_excluded(const struct vg_findings *f, struct vg_text *out)
{
    add_items(f, out);
    add_sources(f, "skipped", "Sources left out", "why", out);
    add_sources(f, "note", "Sources with a remark", "remark", out);
    add_doubtful(f, out);
}

const struct vg_section vg_section_excluded = {"excluded", "What was left out, and why", write_excluded};
