/* SPDX-License-Identifier: MIT */
/* pack-sources: every source of a spec, decoded, in one file to build from on any machine. */
#include "command.h"

struct packing {
    struct vg_work *work;
    struct vg_call *call;
    struct vg_shard *shard;
    struct slot { /* one source under way */
        struct vg_arena arena;
        struct vg_text flac, json;
        struct vg_error err;
        bool skipped;
    } * slots; /* [window] */
    size_t window, sound_count, bad;
    struct vg_progress progress;
};

static const char *sentence_of(const struct vg_error *err)
{
    for (size_t i = 0; i < err->count; i++)
        if (err->issues[i].code != VG_OK)
            return err->issues[i].sentence;
    return "unknown";
}

static int work(void *context, unsigned worker, size_t index)
{
    struct packing *packing = context;
    struct slot *slot = &packing->slots[index % packing->window];
    const struct vg_spec *spec = &packing->work->spec;
    const struct vg_source *source = &packing->work->sources.at[index];
    struct vg_arena_mark empty = {0};
    struct vg_loaded loaded;
    const char *reason = NULL;
    int rc;

    (void)worker;
    vg_arena_rewind(&slot->arena, empty);
    rc = vg_source_load(spec, source, &loaded, &slot->arena, &slot->err);
    slot->skipped = rc == VG_SOURCE && spec->on_bad_source == VG_POLICY_SKIP;
    if (rc != VG_OK && !slot->skipped)
        return VG_OK; /* told by done(), which lists every bad source */
    if (slot->skipped)
        reason = vg_source_reason(spec, source, sentence_of(&slot->err), &slot->arena);
    vg_source_pack(spec, source, &loaded, reason, &slot->flac, &slot->json, &slot->err);
    return VG_OK;
}

static int add_members(struct packing *packing, const struct slot *slot, size_t index)
{
    struct vg_arena *arena = &packing->call->arena;
    const char *flac = vg_arena_format(arena, "source-%06zu.flac", index + 1);
    const char *json = vg_arena_format(arena, "source-%06zu.json", index + 1);
    struct vg_error *err = &packing->call->err;
    int rc = VG_OK;

    if (!slot->skipped)
        rc = vg_shard_add(packing->shard, flac, slot->flac.data, slot->flac.length, err);
    return rc == VG_OK ? vg_shard_add(packing->shard, json, slot->json.data, slot->json.length, err) : rc;
}

static int done(void *context, size_t index)
{
    struct packing *packing = context;
    struct slot *slot = &packing->slots[index % packing->window];
    int code = vg_error_code(&slot->err), rc = VG_OK;

    for (size_t i = 0; slot->skipped && i < slot->err.count; i++)
        slot->err.issues[i].code = VG_OK; /* a warning: the spec asked for it */
    packing->bad += code != VG_OK && !slot->skipped;
    packing->sound_count += code == VG_OK;
    vg_error_move(&packing->call->err, &slot->err);
    if (packing->bad == 0)
        rc = add_members(packing, slot, index);
    vg_progress_step(&packing->progress, index + 1);
    return rc;
}

static int pack_all(struct packing *packing, unsigned jobs)
{
    size_t count = packing->work->sources.count;
    int rc;

    packing->window = 2 * (size_t)jobs;
    packing->slots = vg_arena_take_zero(&packing->call->arena, packing->window, sizeof *packing->slots);
    vg_progress_begin(&packing->progress, packing->call, "sources", count);
    rc = vg_pool_run(&(struct vg_pool_job){packing, count, jobs, packing->window, work, done});
    vg_progress_end(&packing->progress);
    for (size_t i = 0; i < packing->window; i++) {
        vg_arena_release(&packing->slots[i].arena);
        vg_text_release(&packing->slots[i].flac);
        vg_text_release(&packing->slots[i].json);
        vg_error_release(&packing->slots[i].err);
    }
    return rc == VG_OK ? vg_error_code(&packing->call->err) : rc;
}

static int run(struct vg_call *call)
{
    const char *path = vg_call_text(call, "output", NULL);
    struct vg_work work_of = {0};
    struct packing packing = {.work = &work_of, .call = call};
    struct vg_shard_sums sums;
    int rc;

    if (path == NULL)
        return vg_fail(&call->err, VG_USAGE, "--output", "not given; expected -o FILE");
    rc = vg_work_plan(&work_of, call);
    if (rc == VG_OK)
        rc = vg_shard_create(&packing.shard, path, &call->err);
    if (rc == VG_OK)
        rc = pack_all(&packing, (unsigned)vg_call_count(call, "jobs", vg_pool_default_jobs()));
    if (rc == VG_OK)
        rc = vg_shard_commit(packing.shard, &sums, &call->err);
    vg_shard_release(packing.shard);
    if (rc != VG_OK)
        return rc;
    vg_say(call, "%s: %zu of %zu sources, %llu bytes, XXH128 %s", path, packing.sound_count,
           work_of.sources.count, (unsigned long long)sums.bytes, sums.xxh128);
    printf("%s  %s\n", sums.sha256, path);
    return VG_OK;
}

static const struct vg_option options[] = {
    {"output", 'o', "FILE", VG_OPTION_TEXT, "the pack, such as sources.tar.flac"},
    {0},
};

const struct vg_verb vg_verb_pack_sources = {
    .name = "pack-sources",
    .operands = "SPEC",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Write the decoded sources as a pack to rebuild from.",
    .details =
        "A pack is a tar of FLAC files, each with its facts as JSON; the same sources give the same bytes. "
        "`build SPEC --set source_pack=FILE` then gives the same release on any machine, whatever its "
        "decoders, "
        "and a spec of your own can name the pack as a source of kind `pack`. A line for `sha256sum -c` is "
        "printed on stdout.",
    .groups = VG_OPTIONS_SPEC | VG_OPTIONS_JOBS,
    .options = options,
    .run = run,
};
