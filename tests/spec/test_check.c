/* SPDX-License-Identifier: MIT */
/* Every way to break a spec: where it is reported and in which words. */
#include "fixture.h"

struct fault {
    const char *line, *replacement, *more; /* edits of base_text */
    const char *place, *sentence;
};

#define TONE                                                                                                 \
    "      - {kind: tone, id: a, sample_rate_hz: 48000, tone_sec: 1, amplitude: 0.5, frequencies_hz: [700]"

static const struct fault faults[] = {
    /* keys */
    {NULL, NULL, "jump: 0.5\n", "x.yaml:10:1",
     "unknown key jump; known: name, version, description, license, engine, seed, prompt, labels, tiers, "
     "curves, directions, jump_at, trajectory, span, detector, doubtful_span, on_doubtful_span, categories, "
     "splits, only_sources, measure, "
     "on_bad_source, on_label, on_below_jnd, pack, card, root, source_pack, mix"},
    {NULL, NULL, "jmup_at: 0.5\n", "x.yaml:10:1", "unknown key jmup_at; did you mean jump_at?"},
    {NULL, NULL, "zzzzzzzz: 1\n", "x.yaml:10:1",
     "unknown key zzzzzzzz; known: name, version, description, license, engine, seed, prompt, labels, tiers, "
     "curves, directions, jump_at, trajectory, span, detector, doubtful_span, on_doubtful_span, categories, "
     "splits, only_sources, measure, "
     "on_bad_source, on_label, on_below_jnd, pack, card, root, source_pack, mix"},
    {NULL, NULL, "pack: {key: paper}\n", "x.yaml:10:8", "unknown key key in pack; did you mean keys?"},
    {NULL, NULL, "categories: {volume: {tiers: {low: {delta_gain: 6}}}}\n", "x.yaml:10:37",
     "unknown key delta_gain in volume.tiers.low; did you mean delta_gain_db?"},
    {"name", "", NULL, "x.yaml:1:1", "the spec has no name; expected a text (name of the release)"},
    {"name", "name:", NULL, "x.yaml:2:6", "name is empty; expected a text (name of the release)"},
    {NULL, NULL, "detector: {hop_sec: null}\n", "x.yaml:10:21",
     "detector.hop_sec is empty; expected a number above 0 and at most 1 (seconds)"},
    /* forms */
    {"name", "name: Test_Set", NULL, "x.yaml:2:7",
     "name is Test_Set; expected lower-case letters, digits and -, a letter or digit first, at most 64"},
    {"name", "name: ''", NULL, "x.yaml:2:7",
     "name is \"\"; expected lower-case letters, digits and -, a letter or digit first, at most 64"},
    {"name", "name: [a]", NULL, "x.yaml:2:7", "name is a list; expected a text (name of the release)"},
    {"version", "version: 1.0", NULL, "x.yaml:3:10",
     "version is 1.0; expected three numbers such as 1.0.0 (semantic versioning), at most 64 bytes"},
    {"version", "version: 01.0.0", NULL, "x.yaml:3:10",
     "version is 01.0.0; expected three numbers such as 1.0.0 (semantic versioning), at most 64 bytes"},
    {"version", "version: 1.0.0-01", NULL, "x.yaml:3:10",
     "version is 1.0.0-01; expected three numbers such as 1.0.0 (semantic versioning), at most 64 bytes"},
    {"version", "version: 1.0.0+", NULL, "x.yaml:3:10",
     "version is 1.0.0+; expected three numbers such as 1.0.0 (semantic versioning), at most 64 bytes"},
    {"description", "description: \"\"", NULL, "x.yaml:4:14",
     "description is \"\"; expected a text, 1 to 65536 bytes (what the release is)"},
    {"license", "license: \"who knows?\"", NULL, "x.yaml:5:10",
     "license is \"who knows?\"; expected an SPDX expression such as CC-BY-4.0"},
    {NULL, NULL, "seed: \"4\\t2\"\n", "x.yaml:10:7",
     "seed is \"4 2\"; expected 1 to 64 printable ASCII characters"},
    {NULL, NULL, "prompt: What happens?\n", "x.yaml:10:9",
     "prompt is What happens?; expected a question with {attribute} and no other braces"},
    {NULL, NULL, "prompt: \"{attribute} {tier}?\"\n", "x.yaml:10:9",
     "prompt is \"{attribute} {tier}?\"; expected a question with {attribute} and no other braces"},
    {NULL, NULL, "labels: {up: more, down: more}\n", "x.yaml:10:26",
     "labels.down is more, as is labels.up; expected two different answers"},
    {NULL, NULL, "labels: {left: more}\n", "x.yaml:10:10", "unknown key left in labels; known: up, down"},
    {NULL, NULL, "card: {date_published: 2026-13-01}\n", "x.yaml:10:24",
     "card.date_published is 2026-13-01; expected a date as YYYY-MM-DD"},
    {NULL, NULL, "card: {date_published: 2026/12/01}\n", "x.yaml:10:24",
     "card.date_published is 2026/12/01; expected a date as YYYY-MM-DD"},
    {NULL, NULL, "card: {date_published: 2026-1a-01}\n", "x.yaml:10:24",
     "card.date_published is 2026-1a-01; expected a date as YYYY-MM-DD"},
    {NULL, NULL, "card: {titel: x}\n", "x.yaml:10:8", "unknown key titel in card; did you mean title?"},
    {NULL, NULL, "card: {creators: Ann}\n", "x.yaml:10:18",
     "card.creators is Ann; expected a list of texts, 1 to 1000 items (people or groups)"},
    /* numbers */
    {NULL, NULL, "jump_at: 0\n", "x.yaml:10:10",
     "jump_at is 0; expected a number above 0 and below 1 (share of the speech span before the jump)"},
    {NULL, NULL, "jump_at: 1\n", "x.yaml:10:10",
     "jump_at is 1; expected a number above 0 and below 1 (share of the speech span before the jump)"},
    {NULL, NULL, "jump_at: \"0.5\"\n", "x.yaml:10:10",
     "jump_at is \"0.5\", a text because of its quotes: take them off; expected a number above 0 and below 1 "
     "(share of the speech span before the jump)"},
    {NULL, NULL, "jump_at: half\n", "x.yaml:10:10",
     "jump_at is half; expected a number above 0 and below 1 (share of the speech span before the jump)"},
    {NULL, NULL, "jump_at: 0,5\n", "x.yaml:10:10",
     "jump_at is 0,5; expected a number above 0 and below 1 (share of the speech span before the jump)"},
    {NULL, NULL, "jump_at: .nan\n", "x.yaml:10:10",
     "jump_at is .nan; expected a number above 0 and below 1 (share of the speech span before the jump)"},
    {NULL, NULL, "jump_at: 1e999\n", "x.yaml:10:10",
     "jump_at is 1e999; expected a number above 0 and below 1 (share of the speech span before the jump)"},
    {NULL, NULL, "jump_at: 00.5\n", "x.yaml:10:10",
     "jump_at is 00.5, octal to some readers because of its leading zero; expected a number above 0 and "
     "below 1 (share of the speech span before the jump)"},
    {NULL, NULL, "jump_at: [0.5]\n", "x.yaml:10:10",
     "jump_at is a list; expected a number above 0 and below 1 (share of the speech span before the jump)"},
    {NULL, NULL, "doubtful_span: {dc_max: 0.1}\n", "x.yaml:10:16",
     "doubtful_span is about the robust detector; say `span: robust`, or leave it out"},
    {NULL, NULL, "on_doubtful_span: flag\n", "x.yaml:10:19",
     "on_doubtful_span is about the robust detector; say `span: robust`, or leave it out"},
    {NULL, NULL, "span: none\n", "x.yaml:10:7",
     "span is none; expected robust or paper (how sources without a span get one)"},
    {NULL, NULL, "detector: {run_frames: 2.5}\n", "x.yaml:10:24",
     "detector.run_frames is 2.5; expected a whole number from 1 to 10000 (frames that make speech)"},
    {NULL, NULL, "detector: {run_frames: 0}\n", "x.yaml:10:24",
     "detector.run_frames is 0; expected a whole number from 1 to 10000 (frames that make speech)"},
    {NULL, NULL, "detector: {frame_sec: 0}\n", "x.yaml:10:23",
     "detector.frame_sec is 0; expected a number above 0 and at most 1 (seconds)"},
    {NULL, NULL, "pack: {shard_bytes: 99999999999999999999}\n", "x.yaml:10:21",
     "pack.shard_bytes is 99999999999999999999; expected a whole number from 1024 to 1099511627776 (bytes "
     "after which a shard is closed)"},
    {NULL, NULL, "trajectory: {step_sec: -1}\n", "x.yaml:10:24",
     "trajectory.step_sec is -1; expected a number above 0 and at most 10 (seconds)"},
    {NULL, NULL, "trajectory: {stepsec: 1}\n", "x.yaml:10:14",
     "unknown key stepsec in trajectory; did you mean step_sec?"},
    {NULL, NULL, "trajectory: 5\n", "x.yaml:10:13", "trajectory is 5; expected a map (timing of the engine)"},
    /* choices and lists */
    {NULL, NULL, "on_label: drop\n", "x.yaml:10:11", "on_label is drop; expected fail, exclude or flag"},
    {NULL, NULL, "on_label: excluded\n", "x.yaml:10:11",
     "on_label is excluded (did you mean exclude?); expected fail, exclude or flag"},
    {NULL, NULL, "pack: {shard_suffix: .tar.gz}\n", "x.yaml:10:22",
     "pack.shard_suffix is .tar.gz (did you mean .tar?); expected .tar or .tar.flac (end of a shard's name)"},
    {NULL, NULL, "curves: [linear, quadratic]\n", "x.yaml:10:18",
     "curves.1 is quadratic; expected linear, quad_first_flat, quad_last_flat or jump"},
    {NULL, NULL, "curves: [linear, quad_first_fat]\n", "x.yaml:10:18",
     "curves.1 is quad_first_fat (did you mean quad_first_flat?); expected linear, quad_first_flat, "
     "quad_last_flat or jump"},
    {NULL, NULL, "curves: []\n", "x.yaml:10:9",
     "curves is a list without items; expected a list of linear, quad_first_flat, quad_last_flat or jump, 1 "
     "to 4 items"},
    {NULL, NULL, "curves: [jump, linear, jump]\n", "x.yaml:10:24",
     "curves names jump twice; expected it once"},
    {NULL, NULL, "directions: [up, up]\n", "x.yaml:10:18", "directions names up twice; expected it once"},
    {NULL, NULL, "tiers: [low, mid, high, low]\n", "x.yaml:10:25", "tiers names low twice; expected it once"},
    {NULL, NULL, "tiers: [low, mid, high, null]\n", "x.yaml:10:25",
     "tiers.3 is empty; expected a text, 1 to 65536 bytes (grades of difficulty)"},
    {NULL, NULL, "tiers: [low, mid, high, very-high]\n", "x.yaml:10:25",
     "tiers.3 is very-high; expected lower-case letters, digits and single _, a letter or digit at both "
     "ends, at "
     "most 64"},
    {NULL, NULL, "only_sources: []\n", "x.yaml:10:15",
     "only_sources is a list without items; expected a list of texts, 1 to 10000 items (ids of the sources "
     "to keep)"},
    /* engine and categories */
    {NULL, NULL, "engine: paper-2\n", "x.yaml:10:9", "there is no engine paper-2; did you mean paper-1?"},
    {NULL, NULL, "engine: [paper-1]\n", "x.yaml:10:9",
     "engine is a list; expected a text (engine that renders)"},
    {NULL, NULL, "categories: {voice_clarty: {tiers: {}}}\n", "x.yaml:10:14",
     "engine paper-1 has no category voice_clarty; did you mean voice_clarity?"},
    {NULL, NULL, "categories: {volume: 5}\n", "x.yaml:10:22",
     "volume is 5; expected a map of attribute, tiers"},
    {NULL, NULL, "categories: {volume: {n_fft: 5}}\n", "x.yaml:10:23",
     "unknown key n_fft in volume; known: attribute, tiers"},
    {NULL, NULL, "categories: {speaking_speed: {hop: null}}\n", "x.yaml:10:36",
     "speaking_speed.hop is empty; expected a whole number from 1 to 65536 (samples)"},
    {NULL, NULL, "categories: {speaking_speed: {tiers: {low: {delta_rate: 1}}}}\n", "x.yaml:10:57",
     "speaking_speed.tiers.low.delta_rate is 1; expected a number above 0 and below 1 (share of the tempo)"},
    {NULL, NULL, "categories: {volume: {tiers: {mid: null}}}\n", "x.yaml:10:30",
     "volume.tiers has no mid; expected a value for every one of tiers"},
    {NULL, NULL, "categories: {volume: {tiers: {hihg: {delta_gain_db: 3}}}}\n", "x.yaml:10:31",
     "volume.tiers.hihg is no tier of this spec; did you mean high?"},
    {NULL, NULL, "categories: {volume: {tiers: {low: 6}}}\n", "x.yaml:10:36",
     "volume.tiers.low is 6; expected a map of delta_gain_db"},
    {NULL, NULL, "categories: {volume: {tiers: null}}\n", "x.yaml:10:30",
     "volume.tiers is empty; expected a map (values of each tier)"},
    {NULL, NULL, "categories: {voice_clarity: {tiers: {low: {cutoff_min_hz: 26000}}}}\n", "x.yaml:10:59",
     "voice_clarity.tiers.low.cutoff_min_hz is 26000; a 48000 Hz source ends at 24000"},
    {NULL, NULL, "categories: {echo: {comb_ms: []}}\n", "x.yaml:10:30",
     "echo.comb_ms is a list without items; expected a list of numbers, each above 0 and at most 1000 (ms)"},
    {NULL, NULL, "categories: {echo: {comb_ms: [1, 2], comb_feedback: [0.5]}}\n", "x.yaml:10:53",
     "echo.comb_feedback has 1 values; expected 2, one for each of comb_ms"},
    {NULL, NULL, "categories: {echo: {comb_ms: [29.7, 37.1, 41.1, 0]}}\n", "x.yaml:10:49",
     "echo.comb_ms.3 is 0; expected a number above 0 and at most 1000 (ms)"},
    /* splits and sources */
    {"      - {kind", "", NULL, "x.yaml:8:13",
     "splits.main.sources is empty; expected a list, 1 to 10000 items (where its sounds come from)"},
    {"      - {kind", "      []", NULL, "x.yaml:9:7",
     "splits.main.sources is a list without items; expected a list, 1 to 10000 items (where its sounds come "
     "from)"},
    {"    sources", "    source:", NULL, "x.yaml:8:5",
     "unknown key source in splits.main; did you mean sources?"},
    {"  main", "  Main:", NULL, "x.yaml:7:3",
     "a split is called Main; expected lower-case letters, digits and single _, a letter or digit at both "
     "ends, at most 64"},
    {"  main", "  a__b:", NULL, "x.yaml:7:3",
     "a split is called a__b; expected lower-case letters, digits and single _, a letter or digit at both "
     "ends, at most 64"},
    {"      - {kind", TONE "}\n    categories: []", NULL, "x.yaml:10:17",
     "splits.main.categories is a list without items; expected a list of texts, 1 to 1000 items (categories "
     "of this split; all where missing)"},
    {"      - {kind", TONE "}\n    categories: [volume, ehco]", NULL, "x.yaml:10:26",
     "splits.main.categories.1 is ehco; categories has no such key; did you mean echo?"},
    {"      - {kind", TONE "}\n    categories: [volume, volume]", NULL, "x.yaml:10:26",
     "splits.main.categories names volume twice; expected it once"},
    {"      - {kind", TONE ", hz: 5}", NULL, "x.yaml:9:104",
     "unknown key hz in splits.main.sources.0; known: kind, id, clip_id, speaker_id, sentence_id, text, "
     "sample_rate_hz, lead_sec, tone_sec, tail_sec, amplitude, frequencies_hz"},
    {"      - {kind", "      - {kind: tune, id: a}", NULL, "x.yaml:9:16",
     "splits.main.sources.0.kind is tune; there is no such kind; did you mean tone?"},
    {"      - {kind", "      - {id: a}", NULL, "x.yaml:9:9",
     "splits.main.sources.0 has no kind; known: tone, mix"},
    {"      - {kind", "      - tone", NULL, "x.yaml:9:9",
     "splits.main.sources.0 is no map; expected kind and what belongs to it"},
    {"      - {kind", "      - {kind: [tone]}", NULL, "x.yaml:9:16",
     "splits.main.sources.0.kind is no word; there is no such kind; known: tone, mix"},
    {"      - {kind",
     "      - {kind: tone, id: a, sample_rate_hz: 8000, tone_sec: 1, amplitude: 1, frequencies_hz: [5000]}\n"
     "    categories: [volume]",
     NULL, "x.yaml:9:95", "splits.main.sources.0.frequencies_hz.0 is 5000; a 8000 Hz source ends at 4000"},
    {"      - {kind",
     "      - {kind: tone, id: a, sample_rate_hz: 8000, tone_sec: 101, amplitude: 1, frequencies_hz: [500]}\n"
     "    categories: [volume]",
     NULL, "x.yaml:9:61", "tone_sec is long for these samples"},
    {"      - {kind", "      - {kind: mix, id: m, exact: yes}", NULL, "x.yaml:9:35",
     "splits.main.sources.0.exact is yes; expected true or false (to the sample)"},
    {"      - {kind", "      - {kind: mix, id: m, above: 9}", NULL, "x.yaml:9:35",
     "splits.main.sources.0.above is 9; expected a number of at least 10"},
    {"      - {kind", "      - {kind: mix, id: m, names: [a]}", NULL, "x.yaml:9:35",
     "splits.main.sources.0.names is a list of 1 item; expected a list of texts, 2 to 3 items"},
    {"      - {kind", "      - {kind: mix, id: m, names: [a, {b: c}]}", NULL, "x.yaml:9:39",
     "splits.main.sources.0.names.1 is a map; expected a text, 1 to 65536 bytes"},
    {"      - {kind", "      - {kind: mix, id: m, names: [a, \"\"]}", NULL, "x.yaml:9:39",
     "splits.main.sources.0.names.1 is \"\"; expected a text, 1 to 65536 bytes"},
    {"      - {kind", "      - {kind: mix, id: m, modes: [loud, lod]}", NULL, "x.yaml:9:42",
     "splits.main.sources.0.modes.1 is lod (did you mean loud?); expected flat, no or loud"},
    {"      - {kind", "      - {kind: mix, id: m, weights: 5}", NULL, "x.yaml:9:37",
     "splits.main.sources.0.weights is 5; expected a list of numbers"},
    {"      - {kind", "      - {kind: mix, id: m, weights: [1, \"2\"]}", NULL, "x.yaml:9:41",
     "splits.main.sources.0.weights.1 is \"2\", a text because of its quotes: take them off; expected a "
     "number"},
    {"      - {kind", "      - {kind: mix, id: m, inner: {gain: 100}}", NULL, "x.yaml:9:42",
     "splits.main.sources.0.inner.gain is 100; expected a number from -90 to 90 (dB)"},
    {"      - {kind", "      - {kind: mix, id: m, free: 3}", NULL, "x.yaml:9:34",
     "splits.main.sources.0.free is 3; expected a map"},
    {"      - {kind", "      - {kind: mix, id: m, score: [1, 2, 3, 4]}", NULL, "x.yaml:9:35",
     "splits.main.sources.0.score is a list of 4 items; expected a list, 1 to 3 items (parts)"},
    {NULL, NULL, "mix: {}\n", "x.yaml:10:6", "mix has no presets"},
    {NULL, NULL, "mix: 3\n", "x.yaml:10:6", "mix is 3; expected a map (shared by its sources)"},
};

/* The line at the fault's place and a caret below its column. */
static void assert_excerpt(const char *text, const struct vg_issue *issue)
{
    struct vg_text expected = {0};
    unsigned line = 0, column = 0;

    assert_int_equal(sscanf(issue->place, "embedded:x.yaml:%u:%u", &line, &column), 2);
    for (; line > 1; line--)
        text = strchr(text, '\n') + 1;
    vg_text_addf(&expected, "%.*s\n%*s^", (int)strcspn(text, "\n"), text, (int)column - 1, "");
    assert_non_null(issue->excerpt);
    if (strcspn(text, "\n") <= 100)
        assert_string_equal(issue->excerpt, expected.data);
    vg_text_release(&expected);
}

static void test_every_fault_has_its_place_and_sentence(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct fault *fault = &faults[i];
        const char *text = base_with(f, fault->line, fault->replacement, fault->more);

        assert_int_equal(load_text(f, text), VG_SPEC);
        if (f->err.count != 1)
            print_message("%s: %zu issues\n", fault->sentence, f->err.count);
        assert_int_equal(f->err.count, 1);
        assert_issue(&f->err.issues[0], fault->place, fault->sentence);
        assert_excerpt(text, &f->err.issues[0]);
    }
}

static void test_all_faults_come_in_one_run(void **state)
{
    struct fixture *f = *state;
    const char *text = "extends: paper.yaml\n"
                       "name: Bad\n"
                       "version: 1\n"
                       "jump_at: 2\n"
                       "colour: red\n"
                       "splits:\n"
                       "  main: {sources: [{kind: tone, id: a}, {kind: horn}], categories: [echo, eco]}\n";
    static const char *const places[] = {
        "embedded:x.yaml:4:10", "embedded:x.yaml:5:1",  "embedded:x.yaml:1:1",  "embedded:x.yaml:1:1",
        "embedded:x.yaml:2:7",  "embedded:x.yaml:3:10", "embedded:x.yaml:7:75", "embedded:x.yaml:7:20",
        "embedded:x.yaml:7:20", "embedded:x.yaml:7:20", "embedded:x.yaml:7:20", "embedded:x.yaml:7:48",
    };

    f->options.only = (const char *[]){"tier=lo"};
    f->options.only_count = 1;
    assert_int_equal(load_text(f, text), VG_SPEC);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_string_equal(f->err.issues[i].place, places[i]);
    assert_issue(&f->err.issues[12], "--only:1:6", "the spec has no tier lo; did you mean low?");
    assert_int_equal(f->err.count, 13);
}

/* Values at their limits that the table above says are just outside. */
static void test_limits_belong_to_the_range(void **state)
{
    static const char *const sound[] = {
        "categories: {voice_clarity: {tiers: {low: {cutoff_min_hz: 24000}}}}\n",
        /* Above the source's own rate: nothing is held, and what that makes of the labels is measured. */
        "categories: {audio_distortion: {tiers: {low: {effective_sr_min: 50000}}}}\n",
        "detector: {run_frames: 10000}\n",
        "jump_at: 1e-3\n",
        "trajectory: {context_sec: 0}\n",
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
        assert_loads(f, base_with(f, NULL, NULL, sound[i]));
}

/* What a split does not use is not held against its sources. */
static void test_rates_count_where_the_category_is_used(void **state)
{
    struct fixture *f = *state;

    assert_loads(f, base_with(f, "      - {kind",
                              "      - {kind: tone, id: a, sample_rate_hz: 8000, tone_sec: 1, amplitude: 1, "
                              "frequencies_hz: [500]}\n    categories: [volume]",
                              NULL));
    assert_int_equal(load_text(f, base_with(f, "      - {kind",
                                            "      - {kind: tone, id: a, sample_rate_hz: 8000, tone_sec: 1, "
                                            "amplitude: 1, frequencies_hz: [500]}\n"
                                            "    categories: [voice_clarity]",
                                            NULL)),
                     VG_SPEC);
    assert_int_equal(f->err.count, 1);
    assert_string_equal(f->err.issues[0].sentence,
                        "voice_clarity.tiers.low.cutoff_min_hz is 5000; a 8000 Hz source ends at 4000");
}

/* A spec of its own, without extends: everything that must be there is asked for. */
static void test_missing_keys_are_all_named(void **state)
{
    static const char *const required[] = {"name",       "version", "description", "license",    "engine",
                                           "seed",       "prompt",  "labels",      "tiers",      "curves",
                                           "directions", "jump_at", "trajectory",  "categories", "splits"};
    struct fixture *f = *state;

    assert_int_equal(load_text(f, "on_label: flag\n"), VG_SPEC);
    assert_int_equal(f->err.count, sizeof required / sizeof *required);
    for (size_t i = 0; i < f->err.count; i++) {
        const char *sentence = f->err.issues[i].sentence;

        assert_memory_equal(sentence, "the spec has no ", 16);
        assert_memory_equal(sentence + 16, required[i], strlen(required[i]));
    }
}

static const struct vg_key_rule volume_margin[] = {
    {"jnd", VG_KEY_NUMBER, ABOVE, 0, 100, NULL, NULL, "dB"},
    {"gate", VG_KEY_BOOL, 0, 0, 0, NULL, NULL, NULL},
    {0},
};
static const struct vg_key_rule measure_keys[] = {
    {"volume", VG_KEY_MAP, 0, 0, 0, NULL, volume_margin, NULL},
    {0},
};

static void test_thresholds_are_the_vocabularys_matter(void **state)
{
    static const struct vg_vocabulary words = {paper_engines, 1, paper_sources, 2, measure_keys};
    struct fixture *f = *state;
    const char *set[] = {"measure=", "measure={volume: {jnd: 0, gate: on}, loudness: {}}"};

    f->vocabulary = &words;
    f->options.set = set;
    f->options.set_count = 2;
    assert_int_equal(load_text(f, base_text), VG_SPEC);
    assert_issue(&f->err.issues[0], "--set:2:24",
                 "measure.volume.jnd is 0; expected a number above 0 and at most 100 (dB)");
    assert_issue(&f->err.issues[1], "--set:2:33", "measure.volume.gate is on; expected true or false");
    assert_issue(&f->err.issues[2], "--set:2:38", "unknown key loudness in measure; known: volume");
    assert_int_equal(f->err.count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_fault_has_its_place_and_sentence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_faults_come_in_one_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limits_belong_to_the_range, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rates_count_where_the_category_is_used, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_thresholds_are_the_vocabularys_matter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_keys_are_all_named, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
