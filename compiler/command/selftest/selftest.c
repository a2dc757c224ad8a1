/* SPDX-License-Identifier: MIT */
/* selftest: the determinism vectors on this machine.  Stops at the first that differs. */
#include "selftest.h"

#include <string.h>

static int run_vector(const struct vg_scene *scene, const struct vg_vector *vector, struct vg_text *listing,
                      char hex[VG_DIGEST_HEX], struct vg_error *err)
{
    struct vg_values values = {.listing = listing, .scene = scene, .err = err};
    int rc;

    vg_digest_init(&values.digest, VG_XXH128);
    rc = vector->fill(&values, vector->what);
    vg_digest_finish(&values.digest, hex);
    vg_arena_release(&values.keep);
    vg_arena_release(&values.tmp);
    return rc;
}

static char *name_of(struct vg_call *call, const struct vg_vector *vector)
{
    return vg_arena_format(&call->arena, "%s/%s", vector->room, vector->what);
}

static int compare(struct vg_call *call, size_t index, const char *name, const char *found)
{
    const struct vg_expected *expected = &vg_expected[index];

    if (index >= vg_expected_count || strcmp(expected->name, name) != 0)
        return vg_fail(&call->err, VG_NO, name,
                       "found %s; nothing is expected: write expected.c again with selftest --print", found);
    if (strcmp(expected->xxh128, found) != 0)
        return vg_fail(&call->err, VG_NO, name,
                       "found %s, expected %s: what this machine builds is not what others build; compare "
                       "`vocalgrad selftest --values \"%s\"` with another machine's",
                       found, expected->xxh128, name);
    return VG_OK;
}

static int run_all(struct vg_call *call, const struct vg_scene *scene, bool print)
{
    struct vg_digest all;
    char hex[VG_DIGEST_HEX];
    int rc = VG_OK;

    vg_digest_init(&all, VG_XXH128);
    for (size_t i = 0; rc == VG_OK && i < vg_vector_count; i++) {
        const char *name = name_of(call, &vg_vectors[i]);

        rc = run_vector(scene, &vg_vectors[i], NULL, hex, &call->err);
        if (rc == VG_OK && !print)
            rc = compare(call, i, name, hex);
        if (rc == VG_OK) {
            printf(print ? "    {\"%s\", \"%s\"},\n" : "%s %s ok\n", name, hex);
            fflush(stdout); /* should the next one crash, this one is told */
        }
        vg_digest_add(&all, hex, strlen(hex));
    }
    vg_digest_finish(&all, hex);
    if (rc == VG_OK && !print)
        printf("all %zu vectors %s ok\n", vg_vector_count, hex);
    return rc;
}

/* expected.c, whole. */
static int print_expected(struct vg_call *call, const struct vg_scene *scene)
{
    int rc;

    printf("/* SPDX-License-Identifier: MIT */\n"
           "/* What every vector must give on any machine: written by `vocalgrad selftest --print`. */\n"
           "#include \"selftest.h\"\n\n"
           "const struct vg_expected vg_expected[] = {\n");
    rc = run_all(call, scene, true);
    printf("};\nconst size_t vg_expected_count = sizeof vg_expected / sizeof *vg_expected;\n");
    return rc;
}

static int print_values(struct vg_call *call, const struct vg_scene *scene, const char *name)
{
    struct vg_text listing = {0};
    char hex[VG_DIGEST_HEX];
    int rc = VG_OK;
    size_t i = 0;

    while (i < vg_vector_count && strcmp(name_of(call, &vg_vectors[i]), name) != 0)
        i++;
    if (i == vg_vector_count)
        return vg_fail(&call->err, VG_USAGE, "--values", "no vector is called %s; see vocalgrad selftest",
                       name);
    rc = run_vector(scene, &vg_vectors[i], &listing, hex, &call->err);
    if (rc == VG_OK)
        rc = vg_print_out(call, &listing);
    vg_text_release(&listing);
    return rc;
}

static int run(struct vg_call *call)
{
    const char *values = vg_call_text(call, "values", NULL);
    struct vg_scene scene = {0};
    int rc = vg_scene_open(&scene, &call->err);

    if (rc == VG_OK && values != NULL)
        rc = print_values(call, &scene, values);
    else if (rc == VG_OK && vg_call_flag(call, "print"))
        rc = print_expected(call, &scene);
    else if (rc == VG_OK)
        rc = run_all(call, &scene, false);
    vg_scene_release(&scene);
    return rc;
}

static const struct vg_option options[] = {
    {"values", 0, "VECTOR", VG_OPTION_TEXT, "print every value of one vector, in hex, a line each"},
    {"print", 0, NULL, VG_OPTION_FLAG,
     "print what this machine finds as the source file of what is expected"},
    {0},
};

const struct vg_verb vg_verb_selftest = {
    .name = "selftest",
    .operands = "",
    .summary = "Check that this machine computes the same bits as every other.",
    .details =
        "Runs every exact function, generator, transform, source kind, category, measure and file writer "
        "over "
        "fixed arguments and compares the digests of the results with those that every machine must give.  "
        "Prints a line for each and one digest over all; exits 1 at the first that differs.",
    .options = options,
    .run = run,
};
