/* SPDX-License-Identifier: MIT */
/* The spec's map `measure`: JND and margins of each quantity.  The defaults are those of specs/paper.yaml,
 * which gives the source of each. */
#include "measure.h"

static const struct vg_margins defaults = {{
    [VG_Q_VOLUME] = {1, 0.5, 8, true},
    [VG_Q_SPEED] = {5, 10, 28, false},
    [VG_Q_PITCH] = {1, 0.5, 8, false},
    [VG_Q_NOISE] = {3, 3, 18, true},
    [VG_Q_DISTORTION] = {0.5, 0.2, 0.2, true},
    [VG_Q_ROUGHNESS] = {3, 1, 1, true},
    [VG_Q_CLARITY] = {1, 0.3, 3, true},
    [VG_Q_VIBRATION] = {0.1, 0.05, 8, false},
    [VG_Q_ECHO] = {3, 1.5, 0.05, false},
}};

static const struct vg_key_rule margin_keys[] = {
    {.name = "jnd",
     .type = VG_KEY_NUMBER,
     .flags = VG_ABOVE_MIN,
     .max = 1000,
     .meaning = "just-noticeable difference, in the unit that it is heard in"},
    {.name = "paired",
     .type = VG_KEY_NUMBER,
     .max = 1000,
     .meaning = "least change from the source's for a verdict, in the measure's unit"},
    {.name = "blind",
     .type = VG_KEY_NUMBER,
     .max = 1000,
     .meaning = "least change heard without the source for a verdict, in the blind measure's unit"},
    {.name = "gate",
     .type = VG_KEY_BOOL,
     .meaning = "whether a blind verdict opposed to the label makes it undecided"},
    {0},
};

const struct vg_key_rule vg_measure_keys[] = {
    {.name = "volume", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "dB; blind LU"},
    {.name = "speaking_speed", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "ln %"},
    {.name = "voice_pitch", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "semitones"},
    {.name = "background_noise", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "dB"},
    {.name = "audio_distortion", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "octaves"},
    {.name = "audio_roughness", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "bits; JND in dB"},
    {.name = "voice_clarity", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "ERB-number"},
    {.name = "voice_vibration", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "index; blind dB"},
    {.name = "echo", .type = VG_KEY_MAP, .keys = margin_keys, .meaning = "dB; blind a share, 0..1"},
    {0},
};

void vg_margins_read(struct vg_margins *margins, const struct vg_node *measure)
{
    *margins = defaults;
    for (size_t q = 0; measure != NULL && q < VG_QUANTITIES; q++) {
        const struct vg_node *map = vg_node_find(measure, vg_measures[q].name);
        struct vg_margin *margin = &margins->of[q];

        if (map == NULL)
            continue;
        margin->jnd = vg_node_number(map, "jnd", margin->jnd);
        margin->paired = vg_node_number(map, "paired", margin->paired);
        margin->blind = vg_node_number(map, "blind", margin->blind);
        margin->gate = vg_node_bool(map, "gate", margin->gate);
    }
}
