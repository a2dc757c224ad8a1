/* SPDX-License-Identifier: MIT */
/* fake: a small release for the tests of pack, from a real spec and plan, with made-up sound and evidence. */
#ifndef VG_TEST_FAKE_H
#define VG_TEST_FAKE_H

#include "pack.h"

enum { FAKE_SOURCES = 3, FAKE_ITEMS = 2 * 2 * 8 + 8 }; /* test: 2 sources x 2 categories; train: 1 x 1 */

struct fake {
    struct vg_arena arena;
    struct vg_error err;
    struct vg_spec spec;
    struct vg_text spec_text;
    struct vg_source_list sources;
    struct vg_plan plan;
    struct vg_source_row rows[FAKE_SOURCES + 1]; /* the last one was skipped */
    struct vg_record *records;                   /* all items, in plan order */
    struct vg_text *flacs;
    char *folder; /* a new empty folder, removed by fake_release */
};
/* `set`: overrides as --set has them, or NULL. */
void fake_init(struct fake *fake, const char *set);
void fake_release(struct fake *fake);
/* Builds the release in folder/`under`; returns what the step that failed returned. */
int fake_build(struct fake *fake, const char *under, bool replace);
/* Path of a file in the release built under `under`; in the arena. */
const char *fake_path(struct fake *fake, const char *under, const char *name);
/* The whole file, NUL-terminated, in the arena. */
char *fake_read(struct fake *fake, const char *path, size_t *count);
/* Does some diagnostic name `place` (a part of it) and say `words`? */
bool fake_told(const struct fake *fake, const char *place, const char *words);
/* Prints what was told: for a test that is about to fail. */
void fake_print(const struct fake *fake);

#endif
