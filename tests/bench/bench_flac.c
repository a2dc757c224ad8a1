/* SPDX-License-Identifier: MIT */
/* The yardstick: how long libFLAC alone takes for the samples of a release, on one thread, without the decode
 * that proves each file, without headers of ours, digests or writing.  For each category, as JSON: items,
 * samples, seconds of processor time at the release's settings ("stable", flac.c) and at libFLAC's level 5.
 */
#include "format.h"

#include <FLAC/stream_encoder.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CATEGORIES_MAX = 16, LIMIT_BYTES = 1 << 28, LIMIT_FRAMES = 1 << 27 };

struct tally {
    char name[64];
    size_t items, samples;
    double stable_sec, level5_sec;
};
static struct tally tallies[CATEGORIES_MAX];
static size_t tally_count;

static struct tally *tally_of(const char *member)
{
    size_t length = strcspn(member, "-");

    for (size_t i = 0; i < tally_count; i++)
        if (strlen(tallies[i].name) == length && memcmp(tallies[i].name, member, length) == 0)
            return &tallies[i];
    vg_check(tally_count < CATEGORIES_MAX && length < sizeof tallies->name);
    memcpy(tallies[tally_count].name, member, length);
    return &tallies[tally_count++];
}

static FLAC__StreamEncoderWriteStatus discard(const FLAC__StreamEncoder *encoder, const FLAC__byte bytes[],
                                              size_t count, uint32_t samples, uint32_t frame, void *data)
{
    (void)encoder, (void)bytes, (void)samples, (void)frame;
    *(size_t *)data += count;
    return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor time of one encoding. */
static double encode(const FLAC__int32 *samples, size_t frames, uint32_t rate_hz, bool stable)
{
    double begun = seconds_now();
    FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();
    size_t bytes = 0;
    bool fine = encoder != NULL && FLAC__stream_encoder_set_compression_level(encoder, stable ? 8 : 5);

    if (stable) { /* as flac.c sets them */
        fine = fine && FLAC__stream_encoder_set_max_lpc_order(encoder, 0);
        fine = fine && FLAC__stream_encoder_set_do_exhaustive_model_search(encoder, true);
        fine = fine && FLAC__stream_encoder_set_min_residual_partition_order(encoder, 0);
        fine = fine && FLAC__stream_encoder_set_max_residual_partition_order(encoder, 6);
    }
    fine = fine && FLAC__stream_encoder_set_blocksize(encoder, 4096);
    fine = fine && FLAC__stream_encoder_set_channels(encoder, 1);
    fine = fine && FLAC__stream_encoder_set_bits_per_sample(encoder, 16);
    fine = fine && FLAC__stream_encoder_set_sample_rate(encoder, rate_hz);
    fine = fine && FLAC__stream_encoder_init_stream(encoder, discard, NULL, NULL, NULL, &bytes) ==
                       FLAC__STREAM_ENCODER_INIT_STATUS_OK;
    fine = fine && FLAC__stream_encoder_process_interleaved(encoder, samples, (uint32_t)frames);
    fine = fine && FLAC__stream_encoder_finish(encoder);
    vg_check(fine && bytes > 0);
    FLAC__stream_encoder_delete(encoder);
    return seconds_now() - begun;
}

static int take_member(const struct vg_member *member, struct vg_arena *arena, struct vg_error *err)
{
    struct tally *tally = tally_of(member->name);
    FLAC__int32 *wide;
    int16_t *samples;
    size_t frames;
    uint32_t rate_hz;
    int rc = vg_flac_decode(member->bytes, member->count, LIMIT_FRAMES, &samples, &frames, &rate_hz, arena,
                            member->name, err);

    if (rc != VG_OK)
        return rc;
    wide = vg_arena_take(arena, frames, sizeof *wide);
    for (size_t i = 0; i < frames; i++)
        wide[i] = samples[i];
    tally->items++;
    tally->samples += frames;
    tally->stable_sec += encode(wide, frames, rate_hz, true);
    tally->level5_sec += encode(wide, frames, rate_hz, false);
    return VG_OK;
}

static int take_shard(const char *path, struct vg_error *err)
{
    struct vg_shard_reader *reader;
    struct vg_arena arena = {0};
    struct vg_arena_mark empty = {0};
    struct vg_member member;
    bool end = false;
    int rc = vg_shard_open(&reader, path, LIMIT_BYTES, err);

    while (rc == VG_OK && !end) {
        rc = vg_shard_next(reader, &member, &end, err);
        if (rc == VG_OK && !end && strstr(member.name, ".flac") != NULL)
            rc = take_member(&member, &arena, err);
        vg_arena_rewind(&arena, empty);
    }
    vg_shard_close(reader);
    vg_arena_release(&arena);
    return rc;
}

static void print_tallies(void)
{
    struct vg_text out = {0};
    struct vg_json json;

    vg_json_init(&json, &out);
    vg_json_open(&json, NULL, '[');
    for (size_t i = 0; i < tally_count; i++) {
        vg_json_open(&json, NULL, '{');
        vg_json_string(&json, "category", tallies[i].name);
        vg_json_integer(&json, "items", (int64_t)tallies[i].items);
        vg_json_double(&json, "level5_sec", tallies[i].level5_sec);
        vg_json_integer(&json, "samples", (int64_t)tallies[i].samples);
        vg_json_double(&json, "stable_sec", tallies[i].stable_sec);
        vg_json_close(&json, '}');
    }
    vg_json_close(&json, ']');
    puts(out.data);
    vg_text_release(&out);
}

int main(int argc, char **argv)
{
    struct vg_error err = {0};
    int rc = VG_OK;

    if (argc < 2) {
        fputs("usage: bench_flac SHARD...\n", stderr);
        return 2;
    }
    for (int i = 1; rc == VG_OK && i < argc; i++)
        rc = take_shard(argv[i], &err);
    if (rc == VG_OK)
        print_tallies();
    else
        fprintf(stderr, "%s: %s\n", err.issues[0].place, err.issues[0].sentence);
    vg_error_release(&err);
    return -rc;
}
