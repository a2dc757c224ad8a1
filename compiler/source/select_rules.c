/* SPDX-License-Identifier: MIT */
/* The rules of a selection, as an entry's map `select` gives them. */
#include "pattern.h"
#include "select.h"

#include <string.h>

#define TRAITS "gender|locale|accent|speaker"

const char *const vg_trait_names[VG_TRAITS] = {"gender", "locale", "accent", "speaker"};

const struct vg_key_rule vg_select_keys[] = {
    {"count", VG_KEY_INTEGER, VG_REQUIRED, 1, 1e7, NULL, NULL, "how many clips to choose"},
    {"seed", VG_KEY_TEXT, 0, 1, 200, NULL, NULL, "draws the order of the clips; else the spec's seed"},
    {"id", VG_KEY_TEXT, 0, 1, 500, NULL, NULL,
     "source id: {clip}, {speaker}, {locale}, {n} in the table, {k} of the speaker; ({clip})"},
    {"speakers", VG_KEY_INTEGER, 0, 1, 1e6, NULL, NULL, "of how many speakers, as evenly as it goes"},
    {"clips_per_speaker", VG_KEY_INTEGER, 0, 1, 1e6, NULL, NULL, "at most so many of one speaker"},
    {"balance", VG_KEY_TEXTS, 0, 0, 0, TRAITS, NULL,
     "as even as it goes over these, the first counting most"},
    {"genders", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "only these"},
    {"accents", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "only these"},
    {"duration_min_sec", VG_KEY_NUMBER, 0, 0, 86400, NULL, NULL, "of the decoded recording, seconds"},
    {"duration_max_sec", VG_KEY_NUMBER, VG_ABOVE_MIN, 0, 86400, NULL, NULL,
     "of the decoded recording, seconds"},
    {"speech_min_sec", VG_KEY_NUMBER, 0, 0, 86400, NULL, NULL, "from onset to offset, seconds"},
    {"text_required", VG_KEY_BOOL, 0, 0, 0, NULL, NULL, "only clips whose words are known"},
    {"distinct_texts", VG_KEY_BOOL, 0, 0, 0, NULL, NULL, "no two clips with the same words"},
    {"exclude_ids", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "clips to leave out"},
    {"exclude_tags", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "leave out clips with one of these quality tags"},
    {"speakers_not_in", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL,
     "selection tables, seen from this spec's folder, that share no speaker"},
    {"texts_not_in", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "selection tables that share no words"},
    {0},
};

void vg_select_check(const struct vg_node *entry, struct vg_error *err)
{
    static const char *const known[] = {"clip", "speaker", "locale", "n", "k"};
    const struct vg_node *map = vg_node_find(entry, "select");
    const struct vg_node *rate = vg_node_find(entry, "sample_rate_hz");

    if (map == NULL)
        return;
    vg_pattern_check(map, "id", known, sizeof known / sizeof *known, err);
    if (rate != NULL)
        vg_node_fail(
            rate, err,
            "sample_rate_hz beside select; give it where the selection is built, since recordings are "
            "pinned as they are decoded");
    if (vg_node_integer(map, "speakers", 1) > vg_node_integer(map, "count", 1))
        vg_node_fail(vg_node_find(map, "speakers"), err,
                     "speakers is more than count; every one gives a clip");
}

static size_t read_count(const struct vg_node *map, const char *key)
{
    return (size_t)vg_node_integer(map, key, 0);
}

void vg_select_rules_read(struct vg_select_rules *rules, const struct vg_spec *spec,
                          const struct vg_node *entry)
{
    const struct vg_node *map = vg_node_find(entry, "select"), *balance = vg_node_find(map, "balance");

    *rules = (struct vg_select_rules){
        .map = map,
        .seed = vg_node_text(map, "seed", spec->seed),
        .id = vg_node_text(map, "id", "{clip}"),
        .count = read_count(map, "count"),
        .speakers = read_count(map, "speakers"),
        .per_speaker = read_count(map, "clips_per_speaker"),
        .duration_min_sec = vg_node_number(map, "duration_min_sec", 0),
        .duration_max_sec = vg_node_number(map, "duration_max_sec", 1e9),
        .speech_min_sec = vg_node_number(map, "speech_min_sec", 0),
        .text_required = vg_node_bool(map, "text_required", false),
        .distinct_texts = vg_node_bool(map, "distinct_texts", false),
    };
    for (size_t i = 0; balance != NULL && i < balance->count && rules->balance_count < VG_TRAITS; i++)
        for (enum vg_trait trait = 0; trait < VG_TRAITS; trait++)
            if (strcmp(balance->entries[i].value->text, vg_trait_names[trait]) == 0)
                rules->balance[rules->balance_count++] = trait;
}
