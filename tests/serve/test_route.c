/* SPDX-License-Identifier: MIT */
/* The gate and the table of routes: who gets an answer, from which handler. */
#include "edge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void answer_tail(void *site, const struct vg_request *request, struct vg_response *response)
{
    ++*(int *)site;
    vg_text_addf(&response->body, "[%s]", request->tail);
    response->type = "text/plain";
}

static const struct vg_route routes[] = {
    {VG_METHOD_GET, "/", false, answer_tail},
    {VG_METHOD_GET, "/item/*", false, answer_tail},
    {VG_METHOD_GET, "/assets/*", true, answer_tail},
    {VG_METHOD_POST, "/answer", false, answer_tail},
};
static const char *const hosts[] = {"127.0.0.1:8080", "localhost:8080"};
static int calls;
static const struct vg_site site = {routes, sizeof routes / sizeof *routes, &calls};

struct asking {
    enum vg_method method;
    const char *target, *host, *name, *value; /* one more header */
    const char *body;
    bool many_wrong;
};

static struct vg_response ask(const struct vg_gate *gate, struct vg_arena *arena, const struct asking *asking)
{
    struct vg_request request = {.method = asking->method, .arena = arena, .may_guess = !asking->many_wrong};
    struct vg_response response = {.status = 200};

    assert_null(vg_request_target(&request, asking->target, strlen(asking->target)));
    if (asking->host != NULL)
        request.headers[request.header_count++] = (struct vg_field){"Host", asking->host};
    if (asking->name != NULL)
        request.headers[request.header_count++] = (struct vg_field){asking->name, asking->value};
    request.body = asking->body != NULL ? asking->body : "";
    request.body_bytes = strlen(request.body);
    vg_dispatch(gate, &site, &request, &response);
    return response;
}

static void expect(const struct vg_gate *gate, const struct asking *asking, unsigned status, const char *body)
{
    struct vg_arena arena = {0};
    struct vg_response response = ask(gate, &arena, asking);

    if (response.status != status)
        fail_msg("%s: %u, not %u", asking->target, response.status, status);
    if (body != NULL)
        assert_string_equal(vg_text_or_empty(&response.body), body);
    if (status >= 400)
        assert_non_null(response.reason);
    vg_response_release(&response);
    vg_arena_release(&arena);
}

static void paths_find_their_handler(void **state)
{
    struct vg_gate gate = {.hosts = hosts, .host_count = 2};
    static const struct {
        struct asking asking;
        unsigned status;
        const char *body;
    } cases[] = {
        {{VG_METHOD_GET, "/", "127.0.0.1:8080", NULL, NULL, NULL, false}, 200, "[]"},
        {{VG_METHOD_HEAD, "/", "localhost:8080", NULL, NULL, NULL, false}, 200, "[]"},
        {{VG_METHOD_GET, "/item/a%20b", "localhost:8080", NULL, NULL, NULL, false}, 200, "[a b]"},
        {{VG_METHOD_GET, "/item", "localhost:8080", NULL, NULL, NULL, false}, 404, NULL},
        {{VG_METHOD_GET, "/item/a/b", "localhost:8080", NULL, NULL, NULL, false}, 404, NULL},
        {{VG_METHOD_GET, "/item/a%2Fb", "localhost:8080", NULL, NULL, NULL, false}, 404, NULL},
        {{VG_METHOD_GET, "/nothing", "localhost:8080", NULL, NULL, NULL, false}, 404, NULL},
        {{VG_METHOD_GET, "/login", "localhost:8080", NULL, NULL, NULL, false}, 404, NULL},
        {{VG_METHOD_POST, "/", "localhost:8080", NULL, NULL, NULL, false}, 405, NULL},
        {{VG_METHOD_GET, "/answer", "localhost:8080", NULL, NULL, NULL, false}, 405, NULL},
        {{VG_METHOD_OTHER, "/", "localhost:8080", NULL, NULL, NULL, false}, 405, NULL},
        {{VG_METHOD_POST, "/answer", "localhost:8080", NULL, NULL, "x", false}, 200, "[]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&gate, &cases[i].asking, cases[i].status, cases[i].body);
}

static void foreign_pages_are_kept_out(void **state)
{
    struct vg_gate gate = {.hosts = hosts, .host_count = 2};
    struct asking get = {.method = VG_METHOD_GET, .target = "/"};
    struct asking post = {.method = VG_METHOD_POST, .target = "/answer", .host = "localhost:8080"};
    static const char *const wrong[] = {NULL,
                                        "",
                                        "evil.example",
                                        "localhost",
                                        "localhost:80",
                                        "127.0.0.1",
                                        "127.0.0.1:8080.evil.example",
                                        "[::1]:8080",
                                        "192.168.0.9:8080"};

    (void)state;
    calls = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        get.host = wrong[i];
        expect(&gate, &get, 421, NULL);
    }
    post.name = "Origin";
    post.value = "http://evil.example";
    expect(&gate, &post, 403, NULL);
    post.value = "null";
    expect(&gate, &post, 403, NULL);
    post.name = "Sec-Fetch-Site";
    post.value = "cross-site";
    expect(&gate, &post, 403, NULL);
    assert_int_equal(calls, 0);
    post.name = "Origin";
    post.value = "http://localhost:8080";
    expect(&gate, &post, 200, NULL);
    gate.any_address = true;
    get.host = "192.168.0.9:8080";
    expect(&gate, &get, 200, NULL);
    get.host = "[fe80::1]:8080";
    expect(&gate, &get, 200, NULL);
    get.host = "evil.example:8080";
    expect(&gate, &get, 421, NULL);
}

/* ---- token --------------------------------------------------------------------------------------------- */

static const char *token_file(const char *text, mode_t mode)
{
    static char path[] = "/tmp/vg_token_XXXXXX";
    static bool made;
    FILE *file;

    if (!made)
        close(mkstemp(path));
    made = true;
    chmod(path, 0600);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
    return path;
}

static void tokens_are_read(void **state)
{
    struct vg_gate gate = {0};
    struct vg_error err = {0};

    (void)state;
    assert_int_equal(vg_gate_token(&gate, token_file("0123456789abcdef\n", 0644), &err), VG_USAGE);
    assert_int_equal(vg_gate_token(&gate, token_file("short\n", 0600), &err), VG_USAGE);
    assert_int_equal(vg_gate_token(&gate, "/nowhere/token", &err), VG_IO);
    assert_false(gate.guarded);
    vg_error_release(&err);
    assert_int_equal(vg_gate_token(&gate, token_file("0123456789abcdef\nmore\n", 0600), &err), VG_OK);
    assert_true(gate.guarded);
    assert_true(vg_same_secret("abc", "abc"));
    assert_false(vg_same_secret("abc", "abd"));
    assert_false(vg_same_secret("abc", "ab"));
    unlink(token_file("", 0600));
}

static void only_the_token_opens(void **state)
{
    struct vg_gate gate = {.hosts = hosts, .host_count = 2};
    struct vg_error err = {0};
    struct vg_arena arena = {0};
    struct asking get = {.method = VG_METHOD_GET, .target = "/item/x", .host = "localhost:8080"};
    struct asking log_in = {.method = VG_METHOD_POST, .target = "/login", .host = "localhost:8080"};
    struct vg_response response;
    char cookie[200];

    (void)state;
    assert_int_equal(vg_gate_token(&gate, token_file("0123456789abcdef\n", 0600), &err), VG_OK);
    calls = 0;
    expect(&gate, &get, 401, NULL);
    get.name = "Authorization";
    get.value = "Bearer 0123456789abcdeF";
    response = ask(&gate, &arena, &get);
    assert_int_equal(response.status, 401);
    assert_true(response.wrong_secret);
    vg_response_release(&response);
    get.value = "Bearer 0123456789abcdef";
    get.many_wrong = true;
    expect(&gate, &get, 429, NULL);
    get.many_wrong = false;
    assert_int_equal(calls, 0);
    expect(&gate, &get, 200, "[x]");
    get.name = "Cookie";
    get.value = "vocalgrad=0123456789abcdef";
    expect(&gate, &get, 401, NULL);
    get.name = "Accept";
    get.value = "text/html";
    expect(&gate, &get, 303, NULL);
    get.target = "/assets/site.css";
    expect(&gate, &get, 200, NULL);

    log_in.body = "token=wrong";
    response = ask(&gate, &arena, &log_in);
    assert_int_equal(response.status, 403);
    assert_true(response.wrong_secret);
    assert_null(strstr(response.reason, "0123"));
    vg_response_release(&response);
    log_in.body = "token=0123456789abcdef&x=1";
    expect(&gate, &log_in, 403, NULL);
    log_in.body = "token=0123456789abcdef";
    response = ask(&gate, &arena, &log_in);
    assert_int_equal(response.status, 303);
    snprintf(cookie, sizeof cookie, "%s", response.headers[0].value);
    assert_non_null(strstr(cookie, "HttpOnly; SameSite=Strict"));
    assert_null(strstr(cookie, "0123456789abcdef"));
    vg_response_release(&response);
    cookie[strcspn(cookie, ";")] = '\0';
    get.target = "/item/x";
    get.name = "Cookie";
    get.value = cookie;
    expect(&gate, &get, 200, "[x]");
    unlink(token_file("", 0600));
    vg_arena_release(&arena);
}

/* No page needs what the policy forbids, and every asset has a type. */
static void assets_are_whole(void **state)
{
    (void)state;
    assert_true(vg_asset_count >= 5);
    for (size_t i = 0; i < vg_asset_count; i++) {
        struct vg_response response = {.status = 200};
        const char *text = vg_assets[i].bytes;

        vg_response_asset(&response, vg_assets[i].name);
        assert_int_equal(response.status, 200);
        assert_int_equal(response.still_bytes, strlen(text));
        assert_string_not_equal(response.type, "application/octet-stream");
        assert_null(strstr(text, " onclick="));
        assert_null(strstr(text, " style=\""));
        assert_null(strstr(text, "innerHTML"));
        assert_null(strstr(text, "eval("));
        if (strstr(vg_assets[i].name, ".html") != NULL) {
            assert_null(strstr(text, "<style"));
            assert_null(strstr(text, "<script>"));
            assert_null(strstr(text, "http"));
        }
        vg_response_release(&response);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_find_their_handler), cmocka_unit_test(foreign_pages_are_kept_out),
        cmocka_unit_test(tokens_are_read),          cmocka_unit_test(only_the_token_opens),
        cmocka_unit_test(assets_are_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
