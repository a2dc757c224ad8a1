/* SPDX-License-Identifier: MIT */
/* FLAC to samples, strictly: mono, 16 bit, one rate, the length and MD5 that STREAMINFO promises, nothing
 * before or behind.  Input is untrusted: memory is taken only for a length below the caller's limit. */
#include "format.h"

#include <FLAC/stream_decoder.h>
#include <string.h>

struct decoding {
    const unsigned char *bytes;
    size_t count, position;
    size_t limit_frames;
    struct vg_arena *arena;
    FLAC__StreamMetadata_StreamInfo info;
    int16_t *samples;        /* taken when STREAMINFO has been read; or */
    const int16_t *expected; /* what must come, limit_frames of it, and is not kept */
    size_t frames;           /* decoded so far */
    const char *fault;       /* the first one; NULL while all is well */
    bool informed;           /* STREAMINFO has been read */
    bool unsummed;           /* the MD5 is not looked at */
};

static void blame(struct decoding *decoding, const char *fault)
{
    if (decoding->fault == NULL)
        decoding->fault = fault;
}

static FLAC__StreamDecoderReadStatus read_bytes(const FLAC__StreamDecoder *decoder, FLAC__byte buffer[],
                                                size_t *count, void *data)
{
    struct decoding *decoding = data;
    size_t left = decoding->count - decoding->position;

    (void)decoder;
    if (*count > left)
        *count = left;
    memcpy(buffer, decoding->bytes + decoding->position, *count);
    decoding->position += *count;
    return left == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
                     : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE;
}

static void take_info(const FLAC__StreamDecoder *decoder, const FLAC__StreamMetadata *metadata, void *data)
{
    static const FLAC__byte no_md5[16];
    struct decoding *decoding = data;
    const FLAC__StreamMetadata_StreamInfo *info = &metadata->data.stream_info;

    (void)decoder;
    if (metadata->type != FLAC__METADATA_TYPE_STREAMINFO)
        return;
    if (decoding->informed)
        blame(decoding, "has a second STREAMINFO block");
    else if (info->channels != 1 || info->bits_per_sample != 16)
        blame(decoding, "is not mono 16-bit sound");
    else if (info->sample_rate == 0)
        blame(decoding, "has no sample rate");
    else if (info->total_samples > decoding->limit_frames)
        blame(decoding, "is longer than it may be");
    else if (memcmp(info->md5sum, no_md5, sizeof no_md5) == 0)
        blame(decoding, "carries no MD5 of its samples");
    if (decoding->fault != NULL)
        return;
    decoding->info = *info;
    decoding->informed = true;
    if (decoding->expected == NULL)
        decoding->samples = vg_arena_take(decoding->arena, (size_t)info->total_samples + 1, sizeof(int16_t));
}

/* No early way out: compilers vectorise it. */
static bool is_same(const FLAC__int32 *restrict x, const int16_t *restrict expected, size_t count)
{
    FLAC__int32 differ = 0;

    for (size_t i = 0; i < count; i++)
        differ |= x[i] ^ expected[i];
    return differ == 0;
}

static void keep_samples(const FLAC__int32 *restrict x, int16_t *restrict samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        samples[i] = (int16_t)x[i];
}

static FLAC__StreamDecoderWriteStatus take_frame(const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
                                                 const FLAC__int32 *const buffer[], void *data)
{
    struct decoding *decoding = data;
    size_t count = frame->header.blocksize;

    (void)decoder;
    if (!decoding->informed)
        blame(decoding, "has sound before its STREAMINFO");
    else if (frame->header.channels != 1 || frame->header.bits_per_sample != 16 ||
             frame->header.sample_rate != decoding->info.sample_rate)
        blame(decoding, "changes its rate, channels or bits on the way");
    else if (count > decoding->info.total_samples - decoding->frames)
        blame(decoding, "holds more samples than STREAMINFO says");
    else if (decoding->expected != NULL && !is_same(buffer[0], decoding->expected + decoding->frames, count))
        blame(decoding, "does not hold the samples expected");
    if (decoding->fault != NULL)
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    if (decoding->expected == NULL)
        keep_samples(buffer[0], decoding->samples + decoding->frames, count);
    decoding->frames += count;
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

static void take_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status, void *data)
{
    (void)decoder;
    blame(data, status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH
                    ? "has a frame with a wrong CRC"
                    : "has bytes that are no FLAC frame");
}

static void run_decoder(FLAC__StreamDecoder *decoder, struct decoding *decoding)
{
    bool same;

    FLAC__stream_decoder_set_md5_checking(decoder, !decoding->unsummed);
    if (FLAC__stream_decoder_init_stream(decoder, read_bytes, NULL, NULL, NULL, NULL, take_frame, take_info,
                                         take_error, decoding) != FLAC__STREAM_DECODER_INIT_STATUS_OK) {
        blame(decoding, "cannot be decoded: libFLAC is out of memory");
        return;
    }
    while (decoding->fault == NULL &&
           FLAC__stream_decoder_get_state(decoder) != FLAC__STREAM_DECODER_END_OF_STREAM)
        if (!FLAC__stream_decoder_process_single(decoder))
            blame(decoding, "cannot be decoded");
    if (!decoding->informed)
        blame(decoding, "has no STREAMINFO");
    else if (decoding->frames < decoding->info.total_samples)
        blame(decoding, "ends before the length that STREAMINFO says");
    same = FLAC__stream_decoder_finish(decoder);
    if (!same)
        blame(decoding, "does not match the MD5 in its STREAMINFO");
}

/* libFLAC skips what it takes for an ID3 tag before the marker; a release has none. */
static bool starts_right(const unsigned char *bytes, size_t count)
{
    return count >= 4 && memcmp(bytes, "fLaC", 4) == 0;
}

static int decode(struct decoding *decoding, const char *place, struct vg_error *err)
{
    FLAC__StreamDecoder *decoder;

    if (!starts_right(decoding->bytes, decoding->count))
        return vg_fail(err, VG_NO, place, "is no FLAC file: it does not start with fLaC");
    decoder = FLAC__stream_decoder_new();
    if (decoder == NULL)
        return vg_fail(err, VG_IO, place, "libFLAC is out of memory");
    run_decoder(decoder, decoding);
    FLAC__stream_decoder_delete(decoder);
    if (decoding->fault != NULL)
        return vg_fail(err, VG_NO, place, "the FLAC file %s", decoding->fault);
    return VG_OK;
}

int vg_flac_decode(const void *bytes, size_t count, size_t limit_frames, int16_t **samples, size_t *frames,
                   uint32_t *rate_hz, struct vg_arena *arena, const char *place, struct vg_error *err)
{
    struct decoding decoding = {.bytes = bytes, .count = count, .limit_frames = limit_frames, .arena = arena};
    int rc = decode(&decoding, place, err);

    if (rc != VG_OK)
        return rc;
    *samples = decoding.samples;
    *frames = decoding.frames;
    *rate_hz = decoding.info.sample_rate;
    return VG_OK;
}

bool vg_flac_holds(const void *bytes, size_t count, const int16_t *samples, size_t frames, uint32_t rate_hz)
{
    static const int16_t nothing[1];
    struct vg_error unheard = {0};
    struct decoding decoding = {.bytes = bytes,
                                .count = count,
                                .limit_frames = frames,
                                .expected = frames > 0 ? samples : nothing,
                                .unsummed = true};
    bool same = decode(&decoding, "memory", &unheard) == VG_OK && decoding.frames == frames &&
                decoding.info.sample_rate == rate_hz;

    vg_error_release(&unheard);
    return same;
}
