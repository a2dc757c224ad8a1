/* SPDX-License-Identifier: MIT */
/* Kind `chirp`: a sine that moves from one frequency to another, at a constant rate in Hz (linear) or in
 * octaves (logarithmic).  The phase is the closed integral of the frequency, so no error adds up. */
#include "synth.h"

#include <string.h>

static const struct vg_key_rule chirp_keys[] = {
    VG_SYNTH_IDENTITY_KEYS,
    VG_SYNTH_SOUND_KEYS,
    {"from_hz", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN | VG_UP_TO_NYQUIST, 0, 48000, NULL, NULL,
     "first frequency, Hz"},
    {"to_hz", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN | VG_UP_TO_NYQUIST, 0, 48000, NULL, NULL,
     "last frequency, Hz"},
    {"law", VG_KEY_CHOICE, VG_REQUIRED, 0, 0, "linear|logarithmic", NULL, "how the frequency moves"},
    {0},
};

static void check_chirp(const struct vg_node *entry, struct vg_error *err)
{
    vg_synth_check(entry, err);
    if (vg_node_number(entry, "from_hz", 0) == vg_node_number(entry, "to_hz", 0))
        vg_node_fail(vg_node_find(entry, "to_hz"), err, "from_hz and to_hz are equal; use kind: tone");
}

/* Cycles since the start at time t of a chirp that lasts `sec`. */
static double linear_cycles(double from_hz, double to_hz, double sec, double t)
{
    return (from_hz + 0.5 * (to_hz - from_hz) * t / sec) * t;
}

static double logarithmic_cycles(double from_hz, double to_hz, double sec, double t)
{
    double rate = vg_log(to_hz / from_hz) / sec; /* of growth, per second */

    return from_hz * (vg_exp(rate * t) - 1) / rate;
}

static int load_chirp(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                      struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_node *entry = source->origin->entry;
    double from_hz = vg_node_number(entry, "from_hz", 0), to_hz = vg_node_number(entry, "to_hz", 0);
    double sec = vg_node_number(entry, "sound_sec", 0);
    bool linear = strcmp(vg_node_text(entry, "law", ""), "linear") == 0;
    struct vg_synth_sound sound = vg_synth_open(entry, arena);

    (void)spec;
    (void)err;
    for (size_t k = 0; k < sound.frames; k++) {
        double t = (double)k / sound.rate_hz;
        double cycles =
            linear ? linear_cycles(from_hz, to_hz, sec, t) : logarithmic_cycles(from_hz, to_hz, sec, t);

        sound.x[k] = vg_sin(2 * VG_PI * (cycles - (double)(int64_t)cycles));
    }
    vg_synth_close(&sound, entry, loaded, arena);
    return VG_OK;
}

const struct vg_source_kind vg_kind_chirp = {
    .words = {.name = "chirp", .keys = chirp_keys, .check = check_chirp},
    .list = vg_synth_list,
    .load = load_chirp,
};
