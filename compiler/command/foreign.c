/* SPDX-License-Identifier: MIT */
/* verify --labels: the labels of somebody else's set, held against its sound.  Beside the sources P decides.
 * Without them B decides where it may by itself and where what the other items tell of the source's own trend
 * does not explain it; and the same sound under both labels shows that one of them is false.  What B hears
 * against the other labels is counted, and decides nothing. */
#include "foreign.h"

#include "checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, TOLD_MAX = 200 };

struct judging {
    struct vg_call *call;
    struct vg_published set;
    struct vg_margins margins;
    struct vg_foreign *foreign;
    struct vg_oracle *oracle;
    struct vg_ear *ears; /* one a worker */
    struct vg_overheard *slots;
    const char **places;            /* table:line of every item */
    char (*digests)[VG_DIGEST_HEX]; /* of what was heard; "" */
    double *blind;                  /* B's net where it is to be judged, else NaN */
    bool *added;                    /* recordings that the oracle knows */
    struct vg_progress progress;
    size_t false_labels, told;
};

/* ---- one item
 * ------------------------------------------------------------------------------------------------------ */

/* The first hundreds are told one by one. */
static bool is_told(struct judging *j)
{
    return j->told++ < TOLD_MAX;
}

static void add_change(struct vg_text *out, double net, const char *unit)
{
    vg_text_add_fixed(out, net, 2);
    vg_text_addf(out, " %s", unit);
}

static const char *word_of(int claimed)
{
    return claimed > 0 ? "increase" : "decrease";
}

static void judge_paired(struct judging *j, size_t index, const struct vg_overheard *heard)
{
    const struct vg_published_item *item = &j->set.items[index];
    const struct vg_evidence *own = &heard->paired[item->quantity];
    enum vg_verdict by_pair = vg_verdict_of(own, item->claimed);
    enum vg_verdict verdict =
        vg_verdict_judged(own, &heard->blind[item->quantity], &j->margins.of[item->quantity], item->claimed);
    struct vg_text change = {0};

    j->foreign->verdicts[verdict]++;
    j->foreign->below_jnd += verdict == VG_CONFIRMED && fabs(own->net_jnd) < 1;
    add_change(&change, own->net, vg_measures[item->quantity].unit);
    if (verdict == VG_UNDECIDED && is_told(j))
        vg_warn(&j->call->err, j->places[index], "%s: %s: the label \"%s\" is undecided: %s", item->name,
                item->category, word_of(item->claimed),
                by_pair == VG_CONFIRMED ? "it holds beside the source, and the sound alone shows the opposite"
                                        : "the measure says nothing of this sound");
    if (verdict == VG_OPPOSED || verdict == VG_NO_CHANGE) {
        j->false_labels++;
        if (is_told(j))
            vg_fail(&j->call->err, VG_NO, j->places[index],
                    "%s: %s: the label \"%s\" is false: beside its source there is %s (%s)", item->name,
                    item->category, word_of(item->claimed),
                    verdict == VG_OPPOSED ? "the opposite" : "no change", change.data);
    }
    vg_text_release(&change);
}

/* The net of every item is known by now, and so are the trends of the sources. */
static void judge_blind(struct judging *j, size_t index)
{
    const struct vg_published_item *item = &j->set.items[index];
    const struct vg_margin *margin = &j->margins.of[item->quantity];
    double trend = vg_oracle_trend_of(j->oracle, item->source, item->quantity);
    double net = j->blind[index] * item->claimed, own = isnan(trend) ? net : net - trend * item->claimed;
    struct vg_text change = {0};

    if (!(net <= -margin->blind))
        return;
    j->foreign->blind_opposed++;
    if (!margin->gate || !(own <= -margin->blind)) {
        j->foreign->untold++;
        return;
    }
    j->false_labels++;
    add_change(&change, j->blind[index], vg_measures[item->quantity].unit_blind);
    if (is_told(j))
        vg_fail(&j->call->err, VG_NO, j->places[index],
                "%s: %s: the label \"%s\" is false: the sound alone shows the opposite (%s)", item->name,
                item->category, word_of(item->claimed), change.data);
    vg_text_release(&change);
}

static void add_to_oracle(struct judging *j, size_t index, const struct vg_overheard *heard)
{
    const struct vg_published_item *item = &j->set.items[index];
    struct vg_oracle_item told = {.category = item->category,
                                  .id = item->id[0] != '\0' ? item->id : item->name,
                                  .source = item->source,
                                  .tier = item->tier,
                                  .curve = item->curve,
                                  .claimed = item->claimed,
                                  .paired = heard->paired_too ? heard->paired : NULL,
                                  .blind = heard->blind};

    vg_oracle_add(j->oracle, &told);
    if (!heard->paired_too || j->added[item->recording])
        return;
    j->added[item->recording] = true;
    vg_oracle_add_source(j->oracle, item->source, heard->source);
}

/* ---- all of them
 * --------------------------------------------------------------------------------------------------- */

static int hear_item(void *context, unsigned worker, size_t index)
{
    struct judging *j = context;

    (void)vg_ear_hear(&j->ears[worker], &j->set, index, &j->margins, j->places[index],
                      &j->slots[index % WINDOW]);
    return 0;
}

static int take_item(void *context, size_t index)
{
    struct judging *j = context;
    struct vg_overheard *heard = &j->slots[index % WINDOW];

    j->foreign->items += heard->heard;
    j->foreign->unheard += !heard->heard;
    j->blind[index] = (double)NAN;
    if (heard->heard && !heard->paired_too)
        j->blind[index] = heard->blind[j->set.items[index].quantity].net;
    memcpy(j->digests[index], heard->heard ? heard->digest : "", heard->heard ? sizeof heard->digest : 1);
    if (heard->err.count > 0 && is_told(j))
        vg_error_move(&j->call->err, &heard->err);
    vg_error_release(&heard->err);
    if (heard->heard) {
        if (heard->paired_too)
            judge_paired(j, index, heard);
        add_to_oracle(j, index, heard);
    }
    vg_progress_step(&j->progress, index + 1);
    return vg_interrupt_check(&j->call->err, "verify");
}

static int hear_all(struct judging *j)
{
    unsigned jobs = (unsigned)vg_call_count(j->call, "jobs", vg_pool_default_jobs());
    struct vg_arena *arena = &j->call->arena;
    int rc;

    j->ears = vg_arena_take_zero(arena, jobs, sizeof *j->ears);
    j->slots = vg_arena_take_zero(arena, WINDOW, sizeof *j->slots);
    for (unsigned i = 0; i < jobs; i++)
        j->ears[i].recording = SIZE_MAX;
    vg_interrupt_watch();
    vg_progress_begin(&j->progress, j->call, "items", j->set.count);
    rc = vg_pool_run(&(struct vg_pool_job){.context = j,
                                           .count = j->set.count,
                                           .jobs = jobs,
                                           .window = WINDOW,
                                           .work = hear_item,
                                           .done = take_item});
    vg_progress_end(&j->progress);
    for (unsigned i = 0; i < jobs; i++)
        vg_ear_release(&j->ears[i]);
    for (size_t i = 0; i < WINDOW; i++)
        vg_error_release(&j->slots[i].err);
    return rc;
}

/* ---- the same sound under both labels
 * ------------------------------------------------------------------------------ */

struct twin {
    const char *digest;
    const struct vg_published_item *item;
    size_t index;
};

static int compare_twins(const void *a, const void *b)
{
    const struct twin *x = a, *y = b;
    int order = strcmp(x->digest, y->digest);

    order = order != 0 ? order : strcmp(x->item->category, y->item->category);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* Items twins[0..count) have one sound and one category. */
static void judge_twins(struct judging *j, const struct twin *twins, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t other = 0;

        while (other < count && twins[other].item->claimed == twins[i].item->claimed)
            other++;
        if (other == count)
            return; /* all have one label */
        j->foreign->twins++;
        j->false_labels++;
        if (is_told(j))
            vg_fail(&j->call->err, VG_NO, j->places[twins[i].index],
                    "%s: %s: the label \"%s\" cannot be true: line %zu has the same samples and says \"%s\"",
                    twins[i].item->name, twins[i].item->category, word_of(twins[i].item->claimed),
                    twins[other].item->line, word_of(twins[other].item->claimed));
    }
}

static void find_twins(struct judging *j)
{
    struct twin *twins = vg_memory_take(j->set.count + 1, sizeof *twins);
    size_t count = 0;

    for (size_t i = 0; i < j->set.count; i++)
        if (j->digests[i][0] != '\0')
            twins[count++] = (struct twin){j->digests[i], &j->set.items[i], i};
    /* Distinct: the last key is the index. */
    if (count > 0)
        qsort(twins, count, sizeof *twins, compare_twins);
    for (size_t from = 0, to; from < count; from = to) {
        to = from + 1;
        while (to < count && strcmp(twins[to].digest, twins[from].digest) == 0 &&
               strcmp(twins[to].item->category, twins[from].item->category) == 0)
            to++;
        judge_twins(j, twins + from, to - from);
    }
    free(twins);
}

/* ---- the step
 * ------------------------------------------------------------------------------------------------------ */

static void say_result(const struct judging *j, const char *table)
{
    const struct vg_foreign *f = j->foreign;

    if (j->told > TOLD_MAX)
        vg_warn(&j->call->err, table, "has %zu more rows of which there is something to tell",
                j->told - TOLD_MAX);
    if (f->has_sources)
        vg_say(j->call,
               "%s: %zu items heard beside their sources; labels: %zu confirmed (%zu below one JND), %zu "
               "opposed, %zu no change, %zu undecided",
               table, f->items, f->verdicts[VG_CONFIRMED], f->below_jnd, f->verdicts[VG_OPPOSED],
               f->verdicts[VG_NO_CHANGE], f->verdicts[VG_UNDECIDED]);
    else
        vg_say(j->call,
               "%s: %zu items heard without their sources; labels: %zu opposed, %zu with the sound of the "
               "other label; %zu more sound opposed, which without the source decides nothing",
               table, f->items, f->blind_opposed - f->untold, f->twins, f->untold);
}

static int judge_set(struct judging *j, const char *table)
{
    struct vg_arena *arena = &j->call->arena;
    int rc;

    j->places = vg_arena_take(arena, j->set.count + 1, sizeof *j->places);
    j->blind = vg_arena_take(arena, j->set.count + 1, sizeof *j->blind);
    j->digests = vg_arena_take_zero(arena, j->set.count + 1, sizeof *j->digests);
    j->added = vg_arena_take_zero(arena, j->set.recording_count + 1, sizeof *j->added);
    for (size_t i = 0; i < j->set.count; i++)
        j->places[i] = vg_arena_format(arena, "%s:%zu", table, j->set.items[i].line);
    rc = hear_all(j);
    if (rc != VG_OK)
        return rc;
    vg_oracle_sum(j->oracle, &j->margins);
    for (size_t i = 0; i < j->set.count; i++)
        judge_blind(j, i);
    if (!j->foreign->has_sources)
        find_twins(j);
    say_result(j, table);
    return j->foreign->unheard > 0 ? VG_SOURCE : j->false_labels > 0 ? VG_NO : VG_OK;
}

int vg_check_foreign(struct vg_call *call, struct vg_foreign *foreign, struct vg_oracle *oracle)
{
    const char *table = vg_call_text(call, "labels", NULL), *sources = vg_call_text(call, "sources", NULL);
    struct judging j = {.call = call, .foreign = foreign, .oracle = oracle};
    int rc, read;

    vg_margins_read(&j.margins, NULL);
    foreign->has_sources = sources != NULL;
    read = vg_published_read(&j.set, table, vg_call_text(call, "audio", NULL), sources, &call->err);
    if (read == VG_OK && j.set.count == 0)
        read = vg_fail(&call->err, VG_SOURCE, table, "has no row");
    rc = j.set.count > 0 ? judge_set(&j, table) : VG_OK;
    foreign->unheard += j.set.faults;
    vg_published_release(&j.set);
    return read != VG_OK ? read : rc;
}
