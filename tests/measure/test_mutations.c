/* SPDX-License-Identifier: MIT */
/* Items gone wrong on purpose: each gives the verdict that a careful listener would. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "speech.h"

#define RECORDING "/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0880.wav"

/* Numbers of items: mid tier, linear, up and down; high tier, jump, up. */
enum { LOW_LINEAR_UP = 0, MID_LINEAR_UP = 8, MID_LINEAR_DOWN = 9, HIGH_LINEAR_UP = 16 };

struct bench {
    struct scene *scene;
    struct vg_arena arena, tmp;
    struct vg_margins margins;
    struct vg_loaded loaded;
};

static int bench_open(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);

    if (bench == NULL || scene_open((void **)&bench->scene) != 0)
        return -1;
    vg_margins_read(&bench->margins, NULL);
    bench->loaded = speech_load(bench->scene, &bench->arena, RECORDING);
    speech_detect(&bench->loaded, &bench->arena);
    *state = bench;
    return 0;
}

static int bench_close(void **state)
{
    struct bench *bench = *state;
    void *scene = bench->scene;

    vg_renderer_clear(&bench->scene->renderer);
    vg_arena_release(&bench->arena);
    vg_arena_release(&bench->tmp);
    free(bench);
    return scene_close(&scene);
}

static struct vg_sound source_of(const struct vg_loaded *loaded)
{
    return (struct vg_sound){loaded->clip.samples, loaded->clip.frames, loaded->clip.rate_hz, loaded->span.on,
                             loaded->span.off};
}

/* The item's sound; a jump at -1 makes the treatment constant. */
static struct vg_sound render(struct bench *bench, const struct vg_loaded *loaded, size_t category,
                              size_t number, double jump_at)
{
    struct vg_source identity = {.id = "x", .clip_id = "x"};
    struct vg_item item = scene_item(bench->scene, vg_measures[category].name, &identity, number);
    struct vg_spec spec = bench->scene->spec;
    struct vg_rendered out;

    if (jump_at < 0) {
        spec.jump_at = jump_at;
        item.spec = &spec;
        item.curve = VG_JUMP;
    }
    vg_renderer_clear(&bench->scene->renderer);
    vg_render(&bench->scene->renderer, &item, loaded, &out, &bench->arena);
    vg_renderer_clear(&bench->scene->renderer);
    return (struct vg_sound){out.samples, out.frames, loaded->clip.rate_hz, out.on, out.off};
}

static struct vg_evidence evidence_of(struct bench *bench, const struct vg_sound *source,
                                      const struct vg_sound *output, size_t quantity)
{
    struct vg_evidence evidence[VG_QUANTITIES];
    const struct vg_reference *reference = vg_reference_make(source, &bench->arena, &bench->tmp);

    vg_measure_paired(reference, output, &bench->margins, 1u << quantity, evidence, &bench->tmp);
    return evidence[quantity];
}

static void expect_verdict(struct bench *bench, size_t category, const struct vg_sound *output, int claimed,
                           enum vg_verdict verdict)
{
    struct vg_sound source = source_of(&bench->loaded);
    struct vg_evidence e = evidence_of(bench, &source, output, category);

    if (vg_verdict_of(&e, claimed) != verdict)
        fail_msg("%s: %s, not %s; net %g %s", vg_measures[category].name,
                 vg_verdict_names[vg_verdict_of(&e, claimed)], vg_verdict_names[verdict], e.net,
                 vg_measures[category].unit);
}

/* At 16 kHz only the high tier of audio_distortion is any change. */
static size_t up_of(size_t category)
{
    return category == VG_Q_DISTORTION ? HIGH_LINEAR_UP : MID_LINEAR_UP;
}

static void labels_swapped(void **state)
{
    struct bench *bench = *state;

    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        struct vg_sound up = render(bench, &bench->loaded, c, up_of(c), 0);

        expect_verdict(bench, c, &up, 1, VG_CONFIRMED);
        expect_verdict(bench, c, &up, -1, VG_OPPOSED);
    }
}

static void directions_swapped_in_the_renderer(void **state)
{
    struct bench *bench = *state;

    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        struct vg_sound down = render(bench, &bench->loaded, c, up_of(c) + 1, 0);

        expect_verdict(bench, c, &down, 1, VG_OPPOSED);
    }
}

static void replaced_by_identity(void **state)
{
    struct bench *bench = *state;
    struct vg_sound source = source_of(&bench->loaded);

    for (size_t c = 0; c < VG_QUANTITIES; c++)
        expect_verdict(bench, c, &source, 1, VG_NO_CHANGE);
}

static void replaced_by_a_constant_treatment(void **state)
{
    struct bench *bench = *state;

    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        struct vg_sound steady = render(bench, &bench->loaded, c, up_of(c), -1);

        expect_verdict(bench, c, &steady, 1, VG_NO_CHANGE);
    }
}

static void replaced_by_another_category(void **state)
{
    struct bench *bench = *state;

    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        size_t other = c == VG_Q_NOISE ? VG_Q_VOLUME : VG_Q_NOISE;
        struct vg_sound output = render(bench, &bench->loaded, other, MID_LINEAR_UP, 0);

        expect_verdict(bench, c, &output, 1, VG_NO_CHANGE);
    }
}

/* The source's table is 300 ms off, for the renderer and for the measure: what is done is still heard. */
static void spans_shifted(void **state)
{
    struct bench *bench = *state;
    size_t shift = bench->loaded.clip.rate_hz * 3 / 10;
    struct vg_loaded shifted = bench->loaded;
    struct vg_sound source;

    shifted.span.on += shift;
    shifted.span.off =
        shifted.span.off + shift < shifted.clip.frames ? shifted.span.off + shift : shifted.clip.frames;
    source = source_of(&shifted);
    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        struct vg_sound up = render(bench, &shifted, c, up_of(c), 0);
        struct vg_evidence e = evidence_of(bench, &source, &up, c);

        assert_int_equal(vg_verdict_of(&e, 1), VG_CONFIRMED);
        up.on += shift; /* and what the output's table says does not matter */
        up.off = 0;
        e = evidence_of(bench, &source, &up, c);
        assert_int_equal(vg_verdict_of(&e, 1), VG_CONFIRMED);
    }
}

/* The measure is told the right span, the renderer a wrong one: most of the change is where it should be. */
static void spans_shifted_in_the_renderer_only(void **state)
{
    struct bench *bench = *state;
    struct vg_loaded shifted = bench->loaded;

    shifted.span.on += shifted.clip.rate_hz * 3 / 10;
    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        struct vg_sound up = render(bench, &shifted, c, up_of(c), 0);

        expect_verdict(bench, c, &up, 1, VG_CONFIRMED);
        expect_verdict(bench, c, &up, -1, VG_OPPOSED);
    }
}

/* Three tenths of a second of speech: what can be heard is right, the rest is left open. */
static void clips_of_a_third_of_a_second(void **state)
{
    struct bench *bench = *state;
    struct vg_loaded cut = bench->loaded;
    struct vg_sound source;

    cut.clip.samples += cut.span.on + cut.clip.rate_hz / 2;
    cut.clip.frames = cut.clip.rate_hz * 3 / 10;
    cut.span = (struct vg_span){0, cut.clip.frames};
    source = source_of(&cut);
    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        struct vg_sound up = render(bench, &cut, c, up_of(c), 0);
        struct vg_evidence e = evidence_of(bench, &source, &up, c);

        assert_int_not_equal(vg_verdict_of(&e, 1), VG_OPPOSED);
        if (c == VG_Q_VOLUME || c == VG_Q_NOISE || c == VG_Q_ROUGHNESS)
            assert_int_equal(vg_verdict_of(&e, 1), VG_CONFIRMED);
    }
}

static void silenced(void **state)
{
    struct bench *bench = *state;

    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        struct vg_sound up = render(bench, &bench->loaded, c, up_of(c), 0);

        up.samples = vg_arena_take_zero(&bench->arena, up.frames, sizeof *up.samples);
        expect_verdict(bench, c, &up, 1, VG_UNDECIDED);
    }
}

/* Four times too loud: the loud moments are squares, and still nobody would hear the opposite. */
static void clipped(void **state)
{
    struct bench *bench = *state;
    struct vg_sound source = source_of(&bench->loaded);

    for (size_t c = 0; c < VG_QUANTITIES; c++) {
        struct vg_sound up = render(bench, &bench->loaded, c, up_of(c), 0);
        int16_t *x = vg_arena_take(&bench->arena, up.frames, sizeof *x);
        struct vg_evidence e;

        for (size_t k = 0; k < up.frames; k++) {
            int loud = 4 * up.samples[k];

            x[k] = (int16_t)(loud > INT16_MAX ? INT16_MAX : loud < INT16_MIN ? INT16_MIN : loud);
        }
        up.samples = x;
        e = evidence_of(bench, &source, &up, c);
        assert_int_not_equal(vg_verdict_of(&e, 1), VG_OPPOSED);
        if (c == VG_Q_VOLUME || c == VG_Q_PITCH || c == VG_Q_SPEED || c == VG_Q_DISTORTION)
            assert_int_equal(vg_verdict_of(&e, 1), VG_CONFIRMED);
    }
}

/* The source itself fades by 30 dB, and the transform takes 6 dB of that back: louder than it was, and softer
 * and softer to whoever hears it alone.  The two disagree, and neither is believed. */
static void opposed_by_the_sound_alone(void **state)
{
    struct bench *bench = *state;
    struct vg_loaded fading = bench->loaded;
    int16_t *x = vg_arena_take(&bench->arena, fading.clip.frames, sizeof *x);
    struct vg_sound source, up;
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];
    struct vg_margin margin = bench->margins.of[VG_Q_VOLUME];

    for (size_t k = 0; k < fading.clip.frames; k++) {
        double t = (double)k / (double)fading.clip.frames;

        x[k] = (int16_t)(fading.clip.samples[k] * vg_exp2(-5 * t));
    }
    fading.clip.samples = x;
    source = source_of(&fading);
    up = render(bench, &fading, VG_Q_VOLUME, LOW_LINEAR_UP, 0);
    vg_measure_both(vg_reference_make(&source, &bench->arena, &bench->tmp), &up, &bench->margins,
                    1u << VG_Q_VOLUME, paired, blind, &bench->tmp);
    assert_int_equal(vg_verdict_of(&paired[VG_Q_VOLUME], 1), VG_CONFIRMED);
    assert_int_equal(vg_verdict_of(&blind[VG_Q_VOLUME], 1), VG_OPPOSED);
    assert_true(margin.gate);
    assert_int_equal(vg_verdict_judged(&paired[VG_Q_VOLUME], &blind[VG_Q_VOLUME], &margin, 1), VG_UNDECIDED);
    assert_int_equal(vg_verdict_judged(&paired[VG_Q_VOLUME], &blind[VG_Q_VOLUME], &margin, -1), VG_OPPOSED);
    margin.gate = false;
    assert_int_equal(vg_verdict_judged(&paired[VG_Q_VOLUME], &blind[VG_Q_VOLUME], &margin, 1), VG_CONFIRMED);
}

/* At 16 kHz the low and mid tiers of audio_distortion hold nothing: up and down are the same samples. */
static void opposites_without_a_change_are_the_same(void **state)
{
    struct bench *bench = *state;

    assert_int_equal(bench->loaded.clip.rate_hz, 16000);
    for (size_t number = 0; number < 2 * SCENE_ITEMS / 3; number += 2) {
        struct vg_sound up = render(bench, &bench->loaded, VG_Q_DISTORTION, number, 0);
        struct vg_sound down = render(bench, &bench->loaded, VG_Q_DISTORTION, number + 1, 0);

        assert_int_equal(up.frames, down.frames);
        assert_memory_equal(up.samples, down.samples, up.frames * sizeof *up.samples);
        expect_verdict(bench, VG_Q_DISTORTION, &up, 1, VG_NO_CHANGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(labels_swapped, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(directions_swapped_in_the_renderer, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(replaced_by_identity, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(replaced_by_a_constant_treatment, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(replaced_by_another_category, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(spans_shifted, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(spans_shifted_in_the_renderer_only, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(clips_of_a_third_of_a_second, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(silenced, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(clipped, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(opposed_by_the_sound_alone, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(opposites_without_a_change_are_the_same, bench_open, bench_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
