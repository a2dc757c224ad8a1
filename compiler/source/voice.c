/* SPDX-License-Identifier: MIT */
/* Kind `voice`: one utterance of a synthetic speaker an entry.  The score is compiled when sources are
 * listed, so that its faults are those of the spec; sound is made when the source is loaded.  Onset and
 * offset are known by construction. */
#include "voice.h"

static const struct vg_key_rule voice_keys[] = {
    VG_SYNTH_IDENTITY_KEYS,
    {"voice", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "a preset: a name in the map voice.voices"},
    {"parameters", VG_KEY_MAP, 0, 0, 0, NULL, vg_voice_rules, "numbers of the voice for this entry alone"},
    {"score", VG_KEY_LIST, VG_REQUIRED, 1, 1000, NULL, NULL, "syllables, in order"},
    {0},
};

static void check_voice(const struct vg_node *entry, struct vg_error *err)
{
    const struct vg_node *score = vg_node_find(entry, "score");

    for (size_t i = 0; i < score->count; i++) {
        const struct vg_node *syllable = score->entries[i].value;

        if (syllable->kind != VG_NODE_MAP)
            vg_node_fail(syllable, err, "a syllable is a map, such as {say: [m, aa], sec: 0.2}");
        else
            vg_rules_check(syllable, vg_syllable_rules, "score", err);
    }
}

static int list_voice(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                      struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_score *score = vg_arena_take(arena, 1, sizeof *score);
    int rc = vg_score_make(spec, entry->entry, score, arena, err);
    struct vg_source *source;

    if (rc != VG_OK)
        return rc;
    source = vg_synth_add(spec, entry, split, list, arena);
    source->speaker_id = vg_node_text(entry->entry, "speaker_id", vg_node_text(entry->entry, "voice", ""));
    source->has_span = true;
    source->onset_sec = score->onset_sec;
    source->offset_sec = score->offset_sec;
    source->detail = score;
    return VG_OK;
}

/* Excitation, tract, frication: the sound in the scale of the model. */
static double *synthesise(const struct vg_spec *spec, const struct vg_source *source,
                          const struct vg_score *score, struct vg_arena *tmp)
{
    struct vg_tracks tracks = vg_tracks_make(score, tmp);
    double *x = vg_arena_take_zero(tmp, score->frames, sizeof *x);
    double *open = vg_arena_take_zero(tmp, score->frames, sizeof *open);
    struct vg_random cycles = vg_synth_random(spec, source, "cycles", tmp);
    struct vg_random breath = vg_synth_random(spec, source, "breath", tmp);
    struct vg_random frication = vg_synth_random(spec, source, "frication", tmp);

    vg_glottis_render(&tracks, &cycles, x, open, tmp);
    vg_breath_render(&tracks, &breath, open, x);
    vg_tract_filter(&tracks, x, tmp);
    vg_frication_render(&tracks, &frication, open, x);
    return x;
}

static int load_voice(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                      struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_score *score = source->detail;
    struct vg_arena tmp = {0};
    double *x = synthesise(spec, source, score, &tmp);
    double scale = vg_synth_scale(x, score->frames, score->voice.peak_dbfs);
    double room = 32767 * vg_db_to_gain(score->voice.floor_dbfs);
    struct vg_random random = vg_synth_random(spec, source, "room", &tmp);
    int16_t *samples = vg_arena_take(arena, score->frames, sizeof *samples);

    (void)err;
    for (size_t k = 0; k < score->frames; k++) {
        double y = vg_round_even(x[k] * scale + room * vg_random_normal(&random));

        vg_check(y >= -32768 && y <= 32767); /* peak and floor leave room for each other */
        samples[k] = (int16_t)y;
    }
    vg_arena_release(&tmp);
    vg_synth_finish(loaded, samples, score->frames, score->rate_hz);
    return VG_OK;
}

const struct vg_source_kind vg_kind_voice = {
    .words = {.name = "voice",
              .keys = voice_keys,
              .check = check_voice,
              .check_shared = vg_voice_check_shared},
    .list = list_voice,
    .load = load_voice,
};
