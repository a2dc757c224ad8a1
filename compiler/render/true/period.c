/* SPDX-License-Identifier: MIT */
/* Periods: normalised cross-correlation of two windows a period apart (Talkin 1995) every 5 ms at a low rate,
 * the best path through its peaks (costs as Boersma 1993), then mark after mark at the full rate where the
 * sound repeats itself best. */
#include "period.h"

#include <math.h>
#include <string.h>

#define LOW_HZ 8000.0
#define HOP_SEC 0.005
#define WINDOW_SEC 0.020
#define F0_MIN_HZ 60.0
#define F0_MAX_HZ 2600.0 /* voices end far below; tones are shifted too */
#define VOICED 0.6       /* correlation of what has a pitch, at least */
#define OCTAVE_COST 0.03 /* per octave downwards: of two periods that fit alike the shorter is meant */
#define OCTAVE_JUMP 0.35
#define ONSET_COST 0.14
#define SILENCE 1e-3 /* of the span's mean power: what is softer has no pitch */
enum { CANDIDATES = 6, UNVOICED = 0 };
enum { MARKS_APART = 2 }; /* samples, at least */

struct low {
    float *x;
    size_t count, factor;
    double rate_hz;
};

static struct low lower(const struct vg_loaded *source, struct vg_arena *tmp)
{
    const struct vg_clip *clip = &source->clip;
    struct low low = {.factor = (size_t)(clip->rate_hz / LOW_HZ)};

    low.factor = low.factor > 0 ? low.factor : 1;
    low.rate_hz = (double)clip->rate_hz / (double)low.factor;
    low.count = clip->frames / low.factor;
    low.x = vg_arena_take(tmp, low.count + 1, sizeof *low.x);
    for (size_t i = 0; i < low.count; i++) {
        float sum = 0;

        for (size_t k = 0; k < low.factor; k++)
            sum += (float)clip->samples[i * low.factor + k];
        low.x[i] = sum;
    }
    return low;
}

static double normalised(double ab, double aa, double bb)
{
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* Of two windows `lag` apart, together centred; 0 beyond the clip. */
static double correlation(const struct low *low, ptrdiff_t centre, ptrdiff_t lag)
{
    ptrdiff_t window = (ptrdiff_t)(WINDOW_SEC * low->rate_hz), start = centre - (window + lag) / 2;
    float ab = 0, aa = 0, bb = 0;

    if (start < 0 || start + lag + window > (ptrdiff_t)low->count)
        return 0;
    for (ptrdiff_t k = start; k < start + window; k++) {
        ab += low->x[k] * low->x[k + lag];
        aa += low->x[k] * low->x[k];
        bb += low->x[k + lag] * low->x[k + lag];
    }
    return normalised((double)ab, (double)aa, (double)bb);
}

/* ---- the best path
 * --------------------------------------------------------------------------------------------------- */

struct candidate {
    double lag, score, sum; /* lag in low samples, 0: unvoiced; sum of the best path to here */
    size_t from;            /* candidate of the moment before */
};
struct moment {
    struct candidate at[CANDIDATES];
    size_t count;
};

/* Top of the parabola through three values, as an offset from the middle one, which is none of the lower. */
static double vertex(double before, double here, double after)
{
    double bend = before - 2 * here + after;

    return here >= before && here >= after && bend < 0 ? 0.5 * (before - after) / bend : 0;
}

static void keep_best(struct moment *m, struct candidate found)
{
    size_t weakest = UNVOICED + 1;

    if (m->count < CANDIDATES) {
        m->at[m->count++] = found;
        return;
    }
    for (size_t i = weakest + 1; i < CANDIDATES; i++)
        weakest = m->at[i].score < m->at[weakest].score ? i : weakest;
    if (found.score > m->at[weakest].score)
        m->at[weakest] = found;
}

static void find_candidates(const struct low *low, ptrdiff_t centre, double least_power, struct moment *m)
{
    ptrdiff_t first = (ptrdiff_t)(low->rate_hz / F0_MAX_HZ), last = (ptrdiff_t)(low->rate_hz / F0_MIN_HZ) + 1;
    ptrdiff_t window = (ptrdiff_t)(WINDOW_SEC * low->rate_hz) / 2;
    double power = 0, before, here, after;

    *m = (struct moment){.at = {[UNVOICED] = {.score = VOICED}}, .count = 1};
    for (ptrdiff_t k = centre - window; k < centre + window; k++)
        power += k >= 0 && k < (ptrdiff_t)low->count ? (double)(low->x[k] * low->x[k]) : 0;
    if (power <= least_power * 2 * (double)window)
        return;
    before = correlation(low, centre, first - 1);
    here = correlation(low, centre, first);
    for (ptrdiff_t lag = first; lag <= last; lag++) {
        after = correlation(low, centre, lag + 1);
        if (here > VOICED / 2 && here >= before && here > after) {
            double top = vertex(before, here, after), strength = here - 0.25 * (before - after) * top;

            keep_best(m, (struct candidate){.lag = (double)lag + top,
                                            .score = strength -
                                                     OCTAVE_COST * vg_log2((double)lag / (double)first)});
        }
        before = here;
        here = after;
    }
}

static double transition(const struct candidate *a, const struct candidate *b)
{
    if (a->lag == 0 && b->lag == 0)
        return 0;
    if (a->lag == 0 || b->lag == 0)
        return ONSET_COST;
    return OCTAVE_JUMP * fabs(vg_log2(a->lag / b->lag));
}

static void extend(const struct moment *before, struct moment *m)
{
    for (size_t i = 0; i < m->count; i++) {
        struct candidate *c = &m->at[i];
        double most = -INFINITY;

        for (size_t j = 0; j < before->count; j++) {
            double sum = before->at[j].sum - transition(&before->at[j], c);

            if (sum > most) {
                most = sum;
                c->from = j;
            }
        }
        c->sum = most + c->score;
    }
}

/* Period of every moment in samples of the clip, 0 where there is none. */
struct track {
    double *period;
    size_t count;
    double hop; /* samples of the clip between moments, the first at the span's onset */
};

static struct track track_periods(const struct vg_loaded *source, struct vg_arena *tmp)
{
    struct low low = lower(source, tmp);
    double hop = HOP_SEC * low.rate_hz, span = (double)(source->span.off - source->span.on), power = 0;
    struct track t = {.hop = hop * (double)low.factor};
    struct moment *m;
    size_t best = 0;

    t.count = (size_t)(span / t.hop) + 1;
    t.period = vg_arena_take(tmp, t.count, sizeof *t.period);
    m = vg_arena_take(tmp, t.count, sizeof *m);
    for (size_t i = source->span.on / low.factor; i < source->span.off / low.factor; i++)
        power += (double)(low.x[i] * low.x[i]);
    power *= SILENCE * (double)low.factor / span;
    for (size_t i = 0; i < t.count; i++) {
        double centre = ((double)source->span.on + (double)i * t.hop) / (double)low.factor;

        find_candidates(&low, (ptrdiff_t)centre, power, &m[i]);
        if (i > 0)
            extend(&m[i - 1], &m[i]);
        else
            for (size_t c = 0; c < m[0].count; c++)
                m[0].at[c].sum = m[0].at[c].score;
    }
    for (size_t c = 1; c < m[t.count - 1].count; c++)
        best = m[t.count - 1].at[c].sum > m[t.count - 1].at[best].sum ? c : best;
    for (size_t i = t.count; i-- > 0; best = m[i].at[best].from)
        t.period[i] = m[i].at[best].lag * (double)low.factor;
    return t;
}

/* ---- marks
 * --------------------------------------------------------------------------------------------------------------
 */

/* Normalised correlation of a period's surroundings at two places of the clip; 0 beyond it. */
static double alike(const struct vg_clip *clip, ptrdiff_t a, ptrdiff_t b, ptrdiff_t half)
{
    double ab = 0, aa = 0, bb = 0;

    if (a - half < 0 || b + half > (ptrdiff_t)clip->frames)
        return 0;
    for (ptrdiff_t k = -half; k < half; k++) {
        double x = clip->samples[a + k], y = clip->samples[b + k];

        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return normalised(ab, aa, bb);
}

/* Where the surroundings of `from` come again, near a period later. */
static double next_mark(const struct vg_clip *clip, double from, double period)
{
    ptrdiff_t a = (ptrdiff_t)vg_round_even(from), half = (ptrdiff_t)(period * 0.75) + 2, best = 0;
    ptrdiff_t reach = (ptrdiff_t)(period * 0.12) + 1, asked = (ptrdiff_t)vg_round_even((double)a + period);
    double most = 0;

    for (ptrdiff_t d = -reach; d <= reach; d++) {
        double found = alike(clip, a, asked + d, half);

        if (found > most) {
            most = found;
            best = d;
        }
    }
    if (most <= 0)
        return from + period;
    return from - (double)a + (double)(asked + best) + /* `a` was rounded; the distance is kept exact */
           vertex(alike(clip, a, asked + best - 1, half), most, alike(clip, a, asked + best + 1, half));
}

/* The loudest moment of the first period: where a voice's pulses are. */
static double first_mark(const struct vg_clip *clip, double from, double period)
{
    size_t first = (size_t)from, best = first;

    for (size_t k = first; k < first + (size_t)period && k < clip->frames; k++)
        if (fabs((double)clip->samples[k]) > fabs((double)clip->samples[best]))
            best = k;
    return (double)best;
}

static void mark_stretch(const struct vg_loaded *source, const struct track *t, size_t first, size_t end,
                         struct vg_marks *marks)
{
    double on = (double)source->span.on, stop = on + (double)(end - 1) * t->hop,
           at = first_mark(&source->clip, on + (double)first * t->hop, t->period[first]);
    size_t start = marks->count;

    while (at < stop) {
        size_t i = (size_t)((at - on) / t->hop + 0.5);
        double next;

        i = i < first ? first : i < end ? i : end - 1;
        next = next_mark(&source->clip, at, t->period[i]);
        next = next > at + MARKS_APART ? next : at + MARKS_APART;
        marks->at[marks->count++] = (struct vg_mark){.at = at, .period = next - at};
        at = next;
    }
    if (marks->count < start + 3) /* no pitch to hear */
        marks->count = start;
    else
        marks->at[marks->count - 1].last = true;
}

struct vg_marks vg_marks_find(const struct vg_loaded *source, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct track t = track_periods(source, tmp);
    struct vg_marks marks = {0};

    marks.at = vg_arena_take(keep, source->clip.frames / MARKS_APART + 1, sizeof *marks.at);
    for (size_t first = 0, end; first < t.count; first = end) {
        for (end = first; end < t.count && t.period[end] > 0;)
            end++;
        if (end > first + 2)
            mark_stretch(source, &t, first, end, &marks);
        end = end > first ? end : first + 1;
    }
    return marks;
}
