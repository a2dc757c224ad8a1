/* SPDX-License-Identifier: MIT */
/* The set on which the robust detector is judged and was never tuned: other voices, recordings, noise, hum
 * and clicks than those of speech_set.h.  Look at its totals only; what a miss looks like is for the other
 * set.
 *
 * Real speech: the corpora that ../shared/corpora makes, none of whose recordings come from the packages of
 * speech_set.h: game characters, volunteers at home, an announcer, in six languages, at 16, 32 and 48 kHz, at
 * most three a voice.  Its bounds are found by a rule and then made true.  The speech's level is that between
 * the bounds, found in three rounds, the whole clip first; the bounds are where the first and the last 60 ms
 * begin and end that stay above 20 dB below it, in steps of 10 ms; what is outside is cut away and what takes
 * its place is made.  So speech does begin and end at the bounds to the sample, but it may begin softly
 * there: up to 20 dB below its level, 15 dB below the noise at 5 dB SNR.
 *
 * How uncertain the label is shows in where it would be with 15 or 25 dB instead of 20: half of the bounds
 * move by 10 ms or less, but a last syllable may fade for a tenth of a second and more (the test prints it).
 * A label that moves by more than 50 ms hardly tells who is right to 50 ms: what holds for the others alone
 * is printed too. Clips whose quiet tenth is less than 30 dB below the speech are left out: they have no
 * bounds to be found. Synthetic speech: held_out_voices.yaml, bounds from the score, whose ends fade (`lax`);
 * counted as uncertain. */
#ifndef VG_TEST_SPEECH_HELD_OUT_H
#define VG_TEST_SPEECH_HELD_OUT_H

#include "speech_scene.h"

enum { HELD_MOST = 400, HELD_A_VOICE = 3 };

struct held_out {
    struct speech at[HELD_MOST];
    bool certain[HELD_MOST]; /* both labels to 50 ms */
    size_t count, voices, noisy, short_ones;
    double moved_sec[2][2 * HELD_MOST]; /* by a threshold of 15 and of 25 dB, either bound */
    size_t moved;
};

/* ---- bounds of a recording -------------------------------------------------------------------------- */

/* A recording and the RMS of its frames of 10 ms. */
struct levels {
    const double *x;
    size_t frames, hop, count;
    double *at;
};

static inline struct levels levels_of(struct fixture *f, const double *x, size_t frames, uint32_t rate_hz)
{
    struct levels levels = {.x = x, .frames = frames, .hop = rate_hz / 100};

    levels.count = frames / levels.hop;
    levels.at = vg_arena_take(&f->arena, levels.count + 1, sizeof *levels.at);
    for (size_t i = 0; i < levels.count; i++)
        levels.at[i] = rms_of(x + i * levels.hop, levels.hop);
    return levels;
}

/* First and last frame of runs of six and more above `threshold`: samples from *on to *off. */
static inline bool find_runs(const struct levels *levels, double threshold, size_t *on, size_t *off)
{
    size_t run = 0;
    bool found = false;

    for (size_t i = 0; i < levels->count; i++) {
        run = levels->at[i] >= threshold ? run + 1 : 0;
        if (run < 6)
            continue;
        if (!found)
            *on = (i + 1 - run) * levels->hop;
        *off = (i + 1) * levels->hop;
        found = true;
    }
    return found;
}

static inline bool find_bounds(const struct levels *levels, double below_db, size_t *on, size_t *off)
{
    bool found = true;

    *on = 0;
    *off = levels->frames;
    for (int round = 0; round < 3 && found; round++)
        found = find_runs(levels, rms_of(levels->x + *on, *off - *on) * vg_db_to_gain(-below_db), on, off);
    return found;
}

static inline int compare_levels(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Level of the quietest tenth of its frames re the speech, dB; sorts them. */
static inline double quiet_db(struct levels *levels, double level)
{
    qsort(levels->at, levels->count, sizeof *levels->at, compare_levels);
    return vg_gain_to_db(levels->at[levels->count / 10] / level + 1e-9);
}

/* ---- recordings ------------------------------------------------------------------------------------- */

static inline void add_recording(struct fixture *f, struct held_out *set, const char *path)
{
    struct speech *speech = &set->at[set->count];
    size_t bounds[3][2], frames;
    struct vg_loaded loaded;
    struct levels levels;
    double *x;

    if (fixture_decode(f, path, false, &loaded) != VG_OK)
        fail_msg("%s: %s", path, f->err.issues[f->err.count - 1].sentence);
    frames = loaded.clip.frames;
    x = vg_arena_take(&f->arena, frames, sizeof *x);
    for (size_t k = 0; k < frames; k++)
        x[k] = loaded.clip.samples[k] / 32768.0;
    levels = levels_of(f, x, frames, loaded.clip.rate_hz);
    for (int i = 0; i < 3; i++)
        if (!find_bounds(&levels, 15 + 5 * i, &bounds[i][0], &bounds[i][1]))
            return;
    if (quiet_db(&levels, rms_of(x + bounds[1][0], bounds[1][1] - bounds[1][0])) > -30) {
        set->noisy++;
        return;
    }
    if (bounds[1][1] - bounds[1][0] < loaded.clip.rate_hz / 3) {
        set->short_ones++;
        return;
    }
    set->certain[set->count] = true;
    for (int side = 0; side < 2; side++, set->moved++)
        for (int i = 0; i < 2; i++) {
            double moved_sec =
                fabs((double)bounds[2 * i][side] - (double)bounds[1][side]) / loaded.clip.rate_hz;

            set->moved_sec[i][set->moved] = moved_sec;
            set->certain[set->count] = set->certain[set->count] && moved_sec <= 0.05;
        }
    speech->name = path;
    speech->rate_hz = loaded.clip.rate_hz;
    speech->onset_sec = (double)bounds[1][0] / speech->rate_hz;
    speech->offset_sec = (double)bounds[1][1] / speech->rate_hz;
    cut_speech(f, speech, loaded.clip.samples, frames);
    set->count++;
}

static inline bool is_tuned_on(const char *speaker)
{
    return strncmp(speaker, "ps-", 3) == 0 || strncmp(speaker, "alsa", 4) == 0;
}

/* The recordings of one corpus by its table of where they come from: file, key, speaker; of each speaker
 * three from one on. */
static inline void add_corpus(struct fixture *f, struct held_out *set, size_t from, const char *folder)
{
    struct vg_table table;
    char *path = vg_path_join(&f->arena, folder, "PROVENANCE.tsv");
    size_t file, speaker;

    assert_int_equal(vg_table_read(&table, path, &f->arena, VG_SOURCE, &f->err), VG_OK);
    file = vg_table_column(&table, "file");
    speaker = vg_table_column(&table, "speaker");
    assert_true(file != SIZE_MAX && speaker != SIZE_MAX);
    for (size_t r = 0; r < table.row_count; r++) {
        size_t before = set->count, same = 0;

        for (size_t q = 0; q < r; q++)
            same += strcmp(table.rows[q][speaker], table.rows[r][speaker]) == 0;
        if (same < from || same >= from + HELD_A_VOICE || is_tuned_on(table.rows[r][speaker]) ||
            set->count == HELD_MOST)
            continue;
        add_recording(f, set, vg_path_join(&f->arena, folder, table.rows[r][file]));
        set->voices += same == from && set->count > before;
    }
}

/* ---- the set ---------------------------------------------------------------------------------------- */

/* from > 0: recordings alone, none of those that `from` = 0 takes. */
static inline void held_out_read(struct fixture *f, struct held_out *set, size_t from)
{
    static const char *const folders[] = {"vctk", "loquacious", "commonvoice"};
    const char *home = getenv("HOME"), *corpora = getenv("VG_CORPORA"), *tests = getenv("VG_TESTS");
    struct vg_source_list list = {0};
    struct vg_spec spec;

    list_sources(f, vg_path_join(&f->arena, tests, "source/held_out_voices.yaml"), &spec, &list);
    for (size_t i = 0; from == 0 && i < list.count; i++, set->count++)
        speak(f, &spec, &list.at[i], &set->at[i]);
    set->voices = set->count;
    if (corpora == NULL)
        corpora = vg_path_join(&f->arena, home != NULL ? home : "", ".cache/speech-corpora");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        add_corpus(f, set, from, vg_path_join(&f->arena, corpora, folders[i]));
}

/* ---- noise, hum and clicks -------------------------------------------------------------------------- */

enum held_noise { HELD_WHITE, HELD_PINK, HELD_WHITE_TROUBLE, HELD_PINK_TROUBLE, HELD_NOISES };

/* 1/f as a sum of 16 random steps, each half as often as the one before (Voss 1978); or uniform and white. */
static inline void fill_noise(double *noise, size_t frames, bool pink, struct vg_random *random)
{
    double steps[16], sum = 0;

    for (size_t i = 0; i < 16; i++) {
        steps[i] = vg_random_double(random) - 0.5;
        sum += steps[i];
    }
    for (size_t k = 0; k < frames; k++) {
        size_t turn = 0;

        noise[k] = vg_random_double(random) - 0.5;
        if (!pink)
            continue;
        while (turn < 15 && k >> turn & 1)
            turn++;
        sum -= steps[turn];
        steps[turn] = vg_random_double(random) - 0.5;
        sum += steps[turn];
        noise[k] += sum;
    }
}

static inline void add_held_noise(struct scene *scene, double level, struct vg_random *random,
                                  struct vg_arena *tmp)
{
    double *noise = vg_arena_take(tmp, scene->frames, sizeof *noise), mean = 0, gain;

    fill_noise(noise, scene->frames, scene->pink, random);
    for (size_t k = 0; k < scene->frames; k++)
        mean += noise[k];
    mean /= (double)scene->frames;
    for (size_t k = 0; k < scene->frames; k++)
        noise[k] -= mean;
    gain = level * vg_db_to_gain(-scene->snr_db) / rms_of(noise, scene->frames);
    for (size_t k = 0; k < scene->frames; k++)
        scene->x[k] += gain * noise[k];
}

/* Mains with even harmonics too and a slow beat; 20 or 10 dB below the speech, as in the other set.  The
 * harmonic h + 1 is the one before, turned on by the fundamental. */
static inline void add_held_hum(struct scene *scene, double level)
{
    double *x = scene->x, gain = level * vg_db_to_gain(scene->snr_db >= 20 ? -20 : -10);
    struct vg_sincos phase[7];

    for (int h = 1; h <= 6; h++)
        phase[h] = vg_sincos(h * h);
    for (size_t k = 0; k < scene->frames; k++) {
        double t = (double)k / scene->speech->rate_hz, sum = 0;
        struct vg_sincos one = vg_sincos(2 * VG_PI * scene->hum_hz * t), at = one;

        for (int h = 1; h <= 6; h++) {
            sum += (at.sin * phase[h].cos + at.cos * phase[h].sin) / h;
            at = (struct vg_sincos){.sin = at.sin * one.cos + at.cos * one.sin,
                                    .cos = at.cos * one.cos - at.sin * one.sin};
        }
        x[k] += gain * (1 + 0.2 * vg_sin(2 * VG_PI * 0.7 * t)) * sum / 1.22 * 1.41421356;
    }
}

/* Half of them single samples, half ringing at 1 to 3.5 kHz for about a millisecond; up to the speech's peak.
 */
static inline void add_held_clicks(struct scene *scene, struct vg_random *random)
{
    double peak = 0;

    for (size_t k = 0; k < scene->speech->frames; k++)
        peak = fabs(scene->speech->x[k]) > peak ? fabs(scene->speech->x[k]) : peak;
    for (size_t c = 0; c < scene->clicks; c++) {
        size_t at = (size_t)vg_random_below(random, scene->frames);
        double height = peak * (0.3 + 0.7 * vg_random_double(random));
        double hz = 1000 + 2500 * vg_random_double(random), decay_sec = 0.0008;

        for (size_t k = 0; at + k < scene->frames && k < (c % 2 == 0 ? 1 : scene->speech->rate_hz / 200);
             k++) {
            double t = (double)k / scene->speech->rate_hz;

            scene->x[at + k] += height * vg_cos(2 * VG_PI * hz * t) * vg_exp(-t / decay_sec);
        }
    }
}

static inline void held_scene_make(struct scene *scene, enum held_noise noise, struct vg_random *random,
                                   struct vg_arena *tmp)
{
    static const double leads_sec[] = {0, 0.1, 0.35, 0.8, 2}, tails_sec[] = {0, 0.15, 0.6, 1.7};
    double level = rms_of(scene->speech->x, scene->speech->frames);

    scene->pink = noise % 2 == 1;
    scene->lead_sec = leads_sec[vg_random_below(random, 5)];
    scene->tail_sec = tails_sec[vg_random_below(random, 4)];
    place_speech(scene, tmp);
    if (scene->snr_db < 90)
        add_held_noise(scene, level, random, tmp);
    if (noise >= HELD_WHITE_TROUBLE) {
        scene->hum_hz = vg_random_below(random, 2) == 0 ? 50 : 60;
        scene->clicks = 6;
        add_held_hum(scene, level);
    }
    keep_background(scene, tmp);
    if (noise >= HELD_WHITE_TROUBLE)
        add_held_clicks(scene, random);
    round_to_words(scene);
}

#endif
