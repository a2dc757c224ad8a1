/* SPDX-License-Identifier: MIT */
/* Instead of convolving with an impulse response, which is sparse and long, the sound itself runs through
 * the filters that make it, in f64.  The response ends after a given time, and so must they: each comb takes
 * back, from its first echo past the end on, what it would go on repeating; and what the all-passes let ring
 * past the end is subtracted tap by tap, down to -160 dB. */
#include "reverb.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 4096 };
static const double TAP_MIN = 1e-8;

/* A delay in a loop: `delay` samples of the past, then those of the chunk. */
struct loop {
    size_t delay;
    double gain;
    double *line; /* [delay + CHUNK] */
};
struct comb {
    struct loop loop;
    size_t end;    /* first multiple of the delay past the response's end */
    double at_end; /* gain of the echo there */
};
struct tap {
    size_t delay;
    float gain;
};
struct reverb {
    size_t end; /* samples of the impulse response */
    size_t comb_count, allpass_count, tap_count;
    struct comb *combs;
    struct loop *allpasses;
    struct tap *taps; /* what rings on past the end */
};

/* ---- filters --------------------------------------------------------------------------------------- */

static void comb_part(size_t n, double gain, const double *restrict in, const double *restrict late,
                      double *restrict now, double *restrict sum)
{
    for (size_t k = 0; k < n; k++) {
        now[k] = in[k] + gain * late[k];
        sum[k] += now[k];
    }
}

static void allpass_part(size_t n, double gain, const double *restrict late, double *restrict now,
                         double *restrict sound)
{
    for (size_t k = 0; k < n; k++) {
        double out = late[k] - gain * sound[k];

        now[k] = sound[k] + gain * out;
        sound[k] = out;
    }
}

/* Samples that can be filtered at once: no more than the delay, so that none depends on another. */
static size_t part_of(const struct loop *loop, size_t left)
{
    return left < loop->delay ? left : loop->delay;
}

static void keep_past(struct loop *loop, size_t count)
{
    memmove(loop->line, loop->line + count, loop->delay * sizeof *loop->line);
}

/* A chunk, in f64 in `wide` and x from sample `at` on, through a comb and added to `sum`; `in` is scratch. */
static void run_comb(struct comb *comb, const double *wide, const float *x, size_t at, size_t count,
                     double *in, double *sum)
{
    struct loop *loop = &comb->loop;

    if (comb->end < at + count) { /* the end takes effect */
        size_t whole = comb->end > at ? comb->end - at : 0;

        memcpy(in, wide, whole * sizeof *in);
        for (size_t k = whole; k < count; k++)
            in[k] = wide[k] - comb->at_end * (double)x[at + k - comb->end];
        wide = in;
    }
    for (size_t k = 0, part; k < count; k += part) {
        part = part_of(loop, count - k);
        comb_part(part, loop->gain, wide + k, loop->line + k, loop->line + loop->delay + k, sum + k);
    }
    keep_past(loop, count);
}

static void run_allpass(struct loop *loop, double *sound, size_t count)
{
    for (size_t k = 0, part; k < count; k += part) {
        part = part_of(loop, count - k);
        allpass_part(part, loop->gain, loop->line + k, loop->line + loop->delay + k, sound + k);
    }
    keep_past(loop, count);
}

static void run_allpasses(const struct reverb *reverb, double *sound, size_t count)
{
    for (size_t a = 0; a < reverb->allpass_count; a++)
        run_allpass(&reverb->allpasses[a], sound, count);
}

/* ---- the room -------------------------------------------------------------------------------------- */

static struct loop loop_make(double milliseconds, double gain, double rate_hz, struct vg_arena *tmp)
{
    double delay = vg_round_even(milliseconds / 1000.0 * rate_hz);
    struct loop loop = {.delay = delay > 1.0 ? (size_t)delay : 1, .gain = gain};

    loop.line = vg_arena_take_zero(tmp, loop.delay + CHUNK, sizeof *loop.line);
    return loop;
}

/* Samples for which the all-passes ring, down to `floor` of what they are given. */
static size_t ring_frames(const struct reverb *reverb, double floor)
{
    size_t frames = 0;

    for (size_t a = 0; a < reverb->allpass_count; a++) {
        const struct loop *loop = &reverb->allpasses[a];

        frames +=
            loop->gain > 0.0 ? loop->delay * (size_t)ceil(vg_log(floor) / vg_log(loop->gain)) : loop->delay;
    }
    return frames;
}

/* The impulse response around its end: the combs' echoes before it, and what the all-passes make of them. */
static void find_taps(struct reverb *reverb, struct vg_arena *tmp)
{
    size_t ring = ring_frames(reverb, TAP_MIN), end = reverb->end, start = end > ring ? end - ring : 0;
    size_t frames = end + ring - start;
    double *response = vg_arena_take_zero(tmp, frames, sizeof *response);

    for (size_t c = 0; c < reverb->comb_count; c++) {
        double echo = 1.0 / (double)reverb->comb_count;

        for (size_t at = 0; at < end; at += reverb->combs[c].loop.delay) {
            if (at >= start)
                response[at - start] += echo;
            echo *= reverb->combs[c].loop.gain;
        }
    }
    for (size_t k = 0; k < frames; k += CHUNK)
        run_allpasses(reverb, response + k, frames - k < CHUNK ? frames - k : CHUNK);
    for (size_t a = 0; a < reverb->allpass_count; a++)
        memset(reverb->allpasses[a].line, 0, reverb->allpasses[a].delay * sizeof(double));

    reverb->taps = vg_arena_take(tmp, ring, sizeof *reverb->taps);
    for (size_t k = end - start; k < frames; k++)
        if (fabs(response[k]) > TAP_MIN)
            reverb->taps[reverb->tap_count++] = (struct tap){start + k, (float)response[k]};
}

static struct reverb reverb_make(const struct vg_room *room, double rate_hz, struct vg_arena *tmp)
{
    struct reverb reverb = {
        .end = (size_t)vg_round_even(room->impulse_sec * rate_hz),
        .comb_count = room->comb_ms.count,
        .allpass_count = room->allpass_ms.count,
    };

    reverb.combs = vg_arena_take(tmp, reverb.comb_count, sizeof *reverb.combs);
    reverb.allpasses = vg_arena_take(tmp, reverb.allpass_count, sizeof *reverb.allpasses);
    for (size_t c = 0; c < reverb.comb_count; c++) {
        struct comb *comb = &reverb.combs[c];

        *comb = (struct comb){.at_end = 1.0};
        comb->loop = loop_make(room->comb_ms.at[c], room->comb_feedback.at[c] * room->scale, rate_hz, tmp);
        for (; comb->end < reverb.end; comb->end += comb->loop.delay)
            comb->at_end *= comb->loop.gain;
    }
    for (size_t a = 0; a < reverb.allpass_count; a++)
        reverb.allpasses[a] =
            loop_make(room->allpass_ms.at[a], room->allpass_gain * room->scale, rate_hz, tmp);
    return reverb;
}

static void ring_of_one(struct tap tap, const float *x, float *ring, size_t count)
{
    for (size_t k = 0; k < count; k++)
        ring[k] += tap.gain * x[k];
}

/* Four taps in one pass over the ring, added in their order. */
static void ring_of_four(const struct tap *tap, const float *const x[4], float *restrict ring, size_t count)
{
    const float *restrict a = x[0], *restrict b = x[1], *restrict c = x[2], *restrict d = x[3];
    const float ga = tap[0].gain, gb = tap[1].gain, gc = tap[2].gain, gd = tap[3].gain;

    for (size_t k = 0; k < count; k++)
        ring[k] = (((ring[k] + ga * a[k]) + gb * b[k]) + gc * c[k]) + gd * d[k];
}

/* What rings past the end, taken from a chunk: `at` is far enough in for the taps of four to be whole. */
static void take_taps(const struct reverb *reverb, const float *x, size_t at, size_t count, double *sound)
{
    float ring[CHUNK] = {0};

    for (size_t t = 0, many; t < reverb->tap_count; t += many) {
        const struct tap *tap = &reverb->taps[t];

        many = reverb->tap_count - t >= 4 && tap[3].delay <= at ? 4 : 1; /* delays rise */
        if (many == 4) {
            const float *from[4];

            for (size_t i = 0; i < 4; i++)
                from[i] = x + at - tap[i].delay;
            ring_of_four(tap, from, ring, count);
        } else if (tap->delay < at + count) {
            size_t first = tap->delay > at ? tap->delay - at : 0;

            ring_of_one(*tap, x + (at + first - tap->delay), ring + first, count - first);
        }
    }
    for (size_t k = 0; k < count; k++)
        sound[k] -= (double)ring[k];
}

void vg_reverb(const struct vg_room *room, double rate_hz, const float *x, size_t n, float *out,
               struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct reverb reverb = reverb_make(room, rate_hz, tmp);
    double *in = vg_arena_take(tmp, CHUNK, sizeof *in), *sound = vg_arena_take(tmp, CHUNK, sizeof *sound);
    double *wide = vg_arena_take(tmp, CHUNK, sizeof *wide);
    double share = 1.0 / (double)reverb.comb_count;

    if (n > reverb.end)
        find_taps(&reverb, tmp);
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;

        for (size_t k = 0; k < count; k++)
            wide[k] = (double)x[at + k];
        memset(sound, 0, count * sizeof *sound);
        for (size_t c = 0; c < reverb.comb_count; c++)
            run_comb(&reverb.combs[c], wide, x, at, count, in, sound);
        for (size_t k = 0; k < count; k++)
            sound[k] *= share;
        run_allpasses(&reverb, sound, count);
        take_taps(&reverb, x, at, count, sound);
        for (size_t k = 0; k < count; k++)
            out[at + k] = (float)sound[k];
    }
    vg_arena_rewind(tmp, mark);
}
