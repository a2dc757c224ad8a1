/* SPDX-License-Identifier: MIT */
/* What the four spectral categories do, said in other words than theirs.  Their bits are pinned in
 * test_digests.c, their nearness to the published ones in test_parity_spectral.c. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "paper/reverb.h"
#include "scene.h"

static const struct vg_source source = {.id = "made_01", .clip_id = "made"};

/* Item numbers of the recipe's order: the jump of the high tier. */
enum { JUMP_HIGH_UP = 22, JUMP_HIGH_DOWN = 23 };
enum { RATE = 48000, FRAMES = 96000, ON = 12000, OFF = 84000 }; /* 30 steps */

static struct vg_rendered render_with(struct scene *scene, const char *category, size_t number,
                                      const struct vg_loaded *loaded)
{
    struct vg_item item = scene_item(scene, category, &source, number);
    char hex[VG_DIGEST_HEX];

    return scene_digest(scene, &item, loaded, hex);
}

static void assert_ends_untouched(const struct vg_rendered *out, const struct vg_loaded *loaded)
{
    const int16_t *in = loaded->clip.samples;
    size_t after = loaded->clip.frames - loaded->span.off;

    assert_int_equal(out->on, loaded->span.on);
    assert_int_equal(out->frames - out->off, after);
    assert_memory_equal(out->samples, in, out->on * sizeof *in);
    assert_memory_equal(out->samples + out->off, in + loaded->span.off, after * sizeof *in);
}

static void test_speed_moves_the_length(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SPEECHLIKE, RATE, FRAMES, ON, OFF);
    struct vg_rendered out = render_with(scene, "speaking_speed", JUMP_HIGH_UP, &loaded);
    double steps = 30, joints = (steps - 1) * 240; /* 5 ms each */
    double expected = 36000 / 0.6 + 36000 / 1.4 - joints;

    assert_ends_untouched(&out, &loaded);
    assert_true(fabs((double)(out.off - out.on) - expected) < steps);
}

/* Frequency of the strongest bin, to a tenth of a bin's width by its neighbours. */
static double peak_hz(struct scene *scene, const int16_t *samples, size_t frames)
{
    const struct vg_fft *fft = vg_fft_make(frames, &scene->arena);
    double *x = vg_arena_take(&scene->arena, frames, sizeof *x), best = 0;
    struct vg_complex *bins = vg_arena_take(&scene->arena, frames / 2 + 1, sizeof *bins);
    size_t at = 1;

    for (size_t k = 0; k < frames; k++)
        x[k] = samples[k] * (0.5 - 0.5 * cos(2.0 * VG_PI * (double)k / (double)frames));
    vg_fft_forward(fft, x, bins, &scene->arena);
    for (size_t k = 1; k < frames / 2; k++)
        if (hypot(bins[k].re, bins[k].im) > best) {
            best = hypot(bins[k].re, bins[k].im);
            at = k;
        }
    double low = hypot(bins[at - 1].re, bins[at - 1].im), high = hypot(bins[at + 1].re, bins[at + 1].im);
    return ((double)at + (high - low) / (2.0 * best - low - high) / 2.0) * RATE / (double)frames;
}

static void test_pitch_moves_a_tone(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_TONE, RATE, FRAMES, ON, OFF);
    struct vg_rendered out = render_with(scene, "voice_pitch", JUMP_HIGH_DOWN, &loaded);
    double high = 12 * log2(peak_hz(scene, out.samples + ON + 2000, 16384) / 700.0);
    double low = 12 * log2(peak_hz(scene, out.samples + out.off - 18000, 16384) / 700.0);

    assert_ends_untouched(&out, &loaded);
    assert_int_equal(out.off - out.on, OFF - ON - 29 * 240);
    /* recipe.md: chunks restart their phase, and +-3 semitones show as -3.3 and +2.8 */
    assert_true(fabs(high - 3.0) < 0.4 && fabs(low + 3.0) < 0.4);
}

/* Share of the energy above a frequency. */
static double share_above(struct scene *scene, const int16_t *samples, size_t frames, double frequency_hz)
{
    double *x = vg_arena_take(&scene->arena, frames, sizeof *x), above = 0, all = 0;
    struct vg_complex *bins = vg_arena_take(&scene->arena, frames / 2 + 1, sizeof *bins);

    for (size_t k = 0; k < frames; k++)
        x[k] = samples[k] * (0.5 - 0.5 * cos(2.0 * VG_PI * (double)k / (double)frames));
    vg_fft_forward(vg_fft_make(frames, &scene->arena), x, bins, &scene->arena);
    for (size_t k = 0; k <= frames / 2; k++) {
        double energy = bins[k].re * bins[k].re + bins[k].im * bins[k].im;

        all += energy;
        above += (double)k * RATE / (double)frames > frequency_hz ? energy : 0;
    }
    return above / all;
}

static double level(const int16_t *samples, size_t frames)
{
    double sum = 0;

    for (size_t k = 0; k < frames; k++)
        sum += (double)samples[k] * samples[k];
    return sqrt(sum / (double)frames);
}

static void test_clarity_takes_the_highs(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SPEECHLIKE, RATE, FRAMES, ON, OFF);
    struct vg_rendered out = render_with(scene, "voice_clarity", JUMP_HIGH_UP, &loaded);

    assert_true(share_above(scene, loaded.clip.samples + ON, 16384, 1700) > 0.8); /* it is white */
    assert_true(share_above(scene, out.samples + ON + 1000, 16384, 1700) < 1e-4);
    assert_true(share_above(scene, out.samples + out.off - 18000, 16384, 1700) > 0.8);
    /* before the span the lowest cutoff, at the level of the source */
    assert_true(share_above(scene, out.samples, 8192, 1700) < 1e-3);
    assert_true(fabs(level(out.samples, ON) / level(loaded.clip.samples, ON) - 1.0) < 0.01);
}

static void test_echo_begins_dry(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SPEECHLIKE, RATE, FRAMES, ON, OFF);
    struct vg_rendered out = render_with(scene, "echo", JUMP_HIGH_UP, &loaded);
    size_t half = (ON + OFF) / 2;

    assert_int_equal(out.frames, FRAMES);
    assert_memory_equal(out.samples, loaded.clip.samples, (half - 1) * sizeof *out.samples);
    assert_true(memcmp(out.samples + half, loaded.clip.samples + half, 1000 * sizeof *out.samples) != 0);
}

/* The impulse response as recipe.md writes it down: filters with f32 memories, run on one sample. */
static void impulse_response(const struct vg_room *room, double rate_hz, float *h, size_t m,
                             struct vg_arena *tmp)
{
    double *sound = vg_arena_take_zero(tmp, m, sizeof *sound);

    for (size_t c = 0; c < room->comb_ms.count; c++) {
        size_t delay = (size_t)vg_round_even(room->comb_ms.at[c] / 1000 * rate_hz);
        float *memory = vg_arena_take_zero(tmp, m, sizeof *memory);

        for (size_t k = 0; k < m; k++) {
            double late = k >= delay ? (double)memory[k - delay] : 0;

            memory[k] = (float)((k == 0) + room->comb_feedback.at[c] * room->scale * late);
            sound[k] += (double)memory[k] / (double)room->comb_ms.count;
        }
    }
    for (size_t a = 0; a < room->allpass_ms.count; a++) {
        size_t delay = (size_t)vg_round_even(room->allpass_ms.at[a] / 1000 * rate_hz);
        double gain = room->allpass_gain * room->scale;
        float *memory = vg_arena_take_zero(tmp, m, sizeof *memory);

        for (size_t k = 0; k < m; k++) {
            double out = (k >= delay ? (double)memory[k - delay] : 0) - gain * sound[k];

            memory[k] = (float)(sound[k] + gain * out);
            sound[k] = out;
        }
    }
    for (size_t k = 0; k < m; k++)
        h[k] = (float)sound[k];
}

/* Also where the response is cut off while it is loud: 0.1 s here. */
static void test_reverb_is_the_convolution(void **state)
{
    enum { N = 20000, LOW_RATE = 8000 };
    static double comb_ms[] = {29.7, 37.1, 41.1, 43.7}, feedback[] = {0.805, 0.827, 0.783, 0.764};
    static double allpass_ms[] = {5.0, 1.7}, seconds[] = {0.02, 0.1, 1.5};
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SPEECHLIKE, LOW_RATE, N, 0, N);
    float *x = vg_arena_take(&scene->arena, N, sizeof *x), *y = vg_arena_take(&scene->arena, N, sizeof *y);
    float *h = vg_arena_take(&scene->arena, N, sizeof *h), *z = vg_arena_take(&scene->arena, N, sizeof *z);

    for (size_t k = 0; k < N; k++)
        x[k] = (float)loaded.clip.samples[k] / 32768.0f;
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        struct vg_room room = {
            .impulse_sec = seconds[i],
            .comb_ms = {comb_ms, 4},
            .comb_feedback = {feedback, 4},
            .allpass_ms = {allpass_ms, 2},
            .allpass_gain = 0.7,
            .scale = 0.9,
        };
        size_t m = (size_t)(seconds[i] * LOW_RATE);

        impulse_response(&room, LOW_RATE, h, m, &scene->arena);
        vg_convolve(x, N, h, m, y, &scene->arena);
        vg_reverb(&room, LOW_RATE, x, N, z, &scene->arena);
        for (size_t k = 0; k < N; k++)
            if (fabs((double)(y[k] - z[k])) > 1e-6)
                fail_msg("%g s, sample %zu: %.9f, not %.9f", seconds[i], k, (double)z[k], (double)y[k]);
    }
}

/* Beyond a length, what items share is computed again for every one.  The first half of a jump has one value
 * whatever the clip's length, so a long clip begins as a short one does, to the bit. */
static void test_long_clips_begin_like_short_ones(void **state)
{
    static const char *const categories[] = {"speaking_speed", "voice_pitch", "voice_clarity"};
    struct scene *scene = *state;
    size_t steps = 400, compared = ON + 24000;
    struct vg_loaded brief = scene_sound(scene, SCENE_SPEECHLIKE, RATE, FRAMES, ON, OFF);
    struct vg_loaded lengthy =
        scene_sound(scene, SCENE_SPEECHLIKE, RATE, ON + steps * 2400 + ON, ON, ON + steps * 2400);

    for (size_t c = 0; c < sizeof categories / sizeof categories[0]; c++) {
        struct vg_rendered first = render_with(scene, categories[c], JUMP_HIGH_UP, &brief);
        int16_t *kept = vg_arena_take(&scene->arena, compared, sizeof *kept);

        memcpy(kept, first.samples, compared * sizeof *kept);
        struct vg_rendered second = render_with(scene, categories[c], JUMP_HIGH_UP, &lengthy);
        assert_memory_equal(second.samples, kept, compared * sizeof *kept);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speed_moves_the_length),
        cmocka_unit_test(test_pitch_moves_a_tone),
        cmocka_unit_test(test_clarity_takes_the_highs),
        cmocka_unit_test(test_echo_begins_dry),
        cmocka_unit_test(test_reverb_is_the_convolution),
        cmocka_unit_test(test_long_clips_begin_like_short_ones),
    };

    return cmocka_run_group_tests(tests, scene_open, scene_close);
}
