/* SPDX-License-Identifier: MIT */
/* Decoder: MP3 through libavcodec's fixed-point decoder, whose samples are the same on every machine it was
 * measured on; float decoders differ.  mpeg.c has walked the frames: here each is decoded and cut at both
 * ends by the LAME tag. */
#include "decoder.h"
#include "mpeg.h"

#include <libavcodec/avcodec.h>
#include <pthread.h>
#include <string.h>

/* At most 1440 bytes and a padding slot: 320 kbit/s at 32 kHz, 160 kbit/s at 8 kHz. */
enum { FRAME_BYTES_MAX = 1441, FRAME_SAMPLES_MAX = 1152 };

struct state {
    AVCodecContext *context;
    AVPacket *packet;
    AVFrame *frame;
    uint64_t at;     /* of the next MP3 frame in the file */
    uint64_t skip;   /* samples still to be dropped at the start */
    uint64_t wanted; /* samples still to be handed over */
    unsigned char bytes[FRAME_BYTES_MAX + AV_INPUT_BUFFER_PADDING_SIZE];
};

/* What libavcodec only grumbles about (it conceals a damaged frame) is an error here.  It decodes on the
 * calling thread, which is where it grumbles. */
static _Thread_local unsigned complaints;

static void count_complaint(void *context, int level, const char *format, va_list args)
{
    (void)context;
    (void)format;
    (void)args;
    if (level <= AV_LOG_ERROR)
        complaints++;
}

static void hush(void)
{
    av_log_set_callback(count_complaint);
}

static int fail_library(const struct vg_stream *stream, struct vg_error *err, const char *what)
{
    return vg_fail(err, VG_IO, stream->file->place, "%s: libavcodec %s", stream->file->path, what);
}

static int open_stream(struct vg_stream *stream, struct vg_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const AVCodec *codec = avcodec_find_decoder_by_name("mp3"); /* "mp3float" is the other one */
    struct state *s = vg_arena_take_zero(stream->tmp, 1, sizeof *s);

    pthread_once(&once, hush);
    stream->state = s;
    stream->rate_hz = stream->container->mpeg.rate_hz;
    stream->channels = stream->container->mpeg.channels;
    stream->frames = stream->container->frames;
    s->at = stream->container->mpeg.sound;
    s->skip = stream->container->mpeg.lead;
    s->wanted = stream->frames;
    if (codec == NULL)
        return fail_library(stream, err, "has no decoder \"mp3\"; configure with VG_MP3_LIBAV=off");
    s->context = avcodec_alloc_context3(codec);
    s->packet = av_packet_alloc();
    s->frame = av_frame_alloc();
    if (s->context == NULL || s->packet == NULL || s->frame == NULL)
        return fail_library(stream, err, "is out of memory");
    s->context->thread_count = 1;
    s->context->request_sample_fmt = AV_SAMPLE_FMT_S16P;
    s->context->err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE;
    if (avcodec_open2(s->context, codec, NULL) != 0)
        return fail_library(stream, err, "cannot open its decoder \"mp3\"");
    return VG_OK;
}

/* The next MP3 frame of the file; false where the sound ends. */
static bool next_frame(struct vg_stream *stream, struct vg_mpeg_frame *shape)
{
    struct state *s = stream->state;
    size_t got = vg_recording_read(stream->file, s->at, s->bytes, FRAME_BYTES_MAX);

    if (got < 4 || !vg_mpeg_frame_read(s->bytes, shape))
        return false;
    vg_check(shape->bytes <= got); /* mpeg.c walked here */
    memset(s->bytes + shape->bytes, 0, AV_INPUT_BUFFER_PADDING_SIZE);
    s->packet->data = s->bytes;
    s->packet->size = (int)shape->bytes;
    return true;
}

/* One MP3 frame to s->frame, which holds as many samples as its header says. */
static int decode_frame(struct vg_stream *stream, const struct vg_mpeg_frame *shape, struct vg_error *err)
{
    struct state *s = stream->state;

    complaints = 0;
    if (avcodec_send_packet(s->context, s->packet) != 0 || avcodec_receive_frame(s->context, s->frame) != 0 ||
        complaints > 0 || s->frame->format != AV_SAMPLE_FMT_S16P ||
        s->frame->nb_samples != (int)shape->samples ||
        s->frame->ch_layout.nb_channels != (int)shape->channels)
        return vg_recording_fail(stream->file, err,
                                 "is damaged: the MP3 frame at byte %llu cannot be decoded",
                                 (unsigned long long)s->at);
    s->at += shape->bytes;
    return VG_OK;
}

/* What the tag leaves of the frame, interleaved. */
static size_t take_samples(struct vg_stream *stream, int16_t *words)
{
    struct state *s = stream->state;
    uint64_t all = (uint64_t)s->frame->nb_samples, first = s->skip < all ? s->skip : all;
    uint64_t count = all - first < s->wanted ? all - first : s->wanted;

    for (unsigned c = 0; c < stream->channels; c++) {
        const int16_t *plane = (const int16_t *)(const void *)s->frame->extended_data[c];

        for (size_t k = 0; k < count; k++)
            words[k * stream->channels + c] = plane[first + k];
    }
    s->skip -= first;
    s->wanted -= count;
    return (size_t)count;
}

/* Frames behind the cut are decoded as well: damage there is damage. */
static int read_block(struct vg_stream *stream, int16_t *words, size_t *frames, struct vg_error *err)
{
    struct vg_mpeg_frame shape;

    *frames = 0;
    while (*frames == 0 && next_frame(stream, &shape)) {
        int rc = decode_frame(stream, &shape, err);

        if (rc != VG_OK)
            return rc;
        *frames = take_samples(stream, words);
    }
    return VG_OK;
}

static void close_stream(struct vg_stream *stream)
{
    struct state *s = stream->state;

    if (s == NULL)
        return;
    av_frame_free(&s->frame);
    av_packet_free(&s->packet);
    avcodec_free_context(&s->context);
}

static void library(struct vg_text *out)
{
    unsigned version = avcodec_version();

    vg_text_addf(out, "libavcodec %u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
}

const struct vg_decoder vg_decoder_mp3 = {
    .reads = {[VG_CONTAINER_MP3] = true},
    .library = library,
    .how = " mp3 (fixed point)",
    .open = open_stream,
    .read = read_block,
    .close = close_stream,
};
