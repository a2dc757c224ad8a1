/* SPDX-License-Identifier: MIT */
/* Reads voices and phones from the spec's map `voice`.  A number of a voice stands in the entry's
 * `parameters`, else in the preset it names, else in `voice.defaults`; the code has no value of its own. */
#include "voice.h"

#include <stdlib.h>
#include <string.h>

enum { UPPER_LISTED = 9 }; /* F4..F12 at most have a number of their own */

/* ---- a voice ---------------------------------------------------------------------------------------- */

/* Where the numbers of one voice may stand, in the order they are asked. */
struct look {
    const struct vg_node *entry;
    const struct vg_node *maps[3];
    struct vg_text missing; /* what stands nowhere */
    struct vg_error *err;
    int rc;
};

static const struct vg_node *find(struct look *look, const char *key)
{
    for (size_t i = 0; i < 3; i++)
        if (look->maps[i] != NULL && vg_node_find(look->maps[i], key) != NULL)
            return look->maps[i];
    vg_text_addf(&look->missing, "%s%s", look->missing.length > 0 ? ", " : "", key);
    return NULL;
}

static double number(struct look *look, const char *key)
{
    const struct vg_node *map = find(look, key);

    return map != NULL ? vg_node_number(map, key, 0) : 0;
}

/* Report a name that is no key of the map, with the nearest one there is. */
static int fail_unknown(const struct vg_node *at, const char *what, const struct vg_node *map,
                        struct vg_error *err)
{
    size_t count = map != NULL ? map->count : 0;
    const char **names = vg_memory_take(count + 1, sizeof *names);
    const char *nearest;
    int rc;

    for (size_t i = 0; i < count; i++)
        names[i] = map->entries[i].key;
    nearest = vg_nearest(at->text, names, count);
    if (nearest != NULL)
        rc = vg_node_fail(at, err, "unknown %s \"%s\"; did you mean \"%s\"?", what, at->text, nearest);
    else if (count > 0)
        rc =
            vg_node_fail(at, err, "unknown %s \"%s\"; voice.%ss has %zu others", what, at->text, what, count);
    else
        rc = vg_node_fail(at, err, "unknown %s \"%s\"; voice.%ss is empty, add `extends: voices.yaml`", what,
                          at->text, what);
    free((void *)names);
    return rc;
}

static int open_look(const struct vg_spec *spec, struct look *look)
{
    const struct vg_node *shared = vg_node_find(spec->root, "voice");
    const struct vg_node *name = vg_node_find(look->entry, "voice");
    const struct vg_node *voices = shared != NULL ? vg_node_find(shared, "voices") : NULL;

    look->maps[0] = vg_node_find(look->entry, "parameters");
    look->maps[2] = shared != NULL ? vg_node_find(shared, "defaults") : NULL;
    if (name == NULL)
        return VG_OK;
    look->maps[1] = voices != NULL ? vg_node_find(voices, name->text) : NULL;
    return look->maps[1] != NULL ? VG_OK : fail_unknown(name, "voice", voices, look->err);
}

static struct vg_glottis read_glottis(struct look *look, const char *open, const char *asymmetry,
                                      const char *back)
{
    struct vg_glottis glottis = {number(look, open), number(look, asymmetry), number(look, back)};

    if (look->missing.length == 0 && glottis.return_quotient > 0.9 * (1 - glottis.open_quotient))
        look->rc = vg_node_fail(
            vg_node_find(find(look, back), back), look->err,
            "%s does not fit into the closed phase that %s leaves; it can be at most 0.9 of it", back, open);
    return glottis;
}

/* F4 and above as the spec lists them; how many. */
static size_t read_listed(struct look *look, struct vg_voice *voice)
{
    const struct vg_node *hz = find(look, "upper_formants_hz"), *widths = find(look, "upper_bandwidths_hz");
    size_t count, rising = 1;

    if (hz == NULL || widths == NULL)
        return 0;
    count = vg_synth_numbers(hz, "upper_formants_hz", voice->upper_hz, UPPER_LISTED);
    while (rising < count && rising < UPPER_LISTED && voice->upper_hz[rising] > voice->upper_hz[rising - 1])
        rising++;
    if (count > 0 && rising == count &&
        vg_synth_numbers(widths, "upper_bandwidths_hz", voice->upper_bandwidths_hz, UPPER_LISTED) == count)
        return count;
    look->rc = vg_node_fail(
        vg_node_find(hz, "upper_formants_hz"), look->err,
        "upper_formants_hz needs 1 to %d values in rising order, and upper_bandwidths_hz as many",
        UPPER_LISTED);
    return 0;
}

/* The listed ones, then one each pole_spacing_hz up to Nyquist: a tract does not end with its last named
 * formant (the higher-pole correction of Fant 1960).  The last is half a spacing or more below Nyquist, as
 * far as from its own image.  What lies above is left out, since it shapes nothing that the file can hold. */
static void read_upper(struct look *look, uint32_t rate_hz, struct vg_voice *voice)
{
    double spacing_hz = number(look, "pole_spacing_hz"), width_hz = number(look, "pole_bandwidth_hz");
    size_t count = read_listed(look, voice);

    if (count == 0 || look->missing.length > 0)
        return;
    for (; (voice->upper_hz[count - 1] + 1.5 * spacing_hz) * voice->formant_scale <= 0.5 * rate_hz; count++) {
        vg_check(count < VG_VOICE_FORMANTS - 3);
        voice->upper_hz[count] = voice->upper_hz[count - 1] + spacing_hz;
        voice->upper_bandwidths_hz[count] = width_hz;
    }
    for (size_t i = 0; i < count; i++) {
        voice->upper_hz[i] *= voice->formant_scale;
        voice->upper_bandwidths_hz[i] *= voice->bandwidth_scale;
        if (voice->upper_hz[i] < 0.5 * rate_hz)
            voice->upper_count = i + 1;
    }
}

static void read_prosody(struct look *look, struct vg_voice *voice)
{
    voice->f0_hz = number(look, "f0_hz");
    voice->declination_st_per_sec = number(look, "declination_st_per_sec");
    voice->accent_sec = number(look, "accent_sec");
    voice->accent_at = number(look, "accent_at");
    voice->arch_db = number(look, "arch_db");
    voice->level_fall_db_per_sec = number(look, "level_fall_db_per_sec");
    voice->ramp_sec = number(look, "ramp_sec");
    voice->lead_sec = number(look, "lead_sec");
    voice->tail_sec = number(look, "tail_sec");
    voice->floor_dbfs = number(look, "floor_dbfs");
    voice->peak_dbfs = number(look, "peak_dbfs");
}

static void read_source(struct look *look, struct vg_voice *voice)
{
    voice->jitter_percent = number(look, "jitter_percent");
    voice->shimmer_percent = number(look, "shimmer_percent");
    voice->flutter_percent = number(look, "flutter_percent");
    voice->modal = read_glottis(look, "open_quotient", "asymmetry", "return_quotient");
    voice->lax = read_glottis(look, "lax_open_quotient", "lax_asymmetry", "lax_return_quotient");
    voice->breath_db = number(look, "breath_db");
    voice->lax_breath_db = number(look, "lax_breath_db");
    voice->breath_modulation = number(look, "breath_modulation");
    voice->breath_cutoff_hz = number(look, "breath_cutoff_hz");
}

static void read_tract(struct look *look, uint32_t rate_hz, struct vg_voice *voice)
{
    const struct vg_node *set = find(look, "target_set");

    voice->target_set = set != NULL ? vg_node_text(set, "target_set", "") : "";
    voice->formant_scale = number(look, "formant_scale");
    voice->bandwidth_scale = number(look, "bandwidth_scale");
    voice->noise_scale = number(look, "noise_scale");
    voice->nasal_pole_hz = number(look, "nasal_pole_hz") * voice->formant_scale;
    voice->nasal_bandwidth_hz = number(look, "nasal_bandwidth_hz") * voice->bandwidth_scale;
    read_upper(look, rate_hz, voice);
}

int vg_voice_read(const struct vg_spec *spec, const struct vg_node *entry, struct vg_voice *voice,
                  struct vg_error *err)
{
    struct look look = {.entry = entry, .err = err};

    *voice = (struct vg_voice){0};
    look.rc = open_look(spec, &look);
    if (look.rc != VG_OK)
        return look.rc;
    read_prosody(&look, voice);
    read_source(&look, voice);
    read_tract(&look, (uint32_t)vg_node_integer(entry, "sample_rate_hz", 0), voice);
    if (look.missing.length > 0)
        look.rc = vg_node_fail(entry, err,
                               "%s: given nowhere; write them in `parameters`, in the voice's preset or in "
                               "voice.defaults (extends: voices.yaml has them all)",
                               look.missing.data);
    vg_text_release(&look.missing);
    return look.rc;
}

/* ---- a phone ---------------------------------------------------------------------------------------- */

static double gain(const struct vg_node *map, const char *key)
{
    return vg_node_find(map, key) != NULL ? vg_db_to_gain(vg_node_number(map, key, 0)) : 0;
}

static void read_stage(const struct vg_node *node, const struct vg_voice *voice, struct vg_phone *phone)
{
    struct vg_phone_stage *stage = &phone->stages[phone->stage_count++];

    stage->sec = vg_node_number(node, "sec", 0);
    stage->ramp_sec = vg_node_number(node, "ramp_sec", voice->ramp_sec);
    stage->controls[VG_VOICING] = gain(node, "voice_db");
    stage->controls[VG_BREATH] = gain(node, "breath_db");
    stage->controls[VG_FRICATION] = gain(node, "noise_db");
    stage->controls[VG_LAX] = vg_node_number(node, "lax", 0);
    phone->fixed_sec += stage->sec;
    phone->elastic += stage->sec > 0 ? 0 : 1;
}

/* The bands of the noise.  One at or above Nyquist is left out, as an upper formant is. */
static void read_bands(const struct vg_node *node, const struct vg_voice *voice, uint32_t rate_hz,
                       struct vg_phone *phone)
{
    double hz[VG_VOICE_BANDS], widths_hz[VG_VOICE_BANDS], db[VG_VOICE_BANDS];
    size_t count = vg_synth_numbers(node, "noise_hz", hz, VG_VOICE_BANDS);

    vg_synth_numbers(node, "noise_bandwidths_hz", widths_hz, VG_VOICE_BANDS);
    vg_synth_numbers(node, "noise_band_db", db, VG_VOICE_BANDS);
    for (size_t i = 0; i < count; i++)
        if (hz[i] * voice->noise_scale < 0.5 * rate_hz)
            phone->bands[phone->band_count++] =
                (struct vg_voice_band){hz[i] * voice->noise_scale, widths_hz[i], vg_db_to_gain(db[i])};
}

/* Targets of the voice's set, scaled to its tract; each must lie below Nyquist. */
static int read_targets(const struct vg_node *node, const char *key, const struct vg_voice *voice,
                        uint32_t rate_hz, double *hz, struct vg_error *err)
{
    const struct vg_node *sets = vg_node_find(node, key), *set = vg_node_find(sets, voice->target_set);
    int rc = VG_OK;

    if (set == NULL)
        return vg_node_fail(sets, err, "%s has no set \"%s\", which the voice asks for by target_set", key,
                            voice->target_set);
    vg_synth_numbers(sets, voice->target_set, hz, VG_VOICE_TARGETS);
    for (size_t i = 0; i < set->count; i++) {
        hz[i] *= voice->formant_scale;
        if (hz[i] >= 0.5 * rate_hz)
            rc = vg_node_fail(set->entries[i].value, err,
                              "F%zu would be at %d Hz for this voice; a %u Hz source ends at %u", i + 1,
                              (int)vg_round_even(hz[i]), rate_hz, rate_hz / 2);
    }
    return rc;
}

int vg_phone_read(const struct vg_spec *spec, const struct vg_node *name, const struct vg_voice *voice,
                  uint32_t rate_hz, struct vg_phone *phone, struct vg_error *err)
{
    const struct vg_node *shared = vg_node_find(spec->root, "voice");
    const struct vg_node *phones = shared != NULL ? vg_node_find(shared, "phones") : NULL;
    const struct vg_node *node = phones != NULL ? vg_node_find(phones, name->text) : NULL;
    const struct vg_node *stages;
    int rc;

    *phone = (struct vg_phone){.name = name->text, .node = node};
    if (node == NULL)
        return fail_unknown(name, "phone", phones, err);
    rc = read_targets(node, "targets_hz", voice, rate_hz, phone->from_hz, err);
    if (rc != VG_OK)
        return rc;
    memcpy(phone->to_hz, phone->from_hz, sizeof phone->to_hz);
    if (vg_node_find(node, "glide_hz") != NULL)
        rc = read_targets(node, "glide_hz", voice, rate_hz, phone->to_hz, err);
    phone->targets = vg_synth_numbers(node, "bandwidths_hz", phone->bandwidths_hz, VG_VOICE_TARGETS);
    for (size_t i = 0; i < phone->targets; i++)
        phone->bandwidths_hz[i] *= voice->bandwidth_scale;
    phone->coarticulation = vg_node_number(node, "coarticulation", 0);
    phone->edge_sec = vg_node_number(node, "edge_sec", 0);
    phone->nasal_zero_hz = vg_node_find(node, "nasal_zero_hz") != NULL
                               ? vg_node_number(node, "nasal_zero_hz", 0) * voice->formant_scale
                               : voice->nasal_pole_hz;
    read_bands(node, voice, rate_hz, phone);
    stages = vg_node_find(node, "stages");
    for (size_t i = 0; i < stages->count; i++)
        read_stage(stages->entries[i].value, voice, phone);
    return rc;
}
