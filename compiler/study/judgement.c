/* SPDX-License-Identifier: MIT */
/* Judgements: one line of canonical JSON for each answer of a person.  A line is whole when it ends in LF;
 * what stands behind the last one, or a last line that is no JSON, was being written when the machine
 * stopped, and nobody was told that it was saved. */
#include "study.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { JUDGEMENTS_BYTES_MAX = 1 << 28 };

void vg_judgement_write(const struct vg_judgement *judgement, struct vg_text *out)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "annotator", judgement->annotator);
    vg_json_string(&json, "answer", judgement->answer);
    vg_json_string(&json, "category", judgement->category);
    vg_json_string(&json, "key", judgement->key);
    vg_json_integer(&json, "position", (int64_t)judgement->position);
    vg_json_string(&json, "release_id", judgement->release_id);
    vg_json_integer(&json, "replays", (int64_t)judgement->replays);
    vg_json_integer(&json, "response_ms", (int64_t)judgement->response_ms);
    vg_json_string(&json, "utc", judgement->utc);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key, struct vg_arena *arena)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value != NULL ? vg_arena_text(arena, value) : NULL;
}

static bool count_of(const json_t *object, const char *key, uint64_t max, uint64_t *value)
{
    const json_t *number = json_object_get(object, key);
    json_int_t found = json_integer_value(number);

    *value = (uint64_t)found;
    return json_is_integer(number) && found >= 0 && (uint64_t)found <= max;
}

static bool read_object(struct vg_judgement *judgement, const json_t *object, struct vg_arena *arena)
{
    uint64_t position = 0;
    bool sound;

    *judgement = (struct vg_judgement){.annotator = text_of(object, "annotator", arena),
                                       .answer = text_of(object, "answer", arena),
                                       .category = text_of(object, "category", arena),
                                       .key = text_of(object, "key", arena),
                                       .release_id = text_of(object, "release_id", arena),
                                       .utc = text_of(object, "utc", arena)};
    sound = count_of(object, "position", SIZE_MAX / 2, &position) &&
            count_of(object, "replays", VG_REPLAYS_MAX, &judgement->replays) &&
            count_of(object, "response_ms", VG_RESPONSE_MS_MAX, &judgement->response_ms);
    judgement->position = (size_t)position;
    return sound && judgement->annotator != NULL && judgement->answer != NULL &&
           judgement->category != NULL && judgement->key != NULL && judgement->release_id != NULL &&
           judgement->utc != NULL;
}

static void keep(struct vg_judgements *judgements, const struct vg_judgement *judgement)
{
    if (judgements->count == judgements->room) {
        judgements->room = 2 * judgements->room + 256;
        judgements->at = vg_memory_grow(judgements->at, judgements->room, sizeof *judgements->at);
    }
    judgements->at[judgements->count++] = *judgement;
}

static int read_line(struct vg_judgements *judgements, const char *path, const char *line, size_t length,
                     size_t number, bool last, struct vg_error *err)
{
    struct vg_judgement judgement = {0};
    json_error_t why;
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
    const char *place = vg_arena_format(&judgements->arena, "%s:%zu", path, number);
    int rc = VG_OK;

    if (object == NULL && last) {
        judgements->torn_bytes += length + 1;
    } else if (!json_is_object(object)) {
        rc = vg_fail(err, VG_SOURCE, place, "is no JSON object: %.80s",
                     object == NULL ? why.text : "something else");
    } else if (!read_object(&judgement, object, &judgements->arena)) {
        rc =
            vg_fail(err, VG_SOURCE, place,
                    "is no answer; expected annotator, answer, category, key, position, release_id, replays, "
                    "response_ms and utc");
    } else {
        judgement.place = place;
        keep(judgements, &judgement);
        judgements->whole_bytes += length + 1;
    }
    json_decref(object);
    return rc;
}

static int compare(const void *a, const void *b)
{
    const struct vg_judgement *x = *(const struct vg_judgement *const *)a,
                              *y = *(const struct vg_judgement *const *)b;
    int order = strcmp(x->annotator, y->annotator);

    return order != 0 ? order : strcmp(x->key, y->key);
}

int vg_judgements_check_single(const struct vg_judgements *judgements, struct vg_error *err)
{
    const struct vg_judgement **sorted = vg_memory_take(judgements->count + 1, sizeof *sorted);
    int rc = VG_OK;

    for (size_t i = 0; i < judgements->count; i++)
        sorted[i] = &judgements->at[i];
    /* Equals are what is looked for. */
    qsort(sorted, judgements->count, sizeof *sorted, compare);
    for (size_t i = 1; i < judgements->count; i++)
        if (compare(&sorted[i - 1], &sorted[i]) == 0)
            rc = vg_fail(err, VG_SOURCE, sorted[i]->place, "%s answers %s again; %s did so already",
                         sorted[i]->annotator, sorted[i]->key, sorted[i - 1]->place);
    free(sorted);
    return rc;
}

int vg_judgements_read(struct vg_judgements *judgements, const char *path, struct vg_error *err)
{
    char *text;
    size_t count, number = 0;
    int rc = vg_file_get(path, JUDGEMENTS_BYTES_MAX, &judgements->arena, &text, &count, err);

    judgements->whole_bytes = judgements->torn_bytes = 0;
    for (size_t at = 0; rc == VG_OK && at < count;) {
        const char *end = memchr(text + at, '\n', count - at);
        size_t length = end != NULL ? (size_t)(end - text) - at : count - at;

        if (end == NULL)
            judgements->torn_bytes += length;
        else
            rc = read_line(judgements, path, text + at, length, ++number, at + length + 1 == count, err);
        at += length + 1;
    }
    return rc;
}

void vg_judgements_release(struct vg_judgements *judgements)
{
    free(judgements->at);
    vg_arena_release(&judgements->arena);
    *judgements = (struct vg_judgements){0};
}
