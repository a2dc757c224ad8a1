/* SPDX-License-Identifier: MIT */
/* Control tracks of a score, a frame each millisecond.  Sources rise after the start of a stage and fall
 * before its end, so that nothing sounds outside the span.  Formants move between targets along a cubic
 * that begins in one phone and ends in the next.  F0 is a falling baseline with raised-cosine accents. */
#include "voice.h"

enum { FRAMES_PER_SEC = 1000 };

/* 0 to 1 with level ends. */
static double smooth(double x)
{
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}

static double shorter(double a, double b)
{
    return a < b ? a : b;
}

/* ---- sources ---------------------------------------------------------------------------------------- */

/* A control in stage i at time t.  Between neighbours the stronger one ramps, within its own half. */
static double control_in(const struct vg_score *score, size_t i, enum vg_voice_control control, double t)
{
    const struct vg_score_stage *stage = &score->stages[i];
    double here = stage->controls[control];
    double before = i > 0 ? stage[-1].controls[control] : 0;
    double after = i + 1 < score->stage_count ? stage[1].controls[control] : 0;
    double ramp_sec = shorter(stage->ramp_sec, (stage->end_sec - stage->start_sec) / 2);
    double value = here;

    if (before < here && t < stage->start_sec + ramp_sec)
        value = before + (here - before) * smooth((t - stage->start_sec) / ramp_sec);
    if (after < here && t > stage->end_sec - ramp_sec)
        value = shorter(value, after + (here - after) * smooth((stage->end_sec - t) / ramp_sec));
    return value;
}

/* ---- level and F0 ----------------------------------------------------------------------------------- */

/* Syllables' levels joined by lines from middle to middle, each syllable softer towards its edges, all
 * falling with time.  `i` is the last syllable that started. */
static double level_db(const struct vg_score *score, size_t i, double t)
{
    const struct vg_syllable *here = &score->syllables[i], *other = here;
    double middle = (here->start_sec + here->end_sec) / 2, level = here->level_db;
    double place = (t - here->start_sec) / (here->end_sec - here->start_sec);

    if (t > middle && i + 1 < score->syllable_count)
        other = here + 1;
    else if (t < middle && i > 0)
        other = here - 1;
    if (other != here) {
        double other_middle = (other->start_sec + other->end_sec) / 2;

        level += (other->level_db - level) * (t - middle) / (other_middle - middle);
    }
    if (place > 0 && place < 1)
        level -= score->voice.arch_db * (0.5 + 0.5 * vg_cos(2 * VG_PI * place));
    else
        level -= score->voice.arch_db;
    return level - score->voice.level_fall_db_per_sec * (t - score->onset_sec);
}

/* Klatt and Klatt 1990: three sines that do not meet, up to 2 % each. */
static double flutter(double percent, double t)
{
    double sum = vg_sin(2 * VG_PI * 12.7 * t) + vg_sin(2 * VG_PI * 7.1 * t) + vg_sin(2 * VG_PI * 4.7 * t);

    return 1 + percent / 100 * 0.02 / 2 * sum;
}

double vg_score_f0_hz(const struct vg_score *score, double t)
{
    const struct vg_voice *voice = &score->voice;
    double semitones = -voice->declination_st_per_sec * (t - score->onset_sec);

    for (size_t i = 0; i < score->syllable_count; i++) {
        const struct vg_syllable *syllable = &score->syllables[i];
        double away = (t - syllable->accent_sec) / voice->accent_sec;

        if (syllable->accent_st != 0 && away > -1 && away < 1)
            semitones += syllable->accent_st * (0.5 + 0.5 * vg_cos(VG_PI * away));
    }
    return voice->f0_hz * vg_exp2(semitones / 12) * flutter(voice->flutter_percent, t);
}

/* ---- formants --------------------------------------------------------------------------------------- */

/* What a phone asks of the tract. */
struct shape {
    double nasal_zero_hz, formants_hz[VG_VOICE_FORMANTS], bandwidths_hz[VG_VOICE_FORMANTS];
};

/* A phone by itself at time t, held beyond its ends. */
static struct shape shape_of(const struct vg_score *score, size_t i, size_t formants, double t)
{
    const struct vg_score_phone *said = &score->phones[i];
    const struct vg_voice *voice = &score->voice;
    double way = (t - said->start_sec) / (said->end_sec - said->start_sec);
    struct shape shape = {.nasal_zero_hz = said->phone.nasal_zero_hz};

    way = way < 0 ? 0 : way > 1 ? 1 : way;
    for (size_t k = 0; k < formants; k++) {
        if (k < said->phone.targets) {
            shape.formants_hz[k] =
                said->phone.from_hz[k] + (said->phone.to_hz[k] - said->phone.from_hz[k]) * way;
            shape.bandwidths_hz[k] = said->phone.bandwidths_hz[k];
        } else {
            shape.formants_hz[k] = voice->upper_hz[k - 3];
            shape.bandwidths_hz[k] = voice->upper_bandwidths_hz[k - 3];
        }
    }
    return shape;
}

static double edge(const struct vg_score_phone *said)
{
    return shorter(said->phone.edge_sec, (said->end_sec - said->start_sec) / 2);
}

/* Blend of neighbours a and a+1 at time t: 0 before the transition, 1 after it. */
static double blend_at(const struct vg_score *score, size_t a, double t)
{
    const struct vg_score_phone *from = &score->phones[a], *to = from + 1;
    double start = from->end_sec - edge(from), end = to->start_sec + edge(to);

    return smooth((t - start) / (end - start));
}

static struct shape shape_at(const struct vg_score *score, size_t i, size_t formants, double t)
{
    const struct vg_score_phone *said = &score->phones[i];
    struct shape shape = shape_of(score, i, formants, t), other = shape;
    double blend = 0;

    if (i > 0 && t < said->start_sec + edge(said)) {
        blend = 1 - blend_at(score, i - 1, t);
        other = shape_of(score, i - 1, formants, t);
    } else if (i + 1 < score->phone_count && t > said->end_sec - edge(said)) {
        blend = blend_at(score, i, t);
        other = shape_of(score, i + 1, formants, t);
    }
    shape.nasal_zero_hz += (other.nasal_zero_hz - shape.nasal_zero_hz) * blend;
    for (size_t k = 0; k < formants; k++) {
        shape.formants_hz[k] += (other.formants_hz[k] - shape.formants_hz[k]) * blend;
        shape.bandwidths_hz[k] += (other.bandwidths_hz[k] - shape.bandwidths_hz[k]) * blend;
    }
    return shape;
}

/* ---- frames ----------------------------------------------------------------------------------------- */

/* Where a run through time stands. */
struct cursor {
    size_t stage, phone, syllable;
};

static void move_cursor(struct cursor *cursor, const struct vg_score *score, double t)
{
    while (cursor->stage + 1 < score->stage_count && t >= score->stages[cursor->stage].end_sec)
        cursor->stage++;
    while (cursor->phone + 1 < score->phone_count && t >= score->phones[cursor->phone].end_sec)
        cursor->phone++;
    while (cursor->syllable + 1 < score->syllable_count &&
           t >= score->syllables[cursor->syllable + 1].start_sec)
        cursor->syllable++;
}

static void fill_frame(const struct vg_tracks *tracks, const struct cursor *cursor, double t,
                       struct vg_voice_frame *frame)
{
    const struct vg_score *score = tracks->score;
    struct shape shape = shape_at(score, cursor->phone, tracks->formants, t);
    double gain = vg_db_to_gain(level_db(score, cursor->syllable, t));
    double lax = control_in(score, cursor->stage, VG_LAX, t), modal_breath, lax_breath;

    frame->f0_hz = vg_score_f0_hz(score, t);
    frame->controls[VG_LAX] = lax;
    for (size_t c = VG_VOICING; c <= VG_FRICATION; c++)
        frame->controls[c] = gain * control_in(score, cursor->stage, (enum vg_voice_control)c, t);
    modal_breath = vg_db_to_gain(score->voice.breath_db);
    lax_breath = vg_db_to_gain(score->voice.lax_breath_db);
    frame->controls[VG_BREATH] +=
        frame->controls[VG_VOICING] * (modal_breath + (lax_breath - modal_breath) * lax);
    frame->nasal_zero_hz = shape.nasal_zero_hz;
    for (size_t k = 0; k < tracks->formants; k++) {
        frame->formants_hz[k] = shape.formants_hz[k];
        frame->bandwidths_hz[k] = shape.bandwidths_hz[k];
    }
}

struct vg_tracks vg_tracks_make(const struct vg_score *score, struct vg_arena *tmp)
{
    struct vg_tracks tracks = {.score = score, .hop = score->rate_hz / FRAMES_PER_SEC};
    struct cursor cursor = {0};

    tracks.formants = 3 + score->voice.upper_count;
    tracks.count = score->frames / tracks.hop + 2;
    tracks.frames = vg_arena_take_zero(tmp, tracks.count, sizeof *tracks.frames);
    for (size_t f = 0; f < tracks.count; f++) {
        double t = (double)(f * tracks.hop) / score->rate_hz;

        move_cursor(&cursor, score, t);
        fill_frame(&tracks, &cursor, t, &tracks.frames[f]);
    }
    return tracks;
}
