/* SPDX-License-Identifier: MIT */
/* A line of the manifest back to its record.  Only what cannot be derived is read; then the record is written
 * again and must give the same line, so that nothing unknown, missing or altered in form gets through. */
#include "pack.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* The first fault of a line ends its reading: later fields read as empty. */
struct reading {
    json_t *object;
    struct vg_arena *arena;
    const char *fault_key; /* NULL while all is well */
};

static json_t *field(struct reading *reading, const char *key, bool (*fits)(const json_t *))
{
    json_t *value = json_object_get(reading->object, key);

    if (value != NULL && fits(value))
        return value;
    if (reading->fault_key == NULL)
        reading->fault_key = key;
    return NULL;
}

static bool is_text(const json_t *value)
{
    return json_is_string(value);
}
static bool is_count(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0;
}
static bool is_integer(const json_t *value)
{
    return json_is_integer(value);
}
static bool is_number(const json_t *value)
{
    return json_is_number(value) || json_is_null(value);
}
static bool is_object(const json_t *value)
{
    return json_is_object(value);
}
static bool is_list(const json_t *value)
{
    return json_is_array(value);
}

static const char *text(struct reading *reading, const char *key)
{
    const json_t *value = field(reading, key, is_text);

    return value != NULL ? vg_arena_text(reading->arena, json_string_value(value)) : "";
}

static size_t count_of(struct reading *reading, const char *key)
{
    const json_t *value = field(reading, key, is_count);

    return value != NULL ? (size_t)json_integer_value(value) : 0;
}

/* null is what a number that is not finite was written as. */
static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static double number(struct reading *reading, const char *key)
{
    const json_t *value = field(reading, key, is_number);

    return value != NULL ? number_of(value) : 0;
}

static void digest(struct reading *reading, const char *key, char hex[VG_DIGEST_HEX])
{
    const char *value = text(reading, key);

    hex[0] = '\0';
    if (strlen(value) < VG_DIGEST_HEX)
        memcpy(hex, value, strlen(value) + 1);
}

static struct vg_value value_of(const json_t *json, struct vg_arena *arena)
{
    size_t count = json_is_array(json) ? json_array_size(json) : 1;
    double *at = vg_arena_take(arena, count, sizeof *at);

    for (size_t i = 0; i < count; i++)
        at[i] = number_of(json_is_array(json) ? json_array_get(json, i) : json);
    return (struct vg_value){at, count};
}

static void read_parameters(struct reading *reading, struct vg_record *record)
{
    json_t *object = field(reading, "parameters", is_object);

    if (object == NULL)
        return;
    record->parameters = vg_arena_take(reading->arena, json_object_size(object), sizeof *record->parameters);
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const char *key = json_object_iter_key(at);
        const json_t *value = json_object_iter_value(at);
        size_t place = record->parameter_count++;

        while (place > 0 && strcmp(record->parameters[place - 1].name, key) > 0) {
            record->parameters[place] = record->parameters[place - 1];
            place--;
        }
        record->parameters[place] = (struct vg_parameter){.name = vg_arena_text(reading->arena, key),
                                                          .value = value_of(value, reading->arena),
                                                          .list = json_is_array(value)};
    }
}

static void read_finding(struct reading *reading, struct vg_evidence *evidence, bool paired, bool own)
{
    const json_t *sign = field(reading, "sign", is_integer);
    const json_t *trajectory = own ? field(reading, "trajectory", is_list) : NULL;

    evidence->net = number(reading, "net");
    evidence->net_jnd = paired ? number(reading, "net_jnd") : 0;
    evidence->rank = number(reading, "rank");
    evidence->segments = count_of(reading, "segments");
    evidence->sign = sign != NULL ? (int)json_integer_value(sign) : 0;
    if (evidence->segments > VG_SEGMENTS) {
        evidence->segments = 0;
        reading->fault_key = "segments";
    }
    for (size_t i = 0; trajectory != NULL && i < evidence->segments; i++)
        evidence->trajectory[i] = number_of(json_array_get(trajectory, i));
}

static void read_findings(struct reading *reading, const char *name, const char *category,
                          struct vg_evidence *evidence, bool paired)
{
    json_t *all = field(reading, name, is_object);
    enum vg_quantity own = vg_quantity_of(category);

    for (int q = 0; all != NULL && q < VG_QUANTITIES; q++) {
        struct reading one = {.object = all, .arena = reading->arena};

        one.object = field(&one, vg_measures[q].name, is_object);
        if (one.fault_key == NULL)
            read_finding(&one, &evidence[q], paired, q == (int)own);
        if (one.fault_key != NULL && reading->fault_key == NULL)
            reading->fault_key = one.fault_key;
    }
}

static void read_evidence(struct reading *reading, struct vg_record *record)
{
    json_t *evidence = json_object_get(reading->object, "evidence");
    struct reading inner = {.object = evidence, .arena = reading->arena};
    const char *verdict;
    int found = 0;

    record->measured = evidence != NULL && !json_is_null(evidence);
    if (!record->measured)
        return;
    read_findings(&inner, "blind", record->category, record->blind, false);
    read_findings(&inner, "paired", record->category, record->paired, true);
    if (inner.fault_key != NULL && reading->fault_key == NULL)
        reading->fault_key = inner.fault_key;
    verdict = text(reading, "verdict");
    while (found < 3 && strcmp(verdict, vg_verdict_names[found]) != 0)
        found++;
    record->verdict = (enum vg_verdict)found;
    record->below_jnd = json_is_true(json_object_get(reading->object, "below_jnd"));
}

static void read_all(struct reading *reading, struct vg_record *record)
{
    record->attribute = text(reading, "attribute");
    digest(reading, "audio_xxh128", record->audio_xxh128);
    record->category = text(reading, "category");
    record->clipped = count_of(reading, "clipped_samples");
    record->curve = text(reading, "curve");
    record->direction = text(reading, "direction");
    record->flac_bytes = count_of(reading, "flac_bytes");
    digest(reading, "flac_xxh128", record->flac_xxh128);
    record->frames = count_of(reading, "frames");
    record->id = text(reading, "id");
    record->key = text(reading, "key");
    record->label = text(reading, "label");
    record->offset = count_of(reading, "offset_frame");
    record->onset = count_of(reading, "onset_frame");
    read_parameters(reading, record);
    record->peak = (unsigned)count_of(reading, "peak");
    record->prompt = text(reading, "prompt");
    record->rate_hz = (uint32_t)count_of(reading, "sample_rate_hz");
    record->rms = number(reading, "rms");
    record->seed = text(reading, "seed");
    record->sentence_id = text(reading, "sentence_id");
    record->shard = text(reading, "shard");
    record->silence_head = count_of(reading, "silence_head_frames");
    record->silence_tail = count_of(reading, "silence_tail_frames");
    record->source = text(reading, "source");
    digest(reading, "source_audio_xxh128", record->source_audio_xxh128);
    record->source_clip_id = text(reading, "source_clip_id");
    record->source_text = text(reading, "source_text");
    record->speaker_id = text(reading, "speaker_id");
    record->split = text(reading, "split");
    record->tier = text(reading, "tier");
    read_evidence(reading, record);
}

static int check_same(const struct vg_record *record, const char *line, size_t length, const char *place,
                      struct vg_error *err)
{
    struct vg_text again = {0};
    size_t at = 0;
    int rc = VG_OK;

    vg_record_manifest(record, record->shard, &again);
    again.length--; /* its LF */
    while (at < length && at < again.length && line[at] == again.data[at])
        at++;
    if (length != again.length || at < length)
        rc = vg_fail(err, VG_NO, place,
                     "is not the line that vocalgrad writes for this item (from byte %zu on)", at + 1);
    vg_text_release(&again);
    return rc;
}

int vg_record_parse(struct vg_record *record, const char *line, size_t length, struct vg_arena *arena,
                    const char *place, struct vg_error *err)
{
    json_error_t fault;
    json_t *root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &fault);
    struct reading reading = {.object = root, .arena = arena};

    *record = (struct vg_record){0};
    if (root == NULL)
        return vg_fail(err, VG_NO, place, "is not JSON: %s (byte %d)", fault.text, fault.position);
    read_all(&reading, record);
    json_decref(root);
    if (reading.fault_key != NULL)
        return vg_fail(err, VG_NO, place, "has no usable field \"%s\"", reading.fault_key);
    return check_same(record, line, length, place, err);
}
