/* SPDX-License-Identifier: MIT */
/* Speech whose bounds we know, and counting who finds them: what the set that the robust detector was tuned
 * on (speech_set.h) and the one it has not seen (speech_held_out.h) share. */
#ifndef VG_TEST_SPEECH_SCENE_H
#define VG_TEST_SPEECH_SCENE_H

#include "fixture_spec.h"

#include <math.h>
#include <stdio.h>

#include "detect.h"
#include "dsp.h"
#include "measure.h"
#include "render.h"

struct speech {
    const char *name; /* of a file, or of a synthetic source */
    double onset_sec, offset_sec;
    double *x; /* between them */
    size_t frames;
    uint32_t rate_hz;
};

/* A clip: speech between silences, and what was added. */
struct scene {
    const struct speech *speech;
    double snr_db; /* RMS of the speech over that of the noise, full band; 90 and more: no noise */
    bool pink;     /* else white */
    double hum_hz; /* 0: none; else 20 dB below the speech, 10 dB where the noise is stronger than that */
    size_t clicks;
    double lead_sec, tail_sec;
    double *x;          /* as 16-bit samples would have it */
    double *background; /* noise and hum of it, without the clicks */
    size_t frames;
    double onset_sec, offset_sec;
};

/* Keep what is between the bounds. */
static inline void cut_speech(struct fixture *f, struct speech *speech, const int16_t *samples, size_t frames)
{
    size_t on = (size_t)vg_round_even(speech->onset_sec * speech->rate_hz);
    size_t off = (size_t)vg_round_even(speech->offset_sec * speech->rate_hz);
    size_t fade = speech->rate_hz / 200;

    assert_true(on < off && off <= frames);
    speech->frames = off - on;
    speech->x = vg_arena_take(&f->arena, speech->frames, sizeof *speech->x);
    for (size_t k = 0; k < speech->frames; k++)
        speech->x[k] = samples[on + k] / 32768.0;
    for (size_t k = 0; k < fade; k++) { /* 5 ms: a cut must not click */
        double gain = 0.5 - 0.5 * vg_cos(VG_PI * (double)k / (double)fade);

        speech->x[k] *= gain;
        speech->x[speech->frames - 1 - k] *= gain;
    }
}

/* The sources of a spec, its engines and measures known. */
static inline void list_sources(struct fixture *f, const char *path, struct vg_spec *spec,
                                struct vg_source_list *list)
{
    static const struct vg_engine_words *engines[8];
    static const struct vg_source_words *kinds[32];
    struct vg_vocabulary vocabulary = {.engines = engines,
                                       .engine_count = vg_engine_count,
                                       .sources = kinds,
                                       .source_count = vg_source_kind_count,
                                       .measure_keys = vg_measure_keys};
    struct vg_spec_options options = {0};

    assert_true(vg_engine_count <= 8 && vg_source_kind_count <= 32);
    for (size_t i = 0; i < vg_engine_count; i++)
        engines[i] = &vg_engines[i]->words;
    for (size_t i = 0; i < vg_source_kind_count; i++)
        kinds[i] = &vg_source_kinds[i]->words;
    if (vg_spec_load(spec, path, &options, &vocabulary, &f->arena, &f->err) != VG_OK)
        fail_msg("%s: %s", f->err.issues[0].place, f->err.issues[0].sentence);
    assert_int_equal(vg_sources_list(spec, list, &f->arena, &f->err), VG_OK);
}

/* A synthetic source: its bounds come from its score. */
static inline void speak(struct fixture *f, const struct vg_spec *spec, const struct vg_source *source,
                         struct speech *speech)
{
    struct vg_loaded loaded;

    assert_int_equal(vg_source_load(spec, source, &loaded, &f->arena, &f->err), VG_OK);
    speech->onset_sec = loaded.facts.onset_sec;
    speech->offset_sec = loaded.facts.offset_sec;
    speech->rate_hz = loaded.clip.rate_hz;
    cut_speech(f, speech, loaded.clip.samples, loaded.clip.frames);
}

/* The speech at another rate. */
static inline struct speech at_rate(const struct speech *speech, uint32_t rate_hz, struct vg_arena *tmp)
{
    struct speech other = *speech;
    double ratio = (double)rate_hz / speech->rate_hz;
    struct vg_resample_filter filter = {0.91, 1};
    float *in = vg_arena_take(tmp, speech->frames, sizeof *in), *out;

    other.rate_hz = rate_hz;
    other.frames = vg_resample_frames(speech->frames, ratio);
    out = vg_arena_take(tmp, other.frames, sizeof *out);
    other.x = vg_arena_take(tmp, other.frames, sizeof *other.x);
    for (size_t k = 0; k < speech->frames; k++)
        in[k] = (float)speech->x[k];
    vg_resample(vg_resampler_make(filter, tmp), in, speech->frames, ratio, 0, other.frames, out, tmp);
    for (size_t k = 0; k < other.frames; k++)
        other.x[k] = out[k];
    return other;
}

static inline double rms_of(const double *x, size_t count)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++)
        sum += x[k] * x[k];
    return sqrt(sum / (double)count);
}

/* Put the speech between its silences. */
static inline void place_speech(struct scene *scene, struct vg_arena *tmp)
{
    const struct speech *speech = scene->speech;
    size_t lead = (size_t)vg_round_even(scene->lead_sec * speech->rate_hz);

    scene->frames = lead + speech->frames + (size_t)vg_round_even(scene->tail_sec * speech->rate_hz);
    scene->x = vg_arena_take_zero(tmp, scene->frames, sizeof *scene->x);
    scene->onset_sec = (double)lead / speech->rate_hz;
    scene->offset_sec = (double)(lead + speech->frames) / speech->rate_hz;
    memcpy(scene->x + lead, speech->x, speech->frames * sizeof *speech->x);
}

/* What was added to the speech until now is its background. */
static inline void keep_background(struct scene *scene, struct vg_arena *tmp)
{
    size_t lead = (size_t)vg_round_even(scene->lead_sec * scene->speech->rate_hz);

    scene->background = vg_arena_take(tmp, scene->frames, sizeof *scene->background);
    memcpy(scene->background, scene->x, scene->frames * sizeof *scene->x);
    for (size_t k = 0; k < scene->speech->frames; k++)
        scene->background[lead + k] -= scene->speech->x[k];
}

static inline void round_to_words(struct scene *scene)
{
    for (size_t k = 0; k < scene->frames; k++) {
        double y = vg_round_even(scene->x[k] * 32768);

        scene->x[k] = (y > 32767 ? 32767 : y < -32768 ? -32768 : y) / 32768;
    }
}

/* ---- which bounds can be heard ---------------------------------------------------------------------- */

/* At 5 dB SNR a last syllable 20 dB below the speech's level is 15 dB below the noise, and what a rate of 8
 * kHz has left of an s is less: nobody could say where such a clip's speech ends.  So it is told by
 * construction, from speech and background apart: where are the first and the last 60 ms whose mean power in
 * some band of the ear (1.5 ERB wide) is at least that of noise and hum in the same band?  The masked
 * threshold of long sounds lies 2 to 6 dB below the noise in their critical band, and some 5 dB higher for
 * those of 60 ms (Zwicker and Fastl 1999, chapters 4 and 6).  The bounds remain what they are; a scene counts
 * as heard where both of them are within 50 ms of what can be heard. */
static inline bool is_heard(const struct scene *scene, struct vg_arena *tmp)
{
    enum { RUN = 12, SLACK = 10 }; /* frames of 5 ms */
    const struct speech *speech = scene->speech;
    struct vg_speech_bands voice, noise;
    size_t first = SIZE_MAX, last = 0;

    vg_speech_bands_make(&voice, speech->x, speech->frames, speech->rate_hz, tmp);
    vg_speech_bands_make(&noise, scene->background, scene->frames, speech->rate_hz, tmp);
    for (size_t b = 0; b < VG_SPEECH_BANDS; b++) {
        double level = 0, sum = 0;

        for (size_t i = 0; i < noise.count; i++)
            level += noise.power[b][i] / (double)noise.count;
        for (size_t i = 0; i < voice.count; i++) {
            sum += voice.power[b][i] - (i >= RUN ? voice.power[b][i - RUN] : 0);
            if (i + 1 >= RUN && sum >= RUN * level) {
                first = i + 1 - RUN < first ? i + 1 - RUN : first;
                last = i > last ? i : last;
            }
        }
    }
    return first <= SLACK && last + SLACK + 1 >= voice.count;
}

/* ---- who finds the bounds --------------------------------------------------------------------------- */

static const struct vg_detector paper = {.pre_emphasis = 0.97,
                                         .frame_sec = 0.010,
                                         .hop_sec = 0.010,
                                         .background_sec = 0.2,
                                         .floor_factor = 1.8,
                                         .peak_factor = 0.003,
                                         .threshold_min = 5e-5,
                                         .run_frames = 10};

/* How many of `count` are within 50 and 100 ms at both ends; of them, those whose bounds can be heard. */
struct tally {
    size_t count, within_50, within_100, heard, heard_100;
    double confidence;
};

static inline void count_in(struct tally *tally, const struct scene *scene, bool heard, bool found,
                            double onset_sec, double offset_sec)
{
    double on = fabs(onset_sec - scene->onset_sec), off = fabs(offset_sec - scene->offset_sec);
    double worst = on > off ? on : off;

    tally->count++;
    tally->within_50 += found && worst <= 0.05;
    tally->within_100 += found && worst <= 0.1;
    tally->heard += heard;
    tally->heard_100 += heard && found && worst <= 0.1;
}

static inline double percent(size_t part, size_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Both detectors on a scene; `sure` by fifths of the robust one's confidence. */
static inline void try_scene(const struct scene *scene, struct tally *robust, struct tally *old,
                             struct tally sure[5], struct vg_arena *tmp)
{
    uint32_t rate_hz = scene->speech->rate_hz;
    struct vg_speech found = vg_detect_robust(scene->x, scene->frames, rate_hz, tmp);
    struct vg_detection before = vg_detect_speech(&paper, scene->x, scene->frames, rate_hz, tmp);
    bool heard = scene->snr_db >= 20 || is_heard(scene, tmp);
    size_t step = found.confidence < 1 ? (size_t)(5 * found.confidence) : 4;

    count_in(robust, scene, heard, found.found, found.onset_sec, found.offset_sec);
    robust->confidence += found.confidence;
    count_in(old, scene, heard, before.found, before.onset_sec, before.offset_sec);
    count_in(&sure[step], scene, heard, found.found, found.onset_sec, found.offset_sec);
}

static inline void print_head(void)
{
    printf(
        "SNR, dB  clips | robust: within 50 ms  100 ms  confidence | heard at both bounds: clips, within 100 "
        "ms | paper: within 50 ms  100 ms\n");
}

static inline void print_row(double snr_db, const struct tally *robust, const struct tally *old)
{
    char level[16] = "none";

    if (snr_db <= 90)
        snprintf(level, sizeof level, "%d", (int)snr_db);
    printf("%7s %6zu | %20.1f %7.1f %11.2f | %27zu %14.1f | %19.1f %7.1f\n", level, robust->count,
           percent(robust->within_50, robust->count), percent(robust->within_100, robust->count),
           robust->confidence / (double)robust->count, robust->heard,
           percent(robust->heard_100, robust->heard), percent(old->within_50, old->count),
           percent(old->within_100, old->count));
}

static inline void print_sure(const struct tally sure[5])
{
    for (size_t i = 0; i < 5; i++)
        printf("confidence from %.1f: %4zu clips, %5.1f %% within 50 ms, %5.1f %% within 100 ms\n",
               (double)i / 5, sure[i].count, percent(sure[i].within_50, sure[i].count),
               percent(sure[i].within_100, sure[i].count));
}

#endif
