/* SPDX-License-Identifier: MIT */
/* What a spec may say of voices, phones and scores: names, ranges, units, and the checks of one map by
 * itself.  What needs two maps is checked where it is read. */
#include "voice.h"

const struct vg_key_rule vg_voice_rules[] = {
    {"f0_hz", VG_KEY_NUMBER, 0, 40, 1000, NULL, NULL, "fundamental frequency at the first onset, Hz"},
    {"declination_st_per_sec", VG_KEY_NUMBER, 0, -12, 12, NULL, NULL, "fall of the F0 baseline, semitones/s"},
    {"accent_sec", VG_KEY_NUMBER, VG_ABOVE_MIN, 0, 2, NULL, NULL,
     "half width of an accent's rise and fall, s"},
    {"accent_at", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "place of an accent's peak, share of the syllable"},
    {"jitter_percent", VG_KEY_NUMBER, 0, 0, 5, NULL, NULL, "jitter (local), % of the period"},
    {"shimmer_percent", VG_KEY_NUMBER, 0, 0, 20, NULL, NULL, "shimmer (local), % of the amplitude"},
    {"flutter_percent", VG_KEY_NUMBER, 0, 0, 100, NULL, NULL, "slow drift of F0, % (Klatt and Klatt 1990)"},
    {"open_quotient", VG_KEY_NUMBER, 0, 0.2, 0.95, NULL, NULL, "open phase, share of the period"},
    {"asymmetry", VG_KEY_NUMBER, 0, 0.52, 0.95, NULL, NULL, "flow peak, share of the open phase"},
    {"return_quotient", VG_KEY_NUMBER, 0, 0.001, 0.3, NULL, NULL,
     "return time constant, share of the period"},
    {"lax_open_quotient", VG_KEY_NUMBER, 0, 0.2, 0.95, NULL, NULL, "the same for a lax glottis"},
    {"lax_asymmetry", VG_KEY_NUMBER, 0, 0.52, 0.95, NULL, NULL, "the same for a lax glottis"},
    {"lax_return_quotient", VG_KEY_NUMBER, 0, 0.001, 0.3, NULL, NULL, "the same for a lax glottis"},
    {"breath_db", VG_KEY_NUMBER, 0, -120, 20, NULL, NULL, "breath noise that goes with voicing, dB"},
    {"lax_breath_db", VG_KEY_NUMBER, 0, -120, 20, NULL, NULL, "the same for a lax glottis, dB"},
    {"breath_modulation", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "share of noise that a closed glottis stops"},
    {"breath_cutoff_hz", VG_KEY_NUMBER, 0, 100, 48000, NULL, NULL,
     "breath noise falls by 6 dB an octave above, Hz"},
    {"target_set", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "which set of the phones' targets"},
    {"formant_scale", VG_KEY_NUMBER, 0, 0.7, 2, NULL, NULL,
     "factor on all formants: a shorter tract above 1"},
    {"bandwidth_scale", VG_KEY_NUMBER, 0, 0.2, 5, NULL, NULL, "factor on all bandwidths"},
    {"noise_scale", VG_KEY_NUMBER, 0, 0.5, 2, NULL, NULL, "factor on the bands of frication"},
    {"upper_formants_hz", VG_KEY_NUMBERS, 0, 1000, 48000, NULL, NULL, "F4 and above, Hz, before the scale"},
    {"upper_bandwidths_hz", VG_KEY_NUMBERS, 0, 20, 5000, NULL, NULL, "their bandwidths, Hz"},
    {"pole_spacing_hz", VG_KEY_NUMBER, 0, 800, 4000, NULL, NULL,
     "distance of the poles above these, Hz, before the scale"},
    {"pole_bandwidth_hz", VG_KEY_NUMBER, 0, 50, 5000, NULL, NULL, "their bandwidth, Hz"},
    {"nasal_pole_hz", VG_KEY_NUMBER, 0, 100, 1000, NULL, NULL, "nasal pole, Hz, before the scale"},
    {"nasal_bandwidth_hz", VG_KEY_NUMBER, 0, 20, 1000, NULL, NULL, "bandwidth of nasal pole and zero, Hz"},
    {"ramp_sec", VG_KEY_NUMBER, 0, 0.001, 0.2, NULL, NULL, "rise and fall of a source, s"},
    {"arch_db", VG_KEY_NUMBER, 0, 0, 24, NULL, NULL, "how much softer a syllable is at its edges, dB"},
    {"level_fall_db_per_sec", VG_KEY_NUMBER, 0, -12, 12, NULL, NULL, "fall of the level, dB/s"},
    {"lead_sec", VG_KEY_NUMBER, 0, 0, 10, NULL, NULL, "silence before a score without `at`, s"},
    {"tail_sec", VG_KEY_NUMBER, 0, 0, 10, NULL, NULL, "silence after the last syllable, s"},
    {"floor_dbfs", VG_KEY_NUMBER, 0, -140, -50, NULL, NULL, "room noise, RMS in dB of full scale"},
    {"peak_dbfs", VG_KEY_NUMBER, 0, -60, -1, NULL, NULL, "largest sample without the room, dB of full scale"},
    {0},
};

const struct vg_key_rule vg_syllable_rules[] = {
    {"say", VG_KEY_TEXTS, VG_REQUIRED, 0, 0, NULL, NULL, "the syllable's phones"},
    {"at", VG_KEY_NUMBER, 0, 0, 600, NULL, NULL, "start, s; the end of the last syllable where missing"},
    {"sec", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN, 0, 60, NULL, NULL, "duration, s"},
    {"level_db", VG_KEY_NUMBER, 0, -40, 20, NULL, NULL, "louder or softer, dB"},
    {"accent_st", VG_KEY_NUMBER, 0, -24, 24, NULL, NULL, "height of its F0 accent, semitones"},
    {"accent_at", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "place of the accent's peak, share of the syllable"},
    {"lax", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "how lax the glottis is at least, 0..1"},
    {0},
};

static const struct vg_key_rule phone_rules[] = {
    {"targets_hz", VG_KEY_MAP, VG_REQUIRED, 0, 0, NULL, NULL, "per target set F1..F3, F4 or F5, Hz"},
    {"glide_hz", VG_KEY_MAP, 0, 0, 0, NULL, NULL, "the same at the end, of a diphthong"},
    {"bandwidths_hz", VG_KEY_NUMBERS, VG_REQUIRED, 10, 5000, NULL, NULL, "one a target, Hz"},
    {"coarticulation", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "how far F2 and above lean to the vowel"},
    {"edge_sec", VG_KEY_NUMBER, VG_REQUIRED, 0.001, 0.5, NULL, NULL, "part of a transition in this phone, s"},
    {"nasal_zero_hz", VG_KEY_NUMBER, 0, 100, 3000, NULL, NULL, "zero of a nasal, Hz"},
    {"noise_hz", VG_KEY_NUMBERS, 0, 100, 40000, NULL, NULL, "bands of its frication, Hz"},
    {"noise_bandwidths_hz", VG_KEY_NUMBERS, 0, 20, 20000, NULL, NULL, "their widths, Hz"},
    {"noise_band_db", VG_KEY_NUMBERS, 0, -60, 40, NULL, NULL, "their levels, dB"},
    {"stages", VG_KEY_LIST, VG_REQUIRED, 1, VG_VOICE_STAGES, NULL, NULL, "what sounds, in order"},
    {0},
};
static const struct vg_key_rule stage_rules[] = {
    {"sec", VG_KEY_NUMBER, VG_ABOVE_MIN, 0, 2, NULL, NULL, "length, s; without it what the syllable leaves"},
    {"voice_db", VG_KEY_NUMBER, 0, -80, 20, NULL, NULL, "voicing, dB; off where missing"},
    {"breath_db", VG_KEY_NUMBER, 0, -80, 40, NULL, NULL, "breath through the tract, dB; off where missing"},
    {"noise_db", VG_KEY_NUMBER, 0, -80, 40, NULL, NULL, "frication, dB; off where missing"},
    {"lax", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "how lax the glottis is, 0..1"},
    {"ramp_sec", VG_KEY_NUMBER, 0, 0.001, 0.2, NULL, NULL, "rise and fall of its sources, s"},
    {0},
};
static const struct vg_key_rule shared_rules[] = {
    {"defaults", VG_KEY_MAP, 0, 0, 0, NULL, vg_voice_rules,
     "numbers of every voice that does not give its own"},
    {"voices", VG_KEY_MAP, 0, 0, 0, NULL, NULL, "presets, by name"},
    {"phones", VG_KEY_MAP, VG_REQUIRED, 0, 0, NULL, NULL, "speech sounds, by name"},
    {0},
};

/* Check a map called `name` within `within` ("" at the top); says whether it passed. */
static bool passes(const struct vg_node *node, const struct vg_key_rule *rules, const char *within,
                   const char *name, struct vg_error *err)
{
    struct vg_text where = {0};
    size_t faults = err->count;

    vg_text_addf(&where, "%s%s%s", within, within[0] != '\0' ? "." : "", name);
    if (node->kind != VG_NODE_MAP)
        vg_node_fail(node, err, "%s is no map of keys and values", where.data);
    else
        vg_rules_check(node, rules, where.data, err);
    vg_text_release(&where);
    return err->count == faults;
}

/* One list of formants: each above the one before. */
static void check_formants(const struct vg_node *list, size_t count, struct vg_error *err)
{
    double last = 0, hz;

    if (list->kind != VG_NODE_LIST || list->count != count) {
        vg_node_fail(list, err, "expected a list of %zu formants in Hz, as many as bandwidths_hz has", count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct vg_node *value = list->entries[i].value;

        if (value->text == NULL || !vg_number_parse(value->text, &hz) || hz < 50 || hz > 40000)
            vg_node_fail(value, err, "expected a formant between 50 and 40000 Hz");
        else if (hz <= last)
            vg_node_fail(value, err, "F%zu is not above F%zu; give formants in rising order", i + 1, i);
        else
            last = hz;
    }
}

static void check_phone(const struct vg_node *phone, const char *name, struct vg_error *err)
{
    static const char *const keys[] = {"targets_hz", "glide_hz"};
    static const char *const bands[] = {"noise_bandwidths_hz", "noise_band_db"};
    const struct vg_node *widths = vg_node_find(phone, "bandwidths_hz"),
                         *noise = vg_node_find(phone, "noise_hz");
    const struct vg_node *stages = vg_node_find(phone, "stages");

    if (widths->count < 3 || widths->count > VG_VOICE_TARGETS)
        vg_node_fail(widths, err, "%s has %zu bandwidths; expected 3 to %d", name, widths->count,
                     VG_VOICE_TARGETS);
    for (size_t k = 0; k < 2; k++) {
        const struct vg_node *sets = vg_node_find(phone, keys[k]), *list = vg_node_find(phone, bands[k]);

        for (size_t i = 0; sets != NULL && i < sets->count; i++)
            check_formants(sets->entries[i].value, widths->count, err);
        if ((list != NULL ? list->count : 0) != (noise != NULL ? noise->count : 0))
            vg_node_fail(list != NULL ? list : noise, err, "%s needs as many values as noise_hz", bands[k]);
    }
    if (noise != NULL && noise->count > VG_VOICE_BANDS)
        vg_node_fail(noise, err, "%s has %zu bands; at most %d", name, noise->count, VG_VOICE_BANDS);
    for (size_t i = 0; i < stages->count; i++)
        passes(stages->entries[i].value, stage_rules, name, "stages", err);
}

void vg_voice_check_shared(const struct vg_node *map, struct vg_error *err)
{
    const struct vg_node *voices, *phones;

    if (!passes(map, shared_rules, "", "voice", err))
        return;
    voices = vg_node_find(map, "voices");
    phones = vg_node_find(map, "phones");
    for (size_t i = 0; voices != NULL && i < voices->count; i++)
        passes(voices->entries[i].value, vg_voice_rules, "voice.voices", voices->entries[i].key, err);
    for (size_t i = 0; i < phones->count; i++)
        if (passes(phones->entries[i].value, phone_rules, "voice.phones", phones->entries[i].key, err))
            check_phone(phones->entries[i].value, phones->entries[i].key, err);
}
