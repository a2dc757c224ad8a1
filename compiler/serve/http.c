/* SPDX-License-Identifier: MIT */
/* The edge: sockets and a clock, through libmicrohttpd.  No thread of its own: vg_server_run waits for
 * sockets, lets the library read and write what is ready, ends connections that have had their time, and does
 * a slice of background work.  Handlers therefore never run at the same time. */
#include "edge.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY_BYTES = 32768, WAIT_MS = 200 };
#define QUIET_SEC 0.02
#define STARVED_SEC 0.1

/* One connection: when its time is over. */
struct slot {
    struct vg_server *server;
    bool used, asking; /* asking: a request line came and its response is not queued yet */
    int socket;
    char client[VG_CLIENT_BYTES];
    double deadline_sec;
    size_t answered;
};
/* One request and its response. */
struct exchange {
    struct vg_arena arena;
    struct vg_request request;
    const char *method, *target, *fault; /* fault: of the request line */
    struct vg_text body;
    size_t body_bytes;
    bool begun;
};
struct vg_server {
    struct vg_server_options options;
    struct MHD_Daemon *daemon;
    int listener, events;
    unsigned port;
    struct vg_arena arena;
    const char *url;
    struct vg_limits limits;
    double asked_sec; /* when the last request came */
    struct slot slots[VG_CONNECTIONS_MAX];
};

static double clock_sec(void)
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

/* What the library itself has to say. */
static void log_library(void *context, const char *format, va_list args)
{
    struct vg_server *server = context;
    struct vg_text words = {0};

    vg_text_addv(&words, format, args);
    log_refusal(server, "connection", NULL, NULL, 0, vg_text_or_empty(&words));
    vg_text_release(&words);
}

/* ---- connections ----------------------------------------------------------------------------------------
 */

static void name_client(const struct sockaddr *address, char client[VG_CLIENT_BYTES])
{
    const void *bytes = address->sa_family == AF_INET6
                            ? (const void *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr
                            : (const void *)&((const struct sockaddr_in *)(const void *)address)->sin_addr;

    if (inet_ntop(address->sa_family, bytes, client, VG_CLIENT_BYTES) == NULL)
        snprintf(client, VG_CLIENT_BYTES, "unknown");
}

static enum MHD_Result may_connect(void *context, const struct sockaddr *address, socklen_t length)
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
        slot->deadline_sec = vg_deadline_request(clock_sec());
        *context = slot;
        return;
    }
}

static void on_connection(void *context, struct MHD_Connection *connection, void **slot,
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
static void end_overdue(struct vg_server *server)
{
    double now_sec = clock_sec();

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

/* ---- exchanges ------------------------------------------------------------------------------------------
 */

static void *begin_exchange(void *context, const char *target, struct MHD_Connection *connection)
{
    struct exchange *exchange = vg_memory_take(1, sizeof *exchange);
    struct slot *slot = slot_of(connection);
    size_t length = strlen(target);

    *exchange = (struct exchange){.method = "", .target = ""};
    exchange->request = (struct vg_request){
        .arena = &exchange->arena, .client = slot->client, .now_sec = clock_sec(), .body = ""};
    exchange->fault = vg_request_target(&exchange->request, target, length);
    exchange->target = vg_arena_text_part(&exchange->arena, target,
                                          length < VG_TARGET_BYTES_MAX ? length : VG_TARGET_BYTES_MAX);
    slot->asking = true;
    ((struct vg_server *)context)->asked_sec = exchange->request.now_sec;
    return exchange;
}

static void end_exchange(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    struct exchange *exchange = *state;
    struct slot *slot = slot_of(connection);

    (void)context;
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        slot->deadline_sec = vg_deadline_request(clock_sec());
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
    slot->deadline_sec = vg_deadline_response(clock_sec(), bytes);
    vg_response_release(response);
    return sent;
}

static enum MHD_Result refuse(struct vg_server *server, struct MHD_Connection *connection,
                              struct exchange *exchange, unsigned status, const char *reason)
{
    struct vg_response response = {.status = 200};

    log_refusal(server, exchange->request.client, exchange->method, exchange->target, status, reason);
    vg_response_refuse(&response, status, reason);
    if (status == 429)
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
        return refuse(server, connection, exchange, 429, "too many requests a second");
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
    return send_response(connection, &response);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *path,
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

/* ---- start and run --------------------------------------------------------------------------------------
 */

static bool make_address(const char *text, unsigned port, struct sockaddr_storage *address, socklen_t *length)
{
    struct sockaddr_in *four = (struct sockaddr_in *)(void *)address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)(void *)address;

    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons((uint16_t)port);
        *length = sizeof *four;
        return true;
    }
    six->sin6_family = AF_INET6;
    six->sin6_port = htons((uint16_t)port);
    *length = sizeof *six;
    return inet_pton(AF_INET6, text, &six->sin6_addr) == 1;
}

static int open_listener(struct vg_server *server, const char *place, struct vg_error *err)
{
    struct sockaddr_storage address;
    socklen_t length;
    int one = 1;

    if (!make_address(server->options.address, server->options.port, &address, &length))
        return vg_fail(err, VG_USAGE, "--bind", "%s is no numeric address, such as 127.0.0.1 or ::1",
                       server->options.address);
    server->listener = socket(address.ss_family, SOCK_STREAM, 0);
    if (server->listener < 0)
        return vg_fail_errno(err, VG_IO, place, "cannot make a socket");
    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(server->listener, (struct sockaddr *)&address, length) != 0)
        return vg_fail_errno(err, VG_IO, place, "cannot listen there; --port 0 takes a port that is free");
    if (listen(server->listener, VG_CONNECTIONS_MAX) != 0)
        return vg_fail_errno(err, VG_IO, place, "cannot listen there");
    length = sizeof address;
    if (getsockname(server->listener, (struct sockaddr *)&address, &length) != 0)
        return vg_fail_errno(err, VG_IO, place, "cannot tell the port");
    server->port = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&address)->sin6_port
                                                       : ((struct sockaddr_in *)(void *)&address)->sin_port);
    return VG_OK;
}

/* What Host may say: the address itself, the names of loopback, and what the user adds. */
static void name_hosts(struct vg_server *server)
{
    const struct vg_server_options *options = &server->options;
    const char **hosts = vg_arena_take(&server->arena, options->name_count + 4, sizeof *hosts);
    const char *address = options->address;
    size_t count = 0;

    if (strchr(address, ':') != NULL)
        address = vg_arena_format(&server->arena, "[%s]", address);
    server->url = vg_arena_format(&server->arena, "http://%s:%u/", address, server->port);
    hosts[count++] = vg_arena_format(&server->arena, "%s:%u", address, server->port);
    hosts[count++] = vg_arena_format(&server->arena, "localhost:%u", server->port);
    hosts[count++] = vg_arena_format(&server->arena, "127.0.0.1:%u", server->port);
    for (size_t i = 0; i < options->name_count; i++)
        hosts[count++] = options->names[i];
    options->gate->hosts = hosts;
    options->gate->host_count = count;
    options->gate->any_address = strcmp(address, "0.0.0.0") == 0 || strcmp(address, "[::]") == 0;
}

static int start_daemon(struct vg_server *server, const char *place, struct vg_error *err)
{
    const union MHD_DaemonInfo *info;

    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG, 0, may_connect, server, on_request, server,
        MHD_OPTION_EXTERNAL_LOGGER, log_library, server, MHD_OPTION_LISTEN_SOCKET, server->listener,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_BYTES, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)VG_CONNECTIONS_MAX + 16, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
        MHD_OPTION_URI_LOG_CALLBACK, begin_exchange, server, MHD_OPTION_NOTIFY_COMPLETED, end_exchange,
        server, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (server->daemon == NULL)
        return vg_fail(err, VG_IO, place, "libmicrohttpd does not start");
    server->listener = -1; /* the library's now */
    info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (info == NULL)
        return vg_fail(err, VG_IO, place, "libmicrohttpd was built without epoll");
    server->events = info->epoll_fd;
    return VG_OK;
}

int vg_server_start(struct vg_server **result, const struct vg_server_options *options, struct vg_error *err)
{
    struct vg_server *server = vg_memory_take(1, sizeof *server);
    const char *place;
    int rc;

    memset(server, 0, sizeof *server);
    server->options = *options;
    server->listener = -1;
    *result = server;
    place = vg_arena_format(&server->arena, "%s port %u", options->address, options->port);
    rc = open_listener(server, place, err);
    if (rc != VG_OK)
        return rc;
    name_hosts(server);
    return start_daemon(server, place, err);
}

const char *vg_server_url(const struct vg_server *server)
{
    return server->url;
}

/* Until something comes, or for as long as the library and the deadlines allow. */
static int wait_for_requests(struct vg_server *server, int longest_ms, struct vg_error *err)
{
    struct pollfd events = {.fd = server->events, .events = POLLIN};
    MHD_UNSIGNED_LONG_LONG wait_ms = (MHD_UNSIGNED_LONG_LONG)longest_ms;

    if (MHD_get_timeout(server->daemon, &wait_ms) != MHD_YES || wait_ms > (unsigned)longest_ms)
        wait_ms = (MHD_UNSIGNED_LONG_LONG)longest_ms;
    if (poll(&events, 1, (int)wait_ms) < 0 && errno != EINTR)
        return vg_fail_errno(err, VG_IO, server->url, "cannot wait for requests");
    return VG_OK;
}

/* Whoever asks will ask for more: work in the background waits a little behind every request, but not for
 * ever. */
int vg_server_run(struct vg_server *server, struct vg_error *err)
{
    const struct vg_server_options *options = &server->options;
    double worked_sec = 0;
    bool more = options->work != NULL;
    int rc = VG_OK;

    while (rc == VG_OK && !options->stopped(options->context)) {
        double now_sec = clock_sec();
        bool busy = now_sec < server->asked_sec + QUIET_SEC && now_sec < worked_sec + STARVED_SEC;

        if (more && !busy) {
            more = options->work(options->context);
            worked_sec = clock_sec();
        }
        rc = wait_for_requests(server, !more ? WAIT_MS : busy ? 1 : 0, err);
        MHD_run(server->daemon);
        end_overdue(server);
    }
    return rc;
}

void vg_server_release(struct vg_server *server)
{
    if (server == NULL)
        return;
    if (server->daemon != NULL)
        MHD_stop_daemon(server->daemon);
    if (server->listener >= 0)
        close(server->listener);
    vg_arena_release(&server->arena);
    free(server);
}
