/* SPDX-License-Identifier: MIT */
/* Who may ask.  A page of another origin can make a browser send requests here: Host tells a rebound name,
 * Origin a foreign form.  A token is held only as its digest; the cookie is another digest of it, so that a
 * session outlives a restart and the cookie does not give the token away. */
#include "edge.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/stat.h>

bool vg_same_secret(const char *a, const char *b)
{
    size_t length = strlen(a);
    volatile unsigned char difference = 0;

    if (strlen(b) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        difference = (unsigned char)(difference | (unsigned char)(a[i] ^ b[i]));
    return difference == 0;
}

static void derive(struct vg_gate *gate, const char *token, size_t length)
{
    static const char salt[] = "vocalgrad serve: session of ";
    struct vg_digest digest;

    vg_digest_of(VG_SHA256, token, length, gate->token_sha256);
    vg_digest_init(&digest, VG_SHA256);
    vg_digest_add(&digest, salt, sizeof salt - 1);
    vg_digest_add(&digest, gate->token_sha256, strlen(gate->token_sha256));
    vg_digest_finish(&digest, gate->cookie_sha256);
    gate->guarded = true;
}

int vg_gate_token(struct vg_gate *gate, const char *path, struct vg_error *err)
{
    struct vg_arena arena = {0};
    struct stat status;
    char *bytes;
    size_t count;
    int rc = vg_file_get(path, 4096, &arena, &bytes, &count, err);

    if (rc == VG_OK) {
        count = strcspn(bytes, "\r\n");
        if (stat(path, &status) != 0 || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
            rc = vg_fail(err, VG_USAGE, path, "can be read by others; chmod 600 it: it holds the token");
        else if (count < VG_TOKEN_BYTES_MIN || count > VG_TOKEN_BYTES_MAX)
            rc = vg_fail(
                err, VG_USAGE, path,
                "its first line has %zu characters; a token has %d to %d (head -c 24 /dev/urandom | base64)",
                count, VG_TOKEN_BYTES_MIN, VG_TOKEN_BYTES_MAX);
        else
            derive(gate, bytes, count);
    }
    vg_arena_release(&arena);
    return rc;
}

/* "127.0.0.1:80", "[::1]:80": an address in numbers? */
static bool is_numeric(const char *host)
{
    char text[INET6_ADDRSTRLEN], address[sizeof(struct in6_addr)];
    bool six = host[0] == '[';
    size_t length = strcspn(host + six, six ? "]" : ":");

    if (length >= sizeof text)
        return false;
    memcpy(text, host + six, length);
    text[length] = '\0';
    return inet_pton(six ? AF_INET6 : AF_INET, text, address) == 1;
}

bool vg_gate_host(const struct vg_gate *gate, const char *host)
{
    for (size_t i = 0; i < gate->host_count; i++)
        if (vg_same_name(gate->hosts[i], host))
            return true;
    return gate->any_address && is_numeric(host);
}
