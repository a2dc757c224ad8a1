/* SPDX-License-Identifier: MIT */
/* Inside source: the locales that a root of Common Voice holds, each once, and those an entry asks for. */
#ifndef VG_LOCALES_H
#define VG_LOCALES_H

#include "corpus.h"

struct vg_locale {
    const char *name, *folder, *version; /* folder: below the tree's root */
};
struct vg_locales {
    struct vg_locale *at;
    size_t count, room;
};
/* Add one, unless the entry's key `locales` leaves it out; a locale met before is ambiguous. */
int vg_locales_add(struct vg_locales *locales, struct vg_corpus *corpus, const char *name, const char *folder,
                   const char *version);
/* Is there any, and every one that is asked for?  `what` a locale was looked for by: "LOCALE/test.tsv". */
int vg_locales_check(const struct vg_locales *locales, struct vg_corpus *corpus, const char *what);

#endif
