/* SPDX-License-Identifier: MIT */
/* serve: a release in a browser, on loopback unless an address and a token are given. */
#include "annotate.h"
#include "audible.h"

#include <signal.h>
#include <string.h>

enum { PORT = 8080, PORT_MAX = 65535 };

struct serving {
    struct vg_call *call;
    struct vg_library *library;
    struct vg_gate gate;
    struct vg_site site;
    struct vg_audible audible;
    struct vg_annotating annotating;
};

static void log_line(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "%s\n", line);
}

static bool stopped(void *context)
{
    (void)context;
    return vg_interrupt_came();
}

static bool work(void *context)
{
    struct serving *serving = context;

    if (serving->library == NULL)
        return false;
    if (vg_library_work(serving->library))
        return true;
    if (vg_library_fault(serving->library) != NULL)
        fprintf(stderr, "%s: %s\n", serving->call->operands[0], vg_library_fault(serving->library));
    return false;
}

static int read_port(struct vg_call *call, unsigned *port)
{
    const char *text = vg_call_text(call, "port", NULL);
    int64_t number = PORT;

    if (text != NULL && (!vg_integer_parse(text, &number) || number < 0 || number > PORT_MAX))
        return vg_fail(&call->err, VG_USAGE, "--port", "%s; expected a whole number from 0 to %d", text,
                       PORT_MAX);
    *port = (unsigned)number;
    return VG_OK;
}

static bool is_study(const struct vg_call *call)
{
    return vg_call_text(call, "annotate", NULL) != NULL || vg_call_text(call, "annotators", NULL) != NULL;
}

/* An option that would change nothing is a misunderstanding; none is passed over in silence. */
static int check_options(struct vg_call *call)
{
    static const struct {
        const char *name;
        bool study; /* without effect in the human study; else without effect in the list */
        const char *sentence;
    } idle[] = {
        {"token", true, "guards the list; annotators have tokens of their own in --annotators: leave it out"},
        {"sources", true, "annotators hear no sources: leave it out"},
        {"split", false, "chooses what annotators hear: give --annotate and --annotators, or leave it out"},
        {"items", false, "counts what annotators hear: give --annotate and --annotators, or leave it out"},
    };
    int rc = VG_OK;

    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (idle[i].study == is_study(call) && vg_call_text(call, idle[i].name, NULL) != NULL)
            rc = vg_fail(&call->err, VG_USAGE, vg_arena_format(&call->arena, "--%s", idle[i].name), "%s",
                         idle[i].sentence);
    return rc;
}

/* A name that no browser sends would never be answered. */
static int read_hosts(struct vg_call *call, struct vg_server_options *options)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]";

    options->names = vg_call_list(call, "host", &options->name_count);
    for (size_t i = 0; i < options->name_count; i++)
        if (options->names[i][0] == '\0' || options->names[i][strspn(options->names[i], letters)] != '\0')
            return vg_fail(&call->err, VG_USAGE, "--host",
                           "%s is no name as the Host header has it; expected audio.example, or "
                           "audio.example:8443 where the port is not the usual one",
                           options->names[i]);
    return VG_OK;
}

static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

/* An address that others reach, only with something to ask them for. */
static int read_gate(struct vg_call *call, const char *address, struct vg_gate *gate)
{
    const char *token = vg_call_text(call, "token", NULL);

    if (!is_loopback(address) && token == NULL && vg_call_text(call, "annotators", NULL) == NULL)
        return vg_fail(&call->err, VG_USAGE, "--bind",
                       "%s can be reached from other machines: give --token FILE as well", address);
    return token != NULL ? vg_gate_token(gate, token, &call->err) : VG_OK;
}

static int serve(struct vg_call *call, struct vg_server_options *options)
{
    struct vg_server *server = NULL;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    int rc;

    sigaction(SIGPIPE, &ignore, NULL); /* whoever stopped listening is the library's to notice */
    vg_interrupt_watch();
    rc = vg_server_start(&server, options, &call->err);
    if (rc == VG_OK) {
        printf("%s\n", vg_server_url(server));
        rc = fflush(stdout) == 0 ? VG_OK : vg_fail(&call->err, VG_IO, "standard output", "cannot write");
    }
    if (rc == VG_OK) {
        vg_say(call, "%s: served until Ctrl-C", call->operands[0]);
        rc = vg_server_run(server, &call->err);
    }
    vg_server_release(server);
    return rc;
}

static int open_study(struct serving *serving)
{
    int rc = vg_annotating_open(&serving->annotating, serving->call);

    serving->site =
        (struct vg_site){vg_annotate_routes, vg_annotate_route_count, serving->annotating.annotate};
    return rc;
}

static int open_library(struct serving *serving)
{
    struct vg_call *call = serving->call;
    int rc = vg_library_open(&serving->library, call->operands[0], &call->err);

    if (rc == VG_OK)
        rc = vg_audible_find(&serving->audible, call);
    if (rc != VG_OK)
        return rc;
    vg_library_hear(serving->library, &serving->audible);
    serving->site = (struct vg_site){vg_browse_routes, vg_browse_route_count, serving->library};
    return VG_OK;
}

/* What is served, and how its context is made ready. */
static int open_site(struct serving *serving)
{
    return is_study(serving->call) ? open_study(serving) : open_library(serving);
}

static int run(struct vg_call *call)
{
    struct serving serving = {.call = call};
    struct vg_server_options options = {.address = vg_call_text(call, "bind", "127.0.0.1"),
                                        .gate = &serving.gate,
                                        .site = &serving.site,
                                        .log = log_line,
                                        .verbose = call->verbose,
                                        .stopped = stopped,
                                        .work = work,
                                        .context = &serving};
    int rc = check_options(call);

    if (rc == VG_OK)
        rc = read_port(call, &options.port);
    if (rc == VG_OK)
        rc = read_hosts(call, &options);
    if (rc == VG_OK)
        rc = read_gate(call, options.address, &serving.gate);
    if (rc == VG_OK)
        rc = open_site(&serving);
    if (rc == VG_OK)
        rc = serve(call, &options);
    vg_annotating_release(&serving.annotating);
    vg_library_release(serving.library);
    return rc;
}

static const struct vg_option options[] = {
    {"port", 0, "P", VG_OPTION_TEXT, "port to listen on (default: 8080); 0: any that is free"},
    {"bind", 0, "ADDR", VG_OPTION_TEXT,
     "numeric address to listen on (default: 127.0.0.1); any other than loopback needs --token or "
     "--annotators"},
    {"token", 0, "FILE", VG_OPTION_TEXT, "ask for the token that is the file's first line; mode 600"},
    {"host", 0, "NAME[:PORT]", VG_OPTION_LIST,
     "a name, as the browser's address line has it, that this server also answers to (repeatable)"},
    {"sources", 0, "FILE", VG_OPTION_TEXT,
     "play the sources too: a pack (pack-sources), or the spec (.yaml) that the release was built from"},
    {"annotate", 0, "DIR", VG_OPTION_TEXT, "the human study instead: its answers go to this folder"},
    {"annotators", 0, "FILE", VG_OPTION_TEXT,
     "with --annotate: a table (.csv, .tsv) of name, token, categories; no category: all"},
    {"split", 0, "NAME", VG_OPTION_TEXT,
     "with --annotate: whose items are heard (default: test, else the first)"},
    {"items", 0, "N", VG_OPTION_COUNT, "with --annotate: how many of a category (default: 50)"},
    {0},
};

const struct vg_verb vg_verb_serve = {
    .name = "serve",
    .operands = "RELEASE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Look at a release and listen to it in a browser.",
    .details =
        "Prints the address to open and answers until Ctrl-C.\n\n"
        "Only this machine can reach it, unless --bind and --token are given. There is no encryption: "
        "from another machine come through ssh -L, or put a proxy with TLS before it. What is refused "
        "is told on stderr, with --verbose what is answered too.\n\n"
        "A release holds no sources. Those that its spec makes out of numbers are made again and played "
        "beside their items; others with --sources.\n\n"
        "With --annotate it serves the human study and nothing else: each annotator logs in by name and "
        "token and hears the items of the assigned categories one by one, in the order of plan "
        "--annotation. Each answer is a line of DIR/answers.jsonl, flushed to the disk before the browser "
        "is told that it is saved; after a crash everybody goes on where they were. See score "
        "--annotations. Tokens travel unencrypted: beyond this machine put TLS before it.",
    .options = options,
    .run = run,
};
