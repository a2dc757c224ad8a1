/* SPDX-License-Identifier: MIT */
/* Moves, steps, chunks, joints and level match.  Every order of operations that decides a sample is
 * recipe.md's; f32 and f64 stand as it says. */
#include "steps.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 2048 }; /* samples, which stay in the first cache from pass to pass */

double vg_item_value(const struct vg_item *item, size_t rule)
{
    return item->values[rule].at[0];
}

double vg_item_fixed(const struct vg_item *item, size_t rule)
{
    return item->fixed[rule].at[0];
}

struct vg_move vg_move_of(const struct vg_item *item, double from, double to)
{
    bool up = item->direction == VG_UP;

    return (struct vg_move){
        .curve = item->curve,
        .jump_at = item->spec->jump_at,
        .start = up ? from : to,
        .end = up ? to : from,
    };
}

double vg_move_at(const struct vg_move *move, double t)
{
    return vg_curve_at(move->curve, move->jump_at, move->start, move->end, t);
}

/* t of `count` samples from sample `first` of a span on. */
static void fill_times(double first, double last, double *t, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        t[k] = last > 0.0 ? (first + (double)k) / last : 1.0;
}

static void fill_with(double value, double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        values[k] = value;
}

/* A part of the span: t of its samples is (first + k) / last. */
struct inside {
    double first, last;
    size_t count;
};

/* On one side of a jump all values are equal. */
static bool fill_beside_jump(const struct vg_move *move, const struct inside *in, double *values)
{
    double begin, end;

    if (move->curve != VG_JUMP)
        return false;
    fill_times(in->first, in->last, &begin, 1);
    fill_times(in->first + (double)(in->count - 1), in->last, &end, 1);
    if ((begin < move->jump_at) != (end < move->jump_at))
        return false;
    fill_with(vg_move_at(move, begin), values, in->count);
    return true;
}

static void fill_inside(const struct vg_move *move, const struct inside *in, double *values)
{
    if (fill_beside_jump(move, in, values))
        return;
    fill_times(in->first, in->last, values, (int32_t)in->count);
    vg_curve_fill(move->curve, move->jump_at, move->start, move->end, values, in->count);
}

void vg_move_fill(const struct vg_move *move, struct vg_span span, size_t from, size_t to, double *values)
{
    size_t on = span.on > from ? span.on : from, off = span.off < to ? span.off : to;
    struct inside in = {(double)on - (double)span.on, (double)(span.off - span.on - 1), off - on};

    vg_check(to - from <= INT32_MAX);
    for (size_t k = from; k < to && k < span.on; k++)
        values[k - from] = move->start;
    if (on < off)
        fill_inside(move, &in, values + (on - from));
    for (size_t k = span.off > from ? span.off : from; k < to; k++)
        values[k - from] = move->end;
}

static size_t frames_of(double seconds, uint32_t rate_hz)
{
    return (size_t)vg_round_even(seconds * (double)rate_hz);
}

struct vg_steps vg_steps_of(struct vg_pace pace, uint32_t rate_hz, size_t length)
{
    size_t step = frames_of(pace.step_sec, rate_hz);

    if (step < 1)
        step = 1;
    return (struct vg_steps){
        .length = length,
        .step = step,
        .count = length > step ? (length - 1) / step + 1 : 1,
        .context = frames_of(pace.context_sec, rate_hz),
        .crossfade = frames_of(pace.crossfade_sec, rate_hz),
    };
}

double vg_step_time(const struct vg_steps *steps, size_t i)
{
    return steps->count > 1 ? (double)i / (double)(steps->count - 1) : 1.0;
}

static struct vg_chunk with_context(const struct vg_steps *steps, size_t from, size_t to)
{
    return (struct vg_chunk){
        .from = from,
        .to = to,
        .first = from > steps->context ? from - steps->context : 0,
        .last = steps->length - to > steps->context ? to + steps->context : steps->length,
    };
}

struct vg_chunk vg_chunk_of(const struct vg_steps *steps, size_t i)
{
    size_t from = i * steps->step;

    return with_context(steps, from, steps->length - from > steps->step ? from + steps->step : steps->length);
}

struct vg_chunk vg_chunk_even(const struct vg_steps *steps, size_t i)
{
    double from = (double)i * (double)steps->length / (double)steps->count;
    double to = (double)(i + 1) * (double)steps->length / (double)steps->count;

    return with_context(steps, (size_t)vg_round_even(from), (size_t)vg_round_even(to));
}

void vg_joined_append(struct vg_joined *joined, const float *piece, size_t frames, size_t crossfade)
{
    size_t overlap = crossfade;

    if (overlap > joined->frames)
        overlap = joined->frames;
    if (overlap > frames)
        overlap = frames;

    /* fade-out falls from 1 to 0 in f64 steps, rounded to f32; the last is 0 whatever the steps add up to */
    float *tail = joined->at + (joined->frames - overlap);
    double step = overlap > 1 ? -1.0 / (double)(overlap - 1) : 0.0;
    for (size_t k = 0; k < overlap; k++) {
        float fade_out = k > 0 && k == overlap - 1 ? 0.0f : (float)((double)k * step + 1.0);

        tail[k] = tail[k] * fade_out + piece[k] * (1.0f - fade_out);
    }
    if (frames > overlap)
        memcpy(tail + overlap, piece + overlap, (frames - overlap) * sizeof *piece);
    joined->frames += frames - overlap;
}

struct vg_wave vg_wave_of(const struct vg_loaded *source, struct vg_arena *tmp)
{
    const struct vg_clip *clip = &source->clip;
    float *x = vg_arena_take(tmp, clip->frames, sizeof *x);

    for (size_t k = 0; k < clip->frames; k++)
        x[k] = (float)clip->samples[k] * (1.0f / 32768.0f);
    return (struct vg_wave){.at = x, .frames = clip->frames, .span = source->span};
}

void vg_output_start(size_t frames, struct vg_span span, struct vg_rendered *out, struct vg_arena *keep)
{
    *out = (struct vg_rendered){.frames = frames, .on = span.on, .off = span.off};
    out->samples = vg_arena_take(keep, frames, sizeof *out->samples);
}

static void find_peak(struct vg_rendered *out, size_t at, size_t count)
{
    int16_t low = 0, high = 0;
    unsigned peak;

    for (size_t k = at; k < at + count; k++) {
        low = out->samples[k] < low ? out->samples[k] : low;
        high = out->samples[k] > high ? out->samples[k] : high;
    }
    peak = (unsigned)(high > -low ? high : -low);
    out->peak = peak > out->peak ? peak : out->peak;
}

/* What 16 bits can hold, of full scale 1. */
static const float LOWEST = -1.0f, HIGHEST = 32767.0f / 32768.0f;

static int32_t count_outside(const float *x, int32_t count)
{
    int32_t outside = 0;

    for (int32_t k = 0; k < count; k++)
        outside += (x[k] < LOWEST) | (x[k] > HIGHEST);
    return outside;
}

static void clip(const float *restrict x, float *restrict clipped, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        float y = x[k] < LOWEST ? LOWEST : x[k];

        clipped[k] = y > HIGHEST ? HIGHEST : y;
    }
}

static void to_16_bits(const float *restrict x, int16_t *restrict samples, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        samples[k] = (int16_t)(x[k] * 32768.0f); /* C truncates toward zero */
}

/* Passes over a block each: compilers vectorise them one by one, and not as one loop. */
static void output_block(struct vg_rendered *out, size_t at, const float *x, size_t count)
{
    int32_t n = (int32_t)count, outside = count_outside(x, n);
    float clipped[BLOCK];

    if (outside > 0) {
        clip(x, clipped, n);
        x = clipped;
    }
    to_16_bits(x, out->samples + at, n);
    find_peak(out, at, count);
    out->clipped += (size_t)outside;
}

void vg_output_wave(struct vg_rendered *out, size_t at, const float *x, size_t count)
{
    for (size_t k = 0, part; k < count; k += part) {
        part = count - k < BLOCK ? count - k : BLOCK;
        output_block(out, at + k, x + k, part);
    }
}

void vg_output_samples(struct vg_rendered *out, size_t at, const int16_t *samples, size_t count)
{
    memcpy(out->samples + at, samples, count * sizeof *samples);
    find_peak(out, at, count);
}

void vg_output_units(struct vg_rendered *out, size_t at, const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        double y = x[k];

        out->clipped += y < -32768.0 || y > 32767.0;
        y = y < -32768.0 ? -32768.0 : y;
        y = y > 32767.0 ? 32767.0 : y;
        out->samples[at + k] = (int16_t)y;
    }
    find_peak(out, at, count);
}

void vg_wave_finish(const struct vg_wave *wave, struct vg_rendered *out, struct vg_arena *keep)
{
    vg_output_start(wave->frames, wave->span, out, keep);
    vg_output_wave(out, 0, wave->at, wave->frames);
}

void vg_set_rms(double wanted, float *x, size_t frames)
{
    double found = vg_rms(x, frames);

    if (wanted == 0.0 || found == 0.0)
        return;

    float gain = (float)(wanted / found);
    for (size_t k = 0; k < frames; k++)
        x[k] *= gain;
}

void vg_match_rms(const float *reference, float *x, size_t frames)
{
    vg_set_rms(vg_rms(reference, frames), x, frames);
}

/* The clip outside the span: `frames` samples from `from` on, appended without a joint. */
static void append_outside(struct vg_joined *joined, const struct vg_passage *passage,
                           const struct vg_treatment *treatment, struct vg_arena *tmp)
{
    float *out = joined->at + joined->frames;

    if (passage->frames == 0)
        return;
    if (treatment->outside)
        treatment->treat(treatment->self, passage, out, tmp);
    else
        memcpy(out, passage->at, passage->frames * sizeof *out);
    joined->frames += passage->frames;
}

static void append_step(struct vg_joined *joined, const struct vg_wave *wave, const struct vg_steps *steps,
                        size_t i, double value, const struct vg_treatment *treatment, struct vg_arena *tmp)
{
    struct vg_chunk chunk = vg_chunk_of(steps, i);
    struct vg_passage passage = {
        .number = i + 1,
        .at = wave->at + wave->span.on + chunk.first,
        .frames = chunk.last - chunk.first,
        .value = value,
    };
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    float *treated = vg_arena_take(tmp, passage.frames, sizeof *treated);

    treatment->treat(treatment->self, &passage, treated, tmp);
    vg_joined_append(joined, treated + (chunk.from - chunk.first), chunk.to - chunk.from, steps->crossfade);
    vg_arena_rewind(tmp, mark);
}

struct vg_wave vg_treat_chunks(const struct vg_wave *wave, const struct vg_steps *steps,
                               const struct vg_move *move, const struct vg_treatment *treatment,
                               struct vg_arena *tmp)
{
    struct vg_span span = wave->span;
    struct vg_passage before = {.number = 0, .at = wave->at, .frames = span.on, .value = move->start};
    struct vg_passage after = {
        .number = steps->count + 1,
        .at = wave->at + span.off,
        .frames = wave->frames - span.off,
        .value = move->end,
    };
    struct vg_wave out = {.at = vg_arena_take(tmp, wave->frames, sizeof *out.at)};
    struct vg_joined whole = {.at = out.at};

    append_outside(&whole, &before, treatment, tmp);

    struct vg_joined inner = {.at = out.at + whole.frames}; /* joints never reach back before the span */
    for (size_t i = 0; i < steps->count; i++)
        append_step(&inner, wave, steps, i, vg_move_at(move, vg_step_time(steps, i)), treatment, tmp);
    out.span = (struct vg_span){.on = whole.frames, .off = whole.frames + inner.frames};
    whole.frames += inner.frames;

    append_outside(&whole, &after, treatment, tmp);
    out.frames = whole.frames;
    return out;
}
