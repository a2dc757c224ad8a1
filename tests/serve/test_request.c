/* SPDX-License-Identifier: MIT */
/* Request lines, headers, ranges and limits: what is taken, and what is refused. */
#include "edge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- targets ------------------------------------------------------------------------------------------- */

static const char *read_target(struct vg_request *request, struct vg_arena *arena, const char *target)
{
    *request = (struct vg_request){.arena = arena};
    return vg_request_target(request, target, strlen(target));
}

static void targets_are_decoded(void **state)
{
    struct vg_arena arena = {0};
    struct vg_request request;
    uint64_t number;

    (void)state;
    assert_null(read_target(&request, &arena, "/item/a%2Bb?q=caf%C3%A9+au&tier=low&empty=&first=17"));
    assert_string_equal(request.path, "/item/a+b");
    assert_string_equal(vg_request_query(&request, "q"), "caf\xc3\xa9 au");
    assert_string_equal(vg_request_query(&request, "tier"), "low");
    assert_string_equal(vg_request_query(&request, "empty"), "");
    assert_string_equal(vg_request_query(&request, "missing"), "");
    assert_true(vg_request_number(&request, "first", 100, 3, &number));
    assert_int_equal(number, 17);
    assert_true(vg_request_number(&request, "missing", 100, 3, &number));
    assert_int_equal(number, 3);
    assert_false(vg_request_number(&request, "first", 16, 3, &number));
    assert_false(vg_request_number(&request, "q", 16, 3, &number));
    assert_null(read_target(&request, &arena, "/"));
    assert_string_equal(request.path, "/");
    assert_null(read_target(&request, &arena, "/a..b/...c"));
    vg_arena_release(&arena);
}

static void bad_targets_are_refused(void **state)
{
    static const char *const bad[] = {
        "",          "item",     "*",       "http://x/",   "/..",         "/../x",         "/a/../b",
        "/a/./b",    "/a//b",    "/a/",     "/%2e%2e/etc", "/%2E%2E%2Fx", "/a%2f..%2fb",   "/a\\b",
        "/a%5cb",    "/a%00b",   "/a%0ab",  "/a%7fb",      "/a%",         "/a%2",          "/a%zz",
        "/a%ff",     "/a%c0%ae", "/a#b",    "/?a=1&a=2",   "/?=1",        "/?a=%0d%0aX:1", "/?a=%e2%82",
        "/?a=1&&b=", "/a/%2e/b", "/..%00/", "/a%ed%a0%80",
    };
    struct vg_arena arena = {0};
    struct vg_request request;
    char longest[VG_TARGET_BYTES_MAX + 2];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (read_target(&request, &arena, bad[i]) == NULL)
            fail_msg("%s was taken as %s", bad[i], request.path);
        assert_int_equal(request.query_count, 0);
    }
    memset(longest, 'a', sizeof longest - 1);
    longest[0] = '/';
    longest[VG_TARGET_BYTES_MAX] = '\0';
    assert_null(read_target(&request, &arena, longest));
    longest[VG_TARGET_BYTES_MAX] = 'a';
    longest[VG_TARGET_BYTES_MAX + 1] = '\0';
    assert_non_null(read_target(&request, &arena, longest));
    vg_arena_release(&arena);
}

static void fields_have_a_limit(void **state)
{
    struct vg_arena arena = {0};
    struct vg_request request;
    struct vg_text target = {0};
    struct vg_field fields[2];
    size_t count;

    (void)state;
    vg_text_add(&target, "/?");
    for (int i = 0; i < VG_QUERY_MAX; i++)
        vg_text_addf(&target, "%sk%d=1", i > 0 ? "&" : "", i);
    assert_null(read_target(&request, &arena, target.data));
    assert_int_equal(request.query_count, VG_QUERY_MAX);
    vg_text_add(&target, "&more=1");
    assert_non_null(read_target(&request, &arena, target.data));
    request.body = "token=a%20b&x=1";
    request.body_bytes = strlen(request.body);
    assert_true(vg_request_form(&request, fields, 2, &count));
    assert_string_equal(fields[0].value, "a b");
    assert_false(vg_request_form(&request, fields, 1, &count));
    vg_text_release(&target);
    vg_arena_release(&arena);
}

/* ---- headers ------------------------------------------------------------------------------------------- */

static void add_header(struct vg_request *request, const char *name, const char *value)
{
    request->headers[request->header_count++] = (struct vg_field){name, value};
}

static void headers_are_checked(void **state)
{
    struct vg_arena arena = {0};
    struct vg_request request = {.arena = &arena};
    char value[VG_HEADER_BYTES_MAX + 1];
    unsigned status;
    size_t bytes;

    (void)state;
    add_header(&request, "host", "a:1");
    add_header(&request, "Cookie", "x=1; vocalgrad=secret; vocalgradx=2");
    assert_null(vg_request_headers_fault(&request, &status));
    assert_string_equal(vg_request_header(&request, "HOST"), "a:1");
    assert_string_equal(vg_request_cookie(&request, "vocalgrad"), "secret");
    assert_string_equal(vg_request_cookie(&request, "vocalgradx"), "2");
    assert_null(vg_request_cookie(&request, "vocal"));
    add_header(&request, "Host", "b:1");
    assert_non_null(vg_request_headers_fault(&request, &status));
    assert_int_equal(status, 400);
    request.header_count = 1;
    add_header(&request, "Transfer-Encoding", "chunked");
    assert_non_null(vg_request_headers_fault(&request, &status));
    assert_int_equal(status, 411);
    memset(value, 'a', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    request.headers[1] = (struct vg_field){"X", value};
    assert_non_null(vg_request_headers_fault(&request, &status));
    assert_int_equal(status, 431);
    request.header_count = 0;
    assert_true(vg_request_body_size(&request, &bytes));
    assert_int_equal(bytes, 0);
    add_header(&request, "Content-Length", "8192");
    assert_true(vg_request_body_size(&request, &bytes));
    assert_int_equal(bytes, 8192);
    request.headers[0].value = "8193";
    assert_false(vg_request_body_size(&request, &bytes));
    request.headers[0].value = "-1";
    assert_false(vg_request_body_size(&request, &bytes));
    request.headers[0].value = "18446744073709551617";
    assert_false(vg_request_body_size(&request, &bytes));
    vg_arena_release(&arena);
}

/* ---- ranges -------------------------------------------------------------------------------------------- */

static void ranges_are_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t size;
        enum vg_range range;
        uint64_t first, count;
    } cases[] = {
        {NULL, 100, VG_RANGE_WHOLE, 0, 100},
        {"bytes=0-99", 100, VG_RANGE_PART, 0, 100},
        {"bytes=0-0", 100, VG_RANGE_PART, 0, 1},
        {"bytes=10-19", 100, VG_RANGE_PART, 10, 10},
        {"bytes=10-", 100, VG_RANGE_PART, 10, 90},
        {"bytes=99-200", 100, VG_RANGE_PART, 99, 1},
        {"bytes=-7", 100, VG_RANGE_PART, 93, 7},
        {"bytes=-700", 100, VG_RANGE_PART, 0, 100},
        {"bytes=-0", 100, VG_RANGE_NONE, 100, 0},
        {"bytes=100-", 100, VG_RANGE_NONE, 0, 100},
        {"bytes=0-", 0, VG_RANGE_NONE, 0, 0},
        {"bytes=-1", 0, VG_RANGE_NONE, 0, 0},
        {"bytes=20-10", 100, VG_RANGE_WHOLE, 0, 100},
        {"bytes=0-1,3-4", 100, VG_RANGE_WHOLE, 0, 100},
        {"bytes=", 100, VG_RANGE_WHOLE, 0, 100},
        {"bytes=a-b", 100, VG_RANGE_WHOLE, 0, 100},
        {"items=0-1", 100, VG_RANGE_WHOLE, 0, 100},
        {"bytes=99999999999999999999-", 100, VG_RANGE_WHOLE, 0, 100},
        {"bytes=0-99999999999999999999", 100, VG_RANGE_WHOLE, 0, 100},
        {"bytes=0-999999999999999999", 100, VG_RANGE_PART, 0, 100},
        {"bytes=1-2 ", 100, VG_RANGE_WHOLE, 0, 100},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t first, count;

        if (vg_range_parse(cases[i].text, cases[i].size, &first, &count) != cases[i].range)
            fail_msg("%s of %llu", cases[i].text, (unsigned long long)cases[i].size);
        if (cases[i].range == VG_RANGE_NONE)
            continue;
        assert_int_equal(first, cases[i].first);
        assert_int_equal(count, cases[i].count);
    }
}

static struct vg_response ranged(struct vg_arena *arena, const char *name, const char *value,
                                 const char *range)
{
    struct vg_request request = {.arena = arena};
    struct vg_response response = {.status = 200};

    if (name != NULL)
        add_header(&request, name, value);
    if (range != NULL)
        add_header(&request, "Range", range);
    vg_text_add(&response.body, "0123456789");
    vg_response_ranged(&response, &request, "\"t\"");
    return response;
}

static void responses_are_cut(void **state)
{
    struct vg_arena arena = {0};
    struct vg_response response = ranged(&arena, NULL, NULL, "bytes=2-4");

    (void)state;
    assert_int_equal(response.status, 206);
    assert_string_equal(response.body.data, "234");
    assert_string_equal(response.headers[0].value, "bytes 2-4/10");
    vg_response_release(&response);
    response = ranged(&arena, "If-Range", "\"other\"", "bytes=2-4");
    assert_int_equal(response.status, 200);
    assert_int_equal(response.body.length, 10);
    vg_response_release(&response);
    response = ranged(&arena, "If-None-Match", "\"t\"", "bytes=2-4");
    assert_int_equal(response.status, 304);
    assert_int_equal(response.body.length, 0);
    vg_response_release(&response);
    response = ranged(&arena, NULL, NULL, "bytes=10-");
    assert_int_equal(response.status, 416);
    vg_response_release(&response);
    vg_arena_release(&arena);
}

/* ---- limits and log ------------------------------------------------------------------------------------ */

static void rates_are_bounded(void **state)
{
    static struct vg_limits limits;
    struct vg_client *client = vg_limits_client(&limits, "127.0.0.1", 100);
    char address[VG_CLIENT_BYTES];
    int taken = 0, guesses = 0;

    (void)state;
    while (taken < 10000 && vg_client_may_ask(client, 100))
        taken++;
    assert_int_equal(taken, 600);
    assert_false(vg_client_may_ask(client, 100.001));
    assert_true(vg_client_may_ask(client, 100.1));
    for (; guesses < 100 && vg_client_may_guess(client, 100); guesses++)
        vg_client_guessed(client, 100);
    assert_int_equal(guesses, 10);
    assert_false(vg_client_may_guess(client, 105));
    assert_true(vg_client_may_guess(client, 107));
    assert_ptr_equal(vg_limits_client(&limits, "127.0.0.1", 200), client);
    for (int i = 0; i < 2 * VG_CLIENTS_MAX; i++) { /* the one that is seen again stays */
        snprintf(address, sizeof address, "10.0.0.%d", i);
        vg_limits_client(&limits, address, 201 + i);
        assert_ptr_equal(vg_limits_client(&limits, "127.0.0.1", 201.5 + i), client);
    }
    assert_int_equal(limits.count, VG_CLIENTS_MAX);
}

static void a_flood_does_not_fill_the_log(void **state)
{
    static struct vg_limits limits;
    struct vg_client *client = vg_limits_client(&limits, "127.0.0.1", 100);
    size_t untold;

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(vg_client_may_tell(client, 100, &untold), i < 5);
    assert_true(vg_client_may_tell(client, 101.5, &untold));
    assert_int_equal(untold, 995);
    assert_true(vg_client_may_tell(client, 103, &untold));
    assert_int_equal(untold, 0);
}

static void the_log_shows_no_query(void **state)
{
    struct vg_text line = {0};

    (void)state;
    vg_log_refusal(&line, "127.0.0.1", "GET", "/a\x1b[2Jb?token=secret", 404, "no such\npage");
    assert_string_equal(line.data, "refused 127.0.0.1 GET /a?[2Jb 404: no such page");
    vg_text_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_are_decoded),    cmocka_unit_test(bad_targets_are_refused),
        cmocka_unit_test(fields_have_a_limit),    cmocka_unit_test(headers_are_checked),
        cmocka_unit_test(ranges_are_read),        cmocka_unit_test(responses_are_cut),
        cmocka_unit_test(rates_are_bounded),      cmocka_unit_test(a_flood_does_not_fill_the_log),
        cmocka_unit_test(the_log_shows_no_query),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
