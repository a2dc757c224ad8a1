/* SPDX-License-Identifier: MIT */
/* A request as it comes off the wire, parsed strictly: what a browser never sends is refused, not repaired.
 * Decoded text is UTF-8 without control characters, and a path has no empty and no dot segments. */
#include "edge.h"

#include <string.h>

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Percent-decodes into the arena; NULL where that gives no clean text.  `plus`: + stands for a blank. */
static const char *decode(const char *raw, size_t length, bool plus, struct vg_arena *arena)
{
    char *text = vg_arena_take(arena, length + 1, 1);
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        int value = (unsigned char)raw[i];

        if (raw[i] == '%') {
            int high = i + 1 < length ? hex_value(raw[i + 1]) : -1;
            int low = i + 2 < length ? hex_value(raw[i + 2]) : -1;

            if (high < 0 || low < 0)
                return NULL;
            value = high * 16 + low;
            i += 2;
        } else if (raw[i] == '+' && plus) {
            value = ' ';
        }
        if (value < ' ' || value == 0x7f)
            return NULL;
        text[count++] = (char)value;
    }
    text[count] = '\0';
    return vg_text_is_utf8(text, count) ? text : NULL;
}

/* Begins with '/', and between slashes is never nothing, "." or ".."; no backslash. */
static bool is_plain_path(const char *path)
{
    const char *segment = path + 1;

    if (path[0] != '/' || strchr(path, '\\') != NULL)
        return false;
    while (path[1] != '\0') {
        size_t length = strcspn(segment, "/");

        if (length == 0 || (length == 1 && segment[0] == '.') ||
            (length == 2 && segment[0] == '.' && segment[1] == '.'))
            return false;
        if (segment[length] == '\0')
            break;
        segment += length + 1;
    }
    return true;
}

/* "a=b&c=d", decoded; false where a name is empty or comes twice, or there are more than `room`. */
static bool read_fields(const char *raw, size_t length, struct vg_field *fields, size_t room, size_t *count,
                        struct vg_arena *arena)
{
    *count = 0;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(raw + at, '&', length - at), *equals;
        size_t size = end != NULL ? (size_t)(end - raw) - at : length - at;
        size_t name;

        equals = memchr(raw + at, '=', size);
        name = equals != NULL ? (size_t)(equals - raw) - at : size;
        if (*count == room || name == 0)
            return false;
        fields[*count].name = decode(raw + at, name, true, arena);
        fields[*count].value = equals != NULL ? decode(equals + 1, size - name - 1, true, arena) : "";
        if (fields[*count].name == NULL || fields[*count].value == NULL)
            return false;
        for (size_t i = 0; i < *count; i++)
            if (strcmp(fields[i].name, fields[*count].name) == 0)
                return false;
        ++*count;
        at += size + 1;
    }
    return true;
}

const char *vg_request_target(struct vg_request *request, const char *target, size_t length)
{
    const char *mark = memchr(target, '?', length);
    size_t path = mark != NULL ? (size_t)(mark - target) : length;

    request->path = request->tail = "";
    request->query_count = 0;
    if (length > VG_TARGET_BYTES_MAX)
        return "the address is too long";
    if (memchr(target, '#', length) != NULL)
        return "the address has a fragment";
    request->path = decode(target, path, false, request->arena);
    if (request->path == NULL || !is_plain_path(request->path)) {
        request->path = "";
        return "the path is malformed";
    }
    if (mark != NULL && !read_fields(mark + 1, length - path - 1, request->query, VG_QUERY_MAX,
                                     &request->query_count, request->arena)) {
        request->query_count = 0;
        return "the query is malformed";
    }
    return NULL;
}

bool vg_request_form(const struct vg_request *request, struct vg_field *fields, size_t room, size_t *count)
{
    return read_fields(request->body, request->body_bytes, fields, room, count, request->arena);
}

const char *vg_request_query(const struct vg_request *request, const char *name)
{
    for (size_t i = 0; i < request->query_count; i++)
        if (strcmp(request->query[i].name, name) == 0)
            return request->query[i].value;
    return "";
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool vg_same_name(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

const char *vg_request_header(const struct vg_request *request, const char *name)
{
    for (size_t i = 0; i < request->header_count; i++)
        if (vg_same_name(request->headers[i].name, name))
            return request->headers[i].value;
    return NULL;
}

const char *vg_request_cookie(const struct vg_request *request, const char *name)
{
    const char *at = vg_request_header(request, "Cookie");
    size_t length = strlen(name);

    while (at != NULL && *at != '\0') {
        size_t size = strcspn(at, ";");

        if (size > length && strncmp(at, name, length) == 0 && at[length] == '=')
            return vg_arena_text_part(request->arena, at + length + 1, size - length - 1);
        at += size;
        at += strspn(at, "; ");
    }
    return NULL;
}

bool vg_request_number(const struct vg_request *request, const char *name, uint64_t max, uint64_t fallback,
                       uint64_t *value)
{
    const char *text = vg_request_query(request, name);
    int64_t number;

    *value = fallback;
    if (text[0] == '\0')
        return true;
    if (strspn(text, "0123456789") != strlen(text) || !vg_integer_parse(text, &number) ||
        (uint64_t)number > max)
        return false;
    *value = (uint64_t)number;
    return true;
}

/* ---- headers ------------------------------------------------------------------------------------------- */

/* Two of these would leave it open which one counts. */
static bool is_single(const char *name)
{
    static const char *const single[] = {"Host",  "Content-Length", "Content-Type", "Authorization", "Cookie",
                                         "Range", "If-Range",       "Origin",       "If-None-Match"};

    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (vg_same_name(single[i], name))
            return true;
    return false;
}

/* What a proxy before us may have read otherwise: "Content-Length : 5". */
static bool is_plain_name(const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";

    return name[0] != '\0' && name[strspn(name, plain)] == '\0';
}

const char *vg_request_headers_fault(const struct vg_request *request, unsigned *status)
{
    size_t bytes = 0;

    *status = 431;
    for (size_t i = 0; i < request->header_count; i++)
        bytes += strlen(request->headers[i].name) + strlen(request->headers[i].value) + 4;
    if (bytes > VG_HEADER_BYTES_MAX)
        return "the headers are too long";
    *status = 400;
    for (size_t i = 0; i < request->header_count; i++)
        if (!is_plain_name(request->headers[i].name))
            return "a header's name is malformed";
    for (size_t i = 0; i < request->header_count; i++)
        for (size_t k = 0; is_single(request->headers[i].name) && k < i; k++)
            if (vg_same_name(request->headers[k].name, request->headers[i].name))
                return "a header comes twice";
    if (vg_request_header(request, "Transfer-Encoding") != NULL) {
        *status = 411;
        return "a body without its length";
    }
    return NULL;
}

bool vg_request_body_size(const struct vg_request *request, size_t *bytes)
{
    const char *text = vg_request_header(request, "Content-Length");

    *bytes = 0;
    if (text == NULL)
        return true;
    if (text[0] == '\0' || strlen(text) > 9 || strspn(text, "0123456789") != strlen(text))
        return false;
    for (; *text != '\0'; text++)
        *bytes = *bytes * 10 + (size_t)(*text - '0');
    return *bytes <= VG_BODY_BYTES_MAX;
}
