/* SPDX-License-Identifier: MIT */
/* sample_rate_hz of an entry: a recording at another rate is resampled without delay and without a silent
 * clip, and the facts say so; one at the asked rate stays as it is. */
#include "fixture_spec.h"

#include <math.h>

#include "dsp.h"

enum { FRAMES = 22050, RATE_HZ = 44100 };

static char *tone(struct fixture *f, double amplitude)
{
    double *x = vg_arena_take(&f->arena, FRAMES, sizeof *x);

    for (size_t k = 0; k < FRAMES; k++)
        x[k] = amplitude * vg_sin(2.0 * VG_PI * 1000.0 / RATE_HZ * (double)k);
    return fixture_sound(f, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, RATE_HZ, 1, x, FRAMES);
}

static void load(struct fixture *f, const char *entry, struct vg_loaded *loaded)
{
    static const char table[] = "item_id,clip_id,audio_path,onset_sec,offset_sec\n1,a,a.wav,0.1,0.4\n";
    struct vg_spec spec;
    struct vg_source_list list;

    fixture_put(f, "t.csv", table, strlen(table));
    assert_int_equal(fixture_list(f, entry, NULL, &spec, &list), VG_OK);
    assert_int_equal(vg_source_load(&spec, &list.at[0], loaded, &f->arena, &f->err), VG_OK);
}

static void a_tone_keeps_its_phase_and_level(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded;
    double worst = 0;

    tone(f, 0.5);
    load(f, "{kind: table, table: t.csv, sample_rate_hz: 16000}", &loaded);
    assert_int_equal(loaded.clip.rate_hz, 16000);
    assert_int_equal(loaded.clip.frames, 8000);
    assert_int_equal(loaded.facts.rate_hz, 16000);
    assert_int_equal(loaded.span.on, 1600);
    assert_non_null(strstr(loaded.facts.note, "resampled from 44100 Hz"));
    for (size_t k = 200; k < 7800; k++) { /* away from the ends, where zeros begin */
        double error = loaded.clip.samples[k] - 16384.0 * vg_sin(2.0 * VG_PI / 16.0 * (double)k);

        worst = fabs(error) > worst ? fabs(error) : worst;
    }
    assert_true(worst <= 1.5);
    assert_int_equal(loaded.facts.clipped, 0);
}

static void what_overshoots_is_counted(void **state)
{
    struct fixture *f = *state;
    double *x = vg_arena_take(&f->arena, FRAMES, sizeof *x);
    struct vg_loaded loaded;

    for (size_t k = 0; k < FRAMES; k++) /* a square wave at full scale rings when it is band-limited */
        x[k] = k / 50 % 2 == 0 ? 0.999 : -0.999;
    fixture_sound(f, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, RATE_HZ, 1, x, FRAMES);
    load(f, "{kind: table, table: t.csv, sample_rate_hz: 16000}", &loaded);
    assert_true(loaded.facts.clipped > 100);
}

static void the_recorded_rate_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded plain, asked;

    tone(f, 0.9);
    load(f, "{kind: table, table: t.csv}", &plain);
    load(f, "{kind: table, table: t.csv, sample_rate_hz: 44100}", &asked);
    assert_string_equal(plain.facts.audio_xxh128, asked.facts.audio_xxh128);
    assert_null(strstr(asked.facts.note, "resampled"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tone_keeps_its_phase_and_level, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_overshoots_is_counted, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_recorded_rate_changes_nothing, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
