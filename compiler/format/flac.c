/* SPDX-License-Identifier: MIT */
/* FLAC in memory through libFLAC: encode, decode again, compare.  The encoder's frames are kept and its
 * metadata is not: the header is written here (STREAMINFO with MD5, a VORBIS_COMMENT that names vocalgrad and
 * nothing else, no padding, no seek table), because libFLAC's own vendor string carries its version. */
#include "format.h"

#include <FLAC/stream_encoder.h>
#include <string.h>

/* The settings, in one place.
 *
 * stable: fixed predictors only, all five tried and the smallest kept, so that no floating-point estimate
 * decides a byte.  Measured with libFLAC 1.4.2: 0 of 56,451 frames differ between x86-64 with and without
 * FMA, arm64, s390x, i386; with linear prediction (levels 3-8) 2-5 % of 5 s clips differ.  Cost: 5-6 % larger
 * than level 8 on real 16 kHz speech, nothing on noise; encodes twice as fast.  Rice partitions up to order
 * 6: on the published reference sounds 0.5 % smaller than order 3 for 8 % more time; order 8 gains nothing.
 * compact: level 8; the same bytes are then promised only within one architecture class. */
enum { BLOCK_FRAMES = 4096, PARTITION_ORDER_MAX = 6, COMPACT_LEVEL = 8 };
static const char vendor[] = "vocalgrad";

static bool apply_profile(FLAC__StreamEncoder *encoder, bool compact)
{
    bool fine = FLAC__stream_encoder_set_compression_level(encoder, COMPACT_LEVEL);

    if (!compact) {
        fine = fine && FLAC__stream_encoder_set_max_lpc_order(encoder, 0);
        fine = fine && FLAC__stream_encoder_set_do_exhaustive_model_search(encoder, true);
        fine = fine && FLAC__stream_encoder_set_min_residual_partition_order(encoder, 0);
        fine = fine && FLAC__stream_encoder_set_max_residual_partition_order(encoder, PARTITION_ORDER_MAX);
    }
    return fine && FLAC__stream_encoder_set_blocksize(encoder, BLOCK_FRAMES);
}

/* What comes out of the encoder. */
struct encoding {
    struct vg_text *frames;
    FLAC__StreamMetadata_StreamInfo info;
    bool informed;
};

static FLAC__StreamEncoderWriteStatus keep_frame(const FLAC__StreamEncoder *encoder, const FLAC__byte bytes[],
                                                 size_t count, uint32_t samples, uint32_t current_frame,
                                                 void *data)
{
    struct encoding *encoding = data;

    (void)encoder;
    (void)current_frame;
    if (samples > 0) /* 0: the metadata that we write ourselves */
        vg_text_add_part(encoding->frames, (const char *)bytes, count);
    return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
}

static void keep_info(const FLAC__StreamEncoder *encoder, const FLAC__StreamMetadata *metadata, void *data)
{
    struct encoding *encoding = data;

    (void)encoder;
    encoding->info = metadata->data.stream_info;
    encoding->informed = true;
}

static void add_big(struct vg_text *out, uint64_t value, unsigned bytes)
{
    while (bytes-- > 0)
        vg_text_add_char(out, (char)(unsigned char)(value >> (8 * bytes)));
}

static void add_little(struct vg_text *out, uint32_t value)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        vg_text_add_char(out, (char)(unsigned char)(value >> shift));
}

/* RFC 9639 sections 8.1, 8.2 and 8.6: marker, STREAMINFO, a last block VORBIS_COMMENT without comments. */
static void add_header(struct vg_text *out, const FLAC__StreamMetadata_StreamInfo *info)
{
    enum { STREAMINFO_BYTES = 34, VORBIS_COMMENT = 4, LAST = 0x80 };
    bool empty = info->total_samples == 0;

    vg_text_add(out, "fLaC");
    add_big(out, STREAMINFO_BYTES, 4);
    add_big(out, info->min_blocksize, 2);
    add_big(out, info->max_blocksize, 2);
    add_big(out, empty ? 0 : info->min_framesize, 3);
    add_big(out, empty ? 0 : info->max_framesize, 3);
    add_big(out,
            (uint64_t)info->sample_rate << 44 | (uint64_t)(info->channels - 1) << 41 |
                (uint64_t)(info->bits_per_sample - 1) << 36 | info->total_samples,
            8);
    vg_text_add_part(out, (const char *)info->md5sum, sizeof info->md5sum);

    add_big(out, (uint64_t)(LAST | VORBIS_COMMENT) << 24 | (4 + sizeof vendor - 1 + 4), 4);
    add_little(out, (uint32_t)(sizeof vendor - 1));
    vg_text_add(out, vendor);
    add_little(out, 0);
}

static bool feed(FLAC__StreamEncoder *encoder, const int16_t *samples, size_t frames)
{
    FLAC__int32 wide[BLOCK_FRAMES];

    for (size_t done = 0; done < frames;) {
        size_t count = frames - done < BLOCK_FRAMES ? frames - done : BLOCK_FRAMES;

        for (size_t i = 0; i < count; i++)
            wide[i] = samples[done + i];
        if (!FLAC__stream_encoder_process_interleaved(encoder, wide, (uint32_t)count))
            return false;
        done += count;
    }
    return true;
}

static int run_encoder(FLAC__StreamEncoder *encoder, const int16_t *samples, size_t frames, uint32_t rate_hz,
                       bool compact, struct encoding *encoding, const char *place, struct vg_error *err)
{
    bool fine = apply_profile(encoder, compact);

    fine = fine && FLAC__stream_encoder_set_channels(encoder, 1);
    fine = fine && FLAC__stream_encoder_set_bits_per_sample(encoder, 16);
    fine = fine && FLAC__stream_encoder_set_sample_rate(encoder, rate_hz);
    fine = fine &&
           FLAC__stream_encoder_set_streamable_subset(encoder, FLAC__format_sample_rate_is_subset(rate_hz));
    if (!fine || FLAC__stream_encoder_init_stream(encoder, keep_frame, NULL, NULL, keep_info, encoding) !=
                     FLAC__STREAM_ENCODER_INIT_STATUS_OK)
        return vg_fail(err, VG_IO, place,
                       "FLAC cannot hold mono 16-bit sound at %lu Hz; it can from 1 to %u Hz",
                       (unsigned long)rate_hz, FLAC__MAX_SAMPLE_RATE);
    fine = feed(encoder, samples, frames);
    fine = FLAC__stream_encoder_finish(encoder) && fine && encoding->informed;
    if (!fine)
        return vg_fail(err, VG_IO, place, "libFLAC could not encode %zu samples at %lu Hz", frames,
                       (unsigned long)rate_hz);
    return VG_OK;
}

int vg_flac_encode(const int16_t *samples, size_t frames, uint32_t rate_hz, bool compact, struct vg_text *out,
                   const char *place, struct vg_error *err)
{
    FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();
    struct vg_text audio = {0};
    struct encoding encoding = {.frames = &audio};
    int rc;

    vg_text_clear(out);
    if (encoder == NULL)
        return vg_fail(err, VG_IO, place, "libFLAC is out of memory");
    rc = run_encoder(encoder, samples, frames, rate_hz, compact, &encoding, place, err);
    FLAC__stream_encoder_delete(encoder);
    if (rc == VG_OK) {
        add_header(out, &encoding.info);
        vg_text_add_part(out, vg_text_or_empty(&audio), audio.length);
        if (!vg_flac_holds(out->data, out->length, samples, frames, rate_hz))
            rc = vg_fail(err, VG_IO, place,
                         "the FLAC file just made does not decode to the samples it was made from");
    }
    vg_text_release(&audio);
    return rc;
}
