/* SPDX-License-Identifier: MIT */
/* Recordings read as the product reads them, with the paper's detector. */
#include "speech.h"

#define LONGEST_SEC 8

static const struct vg_detector detector = {0.97, 0.010, 0.010, 0.2, 1.8, 0.003, 5e-5, 10};

struct vg_loaded speech_load(struct scene *scene, struct vg_arena *arena, const char *path)
{
    struct vg_decode_rules rules = {.duration_max_sec = 60};
    struct vg_loaded loaded = {0};

    scene_check(scene, vg_decode_file(path, path, &rules, &loaded, arena, &scene->err));
    if (loaded.clip.frames > (size_t)loaded.clip.rate_hz * LONGEST_SEC)
        loaded.clip.frames = (size_t)loaded.clip.rate_hz * LONGEST_SEC;
    return loaded;
}

void speech_detect(struct vg_loaded *loaded, struct vg_arena *arena)
{
    const struct vg_clip *clip = &loaded->clip;
    double *x = vg_arena_take(arena, clip->frames, sizeof *x);
    struct vg_detection found;

    for (size_t i = 0; i < clip->frames; i++)
        x[i] = clip->samples[i] / 32768.0;
    found = vg_detect_speech(&detector, x, clip->frames, clip->rate_hz, arena);
    loaded->span = vg_span_of(found.onset_sec, found.offset_sec, clip->rate_hz, clip->frames);
}
