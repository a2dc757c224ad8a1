/* SPDX-License-Identifier: MIT */
/* Canonical JSON (RFC 8785): the writer refuses, as a programmer's fault, a key out of order.  Keys are
 * ASCII, so byte order is the order of UTF-16 code units. */
#include "base.h"

#include <math.h>
#include <string.h>

void vg_json_init(struct vg_json *json, struct vg_text *out)
{
    memset(json, 0, sizeof *json);
    json->out = out;
}

static void begin_value(struct vg_json *json, const char *key)
{
    unsigned depth = json->depth;

    if (json->filled[depth])
        vg_text_add_char(json->out, ',');
    json->filled[depth] = true;
    if (key == NULL)
        return;
    vg_check(json->last_key[depth] == NULL || strcmp(json->last_key[depth], key) < 0);
    json->last_key[depth] = key;
    vg_text_add_json(json->out, key);
    vg_text_add_char(json->out, ':');
}

void vg_json_open(struct vg_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    vg_text_add_char(json->out, bracket);
    json->depth++;
    vg_check(json->depth < sizeof json->filled / sizeof *json->filled);
    json->filled[json->depth] = false;
    json->last_key[json->depth] = NULL;
}

void vg_json_close(struct vg_json *json, char bracket)
{
    vg_check(json->depth > 0);
    json->depth--;
    vg_text_add_char(json->out, bracket);
}

void vg_json_string(struct vg_json *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value == NULL)
        vg_text_add(json->out, "null");
    else
        vg_text_add_json(json->out, value);
}

void vg_json_double(struct vg_json *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value))
        vg_text_add_double(json->out, value);
    else
        vg_text_add(json->out, "null");
}

void vg_json_integer(struct vg_json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    vg_text_addf(json->out, "%lld", (long long)value);
}

void vg_json_bool(struct vg_json *json, const char *key, bool value)
{
    begin_value(json, key);
    vg_text_add(json->out, value ? "true" : "false");
}

void vg_text_add_json(struct vg_text *text, const char *string)
{
    static const char named[] = "\bb\tt\nn\ff\rr\"\"\\\\";

    vg_text_add_char(text, '"');
    for (const char *c = string; *c != '\0'; c++) {
        const char *name = named;

        while (*name != '\0' && *name != *c)
            name += 2;
        if (*name != '\0')
            vg_text_addf(text, "\\%c", name[1]);
        else if ((unsigned char)*c < 0x20)
            vg_text_addf(text, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            vg_text_add_char(text, *c);
    }
    vg_text_add_char(text, '"');
}
