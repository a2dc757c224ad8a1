/* SPDX-License-Identifier: MIT */
/* How people answer: scored as a model is, an answer for an item; how they agree; and beside them, on the
 * same items, what the measures and models say. */
#include "answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct asking {
    struct vg_people *people;
    struct vg_roll items, answers; /* answers: an item for each answer, sharing the texts of `items` */
    size_t *item_of;               /* of each answer */
    struct vg_judgements judgements;
    bool **model_right; /* [model][item] */
    struct vg_arena tmp;
};

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);

    return length > end_length && strcmp(name + length - end_length, end) == 0;
}

static int read_folder(struct asking *a, const char *folder, struct vg_error *err)
{
    char **names;
    size_t count, files = 0;
    int rc = vg_folder_list(folder, &a->tmp, &names, &count, err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        const char *path = vg_path_join(&a->tmp, folder, names[i]);

        if (!ends_with(names[i], ".jsonl"))
            continue;
        files++;
        rc = vg_judgements_read(&a->judgements, path, err);
        a->people->torn_bytes += a->judgements.torn_bytes;
        if (rc == VG_OK && a->judgements.torn_bytes > 0)
            vg_warn(err, path, "its last %zu bytes are no whole answer and do not count",
                    a->judgements.torn_bytes);
    }
    if (rc == VG_OK && a->judgements.count == 0)
        rc = vg_fail(err, VG_SOURCE, folder, "has no answer in %zu files that end in .jsonl", files);
    return rc == VG_OK ? vg_judgements_check_single(&a->judgements, err) : rc;
}

static int take_judgement(struct asking *a, const struct vg_judgement *judgement, const char *release_id,
                          struct vg_error *err)
{
    struct vg_examined *answer = &a->answers.items[a->answers.count];
    size_t item;

    if (strcmp(judgement->release_id, release_id) != 0)
        return vg_fail(err, VG_SOURCE, judgement->place, "is about the release %s; this one is %s",
                       judgement->release_id, release_id);
    if (!vg_roll_find(&a->items, judgement->key, &item))
        return vg_fail(err, VG_SOURCE, judgement->place, "is about %s, which is no item of the release",
                       judgement->key);
    *answer = a->items.items[item];
    answer->rater = judgement->annotator;
    answer->answer = vg_answer_parse(judgement->answer, a->items.up, a->items.down);
    if (answer->answer == VG_NOT_UNDERSTOOD)
        return vg_fail(err, VG_SOURCE, judgement->place, "answers \"%.80s\"; expected %s or %s",
                       judgement->answer, a->items.up, a->items.down);
    a->item_of[a->answers.count++] = item;
    return VG_OK;
}

static int take_judgements(struct asking *a, const char *release_id, struct vg_error *err)
{
    size_t count = a->judgements.count;
    int worst = VG_OK;

    a->answers.items = vg_memory_take(count + 1, sizeof *a->answers.items);
    a->answers.source_count = a->items.source_count;
    a->answers.up = a->items.up;
    a->answers.down = a->items.down;
    a->item_of = vg_arena_take(&a->tmp, count + 1, sizeof *a->item_of);
    for (size_t i = 0; i < count; i++) {
        int rc = take_judgement(a, &a->judgements.at[i], release_id, err);

        worst = rc != VG_OK ? rc : worst;
    }
    return worst;
}

static int read_models(struct asking *a, const char *const *predictions, size_t count, struct vg_error *err)
{
    struct vg_people *people = a->people;
    const char **names = vg_arena_take(&people->arena, count + 1, sizeof *names);
    int rc = VG_OK;

    people->models = names;
    a->model_right = vg_arena_take(&a->tmp, count + 1, sizeof *a->model_right);
    for (size_t m = 0; rc == VG_OK && m < count; m++) {
        const char *name = vg_path_name(predictions[m]), *dot = strrchr(name, '.');
        bool *right = vg_arena_take(&a->tmp, a->items.count + 1, sizeof *right);

        names[m] = vg_arena_text_part(&people->arena, name,
                                      dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
        a->model_right[m] = right;
        people->model_count++;
        vg_roll_clear(&a->items);
        rc = vg_roll_answer(&a->items, predictions[m], err);
        for (size_t i = 0; i < a->items.count; i++)
            right[i] = a->items.items[i].answer == (a->items.items[i].up ? VG_ANSWERED_UP : VG_ANSWERED_DOWN);
    }
    return rc;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static double share(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

static int compare_counts(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return (a > b) - (a < b);
}

/* Of an even number the mean of the two in the middle. */
static double median_of(uint64_t *values, size_t count)
{
    size_t low = (count > 0 ? count - 1 : 0) / 2, high = count / 2;

    if (count == 0)
        return (double)NAN;
    /* Equals cannot be told apart. */
    qsort(values, count, sizeof *values, compare_counts);
    return ((double)values[low] + (double)values[high]) / 2;
}

/* Agreement of the group's answers; the items that it is about come first, each once, in `seen`. */
static size_t agree(const struct asking *a, const struct vg_score *score, size_t *seen, unsigned *counts,
                    size_t *slot_of)
{
    size_t items = 0;

    for (size_t i = 0; i < a->answers.count; i++) {
        size_t item = a->item_of[i];
        bool up = a->answers.items[i].answer == VG_ANSWERED_UP;

        if (!vg_score_covers(score, &a->answers.items[i]))
            continue;
        if (slot_of[item] == SIZE_MAX) {
            slot_of[item] = items;
            seen[items] = item;
            counts[2 * items] = counts[2 * items + 1] = 0;
            items++;
        }
        counts[2 * slot_of[item] + (up ? 0 : 1)]++;
    }
    for (size_t i = 0; i < items; i++)
        slot_of[seen[i]] = SIZE_MAX;
    return items;
}

static void pace(const struct asking *a, struct vg_people_row *row, uint64_t *times)
{
    size_t count = 0;
    uint64_t replays = 0;

    for (size_t i = 0; i < a->answers.count; i++) {
        if (!vg_score_covers(row->score, &a->answers.items[i]))
            continue;
        times[count++] = a->judgements.at[i].response_ms;
        replays += a->judgements.at[i].replays;
    }
    row->median_ms = median_of(times, count);
    row->replays = count > 0 ? (double)replays / (double)count : (double)NAN;
}

static void stand_beside(const struct asking *a, struct vg_people_row *row, const size_t *seen)
{
    struct vg_people *people = a->people;
    double *models = vg_arena_take(&people->arena, people->model_count + 1, sizeof *models);
    size_t measured = 0, paired = 0, blind = 0;

    for (size_t i = 0; i < row->items; i++) {
        const struct vg_examined *item = &a->items.items[seen[i]];

        measured += item->measured;
        paired += item->paired_right;
        blind += item->blind_right;
    }
    row->paired = share(paired, measured);
    row->blind = share(blind, measured);
    for (size_t m = 0; m < people->model_count; m++) {
        size_t right = 0;

        for (size_t i = 0; i < row->items; i++)
            right += a->model_right[m][seen[i]];
        models[m] = share(right, row->items);
    }
    row->models = models;
}

static void add_rows(struct asking *a)
{
    struct vg_people *people = a->people;
    size_t *seen = vg_arena_take(&a->tmp, a->answers.count + 1, sizeof *seen),
           *slot_of = vg_arena_take(&a->tmp, a->items.count + 1, sizeof *slot_of);
    unsigned *counts = vg_arena_take(&a->tmp, 2 * (a->answers.count + 1), sizeof *counts);
    uint64_t *times = vg_arena_take(&a->tmp, a->answers.count + 1, sizeof *times);

    for (size_t i = 0; i < a->items.count; i++)
        slot_of[i] = SIZE_MAX;
    people->rows = vg_arena_take(&people->arena, people->scores.count + 1, sizeof *people->rows);
    for (size_t r = 0; r < people->scores.count; r++) {
        const struct vg_score *score = &people->scores.at[r];
        struct vg_people_row *row = &people->rows[people->count++];

        *row = (struct vg_people_row){.score = score, .paper = (double)NAN};
        if (strcmp(score->field, "all") == 0)
            row->paper = vg_oracle_human();
        else if (strcmp(score->field, "curve") == 0)
            row->paper = vg_oracle_human_of(score->value);
        people->annotators += strcmp(score->field, "annotator") == 0;
        row->items = agree(a, score, seen, counts, slot_of);
        vg_kappa_of(counts, row->items, 2, &row->kappa);
        stand_beside(a, row, seen);
        pace(a, row, times);
    }
}

int vg_people_read(struct vg_people *people, const char *release, const char *folder,
                   const char *const *predictions, size_t prediction_count,
                   const struct vg_score_options *options, struct vg_error *err)
{
    struct asking a = {.people = people};
    struct vg_about about;
    int rc = vg_about_read(&about, release, &a.tmp, err);

    if (rc == VG_OK)
        rc = vg_roll_read(&a.items, release, err);
    if (rc == VG_OK)
        rc = read_folder(&a, folder, err);
    if (rc == VG_OK)
        rc = take_judgements(&a, about.release_id, err);
    if (rc == VG_OK)
        rc = read_models(&a, predictions, prediction_count, err);
    if (rc == VG_OK) {
        vg_score_roll(&a.answers, options, &people->scores);
        add_rows(&a);
    }
    vg_roll_release(&a.answers);
    vg_roll_release(&a.items);
    vg_judgements_release(&a.judgements);
    vg_arena_release(&a.tmp);
    return rc;
}

void vg_people_release(struct vg_people *people)
{
    vg_scores_release(&people->scores);
    vg_arena_release(&people->arena);
    *people = (struct vg_people){0};
}
