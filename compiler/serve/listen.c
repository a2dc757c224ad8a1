/* SPDX-License-Identifier: MIT */
/* The server: an address to listen on, and one loop.  No thread of its own: vg_server_run waits for sockets,
 * lets libmicrohttpd read and write what is ready, ends connections that have had their time, and does a
 * slice of background work.  Handlers therefore never run at the same time. */
#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MEMORY_BYTES = 32768, WAIT_MS = 200 };
#define QUIET_SEC 0.02
#define STARVED_SEC 0.1

/* ---- start and run ------------------------------------------------------------------------------------- */

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
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG, 0, vg_http_may_connect, server, vg_http_on_request, server,
        MHD_OPTION_EXTERNAL_LOGGER, vg_http_log, server, MHD_OPTION_LISTEN_SOCKET, server->listener,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_BYTES, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)VG_CONNECTIONS_MAX + 16, MHD_OPTION_NOTIFY_CONNECTION, vg_http_on_connection, server,
        MHD_OPTION_URI_LOG_CALLBACK, vg_http_begin, server, MHD_OPTION_NOTIFY_COMPLETED, vg_http_end, server,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
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
        double now_sec = vg_clock_sec();
        bool busy = now_sec < server->asked_sec + QUIET_SEC && now_sec < worked_sec + STARVED_SEC;

        if (more && !busy) {
            more = options->work(options->context);
            worked_sec = vg_clock_sec();
        }
        rc = wait_for_requests(server, !more ? WAIT_MS : busy ? 1 : 0, err);
        MHD_run(server->daemon);
        vg_http_end_overdue(server);
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
