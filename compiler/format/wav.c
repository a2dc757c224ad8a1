/* SPDX-License-Identifier: MIT */
/* WAV for tools that read nothing else: RIFF header of 44 bytes, 16-bit PCM, mono, little endian. */
#include "format.h"

static void add_little(struct vg_text *out, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        vg_text_add_char(out, (char)(unsigned char)(value >> (8 * i)));
}

/* In pieces: a sample at a time through the growing text would cost more than encoding FLAC. */
static void add_samples(struct vg_text *out, const int16_t *samples, size_t frames)
{
    enum { PIECE = 4096 };
    char words[2 * PIECE];

    for (size_t done = 0; done < frames;) {
        size_t count = frames - done < PIECE ? frames - done : PIECE;

        for (size_t i = 0; i < count; i++) {
            unsigned word = (uint16_t)samples[done + i];

            words[2 * i] = (char)(unsigned char)(word & 255);
            words[2 * i + 1] = (char)(unsigned char)(word >> 8);
        }
        vg_text_add_part(out, words, 2 * count);
        done += count;
    }
}

void vg_wav_encode(const int16_t *samples, size_t frames, uint32_t rate_hz, struct vg_text *out)
{
    enum { HEADER_REST = 36, FORMAT_BYTES = 16, PCM = 1, CHANNELS = 1, BYTES = 2 };
    uint32_t data_bytes = (uint32_t)(frames * BYTES);

    vg_check(frames <= (UINT32_MAX - HEADER_REST) / BYTES); /* RIFF counts in 32 bits */
    vg_text_clear(out);
    vg_text_add(out, "RIFF");
    add_little(out, HEADER_REST + data_bytes, 4);
    vg_text_add(out, "WAVEfmt ");
    add_little(out, FORMAT_BYTES, 4);
    add_little(out, PCM, 2);
    add_little(out, CHANNELS, 2);
    add_little(out, rate_hz, 4);
    add_little(out, rate_hz * BYTES, 4);
    add_little(out, BYTES, 2);
    add_little(out, 8 * BYTES, 2);
    vg_text_add(out, "data");
    add_little(out, data_bytes, 4);
    add_samples(out, samples, frames);
}
