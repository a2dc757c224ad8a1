/* SPDX-License-Identifier: MIT */
/* Scores: what stands when, what tracks do in between, and every fault a score or a voice can have. */
#include "fixture_voice.h"

static struct vg_score make_score(struct fixture *f, const char *entry)
{
    struct vg_spec spec;
    struct vg_score score = {0};

    if (voice_spec(f, steady_voice, entry, &spec) != VG_OK ||
        vg_score_make(&spec, spec.splits[0].sources[0].entry, &score, &f->arena, &f->err) != VG_OK)
        fail_msg("%s: %s", f->err.issues[0].place, f->err.issues[0].sentence);
    return score;
}

static void expect_sec(double found, double expected)
{
    if (fabs(found - expected) > 1e-9)
        fail_msg("expected %g s, found %g s", expected, found);
}

/* ---- times ------------------------------------------------------------------------------------------ */

static void consonants_keep_their_length_and_vowels_share_the_rest(void **state)
{
    struct fixture *f = *state;
    struct vg_score score =
        make_score(f, "{kind: voice, id: a, sample_rate_hz: 48000,\n"
                      " score: [{say: [t, v, i, t], sec: 0.5}, {at: 1, say: [v], sec: 0.2}]}");

    assert_int_equal(score.phone_count, 5);
    expect_sec(score.phones[0].start_sec, 0.25);
    expect_sec(score.phones[1].start_sec, 0.32);
    expect_sec(score.phones[2].start_sec, 0.50);
    expect_sec(score.phones[3].start_sec, 0.68);
    expect_sec(score.phones[3].end_sec, 0.75);
    expect_sec(score.phones[4].start_sec, 1);
    assert_int_equal(score.frames, 48000 * 1.45);
    expect_sec(score.onset_sec, 0.31); /* the burst, not the closure before it */
    expect_sec(score.offset_sec, 1.2);
    expect_sec(score.stages[0].start_sec, 0);
    for (size_t i = 1; i < score.stage_count; i++)
        expect_sec(score.stages[i].start_sec, score.stages[i - 1].end_sec);
    expect_sec(score.stages[score.stage_count - 1].end_sec, 1.45);
}

static void a_consonant_leans_to_its_vowel(void **state)
{
    struct fixture *f = *state;
    struct vg_score score = make_score(f, "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [t, i], "
                                          "sec: 0.5}, {say: [v, t], sec: 0.5}]}");

    assert_true(score.phones[0].phone.from_hz[0] == 400);                 /* F1 does not */
    assert_true(score.phones[0].phone.from_hz[1] == (1600 + 2200) / 2.0); /* half way */
    assert_true(score.phones[3].phone.to_hz[1] == (1600 + 1200) / 2.0);
}

/* ---- tracks ----------------------------------------------------------------------------------------- */

static const struct vg_voice_frame *frame_at(const struct vg_tracks *tracks, double sec)
{
    return &tracks->frames[(size_t)(sec * 1000 + 0.5)];
}

static void formants_pass_from_target_to_target(void **state)
{
    struct fixture *f = *state;
    struct vg_score score = make_score(
        f,
        "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [v], sec: 0.25}, {say: [i], sec: 0.25}]}");
    struct vg_tracks tracks = vg_tracks_make(&score, &f->arena);
    double last = 0;

    assert_int_equal(tracks.formants, 24); /* up to 23500 Hz */
    assert_true(frame_at(&tracks, 0.44)->formants_hz[1] == 1200);
    assert_true(fabs(frame_at(&tracks, 0.5)->formants_hz[1] - 1700) < 1);
    assert_true(frame_at(&tracks, 0.56)->formants_hz[1] == 2200);
    for (size_t i = 0; i < tracks.count; i++) {
        assert_true(tracks.frames[i].formants_hz[1] >= last);
        last = tracks.frames[i].formants_hz[1];
        assert_true(tracks.frames[i].formants_hz[5] == 5500);
    }
}

static void sources_ramp_inside_the_span(void **state)
{
    struct fixture *f = *state;
    struct vg_score score =
        make_score(f, "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [v], sec: 0.5}]}");
    struct vg_tracks tracks = vg_tracks_make(&score, &f->arena);

    assert_true(frame_at(&tracks, 0.25)->controls[VG_VOICING] == 0);
    assert_true(frame_at(&tracks, 0.26)->controls[VG_VOICING] > 0);
    assert_true(frame_at(&tracks, 0.3)->controls[VG_VOICING] > 0.99);
    assert_true(frame_at(&tracks, 0.74)->controls[VG_VOICING] > 0);
    assert_true(frame_at(&tracks, 0.75)->controls[VG_VOICING] == 0);
}

static void f0_declines_and_rises_with_accents(void **state)
{
    struct fixture *f = *state;
    struct vg_score score =
        make_score(f, "{kind: voice, id: a, sample_rate_hz: 48000, voice: low,\n"
                      " parameters: {declination_st_per_sec: 6},\n"
                      " score: [{say: [v], sec: 1}, {say: [v], sec: 1, accent_st: 12, level_db: -20}]}");
    struct vg_tracks tracks = vg_tracks_make(&score, &f->arena);

    assert_true(fabs(frame_at(&tracks, 0.25)->f0_hz - 90) < 0.001);
    assert_true(fabs(frame_at(&tracks, 1.25)->f0_hz - 90 / sqrt(2)) < 0.001);
    assert_true(fabs(frame_at(&tracks, 1.75)->f0_hz - 90 * pow(2, -0.75) * 2) < 0.001); /* an octave up */
    assert_true(fabs(frame_at(&tracks, 2.25)->f0_hz - 90 / 2) < 0.001);
    assert_true(fabs(frame_at(&tracks, 0.75)->controls[VG_VOICING] - 1) < 0.001);
    assert_true(fabs(frame_at(&tracks, 1.75)->controls[VG_VOICING] - 0.1) < 0.001);
    assert_true(fabs(frame_at(&tracks, 1.25)->controls[VG_VOICING] - pow(10, -0.5)) < 0.001);
}

/* ---- faults ----------------------------------------------------------------------------------------- */

/* The spec around this entry has exactly one fault: at this column of the entry's line, with these words. */
static void expect_entry_fault(struct fixture *f, const char *shared, const char *entry, unsigned line,
                               unsigned column, const char *part, const char *other)
{
    struct vg_spec spec;
    struct vg_source_list list = {0};
    const char *place = vg_arena_format(&f->arena, "%s:%u:%u", fixture_path(f, "spec.yaml"),
                                        FIXTURE_ENTRY_LINE + line, column);

    if (voice_spec(f, shared, entry, &spec) == VG_OK)
        assert_int_equal(vg_sources_list(&spec, &list, &f->arena, &f->err), VG_SPEC);
    assert_int_equal(f->err.count, 1);
    assert_int_equal(list.count, 0);
    expect_fault(f, VG_SPEC, place, part, other);
}

static void faults_of_a_score_have_their_place(void **state)
{
    struct fixture *f = *state;
    const struct {
        const char *score;
        unsigned column;
        const char *part, *other;
    } faults[] = {
        {"{say: [vv], sec: 1}", 17, "unknown phone \"vv\"", "did you mean \"v\""},
        {"{say: [v, qqqqq], sec: 1}", 20, "unknown phone \"qqqqq\"", "voice.phones has 3"},
        {"{say: [v], sec: 1}, {at: 1.2, say: [v], sec: 1}", 35, "starts at 1200 ms", "ends at 1250 ms"},
        {"{say: [t, v], sec: 0.05}", 29, "lasts 50 ms", "70 ms"},
        {"{say: [t, t], sec: 0.5}", 16, "can fill its time", "needs a vowel"},
        {"{say: [v], sec: 1, loud: 3}", 29, "loud", ""},
        {"{say: [v], sec: 0}", 26, "sec", "above 0"},
        {"{say: [v], sec: 1, accent_st: 30}", 40, "accent_st", "-24 to 24"},
        {"{say: [v], sec: 1, accent_st: 24, accent_at: 1}, {say: [v], sec: 0.05, accent_st: 24},\n"
         " {say: [v], sec: 1, accent_st: 24, accent_at: 0}",
         9, "too high at", "20 to 2000 Hz"},
        {"{say: [v], sec: 1, accent_st: -24, accent_at: 1}, {say: [v], sec: 1, accent_st: -24, accent_at: 0}",
         9, "too low at", "20 to 2000 Hz"},
        {"v", 10, "a syllable is a map", "{say: [m, aa], sec: 0.2}"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        expect_entry_fault(f, steady_voice,
                           vg_arena_format(&f->arena,
                                           "{kind: voice, id: a, sample_rate_hz: 48000,\n score: [%s]}",
                                           faults[i].score),
                           1, faults[i].column, faults[i].part, faults[i].other);
}

static void faults_of_a_voice_have_their_place(void **state)
{
    struct fixture *f = *state;
    const struct {
        const char *keys;
        unsigned column;
        const char *part, *other;
    } faults[] = {
        {"voice: hig", 9, "unknown voice \"hig\"", "did you mean \"high\""},
        {"parameters: {f0_hz: 20}", 22, "f0_hz", "40 to 1000"},
        {"parameters: {f0: 100}", 15, "f0", "f0_hz"},
        {"parameters: {formant_scale: 0}", 30, "formant_scale", "0.7 to 2"},
        {"parameters: {upper_formants_hz: [3500]}", 34, "upper_bandwidths_hz", "as many"},
        {"parameters: {open_quotient: 0.8, return_quotient: 0.19}", 52, "return_quotient", "closed phase"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        expect_entry_fault(
            f, steady_voice,
            vg_arena_format(&f->arena,
                            "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [v], sec: 1}],\n"
                            " %s}",
                            faults[i].keys),
            1, faults[i].column, faults[i].part, faults[i].other);
}

/* An entry that is sound, and a map `voice` that is not. */
static void faults_of_the_shared_map_have_their_place(void **state)
{
    struct fixture *f = *state;
    const char *entry = "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [v], sec: 1}]}";
    const struct {
        const char *shared;
        unsigned line, column;
        const char *part, *other;
    } faults[] = {
        {"voice: {phonems: {}}\n", 1, 9, "phonems", "phones"},
        {"voice: {phones: {v: {targets_hz: {men: [700, 600, 2600]}, bandwidths_hz: [90, 90, 90],\n"
         "  edge_sec: 0.1, stages: [{}]}}}\n",
         1, 46, "F2 is not above F1", "rising"},
        {"voice: {phones: {v: {targets_hz: {men: [700, 1200]}, bandwidths_hz: [90, 90, 90],\n"
         "  edge_sec: 0.1, stages: [{}]}}}\n",
         1, 40, "list of 3 formants", ""},
        {"voice: {phones: {v: {targets_hz: {men: [700, 1200, 2600]}, bandwidths_hz: [90, 90, 90],\n"
         "  edge_sec: 0.1, stages: [{voic_db: 0}]}}}\n",
         2, 28, "voic_db", "voice_db"},
        {"voice: {phones: {v: {targets_hz: {men: [700, 1200, 2600]}, bandwidths_hz: [90, 90, 90],\n"
         "  edge_sec: 0.1, noise_hz: [1000, 2000], noise_bandwidths_hz: [100, 100], noise_band_db: [0],\n"
         "  stages: [{}]}}}\n",
         2, 90, "noise_band_db", "as many values as noise_hz"},
        {"voice: {phones: {v: {targets_hz: {men: [700, 1200, 2600]}, bandwidths_hz: [90, 90, 90],\n"
         "  edge_sec: 0.1, stages: [{}]}}, voices: {low: {f0_hz: 10}}}\n",
         2, 56, "f0_hz", "40 to 1000"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct vg_spec spec;
        const char *place;

        if (voice_spec(f, faults[i].shared, entry, &spec) == VG_OK)
            fail_msg("fault %zu was not seen", i);
        place = f->err.issues[0].place;
        assert_string_equal(place, vg_arena_format(&f->arena, "%s:%u:%u", fixture_path(f, "spec.yaml"),
                                                   FIXTURE_ENTRY_LINE + faults[i].line, faults[i].column));
        assert_non_null(strstr(f->err.issues[0].sentence, faults[i].part));
        assert_non_null(strstr(f->err.issues[0].sentence, faults[i].other));
        vg_error_release(&f->err);
    }
}

static void a_formant_above_nyquist_is_a_fault(void **state)
{
    struct fixture *f = *state;
    struct vg_spec spec;
    struct vg_source_list list = {0};

    assert_int_equal(
        voice_spec(f, steady_voice,
                   "{kind: voice, id: a, sample_rate_hz: 8000, parameters: {formant_scale: 1.4},\n"
                   " score: [{say: [i], sec: 1}, {say: [i, i], sec: 1}]}",
                   &spec),
        VG_OK);
    assert_int_equal(vg_sources_list(&spec, &list, &f->arena, &f->err), VG_SPEC);
    assert_int_equal(f->err.count, 1); /* once, however often the phone is said */
    assert_non_null(strstr(f->err.issues[0].sentence, "F3 would be at 4200 Hz"));
    assert_non_null(strstr(f->err.issues[0].sentence, "a 8000 Hz source ends at 4000"));
    assert_non_null(strstr(f->err.issues[0].excerpt, "3000"));
}

static void numbers_given_nowhere_are_named_together(void **state)
{
    struct fixture *f = *state;

    expect_entry_fault(f, "voice: {phones: {}, voices: {low: {f0_hz: 90}}}\n",
                       "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [v], sec: 1}], voice: low}",
                       0, 1, "declination_st_per_sec, accent_sec, accent_at,", "given nowhere");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(consonants_keep_their_length_and_vowels_share_the_rest, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(a_consonant_leans_to_its_vowel, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(formants_pass_from_target_to_target, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(sources_ramp_inside_the_span, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(f0_declines_and_rises_with_accents, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(faults_of_a_score_have_their_place, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(faults_of_a_voice_have_their_place, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(faults_of_the_shared_map_have_their_place, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(a_formant_above_nyquist_is_a_fault, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(numbers_given_nowhere_are_named_together, fixture_open,
                                        fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
