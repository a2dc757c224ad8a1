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

/* A voiced candidate scores less, and to leave and take up a voice costs less, than the difference to this: a
 * frame that is silent beyond it is unvoiced on the best path whatever its candidates are. */
#define SILENT_SCORE (1.05 + 2 * VOICED_UNVOICED)

enum { UNVOICED, CANDIDATES = 6 };

/* A window's energy, kept while the window stays where it is. */
struct window {
    ptrdiff_t at;
    float energy;
};

/* Slides over lags; says for each whether it is a peak and where its top lies.  Of every two lags that follow
 * each other, one window stays. */
struct slide {
    const struct vg_low *low;
    const float *energies; /* of windows at every place from -margin on; or NULL */
    const double *squares; /* of all samples before each, exact, from place 0 on; or NULL */
    double least;          /* with `squares`: what correlates less may be said to be FAR */
    ptrdiff_t centre, lag;
    struct window a, b;
    float before, here, after;
};
#define FAR (-1.0f)

static ptrdiff_t window_of(const struct vg_low *low)
{
    return (ptrdiff_t)(WINDOW_SEC * low->rate_hz);
}

static float energy_of(const struct slide *s, struct window *window, ptrdiff_t at)
{
    const float *x = s->low->x + at;

    if (s->energies != NULL)
        return s->energies[at + (ptrdiff_t)s->low->margin];
    if (window->at != at)
        *window = (struct window){at, vg_dot(x, x, (size_t)window_of(s->low))};
    return window->energy;
}

static bool is_within(const struct vg_low *low, ptrdiff_t start, ptrdiff_t lag)
{
    ptrdiff_t margin = (ptrdiff_t)low->margin;

    return start >= -margin && start + lag + window_of(low) <= (ptrdiff_t)low->count + margin;
}

static float correlation(struct slide *s, ptrdiff_t lag)
{
    ptrdiff_t window = window_of(s->low), start = s->centre - (window + lag) / 2;
    const float *a = s->low->x + start;
    float ab, aa, bb;

    if (!is_within(s->low, start, lag))
        return 0;
    ab = vg_dot(a, a + lag, (size_t)window);
    aa = energy_of(s, &s->a, start);
    bb = energy_of(s, &s->b, start + lag);
    return aa > 0 && bb > 0 ? (float)((double)ab / sqrt((double)aa * (double)bb)) : 0;
}

static double squares_in(const struct slide *s, ptrdiff_t at, ptrdiff_t count)
{
    return s->squares[at + count] - s->squares[at];
}

enum { PIECE = 120 };
#define SLACK 1e-3 /* far more than the rounding of f32 sums of a window */

/* Is the correlation below `least`, by a part of the windows?  Both brought to energy 1, the squared distance
 * of the windows is 2 - 2 correlation, and no less than that of any part of them. */
static bool is_far(const struct slide *s, ptrdiff_t lag)
{
    ptrdiff_t window = window_of(s->low), start = s->centre - (window + lag) / 2;
    double aa, bb, scale, distance = 0;

    if (s->squares == NULL || !is_within(s->low, start, lag))
        return false;
    aa = squares_in(s, start, window);
    bb = squares_in(s, start + lag, window);
    if (!(aa > 0 && bb > 0))
        return false;
    scale = 2 / sqrt(aa * bb);
    for (ptrdiff_t at = start; at + PIECE <= start + window; at += PIECE) {
        const float *a = s->low->x + at;

        distance += squares_in(s, at, PIECE) / aa + squares_in(s, at + lag, PIECE) / bb -
                    scale * (double)vg_dot(a, a + lag, PIECE);
        if (distance > 2 - 2 * s->least + SLACK)
            return true;
    }
    return false;
}

static float look_at(struct slide *s, ptrdiff_t lag)
{
    return is_far(s, lag) ? FAR : correlation(s, lag);
}

static void slide_start(struct slide *s, double centre, ptrdiff_t lag)
{
    s->a.at = s->b.at = PTRDIFF_MIN;
    s->lag = lag > 1 ? lag : 1;
    s->centre = (ptrdiff_t)floor(centre + 0.5);
    s->before = look_at(s, s->lag - 1);
    s->here = look_at(s, s->lag);
    s->after = look_at(s, s->lag + 1);
}

static void slide_on(struct slide *s)
{
    s->lag++;
    s->before = s->here;
    s->here = s->after;
    s->after = look_at(s, s->lag + 1);
}

static bool is_peak(const struct slide *s)
{
    return s->here > 0 && s->here >= s->before && s->here > s->after;
}

/* Top of the parabola through the three values. */
static double top_lag(struct slide *s)
{
    double before = (double)(s->before > FAR ? s->before : correlation(s, s->lag - 1));
    double after = (double)(s->after > FAR ? s->after : correlation(s, s->lag + 1));
    double bend = before - 2 * (double)s->here + after;

    return (double)s->lag + 0.5 * (before - after) / bend;
}

float vg_period_correlation(const struct vg_low *low, ptrdiff_t centre, ptrdiff_t lag)
{
    struct slide s = {.low = low, .centre = centre, .a = {PTRDIFF_MIN, 0}, .b = {PTRDIFF_MIN, 0}};

    return correlation(&s, lag);
}

static struct vg_period best_peak(struct slide *s, double centre, double lag, double ratio)
{
    struct vg_period best = {0, 0};

    slide_start(s, centre, (ptrdiff_t)floor(lag / ratio));
    for (; (double)s->lag <= ceil(lag * ratio); slide_on(s)) {
        if (is_peak(s) && s->here > best.strength) {
            best.lag = top_lag(s);
            best.strength = s->here;
        }
    }
    return best;
}

struct vg_period vg_period_near(const struct vg_low *low, double centre, double lag, double ratio)
{
    struct slide s = {.low = low};

    return best_peak(&s, centre, lag, ratio);
}

static size_t reach_of(double rate_hz, double lag)
{
    return (size_t)((WINDOW_SEC * rate_hz + lag) / 2) + 3;
}

struct vg_excerpt vg_excerpt_make(const struct vg_heard *heard, size_t centre, double lag,
                                  struct vg_arena *tmp)
{
    size_t reach = reach_of(heard->sound.rate_hz, lag), count = 2 * reach + 1;
    float *x = vg_arena_take(tmp, count, sizeof *x);
    double *squares = vg_arena_take(tmp, count + 1, sizeof *squares);
    const int16_t *from = heard->x + (ptrdiff_t)centre - (ptrdiff_t)reach;
    bool there = centre + heard->margin >= reach && centre + reach < heard->span + heard->margin;

    squares[0] = 0;
    for (size_t i = 0; there && i < count; i++) {
        x[i] = from[i];
        squares[i + 1] = squares[i] + (double)x[i] * (double)x[i];
    }
    return (struct vg_excerpt){
        .samples = {.x = x, .count = there ? count : 0, .factor = 1, .rate_hz = heard->sound.rate_hz},
        .squares = squares,
        .centre = reach};
}

struct vg_period vg_excerpt_period(const struct vg_excerpt *excerpt, double lag, double ratio, float least)
{
    struct slide s = {.low = &excerpt->samples, .squares = excerpt->squares, .least = (double)least};
    struct vg_period period;

    vg_check(excerpt->samples.count == 0 ||
             reach_of(excerpt->samples.rate_hz, lag * ratio) <= excerpt->centre);
    period = best_peak(&s, (double)excerpt->centre, lag, ratio);
    return period.strength >= least ? period : (struct vg_period){0, 0};
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
static void find_candidates(const struct vg_low *low, const float *energies, size_t centre, double peak,
                            struct candidate c[CANDIDATES])
{
    struct slide s = {.low = low, .energies = energies};
    double longest = low->rate_hz / F0_MIN_HZ;

    c[UNVOICED] = unvoiced(low, (ptrdiff_t)centre, peak);
    for (size_t i = 1; i < CANDIDATES; i++)
        c[i] = (struct candidate){1, -1, 0};
    if (c[UNVOICED].score > SILENT_SCORE)
        return;
    slide_start(&s, (double)centre, (ptrdiff_t)floor(low->rate_hz / F0_MAX_HZ));
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
            double sum = last->sum[a];

            if (a > 0 && sum <= best)
                continue; /* costs are not negative */
            sum -= change_cost(&last->at[a], &next->at[b]);
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

/* Energies of windows at every place: frames and lags share them. */
static const float *window_energies(const struct vg_low *low, struct vg_arena *tmp)
{
    size_t window = (size_t)window_of(low), whole = low->count + 2 * low->margin;
    float *energy = vg_arena_take(tmp, whole, sizeof *energy);

    for (size_t i = 0; i + window <= whole; i++) {
        const float *x = low->x - low->margin + i;

        energy[i] = vg_dot(x, x, window);
    }
    return energy;
}

void vg_voice_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp)
{
    size_t count = (heard->frames + 1) / 2, best = 0;
    double *period = vg_arena_take(keep, count + 1, sizeof *period);
    float *strength = vg_arena_take(keep, count + 1, sizeof *strength);
    struct vg_arena_mark mark = vg_arena_mark(tmp); /* past what is kept, where that is the same arena */
    struct column *column = vg_arena_take(tmp, count + 1, sizeof *column);
    const float *energies = window_energies(&heard->lows.lower, tmp);
    double peak = loudest(&heard->lows.lower, 0, (ptrdiff_t)heard->lows.lower.count);

    for (size_t j = 0; j < count; j++) {
        find_candidates(&heard->lows.lower, energies, (2 * j + 1) * heard->hop / heard->lows.lower.factor,
                        peak, column[j].at);
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
    vg_arena_rewind(tmp, mark);
    heard->voice = (struct vg_voice){count, period, strength};
}
