/* SPDX-License-Identifier: MIT */
/* audible: which sources `serve` can play beside the items made from them. */
#ifndef VG_AUDIBLE_H
#define VG_AUDIBLE_H

#include "command.h"
#include "serve.h"

/* The recipe in the release, and the sources of --sources, or those that the recipe makes out of numbers.  A
 * recipe that cannot be read is a warning: the page then shows less.  Everything lives in the call's arena.
 */
int vg_audible_find(struct vg_audible *audible, struct vg_call *call);

#endif
