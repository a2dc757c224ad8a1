/* SPDX-License-Identifier: MIT */
/* Answers: what a model's words mean, and which item each row of a file of predictions is about. */
#include "answers.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { PREDICTIONS_BYTES_MAX = 1 << 30, FAULTS_MAX = 50 };

/* ---- the paper's parser
 * ---------------------------------------------------------------------------------------- */

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool is_word(char c)
{
    c = lower(c);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Is `word`, or its plural, a whole word at `at`? */
static bool stands_at(const char *text, const char *at, const char *word)
{
    size_t length = strlen(word);

    if (at > text && is_word(at[-1]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(at[i]) != lower(word[i]))
            return false;
    return !is_word(at[length + (lower(at[length]) == 's')]);
}

static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; *at != '\0'; at++)
        if (stands_at(text, at, word))
            return true;
    return false;
}

enum vg_answer vg_answer_parse(const char *text, const char *up, const char *down)
{
    bool says_up = has_word(text, up), says_down = has_word(text, down);

    if (says_up == says_down)
        return VG_NOT_UNDERSTOOD;
    return says_up ? VG_ANSWERED_UP : VG_ANSWERED_DOWN;
}

/* ---- the items
 * --------------------------------------------------------------------------------------------------- */

struct vg_roll_name {
    char hash[VG_DIGEST_HEX];
    size_t item;
};

static void add_name(struct vg_roll *roll, const char *name, size_t item)
{
    struct vg_roll_name *entry;

    if (roll->name_count == roll->name_room) {
        roll->name_room = roll->name_room > 0 ? 2 * roll->name_room : 1024;
        roll->names = vg_memory_grow(roll->names, roll->name_room, sizeof *roll->names);
    }
    entry = &roll->names[roll->name_count++];
    vg_digest_of(VG_XXH128, name, strlen(name), entry->hash);
    entry->item = item;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct vg_roll_name *)a)->hash, ((const struct vg_roll_name *)b)->hash);
}

bool vg_roll_find(const struct vg_roll *roll, const char *name, size_t *item)
{
    struct vg_roll_name wanted = {0}, *found;

    vg_digest_of(VG_XXH128, name, strlen(name), wanted.hash);
    found = roll->name_count > 0
                ? bsearch(&wanted, roll->names, roll->name_count, sizeof wanted, compare_names)
                : NULL;
    if (found != NULL)
        *item = found->item;
    return found != NULL;
}

/* Splits, categories, tiers, curves and labels are few: one copy of each. */
static const char *share(struct vg_roll *roll, const char *text)
{
    for (size_t i = 0; i < roll->word_count; i++)
        if (strcmp(roll->words[i], text) == 0)
            return roll->words[i];
    if (roll->word_count == VG_ROLL_WORDS) /* no release of ours has so many */
        return vg_arena_text(&roll->arena, text);
    roll->words[roll->word_count] = vg_arena_text(&roll->arena, text);
    return roll->words[roll->word_count++];
}

/* Hashes of the sources' ids, in order of first appearance. */
struct sources {
    char (*hashes)[VG_DIGEST_HEX];
    size_t room, last;
};

/* The sources come in the same order in every category: the search starts behind the last one found. */
static size_t number_source(struct vg_roll *roll, struct sources *sources, const char *id)
{
    char hash[VG_DIGEST_HEX];

    vg_check(sources->hashes != NULL || roll->source_count == 0);
    vg_digest_of(VG_XXH128, id, strlen(id), hash);
    for (size_t i = 0; i < roll->source_count; i++) {
        size_t at = (sources->last + i) % roll->source_count;

        if (strcmp(sources->hashes[at], hash) == 0) {
            sources->last = at;
            return at;
        }
    }
    if (roll->source_count == sources->room) {
        sources->room = sources->room > 0 ? 2 * sources->room : 64;
        sources->hashes = vg_memory_grow(sources->hashes, sources->room, sizeof *sources->hashes);
    }
    memcpy(sources->hashes[roll->source_count], hash, sizeof hash);
    sources->last = roll->source_count;
    return roll->source_count++;
}

/* What the measures say: P confirms the label, B's net has its sign (as in the oracle's tables). */
static void hear(struct vg_examined *item, const struct vg_record *record)
{
    enum vg_quantity quantity = vg_quantity_of(record->category);
    const struct vg_evidence *blind;

    if (!record->measured || quantity == VG_QUANTITIES)
        return;
    blind = &record->blind[quantity];
    item->measured = true;
    item->paired_right = record->verdict == VG_CONFIRMED;
    item->blind_right = blind->sign != 2 && (item->up ? blind->net > 0 : blind->net < 0);
}

static int add_item(struct vg_roll *roll, struct sources *sources, const struct vg_record *record,
                    struct vg_error *err)
{
    bool up = strcmp(record->direction, vg_direction_names[VG_UP]) == 0;
    const char **label = up ? &roll->up : &roll->down;
    struct vg_text name = {0};

    if (*label == NULL)
        *label = share(roll, record->label);
    if (strcmp(*label, record->label) != 0)
        return vg_fail(err, VG_NO, record->id, "has the label %s, others of its direction %s", record->label,
                       *label);
    if (roll->count == roll->room) {
        roll->room = roll->room > 0 ? 2 * roll->room : 1024;
        roll->items = vg_memory_grow(roll->items, roll->room, sizeof *roll->items);
    }
    roll->items[roll->count] = (struct vg_examined){.split = share(roll, record->split),
                                                    .category = share(roll, record->category),
                                                    .tier = share(roll, record->tier),
                                                    .curve = share(roll, record->curve),
                                                    .direction = vg_direction_names[up ? VG_UP : VG_DOWN],
                                                    .source = number_source(roll, sources, record->source),
                                                    .up = up,
                                                    .answer = VG_MISSING};
    hear(&roll->items[roll->count], record);
    add_name(roll, record->key, roll->count);
    vg_text_addf(&name, "%s__%s", record->category, record->id);
    if (strcmp(name.data, record->key) != 0)
        add_name(roll, name.data, roll->count);
    vg_text_release(&name);
    roll->count++;
    return VG_OK;
}

int vg_roll_read(struct vg_roll *roll, const char *release, struct vg_error *err)
{
    struct sources sources = {0};
    struct vg_rows rows = {0};
    bool end = false;
    int rc = vg_rows_open(&rows, release, err);

    while (rc == VG_OK && !end) {
        struct vg_record record;

        rc = vg_rows_next(&rows, &record, &end, err);
        if (rc == VG_OK && !end)
            rc = add_item(roll, &sources, &record, err);
    }
    /* Equal names mean one item. */
    if (roll->name_count > 0)
        qsort(roll->names, roll->name_count, sizeof *roll->names, compare_names);
    vg_rows_close(&rows);
    free(sources.hashes);
    return rc;
}

void vg_roll_clear(struct vg_roll *roll)
{
    for (size_t i = 0; i < roll->count; i++) {
        roll->items[i].answer = VG_MISSING;
        roll->items[i].line = 0;
    }
}

void vg_roll_release(struct vg_roll *roll)
{
    free(roll->items);
    free(roll->names);
    vg_arena_release(&roll->arena);
    *roll = (struct vg_roll){0};
}

/* ---- the predictions
 * ------------------------------------------------------------------------------------------- */

/* One row, whatever its file's kind: the value of the first of these names that it has. */
struct row {
    const json_t *object; /* of JSON lines */
    const struct vg_table *table;
    size_t index;
};

static const char *value_of(const struct row *row, const char *const *names)
{
    for (; *names != NULL; names++) {
        const char *value = NULL;

        if (row->object != NULL)
            value = json_string_value(json_object_get(row->object, *names));
        else if (vg_table_column(row->table, *names) != SIZE_MAX)
            value = vg_table_field(row->table, row->index, vg_table_column(row->table, *names));
        if (value != NULL)
            return value;
    }
    return NULL;
}

static int take_row(struct vg_roll *roll, const struct row *row, const char *place, size_t line,
                    struct vg_error *err)
{
    static const char *const names[] = {"key", "name", NULL}, *const categories[] = {"category", NULL},
                             *const ids[] = {"id", "item_id", "benchmark_clip_id", NULL},
                             *const words[] = {"response", "prediction", "answer", "output", "text", NULL};
    const char *name = value_of(row, names), *category = value_of(row, categories), *id = value_of(row, ids),
               *response = value_of(row, words);
    struct vg_text whole = {0};
    size_t item = 0;
    bool found;

    if (name == NULL && category != NULL && id != NULL)
        vg_text_addf(&whole, "%s__%s", category, id);
    if ((name == NULL && whole.length == 0) || response == NULL) {
        vg_text_release(&whole);
        return vg_fail(err, VG_SOURCE, place,
                       "names no item or no answer; expected key, or name, or category and id, and response");
    }
    found = vg_roll_find(roll, name != NULL ? name : whole.data, &item);
    vg_text_release(&whole);
    if (!found)
        return vg_fail(err, VG_SOURCE, place, "is about %s, which is no item of the release",
                       name != NULL ? name : id);
    if (roll->items[item].line > 0)
        return vg_fail(err, VG_SOURCE, place, "answers for %s again; line %zu did so already",
                       name != NULL ? name : id, roll->items[item].line);
    roll->items[item].line = line;
    roll->items[item].answer = vg_answer_parse(response, roll->up, roll->down);
    return VG_OK;
}

static int take_table(struct vg_roll *roll, const char *path, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_table table;
    int worst = vg_table_read(&table, path, arena, VG_SOURCE, err);

    for (size_t i = 0, faults = 0; worst != VG_IO && faults < FAULTS_MAX && i < table.row_count; i++) {
        struct row row = {.table = &table, .index = i};
        const char *place = vg_arena_format(arena, "%s:%zu", path, table.lines[i]);

        if (take_row(roll, &row, place, table.lines[i], err) != VG_OK) {
            worst = VG_SOURCE;
            faults++;
        }
    }
    return worst;
}

static int take_line(struct vg_roll *roll, const char *line, size_t length, const char *place, size_t number,
                     struct vg_error *err)
{
    json_error_t fault;
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &fault);
    struct row row = {.object = object};
    int rc;

    if (!json_is_object(object))
        rc = vg_fail(err, VG_SOURCE, place, "is no JSON object: %.80s", fault.text);
    else
        rc = take_row(roll, &row, place, number, err);
    json_decref(object);
    return rc;
}

static int take_lines(struct vg_roll *roll, const char *path, struct vg_arena *arena, struct vg_error *err)
{
    char *text;
    size_t count, number = 0, faults = 0;
    int worst = vg_file_get(path, PREDICTIONS_BYTES_MAX, arena, &text, &count, err);

    for (char *line = text; worst != VG_IO && faults < FAULTS_MAX && line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        size_t length = end != NULL ? (size_t)(end - line) : strlen(line);

        number++;
        if (strspn(line, " \t\r") < length &&
            take_line(roll, line, length, vg_arena_format(arena, "%s:%zu", path, number), number, err) !=
                VG_OK) {
            worst = VG_SOURCE;
            faults++;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return worst;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);

    return length > end_length && strcmp(name + length - end_length, end) == 0;
}

int vg_roll_answer(struct vg_roll *roll, const char *predictions, struct vg_error *err)
{
    struct vg_arena arena = {0};
    bool table = ends_with(predictions, ".csv") || ends_with(predictions, ".tsv");
    int rc = table ? take_table(roll, predictions, &arena, err) : take_lines(roll, predictions, &arena, err);

    vg_arena_release(&arena);
    return rc;
}
