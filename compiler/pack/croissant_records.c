/* SPDX-License-Identifier: MIT */
/* The record sets of croissant.json: splits, sources, items and their sound.  Every field names a column that
 * record.c or tables.c writes. */
#include "inside.h"

#include <string.h>

void vg_croissant_reference(struct vg_json *json, const char *key, const char *id)
{
    vg_json_open(json, key, '{');
    vg_json_string(json, "@id", id);
    vg_json_close(json, '}');
}

struct column {
    const char *name, *type, *meaning;
    const char *references; /* a field of another record set, or NULL */
};

static const struct column item_columns[] = {
    {"attribute", "sc:Text", "The attribute as the question names it.", NULL},
    {"audio_xxh128", "sc:Text", "XXH3-128 of the samples as little-endian 16-bit words.", NULL},
    {"below_jnd", "sc:Boolean", "The measured change is below one just-noticeable difference.", NULL},
    {"category", "sc:Text", "The acoustic category.", NULL},
    {"clipped_ratio", "sc:Float", "Share of samples outside 16 bits before the clip.", NULL},
    {"clipped_samples", "sc:Integer", "Samples outside 16 bits before the clip.", NULL},
    {"curve", "sc:Text", "How the attribute moves over the speech.", NULL},
    {"direction", "sc:Text", "up or down.", NULL},
    {"duration_sec", "sc:Float", "Length of the finished sound in seconds.", NULL},
    {"flac_bytes", "sc:Integer", "Size of the FLAC file.", NULL},
    {"flac_xxh128", "sc:Text", "XXH3-128 of the FLAC file.", NULL},
    {"frames", "sc:Integer", "Length of the finished sound in samples.", NULL},
    {"id", "sc:Text", "Item id, unique within its category.", NULL},
    {"key", "sc:Text", "Name of the item in its shard, unique.", NULL},
    {"label", "cr:Label", "The answer.", NULL},
    {"offset_frame", "sc:Integer", "First sample behind the speech in the finished sound.", NULL},
    {"offset_sec", "sc:Float", "End of the speech in the finished sound, seconds.", NULL},
    {"onset_frame", "sc:Integer", "First sample of the speech in the finished sound.", NULL},
    {"onset_sec", "sc:Float", "Start of the speech in the finished sound, seconds.", NULL},
    {"peak", "sc:Integer", "Largest magnitude of a sample, 0 to 32768.", NULL},
    {"prompt", "sc:Text", "The question put to the model.", NULL},
    {"rms", "sc:Float", "Root of the mean square of the samples, 0 to 32768.", NULL},
    {"sample_rate_hz", "sc:Integer", "Samples per second.", NULL},
    {"seed", "sc:Text", "Text that seeds every random draw of the item.", NULL},
    {"sentence_id", "sc:Text", "Sentence id of the source.", NULL},
    {"shard", "sc:Text", "The shard that holds the item.", NULL},
    {"silence_head_frames", "sc:Integer", "Samples before the first one above -60 dBFS.", NULL},
    {"silence_tail_frames", "sc:Integer", "Samples behind the last one above -60 dBFS.", NULL},
    {"source", "sc:Text", "Id of the source recording.", "sources/id"},
    {"source_audio_xxh128", "sc:Text", "XXH3-128 of the source's samples.", NULL},
    {"source_clip_id", "sc:Text", "Clip id of the source.", NULL},
    {"source_text", "sc:Text", "What is said.", NULL},
    {"speaker_id", "sc:Text", "Speaker id of the source.", NULL},
    {"split", "sc:Text", "The split.", "splits/name"},
    {"tier", "sc:Text", "Grade of difficulty.", NULL},
    {"verdict", "sc:Text", "What measuring the finished sound says of the label.", NULL},
};

static const struct column source_columns[] = {
    {"id", "sc:Text", "Id of the source, unique.", NULL},
    {"clip_id", "sc:Text", "Id of the clip in its corpus.", NULL},
    {"split", "sc:Text", "The split.", "splits/name"},
    {"speaker_id", "sc:Text", "Speaker id in its corpus.", NULL},
    {"sentence_id", "sc:Text", "Sentence id in its corpus.", NULL},
    {"text", "sc:Text", "What is said.", NULL},
    {"gender", "sc:Text", "Gender as the corpus states it.", NULL},
    {"locale", "sc:Text", "Language or locale as the corpus states it.", NULL},
    {"corpus", "sc:Text", "The corpus.", NULL},
    {"licence", "sc:Text", "Licence of the recording.", NULL},
    {"file_xxh128", "sc:Text", "XXH3-128 of the source file.", NULL},
    {"audio_xxh128", "sc:Text", "XXH3-128 of its samples.", NULL},
    {"sample_rate_hz", "sc:Integer", "Samples per second.", NULL},
    {"channels", "sc:Integer", "Channels in the source file.", NULL},
    {"frames", "sc:Integer", "Length in samples.", NULL},
    {"duration_sec", "sc:Float", "Length in seconds.", NULL},
    {"onset_sec", "sc:Float", "Start of the speech, seconds.", NULL},
    {"offset_sec", "sc:Float", "End of the speech, seconds.", NULL},
    {"span_by", "sc:Text", "Who said where the speech is.", NULL},
    {"clipped_samples", "sc:Integer", "Samples out of range when a float file was converted.", NULL},
    {"decoder", "sc:Text", "The decoder and its version.", NULL},
    {"note", "sc:Text", "Remarks on decoding.", NULL},
    {"skipped", "sc:Text", "Why the source was left out; empty where it was used.", NULL},
};

static void write_field(struct vg_json *json, const char *set, const char *file, const struct column *column,
                        struct vg_arena *arena)
{
    bool label = strcmp(column->type, "cr:Label") == 0;

    vg_json_open(json, NULL, '{');
    vg_json_string(json, "@id", vg_arena_format(arena, "%s/%s", set, column->name));
    vg_json_string(json, "@type", "cr:Field");
    if (label) {
        vg_json_open(json, "dataType", '[');
        vg_json_string(json, NULL, "sc:Text");
        vg_json_string(json, NULL, column->type);
        vg_json_close(json, ']');
    } else {
        vg_json_string(json, "dataType", column->type);
    }
    vg_json_string(json, "description", column->meaning);
    vg_json_string(json, "name", column->name);
    if (column->references != NULL)
        vg_croissant_reference(json, "references", column->references);
    vg_json_open(json, "source", '{');
    vg_json_open(json, "extract", '{');
    vg_json_string(json, "column", column->name);
    vg_json_close(json, '}');
    vg_croissant_reference(json, "fileObject", file);
    vg_json_close(json, '}');
    vg_json_close(json, '}');
}

static void write_table(struct vg_json *json, const char *set, const char *file, const char *key,
                        const char *meaning, const struct column *columns, size_t count,
                        struct vg_arena *arena)
{
    vg_json_open(json, NULL, '{');
    vg_json_string(json, "@id", set);
    vg_json_string(json, "@type", "cr:RecordSet");
    vg_json_string(json, "description", meaning);
    vg_json_open(json, "field", '[');
    for (size_t i = 0; i < count; i++)
        write_field(json, set, file, &columns[i], arena);
    vg_json_close(json, ']');
    vg_croissant_reference(json, "key", key);
    vg_json_string(json, "name", set);
    vg_json_close(json, '}');
}

/* The kinds of split that have a name in the vocabulary, by how ours begin. */
static const char *split_iri(const char *split)
{
    if (strncmp(split, "train", 5) == 0)
        return "cr:TrainingSplit";
    if (strncmp(split, "val", 3) == 0 || strncmp(split, "dev", 3) == 0)
        return "cr:ValidationSplit";
    return "cr:TestSplit";
}

static void write_plain_field(struct vg_json *json, const char *id, const char *type, const char *meaning)
{
    vg_json_open(json, NULL, '{');
    vg_json_string(json, "@id", id);
    vg_json_string(json, "@type", "cr:Field");
    vg_json_string(json, "dataType", type);
    vg_json_string(json, "description", meaning);
    vg_json_string(json, "name", strchr(id, '/') + 1);
    vg_json_close(json, '}');
}

static void write_splits(struct vg_json *json, const struct vg_spec *spec)
{
    vg_json_open(json, NULL, '{');
    vg_json_string(json, "@id", "splits");
    vg_json_string(json, "@type", "cr:RecordSet");
    vg_json_open(json, "data", '[');
    for (size_t i = 0; i < spec->split_count; i++) {
        vg_json_open(json, NULL, '{');
        vg_json_string(json, "splits/name", spec->splits[i].name);
        vg_json_string(json, "splits/url", split_iri(spec->splits[i].name));
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
    vg_json_string(json, "dataType", "cr:Split");
    vg_json_open(json, "field", '[');
    write_plain_field(json, "splits/name", "sc:Text", "The split's name.");
    write_plain_field(json, "splits/url", "sc:URL", "What kind of split it is.");
    vg_json_close(json, ']');
    vg_croissant_reference(json, "key", "splits/name");
    vg_json_string(json, "name", "splits");
    vg_json_close(json, '}');
}

/* A field taken from the FLAC files themselves. */
static void write_audio_field(struct vg_json *json, const char *id, const char *type, const char *meaning,
                              const char *property, bool is_key)
{
    vg_json_open(json, NULL, '{');
    vg_json_string(json, "@id", id);
    vg_json_string(json, "@type", "cr:Field");
    vg_json_string(json, "dataType", type);
    vg_json_string(json, "description", meaning);
    vg_json_string(json, "name", strchr(id, '/') + 1);
    if (is_key)
        vg_croissant_reference(json, "references", "items/key");
    vg_json_open(json, "source", '{');
    vg_json_open(json, "extract", '{');
    vg_json_string(json, "fileProperty", property);
    vg_json_close(json, '}');
    vg_croissant_reference(json, "fileSet", "flac-files");
    if (is_key) {
        vg_json_open(json, "transform", '{');
        vg_json_string(json, "regex", "([^/]*)\\.flac$");
        vg_json_close(json, '}');
    }
    vg_json_close(json, '}');
    vg_json_close(json, '}');
}

static void write_audio(struct vg_json *json)
{
    vg_json_open(json, NULL, '{');
    vg_json_string(json, "@id", "audio");
    vg_json_string(json, "@type", "cr:RecordSet");
    vg_json_string(json, "description", "The sound of each item.");
    vg_json_open(json, "field", '[');
    write_audio_field(json, "audio/key", "sc:Text", "Key of the item.", "filename", true);
    write_audio_field(json, "audio/content", "sc:AudioObject", "Mono 16-bit FLAC.", "content", false);
    vg_json_close(json, ']');
    vg_croissant_reference(json, "key", "audio/key");
    vg_json_string(json, "name", "audio");
    vg_json_close(json, '}');
}

void vg_croissant_records(struct vg_json *json, const struct vg_story *story, struct vg_arena *arena)
{
    vg_json_open(json, "recordSet", '[');
    write_splits(json, story->spec);
    write_table(json, "sources", "sources.csv", "sources/id", "The recordings the items were made from.",
                source_columns, sizeof source_columns / sizeof *source_columns, arena);
    write_table(json, "items", "manifest.jsonl", "items/key", "One record per item of the benchmark.",
                item_columns, sizeof item_columns / sizeof *item_columns, arena);
    if (story->about->shard_count > 0)
        write_audio(json);
    vg_json_close(json, ']');
}
