/* SPDX-License-Identifier: MIT */
/* Parts of a sound (RFC 9110, section 14): one range of bytes, or the whole. */
#include "serve.h"

#include <string.h>

/* Digits of a whole number; false where there are none or too many. */
static bool read_number(const char **at, uint64_t *value)
{
    size_t digits = strspn(*at, "0123456789");

    *value = 0;
    if (digits == 0 || digits > 18)
        return false;
    for (size_t i = 0; i < digits; i++)
        *value = *value * 10 + (uint64_t)((*at)[i] - '0');
    *at += digits;
    return true;
}

enum vg_range vg_range_parse(const char *text, uint64_t size, uint64_t *first, uint64_t *count)
{
    uint64_t from, to;
    const char *at;

    *first = 0;
    *count = size;
    if (text == NULL || strncmp(text, "bytes=", 6) != 0)
        return VG_RANGE_WHOLE;
    at = text + 6;
    if (*at == '-') { /* the last so many */
        at++;
        if (!read_number(&at, &to) || *at != '\0')
            return VG_RANGE_WHOLE;
        *count = to < size ? to : size;
        *first = size - *count;
        return *count > 0 ? VG_RANGE_PART : VG_RANGE_NONE;
    }
    if (!read_number(&at, &from) || *at++ != '-')
        return VG_RANGE_WHOLE;
    to = UINT64_MAX;
    if (*at != '\0' && (!read_number(&at, &to) || *at != '\0' || to < from))
        return VG_RANGE_WHOLE;
    if (from >= size)
        return VG_RANGE_NONE;
    *first = from;
    *count = to < size - 1 ? to - from + 1 : size - from;
    return VG_RANGE_PART;
}

/* Keeps `count` bytes of the body from `first` on. */
static void cut_body(struct vg_text *body, uint64_t first, uint64_t count)
{
    if (body->data == NULL)
        return;
    memmove(body->data, body->data + first, (size_t)count);
    body->length = (size_t)count;
    body->data[body->length] = '\0';
}

static void narrow(struct vg_response *response, uint64_t first, uint64_t count)
{
    if (response->has_file) {
        response->file_offset += first;
        response->file_bytes = count;
    } else {
        cut_body(&response->body, first, count);
    }
}

void vg_response_ranged(struct vg_response *response, const struct vg_request *request, const char *tag)
{
    uint64_t size = response->has_file ? response->file_bytes : response->body.length, first, count;
    const char *known = tag != NULL ? vg_request_header(request, "If-None-Match") : NULL,
               *same = vg_request_header(request, "If-Range");
    enum vg_range range = VG_RANGE_WHOLE;

    if (same == NULL || (tag != NULL && strcmp(same, tag) == 0))
        range = vg_range_parse(vg_request_header(request, "Range"), size, &first, &count);
    if (known != NULL && strcmp(known, tag) == 0) {
        vg_response_release(response);
        *response = (struct vg_response){.status = 304};
    } else if (range == VG_RANGE_NONE) {
        vg_response_refuse(response, 416, "no such range of bytes");
        vg_response_header(response, "Content-Range",
                           vg_arena_format(request->arena, "bytes */%llu", (unsigned long long)size));
        return;
    } else if (range == VG_RANGE_PART) {
        narrow(response, first, count);
        response->status = 206;
        vg_response_header(response, "Content-Range",
                           vg_arena_format(request->arena, "bytes %llu-%llu/%llu", (unsigned long long)first,
                                           (unsigned long long)(first + count - 1),
                                           (unsigned long long)size));
    }
    vg_response_header(response, "Accept-Ranges", "bytes");
    if (tag != NULL)
        vg_response_header(response, "ETag", tag);
    vg_response_header(response, "Cache-Control", tag != NULL ? "private, no-cache" : "no-store");
}
