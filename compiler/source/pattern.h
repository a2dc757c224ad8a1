/* SPDX-License-Identifier: MIT */
/* Inside source: texts of a spec that count.  "{n}" stands for a named value, "{n:02}" for the same
 * padded with zeros to that width (1..9).  One entry of a spec names ten beeps this way. */
#ifndef VG_PATTERN_H
#define VG_PATTERN_H

#include "spec.h"

struct vg_pattern_value {
    const char *name;
    double value;     /* written in its shortest form: 700, 0.5 */
    const char *text; /* stands for it, as it is; NULL: the number does */
};
/* The pattern with every value filled in; it passed the check below. */
char *vg_pattern_fill(const char *pattern, const struct vg_pattern_value *values, size_t count,
                      struct vg_arena *arena);
/* Does the pattern hold the named value? */
bool vg_pattern_holds(const char *pattern, const char *name);
/* Report a placeholder of the text map.key that is none of `names`, or is badly formed.  A missing key is
 * fine. */
void vg_pattern_check(const struct vg_node *map, const char *key, const char *const *names, size_t count,
                      struct vg_error *err);

#endif
