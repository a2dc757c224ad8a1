/* SPDX-License-Identifier: MIT */
/* The record of one item: made from the plan, completed with its sound, written as a line of the manifest and
 * as the annotation that lies beside the FLAC file in the shard.  Fields stand in the order of their names,
 * as canonical JSON wants them. */
#include "pack.h"

#include <math.h>
#include <string.h>

/* ---- from the plan -------------------------------------------------------------------------------- */

static size_t count_rules(const struct vg_key_rule *rules)
{
    size_t count = 0;

    while (rules != NULL && rules[count].name != NULL)
        count++;
    return count;
}

static void take_parameter(struct vg_record *record, struct vg_parameter parameter)
{
    size_t at = record->parameter_count++;

    while (at > 0 && strcmp(record->parameters[at - 1].name, parameter.name) > 0) {
        record->parameters[at] = record->parameters[at - 1];
        at--;
    }
    record->parameters[at] = parameter;
}

static void take_parameters(struct vg_record *record, const struct vg_key_rule *rules,
                            const struct vg_value *values)
{
    for (size_t i = 0; i < count_rules(rules); i++)
        take_parameter(record, (struct vg_parameter){.name = rules[i].name,
                                                     .value = values[i],
                                                     .list = rules[i].type == VG_KEY_NUMBERS});
}

static void take_all_parameters(struct vg_record *record, const struct vg_item *item, struct vg_arena *arena)
{
    const struct vg_category *words = item->category->words;
    const struct vg_spec *spec = item->spec;
    size_t room = count_rules(words->tier) + count_rules(words->fixed) + count_rules(spec->engine->keys) + 1;

    record->parameters = vg_arena_take(arena, room, sizeof *record->parameters);
    take_parameters(record, words->tier, item->values);
    take_parameters(record, words->fixed, item->fixed);
    take_parameters(record, spec->engine->keys, spec->trajectory);
    if (item->curve == VG_JUMP)
        take_parameter(record, (struct vg_parameter){.name = "jump_at", .value = {&spec->jump_at, 1}});
}

static const char *keep(void (*add)(const struct vg_item *, struct vg_text *), const struct vg_item *item,
                        struct vg_arena *arena)
{
    struct vg_text text = {0};
    const char *kept;

    add(item, &text);
    kept = vg_arena_text(arena, vg_text_or_empty(&text));
    vg_text_release(&text);
    return kept;
}

void vg_record_of_item(struct vg_record *record, const struct vg_item *item,
                       const struct vg_source_facts *facts, struct vg_arena *arena)
{
    const struct vg_source *source = item->source;

    *record = (struct vg_record){
        .group =
            item->index / (item->spec->tier_count * item->spec->curve_count * item->spec->direction_count),
        .place =
            item->index % (item->spec->tier_count * item->spec->curve_count * item->spec->direction_count),
        .id = keep(vg_item_id, item, arena),
        .key = keep(vg_item_key, item, arena),
        .seed = keep(vg_item_seed_text, item, arena),
        .split = item->split->name,
        .category = item->category->words->name,
        .attribute = item->category->attribute,
        .prompt = item->category->prompt,
        .label = item->label,
        .direction = vg_direction_names[item->direction],
        .curve = vg_curve_names[item->curve],
        .tier = item->spec->tiers[item->tier],
        .source = source->id,
        .source_clip_id = source->clip_id,
        .speaker_id = source->speaker_id,
        .sentence_id = source->sentence_id,
        .source_text = source->text,
    };
    memcpy(record->source_audio_xxh128, facts->audio_xxh128, sizeof record->source_audio_xxh128);
    take_all_parameters(record, item, arena);
}

/* ---- from the sound -------------------------------------------------------------------------------- */

enum { SILENCE_PEAK = 32 }; /* -60 dBFS: 32768 / 1000, rounded down */

static bool is_silent(int16_t sample)
{
    return sample >= -SILENCE_PEAK && sample <= SILENCE_PEAK;
}

/* Squares are summed as integers: exact up to 2^33 samples of full scale. */
void vg_record_hear(struct vg_record *record, const int16_t *samples, size_t frames)
{
    uint64_t squares = 0;
    size_t head = 0, tail = 0;

    for (size_t i = 0; i < frames; i++)
        squares += (uint64_t)((int32_t)samples[i] * samples[i]);
    while (head < frames && is_silent(samples[head]))
        head++;
    while (tail < frames - head && is_silent(samples[frames - 1 - tail]))
        tail++;
    record->rms = frames > 0 ? sqrt((double)squares / (double)frames) : 0;
    record->silence_head = head;
    record->silence_tail = tail;
}

int vg_record_encode(struct vg_record *record, const int16_t *samples, size_t frames, uint32_t rate_hz,
                     bool compact, struct vg_text *flac, struct vg_error *err)
{
    int rc = vg_flac_encode(samples, frames, rate_hz, compact, flac, record->id, err);

    if (rc != VG_OK)
        return rc;
    record->frames = frames;
    record->rate_hz = rate_hz;
    record->flac_bytes = flac->length;
    vg_record_hear(record, samples, frames);
    vg_digest_of_samples(VG_XXH128, samples, frames, record->audio_xxh128);
    vg_digest_of(VG_XXH128, flac->data, flac->length, record->flac_xxh128);
    return VG_OK;
}

/* The least key among an item and its opposites: what moves alike, at the same tier, stays together. */
static const char *pair_key(struct vg_record *const *records, size_t count, size_t i)
{
    const char *least = records[i]->key;

    for (size_t k = 0; k < count; k++)
        if (strcmp(records[k]->tier, records[i]->tier) == 0 &&
            strcmp(records[k]->curve, records[i]->curve) == 0 && strcmp(records[k]->key, least) < 0)
            least = records[k]->key;
    return least;
}

void vg_records_shuffle(struct vg_record *const *records, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++) {
        const char *pair = pair_key(records, count, i);
        size_t at = i;

        for (; at > 0; at--) {
            size_t before = order[at - 1];
            int after = strcmp(pair_key(records, count, before), pair);

            if (after < 0 || (after == 0 && strcmp(records[before]->key, records[i]->key) < 0))
                break;
            order[at] = before;
        }
        order[at] = i;
    }
}

uint64_t vg_hash_text(const char *text, size_t length)
{
    char hex[VG_DIGEST_HEX];
    uint64_t hash = 0;

    vg_digest_of(VG_XXH128, text, length, hex);
    for (size_t i = 0; i < 16; i++)
        hash = hash << 4 | (uint64_t)(hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10);
    return hash;
}

enum vg_quantity vg_quantity_of(const char *category)
{
    int quantity = 0;

    while (quantity < VG_QUANTITIES && strcmp(vg_measures[quantity].name, category) != 0)
        quantity++;
    return (enum vg_quantity)quantity;
}

/* ---- to JSON ---------------------------------------------------------------------------------------- */

static double seconds(const struct vg_record *record, size_t frames)
{
    return record->rate_hz > 0 ? (double)frames / record->rate_hz : 0;
}

static void write_parameters(struct vg_json *json, const char *key, const struct vg_record *record)
{
    vg_json_open(json, key, '{');
    for (size_t i = 0; i < record->parameter_count; i++) {
        const struct vg_parameter *parameter = &record->parameters[i];

        if (!parameter->list) {
            vg_json_double(json, parameter->name, parameter->value.at[0]);
            continue;
        }
        vg_json_open(json, parameter->name, '[');
        for (size_t k = 0; k < parameter->value.count; k++)
            vg_json_double(json, NULL, parameter->value.at[k]);
        vg_json_close(json, ']');
    }
    vg_json_close(json, '}');
}

void vg_record_parameters(const struct vg_record *record, struct vg_text *out)
{
    struct vg_json json;

    vg_json_init(&json, out);
    write_parameters(&json, NULL, record);
}

/* One measure's finding; the trajectory only for the quantity that the item is about. */
static void write_finding(struct vg_json *json, const char *name, const struct vg_evidence *evidence,
                          bool paired, bool own)
{
    vg_json_open(json, name, '{');
    vg_json_double(json, "net", evidence->net);
    if (paired)
        vg_json_double(json, "net_jnd", evidence->net_jnd);
    vg_json_double(json, "rank", evidence->rank);
    vg_json_integer(json, "segments", (int64_t)evidence->segments);
    vg_json_integer(json, "sign", evidence->sign);
    if (own) {
        vg_json_open(json, "trajectory", '[');
        for (size_t i = 0; i < evidence->segments; i++)
            vg_json_double(json, NULL, evidence->trajectory[i]);
        vg_json_close(json, ']');
    }
    vg_json_close(json, '}');
}

static void write_findings(struct vg_json *json, const char *name, const struct vg_record *record,
                           const struct vg_evidence *evidence, bool paired)
{
    enum vg_quantity own = vg_quantity_of(record->category);
    size_t order[VG_QUANTITIES] = {0};

    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        size_t at = q;

        for (; at > 0 && strcmp(vg_measures[order[at - 1]].name, vg_measures[q].name) > 0; at--)
            order[at] = order[at - 1];
        order[at] = q;
    }
    vg_json_open(json, name, '{');
    for (size_t i = 0; i < VG_QUANTITIES; i++)
        write_finding(json, vg_measures[order[i]].name, &evidence[order[i]], paired, order[i] == own);
    vg_json_close(json, '}');
}

static void write_evidence(struct vg_json *json, const struct vg_record *record)
{
    if (!record->measured) {
        vg_json_string(json, "evidence", NULL);
        return;
    }
    vg_json_open(json, "evidence", '{');
    write_findings(json, "blind", record, record->blind, false);
    write_findings(json, "paired", record, record->paired, true);
    vg_json_close(json, '}');
}

void vg_record_manifest(const struct vg_record *record, const char *shard, struct vg_text *out)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "attribute", record->attribute);
    vg_json_string(&json, "audio_xxh128", record->audio_xxh128);
    if (record->measured)
        vg_json_bool(&json, "below_jnd", record->below_jnd);
    else
        vg_json_string(&json, "below_jnd", NULL);
    vg_json_string(&json, "category", record->category);
    vg_json_double(&json, "clipped_ratio",
                   record->frames > 0 ? (double)record->clipped / (double)record->frames : 0);
    vg_json_integer(&json, "clipped_samples", (int64_t)record->clipped);
    vg_json_string(&json, "curve", record->curve);
    vg_json_string(&json, "direction", record->direction);
    vg_json_double(&json, "duration_sec", seconds(record, record->frames));
    write_evidence(&json, record);
    vg_json_integer(&json, "flac_bytes", (int64_t)record->flac_bytes);
    vg_json_string(&json, "flac_xxh128", record->flac_xxh128);
    vg_json_integer(&json, "frames", (int64_t)record->frames);
    vg_json_string(&json, "id", record->id);
    vg_json_string(&json, "key", record->key);
    vg_json_string(&json, "label", record->label);
    vg_json_integer(&json, "offset_frame", (int64_t)record->offset);
    vg_json_double(&json, "offset_sec", seconds(record, record->offset));
    vg_json_integer(&json, "onset_frame", (int64_t)record->onset);
    vg_json_double(&json, "onset_sec", seconds(record, record->onset));
    write_parameters(&json, "parameters", record);
    vg_json_integer(&json, "peak", record->peak);
    vg_json_string(&json, "prompt", record->prompt);
    vg_json_double(&json, "rms", record->rms);
    vg_json_integer(&json, "sample_rate_hz", record->rate_hz);
    vg_json_string(&json, "seed", record->seed);
    vg_json_string(&json, "sentence_id", record->sentence_id);
    vg_json_string(&json, "shard", shard);
    vg_json_integer(&json, "silence_head_frames", (int64_t)record->silence_head);
    vg_json_integer(&json, "silence_tail_frames", (int64_t)record->silence_tail);
    vg_json_string(&json, "source", record->source);
    vg_json_string(&json, "source_audio_xxh128", record->source_audio_xxh128);
    vg_json_string(&json, "source_clip_id", record->source_clip_id);
    vg_json_string(&json, "source_text", record->source_text);
    vg_json_string(&json, "speaker_id", record->speaker_id);
    vg_json_string(&json, "split", record->split);
    vg_json_string(&json, "tier", record->tier);
    vg_json_string(&json, "verdict", record->measured ? vg_verdict_names[record->verdict] : NULL);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

void vg_record_sample(const struct vg_record *record, struct vg_text *out)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "attribute", record->attribute);
    vg_json_string(&json, "audio_xxh128", record->audio_xxh128);
    vg_json_string(&json, "category", record->category);
    vg_json_string(&json, "curve", record->curve);
    vg_json_string(&json, "direction", record->direction);
    vg_json_double(&json, "duration_sec", seconds(record, record->frames));
    vg_json_integer(&json, "frames", (int64_t)record->frames);
    vg_json_string(&json, "id", record->id);
    vg_json_string(&json, "key", record->key);
    vg_json_string(&json, "label", record->label);
    vg_json_double(&json, "offset_sec", seconds(record, record->offset));
    vg_json_double(&json, "onset_sec", seconds(record, record->onset));
    vg_json_string(&json, "prompt", record->prompt);
    vg_json_integer(&json, "sample_rate_hz", record->rate_hz);
    vg_json_string(&json, "source", record->source);
    vg_json_string(&json, "source_text", record->source_text);
    vg_json_string(&json, "speaker_id", record->speaker_id);
    vg_json_string(&json, "split", record->split);
    vg_json_string(&json, "tier", record->tier);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}
