/* SPDX-License-Identifier: MIT */
/* What decides a finished item, as the name of its entry in the store: this program, the encoder, the recipe
 * and seed of the item, the samples and span of its source.  Names and descriptions of the release do not
 * count. */
#include "cache.h"

#include <FLAC/format.h>
#include <string.h>

static size_t count_rules(const struct vg_key_rule *rules)
{
    size_t count = 0;

    while (rules != NULL && rules[count].name != NULL)
        count++;
    return count;
}

static void add_values(struct vg_text *text, const struct vg_key_rule *rules, const struct vg_value *values)
{
    for (size_t r = 0; r < count_rules(rules); r++) {
        vg_text_addf(text, " %s", rules[r].name);
        for (size_t i = 0; i < values[r].count; i++) {
            vg_text_add_char(text, ' ');
            vg_text_add_double(text, values[r].at[i]);
        }
    }
}

static void add_margins(struct vg_text *text, const struct vg_margins *margins)
{
    vg_text_add(text, " margins");
    for (size_t q = 0; q < VG_QUANTITIES; q++) {
        const struct vg_margin *margin = &margins->of[q];
        const double numbers[] = {margin->jnd, margin->paired, margin->blind, margin->gate};

        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            vg_text_add_char(text, ' ');
            vg_text_add_double(text, numbers[i]);
        }
    }
}

char *vg_cache_context(const struct vg_spec *spec, const struct vg_margins *margins, struct vg_arena *arena)
{
    struct vg_text text = {0};
    struct vg_error unheard = {0};
    char program[VG_DIGEST_HEX] = "", *result;

    (void)vg_digest_of_file(VG_XXH128, "/proc/self/exe", program, NULL, &unheard);
    vg_error_release(&unheard);
    vg_text_addf(&text, "%s %s libFLAC %s %s %s jump_at ", VG_VERSION, program, FLAC__VERSION_STRING,
                 spec->pack.compact ? "compact" : "stable", spec->engine->name);
    vg_text_add_double(&text, spec->jump_at);
    add_values(&text, spec->engine->keys, spec->trajectory);
    add_margins(&text, margins);
    result = vg_arena_text(arena, text.data);
    vg_text_release(&text);
    return result;
}

/* All tiers of the category count: some transforms look at the others for what they share. */
void vg_cache_name(const char *context, const struct vg_item *item, const struct vg_loaded *source,
                   char name[VG_CACHE_NAME])
{
    const struct vg_category *words = item->category->words;
    struct vg_text text = {0};
    char hex[VG_DIGEST_HEX];

    vg_text_addf(&text, "%s\n%s %zu %s %s", context, words->name, item->tier, vg_curve_names[item->curve],
                 vg_direction_names[item->direction]);
    for (size_t tier = 0; tier < item->spec->tier_count; tier++)
        add_values(&text, words->tier, item->category->tiers[tier]);
    add_values(&text, words->fixed, item->fixed);
    vg_text_addf(&text, "\n%s %lu %zu %zu\n", source->facts.audio_xxh128, (unsigned long)source->clip.rate_hz,
                 source->span.on, source->span.off);
    vg_item_seed_text(item, &text);
    vg_digest_of(VG_XXH128, text.data, text.length, hex);
    memcpy(name, hex, 2);
    name[2] = '/';
    memcpy(name + 3, hex + 2, VG_CACHE_NAME - 3);
    vg_text_release(&text);
}
