/* SPDX-License-Identifier: MIT */
/* The edge: connections, requests and responses as libmicrohttpd has them; each with its limits. */
#include "http.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* One request and its response. */
struct exchange {
    struct vg_arena arena;
    struct vg_request request;
    const char *method, *target, *fault; /* fault: of the request line */
    struct vg_text body;
    size_t body_bytes;
    bool begun;
};
double vg_clock_sec(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void log_refusal(struct vg_server *server, const char *client, const char *method, const char *target,
                        unsigned status, const char *reason)
{
    struct vg_text line = {0};

    vg_log_refusal(&line, client, method, target, status, reason);
    server->options.log(server->options.context, line.data);
    vg_text_release(&line);
}

static void log_answer(struct vg_server *server, const struct exchange *exchange, unsigned status)
{
    struct vg_text line = {0};

    vg_log_answer(&line, exchange->request.client, exchange->method, exchange->target, status);
    server->options.log(server->options.context, line.data);
    vg_text_release(&line);
}

/* What the library itself has to say. */
void vg_http_log(void *context, const char *format, va_list args)
{
    struct vg_server *server = context;
    struct vg_text words = {0};

    vg_text_addv(&words, format, args);
    log_refusal(server, "connection", NULL, NULL, 0, vg_text_or_empty(&words));
    vg_text_release(&words);
}

/* ---- connections --------------------------------------------------------------------------------------- */

static void name_client(const struct sockaddr *address, char client[VG_CLIENT_BYTES])
{
    const void *bytes = address->sa_family == AF_INET6
                            ? (const void *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr
                            : (const void *)&((const struct sockaddr_in *)(const void *)address)->sin_addr;

    if (inet_ntop(address->sa_family, bytes, client, VG_CLIENT_BYTES) == NULL)
        snprintf(client, VG_CLIENT_BYTES, "unknown");
}

enum MHD_Result vg_http_may_connect(void *context, const struct sockaddr *address, socklen_t length)
{
    struct vg_server *server = context;
    char client[VG_CLIENT_BYTES];
    size_t all = 0, own = 0;

    (void)length;
    name_client(address, client);
    for (size_t i = 0; i < VG_CONNECTIONS_MAX; i++) {
        all += server->slots[i].used;
        own += server->slots[i].used && strcmp(server->slots[i].client, client) == 0;
    }
    if (all < VG_CONNECTIONS_MAX && own < VG_CONNECTIONS_CLIENT_MAX)
        return MHD_YES;
    log_refusal(server, client, NULL, NULL, 0,
                all < VG_CONNECTIONS_MAX ? "too many connections of this client" : "too many connections");
    return MHD_NO;
}

static void open_slot(struct vg_server *server, struct MHD_Connection *connection, void **context)
{
    const union MHD_ConnectionInfo *address =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const union MHD_ConnectionInfo *socket =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

    for (size_t i = 0; i < VG_CONNECTIONS_MAX; i++) {
        struct slot *slot = &server->slots[i];

        if (slot->used)
            continue;
        *slot = (struct slot){.server = server, .used = true, .socket = socket->connect_fd};
        name_client(address->client_addr, slot->client);
        slot->deadline_sec = vg_deadline_request(vg_clock_sec());
        *context = slot;
        return;
    }
}

void vg_http_on_connection(void *context, struct MHD_Connection *connection, void **slot,
                           enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        open_slot(context, connection, slot);
    else if (*slot != NULL)
        ((struct slot *)*slot)->used = false;
}

static struct slot *slot_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    vg_check(info != NULL && info->socket_context != NULL);
    return info->socket_context;
}

/* Connections that have had their time: the library closes what is shut down. */
void vg_http_end_overdue(struct vg_server *server)
{
    double now_sec = vg_clock_sec();

    for (size_t i = 0; i < VG_CONNECTIONS_MAX; i++) {
        struct slot *slot = &server->slots[i];

        if (!slot->used || now_sec < slot->deadline_sec)
            continue;
        if (slot->asking || slot->answered == 0)
            log_refusal(server, slot->client, NULL, NULL, 0, "too slow: no whole request in time");
        shutdown(slot->socket, SHUT_RDWR);
        slot->deadline_sec = now_sec + 1;
        slot->asking = false;
        slot->answered++;
    }
}

/* ---- exchanges ----------------------------------------------------------------------------------------- */

void *vg_http_begin(void *context, const char *target, struct MHD_Connection *connection)
{
    struct exchange *exchange = vg_memory_take(1, sizeof *exchange);
    struct slot *slot = slot_of(connection);
    size_t length = strlen(target);

    *exchange = (struct exchange){.method = "", .target = ""};
    exchange->request = (struct vg_request){
        .arena = &exchange->arena, .client = slot->client, .now_sec = vg_clock_sec(), .body = ""};
    exchange->fault = vg_request_target(&exchange->request, target, length);
    exchange->target = vg_arena_text_part(&exchange->arena, target,
                                          length < VG_TARGET_BYTES_MAX ? length : VG_TARGET_BYTES_MAX);
    slot->asking = true;
    ((struct vg_server *)context)->asked_sec = exchange->request.now_sec;
    return exchange;
}

void vg_http_end(void *context, struct MHD_Connection *connection, void **state,
                 enum MHD_RequestTerminationCode code)
{
    struct exchange *exchange = *state;
    struct slot *slot = slot_of(connection);

    (void)context;
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        slot->deadline_sec = vg_deadline_request(vg_clock_sec());
    slot->asking = false;
    if (exchange == NULL)
        return;
    vg_text_release(&exchange->body);
    vg_arena_release(&exchange->arena);
    free(exchange);
    *state = NULL;
}

static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    struct vg_request *request = context;

    (void)kind;
    if (request->header_count < VG_HEADERS_MAX)
        request->headers[request->header_count] = (struct vg_field){name, value != NULL ? value : ""};
    request->header_count++;
    return MHD_YES;
}

static enum vg_method method_of(const char *method)
{
    static const struct {
        const char *name;
        enum vg_method method;
    } methods[] = {{"GET", VG_METHOD_GET}, {"HEAD", VG_METHOD_HEAD}, {"POST", VG_METHOD_POST}};

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, method) == 0)
            return methods[i].method;
    return VG_METHOD_OTHER;
}

/* The bytes are handed over, not copied, where they are the response's own. */
static struct MHD_Response *make_response(struct vg_response *response)
{
    struct MHD_Response *made;

    if (response->has_file) {
        response->has_file = false;
        made = MHD_create_response_from_fd_at_offset64(response->file_bytes, response->file,
                                                       response->file_offset);
        if (made == NULL)
            close(response->file);
    } else if (response->still != NULL) {
        made = MHD_create_response_from_buffer(response->still_bytes, (void *)(uintptr_t)response->still,
                                               MHD_RESPMEM_PERSISTENT);
    } else {
        made = MHD_create_response_from_buffer(response->body.length, response->body.data,
                                               response->body.data != NULL ? MHD_RESPMEM_MUST_FREE
                                                                           : MHD_RESPMEM_PERSISTENT);
        if (made != NULL)
            response->body = (struct vg_text){0};
    }
    return made;
}

static enum MHD_Result send_response(struct MHD_Connection *connection, struct vg_response *response)
{
    struct slot *slot = slot_of(connection);
    uint64_t bytes = response->has_file        ? response->file_bytes
                     : response->still != NULL ? response->still_bytes
                                               : response->body.length;
    struct MHD_Response *made = make_response(response);
    enum MHD_Result sent = MHD_NO;
    size_t count;
    const struct vg_field *common = vg_common_headers(&count);

    if (made != NULL) {
        for (size_t i = 0; i < count; i++)
            MHD_add_response_header(made, common[i].name, common[i].value);
        for (size_t i = 0; i < response->header_count; i++)
            MHD_add_response_header(made, response->headers[i].name, response->headers[i].value);
        if (response->type != NULL)
            MHD_add_response_header(made, "Content-Type", response->type);
        sent = MHD_queue_response(connection, response->status, made);
        MHD_destroy_response(made);
    }
    slot->asking = false;
    slot->answered++;
    slot->deadline_sec = vg_deadline_response(vg_clock_sec(), bytes);
    vg_response_release(response);
    return sent;
}

static enum MHD_Result refuse(struct vg_server *server, struct MHD_Connection *connection,
                              struct exchange *exchange, unsigned status, const char *reason)
{
    struct vg_response response = {.status = 200};

    log_refusal(server, exchange->request.client, exchange->method, exchange->target, status, reason);
    vg_response_refuse(&response, status, reason);
    return send_response(connection, &response);
}

static enum MHD_Result refuse_flood(struct vg_server *server, struct MHD_Connection *connection,
                                    struct exchange *exchange, struct vg_client *client)
{
    static const char reason[] = "too many requests a second";
    struct vg_request *request = &exchange->request;
    struct vg_response response = {.status = 200};
    size_t untold;

    if (vg_client_may_tell(client, request->now_sec, &untold))
        log_refusal(server, request->client, exchange->method, exchange->target, 429,
                    untold == 0 ? reason
                                : vg_arena_format(request->arena, "%s; %zu before it", reason, untold));
    vg_response_refuse(&response, 429, reason);
    vg_response_header(&response, "Retry-After", "5");
    return send_response(connection, &response);
}

/* Headers are there, the body is not: what can be refused already, is. */
static enum MHD_Result begin_answer(struct vg_server *server, struct MHD_Connection *connection,
                                    struct exchange *exchange)
{
    struct vg_request *request = &exchange->request;
    struct vg_client *client = vg_limits_client(&server->limits, request->client, request->now_sec);
    const char *fault = exchange->fault;
    unsigned status = 0;

    exchange->begun = true;
    request->method = method_of(exchange->method);
    if (!vg_client_may_ask(client, request->now_sec))
        return refuse_flood(server, connection, exchange, client);
    request->may_guess = vg_client_may_guess(client, request->now_sec);
    if (fault != NULL)
        return refuse(server, connection, exchange,
                      strlen(exchange->target) >= VG_TARGET_BYTES_MAX ? 414 : 400, fault);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take_header, request);
    if (request->header_count > VG_HEADERS_MAX)
        return refuse(server, connection, exchange, 431, "too many headers");
    fault = vg_request_headers_fault(request, &status);
    if (fault != NULL)
        return refuse(server, connection, exchange, status, fault);
    if (!vg_request_body_size(request, &exchange->body_bytes))
        return refuse(server, connection, exchange, 413, "the body is too large");
    if (exchange->body_bytes > 0 && request->method != VG_METHOD_POST)
        return refuse(server, connection, exchange, 400, "a body where none belongs");
    return MHD_YES;
}

static enum MHD_Result finish_answer(struct vg_server *server, struct MHD_Connection *connection,
                                     struct exchange *exchange)
{
    struct vg_request *request = &exchange->request;
    struct vg_response response = {.status = 200};

    request->body = vg_text_or_empty(&exchange->body);
    request->body_bytes = exchange->body.length;
    vg_dispatch(server->options.gate, server->options.site, request, &response);
    if (response.wrong_secret)
        vg_client_guessed(vg_limits_client(&server->limits, request->client, request->now_sec),
                          request->now_sec);
    if (response.status >= 400)
        log_refusal(server, request->client, exchange->method, exchange->target, response.status,
                    response.reason != NULL ? response.reason : "refused");
    else if (server->options.verbose)
        log_answer(server, exchange, response.status);
    return send_response(connection, &response);
}

enum MHD_Result vg_http_on_request(void *context, struct MHD_Connection *connection, const char *path,
                                   const char *method, const char *version, const char *upload,
                                   size_t *upload_bytes, void **state)
{
    struct vg_server *server = context;
    struct exchange *exchange = *state;

    (void)path;
    (void)version;
    if (exchange == NULL)
        return MHD_NO;
    exchange->method = method;
    if (!exchange->begun)
        return begin_answer(server, connection, exchange);
    if (*upload_bytes > 0) {
        if (exchange->body.length + *upload_bytes > VG_BODY_BYTES_MAX)
            return MHD_NO;
        vg_text_add_part(&exchange->body, upload, *upload_bytes);
        *upload_bytes = 0;
        return MHD_YES;
    }
    return finish_answer(server, connection, exchange);
}
