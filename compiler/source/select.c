/* SPDX-License-Identifier: MIT */
/* Choosing by rule: every clip gets a rank from the seed and its id, so that no order of folders or tables
 * shows; what the rules rule out is taken out; the rest is balanced (select_pick.c).  Only what was chosen is
 * decoded: a clip that turns out bad, too short or without speech goes out, and all is chosen anew, until all
 * chosen hold. */
#include "select.h"

#include "corpus.h"
#include "kinds.h"

#include <stdlib.h>
#include <string.h>

const char *vg_trait_of(const struct vg_candidate *candidate, enum vg_trait trait)
{
    const struct vg_row *row = candidate->source->detail;

    switch (trait) {
    case VG_TRAIT_GENDER:
        return candidate->source->gender;
    case VG_TRAIT_LOCALE:
        return candidate->source->locale;
    case VG_TRAIT_ACCENT:
        return row->accent;
    default:
        return candidate->speaker;
    }
}

/* ---- candidates ----------------------------------------------------------------------------------- */

void vg_candidate_rule_out(struct vg_candidate *candidate, const char *reason)
{
    if (candidate->out == NULL)
        candidate->out = reason;
}

static void describe(struct vg_choice *choice, struct vg_candidate *candidate, const struct vg_source *source)
{
    struct vg_text text = {0};

    *candidate = (struct vg_candidate){.source = source, .facts = {.decoder = "", .note = ""}};
    vg_text_addf(&text, "%s:%s", choice->rules.seed, source->id);
    vg_digest_of(VG_XXH128, text.data, text.length, candidate->rank);
    vg_text_clear(&text);
    vg_words_normalise(source->text, &text);
    candidate->words = vg_arena_text(choice->arena, vg_text_or_empty(&text));
    vg_text_release(&text);
    candidate->speaker = source->speaker_id[0] != '\0' ? source->speaker_id
                                                       : vg_arena_format(choice->arena, "?%s", source->id);
    if (source->left_out != NULL) {
        vg_candidate_rule_out(candidate, "bad row");
        candidate->why = source->left_out;
    }
}

static int compare_speakers(const void *a, const void *b)
{
    const struct vg_candidate *const *x = a, *const *y = b;

    return strcmp((*x)->speaker, (*y)->speaker);
}

static int compare_words(const void *a, const void *b)
{
    const struct vg_candidate *const *x = a, *const *y = b;

    return strcmp((*x)->words, (*y)->words);
}

/* Equal numbers for equal speakers, and for equal words. */
static void number_candidates(struct vg_choice *choice)
{
    size_t count = choice->list.count, number = 0;
    struct vg_candidate **sorted = vg_arena_take(choice->arena, count, sizeof(struct vg_candidate *));

    for (size_t i = 0; i < count; i++)
        sorted[i] = &choice->at[i];
    qsort(sorted, count, sizeof *sorted, compare_speakers); /* equals get one number */
    for (size_t i = 0; i < count; i++) {
        number += i > 0 && compare_speakers(&sorted[i - 1], &sorted[i]) != 0;
        sorted[i]->speaker_number = number;
    }
    number = 0;
    /* Equal words get one number. */
    qsort(sorted, count, sizeof *sorted, compare_words); /* likewise */
    for (size_t i = 0; i < count; i++) {
        number += i > 0 && compare_words(&sorted[i - 1], &sorted[i]) != 0;
        sorted[i]->words_number = number;
    }
}

/* ---- rules about one clip ------------------------------------------------------------------------- */

/* Is one of the words separated by "|" in the list? */
static bool has_tag(const char *tags, const struct vg_node *list)
{
    for (const char *tag = tags; *tag != '\0'; tag += strspn(tag, "|")) {
        size_t length = strcspn(tag, "|");

        for (size_t i = 0; i < list->count; i++) {
            const char *word = list->entries[i].value->text;

            if (strlen(word) == length && strncmp(tag, word, length) == 0)
                return true;
        }
        tag += length;
    }
    return false;
}

static void apply_plain_rules(struct vg_choice *choice, struct vg_candidate *candidate)
{
    const struct vg_select_rules *rules = &choice->rules;
    const struct vg_node *ids = vg_node_find(rules->map, "exclude_ids");
    const struct vg_node *tags = vg_node_find(rules->map, "exclude_tags");
    const struct vg_row *row = candidate->source->detail;

    for (size_t i = 0; i < rules->balance_count; i++)
        if (vg_trait_of(candidate, rules->balance[i])[0] == '\0')
            vg_candidate_rule_out(
                candidate, vg_arena_format(choice->arena, "%s unknown", vg_trait_names[rules->balance[i]]));
    if (!vg_entry_lists(rules->map, "genders", candidate->source->gender))
        vg_candidate_rule_out(candidate, "gender not asked for");
    if (!vg_entry_lists(rules->map, "accents", row->accent))
        vg_candidate_rule_out(candidate, "accent not asked for");
    if (rules->text_required && candidate->words[0] == '\0')
        vg_candidate_rule_out(candidate, "no text");
    if (ids != NULL && vg_entry_lists(rules->map, "exclude_ids", candidate->source->clip_id))
        vg_candidate_rule_out(candidate, "id excluded");
    if (tags != NULL && has_tag(row->tags, tags))
        vg_candidate_rule_out(candidate, "quality tag excluded");
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* The one entry with rules, and the split it stands in. */
static int find_entry(struct vg_choice *choice, size_t *split, struct vg_error *err)
{
    for (size_t s = 0; s < choice->spec->split_count; s++)
        for (size_t i = 0; i < choice->spec->splits[s].source_count; i++) {
            const struct vg_spec_source *entry = &choice->spec->splits[s].sources[i];

            if (vg_node_find(entry->entry, "select") == NULL)
                continue;
            if (choice->entry != NULL)
                return vg_node_fail(
                    entry->entry, err,
                    "a second entry with rules to select by; choose one split with --only split=NAME");
            choice->entry = entry;
            choice->split = choice->spec->splits[s].name;
            *split = s;
        }
    if (choice->entry == NULL)
        return vg_fail(err, VG_SPEC, choice->spec->path,
                       "no source has rules to select by; give one entry a map `select`");
    return VG_OK;
}

bool vg_choice_is_asked(const struct vg_spec *spec)
{
    for (size_t s = 0; s < spec->split_count; s++)
        for (size_t i = 0; i < spec->splits[s].source_count; i++)
            if (vg_node_find(spec->splits[s].sources[i].entry, "select") != NULL)
                return true;
    return false;
}

int vg_choice_open(struct vg_choice **result, const struct vg_spec *spec, struct vg_arena *arena,
                   struct vg_error *err)
{
    struct vg_choice *choice = vg_arena_take_zero(arena, 1, sizeof *choice);
    struct vg_spec quiet = *spec; /* bad rows are candidates that are out, and told by the report */
    size_t split = 0;
    int rc;

    *result = choice;
    choice->spec = spec;
    choice->arena = arena;
    quiet.on_bad_source = VG_POLICY_FLAG;
    rc = find_entry(choice, &split, err);
    if (rc == VG_OK)
        rc = vg_kind_of(choice->entry)->list(&quiet, choice->entry, split, &choice->list, arena, err);
    if (rc != VG_OK)
        return rc;
    vg_select_rules_read(&choice->rules, spec, choice->entry->entry);
    choice->at = vg_arena_take(arena, choice->list.count, sizeof *choice->at);
    choice->picks = vg_arena_take(arena, choice->list.count, sizeof *choice->picks);
    for (size_t i = 0; i < choice->list.count; i++) {
        describe(choice, &choice->at[i], &choice->list.at[i]);
        apply_plain_rules(choice, &choice->at[i]);
    }
    number_candidates(choice);
    return vg_choice_keep_apart(choice, err);
}

/* ---- choosing ------------------------------------------------------------------------------------- */

const struct vg_source *vg_choice_source(const struct vg_choice *choice, size_t index)
{
    return choice->at[index].source;
}

size_t vg_choice_pick(struct vg_choice *choice, const size_t **unheard)
{
    size_t *indices, count = 0;

    vg_choice_pick_all(choice);
    indices = vg_arena_take(choice->arena, choice->pick_count + 1, sizeof *indices);
    for (size_t i = 0; i < choice->pick_count; i++)
        if (!choice->at[choice->picks[i]].decoded)
            indices[count++] = choice->picks[i];
    *unheard = indices;
    return count;
}

void vg_choice_hear(struct vg_choice *choice, size_t index, const struct vg_loaded *loaded, const char *fault)
{
    struct vg_candidate *candidate = &choice->at[index];
    const struct vg_select_rules *rules = &choice->rules;
    double duration_sec;

    candidate->decoded = true;
    if (loaded == NULL) {
        vg_candidate_rule_out(candidate, "bad recording");
        candidate->why = vg_arena_text(choice->arena, fault);
        return;
    }
    candidate->facts = loaded->facts;
    candidate->facts.decoder = vg_arena_text(choice->arena, loaded->facts.decoder);
    candidate->facts.note = vg_arena_text(choice->arena, loaded->facts.note);
    duration_sec = (double)loaded->clip.frames / loaded->clip.rate_hz;
    if (duration_sec < rules->duration_min_sec)
        vg_candidate_rule_out(candidate, "too short");
    if (duration_sec > rules->duration_max_sec)
        vg_candidate_rule_out(candidate, "too long");
    if (!loaded->facts.span_found)
        vg_candidate_rule_out(candidate, "no speech found");
    if ((double)(loaded->span.off - loaded->span.on) < rules->speech_min_sec * loaded->clip.rate_hz)
        vg_candidate_rule_out(candidate, "too little speech");
}
