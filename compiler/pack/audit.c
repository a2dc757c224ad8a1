/* SPDX-License-Identifier: MIT */
/* How well the label can be told from what a model should not use.  Per category and shortcut: the area under
 * the ROC curve (Mann-Whitney's U with midranks), and where 95 % of it would lie if labels were swapped at
 * random within pairs of opposites, each pair by its own coin.  That distribution's mean and variance are
 * known in closed form (a sum of independent signs), so nothing is drawn.  Of a very large release a sample
 * of pairs is kept: those with the least hash, whatever the order they came in. */
#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 16384, ROWS_MAX = 4 * PAIRS_MAX, GROUP_MAX = VG_TIERS_MAX * VG_CURVES * VG_DIRECTIONS };

const char *const vg_shortcut_names[VG_SHORTCUTS] = {
    "words in the name", "order of names", "place in the shard", "file size", "duration", "peak",
    "mean level",        "silence before", "silence behind"};

struct audit_row {
    uint64_t pair;
    bool up;
    double value[VG_SHORTCUTS];
};
struct audit_category {
    const char *name;
    struct audit_row *rows;
    size_t count, room;
};
/* An item of the group that is not complete. */
struct audit_waiting {
    struct vg_record record; /* key, tier and curve in the group's arena */
    struct audit_row row;
};
struct vg_audit {
    struct vg_arena arena, group_arena;
    struct audit_category *categories;
    size_t category_count, category_room;
    struct audit_waiting waiting[GROUP_MAX];
    size_t waiting_count, group;
    double place;
};

struct vg_audit *vg_audit_make(void)
{
    struct vg_audit *audit = vg_memory_take(1, sizeof *audit);

    memset(audit, 0, sizeof *audit);
    return audit;
}

/* ---- what is looked at
 * ---------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = text; length > 0 && (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
            return true;
    return false;
}

/* The label or the direction as a word of the key: of the item's own, not of what the opposite would have. */
static double words_of(const struct vg_record *record)
{
    bool found = has_word(record->key, record->label) || has_word(record->key, record->direction);
    bool up = strcmp(record->direction, vg_direction_names[VG_UP]) == 0;

    return !found ? 0 : up ? 1 : -1;
}

/* Six bytes behind the category, as a number that sorts like them. */
static double order_of(const struct vg_record *record)
{
    size_t length = strlen(record->category);
    const char *at = strncmp(record->key, record->category, length) == 0 ? record->key + length : record->key;
    double value = 0;

    at += strspn(at, "_-");
    for (int i = 0; i < 6; i++) {
        value = 256 * value + (unsigned char)*at;
        at += *at != '\0';
    }
    return value;
}

static void fill_row(struct audit_row *row, const struct vg_record *record)
{
    double rate = record->rate_hz > 0 ? record->rate_hz : 1;
    struct vg_text pair = {0};

    vg_text_addf(&pair, "%s\n%s\n%s\n%s", record->split, record->source, record->tier, record->curve);
    row->pair = vg_hash_text(pair.data, pair.length);
    vg_text_release(&pair);
    row->up = strcmp(record->direction, vg_direction_names[VG_UP]) == 0;
    row->value[VG_TOLD_BY_WORDS] = words_of(record);
    row->value[VG_TOLD_BY_ORDER] = order_of(record);
    row->value[VG_TOLD_BY_SIZE] = (double)record->flac_bytes;
    row->value[VG_TOLD_BY_DURATION] = (double)record->frames / rate;
    row->value[VG_TOLD_BY_PEAK] = record->peak;
    row->value[VG_TOLD_BY_LEVEL] = record->rms;
    row->value[VG_TOLD_BY_HEAD] = (double)record->silence_head / rate;
    row->value[VG_TOLD_BY_TAIL] = (double)record->silence_tail / rate;
}

/* ---- collecting
 * ------------------------------------------------------------------------------------------------ */

static struct audit_category *find_category(struct vg_audit *audit, const char *name)
{
    struct audit_category *old = audit->categories;

    for (size_t i = 0; i < audit->category_count; i++)
        if (strcmp(audit->categories[i].name, name) == 0)
            return &audit->categories[i];
    if (audit->category_count == audit->category_room) {
        audit->category_room = audit->category_room > 0 ? 2 * audit->category_room : 16;
        audit->categories =
            vg_arena_take_zero(&audit->arena, audit->category_room, sizeof *audit->categories);
        if (audit->category_count > 0)
            memcpy(audit->categories, old, audit->category_count * sizeof *old);
    }
    audit->categories[audit->category_count].name = vg_arena_text(&audit->arena, name);
    return &audit->categories[audit->category_count++];
}

/* By pair, up before down; rows that are equal in both are told apart by their file's size, to have one
 * order. */
static int compare_pairs(const void *a, const void *b)
{
    const struct audit_row *x = a, *y = b;

    if (x->pair != y->pair)
        return x->pair < y->pair ? -1 : 1;
    if (x->up != y->up)
        return x->up ? -1 : 1;
    return (x->value[VG_TOLD_BY_SIZE] > y->value[VG_TOLD_BY_SIZE]) -
           (x->value[VG_TOLD_BY_SIZE] < y->value[VG_TOLD_BY_SIZE]);
}

/* Keeps the pairs with the least hashes. */
static void prune(struct audit_category *category)
{
    size_t pairs = 0, kept = 0;

    /* Pairs are distinct, with a row a direction: no equals. */
    qsort(category->rows, category->count, sizeof *category->rows, compare_pairs);
    for (; kept < category->count; kept++) {
        pairs += kept == 0 || category->rows[kept].pair != category->rows[kept - 1].pair;
        if (pairs > PAIRS_MAX)
            break;
    }
    category->count = kept;
}

static void add_row(struct audit_category *category, const struct audit_row *row)
{
    if (category->count == ROWS_MAX)
        prune(category);
    vg_check(category->count < ROWS_MAX); /* a pair has two rows */
    if (category->count == category->room) {
        category->room = category->room > 0 ? 2 * category->room : 256;
        category->rows = vg_memory_grow(category->rows, category->room, sizeof *category->rows);
    }
    category->rows[category->count++] = *row;
}

/* The places in the shard follow from the keys of the group. */
static void flush_group(struct vg_audit *audit)
{
    struct vg_record *records[GROUP_MAX];
    struct vg_arena_mark empty = {0};
    size_t order[GROUP_MAX];

    for (size_t i = 0; i < audit->waiting_count; i++)
        records[i] = &audit->waiting[i].record;
    vg_records_shuffle(records, audit->waiting_count, order);
    for (size_t i = 0; i < audit->waiting_count; i++) {
        struct audit_waiting *item = &audit->waiting[order[i]];

        item->row.value[VG_TOLD_BY_PLACE] = audit->place++;
        add_row(find_category(audit, item->record.category), &item->row);
    }
    audit->waiting_count = 0;
    vg_arena_rewind(&audit->group_arena, empty);
}

void vg_audit_add(struct vg_audit *audit, const struct vg_record *record)
{
    struct audit_waiting *item;

    if (audit->waiting_count == GROUP_MAX || (audit->waiting_count > 0 && audit->group != record->group))
        flush_group(audit);
    audit->group = record->group;
    item = &audit->waiting[audit->waiting_count++];
    item->record = (struct vg_record){.key = vg_arena_text(&audit->group_arena, record->key),
                                      .category = vg_arena_text(&audit->group_arena, record->category),
                                      .tier = vg_arena_text(&audit->group_arena, record->tier),
                                      .curve = vg_arena_text(&audit->group_arena, record->curve)};
    fill_row(&item->row, record);
}

/* ---- counting
 * ---------------------------------------------------------------------------------------------------- */

struct ranked {
    double value;
    size_t row;
};

static int compare_values(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;

    return (x > y) - (x < y);
}

/* Midranks from 1: equal values share the mean of their places. */
static void rank_rows(const struct audit_category *category, enum vg_shortcut shortcut, struct ranked *sorted,
                      double *ranks)
{
    for (size_t i = 0; i < category->count; i++)
        sorted[i] = (struct ranked){category->rows[i].value[shortcut], i};
    /* Equal values get one rank. */
    qsort(sorted, category->count, sizeof *sorted, compare_values);
    for (size_t i = 0, end; i < category->count; i = end) {
        for (end = i + 1; end < category->count && sorted[end].value == sorted[i].value;)
            end++;
        for (size_t k = i; k < end; k++)
            ranks[sorted[k].row] = ((double)i + 1 + (double)end) / 2;
    }
}

static struct vg_audit_finding judge(const struct audit_category *category, const double *ranks)
{
    struct vg_audit_finding finding = {0};
    double sum = 0, mean = 0, variance = 0, up = 0, down;

    for (size_t i = 0; i < category->count; i++) {
        const struct audit_row *row = &category->rows[i];
        bool paired = i + 1 < category->count && row->pair == row[1].pair && row->up && !row[1].up;

        up += row->up;
        sum += row->up ? ranks[i] : 0;
        if (!paired) {
            bool second = i > 0 && row->pair == row[-1].pair && row[-1].up && !row->up;

            mean += row->up && !second ? ranks[i] : 0;
            continue;
        }
        finding.pairs++;
        mean += (ranks[i] + ranks[i + 1]) / 2;
        variance += (ranks[i] - ranks[i + 1]) * (ranks[i] - ranks[i + 1]) / 4;
    }
    down = (double)category->count - up;
    finding.items = category->count;
    if (up == 0 || down == 0)
        return finding;
    finding.auc = (sum - up * (up + 1) / 2) / (up * down);
    finding.expected = (mean - up * (up + 1) / 2) / (up * down);
    finding.deviation = sqrt(variance) / (up * down);
    return finding;
}

struct vg_audit_finding vg_audit_of(struct vg_audit *audit, size_t index, enum vg_shortcut shortcut)
{
    struct audit_category *category = &audit->categories[index];
    struct vg_arena tmp = {0};
    struct vg_audit_finding finding;
    struct ranked *sorted;
    double *ranks;

    prune(category);
    sorted = vg_arena_take(&tmp, category->count, sizeof *sorted);
    ranks = vg_arena_take(&tmp, category->count, sizeof *ranks);
    rank_rows(category, shortcut, sorted, ranks);
    finding = judge(category, ranks);
    vg_arena_release(&tmp);
    return finding;
}

size_t vg_audit_categories(struct vg_audit *audit)
{
    flush_group(audit);
    return audit->category_count;
}

const char *vg_audit_category(const struct vg_audit *audit, size_t index)
{
    return audit->categories[index].name;
}

bool vg_audit_tells(const struct vg_audit_finding *finding, double deviations)
{
    double off = fabs(finding->auc - finding->expected);

    return finding->pairs > 0 && off >= 0.05 && off > deviations * finding->deviation;
}

void vg_audit_release(struct vg_audit *audit)
{
    if (audit == NULL)
        return;
    for (size_t i = 0; i < audit->category_count; i++)
        free(audit->categories[i].rows);
    vg_arena_release(&audit->group_arena);
    vg_arena_release(&audit->arena);
    free(audit);
}

/* ---- as a table
 * --------------------------------------------------------------------------------------------------- */

static void add_finding(struct vg_text *out, const struct vg_audit_finding *finding)
{
    if (finding->pairs == 0) {
        vg_text_add(out, " - |");
        return;
    }
    vg_text_add(out, vg_audit_tells(finding, 3) ? " **" : " ");
    vg_text_add_fixed(out, finding->auc, 3);
    vg_text_add(out, vg_audit_tells(finding, 3) ? "** (" : " (");
    vg_text_add_fixed(out, finding->expected - 1.96 * finding->deviation, 3);
    vg_text_add_char(out, ' ');
    vg_text_add_fixed(out, finding->expected + 1.96 * finding->deviation, 3);
    vg_text_add(out, ") |");
}

void vg_audit_table(struct vg_audit *audit, struct vg_text *out)
{
    size_t categories = vg_audit_categories(audit);

    vg_text_add(out, "| category |");
    for (int k = 0; k < VG_SHORTCUTS; k++)
        vg_text_addf(out, " %s |", vg_shortcut_names[k]);
    vg_text_add(out, "\n|---|");
    for (int k = 0; k < VG_SHORTCUTS; k++)
        vg_text_add(out, "---:|");
    vg_text_add_char(out, '\n');
    for (size_t i = 0; i < categories; i++) {
        vg_text_addf(out, "| %s |", vg_audit_category(audit, i));
        for (int k = 0; k < VG_SHORTCUTS; k++) {
            struct vg_audit_finding finding = vg_audit_of(audit, i, (enum vg_shortcut)k);

            add_finding(out, &finding);
        }
        vg_text_add_char(out, '\n');
    }
}
