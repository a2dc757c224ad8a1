/* SPDX-License-Identifier: MIT */
/* Texts made comparable: lower case in the alphabets that have one and a simple rule for it, no punctuation,
 * no [tags] of transcribers, words one blank apart.  No locale has a say. */
#include "source.h"

#include <string.h>

/* The next code point of well-formed UTF-8; what is not well formed counts byte by byte. */
static uint32_t next_point(const char **text)
{
    const unsigned char *t = (const unsigned char *)*text;
    unsigned more = t[0] >= 0xf0 ? 3 : t[0] >= 0xe0 ? 2 : t[0] >= 0xc0 ? 1 : 0;
    uint32_t point = more == 0 ? t[0] : t[0] & (0x3fu >> more);

    for (unsigned i = 1; i <= more; i++) {
        if ((t[i] & 0xc0) != 0x80) {
            (*text)++;
            return t[0];
        }
        point = point << 6 | (t[i] & 0x3fu);
    }
    *text += more + 1;
    return point;
}

static void add_point(struct vg_text *out, uint32_t p)
{
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    unsigned more = p >= 0x10000 ? 3 : p >= 0x800 ? 2 : p >= 0x80 ? 1 : 0;

    vg_text_add_char(out, (char)(more == 0 ? p : lead[more] | p >> 6 * more));
    while (more-- > 0)
        vg_text_add_char(out, (char)(0x80 | (p >> 6 * more & 0x3f)));
}

/* Letters whose small form lies at a fixed distance, or follows the capital (Unicode blocks Latin-1, Latin
 * Extended-A, Greek, Cyrillic, Armenian). */
static uint32_t small(uint32_t p)
{
    if ((p >= 'A' && p <= 'Z') || (p >= 0xc0 && p <= 0xde && p != 0xd7) || (p >= 0x391 && p <= 0x3a9) ||
        (p >= 0x410 && p <= 0x42f))
        return p + 32;
    if (p >= 0x400 && p <= 0x40f)
        return p + 80;
    if (p >= 0x531 && p <= 0x556)
        return p + 48;
    if ((p >= 0x100 && p <= 0x137) || (p >= 0x14a && p <= 0x177) || (p >= 0x460 && p <= 0x481) ||
        (p >= 0x48a && p <= 0x4bf) || (p >= 0x4d0 && p <= 0x52f) || (p >= 0x1e00 && p <= 0x1eff))
        return p | 1;
    if ((p >= 0x139 && p <= 0x148) || (p >= 0x179 && p <= 0x17e))
        return p + p % 2; /* capitals are odd here */
    return p;
}

static bool is_blank(uint32_t p)
{
    return p <= ' ' || p == 0x7f || p == 0xa0 || (p >= 0x2000 && p <= 0x200a) || p == 0x2028 || p == 0x2029 ||
           p == 0x3000 || p == '-' || p == '/' || p == 0x2013 || p == 0x2014;
}

/* Punctuation and symbols, which nobody speaks. */
static bool is_silent(uint32_t p)
{
    return (p > ' ' && p < '0') || (p > '9' && p < 'A') || (p > 'Z' && p < 'a') || (p > 'z' && p < 0xaa) ||
           (p > 0xaa && p < 0xb5) || (p > 0xb5 && p < 0xba) || (p > 0xba && p < 0xc0) || p == 0xd7 ||
           p == 0xf7 || (p >= 0x200b && p <= 0x206f) || (p >= 0x3001 && p <= 0x3004) ||
           (p >= 0x3008 && p <= 0x3020) || (p >= 0xff01 && p <= 0xff0f) || p == 0xfeff;
}

void vg_words_normalise(const char *text, struct vg_text *out)
{
    size_t start = out->length;
    bool gap = false;

    while (*text != '\0') {
        const char *tag_end = *text == '[' ? strchr(text, ']') : NULL;
        uint32_t p;

        if (tag_end != NULL) {
            text = tag_end + 1;
            gap = true;
            continue;
        }
        p = next_point(&text);
        if (is_blank(p)) {
            gap = true;
        } else if (!is_silent(p)) {
            if (gap && out->length > start)
                vg_text_add_char(out, ' ');
            gap = false;
            add_point(out, small(p));
        }
    }
}
