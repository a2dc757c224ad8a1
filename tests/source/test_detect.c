/* SPDX-License-Identifier: MIT */
/* The paper's detector against the published tables, and on clips made to have one answer. */
#include "fixture_spec.h"

#include <math.h>

#include "dsp.h"

/* recipe.md "The speech detector". */
static const struct vg_detector paper = {.pre_emphasis = 0.97,
                                         .frame_sec = 0.010,
                                         .hop_sec = 0.010,
                                         .background_sec = 0.2,
                                         .floor_factor = 1.8,
                                         .peak_factor = 0.003,
                                         .threshold_min = 5e-5,
                                         .run_frames = 10};

static double *reals(struct fixture *f, const struct vg_clip *clip)
{
    double *x = vg_arena_take(&f->arena, clip->frames, sizeof *x);

    for (size_t k = 0; k < clip->frames; k++)
        x[k] = clip->samples[k] / 32768.0;
    return x;
}

static double cell(const struct vg_table *table, size_t row, const char *column)
{
    double value;

    if (!vg_number_parse(vg_table_field(table, row, vg_table_column(table, column)), &value))
        fail_msg("%s:%zu: no number in %s", table->path, table->lines[row], column);
    return value;
}

/* The table has eight decimals of the energies and ten milliseconds of the times. */
static void the_published_table(void **state)
{
    struct fixture *f = *state;
    const char *shared = fixture_shared(f), *folder;
    struct vg_table table;

    if (shared == NULL)
        skip();
    folder = vg_path_join(&f->arena, shared, "reference");
    assert_int_equal(vg_table_read(&table, vg_path_join(&f->arena, folder, "sources_speech.csv"), &f->arena,
                                   VG_SOURCE, &f->err),
                     VG_OK);
    assert_int_equal(table.row_count, 3);
    for (size_t row = 0; row < table.row_count; row++) {
        const char *name = vg_table_field(&table, row, vg_table_column(&table, "audio_path"));
        struct vg_loaded loaded;
        struct vg_detection found;

        assert_int_equal(fixture_decode(f, vg_path_join(&f->arena, folder, name), false, &loaded), VG_OK);
        found = vg_detect_speech(&paper, reals(f, &loaded.clip), loaded.clip.frames, loaded.clip.rate_hz,
                                 &f->arena);
        assert_true(found.found);
        assert_int_equal(found.segments, cell(&table, row, "onset_num_segments"));
        assert_true(fabs(found.onset_sec - cell(&table, row, "onset_sec")) < 1e-6);
        assert_true(fabs(found.offset_sec - cell(&table, row, "offset_sec")) < 1e-6);
        assert_true(fabs(found.threshold - cell(&table, row, "onset_threshold")) < 0.6e-8);
        assert_true(fabs(found.noise_floor - cell(&table, row, "onset_noise_floor")) < 0.6e-8);
        assert_true(fabs(found.peak_rms - cell(&table, row, "onset_peak_rms")) < 0.6e-8);
    }
}

static double *tone(struct fixture *f, size_t frames, size_t on, size_t off, double amplitude)
{
    double *x = vg_arena_take_zero(&f->arena, frames, sizeof *x);

    for (size_t k = on; k < off; k++)
        x[k] = amplitude * vg_sin(2 * VG_PI * 700 * (double)(k - on) / 48000);
    return x;
}

/* One more frame than the tone has: the pre-emphasis rings one sample on. */
static void a_beep_ends_a_frame_late(void **state)
{
    struct fixture *f = *state;
    double *x = tone(f, 172800, 36000, 136800, 0.65);
    struct vg_detection found;

    for (size_t k = 0; k < 172800; k++)
        x[k] = vg_round_even(x[k] * 32767) / 32768;
    found = vg_detect_speech(&paper, x, 172800, 48000, &f->arena);
    assert_true(found.found);
    assert_int_equal(found.segments, 1);
    assert_true(fabs(found.onset_sec - 0.75) < 1e-9);
    assert_true(fabs(found.offset_sec - 2.86) < 1e-9);
}

static void nothing_is_found_in_nothing(void **state)
{
    struct fixture *f = *state;
    double *x = tone(f, 48000, 0, 48000, 1e-6);
    struct vg_detection found = vg_detect_speech(&paper, x, 48000, 48000, &f->arena);

    assert_false(found.found);
    assert_int_equal(found.segments, 0);
    x = tone(f, 48000, 24000, 24000 + 9 * 480 - 100, 0.5); /* nine frames, one too few */
    assert_false(vg_detect_speech(&paper, x, 48000, 48000, &f->arena).found);
    assert_false(vg_detect_speech(&paper, x, 1, 48000, &f->arena).found); /* shorter than a frame */
}

static void runs_are_counted_and_joined(void **state)
{
    struct fixture *f = *state;
    double *x = tone(f, 96000, 24000, 33600, 0.5), *late = tone(f, 96000, 48000, 57600, 0.5);
    struct vg_detection found;

    for (size_t k = 0; k < 96000; k++)
        x[k] += late[k];
    found = vg_detect_speech(&paper, x, 96000, 48000, &f->arena);
    assert_int_equal(found.segments, 2);
    assert_true(fabs(found.onset_sec - 0.5) < 1e-9);
    assert_true(fabs(found.offset_sec - 1.21) < 1e-9);
}

static void a_span_is_clamped_and_never_empty(void **state)
{
    static const struct {
        double onset_sec, offset_sec;
        size_t on, off;
    } cases[] = {
        {0.75, 2.85, 750, 2850}, {0, 3, 0, 3000},      {0, 99, 0, 3000},     {5, 99, 0, 3000},
        {2, 1, 0, 3000},         {1, 1, 0, 3000},      {1, 1.0004, 0, 3000}, {1, 1.0006, 1000, 1001},
        {-1, 1, 0, 1000},        {0.0005, 1, 0, 1000}, {0.0015, 1, 2, 1000}, /* ties to even */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vg_span span = vg_span_of(cases[i].onset_sec, cases[i].offset_sec, 1000, 3000);

        assert_int_equal(span.on, cases[i].on);
        assert_int_equal(span.off, cases[i].off);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_published_table, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_beep_ends_a_frame_late, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(nothing_is_found_in_nothing, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(runs_are_counted_and_joined, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_span_is_clamped_and_never_empty, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
