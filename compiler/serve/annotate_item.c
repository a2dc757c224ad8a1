/* SPDX-License-Identifier: MIT */
/* The human study's items.  One at a time, in the order of the study: an item's sound is served while it is
 * the next to be answered and at no other time, and an answer is told to be saved when it is on the disk.
 * Items have numbers of the annotator's own, 1 to as many as were assigned. */
#include "annotate.h"

#include <string.h>

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

void vg_annotate_send_state(const struct vg_annotate *a, const struct vg_annotator *annotator,
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

void vg_answer_state(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_annotate *a = site;
    const struct vg_annotator *annotator = vg_annotate_session(a, request, response);

    if (annotator != NULL)
        vg_annotate_send_state(a, annotator, response);
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

void vg_answer_sound(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_annotate *a = site;
    const struct vg_annotator *annotator = vg_annotate_session(a, request, response);
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

/* ---- an answer ---------------------------------------------------------------------------------------- */

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
        if (strcmp(vg_field_of(fields, count, "answer"), study->labels[i]) == 0)
            judgement->answer = study->labels[i];
    if (judgement->answer == NULL)
        return "the answer is none of the two";
    if (!read_count(vg_field_of(fields, count, "replays"), VG_REPLAYS_MAX, &judgement->replays))
        return "replays is no number, or too large";
    if (!read_count(vg_field_of(fields, count, "response_ms"), VG_RESPONSE_MS_MAX, &judgement->response_ms))
        return "response_ms is no number, or too large";
    return NULL;
}

/* Sent twice, because nobody heard the reply: saved.  Another answer than the first: refused. */
static void answer_again(const struct vg_annotate *a, const struct vg_annotator *annotator,
                         const struct vg_judgement *judgement, struct vg_response *response)
{
    const struct vg_judgement *first = vg_answer_log_find(&a->log, annotator->name, judgement->key);

    if (first != NULL && strcmp(first->answer, judgement->answer) == 0)
        vg_annotate_send_state(a, annotator, response);
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
    vg_annotate_send_state(a, annotator, response);
}

void vg_answer_judgement(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_annotate *a = site;
    struct vg_annotator *annotator = vg_annotate_session(a, request, response);
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
