/* SPDX-License-Identifier: MIT */
/* Growing byte strings, CSV quoting, UTF-8, nearest words. */
#include "base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct vg_text *text, size_t more)
{
    size_t need = text->length + more + 1;

    if (need > text->room) {
        text->room = need > 2 * text->room ? need : 2 * text->room;
        text->data = vg_memory_grow(text->data, text->room, 1);
    }
}

void vg_text_add_part(struct vg_text *text, const char *part, size_t length)
{
    reserve(text, length);
    if (length > 0)
        memcpy(text->data + text->length, part, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void vg_text_add(struct vg_text *text, const char *part)
{
    vg_text_add_part(text, part, strlen(part));
}

void vg_text_add_char(struct vg_text *text, char c)
{
    vg_text_add_part(text, &c, 1);
}

void vg_text_addv(struct vg_text *text, const char *format, va_list args)
{
    va_list again;
    int length;

    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    vg_check(length >= 0);
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, args);
    text->length += (size_t)length;
}

void vg_text_addf(struct vg_text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vg_text_addv(text, format, args);
    va_end(args);
}

void vg_text_clear(struct vg_text *text)
{
    text->length = 0;
    if (text->data != NULL)
        text->data[0] = '\0';
}

void vg_text_release(struct vg_text *text)
{
    free(text->data);
    *text = (struct vg_text){0};
}

const char *vg_text_or_empty(const struct vg_text *text)
{
    return text->data != NULL ? text->data : "";
}

/* Words that a CSV reader may turn into a null, a truth value or a number (pandas' na_values, YAML 1.1). */
static const char *const hazards[] = {"",     "null",  "NULL",  "Null",  "NA",      "N/A",  "n/a",
                                      "NaN",  "nan",   "-nan",  "-NaN",  "None",    "none", "#N/A",
                                      "#NA",  "<NA>",  "inf",   "Inf",   "-inf",    "true", "True",
                                      "TRUE", "false", "False", "FALSE", "infinity"};

static bool looks_hazardous(const char *field)
{
    for (size_t i = 0; i < sizeof hazards / sizeof *hazards; i++)
        if (strcmp(field, hazards[i]) == 0)
            return true;
    if (strpbrk(field, ",\"\r\n\t;|#'=@") != NULL)
        return true;
    if (field[0] == ' ' || field[strlen(field) - 1] == ' ')
        return true;
    return strchr("0123456789+-.", field[0]) != NULL;
}

void vg_text_add_csv(struct vg_text *text, const char *field)
{
    if (!looks_hazardous(field)) {
        vg_text_add(text, field);
        return;
    }
    vg_text_add_char(text, '"');
    for (const char *c = field; *c != '\0'; c++) {
        if (*c == '"')
            vg_text_add_char(text, '"');
        vg_text_add_char(text, *c);
    }
    vg_text_add_char(text, '"');
}

/* Bytes of the well-formed sequence at s, or 0. */
static size_t utf8_sequence(const unsigned char *s, size_t left)
{
    static const unsigned char least[5] = {0, 0, 0, 0xA0, 0x90}; /* second byte after E0, F0 */
    size_t length = s[0] < 0x80   ? 1
                    : s[0] < 0xC2 ? 0
                    : s[0] < 0xE0 ? 2
                    : s[0] < 0xF0 ? 3
                    : s[0] < 0xF5 ? 4
                                  : 0;

    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 || s[0] == 0xF0) && s[1] < least[length])
        return 0;
    if ((s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return length;
}

bool vg_text_is_utf8(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;

    for (size_t i = 0; i < length;) {
        size_t step = utf8_sequence(s + i, length - i);

        if (step == 0)
            return false;
        i += step;
    }
    return true;
}

/* Levenshtein distance of two words, each cut at 63 bytes. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[64];
    size_t na = strlen(a) < 63 ? strlen(a) : 63, nb = strlen(b) < 63 ? strlen(b) : 63;

    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            size_t least = row[j] < row[j - 1] ? row[j] : row[j - 1];

            diagonal = row[j];
            row[j] = change < least + 1 ? change : least + 1;
        }
    }
    return row[nb];
}

const char *vg_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2; /* further away is no help */

    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(word, candidates[i]);

        if (distance < best_distance) {
            best_distance = distance;
            best = candidates[i];
        }
    }
    return best;
}
