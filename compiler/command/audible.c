/* SPDX-License-Identifier: MIT */
/* A release holds no sources.  Of its own recipe only those are made again that come out of numbers alone:
 * what else a recipe names are files of this machine, and a release is not trusted to name them. */
#include "audible.h"
#include "embedded.h"

#include <string.h>

static struct vg_spec *load_spec(struct vg_call *call, const char *path, const char *pack,
                                 struct vg_error *err)
{
    struct vg_vocabulary vocabulary = vg_vocabulary_make(&call->arena);
    struct vg_spec_options options = {.embedded = vg_embedded_specs,
                                      .embedded_count = vg_embedded_spec_count};
    struct vg_spec *spec = vg_arena_take_zero(&call->arena, 1, sizeof *spec);
    const char *set = vg_arena_format(&call->arena, "source_pack=%s", pack != NULL ? pack : "");

    options.set = &set;
    options.set_count = pack != NULL;
    return vg_spec_load(spec, path, &options, &vocabulary, &call->arena, err) == VG_OK ? spec : NULL;
}

static const struct vg_source_kind *kind_of(const struct vg_spec_source *entry)
{
    for (size_t i = 0; i < vg_source_kind_count; i++)
        if (strcmp(vg_source_kinds[i]->words.name, entry->words->name) == 0)
            return vg_source_kinds[i];
    return NULL;
}

static void list_made(const struct vg_spec *spec, struct vg_source_list *list, struct vg_call *call)
{
    struct vg_error err = {0};

    for (size_t s = 0; s < spec->split_count; s++)
        for (size_t i = 0; i < spec->splits[s].source_count; i++) {
            const struct vg_spec_source *entry = &spec->splits[s].sources[i];
            const struct vg_source_kind *kind = kind_of(entry);

            if (kind != NULL && !kind->recorded && !kind->complete)
                kind->list(spec, entry, s, list, &call->arena, &err);
        }
    vg_error_release(&err); /* what is not listed is not played */
}

static bool is_spec(const char *path)
{
    const char *dot = strrchr(path, '.');

    return strncmp(path, "embedded:", 9) == 0 ||
           (dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0));
}

/* --sources: all that the spec lists, the bad ones left out; or a pack, by the release's own recipe. */
static int list_given(struct vg_audible *audible, struct vg_source_list *list, const char *given,
                      const char *recipe, struct vg_call *call)
{
    struct vg_spec *spec = is_spec(given) ? load_spec(call, given, NULL, &call->err)
                                          : load_spec(call, recipe, given, &call->err);

    if (spec == NULL)
        return vg_error_code(&call->err);
    audible->spec = spec;
    spec->on_bad_source = VG_POLICY_FLAG;
    return vg_sources_list(spec, list, &call->arena, &call->err);
}

int vg_audible_find(struct vg_audible *audible, struct vg_call *call)
{
    const char *recipe = vg_path_join(&call->arena, call->operands[0], "spec.yaml"),
               *given = vg_call_text(call, "sources", NULL);
    struct vg_source_list *list = vg_arena_take_zero(&call->arena, 1, sizeof *list);
    struct vg_error err = {0};

    *audible = (struct vg_audible){.recipe = load_spec(call, recipe, NULL, &err), .list = list};
    if (audible->recipe == NULL)
        vg_warn(&call->err, recipe, "cannot be read (%s); what was asked for is not shown",
                err.count > 0 ? err.issues[0].sentence : "no reason given");
    vg_error_release(&err);
    if (given != NULL)
        return list_given(audible, list, given, recipe, call);
    audible->spec = audible->recipe;
    if (audible->spec != NULL)
        list_made(audible->spec, list, call);
    return VG_OK;
}
