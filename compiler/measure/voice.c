/* SPDX-License-Identifier: MIT */
/* Fundamental period by normalised cross-correlation of two windows a period apart (Talkin 1995) with the
 * candidates' costs and the best path of Boersma (1993): coarse at 4 kHz, refined at 8 kHz. */
#include "voice.h"

#include <math.h>

#define F0_MIN_HZ 60.0
#define F0_MAX_HZ 600.0
#define WINDOW_SEC 0.025
/* Praat's defaults, "Sound: To Pitch (ac)". */
#define SILENCE 0.03
#define VOICED 0.45
#define OCTAVE_COST 0.01
#define OCTAVE_JUMP 0.35
#define VOICED_UNVOICED 0.14
/* A voice stays within an octave of its median (after De Looze and Hirst 2008); what lies further is a stop's
 * or a fricative's ringing. */
#define RANGE 1.9
/* What correlates less is no candidate. */
#define CANDIDATE_LEAST 0.3f

enum { UNVOICED, CANDIDATES = 6 };

float vg_period_correlation(const struct vg_low *low, ptrdiff_t centre, ptrdiff_t lag)
{
    ptrdiff_t window = (ptrdiff_t)(WINDOW_SEC * low->rate_hz), margin = (ptrdiff_t)low->margin;
    ptrdiff_t start = centre - (window + lag) / 2;
    const float *a = low->x + start, *b = a + lag;
    float ab, aa, bb;

    if (start < -margin || start + lag + window > (ptrdiff_t)low->count + margin)
        return 0;
    ab = vg_dot(a, b, (size_t)window);
    aa = vg_dot(a, a, (size_t)window);
    bb = vg_dot(b, b, (size_t)window);
    return aa > 0 && bb > 0 ? (float)((double)ab / sqrt((double)aa * (double)bb)) : 0;
}

/* Slides over lags; says for each whether it is a peak and where its top lies. */
struct slide {
    const struct vg_low *low;
    ptrdiff_t centre, lag;
    float before, here, after;
};

static struct slide slide_start(const struct vg_low *low, double centre, ptrdiff_t lag)
{
    struct slide s = {.low = low, .lag = lag > 1 ? lag : 1};

    s.centre = (ptrdiff_t)floor(centre + 0.5);
    s.before = vg_period_correlation(low, s.centre, s.lag - 1);
    s.here = vg_period_correlation(low, s.centre, s.lag);
    s.after = vg_period_correlation(low, s.centre, s.lag + 1);
    return s;
}

static void slide_on(struct slide *s)
{
    s->lag++;
    s->before = s->here;
    s->here = s->after;
    s->after = vg_period_correlation(s->low, s->centre, s->lag + 1);
}

static bool is_peak(const struct slide *s)
{
    return s->here > 0 && s->here >= s->before && s->here > s->after;
}

/* Top of the parabola through the three values. */
static double top_lag(const struct slide *s)
{
    double bend = (double)s->before - 2 * (double)s->here + (double)s->after;

    return (double)s->lag + 0.5 * ((double)s->before - (double)s->after) / bend;
}

struct vg_period vg_period_near(const struct vg_low *low, double centre, double lag, double ratio)
{
    struct vg_period best = {0, 0};
    struct slide s = slide_start(low, centre, (ptrdiff_t)floor(lag / ratio));

    for (; (double)s.lag <= ceil(lag * ratio); slide_on(&s)) {
        if (is_peak(&s) && s.here > best.strength) {
            best.lag = top_lag(&s);
            best.strength = s.here;
        }
    }
    return best;
}

struct vg_period vg_period_near_exact(const struct vg_heard *heard, size_t centre, double lag, double ratio,
                                      struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    double rate_hz = heard->sound.rate_hz;
    size_t reach = (size_t)((WINDOW_SEC * rate_hz + lag * ratio) / 2) + 3, count = 2 * reach + 1;
    float *x = vg_arena_take(tmp, count, sizeof *x);
    struct vg_low around = {.x = x, .count = count, .factor = 1, .rate_hz = rate_hz};
    struct vg_period period = {0, 0};

    if (centre + heard->margin >= reach && centre + reach < heard->span + heard->margin) {
        for (size_t i = 0; i < count; i++)
            x[i] = heard->x[(ptrdiff_t)(centre + i) - (ptrdiff_t)reach];
        period = vg_period_near(&around, (double)reach, lag, ratio);
    }
    vg_arena_rewind(tmp, mark);
    return period;
}

struct candidate {
    double lag, score; /* lag in samples of the coarse signal */
    float strength;
};

static double loudest(const struct vg_low *low, ptrdiff_t from, ptrdiff_t to)
{
    double peak = 0;

    for (ptrdiff_t i = from; i < to; i++)
        peak = fabs((double)low->x[i]) > peak ? fabs((double)low->x[i]) : peak;
    return peak;
}

/* Silent frames are unvoiced with a bonus (Boersma 1993, equation 23). */
static struct candidate unvoiced(const struct vg_low *low, ptrdiff_t centre, double peak)
{
    ptrdiff_t reach = (ptrdiff_t)(WINDOW_SEC * low->rate_hz);
    double share = peak > 0 ? loudest(low, centre - reach, centre + reach) / peak : 0;
    double bonus = 2 - share * (1 + VOICED) / SILENCE;

    return (struct candidate){0, VOICED + (bonus > 0 ? bonus : 0), 0};
}

/* The unvoiced candidate and the best of the peaks between F0_MAX_HZ and F0_MIN_HZ. */
static void find_candidates(const struct vg_low *low, size_t centre, double peak,
                            struct candidate c[CANDIDATES])
{
    struct slide s = slide_start(low, (double)centre, (ptrdiff_t)floor(low->rate_hz / F0_MAX_HZ));
    double longest = low->rate_hz / F0_MIN_HZ;

    c[UNVOICED] = unvoiced(low, (ptrdiff_t)centre, peak);
    for (size_t i = 1; i < CANDIDATES; i++)
        c[i] = (struct candidate){1, -1, 0};
    for (; (double)s.lag <= longest; slide_on(&s)) {
        struct candidate new = {.strength = s.here};
        size_t worst = 1;

        if (s.here < CANDIDATE_LEAST || !is_peak(&s))
            continue;
        new.lag = top_lag(&s);
        new.score = (double)s.here - vg_log2(new.lag / longest) * OCTAVE_COST;
        for (size_t i = 2; i < CANDIDATES; i++)
            worst = c[i].score < c[worst].score ? i : worst;
        if (new.score > c[worst].score)
            c[worst] = new;
    }
}

static double change_cost(const struct candidate *a, const struct candidate *b)
{
    if ((a->lag > 0) != (b->lag > 0))
        return VOICED_UNVOICED;
    return a->lag > 0 ? OCTAVE_JUMP * fabs(vg_log2(a->lag / b->lag)) : 0;
}

/* A frame's candidates with the best sum of scores that leads to each. */
struct column {
    struct candidate at[CANDIDATES];
    double sum[CANDIDATES];
    size_t from[CANDIDATES];
};

static void extend_paths(const struct column *last, struct column *next)
{
    for (size_t b = 0; b < CANDIDATES; b++) {
        double best = 0;

        next->from[b] = 0;
        for (size_t a = 0; last && a < CANDIDATES; a++) {
            double sum = last->sum[a] - change_cost(&last->at[a], &next->at[b]);

            if (a == 0 || sum > best) {
                best = sum;
                next->from[b] = a;
            }
        }
        next->sum[b] = best + next->at[b].score;
    }
}

/* The chosen candidate's period, looked at again in the finer signal. */
static struct vg_period refine(const struct vg_heard *heard, size_t window, const struct candidate *c)
{
    double lag = 2 * c->lag,
           centre = (double)((2 * window + 1) * heard->hop) / (double)heard->lows.low.factor;
    struct vg_period fine;

    if (c->lag <= 0)
        return (struct vg_period){0, 0};
    fine = vg_period_near(&heard->lows.low, centre, lag, 1 + 2 / lag);
    return fine.lag > 0 ? fine : (struct vg_period){lag, c->strength};
}

static void keep_in_range(double *period, size_t count, struct vg_arena *tmp)
{
    double *voiced = vg_arena_take(tmp, count, sizeof *voiced), median;
    size_t n = 0;

    for (size_t j = 0; j < count; j++) {
        if (period[j] > 0)
            voiced[n++] = period[j];
    }
    median = vg_quantile(voiced, n, 0.5);
    for (size_t j = 0; j < count; j++) {
        if (period[j] > RANGE * median || period[j] * RANGE < median)
            period[j] = 0;
    }
}

void vg_voice_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp)
{
    size_t count = (heard->frames + 1) / 2, best = 0;
    double *period = vg_arena_take(keep, count + 1, sizeof *period);
    float *strength = vg_arena_take(keep, count + 1, sizeof *strength);
    struct column *column = vg_arena_take(tmp, count + 1, sizeof *column);
    double peak = loudest(&heard->lows.lower, 0, (ptrdiff_t)heard->lows.lower.count);

    for (size_t j = 0; j < count; j++) {
        find_candidates(&heard->lows.lower, (2 * j + 1) * heard->hop / heard->lows.lower.factor, peak,
                        column[j].at);
        extend_paths(j ? &column[j - 1] : NULL, &column[j]);
    }
    for (size_t b = 1; count && b < CANDIDATES; b++)
        best = column[count - 1].sum[b] > column[count - 1].sum[best] ? b : best;
    for (size_t j = count; j-- > 0;) {
        struct vg_period fine = refine(heard, j, &column[j].at[best]);

        period[j] = fine.lag / heard->lows.low.rate_hz;
        strength[j] = fine.strength;
        best = column[j].from[best];
    }
    vg_tones_find(heard, period, strength, count, tmp);
    keep_in_range(period, count, tmp);
    heard->voice = (struct vg_voice){count, period, strength};
}
