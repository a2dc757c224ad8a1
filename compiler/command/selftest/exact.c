/* SPDX-License-Identifier: MIT */
/* Vectors of the exact functions: each over thousands of arguments, half of them spread over the exponents
 * and half over an interval in which the compiler uses it. */
#include "dsp.h"
#include "selftest.h"

#include <string.h>

enum { ARGUMENTS = 4096 };

struct sweep {
    const char *name;
    double (*function)(double);
    int exponent_low, exponent_high; /* of the scaled arguments */
    bool negative;                   /* every other scaled argument is negated */
    double low, high;                /* of the uniform ones */
};
static const struct sweep sweeps[] = {
    {"sin", vg_sin, -1074, 1023, true, -400.0, 400.0},
    {"cos", vg_cos, -1074, 1023, true, -400.0, 400.0},
    {"exp", vg_exp, -60, 9, true, -40.0, 40.0},
    {"exp2", vg_exp2, -60, 10, true, -60.0, 60.0},
    {"log", vg_log, -1074, 1023, false, 0.5, 2.0},
    {"log2", vg_log2, -1074, 1023, false, 0.5, 2.0},
    {"log10", vg_log10, -1074, 1023, false, 0.5, 2.0},
    {"log1p", vg_log1p, -1074, 1023, false, -0.999, 3.0},
    {"db to gain", vg_db_to_gain, -60, 12, true, -120.0, 120.0},
    {"gain to db", vg_gain_to_db, -1074, 1023, false, 0.0, 4.0},
    {"round", vg_round_even, -4, 54, true, -4.0, 4.0},
};

static void run_sweep(struct vg_values *values, const struct sweep *sweep)
{
    uint64_t state = 4;

    for (int i = 0; i < ARGUMENTS / 2; i++) {
        double x = vg_argument_scaled(&state, sweep->exponent_low, sweep->exponent_high);

        vg_values_double(values, sweep->function(sweep->negative && i % 2 != 0 ? -x : x));
        vg_values_double(values, sweep->function(vg_argument_between(&state, sweep->low, sweep->high)));
    }
}

static void run_sincos(struct vg_values *values)
{
    for (int i = -ARGUMENTS / 2; i < ARGUMENTS / 2; i++) { /* at and around multiples of pi/8 */
        int eighths = i / 4;
        struct vg_sincos at = vg_sincos(eighths * (VG_PI / 8) + i % 4 * 0x1p-30);

        vg_values_double(values, at.sin);
        vg_values_double(values, at.cos);
    }
}

static void run_atan2(struct vg_values *values)
{
    static const double edges[] = {0.0, -0.0, 1.0, -1.0, 0x1p-1074, -0x1p1023};
    enum { EDGES = sizeof edges / sizeof *edges };
    uint64_t state = 5;

    for (int i = 0; i < EDGES * EDGES; i++)
        vg_values_double(values, vg_atan2(edges[i / EDGES], edges[i % EDGES]));
    for (int i = 0; i < ARGUMENTS; i++) {
        double y = vg_argument_between(&state, -1.0, 1.0), x = vg_argument_scaled(&state, -30, 30);

        vg_values_double(values, vg_atan2(y, i % 2 != 0 ? -x : x));
    }
}

static void run_pow(struct vg_values *values)
{
    uint64_t state = 6;

    for (int i = 0; i < ARGUMENTS; i++) {
        double base = vg_argument_scaled(&state, -40, 40);

        vg_values_double(values, vg_pow(base, vg_argument_between(&state, -20.0, 20.0)));
    }
}

int vg_fill_exact(struct vg_values *values, const char *what)
{
    if (strcmp(what, "sincos") == 0)
        run_sincos(values);
    else if (strcmp(what, "atan2") == 0)
        run_atan2(values);
    else if (strcmp(what, "pow") == 0)
        run_pow(values);
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++)
        if (strcmp(sweeps[i].name, what) == 0)
            run_sweep(values, &sweeps[i]);
    return VG_OK;
}
