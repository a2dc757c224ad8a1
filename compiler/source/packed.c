/* SPDX-License-Identifier: MIT */
/* One source of a pack, read back.  What was read is written again and must give the same bytes, so that
 * nothing unknown, missing or altered in form gets through. */
#include "packed.h"

#include <jansson.h>
#include <string.h>

static const char *text_at(const json_t *object, const char *key, struct vg_arena *arena)
{
    const json_t *value = json_object_get(object, key);

    return json_is_string(value) ? vg_arena_text(arena, json_string_value(value)) : "";
}

static uint64_t count_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_integer(value) && json_integer_value(value) > 0 ? (uint64_t)json_integer_value(value) : 0;
}

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : 0;
}

static void digest_at(const json_t *object, const char *key, char hex[VG_DIGEST_HEX])
{
    const char *text = json_string_value(json_object_get(object, key));

    if (text != NULL && strlen(text) < VG_DIGEST_HEX)
        memcpy(hex, text, strlen(text) + 1);
}

static void read_source(struct vg_source *source, const json_t *object, struct vg_arena *arena)
{
    source->id = text_at(object, "id", arena);
    source->clip_id = text_at(object, "clip_id", arena);
    source->speaker_id = text_at(object, "speaker_id", arena);
    source->sentence_id = text_at(object, "sentence_id", arena);
    source->text = text_at(object, "text", arena);
    source->gender = text_at(object, "gender", arena);
    source->locale = text_at(object, "locale", arena);
    source->licence = text_at(object, "licence", arena);
    source->corpus = text_at(object, "corpus", arena);
}

static void read_facts(struct vg_source_facts *facts, const json_t *object, struct vg_arena *arena)
{
    digest_at(object, "file_xxh128", facts->file_xxh128);
    digest_at(object, "audio_xxh128", facts->audio_xxh128);
    facts->rate_hz = (uint32_t)count_at(object, "sample_rate");
    facts->channels = (unsigned)count_at(object, "channels");
    facts->frames = (size_t)count_at(object, "frames");
    facts->onset_sec = number_at(object, "onset_sec");
    facts->offset_sec = number_at(object, "offset_sec");
    facts->detected = json_is_true(json_object_get(object, "detected"));
    facts->span_found = json_is_true(json_object_get(object, "span_found"));
    facts->clipped = (size_t)count_at(object, "clipped");
    facts->decoder = text_at(object, "decoder", arena);
    facts->note = text_at(object, "note", arena);
}

static bool writes_the_same(const struct vg_packed *packed, const char *line, size_t length)
{
    struct vg_text again = {0};
    bool same;

    vg_packed_write(packed, &again);
    same = again.length == length && memcmp(again.data, line, length) == 0;
    vg_text_release(&again);
    return same;
}

int vg_packed_parse(struct vg_packed *packed, const char *line, size_t length, struct vg_arena *arena,
                    const char *place, struct vg_error *err)
{
    json_error_t fault;
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &fault);

    *packed = (struct vg_packed){.skipped = NULL};
    read_source(&packed->source, object, arena);
    read_facts(&packed->facts, object, arena);
    packed->split = text_at(object, "split", arena);
    packed->entry = (size_t)count_at(object, "entry");
    digest_at(object, "entry_xxh128", packed->entry_xxh128);
    if (json_is_string(json_object_get(object, "skipped")))
        packed->skipped = text_at(object, "skipped", arena);
    json_decref(object);
    if (!writes_the_same(packed, line, length))
        return vg_fail(err, VG_SOURCE, place,
                       "is no description of a packed source, or another version's; pack the sources again");
    return VG_OK;
}
