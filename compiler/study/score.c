/* SPDX-License-Identifier: MIT */
/* Scores by group, and how sure they are.  Items of one source are no independent draws: the bootstrap draws
 * sources with replacement, the same ones for every group. */
#include "answers.h"

#include "dsp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 9, PLAIN_FIELDS = 7 };

/* A group's items by source, for the bootstrap. */
struct tally {
    uint32_t items, correct;
};
struct group {
    struct vg_score score;
    struct tally *by_source;
};
struct scoring {
    const struct vg_roll *roll;
    struct group *groups;
    size_t count, room;
    struct vg_arena *arena; /* of the scores */
    struct vg_arena tmp;
};

/* ---- groups
 * ----------------------------------------------------------------------------------------------------- */

static const char *const field_names[FIELDS] = {"all",
                                                "split",
                                                "category",
                                                "tier",
                                                "curve",
                                                "direction",
                                                "annotator",
                                                "category and tier",
                                                "category and curve"};

/* NULL: the item is in no group of this field. */
static const char *value_of(const struct vg_examined *item, int field, struct vg_text *scratch)
{
    const char *const plain[PLAIN_FIELDS] = {"",          item->split,     item->category, item->tier,
                                             item->curve, item->direction, item->rater};

    if (field < PLAIN_FIELDS)
        return plain[field];
    vg_text_clear(scratch);
    vg_text_addf(scratch, "%s %s", item->category, field == PLAIN_FIELDS ? item->tier : item->curve);
    return scratch->data;
}

/* Groups are few (some dozens), items come in an order that runs through them. */
static struct group *find_group(struct scoring *s, int field, const char *value)
{
    struct group *old = s->groups;

    for (size_t i = 0; i < s->count; i++)
        if (s->groups[i].score.field == field_names[field] && strcmp(s->groups[i].score.value, value) == 0)
            return &s->groups[i];
    if (s->count == s->room) {
        s->room = s->room > 0 ? 2 * s->room : 64;
        s->groups = vg_arena_take(&s->tmp, s->room, sizeof *s->groups);
        if (s->count > 0)
            memcpy(s->groups, old, s->count * sizeof *old);
    }
    s->groups[s->count] = (struct group){
        .score = {.field = field_names[field], .value = vg_arena_text(s->arena, value)},
        .by_source = vg_arena_take_zero(&s->tmp, s->roll->source_count + 1, sizeof(struct tally)),
    };
    return &s->groups[s->count++];
}

static void count_item(struct group *group, const struct vg_examined *item)
{
    struct vg_score *score = &group->score;
    bool correct = item->answer == (item->up ? VG_ANSWERED_UP : VG_ANSWERED_DOWN);

    score->items++;
    score->correct += correct;
    score->missing += item->answer == VG_MISSING;
    score->not_understood += item->answer == VG_NOT_UNDERSTOOD;
    score->parsed += item->answer == VG_ANSWERED_UP || item->answer == VG_ANSWERED_DOWN;
    score->up_items += item->up;
    score->up_correct += item->up && correct;
    score->up_answers += item->answer == VG_ANSWERED_UP;
    group->by_source[item->source].items++;
    group->by_source[item->source].correct += correct;
}

static double share(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

static void derive(struct vg_score *score)
{
    double up = share(score->up_correct, score->up_items);
    double down = share(score->correct - score->up_correct, score->items - score->up_items);

    score->accuracy = share(score->correct, score->items);
    score->balanced_accuracy = (up + down) / 2;
    score->bias = share(score->up_answers, score->parsed);
}

/* ---- the bootstrap
 * ------------------------------------------------------------------------------------------------ */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* times[d * sources + k]: how often source k was drawn in draw d. */
static uint16_t *draw_sources(struct scoring *s, const struct vg_score_options *options)
{
    size_t sources = s->roll->source_count;
    uint16_t *times = vg_arena_take_zero(&s->tmp, options->draws * sources + 1, sizeof *times);
    struct vg_random random;

    vg_random_seed(&random, vg_random_entropy(options->seed));
    for (size_t d = 0; d < options->draws; d++)
        for (size_t k = 0; k < sources; k++) {
            uint16_t *at = &times[d * sources + vg_random_below(&random, sources)];

            *at = (uint16_t)(*at + 1);
        }
    return times;
}

static size_t count_sources(const struct scoring *s, const struct group *group)
{
    size_t count = 0;

    for (size_t k = 0; k < s->roll->source_count; k++)
        count += group->by_source[k].items > 0;
    return count;
}

/* Percentiles of the draws in which the group has items at all; of one source there is nothing to draw. */
static void bound(const struct scoring *s, struct group *group, const uint16_t *times, size_t draws,
                  double *values)
{
    size_t sources = s->roll->source_count, count = 0, cut;

    group->score.low = group->score.high = (double)NAN;
    for (size_t d = 0; d < draws; d++) {
        uint64_t items = 0, correct = 0;

        for (size_t k = 0; k < sources; k++) {
            items += (uint64_t)times[d * sources + k] * group->by_source[k].items;
            correct += (uint64_t)times[d * sources + k] * group->by_source[k].correct;
        }
        if (items > 0)
            values[count++] = (double)correct / (double)items;
    }
    if (count == 0 || count_sources(s, group) < 2)
        return;
    /* Equals cannot be told apart. */
    qsort(values, count, sizeof *values, compare_doubles);
    cut = count / 40; /* 2.5 % on either side */
    group->score.low = values[cut];
    group->score.high = values[count - 1 - cut];
}

/* ---- all of it
 * ----------------------------------------------------------------------------------------------------- */

/* Groups stand by field, within a field in order of first appearance. */
static void hand_over(struct scoring *s, struct vg_scores *scores)
{
    scores->at = vg_arena_take(s->arena, s->count + 1, sizeof *scores->at);
    for (int field = 0; field < FIELDS; field++)
        for (size_t i = 0; i < s->count; i++)
            if (s->groups[i].score.field == field_names[field])
                scores->at[scores->count++] = s->groups[i].score;
}

void vg_score_roll(const struct vg_roll *roll, const struct vg_score_options *options,
                   struct vg_scores *scores)
{
    struct scoring s = {.roll = roll, .arena = &scores->arena};
    struct vg_text scratch = {0};
    double *values = vg_arena_take(&s.tmp, options->draws, sizeof *values);
    const uint16_t *times;

    for (size_t i = 0; i < roll->count; i++)
        for (int field = 0; field < FIELDS; field++) {
            const char *value = value_of(&roll->items[i], field, &scratch);

            if (value != NULL)
                count_item(find_group(&s, field, value), &roll->items[i]);
        }
    times = draw_sources(&s, options);
    for (size_t i = 0; i < s.count; i++) {
        derive(&s.groups[i].score);
        bound(&s, &s.groups[i], times, options->draws, values);
    }
    hand_over(&s, scores);
    vg_text_release(&scratch);
    vg_arena_release(&s.tmp);
}

bool vg_score_covers(const struct vg_score *score, const struct vg_examined *item)
{
    struct vg_text scratch = {0};
    bool covers = false;

    for (int field = 0; field < FIELDS; field++)
        if (score->field == field_names[field]) {
            const char *value = value_of(item, field, &scratch);

            covers = value != NULL && strcmp(value, score->value) == 0;
        }
    vg_text_release(&scratch);
    return covers;
}

int vg_score_release(const char *release, const char *predictions, const struct vg_score_options *options,
                     struct vg_scores *scores, struct vg_error *err)
{
    struct vg_roll roll = {0};
    int rc = vg_roll_read(&roll, release, err);

    vg_check(options->draws > 0);
    if (rc == VG_OK && roll.count == 0)
        rc = vg_fail(err, VG_NO, release, "has no item to score");
    if (rc == VG_OK)
        rc = vg_roll_answer(&roll, predictions, err);
    if (rc == VG_OK)
        vg_score_roll(&roll, options, scores);
    vg_roll_release(&roll);
    return rc;
}

void vg_scores_release(struct vg_scores *scores)
{
    vg_arena_release(&scores->arena);
    *scores = (struct vg_scores){0};
}
