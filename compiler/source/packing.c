/* SPDX-License-Identifier: MIT */
/* Writing a source pack: each source as a FLAC file and, beside it, all that a release says of it.  Content
 * alone decides the bytes, so that a pack can be hashed and made again. */
#include "format.h"
#include "packed.h"

#include <string.h>

void vg_packed_write(const struct vg_packed *packed, struct vg_text *out)
{
    const struct vg_source *source = &packed->source;
    const struct vg_source_facts *facts = &packed->facts;
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "audio_xxh128", facts->audio_xxh128);
    vg_json_integer(&json, "channels", facts->channels);
    vg_json_string(&json, "clip_id", source->clip_id);
    vg_json_integer(&json, "clipped", (int64_t)facts->clipped);
    vg_json_string(&json, "corpus", source->corpus);
    vg_json_string(&json, "decoder", facts->decoder);
    vg_json_bool(&json, "detected", facts->detected);
    vg_json_integer(&json, "entry", (int64_t)packed->entry);
    vg_json_string(&json, "entry_xxh128", packed->entry_xxh128);
    vg_json_string(&json, "file_xxh128", facts->file_xxh128);
    vg_json_string(&json, "format", "vocalgrad source pack 1");
    vg_json_integer(&json, "frames", (int64_t)facts->frames);
    vg_json_string(&json, "gender", source->gender);
    vg_json_string(&json, "id", source->id);
    vg_json_string(&json, "licence", source->licence);
    vg_json_string(&json, "locale", source->locale);
    vg_json_string(&json, "note", facts->note);
    vg_json_double(&json, "offset_sec", facts->offset_sec);
    vg_json_double(&json, "onset_sec", facts->onset_sec);
    vg_json_integer(&json, "sample_rate", facts->rate_hz);
    vg_json_string(&json, "sentence_id", source->sentence_id);
    vg_json_string(&json, "skipped", packed->skipped);
    vg_json_bool(&json, "span_found", facts->span_found);
    vg_json_string(&json, "speaker_id", source->speaker_id);
    vg_json_string(&json, "split", packed->split);
    vg_json_string(&json, "text", source->text);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
}

void vg_packed_entry_digest(const struct vg_spec_source *entry, char hex[VG_DIGEST_HEX])
{
    struct vg_text text = {0};

    vg_spec_source_write(entry, &text);
    vg_digest_of(VG_XXH128, text.data, text.length, hex);
    vg_text_release(&text);
}

int vg_source_pack(const struct vg_spec *spec, const struct vg_source *source, const struct vg_loaded *loaded,
                   const char *skipped, struct vg_text *flac, struct vg_text *json, struct vg_error *err)
{
    const struct vg_spec_split *split = &spec->splits[source->split];
    struct vg_packed packed = {.source = *source, .split = split->name, .skipped = skipped};
    int rc = VG_OK;

    packed.facts = skipped == NULL ? loaded->facts : (struct vg_source_facts){.decoder = "", .note = ""};
    packed.entry = (size_t)(source->origin - split->sources);
    vg_packed_entry_digest(source->origin, packed.entry_xxh128);
    vg_text_clear(flac);
    vg_text_clear(json);
    vg_packed_write(&packed, json);
    if (skipped == NULL)
        rc = vg_flac_encode(loaded->clip.samples, loaded->clip.frames, loaded->clip.rate_hz, false, flac,
                            source->place, err);
    return rc;
}
