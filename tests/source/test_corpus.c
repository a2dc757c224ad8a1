/* SPDX-License-Identifier: MIT */
/* What every reader makes of its corpus: columns by name, rows of one recording merged, order by id, every
 * fault with its place. */
#include "fixture_spec.h"

#include "corpus.h"

static char *put(struct fixture *f, const char *name, const char *text)
{
    char *path = fixture_path(f, name);

    assert_int_equal(vg_folder_make(vg_path_folder(&f->arena, path), &f->err), VG_OK);
    return fixture_put(f, name, text, strlen(text));
}

static const struct vg_row *row_of(const struct vg_source *source)
{
    return source->detail;
}

/* List the entry with the fixture's folder as root. */
static int list(struct fixture *f, const char *entry, struct vg_spec *spec, struct vg_source_list *sources)
{
    return fixture_list(f, entry, f->folder, spec, sources);
}

static void lists(struct fixture *f, const char *entry, struct vg_source_list *sources, size_t count)
{
    static struct vg_spec spec; /* sources point into it */

    if (list(f, entry, &spec, sources) != VG_OK)
        fail_msg("%s: %s: %s", entry, f->err.issues[0].place, f->err.issues[0].sentence);
    assert_int_equal(sources->count, count);
}

static void fails(struct fixture *f, const char *entry, int code, const char *place, const char *part)
{
    struct vg_source_list sources;
    struct vg_spec spec;

    if (list(f, entry, &spec, &sources) != code)
        fail_msg("%s did not fail with %d; expected: %s", entry, code, part);
    expect_fault(f, code,
                 code == VG_SPEC    ? f->err.issues[f->err.count - 1].place
                 : place[0] != '\0' ? fixture_path(f, place)
                                    : f->folder,
                 part, "");
}

/* ---- Common Voice --------------------------------------------------------------------------------- */

static const char two_clips[] = "locale\tpath\tclient_id\tsentence\taccent\textra\n"
                                "en\tb.mp3\ts2\t\"Lone quote\tscots\tx\n"
                                "en\ta\ts1\tHello, you\t\tx\n";

static void common_voice(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "cv-corpus-9.0-2022/en/validated.tsv", two_clips);
    put(f, "cv-corpus-9.0-2022/en/clip_durations.tsv", "clip\tduration[ms]\na.mp3\t1500\nb.mp3\tnan\n");
    lists(f, "{kind: commonvoice}", &sources, 2);
    assert_string_equal(sources.at[0].id, "a");
    assert_string_equal(sources.at[0].speaker_id, "s1");
    assert_string_equal(sources.at[0].corpus, "Common Voice 9.0-2022");
    assert_string_equal(sources.at[0].licence, "CC0-1.0");
    assert_string_equal(row_of(&sources.at[0])->path, "cv-corpus-9.0-2022/en/clips/a.mp3");
    assert_true(row_of(&sources.at[0])->duration_sec == 1.5);
    assert_string_equal(sources.at[1].text, "\"Lone quote");
    assert_string_equal(row_of(&sources.at[1])->accent, "scots");
    assert_true(row_of(&sources.at[1])->duration_sec < 0);
    assert_int_equal(row_of(&sources.at[1])->rank, 2);
    lists(f, "{kind: commonvoice, root: cv-corpus-9.0-2022, licence: X, corpus: Y}", &sources, 2);
    assert_string_equal(sources.at[0].corpus, "Y");
    assert_string_equal(sources.at[0].licence, "X");
    fails(f, "{kind: commonvoice, table: test}", VG_SOURCE, "", "holds no LOCALE/test.tsv");
    fails(f, "{kind: commonvoice, locales: [fr]}", VG_SPEC, "", "LOCALE/validated.tsv for locale fr");
    fails(f, "{kind: commonvoice, root: gone}", VG_SOURCE, "gone", "cannot open the folder");
    put(f, "cv-corpus-8.0-2022/en/validated.tsv", two_clips);
    fails(f, "{kind: commonvoice}", VG_SOURCE, "",
          "both cv-corpus-8.0-2022/en and cv-corpus-9.0-2022/en hold");
}

static void common_voice_faults(void **state)
{
    struct fixture *f = *state;

    put(f, "en/validated.tsv", "client_id\tpath\tsentence\tlocale\ns\ta.mp3\tx\tfr\n");
    fails(f, "{kind: commonvoice}", VG_SOURCE, "en/validated.tsv:2", "locale is \"fr\" in the folder of en");
    put(f, "en/validated.tsv", "client_id\tpath\tsentences\n1\t2\t3\n");
    fails(f, "{kind: commonvoice}", VG_SOURCE, "en/validated.tsv:1",
          "no column sentence; nearest is \"sentences\"");
    put(f, "en/validated.tsv", "client_id\tpath\tsentence\ns\t../a.mp3\tx\n");
    fails(f, "{kind: commonvoice}", VG_SOURCE, "en/validated.tsv:2", "leads out of the root");
    put(f, "en/validated.tsv", "client_id\tpath\tsentence\n\ta.mp3\tx\n");
    fails(f, "{kind: commonvoice}", VG_SOURCE, "en/validated.tsv:2", "client_id is empty");
}

/* ---- rows of one recording, ids, limit, skip ------------------------------------------------------ */

static void rows_of_one_recording_are_merged(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "en/validated.tsv",
        "client_id\tpath\tsentence\n"
        "s\tb.mp3\t\ns\tb.mp3\tsecond\ns\tb.mp3\tfirst\ns\tc.mp3\tz\nt\tc.mp3\tz\n");
    lists(f, "{kind: commonvoice}", &sources, 2);
    assert_string_equal(sources.at[0].text, "first"); /* one with words, the first of these in byte order */
    assert_non_null(strstr(row_of(&sources.at[0])->remark, "several rows"));
    assert_string_equal(sources.at[1].speaker_id, "s");
    assert_non_null(strstr(row_of(&sources.at[1])->remark, "several speakers"));
    assert_int_equal(f->err.count, 1);
    assert_int_equal(f->err.issues[0].code, VG_OK);
    assert_non_null(strstr(f->err.issues[0].sentence, "3 rows name a recording again"));
}

static void an_entry_takes_what_it_asks_for(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "en/validated.tsv", "client_id\tpath\tsentence\ns\tc.mp3\t3\ns\ta.mp3\t1\ns\tb.mp3\t2\n");
    lists(f, "{kind: commonvoice, limit: 2}", &sources, 2);
    assert_string_equal(sources.at[1].id, "b");
    lists(f, "{kind: commonvoice, ids: [c, a]}", &sources, 2);
    assert_string_equal(sources.at[1].id, "c");
    assert_int_equal(row_of(&sources.at[1])->rank, 3);
    fails(f, "{kind: commonvoice, ids: [common]}", VG_SPEC, "", "has no source \"common\"");
}

static void a_faulty_row_can_be_left_out(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources = {0};
    struct vg_loaded loaded;
    struct vg_spec spec;

    put(f, "en/validated.tsv", "client_id\tpath\tsentence\ns\ta.mp3\t1\nfew\n\tb.mp3\t2\n");
    assert_int_equal(fixture_spec(f, "{kind: commonvoice}", f->folder, &spec), VG_OK);
    spec.on_bad_source = VG_POLICY_SKIP;
    assert_int_equal(vg_sources_list(&spec, &sources, &f->arena, &f->err), VG_OK);
    assert_int_equal(sources.count, 3);
    assert_int_equal(vg_error_code(&f->err), VG_OK);
    assert_int_equal(f->err.count, 2);
    assert_string_equal(sources.at[0].id, ""); /* a row that is none has no id, and stands first */
    assert_non_null(strstr(sources.at[0].left_out, "1 fields; the header has 3 columns"));
    assert_null(sources.at[1].left_out);
    assert_string_equal(sources.at[2].left_out, "client_id is empty");
    assert_int_equal(vg_source_load(&spec, &sources.at[2], &loaded, &f->arena, &f->err), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "en/validated.tsv:4"), "client_id is empty", "");
    assert_string_equal(
        vg_source_reason(&spec, &sources.at[1],
                         vg_arena_format(&f->arena, "%s/en/x: is bad in %s", f->folder, f->folder),
                         &f->arena),
        "validated.tsv:2: en/x: is bad in ");
}

/* ---- Spontaneous Speech --------------------------------------------------------------------------- */

static void spontaneous(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "sps-corpus-4.0-2026-xy/ss-corpus-xy.tsv",
        "audio_file\tclient_id\tduration_ms\ttranscription\tsplit\tquality_tags\n"
        "a.mp3\ts\t1000\t\ttrain\tspeech-rate\nb.mp3\ts\t2000\tyes\ttest\t\nc.mp3\tt\t3000\tno\t\t\n");
    put(f, "sps-corpus-4.0-2026-xy/ss-reported-audios-xy.tsv",
        "client_id\taudio_file\treason\nq\tc.mp3\tother\n");
    lists(f, "{kind: commonvoice-spontaneous}", &sources, 2);
    assert_non_null(strstr(f->err.issues[0].sentence, "1 recordings were reported"));
    assert_string_equal(sources.at[0].locale, "xy");
    assert_string_equal(row_of(&sources.at[0])->version, "4.0-2026");
    assert_string_equal(row_of(&sources.at[0])->tags, "speech-rate");
    assert_true(row_of(&sources.at[1])->duration_sec == 2);
    lists(f, "{kind: commonvoice-spontaneous, reported: keep}", &sources, 3);
    lists(f, "{kind: commonvoice-spontaneous, splits: [test]}", &sources, 1);
    lists(f, "{kind: commonvoice-spontaneous, root: sps-corpus-4.0-2026-xy}", &sources, 2);
    assert_string_equal(row_of(&sources.at[0])->version, "4.0-2026");
    fails(f, "{kind: commonvoice-spontaneous, locales: [y]}", VG_SPEC, "", "for locale y");
    fails(f, "{kind: commonvoice-spontaneous, splits: [dev]}", VG_SOURCE, "",
          "holds no recording that this entry");
}

/* ---- Loquacious ----------------------------------------------------------------------------------- */

static void loquacious(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "largescaleasr_test.csv",
        "ID,duration,start,wav,spk_id,sex,text\n"
        "b:2/x,1.5,-1,test/audio/b_2_x.wav,,,\"ONE, TWO\"\na,2,,test/audio/a.flac,7,male,X\n");
    put(f, "largescaleasr_medium_train.csv", "ID,duration,start,wav,spk_id,sex,text\nt,1,3.5,a.wav,,,X\n");
    lists(f, "{kind: loquacious}", &sources, 2);
    assert_string_equal(sources.at[1].id, "b:2/x");
    assert_string_equal(sources.at[1].speaker_id, "");
    assert_string_equal(sources.at[1].text, "ONE, TWO");
    assert_string_equal(row_of(&sources.at[1])->path, "test/audio/b_2_x.wav");
    fails(f, "{kind: loquacious, table: train, config: medium}", VG_SOURCE,
          "largescaleasr_medium_train.csv:2", "start is 3.5: a piece of a longer recording");
    fails(f, "{kind: loquacious, table: train}", VG_SOURCE, "largescaleasr_small_train.csv", "cannot open");
}

/* ---- VCTK ----------------------------------------------------------------------------------------- */

static void vctk(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "speaker-info.txt",
        "ID  AGE  GENDER  ACCENTS  REGION COMMENTS\n"
        "p225  23  F    English    Southern  England\ns5\t24\tM\tBritish\r\np3  F  Irish\n\n");
    put(f, "wav48_silence_trimmed/p225/p225_001_mic1.flac", "");
    put(f, "wav48_silence_trimmed/p225/p225_001_mic2.flac", "");
    put(f, "wav48_silence_trimmed/p225/p225_002_mic2.flac", "");
    put(f, "wav48_silence_trimmed/s5/s5_001_mic1.flac", "");
    put(f, "wav48_silence_trimmed/p9/p9_001_mic1.flac", "");
    put(f, "wav48_silence_trimmed/log.txt", "");
    put(f, "txt/p225/p225_001.txt", "Please call Stella.\r\n");
    put(f, "txt/s5/s5_001.txt", "Ask her)\n");
    lists(f, "{kind: vctk, mic: \"2\", speakers: [p225]}", &sources, 2);
    lists(f, "{kind: vctk, ids: [p225_001, p9_001, s5_001]}", &sources, 3);
    assert_string_equal(sources.at[0].text, "Please call Stella.");
    assert_string_equal(sources.at[0].gender, "F");
    assert_string_equal(row_of(&sources.at[0])->accent, "English");
    assert_string_equal(sources.at[0].sentence_id, "001");
    assert_non_null(strstr(row_of(&sources.at[1])->remark, "not in speaker-info.txt"));
    assert_non_null(strstr(row_of(&sources.at[1])->remark, "has no text"));
    assert_non_null(strstr(row_of(&sources.at[2])->remark, "stray"));
    assert_string_equal(row_of(&sources.at[2])->accent, "British");
    fails(f, "{kind: vctk, speakers: [p225]}", VG_SOURCE, "wav48_silence_trimmed/p225/p225_002_mic1.flac",
          "was not recorded with this microphone");
    fails(f, "{kind: vctk, speakers: [p226]}", VG_SPEC, "", "there is no speaker p226");
    fails(f, "{kind: vctk, version: \"0.80\"}", VG_SOURCE, "", "holds no folder wav48; is it VCTK 0.80?");
}

static void vctk_of_old(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "speaker-info.txt", "ID  AGE  GENDER  ACCENTS  REGION\n376  22  M  Indian\n");
    put(f, "wav48/p376/p376_295.raw", "");
    put(f, "wav48/p376/p376_001.wav", "");
    lists(f, "{kind: vctk, version: \"0.80\"}", &sources, 1);
    assert_string_equal(sources.at[0].gender, "M");
    assert_string_equal(sources.at[0].licence, "ODC-By-1.0");
    assert_non_null(strstr(f->err.issues[0].sentence, "p376/p376_295.raw is no recording of VCTK 0.80"));
    put(f, "speaker-info.txt", "ID  AGE  GENDER\n376  22  M\np376  22  F\n");
    fails(f, "{kind: vctk, version: \"0.80\"}", VG_SOURCE, "speaker-info.txt",
          "speaker p376 is \"F\" and \"M\"");
}

/* ---- LibriSpeech and MLS -------------------------------------------------------------------------- */

static void librispeech_and_mls(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "SPEAKERS.TXT", ";ID |SEX\n1   | F | dev | 1 | A\n12  | M | dev | 1 | B\n");
    put(f, "dev/12/7/12-7.trans.txt", "12-7-0001 TWO WORDS\n12-7-0000 ONE\n\n");
    lists(f, "{kind: librispeech, subset: dev}", &sources, 2);
    assert_string_equal(sources.at[0].id, "12-7-0000");
    assert_string_equal(sources.at[0].gender, "M");
    assert_string_equal(sources.at[1].text, "TWO WORDS");
    assert_string_equal(row_of(&sources.at[1])->path, "dev/12/7/12-7-0001.flac");
    put(f, "dev/12/7/12-7.trans.txt", "12-7-0001\n");
    fails(f, "{kind: librispeech, subset: dev}", VG_SOURCE, "dev/12/7/12-7.trans.txt:1",
          "is no line of a transcript");
    fails(f, "{kind: librispeech, subset: test}", VG_SOURCE, "", "holds no subset test");
    put(f, "mls_x_opus/metainfo.txt", "SPEAKER | GENDER\n5 | M | a\n5 | M | b\n");
    put(f, "mls_x_opus/dev/transcripts.txt", "5_6_000002\ttwo\n5_6_000001\tone\n");
    lists(f, "{kind: mls, root: mls_x_opus, table: dev, locale: x}", &sources, 2);
    assert_string_equal(row_of(&sources.at[0])->path, "dev/audio/5/6/5_6_000001.opus");
    assert_string_equal(sources.at[0].gender, "M");
    assert_string_equal(sources.at[0].locale, "x");
    put(f, "mls_x_opus/dev/transcripts.txt", "5_6_000002 two\n");
    fails(f, "{kind: mls, root: mls_x_opus, table: dev}", VG_SOURCE, "mls_x_opus/dev/transcripts.txt:1",
          "expected SPEAKER_BOOK_NUMBER, a tab, words");
}

/* ---- generic -------------------------------------------------------------------------------------- */

static void json_lines(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "m.jsonl",
        "{\"audio_filepath\": \"b.wav\", \"duration\": 1.5, \"text\": \"two\"}\n\n"
        "{\"audio_filepath\": \"a.wav\", \"speaker\": 7, \"deep\": [1]}\n");
    lists(f, "{kind: generic, table: m.jsonl}", &sources, 2);
    assert_string_equal(sources.at[0].id, "a");
    assert_string_equal(sources.at[0].speaker_id, "7");
    assert_string_equal(sources.at[1].text, "two");
    assert_true(row_of(&sources.at[1])->duration_sec == 1.5);
    put(f, "m.jsonl", "{\"audio_filepath\": \"b.wav\"}\n[1]\n");
    fails(f, "{kind: generic, table: m.jsonl}", VG_SOURCE, "m.jsonl:2", "no JSON object: expected an object");
    put(f, "m.jsonl", "{\"audio_filepath\": \"b.wav\", \"audio_filepath\": 1}\n");
    fails(f, "{kind: generic, table: m.jsonl}", VG_SOURCE, "m.jsonl:1", "no JSON object");
    put(f, "m.jsonl", "\n");
    fails(f, "{kind: generic, table: m.jsonl}", VG_SOURCE, "m.jsonl", "empty");
}

static void a_table_of_any_columns(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "t.csv", vg_arena_format(&f->arena, "who,file,words,len\nanna,%s/x/a.wav,\"a,b\",2\n", f->folder));
    lists(f, "{kind: generic, table: t.csv, columns: {audio_path: file, speaker_id: who, text: words}}",
          &sources, 1);
    assert_string_equal(row_of(&sources.at[0])->path, "x/a.wav");
    assert_string_equal(sources.at[0].text, "a,b");
    fails(f, "{kind: generic, table: t.csv}", VG_SOURCE, "t.csv:1", "no column audio_path or file_name");
    fails(f, "{kind: generic, table: t.csv, columns: {audio_path: flie}}", VG_SPEC, "",
          "did you mean \"file\"");
    put(f, "t.csv", "file_name,duration\na.wav,0\n");
    fails(f, "{kind: generic, table: t.csv}", VG_SOURCE, "t.csv:2",
          "duration_sec is \"0\"; expected a number above 0");
}

static void a_folder_of_recordings(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "clips/anna/1.WAV", "");
    put(f, "clips/anna/notes.txt", "");
    put(f, "clips/bert/2.opus", "");
    lists(f, "{kind: generic, root: clips, speaker: folder}", &sources, 2);
    assert_string_equal(sources.at[0].id, "anna/1");
    assert_string_equal(sources.at[1].speaker_id, "bert");
    assert_non_null(strstr(f->err.issues[0].sentence, "1 files are left alone"));
    put(f, "none/notes.txt", "");
    fails(f, "{kind: generic, root: none}", VG_SOURCE, "none", "holds no sound file");
}

/* ---- tables as they come -------------------------------------------------------------------------- */

static void what_is_no_table_is_told_for_what_it_is(void **state)
{
    static const struct {
        const char *bytes;
        size_t count; /* 0: to its NUL */
        const char *place, *says;
    } cases[] = {
        {"\xff\xfep\0a\0", 6, "t.csv:1", "is UTF-16; save it as UTF-8 (iconv"},
        {"p\0a\0t\0h\0", 8, "t.csv:1", "a NUL byte; a table is UTF-8 text"},
        {"\x1f\x8b\x08\0\0", 5, "t.csv:1", "is compressed by gzip; unpack it"},
        {"PK\3\4\x14\0", 6, "t.csv:1", "is a zip archive or a spreadsheet; save it as CSV"},
        {"<!DOCTYPE html>\n", 0, "t.csv:1", "is a web page, not a table; download it again"},
        {"version https://git-lfs.github.com/spec/v1\n", 0, "t.csv:1", "is a Git LFS pointer"},
        {"path,text\ra.wav,x\r", 0, "t.csv:1", "its lines end in a carriage return alone"},
        {"path;text\na.wav;x\n", 0, "t.csv:1", "its header is one column, \"path;text\": expected commas"},
        {"path,text,text\na.wav,x,y\n", 0, "t.csv:1", "column \"text\" is named twice; rename one"},
        {"file,words\na.wav,x\n", 0, "t.csv:1", "its columns are file, words; name it in the map `columns`"},
        {"path,text\n", 0, "t.csv", "has a header and no rows; expected a row for each recording"},
        {"path,onset_sec,offset_sec\na,\"0,3\",1\n", 0, "t.csv:2", "onset_sec is \"0,3\"; expected seconds"},
        {"path,onset_sec,offset_sec\na,2,1\n", 0, "t.csv:2", "onset_sec 2 is after offset_sec 1"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_put(f, "t.csv", cases[i].bytes, cases[i].count > 0 ? cases[i].count : strlen(cases[i].bytes));
        fails(f, "{kind: generic, table: t.csv}", VG_SOURCE, cases[i].place, cases[i].says);
    }
    assert_int_equal(vg_folder_make(fixture_path(f, "folder.csv"), &f->err), VG_OK);
    fails(f, "{kind: generic, table: folder.csv}", VG_SOURCE, "folder.csv", "is not a regular file");
}

static void what_a_row_names_is_told_for_what_it_is(void **state)
{
    static const struct {
        const char *path, *says;
    } cases[] = {
        {"C:\\data\\a.wav", "(a path of Windows? write folder/clip.wav)"},
        {"https://example.org/a.wav", "(an address; download it and name the file)"},
        {"folder", "is not a regular file but a folder; expected a sound file"},
    };
    struct fixture *f = *state;

    assert_int_equal(vg_folder_make(fixture_path(f, "folder"), &f->err), VG_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vg_source_list sources;
        struct vg_loaded loaded;
        struct vg_spec spec;

        put(f, "t.csv", vg_arena_format(&f->arena, "path\n%s\n", cases[i].path));
        assert_int_equal(list(f, "{kind: generic, table: t.csv}", &spec, &sources), VG_OK);
        assert_int_equal(vg_source_load(&spec, &sources.at[0], &loaded, &f->arena, &f->err), VG_SOURCE);
        expect_fault(f, VG_SOURCE, fixture_path(f, "t.csv:2"), cases[i].says, "");
    }
}

static void a_clip_named_twice_with_other_words(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "t.csv", "path,text\na.wav,one\na.wav,two\nb.wav,x\n");
    lists(f, "{kind: generic, table: t.csv}", &sources, 2);
    assert_string_equal(sources.at[0].text, "one");
    assert_non_null(strstr(row_of(&sources.at[0])->remark, "with several texts, the first counts"));
}

static void a_span_that_the_table_gives(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;

    put(f, "t.csv", "path,onset_sec,offset_sec\na.wav,0.25,0.5\nb.wav,,\n");
    lists(f, "{kind: generic, table: t.csv}", &sources, 2);
    assert_true(sources.at[0].has_span && sources.at[0].onset_sec == 0.25 && sources.at[0].offset_sec == 0.5);
    assert_false(sources.at[1].has_span);
}

static void a_table_of_many_rows(void **state)
{
    enum { ROWS = 200000 };
    struct fixture *f = *state;
    struct vg_source_list sources;
    struct vg_text text = {0};

    vg_text_add(&text, "path,text,speaker\n");
    for (int i = 0; i < ROWS; i++)
        vg_text_addf(&text, "x/%d.wav,\"words, %d\",s%d\n", ROWS - i, i, i % 5000);
    fixture_put(f, "t.csv", text.data, text.length);
    vg_text_release(&text);
    lists(f, "{kind: generic, table: t.csv}", &sources, ROWS);
    assert_string_equal(sources.at[0].id, "x/1");
    assert_string_equal(sources.at[ROWS - 1].id, "x/99999");
    assert_true(f->arena.held_bytes < 1200u * ROWS); /* of memory for each */
}

/* Not the whole root, where it is a word's beginning. */
static void a_reason_loses_the_root_and_nothing_else(void **state)
{
    struct vg_tree tree = {.root = "c"};
    struct vg_row row = {.tree = &tree};
    struct fixture *f = *state;
    struct vg_source_list sources;
    struct vg_source source;
    struct vg_spec spec;

    put(f, "t.csv", "path\na.wav\n");
    assert_int_equal(list(f, "{kind: generic, table: t.csv}", &spec, &sources), VG_OK);
    source = sources.at[0];
    source.detail = &row;
    source.place = "c/t.csv:2";
    assert_string_equal(vg_source_reason(&spec, &source, "cannot open c/a.wav: no such c", &f->arena),
                        "t.csv:2: cannot open a.wav: no such c");
}

/* ---- sound ---------------------------------------------------------------------------------------- */

/* Noise whose neighbours are averaged `smoothing` times: the more, the less there is up there. */
static void put_noise(struct fixture *f, const char *name, unsigned smoothing)
{
    enum { FRAMES = 48000 };
    double *x = vg_arena_take(&f->arena, FRAMES, sizeof *x);
    uint64_t seed = 1;

    for (size_t k = 0; k < FRAMES; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[k] = (double)(int32_t)(seed >> 32) / 4294967296.0;
    }
    for (unsigned s = 0; s < smoothing; s++)
        for (size_t k = 0; k + 1 < FRAMES; k++)
            x[k] = 0.5 * (x[k] + x[k + 1]);
    fixture_sound(f, name, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 48000, 1, x, FRAMES);
}

static void a_band_that_ends_early_is_noted(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;
    struct vg_loaded loaded;
    struct vg_spec spec;

    put_noise(f, "full.wav", 0);
    put_noise(f, "narrow.wav", 60);
    assert_int_equal(list(f, "{kind: generic}", &spec, &sources), VG_OK);
    assert_int_equal(vg_source_load(&spec, &sources.at[0], &loaded, &f->arena, &f->err), VG_OK);
    assert_null(strstr(loaded.facts.note, "holds nothing above"));
    assert_int_equal(vg_source_load(&spec, &sources.at[1], &loaded, &f->arena, &f->err), VG_OK);
    assert_non_null(strstr(loaded.facts.note, "holds nothing above"));
}

static void a_clip_too_short_is_refused(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;
    struct vg_loaded loaded;
    struct vg_spec spec;

    put_noise(f, "a.wav", 0);
    assert_int_equal(list(f, "{kind: generic, duration_min_sec: 1.001}", &spec, &sources), VG_OK);
    assert_int_equal(vg_source_load(&spec, &sources.at[0], &loaded, &f->arena, &f->err), VG_SOURCE);
    expect_fault(f, VG_SOURCE, fixture_path(f, "a.wav"), "is 1.000000 s long; at least 1.001000 are needed",
                 "a.wav");
    assert_int_equal(list(f, "{kind: generic, duration_min_sec: 1}", &spec, &sources), VG_OK);
    assert_int_equal(vg_source_load(&spec, &sources.at[0], &loaded, &f->arena, &f->err), VG_OK);
}

static void an_entry_needs_a_root(void **state)
{
    struct fixture *f = *state;
    struct vg_source_list sources;
    struct vg_spec spec;

    assert_int_equal(fixture_list(f, "{kind: commonvoice}", NULL, &spec, &sources), VG_SPEC);
    expect_fault(f, VG_SPEC, f->err.issues[0].place, "no root: where does the corpus lie?", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(common_voice, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(common_voice_faults, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(rows_of_one_recording_are_merged, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_entry_takes_what_it_asks_for, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_faulty_row_can_be_left_out, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(spontaneous, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(loquacious, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(vctk, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(vctk_of_old, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(librispeech_and_mls, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(json_lines, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_table_of_any_columns, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_folder_of_recordings, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_is_no_table_is_told_for_what_it_is, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_a_row_names_is_told_for_what_it_is, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_clip_named_twice_with_other_words, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_span_that_the_table_gives, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_table_of_many_rows, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_reason_loses_the_root_and_nothing_else, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(a_band_that_ends_early_is_noted, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_clip_too_short_is_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_entry_needs_a_root, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
