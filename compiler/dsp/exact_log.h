/* SPDX-License-Identifier: MIT */
/* The logarithm as a pair, private to dsp. */
#ifndef VG_EXACT_LOG_H
#define VG_EXACT_LOG_H

#include "exact_pair.h"

/* ln(x.hi + x.lo) for a finite positive x.hi and |x.lo| <= ulp(x.hi); relative error about 2^-74. */
struct pair exact_log(struct pair x);

#endif
