/* SPDX-License-Identifier: MIT */
/* What the five exact categories do, said in other words than theirs: identities, symmetry, levels.  Their
 * bits are pinned in test_digests.c and test_parity.c. */
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

/* Item numbers of the recipe's order: linear up and down of the low tier, jump up of the high one. */
enum { LOW_UP = 0, LOW_DOWN = 1, JUMP_HIGH_UP = 22, JUMP_HIGH_DOWN = 23 };

static struct vg_loaded speechlike(struct scene *scene)
{
    return scene_sound(scene, SCENE_SPEECHLIKE, 16000, 24000, 4000, 20000);
}

/* The item with its first tier parameter replaced. */
static struct vg_item with_value(const struct scene *scene, const char *category, size_t number,
                                 double *value, struct vg_value *room)
{
    struct vg_item item = scene_item(scene, category, &source, number);

    *room = (struct vg_value){.at = value, .count = 1};
    item.values = room;
    return item;
}

static double level(const int16_t *samples, size_t from, size_t to)
{
    double sum = 0;

    for (size_t k = from; k < to; k++)
        sum += (double)samples[k] * samples[k];
    return sqrt(sum / (double)(to - from));
}

static void assert_same_samples(const struct vg_rendered *out, const struct vg_loaded *loaded)
{
    assert_int_equal(out->frames, loaded->clip.frames);
    assert_memory_equal(out->samples, loaded->clip.samples, out->frames * sizeof *out->samples);
    assert_true(out->on == loaded->span.on && out->off == loaded->span.off);
}

static void test_no_gain_is_no_change(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = speechlike(scene);
    char hex[VG_DIGEST_HEX];
    struct vg_value room;

    for (size_t i = 0; i < SCENE_ITEMS; i++) {
        struct vg_item item = with_value(scene, "volume", i, (double[]){0.0}, &room);
        struct vg_rendered out = scene_digest(scene, &item, &loaded, hex);

        assert_same_samples(&out, &loaded);
    }
}

static void test_gain_in_db(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = speechlike(scene);
    struct vg_item item = scene_item(scene, "volume", &source, JUMP_HIGH_UP);
    char hex[VG_DIGEST_HEX];
    struct vg_rendered out = scene_digest(scene, &item, &loaded, hex);
    double before = level(loaded.clip.samples, 4000, 12000), quieter = level(out.samples, 4000, 12000);

    /* -18 dB in the first half; truncation takes up to one unit of each sample */
    assert_true(fabs(20 * log10(quieter / before) + 18.0) < 0.15);
    assert_true(out.clipped > 0); /* +18 dB in the second */
    assert_true(out.peak >= 32767);
}

/* The source's second half under `up` is louder than under `down`, and the other way round. */
static void test_up_and_down_are_mirrored(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = speechlike(scene);
    static const char *const louder[] = {"volume", "background_noise"};

    for (size_t c = 0; c < 2; c++) {
        struct vg_item up = scene_item(scene, louder[c], &source, JUMP_HIGH_UP);
        struct vg_item down = scene_item(scene, louder[c], &source, JUMP_HIGH_DOWN);
        char hex[VG_DIGEST_HEX];
        struct vg_rendered out = scene_digest(scene, &up, &loaded, hex);
        double first = level(out.samples, 4000, 12000), second = level(out.samples, 12000, 20000);

        out = scene_digest(scene, &down, &loaded, hex);
        assert_true(first < level(out.samples, 4000, 12000));
        assert_true(second > level(out.samples, 12000, 20000));
    }
}

static void test_noise_starts_at_none(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_TONE, 16000, 24000, 4000, 20000);
    struct vg_item up = scene_item(scene, "background_noise", &source, JUMP_HIGH_UP);
    char hex[VG_DIGEST_HEX];
    struct vg_rendered out = scene_digest(scene, &up, &loaded, hex);

    assert_memory_equal(out.samples, loaded.clip.samples, 12000 * sizeof *out.samples);
    double sum = 0;
    for (size_t k = 12000; k < 24000; k++) {
        double added = out.samples[k] - loaded.clip.samples[k];

        sum += added * added;
    }
    double speech = level(loaded.clip.samples, 4000, 20000);
    assert_true(fabs(sqrt(sum / 12000) / speech - 0.12) < 0.003);
}

/* Other items draw other noise; the same item draws the same, whatever was rendered before. */
static void test_noise_belongs_to_the_item(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = speechlike(scene);
    struct vg_item one = scene_item(scene, "background_noise", &source, LOW_UP);
    struct vg_item other = scene_item(scene, "background_noise", &source, LOW_DOWN);
    char first[VG_DIGEST_HEX], second[VG_DIGEST_HEX], again[VG_DIGEST_HEX];

    scene_digest(scene, &one, &loaded, first);
    scene_digest(scene, &other, &loaded, second);
    scene_digest(scene, &one, &loaded, again);
    assert_string_equal(first, again);
    assert_string_not_equal(first, second);
}

/* At 16 kHz the low tier's 18000 Hz is no change: the recipe's own fault number 1. */
static void test_distortion_above_the_rate_only_joins(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = speechlike(scene);
    struct vg_item up = scene_item(scene, "audio_distortion", &source, LOW_UP);
    struct vg_item down = scene_item(scene, "audio_distortion", &source, LOW_DOWN);
    char hex_up[VG_DIGEST_HEX], hex_down[VG_DIGEST_HEX];

    scene_digest(scene, &up, &loaded, hex_up);
    struct vg_rendered out = scene_digest(scene, &down, &loaded, hex_down);
    assert_string_equal(hex_up, hex_down);
    assert_int_equal(out.frames, 24000 - 19 * 80); /* 20 steps, joints of 5 ms */
    assert_memory_equal(out.samples, loaded.clip.samples, 4000 * sizeof *out.samples);
    assert_memory_equal(out.samples + out.off, loaded.clip.samples + 20000, 4000 * sizeof *out.samples);
    assert_int_equal(out.off, 20000 - 19 * 80);
}

/* 6000 Hz at 48000 Hz: every value stands for eight samples after the span. */
static void test_distortion_holds(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SPEECHLIKE, 48000, 48000, 4800, 43200);
    struct vg_item item = scene_item(scene, "audio_distortion", &source, JUMP_HIGH_UP);
    char hex[VG_DIGEST_HEX];
    struct vg_rendered out = scene_digest(scene, &item, &loaded, hex);

    for (size_t k = 0; k < 4800; k++)
        assert_int_equal(out.samples[out.off + k], out.samples[out.off + k / 8 * 8]);
}

/* 4 bits have 15 levels; after the match of levels these are still the only ones in a passage. */
static void test_roughness_levels(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_TONE, 16000, 24000, 4000, 16000);
    struct vg_item item = scene_item(scene, "audio_roughness", &source, JUMP_HIGH_UP);
    char hex[VG_DIGEST_HEX];
    struct vg_rendered out = scene_digest(scene, &item, &loaded, hex);
    int16_t seen[16];
    size_t count = 0;

    for (size_t k = out.off; k < out.frames; k++) {
        size_t i = 0;

        while (i < count && seen[i] != out.samples[k])
            i++;
        if (i == count) {
            assert_true(count < 15);
            seen[count++] = out.samples[k];
        }
    }
    assert_int_equal(count, 11); /* of 0.65: -5/7 .. 5/7 */
}

/* 16 bits are 65535 levels symmetric about 0, not the file's own: no sample moves by more than one. */
static void test_sixteen_bits_hardly_change(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = speechlike(scene);
    struct vg_value room;
    struct vg_item item = with_value(scene, "audio_roughness", LOW_UP, (double[]){16.0}, &room);
    char hex[VG_DIGEST_HEX];
    struct vg_rendered out = scene_digest(scene, &item, &loaded, hex);

    for (size_t k = 0; k < 4000; k++)
        assert_in_range(out.samples[k] - loaded.clip.samples[k] + 1, 0, 2);
}

static void test_no_depth_is_no_change(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = speechlike(scene);
    char hex[VG_DIGEST_HEX];
    struct vg_value room;

    for (size_t i = 0; i < SCENE_ITEMS; i++) {
        struct vg_item item = with_value(scene, "voice_vibration", i, (double[]){0.0}, &room);
        struct vg_rendered out = scene_digest(scene, &item, &loaded, hex);

        assert_same_samples(&out, &loaded);
    }
}

/* The jump switches a 20 Hz tremolo of depth 0.9 on in mid-span: amplitudes 1 at the trough of the sine and
 * 0.1 at its crest, forty samples of envelope a period. */
static void test_vibration_after_the_jump(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded loaded = scene_sound(scene, SCENE_SQUARE, 16000, 24000, 4000, 20000);
    struct vg_item item = scene_item(scene, "voice_vibration", &source, JUMP_HIGH_UP);
    char hex[VG_DIGEST_HEX];
    struct vg_rendered out = scene_digest(scene, &item, &loaded, hex);
    int low = 32768, high = 0;

    for (size_t k = 12000; k < 24000; k++) {
        int size = abs(out.samples[k]);

        low = size < low ? size : low;
        high = size > high ? size : high;
    }
    assert_in_range(low, 3270, 3290);
    assert_in_range(high, 32750, 32768);
    assert_memory_equal(out.samples, loaded.clip.samples, 12000 * sizeof *out.samples);
}

/* One renderer for all items gives what a fresh one gives for each. */
static void test_renderer_keeps_nothing_of_an_item(void **state)
{
    struct scene *scene = *state;
    struct vg_loaded first = speechlike(scene),
                     second = scene_sound(scene, SCENE_TONE, 8000, 9000, 100, 8000);

    for (size_t i = 0; i < (size_t)2 * SCENE_EXACT; i++) {
        struct vg_item item = scene_item(scene, scene_exact[i / 2], &source, JUMP_HIGH_DOWN);
        const struct vg_loaded *loaded = i % 2 == 0 ? &first : &second;
        struct vg_renderer fresh = {0};
        struct vg_arena keep = {0};
        struct vg_rendered alone;
        char shared_hex[VG_DIGEST_HEX], fresh_hex[VG_DIGEST_HEX];

        scene_digest(scene, &item, loaded, shared_hex);
        vg_render(&fresh, &item, loaded, &alone, &keep);
        vg_digest_of_samples(VG_SHA256, alone.samples, alone.frames, fresh_hex);
        assert_string_equal(shared_hex, fresh_hex);
        vg_renderer_release(&fresh);
        vg_renderer_release(&fresh); /* released is as good as new */
        vg_arena_release(&keep);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_gain_is_no_change),
        cmocka_unit_test(test_gain_in_db),
        cmocka_unit_test(test_up_and_down_are_mirrored),
        cmocka_unit_test(test_noise_starts_at_none),
        cmocka_unit_test(test_noise_belongs_to_the_item),
        cmocka_unit_test(test_distortion_above_the_rate_only_joins),
        cmocka_unit_test(test_distortion_holds),
        cmocka_unit_test(test_roughness_levels),
        cmocka_unit_test(test_sixteen_bits_hardly_change),
        cmocka_unit_test(test_no_depth_is_no_change),
        cmocka_unit_test(test_vibration_after_the_jump),
        cmocka_unit_test(test_renderer_keeps_nothing_of_an_item),
    };

    return cmocka_run_group_tests(tests, scene_open, scene_close);
}
