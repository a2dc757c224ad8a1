/* SPDX-License-Identifier: MIT */
/* What evidence says, whatever the quantity: margins, verdicts, spans, silence, short and broken input. */
#include "sound.h"

#include <stdlib.h>
#include <string.h>

enum { EVERYTHING = (1 << VG_QUANTITIES) - 1 };

static struct vg_sound louder(struct sounds *s, const struct vg_sound *source, double from, double to)
{
    return sound_changed(s, source, (struct sound_change){.sample = sound_gain, .from = from, .to = to});
}

static void measure_all(struct sounds *s, const struct vg_sound *source, const struct vg_sound *output,
                        struct vg_evidence paired[VG_QUANTITIES], struct vg_evidence blind[VG_QUANTITIES])
{
    const struct vg_reference *reference = vg_reference_make(source, &s->arena, &s->tmp);

    vg_measure_both(reference, output, &s->margins, EVERYTHING, paired, blind, &s->tmp);
}

static void verdicts_compare_sign_and_claim(void **state)
{
    const struct {
        int sign, claimed;
        enum vg_verdict verdict;
    } cases[] = {{1, 1, VG_CONFIRMED}, {-1, -1, VG_CONFIRMED}, {1, -1, VG_OPPOSED},  {-1, 1, VG_OPPOSED},
                 {0, 1, VG_NO_CHANGE}, {0, -1, VG_NO_CHANGE},  {2, 1, VG_UNDECIDED}, {2, -1, VG_UNDECIDED}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct vg_evidence e = {.sign = cases[i].sign};

        assert_int_equal(vg_verdict_of(&e, cases[i].claimed), cases[i].verdict);
    }
    assert_string_equal(vg_verdict_names[VG_CONFIRMED], "confirmed");
    assert_string_equal(vg_verdict_names[VG_UNDECIDED], "undecided");
}

/* Only what P confirms can be disputed, only by a gate, and only beyond B's margin. */
static void gates_dispute_what_is_confirmed(void **state)
{
    struct vg_evidence up = {.sign = 1}, down = {.sign = -1}, none = {.sign = 0}, silent = {.sign = 2};
    struct vg_margin gate = {.gate = true}, open = {.gate = false};

    (void)state;
    assert_int_equal(vg_verdict_judged(&up, &down, &gate, 1), VG_UNDECIDED);
    assert_int_equal(vg_verdict_judged(&down, &up, &gate, -1), VG_UNDECIDED);
    assert_int_equal(vg_verdict_judged(&up, &down, &open, 1), VG_CONFIRMED);
    assert_int_equal(vg_verdict_judged(&up, &up, &gate, 1), VG_CONFIRMED);
    assert_int_equal(vg_verdict_judged(&up, &none, &gate, 1), VG_CONFIRMED);
    assert_int_equal(vg_verdict_judged(&up, &silent, &gate, 1), VG_CONFIRMED);
    assert_int_equal(vg_verdict_judged(&up, &up, &gate, -1), VG_OPPOSED);
    assert_int_equal(vg_verdict_judged(&none, &down, &gate, 1), VG_NO_CHANGE);
    assert_int_equal(vg_verdict_judged(&silent, &up, &gate, 1), VG_UNDECIDED);
}

/* The defaults in the code are those that stand, with their sources, in specs/paper.yaml. */
static void defaults_are_the_papers(void **state)
{
    struct sounds *s = *state;
    char *text, *line, *end;
    size_t length, found = 0;
    struct vg_error err = {0};
    const char *path = vg_path_join(&s->arena, getenv("VG_SPECS"), "paper.yaml");

    assert_int_equal(vg_file_get(path, 1 << 20, &s->arena, &text, &length, &err), VG_OK);
    text = strstr(text, "\nmeasure:");
    assert_non_null(text);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        const struct vg_margin *m = &s->margins.of[q];
        struct vg_text asked = {0};

        line = strstr(text, vg_arena_format(&s->arena, "\n  %s:", vg_measures[q].name));
        assert_non_null(line);
        line = strchr(line, '{');
        end = strchr(line, '}');
        assert_true(line != NULL && end != NULL);
        vg_text_add(&asked, "{jnd: ");
        vg_text_add_double(&asked, m->jnd);
        vg_text_add(&asked, ", paired: ");
        vg_text_add_double(&asked, m->paired);
        vg_text_add(&asked, ", blind: ");
        vg_text_add_double(&asked, m->blind);
        vg_text_addf(&asked, ", gate: %s}", m->gate ? "true" : "false");
        assert_string_equal(vg_arena_text_part(&s->arena, line, (size_t)(end - line) + 1), asked.data);
        vg_text_release(&asked);
        found++;
    }
    assert_int_equal(found, 9);
}

static void names_are_the_categories(void **state)
{
    (void)state;
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        assert_string_equal(vg_measure_keys[q].name, vg_measures[q].name);
        assert_true(strlen(vg_measures[q].unit) > 0 && strlen(vg_measures[q].unit_blind) > 0);
    }
    assert_null(vg_measure_keys[VG_QUANTITIES].name);
}

static void the_source_itself_shows_no_change(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 48000, 1.5);
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];

    measure_all(s, &source, &source, paired, blind);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        assert_int_equal(paired[q].sign, 0);
        expect_near(paired[q].net, 0, 0);
        expect_near(paired[q].net_jnd, 0, 0);
        assert_int_equal(paired[q].segments, 12);
    }
}

/* Two samples of difference: nothing is short-cut, and still nothing has changed. */
static void nearly_the_source_shows_no_change(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 1.5), output = louder(s, &source, 0, 0);
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];
    int16_t *x = vg_arena_take(&s->arena, output.frames, sizeof *x);

    memcpy(x, output.samples, output.frames * sizeof *x);
    x[output.on + 7000] = (int16_t)(x[output.on + 7000] + 1);
    x[output.on + 20000] = (int16_t)(x[output.on + 20000] - 1);
    output.samples = x;
    measure_all(s, &source, &output, paired, blind);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        assert_int_equal(paired[q].sign, 0);
        expect_near(paired[q].net, 0, 0.01);
    }
}

/* Each measure gives the same whether asked alone, with the others, or together with the blind ones. */
static void what_else_is_wanted_does_not_matter(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 1.5), output = sound_hurried(s, 16000, 1.5, 0.8, 1.1);
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];

    memset(paired, 0, sizeof paired); /* so that padding compares */
    memset(blind, 0, sizeof blind);
    measure_all(s, &source, &output, paired, blind);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        struct vg_evidence alone = sound_paired(s, &source, &output, (enum vg_quantity)q);

        assert_memory_equal(&alone.net, &paired[q].net, sizeof alone.net);
        assert_memory_equal(alone.trajectory, paired[q].trajectory,
                            alone.segments * sizeof alone.trajectory[0]);
        alone = sound_blind(s, &output, (enum vg_quantity)q);
        assert_memory_equal(&alone.net, &blind[q].net, sizeof alone.net);
        assert_memory_equal(alone.trajectory, blind[q].trajectory,
                            alone.segments * sizeof alone.trajectory[0]);
    }
}

static void unwanted_evidence_is_left_alone(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 1.5), output = louder(s, &source, -6, 6);
    struct vg_evidence evidence[VG_QUANTITIES] = {[VG_Q_ECHO] = {.net = 77}};
    const struct vg_reference *reference = vg_reference_make(&source, &s->arena, &s->tmp);

    vg_measure_paired(reference, &output, &s->margins, 1u << VG_Q_VOLUME, evidence, &s->tmp);
    assert_int_equal(evidence[VG_Q_VOLUME].sign, 1);
    expect_near(evidence[VG_Q_ECHO].net, 77, 0);
}

static void expect_nothing(const struct vg_evidence evidence[VG_QUANTITIES])
{
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        assert_int_equal(evidence[q].sign, 2);
        expect_near(evidence[q].net, 0, 0);
    }
}

static void silence_decides_nothing(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 1.5), silence = sound_tone(s, 16000, 1.5, 0);
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];

    measure_all(s, &source, &silence, paired, blind);
    expect_nothing(paired);
    expect_nothing(blind);
    measure_all(s, &silence, &source, paired, blind);
    expect_nothing(paired);
}

static void broken_input_decides_nothing(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 1.5), other = sound_speech(s, 48000, 1.5), slow = source;
    struct vg_sound empty = {.samples = source.samples, .rate_hz = 16000}, one = empty;
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];

    one.frames = 1;
    slow.rate_hz = 100;
    measure_all(s, &source, &other, paired, blind);
    expect_nothing(paired);
    measure_all(s, &source, &empty, paired, blind);
    expect_nothing(paired);
    expect_nothing(blind);
    measure_all(s, &source, &one, paired, blind);
    expect_nothing(paired);
    measure_all(s, &one, &source, paired, blind);
    expect_nothing(paired);
    measure_all(s, &slow, &slow, paired, blind);
    expect_nothing(paired);
    expect_nothing(blind);
}

/* Any length must be survived; from 0.6 s on a plain gain is also seen. */
static void every_length(void **state)
{
    struct sounds *s = *state;

    for (double sec = 0.001; sec < 1.2; sec = sec * 1.3 + 0.001) {
        struct vg_sound source = sound_speech(s, 16000, sec), output = louder(s, &source, -6, 6);
        struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];

        measure_all(s, &source, &output, paired, blind);
        if (sec >= 0.6)
            assert_int_equal(paired[VG_Q_VOLUME].sign, 1);
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            assert_true(paired[q].segments <= 12 && isfinite(paired[q].net) && isfinite(blind[q].net));
        vg_arena_rewind(&s->arena, (struct vg_arena_mark){0});
    }
}

/* From telephones to studios; the odd rates of files that users bring. */
static void every_rate(void **state)
{
    struct sounds *s = *state;
    const uint32_t rates[] = {4000,  6000,  8000,  11025, 12000, 16001, 22050,
                              24000, 32000, 44100, 88200, 96000, 192000};

    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        struct vg_sound source = sound_speech(s, rates[r], 1.2), output = louder(s, &source, -6, 6);
        struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];

        measure_all(s, &source, &output, paired, blind);
        expect_near(paired[VG_Q_VOLUME].net, 8, 0.5);
        assert_int_equal(paired[VG_Q_SPEED].sign, 0);
        assert_int_equal(paired[VG_Q_PITCH].sign, 0);
        assert_int_equal(paired[VG_Q_DISTORTION].sign, 0);
        assert_int_equal(paired[VG_Q_CLARITY].sign, 0);
        assert_int_equal(paired[VG_Q_VIBRATION].sign, 0);
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            assert_true(isfinite(paired[q].net) && isfinite(blind[q].net));
        vg_arena_rewind(&s->arena, (struct vg_arena_mark){0});
    }
}

/* The output's span shifted by 300 ms, or not given at all, does not change what is found. */
static void a_wrong_span_of_the_output_does_no_harm(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2), output = louder(s, &source, -6, 6), shifted = output;
    struct vg_evidence right = sound_paired(s, &source, &output, VG_Q_VOLUME), wrong;

    shifted.on += 4800;
    shifted.off = shifted.off + 4800 < shifted.frames ? shifted.off + 4800 : shifted.frames;
    wrong = sound_paired(s, &source, &shifted, VG_Q_VOLUME);
    expect_near(wrong.net, right.net, 0);
    shifted.on = shifted.off = 0;
    wrong = sound_paired(s, &source, &shifted, VG_Q_VOLUME);
    expect_near(wrong.net, right.net, 0);
}

/* An output without its source's edges has a span of its own, which then counts. */
static void trimmed_outputs_keep_their_span(void **state)
{
    struct sounds *s = *state;
    struct vg_sound source = sound_speech(s, 16000, 2), output = louder(s, &source, -6, 6), trimmed = output;
    struct vg_evidence right = sound_paired(s, &source, &output, VG_Q_VOLUME), cut;

    trimmed.samples += 2400;
    trimmed.frames -= 2400 + 1600;
    trimmed.on -= 2400;
    trimmed.off -= 2400;
    cut = sound_paired(s, &source, &trimmed, VG_Q_VOLUME);
    expect_near(cut.net, right.net, 0);
}

static void spans_follow_the_source(void **state)
{
    struct vg_sound source = {.frames = 1000, .rate_hz = 16000, .on = 100, .off = 800},
                    output = {.frames = 900};

    (void)state;
    vg_sound_follow(&output, &source);
    assert_int_equal(output.on, 100);
    assert_int_equal(output.off, 700);
    output.frames = 150; /* shorter than what follows the span */
    vg_sound_follow(&output, &source);
    assert_int_equal(output.on, 0);
    assert_int_equal(output.off, 150);
    source.on = source.off = 0; /* the whole */
    output.frames = 900;
    vg_sound_follow(&output, &source);
    assert_int_equal(output.on, 0);
    assert_int_equal(output.off, 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_compare_sign_and_claim),
        cmocka_unit_test(gates_dispute_what_is_confirmed),
        cmocka_unit_test_setup_teardown(defaults_are_the_papers, sounds_open, sounds_close),
        cmocka_unit_test(names_are_the_categories),
        cmocka_unit_test_setup_teardown(the_source_itself_shows_no_change, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(nearly_the_source_shows_no_change, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(what_else_is_wanted_does_not_matter, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(unwanted_evidence_is_left_alone, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(silence_decides_nothing, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(broken_input_decides_nothing, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(every_length, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(every_rate, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(a_wrong_span_of_the_output_does_no_harm, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(trimmed_outputs_keep_their_span, sounds_open, sounds_close),
        cmocka_unit_test(spans_follow_the_source),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
