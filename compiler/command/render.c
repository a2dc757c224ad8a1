/* SPDX-License-Identifier: MIT */
/* render: one item, byte for byte what the full build packs; or a source, to be listened to. */
#include "command.h"

#include <string.h>

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);

    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

static int write_sound(struct vg_call *call, const struct vg_spec *spec, const char *path,
                       const int16_t *samples, size_t frames, uint32_t rate_hz)
{
    struct vg_text bytes = {0};
    int rc = VG_OK;

    if (ends_with(path, ".wav"))
        vg_wav_encode(samples, frames, rate_hz, &bytes);
    else
        rc = vg_flac_encode(samples, frames, rate_hz, spec->pack.compact, &bytes, path, &call->err);
    if (rc == VG_OK)
        rc = vg_file_put(path, bytes.data, bytes.length, &call->err);
    if (rc == VG_OK) {
        char hex[VG_DIGEST_HEX];

        vg_digest_of_samples(VG_XXH128, samples, frames, hex);
        vg_say(call, "%s: %zu frames at %u Hz, audio_xxh128 %s", path, frames, (unsigned)rate_hz, hex);
    }
    vg_text_release(&bytes);
    return rc;
}

static int render_item(struct vg_call *call, const struct vg_work *work, const char *path)
{
    struct vg_renderer renderer = {0};
    struct vg_loaded loaded = {0};
    struct vg_rendered out;
    struct vg_item item;
    int rc = vg_work_item(work, call, &item);

    if (rc == VG_OK)
        rc = vg_source_load(&work->spec, item.source, &loaded, &call->arena, &call->err);
    if (rc != VG_OK)
        return rc;
    vg_render(&renderer, &item, &loaded, &out, &call->arena);
    rc = write_sound(call, &work->spec, path, out.samples, out.frames, loaded.clip.rate_hz);
    vg_renderer_release(&renderer);
    return rc;
}

static int render_source(struct vg_call *call, const struct vg_work *work, const char *id, const char *path)
{
    struct vg_loaded loaded = {0};

    for (size_t i = 0; i < work->sources.count; i++) {
        int rc;

        if (strcmp(work->sources.at[i].id, id) != 0)
            continue;
        rc = vg_source_load(&work->spec, &work->sources.at[i], &loaded, &call->arena, &call->err);
        return rc != VG_OK ? rc
                           : write_sound(call, &work->spec, path, loaded.clip.samples, loaded.clip.frames,
                                         loaded.clip.rate_hz);
    }
    return vg_fail(&call->err, VG_USAGE, "--source", "no source has the id %s in %s", id, call->operands[0]);
}

static int run(struct vg_call *call)
{
    const char *path = vg_call_text(call, "output", NULL), *source = vg_call_text(call, "source", NULL);
    struct vg_work work = {0};
    int rc;

    if (path == NULL || (!ends_with(path, ".flac") && !ends_with(path, ".wav")))
        return vg_fail(&call->err, VG_USAGE, "--output", "%s; expected -o FILE.flac or -o FILE.wav",
                       path != NULL ? path : "not given");
    if ((source != NULL) == (call->operand_count == 2))
        return vg_fail(&call->err, VG_USAGE, "render", "expected either ITEM or --source ID");
    rc = vg_work_plan(&work, call);
    if (rc == VG_OK)
        rc = source != NULL ? render_source(call, &work, source, path) : render_item(call, &work, path);
    return rc;
}

static const struct vg_option options[] = {
    {"output", 'o', "FILE", VG_OPTION_TEXT, "where to write: .flac or .wav by the name"},
    {"source", 0, "ID", VG_OPTION_TEXT, "write this source instead of an item"},
    {0},
};

const struct vg_verb vg_verb_render = {
    .name = "render",
    .operands = "SPEC [ITEM]",
    .operands_min = 1,
    .operands_max = 2,
    .summary = "Render one item, byte for byte what the full build packs.",
    .details =
        "ITEM is CATEGORY__ID, an ID that only one category has, or a key of a shard, as `vocalgrad plan` "
        "lists them.",
    .groups = VG_OPTIONS_SPEC,
    .options = options,
    .run = run,
};
