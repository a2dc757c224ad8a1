/* SPDX-License-Identifier: MIT */
/* How much one client may ask for: buckets that fill with time.  No clock here. */
#include "edge.h"

#include <string.h>

/* A browser that scrolls asks for some thirty pages a second; a token is typed wrong a few times. */
#define REQUESTS_BURST 600.0
#define REQUESTS_PER_SEC 150.0
#define TOLD_BURST 5.0
#define TOLD_PER_SEC 1.0
#define GUESSES_BURST 10.0
#define GUESSES_PER_SEC (1.0 / 6.0)
/* A whole request is there at once; a response moves at a modem's speed at least. */
#define REQUEST_SEC 15.0
#define RESPONSE_SEC 30.0
#define RESPONSE_BYTES_PER_SEC 16384.0

static void fill(struct vg_bucket *bucket, double burst, double per_sec, double now_sec)
{
    double more = now_sec > bucket->at_sec ? (now_sec - bucket->at_sec) * per_sec : 0;

    bucket->left = bucket->left + more < burst ? bucket->left + more : burst;
    bucket->at_sec = now_sec;
}

static bool take(struct vg_bucket *bucket)
{
    if (bucket->left < 1)
        return false;
    bucket->left -= 1;
    return true;
}

struct vg_client *vg_limits_client(struct vg_limits *limits, const char *address, double now_sec)
{
    struct vg_client *oldest = &limits->clients[0], *client;

    for (size_t i = 0; i < limits->count; i++) {
        client = &limits->clients[i];
        if (strcmp(client->address, address) == 0) {
            client->seen_sec = now_sec;
            return client;
        }
        if (client->seen_sec < oldest->seen_sec)
            oldest = client;
    }
    client = limits->count < VG_CLIENTS_MAX ? &limits->clients[limits->count++] : oldest;
    *client = (struct vg_client){.seen_sec = now_sec,
                                 .requests = {REQUESTS_BURST, now_sec},
                                 .guesses = {GUESSES_BURST, now_sec},
                                 .told = {TOLD_BURST, now_sec}};
    snprintf(client->address, sizeof client->address, "%s", address);
    return client;
}

bool vg_client_may_ask(struct vg_client *client, double now_sec)
{
    fill(&client->requests, REQUESTS_BURST, REQUESTS_PER_SEC, now_sec);
    return take(&client->requests);
}

bool vg_client_may_tell(struct vg_client *client, double now_sec, size_t *untold)
{
    bool may;

    fill(&client->told, TOLD_BURST, TOLD_PER_SEC, now_sec);
    may = take(&client->told);
    *untold = client->untold;
    client->untold = may ? 0 : client->untold + 1;
    return may;
}

bool vg_client_may_guess(struct vg_client *client, double now_sec)
{
    fill(&client->guesses, GUESSES_BURST, GUESSES_PER_SEC, now_sec);
    return client->guesses.left >= 1;
}

void vg_client_guessed(struct vg_client *client, double now_sec)
{
    fill(&client->guesses, GUESSES_BURST, GUESSES_PER_SEC, now_sec);
    take(&client->guesses);
}

double vg_deadline_request(double now_sec)
{
    return now_sec + REQUEST_SEC;
}

double vg_deadline_response(double now_sec, uint64_t bytes)
{
    return now_sec + RESPONSE_SEC + (double)bytes / RESPONSE_BYTES_PER_SEC;
}
