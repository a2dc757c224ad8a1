/* SPDX-License-Identifier: MIT */
/* Exact functions that are made of others, and what the whole room stands on: doubles that are computed as
 * doubles.  The elementary functions are in exact_trig.c, exact_arc.c, exact_exp.c and exact_log.c. */
#include "dsp.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static_assert(FLT_EVAL_METHOD == 0, "float and double must be computed in their own precision (no x87)");
static_assert(FLT_RADIX == 2 && DBL_MANT_DIG == 53 && FLT_MANT_DIG == 24, "IEEE 754 binary32 and binary64");

double vg_round_even(double x)
{
    return rint(x);
}

double vg_db_to_gain(double db)
{
    return vg_pow(10.0, db / 20.0);
}
