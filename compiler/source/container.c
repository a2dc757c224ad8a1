/* SPDX-License-Identifier: MIT */
/* What kind of sound file this is, by its first bytes, and for what is none a word on what it is instead:
 * corpora are full of error pages, pointers and archives with the name of a clip. */
#include "container.h"

#include <string.h>

const char *const vg_container_names[VG_CONTAINER_KINDS] = {"WAV", "FLAC", "Ogg", "MP3"};

uint32_t vg_little16(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8;
}

uint32_t vg_little32(const unsigned char *b)
{
    return vg_little16(b) | vg_little16(b + 2) << 16;
}

uint64_t vg_little64(const unsigned char *b)
{
    return vg_little32(b) | (uint64_t)vg_little32(b + 4) << 32;
}

uint32_t vg_big32(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static bool begins(const unsigned char *head, const char *magic)
{
    return memcmp(head, magic, strlen(magic)) == 0;
}

/* Files that are sound or not, but none that we read: how they begin and what they are. */
static const struct {
    const char *magic, *what;
} strangers[] = {
    {"version https://git-lfs", "a Git LFS pointer, not the file itself; run `git lfs pull`"},
    {"FORM", "AIFF; convert it to WAV or FLAC"},
    {".snd", "Sun AU; convert it to WAV or FLAC"},
    {"NIST_1A", "NIST SPHERE; convert it to WAV or FLAC"},
    {"caff", "Core Audio; convert it to WAV or FLAC"},
    {"riff\x2e\x91", "Sony Wave64; convert it to WAV or FLAC"},
    {"PK\x03\x04", "a ZIP archive; unpack it"},
    {"\x1f\x8b", "gzip; unpack it"},
    {"PAR1", "Parquet, not one recording"},
    {"\x1a\x45\xdf\xa3", "WebM or Matroska; convert it to WAV or FLAC"},
};

static bool is_printable(const unsigned char *head, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (head[i] >= 0x7f || (head[i] < 0x20 && head[i] != '\n' && head[i] != '\r' && head[i] != '\t'))
            return false;
    return true;
}

static int refuse(const struct vg_recording *file, const unsigned char *head, size_t count,
                  struct vg_error *err)
{
    size_t skip = 0;

    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (begins(head, strangers[i].magic))
            return vg_recording_fail(file, err, "is %s", strangers[i].what);
    if (count >= 8 && memcmp(head + 4, "ftyp", 4) == 0)
        return vg_recording_fail(file, err, "is MP4; convert it to WAV or FLAC");
    while (skip < count && (head[skip] == ' ' || head[skip] == '\r' || head[skip] == '\n'))
        skip++;
    if (skip < count && head[skip] == '<' && is_printable(head, count))
        return vg_recording_fail(file, err, "is a web page or XML, not sound; download it again");
    if (is_printable(head, count))
        return vg_recording_fail(file, err, "is text, not sound; download it again");
    return vg_recording_fail(file, err, "is neither WAV, FLAC, Ogg nor MP3, whatever its name says");
}

/* End of the ID3v2 tags at the start of the file (id3.org/id3v2.4.0-structure). */
static int skip_tags(const struct vg_recording *file, uint64_t *start, struct vg_error *err)
{
    unsigned char tag[10];

    *start = 0;
    while (vg_recording_read(file, *start, tag, sizeof tag) == sizeof tag && begins(tag, "ID3")) {
        uint64_t size = (uint64_t)(tag[6] & 0x7f) << 21 | (uint64_t)(tag[7] & 0x7f) << 14 |
                        (uint64_t)(tag[8] & 0x7f) << 7 | (uint64_t)(tag[9] & 0x7f);

        size += (tag[5] & 0x10) != 0 ? 20 : 10; /* header, and footer where flagged */
        if (size > file->bytes - *start)
            return vg_recording_fail(file, err,
                                     "an ID3 tag of %llu bytes stands in a file of %llu: cut off or broken",
                                     (unsigned long long)size, (unsigned long long)file->bytes);
        *start += size;
    }
    return VG_OK;
}

/* FLAC (RFC 9639 section 8.2) tells its length and the MD5 of its samples in the first block. */
static int read_flac(const struct vg_recording *file, struct vg_container *container, struct vg_error *err)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char info[42] = {0}; /* "fLaC", block header, STREAMINFO */
    size_t got = vg_recording_read(file, container->start, info, sizeof info);
    unsigned bits = ((info[20] & 1u) << 4 | info[21] >> 4) + 1;
    bool has_md5 = false;

    container->kind = VG_CONTAINER_FLAC;
    if (got < sizeof info || (info[4] & 0x7f) != 0)
        return vg_recording_fail(file, err, "is FLAC without a whole STREAMINFO block: cut off");
    if (bits != 8 && bits != 16 && bits != 24)
        return vg_recording_fail(file, err, "is FLAC of %u bits; 8, 16 and 24 are read", bits);
    container->frames = (uint64_t)(info[21] & 0x0f) << 32 | vg_big32(info + 22);
    for (size_t i = 0; i < 16; i++) {
        has_md5 = has_md5 || info[26 + i] != 0;
        container->md5[2 * i] = hex[info[26 + i] >> 4];
        container->md5[2 * i + 1] = hex[info[26 + i] & 15];
    }
    if (!has_md5)
        container->md5[0] = '\0';
    return VG_OK;
}

int vg_container_read(const struct vg_recording *file, struct vg_container *container, struct vg_error *err)
{
    unsigned char head[64] = {0};
    size_t count;
    int rc;

    *container = (struct vg_container){0};
    rc = skip_tags(file, &container->start, err);
    if (rc != VG_OK)
        return rc;
    count = vg_recording_read(file, container->start, head, sizeof head - 1);
    if (begins(head, "RIFF") || begins(head, "RF64"))
        return vg_riff_read(file, container, err);
    if (begins(head, "fLaC"))
        return read_flac(file, container, err);
    if (begins(head, "OggS"))
        return vg_ogg_read(file, container, err);
    if (count >= 4 && head[0] == 0xff && (head[1] & 0xe0) == 0xe0)
        return vg_mpeg_read(file, container, err);
    return refuse(file, head, count, err);
}
