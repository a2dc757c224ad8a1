/* SPDX-License-Identifier: MIT */
/* The engines a spec can name.  A new one is a folder beside paper/ and a line here. */
#include "paper/paper.h"
#include "true/true.h"

const struct vg_engine *const vg_engines[] = {&vg_paper_engine, &vg_true_engine};
const size_t vg_engine_count = sizeof vg_engines / sizeof vg_engines[0];
