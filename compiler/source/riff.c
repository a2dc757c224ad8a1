/* SPDX-License-Identifier: MIT */
/* WAV: the chunks of RIFF and RF64 (Microsoft/IBM 1991; EBU Tech 3306).  Sizes are checked against the file,
 * because decoders clamp them: a cut file must not become a shorter clip. */
#include "container.h"

#include <stdio.h>
#include <string.h>

struct wave {
    uint64_t data_at, data_bytes, big_bytes; /* big: from ds64, for RF64 */
    uint32_t format, channels, rate_hz, block_bytes;
    bool has_format, has_data, has_big;
};

enum { FORMAT_PCM = 1, FORMAT_FLOAT = 3, FORMAT_ALAW = 6, FORMAT_MULAW = 7, FORMAT_EXTENSIBLE = 0xfffe };

enum { CHUNKS_MAX = 1000 }; /* before the sound; more is no recording */

/* Sizes that mean "not known when the header was written". */
static bool is_open_ended(uint64_t bytes)
{
    return bytes == 0xffffffff || bytes == 0x7ffff000; /* ffmpeg and the standard; SoX */
}

static int read_format(const struct vg_recording *file, struct wave *wave, uint64_t at, uint64_t bytes,
                       struct vg_error *err)
{
    unsigned char f[40];
    size_t got = vg_recording_read(file, at, f, bytes < sizeof f ? (size_t)bytes : sizeof f);

    if (got < 16)
        return vg_recording_fail(file, err, "the fmt chunk has %zu bytes, at least 16 are needed: cut off",
                                 got);
    wave->has_format = true;
    wave->format = vg_little16(f);
    wave->channels = vg_little16(f + 2);
    wave->rate_hz = vg_little32(f + 4);
    wave->block_bytes = vg_little16(f + 12);
    if (wave->format == FORMAT_EXTENSIBLE && got >= 26)
        wave->format = vg_little16(f + 24);
    if (wave->channels == 0 || wave->rate_hz == 0 || wave->rate_hz > INT32_MAX || wave->block_bytes == 0)
        return vg_recording_fail(file, err, "the WAV header says %u channels, %u Hz, %u bytes a frame",
                                 (unsigned)wave->channels, (unsigned)wave->rate_hz,
                                 (unsigned)wave->block_bytes);
    return VG_OK;
}

/* Walk the chunks up to the sound; what follows it is of no concern. */
static int walk(const struct vg_recording *file, uint64_t at, struct wave *wave, struct vg_error *err)
{
    unsigned char head[8], big[16];
    int rc = VG_OK;

    for (int chunks = 0; rc == VG_OK && chunks < CHUNKS_MAX; chunks++) {
        uint64_t bytes;

        if (vg_recording_read(file, at, head, sizeof head) < sizeof head)
            break;
        bytes = vg_little32(head + 4);
        at += sizeof head;
        if (memcmp(head, "data", 4) == 0) {
            wave->has_data = true;
            wave->data_at = at;
            wave->data_bytes = bytes;
            return VG_OK;
        }
        if (memcmp(head, "fmt ", 4) == 0) {
            rc = read_format(file, wave, at, bytes, err);
        } else if (memcmp(head, "ds64", 4) == 0 &&
                   vg_recording_read(file, at, big, sizeof big) == sizeof big) {
            wave->has_big = true;
            wave->big_bytes = vg_little64(big + 8);
        }
        at += bytes + bytes % 2; /* chunks start on even offsets */
    }
    return rc;
}

static int check_data(const struct vg_recording *file, struct wave *wave, struct vg_container *container,
                      struct vg_error *err)
{
    uint64_t there = file->bytes - wave->data_at;

    if (wave->has_big && wave->data_bytes == 0xffffffff)
        wave->data_bytes = wave->big_bytes;
    if (there < wave->block_bytes)
        return vg_recording_fail(file, err, "has a WAV header and no samples");
    if (wave->data_bytes == 0)
        return vg_recording_fail(file, err,
                                 "the WAV header says no samples, %llu bytes follow: the recording was not "
                                 "closed; repair the header",
                                 (unsigned long long)there);
    if (is_open_ended(wave->data_bytes)) {
        wave->data_bytes = there;
        snprintf(container->note, sizeof container->note, "streamed WAV header, length from the file");
    }
    if (wave->data_bytes > there)
        return vg_recording_fail(file, err,
                                 "is cut off: the WAV header says %llu bytes of samples, the file holds %llu",
                                 (unsigned long long)wave->data_bytes, (unsigned long long)there);
    return VG_OK;
}

int vg_riff_read(const struct vg_recording *file, struct vg_container *container, struct vg_error *err)
{
    struct wave wave = {0};
    unsigned char head[12] = {0};
    int rc;

    container->kind = VG_CONTAINER_WAV;
    vg_recording_read(file, container->start, head, sizeof head);
    if (memcmp(head + 8, "WAVE", 4) != 0)
        return vg_recording_fail(file, err, "is RIFF without WAVE: not a WAV file, or cut off");
    rc = walk(file, container->start + sizeof head, &wave, err);
    if (rc != VG_OK)
        return rc;
    if (!wave.has_data || !wave.has_format)
        return vg_recording_fail(file, err, "has no %s chunk%s: cut off or not a WAV file",
                                 wave.has_format ? "data" : "fmt",
                                 wave.has_data ? " before the samples" : "");
    rc = check_data(file, &wave, container, err);
    if (rc == VG_OK && (wave.format == FORMAT_PCM || wave.format == FORMAT_FLOAT ||
                        wave.format == FORMAT_ALAW || wave.format == FORMAT_MULAW))
        container->frames = wave.data_bytes / wave.block_bytes;
    return rc;
}
