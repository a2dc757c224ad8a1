/* SPDX-License-Identifier: MIT */
/* What was refused and why, and what was answered, one line each. */
#include "edge.h"

#include <string.h>

enum { SHOWN_BYTES = 120 };

/* Printable ASCII as it is; the rest, which a terminal might obey, as question marks. */
static void add_plain(struct vg_text *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length && i < SHOWN_BYTES; i++)
        vg_text_add_char(out, text[i] > ' ' && text[i] < 0x7f ? text[i] : '?');
    if (length > SHOWN_BYTES)
        vg_text_add(out, "...");
}

static void add_request(struct vg_text *out, const char *method, const char *target, unsigned status)
{
    vg_text_add_char(out, ' ');
    add_plain(out, method, strlen(method));
    vg_text_add_char(out, ' ');
    add_plain(out, target, strcspn(target, "?"));
    vg_text_addf(out, " %u", status);
}

void vg_log_answer(struct vg_text *out, const char *client, const char *method, const char *target,
                   unsigned status)
{
    vg_text_addf(out, "answered %s", client);
    add_request(out, method, target, status);
}

void vg_log_refusal(struct vg_text *out, const char *client, const char *method, const char *target,
                    unsigned status, const char *reason)
{
    vg_text_addf(out, "refused %s", client);
    if (method != NULL && target != NULL)
        add_request(out, method, target, status);
    vg_text_add(out, ": ");
    for (; *reason != '\0'; reason++)
        vg_text_add_char(out, (unsigned char)*reason < ' ' || *reason == 0x7f ? ' ' : *reason);
}
