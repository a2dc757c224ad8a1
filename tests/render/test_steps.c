/* SPDX-License-Identifier: MIT */
/* Moves, steps, chunks, joints, edges: the arithmetic that every transform stands on. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "steps.h"

static const struct vg_pace pace = {.step_sec = 0.05, .context_sec = 0.05, .crossfade_sec = 0.005};

static void test_steps_of_a_span(void **state)
{
    static const struct {
        uint32_t rate_hz;
        size_t length, step, count, context, crossfade;
    } rows[] = {
        {48000, 1, 2400, 1, 2400, 240},
        {48000, 2400, 2400, 1, 2400, 240},
        {48000, 2401, 2400, 2, 2400, 240},
        {48000, 100800, 2400, 42, 2400, 240},
        {44100, 44100, 2205, 20, 2205, 220}, /* 220.5 to even */
        {11025, 11025, 551, 21, 551, 55},    /* 551.25, 55.125 */
        {8000, 8000, 400, 20, 400, 40},
        {10, 7, 1, 7, 0, 0}, /* half a sample is none; a step is at least one */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct vg_steps steps = vg_steps_of(pace, rows[i].rate_hz, rows[i].length);

        assert_int_equal(steps.length, rows[i].length);
        assert_int_equal(steps.step, rows[i].step);
        assert_int_equal(steps.count, rows[i].count);
        assert_int_equal(steps.context, rows[i].context);
        assert_int_equal(steps.crossfade, rows[i].crossfade);
    }
}

static void test_step_times(void **state)
{
    struct vg_steps five = vg_steps_of(pace, 100, 25), one = vg_steps_of(pace, 100, 5);

    (void)state;
    assert_true(vg_step_time(&five, 0) == 0.0);
    assert_true(vg_step_time(&five, 1) == 0.25);
    assert_true(vg_step_time(&five, 4) == 1.0);
    assert_true(vg_step_time(&one, 0) == 1.0);
}

/* Both ways of cutting cover the span once, in order, with context inside the span. */
static void test_chunks_partition_the_span(void **state)
{
    (void)state;
    for (size_t length = 1; length < 400; length++) {
        struct vg_steps steps = vg_steps_of(pace, 500, length);
        size_t equal = 0, even = 0;

        for (size_t i = 0; i < steps.count; i++) {
            struct vg_chunk a = vg_chunk_of(&steps, i), b = vg_chunk_even(&steps, i);

            assert_int_equal(a.from, equal);
            assert_int_equal(b.from, even);
            assert_true(a.from < a.to && a.to <= a.last && a.last <= length);
            assert_true(b.from < b.to && b.to <= b.last && b.last <= length);
            assert_int_equal(a.first, a.from > 25 ? a.from - 25 : 0);
            assert_int_equal(b.last, b.to + 25 < length ? b.to + 25 : length);
            equal = a.to;
            even = b.to;
        }
        assert_int_equal(equal, length);
        assert_int_equal(even, length);
    }
}

/* 25 samples in two steps meet at 12.5, which goes to the even side. */
static void test_even_borders_round_to_even(void **state)
{
    struct vg_steps steps = {.length = 25, .step = 13, .count = 2};

    (void)state;
    assert_int_equal(vg_chunk_even(&steps, 0).to, 12);
    steps.length = 27;
    assert_int_equal(vg_chunk_even(&steps, 0).to, 14);
}

static void test_moves(void **state)
{
    struct vg_spec spec = {.jump_at = 0.5};
    struct vg_item item = {.spec = &spec, .curve = VG_LINEAR, .direction = VG_UP};
    struct vg_move up = vg_move_of(&item, 2.0, 10.0);
    double values[8];

    (void)state;
    item.direction = VG_DOWN;
    struct vg_move down = vg_move_of(&item, 2.0, 10.0);
    assert_true(up.start == 2.0 && up.end == 10.0 && down.start == 10.0 && down.end == 2.0);
    assert_true(vg_move_at(&up, 0.25) == 4.0 && vg_move_at(&down, 0.25) == 8.0);

    static const double wanted[8] = {2, 2, 2, 4, 6, 8, 10, 10};
    vg_move_fill(&up, (struct vg_span){2, 7}, 0, 8, values);
    assert_memory_equal(values, wanted, sizeof wanted);

    static const double single[8] = {2, 2, 2, 10, 10, 10, 10, 10}; /* one sample has the end value */
    vg_move_fill(&up, (struct vg_span){3, 4}, 0, 8, values);
    assert_memory_equal(values, single, sizeof single);

    static const double two[8] = {2, 2, 2, 2, 10, 10, 10, 10};
    vg_move_fill(&up, (struct vg_span){3, 5}, 0, 8, values);
    assert_memory_equal(values, two, sizeof two);
}

/* Every part of a fill has the bits of vg_move_at. */
static void test_fills(void **state)
{
    struct vg_span span = {3, 32};
    double values[40];

    (void)state;
    for (int curve = 0; curve < VG_CURVES; curve++) {
        struct vg_move move = {.curve = (enum vg_curve)curve, .jump_at = 0.3, .start = 0.1, .end = 0.7};

        for (size_t from = 0; from < 40; from += 3)
            for (size_t to = from; to <= 40; to += 7) {
                vg_move_fill(&move, span, from, to, values);
                for (size_t k = from; k < to; k++) {
                    double inside = vg_move_at(&move, ((double)k - 3) / 28);

                    assert_true(values[k - from] == (k < 3 ? 0.1 : k < 32 ? inside : 0.7));
                }
            }
    }
}

static void test_joints(void **state)
{
    float out[16] = {1, 1, 1, 1, 1, 1};
    float ones[8] = {2, 2, 2, 2, 2, 2, 2, 2};
    struct vg_joined joined = {.at = out, .frames = 6};
    static const float wanted[] = {1, 1, 1, 1.25f, 1.5f, 1.75f, 2, 2, 2, 2};

    (void)state;
    vg_joined_append(&joined, ones, 8, 5);
    assert_int_equal(joined.frames, 9);
    assert_true(out[0] == 1.0f && out[1] == 1.0f); /* faded out from 1 to 0, both ends included */
    for (size_t k = 1; k < 9; k++)
        assert_true(out[k] == wanted[k + 1]);
}

static void test_joints_of_short_pieces(void **state)
{
    float out[8] = {1, 1};
    float twos[8] = {2, 2, 2, 2};
    struct vg_joined joined = {.at = out, .frames = 0};

    (void)state;
    vg_joined_append(&joined, twos, 2, 5); /* nothing stands: no overlap */
    assert_int_equal(joined.frames, 2);
    assert_true(out[0] == 2.0f && out[1] == 2.0f);
    out[0] = out[1] = 1.0f;
    vg_joined_append(&joined, twos, 1, 5); /* a single sample of overlap keeps what stands */
    assert_int_equal(joined.frames, 2);
    assert_true(out[0] == 1.0f && out[1] == 1.0f);
    vg_joined_append(&joined, twos, 4, 5); /* two samples stand: the joint begins with 1 and ends with 2 */
    assert_int_equal(joined.frames, 4);
    assert_true(out[0] == 1.0f && out[1] == 2.0f && out[2] == 2.0f && out[3] == 2.0f);
    vg_joined_append(&joined, twos, 4, 0);
    assert_int_equal(joined.frames, 8);
}

static void test_sixteen_bits_there_and_back(void **state)
{
    static int16_t samples[65536];
    struct vg_arena arena = {0};
    struct vg_loaded source = {.clip = {.samples = samples, .frames = 65536, .rate_hz = 8000},
                               .span = {5, 900}};
    struct vg_rendered out;

    (void)state;
    for (size_t k = 0; k < 65536; k++)
        samples[k] = (int16_t)((int)k - 32768);
    struct vg_wave wave = vg_wave_of(&source, &arena);
    vg_wave_finish(&wave, &out, &arena);
    assert_int_equal(out.frames, 65536);
    assert_memory_equal(out.samples, samples, sizeof samples);
    assert_true(out.on == 5 && out.off == 900 && out.clipped == 0 && out.peak == 32768);
    vg_arena_release(&arena);
}

static void test_edges_truncate_and_clip(void **state)
{
    static const double units[] = {0.9,   -0.9,     32766.9,  32767.0,  32767.1,
                                   40000, -32767.9, -32768.0, -32768.5, 1e300};
    static const int16_t wanted[] = {0, 0, 32766, 32767, 32767, 32767, -32767, -32768, -32768, 32767};
    struct vg_arena arena = {0};
    struct vg_rendered out;
    float scaled[9];

    (void)state;
    vg_output_start(10, (struct vg_span){0, 10}, &out, &arena);
    vg_output_units(&out, 0, units, 4);
    vg_output_units(&out, 4, units + 4, 6);
    assert_memory_equal(out.samples, wanted, sizeof wanted);
    assert_true(out.clipped == 4 && out.peak == 32768);

    for (size_t k = 0; k < 9; k++)
        scaled[k] = (float)units[k] / 32768.0f;
    struct vg_wave wave = {.at = scaled, .frames = 9, .span = {0, 9}};
    vg_wave_finish(&wave, &out, &arena);
    assert_memory_equal(out.samples, wanted, 9 * sizeof wanted[0]);
    assert_true(out.clipped == 3 && out.peak == 32768);
    vg_arena_release(&arena);
}

static void test_level_match(void **state)
{
    static const float reference[4] = {0.5f, -0.5f, 0.5f, -0.5f};
    float quiet[4] = {0.125f, 0.125f, -0.125f, 0.125f}, silent[4] = {0}, loud[4] = {1, 1, 1, 1};

    (void)state;
    vg_match_rms(reference, quiet, 4);
    assert_true(quiet[0] == 0.5f && quiet[2] == -0.5f);
    vg_match_rms(reference, silent, 4);
    assert_true(silent[0] == 0.0f);
    vg_match_rms(silent, loud, 4); /* no level to match */
    assert_true(loud[0] == 1.0f);
}

/* Leaves the sound as it is and notes which passages came. */
struct notes {
    size_t count, numbers[16], frames[16];
    double values[16];
};
static void leave(const void *self, const struct vg_passage *passage, float *out, struct vg_arena *tmp)
{
    struct notes *notes = *(struct notes *const *)self;

    (void)tmp;
    notes->numbers[notes->count] = passage->number;
    notes->frames[notes->count] = passage->frames;
    notes->values[notes->count] = passage->value;
    notes->count++;
    memcpy(out, passage->at, passage->frames * sizeof *out);
}

/* 1000 Hz: steps of 50, context 50, joints of 5.  A span of 170 samples from 30 on is four steps. */
static void test_chunks_are_treated_in_order(void **state)
{
    static float x[260];
    struct vg_arena arena = {0};
    struct notes notes = {0}, *self = &notes;
    struct vg_wave wave = {.at = x, .frames = 260, .span = {30, 200}};
    struct vg_steps steps = vg_steps_of(pace, 1000, 170);
    struct vg_move move = {.curve = VG_LINEAR, .start = 0.0, .end = 3.0};
    struct vg_treatment treatment = {.treat = leave, .self = &self, .outside = true};
    static const size_t frames[] = {30, 100, 150, 120, 70, 60};
    static const double values[] = {0, 0, 1, 2, 3, 3};

    (void)state;
    for (size_t k = 0; k < 260; k++)
        x[k] = (float)k;
    struct vg_wave out = vg_treat_chunks(&wave, &steps, &move, &treatment, &arena);
    assert_int_equal(notes.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(notes.numbers[i], i);
        assert_int_equal(notes.frames[i], frames[i]);
        assert_true(notes.values[i] == values[i]);
    }
    assert_true(out.frames == 260 - 15 && out.span.on == 30 && out.span.off == 200 - 15);
    assert_true(out.at[29] == 29.0f && out.at[30] == 30.0f && out.at[74] == 74.0f);
    assert_true(out.at[75] == 75.0f); /* the joint starts with what stood ... */
    assert_true(out.at[79] == 84.0f); /* ... and ends five samples on in the new piece */
    assert_true(out.at[184] == 199.0f && out.at[185] == 200.0f && out.at[244] == 259.0f);
    vg_arena_release(&arena);
}

static void test_outside_is_copied_if_asked(void **state)
{
    static float x[100] = {[0] = 1, [99] = 2};
    struct vg_arena arena = {0};
    struct notes notes = {0}, *self = &notes;
    struct vg_wave wave = {.at = x, .frames = 100, .span = {40, 41}};
    struct vg_steps steps = vg_steps_of(pace, 1000, 1);
    struct vg_move move = {.curve = VG_JUMP, .jump_at = 0.5, .start = 5.0, .end = 7.0};
    struct vg_treatment treatment = {.treat = leave, .self = &self, .outside = false};

    (void)state;
    struct vg_wave out = vg_treat_chunks(&wave, &steps, &move, &treatment, &arena);
    assert_true(notes.count == 1 && notes.numbers[0] == 1 && notes.values[0] == 7.0);
    assert_int_equal(out.frames, 100);
    assert_memory_equal(out.at, x, sizeof x);
    vg_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_of_a_span),
        cmocka_unit_test(test_step_times),
        cmocka_unit_test(test_chunks_partition_the_span),
        cmocka_unit_test(test_even_borders_round_to_even),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_joints_of_short_pieces),
        cmocka_unit_test(test_sixteen_bits_there_and_back),
        cmocka_unit_test(test_edges_truncate_and_clip),
        cmocka_unit_test(test_level_match),
        cmocka_unit_test(test_chunks_are_treated_in_order),
        cmocka_unit_test(test_outside_is_copied_if_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
