/* SPDX-License-Identifier: MIT */
/* What is required of the measures, on real speech that the product rendered: every item of every category,
 * constant treatments, and the sources themselves.  Prints the whole table. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "study.h"

/* Share of B signs that must agree, in percent; voice_pitch also 78 in the high tier. */
static const double blind_least[VG_QUANTITIES] = {
    [VG_Q_VOLUME] = 97,  [VG_Q_SPEED] = 75,      [VG_Q_PITCH] = 65,
    [VG_Q_NOISE] = 98,   [VG_Q_DISTORTION] = 98, [VG_Q_ROUGHNESS] = 98,
    [VG_Q_CLARITY] = 94, [VG_Q_VIBRATION] = 85,  [VG_Q_ECHO] = 85,
};
#define HIGH_PITCH_LEAST 78.0

enum { TIERS = 3, ALL = 4 }; /* column ALL: of all tiers or curves */

struct tally {
    size_t items, verdicts[4], blind_right, blind_opposed, below_jnd;
};

static struct study study;

static int study_open(void **state)
{
    if (scene_open(state) != 0)
        return -1;
    study_run(&study, *state);
    return 0;
}

static int study_close(void **state)
{
    study_release(&study);
    return scene_close(state);
}

static void count(struct tally *tally, const struct study_row *row)
{
    const struct vg_evidence *paired = &row->paired[row->category], *blind = &row->blind[row->category];

    tally->items++;
    tally->verdicts[vg_verdict_of(paired, row->claimed)]++;
    tally->blind_right += blind->net * row->claimed > 0;
    tally->blind_opposed += blind->sign == -row->claimed;
    tally->below_jnd += fabs(paired->net_jnd) < 1;
}

static double percent(size_t part, size_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 100;
}

/* Beeps are not speech; they are counted where P is asked, not where B is. */
static bool is_beep(const struct study_row *row)
{
    return study.sources[row->source][0] == 'b' && study.sources[row->source][1] == 'e';
}

static struct tally tally_of(size_t category, size_t tier, size_t curve, bool speech_only)
{
    struct tally tally = {0};

    for (size_t i = 0; i < study.count; i++) {
        const struct study_row *row = &study.rows[i];

        if (study_counts(row) && row->category == category && (tier == TIERS || row->tier == tier) &&
            (curve == ALL || (size_t)row->curve == curve) && !(speech_only && is_beep(row)))
            count(&tally, row);
    }
    return tally;
}

static void print_row(size_t category, size_t tier, const char *tier_name)
{
    print_message("%-17s %-4s", vg_measures[category].name, tier_name);
    for (size_t curve = 0; curve <= ALL; curve++) {
        struct tally t = tally_of(category, tier, curve, false);

        print_message("  %5.1f/%5.1f", percent(t.verdicts[VG_CONFIRMED], t.items),
                      percent(t.blind_right, t.items));
    }
    print_message("  %zu\n", tally_of(category, tier, ALL, false).items);
}

static void the_table(void **state)
{
    static const char *const tiers[] = {"low", "mid", "high", "all"};

    (void)state;
    print_message("P confirmed / B sign right, percent; spans of 1.2 s and more, items with a change\n");
    print_message("%-22s", "");
    for (size_t curve = 0; curve < VG_CURVES; curve++)
        print_message("  %11.11s", vg_curve_names[curve]);
    print_message("  all          items\n");
    for (size_t category = 0; category < VG_QUANTITIES; category++) {
        for (size_t tier = 0; tier <= TIERS; tier++)
            print_row(category, tier, tiers[tier]);
    }
    print_message("%zu of the items as the published pipeline wrote them\n", study.published);
    if (getenv("VG_SHARED") != NULL && vg_folder_exists(getenv("VG_SHARED")))
        assert_int_equal(study.published, 10 * SCENE_ITEMS);
    assert_true(study.count > 0);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Median change in JNDs along the label: of one measure on the items of one category. */
static double leak(size_t category, size_t quantity)
{
    double *values = vg_memory_take(study.count + 1, sizeof *values), median;
    size_t n = 0;

    for (size_t i = 0; i < study.count; i++) {
        const struct study_row *row = &study.rows[i];

        if (study_counts(row) && row->category == category && !is_beep(row))
            values[n++] = row->paired[quantity].net_jnd * row->claimed;
    }
    qsort(values, n, sizeof *values, by_size);
    median = n ? values[n / 2] : NAN;
    free(values);
    return median;
}

static void expect_small(double jnds)
{
    assert_true(fabs(jnds) < 0.5);
}

static void leakage(void **state)
{
    (void)state;
    print_message(
        "median change in JNDs along the label, of each measure (columns) on each category (rows)\n%-17s",
        "");
    for (size_t quantity = 0; quantity < VG_QUANTITIES; quantity++)
        print_message(" %8.8s", vg_measures[quantity].name);
    for (size_t category = 0; category < VG_QUANTITIES; category++) {
        print_message("\n%-17s", vg_measures[category].name);
        for (size_t quantity = 0; quantity < VG_QUANTITIES; quantity++)
            print_message(" %8.2f", leak(category, quantity));
    }
    print_message("\n");
    for (size_t category = 0; category < VG_QUANTITIES; category++)
        assert_true(leak(category, category) > 1.5);
    /* Known of the recipe: what each category drags along. */
    assert_true(leak(VG_Q_VIBRATION, VG_Q_VOLUME) < -2 && leak(VG_Q_VIBRATION, VG_Q_VOLUME) > -4);
    assert_true(leak(VG_Q_ECHO, VG_Q_VOLUME) < -0.5 && leak(VG_Q_ECHO, VG_Q_VOLUME) > -2);
    assert_true(leak(VG_Q_PITCH, VG_Q_VOLUME) < -0.5 && leak(VG_Q_PITCH, VG_Q_VOLUME) > -2.5);
    assert_true(leak(VG_Q_ECHO, VG_Q_NOISE) > 1);
    expect_small(leak(VG_Q_VOLUME, VG_Q_ECHO));
    expect_small(leak(VG_Q_VIBRATION, VG_Q_ECHO));
    expect_small(leak(VG_Q_NOISE, VG_Q_ECHO));
    expect_small(leak(VG_Q_NOISE, VG_Q_VOLUME));
}

static void labels_are_confirmed(void **state)
{
    (void)state;
    for (size_t category = 0; category < VG_QUANTITIES; category++) {
        struct tally t = tally_of(category, TIERS, ALL, false);

        print_message(
            "%-17s %zu items: %zu confirmed, %zu opposed, %zu no change, %zu undecided, %zu below one JND\n",
            vg_measures[category].name, t.items, t.verdicts[VG_CONFIRMED], t.verdicts[VG_OPPOSED],
            t.verdicts[VG_NO_CHANGE], t.verdicts[VG_UNDECIDED], t.below_jnd);
        assert_true(t.items > 0);
        assert_int_equal(t.verdicts[VG_OPPOSED], 0);
        assert_true(percent(t.verdicts[VG_CONFIRMED], t.items) >= 99.5);
    }
}

static void swapped_labels_are_never_confirmed(void **state)
{
    (void)state;
    for (size_t i = 0; i < study.count; i++) {
        const struct study_row *row = &study.rows[i];

        if (row->treatment == STUDY_ITEM && row->span_sec >= 0.6)
            assert_int_not_equal(vg_verdict_of(&row->paired[row->category], -row->claimed), VG_CONFIRMED);
    }
}

static void nothing_done_is_no_change(void **state)
{
    size_t no_ops = 0, unmodified = 0;

    (void)state;
    for (size_t i = 0; i < study.count; i++) {
        const struct study_row *row = &study.rows[i];

        if (row->no_op) {
            assert_int_equal(row->paired[row->category].sign, 0);
            no_ops++;
        }
        for (size_t q = 0; row->treatment == STUDY_UNMODIFIED && q < VG_QUANTITIES; q++) {
            assert_int_equal(row->paired[q].sign, 0);
            assert_true(fabs(row->paired[q].net) <= 0);
            unmodified++;
        }
    }
    assert_true(no_ops > 0 && unmodified > 0);
}

static void constant_treatments_are_no_change(void **state)
{
    (void)state;
    for (size_t category = 0; category < VG_QUANTITIES; category++) {
        size_t all = 0, beyond = 0;

        for (size_t i = 0; i < study.count; i++) {
            const struct study_row *row = &study.rows[i];

            if (row->treatment != STUDY_CONSTANT || row->category != category || row->span_sec < 1.2)
                continue;
            all++;
            beyond += fabs(row->paired[category].net) > study.margins.of[category].paired;
        }
        print_message("%-17s constant: %zu of %zu beyond the margin\n", vg_measures[category].name, beyond,
                      all);
        assert_true(all > 0);
        assert_true(percent(beyond, all) <= 5);
    }
}

static void blind_signs(void **state)
{
    (void)state;
    for (size_t category = 0; category < VG_QUANTITIES; category++) {
        struct tally t = tally_of(category, TIERS, ALL, true);

        print_message("%-17s B: %.1f %% of signs right, asked for %.0f; %zu opposed beyond the margin\n",
                      vg_measures[category].name, percent(t.blind_right, t.items), blind_least[category],
                      t.blind_opposed);
        assert_true(percent(t.blind_right, t.items) >= blind_least[category]);
        if (study.margins.of[category].gate) /* a gate must not reject a true label */
            assert_int_equal(t.blind_opposed, 0);
    }
    assert_true(percent(tally_of(VG_Q_PITCH, 2, ALL, true).blind_right,
                        tally_of(VG_Q_PITCH, 2, ALL, true).items) >= HIGH_PITCH_LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table),
        cmocka_unit_test(leakage),
        cmocka_unit_test(labels_are_confirmed),
        cmocka_unit_test(swapped_labels_are_never_confirmed),
        cmocka_unit_test(nothing_done_is_no_change),
        cmocka_unit_test(constant_treatments_are_no_change),
        cmocka_unit_test(blind_signs),
    };

    return cmocka_run_group_tests(tests, study_open, study_close);
}
