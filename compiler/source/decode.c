/* SPDX-License-Identifier: MIT */
/* Any sound file to mono 16-bit samples, through libsndfile, in blocks: open, digest, check the container's
 * own structure, decode, convert (convert.h has the rule), and compare what came with what was promised. */
#include "container.h"
#include "convert.h"
#include "kinds.h"

#include <math.h>
#include <pthread.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

enum { RATE_MIN_HZ = 8000, RATE_MAX_HZ = 192000, CHANNELS_MAX = 64, BLOCK_FRAMES = 4096 };

/* How libsndfile hands the samples over without changing them. */
enum form { FORM_WORDS, FORM_INTS, FORM_REALS };

struct decoder {
    struct vg_recording file;
    struct vg_container container;
    uint64_t at; /* where libsndfile reads next, counted from the container's start */
    const struct vg_decode_rules *rules;
    SNDFILE *sound;
    SF_INFO info;
    enum form form;
    unsigned coded_bytes; /* of one sample in a FLAC file */
    bool check_md5;
    struct vg_digest md5;
    int16_t *words; /* one block, channels interleaved */
    int32_t *ints;
    double *reals;
    int16_t *samples; /* grown on the heap: a header's length is not believed */
    size_t frames, room, clipped;
    struct vg_arena tmp;
    struct vg_error *err;
};

/* ---- opening -------------------------------------------------------------------------------------- */

/* libsndfile reads through these, so that files and bytes in memory take one way, and never sees a tag in
 * front of the content. */
static sf_count_t io_length(void *user)
{
    const struct decoder *d = user;

    return (sf_count_t)(d->file.bytes - d->container.start);
}

static sf_count_t io_seek(sf_count_t offset, int whence, void *user)
{
    struct decoder *d = user;
    sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (sf_count_t)d->at : io_length(user);

    if (offset < -from || offset > INT64_MAX - from)
        return -1;
    d->at = (uint64_t)(from + offset);
    return from + offset;
}

static sf_count_t io_read(void *to, sf_count_t count, void *user)
{
    struct decoder *d = user;
    size_t got = count > 0 ? vg_recording_read(&d->file, d->container.start + d->at, to, (size_t)count) : 0;

    d->at += got;
    return (sf_count_t)got;
}

static sf_count_t io_tell(void *user)
{
    const struct decoder *d = user;

    return (sf_count_t)d->at;
}

/* libsndfile keeps the reason of a failed opening in a global, so openings take turns. */
static int open_sound(struct decoder *d)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    SF_VIRTUAL_IO io = {.get_filelen = io_length, .seek = io_seek, .read = io_read, .tell = io_tell};
    int rc = VG_OK;

    pthread_mutex_lock(&turn);
    d->sound = sf_open_virtual(&io, SFM_READ, &d->info, d);
    if (d->sound == NULL)
        rc = vg_recording_fail(&d->file, d->err, "libsndfile cannot open this %s file: %s",
                               vg_container_names[d->container.kind], sf_strerror(NULL));
    pthread_mutex_unlock(&turn);
    return rc;
}

static int choose_form(struct decoder *d)
{
    switch (d->info.format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
        d->coded_bytes = 1;
        d->form = FORM_WORDS;
        return VG_OK;
    case SF_FORMAT_PCM_16:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
    case SF_FORMAT_IMA_ADPCM:
    case SF_FORMAT_MS_ADPCM:
    case SF_FORMAT_GSM610:
        d->coded_bytes = 2;
        d->form = FORM_WORDS;
        return VG_OK;
    case SF_FORMAT_PCM_24:
    case SF_FORMAT_PCM_32:
        d->coded_bytes = 3;
        d->form = FORM_INTS;
        return VG_OK;
    case SF_FORMAT_FLOAT:
    case SF_FORMAT_DOUBLE:
    case SF_FORMAT_VORBIS:
    case SF_FORMAT_OPUS:
    case SF_FORMAT_MPEG_LAYER_III:
        d->form = FORM_REALS;
        return VG_OK;
    default:
        return vg_recording_fail(&d->file, d->err,
                                 "codes its samples in a way that is not read (libsndfile type "
                                 "0x%x); convert it to 16-bit WAV or FLAC",
                                 (unsigned)d->info.format);
    }
}

static int check_shape(struct decoder *d)
{
    if (d->info.samplerate < RATE_MIN_HZ || d->info.samplerate > RATE_MAX_HZ)
        return vg_recording_fail(&d->file, d->err, "has %d samples a second; %d to %d are read",
                                 d->info.samplerate, RATE_MIN_HZ, RATE_MAX_HZ);
    if (d->info.channels < 1 || d->info.channels > CHANNELS_MAX)
        return vg_recording_fail(&d->file, d->err, "has %d channels; 1 to %d are read", d->info.channels,
                                 CHANNELS_MAX);
    if (d->info.channels > 1 && !d->rules->mix_down)
        return vg_recording_fail(&d->file, d->err,
                                 "has %d channels; say `mix_down: true` to average them, or give a mono file",
                                 d->info.channels);
    return VG_OK;
}

/* ---- one block ------------------------------------------------------------------------------------ */

static int words_from_reals(struct decoder *d, size_t count)
{
    size_t channels = (size_t)d->info.channels, done;

    d->clipped += vg_words_from_reals(d->reals, count, d->words, &done);
    if (done < count)
        return vg_recording_fail(&d->file, d->err, "sample %zu of channel %zu is %s; expected a number",
                                 d->frames + done / channels, done % channels + 1,
                                 isnan(d->reals[done]) ? "not a number (NaN)" : "infinite");
    return VG_OK;
}

/* FLAC's own digest is of the interleaved samples as coded, little endian. */
static void add_to_md5(struct decoder *d, size_t count)
{
    unsigned char *bytes = (unsigned char *)d->reals; /* free for FLAC, and larger */
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t top = d->form == FORM_INTS ? (uint32_t)d->ints[i] : (uint32_t)(uint16_t)d->words[i] << 16;

        for (unsigned b = 4 - d->coded_bytes; b < 4; b++)
            bytes[used++] = (unsigned char)(top >> 8 * b);
    }
    vg_digest_add(&d->md5, bytes, used);
}

static void add_mono(struct decoder *d, size_t frames)
{
    if (d->frames + frames > d->room) {
        d->room = 2 * d->room + frames;
        d->samples = vg_memory_grow(d->samples, d->room, sizeof *d->samples);
    }
    vg_words_mix(d->words, frames, (size_t)d->info.channels, d->samples + d->frames);
    d->frames += frames;
}

static size_t read_block(struct decoder *d)
{
    sf_count_t got = 0;

    switch (d->form) {
    case FORM_WORDS:
        got = sf_readf_short(d->sound, d->words, BLOCK_FRAMES);
        break;
    case FORM_INTS:
        got = sf_readf_int(d->sound, d->ints, BLOCK_FRAMES);
        break;
    case FORM_REALS:
        got = sf_readf_double(d->sound, d->reals, BLOCK_FRAMES);
        break;
    }
    return got > 0 ? (size_t)got : 0;
}

static int take_block(struct decoder *d, size_t frames)
{
    size_t count = frames * (size_t)d->info.channels;
    int rc = VG_OK;

    if ((double)(d->frames + frames) > d->rules->duration_max_sec * d->info.samplerate)
        return vg_recording_fail(&d->file, d->err,
                                 "is longer than %lld seconds; cut it, or raise duration_max_sec",
                                 (long long)d->rules->duration_max_sec);
    if (d->form == FORM_INTS)
        d->clipped += vg_words_from_ints(d->ints, count, d->words);
    else if (d->form == FORM_REALS)
        rc = words_from_reals(d, count);
    if (rc != VG_OK)
        return rc;
    if (d->check_md5)
        add_to_md5(d, count);
    add_mono(d, frames);
    return VG_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static int read_all(struct decoder *d)
{
    size_t count = BLOCK_FRAMES * (size_t)d->info.channels, frames;
    int rc = VG_OK;

    d->words = vg_arena_take(&d->tmp, count, sizeof *d->words);
    d->ints = vg_arena_take(&d->tmp, count, sizeof *d->ints);
    d->reals = vg_arena_take(&d->tmp, count, sizeof *d->reals);
    while (rc == VG_OK && (frames = read_block(d)) > 0)
        rc = take_block(d, frames);
    if (rc == VG_OK && sf_error(d->sound) != SF_ERR_NO_ERROR)
        rc = vg_recording_fail(&d->file, d->err, "is damaged after sample %zu: %s", d->frames,
                               sf_strerror(d->sound));
    return rc;
}

static int check_length(struct decoder *d)
{
    uint64_t promised = d->container.frames;

    if (promised == 0 && d->info.frames < SF_COUNT_MAX)
        promised = (uint64_t)d->info.frames;
    if (promised != 0 && promised != d->frames)
        return vg_recording_fail(
            &d->file, d->err, "decodes to %zu samples where its %s structure says %llu: cut off or damaged",
            d->frames, vg_container_names[d->container.kind], (unsigned long long)promised);
    if (d->frames == 0)
        return vg_recording_fail(&d->file, d->err, "holds no samples");
    return VG_OK;
}

static int check_md5(struct decoder *d)
{
    char hex[VG_DIGEST_HEX];

    d->check_md5 = false;
    vg_digest_finish(&d->md5, hex);
    if (strcmp(hex, d->container.md5) != 0)
        return vg_recording_fail(&d->file, d->err,
                                 "is damaged: its samples have MD5 %s, FLAC's header says %s", hex,
                                 d->container.md5);
    return VG_OK;
}

static int decode(struct decoder *d, char file_hex[VG_DIGEST_HEX])
{
    int rc = vg_recording_open(&d->file, d->err);

    if (rc == VG_OK)
        rc = vg_recording_digest(&d->file, file_hex, d->err);
    if (rc == VG_OK)
        rc = vg_container_read(&d->file, &d->container, d->err);
    if (rc == VG_OK)
        rc = open_sound(d);
    if (rc == VG_OK)
        rc = check_shape(d);
    if (rc == VG_OK)
        rc = choose_form(d);
    if (rc != VG_OK)
        return rc;
    d->check_md5 = d->container.md5[0] != '\0';
    if (d->check_md5)
        vg_digest_init(&d->md5, VG_MD5);
    rc = read_all(d);
    if (rc == VG_OK)
        rc = check_length(d);
    if (rc == VG_OK && d->check_md5)
        rc = check_md5(d);
    return rc;
}

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

static const char *decoder_name(struct vg_arena *arena)
{
    const char *version = strchr(sf_version_string(), '-'); /* "libsndfile-1.2.0" */

    return vg_arena_format(arena, "libsndfile %s", version != NULL ? version + 1 : "of unknown version");
}

static void keep(const struct decoder *d, struct vg_loaded *loaded, struct vg_arena *arena)
{
    struct vg_source_facts *facts = &loaded->facts;
    int16_t *samples = vg_arena_take(arena, d->frames, sizeof *samples);

    memcpy(samples, d->samples, d->frames * sizeof *samples);
    loaded->clip = (struct vg_clip){samples, d->frames, (uint32_t)d->info.samplerate};
    facts->rate_hz = loaded->clip.rate_hz;
    facts->channels = (unsigned)d->info.channels;
    facts->frames = d->frames;
    facts->clipped = d->clipped;
    facts->decoder = decoder_name(arena);
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

static void release(struct decoder *d)
{
    char hex[VG_DIGEST_HEX];

    if (d->check_md5)
        vg_digest_finish(&d->md5, hex);
    if (d->sound != NULL)
        sf_close(d->sound);
    vg_recording_release(&d->file);
    free(d->samples);
    vg_arena_release(&d->tmp);
}

static int decode_recording(const struct vg_recording *file, const struct vg_decode_rules *rules,
                            struct vg_loaded *loaded, struct vg_arena *arena, struct vg_error *err)
{
    struct decoder d = {.file = *file, .rules = rules, .err = err};
    int rc = decode(&d, loaded->facts.file_xxh128);

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
