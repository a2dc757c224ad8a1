/* SPDX-License-Identifier: MIT */
/* The voiced excitation: a sum of harmonics with the analytic spectrum of the LF pulse (Fant,
 * Liljencrants and Lin 1985), so that nothing lies above Nyquist and nothing folds back.  A harmonic
 * that comes near Nyquist fades out.  Shapes are shares of the period, so their spectra do not depend on
 * F0 and are computed once. */
#include "voice.h"

#include <math.h>

/* Where a harmonic begins to fade and is gone, as shares of Nyquist. */
static const double FADE_FROM = 0.90, FADE_TO = 0.98;
/* Draws of jitter and shimmer beyond this many standard deviations are cut to it. */
static const double DRAW_MAX = 2.5;
enum { BISECTIONS = 100, HOP_MAX = 128 };

/* ---- the pulse -------------------------------------------------------------------------------------- */

/* An LF pulse with T0 = 1 and Ee = 1: exp(alpha t) sin(omega t), scaled to -1 at te, then an exponential
 * return with rate epsilon. */
struct pulse {
    double te, ta, omega, sin_te, cos_te, alpha, epsilon;
};

/* epsilon ta = 1 - exp(-epsilon (1 - te)): the root above 0. */
static double solve_return(double ta, double closed)
{
    double low = (closed - ta) / (closed * closed), high = 1 / ta;

    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high);

        if (middle * ta - 1 + vg_exp(-middle * closed) < 0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Flow through the whole period, which a closed cycle must bring back to 0. */
static double net_flow(const struct pulse *p, double alpha)
{
    double closed = 1 - p->te, rest = vg_exp(-p->epsilon * closed);
    double rise = alpha * p->sin_te - p->omega * p->cos_te + p->omega * vg_exp(-alpha * p->te);

    return -rise / (p->sin_te * (alpha * alpha + p->omega * p->omega)) -
           ((1 - rest) / p->epsilon - rest * closed) / (p->epsilon * p->ta);
}

static struct pulse make_pulse(const struct vg_glottis *glottis)
{
    struct pulse p = {.te = glottis->open_quotient, .ta = glottis->return_quotient};
    double low = -200 / p.te, high = 200 / p.te;
    struct vg_sincos at_te;

    p.omega = VG_PI / (glottis->asymmetry * p.te);
    at_te = vg_sincos(p.omega * p.te);
    p.sin_te = at_te.sin;
    p.cos_te = at_te.cos;
    p.epsilon = solve_return(p.ta, 1 - p.te);
    for (int i = 0; i < BISECTIONS; i++) { /* net flow falls with alpha */
        double middle = 0.5 * (low + high);

        if (net_flow(&p, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    p.alpha = 0.5 * (low + high);
    return p;
}

static struct vg_complex product(struct vg_complex a, struct vg_complex b)
{
    return (struct vg_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct vg_complex quotient(struct vg_complex a, struct vg_complex b)
{
    double square = b.re * b.re + b.im * b.im;

    return (struct vg_complex){(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

/* Integral of the pulse times exp(-i w t), w = 2 pi k, turned so that te is time 0. */
static struct vg_complex harmonic(const struct pulse *p, size_t k)
{
    double w = 2 * VG_PI * (double)k, rest = vg_exp(-p->epsilon * (1 - p->te));
    struct vg_sincos turn = vg_sincos(2 * VG_PI * (double)k * p->te);
    double start = p->omega * vg_exp(-p->alpha * p->te);
    struct vg_complex s = {p->alpha, -w}, square = product(s, s);
    struct vg_complex rise = {p->alpha * p->sin_te - p->omega * p->cos_te + start * turn.cos,
                              -w * p->sin_te + start * turn.sin};
    struct vg_complex opening = quotient(
        rise, (struct vg_complex){p->sin_te * (square.re + p->omega * p->omega), p->sin_te * square.im});
    struct vg_complex decay = quotient((struct vg_complex){1 - rest * turn.cos, -rest * turn.sin},
                                       (struct vg_complex){p->epsilon, w});
    struct vg_complex pedestal =
        quotient((struct vg_complex){rest * (1 - turn.cos), -rest * turn.sin}, (struct vg_complex){0, w});
    double scale = p->epsilon * p->ta;

    return (struct vg_complex){-opening.re - (decay.re - pedestal.re) / scale,
                               -opening.im - (decay.im - pedestal.im) / scale};
}

void vg_glottis_spectrum(const struct vg_glottis *glottis, struct vg_complex *c, size_t count)
{
    struct pulse pulse = make_pulse(glottis);

    for (size_t k = 0; k < count; k++)
        c[k] = harmonic(&pulse, k + 1);
}

/* ---- cycles ----------------------------------------------------------------------------------------- */

/* What is drawn once a cycle; between excitations it moves smoothly. */
struct cycle {
    double f0_factor, gain;
};
struct cycles {
    struct cycle *at;
    size_t count;
    double f0_headroom; /* largest factor on F0 */
};

static double draw(struct vg_random *random, double deviation)
{
    double normal = vg_random_normal(random);

    normal = normal > DRAW_MAX ? DRAW_MAX : normal;
    normal = normal < -DRAW_MAX ? -DRAW_MAX : normal;
    return 1 + deviation * normal;
}

/* jitter_percent and shimmer_percent are Praat's "local" measures: mean absolute difference of neighbours
 * over the mean.  For normal draws of deviation s that is 2 s / sqrt(pi); a period is the mean of the two
 * draws at its ends, which leaves half of it.  (Praat itself finds about 0.9 of a jitter: it smooths.) */
static struct cycles draw_cycles(const struct vg_tracks *tracks, struct vg_random *random,
                                 struct vg_arena *tmp)
{
    const struct vg_voice *voice = &tracks->score->voice;
    double jitter = voice->jitter_percent / 100 * sqrt(VG_PI);
    double shimmer = voice->shimmer_percent / 100 * sqrt(VG_PI) / 2;
    struct cycles cycles = {.f0_headroom = 1 + DRAW_MAX * jitter};
    double total = 0;

    for (size_t f = 0; f < tracks->count; f++)
        total += tracks->frames[f].f0_hz * (double)tracks->hop / tracks->score->rate_hz;
    cycles.count = (size_t)(total * cycles.f0_headroom) + 3;
    cycles.at = vg_arena_take(tmp, cycles.count, sizeof *cycles.at);
    for (size_t i = 0; i < cycles.count; i++) {
        cycles.at[i].f0_factor = draw(random, jitter);
        cycles.at[i].gain = draw(random, shimmer);
    }
    return cycles;
}

/* ---- the sum ---------------------------------------------------------------------------------------- */

struct sum {
    const struct vg_tracks *tracks;
    struct cycles cycles;
    size_t cycle; /* phase in whole cycles and the rest */
    double phase;
    size_t harmonics;
    struct vg_complex *modal, *lax;  /* [harmonics] */
    struct vg_complex *here, *there; /* [harmonics] amplitudes at the two frames of a block */
    size_t here_count, there_count;
};

/* Amplitudes at a frame; returns how many harmonics are left there. */
static size_t set_amplitudes(const struct sum *sum, const struct vg_voice_frame *frame, struct vg_complex *c)
{
    double nyquist_hz = 0.5 * sum->tracks->score->rate_hz;
    double highest_hz = frame->f0_hz * sum->cycles.f0_headroom, lax = frame->controls[VG_LAX];
    size_t count = 0;

    for (size_t k = 0; k < sum->harmonics; k++) {
        double place = ((double)(k + 1) * highest_hz / nyquist_hz - FADE_FROM) / (FADE_TO - FADE_FROM);
        double weight = place <= 0 ? 1 : place >= 1 ? 0 : 0.5 + 0.5 * vg_cos(VG_PI * place);

        c[k].re = weight * (sum->modal[k].re + lax * (sum->lax[k].re - sum->modal[k].re));
        c[k].im = weight * (sum->modal[k].im + lax * (sum->lax[k].im - sum->modal[k].im));
        if (weight > 0)
            count = k + 1;
    }
    return count;
}

/* A block of samples between two frames. */
struct block {
    size_t frames;
    double ramp[HOP_MAX], gain[HOP_MAX];         /* way to the next frame, 0..1; voicing */
    double turn_re[HOP_MAX], turn_im[HOP_MAX];   /* exp(2 pi i phase) */
    double power_re[HOP_MAX], power_im[HOP_MAX]; /* its k-th power */
    double out[HOP_MAX];
};

/* Run the phase through the block. */
static void advance(struct sum *sum, const struct vg_voice_frame *from, size_t hop, struct block *block)
{
    const struct vg_voice_frame *to = from + 1;

    for (size_t j = 0; j < block->frames; j++) {
        double way = (double)j / (double)hop;
        const struct cycle *last = &sum->cycles.at[sum->cycle], *next = last + 1;
        double blend = sum->phase * sum->phase * (3 - 2 * sum->phase);
        double factor = last->f0_factor + (next->f0_factor - last->f0_factor) * blend;
        double f0_hz = (from->f0_hz + (to->f0_hz - from->f0_hz) * way) * factor;
        double voicing =
            from->controls[VG_VOICING] + (to->controls[VG_VOICING] - from->controls[VG_VOICING]) * way;
        struct vg_sincos turn = vg_sincos(2 * VG_PI * sum->phase);

        block->ramp[j] = way;
        block->gain[j] = voicing * (last->gain + (next->gain - last->gain) * blend);
        block->turn_re[j] = block->power_re[j] = turn.cos;
        block->turn_im[j] = block->power_im[j] = turn.sin;
        block->out[j] = 0;
        sum->phase += f0_hz / sum->tracks->score->rate_hz;
        if (sum->phase >= 1) {
            sum->phase -= 1;
            sum->cycle++;
        }
    }
}

/* One harmonic, its amplitude moving from `here` to `there`; then on to the next power. */
static void add_harmonic(struct block *block, struct vg_complex here, struct vg_complex there)
{
    double step_re = there.re - here.re, step_im = there.im - here.im;

    for (size_t j = 0; j < block->frames; j++) {
        double re = here.re + step_re * block->ramp[j], im = here.im + step_im * block->ramp[j];
        double power_re = block->power_re[j], power_im = block->power_im[j];

        block->out[j] += re * power_re - im * power_im;
        block->power_re[j] = power_re * block->turn_re[j] - power_im * block->turn_im[j];
        block->power_im[j] = power_re * block->turn_im[j] + power_im * block->turn_re[j];
    }
}

static void render_block(struct sum *sum, size_t frame, struct block *block)
{
    const struct vg_voice_frame *from = &sum->tracks->frames[frame];
    struct vg_complex *spare = sum->here;
    size_t count;

    sum->here = sum->there;
    sum->here_count = sum->there_count;
    sum->there = spare;
    sum->there_count = set_amplitudes(sum, from + 1, sum->there);
    advance(sum, from, sum->tracks->hop, block);
    if (from[0].controls[VG_VOICING] == 0 && from[1].controls[VG_VOICING] == 0)
        return;
    count = sum->here_count > sum->there_count ? sum->here_count : sum->there_count;
    for (size_t k = 0; k < count; k++)
        add_harmonic(block, sum->here[k], sum->there[k]);
}

static struct sum make_sum(const struct vg_tracks *tracks, struct vg_random *random, struct vg_arena *tmp)
{
    const struct vg_score *score = tracks->score;
    struct sum sum = {.tracks = tracks, .cycles = draw_cycles(tracks, random, tmp)};
    double lowest_hz = tracks->frames[0].f0_hz;

    for (size_t f = 1; f < tracks->count; f++)
        lowest_hz = tracks->frames[f].f0_hz < lowest_hz ? tracks->frames[f].f0_hz : lowest_hz;
    sum.harmonics = (size_t)(0.5 * score->rate_hz / lowest_hz);
    sum.modal = vg_arena_take(tmp, sum.harmonics, sizeof *sum.modal);
    sum.lax = vg_arena_take(tmp, sum.harmonics, sizeof *sum.lax);
    sum.here = vg_arena_take(tmp, sum.harmonics, sizeof *sum.here);
    sum.there = vg_arena_take(tmp, sum.harmonics, sizeof *sum.there);
    vg_glottis_spectrum(&score->voice.modal, sum.modal, sum.harmonics);
    vg_glottis_spectrum(&score->voice.lax, sum.lax, sum.harmonics);
    sum.there_count = set_amplitudes(&sum, &tracks->frames[0], sum.there);
    return sum;
}

void vg_glottis_render(const struct vg_tracks *tracks, struct vg_random *random, double *x, double *open,
                       struct vg_arena *tmp)
{
    struct sum sum = make_sum(tracks, random, tmp);
    struct vg_sincos middle = vg_sincos(VG_PI * tracks->score->voice.modal.open_quotient);
    size_t frames = tracks->score->frames;
    struct block block;

    vg_check(tracks->hop <= HOP_MAX);
    for (size_t start = 0, frame = 0; start < frames; start += tracks->hop, frame++) {
        block.frames = frames - start < tracks->hop ? frames - start : tracks->hop;
        render_block(&sum, frame, &block);
        for (size_t j = 0; j < block.frames; j++) {
            x[start + j] += 2 * block.gain[j] * block.out[j];
            open[start + j] = 0.5 + 0.5 * (block.turn_re[j] * middle.cos - block.turn_im[j] * middle.sin);
        }
    }
}
