/* SPDX-License-Identifier: MIT */
/* Kind `loquacious`: the Loquacious Set in its materialised form, largescaleasr_{test,dev,CONFIG_train}.csv
 * beside folders of WAV and FLAC files, or as the Parquet files it is published in.  Ids hold ":" and "/",
 * speakers and sexes are often empty. */
#include "corpus.h"
#include "kinds.h"
#include "parquet.h"

#include <string.h>

static const struct vg_key_rule loquacious_keys[] = {
    VG_CORPUS_KEYS,
    {"table", VG_KEY_CHOICE, 0, 0, 0, "train|dev|test", NULL, "split of the corpus (test)"},
    {"config", VG_KEY_CHOICE, 0, 0, 0, "small|medium|large|clean", NULL,
     "configuration; test and dev are the same in all (small)"},
    {0},
};

enum column { ID, DURATION, START, WAV, SPEAKER, SEX, TEXT, COLUMNS };

static char *table_of(const struct vg_corpus *corpus)
{
    const char *table = vg_node_text(corpus->entry, "table", "test");

    if (strcmp(table, "train") != 0)
        return vg_arena_format(corpus->arena, "largescaleasr_%s.csv", table);
    return vg_arena_format(corpus->arena, "largescaleasr_%s_train.csv",
                           vg_node_text(corpus->entry, "config", "small"));
}

/* -1 stands for a recording of its own; anything else is a piece of a longer one. */
static bool is_whole(const char *start)
{
    double value;

    return start[0] == '\0' || (vg_number_parse(start, &value) && value <= 0);
}

static void add_clip(struct vg_corpus *corpus, const struct vg_table *table, const struct vg_column *columns,
                     size_t index)
{
    struct vg_arena *arena = corpus->arena;
    const char *start = vg_table_field(table, index, columns[START].at);
    struct vg_row *row;
    struct vg_source *source = vg_corpus_add(corpus, vg_table_place(table, index, arena), &row);

    source->clip_id = vg_table_field(table, index, columns[ID].at);
    source->id = source->clip_id;
    source->speaker_id = vg_table_field(table, index, columns[SPEAKER].at);
    source->text = vg_table_field(table, index, columns[TEXT].at);
    source->gender = vg_table_field(table, index, columns[SEX].at);
    source->locale = "en";
    row->split = vg_node_text(corpus->entry, "table", "test");
    vg_row_duration(row, source, "duration", vg_table_field(table, index, columns[DURATION].at), 1, arena);
    vg_row_place(row, source, "", vg_table_field(table, index, columns[WAV].at), arena);
    if (!is_whole(start))
        vg_source_fault(source, arena, "start is %s: a piece of a longer recording; only whole ones are read",
                        start);
}

static int add_clips(struct vg_corpus *corpus, const struct vg_table *table)
{
    struct vg_column columns[COLUMNS] = {
        [ID] = {{"ID"}, true, 0},     [DURATION] = {{"duration"}, true, 0}, [START] = {{"start"}, false, 0},
        [WAV] = {{"wav"}, true, 0},   [SPEAKER] = {{"spk_id"}, false, 0},   [SEX] = {{"sex"}, false, 0},
        [TEXT] = {{"text"}, true, 0},
    };
    int rc = vg_corpus_columns(corpus, table, columns, COLUMNS);

    for (size_t i = 0; rc == VG_OK && i < table->row_count; i++)
        add_clip(corpus, table, columns, i);
    return rc;
}

static int list_table(struct vg_corpus *corpus, const char *path)
{
    struct vg_table table;
    int rc = vg_corpus_table(corpus, &table, path);

    return rc == VG_OK ? add_clips(corpus, &table) : rc;
}

/* One file after the other: a train split has thousands. */
static int list_parquet(struct vg_corpus *corpus, char *const *paths, size_t count)
{
    int rc = VG_OK;

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        struct vg_table table;

        rc = vg_parquet_table(&table, corpus->tree->root, paths[i], corpus->arena, corpus->err);
        if (rc == VG_OK)
            rc = add_clips(corpus, &table);
    }
    return rc;
}

/* The table where there is one; else Parquet files, and without them the table's absence is told. */
static int list_split(struct vg_corpus *corpus)
{
    const char *table = table_of(corpus);
    size_t count = 0;
    char **paths;
    int rc = VG_OK;

    if (!vg_tree_has(corpus->tree, table))
        rc = vg_parquet_files(corpus->tree->root, vg_node_text(corpus->entry, "config", "small"),
                              vg_node_text(corpus->entry, "table", "test"), &paths, &count, corpus->arena,
                              corpus->err);
    if (rc != VG_OK)
        return rc;
    return count > 0 ? list_parquet(corpus, paths, count) : list_table(corpus, table);
}

static int list_loquacious(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                           struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_corpus corpus;
    int rc = vg_corpus_begin(&corpus, spec, entry, split, NULL, list, arena, err);

    corpus.name = "Loquacious Set";
    if (rc == VG_OK)
        rc = list_split(&corpus);
    return rc != VG_OK ? rc : vg_corpus_finish(&corpus);
}

const struct vg_source_kind vg_kind_loquacious = {
    .words = {.name = "loquacious", .keys = loquacious_keys, .check = vg_select_check},
    .list = list_loquacious,
    .load = vg_corpus_load,
    .recorded = true,
};
