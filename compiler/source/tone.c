/* SPDX-License-Identifier: MIT */
/* Kind `tone`: silence, a sine of one frequency, silence; one source per frequency.  The paper's beeps
 * (recipe.md "The beeps"): round(x * 32767), ties to even, phase 0 at the start of the tone. */
#include "dsp.h"
#include "kinds.h"
#include "pattern.h"

static const char *const placeholders[] = {"n", "f"};
enum { PLACEHOLDERS = sizeof placeholders / sizeof *placeholders };

static const struct vg_key_rule tone_keys[] = {
    {"id", VG_KEY_TEXT, VG_REQUIRED, 1, 500, NULL, NULL,
     "source id; {n} counts from 1, {f} is the frequency"},
    {"clip_id", VG_KEY_TEXT, 0, 1, 500, NULL, NULL, "clip id; the id where missing"},
    {"speaker_id", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "speaker id"},
    {"sentence_id", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "sentence id"},
    {"text", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "what is said"},
    {"sample_rate_hz", VG_KEY_INTEGER, VG_REQUIRED, 8000, 192000, NULL, NULL, "sample rate in Hz"},
    {"lead_sec", VG_KEY_NUMBER, VG_REQUIRED, 0, 60, NULL, NULL, "seconds of silence before"},
    {"tone_sec", VG_KEY_NUMBER, VG_REQUIRED, 0.001, 600, NULL, NULL, "seconds of tone"},
    {"tail_sec", VG_KEY_NUMBER, VG_REQUIRED, 0, 60, NULL, NULL, "seconds of silence after"},
    {"amplitude", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN, 0, 1, NULL, NULL, "peak, 1 is full scale"},
    {"frequencies_hz", VG_KEY_NUMBERS, VG_REQUIRED | VG_ABOVE_MIN | VG_UP_TO_NYQUIST, 0, 96000, NULL, NULL,
     "Hz, one source for each"},
    {0},
};

static void check_tone(const struct vg_node *entry, struct vg_error *err)
{
    static const char *const keys[] = {"id", "clip_id", "speaker_id", "sentence_id", "text"};
    const struct vg_node *id = vg_node_find(entry, "id");

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        vg_pattern_check(entry, keys[i], placeholders, PLACEHOLDERS, err);
    if (vg_node_find(entry, "frequencies_hz")->count > 1 && !vg_pattern_holds(id->text, "n") &&
        !vg_pattern_holds(id->text, "f"))
        vg_node_fail(id, err, "id is the same for every frequency; put {n} or {f} into it");
}

static int list_tones(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                      struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_node *map = entry->entry, *frequencies = vg_node_find(map, "frequencies_hz");
    const char *id = vg_node_text(map, "id", "");

    (void)err;
    for (size_t i = 0; i < frequencies->count; i++) {
        struct vg_source *source = vg_source_add(list, entry, split, arena);
        double *frequency_hz = vg_arena_take(arena, 1, sizeof *frequency_hz);
        struct vg_pattern_value values[PLACEHOLDERS] = {{"n", (double)(i + 1), NULL}, {"f", 0, NULL}};

        vg_check(vg_number_parse(frequencies->entries[i].value->text, frequency_hz));
        values[1].value = *frequency_hz;
        source->id = vg_pattern_fill(id, values, PLACEHOLDERS, arena);
        source->clip_id = vg_pattern_fill(vg_node_text(map, "clip_id", id), values, PLACEHOLDERS, arena);
        source->speaker_id =
            vg_pattern_fill(vg_node_text(map, "speaker_id", ""), values, PLACEHOLDERS, arena);
        source->sentence_id =
            vg_pattern_fill(vg_node_text(map, "sentence_id", ""), values, PLACEHOLDERS, arena);
        source->text = vg_pattern_fill(vg_node_text(map, "text", ""), values, PLACEHOLDERS, arena);
        source->corpus = "synthetic";
        source->licence = spec->license;
        source->has_span = true; /* nominal, not what the detector would say */
        source->onset_sec = vg_node_number(map, "lead_sec", 0);
        source->offset_sec = source->onset_sec + vg_node_number(map, "tone_sec", 0);
        source->detail = frequency_hz;
    }
    return VG_OK;
}

static size_t frames_of(const struct vg_node *map, const char *key, uint32_t rate_hz)
{
    return (size_t)vg_round_even(vg_node_number(map, key, 0) * rate_hz);
}

static int load_tone(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                     struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_node *map = source->origin->entry;
    uint32_t rate_hz = (uint32_t)vg_node_integer(map, "sample_rate_hz", 0);
    size_t lead = frames_of(map, "lead_sec", rate_hz), tone = frames_of(map, "tone_sec", rate_hz);
    size_t frames = lead + tone + frames_of(map, "tail_sec", rate_hz);
    double amplitude = vg_node_number(map, "amplitude", 0), frequency_hz = *(const double *)source->detail;
    int16_t *samples = vg_arena_take_zero(arena, frames, sizeof *samples);

    (void)spec;
    (void)err;
    for (size_t k = 0; k < tone; k++) {
        double x = amplitude * vg_sin(2 * VG_PI * frequency_hz * (double)k / rate_hz);

        samples[lead + k] = (int16_t)vg_round_even(x * 32767);
    }
    loaded->clip = (struct vg_clip){samples, frames, rate_hz};
    loaded->facts.rate_hz = rate_hz;
    loaded->facts.channels = 1;
    loaded->facts.frames = frames;
    loaded->facts.decoder = "synthetic";
    return VG_OK;
}

const struct vg_source_kind vg_kind_tone = {
    .words = {.name = "tone", .keys = tone_keys, .check = check_tone},
    .list = list_tones,
    .load = load_tone,
};
