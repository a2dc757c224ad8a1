/* SPDX-License-Identifier: MIT */
/* The engine `true-1`: its categories in the grid's order, the keys of its `trajectory` and the rules that
 * its categories share. */
#include "true.h"

#include "course.h"

static const struct vg_category *const categories[] = {
    &vg_true_volume.words,           &vg_true_speaking_speed.words,   &vg_true_voice_pitch.words,
    &vg_true_background_noise.words, &vg_true_audio_distortion.words, &vg_true_audio_roughness.words,
    &vg_true_voice_clarity.words,    &vg_true_voice_vibration.words,  &vg_true_echo.words,
};

static const struct vg_transform *const transforms[] = {
    &vg_true_volume,           &vg_true_speaking_speed,   &vg_true_voice_pitch,
    &vg_true_background_noise, &vg_true_audio_distortion, &vg_true_audio_roughness,
    &vg_true_voice_clarity,    &vg_true_voice_vibration,  &vg_true_echo,
};

static const struct vg_key_rule trajectory[] = {
    [VG_TRUE_EDGES] = {.name = "edges",
                       .type = VG_KEY_CHOICE,
                       .flags = VG_REQUIRED,
                       .choices = "trim|hold|source",
                       .meaning = "beside the span: a short faded piece of the source, the course's ends "
                                  "held, or the source as it is"},
    [VG_TRUE_EDGE_SEC] = {.name = "edge_sec",
                          .type = VG_KEY_NUMBER,
                          .flags = VG_REQUIRED,
                          .max = 10,
                          .meaning = "seconds of its surroundings that a trimmed span keeps and fades over"},
    [VG_TRUE_CROSSING_SEC] = {.name = "crossing_sec",
                              .type = VG_KEY_NUMBER,
                              .flags = VG_REQUIRED | VG_ABOVE_MIN,
                              .max = 1,
                              .meaning = "seconds that a jump takes, and the step to the source's own value "
                                         "at the edges"},
    [VG_TRUE_SPAN_LEAST_SEC] = {.name = "span_least_sec",
                                .type = VG_KEY_NUMBER,
                                .flags = VG_REQUIRED,
                                .max = 60,
                                .meaning = "seconds; sources with a shorter span are refused"},
    [VG_TRUE_LEVEL_LEAST_DB] = {.name = "level_least_db",
                                .type = VG_KEY_NUMBER,
                                .flags = VG_REQUIRED,
                                .min = -120,
                                .max = -1,
                                .meaning = "dB re full scale; sources whose span is softer are refused"},
    [VG_TRUE_NOISE_MOST_DB] = {.name = "noise_most_db",
                               .type = VG_KEY_NUMBER,
                               .flags = VG_REQUIRED,
                               .min = -60,
                               .max = 60,
                               .meaning = "dB re the span; sources are refused whose floor would bring the "
                                          "noise of the highest tier above"},
    {0},
};

const struct vg_engine vg_true_engine = {
    .words =
        {
            .name = "true-1",
            .categories = categories,
            .category_count = sizeof categories / sizeof categories[0],
            .keys = trajectory,
            .pairs_share_draws = true,
        },
    .transforms = transforms,
    .refuse = vg_true_refuse,
};

const struct vg_key_rule vg_true_tier[] = {
    [VG_TRUE_CHANGE] = {.name = "change_jnd",
                        .type = VG_KEY_NUMBER,
                        .flags = VG_REQUIRED,
                        .max = 100,
                        .meaning = "JNDs; net change, the last third of the span less the first"},
    {0},
};

void vg_true_limit(const struct vg_node *map, double most, const char *why, struct vg_error *err)
{
    const struct vg_node *tiers = vg_node_find(map, "tiers");
    double jnd = vg_node_number(map, "jnd", 1);

    for (size_t i = 0; tiers != NULL && i < tiers->count; i++) {
        const struct vg_node *change = vg_node_find(tiers->entries[i].value, "change_jnd");
        double net = vg_node_number(tiers->entries[i].value, "change_jnd", 0);

        if (net * jnd * VG_GLIDE_REACH > most * (1 + 1e-12))
            vg_node_fail(
                change, err,
                "tier %s asks for more than can be done: %s; write a change_jnd that times jnd is at "
                "most two thirds of that",
                tiers->entries[i].key, why);
    }
}
