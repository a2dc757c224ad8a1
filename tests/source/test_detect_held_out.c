/* SPDX-License-Identifier: MIT */
/* The robust detector on speech, noise, hum and clicks that it was not tuned on (speech_held_out.h), the
 * paper's beside it: every speech at every noise level, at 8, 16, 22.05, 44.1 and 48 kHz in turn.  VG_DRAWS:
 * scenes for each.  VG_FRESH: on a third set, other recordings of the same speakers and other seeds. */
#include "speech_held_out.h"

enum { LEVELS = 6, RATES = 5 };
static const double levels_db[LEVELS] = {99, 40, 30, 20, 10, 5};
static const uint32_t rates_hz[RATES] = {8000, 16000, 22050, 44100, 48000};

/* How often each detector is right, by what a scene is made of. */
struct results {
    struct tally robust[LEVELS], old[LEVELS], sure[5];
    struct tally by_rate[2][RATES], by_noise[2][HELD_NOISES]; /* at 20 dB and above, below */
};

static void add_tally(struct tally *sum, const struct tally *more)
{
    sum->count += more->count;
    sum->within_50 += more->within_50;
    sum->within_100 += more->within_100;
    sum->heard += more->heard;
    sum->heard_100 += more->heard_100;
}

/* What one scene gave. */
struct outcome {
    size_t level, rate, noise;
    struct tally robust, old, sure[5];
};

static void add_outcome(struct results *results, const struct outcome *o)
{
    size_t low = levels_db[o->level] < 20;

    add_tally(&results->by_rate[low][o->rate], &o->robust);
    add_tally(&results->by_noise[low][o->noise], &o->robust);
    add_tally(&results->robust[o->level], &o->robust);
    results->robust[o->level].confidence += o->robust.confidence;
    add_tally(&results->old[o->level], &o->old);
    for (size_t i = 0; i < 5; i++)
        add_tally(&results->sure[i], &o->sure[i]);
}

/* One speech at all rates, each made when it is first asked for. */
struct at_rates {
    const struct speech *speech;
    struct speech other[RATES];
    struct vg_arena arena;
};

static const struct speech *speech_at(struct at_rates *rates, size_t rate)
{
    if (rates->other[rate].x == NULL)
        rates->other[rate] = rates_hz[rate] == rates->speech->rate_hz
                                 ? *rates->speech
                                 : at_rate(rates->speech, rates_hz[rate], &rates->arena);
    return &rates->other[rate];
}

static struct outcome try_speech(struct at_rates *rates, size_t level, size_t draw, const char *key)
{
    struct outcome o = {.level = level, .rate = draw % RATES, .noise = draw / RATES % HELD_NOISES};
    struct vg_arena tmp = {0};
    struct scene scene = {.snr_db = levels_db[level]};
    struct vg_random random;

    vg_random_seed(&random, vg_random_entropy(key));
    scene.speech = speech_at(rates, o.rate);
    held_scene_make(&scene, (enum held_noise)o.noise, &random, &tmp);
    try_scene(&scene, &o.robust, &o.old, o.sure, &tmp);
    vg_arena_release(&tmp);
    return o;
}

static void print_results(const struct results *results)
{
    static const char *const noises[] = {"white", "pink", "white, hum, clicks", "pink, hum, clicks"};

    print_head();
    for (size_t level = 0; level < LEVELS; level++)
        print_row(levels_db[level], &results->robust[level], &results->old[level]);
    printf("%19s  from 20 dB: within 50 ms | 10 and 5 dB: within 100 ms\n", "");
    for (size_t i = 0; i < RATES; i++)
        printf("%16u Hz %26.1f | %26.1f\n", (unsigned)rates_hz[i],
               percent(results->by_rate[0][i].within_50, results->by_rate[0][i].count),
               percent(results->by_rate[1][i].within_100, results->by_rate[1][i].count));
    for (size_t i = 0; i < HELD_NOISES; i++)
        printf("%19s %26.1f | %26.1f\n", noises[i],
               percent(results->by_noise[0][i].within_50, results->by_noise[0][i].count),
               percent(results->by_noise[1][i].within_100, results->by_noise[1][i].count));
    print_sure(results->sure);
}

static void print_set(struct held_out *set)
{
    static const int thresholds_db[] = {15, 25};
    size_t certain = 0;

    for (size_t i = 0; i < set->count; i++)
        certain += set->certain[i];
    printf(
        "%zu clips of %zu voices, %zu of certain bounds; left out: %zu noisy, %zu shorter than a third of a "
        "second\n",
        set->count, set->voices, certain, set->noisy, set->short_ones);
    for (size_t i = 0; i < 2 && set->moved > 0; i++) {
        qsort(set->moved_sec[i], set->moved, sizeof **set->moved_sec, compare_levels);
        printf("with a threshold of %d dB, half of the bounds move by %.0f ms or less, nine in ten by %.0f\n",
               thresholds_db[i], 1000 * set->moved_sec[i][set->moved / 2],
               1000 * set->moved_sec[i][set->moved * 9 / 10]);
    }
}

/* At 5 dB the goal is the 95 % that the other set holds.  It is not reached here: 83.5 % of all clips, 91.4 %
 * of those whose bounds can be heard, 93.5 % of those with certain bounds, 95.8 % of those with both; most of
 * what is missed are weak ends, taken for background too early.  The last two bounds only keep it from
 * getting worse. */
static void check_results(const struct results *all)
{
    struct tally high = {0};

    for (size_t level = 0; level < LEVELS; level++)
        if (levels_db[level] >= 20)
            add_tally(&high, &all->robust[level]);
    assert_true(percent(high.within_50, high.count) >= 98);
    assert_true(percent(all->robust[3].within_50, all->robust[3].count) >= 98); /* at 20 dB alone */
    assert_true(percent(all->robust[LEVELS - 1].within_100, all->robust[LEVELS - 1].count) >= 82);
    assert_true(percent(all->robust[LEVELS - 1].heard_100, all->robust[LEVELS - 1].heard) >= 90);
}

static void speech_that_was_never_tuned_on(void **state)
{
    static struct held_out set;
    static struct results all, certain;
    struct fixture *f = *state;
    const char *text = getenv("VG_DRAWS");
    bool fresh = getenv("VG_FRESH") != NULL;
    int64_t draws = 0;

    if (text == NULL || !vg_integer_parse(text, &draws))
        draws = 2;
    held_out_read(f, &set, fresh ? HELD_A_VOICE : 0);
    print_set(&set);
    for (size_t i = 0; i < set.count; i++) {
        struct at_rates rates = {.speech = &set.at[i]};

        for (size_t level = 0; level < LEVELS; level++)
            for (size_t draw = 0; draw < (size_t)draws; draw++) {
                struct outcome o = try_speech(&rates, level, i * (size_t)draws + level * 7 + draw * 9,
                                              vg_arena_format(&f->arena, "%s:%zu:%zu:%zu",
                                                              fresh ? "fresh" : "held out", i, level, draw));

                add_outcome(&all, &o);
                if (set.certain[i])
                    add_outcome(&certain, &o);
            }
        vg_arena_release(&rates.arena);
    }
    print_results(&all);
    printf("\nof those, what has bounds that another threshold does not move by more than 50 ms:\n");
    print_results(&certain);
    check_results(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(speech_that_was_never_tuned_on, fixture_open, fixture_close),
    };

    if (!vg_folder_exists(getenv("VG_SHARED") != NULL ? getenv("VG_SHARED") : "")) {
        printf("skipped: the recordings come from ../shared/corpora\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
