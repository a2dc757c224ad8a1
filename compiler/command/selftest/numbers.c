/* SPDX-License-Identifier: MIT */
/* Vectors of base: numbers to text and back (which the C library must round correctly), and the three
 * digests over messages of many lengths. */
#include "selftest.h"

#include <string.h>

static void text_and_back(struct vg_values *values, struct vg_text *text, double x, int decimals)
{
    double back = 0;

    vg_text_clear(text);
    if (decimals < 0)
        vg_text_add_double(text, x);
    else
        vg_text_add_fixed(text, x, decimals);
    vg_values_text(values, text->data);
    vg_values_integer(values, vg_number_parse(text->data, &back));
    vg_values_double(values, back);
}

int vg_fill_text(struct vg_values *values, const char *what)
{
    bool fixed = strcmp(what, "fixed numbers") == 0;
    struct vg_text text = {0};
    uint64_t state = 1;

    for (int i = 0; i < 1500; i++) {
        double sign = i % 2 == 0 ? 1.0 : -1.0, tie = (double)(vg_argument_bits(&state) >> 44) / 64.0;

        if (fixed) {
            text_and_back(values, &text, sign * vg_argument_scaled(&state, -40, 40), i % 10);
            text_and_back(values, &text, sign * tie, i % 6); /* exactly between two texts, often */
        } else {
            text_and_back(values, &text, sign * vg_argument_scaled(&state, -1074, 1023), -1);
            text_and_back(values, &text, sign * tie, -1);
        }
    }
    vg_text_release(&text);
    return VG_OK;
}

static enum vg_digest_kind kind_named(const char *name)
{
    if (strcmp(name, "sha256") == 0)
        return VG_SHA256;
    return strcmp(name, "md5") == 0 ? VG_MD5 : VG_XXH128;
}

int vg_fill_digest(struct vg_values *values, const char *what)
{
    unsigned char message[1100];
    char hex[VG_DIGEST_HEX];
    uint64_t state = 2;

    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)vg_argument_bits(&state);
    for (size_t length = 0; length <= sizeof message; length += length < 260 ? 1 : 70) {
        vg_digest_of(kind_named(what), message, length, hex);
        vg_values_text(values, hex);
    }
    return VG_OK;
}
