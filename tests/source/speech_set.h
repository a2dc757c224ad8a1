/* SPDX-License-Identifier: MIT */
/* The set that the robust detector was tuned on: clips whose speech begins and ends where we say, between
 * silences, under noise, hum and clicks of a given strength.  What it is worth on speech it has not seen,
 * speech_held_out.h tells.
 *
 * Real speech: recordings of alsa-utils and pocketsphinx-testdata, about five voices (one of alsa-utils,
 * three or four of pocketsphinx).  Their bounds were read off the levels of 10 ms frames (the first and last
 * 60 ms that stay above 20 dB below the speech's RMS), by eye and not by ear: what was cut away as weaker may
 * be the begin of a fricative or the end of a breath.  After the cut the bounds are exact, but they are
 * bounds of what was left.  Synthetic speech: specs/voice.yaml, six voices, bounds from the score. */
#ifndef VG_TEST_SPEECH_SET_H
#define VG_TEST_SPEECH_SET_H

#include "speech_scene.h"

#define ALSA "/usr/share/sounds/alsa/"
#define SPHINX "/usr/share/pocketsphinx/test/data/"
#define AUSTEN SPHINX "librivox/sense_and_sensibility_01_austen_64kb-"
static struct speech speeches[] = {
    {.name = ALSA "Front_Center.wav", .onset_sec = 0.065, .offset_sec = 1.330},
    {.name = ALSA "Front_Left.wav", .onset_sec = 0.030, .offset_sec = 0.975},
    {.name = ALSA "Front_Right.wav", .onset_sec = 0.140, .offset_sec = 1.170},
    {.name = ALSA "Rear_Center.wav", .onset_sec = 0.045, .offset_sec = 1.165},
    {.name = ALSA "Rear_Left.wav", .onset_sec = 0.030, .offset_sec = 1.065},
    {.name = ALSA "Rear_Right.wav", .onset_sec = 0.050, .offset_sec = 1.200},
    {.name = ALSA "Side_Left.wav", .onset_sec = 0.045, .offset_sec = 1.055},
    {.name = ALSA "Side_Right.wav", .onset_sec = 0.035, .offset_sec = 1.110},
    {.name = SPHINX "goforward.raw", .onset_sec = 0.500, .offset_sec = 2.240},
    {.name = SPHINX "something.raw", .onset_sec = 0.460, .offset_sec = 2.090},
    {.name = SPHINX "tidigits/dhd.2934z.raw", .onset_sec = 0.255, .offset_sec = 1.605},
    {.name = SPHINX "cards/001.wav", .onset_sec = 0.180, .offset_sec = 0.945},
    {.name = SPHINX "cards/002.wav", .onset_sec = 0.130, .offset_sec = 1.685},
    {.name = SPHINX "cards/003.wav", .onset_sec = 0.105, .offset_sec = 1.240},
    {.name = SPHINX "cards/005.wav", .onset_sec = 0.205, .offset_sec = 3.235},
    {.name = AUSTEN "0870.wav", .onset_sec = 0.240, .offset_sec = 6.625},
    {.name = AUSTEN "0880.wav", .onset_sec = 0.260, .offset_sec = 2.775},
    {.name = AUSTEN "0890.wav", .onset_sec = 0.285, .offset_sec = 4.985},
    {.name = AUSTEN "0920.wav", .onset_sec = 0.315, .offset_sec = 5.775},
    {.name = AUSTEN "0930.wav", .onset_sec = 0.275, .offset_sec = 2.865},
    {.name = "voice_01"},
    {.name = "voice_02"},
    {.name = "voice_03"},
    {.name = "voice_04"},
    {.name = "voice_05"},
    {.name = "voice_06"},
};
enum { SPEECHES = sizeof speeches / sizeof *speeches };

/* ---- the speech ------------------------------------------------------------------------------------- */

static inline void read_recording(struct fixture *f, struct speech *speech)
{
    struct vg_loaded loaded;
    size_t count;

    if (!vg_file_exists(speech->name))
        fail_msg("%s is not there; install alsa-utils and pocketsphinx-testdata", speech->name);
    if (strstr(speech->name, ".raw") != NULL) {
        const unsigned char *bytes = fixture_get(f, speech->name, &count);
        int16_t *samples = vg_arena_take(&f->arena, count / 2, sizeof *samples);

        for (size_t k = 0; k < count / 2; k++)
            samples[k] = (int16_t)(uint16_t)(bytes[2 * k] | bytes[2 * k + 1] << 8);
        speech->rate_hz = 16000;
        cut_speech(f, speech, samples, count / 2);
        return;
    }
    assert_int_equal(fixture_decode(f, speech->name, false, &loaded), VG_OK);
    speech->rate_hz = loaded.clip.rate_hz;
    cut_speech(f, speech, loaded.clip.samples, loaded.clip.frames);
}

/* Fill `speeches`, once for all tests. */
static inline void speech_set_read(void)
{
    static struct fixture kept;
    struct fixture *f = &kept;
    struct vg_source_list list = {0};
    struct vg_spec spec;

    if (speeches[0].x != NULL)
        return;
    list_sources(f, vg_path_join(&f->arena, getenv("VG_SPECS"), "voice.yaml"), &spec, &list);
    for (size_t i = 0; i < SPEECHES; i++)
        if (speeches[i].name[0] == '/')
            read_recording(f, &speeches[i]);
        else
            speak(f, &spec, fixture_find(&list, speeches[i].name), &speeches[i]);
}

/* ---- a clip around it ------------------------------------------------------------------------------- */

static inline void add_noise(struct scene *scene, double level, struct vg_random *random,
                             struct vg_arena *tmp)
{
    double *noise = vg_arena_take(tmp, scene->frames, sizeof *noise), p[3] = {0}, gain;

    for (size_t k = 0; k < scene->frames; k++) {
        double white = vg_random_normal(random);

        p[0] = 0.99765 * p[0] + 0.0990460 * white; /* three poles near 1/f */
        p[1] = 0.96300 * p[1] + 0.2965164 * white;
        p[2] = 0.57000 * p[2] + 1.0526913 * white;
        noise[k] = scene->pink ? p[0] + p[1] + p[2] + 0.1848 * white : white;
    }
    gain = level * vg_db_to_gain(-scene->snr_db) / rms_of(noise, scene->frames);
    for (size_t k = 0; k < scene->frames; k++)
        scene->x[k] += gain * noise[k];
}

static inline void add_hum(struct scene *scene, double level)
{
    double gain = level * vg_db_to_gain(scene->snr_db >= 20 ? -20 : -10);

    for (size_t k = 0; k < scene->frames; k++)
        for (int h = 1; h <= 7; h += 2)
            scene->x[k] +=
                gain / h *
                vg_sin(2 * VG_PI * scene->hum_hz * h * (double)k / scene->speech->rate_hz + 1.7 * h);
}

/* Of 0.2 to 1.2 ms, a third to all of the speech's peak, anywhere. */
static inline void add_clicks(struct scene *scene, struct vg_random *random)
{
    double peak = 0;

    for (size_t k = 0; k < scene->speech->frames; k++)
        peak = fabs(scene->speech->x[k]) > peak ? fabs(scene->speech->x[k]) : peak;
    for (size_t c = 0; c < scene->clicks; c++) {
        size_t at = (size_t)vg_random_below(random, scene->frames);
        double decay = (0.0002 + 0.001 * vg_random_double(random)) * scene->speech->rate_hz;
        double height = peak * (0.3 + 0.7 * vg_random_double(random));

        for (size_t k = 0; at + k < scene->frames && (double)k < 6 * decay; k++)
            scene->x[at + k] += (k % 2 == 0 ? height : -height) * vg_exp(-(double)k / decay);
    }
}

/* Make the clip of a scene whose wishes are set. */
static inline void scene_make(struct scene *scene, struct vg_random *random, struct vg_arena *tmp)
{
    double level = rms_of(scene->speech->x, scene->speech->frames);

    place_speech(scene, tmp);
    if (scene->snr_db < 90)
        add_noise(scene, level, random, tmp);
    if (scene->hum_hz > 0)
        add_hum(scene, level);
    keep_background(scene, tmp);
    add_clicks(scene, random);
    round_to_words(scene);
}

#endif
