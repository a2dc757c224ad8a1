/* SPDX-License-Identifier: MIT */
/* The nine quantities: what each needs to hear, in which order they are asked, and what their traces say as
 * evidence and verdict. */
#include "quantity.h"

#include <math.h>
#include <string.h>

const struct vg_measure vg_measures[VG_QUANTITIES] = {
    [VG_Q_VOLUME] = {"volume", "dB", "dB", "LU", "level over the source's, median of loud 10 ms frames",
                     "K-weighted level of 100 ms windows, 90 % quantile"},
    [VG_Q_SPEED] = {"speaking_speed", "ln %", "ln %", "ln %",
                    "slope of the time map between source and output",
                    "spectral change within 30 ms over that within 200 ms"},
    [VG_Q_PITCH] = {"voice_pitch", "semitones", "semitones", "semitones",
                    "period beside the source's, voiced frames",
                    "fundamental frequency re 100 Hz, Theil-Sen line"},
    [VG_Q_NOISE] = {"background_noise", "dB", "dB", "dB",
                    "what does not follow the source, re its span, 25 % quantile",
                    "quiet tenth of the windows re full scale, median of ten bands"},
    [VG_Q_DISTORTION] = {"audio_distortion", "octaves", "octaves", "octaves",
                         "samples a value is held, over the source's", "samples a value is held"},
    [VG_Q_ROUGHNESS] = {"audio_roughness", "bits", "dB", "bits",
                        "least step between sample values, over the source's",
                        "least step between sample values"},
    [VG_Q_CLARITY] = {"voice_clarity", "ERB", "ERB", "ERB",
                      "highest band kept within 8 dB of the gain at 400-800 Hz",
                      "highest band within 45 dB of the strongest, 90 % quantile"},
    [VG_Q_VIBRATION] = {"voice_vibration", "index", "index", "dB",
                        "amplitude modulation of the envelope over the source's",
                        "12-22 Hz part of the envelope over its local mean"},
    [VG_Q_ECHO] = {"echo", "dB", "dB", "share", "late part (8-300 ms) of the filter from the source, re dry",
                   "share of the cepstrum at 10-90 ms common to all windows"},
};

const char *const vg_verdict_names[4] = {"confirmed", "opposed", "no_change", "undecided"};

struct quantity {
    unsigned source_views, output_views, blind_views;
    bool laid; /* needs the source laid along the output */
    void (*paired)(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp);
    void (*blind)(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp);
};
static const struct quantity quantities[VG_QUANTITIES] = {
    [VG_Q_VOLUME] = {0, 0, 0, true, vg_volume_paired, vg_volume_blind},
    [VG_Q_SPEED] = {0, 0, VG_VIEW_BANDS, false, vg_tempo_paired, vg_tempo_blind},
    [VG_Q_PITCH] = {VG_VIEW_VOICE, VG_VIEW_LOW, VG_VIEW_VOICE, false, vg_pitch_paired, vg_pitch_blind},
    [VG_Q_NOISE] = {0, 0, VG_VIEW_BANDS, true, vg_noise_paired, vg_noise_blind},
    [VG_Q_DISTORTION] = {VG_VIEW_HOLD, VG_VIEW_HOLD, VG_VIEW_HOLD, false, vg_hold_paired, vg_hold_blind},
    [VG_Q_ROUGHNESS] = {VG_VIEW_GRID, VG_VIEW_GRID, VG_VIEW_GRID, false, vg_grid_paired, vg_grid_blind},
    [VG_Q_CLARITY] = {VG_VIEW_BANDS, VG_VIEW_BANDS, VG_VIEW_BANDS, false, vg_clarity_paired,
                      vg_clarity_blind},
    [VG_Q_VIBRATION] = {0, 0, 0, true, vg_vibration_paired, vg_vibration_blind},
    [VG_Q_ECHO] = {VG_VIEW_ROOM, VG_VIEW_LOW, VG_VIEW_LOW, true, vg_echo_paired, vg_echo_blind},
};

struct vg_reference {
    struct vg_heard heard;
};

static bool is_wanted(unsigned wanted, size_t quantity)
{
    return (wanted >> quantity & 1) != 0;
}

/* What a trace says, beyond `margin` or not. */
static struct vg_evidence conclude(const struct vg_trace *trace, double margin, double jnd)
{
    struct vg_evidence e = {.segments = trace->segments, .sign = 2};

    memcpy(e.trajectory, trace->at, sizeof e.trajectory);
    e.rank = vg_rank_trend(trace->at, trace->segments);
    if (trace->segments == 0 || !vg_known(trace->net))
        return e;
    e.net = trace->net;
    e.net_jnd = vg_known(trace->heard) ? trace->heard / jnd : 0;
    e.sign = fabs(e.net) <= margin ? 0 : e.net > 0 ? 1 : -1;
    return e;
}

static void say_nothing(unsigned wanted, struct vg_evidence evidence[VG_QUANTITIES])
{
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        if (is_wanted(wanted, q))
            evidence[q] = (struct vg_evidence){.sign = 2};
    }
}

/* Thirds of a span shorter than this are shorter than a syllable's vowel. */
#define SPAN_LEAST_SEC 0.2

static bool can_be_heard(const struct vg_heard *heard)
{
    return heard->power > 0 && (double)heard->span >= SPAN_LEAST_SEC * heard->sound.rate_hz;
}

/* The very same samples show no change, even where nothing could be measured on them. */
static bool is_unmodified(const struct vg_heard *source, const struct vg_heard *output)
{
    return output->x != NULL && source->span == output->span &&
           memcmp(source->x, output->x, source->span * sizeof *source->x) == 0;
}

static void no_change(unsigned wanted, const struct vg_heard *output,
                      struct vg_evidence evidence[VG_QUANTITIES])
{
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        if (is_wanted(wanted, q))
            evidence[q] =
                (struct vg_evidence){.segments = vg_segments_of(output->span, output->sound.rate_hz)};
    }
}

static void ask_paired(const struct vg_heard *source, struct vg_heard *output,
                       const struct vg_margins *margins, unsigned wanted,
                       struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp)
{
    struct vg_pair pair;
    unsigned views = 0;
    bool laid = false;

    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        views |= is_wanted(wanted, q) ? quantities[q].output_views : 0;
        laid |= is_wanted(wanted, q) && quantities[q].laid;
    }
    vg_pair_make(&pair, source, output, tmp);
    vg_heard_views(output, views | (laid && !pair.same_time ? VG_VIEW_LOW : 0), tmp, tmp);
    if (laid)
        vg_pair_lay(&pair, tmp);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        struct vg_trace trace = {.segments = vg_segments_of(output->span, output->sound.rate_hz)};
        struct vg_arena_mark mark = vg_arena_mark(tmp);

        if (!is_wanted(wanted, q))
            continue;
        quantities[q].paired(&pair, &trace, tmp);
        vg_arena_rewind(tmp, mark);
        evidence[q] = conclude(&trace, margins->of[q].paired, margins->of[q].jnd);
    }
}

static void ask_blind(struct vg_heard *sound, const struct vg_margins *margins, unsigned wanted,
                      struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp)
{
    unsigned views = 0;

    for (size_t q = 0; q < VG_QUANTITIES; q++)
        views |= is_wanted(wanted, q) ? quantities[q].blind_views : 0;
    vg_heard_views(sound, views, tmp, tmp);
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        struct vg_trace trace = {.segments = vg_segments_of(sound->span, sound->sound.rate_hz)};
        struct vg_arena_mark mark = vg_arena_mark(tmp);

        if (!is_wanted(wanted, q))
            continue;
        quantities[q].blind(sound, &trace, tmp);
        vg_arena_rewind(tmp, mark);
        evidence[q] = conclude(&trace, margins->of[q].blind, 1);
        evidence[q].net_jnd = 0;
    }
}

void vg_sound_follow(struct vg_sound *output, const struct vg_sound *source)
{
    size_t off = source->off < source->frames ? source->off : source->frames, after = source->frames - off;

    if (off <= source->on)
        after = 0;
    output->on = off <= source->on ? 0 : source->on;
    output->off = output->frames > after ? output->frames - after : 0;
    if (output->off <= output->on) {
        output->on = 0;
        output->off = output->frames;
    }
}

/* One span fits better than another at once where its levels lie this much closer. */
#define CLEARLY_BETTER 0.7

/* Does the first of two hearings of an output fit the source better?  Where the levels do not say, because
 * the time itself has changed, the warped maps do. */
static bool fits_better(const struct vg_heard *source, struct vg_heard *a, struct vg_heard *b,
                        struct vg_arena *tmp)
{
    double by_a = vg_pair_level_distance(source, a), by_b = vg_pair_level_distance(source, b);
    struct vg_warp warp_a, warp_b;

    if (by_a < CLEARLY_BETTER * by_b || by_b < CLEARLY_BETTER * by_a)
        return by_a < by_b;
    vg_heard_views(a, VG_VIEW_BANDS, tmp, tmp);
    vg_heard_views(b, VG_VIEW_BANDS, tmp, tmp);
    if (!vg_warp_make(&warp_a, &source->bands, &a->bands, tmp))
        return false;
    return !vg_warp_make(&warp_b, &source->bands, &b->bands, tmp) || warp_a.distance < warp_b.distance;
}

/* The output with the better of its own span and the one that follows the source. */
static struct vg_sound place(const struct vg_heard *source, const struct vg_sound *output,
                             struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct vg_sound given = *output, follows = *output;
    struct vg_heard a, b;
    bool better;

    vg_sound_follow(&follows, &source->sound);
    if (given.off <= given.on || given.off > given.frames ||
        (given.on == follows.on && given.off == follows.off))
        return follows;
    vg_heard_make(&a, &given, 0, VG_HEARD_BORROWS, tmp, tmp);
    vg_heard_make(&b, &follows, 0, VG_HEARD_BORROWS, tmp, tmp);
    better = fits_better(source, &a, &b, tmp);
    vg_arena_rewind(tmp, mark);
    return better ? given : follows;
}

struct vg_reference *vg_reference_make(const struct vg_sound *source, struct vg_arena *keep,
                                       struct vg_arena *tmp)
{
    struct vg_reference *reference = vg_arena_take(keep, 1, sizeof *reference);
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    unsigned views = VG_VIEW_LOW | VG_VIEW_BANDS;

    vg_check(keep != tmp);
    for (size_t q = 0; q < VG_QUANTITIES; q++)
        views |= quantities[q].source_views;
    if (source->rate_hz >= VG_MEASURE_RATE_MIN_HZ)
        vg_heard_make(&reference->heard, source, views, VG_HEARD_COPIES, keep, tmp);
    else
        reference->heard = (struct vg_heard){.sound = *source};
    reference->heard.sound.samples = NULL; /* borrowed no longer */
    vg_arena_rewind(tmp, mark);
    return reference;
}

static bool is_comparable(const struct vg_heard *source, const struct vg_sound *output)
{
    return output->rate_hz >= VG_MEASURE_RATE_MIN_HZ && output->rate_hz == source->sound.rate_hz;
}

static void hear(struct vg_heard *heard, const struct vg_sound *sound, struct vg_arena *tmp)
{
    if (sound->rate_hz >= VG_MEASURE_RATE_MIN_HZ)
        vg_heard_make(heard, sound, 0, VG_HEARD_BORROWS, tmp, tmp);
    else
        *heard = (struct vg_heard){.sound = *sound};
}

static void compare(const struct vg_heard *source, struct vg_heard *output, const struct vg_margins *margins,
                    unsigned wanted, struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp)
{
    if (is_unmodified(source, output))
        no_change(wanted, output, evidence);
    else if (can_be_heard(source) && can_be_heard(output))
        ask_paired(source, output, margins, wanted, evidence, tmp);
    else
        say_nothing(wanted, evidence);
}

static void listen(struct vg_heard *sound, const struct vg_margins *margins, unsigned wanted,
                   struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp)
{
    if (can_be_heard(sound))
        ask_blind(sound, margins, wanted, evidence, tmp);
    else
        say_nothing(wanted, evidence);
}

void vg_measure_paired(const struct vg_reference *reference, const struct vg_sound *output,
                       const struct vg_margins *margins, unsigned wanted,
                       struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct vg_sound sound;
    struct vg_heard heard;

    if (is_comparable(&reference->heard, output)) {
        sound = place(&reference->heard, output, tmp);
        hear(&heard, &sound, tmp);
        compare(&reference->heard, &heard, margins, wanted, evidence, tmp);
    } else {
        say_nothing(wanted, evidence);
    }
    vg_arena_rewind(tmp, mark);
}

void vg_measure_blind(const struct vg_sound *sound, const struct vg_margins *margins, unsigned wanted,
                      struct vg_evidence evidence[VG_QUANTITIES], struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct vg_heard heard;

    hear(&heard, sound, tmp);
    listen(&heard, margins, wanted, evidence, tmp);
    vg_arena_rewind(tmp, mark);
}

void vg_measure_both(const struct vg_reference *reference, const struct vg_sound *output,
                     const struct vg_margins *margins, unsigned wanted,
                     struct vg_evidence paired[VG_QUANTITIES], struct vg_evidence blind[VG_QUANTITIES],
                     struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    bool comparable = is_comparable(&reference->heard, output);
    struct vg_sound sound = comparable ? place(&reference->heard, output, tmp) : *output;
    struct vg_heard heard;

    hear(&heard, &sound, tmp);
    if (comparable)
        compare(&reference->heard, &heard, margins, wanted, paired, tmp);
    else
        say_nothing(wanted, paired);
    listen(&heard, margins, wanted, blind, tmp);
    vg_arena_rewind(tmp, mark);
}

enum vg_verdict vg_verdict_of(const struct vg_evidence *paired, int claimed)
{
    if (paired->sign == 0)
        return VG_NO_CHANGE;
    if (paired->sign == 2)
        return VG_UNDECIDED;
    return paired->sign == claimed ? VG_CONFIRMED : VG_OPPOSED;
}

enum vg_verdict vg_verdict_judged(const struct vg_evidence *paired, const struct vg_evidence *blind,
                                  const struct vg_margin *margin, int claimed)
{
    enum vg_verdict verdict = vg_verdict_of(paired, claimed);

    return verdict == VG_CONFIRMED && margin->gate && blind->sign == -claimed ? VG_UNDECIDED : verdict;
}
