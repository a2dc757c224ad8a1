/* SPDX-License-Identifier: MIT */
/* Results into a digest, as little-endian words so that any machine digests the same bytes; and arguments
 * made of integers, so that no function under test is needed to make them. */
#include "selftest.h"

#include <inttypes.h>
#include <string.h>

static void add_word(struct vg_values *values, uint64_t word, int bytes)
{
    unsigned char at[8];

    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(word >> (8 * i));
    vg_digest_add(&values->digest, at, (size_t)bytes);
    if (values->listing != NULL)
        vg_text_addf(values->listing, "%0*" PRIx64 "\n", 2 * bytes, word);
}

void vg_values_integer(struct vg_values *values, uint64_t value)
{
    add_word(values, value, 8);
}

void vg_values_double(struct vg_values *values, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    add_word(values, value == value ? bits : 0x7ff8000000000000, 8);
}

void vg_values_doubles(struct vg_values *values, const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vg_values_double(values, x[i]);
}

void vg_values_float(struct vg_values *values, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    add_word(values, value == value ? bits : 0x7fc00000, 4);
}

void vg_values_floats(struct vg_values *values, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vg_values_float(values, x[i]);
}

void vg_values_samples(struct vg_values *values, const int16_t *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_word(values, (uint16_t)x[i], 2);
}

void vg_values_text(struct vg_values *values, const char *text)
{
    vg_digest_add(&values->digest, text, strlen(text) + 1);
    if (values->listing != NULL)
        vg_text_addf(values->listing, "%s\n", text);
}

void vg_values_bytes(struct vg_values *values, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;

    vg_values_integer(values, count);
    for (size_t i = 0; i < count; i++)
        add_word(values, at[i], 1);
}

uint64_t vg_argument_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

double vg_argument_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(vg_argument_bits(state) >> 11) * 0x1p-53);
}

double vg_argument_scaled(uint64_t *state, int low, int high)
{
    int exponent = low + (int)(vg_argument_bits(state) % (uint64_t)(high - low + 1));
    uint64_t bits = vg_argument_bits(state) >> 12;
    double x;

    vg_check(low >= -1074 && high <= 1023);
    if (exponent >= -1022)
        bits |= (uint64_t)(exponent + 1023) << 52;
    else /* subnormal: the leading bit stands at exponent + 1074 */
        bits = (bits | (uint64_t)1 << 52) >> (-1022 - exponent);
    memcpy(&x, &bits, sizeof x);
    return x;
}

float *vg_argument_sound(size_t frames, struct vg_arena *tmp)
{
    float *x = vg_arena_take(tmp, frames, sizeof *x);
    uint64_t state = 3;

    for (size_t k = 0; k < frames; k++) {
        double swell = (double)(k % 3001) * (double)(3000 - k % 3001) / 2250000.0; /* 0..1..0 */
        double saw = (double)(k * 37 % 4001) / 2000.0 - 1.0;                       /* -1..1 */

        x[k] = (float)(swell * (0.5 * saw + 0.3 * vg_argument_between(&state, -1.0, 1.0)));
    }
    return x;
}
