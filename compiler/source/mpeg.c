/* SPDX-License-Identifier: MIT */
/* MP3: every frame header from the first to the last (ISO/IEC 11172-3 and 13818-3, layer III), and the
 * Xing/LAME tag in the first one.  A decoder trusts the tag or guesses; counting is the only true length. */
#include "mpeg.h"
#include "container.h"

#include <stdio.h>
#include <string.h>

bool vg_mpeg_frame_read(const unsigned char h[4], struct vg_mpeg_frame *frame)
{
    static const uint32_t kbps[2][15] = {
        {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},     /* MPEG-2 and 2.5 */
        {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}, /* MPEG-1 */
    };
    static const uint32_t rates_hz[3] = {44100, 48000, 32000};
    unsigned version = h[1] >> 3 & 3, layer = h[1] >> 1 & 3, bitrate = h[2] >> 4, rate = h[2] >> 2 & 3;
    bool one = version == 3, mono = h[3] >> 6 == 3;

    if (h[0] != 0xff || (h[1] & 0xe0) != 0xe0 || version == 1 || layer != 1 || bitrate == 0 ||
        bitrate == 15 || rate == 3)
        return false;
    frame->rate_hz = rates_hz[rate] >> (one ? 0 : version == 2 ? 1 : 2);
    frame->channels = mono ? 1 : 2;
    frame->samples = one ? 1152 : 576;
    frame->bytes = frame->samples / 8 * kbps[one][bitrate] * 1000 / frame->rate_hz + (h[2] >> 1 & 1);
    frame->side_bytes = one ? (mono ? 17 : 32) : (mono ? 9 : 17);
    return true;
}

/* What the first frame says where it is a tag and no sound. */
struct tag {
    bool present, has_frames, has_gaps;
    uint32_t frames, delay, padding;
};

/* Xing's tag (Xing 1998) with LAME's extension (gabriel.mp3-tech.org/mp3infotag.html). */
static struct tag read_tag(const struct vg_recording *file, uint64_t at, const struct vg_mpeg_frame *frame)
{
    unsigned char t[192] = {0}, *gaps = t + 8;
    struct tag tag = {0};
    uint32_t flags;

    /* Fraunhofer's tag has a fixed place, and nothing that is needed here. */
    tag.present = vg_recording_read(file, at + 4 + 32, t, 4) == 4 && memcmp(t, "VBRI", 4) == 0;
    if (frame->bytes < 4 + frame->side_bytes + 8 ||
        vg_recording_read(file, at + 4 + frame->side_bytes, t, sizeof t) < 8 ||
        (memcmp(t, "Xing", 4) != 0 && memcmp(t, "Info", 4) != 0))
        return tag;
    tag.present = true;
    flags = vg_big32(t + 4);
    tag.has_frames = (flags & 1) != 0;
    tag.frames = tag.has_frames ? vg_big32(t + 8) : 0;
    gaps += (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
    tag.has_gaps = gaps[0] != 0; /* a version text: "LAME3.100", "Lavf", ... */
    tag.delay = (uint32_t)gaps[21] << 4 | gaps[22] >> 4;
    tag.padding = (gaps[22] & 15u) << 8 | gaps[23];
    return tag;
}

/* Is all from here to the end a known trailer: ID3v1, APE, Lyrics3, or zeros? */
static bool is_trailer(const struct vg_recording *file, uint64_t at)
{
    unsigned char block[4096];
    size_t got = vg_recording_read(file, at, block, 11);

    if ((got >= 3 && memcmp(block, "TAG", 3) == 0) || (got >= 8 && memcmp(block, "APETAGEX", 8) == 0) ||
        (got >= 11 && memcmp(block, "LYRICSBEGIN", 11) == 0))
        return true;
    while ((got = vg_recording_read(file, at, block, sizeof block)) > 0) {
        for (size_t i = 0; i < got; i++)
            if (block[i] != 0)
                return false;
        at += got;
    }
    return true;
}

static int walk_frames(const struct vg_recording *file, uint64_t at, const struct vg_mpeg_frame *first,
                       uint64_t *count, struct vg_error *err)
{
    unsigned char head[4];
    struct vg_mpeg_frame frame;

    for (*count = 0; vg_recording_read(file, at, head, sizeof head) == sizeof head;
         ++*count, at += frame.bytes) {
        if (!vg_mpeg_frame_read(head, &frame))
            break;
        if (frame.rate_hz != first->rate_hz || frame.channels != first->channels)
            return vg_recording_fail(
                file, err, "changes from %u Hz, %u channels to %u Hz, %u channels at byte %llu",
                (unsigned)first->rate_hz, (unsigned)first->channels, (unsigned)frame.rate_hz,
                (unsigned)frame.channels, (unsigned long long)at);
        if (frame.bytes > file->bytes - at)
            return vg_recording_fail(file, err, "is cut off inside its last MP3 frame, at byte %llu",
                                     (unsigned long long)at);
    }
    if (!is_trailer(file, at))
        return vg_recording_fail(file, err, "is damaged: no MP3 frame at byte %llu of %llu",
                                 (unsigned long long)at, (unsigned long long)file->bytes);
    return VG_OK;
}

/* Set what to cut at both ends.  529: the decoder's own delay, which the tag leaves out. */
static void trim(struct vg_container *container, const struct tag *tag)
{
    uint64_t head = tag->delay + 529, tail = tag->padding > 529 ? tag->padding - 529 : 0;

    container->mpeg.lead = head;
    container->frames = container->frames > head + tail ? container->frames - head - tail : 0;
}

int vg_mpeg_read(const struct vg_recording *file, struct vg_container *container, struct vg_error *err)
{
    unsigned char head[4] = {0};
    struct vg_mpeg_frame first;
    struct tag tag;
    uint64_t count;
    int rc;

    container->kind = VG_CONTAINER_MP3;
    vg_recording_read(file, container->start, head, sizeof head);
    if (!vg_mpeg_frame_read(head, &first))
        return vg_recording_fail(file, err,
                                 "is no MPEG layer III stream, or in free format; convert it to WAV or FLAC");
    tag = read_tag(file, container->start, &first);
    rc = walk_frames(file, container->start, &first, &count, err);
    if (rc != VG_OK)
        return rc;
    count -= tag.present;
    if (tag.has_frames && tag.frames != count)
        return vg_recording_fail(file, err, "%s: the MP3 header says %u frames, the file holds %llu",
                                 count < tag.frames ? "is cut off" : "has sound after its end",
                                 (unsigned)tag.frames, (unsigned long long)count);
    container->mpeg.rate_hz = first.rate_hz;
    container->mpeg.channels = first.channels;
    container->mpeg.sound = container->start + (tag.present ? first.bytes : 0);
    container->frames = count * first.samples;
    if (tag.has_gaps)
        trim(container, &tag);
    if (count == 0 || container->frames == 0)
        return vg_recording_fail(file, err, "is MP3 without any sound");
    if (!tag.has_gaps)
        snprintf(container->note, sizeof container->note, "untrimmed MP3");
    return VG_OK;
}
