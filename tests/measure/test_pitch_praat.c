/* SPDX-License-Identifier: MIT */
/* Paired pitch beside Praat (Boersma and Weenink): every voice_pitch item of four recordings.  Praat's F0 of
 * the output over its F0 of the source at the same share of the span, median per third.  Needs the program
 * `praat`; fails without it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure.h"
#include "speech.h"
#include "trace.h"

#define RECORDINGS "/usr/share/pocketsphinx/test/data/"
static const char *const recordings[] = {
    RECORDINGS "librivox/sense_and_sensibility_01_austen_64kb-0870.wav",
    RECORDINGS "librivox/sense_and_sensibility_01_austen_64kb-0880.wav",
    RECORDINGS "librivox/sense_and_sensibility_01_austen_64kb-0930.wav",
    RECORDINGS "cards/005.wav",
};
enum { RECORDING_COUNT = sizeof recordings / sizeof recordings[0], FRAMES_MAX = 2000 };

/* Writes one line a frame and file: its number in the list, time, F0 (0: unvoiced). */
static const char script[] =
    "form measure\n"
    "  sentence folder\n"
    "  integer count\n"
    "endform\n"
    "clearinfo\n"
    "for file from 0 to count\n"
    "  sound = Read from file: folder$ + \"/\" + string$ (file) + \".wav\"\n"
    "  pitch = To Pitch (ac): 0.01, 60, 15, \"no\", 0.03, 0.45, 0.01, 0.35, 0.14, 600\n"
    "  frames = Get number of frames\n"
    "  for frame to frames\n"
    "    t = Get time from frame number: frame\n"
    "    f0 = Get value in frame: frame, \"Hertz\"\n"
    "    if f0 <> undefined\n"
    "      appendInfoLine: file, \" \", fixed$ (t, 6), \" \", fixed$ (f0, 6)\n"
    "    endif\n"
    "  endfor\n"
    "  removeObject: sound, pitch\n"
    "endfor\n";

struct contour {
    double sec[FRAMES_MAX], hz[FRAMES_MAX];
    size_t count;
};

struct bench {
    struct scene *scene;
    struct vg_arena arena, tmp;
    struct vg_margins margins;
    char folder[64];
    struct vg_loaded loaded;
    struct vg_sound output[SCENE_ITEMS];
    double net[SCENE_ITEMS]; /* by our measure */
    struct contour *contour; /* 0: the source; 1 + item */
};

static void put_little(struct vg_text *text, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        vg_text_add_char(text, (char)(unsigned char)(value >> (8 * i)));
}

static void put_wav(struct bench *bench, size_t number, const int16_t *samples, size_t frames,
                    uint32_t rate_hz)
{
    struct vg_text wav = {0};
    const char *path = vg_arena_format(&bench->arena, "%s/%zu.wav", bench->folder, number);

    vg_text_add(&wav, "RIFF");
    put_little(&wav, 36 + 2 * (uint32_t)frames, 4);
    vg_text_add(&wav, "WAVEfmt ");
    put_little(&wav, 16, 4);
    put_little(&wav, 1, 2); /* PCM */
    put_little(&wav, 1, 2);
    put_little(&wav, rate_hz, 4);
    put_little(&wav, 2 * rate_hz, 4);
    put_little(&wav, 2, 2);
    put_little(&wav, 16, 2);
    vg_text_add(&wav, "data");
    put_little(&wav, 2 * (uint32_t)frames, 4);
    for (size_t k = 0; k < frames; k++)
        put_little(&wav, (uint16_t)samples[k], 2);
    scene_check(bench->scene, vg_file_put(path, wav.data, wav.length, &bench->scene->err));
    vg_text_release(&wav);
}

static void render_items(struct bench *bench)
{
    const struct vg_loaded *loaded = &bench->loaded;
    struct vg_sound source = {loaded->clip.samples, loaded->clip.frames, loaded->clip.rate_hz,
                              loaded->span.on, loaded->span.off};
    struct vg_source identity = {.id = "x", .clip_id = "x"};
    const struct vg_reference *reference = vg_reference_make(&source, &bench->arena, &bench->tmp);

    put_wav(bench, 0, source.samples, source.frames, source.rate_hz);
    for (size_t i = 0; i < SCENE_ITEMS; i++) {
        struct vg_item item = scene_item(bench->scene, "voice_pitch", &identity, i);
        struct vg_evidence evidence[VG_QUANTITIES];
        struct vg_rendered out;

        vg_render(&bench->scene->renderer, &item, loaded, &out, &bench->arena);
        bench->output[i] = (struct vg_sound){out.samples, out.frames, source.rate_hz, 0, 0};
        vg_sound_follow(&bench->output[i], &source);
        put_wav(bench, 1 + i, out.samples, out.frames, source.rate_hz);
        vg_measure_paired(reference, &bench->output[i], &bench->margins, 1u << VG_Q_PITCH, evidence,
                          &bench->tmp);
        bench->net[i] = evidence[VG_Q_PITCH].net;
        assert_int_equal(vg_verdict_of(&evidence[VG_Q_PITCH], item.direction == VG_UP ? 1 : -1),
                         VG_CONFIRMED);
    }
    vg_renderer_clear(&bench->scene->renderer);
}

static void ask_praat(struct bench *bench)
{
    const char *path = vg_arena_format(&bench->arena, "%s/script.praat", bench->folder);
    unsigned file;
    double sec, hz;
    FILE *praat;

    scene_check(bench->scene, vg_file_put(path, script, sizeof script - 1, &bench->scene->err));
    praat =
        popen(vg_arena_format(&bench->arena, "praat --run %s %s %d", path, bench->folder, SCENE_ITEMS), "r");
    assert_non_null(praat);
    while (fscanf(praat, "%u %lf %lf", &file, &sec, &hz) == 3) {
        struct contour *c = &bench->contour[file];

        assert_true(file <= SCENE_ITEMS && c->count < FRAMES_MAX);
        c->sec[c->count] = sec;
        c->hz[c->count++] = hz;
    }
    if (pclose(praat) != 0 || bench->contour[0].count == 0)
        fail_msg("praat found nothing; is Debian's package praat installed?");
}

/* F0 at a moment, or 0 where no voiced frame is near. */
static double hz_at(const struct contour *c, double sec)
{
    for (size_t i = 0; i < c->count; i++) {
        if (fabs(c->sec[i] - sec) <= 0.0051)
            return c->hz[i];
    }
    return 0;
}

/* Praat's answer to what the measure answers; jumps beyond four semitones are its octave errors. */
static double praat_net(const struct bench *bench, size_t item)
{
    const struct vg_sound *out = &bench->output[item];
    const struct vg_loaded *loaded = &bench->loaded;
    const struct contour *before = &bench->contour[0], *after = &bench->contour[1 + item];
    double rate_hz = out->rate_hz, on = (double)loaded->span.on / rate_hz;
    double span = (double)(loaded->span.off - loaded->span.on) / rate_hz,
           out_span = (double)(out->off - out->on) / rate_hz;
    double shift[2][FRAMES_MAX];
    size_t count[2] = {0, 0};

    for (size_t i = 0; i < before->count; i++) {
        double place = (before->sec[i] - on) / span, hz = hz_at(after, on + place * out_span), st;
        int third = place < 1.0 / 3 ? 0 : 1;

        if (hz <= 0 || place < 0 || place >= 1 || (place >= 1.0 / 3 && place < 2.0 / 3))
            continue;
        st = 12 * vg_log2(hz / before->hz[i]);
        if (fabs(st) <= 4)
            shift[third][count[third]++] = st;
    }
    assert_true(count[0] > 3 && count[1] > 3);
    return vg_quantile(shift[1], count[1], 0.5) - vg_quantile(shift[0], count[0], 0.5);
}

static void remove_files(struct bench *bench)
{
    scene_check(bench->scene, vg_folder_remove(bench->folder, &bench->scene->err));
}

static void compare_recording(struct bench *bench, const char *path, double *differences)
{
    const char *place = getenv("TMPDIR");

    *bench = (struct bench){.scene = bench->scene};
    vg_margins_read(&bench->margins, NULL);
    assert_true(snprintf(bench->folder, sizeof bench->folder, "%s/pitch-XXXXXX", place ? place : "/tmp") <
                (int)sizeof bench->folder);
    assert_non_null(mkdtemp(bench->folder));
    bench->contour = vg_arena_take_zero(&bench->arena, 1 + SCENE_ITEMS, sizeof *bench->contour);
    bench->loaded = speech_load(bench->scene, &bench->arena, path);
    speech_detect(&bench->loaded, &bench->arena);
    render_items(bench);
    ask_praat(bench);
    remove_files(bench);
    for (size_t i = 0; i < SCENE_ITEMS; i++) {
        double theirs = praat_net(bench, i);

        assert_true(theirs * bench->net[i] > 0); /* the sign agrees */
        differences[i] = fabs(theirs - bench->net[i]);
    }
    vg_arena_release(&bench->arena);
    vg_arena_release(&bench->tmp);
}

static void signs_and_sizes_are_praats(void **state)
{
    struct bench bench = {.scene = *state};
    double differences[RECORDING_COUNT * SCENE_ITEMS], median;

    for (size_t i = 0; i < RECORDING_COUNT; i++)
        compare_recording(&bench, recordings[i], differences + i * SCENE_ITEMS);
    median = vg_quantile(differences, RECORDING_COUNT * SCENE_ITEMS, 0.5);
    print_message(
        "paired pitch: %d of %d signs as Praat has them, median difference %.3f st, 95 %% within %.3f st\n",
        RECORDING_COUNT * SCENE_ITEMS, RECORDING_COUNT * SCENE_ITEMS, median,
        vg_quantile(differences, RECORDING_COUNT * SCENE_ITEMS, 0.95));
    assert_true(median <= 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(signs_and_sizes_are_praats, scene_open, scene_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
