/* SPDX-License-Identifier: MIT */
/* Selection tables: the published ones load as they are; every fault of a row is pinned as table:line with
 * exit code 4; ids map to files as each corpus lays them out. */
#include "fixture_spec.h"

#include <sys/stat.h>

#include "dsp.h"

enum { RATE_HZ = 16000, FRAMES = 16000 };

/* A second: silence, a tone from 0.4 s to 0.7 s, silence. */
static char *clip(struct fixture *f, const char *name)
{
    double *x = vg_arena_take_zero(&f->arena, FRAMES, sizeof *x);
    char *path = fixture_path(f, name);

    assert_int_equal(vg_folder_make(vg_path_folder(&f->arena, path), &f->err), VG_OK);
    for (size_t k = 6400; k < 11200; k++)
        x[k] = 0.5 * vg_sin(0.3 * (double)(k - 6400));
    return fixture_sound(f, name, SF_FORMAT_WAV | SF_FORMAT_PCM_16, RATE_HZ, 1, x, FRAMES);
}

static void put_table(struct fixture *f, const char *name, const char *text)
{
    fixture_put(f, name, text, strlen(text));
}

static const char plain[] = "{kind: table, table: t.csv}";

/* ---- loading ------------------------------------------------------------------------------------------ */

static void columns_are_found_by_name(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;
    const struct vg_source *s;

    put_table(
        f, "t.csv",
        "\xEF\xBB\xBFtext,offset_sec,clip_id,ignored,onset_sec,source_item_id,audio_path,speaker_id,gender,"
        "locale,sentence_id\r\n"
        "\"He said \"\"yes\"\", twice\",0.7,clip:1/a,x,0.4,one,a.wav,s1,female,en,007\r\n"
        ",,clip2,,,two,a.wav,,,,\r\n");
    assert_int_equal(
        fixture_list(f, "{kind: table, table: t.csv, licence: CC0-1.0, corpus: Toy 1}", NULL, &spec, &list),
        VG_OK);
    assert_int_equal(list.count, 2);
    s = &list.at[0];
    assert_string_equal(s->id, "one");
    assert_string_equal(s->clip_id, "clip:1/a");
    assert_string_equal(s->text, "He said \"yes\", twice");
    assert_string_equal(s->speaker_id, "s1");
    assert_string_equal(s->sentence_id, "007");
    assert_string_equal(s->gender, "female");
    assert_string_equal(s->locale, "en");
    assert_string_equal(s->licence, "CC0-1.0");
    assert_string_equal(s->corpus, "Toy 1");
    assert_string_equal(s->place, fixture_path(f, "t.csv:2"));
    assert_true(s->has_span && s->onset_sec == 0.4 && s->offset_sec == 0.7);
    assert_false(list.at[1].has_span);
    assert_string_equal(list.at[1].text, "");
}

static void tsv_has_no_quotes(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    put_table(f, "t.tsv", "item_id\tclip_id\ttext\n1\ta\t\"Kdo to\n2\tb\tsaid \"\"so\"\"\n");
    assert_int_equal(fixture_list(f, "{kind: table, table: t.tsv}", NULL, &spec, &list), VG_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.at[0].text, "\"Kdo to");
    assert_string_equal(list.at[1].text, "said \"\"so\"\"");
}

static void a_spec_can_name_its_columns(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    put_table(f, "t.csv", "ID,wav,words\nu1,a.wav,hello\n");
    assert_int_equal(fixture_list(f,
                                  "{kind: table, table: t.csv, id_column: ID,\n"
                                  " columns: {clip_id: ID, audio_path: wav, text: words}}",
                                  NULL, &spec, &list),
                     VG_OK);
    assert_string_equal(list.at[0].id, "u1");
    assert_string_equal(list.at[0].clip_id, "u1");
    assert_string_equal(list.at[0].text, "hello");
    assert_int_equal(
        fixture_list(f, "{kind: table, table: t.csv, id_column: ID, columns: {clip_id: ID, text: wrods}}",
                     NULL, &spec, &list),
        VG_SPEC);
    expect_fault(f, VG_SPEC, vg_arena_format(&f->arena, "%s/spec.yaml:19:73", f->folder),
                 "has no column \"wrods\"", "did you mean \"words\"?");
}

static void rows_are_chosen_by_id_and_number(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    put_table(f, "t.csv", "item_id,clip_id\nd,1\nb,2\nc,3\na,4\n");
    assert_int_equal(
        fixture_list(f, "{kind: table, table: t.csv, ids: [a, b, d], limit: 2}", NULL, &spec, &list), VG_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.at[0].id, "d"); /* the table's order stands */
    assert_string_equal(list.at[1].id, "b");
    assert_int_equal(fixture_list(f, "{kind: table, table: t.csv, limit: 3}", NULL, &spec, &list), VG_OK);
    assert_int_equal(list.count, 3);
    put_table(f, "t.csv", "item_id,clip_id\nspeaker1,1\n");
    assert_int_equal(fixture_list(f, "{kind: table, table: t.csv, ids: [speeker1]}", NULL, &spec, &list),
                     VG_SPEC);
    expect_fault(f, VG_SPEC, vg_arena_format(&f->arena, "%s/spec.yaml:19:35", f->folder),
                 "has no source \"speeker1\"", "did you mean \"speaker1\"?");
}

/* ---- faults ------------------------------------------------------------------------------------------- */

static void every_fault_of_a_row_is_pinned(void **state)
{
    static const struct {
        const char *table;
        unsigned line;
        const char *part, *other;
    } cases[] = {
        {"item_idd,clip_id\n1,a\n", 1, "no column test_item_id or train_item_id", "nearest is \"item_idd\""},
        {"item_id,clipid\n1,a\n", 1, "no column clip_id", "nearest is \"clipid\""},
        {"item_id,clip_id\n1,a\n,b\n", 3, "the source id is empty", ""},
        {"item_id,clip_id\n1,\n", 2, "the clip id is empty", ""},
        {"item_id,clip_id\n1,a\n2,b\n1,c\n", 4, "\"1\" stands already on line 2", "unique"},
        {"item_id,clip_id\n\"1\n2\",a\n", 2, "control character (byte 0x0a at 2)", "source id"},
        {"item_id,clip_id\n1,\"a\tb\"\n", 2, "control character (byte 0x09 at 2)", "clip id"},
        {"item_id,clip_id\n\" 1\",a\n", 2, "begins or ends with a space", ""},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,2,1\n", 2, "onset_sec 2 is after offset_sec 1", ""},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,-1,1\n", 2, "onset_sec is -1", "0 or more"},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,0,1s\n", 2, "offset_sec is \"1s\"", "decimal number"},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,nan,1\n", 2, "onset_sec is \"nan\"", "decimal number"},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,0,inf\n", 2, "offset_sec is \"inf\"", "decimal number"},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,0,1e400\n", 2, "offset_sec is", "seconds"},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,\"0,5\",1\n", 2, "onset_sec is \"0,5\"",
         "decimal number"},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,0.5,\n", 2, "has an onset_sec and no offset_sec", ""},
        {"item_id,clip_id,onset_sec,offset_sec\n1,a,,0.5\n", 2, "has an offset_sec and no onset_sec", ""},
        {"item_id,clip_id,duration_sec\n1,a,-3\n", 2, "duration_sec is -3", "0 or more"},
        {"item_id,clip_id\n1,a,b\n", 2, "3 fields", "2 columns"},
        {"item_id,clip_id\n1\n", 2, "1 field", "2 columns"},
        {"item_id,clip_id\n1,\"a\n", 2, "never closed", ""},
        {"item_id,clip_id,clip_id\n1,a,b\n", 1, "named twice", ""},
        {"item_id,clip_id\n1,\xff\n", 2, "not UTF-8", ""},
        {"", 1, "empty", "header"},
    };
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_table(f, "t.csv", cases[i].table);
        if (fixture_list(f, plain, NULL, &spec, &list) != VG_SOURCE)
            fail_msg("accepted: %s", cases[i].table);
        assert_int_equal(f->err.count, 1);
        expect_fault(f, VG_SOURCE, vg_arena_format(&f->arena, "%s/t.csv:%u", f->folder, cases[i].line),
                     cases[i].part, cases[i].other);
    }
}

static void a_nul_is_found(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    fixture_put(f, "t.csv", "item_id,clip_id\n1,a\n2\0,b\n", 24);
    assert_int_equal(fixture_list(f, plain, NULL, &spec, &list), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:3"), "NUL", "");
}

static void all_faults_come_in_one_run(void **state)
{
    static const char *const sentences[] = {
        "the clip id is empty; onset_sec is \"x\"; expected seconds as a decimal number; offset_sec is "
        "\"y\"; "
        "expected seconds as a decimal number",
        "onset_sec 3 is after offset_sec 2; source id \"1\" stands already on line 2; ids must be unique",
        "the source id is empty",
    };
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    put_table(f, "t.csv", "item_id,clip_id,onset_sec,offset_sec\n1,,x,y\n1,b,3,2\n,c,0,0\n");
    assert_int_equal(fixture_list(f, plain, NULL, &spec, &list), VG_SOURCE);
    assert_int_equal(f->err.count, 3); /* one a row, which says all that is wrong with it */
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(f->err.issues[i].sentence, sentences[i]);
        assert_string_equal(f->err.issues[i].place,
                            vg_arena_format(&f->arena, "%s/t.csv:%zu", f->folder, i + 2));
    }
}

static void a_table_without_rows_or_without_file(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    put_table(f, "t.csv", "item_id,clip_id\n");
    assert_int_equal(fixture_list(f, plain, NULL, &spec, &list), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv"), "no rows", "");
    assert_int_equal(fixture_list(f, "{kind: table, table: gone.csv}", NULL, &spec, &list), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "gone.csv"), "cannot open", "");
}

/* ---- sound -------------------------------------------------------------------------------------------- */

static void the_span_is_the_tables_or_the_detectors(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;
    struct vg_loaded loaded;

    clip(f, "a.wav");
    put_table(f, "t.csv",
              "item_id,clip_id,audio_path,onset_sec,offset_sec,duration_sec\n"
              "1,a,a.wav,0.1,0.9,1\n2,b,a.wav,,,1\n3,c,a.wav,0.5,1.000001,1\n"
              "4,d,a.wav,1.5,1.6,1\n5,e,a.wav,0.5,1.0000004,1.2\n");
    assert_int_equal(fixture_list(f, plain, NULL, &spec, &list), VG_OK);
    assert_int_equal(vg_source_load(&spec, &list.at[0], &loaded, &f->arena, &f->err), VG_OK);
    assert_int_equal(loaded.span.on, 1600);
    assert_int_equal(loaded.span.off, 14400);
    assert_false(loaded.facts.detected);
    assert_true(loaded.facts.span_found);
    assert_string_equal(loaded.facts.note, "");
    assert_int_equal(vg_source_load(&spec, &list.at[1], &loaded, &f->arena, &f->err), VG_OK);
    assert_true(loaded.facts.detected && loaded.facts.span_found);
    assert_true(loaded.facts.onset_sec == 0.4 && loaded.facts.offset_sec == 0.71);
    assert_int_equal(vg_source_load(&spec, &list.at[2], &loaded, &f->arena, &f->err), VG_OK);
    assert_string_equal(loaded.facts.note, "the span ends at 1.000001 s, the clip at 1.000000 s");
    assert_int_equal(loaded.span.off, FRAMES);
    assert_int_equal(vg_source_load(&spec, &list.at[3], &loaded, &f->arena, &f->err), VG_OK);
    assert_false(loaded.facts.span_found);
    assert_non_null(strstr(loaded.facts.note, "the whole clip is taken"));
    assert_int_equal(loaded.span.off - loaded.span.on, FRAMES);
    assert_int_equal(vg_source_load(&spec, &list.at[4], &loaded, &f->arena, &f->err), VG_OK);
    assert_string_equal(loaded.facts.note, "the table says 1.200000 s, the recording has 1.000000 s");
}

static void silence_takes_the_whole_clip(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;
    struct vg_loaded loaded;
    double *x = vg_arena_take_zero(&f->arena, FRAMES, sizeof *x);

    fixture_sound(f, "z.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, RATE_HZ, 1, x, FRAMES);
    put_table(f, "t.csv", "item_id,clip_id,audio_path\n1,a,z.wav\n");
    assert_int_equal(fixture_list(f, plain, NULL, &spec, &list), VG_OK);
    assert_int_equal(vg_source_load(&spec, &list.at[0], &loaded, &f->arena, &f->err), VG_OK);
    assert_true(loaded.facts.detected);
    assert_false(loaded.facts.span_found);
    assert_int_equal(loaded.span.off, FRAMES);
    assert_string_equal(loaded.facts.note, "no speech detected, the whole clip is taken");
}

static void bad_sound_names_its_row(void **state)
{
    static const struct {
        const char *path, *part, *other;
    } cases[] = {
        {"gone.wav", "cannot open", "gone.wav"},
        {"page.mp3", "page.mp3: is a web page", ""},
        {"", "no audio path", "layout"},
    };
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;
    struct vg_loaded loaded;

    put_table(f, "page.mp3", "<html>403</html>");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_table(f, "t.csv",
                  vg_arena_format(&f->arena, "item_id,clip_id,audio_path\n1,a,%s\n", cases[i].path));
        assert_int_equal(fixture_list(f, plain, NULL, &spec, &list), VG_OK);
        assert_int_equal(vg_source_load(&spec, &list.at[0], &loaded, &f->arena, &f->err), VG_SOURCE);
        expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:2"), cases[i].part, cases[i].other);
    }
}

static void a_path_stays_below_the_root(void **state)
{
    static const char *const paths[] = {"../a.wav", "b/../../a.wav", "/etc/hostname", ".."};
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        put_table(f, "t.csv", vg_arena_format(&f->arena, "item_id,clip_id,audio_path\n1,a,%s\n", paths[i]));
        assert_int_equal(fixture_list(f, plain, NULL, &spec, &list), VG_SOURCE);
        expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:2"), "leads out of the root", paths[i]);
    }
}

static void roots_join(void **state)
{
    static const struct {
        const char *entry, *outer;
    } cases[] = {
        {"{kind: table, table: t.csv, root: corpus/en}", NULL},
        {"{kind: table, table: t.csv, root: en}", "corpus"},
        {"{kind: table, table: t.csv}", "corpus/en"},
        {"{kind: table, table: corpus/en/t.csv}", NULL},
    };
    struct fixture *f = *state;

    clip(f, "corpus/en/a.wav");
    put_table(f, "t.csv", "item_id,clip_id,audio_path\n1,a,a.wav\n");
    put_table(f, "corpus/en/t.csv", "item_id,clip_id,audio_path\n1,a,a.wav\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *outer = cases[i].outer != NULL ? fixture_path(f, cases[i].outer) : NULL;
        struct vg_spec spec;
        struct vg_source_list list;
        struct vg_loaded loaded;

        assert_int_equal(fixture_list(f, cases[i].entry, outer, &spec, &list), VG_OK);
        if (vg_source_load(&spec, &list.at[0], &loaded, &f->arena, &f->err) != VG_OK)
            fail_msg("%s: %s", cases[i].entry, f->err.issues[0].sentence);
    }
}

static void an_absolute_path_below_the_root_is_fine(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list;
    struct vg_loaded loaded;

    put_table(f, "t.csv",
              vg_arena_format(&f->arena, "item_id,clip_id,audio_path\n1,a,%s\n", clip(f, "a.wav")));
    assert_int_equal(fixture_list(f, plain, NULL, &spec, &list), VG_OK);
    assert_int_equal(vg_source_load(&spec, &list.at[0], &loaded, &f->arena, &f->err), VG_OK);
}

/* ---- layouts ------------------------------------------------------------------------------------------ */

static int load_first(struct fixture *f, const char *layout, const char *table)
{
    struct vg_spec spec;
    struct vg_source_list list;
    struct vg_loaded loaded;

    put_table(f, "t.csv", table);
    assert_int_equal(
        fixture_list(f, vg_arena_format(&f->arena, "{kind: table, table: t.csv, layout: %s}", layout), NULL,
                     &spec, &list),
        VG_OK);
    return vg_source_load(&spec, &list.at[0], &loaded, &f->arena, &f->err);
}

static void vctk(void **state)
{
    struct fixture *f = *state;
    char *row = fixture_path(f, "t.csv:2");

    clip(f, "wav48_silence_trimmed/p226/p226_106_mic1.flac");
    clip(f, "wav48/p226/p226_161.wav");
    assert_int_equal(load_first(f, "vctk-0.92", "test_item_id,clip_id\np226_01,p226_106\n"), VG_OK);
    assert_int_equal(load_first(f, "vctk-0.80", "test_item_id,clip_id\np226_02,p226_161\n"), VG_OK);
    assert_int_equal(load_first(f, "vctk-0.92", "test_item_id,clip_id\np226_02,p226_161\n"), VG_SOURCE);
    expect_fault(f, VG_SOURCE, row, "cannot open", "p226_161_mic1.flac");
    assert_int_equal(load_first(f, "vctk-0.92", "test_item_id,clip_id\nx,../p226_1\n"), VG_SOURCE);
    expect_fault(f, VG_SOURCE, row, "does not fit layout vctk-0.92", "pNNN_NNN");
}

static void loquacious(void **state)
{
    static const char table[] = "test_item_id,clip_id,source_split\n1,20180315-EN_15:20:37_8,test\n";
    struct fixture *f = *state;
    char *row = fixture_path(f, "t.csv:2");

    clip(f, "test/audio/20180315-EN_15_20_37_8.flac");
    assert_int_equal(load_first(f, "loquacious", table), VG_OK);
    assert_int_equal(load_first(f, "loquacious", "item_id,clip_id\n1,20180315-EN_15:20:37_8\n"), VG_OK);
    clip(f, "test/audio/20180315-EN_15_20_37_8.wav");
    assert_int_equal(load_first(f, "loquacious", table), VG_SOURCE);
    expect_fault(f, VG_SOURCE, row, "is ambiguous", "");
    assert_int_equal(load_first(f, "loquacious", "item_id,clip_id\n1,nowhere\n"), VG_SOURCE);
    expect_fault(f, VG_SOURCE, row, "\"nowhere\" is not at", "`root`");
    assert_int_equal(load_first(f, "loquacious", "item_id,clip_id,source_split\n1,a,tset\n"), VG_SOURCE);
    expect_fault(f, VG_SOURCE, row, "split \"tset\"", "test, dev, train");
}

static void spontaneous_speech(void **state)
{
    static const char table[] = "item_id,clip_id\n1,spontaneous-speech-kbd-47306\n";
    struct fixture *f = *state;
    char *row = fixture_path(f, "t.csv:2");

    assert_int_equal(load_first(f, "commonvoice-spontaneous", table), VG_SOURCE);
    expect_fault(f, VG_SOURCE, row, "no folder sps-corpus-*-kbd", "`root`");
    clip(f, "sps-corpus-4.0-2026-06-12-kbd/audios/spontaneous-speech-kbd-47306.mp3");
    clip(f, "sps-corpus-4.0-2026-06-12-xkbd/audios/spontaneous-speech-xkbd-1.mp3");
    assert_int_equal(load_first(f, "commonvoice-spontaneous", table), VG_OK);
    assert_int_equal(vg_folder_make(fixture_path(f, "sps-corpus-3.0-2026-03-01-kbd"), &f->err), VG_OK);
    assert_int_equal(load_first(f, "commonvoice-spontaneous", table), VG_SOURCE);
    expect_fault(f, VG_SOURCE, row, "hold this locale", "sps-corpus-3.0");
    assert_int_equal(load_first(f, "commonvoice-spontaneous", "item_id,clip_id\n1,speech-kbd-1\n"),
                     VG_SOURCE);
    expect_fault(f, VG_SOURCE, row, "does not fit layout", "spontaneous-speech-<locale>-<number>");
}

/* ---- the published tables ----------------------------------------------------------------------------- */

static void the_published_selections_load_as_they_are(void **state)
{
    static const struct {
        const char *name, *id, *clip_id;
        size_t count;
        double onset_sec, offset_sec;
    } cases[] = {
        {"vctk-test.csv", "p226_01", "p226_106", 100, 1.66, 4.29},
        {"vctk-train.csv", "p225_01", "p225_063", 500, 1.35, 3.04},
        {"loquacious-test.csv", "loquaciousset_test_0001", "20180315-0900-PLENARY-16-en_20180315-15:20:37_8",
         100, 0.5, 3.42},
        {"commonvoice-spontaneous-test.csv", "cvss_test_0003", "spontaneous-speech-cdo-1153", 100, 0.77,
         26.04},
    };
    struct fixture *f = *state;
    const char *shared = fixture_shared(f);

    if (shared == NULL)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *entry =
            vg_arena_format(&f->arena, "{kind: table, table: %s/selection/%s}", shared, cases[i].name);
        struct vg_spec spec;
        struct vg_source_list list;
        const struct vg_source *source;

        assert_int_equal(fixture_list(f, entry, NULL, &spec, &list), VG_OK);
        assert_int_equal(list.count, cases[i].count);
        source = fixture_find(&list, cases[i].id);
        assert_string_equal(source->clip_id, cases[i].clip_id);
        assert_true(source->has_span);
        assert_true(source->onset_sec == cases[i].onset_sec && source->offset_sec == cases[i].offset_sec);
    }
}

static void the_reference_sources_load_with_their_sound(void **state)
{
    static const char *const names[] = {"sources_beep.csv", "sources_speech.csv"};
    struct fixture *f = *state;
    const char *shared = fixture_shared(f);

    if (shared == NULL)
        skip();
    for (size_t i = 0; i < 2; i++) {
        char *entry = vg_arena_format(&f->arena, "{kind: table, table: %s/reference/%s}", shared, names[i]);
        struct vg_spec spec;
        struct vg_source_list list;

        assert_int_equal(fixture_list(f, entry, NULL, &spec, &list), VG_OK);
        assert_int_equal(list.count, i == 0 ? 2 : 3);
        for (size_t k = 0; k < list.count; k++) {
            struct vg_loaded loaded;

            assert_int_equal(vg_source_load(&spec, &list.at[k], &loaded, &f->arena, &f->err), VG_OK);
            if (strncmp(loaded.facts.note, "holds nothing above ", 20) != 0) /* the beeps do */
                assert_string_equal(loaded.facts.note, "");
            assert_true(loaded.facts.span_found);
            assert_true(loaded.span.off > loaded.span.on);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns_are_found_by_name, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(tsv_has_no_quotes, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_spec_can_name_its_columns, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(rows_are_chosen_by_id_and_number, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_fault_of_a_row_is_pinned, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_nul_is_found, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(all_faults_come_in_one_run, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_table_without_rows_or_without_file, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_span_is_the_tables_or_the_detectors, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(silence_takes_the_whole_clip, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(bad_sound_names_its_row, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_path_stays_below_the_root, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(roots_join, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_absolute_path_below_the_root_is_fine, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(vctk, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(loquacious, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(spontaneous_speech, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_published_selections_load_as_they_are, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(the_reference_sources_load_with_their_sound, fixture_open,
                                        fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
