/* SPDX-License-Identifier: MIT */
/* Ogg (RFC 3533), walked page by page: checksum, sequence, and the mark on the last page.  Decoders leave
 * out damaged pages without a word. */
#include "container.h"

#include <string.h>

enum { PAGE_HEAD = 27, PAGE_MAX = PAGE_HEAD + 255 + 255 * 255, FLAG_FIRST = 2, FLAG_LAST = 4 };

struct ogg {
    unsigned char page[PAGE_MAX];
    uint32_t table[256];
    uint32_t sequence, serial;
    unsigned streams;
    bool ended;
};

/* RFC 3533 section 6: polynomial 0x04c11db7, no reflection, start 0, no final inversion. */
static void fill_table(uint32_t table[256])
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i << 24;

        for (int bit = 0; bit < 8; bit++)
            c = c << 1 ^ ((c & 0x80000000u) != 0 ? 0x04c11db7u : 0);
        table[i] = c;
    }
}

static uint32_t checksum(const uint32_t table[256], const unsigned char *page, size_t count)
{
    uint32_t c = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned char byte = i >= 22 && i < 26 ? 0 : page[i]; /* its own field counts as zero */

        c = c << 8 ^ table[c >> 24 ^ byte];
    }
    return c;
}

/* Read the page at `at` and its size; 0 where there is no whole one. */
static size_t read_page(const struct vg_recording *file, struct ogg *ogg, uint64_t at)
{
    size_t got = vg_recording_read(file, at, ogg->page, PAGE_MAX), size = PAGE_HEAD;

    if (got < PAGE_HEAD || memcmp(ogg->page, "OggS", 4) != 0 || got < size + ogg->page[26])
        return 0;
    size += ogg->page[26];
    for (unsigned i = 0; i < ogg->page[26]; i++)
        size += ogg->page[PAGE_HEAD + i];
    return size <= got ? size : 0;
}

static int check_page(const struct vg_recording *file, struct ogg *ogg, uint64_t at, size_t size,
                      struct vg_error *err)
{
    const unsigned char *page = ogg->page;

    if (checksum(ogg->table, page, size) != vg_little32(page + 22))
        return vg_recording_fail(file, err,
                                 "the Ogg page at byte %llu is damaged: its checksum does not hold",
                                 (unsigned long long)at);
    if ((page[5] & FLAG_FIRST) != 0 && ogg->streams++ > 0)
        return vg_recording_fail(file, err, "holds more than one Ogg stream; split it first");
    if (ogg->streams == 0 || vg_little32(page + 18) != ogg->sequence)
        return vg_recording_fail(file, err, "an Ogg page is missing before byte %llu",
                                 (unsigned long long)at);
    ogg->sequence++;
    ogg->ended = (page[5] & FLAG_LAST) != 0;
    return VG_OK;
}

static int walk_pages(const struct vg_recording *file, struct ogg *ogg, uint64_t at, struct vg_error *err)
{
    while (at < file->bytes) {
        size_t size = read_page(file, ogg, at);
        int rc;

        if (size == 0)
            return vg_recording_fail(file, err,
                                     "is cut off or damaged: no whole Ogg page at byte %llu of %llu",
                                     (unsigned long long)at, (unsigned long long)file->bytes);
        rc = check_page(file, ogg, at, size, err);
        if (rc != VG_OK)
            return rc;
        at += size;
    }
    if (!ogg->ended)
        return vg_recording_fail(file, err, "is cut off: the last Ogg page does not say that it is the last");
    return VG_OK;
}

int vg_ogg_read(const struct vg_recording *file, struct vg_container *container, struct vg_error *err)
{
    struct vg_arena tmp = {0};
    struct ogg *ogg = vg_arena_take_zero(&tmp, 1, sizeof *ogg);
    int rc;

    container->kind = VG_CONTAINER_OGG;
    fill_table(ogg->table);
    rc = walk_pages(file, ogg, container->start, err);
    vg_arena_release(&tmp);
    return rc;
}
