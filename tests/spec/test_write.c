/* SPDX-License-Identifier: MIT */
/* The resolved spec as canonical YAML: what it looks like, and that reading it writes it again. */
#include "fixture.h"

static char *written(struct fixture *f)
{
    struct vg_text text = {0};
    char *kept;

    vg_spec_write(&f->spec, &text);
    kept = vg_arena_text(&f->arena, text.data);
    vg_text_release(&text);
    return kept;
}

/* Compared line by line, so that a failure names its line. */
static void assert_same_lines(const char *actual, const char *expected)
{
    while (*expected != '\0') {
        size_t length = strcspn(expected, "\n") + 1;

        if (strncmp(actual, expected, length) != 0)
            print_message("expected %.*sfound    %.*s", (int)length, expected, (int)strcspn(actual, "\n") + 1,
                          actual);
        assert_memory_equal(actual, expected, length);
        actual += length;
        expected += length;
    }
}

/* Load, write, load that, write again: the same; returns the text. */
static const char *assert_settles(struct fixture *f, const char *text)
{
    const char *first, *second;

    assert_loads(f, text);
    first = written(f);
    f->options.set_count = f->options.only_count = 0;
    assert_loads(f, first);
    second = written(f);
    assert_string_equal(first, second);
    return first;
}

static const char canonical[] =
    "name: test-set\n"
    "version: \"1.0.0\"\n"
    "description: \"A test.\"\n"
    "license: CC0-1.0\n"
    "engine: paper-1\n"
    "seed: \"42\"\n"
    "prompt: \"Does the {attribute} increase or decrease over time? Answer with only one word: "
    "\\\"increase\\\" or \\\"decrease\\\".\"\n"
    "labels:\n"
    "  up: increase\n"
    "  down: decrease\n"
    "tiers: [low, high]\n"
    "curves: [linear]\n"
    "directions: [up, down]\n"
    "jump_at: 0.5\n"
    "trajectory:\n"
    "  step_sec: 0.05\n"
    "  context_sec: 0.05\n"
    "  crossfade_sec: 0.005\n"
    "detector:\n"
    "  pre_emphasis: 0.97\n"
    "  frame_sec: 0.01\n"
    "  hop_sec: 0.01\n"
    "  background_sec: 0.2\n"
    "  floor_factor: 1.8\n"
    "  peak_factor: 0.003\n"
    "  threshold_min: 0.00005\n"
    "  run_frames: 10\n"
    "categories:\n"
    "  background_noise:\n"
    "    attribute: \"background noise\"\n"
    "    rms_min: 1.0e-7\n"
    "    tiers:\n"
    "      low: {noise_ratio_max: 0.03}\n"
    "      high: {noise_ratio_max: 0.12}\n"
    "  echo:\n"
    "    attribute: echo\n"
    "    impulse_sec: 1.5\n"
    "    comb_ms: [29.7, 37.1, 41.1, 43.7]\n"
    "    comb_feedback: [0.805, 0.827, 0.783, 0.764]\n"
    "    allpass_ms: [5, 1.7]\n"
    "    allpass_gain: 0.7\n"
    "    tiers:\n"
    "      low: {room_scale_max: 0.55, wet_mix_max: 0.28}\n"
    "      high: {room_scale_max: 0.9, wet_mix_max: 0.52}\n"
    "splits:\n"
    "  main:\n"
    "    categories: [background_noise, echo]\n"
    "    sources:\n"
    "      - kind: tone\n"
    "        id: a\n"
    "        sample_rate_hz: 48000\n"
    "        tone_sec: 1\n"
    "        amplitude: 0.5\n"
    "        frequencies_hz: [700]\n"
    "on_bad_source: fail\n"
    "on_label: fail\n"
    "on_below_jnd: flag\n"
    "pack:\n"
    "  shard_bytes: 268435456\n"
    "  shard_suffix: \".tar.flac\"\n"
    "  keys: opaque\n"
    "  flac_profile: stable\n";

static void test_the_canonical_form(void **state)
{
    struct fixture *f = *state;
    const char *text, *only[] = {"tier=low,high", "curve=linear", "category=echo,background_noise"};

    f->options.only = only;
    f->options.only_count = 3;
    text = assert_settles(f, base_with(f, NULL, NULL,
                                       "root: /data\nmeasure: null\nonly_sources: null\n"
                                       "categories: {background_noise: {rms_min: .1E-6}}\n"));
    assert_same_lines(text, canonical);
    assert_int_equal(strlen(text), strlen(canonical));
}

/* Neither the order of keys, nor where they stand, nor comments, nor the form of a value reaches the text. */
static void test_equal_specs_write_equal_texts(void **state)
{
    struct fixture *f = *state;
    const char *first, *other;

    first = assert_settles(f, base_with(f, NULL, NULL, "card: {title: T, biases: B}\njump_at: 0.25\n"));
    other = assert_settles(
        f, "# another way to say it\n"
           "card: {biases: 'B', \"title\": T} # in flow\n"
           "splits: {main: {sources: [{amplitude: +5e-1, frequencies_hz: [7.0e2], tone_sec: 1.00, id: 'a',\n"
           "  sample_rate_hz: 48000, kind: \"tone\"}], categories: [echo, voice_vibration, voice_clarity,\n"
           "  audio_roughness, audio_distortion, background_noise, voice_pitch, speaking_speed, volume]}}\n"
           "jump_at: 0.250\nversion: '1.0.0'\nname: |-\n  test-set\n"
           "license: CC0-1.0\ndescription: >-\n  A\n  test.\nextends: paper.yaml\n");
    assert_string_equal(first, other);
}

static void test_every_kind_of_value_settles(void **state)
{
    struct fixture *f = *state;
    const char *text = assert_settles(
        f,
        base_with(f, "      - {kind",
                  "      - {kind: mix, id: k, inner: {}, free: {}}\n"
                  "      - kind: mix\n"
                  "        id: \"007\"\n"
                  "        exact: true\n"
                  "        depth: -0.0\n"
                  "        above: 1e21\n"
                  "        names: [null0, \"null\", 12]\n"
                  "        modes: [no, flat]\n"
                  "        weights: [1, -2.50, 1e-7]\n"
                  "        inner: {mode: no, gain: 3}\n"
                  "        free: {b: 1.50, a: \"1.50\", c: [x, {y: z}, []], d: 010, e: yes, f: true, g: ~}\n"
                  "        score: [[1, null, \"\"], {a b: {c: 2}}, word]\n",
                  "mix:\n  presets: {low: {f0: 1e2}, gone: null, high: []}\n"));
    static const char source[] = "      - kind: mix\n"
                                 "        id: k\n"
                                 "        inner: {}\n"
                                 "        free: {}\n"
                                 "      - kind: mix\n"
                                 "        id: \"007\"\n"
                                 "        exact: true\n"
                                 "        depth: 0\n"
                                 "        above: 1.0e+21\n"
                                 "        names: [null0, \"null\", \"12\"]\n"
                                 "        modes: [\"no\", flat]\n"
                                 "        weights: [1, -2.5, 1.0e-7]\n"
                                 "        inner:\n"
                                 "          gain: 3\n"
                                 "          mode: \"no\"\n"
                                 "        free:\n"
                                 "          b: 1.5\n"
                                 "          a: \"1.50\"\n"
                                 "          c:\n"
                                 "            - x\n"
                                 "            - {\"y\": z}\n"
                                 "            - []\n"
                                 "          d: \"010\"\n"
                                 "          e: \"yes\"\n"
                                 "          f: true\n"
                                 "        score:\n"
                                 "          - [1, null, \"\"]\n"
                                 "          -\n"
                                 "            \"a b\": {c: 2}\n"
                                 "          - word\n"
                                 "mix:\n"
                                 "  presets:\n"
                                 "    low: {f0: 100}\n"
                                 "    high: []\n";

    text = strstr(text, "      - kind: mix\n");
    assert_non_null(text);
    assert_same_lines(text, source);
}

/* Texts that some YAML reader would take for something else, or could not read. */
static void test_texts_survive(void **state)
{
    static const char *const texts[] = {
        "y",
        "N",
        "yes",
        "No",
        "on",
        "OFF",
        "true",
        "False",
        "null",
        "NULL",
        "~",
        "1",
        "1.0",
        "0x1F",
        "1:30",
        "2026-01-01",
        "007",
        ".inf",
        "-",
        "- a",
        "a: b",
        "a #b",
        "#a",
        "&a",
        "*a",
        "!a",
        "%a",
        "@a",
        "`a",
        "[a",
        "{a",
        " a ",
        "a\nb\n",
        "\ta",
        "a\\b",
        "a\"b",
        "'",
        "",
        "\x7f",
        "\x1b[31m",
        "\xc2\x85",
        "\xe2\x80\xa8",
        "\xe2\x80\xa9",
        "\xef\xbb\xbf",
        "\xef\xbf\xbe",
        "\xc3\xa4",
        "\xf0\x9f\x8e\xb5",
        "---",
        "...",
        "<<",
        "=",
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct vg_text source = {0};
        const char *line;

        /* JSON's escapes are YAML's; those below are the ones that libyaml wants. */
        vg_text_add(&source, "      - {kind: mix, id: m, free: {a: \"");
        for (const char *c = texts[i]; *c != '\0'; c++) {
            if (strchr("\"\\", *c) != NULL || (unsigned char)*c < 0x20 || *c == 0x7F)
                vg_text_addf(&source, "\\x%02X", (unsigned)*c);
            else if (strncmp(c, "\xc2\x85", 2) == 0)
                vg_text_add(&source, "\\N"), c += 1;
            else if (strncmp(c, "\xe2\x80\xa8", 3) == 0)
                vg_text_add(&source, "\\L"), c += 2;
            else if (strncmp(c, "\xe2\x80\xa9", 3) == 0)
                vg_text_add(&source, "\\P"), c += 2;
            else if (strncmp(c, "\xef\xbb\xbf", 3) == 0)
                vg_text_add(&source, "\\uFEFF"), c += 2;
            else if (strncmp(c, "\xef\xbf\xbe", 3) == 0)
                vg_text_add(&source, "\\uFFFE"), c += 2;
            else
                vg_text_add_char(&source, *c);
        }
        vg_text_add(&source, "\"}}");
        line = base_with(f, "      - {kind", source.data, NULL);
        assert_settles(f, line);
        assert_string_equal(
            vg_node_text(vg_node_find(f->spec.splits[0].sources[0].entry, "free"), "a", "gone"), texts[i]);
        vg_text_release(&source);
    }
}

/* What overrides and subsets did is in the text; loading it without them gives it again. */
static void test_effects_of_options_are_written(void **state)
{
    struct fixture *f = *state;
    const char *set[] = {"root=/secret/place", "categories.volume.tiers.high.delta_gain_db=24",
                         "pack.keys=paper"};
    const char *only[] = {"category=volume", "source=a"};
    const char *text;

    f->options.set = set;
    f->options.set_count = 3;
    f->options.only = only;
    f->options.only_count = 2;
    text = assert_settles(f, base_text);
    assert_null(strstr(text, "secret"));
    assert_null(strstr(text, "echo"));
    assert_non_null(strstr(text, "\nversion: \"1.0.0+local."));
    assert_non_null(strstr(text, "\n      high: {delta_gain_db: 24}\n"));
    assert_non_null(strstr(text, "\nonly_sources: [a]\n"));
    assert_non_null(strstr(text, "\n  keys: paper\n"));
}

/* Numbers of the paper's detector say that it is meant; the other one comes with all its rules. */
static void test_the_robust_span_is_written_whole(void **state)
{
    struct fixture *f = *state;
    const char *set[] = {"span=robust", "doubtful_span.pause_max_sec=0.5", "on_doubtful_span=refuse"};
    const char *text;

    assert_null(strstr(assert_settles(f, base_text), "span:"));
    f->options.set = set;
    f->options.set_count = 3;
    text = assert_settles(f, base_text);
    assert_null(strstr(text, "detector:"));
    assert_non_null(strstr(text, "\nspan: robust\n"
                                 "doubtful_span:\n"
                                 "  confidence_min: 0.3\n"
                                 "  share_min: 0.15\n"
                                 "  pause_max_sec: 0.5\n"
                                 "  voiced_share_min: 0.1\n"
                                 "  level_min_dbfs: -50\n"
                                 "  clipped_share_max: 0.002\n"
                                 "  dc_max: 0.01\n"
                                 "on_doubtful_span: refuse\n"
                                 "categories:\n"));
    assert_true(f->spec.robust_span && f->spec.refuse_doubtful && f->spec.doubts[VG_DOUBT_PAUSE] == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_canonical_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_equal_specs_write_equal_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_kind_of_value_settles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_texts_survive, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_effects_of_options_are_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_robust_span_is_written_whole, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
