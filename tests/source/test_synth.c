/* SPDX-License-Identifier: MIT */
/* Complex tones, chirps and noises: spectra against what was asked, peaks, fades, silences, faults. */
#include "fixture_voice.h"

static struct vg_loaded load(struct fixture *f, const char *entry)
{
    struct vg_spec spec;
    struct vg_source_list list;
    struct vg_loaded loaded;

    assert_int_equal(fixture_list(f, entry, NULL, &spec, &list), VG_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(vg_source_load(&spec, &list.at[0], &loaded, &f->arena, &f->err), VG_OK);
    return loaded;
}

static int peak_of(const struct vg_clip *clip)
{
    int peak = 0;

    for (size_t k = 0; k < clip->frames; k++)
        peak = abs(clip->samples[k]) > peak ? abs(clip->samples[k]) : peak;
    return peak;
}

/* ---- harmonic --------------------------------------------------------------------------------------- */

static void partials_have_their_levels(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded = load(
        f, "{kind: harmonic, id: h, sample_rate_hz: 48000, lead_sec: 0.5, sound_sec: 1, tail_sec: 0.25,\n"
           " peak_dbfs: -1, f0_hz: 250, partials: [1, 2, 3.5, 20], levels_db: [0, -6, -20, -40],\n"
           " phases_deg: [0, 90, 180, 270]}");
    const double *magnitudes;
    const size_t bins[] = {250, 500, 875, 5000}; /* of 1 Hz */
    const double levels_db[] = {0, -6, -20, -40};

    assert_int_equal(loaded.clip.frames, 84000);
    assert_int_equal(loaded.span.on, 24000);
    assert_int_equal(loaded.span.off, 72000);
    assert_int_equal(peak_of(&loaded.clip), 29204); /* 32767 * 10^(-1/20) = 29203.6 */
    for (size_t k = 0; k < 24000; k++)
        assert_int_equal(loaded.clip.samples[k], 0);
    for (size_t k = 72000; k < 84000; k++)
        assert_int_equal(loaded.clip.samples[k], 0);
    magnitudes = spectrum_of(f, samples_of(f, &loaded.clip, 24000, 48000), 48000);
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(20 * log10(magnitudes[bins[i]] / magnitudes[250]) - levels_db[i]) < 0.01);
    for (size_t k = 0; k <= 24000; k++)
        if ((k + 125 - 4) % 125 < 125 - 8) /* off every partial */
            assert_true(magnitudes[k] < 1e-4 * magnitudes[250]);
}

static void partials_without_levels_are_equal_sines(void **state)
{
    struct fixture *f = *state;
    struct vg_loaded loaded =
        load(f, "{kind: harmonic, id: h, sample_rate_hz: 8000, lead_sec: 0, sound_sec: 1, tail_sec: 0,\n"
                " peak_dbfs: 0, f0_hz: 1000, partials: [1]}");
    const int expected[] = {0, 23170, 32767, 23170, 0, -23170, -32767, -23170};

    for (size_t k = 0; k < 8000; k++)
        assert_int_equal(loaded.clip.samples[k], expected[k % 8]);
}

/* ---- chirp ------------------------------------------------------------------------------------------ */

/* Frequency around a sample, from the zero crossings of 50 ms, interpolated. */
static double frequency_at(const struct vg_clip *clip, size_t middle)
{
    size_t half = clip->rate_hz / 40, crossings = 0;
    double first = 0, last = 0;

    for (size_t k = middle - half; k < middle + half; k++) {
        double a = clip->samples[k], b = clip->samples[k + 1];

        if (!(a < 0 && b >= 0))
            continue;
        last = (double)k + a / (a - b);
        if (crossings++ == 0)
            first = last;
    }
    return (double)(crossings - 1) * clip->rate_hz / (last - first);
}

static void chirps_follow_their_law(void **state)
{
    struct fixture *f = *state;
    const char *laws[] = {"linear", "logarithmic"};

    for (size_t i = 0; i < 2; i++)
        for (int down = 0; down < 2; down++) {
            double from_hz = down ? 6400 : 100, to_hz = down ? 100 : 6400;
            struct vg_loaded loaded = load(
                f, vg_arena_format(&f->arena,
                                   "{kind: chirp, id: c, sample_rate_hz: 48000, lead_sec: 0, sound_sec: 4,\n"
                                   " tail_sec: 0, peak_dbfs: -3, from_hz: %d, to_hz: %d, law: %s}",
                                   (int)from_hz, (int)to_hz, laws[i]));

            for (double t = 0.5; t < 4; t += 0.5) {
                double asked =
                    i == 0 ? from_hz + (to_hz - from_hz) * t / 4 : from_hz * pow(to_hz / from_hz, t / 4);
                double found = frequency_at(&loaded.clip, (size_t)(t * 48000));

                if (fabs(found - asked) > 0.01 * asked)
                    fail_msg("%s chirp at %g s: asked for %g Hz, found %g", laws[i], t, asked, found);
            }
        }
}

static void fades_are_within_the_sound(void **state)
{
    struct fixture *f = *state;
    const char *entry =
        "{kind: chirp, id: c, sample_rate_hz: 48000, lead_sec: 0.1, sound_sec: 1, tail_sec: 0.1,\n"
        " peak_dbfs: -3, from_hz: 1000, to_hz: 1100, law: linear%s}";
    struct vg_loaded plain = load(f, vg_arena_format(&f->arena, entry, ""));
    struct vg_loaded faded = load(f, vg_arena_format(&f->arena, entry, ", fade_sec: 0.2"));
    double half = 0.5 - 0.5 * cos(VG_PI * 4800.5 / 9600);

    assert_true(abs(faded.clip.samples[4800 + 60]) < 10);
    for (size_t k = 4800 + 9600; k < 4800 + 48000 - 9600; k++)
        assert_true(abs(faded.clip.samples[k] - plain.clip.samples[k]) <= 1);
    assert_true(fabs(faded.clip.samples[4800 + 4800] - half * plain.clip.samples[4800 + 4800]) < 2);
    assert_true(abs(faded.clip.samples[4800 + 48000 - 60]) < 10);
}

/* ---- noise ------------------------------------------------------------------------------------------ */

/* Level of the third octave around a frequency, in dB per Hz of density. */
static double density_db(const double *magnitudes, size_t n, double rate_hz, double hz)
{
    double sum = 0;
    size_t count = 0;

    for (size_t k = 0; k <= n / 2; k++) {
        double bin_hz = (double)k * rate_hz / (double)n;

        if (bin_hz > hz * 0.891 && bin_hz < hz * 1.122) {
            sum += magnitudes[k] * magnitudes[k];
            count++;
        }
    }
    return 10 * log10(sum / (double)count);
}

static const double *noise_spectrum(struct fixture *f, const char *keys)
{
    struct vg_loaded loaded =
        load(f, vg_arena_format(
                    &f->arena,
                    "{kind: noise, id: n, sample_rate_hz: 48000, lead_sec: 0, sound_sec: 11, tail_sec: 0,\n"
                    " peak_dbfs: -1, %s}",
                    keys));

    return spectrum_of(f, samples_of(f, &loaded.clip, 0, 524288), 524288);
}

static void noises_have_their_colour(void **state)
{
    struct fixture *f = *state;
    const double *white = noise_spectrum(f, "colour: white"), *pink = noise_spectrum(f, "colour: pink");
    const double *speech = noise_spectrum(f, "colour: speech");
    double white_db = density_db(white, 524288, 48000, 1000), pink_db = density_db(pink, 524288, 48000, 1000);
    double speech_db = density_db(speech, 524288, 48000, 1000);

    for (double hz = 125; hz <= 16000; hz *= 2) {
        assert_true(fabs(density_db(white, 524288, 48000, hz) - white_db) < 1);
        assert_true(fabs(density_db(pink, 524288, 48000, hz) - pink_db + 10 * log10(hz / 1000)) < 1);
    }
    /* Byrne et al. 1994: bands at 500, 1000 and 4000 Hz have 62.1, 53.7 and 45.6 dB. */
    assert_true(fabs(density_db(speech, 524288, 48000, 500) - speech_db - (62.1 - 53.7 + 3.01)) < 1);
    assert_true(fabs(density_db(speech, 524288, 48000, 4000) - speech_db - (45.6 - 53.7 - 6.02)) < 1);
}

static void noise_keeps_to_its_band(void **state)
{
    struct fixture *f = *state;
    const double *band = noise_spectrum(f, "colour: white, low_hz: 1000, high_hz: 2000");
    double inside_db = density_db(band, 524288, 48000, 1414);

    assert_true(density_db(band, 524288, 48000, 500) < inside_db - 60);
    assert_true(density_db(band, 524288, 48000, 4000) < inside_db - 60);
}

static void noise_is_seeded_by_its_id(void **state)
{
    struct fixture *f = *state;
    const char *entry =
        "{kind: noise, id: %s, sample_rate_hz: 16000, lead_sec: 0, sound_sec: 1, tail_sec: 0,\n"
        " peak_dbfs: -1, colour: pink}";
    struct vg_loaded a = load(f, vg_arena_format(&f->arena, entry, "a"));
    struct vg_loaded b = load(f, vg_arena_format(&f->arena, entry, "b"));
    struct vg_loaded again = load(f, vg_arena_format(&f->arena, entry, "a"));

    assert_string_equal(a.facts.audio_xxh128, again.facts.audio_xxh128);
    assert_string_not_equal(a.facts.audio_xxh128, b.facts.audio_xxh128);
}

/* ---- bits and faults -------------------------------------------------------------------------------- */

static void samples_are_pinned(void **state)
{
    struct fixture *f = *state;
    const struct {
        const char *keys, *digest;
    } pins[] = {
        {"kind: harmonic, f0_hz: 220.5, partials: [1, 2, 3, 4.1], levels_db: [0, -6, -9, -12]",
         "1529d52f902757f3fe8f1eeb28bcd2a7"},
        {"kind: chirp, from_hz: 50, to_hz: 7900, law: linear", "ad60e6d73bc7f1597295c6dc97d37d74"},
        {"kind: chirp, from_hz: 7900, to_hz: 50, law: logarithmic", "e2d1a649cbe8e467635aadcd6647f73c"},
        {"kind: noise, colour: white", "508f75bd104e406f87b1167a4f55ee0d"},
        {"kind: noise, colour: pink, low_hz: 20", "2887ba576bb895c46ddd6314ac7ff143"},
        {"kind: noise, colour: speech", "834b64fb7684da10a774c293e98481cf"},
    };

    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++) {
        struct vg_loaded loaded =
            load(f, vg_arena_format(&f->arena,
                                    "{%s, id: p, sample_rate_hz: 16000, lead_sec: 0.1, sound_sec: 0.7,\n"
                                    " tail_sec: 0.2, fade_sec: 0.05, peak_dbfs: -3}",
                                    pins[i].keys));

        assert_string_equal(loaded.facts.audio_xxh128, pins[i].digest);
    }
}

static void faults_have_their_place(void **state)
{
    struct fixture *f = *state;
    const struct {
        const char *keys;
        unsigned column;
        const char *part, *other;
    } faults[] = {
        {"kind: harmonic, f0_hz: 1000, partials: [1, 8]", 46, "partial 8 of 1000 Hz", "8000 Hz"},
        {"kind: harmonic, f0_hz: 100, partials: [1, 2], levels_db: [0]", 60, "levels_db has 1 values",
         "2 partials"},
        {"kind: chirp, from_hz: 100, to_hz: 100, law: linear", 37, "equal", "tone"},
        {"kind: chirp, from_hz: 100, to_hz: 9000, law: linear", 37, "9000", "8000"},
        {"kind: chirp, from_hz: 100, to_hz: 900, law: cubic", 47, "cubic", "linear or logarithmic"},
        {"kind: noise, colour: white, fade_sec: 0.6", 41, "fade_sec is 0.6", "sound_sec 1"},
        {"kind: noise, colour: white, low_hz: 500, high_hz: 400", 53, "high_hz 400", "low_hz 500"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct vg_spec spec;
        const char *place = vg_arena_format(&f->arena, "%s:%d:%u", fixture_path(f, "spec.yaml"),
                                            FIXTURE_ENTRY_LINE, faults[i].column);

        assert_int_equal(fixture_spec(f,
                                      vg_arena_format(&f->arena,
                                                      "{ %s, id: p, sample_rate_hz: 16000, lead_sec: 0,\n"
                                                      " sound_sec: 1, tail_sec: 0, peak_dbfs: -3}",
                                                      faults[i].keys),
                                      NULL, &spec),
                         VG_SPEC);
        assert_int_equal(f->err.count, 1);
        expect_fault(f, VG_SPEC, place, faults[i].part, faults[i].other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(partials_have_their_levels, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(partials_without_levels_are_equal_sines, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(chirps_follow_their_law, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(fades_are_within_the_sound, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(noises_have_their_colour, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(noise_keeps_to_its_band, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(noise_is_seeded_by_its_id, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(samples_are_pinned, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(faults_have_their_place, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
