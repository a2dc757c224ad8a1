/* SPDX-License-Identifier: MIT */
/* How many items of each kind there are. */
#include "section.h"

enum field { SPLIT, TIER, CURVE, DIRECTION, FIELDS };

static const char *const titles[FIELDS] = {"Items by split", "Items by tier", "Items by curve",
                                           "Items by direction"};
static const char *const captions[FIELDS] = {
    "How many items each category has in each split.", "How many of each tier: the size of the change.",
    "How many of each curve: how the change is spread over the speech.",
    "How many rise and how many fall: the answer alone must not pay."};
static const char *const words[FIELDS] = {"split", "tier", "curve", "direction"};

static size_t names_of(const struct vg_spec *spec, enum field field, const char **names)
{
    size_t counts[FIELDS] = {spec->split_count, spec->tier_count, spec->curve_count, spec->direction_count};

    for (size_t i = 0; i < counts[field]; i++)
        names[i] = field == SPLIT   ? spec->splits[i].name
                   : field == TIER  ? spec->tiers[i]
                   : field == CURVE ? vg_curve_names[spec->curves[i]]
                                    : vg_direction_names[spec->directions[i]];
    return counts[field];
}

static size_t items_of(const struct vg_findings *f, const char *category, enum field field, const char *name)
{
    return vg_summary_of(&f->summary, field == SPLIT ? name : NULL, category, field == TIER ? name : NULL,
                         field == CURVE ? name : NULL, field == DIRECTION ? name : NULL)
        .items;
}

static void add_rows(const struct vg_findings *f, enum field field, const char *const *names, size_t count,
                     struct vg_text *out)
{
    for (size_t c = 0; c <= f->spec->category_count; c++) {
        const char *category =
            c < f->spec->category_count ? f->spec->categories[c].words->name : NULL; /* NULL: all */

        vg_html_row_open(out, category != NULL ? category : "all");
        for (size_t i = 0; i < count; i++)
            vg_html_cell_count(out, items_of(f, category, field, names[i]));
        vg_html_cell_count(out, items_of(f, category, field, NULL));
        vg_html_row_close(out);
    }
}

static void write_counts(const struct vg_findings *f, struct vg_text *out)
{
    struct vg_arena arena = {0};

    vg_text_add(out, "<div class=\"tables\">\n");
    for (int field = 0; field < FIELDS; field++) {
        const char **columns =
            vg_arena_take(&arena, f->spec->split_count + VG_TIERS_MAX + 4, sizeof *columns);
        size_t count = names_of(f->spec, (enum field)field, columns + 1);

        columns[0] = "category";
        columns[count + 1] = "all";
        vg_text_add(out, "<div>\n");
        vg_html_table_open(out, titles[field], columns, count + 2, 1);
        add_rows(f, (enum field)field, columns + 1, count, out);
        vg_html_table_close(out);
        vg_text_addf(out,
                     "<p>%s</p><p class=\"how\"><span>Made by</span> <code>jq -r '[.category,.%s]|@tsv' "
                     "manifest.jsonl | sort | uniq -c</code></p></div>\n",
                     captions[field], words[field]);
    }
    vg_text_add(out, "</div>\n");
    vg_arena_release(&arena);
}

const struct vg_section vg_section_counts = {"counts", "How many", write_counts};
