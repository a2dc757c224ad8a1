/* SPDX-License-Identifier: MIT */
/* The robust speech detector.  Every frame is weighed: how much likelier are its bands with a voice than with
 * the background alone?  The likeliest path through the two states gives the span.  The background is what is
 * quietest in each band over the whole clip, so that speech may start at once and noise and hum may stay. */
#include "detect.h"
#include "source.h"

#include <math.h>
#include <string.h>

/* Tuned on the labelled set of tests/source/test_detect_robust.c, which is also where to see what a change
 * does. */
#define RANGE_DB 42.0          /* below the loud frames nothing counts: decay, room */
#define SILENCE 1e-8           /* nor does what is weaker than -80 dB of full scale */
#define QUIETEST 0.03          /* the share of frames ... */
#define QUIETEST_NORMAL (-1.9) /* ... and the same quantile of a normal distribution */
#define LIFT 1.5               /* power that a voice adds to a band, times the background's */
#define BAND_SHARE 0.25        /* of the bands that a voice fills at a time */
#define OVERLAP 0.25           /* frames overlap four times: each has a quarter of its own to say */
#define SCORE_MAX 5.0          /* of one frame, so that no single one decides */
#define SCORE_MIN (-2.0)
#define SWITCH_COST 20.0 /* against speech for a moment: some 40 ms of certainty pay for both edges */
#define REACH_SEC 0.005  /* how far a frame's middle is outside when it first notices the speech */
enum { SMOOTH_FRAMES = 8, ROUNDS = 3, QUIET_FRAMES = 30, EDGE_FRAMES = 20 };

struct search {
    struct vg_speech_bands bands;
    const bool *clicks;
    double background[VG_SPEECH_BANDS];
    double least[VG_SPEECH_BANDS]; /* that a background is taken to have */
    double *score;                 /* [count], nats: above 0 speaks for a voice */
    bool *speech;                  /* [count], the path */
    double *work;                  /* [count + 1] */
    struct vg_arena *tmp;
};

/* ---- background ---------------------------------------------------------------------------------------- */

/* Shuffles the values. */
static double quantile(double *values, size_t count, double share)
{
    return vg_kth_smallest(values, count, (size_t)(share * (double)(count - 1)));
}

/* Quantile of the mean power of noise over its expectation (Wilson and Hilferty 1931). */
static double noise_quantile(double degrees, double normal)
{
    double root = 1 - 1 / (9 * degrees) + normal / (3 * sqrt(degrees)), cube = root * root * root;

    return cube > 0.05 ? cube : 0.05;
}

/* The range below the loud frames, shared out as white noise would fill the bands. */
static void set_least(struct search *s)
{
    double *total = s->work, degrees = 0, least;

    memset(total, 0, s->bands.count * sizeof *total);
    for (size_t b = 0; b < VG_SPEECH_BANDS; b++) {
        degrees += s->bands.degrees[b];
        for (size_t i = 0; i < s->bands.count; i++)
            total[i] += s->bands.power[b][i];
    }
    least = quantile(total, s->bands.count, 0.95) * vg_exp(-RANGE_DB / 10 * 0x1.26bb1bbb55516p+1); /* ln 10 */
    if (least < SILENCE)
        least = SILENCE;
    for (size_t b = 0; b < VG_SPEECH_BANDS; b++)
        s->least[b] = least * (s->bands.degrees[b] + 1e-9) / degrees;
}

/* Moving mean over 2 * SMOOTH_FRAMES + 1 frames, fewer at the ends. */
static void smooth(const double *in, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = i > SMOOTH_FRAMES ? i - SMOOTH_FRAMES : 0;
        size_t last = i + SMOOTH_FRAMES < count ? i + SMOOTH_FRAMES : count - 1;
        double sum = 0;

        for (size_t j = first; j <= last; j++)
            sum += in[j];
        out[i] = sum / (double)(last - first + 1);
    }
}

/* The first guess: what is quietest in each band, whenever that is. */
static void guess_background(struct search *s)
{
    for (size_t b = 0; b < VG_SPEECH_BANDS; b++) {
        double degrees = s->bands.degrees[b] * SMOOTH_FRAMES;

        smooth(s->bands.power[b], s->bands.count, s->work);
        s->background[b] =
            quantile(s->work, s->bands.count, QUIETEST) / noise_quantile(degrees, QUIETEST_NORMAL);
    }
}

/* The next: the median of the frames without speech, where there are enough; the clip's ends are cut frames.
 */
static void refine_background(struct search *s)
{
    for (size_t b = 0; b < VG_SPEECH_BANDS; b++) {
        size_t quiet = 0;

        for (size_t i = 2; i + 2 < s->bands.count; i++)
            if (!s->speech[i])
                s->work[quiet++] = s->bands.power[b][i];
        if (quiet >= QUIET_FRAMES)
            s->background[b] = quantile(s->work, quiet, 0.5) / noise_quantile(s->bands.degrees[b], 0);
    }
}

/* ---- evidence and path --------------------------------------------------------------------------------- */

/* Likelihood ratio of one band: power a gamma variable of `degrees`, its mean (1 + LIFT) times the
 * background's with a voice.  A band takes part in a voice only now and then.  From 0.7 to 3e12, so that the
 * product of all bands is a number. */
static double weigh_band(double power, double background, double degrees, double log_lift)
{
    double ratio = degrees * (power / background * (LIFT / (1 + LIFT)) - log_lift);

    ratio = ratio > 30 ? 30 : ratio;
    return 1 - BAND_SHARE + (ratio > -30 ? BAND_SHARE * vg_exp(ratio) : 0);
}

static void weigh_frames(struct search *s)
{
    double background[VG_SPEECH_BANDS], log_lift = vg_log1p(LIFT);

    for (size_t b = 0; b < VG_SPEECH_BANDS; b++)
        background[b] = s->background[b] > s->least[b] ? s->background[b] : s->least[b];
    for (size_t i = 0; i < s->bands.count; i++) {
        double product = 1, score;

        for (size_t b = 0; b < VG_SPEECH_BANDS; b++)
            product *= weigh_band(s->bands.power[b][i], background[b], s->bands.degrees[b], log_lift);
        score = OVERLAP * vg_log(product);
        score = score > SCORE_MAX ? SCORE_MAX : score < SCORE_MIN ? SCORE_MIN : score;
        s->score[i] = s->clicks[i] && score > 0 ? 0 : score;
    }
}

/* Viterbi's way through silence (score 0) and speech; both ends of a clip may be speech, at the usual cost.
 */
static void find_path(struct search *s)
{
    size_t count = s->bands.count;
    bool *ended = vg_arena_take(s->tmp, count, sizeof *ended); /* silence here follows speech */
    bool *began = vg_arena_take(s->tmp, count, sizeof *began); /* speech here follows silence */
    double silence = 0, speech = -SWITCH_COST;
    bool state;

    for (size_t i = 0; i < count; i++) {
        double before = silence;

        ended[i] = speech - SWITCH_COST > silence;
        began[i] = i > 0 && before - SWITCH_COST > speech;
        silence = ended[i] ? speech - SWITCH_COST : silence;
        speech = (began[i] ? before - SWITCH_COST : speech) + s->score[i];
    }
    state = speech - SWITCH_COST > silence;
    for (size_t i = count; i-- > 0;) {
        s->speech[i] = state;
        state = state ? !began[i] : ended[i];
    }
}

/* ---- what was found ------------------------------------------------------------------------------------ */

/* Mean score from <= i < to over `full`, cut to 0..1. */
static double share_of(const struct search *s, size_t from, size_t to, double full)
{
    double sum = 0, share;

    for (size_t i = from; i < to; i++)
        sum += s->score[i];
    share = to > from ? sum / ((double)(to - from) * full) : 0;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* How sure an edge is: as sure as the 100 ms of speech behind it and of silence before it.  Where the speech
 * begins or ends with the clip, there is nothing to doubt outside. */
static double edge_confidence(const struct search *s, size_t first, size_t last, bool end)
{
    size_t length = last + 1 - first < EDGE_FRAMES ? last + 1 - first : EDGE_FRAMES;
    size_t room = end ? s->bands.count - 1 - last : first;
    size_t outside = room < EDGE_FRAMES ? room : EDGE_FRAMES;
    double in = share_of(s, end ? last + 1 - length : first, end ? last + 1 : first + length, SCORE_MAX);
    double out = share_of(s, end ? last + 1 : first - outside, end ? last + 1 + outside : first, -0.6);

    return outside > 3 ? in * out : in;
}

static size_t longest_pause(const struct search *s, size_t first, size_t last)
{
    size_t longest = 0, run = 0;

    for (size_t i = first; i <= last; i++) {
        run = s->speech[i] ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void report(const struct search *s, size_t frames, uint32_t rate_hz, struct vg_speech *found)
{
    double hop_sec = (double)s->bands.hop / rate_hz, duration_sec = (double)frames / rate_hz, on, off;
    size_t first = 0, last = s->bands.count - 1;

    while (first < s->bands.count && !s->speech[first])
        first++;
    found->found = first < s->bands.count;
    if (!found->found)
        return;
    while (!s->speech[last])
        last--;
    on = (double)first * hop_sec + (first > 0 ? REACH_SEC : 0);
    off = (double)last * hop_sec - REACH_SEC;
    found->onset_sec = on < duration_sec ? on : 0;
    found->offset_sec = last == s->bands.count - 1 || off <= found->onset_sec ? duration_sec : off;
    found->pause_sec = (double)longest_pause(s, first, last) * hop_sec;
    found->confidence = edge_confidence(s, first, last, false);
    if (edge_confidence(s, first, last, true) < found->confidence)
        found->confidence = edge_confidence(s, first, last, true);
}

struct vg_speech vg_detect_robust(const double *x, size_t frames, uint32_t rate_hz, struct vg_arena *tmp)
{
    struct search s = {.tmp = tmp};
    struct vg_speech found = {0};

    vg_speech_bands_make(&s.bands, x, frames, rate_hz, tmp);
    s.clicks = vg_speech_clicks(&s.bands, x, frames, rate_hz, tmp);
    s.score = vg_arena_take(tmp, s.bands.count, sizeof *s.score);
    s.speech = vg_arena_take_zero(tmp, s.bands.count, sizeof *s.speech);
    s.work = vg_arena_take(tmp, s.bands.count + 1, sizeof *s.work);
    set_least(&s);
    guess_background(&s);
    for (size_t round = 0; round < ROUNDS; round++) {
        if (round > 0)
            refine_background(&s);
        weigh_frames(&s);
        find_path(&s);
    }
    report(&s, frames, rate_hz, &found);
    if (found.found) {
        struct vg_span span = vg_span_of(found.onset_sec, found.offset_sec, rate_hz, frames);

        found.voiced_share = vg_speech_voiced_share(x, span.on, span.off, rate_hz, tmp);
    }
    return found;
}
