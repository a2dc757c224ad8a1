/* SPDX-License-Identifier: MIT */
/* Any bytes as a sound file, structure only: the readers of RIFF, FLAC, Ogg and MP3 headers and frames.  Ogg
 * pages of every other input get their right checksum, or no mutation would pass the first. */
#include "fuzz.h"

#include "container.h"

/* RFC 3533: CRC-32 of polynomial 0x04c11db7, not reflected, over the page with its own field zero. */
static uint32_t page_checksum(const uint8_t *page, size_t count)
{
    uint32_t crc = 0;

    for (size_t i = 0; i < count; i++) {
        crc ^= (uint32_t)page[i] << 24;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80000000 ? crc << 1 ^ 0x04c11db7 : crc << 1;
    }
    return crc;
}

static void mend_pages(uint8_t *bytes, size_t size)
{
    size_t at = 0;

    while (at + 27 <= size && memcmp(bytes + at, "OggS", 4) == 0) {
        size_t length = 27 + (size_t)bytes[at + 26];
        uint32_t crc;

        if (at + length > size)
            return;
        for (size_t i = 0; i < bytes[at + 26]; i++)
            length += bytes[at + 27 + i];
        if (at + length > size)
            return;
        memset(bytes + at + 22, 0, 4);
        crc = page_checksum(bytes + at, length);
        for (size_t i = 0; i < 4; i++)
            bytes[at + 22 + i] = (uint8_t)(crc >> 8 * i);
        at += length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    uint8_t *bytes = vg_arena_take(&arena, size + 1, 1);
    struct vg_recording file = {.fd = -1, .memory = bytes, .bytes = size, .path = "a", .place = "t.csv:2"};
    struct vg_container container;

    memcpy(bytes, data, size);
    if (size % 2 == 0)
        mend_pages(bytes, size);
    fuzz_expect(vg_container_read(&file, &container, &err), &err);
    vg_arena_release(&arena);
    return 0;
}
