/* SPDX-License-Identifier: MIT */
/* Selection by rule, on tables made up for each rule; hearing is made up too, so that no sound is needed. */
#include "fixture_spec.h"

#include "corpus.h"
#include "select.h"

static void put(struct fixture *f, const char *name, const char *text)
{
    fixture_put(f, name, text, strlen(text));
}

/* A row of a made-up table: id, speaker, gender, accent, tags, text. */
static void put_rows(struct fixture *f, const char *rows)
{
    put(f, "t.csv",
        vg_arena_format(&f->arena, "file_name,speaker_id,gender,accent,quality_tags,text\n%s", rows));
}

/* `speakers` speakers with `clips` clips each, women and men by turns, all with words of their own. */
static void put_speakers(struct fixture *f, size_t speakers, size_t clips)
{
    struct vg_text rows = {0};

    for (size_t s = 0; s < speakers; s++)
        for (size_t c = 0; c < clips; c++)
            vg_text_addf(&rows, "s%02zu_%zu.wav,s%02zu,%s,%s,,words %zu of %zu\n", s, c, s, s % 2 ? "F" : "M",
                         s % 3 == 0 ? "north" : "south", c, s);
    put_rows(f, rows.data);
    vg_text_release(&rows);
}

static struct vg_spec spec;

static int open_choice(struct fixture *f, const char *rules, struct vg_choice **choice)
{
    char *entry = vg_arena_format(&f->arena, "{kind: generic, table: t.csv, select: {%s}}", rules);

    if (fixture_spec(f, entry, f->folder, &spec) != VG_OK)
        fail_msg("%s: %s", rules, f->err.issues[0].sentence);
    return vg_choice_open(choice, &spec, &f->arena, &f->err);
}

/* Two seconds of which the second is speech; `bad` sources cannot be read. */
static void hear_all(struct vg_choice *choice, const char *bad)
{
    struct vg_loaded sound = {.clip = {.frames = 32000, .rate_hz = 16000}, .span = {16000, 32000}};
    const size_t *unheard;
    size_t count;

    sound.facts = (struct vg_source_facts){.rate_hz = 16000,
                                           .frames = 32000,
                                           .onset_sec = 1,
                                           .offset_sec = 2,
                                           .detected = true,
                                           .span_found = true,
                                           .decoder = "ear",
                                           .note = ""};
    while ((count = vg_choice_pick(choice, &unheard)) > 0)
        for (size_t i = 0; i < count; i++) {
            bool is_bad = bad != NULL && strstr(bad, vg_choice_source(choice, unheard[i])->id) != NULL;

            vg_choice_hear(choice, unheard[i], is_bad ? NULL : &sound, "is broken");
        }
}

static struct vg_choice *choose(struct fixture *f, const char *rules, const char *bad)
{
    struct vg_choice *choice;

    if (open_choice(f, rules, &choice) != VG_OK)
        fail_msg("%s: %s", rules, f->err.issues[0].sentence);
    hear_all(choice, bad);
    return choice;
}

static size_t count_trait(const struct vg_choice *choice, enum vg_trait trait, const char *value)
{
    size_t count = 0;

    for (size_t i = 0; i < choice->pick_count; i++)
        count += strcmp(vg_trait_of(&choice->at[choice->picks[i]], trait), value) == 0;
    return count;
}

static bool is_picked(const struct vg_choice *choice, const char *id)
{
    for (size_t i = 0; i < choice->pick_count; i++)
        if (strcmp(choice->at[choice->picks[i]].source->id, id) == 0)
            return true;
    return false;
}

static const char *reason(const struct vg_choice *choice, const char *id)
{
    for (size_t i = 0; i < choice->list.count; i++)
        if (strcmp(choice->at[i].source->id, id) == 0)
            return choice->at[i].out != NULL ? choice->at[i].out : "";
    fail_msg("no clip %s", id);
    return NULL;
}

static char *table_of(struct fixture *f, struct vg_choice *choice)
{
    struct vg_text table = {0}, report = {0};
    char *kept;

    if (vg_choice_write(choice, &table, &report, &f->err) != VG_OK)
        fail_msg("%s", f->err.issues[0].sentence);
    kept = vg_arena_text(&f->arena, table.data);
    vg_text_release(&table);
    vg_text_release(&report);
    return kept;
}

/* ---- evenness ------------------------------------------------------------------------------------- */

static void speakers_share_evenly(void **state)
{
    struct fixture *f = *state;
    struct vg_choice *choice;

    put_speakers(f, 12, 5);
    choice = choose(f, "count: 24", NULL);
    for (size_t s = 0; s < 12; s++)
        assert_int_equal(count_trait(choice, VG_TRAIT_SPEAKER, vg_arena_format(&f->arena, "s%02zu", s)), 2);
    choice = choose(f, "count: 22, speakers: 6", NULL); /* 3 or 4 each */
    for (size_t s = 0, chosen = 0; s < 12; s++) {
        size_t clips = count_trait(choice, VG_TRAIT_SPEAKER, vg_arena_format(&f->arena, "s%02zu", s));

        chosen += clips > 0;
        assert_true(clips == 0 || clips == 3 || clips == 4);
        assert_true(s < 11 || chosen == 6);
    }
    choice = choose(f, "count: 100, clips_per_speaker: 3", NULL);
    assert_int_equal(choice->pick_count, 36);
}

static void traits_are_balanced_in_their_order(void **state)
{
    struct fixture *f = *state;
    struct vg_choice *choice;

    put_speakers(f, 12, 5); /* north: 0 3 6 9, of whom 3 and 9 are women */
    choice = choose(f, "count: 8, speakers: 8, balance: [accent, gender]", NULL);
    assert_int_equal(count_trait(choice, VG_TRAIT_ACCENT, "north"), 4);
    assert_int_equal(count_trait(choice, VG_TRAIT_GENDER, "F"), 4);
    put_rows(f, "a.wav,s1,F,,,\nb.wav,s2,F,,,\nc.wav,s3,F,,,\nd.wav,s4,M,,,\ne.wav,s5,,,,\n");
    choice = choose(f, "count: 4, balance: [gender]", NULL); /* as even as it goes */
    assert_int_equal(count_trait(choice, VG_TRAIT_GENDER, "F"), 3);
    assert_string_equal(reason(choice, "e"), "gender unknown");
    choice = choose(f, "count: 2, balance: [gender]", NULL);
    assert_int_equal(count_trait(choice, VG_TRAIT_GENDER, "M"), 1);
}

static void an_unknown_speaker_is_one_of_their_own(void **state)
{
    struct fixture *f = *state;
    struct vg_choice *choice;

    put_rows(f, "a.wav,,,,,\nb.wav,,,,,\nc.wav,s,,,,\nd.wav,s,,,,\n");
    choice = choose(f, "count: 4, clips_per_speaker: 1", NULL);
    assert_int_equal(choice->pick_count, 3);
    assert_true(is_picked(choice, "a") && is_picked(choice, "b"));
}

/* ---- rules about one clip ------------------------------------------------------------------------- */

static void clips_are_ruled_out_for_a_reason(void **state)
{
    struct fixture *f = *state;
    struct vg_choice *choice;

    put_rows(
        f,
        "ok.wav,s,F,x,,words\nman.wav,s,M,x,,words\naccent.wav,s,F,y,,words\ntag.wav,s,F,x,good|bad,words\n"
        "tags.wav,s,F,x,badly|good,words\nmute.wav,s,F,x,,[noise]\nid.wav,s,F,x,,words\n");
    choice = choose(f,
                    "count: 7, genders: [F], accents: [x], exclude_tags: [bad], text_required: true, "
                    "exclude_ids: [id]",
                    NULL);
    assert_int_equal(choice->pick_count, 2);
    assert_true(is_picked(choice, "ok") && is_picked(choice, "tags"));
    assert_string_equal(reason(choice, "man"), "gender not asked for");
    assert_string_equal(reason(choice, "accent"), "accent not asked for");
    assert_string_equal(reason(choice, "tag"), "quality tag excluded");
    assert_string_equal(reason(choice, "mute"), "no text");
    assert_string_equal(reason(choice, "id"), "id excluded");
}

static void texts_differ_where_they_must(void **state)
{
    struct fixture *f = *state;
    struct vg_choice *choice;

    put_rows(f, "a.wav,s1,,,,Yes!\nb.wav,s2,,,,yes\nc.wav,s3,,,,no\nd.wav,s4,,,,\ne.wav,s5,,,,\n");
    choice = choose(f, "count: 5, distinct_texts: true", NULL);
    assert_int_equal(choice->pick_count, 4); /* unknown words are not the same words */
    assert_true(is_picked(choice, "a") != is_picked(choice, "b"));
}

static void what_is_heard_decides(void **state)
{
    struct fixture *f = *state;
    struct vg_choice *choice;

    put_speakers(f, 4, 3);
    choice = choose(f, "count: 8, speakers: 4", "s00_0 s00_1 s01_2");
    assert_int_equal(choice->pick_count, 6); /* s00 has one clip left: too few to give two */
    choice = choose(f, "count: 8", "s00_0 s00_1 s01_2");
    assert_int_equal(choice->pick_count, 8);
    assert_int_equal(count_trait(choice, VG_TRAIT_SPEAKER, "s00"), 1);
    choice = choose(f, "count: 3, duration_min_sec: 2.5", NULL);
    assert_int_equal(choice->pick_count, 0);
    choice = choose(f, "count: 3, duration_max_sec: 1.5", NULL);
    assert_int_equal(choice->pick_count, 0);
    assert_string_equal(reason(choice, "s00_0"), "too long");
    choice = choose(f, "count: 3, speech_min_sec: 1.1", NULL);
    assert_int_equal(choice->pick_count, 0);
    assert_string_equal(reason(choice, "s00_0"), "too little speech");
    choice = choose(f, "count: 3, speech_min_sec: 1, duration_min_sec: 2, duration_max_sec: 2", NULL);
    assert_int_equal(choice->pick_count, 3);
}

static void too_few_are_refused(void **state)
{
    struct fixture *f = *state;
    struct vg_text table = {0}, report = {0};
    struct vg_choice *choice;

    put_speakers(f, 2, 2);
    choice = choose(f, "count: 6, speakers: 3", "s00_0");
    assert_int_equal(vg_choice_write(choice, &table, &report, &f->err), VG_SOURCE);
    assert_non_null(strstr(f->err.issues[0].sentence, "2 clips of 1 speakers that fit"));
    assert_non_null(strstr(f->err.issues[0].sentence, "6 clips of 3 speakers are asked for"));
    assert_non_null(strstr(f->err.issues[0].place, "spec.yaml:19:"));
    assert_int_equal(table.length, 0);
    assert_non_null(strstr(report.data, "s00_0: is broken"));
    vg_text_release(&report);
}

/* ---- other selections ----------------------------------------------------------------------------- */

static void selections_are_kept_apart(void **state)
{
    struct fixture *f = *state;
    struct vg_choice *choice;

    put_rows(f, "a.wav,s1,,,,one\nb.wav,s1,,,,two\nc.wav,s2,,,,One.\nd.wav,s3,,,,three\ne.wav,,,,,four\n");
    put(f, "taken.csv", "item_id,clip_id\nx,a\n");
    choice = choose(f, "count: 5, speakers_not_in: [taken.csv]", NULL);
    assert_int_equal(choice->pick_count, 2);
    assert_string_equal(reason(choice, "b"), "speaker in another selection");
    assert_string_equal(reason(choice, "e"), "speaker unknown, who must not be in another selection");
    choice = choose(f, "count: 5, texts_not_in: [taken.csv]", NULL);
    assert_int_equal(choice->pick_count, 3);
    assert_string_equal(reason(choice, "c"), "words in another selection");
    put(f, "taken.csv", "clip_id,speaker_id,text\nelsewhere,s3,TWO\n");
    choice = choose(f, "count: 5, speakers_not_in: [taken.csv], texts_not_in: [taken.csv]", NULL);
    assert_string_equal(reason(choice, "d"), "speaker in another selection");
    assert_string_equal(reason(choice, "b"), "words in another selection");
    put(f, "taken.csv", "clip_id\nelsewhere\n");
    assert_int_equal(open_choice(f, "count: 1, texts_not_in: [taken.csv]", &choice), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "taken.csv:2"),
                 "has no text, and clip \"elsewhere\" is not in", "the corpus");
    assert_int_equal(open_choice(f, "count: 1, texts_not_in: [gone.csv]", &choice), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "gone.csv"), "cannot open", "");
}

/* ---- the same whatever the order ------------------------------------------------------------------ */

static void the_order_of_rows_does_not_show(void **state)
{
    static const char *const rules[] = {
        "count: 10",
        "count: 10, speakers: 4, balance: [gender, accent]",
        "count: 9, balance: [accent], distinct_texts: true, clips_per_speaker: 2",
    };
    static const char *const lines[] = {
        "a.wav,s1,F,x,,one\n",  "b.wav,s1,F,x,,two\n",  "c.wav,s2,M,y,,one\n",  "d.wav,s2,M,y,,six\n",
        "e.wav,s3,F,y,,two\n",  "f.wav,s3,F,y,,nine\n", "g.wav,s4,M,x,,ten\n",  "h.wav,s4,M,x,,four\n",
        "i.wav,s5,F,x,,on\n",   "j.wav,s5,F,x,,off\n",  "k.wav,s6,M,x,,up\n",   "l.wav,s6,M,x,,down\n",
        "m.wav,s1,F,x,,bell\n", "n.wav,s2,M,y,,book\n", "o.wav,s3,F,y,,leaf\n", "p.wav,s4,M,x,,corn\n",
    };
    enum { LINES = sizeof lines / sizeof *lines };
    struct fixture *f = *state;

    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        char *first = NULL;

        for (size_t turn = 1; turn < LINES; turn += 2) { /* odd: coprime with 16 */
            struct vg_text rows = {0};
            char *table;

            for (size_t i = 0; i < LINES; i++)
                vg_text_add(&rows, lines[(i * turn + r) % LINES]);
            put_rows(f, rows.data);
            vg_text_release(&rows);
            table = table_of(f, choose(f, rules[r], "b g"));
            if (first == NULL)
                first = table;
            assert_string_equal(table, first);
        }
    }
}

static void the_seed_draws(void **state)
{
    struct fixture *f = *state;
    char *one, *other;

    put_speakers(f, 8, 4);
    one = table_of(f, choose(f, "count: 4, seed: a", NULL));
    other = table_of(f, choose(f, "count: 4, seed: b", NULL));
    assert_string_not_equal(one, other);
    assert_string_equal(one, table_of(f, choose(f, "count: 4, seed: a", NULL)));
}

/* ---- the table ------------------------------------------------------------------------------------ */

static void the_table_is_read_back(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;
    struct vg_spec frozen;
    char *table;

    put_rows(f, "x/a.wav,s1,F,north,good,\"Well, \"\"yes\"\"\"\nb.wav,s1,F,,,null\nc.wav,s2,M,,,007\n");
    table = table_of(f, choose(f, "count: 3, id: \"{speaker}_{k:02}\"", NULL));
    put(f, "frozen.csv", table);
    assert_int_equal(fixture_list(f, "{kind: table, table: frozen.csv}", f->folder, &frozen, &sources),
                     VG_OK);
    assert_int_equal(sources.count, 3);
    assert_string_equal(sources.at[0].id, "s1_01");
    assert_string_equal(sources.at[0].clip_id, "b");
    assert_string_equal(sources.at[0].text, "null");
    assert_string_equal(sources.at[2].id, "s1_02");
    assert_string_equal(sources.at[2].text, "Well, \"yes\"");
    assert_string_equal(sources.at[1].id, "s2_01");
    assert_string_equal(sources.at[1].text, "007");
    assert_true(sources.at[1].has_span && sources.at[1].onset_sec == 1 && sources.at[1].offset_sec == 2);
    assert_string_equal(sources.at[1].pin.decoder, "ear");
    assert_string_equal(((const struct vg_row *)sources.at[2].detail)->path, "x/a.wav");
    assert_string_equal(((const struct vg_row *)sources.at[2].detail)->accent, "north");
    assert_string_equal(((const struct vg_row *)sources.at[2].detail)->tags, "good");
}

static void ids_must_differ(void **state)
{
    struct fixture *f = *state;
    struct vg_text table = {0}, report = {0};
    struct vg_choice *choice;

    put_speakers(f, 2, 2);
    choice = choose(f, "count: 4, id: \"{speaker}\"", NULL);
    assert_int_equal(vg_choice_write(choice, &table, &report, &f->err), VG_SPEC);
    expect_fault(f, VG_SPEC, f->err.issues[0].place, "two clips get the id s00", "put {clip} or {n} into it");
    vg_text_release(&table);
    vg_text_release(&report);
}

/* ---- the rules' own faults ------------------------------------------------------------------------ */

static void bad_rules_are_told(void **state)
{
    static const struct {
        const char *entry, *part;
    } cases[] = {
        {"{kind: generic, select: {}}", "has no count"},
        {"{kind: generic, select: {count: 0}}", "count is 0"},
        {"{kind: generic, select: {count: 2, balance: [sex]}}", "expected"},
        {"{kind: generic, select: {count: 2, ballance: [gender]}}", "did you mean balance"},
        {"{kind: generic, select: {count: 2, speakers: 3}}", "speakers is more than count"},
        {"{kind: generic, select: {count: 2, id: \"{x}\"}}", "unknown placeholder {x}"},
        {"{kind: generic, sample_rate_hz: 16000, select: {count: 2}}", "sample_rate_hz beside select"},
        {"{kind: tone, select: {count: 2}}", "unknown key select"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool found = false;

        if (fixture_spec(f, cases[i].entry, f->folder, &spec) != VG_SPEC)
            fail_msg("accepted: %s", cases[i].entry);
        for (size_t k = 0; k < f->err.count; k++)
            found = found || strstr(f->err.issues[k].sentence, cases[i].part) != NULL;
        if (!found)
            fail_msg("%s: expected \"%s\", found: %s", cases[i].entry, cases[i].part,
                     f->err.issues[0].sentence);
        vg_error_release(&f->err);
    }
}

static void one_entry_has_the_rules(void **state)
{
    struct fixture *f = *state;
    struct vg_choice *choice;

    put_speakers(f, 2, 2);
    assert_int_equal(fixture_spec(f, "{kind: generic, table: t.csv}", f->folder, &spec), VG_OK);
    assert_false(vg_choice_is_asked(&spec));
    assert_int_equal(vg_choice_open(&choice, &spec, &f->arena, &f->err), VG_SPEC);
    expect_fault(f, VG_SPEC, spec.path, "no source has rules to select by", "");
    assert_int_equal(fixture_spec(f,
                                  "{kind: generic, table: t.csv, select: {count: 1}},\n"
                                  "{kind: generic, table: t.csv, select: {count: 1}}",
                                  f->folder, &spec),
                     VG_OK);
    assert_true(vg_choice_is_asked(&spec));
    assert_int_equal(vg_choice_open(&choice, &spec, &f->arena, &f->err), VG_SPEC);
    expect_fault(f, VG_SPEC, f->err.issues[0].place, "a second entry with rules", "--only split=NAME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(speakers_share_evenly, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(traits_are_balanced_in_their_order, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_unknown_speaker_is_one_of_their_own, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(clips_are_ruled_out_for_a_reason, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(texts_differ_where_they_must, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_is_heard_decides, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(too_few_are_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(selections_are_kept_apart, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_order_of_rows_does_not_show, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_seed_draws, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_table_is_read_back, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(ids_must_differ, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(bad_rules_are_told, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(one_entry_has_the_rules, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
