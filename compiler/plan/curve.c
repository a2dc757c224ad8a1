/* SPDX-License-Identifier: MIT */
/* Curves: how a parameter moves along the speech span (recipe.md "Curves"). */
#include "plan.h"

double vg_curve_progress(enum vg_curve curve, double jump_at, double t)
{
    t = t > 0.0 ? t : 0.0;
    t = t < 1.0 ? t : 1.0;
    switch (curve) {
    case VG_QUAD_FIRST_FLAT:
        return t * t;
    case VG_QUAD_LAST_FLAT:
        return 1.0 - (1.0 - t) * (1.0 - t);
    case VG_JUMP:
        return t < jump_at ? 0.0 : 1.0;
    case VG_LINEAR:
        break;
    }
    return t;
}

double vg_curve_at(enum vg_curve curve, double jump_at, double v0, double v1, double t)
{
    return v0 + (v1 - v0) * vg_curve_progress(curve, jump_at, t);
}

void vg_curve_fill(enum vg_curve curve, double jump_at, double v0, double v1, double *t, size_t count)
{
    double span = v1 - v0;

    switch (curve) {
    case VG_LINEAR:
        for (size_t k = 0; k < count; k++)
            t[k] = v0 + span * t[k];
        return;
    case VG_QUAD_FIRST_FLAT:
        for (size_t k = 0; k < count; k++)
            t[k] = v0 + span * (t[k] * t[k]);
        return;
    case VG_QUAD_LAST_FLAT:
        for (size_t k = 0; k < count; k++)
            t[k] = v0 + span * (1.0 - (1.0 - t[k]) * (1.0 - t[k]));
        return;
    case VG_JUMP:
        for (size_t k = 0; k < count; k++)
            t[k] = v0 + span * (t[k] < jump_at ? 0.0 : 1.0);
        return;
    }
}
