/* SPDX-License-Identifier: MIT */
/* Sources of which the engine cannot make what the spec asks, by three rules whose numbers the spec has. */
#include "course.h"
#include "true.h"

static double db_of(double power)
{
    return 10 * vg_log10(power);
}

/* In LSBs squared. */
static double span_power(const struct vg_loaded *source)
{
    double sum = 0;

    for (size_t k = source->span.on; k < source->span.off; k++)
        sum += (double)source->clip.samples[k] * source->clip.samples[k];
    return sum / (double)(source->span.off - source->span.on);
}

/* How far the split's noise and roughness lift the floor, dB; 0 where it has neither. */
static double highest_lift(const struct vg_spec *spec, size_t split)
{
    double highest = 0;

    for (size_t i = 0; i < spec->splits[split].category_count; i++) {
        const struct vg_spec_category *category = &spec->categories[spec->splits[split].categories[i]];
        double lift = vg_course_longest(spec, category);

        if (category->words != &vg_true_background_noise.words &&
            category->words != &vg_true_audio_roughness.words)
            continue;
        highest = lift > highest ? lift : highest;
    }
    return highest;
}

/* Two decimals, in words that live in the arena. */
static const char *decimal(double value, struct vg_arena *arena)
{
    struct vg_text text = {0};
    const char *kept;

    vg_text_add_fixed(&text, value, 2);
    kept = vg_arena_text(arena, text.data);
    vg_text_release(&text);
    return kept;
}

const char *vg_true_refuse(const struct vg_spec *spec, size_t split, const struct vg_loaded *source,
                           struct vg_arena *arena)
{
    const struct vg_value *rules = spec->trajectory;
    double span_sec = (double)(source->span.off - source->span.on) / source->clip.rate_hz,
           power = span_power(source), lift = highest_lift(spec, split), level_db, noise_db;

    if (span_sec < rules[VG_TRUE_SPAN_LEAST_SEC].at[0])
        return vg_arena_format(arena, "its speech lasts %s s, which is under span_least_sec",
                               decimal(span_sec, arena));
    level_db = power > 0 ? db_of(power / (32768.0 * 32768.0)) : -200;
    if (level_db < rules[VG_TRUE_LEVEL_LEAST_DB].at[0])
        return vg_arena_format(arena, "its speech has %s dB re full scale, which is under level_least_db",
                               decimal(level_db, arena));
    noise_db = db_of(vg_floor_power(source, arena) / power) + lift;
    if (lift > 0 && noise_db > rules[VG_TRUE_NOISE_MOST_DB].at[0])
        return vg_arena_format(arena,
                               "its floor lies %s dB below its speech: the noise of the highest tier would "
                               "come to %s dB, which is above noise_most_db",
                               decimal(db_of(power / vg_floor_power(source, arena)), arena),
                               decimal(noise_db, arena));
    return NULL;
}
