/* SPDX-License-Identifier: MIT */
/* What the recipe asks along the span, in the unit that the paired measure answers in.  paper-1 moves a
 * parameter from a start to an end value; true-1 moves the attribute itself, in its own unit, from wherever
 * the source stands.  An engine that is not here has no asked course, and the page says so. */
#include "study.h"

#include <math.h>
#include <string.h>

struct asking {
    double from, to; /* the tier's numbers */
    double rate_hz;
};

static double number_in(const struct vg_key_rule *rules, const struct vg_value *values, const char *name)
{
    for (size_t i = 0; rules != NULL && rules[i].name != NULL; i++)
        if (strcmp(rules[i].name, name) == 0 && values[i].count == 1)
            return values[i].at[0];
    return NAN;
}

/* ---- paper-1: progress p from the start of `up` to its end --------------------------------------------- */

#define NONE_DB (-70.0) /* softer noise is drawn as this */
#define NO_ECHO_DB (-35.0)
#define BITS_FLOOR 2.0

static double swing(const struct asking *a, double p)
{
    return a->to * (2 * p - 1);
}

static double rate_change(const struct asking *a, double p)
{
    return 100 * vg_log(1 + swing(a, p));
}

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

static double noise_level(const struct asking *a, double p)
{
    return at_least(vg_gain_to_db(a->to * p), NONE_DB);
}

/* Values are held for whole samples. */
static double held_octaves(const struct asking *a, double p)
{
    double rate = vg_round_even(a->rate_hz + (a->to - a->rate_hz) * p);
    double hold = rate < a->rate_hz ? vg_round_even(a->rate_hz / rate) : 1;

    return vg_log2(at_least(hold, 1));
}

static double bits_lost(const struct asking *a, double p)
{
    return a->from - at_least(vg_round_even(a->from + (a->to - a->from) * p), BITS_FLOOR);
}

/* ERB-number of a frequency: Glasberg and Moore 1990. */
static double erb_kept(const struct asking *a, double p)
{
    double cutoff_hz = a->to + (a->rate_hz / 2 - a->to) * p;

    return 21.4 * vg_log10(1 + 0.00437 * cutoff_hz);
}

/* 1 - d/2 + d/2 sin: the swing over the mean. */
static double modulation(const struct asking *a, double p)
{
    return a->to * p / (2 - a->to * p);
}

/* Dry and wet have the same level. */
static double wet_level(const struct asking *a, double p)
{
    double wet = a->to * p;

    return at_least(vg_gain_to_db(wet / (1 - wet)), NO_ECHO_DB);
}

static const struct {
    const char *category, *tier, *fixed; /* names of the recipe's numbers; fixed: where it starts, or NULL */
    double (*at)(const struct asking *asking, double progress);
    const char *words;
} paper[] = {
    {"volume", "delta_gain_db", NULL, swing, "the gain"},
    {"speaking_speed", "delta_rate", NULL, rate_change,
     "the rate, as 100 times its natural logarithm; every joint takes its crossfade away, so that all of it "
     "is heard faster"},
    {"voice_pitch", "delta_steps", NULL, swing, "the shift"},
    {"background_noise", "noise_ratio_max", NULL, noise_level,
     "the RMS of the noise over that of the speech, drawn from -70 dB up"},
    {"audio_distortion", "effective_sr_min", NULL, held_octaves, "the samples that a value is held"},
    {"audio_roughness", "bit_depth_min", "bit_depth_max", bits_lost, "the bits taken away"},
    {"voice_clarity", "cutoff_min_hz", NULL, erb_kept,
     "the low-pass's cutoff; what is measured ends where the source's own band does"},
    {"voice_vibration", "depth_max", NULL, modulation,
     "the index of the tremolo; it slows down as it weakens, and slow swings are not counted as such"},
    {"echo", "wet_mix_max", NULL, wet_level,
     "the whole wet part over the dry, drawn from -35 dB up; the measure counts its echoes of 8 to 300 ms "
     "alone and stays below"},
};

static size_t find_paper(const char *category)
{
    size_t i = 0;

    while (i < sizeof paper / sizeof *paper && strcmp(paper[i].category, category) != 0)
        i++;
    return i;
}

static enum vg_asked_kind ask_paper(const struct vg_spec *spec, const struct vg_spec_category *category,
                                    size_t tier, enum vg_curve curve, bool backwards, uint32_t rate_hz,
                                    const double *t, double *value, size_t count)
{
    const struct vg_category *words = category->words;
    size_t i = find_paper(words->name);
    struct asking asking = {.rate_hz = rate_hz};

    if (i == sizeof paper / sizeof *paper)
        return VG_ASKED_UNKNOWN;
    asking.to = number_in(words->tier, category->tiers[tier], paper[i].tier);
    asking.from = paper[i].fixed != NULL ? number_in(words->fixed, category->fixed, paper[i].fixed) : 0;
    if (isnan(asking.to) || isnan(asking.from))
        return VG_ASKED_UNKNOWN;
    for (size_t k = 0; k < count; k++) {
        double p = vg_curve_progress(curve, spec->jump_at, t[k]);

        value[k] = paper[i].at(&asking, backwards ? 1 - p : p);
    }
    return VG_ASKED_VALUE;
}

/* ---- true-1: a net change; `down` is `up` run backwards in time ---------------------------------------- */

#define GLIDE_REACH 1.5 /* a jump moves by the net change, the other curves by half as much again */
#define LIFT_LEAST_DB                                                                                        \
    1.0 /* what lifts a floor by less is nearly nothing, and on its way to minus infinity                    \
         */

static double as_asked(double change)
{
    return change;
}

/* What is added to a floor to lift it, in dB over the floor. */
static double added_db(double lift_db)
{
    return lift_db >= LIFT_LEAST_DB ? 10 * vg_log10(vg_pow(10, lift_db / 10) - 1) : (double)NAN;
}

/* The same as the step of a grid whose noise it is: its power is step^2/12. */
static double added_bits(double lift_db)
{
    return lift_db >= LIFT_LEAST_DB ? 0.5 * vg_log2(vg_pow(10, lift_db / 10) - 1) : (double)NAN;
}

/* Categories whose course is a lift of the source's own floor, of which the measure hears what was added. */
static const struct {
    const char *category;
    double (*of)(double change);
    const char *words;
} lifts[] = {
    {"background_noise", added_db,
     "The recipe lifts the source's own floor; drawn is the noise that this takes, from 1 dB of lift on."},
    {"audio_roughness", added_bits,
     "The recipe lifts the source's own floor; drawn is the step whose noise does so, from 1 dB of lift on."},
};
enum { LIFTS = sizeof lifts / sizeof *lifts };

static size_t find_lift(const char *category)
{
    size_t i = 0;

    while (i < LIFTS && strcmp(lifts[i].category, category) != 0)
        i++;
    return i;
}

static enum vg_asked_kind ask_true(const struct vg_spec *spec, const struct vg_spec_category *category,
                                   size_t tier, enum vg_curve curve, bool backwards, const double *t,
                                   double *value, size_t count)
{
    const struct vg_category *words = category->words;
    size_t lift = find_lift(words->name);
    double (*of)(double change) = lift < LIFTS ? lifts[lift].of : as_asked;
    double net = number_in(words->tier, category->tiers[tier], "change_jnd") *
                 number_in(words->fixed, category->fixed, "jnd");

    if (isnan(net))
        return VG_ASKED_UNKNOWN;
    for (size_t k = 0; k < count; k++)
        value[k] = of(net * (curve == VG_JUMP ? 1 : GLIDE_REACH) *
                      vg_curve_progress(curve, spec->jump_at, backwards ? 1 - t[k] : t[k]));
    return VG_ASKED_CHANGE;
}

/* ---- any engine ---------------------------------------------------------------------------------------- */

enum vg_asked_kind vg_asked_course(const struct vg_spec *spec, size_t category, size_t tier,
                                   enum vg_curve curve, enum vg_direction direction, uint32_t rate_hz,
                                   const double *t, double *value, size_t count)
{
    const struct vg_spec_category *words = &spec->categories[category];

    if (strcmp(spec->engine->name, "paper-1") == 0)
        return ask_paper(spec, words, tier, curve, direction == VG_DOWN, rate_hz, t, value, count);
    if (strcmp(spec->engine->name, "true-1") == 0)
        return ask_true(spec, words, tier, curve, direction == VG_DOWN, t, value, count);
    return VG_ASKED_UNKNOWN;
}

const char *vg_asked_words(const struct vg_spec *spec, size_t category)
{
    const char *name = spec->categories[category].words->name, *engine = spec->engine->name;
    size_t own = find_paper(name), lift = find_lift(name);

    if (strcmp(engine, "paper-1") == 0 && own < sizeof paper / sizeof *paper)
        return paper[own].words;
    return strcmp(engine, "true-1") == 0 && lift < LIFTS ? lifts[lift].words : "";
}
