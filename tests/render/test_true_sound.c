/* SPDX-License-Identifier: MIT */
/* What is to be heard in items of `true-1` and what is not: noise of the colour that the spec names, no line
 * where `paper-1` joins its pieces, and nothing at the ends or in the peak that tells up from down. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

static const struct vg_source source = {.id = "made_01", .clip_id = "made"};
enum { RATE = 48000, FRAMES = 3 * RATE, LINEAR_UP = 8 }; /* LINEAR_UP: of the middle tier */

static struct vg_rendered render(struct scene *scene, const struct vg_item *item,
                                 const struct vg_loaded *loaded)
{
    char hex[VG_DIGEST_HEX];

    vg_renderer_clear(&scene->renderer);
    return scene_digest(scene, item, loaded, hex);
}

/* ---- noise --------------------------------------------------------------------------------------------- */

/* Level of a rendered sound, less the source at its best gain, in an octave from `hz` on; dB. */
static double rest_in_octave(struct scene *scene, const struct vg_rendered *out,
                             const struct vg_loaded *loaded, double hz)
{
    enum { N = 1 << 17 };
    const struct vg_fft *fft = vg_fft_make(N, &scene->arena);
    double *x = vg_arena_take_zero(&scene->arena, N, sizeof *x), ss = 0, os = 0, sum = 0;
    struct vg_complex *z = vg_arena_take(&scene->arena, N / 2 + 1, sizeof *z);
    const int16_t *o = out->samples + out->on, *s = loaded->clip.samples + loaded->span.on;
    size_t count = out->off - out->on;

    for (size_t k = 0; k < count; k++) {
        ss += (double)s[k] * s[k];
        os += (double)o[k] * s[k];
    }
    for (size_t k = 0; k < count && k < N; k++)
        x[k] = o[k] - os / ss * s[k];
    vg_fft_forward(fft, x, z, &scene->arena);
    for (size_t i = (size_t)(hz * N / RATE); i < (size_t)(2 * hz * N / RATE); i++)
        sum += z[i].re * z[i].re + z[i].im * z[i].im;
    return 10 * log10(sum);
}

static double source_in_octave(struct scene *scene, const struct vg_loaded *loaded, double hz)
{
    int16_t *nothing = vg_arena_take_zero(&scene->arena, loaded->clip.frames, sizeof *nothing);
    struct vg_loaded silent = *loaded;
    struct vg_rendered own = {
        .samples = loaded->clip.samples, .on = loaded->span.on, .off = loaded->span.off};

    nothing[loaded->span.on] = 1;
    silent.clip.samples = nothing;
    return rest_in_octave(scene, &own, &silent, hz);
}

enum colour { WHITE, PINK, SPEECH, COLOURS };

static void test_noise_has_its_colour(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SPEECHLIKE, RATE, FRAMES, RATE / 4, FRAMES - RATE / 4);

    for (size_t colour = 0; colour < COLOURS; colour++) {
        struct vg_item item = scene_item(scene, "background_noise", &source, LINEAR_UP + 8);
        struct vg_value *fixed = vg_arena_take(&scene->arena, 2, sizeof *fixed);
        double *at = vg_arena_take(&scene->arena, 1, sizeof *at), from = 0, wanted = 0;
        struct vg_rendered out;

        *at = (double)colour;
        fixed[0] = item.fixed[0];
        fixed[1] = (struct vg_value){at, 1};
        item.fixed = fixed;
        out = render(scene, &item, &loaded);
        for (double hz = 200; hz < 8000; hz *= 2) {
            double level = rest_in_octave(scene, &out, &loaded, hz),
                   own = source_in_octave(scene, &loaded, hz);

            level -= colour == WHITE ? 3.0103 * log2(hz / 200) : colour == SPEECH ? own : 0;
            wanted = hz > 200 ? from : level;
            print_message("colour %zu, %4.0f Hz: %6.1f dB beside its slope\n", colour, hz, level - wanted);
            assert_true(fabs(level - wanted) < (colour == SPEECH ? 3 : 1.5)); /* as smooth as its bands */
            from = wanted;
        }
    }
}

/* ---- the line at 22.2 Hz ------------------------------------------------------------------------------- */

/* Share of the envelope that swings 22.2 times a second: pieces of 50 ms that overlap by 5. */
static double line_of(const struct vg_rendered *out)
{
    enum { BLOCK = RATE / 400 };
    size_t blocks = (out->off - out->on) / BLOCK;
    double re = 0, im = 0, all = 0;

    for (size_t k = 0; k < blocks; k++) {
        const int16_t *x = out->samples + out->on + k * BLOCK;
        double energy = 0, t = (double)k * BLOCK / RATE,
               weight = 0.5 - 0.5 * cos(2 * VG_PI * ((double)k + 0.5) / (double)blocks);

        for (size_t i = 0; i < BLOCK; i++)
            energy += (double)x[i] * x[i];
        energy = weight * sqrt(energy);
        re += energy * cos(2 * VG_PI * t / 0.045);
        im += energy * sin(2 * VG_PI * t / 0.045);
        all += energy;
    }
    return 2 * hypot(re, im) / all;
}

static double worst_line(struct scene *scene)
{
    static const char *const stepped[] = {"voice_pitch", "audio_distortion", "audio_roughness",
                                          "voice_clarity"};
    struct vg_loaded loaded = scene_sound(scene, SCENE_TONE, RATE, FRAMES, RATE / 4, FRAMES - RATE / 4);
    double worst = 0;

    for (size_t c = 0; c < 4; c++)
        for (size_t number = LINEAR_UP; number < LINEAR_UP + 6; number++) { /* the three curves that glide */
            struct vg_item item = scene_item(scene, stepped[c], &source, number);
            struct vg_rendered out = render(scene, &item, &loaded);
            double line = line_of(&out);

            worst = line > worst ? line : worst;
        }
    print_message("22.2 Hz: at most %.3f %%\n", 100 * worst);
    return worst;
}

static void test_there_is_no_line(void **state)
{
    assert_true(worst_line(*state) < 0.003);
}

static void test_the_other_engine_has_one(void **state)
{
    assert_true(worst_line(*state) > 0.003);
}

/* ---- what must not tell -------------------------------------------------------------------------------- */

static size_t silence(const int16_t *x, size_t frames, ptrdiff_t step)
{
    size_t n = 0;

    while (n < frames && abs(x[(ptrdiff_t)n * step]) <= 32)
        n++;
    return n;
}

static void test_ends_and_peak_do_not_tell(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SPEECHLIKE, RATE, FRAMES, RATE / 4, FRAMES - RATE / 4);

    for (size_t c = 0; c < scene->spec.category_count; c++)
        for (size_t number = 0; number < SCENE_ITEMS; number += 2) {
            const char *name = scene->spec.categories[c].words->name;
            size_t head[2], tail[2];
            unsigned peak[2];

            for (size_t way = 0; way < 2; way++) {
                struct vg_item item = scene_item(scene, name, &source, number + way);
                struct vg_rendered out = render(scene, &item, &loaded);

                peak[way] = out.peak;
                head[way] = silence(out.samples, out.frames, 1);
                tail[way] = silence(out.samples + out.frames - 1, out.frames, -1);
            }
            assert_int_equal(head[0], head[1]);
            assert_int_equal(tail[0], tail[1]);
            if (strcmp(name, "volume") != 0) /* there the level is the attribute itself */
                assert_int_equal(peak[0], peak[1]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_noise_has_its_colour, scene_open_true, scene_close),
        cmocka_unit_test_setup_teardown(test_there_is_no_line, scene_open_true, scene_close),
        cmocka_unit_test_setup_teardown(test_the_other_engine_has_one, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_ends_and_peak_do_not_tell, scene_open_true, scene_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
