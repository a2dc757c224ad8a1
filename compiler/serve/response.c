/* SPDX-License-Identifier: MIT */
/* Building a response: JSON, assets, refusals. */
#include "serve.h"

#include <string.h>
#include <unistd.h>

void vg_response_header(struct vg_response *response, const char *name, const char *value)
{
    vg_check(response->header_count < VG_RESPONSE_HEADERS_MAX);
    response->headers[response->header_count++] = (struct vg_field){name, value};
}

void vg_response_json(struct vg_response *response)
{
    response->type = "application/json; charset=utf-8";
    vg_response_header(response, "Cache-Control", "no-store");
}

/* Whatever was begun is dropped. */
void vg_response_refuse(struct vg_response *response, unsigned status, const char *sentence)
{
    struct vg_json json;

    vg_response_release(response);
    *response = (struct vg_response){.status = status, .reason = sentence};
    vg_json_init(&json, &response->body);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "error", sentence);
    vg_json_close(&json, '}');
    vg_text_add_char(&response->body, '\n');
    vg_response_json(response);
}

void vg_response_fail(struct vg_response *response, const struct vg_request *request, struct vg_error *err)
{
    vg_response_refuse(response, 500, "the server could not do it; its log says why");
    for (size_t i = 0; i < err->count; i++)
        if (err->issues[i].code != VG_OK) {
            response->reason =
                vg_arena_format(request->arena, "%s: %s", err->issues[i].place, err->issues[i].sentence);
            break;
        }
    vg_error_release(err);
}

void vg_response_redirect(struct vg_response *response, const char *path)
{
    response->status = 303;
    response->type = "text/plain; charset=utf-8";
    vg_response_header(response, "Location", path);
}

void vg_response_release(struct vg_response *response)
{
    if (response->has_file)
        close(response->file);
    vg_text_release(&response->body);
    *response = (struct vg_response){0};
}

/* ---- assets -------------------------------------------------------------------------------------------- */

static const char *type_of(const char *name)
{
    static const struct vg_field types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
    };
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i].name) == 0)
            return types[i].value;
    return "application/octet-stream";
}

void vg_response_asset(struct vg_response *response, const char *name)
{
    for (size_t i = 0; i < vg_asset_count; i++) {
        if (strcmp(vg_assets[i].name, name) != 0)
            continue;
        response->type = type_of(name);
        response->still = vg_assets[i].bytes;
        response->still_bytes = vg_assets[i].count;
        vg_response_header(response, "Cache-Control", "no-cache");
        return;
    }
    vg_response_refuse(response, 404, "no such page");
}
