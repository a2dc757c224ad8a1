/* SPDX-License-Identifier: MIT */
/* K-weighted level beside EBU Tech 3341's minimum requirements (table 1 of versions 3 and 4), its signals
 * generated.  The measure gives the power of 5 ms; windows of 400 ms (M) and 3 s (S) and the gate of
 * BS.1770-4 (I) are the standard's, made here.
 *
 * Of the 23 signals these do not apply: 6, which has five channels, and the measure hears one; 7 and 8, which
 * are recorded programmes and cannot be generated; 15 to 23, which are of true peak, and nothing here
 * measures that.  All others are sines in two equal channels: twice the power of one. */
#include "sound.h"

#include "quantity.h"

enum { M_BLOCKS = 2 * VG_BLOCKS_PER_SEC / 5, S_BLOCKS = 3 * VG_BLOCKS_PER_SEC, PARTS_MAX = 64 };
#define TOLERANCE 0.1 /* the standard's, LU */
#define SILENCE (-200.0)

static const uint32_t rates[] = {48000, 32000, 16000, 8000}; /* 5 ms are whole samples */
enum { RATES = sizeof rates / sizeof *rates };

struct part {
    double dbfs, sec; /* peak level of a sine of 1 kHz */
};
struct meter {
    double *power; /* of every 5 ms, both channels */
    size_t blocks;
};

static struct meter hear(struct sounds *s, uint32_t rate_hz, const struct part *parts, size_t count)
{
    size_t hop = rate_hz / VG_BLOCKS_PER_SEC, k = 0;
    struct meter meter = {.blocks = 0};
    int16_t *x;

    for (size_t i = 0; i < count; i++)
        meter.blocks += (size_t)vg_round_even(parts[i].sec * VG_BLOCKS_PER_SEC);
    x = vg_arena_take(&s->arena, meter.blocks * hop, sizeof *x);
    meter.power = vg_arena_take(&s->arena, meter.blocks, sizeof *meter.power);
    for (size_t i = 0; i < count; i++) {
        size_t frames = (size_t)vg_round_even(parts[i].sec * VG_BLOCKS_PER_SEC) * hop;

        for (size_t n = 0; n < frames; n++, k++)
            x[k] = (int16_t)vg_round_even(32768 * vg_db_to_gain(parts[i].dbfs) *
                                          vg_sin(2 * VG_PI * 1000 * (double)(k % rate_hz) / rate_hz));
    }
    vg_loudness_power(x, meter.blocks, hop, rate_hz, meter.power);
    for (size_t i = 0; i < meter.blocks; i++)
        meter.power[i] *= 2;
    return meter;
}

/* Loudness of the window that ends with block `last`. */
static double window_lufs(const struct meter *meter, size_t window, size_t last)
{
    double sum = 0;

    assert_true(last + 1 >= window && last < meter->blocks);
    for (size_t k = last + 1 - window; k <= last; k++)
        sum += meter->power[k];
    return vg_loudness_lufs(sum / (double)window);
}

/* The loudest window that ends within from <= block < to. */
static double loudest_lufs(const struct meter *meter, size_t window, size_t from, size_t to)
{
    double loudest = SILENCE;

    for (size_t k = from < window ? window : from; k < to; k++)
        loudest = fmax(loudest, window_lufs(meter, window, k));
    return loudest;
}

/* BS.1770-4: blocks of 400 ms every 100 ms; above -70 LUFS, then above 10 LU less than what those have. */
static double gated_lufs(const struct meter *meter)
{
    double gate = -70, lufs = gate;

    for (int pass = 0; pass < 2; pass++) {
        double sum = 0, n = 0;

        for (size_t last = M_BLOCKS - 1; last < meter->blocks; last += VG_BLOCKS_PER_SEC / 10)
            if (window_lufs(meter, M_BLOCKS, last) > gate) {
                for (size_t k = last + 1 - M_BLOCKS; k <= last; k++)
                    sum += meter->power[k] / M_BLOCKS;
                n++;
            }
        assert_true(n > 0);
        lufs = vg_loudness_lufs(sum / n);
        gate = lufs - 10;
    }
    return lufs;
}

static void expect_steady(const struct meter *meter, size_t window, size_t from, double lufs)
{
    assert_true(from + 1 >= window);
    for (size_t k = from; k < meter->blocks; k++)
        expect_near(window_lufs(meter, window, k), lufs, TOLERANCE);
}

/* ---- signals
 * ------------------------------------------------------------------------------------------------------ */

static void signals_1_and_2(void **state)
{
    for (size_t r = 0; r < RATES; r++)
        for (int step = 0; step < 2; step++) {
            double dbfs = -23 - 10.0 * step;
            struct meter meter = hear(*state, rates[r], &(struct part){dbfs, 20}, 1);

            expect_steady(&meter, M_BLOCKS, VG_BLOCKS_PER_SEC, dbfs);
            expect_steady(&meter, S_BLOCKS, S_BLOCKS, dbfs);
            expect_near(gated_lufs(&meter), dbfs, TOLERANCE);
        }
}

static void signals_3_to_5(void **state)
{
    static const struct part third[] = {{-36, 10}, {-23, 60}, {-36, 10}},
                             fourth[] = {{-72, 10}, {-36, 10}, {-23, 60}, {-36, 10}, {-72, 10}},
                             fifth[] = {{-26, 20}, {-20, 20.1}, {-26, 20}};

    for (size_t r = 0; r < RATES; r++) {
        struct meter meter = hear(*state, rates[r], third, 3);

        expect_near(gated_lufs(&meter), -23, TOLERANCE);
        meter = hear(*state, rates[r], fourth, 5);
        expect_near(gated_lufs(&meter), -23, TOLERANCE);
        meter = hear(*state, rates[r], fifth, 3);
        expect_near(gated_lufs(&meter), -23, TOLERANCE);
    }
}

/* Two levels in turn that add up to -23 in every window. */
static void steady_in_turns(struct sounds *s, size_t window, size_t times, struct part loud,
                            struct part quiet, size_t from)
{
    for (size_t r = 0; r < RATES; r++) {
        struct part parts[PARTS_MAX];
        struct meter meter;

        assert_true(2 * times <= PARTS_MAX);
        for (size_t i = 0; i < times; i++) {
            parts[2 * i] = loud;
            parts[2 * i + 1] = quiet;
        }
        meter = hear(s, rates[r], parts, 2 * times);
        expect_steady(&meter, window, from, -23);
    }
}

static void signal_9(void **state)
{
    steady_in_turns(*state, S_BLOCKS, 5, (struct part){-20, 1.34}, (struct part){-30, 1.66}, S_BLOCKS);
}

static void signal_12(void **state)
{
    steady_in_turns(*state, M_BLOCKS, 25, (struct part){-20, 0.18}, (struct part){-30, 0.22},
                    VG_BLOCKS_PER_SEC);
}

/* A tone as long as the window, after 1 to 20 steps of silence, is found whole: signals 10 and 13. */
static void one_tone_each(struct sounds *s, size_t window, double tone_sec, double step_sec)
{
    for (size_t r = 0; r < RATES; r++)
        for (int n = 1; n <= 20; n++) {
            struct part parts[] = {{SILENCE, n * step_sec}, {-23, tone_sec}, {SILENCE, 1}};
            struct meter meter = hear(s, rates[r], parts, 3);

            expect_near(loudest_lufs(&meter, window, 0, meter.blocks), -23, TOLERANCE);
        }
}

static void signal_10(void **state)
{
    one_tone_each(*state, S_BLOCKS, 3, 0.15);
}

static void signal_13(void **state)
{
    one_tone_each(*state, M_BLOCKS, 0.4, 0.02);
}

/* Twenty tones in one signal, each 1 dB louder and later in its segment: signals 11 and 14. */
static void twenty_tones(struct sounds *s, size_t window, double tone_sec, double step_sec)
{
    for (size_t r = 0; r < RATES; r++) {
        struct part parts[3 * 20];
        struct meter meter;

        for (int n = 0; n < 20; n++) {
            parts[3 * n] = (struct part){SILENCE, n * step_sec};
            parts[3 * n + 1] = (struct part){-38 + n, tone_sec};
            parts[3 * n + 2] = (struct part){SILENCE, tone_sec - n * step_sec};
        }
        meter = hear(s, rates[r], parts, 3 * 20);
        assert_int_equal(meter.blocks, 20 * 2 * window);
        for (size_t n = 0; n < 20; n++)
            expect_near(loudest_lufs(&meter, window, 2 * window * n, 2 * window * (n + 1)), -38 + (double)n,
                        TOLERANCE);
    }
}

static void signal_11(void **state)
{
    twenty_tones(*state, S_BLOCKS, 3, 0.15);
}

static void signal_14(void **state)
{
    twenty_tones(*state, M_BLOCKS, 0.4, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(signals_1_and_2, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(signals_3_to_5, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(signal_9, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(signal_10, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(signal_11, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(signal_12, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(signal_13, sounds_open, sounds_close),
        cmocka_unit_test_setup_teardown(signal_14, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
