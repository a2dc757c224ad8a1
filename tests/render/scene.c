/* SPDX-License-Identifier: MIT */
/* The paper's spec, sources made on the spot (tone, square wave, noise in syllables, silence), items. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "scene.h"

const char *const scene_exact[SCENE_EXACT] = {"volume", "background_noise", "audio_distortion",
                                              "audio_roughness", "voice_vibration"};

void scene_check(const struct scene *scene, int rc)
{
    for (size_t i = 0; i < scene->err.count; i++)
        print_error("%s: %s\n", scene->err.issues[i].place, scene->err.issues[i].sentence);
    assert_int_equal(rc, VG_OK);
}

void scene_load(struct scene *scene, const char *path, const struct vg_spec_options *options)
{
    const struct vg_engine_words **engines = vg_arena_take(&scene->arena, vg_engine_count, sizeof *engines);
    const struct vg_source_words **kinds = vg_arena_take(&scene->arena, vg_source_kind_count, sizeof *kinds);
    struct vg_vocabulary vocabulary = {
        .engines = engines,
        .engine_count = vg_engine_count,
        .sources = kinds,
        .source_count = vg_source_kind_count,
    };

    for (size_t i = 0; i < vg_engine_count; i++)
        engines[i] = &vg_engines[i]->words;
    for (size_t i = 0; i < vg_source_kind_count; i++)
        kinds[i] = &vg_source_kinds[i]->words;
    scene_check(scene, vg_spec_load(&scene->spec, path, options, &vocabulary, &scene->arena, &scene->err));
}

static int open_spec(void **state, const char *folder, const char *name)
{
    struct scene *scene = folder != NULL ? calloc(1, sizeof *scene) : NULL;
    struct vg_spec_options options = {0};

    if (scene == NULL)
        return -1;
    *state = scene;
    scene_load(scene, vg_path_join(&scene->arena, folder, name), &options);
    return 0;
}

int scene_open(void **state)
{
    return open_spec(state, getenv("VG_TESTS"), "render/scene.yaml");
}

int scene_open_true(void **state)
{
    return open_spec(state, getenv("VG_SPECS"), "true.yaml");
}

int scene_close(void **state)
{
    struct scene *scene = *state;

    vg_renderer_release(&scene->renderer);
    vg_error_release(&scene->err);
    vg_arena_release(&scene->output);
    vg_arena_release(&scene->arena);
    free(scene);
    return 0;
}

struct vg_item scene_item(const struct scene *scene, const char *category, const struct vg_source *source,
                          size_t number)
{
    const struct vg_spec *spec = &scene->spec;
    size_t tier = number / 8;

    for (size_t i = 0; i < spec->category_count; i++)
        if (strcmp(spec->categories[i].words->name, category) == 0)
            return (struct vg_item){
                .spec = spec,
                .split = &spec->splits[0],
                .category = &spec->categories[i],
                .source = source,
                .tier = tier,
                .curve = spec->curves[number / 2 % 4],
                .direction = spec->directions[number % 2],
                .values = spec->categories[i].tiers[tier],
                .fixed = spec->categories[i].fixed,
                .label = spec->labels[number % 2],
            };
    fail_msg("no category %s in the spec", category);
    return (struct vg_item){0};
}

/* Noise in syllables of a fifth of a second, rising and falling, between faint pauses. */
static double syllable(struct vg_random *random, double seconds)
{
    double place = seconds * 5.0 - (double)(long)(seconds * 5.0);
    double swell = 4.0 * place * (1.0 - place);

    return vg_random_normal(random) * (0.002 + 0.15 * swell * swell);
}

static double sample_of(enum scene_signal signal, double seconds, struct vg_random *random)
{
    switch (signal) {
    case SCENE_TONE:
        return 0.65 * vg_sin(2.0 * VG_PI * 700.0 * seconds);
    case SCENE_SQUARE:
        return vg_sin(2.0 * VG_PI * 220.0 * seconds) >= 0.0 ? 1.0 : -1.0;
    case SCENE_SPEECHLIKE:
        return syllable(random, seconds);
    case SCENE_SILENCE:
        break;
    }
    return 0.0;
}

struct vg_loaded scene_sound(struct scene *scene, enum scene_signal signal, uint32_t rate_hz, size_t frames,
                             size_t on, size_t off)
{
    struct vg_random random;
    int16_t *samples = vg_arena_take(&scene->arena, frames, sizeof *samples);

    vg_random_seed(&random, 1);
    for (size_t k = 0; k < frames; k++) {
        double x = sample_of(signal, (double)k / rate_hz, &random) * 32768.0;

        x = x < -32768.0 ? -32768.0 : x;
        x = x > 32767.0 ? 32767.0 : x;
        samples[k] = (int16_t)vg_round_even(x);
    }
    return (struct vg_loaded){
        .clip = {.samples = samples, .frames = frames, .rate_hz = rate_hz},
        .span = {.on = on, .off = off},
    };
}

struct vg_rendered scene_digest(struct scene *scene, const struct vg_item *item,
                                const struct vg_loaded *source, char hex[VG_DIGEST_HEX])
{
    struct vg_rendered out;

    vg_arena_rewind(&scene->output, (struct vg_arena_mark){0});
    vg_render(&scene->renderer, item, source, &out, &scene->output);
    vg_digest_of_samples(VG_SHA256, out.samples, out.frames, hex);
    return out;
}
