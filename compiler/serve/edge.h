/* SPDX-License-Identifier: MIT */
/* edge: what the files of serve share among themselves and nobody else needs. */
#ifndef VG_SERVE_EDGE_H
#define VG_SERVE_EDGE_H

#include "serve.h"

/* ---- headers of every response (route.c) --------------------------------------------------------------- */

const struct vg_field *vg_common_headers(size_t *count);

/* ---- limits (limits.c): arithmetic only, the time is an argument --------------------------------------- */

enum {
    VG_CONNECTIONS_MAX = 128,       /* at once */
    VG_CONNECTIONS_CLIENT_MAX = 64, /* of one address: a browser opens six */
    VG_CLIENT_BYTES = 46,           /* a numeric address and its NUL: INET6_ADDRSTRLEN */
    VG_CLIENTS_MAX = 64             /* whose rates are known; the one unseen longest gives way */
};
/* A bucket that fills with time and that every request takes one from. */
struct vg_bucket {
    double left, at_sec;
};
struct vg_client {
    char address[VG_CLIENT_BYTES];
    double seen_sec;
    struct vg_bucket requests, guesses, told;
    size_t untold; /* refused for their number since the log told of one */
};
struct vg_limits {
    struct vg_client clients[VG_CLIENTS_MAX];
    size_t count;
};
struct vg_client *vg_limits_client(struct vg_limits *limits, const char *address, double now_sec);
/* May this client ask once more now?  Takes one from its bucket. */
bool vg_client_may_ask(struct vg_client *client, double now_sec);
/* A flood must not fill the log as well: may one more that came too fast be told?  `untold`: how many were
 * not since the last one. */
bool vg_client_may_tell(struct vg_client *client, double now_sec, size_t *untold);
/* May it try a token?  vg_client_guessed counts one that was wrong. */
bool vg_client_may_guess(struct vg_client *client, double now_sec);
void vg_client_guessed(struct vg_client *client, double now_sec);
/* When a connection that waits for a whole request, or that takes `bytes`, has had its time. */
double vg_deadline_request(double now_sec);
double vg_deadline_response(double now_sec, uint64_t bytes);

/* ---- words for the log (log.c) ------------------------------------------------------------------------- */

/* One line: who asked what, and why not.  Nothing of the query, no header and no body; what a terminal could
 * obey is a question mark. */
void vg_log_refusal(struct vg_text *out, const char *client, const char *method, const char *target,
                    unsigned status, const char *reason);
/* The same of what was answered. */
void vg_log_answer(struct vg_text *out, const char *client, const char *method, const char *target,
                   unsigned status);

/* ---- words of the wire (request.c) --------------------------------------------------------------------- */

/* The same but for the case of ASCII letters, as names of headers and hosts are compared. */
bool vg_same_name(const char *a, const char *b);
/* What is wrong with the headers as they came: a static sentence and a status, or NULL. */
const char *vg_request_headers_fault(const struct vg_request *request, unsigned *status);
/* Bytes of body that are announced; false where that is no number or too many. */
bool vg_request_body_size(const struct vg_request *request, size_t *bytes);

#endif
