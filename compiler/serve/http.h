/* SPDX-License-Identifier: MIT */
/* http: what http.c and listen.c share: a server, its connections, and what libmicrohttpd calls. */
#ifndef VG_SERVE_HTTP_H
#define VG_SERVE_HTTP_H

#include "edge.h"

#include <microhttpd.h>
#include <sys/socket.h>

/* One connection: when its time is over. */
struct slot {
    struct vg_server *server;
    bool used, asking; /* asking: a request line came and its response is not queued yet */
    int socket;
    char client[VG_CLIENT_BYTES];
    double deadline_sec;
    size_t answered;
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

double vg_clock_sec(void); /* only rises */

/* As libmicrohttpd calls them; `context` is the server. */
enum MHD_Result vg_http_may_connect(void *context, const struct sockaddr *address, socklen_t length);
void vg_http_on_connection(void *context, struct MHD_Connection *connection, void **slot,
                           enum MHD_ConnectionNotificationCode code);
void *vg_http_begin(void *context, const char *target, struct MHD_Connection *connection);
enum MHD_Result vg_http_on_request(void *context, struct MHD_Connection *connection, const char *path,
                                   const char *method, const char *version, const char *upload,
                                   size_t *upload_bytes, void **state);
void vg_http_end(void *context, struct MHD_Connection *connection, void **state,
                 enum MHD_RequestTerminationCode code);
void vg_http_log(void *context, const char *format, va_list args);
/* Ends connections that have had their time. */
void vg_http_end_overdue(struct vg_server *server);

#endif
