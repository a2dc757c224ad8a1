/* SPDX-License-Identifier: MIT */
/* Any bytes as a request: method, target, headers and body, through gate, routes and handlers of a small
 * library, as http.c hands them over.  Lines end with LF; the first is "METHOD TARGET", an empty one begins
 * the body. Whatever comes, there is one response: whole, with a known status, a refusal with its reason. */
#include "fuzz.h"

#include "edge.h"
#include "library.h"

static struct vg_library *library(void)
{
    static struct vg_library *made;
    static const char *const tiers[] = {"low", "mid", "high"};
    static struct vg_about_shard shard = {.name = "a.tar", .split = "test"};

    if (made != NULL)
        return made;
    made = vg_memory_take(1, sizeof *made);
    *made = (struct vg_library){.manifest = -1, .folder = "/nonexistent"};
    made->about =
        (struct vg_about){.name = "n", .version = "1", .release_id = "0", .shards = &shard, .shard_count = 1};
    made->originals = vg_originals_make(NULL);
    for (size_t i = 0; i < 60; i++) {
        char id[40], key[40];
        struct vg_record record = {.split = "test",
                                   .category = i < 30 ? "echo" : "volume",
                                   .tier = tiers[i % 3],
                                   .curve = vg_curve_names[i % 4],
                                   .direction = vg_direction_names[i % 2],
                                   .source = "a",
                                   .source_text = "Words",
                                   .speaker_id = "s",
                                   .id = id,
                                   .key = key,
                                   .rate_hz = 8000,
                                   .frames = i};

        snprintf(id, sizeof id, "a__%zu", i);
        snprintf(key, sizeof key, "%s-%zu", record.category, i);
        vg_index_add(&made->index, &record, 0, 0, 10);
    }
    made->index.whole = true;
    vg_check(vg_media_open(&made->media, "/nonexistent", &made->about, &(struct vg_error){0}) == VG_OK);
    return made;
}

/* What the scanner takes for a row of the manifest, whatever it is, has texts that are whole. */
static void scan(const char *bytes, size_t count, struct vg_arena *arena)
{
    struct vg_record record;

    if (!vg_row_scan(&record, bytes, count, arena))
        return;
    vg_check(vg_text_is_utf8(record.id, strlen(record.id)) && record.rate_hz > 0);
    vg_check(vg_text_is_utf8(record.source_text, strlen(record.source_text)));
}

/* The next line without its LF, NUL-terminated in the arena; NULL at the end. */
static const char *next_line(const char **at, const char *end, struct vg_arena *arena)
{
    const char *stop = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
    const char *line;

    if (stop == NULL)
        return NULL;
    line = vg_arena_text_part(arena, *at, (size_t)(stop - *at));
    *at = stop + 1;
    return line;
}

static void read_headers(struct vg_request *request, const char **at, const char *end)
{
    const char *line;

    while ((line = next_line(at, end, request->arena)) != NULL && line[0] != '\0') {
        const char *colon = strchr(line, ':');

        if (colon == NULL || request->header_count == VG_HEADERS_MAX)
            continue;
        request->headers[request->header_count++] =
            (struct vg_field){vg_arena_text_part(request->arena, line, (size_t)(colon - line)), colon + 1};
    }
}

static void answer(struct vg_request *request, const struct vg_gate *gate)
{
    struct vg_site site = {vg_browse_routes, vg_browse_route_count, library()};
    struct vg_response response = {.status = 200};
    struct vg_text line = {0};

    vg_dispatch(gate, &site, request, &response);
    vg_check(response.status >= 200 && response.status < 600);
    vg_check(response.status < 400 || response.reason != NULL);
    vg_check(response.header_count <= VG_RESPONSE_HEADERS_MAX);
    for (size_t i = 0; i < response.header_count; i++)
        vg_check(strpbrk(response.headers[i].value, "\r\n") == NULL);
    if (response.status >= 400) {
        vg_log_refusal(&line, "127.0.0.1", "GET", request->path, response.status, response.reason);
        vg_check(strpbrk(line.data, "\r\n\033") == NULL);
    }
    vg_text_release(&line);
    vg_response_release(&response);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const hosts[] = {"localhost:1"};
    struct vg_gate gate = {.hosts = hosts, .host_count = 1};
    const char *at = (const char *)data, *end = at + size, *line, *blank;
    static struct vg_arena arena; /* kept: taking its blocks from the system is what would cost most */
    struct vg_arena_mark empty = {0};
    struct vg_request request = {.arena = &arena, .client = "127.0.0.1", .may_guess = true};
    unsigned status;
    size_t body;

    scan(at, size, &arena);
    line = next_line(&at, end, &arena);
    blank = line != NULL ? strchr(line, ' ') : NULL;
    if (blank != NULL && vg_request_target(&request, blank + 1, strlen(blank + 1)) == NULL) {
        vg_check(request.path[0] == '/' && strstr(request.path, "/../") == NULL);
        request.method = line[0] == 'P'   ? VG_METHOD_POST
                         : line[0] == 'H' ? VG_METHOD_HEAD
                         : line[0] == 'G' ? VG_METHOD_GET
                                          : VG_METHOD_OTHER;
        gate.guarded = line[0] == 'P' || (blank > line && blank[-1] == 'T');
        vg_digest_of(VG_SHA256, "token", 5, gate.token_sha256);
        vg_digest_of(VG_SHA256, "cookie", 6, gate.cookie_sha256);
        read_headers(&request, &at, end);
        request.body = vg_arena_text_part(&arena, at, (size_t)(end - at));
        request.body_bytes = (size_t)(end - at);
        if (vg_request_headers_fault(&request, &status) == NULL && vg_request_body_size(&request, &body))
            answer(&request, &gate);
    }
    vg_arena_rewind(&arena, empty);
    return 0;
}
