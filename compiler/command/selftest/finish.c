/* SPDX-License-Identifier: MIT */
/* Vectors of what comes after the sound: every measure, FLAC, WAV, shards and records. */
#include "selftest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A rendered item: the `number`th of a category, 0..23. */
struct made {
    struct vg_item item;
    struct vg_rendered out;
    struct vg_sound sound;
};
static struct made make(struct vg_values *values, const char *category, size_t number)
{
    const struct vg_loaded *source = &values->scene->acts[0].loaded[0];
    const char *what = vg_arena_format(&values->tmp, "%s %s", vg_engines[0]->words.name, category);
    struct vg_renderer renderer = {0};
    struct made made = {0};
    size_t index = 0;

    for (size_t i = 0; i <= number; i++)
        vg_check(vg_scene_next(values->scene, what, &index, &made.item));
    vg_render(&renderer, &made.item, source, &made.out, &values->keep);
    vg_renderer_release(&renderer);
    made.sound =
        (struct vg_sound){made.out.samples, made.out.frames, source->clip.rate_hz, made.out.on, made.out.off};
    return made;
}

/* ---- measure ---------------------------------------------------------------------------------------- */

static void add_evidence(struct vg_values *values, const struct vg_evidence *evidence)
{
    vg_values_double(values, evidence->net);
    vg_values_double(values, evidence->net_jnd);
    vg_values_double(values, evidence->rank);
    vg_values_integer(values, evidence->segments);
    vg_values_doubles(values, evidence->trajectory, evidence->segments);
    vg_values_integer(values, (uint64_t)(int64_t)evidence->sign);
}

static enum vg_quantity quantity_named(const char *name)
{
    enum vg_quantity quantity = VG_Q_VOLUME;

    while (strcmp(vg_measures[quantity].name, name) != 0)
        vg_check(++quantity < VG_QUANTITIES);
    return quantity;
}

static const struct vg_reference *reference_of(struct vg_values *values)
{
    const struct vg_loaded *source = &values->scene->acts[0].loaded[0];
    struct vg_sound sound = {source->clip.samples, source->clip.frames, source->clip.rate_hz, source->span.on,
                             source->span.off};

    return vg_reference_make(&sound, &values->keep, &values->tmp);
}

/* Items of its own category that move most, and one of another: highest tier, linear and jump. */
static void measure(struct vg_values *values, const char *what, const struct vg_reference *reference)
{
    static const size_t numbers[] = {16, 17, 22};
    enum vg_quantity quantity = quantity_named(what);
    const struct vg_margins *margins = &values->scene->margins;
    struct vg_evidence evidence[VG_QUANTITIES];

    for (size_t i = 0; i <= sizeof numbers / sizeof *numbers; i++) {
        struct made made = i < sizeof numbers / sizeof *numbers ? make(values, what, numbers[i])
                                                                : make(values, "background_noise", 9);

        if (reference != NULL)
            vg_measure_paired(reference, &made.sound, margins, 1u << quantity, evidence, &values->tmp);
        else
            vg_measure_blind(&made.sound, margins, 1u << quantity, evidence, &values->tmp);
        add_evidence(values, &evidence[quantity]);
    }
}

int vg_fill_paired(struct vg_values *values, const char *what)
{
    measure(values, what, reference_of(values));
    return VG_OK;
}

int vg_fill_blind(struct vg_values *values, const char *what)
{
    measure(values, what, NULL);
    return VG_OK;
}

/* ---- pack ------------------------------------------------------------------------------------------- */

/* The stable profile: sources and a quiet, a loud and a noisy item; and the samples decoded again. */
int vg_fill_flac(struct vg_values *values, const char *what)
{
    struct vg_text flac = {0};
    int rc = VG_OK;

    for (size_t i = 0; rc == VG_OK && i < values->scene->acts[0].work.sources.count; i++) {
        const struct vg_clip *clip = &values->scene->acts[0].loaded[i].clip;
        int16_t *samples = NULL;
        size_t frames = 0;
        uint32_t rate_hz = 0;

        rc = vg_flac_encode(clip->samples, clip->frames, clip->rate_hz, false, &flac, what, values->err);
        if (rc == VG_OK)
            rc = vg_flac_decode(flac.data, flac.length, clip->frames, &samples, &frames, &rate_hz,
                                &values->tmp, what, values->err);
        if (rc == VG_OK) {
            vg_values_bytes(values, flac.data, flac.length);
            vg_values_integer(values, rate_hz);
            vg_values_samples(values, samples, frames);
        }
    }
    vg_text_release(&flac);
    return rc;
}

int vg_fill_wav(struct vg_values *values, const char *what)
{
    const struct vg_clip *clip = &values->scene->acts[0].loaded[0].clip;
    struct vg_text wav = {0};

    (void)what;
    vg_wav_encode(clip->samples, clip->frames, clip->rate_hz, &wav);
    vg_values_bytes(values, wav.data, wav.length);
    vg_text_release(&wav);
    return VG_OK;
}

/* Three members, one of them empty, and the end of the archive. */
static int write_shard(struct vg_values *values, const char *path)
{
    static const char bytes[1500] = "member";
    struct vg_shard *shard = NULL;
    struct vg_shard_sums sums;
    int rc = vg_shard_create(&shard, path, values->err);

    if (rc == VG_OK)
        rc = vg_shard_add(shard, "volume-00000000.flac", bytes, sizeof bytes, values->err);
    if (rc == VG_OK)
        rc = vg_shard_add(shard, "volume-00000000.json", "{}\n", 3, values->err);
    if (rc == VG_OK)
        rc = vg_shard_add(shard, "empty.json", "", 0, values->err);
    if (rc == VG_OK)
        rc = vg_shard_commit(shard, &sums, values->err);
    vg_shard_release(shard);
    if (rc == VG_OK) {
        vg_values_integer(values, sums.bytes);
        vg_values_text(values, sums.xxh128);
        vg_values_text(values, sums.sha256);
        vg_values_text(values, sums.md5);
    }
    return rc;
}

int vg_fill_shard(struct vg_values *values, const char *what)
{
    const char *given = getenv("TMPDIR");
    char *folder = vg_path_join(&values->tmp, given != NULL ? given : "/tmp", "vocalgrad-selftest-XXXXXX");
    int rc;

    if (mkdtemp(folder) == NULL)
        return vg_fail_errno(values->err, VG_IO, folder, "cannot make a folder for the shard; set TMPDIR");
    rc = write_shard(values, vg_path_join(&values->tmp, folder, what));
    if (rc == VG_OK)
        rc = vg_folder_remove(folder, values->err);
    return rc;
}

static int add_record(struct vg_values *values, const struct made *made, struct vg_text *text)
{
    const struct vg_loaded *source = &values->scene->acts[0].loaded[0];
    const struct vg_margins *margins = &values->scene->margins;
    struct vg_text flac = {0};
    struct vg_record record;
    int rc;

    vg_record_of_item(&record, &made->item, &source->facts, &values->tmp);
    record.onset = made->out.on;
    record.offset = made->out.off;
    record.clipped = made->out.clipped;
    record.peak = made->out.peak;
    vg_measure_paired(reference_of(values), &made->sound, margins, ~0u, record.paired, &values->tmp);
    vg_measure_blind(&made->sound, margins, ~0u, record.blind, &values->tmp);
    record.measured = true;
    rc = vg_record_encode(&record, made->out.samples, made->out.frames, source->clip.rate_hz, false, &flac,
                          values->err);
    vg_text_release(&flac);
    vg_record_manifest(&record, "selftest-spoken-00000-of-00001.tar.flac", text);
    vg_record_sample(&record, text);
    vg_record_metadata(&record, text);
    vg_record_labels(&record, text);
    return rc;
}

/* All that a release says of two items: canonical JSON and CSV, numbers included. */
int vg_fill_record(struct vg_values *values, const char *what)
{
    struct made loud = make(values, "volume", 22), pitch = make(values, "voice_pitch", 9);
    struct vg_text text = {0};
    int rc = add_record(values, &loud, &text);

    (void)what;
    if (rc == VG_OK)
        rc = add_record(values, &pitch, &text);
    vg_values_text(values, vg_text_or_empty(&text));
    vg_text_release(&text);
    return rc;
}
