/* SPDX-License-Identifier: MIT */
/* The human study in a browser.  One item at a time, in the order of the study: an item's sound is served
 * while it is the next to be answered and at no other time, and an answer is told to be saved when it is on
 * the disk. Items have numbers of the annotator's own, 1 to as many as were assigned. */
#include "annotate.h"

#include <stdlib.h>
#include <string.h>

struct vg_annotate {
    struct vg_annotate_options options;
    struct vg_about about;
    struct vg_annotators annotators;
    struct vg_answer_log log;
    struct vg_media *media;
    size_t *shards;     /* of the study's items */
    size_t *part_bytes; /* what every file of a part is padded to */
    size_t *part_of;    /* of the study's items */
    struct vg_arena arena;
};

/* ---- opening ------------------------------------------------------------------------------------------- */

static int place_items(struct vg_annotate *a, struct vg_error *err)
{
    const struct vg_study *study = a->options.study;

    a->shards = vg_arena_take(&a->arena, study->item_count + 1, sizeof *a->shards);
    a->part_of = vg_arena_take(&a->arena, study->item_count + 1, sizeof *a->part_of);
    a->part_bytes = vg_arena_take_zero(&a->arena, study->part_count + 1, sizeof *a->part_bytes);
    for (size_t p = 0; p < study->part_count; p++)
        for (size_t i = study->parts[p].first; i < study->parts[p].first + study->parts[p].count; i++) {
            size_t bytes = study->items[i].record.flac_bytes + VG_BLIND_BYTES, shard = 0;

            while (shard < a->about.shard_count &&
                   strcmp(a->about.shards[shard].name, study->items[i].record.shard) != 0)
                shard++;
            if (shard == a->about.shard_count)
                return vg_fail(err, VG_NO, study->items[i].record.id, "its shard %s is not in release.json",
                               study->items[i].record.shard);
            a->shards[i] = shard;
            a->part_of[i] = p;
            a->part_bytes[p] = bytes > a->part_bytes[p] ? bytes : a->part_bytes[p];
        }
    return VG_OK;
}

/* What was answered before the server was started. */
static void resume(struct vg_annotate *a)
{
    const struct vg_study *study = a->options.study;

    for (size_t n = 0; n < a->annotators.count; n++) {
        struct vg_annotator *annotator = &a->annotators.at[n];

        for (size_t i = 0; i < annotator->item_count; i++) {
            const char *key = study->items[annotator->items[i]].record.key;

            annotator->answered[i] = vg_answer_log_find(&a->log, annotator->name, key) != NULL;
            annotator->answered_count += annotator->answered[i];
        }
    }
}

int vg_annotate_open(struct vg_annotate **result, const struct vg_annotate_options *options,
                     struct vg_error *err)
{
    struct vg_annotate *a = vg_memory_take(1, sizeof *a);
    int rc;

    *a = (struct vg_annotate){.options = *options};
    *result = a;
    rc = vg_about_read(&a->about, options->release, &a->arena, err);
    if (rc == VG_OK)
        rc = vg_annotators_read(&a->annotators, options->annotators, options->study, err);
    if (rc == VG_OK)
        rc = place_items(a, err);
    if (rc == VG_OK)
        rc = vg_media_open(&a->media, options->release, &a->about, err);
    if (rc == VG_OK)
        rc = vg_answer_log_open(&a->log, options->folder, options->study->release_id, err);
    if (rc == VG_OK)
        resume(a);
    return rc;
}

void vg_annotate_count(const struct vg_annotate *annotate, size_t *annotators, size_t *answers)
{
    *annotators = annotate->annotators.count;
    *answers = annotate->log.known.count;
}

void vg_annotate_release(struct vg_annotate *annotate)
{
    if (annotate == NULL)
        return;
    vg_answer_log_release(&annotate->log);
    vg_media_close(annotate->media);
    vg_annotators_release(&annotate->annotators);
    vg_arena_release(&annotate->arena);
    free(annotate);
}

/* ---- who asks
 * ----------------------------------------------------------------------------------------------- */

static const char cookie_name[] = "vocalgrad_annotator";

/* All are compared, so that the time it takes does not tell which one it was. */
static struct vg_annotator *find_session(struct vg_annotate *a, const struct vg_request *request)
{
    const char *cookie = vg_request_cookie(request, cookie_name);
    struct vg_annotator *found = NULL;

    for (size_t i = 0; cookie != NULL && i < a->annotators.count; i++)
        if (vg_same_secret(cookie, a->annotators.at[i].cookie_sha256))
            found = &a->annotators.at[i];
    return found;
}

/* Answers for whoever is not logged in. */
static struct vg_annotator *need_session(struct vg_annotate *a, const struct vg_request *request,
                                         struct vg_response *response)
{
    struct vg_annotator *annotator = request->may_guess ? find_session(a, request) : NULL;

    if (annotator != NULL)
        return annotator;
    vg_response_refuse(response, request->may_guess ? 401 : 429,
                       request->may_guess ? "nobody is logged in" : "too many wrong tokens; wait a minute");
    response->wrong_secret = vg_request_cookie(request, cookie_name) != NULL;
    return NULL;
}

/* ---- where one is
 * --------------------------------------------------------------------------------------------- */

/* The first item without an answer, or item_count. */
static size_t next_of(const struct vg_annotator *annotator)
{
    size_t next = 0;

    while (next < annotator->item_count && annotator->answered[next])
        next++;
    return next;
}

static void write_current(const struct vg_annotate *a, const struct vg_annotator *annotator,
                          struct vg_json *json)
{
    const struct vg_study *study = a->options.study;
    size_t next = next_of(annotator), item, part, place = 0;

    if (next == annotator->item_count) {
        vg_json_string(json, "current", NULL);
        return;
    }
    item = annotator->items[next];
    part = a->part_of[item];
    while (annotator->parts[place] != part)
        place++;
    vg_json_open(json, "current", '{');
    vg_json_open(json, "answers", '[');
    for (size_t i = 0; i < VG_DIRECTIONS; i++)
        vg_json_string(json, NULL, study->labels[i]);
    vg_json_close(json, ']');
    vg_json_integer(json, "number", (int64_t)next + 1);
    vg_json_integer(json, "part", (int64_t)place + 1);
    vg_json_integer(json, "part_item", (int64_t)(item - study->parts[part].first) + 1);
    vg_json_integer(json, "part_items", (int64_t)study->parts[part].count);
    vg_json_integer(json, "parts", (int64_t)annotator->part_count);
    vg_json_string(json, "question", study->parts[part].question);
    vg_json_close(json, '}');
}

static void send_state(const struct vg_annotate *a, const struct vg_annotator *annotator,
                       struct vg_response *response)
{
    struct vg_json json;

    vg_json_init(&json, &response->body);
    vg_json_open(&json, NULL, '{');
    write_current(a, annotator, &json);
    vg_json_integer(&json, "done", (int64_t)annotator->answered_count);
    vg_json_integer(&json, "items", (int64_t)annotator->item_count);
    vg_json_string(&json, "name", annotator->name);
    vg_json_close(&json, '}');
    vg_text_add_char(&response->body, '\n');
    vg_response_json(response);
}

static void answer_state(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_annotate *a = site;
    const struct vg_annotator *annotator = need_session(a, request, response);

    if (annotator != NULL)
        send_state(a, annotator, response);
}

/* ---- coming and going ---------------------------------------------------------------------------------- */

static const char *field_of(const struct vg_field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].value;
    return "";
}

static void answer_enter(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_annotate *a = site;
    struct vg_field fields[2];
    const struct vg_annotator *found = NULL;
    char hex[VG_DIGEST_HEX];
    size_t count = 0;

    if (!request->may_guess) {
        vg_response_refuse(response, 429, "too many wrong tokens; wait a minute");
        return;
    }
    if (!vg_request_form(request, fields, 2, &count)) {
        vg_response_refuse(response, 400, "expected a name and a token");
        return;
    }
    vg_digest_of(VG_SHA256, field_of(fields, count, "token"), strlen(field_of(fields, count, "token")), hex);
    for (size_t i = 0; i < a->annotators.count; i++) {
        const struct vg_annotator *annotator = &a->annotators.at[i];
        bool named = strcmp(annotator->name, field_of(fields, count, "name")) == 0;

        if (vg_same_secret(hex, annotator->token_sha256) && named)
            found = annotator;
    }
    if (found == NULL) {
        vg_response_refuse(response, 403, "wrong name or token");
        response->wrong_secret = true;
        return;
    }
    send_state(a, found, response);
    vg_response_header(response, "Set-Cookie",
                       vg_arena_format(request->arena, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
                                       cookie_name, found->cookie_sha256));
}

static void answer_leave(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    vg_text_add(&response->body, "{}\n");
    vg_response_json(response);
    vg_response_header(
        response, "Set-Cookie",
        vg_arena_format(request->arena, "%s=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0", cookie_name));
}

/* ---- sound --------------------------------------------------------------------------------------------- */

/* "12", without leading zeros, as an index from 0. */
static bool read_number(const char *text, size_t count, size_t *index)
{
    int64_t number;

    if (text[0] < '1' || text[0] > '9' || strspn(text, "0123456789") != strlen(text) ||
        !vg_integer_parse(text, &number) || (uint64_t)number > count)
        return false;
    *index = (size_t)number - 1;
    return true;
}

static int load_sound(struct vg_annotate *a, size_t item, const struct vg_request *request,
                      struct vg_text *body, struct vg_error *err)
{
    const struct vg_record *record = &a->options.study->items[item].record;
    char hex[VG_DIGEST_HEX], *bytes;
    size_t count;
    int rc = vg_media_read(a->media, a->shards[item], record->key, request->arena, &bytes, &count, err);

    if (rc != VG_OK)
        return rc;
    vg_digest_of(VG_XXH128, bytes, count, hex);
    if (strcmp(hex, record->flac_xxh128) != 0 ||
        !vg_flac_blind(bytes, count, a->part_bytes[a->part_of[item]], body))
        return vg_fail(err, VG_NO, record->shard, "%s.flac is not what the manifest says", record->key);
    return VG_OK;
}

static void answer_sound(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_annotate *a = site;
    const struct vg_annotator *annotator = need_session(a, request, response);
    struct vg_error err = {0};
    size_t index;

    if (annotator == NULL)
        return;
    if (!read_number(request->tail, annotator->item_count, &index))
        vg_response_refuse(response, 404, "no such item");
    else if (index != next_of(annotator))
        vg_response_refuse(response, 403, "this item is not the next one");
    else if (load_sound(a, annotator->items[index], request, &response->body, &err) != VG_OK)
        vg_response_fail(response, request, &err);
    else {
        response->type = "audio/flac";
        vg_response_ranged(response, request, NULL);
    }
}

/* ---- an answer
 * --------------------------------------------------------------------------------------------- */

static bool read_count(const char *text, uint64_t max, uint64_t *value)
{
    int64_t number = 0;

    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text) || strlen(text) > 12 ||
        !vg_integer_parse(text, &number) || (uint64_t)number > max)
        return false;
    *value = (uint64_t)number;
    return true;
}

/* The fields of an answer; NULL, or what is wrong with them. */
static const char *read_answer(const struct vg_annotate *a, const struct vg_request *request,
                               struct vg_judgement *judgement)
{
    const struct vg_study *study = a->options.study;
    struct vg_field fields[3];
    size_t count = 0;

    if (!vg_request_form(request, fields, 3, &count))
        return "expected answer, replays and response_ms";
    for (size_t i = 0; i < VG_DIRECTIONS; i++)
        if (strcmp(field_of(fields, count, "answer"), study->labels[i]) == 0)
            judgement->answer = study->labels[i];
    if (judgement->answer == NULL)
        return "the answer is none of the two";
    if (!read_count(field_of(fields, count, "replays"), VG_REPLAYS_MAX, &judgement->replays))
        return "replays is no number, or too large";
    if (!read_count(field_of(fields, count, "response_ms"), VG_RESPONSE_MS_MAX, &judgement->response_ms))
        return "response_ms is no number, or too large";
    return NULL;
}

/* Sent twice, because nobody heard the reply: saved.  Another answer than the first: refused. */
static void answer_again(const struct vg_annotate *a, const struct vg_annotator *annotator,
                         const struct vg_judgement *judgement, struct vg_response *response)
{
    const struct vg_judgement *first = vg_answer_log_find(&a->log, annotator->name, judgement->key);

    if (first != NULL && strcmp(first->answer, judgement->answer) == 0)
        send_state(a, annotator, response);
    else
        vg_response_refuse(response, 409, "this item has its answer already, and the first one counts");
}

static void save(struct vg_annotate *a, struct vg_annotator *annotator, size_t index,
                 struct vg_judgement *judgement, const struct vg_request *request,
                 struct vg_response *response)
{
    struct vg_error err = {0};
    char utc[VG_UTC_BYTES];

    a->options.utc(utc);
    judgement->utc = utc;
    if (vg_answer_log_add(&a->log, judgement, &err) != VG_OK) {
        const char *reason =
            vg_arena_format(request->arena, "not saved: %s: %s", err.issues[0].place, err.issues[0].sentence);

        vg_response_refuse(response, 507, "the answer could not be saved; tell whoever runs the study");
        response->reason = reason;
        vg_error_release(&err);
        return;
    }
    annotator->answered[index] = true;
    annotator->answered_count++;
    send_state(a, annotator, response);
}

static void answer_answer(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_annotate *a = site;
    struct vg_annotator *annotator = need_session(a, request, response);
    struct vg_judgement judgement = {0};
    const struct vg_heard_item *item;
    const char *wrong;
    size_t index;

    if (annotator == NULL)
        return;
    if (!read_number(request->tail, annotator->item_count, &index)) {
        vg_response_refuse(response, 404, "no such item");
        return;
    }
    item = &a->options.study->items[annotator->items[index]];
    judgement = (struct vg_judgement){.annotator = annotator->name,
                                      .category = item->record.category,
                                      .key = item->record.key,
                                      .release_id = a->options.study->release_id,
                                      .position = item->position};
    wrong = read_answer(a, request, &judgement);
    if (wrong != NULL)
        vg_response_refuse(response, 400, wrong);
    else if (annotator->answered[index])
        answer_again(a, annotator, &judgement, response);
    else if (index != next_of(annotator))
        vg_response_refuse(response, 409, "this item is not the next one");
    else
        save(a, annotator, index, &judgement, request, response);
}

/* ---- pages --------------------------------------------------------------------------------------------- */

static void answer_page(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "annotate.html");
}

static void answer_style(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "annotate.css");
}

static void answer_script(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "annotate.js");
}

static void answer_icon(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "icon.svg");
}

/* None is behind the gate's own token: everybody here has one. */
const struct vg_route vg_annotate_routes[] = {
    {VG_METHOD_GET, "/", true, answer_page},
    {VG_METHOD_GET, "/annotate.css", true, answer_style},
    {VG_METHOD_GET, "/annotate.js", true, answer_script},
    {VG_METHOD_GET, "/icon.svg", true, answer_icon},
    {VG_METHOD_GET, "/state", true, answer_state},
    {VG_METHOD_GET, "/sound/*", true, answer_sound},
    {VG_METHOD_POST, "/enter", true, answer_enter},
    {VG_METHOD_POST, "/leave", true, answer_leave},
    {VG_METHOD_POST, "/answer/*", true, answer_answer},
};
const size_t vg_annotate_route_count = sizeof vg_annotate_routes / sizeof *vg_annotate_routes;
