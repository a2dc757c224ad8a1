/* SPDX-License-Identifier: MIT */
/* Kind `harmonic`: a complex tone, the sum of partials with given levels and phases.  A partial's number
 * times F0 is its frequency; it need not be whole, so that an inharmonic tone can be said too. */
#include "synth.h"

static const struct vg_key_rule harmonic_keys[] = {
    VG_SYNTH_IDENTITY_KEYS,
    VG_SYNTH_SOUND_KEYS,
    {"f0_hz", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN | VG_UP_TO_NYQUIST, 0, 48000, NULL, NULL,
     "fundamental, Hz"},
    {"partials", VG_KEY_NUMBERS, VG_REQUIRED | VG_ABOVE_MIN, 0, 10000, NULL, NULL, "multiples of f0_hz"},
    {"levels_db", VG_KEY_NUMBERS, 0, -120, 120, NULL, NULL,
     "level of each partial, dB; all equal where missing"},
    {"phases_deg", VG_KEY_NUMBERS, 0, -360, 360, NULL, NULL,
     "phase of each partial's sine, degrees; 0 where missing"},
    {0},
};

static void check_length(const struct vg_node *entry, const char *key, size_t count, struct vg_error *err)
{
    const struct vg_node *list = vg_node_find(entry, key);

    if (list != NULL && list->count != count)
        vg_node_fail(list, err, "%s has %zu values for %zu partials; give one for each", key, list->count,
                     count);
}

static void check_harmonic(const struct vg_node *entry, struct vg_error *err)
{
    const struct vg_node *partials = vg_node_find(entry, "partials");
    double f0_hz = vg_node_number(entry, "f0_hz", 0), partial;
    int64_t rate_hz = vg_node_integer(entry, "sample_rate_hz", 0);

    vg_synth_check(entry, err);
    check_length(entry, "levels_db", partials->count, err);
    check_length(entry, "phases_deg", partials->count, err);
    for (size_t i = 0; i < partials->count; i++) {
        const struct vg_node *node = partials->entries[i].value;

        vg_check(vg_number_parse(node->text, &partial));
        if (partial * f0_hz >= 0.5 * (double)rate_hz)
            vg_node_fail(node, err, "partial %s of %s Hz lies at or above %d Hz, where a %d Hz source ends",
                         node->text, vg_node_text(entry, "f0_hz", ""), (int)(rate_hz / 2), (int)rate_hz);
    }
}

static void add_partial(struct vg_synth_sound *sound, double hz, double gain, double phase_deg)
{
    for (size_t k = 0; k < sound->frames; k++) {
        double cycles = hz * (double)k / sound->rate_hz;

        cycles -= (double)(int64_t)cycles;
        sound->x[k] += gain * vg_sin(2 * VG_PI * (cycles + phase_deg / 360));
    }
}

static int load_harmonic(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                         struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_node *entry = source->origin->entry;
    size_t count = vg_node_find(entry, "partials")->count;
    double *partials = vg_arena_take_zero(arena, count, sizeof *partials);
    double *levels_db = vg_arena_take_zero(arena, count, sizeof *levels_db);
    double *phases_deg = vg_arena_take_zero(arena, count, sizeof *phases_deg);
    struct vg_synth_sound sound = vg_synth_open(entry, arena);

    (void)spec;
    (void)err;
    vg_synth_numbers(entry, "partials", partials, count);
    vg_synth_numbers(entry, "levels_db", levels_db, count);
    vg_synth_numbers(entry, "phases_deg", phases_deg, count);
    for (size_t i = 0; i < count; i++)
        add_partial(&sound, partials[i] * vg_node_number(entry, "f0_hz", 0), vg_db_to_gain(levels_db[i]),
                    phases_deg[i]);
    vg_synth_close(&sound, entry, loaded, arena);
    return VG_OK;
}

const struct vg_source_kind vg_kind_harmonic = {
    .words = {.name = "harmonic", .keys = harmonic_keys, .check = check_harmonic},
    .list = vg_synth_list,
    .load = load_harmonic,
};
