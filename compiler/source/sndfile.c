/* SPDX-License-Identifier: MIT */
/* Decoder: libsndfile.  Words stay as they are, wider samples and floats follow the rule of convert.h, and
 * what a FLAC file gives is held against the MD5 that its header promises. */
#include "convert.h"
#include "decoder.h"

#include <math.h>
#include <pthread.h>
#include <sndfile.h>
#include <string.h>

/* How libsndfile hands the samples over without changing them. */
enum form { FORM_WORDS, FORM_INTS, FORM_REALS };

struct state {
    const struct vg_recording *file;
    uint64_t start; /* of the content in the file */
    uint64_t at;    /* where libsndfile reads next, counted from there */
    SNDFILE *sound;
    SF_INFO info;
    enum form form;
    unsigned coded_bytes; /* of one sample in a FLAC file */
    bool check_md5;
    struct vg_digest md5;
    int32_t *ints; /* one block */
    double *reals;
};

/* ---- the recording as libsndfile asks for it -------------------------------------------------------- */

/* Files and bytes in memory take this one way, and a tag in front of the content is never seen. */
static sf_count_t io_length(void *user)
{
    const struct state *s = user;

    return (sf_count_t)(s->file->bytes - s->start);
}

static sf_count_t io_seek(sf_count_t offset, int whence, void *user)
{
    struct state *s = user;
    sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (sf_count_t)s->at : io_length(user);

    if (offset < -from || offset > INT64_MAX - from)
        return -1;
    s->at = (uint64_t)(from + offset);
    return from + offset;
}

static sf_count_t io_read(void *to, sf_count_t count, void *user)
{
    struct state *s = user;
    size_t got = count > 0 ? vg_recording_read(s->file, s->start + s->at, to, (size_t)count) : 0;

    s->at += got;
    return (sf_count_t)got;
}

static sf_count_t io_tell(void *user)
{
    const struct state *s = user;

    return (sf_count_t)s->at;
}

/* ---- opening ---------------------------------------------------------------------------------------- */

/* libsndfile keeps the reason of a failed opening in a global, so openings take turns. */
static int open_sound(struct vg_stream *stream, struct vg_error *err)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    SF_VIRTUAL_IO io = {.get_filelen = io_length, .seek = io_seek, .read = io_read, .tell = io_tell};
    struct state *s = stream->state;
    int rc = VG_OK;

    pthread_mutex_lock(&turn);
    s->sound = sf_open_virtual(&io, SFM_READ, &s->info, s);
    if (s->sound == NULL)
        rc = vg_recording_fail(stream->file, err, "libsndfile cannot open this %s file: %s",
                               vg_container_names[stream->container->kind], sf_strerror(NULL));
    pthread_mutex_unlock(&turn);
    return rc;
}

static int choose_form(struct vg_stream *stream, struct vg_error *err)
{
    struct state *s = stream->state;

    switch (s->info.format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
        s->coded_bytes = 1;
        s->form = FORM_WORDS;
        return VG_OK;
    case SF_FORMAT_PCM_16:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
    case SF_FORMAT_IMA_ADPCM:
    case SF_FORMAT_MS_ADPCM:
    case SF_FORMAT_GSM610:
        s->coded_bytes = 2;
        s->form = FORM_WORDS;
        return VG_OK;
    case SF_FORMAT_PCM_24:
    case SF_FORMAT_PCM_32:
        s->coded_bytes = 3;
        s->form = FORM_INTS;
        return VG_OK;
    case SF_FORMAT_FLOAT:
    case SF_FORMAT_DOUBLE:
    case SF_FORMAT_VORBIS:
    case SF_FORMAT_OPUS:
    case SF_FORMAT_MPEG_LAYER_III:
        s->form = FORM_REALS;
        return VG_OK;
    default:
        return vg_recording_fail(stream->file, err,
                                 "codes its samples in a way that is not read (libsndfile type "
                                 "0x%x); convert it to 16-bit WAV or FLAC",
                                 (unsigned)s->info.format);
    }
}

static int open_stream(struct vg_stream *stream, struct vg_error *err)
{
    struct state *s = vg_arena_take_zero(stream->tmp, 1, sizeof *s);
    int rc;

    stream->state = s;
    s->file = stream->file;
    s->start = stream->container->start;
    rc = open_sound(stream, err);
    if (rc == VG_OK)
        rc = choose_form(stream, err);
    if (rc != VG_OK)
        return rc;
    stream->rate_hz = s->info.samplerate > 0 ? (uint32_t)s->info.samplerate : 0;
    stream->channels = s->info.channels > 0 ? (unsigned)s->info.channels : 0;
    stream->frames = s->info.frames < SF_COUNT_MAX ? (uint64_t)s->info.frames : 0;
    s->check_md5 = stream->container->md5[0] != '\0';
    if (s->check_md5)
        vg_digest_init(&s->md5, VG_MD5);
    return VG_OK;
}

/* ---- one block -------------------------------------------------------------------------------------- */

static size_t read_samples(struct state *s, int16_t *words)
{
    sf_count_t got = 0;

    switch (s->form) {
    case FORM_WORDS:
        got = sf_readf_short(s->sound, words, VG_BLOCK_FRAMES);
        break;
    case FORM_INTS:
        got = sf_readf_int(s->sound, s->ints, VG_BLOCK_FRAMES);
        break;
    case FORM_REALS:
        got = sf_readf_double(s->sound, s->reals, VG_BLOCK_FRAMES);
        break;
    }
    return got > 0 ? (size_t)got : 0;
}

static int words_from_reals(struct vg_stream *stream, size_t count, int16_t *words, struct vg_error *err)
{
    const struct state *s = stream->state;
    size_t done;

    stream->clipped += vg_words_from_reals(s->reals, count, words, &done);
    if (done < count)
        return vg_recording_fail(stream->file, err, "sample %zu of channel %zu is %s; expected a number",
                                 stream->done + done / stream->channels, done % stream->channels + 1,
                                 isnan(s->reals[done]) ? "not a number (NaN)" : "infinite");
    return VG_OK;
}

/* FLAC's own digest is of the interleaved samples as coded, little endian. */
static void add_to_md5(struct state *s, const int16_t *words, size_t count)
{
    unsigned char *bytes = (unsigned char *)s->reals; /* free for FLAC, and larger */
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t top = s->form == FORM_INTS ? (uint32_t)s->ints[i] : (uint32_t)(uint16_t)words[i] << 16;

        for (unsigned b = 4 - s->coded_bytes; b < 4; b++)
            bytes[used++] = (unsigned char)(top >> 8 * b);
    }
    vg_digest_add(&s->md5, bytes, used);
}

static int finish(struct vg_stream *stream, struct vg_error *err)
{
    struct state *s = stream->state;
    char hex[VG_DIGEST_HEX];

    if (sf_error(s->sound) != SF_ERR_NO_ERROR)
        return vg_recording_fail(stream->file, err, "is damaged after sample %zu: %s", stream->done,
                                 sf_strerror(s->sound));
    if (!s->check_md5)
        return VG_OK;
    s->check_md5 = false;
    vg_digest_finish(&s->md5, hex);
    if (strcmp(hex, stream->container->md5) != 0)
        return vg_recording_fail(stream->file, err,
                                 "is damaged: its samples have MD5 %s, FLAC's header says %s", hex,
                                 stream->container->md5);
    return VG_OK;
}

static int read_block(struct vg_stream *stream, int16_t *words, size_t *frames, struct vg_error *err)
{
    struct state *s = stream->state;
    size_t room = VG_BLOCK_FRAMES * (size_t)stream->channels, count;
    int rc = VG_OK;

    if (s->ints == NULL) {
        s->ints = vg_arena_take(stream->tmp, room, sizeof *s->ints);
        s->reals = vg_arena_take(stream->tmp, room, sizeof *s->reals);
    }
    *frames = read_samples(s, words);
    count = *frames * stream->channels;
    if (*frames == 0)
        return finish(stream, err);
    if (s->form == FORM_INTS)
        stream->clipped += vg_words_from_ints(s->ints, count, words);
    else if (s->form == FORM_REALS)
        rc = words_from_reals(stream, count, words, err);
    if (rc == VG_OK && s->check_md5)
        add_to_md5(s, words, count);
    return rc;
}

static void close_stream(struct vg_stream *stream)
{
    struct state *s = stream->state;
    char hex[VG_DIGEST_HEX];

    if (s == NULL)
        return;
    if (s->check_md5)
        vg_digest_finish(&s->md5, hex);
    if (s->sound != NULL)
        sf_close(s->sound);
}

static void library(struct vg_text *out)
{
    const char *version = strchr(sf_version_string(), '-'); /* "libsndfile-1.2.0" */

    vg_text_addf(out, "libsndfile %s", version != NULL ? version + 1 : "of unknown version");
}

const struct vg_decoder vg_decoder_sndfile = {
    .reads = {[VG_CONTAINER_WAV] = true,
              [VG_CONTAINER_FLAC] = true,
              [VG_CONTAINER_OGG] = true,
              [VG_CONTAINER_MP3] = true},
    .library = library,
    .how = "",
    .open = open_stream,
    .read = read_block,
    .close = close_stream,
};
