/* SPDX-License-Identifier: MIT */
/* Made-up speech: harmonics of a gliding fundamental under three moving formants, in syllables. */
#include "sound.h"

#include <stdlib.h>

#define EDGE_SEC 0.25
#define SYLLABLES_PER_SEC 4.5
#define FLOOR 6.0

int sounds_open(void **state)
{
    struct sounds *s = calloc(1, sizeof *s);

    if (s == NULL)
        return -1;
    vg_margins_read(&s->margins, NULL);
    *state = s;
    return 0;
}

int sounds_close(void **state)
{
    struct sounds *s = *state;

    vg_arena_release(&s->arena);
    vg_arena_release(&s->tmp);
    free(s);
    return 0;
}

static int16_t to_16_bits(double x)
{
    x = vg_round_even(x);
    return (int16_t)(x > 32767 ? 32767 : x < -32768 ? -32768 : x);
}

static struct vg_sound make(struct sounds *s, uint32_t rate_hz, double sec)
{
    struct vg_sound sound = {.rate_hz = rate_hz};

    sound.on = (size_t)(EDGE_SEC * rate_hz);
    sound.off = sound.on + (size_t)(sec * rate_hz);
    sound.frames = sound.off + (size_t)(EDGE_SEC * rate_hz);
    sound.samples = vg_arena_take_zero(&s->arena, sound.frames, sizeof *sound.samples);
    return sound;
}

/* Level of a harmonic under formants at `shift` times 500, 1500, 2500, 3500 Hz. */
static double formant_gain(double hz, double shift)
{
    double sum = 0.02;

    for (int f = 0; f < 4; f++) {
        double distance = (hz - shift * (500 + 1000 * f)) / (80 + 40 * f);

        sum += 1 / (1 + distance * distance) / (1 + f);
    }
    return sum;
}

static double voiced(double phase, double f0_hz, double shift, double limit_hz)
{
    double sum = 0;

    for (int h = 1; h * f0_hz < limit_hz; h++)
        sum += formant_gain(h * f0_hz, shift) * vg_sin(h * phase) * 4000;
    return sum;
}

struct vg_sound sound_speech(struct sounds *s, uint32_t rate_hz, double sec)
{
    return sound_hurried(s, rate_hz, sec, 1, 1);
}

struct vg_sound sound_hurried(struct sounds *s, uint32_t rate_hz, double sec, double from, double to)
{
    double lasts_sec = 2 * sec / (from + to);
    struct vg_sound sound = make(s, rate_hz, lasts_sec);
    int16_t *x = vg_arena_take(&s->arena, sound.frames, sizeof *x);
    double limit_hz = rate_hz < 12000 ? 0.45 * rate_hz : 5000, phase = 0;
    struct vg_random random;

    vg_random_seed(&random, 7);
    for (size_t k = 0; k < sound.frames; k++) {
        double t = ((double)k - (double)sound.on) / rate_hz;
        double said_sec = t * (from + (to - from) * t / lasts_sec / 2), place = said_sec * SYLLABLES_PER_SEC;
        double inside = place - floor(place), swell = vg_sin(VG_PI * inside), value = 0;
        double f0_hz = 120 + 4 * (from - to) + 15 * vg_sin(2 * VG_PI * t / 1.7),
               noise = vg_random_normal(&random);
        bool fricative = (long)floor(place) % 3 == 2;

        phase += 2 * VG_PI * f0_hz / rate_hz;
        if (k >= sound.on && k < sound.off)
            value = fricative ? 1500 * swell * noise
                              : swell * voiced(phase, f0_hz, 1 + 0.25 * vg_sin(2.3 * place), limit_hz);
        x[k] = to_16_bits(value + FLOOR * noise);
    }
    sound.samples = x;
    return sound;
}

struct vg_sound sound_tone(struct sounds *s, uint32_t rate_hz, double sec, double hz)
{
    struct vg_sound sound = make(s, rate_hz, sec);
    int16_t *x = vg_arena_take_zero(&s->arena, sound.frames, sizeof *x);

    for (size_t k = sound.on; k < sound.off; k++)
        x[k] = to_16_bits(10000 * vg_sin(2 * VG_PI * hz * (double)(k - sound.on) / rate_hz));
    sound.samples = x;
    return sound;
}

struct vg_sound sound_changed(struct sounds *s, const struct vg_sound *source, struct sound_change change)
{
    struct vg_sound out = *source;
    int16_t *x = vg_arena_take(&s->arena, source->frames, sizeof *x);

    for (size_t k = 0; k < source->frames; k++) {
        double t = ((double)k - (double)source->on) / (double)(source->off - source->on);

        x[k] = to_16_bits(change.sample(&change, source, k, t < 0 ? 0 : t > 1 ? 1 : t));
    }
    out.samples = x;
    return out;
}

double sound_move(const struct sound_change *change, double t)
{
    return change->from + (change->to - change->from) * t;
}

double sound_gain(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    return source->samples[k] * vg_db_to_gain(sound_move(change, t));
}

double sound_noise(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    return source->samples[k] + sound_move(change, t) * vg_random_normal(change->random);
}

double sound_same(const struct sound_change *change, const struct vg_sound *source, size_t k, double t)
{
    (void)change;
    (void)t;
    return source->samples[k];
}

struct vg_evidence sound_paired(struct sounds *s, const struct vg_sound *source,
                                const struct vg_sound *output, enum vg_quantity quantity)
{
    struct vg_evidence evidence[VG_QUANTITIES] = {{0}};
    const struct vg_reference *reference = vg_reference_make(source, &s->arena, &s->tmp);

    vg_measure_paired(reference, output, &s->margins, 1u << quantity, evidence, &s->tmp);
    return evidence[quantity];
}

struct vg_evidence sound_blind(struct sounds *s, const struct vg_sound *sound, enum vg_quantity quantity)
{
    struct vg_evidence evidence[VG_QUANTITIES] = {{0}};

    vg_measure_blind(sound, &s->margins, 1u << quantity, evidence, &s->tmp);
    return evidence[quantity];
}

void expect_near(double found, double asked, double tolerance)
{
    if (!(fabs(found - asked) <= tolerance))
        fail_msg("found %g, asked for %g within %g", found, asked, tolerance);
}

double sound_asked(const struct sound_change *change, size_t segment, size_t segments)
{
    return sound_move(change, ((double)segment + 0.5) / (double)segments);
}
