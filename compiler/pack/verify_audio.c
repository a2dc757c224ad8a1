/* SPDX-License-Identifier: MIT */
/* The sound of a release: every FLAC file decoded, and its samples held against the manifest. */
#include "verify.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64 };

struct audio_check {
    struct vg_checking *checking;
    struct vg_arena *scratch; /* one a worker */
    struct vg_error errors[WINDOW];
    bool decoded[WINDOW], reencoded[WINDOW];
};

static unsigned peak_of(const int16_t *samples, size_t frames)
{
    unsigned peak = 0;

    for (size_t i = 0; i < frames; i++) {
        unsigned magnitude = (unsigned)abs(samples[i]);

        peak = magnitude > peak ? magnitude : peak;
    }
    return peak;
}

/* Are they the samples that the manifest promises? */
static bool compare(const struct vg_checked_item *item, const char *path, const int16_t *samples,
                    size_t frames, uint32_t rate_hz, struct vg_error *err)
{
    struct vg_record heard = {0};
    char hex[VG_DIGEST_HEX];
    bool same;

    if (frames != item->frames || rate_hz != item->rate_hz)
        vg_fail(err, VG_NO, path, "item %s (%s): %zu samples at %lu Hz; the manifest says %zu at %lu Hz",
                item->name, item->key, frames, (unsigned long)rate_hz, item->frames,
                (unsigned long)item->rate_hz);
    vg_digest_of_samples(VG_XXH128, samples, frames, hex);
    same = strcmp(hex, item->audio_xxh128) == 0;
    if (!same)
        vg_fail(err, VG_NO, path, "item %s (%s): its samples have XXH128 %s; the manifest says %s",
                item->name, item->key, hex, item->audio_xxh128);
    if (peak_of(samples, frames) != item->peak)
        vg_fail(err, VG_NO, path, "item %s (%s): its peak is %u; the manifest says %u", item->name, item->key,
                peak_of(samples, frames), item->peak);
    vg_record_hear(&heard, samples, frames);
    if (heard.rms != item->rms || heard.silence_head != item->silence_head ||
        heard.silence_tail != item->silence_tail)
        vg_fail(err, VG_NO, path, "item %s (%s): its rms or silence is not what the manifest says",
                item->name, item->key);
    return same;
}

/* FLAC files of other bytes: another sound, or the same from another encoder. */
static bool has_other_bytes(const struct vg_checked_item *item, const char *bytes)
{
    char hex[VG_DIGEST_HEX];

    vg_digest_of(VG_XXH128, bytes, item->flac_bytes, hex);
    return strcmp(hex, item->flac_xxh128) != 0;
}

static void blame_bytes(const struct vg_checked_item *item, const char *path, bool same_samples,
                        struct vg_error *err)
{
    vg_fail(err, VG_NO, path, "item %s: its member %s.flac has other bytes than the manifest says%s",
            item->name, item->key,
            same_samples ? " and the same samples: another encoder, or another version of it" : "");
}

static int read_file(const struct vg_checked_item *item, const char *path, struct vg_arena *scratch,
                     char **bytes, struct vg_error *err)
{
    FILE *stream = vg_file_open(path);
    bool fine;

    if (stream == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot open");
    *bytes = vg_arena_take(scratch, item->flac_bytes + 1, 1);
    fine = fseeko(stream, (off_t)item->offset, SEEK_SET) == 0 &&
           fread(*bytes, 1, item->flac_bytes, stream) == item->flac_bytes;
    fclose(stream);
    return fine ? VG_OK
                : vg_fail(err, VG_NO, path, "item %s (%s): its FLAC file is cut off", item->name, item->key);
}

static int check_item(void *context, unsigned worker, size_t index)
{
    struct audio_check *check = context;
    const struct vg_checked_item *item = &check->checking->items[index];
    struct vg_error *err = &check->errors[index % WINDOW];
    struct vg_arena *scratch = &check->scratch[worker];
    struct vg_arena_mark empty = {0};
    const char *path, *place;
    int16_t *samples;
    size_t frames;
    uint32_t rate_hz;
    char *bytes = NULL;
    bool other, same = false;

    vg_arena_rewind(scratch, empty);
    check->decoded[index % WINDOW] = check->reencoded[index % WINDOW] = false;
    if (!item->seen || item->flac_bytes > VG_MEMBER_BYTES_MAX) /* told by the walk through the shards */
        return 0;
    path = vg_path_join(scratch, check->checking->folder, check->checking->about.shards[item->shard].name);
    place = vg_arena_format(scratch, "%s: item %s (%s)", path, item->name, item->key);
    if (read_file(item, path, scratch, &bytes, err) != VG_OK)
        return 0;
    other = has_other_bytes(item, bytes);
    if (vg_flac_decode(bytes, item->flac_bytes, item->frames, &samples, &frames, &rate_hz, scratch, place,
                       err) == VG_OK) {
        same = compare(item, path, samples, frames, rate_hz, err);
        check->decoded[index % WINDOW] = true;
    }
    if (other && check->checking->options->bytes)
        blame_bytes(item, path, same, err);
    check->reencoded[index % WINDOW] = other && same;
    return 0;
}

static int take_result(void *context, size_t index)
{
    struct audio_check *check = context;

    check->checking->result->decoded += check->decoded[index % WINDOW];
    check->checking->result->reencoded += check->reencoded[index % WINDOW];
    vg_checking_gather(check->checking, &check->errors[index % WINDOW]);
    return 0;
}

void vg_check_audio(struct vg_checking *checking)
{
    unsigned jobs = checking->options->jobs > 0 ? checking->options->jobs : 1;
    struct audio_check check = {.checking = checking,
                                .scratch = vg_arena_take_zero(&checking->arena, jobs, sizeof *check.scratch)};

    if (checking->item_count > 0)
        vg_pool_run(&(struct vg_pool_job){.context = &check,
                                          .count = checking->item_count,
                                          .jobs = jobs,
                                          .window = WINDOW,
                                          .work = check_item,
                                          .done = take_result});
    for (unsigned i = 0; i < jobs; i++)
        vg_arena_release(&check.scratch[i]);
}
