/* SPDX-License-Identifier: MIT */
/* Names of items: the paper's ids, and keys for shards that do not carry the answer. */
#include "plan.h"

#include <string.h>

enum { KEY_HEX = 16, KEY_BYTES_MAX = 88 }; /* with ".flac" below ustar's 100 bytes */

void vg_item_id(const struct vg_item *item, struct vg_text *out)
{
    vg_text_addf(out, "%s__%s__%s__%s__%s", item->source->id, item->source->clip_id,
                 vg_curve_names[item->curve], item->spec->tiers[item->tier],
                 vg_direction_names[item->direction]);
}

void vg_item_name(const struct vg_item *item, struct vg_text *out)
{
    vg_text_addf(out, "%s__", item->category->words->name);
    vg_item_id(item, out);
}

void vg_item_seed_text(const struct vg_item *item, struct vg_text *out)
{
    vg_text_addf(out, "%s:", item->spec->seed);
    if (item->spec->engine != NULL && item->spec->engine->pairs_share_draws)
        vg_text_addf(out, "%s__%s__%s__%s__%s", item->category->words->name, item->source->id,
                     item->source->clip_id, vg_curve_names[item->curve], item->spec->tiers[item->tier]);
    else
        vg_item_id(item, out);
}

/* A path component on every file system and a key in every loader: ASCII letters, digits, _ and -.  What had
 * to be changed or cut, and what has capitals, which some file systems do not see, is told apart by a hash of
 * the whole name. */
static void add_safe(struct vg_text *out, const char *name)
{
    size_t length = strlen(name), kept = length <= KEY_BYTES_MAX ? length : KEY_BYTES_MAX - KEY_HEX - 1;
    bool changed = kept < length;
    char hex[VG_DIGEST_HEX];

    for (size_t i = 0; i < kept; i++) {
        bool plain = (name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9') ||
                     name[i] == '_' || name[i] == '-';

        changed = changed || !plain;
    }
    if (changed && kept > KEY_BYTES_MAX - KEY_HEX - 1)
        kept = KEY_BYTES_MAX - KEY_HEX - 1;
    for (size_t i = 0; i < kept; i++)
        vg_text_add_char(
            out, strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", name[i]) != NULL
                     ? name[i]
                     : '_');
    if (changed) {
        vg_digest_of(VG_SHA256, name, length, hex);
        vg_text_add_char(out, '-');
        vg_text_add_part(out, hex, KEY_HEX);
    }
}

/* 64 bits of a hash over the item's seeded identity: two keys of a release of a million items meet with
 * odds of 3e-8, and the release writer checks. */
static void add_opaque(const struct vg_item *item, struct vg_text *out)
{
    struct vg_text identity = {0};
    char hex[VG_DIGEST_HEX];

    vg_text_addf(&identity, "key:%s:", item->spec->seed);
    vg_item_name(item, &identity);
    vg_digest_of(VG_SHA256, identity.data, identity.length, hex);
    vg_text_addf(out, "%s-", item->category->words->name);
    vg_text_add_part(out, hex, KEY_HEX);
    vg_text_release(&identity);
}

void vg_item_key(const struct vg_item *item, struct vg_text *out)
{
    struct vg_text name = {0};

    if (item->spec->pack.opaque_keys) {
        add_opaque(item, out);
        return;
    }
    vg_item_name(item, &name);
    add_safe(out, name.data);
    vg_text_release(&name);
}

enum { MATCH_NONE, MATCH_ID, MATCH_NAME };

static int match(const struct vg_item *item, const char *name, struct vg_text *scratch)
{
    vg_text_clear(scratch);
    vg_item_id(item, scratch);
    if (strcmp(scratch->data, name) == 0)
        return MATCH_ID;
    vg_text_clear(scratch);
    vg_item_name(item, scratch);
    if (strcmp(scratch->data, name) == 0)
        return MATCH_NAME;
    vg_text_clear(scratch);
    vg_item_key(item, scratch);
    return strcmp(scratch->data, name) == 0 ? MATCH_NAME : MATCH_NONE;
}

size_t vg_plan_find(const struct vg_plan *plan, const char *name)
{
    struct vg_text scratch = {0};
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < plan->item_count; i++) {
        struct vg_item item;
        int kind;

        vg_plan_item(plan, i, &item);
        kind = match(&item, name, &scratch);
        if (kind == MATCH_NAME) {
            found = i;
            break;
        }
        if (kind == MATCH_ID)
            found = found == SIZE_MAX ? i : SIZE_MAX - 1;
    }
    vg_text_release(&scratch);
    return found;
}
