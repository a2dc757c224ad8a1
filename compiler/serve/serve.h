/* SPDX-License-Identifier: MIT */
/* serve: a release looked at and listened to in a browser.  Requests in, responses out; only http.c has
 * sockets and a clock, only media.c opens files, and no name of a file is ever made from a request.
 *
 *   listen.c    the server: its address and its one loop
 *   http.c      the edge: libmicrohttpd's connections and requests, with limits of sizes, rates and time
 *   request.c   a request line and its headers, parsed strictly
 *   gate.c      who may ask: Host, Origin, token, login
 *   route.c     a table of paths, one line a route; the headers that every response has
 *   response.c  building a response; refusals with their reason
 *
 * One thread answers everything, one request at a time: a handler needs no lock, and must not wait. */
#ifndef VG_SERVE_H
#define VG_SERVE_H

#include "study.h"

/* ---- a request (request.c) ----------------------------------------------------------------------------- */

enum vg_method { VG_METHOD_GET, VG_METHOD_HEAD, VG_METHOD_POST, VG_METHOD_OTHER };
enum {
    VG_TARGET_BYTES_MAX = 2048, /* of path and query as they come */
    VG_HEADER_BYTES_MAX = 8192, /* of all headers */
    VG_HEADERS_MAX = 64,
    VG_QUERY_MAX = 32,
    VG_BODY_BYTES_MAX = 8192
};
struct vg_field {
    const char *name, *value;
};
/* Everything is borrowed from the exchange and ends with it. */
struct vg_request {
    enum vg_method method;
    const char *path; /* decoded: begins with '/', UTF-8, no control characters, no empty or dot segments */
    const char *tail; /* the segment that a route's final '*' stands for, else "" */
    struct vg_field query[VG_QUERY_MAX]; /* decoded, UTF-8, no control characters, no name twice */
    size_t query_count;
    struct vg_field headers[VG_HEADERS_MAX];
    size_t header_count;
    const char *body; /* NUL-terminated beyond body_bytes */
    size_t body_bytes;
    const char *client;     /* numeric address, for the log */
    double now_sec;         /* of a clock that only rises */
    bool may_guess;         /* false after too many wrong tokens from this client: answer 429 to another */
    struct vg_arena *arena; /* of the exchange */
};
/* Path and query of a request line ("/items?tier=low"), decoded into the request.  NULL, or why it is
 * refused: a static sentence; then nothing in the request counts. */
const char *vg_request_target(struct vg_request *request, const char *target, size_t length);
/* A form's body ("a=b&c=d") as fields; false where it is malformed or has more than `room`. */
bool vg_request_form(const struct vg_request *request, struct vg_field *fields, size_t room, size_t *count);
const char *vg_request_query(const struct vg_request *request, const char *name); /* "" where there is none */
const char *vg_request_header(const struct vg_request *request,
                              const char *name); /* NULL where there is none */
/* Value of a cookie, in the arena; NULL where there is none. */
const char *vg_request_cookie(const struct vg_request *request, const char *name);
/* A whole number 0..max of the query; `fallback` where it is missing; false where it is no such number. */
bool vg_request_number(const struct vg_request *request, const char *name, uint64_t max, uint64_t fallback,
                       uint64_t *value);

/* ---- a response (response.c) --------------------------------------------------------------------------- */

enum { VG_RESPONSE_HEADERS_MAX = 8 };
/* Zero-initialised by the caller of a handler, with status 200. */
struct vg_response {
    unsigned status;
    const char *type;    /* Content-Type */
    struct vg_text body; /* owned; what is sent where neither of the next two is set */
    const char *still;   /* bytes that outlive the server: assets */
    size_t still_bytes;
    bool has_file; /* a part of an open file; the descriptor is the response's own */
    int file;
    uint64_t file_offset, file_bytes;
    struct vg_field headers[VG_RESPONSE_HEADERS_MAX]; /* names static, values in the exchange's arena */
    size_t header_count;
    const char *reason; /* of a refusal: goes to the log; in the exchange's arena or static */
    bool wrong_secret;  /* a token was tried and is wrong: counts against the client */
};
void vg_response_header(struct vg_response *response, const char *name, const char *value);
/* JSON that was written into response->body; nothing of it is kept by the browser. */
void vg_response_json(struct vg_response *response);
/* Refuse: status, and one sentence that is shown, logged, and must hold no secret and no label.  The response
 * becomes {"error": sentence}. */
void vg_response_refuse(struct vg_response *response, unsigned status, const char *sentence);
/* Something here failed: 500; the first diagnostic of `err` goes to the log, not to the browser. */
void vg_response_fail(struct vg_response *response, const struct vg_request *request, struct vg_error *err);
/* To another path of this site. */
void vg_response_redirect(struct vg_response *response, const char *path);
void vg_response_release(struct vg_response *response);

/* ---- routes (route.c) ---------------------------------------------------------------------------------- */

/* Paths are whole ("/api/items") or end in one free segment ("/api/items/" and then an asterisk), which the
 * handler finds in request->tail.  A GET route answers HEAD as well; the edge drops the body. */
struct vg_route {
    enum vg_method method; /* VG_METHOD_GET or VG_METHOD_POST */
    const char *path;
    bool open; /* answered to whoever has no session: the login page and what it needs */
    void (*answer)(void *site, const struct vg_request *request, struct vg_response *response);
};
/* What is served: a table, and what its handlers get. */
struct vg_site {
    const struct vg_route *routes;
    size_t route_count;
    void *context;
};

/* ---- the gate (gate.c) --------------------------------------------------------------------------------- */

/* Who may ask.  With `token` every route that is not `open` wants `Authorization: Bearer TOKEN`, or the
 * cookie that POST /login sets; digests are compared, in constant time. */
struct vg_gate {
    const char *const *hosts; /* what Host may say, with port: against DNS rebinding */
    size_t host_count;
    bool any_address; /* bound to all addresses: any numeric host will do */
    bool guarded;     /* there is a token */
    char token_sha256[VG_DIGEST_HEX], cookie_sha256[VG_DIGEST_HEX];
};
enum { VG_TOKEN_BYTES_MIN = 16, VG_TOKEN_BYTES_MAX = 256 };
/* Reads a token: the first line of a file that nobody else may read.  VG_USAGE where it is no token. */
int vg_gate_token(struct vg_gate *gate, const char *path, struct vg_error *err);
bool vg_gate_host(const struct vg_gate *gate, const char *host);
/* Equal?  The time it takes depends on the lengths only. */
bool vg_same_secret(const char *a, const char *b);

/* One exchange, all but the sockets: gate, then route, then headers.  The request's target, headers and body
 * are in it already. */
void vg_dispatch(const struct vg_gate *gate, const struct vg_site *site, const struct vg_request *request,
                 struct vg_response *response);

/* ---- pages (assets/, made into assets.c by embed.cmake) ------------------------------------------------ */

struct vg_asset {
    const char *name, *bytes;
    size_t count;
};
extern const struct vg_asset vg_assets[];
extern const size_t vg_asset_count;
/* The asset as it is, typed by its name; a refusal with 404 where there is none of that name. */
void vg_response_asset(struct vg_response *response, const char *name);
/* The handler of "/assets/" and an asterisk. */
void vg_answer_asset(void *site, const struct vg_request *request, struct vg_response *response);

/* ---- sound (range.c, media.c) -------------------------------------------------------------------------- */

enum vg_range {
    VG_RANGE_WHOLE, /* none is asked for, or none that is understood */
    VG_RANGE_PART,
    VG_RANGE_NONE /* it lies behind the end: 416 */
};
/* Header Range against `size` bytes; `first` and `count` are what is to be sent.  `text` may be NULL. */
enum vg_range vg_range_parse(const char *text, uint64_t size, uint64_t *first, uint64_t *count);
/* Cuts a response (a file's part, or its body) down to the range that the request asks for: 206, 304, 416 and
 * what goes with them.  `tag`: its ETag, quoted; NULL: none, and nothing of it is kept by the browser. */
void vg_response_ranged(struct vg_response *response, const struct vg_request *request, const char *tag);

/* The shards of a release.  `shard` is a number below about->shard_count. */
struct vg_media;
int vg_media_open(struct vg_media **media, const char *folder, const struct vg_about *about,
                  struct vg_error *err);
/* The FLAC file of a key, whole or in part, with every header; 500 where the shard is damaged. */
void vg_media_send(struct vg_media *media, size_t shard, const char *key, const char *tag,
                   const struct vg_request *request, struct vg_response *response);
void vg_media_close(struct vg_media *media); /* NULL is fine */

/* ---- what can be served -------------------------------------------------------------------------------- */

/* A release held open.  vg_browse_routes want it as their context. */
struct vg_library;
int vg_library_open(struct vg_library **library, const char *folder, struct vg_error *err);
/* Reads a slice of the manifest; false when all is read. */
bool vg_library_work(struct vg_library *library);
/* Why the manifest was not read to its end, or NULL. */
const char *vg_library_fault(const struct vg_library *library);
void vg_library_release(struct vg_library *library); /* NULL and half-open are fine */

/* What belongs to a release and is not in it: borrowed, and outlives the library. */
struct vg_audible {
    const struct vg_spec *recipe;      /* the release's own spec; NULL: nothing that was asked is shown */
    const struct vg_spec *spec;        /* where the sources are listed ... */
    const struct vg_source_list *list; /* ... and they; NULL or empty: none can be heard */
};
void vg_library_hear(struct vg_library *library, const struct vg_audible *audible);

extern const struct vg_route vg_browse_routes[];
extern const size_t vg_browse_route_count;

/* The human study (annotate.c and annotate_*.c, annotators.c), the context of
 * vg_annotate_routes: who is known by name and token hears the items of the assigned categories one by one.
 * What reaches the browser is the question, the two answers and a FLAC file without name, tags or a size of
 * its own; never an id, a key, a tier, a curve, a direction or a label. */
struct vg_annotate;
enum { VG_UTC_BYTES = 21 }; /* 2026-12-01T10:00:00Z and its NUL */
struct vg_annotate_options {
    const char *release;
    const struct vg_study *study;         /* of it; borrowed */
    const char *folder;                   /* of answers.jsonl */
    const char *annotators;               /* table of name, token, categories */
    void (*utc)(char text[VG_UTC_BYTES]); /* what time it is */
};
/* VG_USAGE for faults of the table of annotators (file:row), VG_SOURCE for those of earlier answers, VG_IO
 * where the table cannot be read, answers cannot be kept or somebody else keeps them.  Warns of what an
 * interrupted write left. */
int vg_annotate_open(struct vg_annotate **annotate, const struct vg_annotate_options *options,
                     struct vg_error *err);
/* How many take part, and answers that are kept already. */
void vg_annotate_count(const struct vg_annotate *annotate, size_t *annotators, size_t *answers);
void vg_annotate_release(struct vg_annotate *annotate); /* NULL and half-open are fine */
extern const struct vg_route vg_annotate_routes[];
extern const size_t vg_annotate_route_count;

/* ---- the server (http.c; http_none.c where the program was built without) ------------------------------ */

struct vg_server_options {
    const char *address;      /* numeric; loopback unless the user says otherwise */
    unsigned port;            /* 0: any that is free */
    const char *const *names; /* further host names that the browser may use, without port */
    size_t name_count;
    struct vg_gate *gate; /* hosts are filled in by the start */
    const struct vg_site *site;
    void (*log)(void *context, const char *line); /* what was refused and why; one line, no newline */
    bool verbose;                                 /* what was answered as well */
    bool (*stopped)(void *context);               /* asked several times a second */
    bool (*work)(
        void *context); /* a slice (20 ms) of work in the background; false: none is left.  May be NULL */
    void *context;
};
struct vg_server;
/* Listens.  VG_IO where it cannot: the port is taken. */
int vg_server_start(struct vg_server **server, const struct vg_server_options *options, struct vg_error *err);
const char *vg_server_url(const struct vg_server *server); /* "http://127.0.0.1:8080/" */
/* Answers until `stopped`. */
int vg_server_run(struct vg_server *server, struct vg_error *err);
void vg_server_release(struct vg_server *server); /* NULL is fine */

#endif
