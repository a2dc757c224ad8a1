/* SPDX-License-Identifier: MIT */
/* The offending line and a caret below it.  Method: walk the line character by character, copying what
 * falls into a window around the caret and adding up the widths of what stands before it. */
#include "loading.h"

#include <string.h>

enum { WINDOW = 100, BEFORE = 60 }; /* characters shown of a long line, and how many before the caret */

/* Next character of well-formed UTF-8; a byte that is none counts as one character U+FFFD. */
static uint32_t next_character(const char **text, const char *end)
{
    const unsigned char *s = (const unsigned char *)*text;
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    uint32_t c = s[0];

    if (length > (size_t)(end - *text) || !vg_text_is_utf8(*text, length)) {
        *text += 1;
        return 0xFFFD;
    }
    if (length > 1)
        c &= 0x7Fu >> length;
    for (size_t i = 1; i < length; i++)
        c = c << 6 | (s[i] & 0x3F);
    *text += length;
    return c;
}

/* Columns on a terminal.  Ranges: Unicode 15, East_Asian_Width W and F and the commonest combining marks. */
static unsigned width_of(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        unsigned width;
    } ranges[] = {
        {0x0300, 0x036F, 0}, {0x200B, 0x200F, 0}, {0xFE00, 0xFE0F, 0},   {0x1100, 0x115F, 2},
        {0x2E80, 0xA4CF, 2}, {0xAC00, 0xD7A3, 2}, {0xF900, 0xFAFF, 2},   {0xFE30, 0xFE6F, 2},
        {0xFF00, 0xFF60, 2}, {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2},
    };

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

static const char *line_start(const char *source, unsigned line)
{
    while (line > 1 && source != NULL) {
        source = strchr(source, '\n');
        source = source != NULL ? source + 1 : NULL;
        line--;
    }
    return source;
}

void vg_excerpt(const char *source, unsigned line, unsigned column, struct vg_text *out)
{
    const char *at = line_start(source, line), *end;
    unsigned first = 1, caret = 0;

    if (at == NULL || *at == '\0' || *at == '\n')
        return;
    end = at + strcspn(at, "\n");
    if (end - at > WINDOW && column > BEFORE)
        first = column - BEFORE;
    if (first > 1)
        vg_text_add(out, "...");
    for (unsigned i = 1; at < end && i < first + WINDOW; i++) {
        const char *start = at;
        uint32_t c = next_character(&at, end);

        if (i < first)
            continue;
        if (c == '\t')
            vg_text_add_char(out,
                             ' '); /* one column, so that the caret's place does not depend on tab stops */
        else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFD)
            vg_text_add_char(out, '?'); /* nothing from a file may steer the terminal */
        else
            vg_text_add_part(out, start, (size_t)(at - start));
        if (i < column)
            caret += width_of(c);
    }
    vg_text_add(out, at < end ? "...\n" : "\n");
    vg_text_addf(out, "%*s^", (int)(caret + (first > 1 ? 3 : 0)), "");
}
