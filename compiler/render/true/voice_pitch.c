/* SPDX-License-Identifier: MIT */
/* voice_pitch: pitch-synchronous overlap-add (Moulines and Charpentier 1990).  Two periods around a mark are
 * laid where the course wants the next period to begin, so that formants and durations stay; what has no
 * pitch is left alone.  Tones above a voice's range have no formants to keep: their periods are resampled. */
#include "period.h"

#include <math.h>

enum { MATCH = VG_TRUE_OWN };
static const struct vg_key_rule fixed_keys[] = {
    VG_TRUE_JND,
    [MATCH] = {.name = "match_db",
               .type = VG_KEY_NUMBER,
               .flags = VG_REQUIRED,
               .max = 60,
               .meaning = "dB; the most that the level is raised or lowered to match the source's"},
    {0},
};

#define VOICE_MAX_HZ 600.0
enum { TAPS = 8, PHASES = 512 }; /* on either side, and places between two samples, of the interpolation */

static void check(const struct vg_node *map, struct vg_error *err)
{
    vg_true_limit(map, 8,
                  "beyond 4 semitones to either side a voice becomes another's, and its octave cannot be "
                  "told from the sound",
                  err);
}

struct pitch {
    struct vg_marks marks;
    const double *taps; /* [phase * 2 * TAPS]: windowed sinc */
    const double *hann; /* [PHASES + 2]: from the middle of a window to its end */
};

static double *make_taps(struct vg_arena *keep)
{
    double *taps = vg_arena_take(keep, (size_t)(PHASES + 1) * 2 * TAPS, sizeof *taps);

    for (size_t p = 0; p <= PHASES; p++)
        for (size_t i = 0; i < (size_t)2 * TAPS; i++) {
            double t = (double)p / PHASES + (double)TAPS - 1 - (double)i;
            double window = 0.5 + 0.5 * vg_cos(VG_PI * t / TAPS);

            taps[p * 2 * TAPS + i] = t == 0           ? 1
                                     : fabs(t) < TAPS ? window * vg_sin(VG_PI * t) / (VG_PI * t)
                                                      : 0;
        }
    return taps;
}

static double *make_hann(struct vg_arena *keep)
{
    double *hann = vg_arena_take(keep, PHASES + 2, sizeof *hann);

    for (size_t i = 0; i < PHASES + 2; i++)
        hann[i] = i < PHASES ? 0.5 + 0.5 * vg_cos(VG_PI * (double)i / PHASES) : 0;
    return hann;
}

/* The window at `t` of its half, 0..1. */
static double hann_at(const struct pitch *pitch, double t)
{
    size_t i = (size_t)(t * PHASES);

    return pitch->hann[i] + (pitch->hann[i + 1] - pitch->hann[i]) * (t * PHASES - (double)i);
}

static void *analyse(const struct vg_item *item, const struct vg_loaded *source, struct vg_arena *keep,
                     struct vg_arena *tmp)
{
    struct pitch *pitch = vg_arena_take(keep, 1, sizeof *pitch);

    (void)item;
    *pitch = (struct pitch){
        .marks = vg_marks_find(source, keep, tmp), .taps = make_taps(keep), .hann = make_hann(keep)};
    return pitch;
}

/* The clip between its samples; 0 beyond it. */
static double sample_at(const struct pitch *pitch, const struct vg_clip *clip, double at)
{
    double below = floor(at);
    const double *taps = pitch->taps + (size_t)vg_round_even((at - below) * PHASES) * 2 * TAPS;
    ptrdiff_t first = (ptrdiff_t)below - TAPS + 1;
    double sum = 0;

    if (first < 0 || first + 2 * TAPS > (ptrdiff_t)clip->frames)
        return 0;
    for (ptrdiff_t i = 0; i < 2 * TAPS; i++)
        sum += taps[i] * clip->samples[first + i];
    return sum;
}

/* Adds the surroundings of a mark at another place; `pace` samples are read for one written. */
static void add_grain(const struct pitch *pitch, const struct vg_clip *clip, const struct vg_mark *mark,
                      double before, double place, double pace, double *out)
{
    double left = before / pace, right = mark->period / pace;
    ptrdiff_t from = (ptrdiff_t)ceil(place - left), to = (ptrdiff_t)floor(place + right);

    for (ptrdiff_t k = from > 0 ? from : 0; k <= to && k < (ptrdiff_t)clip->frames; k++) {
        double away = (double)k - place, t = away < 0 ? -away / left : away / right;

        out[k] += hann_at(pitch, t < 1 ? t : 1) * sample_at(pitch, clip, mark->at + away * pace);
    }
}

/* From the source into what was made of it, and back: within the stretch's first and last period. */
static void blend(const struct vg_mark *first, const struct vg_mark *last, const double *made, double *out)
{
    double on = first->at, off = last->at;

    for (size_t k = (size_t)ceil(on); (double)k < off; k++) {
        double in = ((double)k - on) / first->period, away = (off - (double)k) / last->period;
        double share = in < away ? in : away;

        out[k] += (made[k] - out[k]) * (share < 1 ? share : 1);
    }
}

struct stretch {
    const struct vg_mark *mark;
    size_t count;
};

static void shift_stretch(const struct pitch *pitch, const struct vg_loaded *source,
                          const struct vg_course *course, struct stretch stretch, double *made)
{
    const struct vg_mark *mark = stretch.mark;
    double voice_least = source->clip.rate_hz / VOICE_MAX_HZ;
    size_t near = 0;

    for (double place = mark[0].at; place <= mark[stretch.count - 1].at;) {
        double ratio, period;

        while (near + 1 < stretch.count && mark[near + 1].at - place < place - mark[near].at)
            near++;
        period = mark[near].period;
        ratio = vg_exp2((vg_course_at(course, place) - course->reach / 2) / 12);
        add_grain(pitch, &source->clip, &mark[near], near > 0 ? mark[near - 1].period : period, place,
                  period < voice_least ? ratio : 1, made);
        place += period / ratio;
    }
}

static void shift(const struct pitch *pitch, const struct vg_loaded *source, const struct vg_course *course,
                  double *out, struct vg_arena *tmp)
{
    double *made = vg_arena_take_zero(tmp, source->clip.frames, sizeof *made);

    for (size_t first = 0, end; first < pitch->marks.count; first = end) {
        const struct vg_mark *mark = pitch->marks.at + first;

        for (end = first + 1; !pitch->marks.at[end - 1].last;)
            end++;
        shift_stretch(pitch, source, course, (struct stretch){mark, end - first}, made);
        blend(mark, &mark[end - first - 1], made, out);
    }
}

static void apply(const struct vg_item *item, const struct vg_loaded *source, const void *shared,
                  struct vg_rendered *out, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_course course = vg_course_of(item, source);
    struct vg_track own = vg_track_of(source, tmp), track = own;

    if (course.reach > 0) {
        track = vg_track_of(source, tmp);
        shift(shared, source, &course, track.at, tmp);
        vg_level_match(own.at, track.at, track.frames, source->clip.rate_hz, vg_item_fixed(item, MATCH), tmp);
        vg_track_one_peak(&track, source, tmp);
    }
    vg_track_finish(&track, item, source, out, keep);
}

const struct vg_transform vg_true_voice_pitch = {
    .words = {.name = "voice_pitch", .tier = vg_true_tier, .fixed = fixed_keys, .check = check},
    .analyse = analyse,
    .apply = apply,
};
