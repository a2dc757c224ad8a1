/* SPDX-License-Identifier: MIT */
/* Balance by filling up: candidates stand in a tree, a level for each trait that counts; every pick goes down
 * to the child that was picked least so far, and takes the clip of lowest rank there.  A branch that has no
 * more is passed over, so that the rest is as even as it goes. */
#include "select.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = VG_TRAITS + 1 };

struct node {
    size_t first, end;      /* of the sorted candidates; at a leaf `first` moves on */
    size_t child, children; /* nodes; none at a leaf */
    size_t picked;
    size_t turn;
    char tie[VG_DIGEST_HEX]; /* between children picked alike */
    bool empty;
};
struct picking {
    struct vg_choice *choice;
    enum vg_trait levels[LEVELS_MAX];
    size_t level_count;
    size_t *order; /* candidates, sorted by the levels' traits and rank */
    size_t count;
    struct node *nodes;
    size_t node_count, node_room;
    size_t per_speaker;
    size_t *speaker_picks; /* [speaker_number] */
    bool *words_picked;    /* [words_number] */
};

/* ---- order ---------------------------------------------------------------------------------------- */

/* What qsort compares needs its surroundings: kept with each entry. */
struct entry {
    const struct picking *picking;
    size_t index;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const struct picking *p = x->picking;
    const struct vg_candidate *one = &p->choice->at[x->index], *other = &p->choice->at[y->index];
    int order = 0;

    for (size_t i = 0; order == 0 && i < p->level_count; i++)
        order = strcmp(vg_trait_of(one, p->levels[i]), vg_trait_of(other, p->levels[i]));
    if (order == 0)
        order = strcmp(one->rank, other->rank);
    return order != 0 ? order : strcmp(one->source->id, other->source->id);
}

static void sort_candidates(struct picking *p)
{
    struct entry *entries = vg_memory_take(p->count + 1, sizeof *entries);

    for (size_t i = 0; i < p->count; i++)
        entries[i] = (struct entry){p, p->order[i]};
    qsort(entries, p->count, sizeof *entries, compare_entries); /* no equals: ids differ */
    for (size_t i = 0; i < p->count; i++)
        p->order[i] = entries[i].index;
    free(entries);
}

/* ---- the tree ------------------------------------------------------------------------------------- */

static const struct vg_candidate *candidate_at(const struct picking *p, size_t place)
{
    return &p->choice->at[p->order[place]];
}

static size_t add_node(struct picking *p, size_t first, size_t end)
{
    if (p->node_count == p->node_room) {
        p->node_room = 2 * p->node_room + 256;
        p->nodes = vg_memory_grow(p->nodes, p->node_room, sizeof *p->nodes);
    }
    p->nodes[p->node_count] = (struct node){.first = first, .end = end};
    return p->node_count++;
}

/* The children of a node differ in the trait of its level.  Those of one node stand together. */
static void add_children(struct picking *p, size_t node, size_t level)
{
    enum vg_trait trait = p->levels[level];
    size_t first = p->nodes[node].first, end = p->nodes[node].end;

    p->nodes[node].child = p->node_count;
    while (first < end) {
        const char *value = vg_trait_of(candidate_at(p, first), trait);
        size_t next = first, child;
        struct vg_text text = {0};

        while (next < end && strcmp(vg_trait_of(candidate_at(p, next), trait), value) == 0)
            next++;
        child = add_node(p, first, next);
        vg_text_addf(&text, "%s:%s=%s", p->choice->rules.seed, vg_trait_names[trait], value);
        vg_digest_of(VG_XXH128, text.data, text.length, p->nodes[child].tie);
        vg_text_release(&text);
        p->nodes[child].turn = trait == VG_TRAIT_SPEAKER ? candidate_at(p, first)->turn : 0;
        p->nodes[node].children++;
        first = next;
    }
}

static void build(struct picking *p)
{
    size_t first = add_node(p, 0, p->count), end;

    for (size_t level = 0; level < p->level_count; level++) {
        end = p->node_count;
        for (size_t node = first; node < end; node++)
            add_children(p, node, level);
        first = end;
    }
}

/* ---- picking -------------------------------------------------------------------------------------- */

static bool may_take(const struct picking *p, const struct vg_candidate *candidate)
{
    return (p->per_speaker == 0 || p->speaker_picks[candidate->speaker_number] < p->per_speaker) &&
           (!p->choice->rules.distinct_texts || candidate->words[0] == '\0' ||
            !p->words_picked[candidate->words_number]);
}

static bool take_from_leaf(struct picking *p, struct node *leaf)
{
    while (leaf->first < leaf->end) {
        size_t index = p->order[leaf->first++];
        const struct vg_candidate *candidate = &p->choice->at[index];

        if (!may_take(p, candidate))
            continue;
        p->speaker_picks[candidate->speaker_number]++;
        p->words_picked[candidate->words_number] = true;
        p->choice->picks[p->choice->pick_count++] = index;
        return true;
    }
    return false;
}

static struct node *least_picked(struct picking *p, const struct node *node)
{
    struct node *least = NULL;

    for (size_t i = 0; i < node->children; i++) {
        struct node *child = &p->nodes[node->child + i];
        int order = child->empty ? 1 : least == NULL ? -1 : 0;

        if (order == 0)
            order = (child->picked > least->picked) - (child->picked < least->picked);
        if (order == 0)
            order = (child->turn > least->turn) - (child->turn < least->turn);
        if (order == 0)
            order = strcmp(child->tie, least->tie);
        if (order < 0)
            least = child;
    }
    return least;
}

/* One pick below the node; false, and the node is empty, where there is none.  As deep as traits count. */
static bool pick_below(struct picking *p, struct node *node)
{
    bool found = false;

    if (node->children == 0) {
        found = take_from_leaf(p, node);
    } else {
        struct node *child;

        while (!found && (child = least_picked(p, node)) != NULL)
            found = pick_below(p, child);
    }
    node->picked += found;
    node->empty = !found;
    return found;
}

/* Pick up to `count` of the candidates in p->order, and forget the tree. */
static void pick(struct picking *p, size_t count)
{
    size_t total = p->choice->list.count;

    p->speaker_picks = vg_memory_take(total, sizeof *p->speaker_picks);
    p->words_picked = vg_memory_take(total, sizeof *p->words_picked);
    memset(p->speaker_picks, 0, total * sizeof *p->speaker_picks);
    memset(p->words_picked, 0, total * sizeof *p->words_picked);
    p->choice->pick_count = 0;
    sort_candidates(p);
    build(p);
    while (p->choice->pick_count < count && pick_below(p, &p->nodes[0]))
        continue;
    free(p->nodes);
    free(p->speaker_picks);
    free(p->words_picked);
    p->nodes = NULL;
    p->node_count = p->node_room = 0;
}

/* ---- speakers first ------------------------------------------------------------------------------- */

static bool ranks_before(const struct vg_candidate *a, const struct vg_candidate *b)
{
    int order = strcmp(a->rank, b->rank);

    return order < 0 || (order == 0 && strcmp(a->source->id, b->source->id) < 0);
}

/* One clip, that of lowest rank, for every speaker who has clips enough. */
static void collect_speakers(struct picking *p, size_t clips_min)
{
    struct vg_choice *choice = p->choice;
    size_t total = choice->list.count;
    size_t *best = vg_memory_take(total, sizeof *best), *clips = vg_memory_take(total, sizeof *clips);

    for (size_t i = 0; i < total; i++) {
        best[i] = SIZE_MAX;
        clips[i] = 0;
    }
    for (size_t i = 0; i < total; i++) {
        size_t speaker = choice->at[i].speaker_number;

        if (choice->at[i].out != NULL)
            continue;
        clips[speaker]++;
        if (best[speaker] == SIZE_MAX || ranks_before(&choice->at[i], &choice->at[best[speaker]]))
            best[speaker] = i;
    }
    p->count = 0;
    for (size_t i = 0; i < total; i++)
        if (best[i] != SIZE_MAX && clips[i] >= clips_min)
            p->order[p->count++] = best[i];
    free(best);
    free(clips);
}

/* Choose the speakers, balanced; every clip of theirs learns their turn. */
static void choose_speakers(struct picking *p)
{
    struct vg_choice *choice = p->choice;
    size_t total = choice->list.count, *turns = vg_memory_take(total, sizeof *turns);

    collect_speakers(p, choice->rules.count / choice->rules.speakers);
    pick(p, choice->rules.speakers);
    memset(turns, 0, total * sizeof *turns);
    for (size_t i = 0; i < choice->pick_count; i++)
        turns[choice->at[choice->picks[i]].speaker_number] = i + 1;
    for (size_t i = 0; i < total; i++)
        choice->at[i].turn = turns[choice->at[i].speaker_number];
    free(turns);
}

void vg_choice_pick_all(struct vg_choice *choice)
{
    const struct vg_select_rules *rules = &choice->rules;
    struct picking p = {.choice = choice, .per_speaker = rules->per_speaker};
    bool by_speakers = rules->speakers > 0;

    p.order = vg_memory_take(choice->list.count, sizeof *p.order);
    for (size_t i = 0; i < rules->balance_count; i++)
        p.levels[p.level_count++] = rules->balance[i];
    if (by_speakers) {
        choose_speakers(&p);
        p.level_count = 0;
        if (p.per_speaker == 0)
            p.per_speaker = (rules->count + rules->speakers - 1) / rules->speakers;
    }
    p.levels[p.level_count++] = VG_TRAIT_SPEAKER;
    p.count = 0;
    for (size_t i = 0; i < choice->list.count; i++)
        if (choice->at[i].out == NULL && (!by_speakers || choice->at[i].turn > 0))
            p.order[p.count++] = i;
    pick(&p, rules->count);
    free(p.order);
}
