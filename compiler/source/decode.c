/* SPDX-License-Identifier: MIT */
/* Any sound file to mono 16-bit samples: open, digest, check the container's own structure, decode block by
 * block (decoder.h), average the channels, and compare what came with what was promised. */
#include "convert.h"
#include "decoder.h"
#include "kinds.h"

#include <stdlib.h>
#include <string.h>

enum { RATE_MIN_HZ = 8000, RATE_MAX_HZ = 192000, CHANNELS_MAX = 64 };

/* The first that reads a kind of file decodes it. */
static const struct vg_decoder *const decoders[] = {&vg_decoder_mp3, &vg_decoder_sndfile, NULL};

struct decoding {
    struct vg_recording file;
    struct vg_container container;
    const struct vg_decode_rules *rules;
    const struct vg_decoder *decoder;
    struct vg_stream stream;
    int16_t *samples; /* grown on the heap: a header's length is not believed */
    size_t room;
    struct vg_arena tmp;
    struct vg_error *err;
};

/* ---- which decoder -------------------------------------------------------------------------------- */

/* The one at `rank` among those that read this kind of file; NULL: there are not so many. */
static const struct vg_decoder *decoder_at(enum vg_container_kind kind, unsigned rank)
{
    for (size_t i = 0; decoders[i] != NULL; i++)
        if (decoders[i]->reads[kind] && rank-- == 0)
            return decoders[i];
    return NULL;
}

static const char *decoder_name(const struct vg_decoder *decoder, struct vg_arena *arena)
{
    struct vg_text name = {0};
    char *kept;

    decoder->library(&name);
    vg_text_add(&name, decoder->how);
    kept = vg_arena_text(arena, vg_text_or_empty(&name));
    vg_text_release(&name);
    return kept;
}

/* ---- decoding ------------------------------------------------------------------------------------- */

static int check_shape(struct decoding *d)
{
    const struct vg_stream *stream = &d->stream;

    if (stream->rate_hz < RATE_MIN_HZ || stream->rate_hz > RATE_MAX_HZ)
        return vg_recording_fail(&d->file, d->err, "has %u samples a second; %d to %d are read",
                                 (unsigned)stream->rate_hz, RATE_MIN_HZ, RATE_MAX_HZ);
    if (stream->channels < 1 || stream->channels > CHANNELS_MAX)
        return vg_recording_fail(&d->file, d->err, "has %u channels; 1 to %d are read", stream->channels,
                                 CHANNELS_MAX);
    if (stream->channels > 1 && !d->rules->mix_down)
        return vg_recording_fail(&d->file, d->err,
                                 "has %u channels; say `mix_down: true` to average them, or give a mono file",
                                 stream->channels);
    return VG_OK;
}

static int check_longest(struct decoding *d, uint64_t frames)
{
    if ((double)frames > d->rules->duration_max_sec * d->stream.rate_hz)
        return vg_recording_fail(&d->file, d->err,
                                 "is longer than %lld seconds; cut it, or raise duration_max_sec",
                                 (long long)d->rules->duration_max_sec);
    return VG_OK;
}

static int take_block(struct decoding *d, const int16_t *words, size_t frames)
{
    size_t done = d->stream.done + frames;
    int rc = check_longest(d, done);

    if (rc != VG_OK)
        return rc;
    if (done > d->room) {
        d->room = 2 * d->room + frames;
        d->samples = vg_memory_grow(d->samples, d->room, sizeof *d->samples);
    }
    vg_words_mix(words, frames, d->stream.channels, d->samples + d->stream.done);
    d->stream.done = done;
    return VG_OK;
}

static int read_all(struct decoding *d)
{
    int16_t *words = vg_arena_take(&d->tmp, VG_BLOCK_FRAMES * (size_t)d->stream.channels, sizeof *words);
    size_t frames;
    int rc = VG_OK;

    do {
        rc = d->decoder->read(&d->stream, words, &frames, d->err);
        if (rc == VG_OK && frames > 0)
            rc = take_block(d, words, frames);
    } while (rc == VG_OK && frames > 0);
    return rc;
}

static uint64_t promised_frames(const struct decoding *d)
{
    return d->container.frames != 0 ? d->container.frames : d->stream.frames;
}

static int check_length(struct decoding *d)
{
    uint64_t promised = promised_frames(d);

    if (promised != 0 && promised != d->stream.done)
        return vg_recording_fail(
            &d->file, d->err, "decodes to %zu samples where its %s structure says %llu: cut off or damaged",
            d->stream.done, vg_container_names[d->container.kind], (unsigned long long)promised);
    if (d->stream.done == 0)
        return vg_recording_fail(&d->file, d->err, "holds no samples");
    return VG_OK;
}

static int decode(struct decoding *d, bool second, char file_hex[VG_DIGEST_HEX])
{
    int rc = vg_recording_open(&d->file, d->err);

    if (rc == VG_OK)
        rc = vg_container_read(&d->file, &d->container, d->err);
    if (rc != VG_OK)
        return rc;
    d->decoder = decoder_at(d->container.kind, second);
    if (d->decoder == NULL)
        return vg_recording_fail(&d->file, d->err, "no second decoder reads %s",
                                 vg_container_names[d->container.kind]);
    d->stream = (struct vg_stream){.file = &d->file, .container = &d->container, .tmp = &d->tmp};
    rc = d->decoder->open(&d->stream, d->err);
    if (rc == VG_OK)
        rc = check_shape(d);
    if (rc == VG_OK)
        rc = check_longest(d, promised_frames(d)); /* before gigabytes are read */
    if (rc == VG_OK)
        rc = vg_recording_digest(&d->file, file_hex, d->err);
    if (rc == VG_OK)
        rc = read_all(d);
    if (rc == VG_OK)
        rc = check_length(d);
    return rc;
}

/* ---- the result ----------------------------------------------------------------------------------- */

/* A name that promises another kind of file is no fault, but worth a remark. */
static bool is_misnamed(const char *path, enum vg_container_kind kind)
{
    static const struct {
        const char *ending;
        enum vg_container_kind kind;
    } endings[] = {
        {".wav", VG_CONTAINER_WAV}, {".flac", VG_CONTAINER_FLAC}, {".ogg", VG_CONTAINER_OGG},
        {".oga", VG_CONTAINER_OGG}, {".opus", VG_CONTAINER_OGG},  {".mp3", VG_CONTAINER_MP3},
    };
    const char *dot = strrchr(vg_path_name(path), '.');

    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i].ending) == 0)
            return endings[i].kind != kind;
    return false;
}

static void keep(const struct decoding *d, struct vg_loaded *loaded, struct vg_arena *arena)
{
    const struct vg_stream *stream = &d->stream;
    struct vg_source_facts *facts = &loaded->facts;
    int16_t *samples = vg_arena_take(arena, stream->done, sizeof *samples);

    memcpy(samples, d->samples, stream->done * sizeof *samples);
    loaded->path = vg_arena_text(arena, d->file.path);
    loaded->clip = (struct vg_clip){samples, stream->done, stream->rate_hz};
    facts->rate_hz = stream->rate_hz;
    facts->channels = stream->channels;
    facts->frames = stream->done;
    facts->clipped = stream->clipped;
    facts->decoder = decoder_name(d->decoder, arena);
    facts->note = "";
    if (is_misnamed(d->file.path, d->container.kind))
        vg_facts_note(
            facts,
            vg_arena_format(arena, "is %s, whatever its name says", vg_container_names[d->container.kind]),
            arena);
    if (d->container.note[0] != '\0')
        vg_facts_note(facts, d->container.note, arena);
    if (facts->channels > 1)
        vg_facts_note(facts, vg_arena_format(arena, "mixed down from %u channels", facts->channels), arena);
}

static void release(struct decoding *d)
{
    if (d->decoder != NULL)
        d->decoder->close(&d->stream);
    vg_recording_release(&d->file);
    free(d->samples);
    vg_arena_release(&d->tmp);
}

static int decode_recording(const struct vg_recording *file, const struct vg_decode_rules *rules,
                            struct vg_loaded *loaded, struct vg_arena *arena, struct vg_error *err)
{
    struct decoding d = {.file = *file, .rules = rules, .err = err};
    int rc = decode(&d, loaded->second_opinion, loaded->facts.file_xxh128);

    if (rc == VG_OK)
        keep(&d, loaded, arena);
    release(&d);
    return rc;
}

int vg_decode_file(const char *path, const char *place, const struct vg_decode_rules *rules,
                   struct vg_loaded *loaded, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_recording file = {.fd = -1, .path = path, .place = place};

    return decode_recording(&file, rules, loaded, arena, err);
}

int vg_decode_bytes(const void *bytes, size_t count, const char *name, const char *place,
                    const struct vg_decode_rules *rules, struct vg_loaded *loaded, struct vg_arena *arena,
                    struct vg_error *err)
{
    static const unsigned char none = 0;
    struct vg_recording file = {
        .fd = -1, .memory = bytes != NULL ? bytes : &none, .bytes = count, .path = name, .place = place};

    return decode_recording(&file, rules, loaded, arena, err);
}
