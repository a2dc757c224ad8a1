/* SPDX-License-Identifier: MIT */
/* Records: a line of the manifest gives back its record, nothing altered gets through, tables say the same.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int set_up(void **state)
{
    struct fake *fake = malloc(sizeof *fake);

    fake_init(fake, NULL);
    *state = fake;
    return 0;
}

static int tear_down(void **state)
{
    fake_release(*state);
    free(*state);
    return 0;
}

static void line_of(const struct vg_record *record, struct vg_text *out)
{
    vg_text_clear(out);
    vg_record_manifest(record, "shard.tar", out);
}

static void parse_gives_back(void **state)
{
    struct fake *fake = *state;
    struct vg_text line = {0}, again = {0};

    for (size_t i = 0; i < FAKE_ITEMS; i++) {
        struct vg_record back;

        line_of(&fake->records[i], &line);
        assert_int_equal(vg_record_parse(&back, line.data, line.length - 1, &fake->arena, "m:1", &fake->err),
                         VG_OK);
        line_of(&back, &again);
        assert_string_equal(line.data, again.data);
        assert_string_equal(back.shard, "shard.tar");
        assert_int_equal(back.frames, fake->records[i].frames);
        assert_int_equal(back.measured, fake->records[i].measured);
        assert_int_equal(back.parameter_count, fake->records[i].parameter_count);
    }
    vg_text_release(&line);
    vg_text_release(&again);
}

static void parameters_are_all_there(void **state)
{
    struct fake *fake = *state;
    struct vg_text line = {0};

    line_of(&fake->records[6], &line); /* volume high jump up... */
    assert_non_null(strstr(line.data, "\"parameters\":{\"gain_db\":12,\"jump_at\":0.5,\"step_sec\":0.05}"));
    line_of(&fake->records[16], &line); /* echo low linear up */
    assert_non_null(strstr(line.data, "\"parameters\":{\"comb_ms\":[1.5,2],\"step_sec\":0.05,\"wet\":0.25}"));
    assert_non_null(strstr(line.data, "\"seed\":\"42:s1__007__linear__low__up\""));
    vg_text_release(&line);
}

/* A number that is not finite is null, and stays so. */
static void not_a_number(void **state)
{
    struct fake *fake = *state;
    struct vg_record record = fake->records[0], back;
    struct vg_text line = {0};

    record.paired[VG_Q_ECHO].net = NAN;
    record.paired[VG_Q_VOLUME].trajectory[1] = INFINITY;
    line_of(&record, &line);
    assert_int_equal(vg_record_parse(&back, line.data, line.length - 1, &fake->arena, "m:1", &fake->err),
                     VG_OK);
    assert_true(isnan(back.paired[VG_Q_ECHO].net));
    vg_text_release(&line);
}

static void altered_lines_are_refused(void **state)
{
    struct fake *fake = *state;
    struct vg_text line = {0};
    struct vg_record back;

    line_of(&fake->records[0], &line);
    line.length--;
    for (size_t at = 0; at < line.length; at++) /* no byte can go, none be added */
        for (int add = 0; add < 2; add++) {
            struct vg_text other = {0};
            int rc;

            vg_text_add_part(&other, line.data, at);
            if (add)
                vg_text_add_char(&other, ' ');
            vg_text_add_part(&other, line.data + at + !add, line.length - at - !add);
            rc = vg_record_parse(&back, other.data, other.length, &fake->arena, "m:1", &fake->err);
            if (rc == VG_OK) { /* a digit of a count or a letter of a text: still a line we would write */
                struct vg_text again = {0};

                vg_record_manifest(&back, back.shard, &again);
                assert_memory_equal(again.data, other.data, other.length);
                vg_text_release(&again);
            }
            vg_text_release(&other);
        }
    for (size_t cut = 0; cut < line.length; cut += 11)
        assert_int_equal(vg_record_parse(&back, line.data, cut, &fake->arena, "m:1", &fake->err), VG_NO);
    assert_int_equal(vg_record_parse(&back, "{}", 2, &fake->arena, "m:9", &fake->err), VG_NO);
    assert_true(fake_told(fake, "m:9", "no usable field \"attribute\""));
    assert_int_equal(vg_record_parse(&back, "[]", 2, &fake->arena, "m:9", &fake->err), VG_NO);
    vg_text_release(&line);
}

static void unknown_fields_are_refused(void **state)
{
    struct fake *fake = *state;
    struct vg_text line = {0}, other = {0};
    struct vg_record back;

    line_of(&fake->records[0], &line);
    vg_text_add(&other, "{\"a\":1,");
    vg_text_add_part(&other, line.data + 1, line.length - 2);
    assert_int_equal(vg_record_parse(&back, other.data, other.length, &fake->arena, "m:3", &fake->err),
                     VG_NO);
    assert_true(fake_told(fake, "m:3", "not the line that vocalgrad writes"));
    vg_text_release(&line);
    vg_text_release(&other);
}

static void metadata_row(void **state)
{
    struct fake *fake = *state;
    struct vg_text row = {0};
    char wanted[600];

    vg_record_metadata(&fake->records[0], &row);
    snprintf(wanted, sizeof wanted,
             "%s.flac,volume,s1__007__linear__low__up,\"say \"\"no\"\", twice\nor so\",volume,\"Does the "
             "volume rise? "
             "\"\"yes\"\" or "
             "\"\"no\"\"\",increase,up,linear,low,\"007\",\"null\",\"1e5\",0.093750,0.006250,0.087500,"
             "test\n",
             fake->records[0].key);
    assert_string_equal(row.data, wanted);
    vg_text_release(&row);
}

static void labels_rows(void **state)
{
    struct fake *fake = *state;
    struct vg_text row = {0};
    char wanted[300];

    vg_record_labels(&fake->records[2], &row);
    snprintf(wanted, sizeof wanted,
             "%s,s1__007__jump__low__up,test,volume,increase,confirmed,yes,0.1,dB,0.5,0.3333333333333333,3,"
             "undecided,0,"
             "%s,0,no_change\n",
             fake->records[2].key, vg_measures[VG_Q_VOLUME].unit_blind);
    assert_string_equal(row.data, wanted);
    vg_text_clear(&row);
    vg_record_labels(&fake->records[4], &row); /* was not measured */
    snprintf(wanted, sizeof wanted,
             "%s,s1__007__linear__high__up,test,volume,increase,\"\",\"\",,\"\",,,0,\"\",,\"\",,\"\"\n",
             fake->records[4].key);
    assert_string_equal(row.data, wanted);
    vg_text_release(&row);
}

/* Tables hold as many fields as their headers say, whatever the texts. */
static void tables_are_square(void **state)
{
    struct fake *fake = *state;
    struct vg_text tables[3] = {{0}};
    static const char *const headers[] = {vg_metadata_header, vg_labels_header, vg_sources_header};

    for (size_t t = 0; t < 3; t++)
        vg_text_add(&tables[t], headers[t]);
    for (size_t i = 0; i < FAKE_ITEMS; i++) {
        vg_record_metadata(&fake->records[i], &tables[0]);
        vg_record_labels(&fake->records[i], &tables[1]);
    }
    for (size_t i = 0; i <= FAKE_SOURCES; i++)
        vg_source_row_add(&fake->rows[i], &tables[2]);
    for (size_t t = 0; t < 3; t++) {
        struct vg_table table = {0};

        assert_int_equal(vg_table_parse(&table, "t", vg_arena_text(&fake->arena, tables[t].data),
                                        tables[t].length, true, ',', &fake->arena, VG_NO, &fake->err),
                         VG_OK);
        assert_int_equal(table.row_count, t < 2 ? FAKE_ITEMS : FAKE_SOURCES + 1);
        if (t == 2) {
            assert_string_equal(vg_table_field(&table, 1, vg_table_column(&table, "id")), "s:2/\xc3\xa9");
            assert_string_equal(vg_table_field(&table, 1, vg_table_column(&table, "span_by")), "detector");
            assert_string_equal(vg_table_field(&table, 3, vg_table_column(&table, "skipped")), "is empty");
        }
        vg_text_release(&tables[t]);
    }
}

static void opposites_stay_together_and_the_rest_is_shuffled(void **state)
{
    struct fake *fake = *state;
    struct vg_record *records[8];
    size_t order[8], moved = 0, swapped = 0;

    for (size_t i = 0; i < 8; i++)
        records[i] = &fake->records[i];
    vg_records_shuffle(records, 8, order);
    for (size_t i = 0; i < 8; i += 2) {
        const struct vg_record *a = records[order[i]], *b = records[order[i + 1]];

        assert_string_equal(a->tier, b->tier);
        assert_string_equal(a->curve, b->curve);
        assert_true(strcmp(a->key, b->key) < 0);
        assert_true(i == 0 || strcmp(records[order[i - 2]]->key, a->key) < 0);
        swapped += order[i] > order[i + 1];
    }
    for (size_t i = 0; i < 8; i++)
        moved += order[i] != i;
    assert_true(moved > 3);
    assert_true(swapped > 0 && swapped < 4);
}

static void summary_counts(void **state)
{
    struct fake *fake = *state;
    struct vg_summary forth = {0}, back = {0};
    struct vg_cell all, part;

    for (size_t i = 0; i < FAKE_ITEMS; i++) {
        vg_summary_add(&forth, &fake->records[i]);
        vg_summary_add(&back, &fake->records[FAKE_ITEMS - 1 - i]);
    }
    all = vg_summary_of(&forth, NULL, NULL, NULL, NULL, NULL);
    assert_int_equal(all.items, FAKE_ITEMS - 2);
    assert_int_equal(all.excluded, 2);
    assert_int_equal(all.verdicts[VG_CONFIRMED] + all.verdicts[VG_NO_CHANGE] + all.unmeasured,
                     FAKE_ITEMS - 2);
    part = vg_summary_of(&forth, "test", "echo", "low", "jump", "up");
    assert_int_equal(part.items, 2);
    assert_int_equal(all.duration_us, vg_summary_of(&back, NULL, NULL, NULL, NULL, NULL).duration_us);
    assert_int_equal(vg_summary_of(&forth, "none", NULL, NULL, NULL, NULL).items, 0);
    vg_summary_release(&forth);
    vg_summary_release(&back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parse_gives_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parameters_are_all_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(not_a_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(altered_lines_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_fields_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(metadata_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(labels_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_are_square, set_up, tear_down),
        cmocka_unit_test_setup_teardown(opposites_stay_together_and_the_rest_is_shuffled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(summary_counts, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
