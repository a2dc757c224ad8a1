/* SPDX-License-Identifier: MIT */
/* vocalgrad: the verb table.  Data flows spec -> plan -> source -> render -> measure -> pack; each verb in
 * command/ walks as much of that way as it needs. */
#include "command.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const struct vg_verb *const verbs[] = {
    &vg_verb_check,  &vg_verb_plan,    &vg_verb_render,   &vg_verb_build,
    &vg_verb_verify, &vg_verb_explain, &vg_verb_selftest, &vg_verb_pack_sources,
    &vg_verb_unpack, &vg_verb_diff,    &vg_verb_score,    &vg_verb_select,
    &vg_verb_merge,  &vg_verb_measure, &vg_verb_serve,    &vg_verb_report,
};
static const size_t verb_count = sizeof verbs / sizeof *verbs;

static void out_of_memory(size_t bytes)
{
    fprintf(stderr, "vocalgrad: out of memory: %zu bytes asked for; nothing was left under a final name\n",
            bytes);
    _Exit(-VG_IO);
}

static const struct vg_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < verb_count; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

static int unknown_verb(const char *name)
{
    const char *names[sizeof verbs / sizeof *verbs], *near;

    for (size_t i = 0; i < verb_count; i++)
        names[i] = verbs[i]->name;
    near = vg_nearest(name, names, verb_count);
    fprintf(stderr, "vocalgrad: unknown verb %s%s%s%s; see vocalgrad --help\n", name,
            near != NULL ? "; did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
    return -VG_USAGE;
}

static int run_verb(const struct vg_verb *verb, int argc, char **argv)
{
    struct vg_call call = {0};
    int rc = vg_call_parse(&call, verb, argc, argv);

    if (rc == VG_OK && vg_call_flag(&call, "help"))
        vg_help_print(verb);
    else if (rc == VG_OK)
        rc = verb->run(&call);
    if (rc == VG_OK)
        rc = vg_error_code(&call.err);
    vg_print_issues(&call.err);
    vg_arena_release(&call.arena);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "standard output: error: cannot write\n");
        rc = rc == VG_OK ? VG_IO : rc;
    }
    return -rc;
}

int main(int argc, char **argv)
{
    vg_memory_on_exhausted(out_of_memory);
    vg_memory_settle();
    setlocale(LC_CTYPE, "C.UTF-8"); /* for libarchive; numbers stay in the "C" locale */
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        vg_help_overview(verbs, verb_count);
        return argc < 2 ? -VG_USAGE : 0;
    }
    if (strcmp(argv[1], "--version") == 0)
        printf("vocalgrad " VG_VERSION "\n");
    else if (strcmp(argv[1], "--manual") == 0)
        vg_manual_print(verbs, verb_count);
    else if (strcmp(argv[1], "--completion") == 0)
        vg_completion_print(verbs, verb_count);
    else if (find_verb(argv[1]) == NULL)
        return unknown_verb(argv[1]);
    else
        return run_verb(find_verb(argv[1]), argc - 2, argv + 2);
    return fflush(stdout) == 0 ? 0 : -VG_IO;
}
