/* SPDX-License-Identifier: MIT */
/* What people hear of a finished release: the sources that it was made from give the same choice as the plan
 * did; one pass over the manifest finds the items. */
#include "study.h"

#include <string.h>

/* The choice of one category, and where each source's item is in it. */
struct choice {
    struct vg_annotated *chosen;
    size_t *of_source; /* index of the chosen one, or SIZE_MAX */
    size_t count, first;
    const char *name;
};
struct choosing {
    struct vg_study *study;
    const struct vg_spec *spec;
    const struct vg_spec_split *split;
    const char **ids, **speakers; /* of the split's sources, in order */
    size_t source_count, last;
    struct choice *choices; /* as the split's categories */
    bool *found;            /* of study->items */
    struct vg_arena tmp;
};

/* ---- the sources --------------------------------------------------------------------------------------- */

static int read_sources(struct choosing *c, const char *release, struct vg_error *err)
{
    const char *path = vg_path_join(&c->tmp, release, "sources.csv");
    struct vg_table table;
    int rc = vg_table_read(&table, path, &c->tmp, VG_NO, err);
    size_t id, split, speaker, skipped;

    if (rc != VG_OK)
        return rc;
    id = vg_table_column(&table, "id");
    split = vg_table_column(&table, "split");
    speaker = vg_table_column(&table, "speaker_id");
    skipped = vg_table_column(&table, "skipped");
    if (id == SIZE_MAX || split == SIZE_MAX || speaker == SIZE_MAX || skipped == SIZE_MAX)
        return vg_fail(err, VG_NO, path, "has not the columns id, split, speaker_id and skipped");
    c->ids = vg_arena_take(&c->tmp, table.row_count + 1, sizeof *c->ids);
    c->speakers = vg_arena_take(&c->tmp, table.row_count + 1, sizeof *c->speakers);
    for (size_t i = 0; i < table.row_count; i++) {
        if (strcmp(vg_table_field(&table, i, split), c->split->name) != 0 ||
            vg_table_field(&table, i, skipped)[0] != '\0')
            continue;
        c->ids[c->source_count] = vg_table_field(&table, i, id);
        c->speakers[c->source_count++] = vg_table_field(&table, i, speaker);
    }
    return VG_OK;
}

/* Sources come in the same order in every category: the search starts at the last one found. */
static size_t source_of(struct choosing *c, const char *id)
{
    for (size_t i = 0; i < c->source_count; i++) {
        size_t at = (c->last + i) % c->source_count;

        if (strcmp(c->ids[at], id) == 0) {
            c->last = at;
            return at;
        }
    }
    return SIZE_MAX;
}

/* ---- the choice
 * -------------------------------------------------------------------------------------------- */

static void choose(struct choosing *c, size_t index, size_t wanted)
{
    const struct vg_spec *spec = c->spec;
    struct choice *choice = &c->choices[index];
    struct vg_annotation_pool pool = {.speakers = c->speakers,
                                      .sources = c->source_count,
                                      .tiers = spec->tier_count,
                                      .curves = spec->curve_count,
                                      .directions = spec->direction_count};

    choice->name = spec->categories[c->split->categories[index]].words->name;
    pool.seed = vg_annotation_seed(spec, c->split->name, choice->name, &c->tmp);
    choice->chosen = vg_arena_take(&c->tmp, wanted, sizeof *choice->chosen);
    choice->count = vg_annotation_choose(&pool, wanted, choice->chosen, &c->tmp);
    choice->first = c->study->item_count;
    c->study->item_count += choice->count;
    choice->of_source = vg_arena_take(&c->tmp, c->source_count + 1, sizeof *choice->of_source);
    for (size_t i = 0; i < c->source_count; i++)
        choice->of_source[i] = SIZE_MAX;
    for (size_t i = 0; i < choice->count; i++)
        choice->of_source[choice->chosen[i].source] = i;
}

/* Index of the record among all chosen, or SIZE_MAX. */
static size_t place_of(struct choosing *c, const struct vg_record *record)
{
    for (size_t k = 0; k < c->split->category_count; k++) {
        const struct choice *choice = &c->choices[k];
        const struct vg_annotated *chosen;
        size_t source;

        if (strcmp(choice->name, record->category) != 0)
            continue;
        source = source_of(c, record->source);
        if (source == SIZE_MAX || choice->of_source[source] == SIZE_MAX)
            return SIZE_MAX;
        chosen = &choice->chosen[choice->of_source[source]];
        if (strcmp(record->tier, c->spec->tiers[chosen->tier]) != 0 ||
            strcmp(record->curve, vg_curve_names[c->spec->curves[chosen->curve]]) != 0 ||
            strcmp(record->direction, vg_direction_names[c->spec->directions[chosen->direction]]) != 0)
            return SIZE_MAX;
        return choice->first + choice->of_source[source];
    }
    return SIZE_MAX;
}

static int find_items(struct choosing *c, const char *release, struct vg_error *err)
{
    struct vg_study *study = c->study;
    struct vg_rows rows = {0};
    bool end = false;
    int rc = vg_rows_open(&rows, release, err);

    while (rc == VG_OK && !end) {
        struct vg_arena_mark mark = vg_arena_mark(&study->arena);
        struct vg_record record;
        size_t place = SIZE_MAX;

        rc = vg_rows_next_in(&rows, &record, &study->arena, &end, err);
        if (rc == VG_OK && !end && strcmp(record.split, c->split->name) == 0)
            place = place_of(c, &record);
        if (place == SIZE_MAX) {
            vg_arena_rewind(&study->arena, mark);
            continue;
        }
        study->items[place].record = record;
        c->found[place] = true;
    }
    vg_rows_close(&rows);
    return rc;
}

/* ---- parts: what was found, closed up ------------------------------------------------------------------ */

static char *question_of(const char *prompt, struct vg_arena *arena)
{
    const char *mark = strchr(prompt, '?');

    return mark != NULL ? vg_arena_text_part(arena, prompt, (size_t)(mark - prompt) + 1)
                        : vg_arena_text(arena, prompt);
}

static void close_up(struct choosing *c)
{
    struct vg_study *study = c->study;
    size_t count = 0;

    for (size_t k = 0; k < c->split->category_count; k++) {
        const struct choice *choice = &c->choices[k];
        struct vg_heard_part *part = &study->parts[study->part_count++];

        *part = (struct vg_heard_part){
            .category = vg_arena_text(&study->arena, choice->name),
            .question = question_of(c->spec->categories[c->split->categories[k]].prompt, &study->arena),
            .first = count};
        for (size_t i = 0; i < choice->count; i++) {
            if (!c->found[choice->first + i])
                continue;
            study->items[count] = study->items[choice->first + i];
            study->items[count++].position = i + 1;
        }
        part->count = count - part->first;
        part->lacking = choice->count - part->count;
    }
    study->item_count = count;
}

static int take(struct choosing *c, const char *release, size_t wanted, struct vg_error *err)
{
    struct vg_study *study = c->study;
    int rc = read_sources(c, release, err);

    if (rc != VG_OK)
        return rc;
    c->choices = vg_arena_take_zero(&c->tmp, c->split->category_count + 1, sizeof *c->choices);
    for (size_t k = 0; k < c->split->category_count; k++)
        choose(c, k, wanted);
    study->parts = vg_arena_take(&study->arena, c->split->category_count + 1, sizeof *study->parts);
    study->items = vg_arena_take_zero(&study->arena, study->item_count + 1, sizeof *study->items);
    c->found = vg_arena_take_zero(&c->tmp, study->item_count + 1, sizeof *c->found);
    rc = find_items(c, release, err);
    if (rc == VG_OK)
        close_up(c);
    if (rc == VG_OK && study->item_count == 0)
        rc = vg_fail(err, VG_NO, release, "has no item of the split %s to listen to", c->split->name);
    return rc;
}

static const struct vg_spec_split *find_split(const struct vg_spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->split_count; i++)
        if (strcmp(spec->splits[i].name, name != NULL ? name : "test") == 0)
            return &spec->splits[i];
    return name == NULL && spec->split_count > 0 ? &spec->splits[0] : NULL;
}

int vg_study_read(struct vg_study *study, const char *release, const struct vg_spec *spec, const char *split,
                  size_t wanted, struct vg_error *err)
{
    struct choosing c = {.study = study, .spec = spec, .split = find_split(spec, split)};
    struct vg_about about;
    int rc = vg_about_read(&about, release, &study->arena, err);

    if (rc != VG_OK)
        return rc;
    if (c.split == NULL)
        return vg_fail(err, VG_USAGE, "--split", "%s is no split of %s", split != NULL ? split : "", release);
    if (about.parts > 0)
        return vg_fail(err, VG_USAGE, release, "is part %u of %u; merge them first", about.part, about.parts);
    study->release_id = about.release_id;
    study->split = vg_arena_text(&study->arena, c.split->name);
    for (size_t i = 0; i < VG_DIRECTIONS; i++)
        study->labels[i] = vg_arena_text(&study->arena, spec->labels[i]);
    rc = take(&c, release, wanted, err);
    vg_arena_release(&c.tmp);
    return rc;
}

void vg_study_release(struct vg_study *study)
{
    vg_arena_release(&study->arena);
    *study = (struct vg_study){0};
}
