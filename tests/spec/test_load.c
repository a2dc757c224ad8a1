/* SPDX-License-Identifier: MIT */
/* From files and options to a resolved spec: extends, --set, --only, and what stands in struct vg_spec. */
#include "fixture.h"

#include <stdio.h>
#include <unistd.h>

/* ---- what is resolved ------------------------------------------------------------------------------- */

static void test_the_paper_resolves(void **state)
{
    struct fixture *f = *state;
    const struct vg_spec *spec = &f->spec;

    assert_loads(f, base_text);
    assert_string_equal(spec->name, "test-set");
    assert_string_equal(spec->version, "1.0.0");
    assert_string_equal(spec->seed, "42");
    assert_ptr_equal(spec->engine, &paper_engine);
    assert_int_equal(spec->category_count, 9);
    assert_ptr_equal(spec->categories[8].words, &paper_echo);
    assert_string_equal(spec->categories[1].attribute, "speaking speed");
    assert_string_equal(spec->categories[1].prompt,
                        "Does the speaking speed increase or decrease over time? Answer with only one word: "
                        "\"increase\" or \"decrease\".");
    assert_int_equal(spec->tier_count, 3);
    assert_string_equal(spec->tiers[2], "high");
    assert_true(spec->categories[0].tiers[2][0].at[0] == 18);
    assert_true(spec->categories[1].fixed[0].at[0] == 512);
    assert_int_equal(spec->categories[8].fixed[1].count, 4);
    assert_true(spec->categories[8].fixed[1].at[3] == 43.7);
    assert_true(spec->trajectory[0].at[0] == 0.05);
    assert_int_equal(spec->curve_count, 4);
    assert_int_equal(spec->curves[3], VG_JUMP);
    assert_true(spec->jump_at == 0.5);
    assert_string_equal(spec->labels[VG_DOWN], "decrease");
    assert_int_equal(spec->split_count, 1);
    assert_int_equal(spec->splits[0].category_count, 9);
    assert_ptr_equal(spec->splits[0].sources[0].words, &tone_words);
    assert_int_equal(spec->on_below_jnd, VG_POLICY_FLAG);
    assert_int_equal(spec->pack.shard_bytes, 268435456);
    assert_true(spec->pack.opaque_keys);
    assert_false(spec->pack.compact);
    assert_null(spec->only_sources);
    assert_int_equal(spec->override_count, 0);
}

/* The order of a list in a split, or of `categories`, is not the order of the grid. */
static void test_categories_stand_in_the_grids_order(void **state)
{
    struct fixture *f = *state;
    const struct vg_spec *spec = &f->spec;

    assert_loads(f, base_with(f, "    sources", "    categories: [echo, volume]\n    sources:", NULL));
    assert_int_equal(spec->category_count, 2);
    assert_int_equal(spec->splits[0].category_count, 2);
    assert_ptr_equal(spec->categories[spec->splits[0].categories[0]].words, &paper_volume);
    assert_ptr_equal(spec->categories[spec->splits[0].categories[1]].words, &paper_echo);
}

static void test_defaults_where_nothing_is_said(void **state)
{
    struct fixture *f = *state;

    assert_loads(
        f, base_with(f, NULL, NULL,
                     "on_bad_source: null\non_label: null\non_below_jnd: null\npack: null\ndetector: null\n"
                     "categories: {voice_vibration: {attribute: null}}\n"));
    assert_int_equal(f->spec.on_bad_source, VG_POLICY_FAIL);
    assert_int_equal(f->spec.on_label, VG_POLICY_FAIL);
    assert_int_equal(f->spec.on_below_jnd, VG_POLICY_FLAG);
    assert_string_equal(f->spec.pack.shard_suffix, ".tar.flac");
    assert_string_equal(f->spec.categories[7].attribute, "voice vibration");
    assert_null(vg_node_find(f->spec.root, "detector"));
}

/* ---- extends ---------------------------------------------------------------------------------------- */

static void test_a_null_takes_an_inherited_key_away(void **state)
{
    struct fixture *f = *state;

    assert_loads(f, base_with(f, NULL, NULL,
                              "tiers: [low, high]\n"
                              "categories:\n"
                              "  volume: {tiers: {mid: null, low: {delta_gain_db: 3}}}\n"
                              "  speaking_speed: null\n  voice_pitch: null\n  background_noise: ~\n"
                              "  audio_distortion:\n  audio_roughness: null\n  voice_clarity: null\n"
                              "  voice_vibration: null\n  echo: null\n"));
    assert_int_equal(f->spec.category_count, 1);
    assert_int_equal(f->spec.tier_count, 2);
    assert_true(f->spec.categories[0].tiers[0][0].at[0] == 3);
    assert_true(f->spec.categories[0].tiers[1][0].at[0] == 18);
    assert_int_equal(vg_node_find(vg_node_find(f->spec.root, "categories"), "volume")->count, 2);
}

static void write_file(struct fixture *f, const char *folder, const char *name, const char *text)
{
    char *path = vg_path_join(&f->arena, folder, name);

    assert_int_equal(vg_folder_make(vg_path_folder(&f->arena, path), &f->err), VG_OK);
    assert_int_equal(vg_file_put(path, text, strlen(text), &f->err), VG_OK);
}

static int load_file(struct fixture *f, const char *folder, const char *name)
{
    vg_error_release(&f->err);
    return vg_spec_load(&f->spec, vg_path_join(&f->arena, folder, name), &f->options, f->vocabulary,
                        &f->arena, &f->err);
}

static void assert_ends_with(const char *text, const char *end)
{
    assert_true(strlen(text) >= strlen(end));
    assert_string_equal(text + strlen(text) - strlen(end), end);
}

/* Each file names the next from where it stands itself, and a value remembers which file it came from. */
static void test_files_extend_from_where_they_stand(void **state)
{
    struct fixture *f = *state;
    char folder[] = "spec-test-XXXXXX";
    const struct vg_node *limitations;

    assert_non_null(mkdtemp(folder));
    write_file(f, folder, "top.yaml", base_with(f, "extends", "extends: sub/middle.yaml", NULL));
    write_file(f, folder, "sub/middle.yaml", "extends: ../base.yaml\njump_at: 0.25\ncard: {title: m.txt}\n");
    write_file(f, folder, "base.yaml",
               "extends: embedded:paper.yaml\njump_at: 0.75\ncard: {limitations: b.txt}\n");
    assert_int_equal(load_file(f, folder, "top.yaml"), VG_OK);
    assert_true(f->spec.jump_at == 0.25);
    assert_string_equal(f->spec.folder, folder);
    limitations = vg_node_find(vg_node_find(f->spec.root, "card"), "title");
    assert_ends_with(vg_node_path(limitations, &f->arena), "/sub/m.txt");
    assert_memory_equal(vg_node_path(limitations, &f->arena), folder, strlen(folder));

    write_file(f, folder, "base.yaml", "extends: ./sub/../sub/middle.yaml\njump_at: 0.75\n");
    assert_int_equal(load_file(f, folder, "top.yaml"), VG_SPEC);
    assert_int_equal(f->err.count, 1);
    assert_non_null(strstr(f->err.issues[0].sentence, "extends itself"));

    write_file(f, folder, "base.yaml", "extends: nowhere.yaml\n");
    assert_int_equal(load_file(f, folder, "top.yaml"), VG_SPEC);
    assert_ends_with(f->err.issues[0].place, "/base.yaml:1:10");
    assert_string_equal(f->err.issues[0].excerpt, "extends: nowhere.yaml\n         ^");
    assert_ends_with(f->err.issues[0].sentence, "/nowhere.yaml: cannot open: No such file or directory");

    assert_int_equal(load_file(f, folder, "missing.yaml"), VG_IO);
    assert_ends_with(f->err.issues[0].place, "/missing.yaml");
    assert_int_equal(vg_folder_remove(folder, &f->err), VG_OK);
}

static void test_specs_in_memory_extend_one_another(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(load_text(f, "extends: x.yaml\n"), VG_SPEC);
    assert_issue(&f->err.issues[0], "x.yaml:1:10",
                 "embedded:x.yaml extends itself, through 1 file; take one extends out");
    assert_int_equal(load_text(f, "extends: embedded:papr.yaml\n"), VG_SPEC);
    assert_issue(&f->err.issues[0], "x.yaml:1:10",
                 "there is no built-in spec embedded:papr.yaml; there are: paper.yaml, x.yaml");
    assert_int_equal(load_text(f, "extends: [paper.yaml]\n"), VG_SPEC);
    assert_issue(&f->err.issues[0], "x.yaml:1:10", "extends names one file; found a list or a map");
    vg_error_release(&f->err);
    assert_int_equal(
        vg_spec_load(&f->spec, "embedded:none.yaml", &f->options, f->vocabulary, &f->arena, &f->err),
        VG_SPEC);
    assert_string_equal(f->err.issues[0].place, "embedded:none.yaml");
}

/* What came through standard input is the text called "-". */
static void test_standard_input_is_a_text(void **state)
{
    struct fixture *f = *state;
    char *text = base_with(f, "extends", "extends: embedded:paper.yaml", "jump_at: 3\n");

    add_file(f, "-", text, strlen(text));
    assert_int_equal(vg_spec_load(&f->spec, "-", &f->options, f->vocabulary, &f->arena, &f->err), VG_SPEC);
    assert_string_equal(f->err.issues[0].place, "<stdin>:10:10");
    assert_int_equal(f->err.count, 1);
}

/* ---- --set ------------------------------------------------------------------------------------------ */

static int load_with(struct fixture *f, const char *set, const char *only)
{
    f->options.set = &set;
    f->options.set_count = set != NULL;
    f->options.only = &only;
    f->options.only_count = only != NULL;
    return load_text(f, base_text);
}

static void test_set_changes_values_and_the_version(void **state)
{
    struct fixture *f = *state;
    const char *set[] = {"categories.volume.tiers.high.delta_gain_db=24",
                         "splits.main.sources.0.amplitude=0.25",
                         "curves=[linear, jump]",
                         "card.title=A title",
                         "detector=",
                         "root=/data",
                         "pack={keys: paper}"};
    char hex[VG_DIGEST_HEX], version[64];
    struct vg_text digested = {0};

    f->options.set = set;
    f->options.set_count = sizeof set / sizeof *set;
    assert_loads(f, base_text);
    assert_true(f->spec.categories[0].tiers[2][0].at[0] == 24);
    assert_true(vg_node_number(f->spec.splits[0].sources[0].entry, "amplitude", 0) == 0.25);
    assert_int_equal(f->spec.curve_count, 2);
    assert_string_equal(vg_node_text(vg_node_find(f->spec.root, "card"), "title", ""), "A title");
    assert_null(vg_node_find(f->spec.root, "detector"));
    assert_string_equal(vg_node_path(vg_node_find(f->spec.root, "root"), &f->arena), "/data");
    assert_false(f->spec.pack.opaque_keys); /* merged: the other keys of pack stay */
    assert_int_equal(f->spec.override_count, 6);
    assert_string_equal(f->spec.overrides[1], "--set splits.main.sources.0.amplitude=0.25");
    for (size_t i = 0; i < f->options.set_count; i++)
        if (i != 5)
            vg_text_addf(&digested, "%s\n", set[i]);
    vg_digest_of(VG_XXH128, digested.data, digested.length, hex);
    snprintf(version, sizeof version, "1.0.0+local.%.8s", hex);
    assert_string_equal(f->spec.version, version);
    vg_text_release(&digested);
}

static void test_where_corpora_lie_is_no_override(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(load_with(f, "root=/data", NULL), VG_OK);
    assert_string_equal(f->spec.version, "1.0.0");
    assert_int_equal(f->spec.override_count, 0);
}

static const struct set_fault {
    const char *set, *place, *sentence;
} set_faults[] = {
    {"jump_at", "--set:1:1", "found no =; expected PATH=VALUE, such as pack.keys=paper"},
    {"=5", "--set:1:1", "a key is missing here; expected PATH=VALUE with keys joined by dots"},
    {"pack..keys=5", "--set:1:6", "a key is missing here; expected PATH=VALUE with keys joined by dots"},
    {"jump_at=2", "--set:1:9",
     "jump_at is 2; expected a number above 0 and below 1 (share of the speech span before the jump)"},
    {"jmup_at=0.5", "--set:1:1", "unknown key jmup_at; did you mean jump_at?"},
    {"pack.key=paper", "--set:1:6", "unknown key key in pack; did you mean keys?"},
    {"categores.volume.attribute=x", "--set:1:1",
     "there is no categores at this place of categores.volume.attribute; did you mean categories?"},
    {"categories.volum.attribute=x", "--set:1:12",
     "there is no volum at this place of categories.volum.attribute; did you mean volume?"},
    {"categories.volume.tiers.hgh.delta_gain_db=24", "--set:1:25",
     "there is no hgh at this place of categories.volume.tiers.hgh.delta_gain_db; did you mean high?"},
    {"card.tilte.x=5", "--set:1:6", "unknown key tilte in card; did you mean title?"},
    {"splits.main.sources.1.amplitude=1", "--set:1:21",
     "1 is no item of this list; expected a number from 0 to 0"},
    {"splits.main.sources.-1.amplitude=1", "--set:1:21",
     "-1 is no item of this list; expected a number from 0 to 0"},
    {"splits.main.sources.first.amplitude=1", "--set:1:21",
     "first is no item of this list; expected a number from 0 to 0"},
    {"splits.main.sources.0.frequencies_hz.0.x=1", "--set:1:40",
     "x stands below a single value; shorten the path"},
    {"jump_at.x=1", "--set:1:9", "x stands below a single value; shorten the path"},
    {"curves=[linear", "--set:1:15",
     "this is not YAML: did not find expected ',' or ']' while parsing a flow sequence that starts at 1:8; "
     "check "
     "indentation, quotes and brackets"},
    {"na\xff=1", "--set:1:1", "an override is one line of UTF-8"},
    {"name=a\nb", "--set:1:1", "an override is one line of UTF-8"},
    {"splits.main=", "x.yaml:7:3", "splits is empty; expected at least one split with its sources"},
    {"name=", "--set:1:6", "name is empty; expected a text (name of the release)"},
};

static void test_set_faults(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof set_faults / sizeof *set_faults; i++) {
        assert_int_equal(load_with(f, set_faults[i].set, NULL), VG_SPEC);
        assert_issue(&f->err.issues[0], set_faults[i].place, set_faults[i].sentence);
        assert_int_equal(f->err.count, 1);
    }
    assert_int_equal(load_with(f, "categories.volum.attribute=x", NULL), VG_SPEC);
    assert_string_equal(f->err.issues[0].excerpt, "categories.volum.attribute=x\n           ^");
}

static void test_the_second_set_is_line_two(void **state)
{
    struct fixture *f = *state;
    const char *set[] = {"pack.keys=paper", "jump_at=1"}, *empty[] = {"tiers=[]", "tiers.0=low"};

    f->options.set = set;
    f->options.set_count = 2;
    assert_int_equal(load_text(f, base_text), VG_SPEC);
    assert_string_equal(f->err.issues[0].place, "--set:2:9");
    assert_string_equal(f->err.issues[0].excerpt, "jump_at=1\n        ^");
    f->options.set = empty;
    assert_int_equal(load_text(f, base_text), VG_SPEC);
    assert_issue(&f->err.issues[0], "--set:2:7", "the list before 0 is empty; set the whole list");
}

/* ---- --only ----------------------------------------------------------------------------------------- */

static void test_only_narrows_in_the_specs_order(void **state)
{
    struct fixture *f = *state;
    const char *only[] = {"tier=high,low,category=echo", "category=volume", "curve=jump", "direction=down",
                          "source=a"};
    const struct vg_spec *spec = &f->spec;

    f->options.only = only;
    f->options.only_count = sizeof only / sizeof *only;
    assert_loads(f,
                 base_with(f, NULL, NULL,
                           "  other:\n    categories: [voice_pitch]\n    sources: [{kind: mix, id: m}]\n"));
    assert_int_equal(spec->tier_count, 2);
    assert_string_equal(spec->tiers[0], "low");
    assert_string_equal(spec->tiers[1], "high");
    assert_int_equal(spec->category_count, 2);
    assert_ptr_equal(spec->categories[0].words, &paper_volume);
    assert_ptr_equal(spec->categories[1].words, &paper_echo);
    assert_true(spec->categories[0].tiers[1][0].at[0] == 18);
    assert_int_equal(spec->curve_count, 1);
    assert_int_equal(spec->curves[0], VG_JUMP);
    assert_int_equal(spec->direction_count, 1);
    assert_int_equal(spec->directions[0], VG_DOWN);
    assert_int_equal(spec->split_count, 1);
    assert_string_equal(spec->splits[0].name, "main");
    assert_int_equal(spec->splits[0].categories[1], 1);
    assert_int_equal(spec->only_source_count, 1);
    assert_string_equal(spec->only_sources[0], "a");
    assert_string_equal(spec->version, "1.0.0");
    assert_int_equal(spec->override_count, 5);
    assert_string_equal(spec->overrides[0], "--only tier=high,low,category=echo");
}

static const struct set_fault only_faults[] = {
    {"tier", "--only:1:1", "found no =; expected tier=VALUE[,VALUE]"},
    {"teir=low", "--only:1:1", "there is nothing called teir to choose by; did you mean tier?"},
    {"tier=low,hihg", "--only:1:10", "the spec has no tier hihg; did you mean high?"},
    {"tier=low,", "--only:1:10", "a tier is missing here; expected tier=VALUE[,VALUE]"},
    {"split=train", "--only:1:7", "the spec has no split train; did you mean main?"},
    {"category=\xc3\xa4,echo,vol", "--only:1:17",
     "the spec has no category vol; known: volume, speaking_speed, voice_pitch, background_noise, "
     "audio_distortion, audio_roughness, voice_clarity, voice_vibration, echo"},
    {"curve=lin", "--only:1:7",
     "the spec has no curve lin; known: linear, quad_first_flat, quad_last_flat, jump"},
    {"direction=left", "--only:1:11", "the spec has no direction left; known: up, down"},
    {"\xff=1", "--only:1:1", "is no UTF-8; expected KEY=VALUE[,VALUE]"},
};

static void test_only_faults(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof only_faults / sizeof *only_faults; i++) {
        assert_int_equal(load_with(f, NULL, only_faults[i].set), VG_SPEC);
        assert_issue(&f->err.issues[f->err.count - 1], only_faults[i].place, only_faults[i].sentence);
    }
}

static void test_only_that_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    const char *only = "category=echo";

    f->options.only = &only;
    f->options.only_count = 1;
    assert_int_equal(
        load_text(f, base_with(f, "    sources", "    categories: [volume]\n    sources:", NULL)), VG_SPEC);
    assert_issue(&f->err.issues[0], "--only:1:10",
                 "leaves nothing: no split that is kept has a category that is kept");
}

/* The ids of a table are not known here, those of only_sources are. */
static void test_only_sources(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(load_with(f, "only_sources=[a, b]", "source=c"), VG_SPEC);
    assert_issue(&f->err.issues[0], "--only:1:8", "the spec has no source c; did you mean a?");
    assert_int_equal(load_with(f, "only_sources=[a, b]", "source=b"), VG_OK);
    assert_int_equal(f->spec.only_source_count, 1);
    assert_int_equal(load_with(f, "only_sources=[a, b]", NULL), VG_OK);
    assert_int_equal(f->spec.only_source_count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_paper_resolves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_categories_stand_in_the_grids_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_defaults_where_nothing_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_null_takes_an_inherited_key_away, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files_extend_from_where_they_stand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_specs_in_memory_extend_one_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_standard_input_is_a_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set_changes_values_and_the_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_where_corpora_lie_is_no_override, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set_faults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_second_set_is_line_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_narrows_in_the_specs_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_faults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_that_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_sources, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
