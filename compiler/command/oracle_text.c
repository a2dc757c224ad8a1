/* SPDX-License-Identifier: MIT */
/* verify --report, for eyes. */
#include "oracle.h"

#include <math.h>
#include <string.h>

enum { NAME_COLUMNS = 17, TIER_COLUMNS = 6, NUMBER_COLUMNS = 9 };

static void add_number(struct vg_text *out, double value, int decimals, int columns)
{
    struct vg_text number = {0};

    if (isnan(value))
        vg_text_add(&number, "-");
    else
        vg_text_add_fixed(&number, value, decimals);
    vg_text_addf(out, " %*s", columns, number.data);
    vg_text_release(&number);
}

/* Wide enough for its name. */
static int column_of(const char *name)
{
    int length = (int)strlen(name);

    return length > NUMBER_COLUMNS ? length : NUMBER_COLUMNS;
}

static const char *curve_name(const struct vg_oracle *oracle, size_t curve)
{
    return curve < oracle->curve_count ? oracle->curves[curve] : "all";
}

/* ---- shares
 * -------------------------------------------------------------------------------------------------------- */

static void add_shares(struct vg_text *out, const struct vg_oracle *oracle, size_t category, size_t tier,
                       bool paired)
{
    const struct vg_oracle_cell *cell = vg_oracle_cell_of(oracle, category, tier, oracle->curve_count);

    vg_text_addf(out, "%-*s %-*s", NAME_COLUMNS, cell->category[0] != '\0' ? cell->category : "all",
                 TIER_COLUMNS, cell->tier[0] != '\0' ? cell->tier : "all");
    for (size_t curve = 0; curve <= oracle->curve_count; curve++) {
        const struct vg_oracle_cell *c = vg_oracle_cell_of(oracle, category, tier, curve);

        add_number(out, 100 * (paired ? c->paired_share : c->blind_share), 1,
                   column_of(curve_name(oracle, curve)));
    }
    vg_text_addf(out, " %7zu\n", paired ? cell->paired_items : cell->items);
}

static void add_table(struct vg_text *out, const struct vg_oracle *oracle, bool paired, const char *title)
{
    vg_text_addf(out, "%s\n%-*s %-*s", title, NAME_COLUMNS, "", TIER_COLUMNS, "");
    for (size_t curve = 0; curve <= oracle->curve_count; curve++)
        vg_text_addf(out, " %*s", column_of(curve_name(oracle, curve)), curve_name(oracle, curve));
    vg_text_addf(out, " %7s\n", "items");
    for (size_t category = 0; category <= oracle->category_count; category++)
        for (size_t tier = 0; tier <= oracle->tier_count; tier++)
            add_shares(out, oracle, category, tier, paired);
    vg_text_addf(out, "%-*s %-*s", NAME_COLUMNS, "paper's listeners", TIER_COLUMNS, "all");
    for (size_t curve = 0; curve <= oracle->curve_count; curve++)
        add_number(
            out,
            100 * vg_oracle_cell_of(oracle, oracle->category_count, oracle->tier_count, curve)->human_share,
            1, column_of(curve_name(oracle, curve)));
    vg_text_add(out, "\n\n");
}

/* ---- verdicts
 * ------------------------------------------------------------------------------------------------------ */

static void add_verdicts(struct vg_text *out, const struct vg_oracle *oracle)
{
    vg_text_addf(out, "Verdicts of the paired measures\n%-*s %9s %9s %9s %9s %9s\n", NAME_COLUMNS, "",
                 "confirmed", "below JND", "opposed", "no change", "undecided");
    for (size_t category = 0; category <= oracle->category_count; category++) {
        const struct vg_oracle_cell *cell =
            vg_oracle_cell_of(oracle, category, oracle->tier_count, oracle->curve_count);

        vg_text_addf(out, "%-*s %9zu %9zu %9zu %9zu %9zu\n", NAME_COLUMNS,
                     cell->category[0] != '\0' ? cell->category : "all", cell->verdicts[VG_CONFIRMED],
                     cell->below_jnd, cell->verdicts[VG_OPPOSED], cell->verdicts[VG_NO_CHANGE],
                     cell->verdicts[VG_UNDECIDED]);
    }
    vg_text_add_char(out, '\n');
}

/* ---- leakage
 * ------------------------------------------------------------------------------------------------------- */

/* "voice_pitch" needs no more than "pitch" at the head of a column. */
static const char *short_name(size_t quantity)
{
    const char *name = vg_measures[quantity].name, *last = strrchr(name, '_');

    return last != NULL ? last + 1 : name;
}

static int leak_column(size_t quantity)
{
    int length = (int)strlen(short_name(quantity));

    return length > 6 ? length : 6;
}

static void add_leaks(struct vg_text *out, const struct vg_oracle *oracle)
{
    vg_text_addf(out,
                 "Leakage: what each paired measure hears, median in JNDs, positive along the label\n%-*s",
                 NAME_COLUMNS, "");
    for (size_t q = 0; q < VG_QUANTITIES; q++)
        vg_text_addf(out, " %*s", leak_column(q), short_name(q));
    for (size_t category = 0; category < oracle->category_count; category++) {
        vg_text_addf(out, "\n%-*s", NAME_COLUMNS, oracle->categories[category].name);
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            add_number(out, oracle->leaks[category * VG_QUANTITIES + q].jnds, 2, leak_column(q));
    }
    vg_text_add(out, "\n\n");
}

/* ---- the sources
 * --------------------------------------------------------------------------------------------------- */

static void add_trends(struct vg_text *out, const struct vg_oracle *oracle)
{
    vg_text_addf(out,
                 "Natural trends: how the sources move of themselves, as the blind measures hear it\n"
                 "%-*s %7s %9s %9s %9s  %s\n",
                 NAME_COLUMNS, "", "sources", "mean", "deviation", "median", "unit");
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        const struct vg_oracle_trend *trend = &oracle->trends[q];

        vg_text_addf(out, "%-*s %7zu", NAME_COLUMNS, vg_measures[q].name, trend->sources);
        add_number(out, trend->mean, 2, NUMBER_COLUMNS);
        add_number(out, trend->deviation, 2, NUMBER_COLUMNS);
        add_number(out, trend->median, 2, NUMBER_COLUMNS);
        vg_text_addf(out, "  %s\n", vg_measures[q].unit_blind);
    }
    vg_text_add_char(out, '\n');
}

static void add_against(struct vg_text *out, const struct vg_oracle *oracle)
{
    vg_text_addf(out,
                 "Items whose source moves against the label, by half of the blind margin or more\n"
                 "(--json and --csv name them)\n%-*s %7s %7s  %s\n",
                 NAME_COLUMNS, "", "items", "against", "of these the blind measure is wrong on");
    for (size_t i = 0; i < oracle->category_count; i++) {
        const struct vg_oracle_category *category = &oracle->categories[i];

        vg_text_addf(out, "%-*s %7zu %7zu  %zu\n", NAME_COLUMNS, category->name, category->items,
                     category->against, category->against_wrong);
    }
}

void vg_oracle_text(const struct vg_oracle *oracle, struct vg_text *out)
{
    const struct vg_oracle_cell *all =
        vg_oracle_cell_of(oracle, oracle->category_count, oracle->tier_count, oracle->curve_count);

    if (all->paired_items > 0) {
        add_table(out, oracle, true, "P, beside the source: per cent of the labels confirmed");
        add_verdicts(out, oracle);
    }
    add_table(out, oracle, false, "B, without the source: per cent of the labels with the change's sign");
    if (all->paired_items > 0)
        add_leaks(out, oracle);
    add_trends(out, oracle);
    add_against(out, oracle);
    if (oracle->unmeasured > 0)
        vg_text_addf(out, "\n%zu items have no evidence and are in no table\n", oracle->unmeasured);
}
