/* SPDX-License-Identifier: MIT */
/* explain: one item's life, stage by stage, with the digest of what each stage hands on. */
#include "command.h"

#include <math.h>

static void add_values(struct vg_text *out, const struct vg_key_rule *rules, const struct vg_value *values)
{
    for (size_t i = 0; rules[i].name != NULL; i++) {
        vg_text_addf(out, "  %-22s", rules[i].name);
        for (size_t k = 0; k < values[i].count; k++) {
            vg_text_add(out, k > 0 ? ", " : "");
            vg_text_add_double(out, values[i].at[k]);
        }
        vg_text_add_char(out, '\n');
    }
}

static void add_plan(struct vg_text *out, const struct vg_item *item)
{
    struct vg_text id = {0}, key = {0}, seed = {0};

    vg_item_id(item, &id);
    vg_item_key(item, &key);
    vg_item_seed_text(item, &seed);
    vg_text_addf(out,
                 "plan\n  item %zu of split %s, category %s\n  id    %s\n  key   %s\n  seed  %s -> %llu\n",
                 item->index, item->split->name, item->category->words->name, id.data, key.data, seed.data,
                 (unsigned long long)vg_random_entropy(seed.data));
    vg_text_addf(out, "  label %s (%s), tier %s, curve %s\n  prompt %s\nparameters\n", item->label,
                 vg_direction_names[item->direction], item->spec->tiers[item->tier],
                 vg_curve_names[item->curve], item->category->prompt);
    add_values(out, item->category->words->tier, item->values);
    add_values(out, item->category->words->fixed, item->fixed);
    vg_text_release(&id);
    vg_text_release(&key);
    vg_text_release(&seed);
}

static void add_source(struct vg_text *out, const struct vg_item *item, const struct vg_loaded *loaded)
{
    const struct vg_source_facts *facts = &loaded->facts;

    vg_text_addf(out, "source\n  %s (%s), %s\n  %zu frames at %u Hz, %u channel%s, decoded by %s%s%s\n",
                 item->source->id, item->source->clip_id, item->source->place, facts->frames,
                 (unsigned)facts->rate_hz, facts->channels, facts->channels == 1 ? "" : "s", facts->decoder,
                 facts->note[0] != '\0' ? "; " : "", facts->note);
    if (facts->file_xxh128[0] != '\0')
        vg_text_addf(out, "  file_xxh128  %s\n", facts->file_xxh128);
    vg_text_addf(out, "  audio_xxh128 %s\n  speech ", facts->audio_xxh128);
    vg_text_add_fixed(out, facts->onset_sec, 6);
    vg_text_add(out, " s to ");
    vg_text_add_fixed(out, facts->offset_sec, 6);
    vg_text_addf(out, " s (%s), samples %zu to %zu\n", facts->detected ? "detected" : "given",
                 loaded->span.on, loaded->span.off);
}

static int add_output(struct vg_call *call, struct vg_text *out, const struct vg_item *item,
                      const struct vg_loaded *loaded)
{
    struct vg_renderer renderer = {0};
    struct vg_text flac = {0};
    struct vg_rendered sound;
    char hex[VG_DIGEST_HEX];
    int rc;

    vg_render(&renderer, item, loaded, &sound, &call->arena);
    vg_digest_of_samples(VG_XXH128, sound.samples, sound.frames, hex);
    vg_text_addf(
        out,
        "render\n  engine %s: %zu frames, speech in samples %zu to %zu\n  %zu samples clipped, peak %u\n"
        "  audio_xxh128 %s\n",
        item->spec->engine->name, sound.frames, sound.on, sound.off, sound.clipped, sound.peak, hex);
    vg_digest_of_samples(VG_SHA256, sound.samples, sound.frames, hex);
    vg_text_addf(out, "  pcm_sha256   %s\n", hex);
    rc = vg_flac_encode(sound.samples, sound.frames, loaded->clip.rate_hz, item->spec->pack.compact, &flac,
                        item->source->id, &call->err);
    if (rc == VG_OK) {
        vg_digest_of(VG_XXH128, flac.data, flac.length, hex);
        vg_text_addf(out, "pack\n  FLAC profile %s: %zu bytes\n  flac_xxh128  %s\n",
                     item->spec->pack.compact ? "compact" : "stable", flac.length, hex);
    }
    vg_text_release(&flac);
    vg_renderer_release(&renderer);
    return rc;
}

static int run(struct vg_call *call)
{
    struct vg_work work = {0};
    struct vg_loaded loaded = {0};
    struct vg_text out = {0};
    struct vg_item item;
    int rc = vg_work_plan(&work, call);

    if (rc == VG_OK)
        rc = vg_work_item(&work, call, &item);
    if (rc == VG_OK)
        rc = vg_source_load(&work.spec, item.source, &loaded, &call->arena, &call->err);
    if (rc == VG_OK) {
        vg_text_addf(&out, "spec\n  %s: %s %s, engine %s\n", call->operands[0], work.spec.name,
                     work.spec.version, work.spec.engine->name);
        add_plan(&out, &item);
        add_source(&out, &item, &loaded);
        rc = add_output(call, &out, &item, &loaded);
    }
    if (rc == VG_OK)
        rc = vg_print_out(call, &out);
    vg_text_release(&out);
    return rc;
}

const struct vg_verb vg_verb_explain = {
    .name = "explain",
    .operands = "SPEC ITEM",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Show one item's life, stage by stage, with digests.",
    .groups = VG_OPTIONS_SPEC,
    .run = run,
};
