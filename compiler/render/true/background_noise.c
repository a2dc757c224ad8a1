/* SPDX-License-Identifier: MIT */
/* background_noise: noise that lifts the source's own floor by as many dB as the course says, from nothing
 * on. White, pink (3 dB an octave) or with the spectrum of the speech itself: shaped in the frequency domain.
 */
#include "true.h"

#include <math.h>

enum { COLOUR = VG_TRUE_OWN };
enum colour { WHITE, PINK, SPEECH };
static const struct vg_key_rule fixed_keys[] = {
    VG_TRUE_JND,
    [COLOUR] = {.name = "colour",
                .type = VG_KEY_CHOICE,
                .flags = VG_REQUIRED,
                .choices = "white|pink|speech",
                .meaning = "spectrum of the noise"},
    {0},
};

#define PINK_FROM_HZ 50.0        /* flat below */
#define SMOOTH_OCTAVES (1.0 / 6) /* on either side of a frequency of the speech's spectrum */

static size_t transform_size(size_t frames)
{
    size_t n = 64;

    while (n < frames)
        n *= 2;
    return n;
}

static double power_of(struct vg_complex z)
{
    return z.re * z.re + z.im * z.im;
}

/* Mean power within a third of an octave around each bin of the span's spectrum, as weights of amplitude. */
static void weigh_as_speech(const struct vg_loaded *source, const struct vg_fft *fft, size_t n,
                            double *weight, struct vg_arena *tmp)
{
    size_t bins = n / 2 + 1;
    double *x = vg_arena_take_zero(tmp, n, sizeof *x), *sum = vg_arena_take(tmp, bins + 1, sizeof *sum);
    struct vg_complex *z = vg_arena_take(tmp, bins, sizeof *z);
    double below = vg_exp2(-SMOOTH_OCTAVES), above = vg_exp2(SMOOTH_OCTAVES);

    for (size_t k = source->span.on; k < source->span.off; k++)
        x[k - source->span.on] = source->clip.samples[k];
    vg_fft_forward(fft, x, z, tmp);
    sum[0] = 0;
    for (size_t i = 0; i < bins; i++)
        sum[i + 1] = sum[i] + power_of(z[i]);
    for (size_t i = 0; i < bins; i++) {
        size_t from = (size_t)((double)i * below), to = (size_t)((double)i * above) + 1;

        to = to < bins ? to : bins;
        weight[i] = sqrt((sum[to] - sum[from]) / (double)(to - from));
    }
}

static void weigh_as_pink(double rate_hz, size_t n, double *weight)
{
    for (size_t i = 0; i <= n / 2; i++) {
        double hz = (double)i * rate_hz / (double)n;

        weight[i] = 1 / sqrt(hz > PINK_FROM_HZ ? hz : PINK_FROM_HZ);
    }
}

/* Amplitude of each bin; lives in `keep`, shared by the items of a source.  NULL: white. */
static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    enum colour colour = (enum colour)vg_item_fixed(item, COLOUR);
    size_t n = transform_size(source->clip.frames);
    double *weight;

    if (colour == WHITE)
        return NULL;
    weight = vg_arena_take(keep, n / 2 + 1, sizeof *weight);
    if (colour == PINK)
        weigh_as_pink(source->clip.rate_hz, n, weight);
    else
        weigh_as_speech(source, vg_fft_make(n, tmp), n, weight, tmp);
    return weight;
}

static double *draw(const struct vg_item *item, size_t frames, const double *weight, struct vg_arena *tmp)
{
    size_t n = transform_size(frames);
    double *noise = vg_arena_take_zero(tmp, n, sizeof *noise);
    struct vg_random random;

    vg_random_seed(&random, vg_pair_entropy(item));
    for (size_t k = 0; k < n; k++)
        noise[k] = vg_random_normal(&random);
    if (weight != NULL) {
        const struct vg_fft *fft = vg_fft_make(n, tmp);
        struct vg_complex *z = vg_arena_take(tmp, n / 2 + 1, sizeof *z);

        vg_fft_forward(fft, noise, z, tmp);
        for (size_t i = 0; i <= n / 2; i++)
            z[i] = (struct vg_complex){z[i].re * weight[i], z[i].im * weight[i]};
        vg_fft_inverse(fft, z, noise, tmp);
    }
    return noise;
}

static double span_power(const double *x, struct vg_span span)
{
    double sum = 0;

    for (size_t k = span.on; k < span.off; k++)
        sum += x[k] * x[k];
    return sum / (double)(span.off - span.on);
}

/* `self`: the floor's power. */
static double level_of(const void *self, double db)
{
    return sqrt(vg_power_above(*(const double *)self, db));
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track track = vg_track_of(source, tmp);

    if (course.reach > 0) {
        const double *noise = draw(item, track.frames, shared, tmp);
        double unit = vg_floor_power(source, tmp) / span_power(noise, track.span);
        struct vg_dial dial = {level_of, &unit};
        const double *level = vg_course_fill(&course, dial, track.frames, source->clip.rate_hz, tmp);

        for (size_t k = 0; k < track.frames; k++)
            track.at[k] += noise[k] * level[k];
        vg_track_one_peak(&track, source, tmp);
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_background_noise = {
    .words = {.name = "background_noise", .tier = vg_true_tier, .fixed = fixed_keys},
    .analyse = analyse,
    .apply = apply,
};
