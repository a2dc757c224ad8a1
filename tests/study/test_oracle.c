/* SPDX-License-Identifier: MIT */
/* The oracle's tables of items whose evidence is known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "study.h"

#include <math.h>
#include <string.h>

static const char *const tiers[] = {"low", "high"}, *const curves[] = {"linear", "jump", "steps"};
enum { TIERS = 2, CURVES = 3, SOURCES = 4, EACH = TIERS * CURVES * 2 };

/* How loud each source gets of itself; the change is 6, or 12 in the high tier. */
static const double trends[SOURCES] = {0, 1, -8, 5};

static void expect(double found, double asked)
{
    if (!(fabs(found - asked) < 1e-12))
        fail_msg("%g, not %g", found, asked);
}

static void expect_none(double found)
{
    assert_true(isnan(found));
}

static struct vg_evidence evidence_of(double net, double margin)
{
    return (struct vg_evidence){
        .net = net, .net_jnd = net, .segments = 12, .sign = (net >= margin) - (net <= -margin)};
}

/* Volume's items raise the volume, and lower the pitch by half as much; P hears nothing of an echo. */
static void add_item(struct vg_oracle *oracle, size_t source, size_t tier, size_t curve, int claimed)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    struct vg_evidence paired[VG_QUANTITIES] = {{0}}, blind[VG_QUANTITIES] = {{0}};
    double change = claimed * (tier == 0 ? 6.0 : 12.0);
    char id[8] = "x";
    struct vg_oracle_item item = {"volume",      id,      names[source], tiers[tier],
                                  curves[curve], claimed, paired,        blind};

    paired[VG_Q_VOLUME] = evidence_of(change, 0.5);
    paired[VG_Q_PITCH] = evidence_of(-change / 2, 0.5);
    paired[VG_Q_ECHO].sign = 2;
    blind[VG_Q_VOLUME] = evidence_of(change + trends[source], 8);
    blind[VG_Q_PITCH] = evidence_of(trends[source] - change / 2, 8);
    blind[VG_Q_ECHO].sign = 2;
    vg_oracle_add(oracle, &item);
    memset(id, '!', sizeof id - 1); /* all was copied */
}

static void add_items(struct vg_oracle *oracle)
{
    for (size_t source = 0; source < SOURCES; source++)
        for (size_t tier = 0; tier < TIERS; tier++)
            for (size_t curve = 0; curve < CURVES; curve++)
                for (int claimed = 1; claimed >= -1; claimed -= 2)
                    add_item(oracle, source, tier, curve, claimed);
}

static struct vg_oracle summed(void)
{
    struct vg_oracle oracle = {0};
    struct vg_margins margins;

    vg_margins_read(&margins, NULL);
    add_items(&oracle);
    vg_oracle_sum(&oracle, &margins);
    return oracle;
}

static void shares(void **state)
{
    struct vg_oracle o = summed();
    const struct vg_oracle_cell *all = vg_oracle_cell_of(&o, 1, TIERS, CURVES),
                                *low = vg_oracle_cell_of(&o, 0, 0, CURVES),
                                *one = vg_oracle_cell_of(&o, 0, 1, 1);

    (void)state;
    assert_int_equal(o.items, SOURCES * EACH);
    assert_int_equal(o.category_count, 1);
    assert_string_equal(o.categories[0].name, "volume");
    assert_int_equal(o.categories[0].quantity, VG_Q_VOLUME);
    assert_int_equal(o.tier_count, TIERS);
    assert_string_equal(o.curves[2], "steps");
    assert_string_equal(all->category, "");
    assert_int_equal(all->items, SOURCES * EACH);
    assert_int_equal(all->verdicts[VG_CONFIRMED], SOURCES * EACH);
    expect(all->paired_share, 1);
    /* In the low tier source c, which falls by 8, hides a rise of 6. */
    assert_int_equal(low->items, SOURCES * EACH / 2);
    assert_int_equal(low->blind_right, low->items - 3);
    expect(low->blind_share, 1 - 3.0 / (SOURCES * EACH / 2.0));
    assert_int_equal(low->blind_opposed, 0);
    assert_string_equal(one->tier, "high");
    assert_string_equal(one->curve, "jump");
    assert_int_equal(one->items, 2 * SOURCES);
    expect(one->human_share, 0.9846);
    expect(all->human_share, (0.9846 + 0.9373 + 0.9202 + 0.9383) / 4);
    expect_none(vg_oracle_cell_of(&o, 0, 0, 2)->human_share); /* no curve of the paper's */
    vg_oracle_release(&o);
}

static void leaks(void **state)
{
    struct vg_oracle o = summed();

    (void)state;
    expect(o.leaks[VG_Q_VOLUME].jnds, 9); /* half of them 6, half 12 */
    expect(o.leaks[VG_Q_PITCH].jnds, -4.5);
    expect(o.leaks[VG_Q_NOISE].jnds, 0);
    expect_none(o.leaks[VG_Q_ECHO].jnds); /* undefined throughout */
    assert_int_equal(o.leaks[VG_Q_ECHO].items, 0);
    vg_oracle_release(&o);
}

static void trends_of_sources(void **state)
{
    struct vg_oracle o = summed();

    (void)state;
    assert_int_equal(o.source_count, SOURCES);
    for (size_t s = 0; s < SOURCES; s++) {
        expect(o.source_trends[s * VG_QUANTITIES + VG_Q_VOLUME], trends[s]);
        expect(o.source_trends[s * VG_QUANTITIES + VG_Q_PITCH], trends[s]);
        expect_none(o.source_trends[s * VG_QUANTITIES + VG_Q_ECHO]);
    }
    expect(vg_oracle_trend_of(&o, "c", VG_Q_VOLUME), -8);
    expect_none(vg_oracle_trend_of(&o, "nobody", VG_Q_VOLUME));
    assert_int_equal(o.trends[VG_Q_VOLUME].sources, SOURCES);
    expect(o.trends[VG_Q_VOLUME].mean, -0.5);
    expect(o.trends[VG_Q_VOLUME].median, 0.5);
    expect(o.trends[VG_Q_VOLUME].deviation, sqrt((0.25 + 2.25 + 56.25 + 30.25) / 3));
    assert_int_equal(o.trends[VG_Q_ECHO].sources, 0);
    expect_none(o.trends[VG_Q_ECHO].mean);
    vg_oracle_release(&o);
}

/* Half of B's margin is 4: sources c and d go against the items of one direction each. */
static void against(void **state)
{
    struct vg_oracle o = summed();

    (void)state;
    assert_int_equal(o.categories[0].against, EACH);
    assert_int_equal(o.categories[0].against_wrong, 3);
    assert_int_equal(o.against_count, EACH);
    for (size_t i = 0; i < EACH; i++) {
        const struct vg_oracle_against *item = &o.against[i];

        assert_string_equal(item->source, i < EACH / 2 ? "c" : "d");
        assert_string_equal(item->id, "x");
        assert_int_equal(item->claimed, i < EACH / 2 ? 1 : -1);
        expect(item->trend, i < EACH / 2 ? -8 : 5);
        assert_int_equal(item->blind_right, item->blind_net * item->claimed > 0);
    }
    vg_oracle_release(&o);
}

static void a_source_that_was_heard_counts(void **state)
{
    struct vg_oracle o = {0};
    struct vg_margins margins;
    struct vg_evidence blind[VG_QUANTITIES] = {
        [VG_Q_VOLUME] = {.net = 3, .sign = 0}, [VG_Q_PITCH] = {.net = 3, .sign = 2}};

    (void)state;
    vg_margins_read(&margins, NULL);
    vg_oracle_add_source(&o, "b", blind);
    add_items(&o);
    vg_oracle_sum(&o, &margins);
    assert_string_equal(o.sources[0], "b");
    expect(o.source_trends[VG_Q_VOLUME], 3);
    expect_none(o.source_trends[VG_Q_PITCH]); /* it was heard, and nothing can be said */
    assert_string_equal(o.sources[1], "a");
    expect(o.source_trends[VG_QUANTITIES + VG_Q_VOLUME], 0);
    vg_oracle_release(&o);
}

/* Without sources there are no verdicts and no leaks; a lone direction tells no trend. */
static void little_is_known(void **state)
{
    struct vg_oracle o = {0};
    struct vg_margins margins;
    struct vg_evidence blind[VG_QUANTITIES] = {[VG_Q_ECHO] = {.net = 1, .sign = 1}};
    struct vg_oracle_item item = {"echo", "x", "a", "low", "jump", 1, NULL, blind};
    struct vg_oracle_item odd = {"colour", "y", "a", "low", "jump", 1, NULL, blind};

    (void)state;
    vg_margins_read(&margins, NULL);
    vg_oracle_add(&o, &item);
    vg_oracle_add(&o, &item);
    vg_oracle_add(&o, &odd);
    vg_oracle_sum(&o, &margins);
    assert_int_equal(o.items, 2);
    assert_int_equal(o.unmeasured, 1);
    assert_int_equal(vg_oracle_cell_of(&o, 0, 0, 0)->paired_items, 0);
    expect_none(vg_oracle_cell_of(&o, 0, 0, 0)->paired_share);
    expect(vg_oracle_cell_of(&o, 0, 0, 0)->blind_share, 1);
    expect_none(o.leaks[VG_Q_ECHO].jnds);
    expect_none(o.source_trends[VG_Q_ECHO]);
    assert_int_equal(o.against_count, 0);
    vg_oracle_release(&o);
}

static void nothing_at_all(void **state)
{
    struct vg_oracle o = {0};
    struct vg_margins margins;

    (void)state;
    vg_margins_read(&margins, NULL);
    vg_oracle_sum(&o, &margins);
    assert_int_equal(vg_oracle_cell_of(&o, 0, 0, 0)->items, 0);
    expect_none(vg_oracle_cell_of(&o, 0, 0, 0)->blind_share);
    expect_none(o.trends[VG_Q_VOLUME].mean);
    vg_oracle_release(&o);
    vg_oracle_release(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares),
        cmocka_unit_test(leaks),
        cmocka_unit_test(trends_of_sources),
        cmocka_unit_test(against),
        cmocka_unit_test(a_source_that_was_heard_counts),
        cmocka_unit_test(little_is_known),
        cmocka_unit_test(nothing_at_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
