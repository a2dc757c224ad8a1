/* SPDX-License-Identifier: MIT */
/* File names that are safe everywhere.  What a name loses (accents, colons, length, case that a neighbour
 * shares) comes back as a hash of the original. */
#include "export.h"

#include <string.h>

enum { HASH_HEX = 16 };

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool same_ignoring_case(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != word[i])
            return false;
    return true;
}

/* Windows takes `con.anything` for the console: what counts is the part before the first dot. */
static bool is_device(const char *name)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul"};
    size_t length = strcspn(name, ".");

    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (same_ignoring_case(name, length, devices[i]))
            return true;
    return length == 4 && name[3] >= '0' && name[3] <= '9' &&
           (same_ignoring_case(name, 3, "com") || same_ignoring_case(name, 3, "lpt"));
}

static bool is_safe(const char *name, size_t length, size_t bytes_max)
{
    for (size_t i = 0; i < length; i++)
        if (!is_plain(name[i]))
            return false;
    return length > 0 && length <= bytes_max && name[0] != '.' && name[0] != '-' && name[length - 1] != '.' &&
           name[length - 1] != '-' && !is_device(name);
}

bool vg_name_add_safe(struct vg_text *out, const char *name, size_t bytes_max, bool distinct)
{
    size_t length = strlen(name), kept = length;
    char hex[VG_DIGEST_HEX];

    if (!distinct && is_safe(name, length, bytes_max)) {
        vg_text_add(out, name);
        return false;
    }
    if (kept > bytes_max - HASH_HEX - 2)
        kept = bytes_max - HASH_HEX - 2;
    vg_text_add(out, length == 0 || name[0] == '.' || name[0] == '-' || is_device(name) ? "_" : "");
    for (size_t i = 0; i < kept; i++)
        vg_text_add_char(out, is_plain(name[i]) ? name[i] : '_');
    vg_digest_of(VG_SHA256, name, length, hex);
    vg_text_add_char(out, '-');
    vg_text_add_part(out, hex, HASH_HEX);
    return true;
}

uint64_t vg_name_fold(const char *name)
{
    struct vg_text folded = {0};
    uint64_t hash;

    for (const char *c = name; *c != '\0'; c++)
        vg_text_add_char(&folded, lower(*c));
    hash = vg_hash_text(vg_text_or_empty(&folded), folded.length);
    vg_text_release(&folded);
    return hash;
}
