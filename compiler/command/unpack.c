/* SPDX-License-Identifier: MIT */
/* unpack: a release laid out for other tools. */
#include "command.h"
#include "export.h"

#include <string.h>

static void show(void *context, size_t done, size_t total)
{
    (void)total;
    vg_progress_step(context, done);
}

static int read_options(struct vg_call *call, struct vg_unpack_options *options)
{
    const char *layout = vg_call_text(call, "layout", ""), *format = vg_call_text(call, "format", NULL);

    options->layout = vg_layout_find(layout);
    options->format = format;
    options->jobs = (unsigned)vg_call_count(call, "jobs", vg_pool_default_jobs());
    if (options->layout == NULL)
        return vg_fail(&call->err, VG_USAGE, "--layout",
                       "\"%s\" is no layout; expected paper, hub, flat or parquet", layout);
    if (format != NULL && strcmp(format, "flac") != 0 && strcmp(format, "wav") != 0)
        return vg_fail(&call->err, VG_USAGE, "--format", "\"%s\" is no format; expected flac or wav", format);
    if (vg_call_text(call, "output", NULL) == NULL)
        return vg_fail(&call->err, VG_USAGE, "unpack", "no folder given; expected -o DIR");
    return VG_OK;
}

static const char *without_slash(const char *folder, struct vg_arena *arena)
{
    size_t length = strlen(folder);

    while (length > 1 && folder[length - 1] == '/')
        length--;
    return vg_arena_text_part(arena, folder, length);
}

static int run(struct vg_call *call)
{
    struct vg_progress progress;
    struct vg_unpack_options options = {.progress = show, .context = &progress};
    struct vg_unpacked unpacked;
    struct vg_about about;
    const char *folder;
    int rc = read_options(call, &options);

    if (rc == VG_OK)
        rc = vg_about_read(&about, call->operands[0], &call->arena, &call->err);
    if (rc != VG_OK)
        return rc;
    folder = without_slash(vg_call_text(call, "output", NULL), &call->arena);
    vg_progress_begin(&progress, call, "unpack", about.items);
    rc = vg_unpack(call->operands[0], folder, &options, &unpacked, &call->err);
    vg_progress_end(&progress);
    if (rc != VG_OK)
        return rc;
    vg_say(call, "%s: %zu items in the layout %s", folder, unpacked.items, vg_layout_name(options.layout));
    if (unpacked.renamed > 0)
        vg_say(call,
               "%zu ids are no file names on every system as they stand; such a file's name ends with a "
               "hash, and "
               "the tables hold the id",
               unpacked.renamed);
    printf("%s\n", folder);
    return VG_OK;
}

static const struct vg_option options[] = {
    {"output", 'o', "DIR", VG_OPTION_TEXT, "folder to make; must not exist or be empty"},
    {"layout", 0, "NAME", VG_OPTION_TEXT, "paper, hub, flat or parquet"},
    {"format", 0, "NAME", VG_OPTION_TEXT, "flac or wav (default: wav for paper, flac for the others)"},
    {0},
};

const struct vg_verb vg_verb_unpack = {
    .name = "unpack",
    .operands = "RELEASE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Lay a release out in folders for other tools.",
    .details =
        "paper: <split>/<category>/audio/{up,down}/<item id>.wav with a manifest per category, and the "
        "published form, metadata.csv and audio/<category>__<item id>.wav.\n\n"
        "hub: a folder that Hugging Face's datasets loads without code.\n\n"
        "flat: metadata.csv and audio/NNN/<key>.flac.\n\n"
        "parquet: data/<split>-NNNNN-of-NNNNN.parquet with the sound inside, as the Hub stores it; needs "
        "DuckDB's C "
        "library, libduckdb.so, where the system finds it or VG_DUCKDB says.\n\n"
        "Every file is held against its digest. The folder appears whole or not at all; its path is "
        "printed on stdout.",
    .groups = VG_OPTIONS_JOBS,
    .options = options,
    .run = run,
};
