/* SPDX-License-Identifier: MIT */
/* What phoneticians measure: Praat (Boersma and Weenink) finds in a synthetic vowel the F0, formants, jitter
 * and shimmer it was asked for.  Needs the program `praat`; fails without it. */
#include "fixture_voice.h"

static void put_little(struct vg_text *text, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        vg_text_add_char(text, (char)(unsigned char)(value >> (8 * i)));
}

static const char *put_wav(struct fixture *f, const struct vg_clip *clip)
{
    struct vg_text wav = {0};
    uint32_t bytes = (uint32_t)(2 * clip->frames);
    char *path;

    vg_text_add(&wav, "RIFF");
    put_little(&wav, 36 + bytes, 4);
    vg_text_add(&wav, "WAVEfmt ");
    put_little(&wav, 16, 4);
    put_little(&wav, 1, 2); /* PCM */
    put_little(&wav, 1, 2);
    put_little(&wav, clip->rate_hz, 4);
    put_little(&wav, 2 * clip->rate_hz, 4);
    put_little(&wav, 2, 2);
    put_little(&wav, 16, 2);
    vg_text_add(&wav, "data");
    put_little(&wav, bytes, 4);
    for (size_t k = 0; k < clip->frames; k++)
        put_little(&wav, (uint16_t)clip->samples[k], 2);
    path = fixture_put(f, "vowel.wav", wav.data, wav.length);
    vg_text_release(&wav);
    return path;
}

static const char script[] =
    "form measure\n"
    "  sentence file\n"
    "endform\n"
    "sound = Read from file: file$\n"
    "pitch = To Pitch (ac): 0, 75, 15, \"no\", 0.03, 0.45, 0.01, 0.35, 0.14, 600\n"
    "f0 = Get mean: 0.5, 2.5, \"Hertz\"\n"
    "selectObject: sound\n"
    "formant = To Formant (burg): 0, 5, 5000, 0.025, 50\n"
    "f1 = Get mean: 1, 0.5, 2.5, \"hertz\"\n"
    "f2 = Get mean: 2, 0.5, 2.5, \"hertz\"\n"
    "f3 = Get mean: 3, 0.5, 2.5, \"hertz\"\n"
    "selectObject: sound, pitch\n"
    "pulses = To PointProcess (cc)\n"
    "jitter = Get jitter (local): 0.5, 7.5, 0.0001, 0.02, 1.3\n"
    "selectObject: sound, pulses\n"
    "shimmer = Get shimmer (local): 0.5, 7.5, 0.0001, 0.02, 1.3, 1.6\n"
    "writeInfoLine: f0, \" \", f1, \" \", f2, \" \", f3, \" \", 100 * jitter, \" \", 100 * shimmer\n";

struct measured {
    double f0_hz, formants_hz[3], jitter_percent, shimmer_percent;
};

static struct measured measure(struct fixture *f, const char *entry)
{
    struct vg_loaded loaded = voice_load(f, entry);
    const char *wav = put_wav(f, &loaded.clip);
    const char *path = fixture_put(f, "measure.praat", script, sizeof script - 1);
    FILE *praat = popen(vg_arena_format(&f->arena, "praat --run %s %s", path, wav), "r");
    struct measured m;
    int found, status;

    assert_non_null(praat);
    found = fscanf(praat, "%lf %lf %lf %lf %lf %lf", &m.f0_hz, &m.formants_hz[0], &m.formants_hz[1],
                   &m.formants_hz[2], &m.jitter_percent, &m.shimmer_percent);
    status = pclose(praat);
    if (status != 0 || found != 6)
        fail_msg("praat gave %d of 6 numbers and status %d; is Debian's package praat installed?", found,
                 status);
    return m;
}

static void expect_within(double found, double asked, double share)
{
    if (fabs(found - asked) > share * asked)
        fail_msg("asked for %g, Praat finds %g", asked, found);
}

static void a_vowel_has_its_pitch_and_formants(void **state)
{
    struct fixture *f = *state;
    const int rates[] = {16000, 48000, 96000};
    const double asked_hz[] = {700, 1200, 2600};

    for (size_t r = 0; r < 3; r++) {
        struct measured m = measure(f, vg_arena_format(&f->arena,
                                                       "{kind: voice, id: a, sample_rate_hz: %d,\n"
                                                       " score: [{say: [v], sec: 3}]}",
                                                       rates[r]));

        expect_within(m.f0_hz, 120, 0.001);
        for (size_t i = 0; i < 3; i++)
            expect_within(m.formants_hz[i], asked_hz[i], 0.03);
        assert_true(m.jitter_percent < 0.05);
        assert_true(m.shimmer_percent < 0.5);
    }
}

static void jitter_and_shimmer_are_praats(void **state)
{
    struct fixture *f = *state;
    struct measured m =
        measure(f, "{kind: voice, id: a, sample_rate_hz: 48000, score: [{say: [v], sec: 8}],\n"
                   " parameters: {jitter_percent: 1, shimmer_percent: 5}}");

    expect_within(m.f0_hz, 120, 0.005);
    expect_within(m.jitter_percent, 1, 0.2); /* Praat's cross-correlation smooths: it finds about 0.9 of it */
    expect_within(m.shimmer_percent, 5, 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_vowel_has_its_pitch_and_formants, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(jitter_and_shimmer_are_praats, fixture_open, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
