/* SPDX-License-Identifier: MIT */
/* The engine `paper-1`: its nine categories in the grid's order and its timing. */
#include "paper.h"

static const struct vg_category *const categories[] = {
    &vg_paper_volume.words,           &vg_paper_speaking_speed.words,   &vg_paper_voice_pitch.words,
    &vg_paper_background_noise.words, &vg_paper_audio_distortion.words, &vg_paper_audio_roughness.words,
    &vg_paper_voice_clarity.words,    &vg_paper_voice_vibration.words,  &vg_paper_echo.words,
};

static const struct vg_transform *const transforms[] = {
    &vg_paper_volume,           &vg_paper_speaking_speed,   &vg_paper_voice_pitch,
    &vg_paper_background_noise, &vg_paper_audio_distortion, &vg_paper_audio_roughness,
    &vg_paper_voice_clarity,    &vg_paper_voice_vibration,  &vg_paper_echo,
};

enum { STEP, CONTEXT, CROSSFADE };
static const struct vg_key_rule trajectory[] = {
    [STEP] = {.name = "step_sec",
              .type = VG_KEY_NUMBER,
              .flags = VG_REQUIRED | VG_ABOVE_MIN,
              .max = 10,
              .meaning = "seconds; length of a step of the stepped categories"},
    [CONTEXT] = {.name = "context_sec",
                 .type = VG_KEY_NUMBER,
                 .flags = VG_REQUIRED,
                 .max = 10,
                 .meaning = "seconds; context on both sides of a chunk"},
    [CROSSFADE] = {.name = "crossfade_sec",
                   .type = VG_KEY_NUMBER,
                   .flags = VG_REQUIRED,
                   .max = 10,
                   .meaning = "seconds; overlap of neighbouring chunks"},
    {0},
};

const struct vg_engine vg_paper_engine = {
    .words =
        {
            .name = "paper-1",
            .categories = categories,
            .category_count = sizeof categories / sizeof categories[0],
            .keys = trajectory,
        },
    .transforms = transforms,
};

struct vg_steps vg_paper_steps(const struct vg_item *item, const struct vg_loaded *source)
{
    const struct vg_value *values = item->spec->trajectory;
    struct vg_pace pace = {
        .step_sec = values[STEP].at[0],
        .context_sec = values[CONTEXT].at[0],
        .crossfade_sec = values[CROSSFADE].at[0],
    };

    return vg_steps_of(pace, source->clip.rate_hz, source->span.off - source->span.on);
}
