/* SPDX-License-Identifier: MIT */
/* What the ear would hear of the synthesiser: the pulse against its definition, no alias, noise and
 * silence where they belong. */
#include "fixture_voice.h"

/* ---- the pulse -------------------------------------------------------------------------------------- */

enum { HARMONICS = 4000 };

static double pulse_at(const struct vg_complex *c, double phase)
{
    double sum = 0;

    for (size_t k = 1; k <= HARMONICS; k++)
        sum += 2 * (c[k - 1].re * cos(2 * VG_PI * (double)k * phase) -
                    c[k - 1].im * sin(2 * VG_PI * (double)k * phase));
    return sum;
}

/* The series adds up to the LF pulse: 0 at the opening, flow peak at tp, -1 at te, back to 0 after it. */
static void the_spectrum_is_that_of_an_lf_pulse(void **state)
{
    static struct vg_complex c[HARMONICS];
    const struct vg_glottis shapes[] = {{0.6, 0.72, 0.01}, {0.5, 0.8, 0.003}, {0.8, 0.6, 0.03}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct vg_glottis *g = &shapes[i];
        double opening = -g->open_quotient, peak = -g->open_quotient * (1 - g->asymmetry);

        vg_glottis_spectrum(g, c, HARMONICS);
        assert_true(fabs(pulse_at(c, opening)) < 0.01);
        assert_true(fabs(pulse_at(c, peak)) < 0.003);
        assert_true(pulse_at(c, peak - 0.05) > 0.02);  /* the flow still rises... */
        assert_true(pulse_at(c, peak + 0.05) < -0.02); /* ...and falls */
        assert_true(fabs(pulse_at(c, -0.002) + 1) < 0.08);
        assert_true(fabs(pulse_at(c, 3 * g->return_quotient) + exp(-3)) < 0.04);
    }
}

/* Above 1/(2 pi ta) the flow derivative falls by 12 dB an octave. */
static void the_return_phase_sets_the_tilt(void **state)
{
    static struct vg_complex c[HARMONICS];
    const struct vg_glottis g = {0.6, 0.72, 0.02};

    (void)state;
    vg_glottis_spectrum(&g, c, HARMONICS);
    for (size_t k = 500; k <= 1000; k *= 2) {
        double low = hypot(c[k - 1].re, c[k - 1].im), high = hypot(c[2 * k - 1].re, c[2 * k - 1].im);

        assert_true(fabs(20 * log10(low / high) - 12.04) < 0.3);
    }
}

/* ---- aliases ---------------------------------------------------------------------------------------- */

enum { WINDOW = 32768 };

/* Strongest thing off the harmonics of f0_hz, in dB of the strongest thing on them. */
static double alias_db(struct fixture *f, const double *x, double f0_hz, double rate_hz)
{
    const double *magnitudes = spectrum_of(f, x, WINDOW);
    double on = 0, off = 0;

    for (size_t k = 0; k <= WINDOW / 2; k++) {
        double hz = (double)k * rate_hz / WINDOW, nearest = f0_hz * floor(hz / f0_hz + 0.5);
        double *which = fabs(hz - nearest) < 7 * rate_hz / WINDOW ? &on : &off;

        *which = magnitudes[k] > *which ? magnitudes[k] : *which;
    }
    return 20 * log10(off / on);
}

static void a_steady_vowel_has_no_alias(void **state)
{
    struct fixture *f = *state;
    const double rates[] = {8000, 16000, 44100, 48000, 96000}, pitches[] = {97.3, 211.7, 997.3};

    for (size_t r = 0; r < 5; r++)
        for (size_t p = 0; p < 3; p++) {
            const char *entry =
                vg_arena_format(&f->arena,
                                "{kind: voice, id: a, sample_rate_hz: %d, score: [{say: [v], sec: 5}],\n"
                                " parameters: {f0_hz: %d.%d}}",
                                (int)rates[r], (int)pitches[p], (int)(pitches[p] * 10 + 0.5) % 10);
            struct vg_loaded loaded = voice_load(f, entry);
            size_t first = (loaded.clip.frames - WINDOW) / 2;

            assert_true(alias_db(f, samples_of(f, &loaded.clip, first, WINDOW), pitches[p], rates[r]) < -80);
        }
}

/* The measure above does see an alias: the same pulse with harmonics beyond Nyquist. */
static void the_measure_sees_an_alias(void **state)
{
    struct fixture *f = *state;
    static struct vg_complex c[HARMONICS];
    const struct vg_glottis g = {0.6, 0.72, 0.008};
    double *x = vg_arena_take(&f->arena, WINDOW, sizeof *x);

    vg_glottis_spectrum(&g, c, HARMONICS);
    for (size_t k = 0; k < WINDOW; k++) {
        struct vg_sincos turn = vg_sincos(2 * VG_PI * 997.3 * (double)k / 48000);
        struct vg_complex power = {turn.cos, turn.sin};

        x[k] = 0;
        for (size_t h = 0; h < 60; h++) {
            double re = power.re * turn.cos - power.im * turn.sin;

            x[k] += c[h].re * power.re - c[h].im * power.im;
            power.im = power.re * turn.sin + power.im * turn.cos;
            power.re = re;
        }
    }
    assert_true(alias_db(f, x, 997.3, 48000) > -70);
}

/* F0 rises by 2 semitones in a second; harmonics reach Nyquist one by one.  Half way between harmonics
 * there must be nothing at any time; an alias, which falls, would cross. */
static void a_gliding_vowel_has_no_alias(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded =
        voice_load(f, "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [v], sec: 1.5}],\n"
                      " parameters: {f0_hz: 1000, declination_st_per_sec: -2}}");

    for (size_t first = 24000; first + 2048 <= 24000 + 48000; first += 1024) {
        const double *magnitudes = spectrum_of(f, samples_of(f, &loaded.clip, first, 2048), 2048);
        double t = (double)(first + 1024) / 48000 - 0.25, f0_hz = 1000 * pow(2, 2 * t / 12), on = 0, off = 0;

        for (size_t k = 0; k <= 1024; k++) {
            double place = (double)k * 48000 / 2048 / f0_hz, away = fabs(place - floor(place + 0.5));

            on = magnitudes[k] > on ? magnitudes[k] : on;
            if (away > 0.35)
                off = magnitudes[k] > off ? magnitudes[k] : off;
        }
        assert_true(20 * log10(off / on) < -80);
    }
}

/* ---- noise and silence ------------------------------------------------------------------------------ */

/* Power between two frequencies in a stretch of a clip. */
static double power_between(struct fixture *f, const struct vg_clip *clip, size_t first, size_t n,
                            double low_hz, double high_hz)
{
    const double *magnitudes = spectrum_of(f, samples_of(f, clip, first, n), n);
    double power = 0;

    for (size_t k = 0; k <= n / 2; k++) {
        double hz = (double)k * clip->rate_hz / (double)n;

        if (hz >= low_hz && hz < high_hz)
            power += magnitudes[k] * magnitudes[k];
    }
    return power;
}

/* A burst has the bands of its phone, the vowel after it its formants. */
static void a_burst_sounds_in_its_bands(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded =
        voice_load(f, "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [t, v], sec: 0.5}]}");
    size_t burst = (size_t)(48000 * (0.25 + 0.06)), vowel = 48000 / 2;

    assert_true(power_between(f, &loaded.clip, burst, 512, 3000, 8000) >
                50 * power_between(f, &loaded.clip, burst, 512, 0, 2000));
    assert_true(power_between(f, &loaded.clip, vowel, 4096, 500, 1500) >
                100 * power_between(f, &loaded.clip, vowel, 4096, 3000, 8000));
    assert_true(loaded.facts.onset_sec > 0.3099 && loaded.facts.onset_sec < 0.3101); /* not the closure */
}

/* Outside the span there is the room and nothing else, at the level it was asked for. */
static void silence_holds_the_room(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded =
        voice_load(f, "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [v], sec: 0.5}],\n"
                      " parameters: {floor_dbfs: -70}}");
    double sum = 0;

    for (size_t k = 0; k < loaded.span.on; k++)
        sum += (double)loaded.clip.samples[k] * loaded.clip.samples[k];
    assert_true(fabs(10 * log10(sum / (double)loaded.span.on / 32767 / 32767) + 70) < 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_spectrum_is_that_of_an_lf_pulse),
        cmocka_unit_test(the_return_phase_sets_the_tilt),
        cmocka_unit_test_setup_teardown(a_steady_vowel_has_no_alias, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_measure_sees_an_alias, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_gliding_vowel_has_no_alias, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_burst_sounds_in_its_bands, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(silence_holds_the_room, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
