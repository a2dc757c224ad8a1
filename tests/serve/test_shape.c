/* SPDX-License-Identifier: MIT */
/* The drawing's numbers: a tone stands in its row at its level, silence at the least, peaks where they are.
 */
#include "library.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct read {
    size_t columns, rows;
    const signed char *peaks;
    const unsigned char *levels;
};

static size_t number_after(const char *json, const char *name)
{
    const char *at = strstr(json, name);

    assert_non_null(at);
    return (size_t)strtoul(at + strlen(name) + 2, NULL, 10);
}

static struct read write_and_read(const int16_t *samples, size_t frames, uint32_t rate_hz,
                                  struct vg_text *out)
{
    struct vg_shape shape = {samples, frames, rate_hz, NULL};
    struct vg_arena arena = {0};
    const unsigned char *bytes;
    size_t head;
    struct read read;

    vg_shape_write(&shape, out, &arena);
    vg_arena_release(&arena);
    bytes = (const unsigned char *)out->data;
    head = bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    read.columns = number_after(out->data + 4, "columns");
    read.rows = number_after(out->data + 4, "rows");
    read.peaks = (const signed char *)bytes + 4 + head;
    read.levels = bytes + 4 + head + 2 * read.columns;
    assert_int_equal(out->length, 4 + head + 2 * read.columns + read.columns * read.rows);
    return read;
}

static void a_tone_stands_in_its_row(void **state)
{
    enum { FRAMES = 48000, RATE = 48000 };
    int16_t *samples = calloc(FRAMES, sizeof *samples);
    struct vg_text out = {0};
    struct read read;
    size_t middle, best = 0;

    (void)state;
    for (size_t k = FRAMES / 2; k < FRAMES; k++) /* -20 dB at 6 kHz, the second half only */
        samples[k] = (int16_t)lrint(3276.7 * sin(2 * 3.14159265358979 * 6000 * (double)k / RATE));
    read = write_and_read(samples, FRAMES, RATE, &out);
    middle = read.columns * 3 / 4;
    for (size_t r = 0; r < read.rows; r++)
        if (read.levels[middle * read.rows + r] > read.levels[middle * read.rows + best])
            best = r;
    assert_in_range(best, read.rows / 4 - 1, read.rows / 4);           /* 6 kHz of 24 */
    assert_in_range(read.levels[middle * read.rows + best], 203, 205); /* 80 of 100 dB */
    assert_int_equal(read.levels[middle * read.rows + read.rows - 1], 0);
    for (size_t r = 0; r < read.rows; r++)
        assert_int_equal(read.levels[read.columns / 4 * read.rows + r], 0);
    assert_int_equal(read.peaks[2 * (read.columns / 4)], 0);
    assert_in_range(read.peaks[2 * middle + 1], 11, 12); /* 3276 of 32768 in 128ths, downwards */
    vg_text_release(&out);
    free(samples);
}

static void any_length_and_rate_will_do(void **state)
{
    static const size_t lengths[] = {1, 63, 64, 65, 1000, 57600, 57601};
    static const uint32_t rates[] = {1, 4000, 8000, 44100, 192000, 4000000};
    int16_t *samples = malloc(57601 * sizeof *samples);

    (void)state;
    for (size_t k = 0; k < 57601; k++)
        samples[k] = (int16_t)(k % 2 == 0 ? 32767 : -32768);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            struct vg_text out = {0};
            struct read read = write_and_read(samples, lengths[i], rates[r], &out);

            assert_true(read.columns >= 1 && read.columns <= 900 && read.rows >= 32 && read.rows <= 256);
            assert_int_equal(read.peaks[1], 127);
            vg_text_release(&out);
        }
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tone_stands_in_its_row),
        cmocka_unit_test(any_length_and_rate_will_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
