/* SPDX-License-Identifier: MIT */
/* The way from a path to a resolved spec: files, overrides, check, resolve, subset.  Faults of all steps are
 * gathered; what would need a sound tree is left out after a fault. */
#include "loading.h"

int vg_spec_load(struct vg_spec *spec, const char *path, const struct vg_spec_options *options,
                 const struct vg_vocabulary *vocabulary, struct vg_arena *arena, struct vg_error *err)
{
    static const struct vg_spec_options no_options;
    struct vg_error found = {0};
    struct vg_loading l = {spec, options != NULL ? options : &no_options, vocabulary, arena, &found, NULL};
    int rc;

    *spec = (struct vg_spec){.path = path != NULL ? path : "-", .vocabulary = *vocabulary};
    spec->folder = vg_path_folder(arena, spec->path);
    l.root = vg_extends_load(&l, spec->path);
    if (l.root != NULL) {
        const struct vg_only *only;

        vg_set_apply(&l);
        vg_spec_check(&l);
        only = vg_only_read(&l);
        if (vg_error_code(&found) == VG_OK) {
            vg_spec_resolve(&l);
            vg_only_apply(&l, only);
        }
    }
    rc = vg_error_code(&found);
    vg_error_move(err, &found);
    vg_error_release(&found);
    return rc;
}
