/* SPDX-License-Identifier: MIT */
/* Which items a list shows: one value of each facet, and words that must all be found in the item's id and
 * key or its source's text and speaker.  One pass counts, for every value of every facet, how many items it
 * would show. */
#include "library.h"

#include <string.h>

/* Blanks separate words; ASCII letters have no case. */
static bool read_words(struct vg_filter *filter, const char *text, struct vg_arena *arena)
{
    char *copy = vg_arena_text(arena, text);

    if (strlen(text) > VG_WORDS_BYTES_MAX)
        return false;
    for (char *c = copy; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    while (*copy != '\0') {
        size_t length = strcspn(copy, " ");
        bool more = copy[length] != '\0';

        copy[length] = '\0';
        if (length > 0 && filter->word_count == VG_WORDS_MAX)
            return false;
        if (length > 0)
            filter->words[filter->word_count++] = copy;
        copy += length + more;
    }
    return true;
}

bool vg_filter_read(struct vg_filter *filter, const struct vg_index *index, const struct vg_request *request)
{
    *filter = (struct vg_filter){0};
    for (int f = 0; f < VG_FACETS; f++) {
        const char *text = vg_request_query(request, vg_facet_names[f]);
        size_t number = vg_values_find(&index->values[f], text);

        filter->value[f] = text[0] == '\0' ? VG_ANY : number == SIZE_MAX ? VG_NEVER : (int64_t)number;
    }
    return read_words(filter, vg_request_query(request, "q"), request->arena);
}

static bool has_words(const struct vg_filter *filter, const struct vg_index *index,
                      const struct vg_listed *entry)
{
    for (size_t i = 0; i < filter->word_count; i++)
        if (strstr(entry->folded, filter->words[i]) == NULL &&
            strstr(index->source_folded[entry->value[VG_FACET_SOURCE]], filter->words[i]) == NULL)
            return false;
    return true;
}

/* How many facets say no, at most two of them counted; `which`: the first. */
static unsigned refusals(const struct vg_filter *filter, const struct vg_listed *entry, int *which)
{
    unsigned count = 0;

    for (int f = 0; f < VG_FACETS && count < 2; f++)
        if (filter->value[f] != VG_ANY && filter->value[f] != (int64_t)entry->value[f]) {
            if (count == 0)
                *which = f;
            count++;
        }
    return count;
}

bool vg_filter_passes(const struct vg_filter *filter, const struct vg_index *index,
                      const struct vg_listed *entry)
{
    int which;

    return refusals(filter, entry, &which) == 0 && has_words(filter, index, entry);
}

struct vg_found vg_filter_run(const struct vg_filter *filter, const struct vg_index *index,
                              struct vg_arena *arena)
{
    struct vg_found found = {.at = vg_arena_take(arena, index->count + 1, sizeof *found.at)};

    for (int f = 0; f < VG_FACETS; f++)
        found.counts[f] = vg_arena_take_zero(arena, index->values[f].count + 1, sizeof **found.counts);
    for (size_t i = 0; i < index->count; i++) {
        const struct vg_listed *entry = &index->at[i];
        int which = 0;
        unsigned refused = refusals(filter, entry, &which);

        if (refused > 1 || !has_words(filter, index, entry))
            continue;
        if (refused == 0)
            found.at[found.count++] = (uint32_t)i;
        for (int f = 0; f < VG_FACETS; f++)
            if (refused == 0 || f == which)
                found.counts[f][entry->value[f]]++;
    }
    return found;
}
