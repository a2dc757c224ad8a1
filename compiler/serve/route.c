/* SPDX-License-Identifier: MIT */
/* One exchange, all but the sockets: the gate, the table of routes, and the headers that every response has.
 */
#include "edge.h"

#include <string.h>

/* Nothing but what this server sends itself, and no script or style inside a page. */
static const struct vg_field common_headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
     "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
};

const struct vg_field *vg_common_headers(size_t *count)
{
    *count = sizeof common_headers / sizeof *common_headers;
    return common_headers;
}

/* ---- session ------------------------------------------------------------------------------------------- */

static const char cookie_name[] = "vocalgrad";

static bool same_token(const struct vg_gate *gate, const char *token)
{
    char hex[VG_DIGEST_HEX];

    vg_digest_of(VG_SHA256, token, strlen(token), hex);
    return vg_same_secret(hex, gate->token_sha256);
}

static bool has_session(const struct vg_gate *gate, const struct vg_request *request)
{
    const char *given = vg_request_header(request, "Authorization");
    const char *cookie = vg_request_cookie(request, cookie_name);

    if (given != NULL)
        return request->may_guess && strncmp(given, "Bearer ", 7) == 0 && same_token(gate, given + 7);
    return cookie != NULL && vg_same_secret(cookie, gate->cookie_sha256);
}

static void log_in(const struct vg_gate *gate, const struct vg_request *request, struct vg_response *response)
{
    struct vg_field field;
    size_t count = 0;

    if (!request->may_guess) {
        vg_response_refuse(response, 429, "too many wrong tokens; wait a minute");
        return;
    }
    if (!vg_request_form(request, &field, 1, &count) || count != 1 || strcmp(field.name, "token") != 0 ||
        !same_token(gate, field.value)) {
        vg_response_refuse(response, 403, "wrong token");
        response->wrong_secret = true;
        return;
    }
    vg_response_header(response, "Set-Cookie",
                       vg_arena_format(request->arena, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
                                       cookie_name, gate->cookie_sha256));
    vg_response_redirect(response, "/");
}

/* The two routes of the gate itself; false where the request is none of them. */
static bool answer_login(const struct vg_gate *gate, const struct vg_request *request,
                         struct vg_response *response)
{
    if (!gate->guarded || strcmp(request->path, "/login") != 0)
        return false;
    if (request->method == VG_METHOD_POST)
        log_in(gate, request, response);
    else
        vg_response_asset(response, "login.html");
    return true;
}

/* ---- gate ---------------------------------------------------------------------------------------------- */

/* Forms and scripts of other pages say where they come from. */
static bool is_foreign(const struct vg_request *request, const char *host)
{
    const char *origin = vg_request_header(request, "Origin"),
               *fetched = vg_request_header(request, "Sec-Fetch-Site");

    if (origin != NULL) {
        const char *mark = strstr(origin, "://"); /* https where a proxy adds it */

        return mark == NULL || strcmp(mark + 3, host) != 0;
    }
    return request->method == VG_METHOD_POST && fetched != NULL && strcmp(fetched, "same-origin") != 0 &&
           strcmp(fetched, "none") != 0;
}

static bool pass(const struct vg_gate *gate, const struct vg_request *request, struct vg_response *response)
{
    const char *host = vg_request_header(request, "Host");

    if (host == NULL || !vg_gate_host(gate, host))
        vg_response_refuse(response, 421, "the Host header names another server");
    else if (is_foreign(request, host))
        vg_response_refuse(response, 403, "the request comes from a page of another server");
    else
        return true;
    return false;
}

/* ---- routes -------------------------------------------------------------------------------------------- */

/* Does the route's path fit?  Its asterisk takes one segment that is not empty. */
static bool fits(const char *route, const char *path, const char **tail)
{
    size_t length = strlen(route);

    *tail = "";
    if (length == 0 || route[length - 1] != '*')
        return strcmp(route, path) == 0;
    if (strncmp(route, path, length - 1) != 0 || path[length - 1] == '\0' ||
        strchr(path + length - 1, '/') != NULL)
        return false;
    *tail = path + length - 1;
    return true;
}

static bool wants_page(const struct vg_request *request)
{
    const char *accept = vg_request_header(request, "Accept");

    return request->method == VG_METHOD_GET && accept != NULL && strstr(accept, "text/html") != NULL;
}

static void ask_for_token(const struct vg_request *request, struct vg_response *response)
{
    bool tried = vg_request_header(request, "Authorization") != NULL;

    if (wants_page(request) && !tried) {
        vg_response_redirect(response, "/login");
        return;
    }
    if (tried && !request->may_guess)
        vg_response_refuse(response, 429, "too many wrong tokens; wait a minute");
    else
        vg_response_refuse(response, 401, tried ? "wrong token" : "a token is asked for: log in at /login");
    vg_response_header(response, "WWW-Authenticate", "Bearer");
    response->wrong_secret = tried || vg_request_cookie(request, cookie_name) != NULL;
}

static void answer(const struct vg_gate *gate, const struct vg_site *site, const struct vg_route *route,
                   const struct vg_request *request, const char *tail, struct vg_response *response)
{
    struct vg_request routed = *request;

    if (gate->guarded && !route->open && !has_session(gate, request)) {
        ask_for_token(request, response);
        return;
    }
    routed.tail = tail;
    route->answer(site->context, &routed, response);
}

void vg_dispatch(const struct vg_gate *gate, const struct vg_site *site, const struct vg_request *request,
                 struct vg_response *response)
{
    enum vg_method wanted = request->method == VG_METHOD_HEAD ? VG_METHOD_GET : request->method;
    const char *tail, *allow = NULL;

    if (!pass(gate, request, response))
        return;
    if (wanted == VG_METHOD_OTHER) {
        vg_response_refuse(response, 405, "no such method here");
        vg_response_header(response, "Allow", "GET, HEAD, POST");
        return;
    }
    if (answer_login(gate, request, response))
        return;
    for (size_t i = 0; i < site->route_count; i++) {
        const struct vg_route *route = &site->routes[i];

        if (!fits(route->path, request->path, &tail))
            continue;
        if (route->method == wanted) {
            answer(gate, site, route, request, tail, response);
            return;
        }
        allow = route->method == VG_METHOD_GET ? "GET, HEAD" : "POST";
    }
    vg_response_refuse(response, allow != NULL ? 405 : 404,
                       allow != NULL ? "no such method here" : "no such page");
    if (allow != NULL)
        vg_response_header(response, "Allow", allow);
}
