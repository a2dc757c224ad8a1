/* SPDX-License-Identifier: MIT */
/* A FLAC file that tells nothing but its sound.  Its size follows the label (a rising and a falling change do
 * not compress alike), so all files of a category are padded to one size; its MD5 would find the item in a
 * copy of the release. */
#include "annotate.h"

#include <string.h>

enum {
    MAGIC_BYTES = 4,
    BLOCK_HEADER_BYTES = 4,
    STREAMINFO_BYTES = 34,
    FRAME_SIZES_AT = 4, /* least and largest, 3 bytes each; 0: not known */
    FRAME_SIZES_BYTES = 6,
    MD5_AT = 18,
    MD5_BYTES = 16,
    LAST_BLOCK = 0x80,
    BLOCK_PADDING = 1,
    BLOCK_BYTES_MAX = (1 << 24) - 1
};

/* Where the frames begin, or 0. */
static size_t find_frames(const unsigned char *bytes, size_t count)
{
    size_t at = MAGIC_BYTES;
    bool last = false;

    if (count < MAGIC_BYTES + BLOCK_HEADER_BYTES + STREAMINFO_BYTES ||
        memcmp(bytes, "fLaC", MAGIC_BYTES) != 0 || (bytes[at] & 0x7f) != 0 ||
        bytes[at + 3] != STREAMINFO_BYTES)
        return 0;
    while (!last) {
        size_t length;

        if (count - at < BLOCK_HEADER_BYTES)
            return 0;
        last = (bytes[at] & LAST_BLOCK) != 0;
        length = (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        at += BLOCK_HEADER_BYTES;
        if (count - at < length)
            return 0;
        at += length;
    }
    return at;
}

static void add_zeros(struct vg_text *out, size_t count)
{
    static const char zeros[256];

    for (; count > sizeof zeros; count -= sizeof zeros)
        vg_text_add_part(out, zeros, sizeof zeros);
    vg_text_add_part(out, zeros, count);
}

bool vg_flac_blind(const char *bytes, size_t count, size_t target, struct vg_text *out)
{
    size_t frames = find_frames((const unsigned char *)bytes, count), padding,
           head = MAGIC_BYTES + 2 * BLOCK_HEADER_BYTES + STREAMINFO_BYTES;
    char info[BLOCK_HEADER_BYTES + STREAMINFO_BYTES];

    if (frames == 0 || target < head + (count - frames) || target - head - (count - frames) > BLOCK_BYTES_MAX)
        return false;
    padding = target - head - (count - frames);
    memcpy(info, bytes + MAGIC_BYTES, sizeof info);
    info[0] = 0; /* STREAMINFO, not the last block */
    memset(info + BLOCK_HEADER_BYTES + FRAME_SIZES_AT, 0, FRAME_SIZES_BYTES);
    memset(info + BLOCK_HEADER_BYTES + MD5_AT, 0, MD5_BYTES);
    vg_text_add_part(out, bytes, MAGIC_BYTES);
    vg_text_add_part(out, info, sizeof info);
    vg_text_add_char(out, (char)(LAST_BLOCK | BLOCK_PADDING));
    vg_text_add_char(out, (char)(padding >> 16 & 0xff));
    vg_text_add_char(out, (char)(padding >> 8 & 0xff));
    vg_text_add_char(out, (char)(padding & 0xff));
    add_zeros(out, padding);
    vg_text_add_part(out, bytes + frames, count - frames);
    return true;
}
