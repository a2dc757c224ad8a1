/* SPDX-License-Identifier: MIT */
/* What the measures hear in items of `true-1`: two synthetic voices at five sample rates, each category's own
 * change, how it follows the course, and what else moves.  Bounds are the engine's promise; a looser one says
 * why. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "scene.h"
#include "true/true.h"

enum { RATES = 5, VOICES = 2, ITEMS = VOICES * SCENE_ITEMS };
static const uint32_t rates[RATES] = {8000, 16000, 22050, 44100, 48000};
static const size_t voices[VOICES] = {1, 3}; /* a baritone with fricatives, an alto without */

/* What is promised of one category. */
struct promise {
    double net_low, net_high; /* of the asked JNDs: bounds of the median of a tier */
    double trajectory;        /* median error from the plan, in the unit of P */
    double leakage_jnd;       /* median of each other quantity ... */
    unsigned intrinsic;       /* ... but these */
};
#define OF(quantity) (1u << VG_Q_##quantity)
static const struct promise promises[VG_QUANTITIES] = {
    [VG_Q_VOLUME] = {0.95, 1.05, 0.1, 0.5, 0},
    /* the time map is found by warping in steps of 10 ms: 2 ln % on a twelfth of the span */
    [VG_Q_SPEED] = {0.95, 1.05, 2.2, 0.5, 0},
    /* P of noise is all that does not follow the source sample by sample, which other periods do not */
    [VG_Q_PITCH] = {0.95, 1.05, 0.1, 0.5, OF(NOISE)},
    [VG_Q_NOISE] = {0.9, 1.1, 1, 0.5, 0},
    /* whole holds: 1, 2, 3 lie up to an octave apart.  Aliases are noise; holds are no longer than the frames
     * of 80 samples that 8 kHz gives the measures, and values that repeat have wider gaps */
    [VG_Q_DISTORTION] = {0.95, 1.05, 0.11, 0.5, OF(NOISE) | OF(ROUGHNESS) | OF(VIBRATION)},
    [VG_Q_ROUGHNESS] = {0.9, 1.1, 0.3, 0.5, OF(NOISE)}, /* a step's error is noise */
    [VG_Q_CLARITY] = {0.9, 1.1, 0.2, 0.5, OF(NOISE)},   /* what is taken away does not follow */
    /* within a frame of 10 ms the gain moves: P of noise takes that for noise, P of echo for late sound */
    [VG_Q_VIBRATION] = {0.9, 1.1, 0.02, 0.5, OF(NOISE) | OF(ECHO)},
    /* P identifies a filter only where the source has energy; between the harmonics of these voices it has
     * none, and a quarter to a half of the late energy is missed */
    [VG_Q_ECHO] = {0.6, 1.1, 1.3, 0.5, OF(NOISE) | OF(VIBRATION)},
};

struct bench {
    struct scene *scene;
    struct vg_arena arena, tmp;
    struct vg_margins margins;
    struct vg_source_list sources;
};

/* The spec with its voices at a rate. */
static void open_bench(struct bench *bench, uint32_t rate_hz)
{
    const char *set[6];
    struct vg_spec_options options = {.set = set, .set_count = 6};

    *bench = (struct bench){.scene = calloc(1, sizeof *bench->scene)};
    assert_non_null(bench->scene);
    for (size_t i = 0; i < 6; i++)
        set[i] = vg_arena_format(&bench->arena, "splits.test.sources.%zu.sample_rate_hz=%u", i, rate_hz);
    scene_load(bench->scene, vg_path_join(&bench->arena, getenv("VG_SPECS"), "true.yaml"), &options);
    vg_margins_read(&bench->margins, vg_node_find(bench->scene->spec.root, "measure"));
    scene_check(bench->scene,
                vg_sources_list(&bench->scene->spec, &bench->sources, &bench->arena, &bench->scene->err));
}

static void close_bench(struct bench *bench)
{
    void *scene = bench->scene;

    scene_close(&scene);
    vg_arena_release(&bench->arena);
    vg_arena_release(&bench->tmp);
}

/* ---- the plan, in the unit of P
 * ------------------------------------------------------------------------------ */

static double mean_power(const struct vg_loaded *loaded)
{
    double sum = 0;

    for (size_t k = loaded->span.on; k < loaded->span.off; k++)
        sum += (double)loaded->clip.samples[k] * loaded->clip.samples[k];
    return sum / (double)(loaded->span.off - loaded->span.on);
}

static double planned(size_t quantity, const struct vg_course *course, const struct vg_loaded *loaded,
                      double sample, struct vg_arena *tmp)
{
    double value = vg_course_at(course, sample), power = vg_power_above(vg_floor_power(loaded, tmp), value);

    switch (quantity) {
    case VG_Q_SPEED:
    case VG_Q_PITCH:
        return value - course->reach / 2;
    case VG_Q_NOISE: /* 1 LSB squared is P's own floor; a quarter of the frames lies lower */
        return 10 * log10((power + 1) / mean_power(loaded));
    case VG_Q_ROUGHNESS:
        return 12 * power > 1 ? log2(sqrt(12 * power)) : 0;
    case VG_Q_ECHO:
        return value - 35;
    default:
        return value;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, compare);
    return n > 0 ? (x[(n - 1) / 2] + x[n / 2]) / 2 : 0;
}

/* Median distance of the segments from the plan; volume and clarity stand over a constant of the source's. */
static double trajectory_error(size_t quantity, const struct vg_evidence *e, const struct vg_course *course,
                               const struct vg_loaded *loaded, struct vg_arena *tmp)
{
    double off[VG_SEGMENTS], sorted[VG_SEGMENTS], constant = 0;
    size_t n = 0;

    for (size_t s = 0; s < e->segments; s++) {
        double place = ((double)s + 0.5) / (double)e->segments,
               sample = (double)loaded->span.on + place * (double)(loaded->span.off - loaded->span.on);

        if (!isnan(e->trajectory[s]))
            off[n++] = e->trajectory[s] - planned(quantity, course, loaded, sample, tmp);
    }
    memcpy(sorted, off, sizeof sorted);
    if (quantity == VG_Q_VOLUME || quantity == VG_Q_CLARITY)
        constant = median(sorted, n);
    for (size_t s = 0; s < n; s++)
        off[s] = fabs(off[s] - constant);
    return median(off, n);
}

/* ---- one category at one rate
 * ----------------------------------------------------------------------------------- */

struct found {
    double net[3][ITEMS], error[ITEMS], leak[VG_QUANTITIES][ITEMS];
    size_t per_tier[3], count, unconfirmed;
};

static void measure_item(struct bench *bench, size_t quantity, const struct vg_item *item,
                         const struct vg_loaded *loaded, const struct vg_reference *reference,
                         struct found *found)
{
    struct vg_course course = vg_course_of(item, loaded);
    struct vg_evidence e[VG_QUANTITIES];
    char hex[VG_DIGEST_HEX];
    struct vg_rendered out = scene_digest(bench->scene, item, loaded, hex);
    struct vg_sound sound = {out.samples, out.frames, loaded->clip.rate_hz, out.on, out.off};
    int claimed = item->direction == VG_UP ? 1 : -1;

    vg_measure_paired(reference, &sound, &bench->margins, (1u << VG_QUANTITIES) - 1, e, &bench->tmp);
    assert_int_not_equal(vg_verdict_of(&e[quantity], claimed), VG_OPPOSED);
    found->unconfirmed += vg_verdict_of(&e[quantity], claimed) != VG_CONFIRMED;
    found->net[item->tier][found->per_tier[item->tier]++] =
        claimed * e[quantity].net_jnd / item->values[0].at[0];
    found->error[found->count] = trajectory_error(quantity, &e[quantity], &course, loaded, &bench->tmp);
    for (size_t q = 0; q < VG_QUANTITIES; q++)
        found->leak[q][found->count] = fabs(e[q].net_jnd);
    found->count++;
    vg_arena_rewind(&bench->tmp, (struct vg_arena_mark){0});
}

static void measure_voice(struct bench *bench, size_t voice, struct found found[VG_QUANTITIES])
{
    const struct vg_source *source = &bench->sources.at[voice];
    struct vg_arena keep = {0};
    struct vg_loaded loaded = {0};

    scene_check(bench->scene,
                vg_source_load(&bench->scene->spec, source, &loaded, &keep, &bench->scene->err));

    struct vg_sound sound = {loaded.clip.samples, loaded.clip.frames, loaded.clip.rate_hz, loaded.span.on,
                             loaded.span.off};
    const struct vg_reference *reference = vg_reference_make(&sound, &keep, &bench->tmp);
    for (size_t q = 0; q < VG_QUANTITIES; q++)
        for (size_t number = 0; number < SCENE_ITEMS; number++) {
            struct vg_item item = scene_item(bench->scene, vg_measures[q].name, source, number);

            measure_item(bench, q, &item, &loaded, reference, &found[q]);
        }
    vg_renderer_clear(&bench->scene->renderer);
    vg_arena_release(&keep);
}

static unsigned judge(size_t q, struct found *f)
{
    const struct promise *p = &promises[q];
    double error = median(f->error, f->count);
    unsigned faults = f->unconfirmed > 0;

    print_message("  %-17s net", vg_measures[q].name);
    for (size_t tier = 0; tier < 3; tier++) {
        double net = median(f->net[tier], f->per_tier[tier]);

        print_message(" %.2f", net);
        faults += !(net >= p->net_low && net <= p->net_high);
    }
    print_message("  error %.3f  leaks", error);
    faults += !(error <= p->trajectory);
    for (size_t other = 0; other < VG_QUANTITIES; other++) {
        double leak = median(f->leak[other], f->count);

        print_message(" %5.2f", leak);
        faults += other != q && (p->intrinsic >> other & 1) == 0 && leak > p->leakage_jnd;
    }
    print_message("%s\n", faults > 0 ? "  <- beyond its promise" : "");
    return faults;
}

static void test_items_are_what_they_claim(void **state)
{
    unsigned faults = 0;

    (void)state;
    for (size_t r = 0; r < RATES; r++) {
        struct bench bench;
        struct found *found = calloc(VG_QUANTITIES, sizeof *found);

        assert_non_null(found);
        open_bench(&bench, rates[r]);
        for (size_t v = 0; v < VOICES; v++)
            measure_voice(&bench, voices[v], found);
        print_message("%u Hz\n", rates[r]);
        for (size_t q = 0; q < VG_QUANTITIES; q++)
            faults += judge(q, &found[q]);
        close_bench(&bench);
        free(found);
    }
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_are_what_they_claim),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
