/* SPDX-License-Identifier: MIT */
/* Is there a voice at all?  The autocorrelation of windowed frames below 1 kHz, divided by the window's own
 * (Boersma 1993): a peak at a lag that a larynx has tells voiced speech from breath, rustle and noise.  What
 * is above 1 kHz is not looked at, so that a high rate is first divided by a whole number. */
#include "detect.h"

#define FRAME_SEC 0.040 /* three periods of the lowest voice */
#define STEP_SEC 0.010
#define LOWEST_HZ 70.0
#define HIGHEST_HZ 400.0
#define CUTOFF_HZ 1000.0
#define RATE_LEAST_HZ 8000 /* that is left after division */
#define PEAK_LEAST 0.6     /* tests/source/test_detect_robust.c: white noise has it in one frame of fifty */

struct correlator {
    size_t n, size, step, first_lag, last_lag, cutoff;
    const struct vg_fft *fft; /* of 2n and more, so that nothing wraps around */
    double *window, *own, *in, *out;
    struct vg_complex *bins;
};

/* out[lag] of the windowed frame in `in`, up to the cutoff. */
static void correlate(struct correlator *c, size_t cutoff, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);

    vg_fft_forward(c->fft, c->in, c->bins, tmp);
    for (size_t k = 0; k <= c->size / 2; k++) {
        double power = c->bins[k].re * c->bins[k].re + c->bins[k].im * c->bins[k].im;

        c->bins[k] = (struct vg_complex){k < cutoff ? power : 0, 0};
    }
    vg_fft_inverse(c->fft, c->bins, c->out, tmp);
    vg_arena_rewind(tmp, mark);
}

static void set_up(struct correlator *c, double rate_hz, struct vg_arena *tmp)
{
    c->n = (size_t)vg_round_even(FRAME_SEC * rate_hz);
    for (c->size = 2; c->size < 2 * c->n;)
        c->size *= 2;
    c->step = (size_t)vg_round_even(STEP_SEC * rate_hz);
    c->first_lag = (size_t)(rate_hz / HIGHEST_HZ);
    c->last_lag = (size_t)(rate_hz / LOWEST_HZ);
    c->cutoff = (size_t)(CUTOFF_HZ * (double)c->size / rate_hz);
    c->fft = vg_fft_make(c->size, tmp);
    c->window = vg_arena_take(tmp, c->n, sizeof *c->window);
    c->own = vg_arena_take(tmp, c->last_lag + 2, sizeof *c->own);
    c->in = vg_arena_take_zero(tmp, c->size, sizeof *c->in);
    c->out = vg_arena_take(tmp, c->size, sizeof *c->out);
    c->bins = vg_arena_take(tmp, c->size / 2 + 1, sizeof *c->bins);
    for (size_t k = 0; k < c->n; k++)
        c->in[k] = c->window[k] = 0.5 - 0.5 * vg_cos(2 * VG_PI * ((double)k + 0.5) / (double)c->n);
    correlate(c, c->size / 2 + 1, tmp);
    for (size_t lag = 0; lag < c->last_lag + 2; lag++)
        c->own[lag] = c->out[lag] / c->out[0];
}

static bool is_voiced(struct correlator *c, const double *x, struct vg_arena *tmp)
{
    double least;

    for (size_t k = 0; k < c->n; k++)
        c->in[k] = c->window[k] * x[k];
    correlate(c, c->cutoff, tmp);
    least = PEAK_LEAST * c->out[0];
    for (size_t lag = c->first_lag; least > 0 && lag <= c->last_lag; lag++)
        if (c->out[lag] >= least * c->own[lag] && c->out[lag] >= c->out[lag - 1] &&
            c->out[lag] >= c->out[lag + 1])
            return true;
    return false;
}

/* Every `factor`th sample of the stretch, each the mean of those around it under a triangle of two steps: its
 * zeros lie where 1 kHz and less would be folded from.  The stretch is silent beyond its ends. */
static double *thin_out(const double *x, size_t frames, size_t factor, struct vg_arena *tmp)
{
    double *out = vg_arena_take(tmp, frames / factor + 1, sizeof *out);

    for (size_t i = 0; i < frames / factor; i++) {
        double sum = (double)factor * x[i * factor];

        for (size_t d = 1; d < factor; d++) {
            double before = i > 0 ? x[i * factor - d] : 0;
            double after = i * factor + d < frames ? x[i * factor + d] : 0;

            sum += (double)(factor - d) * (before + after);
        }
        out[i] = sum / ((double)factor * (double)factor);
    }
    return out;
}

double vg_speech_voiced_share(const double *x, size_t from, size_t to, uint32_t rate_hz, struct vg_arena *tmp)
{
    size_t factor = rate_hz >= 2 * RATE_LEAST_HZ ? rate_hz / RATE_LEAST_HZ : 1, frames = (to - from) / factor;
    const double *thin = factor > 1 ? thin_out(x + from, to - from, factor, tmp) : x + from;
    struct correlator c;
    size_t voiced = 0, count = 0;

    set_up(&c, (double)rate_hz / (double)factor, tmp);
    for (size_t at = 0; at + c.n <= frames; at += c.step) {
        voiced += is_voiced(&c, thin + at, tmp);
        count++;
    }
    return count > 0 ? (double)voiced / (double)count : 0;
}
