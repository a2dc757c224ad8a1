/* SPDX-License-Identifier: MIT */
/* The locales of a root: two releases of one locale side by side are refused, since nobody could say which of
 * them a selection was made from. */
#include "locales.h"

#include <string.h>

int vg_locales_add(struct vg_locales *locales, struct vg_corpus *corpus, const char *name, const char *folder,
                   const char *version)
{
    if (!vg_entry_lists(corpus->entry, "locales", name))
        return VG_OK;
    for (size_t i = 0; i < locales->count; i++)
        if (strcmp(locales->at[i].name, name) == 0)
            return vg_corpus_fail(corpus, "", "both %s and %s hold locale %s; keep one",
                                  locales->at[i].folder, folder, name);
    if (locales->count == locales->room) {
        struct vg_locale *at;

        locales->room = 2 * locales->room + 16;
        at = vg_arena_take(corpus->arena, locales->room, sizeof *at);
        if (locales->count > 0)
            memcpy(at, locales->at, locales->count * sizeof *at);
        locales->at = at;
    }
    locales->at[locales->count++] = (struct vg_locale){name, folder, version};
    return VG_OK;
}

int vg_locales_check(const struct vg_locales *locales, struct vg_corpus *corpus, const char *what)
{
    const struct vg_node *asked = vg_node_find(corpus->entry, "locales");
    int rc = VG_OK;

    if (asked == NULL && locales->count == 0)
        return vg_corpus_fail(corpus, "", "holds no %s; is it a folder or an archive of the corpus?", what);
    for (size_t i = 0; asked != NULL && i < asked->count; i++) {
        const struct vg_node *name = asked->entries[i].value;
        size_t k = 0;

        while (k < locales->count && strcmp(locales->at[k].name, name->text) != 0)
            k++;
        if (k == locales->count)
            rc = vg_node_fail(name, corpus->err, "%s holds no %s for locale %s", corpus->tree->root, what,
                              name->text);
    }
    return rc;
}
