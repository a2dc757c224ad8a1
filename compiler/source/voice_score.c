/* SPDX-License-Identifier: MIT */
/* Compiles a score: syllables get their times, phones their share of the syllable (consonants their own
 * length, vowels what is left), consonants lean to their vowel, and the stages of all phones are laid end
 * to end with silence in the pauses. */
#include "voice.h"

#include <string.h>

struct maker {
    const struct vg_spec *spec;
    struct vg_score *score;
    struct vg_phone *known; /* read so far, so that a fault of a phone is told once */
    size_t known_count;
    double now_sec; /* end of what is placed */
    struct vg_error *err;
    int rc;
};

/* No voice is outside; above, an eighth of the sample rate if that is less. */
static const double F0_MIN_HZ = 20, F0_MAX_HZ = 2000;
/* Times in messages; a difference below this is rounding. */
static const double NO_TIME_SEC = 1e-9;
static int milliseconds(double sec)
{
    return (int)vg_round_even(sec * 1000);
}

/* ---- phones of a syllable --------------------------------------------------------------------------- */

/* The phone of that name, or NULL where it cannot be used. */
static const struct vg_phone *read_phone(struct maker *maker, const struct vg_node *name)
{
    const struct vg_voice *voice = &maker->score->voice;
    struct vg_phone *phone;
    int rc;

    for (size_t i = 0; i < maker->known_count; i++)
        if (strcmp(maker->known[i].name, name->text) == 0 && maker->known[i].node != NULL)
            return maker->known[i].stage_count > 0 ? &maker->known[i] : NULL;
    phone = &maker->known[maker->known_count++];
    rc = vg_phone_read(maker->spec, name, voice, maker->score->rate_hz, phone, maker->err);
    if (rc == VG_OK && phone->targets > 3 + voice->upper_count)
        rc = vg_node_fail(name, maker->err,
                          "phone %s sets F%zu, but the voice has %zu formants below Nyquist; give more "
                          "upper_formants_hz",
                          phone->name, phone->targets, 3 + voice->upper_count);
    if (rc == VG_OK)
        return phone;
    phone->stage_count = 0;
    maker->rc = rc;
    return NULL;
}

/* The consonant's targets from F2 on lean to where its vowel begins (onset) or ends (coda): the slope of a
 * locus equation (Sussman, McCaffrey and Matthews 1991).  F1 is the constriction's own. */
static void lean(struct vg_phone *consonant, const double *vowel_hz, size_t vowel_targets)
{
    for (size_t i = 1; i < consonant->targets && i < vowel_targets; i++) {
        consonant->from_hz[i] += consonant->coarticulation * (vowel_hz[i] - consonant->from_hz[i]);
        consonant->to_hz[i] += consonant->coarticulation * (vowel_hz[i] - consonant->to_hz[i]);
    }
}

static void lean_to_vowel(struct vg_score_phone *said, size_t count)
{
    size_t first = 0, last = count - 1;

    while (said[first].phone.elastic == 0)
        first++;
    while (said[last].phone.elastic == 0)
        last--;
    for (size_t i = 0; i < first; i++)
        lean(&said[i].phone, said[first].phone.from_hz, said[first].phone.targets);
    for (size_t i = last + 1; i < count; i++)
        lean(&said[i].phone, said[last].phone.to_hz, said[last].phone.targets);
}

/* ---- stages ----------------------------------------------------------------------------------------- */

static void add_stage(struct vg_score *score, double start_sec, double end_sec,
                      const struct vg_phone_stage *model, double lax)
{
    struct vg_score_stage *stage = &score->stages[score->stage_count++];

    *stage = (struct vg_score_stage){.start_sec = start_sec, .end_sec = end_sec};
    if (model == NULL)
        return;
    stage->ramp_sec = model->ramp_sec;
    memcpy(stage->controls, model->controls, sizeof stage->controls);
    if (stage->controls[VG_LAX] < lax)
        stage->controls[VG_LAX] = lax;
}

static void add_phone(struct maker *maker, struct vg_score_phone *said, double elastic_sec, double lax)
{
    said->start_sec = maker->now_sec;
    for (size_t i = 0; i < said->phone.stage_count; i++) {
        const struct vg_phone_stage *stage = &said->phone.stages[i];
        double end_sec = maker->now_sec + (stage->sec > 0 ? stage->sec : elastic_sec);

        add_stage(maker->score, maker->now_sec, end_sec, stage, lax);
        maker->now_sec = end_sec;
    }
    said->end_sec = maker->now_sec;
}

/* ---- syllables -------------------------------------------------------------------------------------- */

/* Time of the syllable; false where it overlaps the one before. */
static bool place(struct maker *maker, const struct vg_node *node, struct vg_syllable *syllable)
{
    const struct vg_node *at = vg_node_find(node, "at");
    const struct vg_voice *voice = &maker->score->voice;
    double before_sec = maker->now_sec;

    if (maker->score->syllable_count == 0 && at == NULL)
        before_sec = voice->lead_sec;
    syllable->start_sec = vg_node_number(node, "at", before_sec);
    syllable->end_sec = syllable->start_sec + vg_node_number(node, "sec", 0);
    syllable->level_db = vg_node_number(node, "level_db", 0);
    syllable->accent_st = vg_node_number(node, "accent_st", 0);
    syllable->accent_sec = syllable->start_sec + vg_node_number(node, "accent_at", voice->accent_at) *
                                                     (syllable->end_sec - syllable->start_sec);
    if (syllable->start_sec > before_sec - NO_TIME_SEC)
        return true;
    maker->rc = vg_node_fail(
        at, maker->err,
        "the syllable starts at %d ms, but the one before ends at %d ms; move it or shorten that",
        milliseconds(syllable->start_sec), milliseconds(before_sec));
    return false;
}

/* Read the phones of a syllable to the end of the score's list; false where one cannot be used. */
static bool read_phones(struct maker *maker, const struct vg_node *say, double *fixed_sec, size_t *elastic)
{
    bool usable = true;

    *fixed_sec = 0;
    *elastic = 0;
    for (size_t i = 0; i < say->count; i++) {
        const struct vg_phone *phone = read_phone(maker, say->entries[i].value);

        if (phone == NULL) {
            usable = false;
            continue;
        }
        maker->score->phones[maker->score->phone_count + i].phone = *phone;
        *fixed_sec += phone->fixed_sec;
        *elastic += phone->elastic;
    }
    if (usable && *elastic == 0) {
        maker->rc =
            vg_node_fail(say, maker->err, "nothing in this syllable can fill its time; it needs a vowel");
        usable = false;
    }
    return usable;
}

static void add_syllable(struct maker *maker, const struct vg_node *node)
{
    struct vg_score *score = maker->score;
    struct vg_syllable *syllable = &score->syllables[score->syllable_count];
    const struct vg_node *say = vg_node_find(node, "say");
    struct vg_score_phone *said = &score->phones[score->phone_count];
    bool placed = place(maker, node, syllable);
    double length_sec = syllable->end_sec - syllable->start_sec, fixed_sec;
    size_t elastic;

    score->syllable_count++;
    if (!read_phones(maker, say, &fixed_sec, &elastic) || !placed) {
        maker->now_sec = syllable->end_sec;
        return;
    }
    if (length_sec - fixed_sec < 0.01 * (double)elastic) {
        maker->rc =
            vg_node_fail(vg_node_find(node, "sec"), maker->err,
                         "the syllable lasts %d ms, but its consonants alone take %d ms; give it more time",
                         milliseconds(length_sec), milliseconds(fixed_sec));
        maker->now_sec = syllable->end_sec;
        return;
    }
    if (syllable->start_sec > maker->now_sec + NO_TIME_SEC)
        add_stage(score, maker->now_sec, syllable->start_sec, NULL, 0);
    maker->now_sec = syllable->start_sec;
    lean_to_vowel(said, say->count);
    for (size_t i = 0; i < say->count; i++)
        add_phone(maker, &said[i], (length_sec - fixed_sec) / (double)elastic,
                  vg_node_number(node, "lax", 0));
    maker->now_sec = syllable->end_sec;
    said[say->count - 1].end_sec = syllable->end_sec;
    score->stages[score->stage_count - 1].end_sec = syllable->end_sec;
    score->phone_count += say->count;
}

/* ---- score ------------------------------------------------------------------------------------------ */

static bool sounds(const struct vg_score_stage *stage)
{
    return stage->controls[VG_VOICING] > 0 || stage->controls[VG_BREATH] > 0 ||
           stage->controls[VG_FRICATION] > 0;
}

static void find_span(struct vg_score *score)
{
    bool found = false;

    for (size_t i = 0; i < score->stage_count; i++) {
        if (!sounds(&score->stages[i]))
            continue;
        if (!found)
            score->onset_sec = score->stages[i].start_sec;
        score->offset_sec = score->stages[i].end_sec;
        found = true;
    }
}

/* Declination and accents must leave F0 where there are harmonics to hear. */
static int check_f0(const struct vg_score *score, const struct vg_node *entry, struct vg_error *err)
{
    double most_hz = 0.125 * score->rate_hz < F0_MAX_HZ ? 0.125 * score->rate_hz : F0_MAX_HZ;
    size_t steps = (size_t)(100 * (score->offset_sec - score->onset_sec));

    for (size_t i = 0; i <= steps; i++) {
        double t = score->onset_sec + (double)i / 100;
        double f0_hz = vg_score_f0_hz(score, t);

        if (f0_hz < F0_MIN_HZ || f0_hz > most_hz)
            return vg_node_fail(
                vg_node_find(entry, "score"), err,
                "%s at %d ms: F0 would leave %d to %d Hz; change f0_hz, declination or accents",
                f0_hz < most_hz ? "too low" : "too high", milliseconds(t), (int)F0_MIN_HZ, (int)most_hz);
    }
    return VG_OK;
}

static void take_room(struct maker *maker, const struct vg_node *syllables, struct vg_arena *arena)
{
    struct vg_score *score = maker->score;
    size_t phones = 0;

    for (size_t i = 0; i < syllables->count; i++)
        phones += vg_node_find(syllables->entries[i].value, "say")->count;
    score->syllables = vg_arena_take_zero(arena, syllables->count, sizeof *score->syllables);
    score->phones = vg_arena_take_zero(arena, phones, sizeof *score->phones);
    score->stages =
        vg_arena_take_zero(arena, phones * VG_VOICE_STAGES + syllables->count + 1, sizeof *score->stages);
    maker->known = vg_arena_take_zero(arena, phones, sizeof *maker->known);
}

int vg_score_make(const struct vg_spec *spec, const struct vg_node *entry, struct vg_score *score,
                  struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_node *syllables = vg_node_find(entry, "score");
    struct maker maker = {.spec = spec, .score = score, .err = err};

    *score = (struct vg_score){.rate_hz = (uint32_t)vg_node_integer(entry, "sample_rate_hz", 0)};
    maker.rc = vg_voice_read(spec, entry, &score->voice, err);
    if (maker.rc != VG_OK)
        return maker.rc;
    take_room(&maker, syllables, arena);
    for (size_t i = 0; i < syllables->count; i++)
        add_syllable(&maker, syllables->entries[i].value);
    add_stage(score, maker.now_sec, maker.now_sec + score->voice.tail_sec, NULL, 0);
    score->frames = vg_synth_frames(maker.now_sec + score->voice.tail_sec, score->rate_hz);
    find_span(score);
    return maker.rc != VG_OK ? maker.rc : check_f0(score, entry, err);
}
