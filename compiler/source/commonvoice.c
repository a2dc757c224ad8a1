/* SPDX-License-Identifier: MIT */
/* Kind `commonvoice`: Common Voice scripted speech, cv-corpus-VERSION/LOCALE/{clips/,validated.tsv,...}, as
 * folders or as the release archives.  Columns are found by name, since they come and go between releases;
 * the tables know no quoting.  The root is a corpus folder, an archive, or a folder of such. */
#include "kinds.h"
#include "locales.h"

#include <stdlib.h>
#include <string.h>

#define SPLITS "train|dev|test|validated|invalidated|other"

static const struct vg_key_rule commonvoice_keys[] = {
    VG_CORPUS_KEYS,
    {"table", VG_KEY_CHOICE, 0, 0, 0, SPLITS, NULL, "which table of clips (validated)"},
    {"locales", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "languages, as the corpus calls its folders; else all"},
    {0},
};

enum column { CLIENT, PATH, SENTENCE_ID, SENTENCE, GENDER, ACCENT, LOCALE, COLUMNS };

struct listing {
    struct vg_corpus corpus;
    const char *table; /* "validated.tsv" */
    struct vg_locales locales;
};

/* ---- which locales ------------------------------------------------------------------------------- */

/* "cv-corpus-22.0-2025-06-20" as "22.0-2025-06-20"; "" where the folder has another name. */
static const char *version_of(const char *folder)
{
    static const char prefix[] = "cv-corpus-";
    const char *name = vg_path_name(folder);

    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : "";
}

/* Every locale in a folder that holds the asked table. */
static int find_locales(struct listing *l, const char *folder)
{
    struct vg_arena *arena = l->corpus.arena;
    const char *version = version_of(folder[0] != '\0' ? folder : l->corpus.tree->root);
    char **names;
    size_t count;
    int rc = vg_tree_list(l->corpus.tree, folder, &names, &count, l->corpus.err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        char *below = vg_tree_join(arena, folder, names[i]);

        if (vg_tree_has(l->corpus.tree, vg_tree_join(arena, below, l->table)))
            rc = vg_locales_add(&l->locales, &l->corpus, names[i], below, version);
    }
    return rc;
}

/* A folder that holds releases or their archives: look into each; else it is a release itself. */
static int find_releases(struct listing *l, const char *folder, unsigned depth)
{
    char **names;
    size_t count, releases = 0;
    int rc = vg_tree_list(l->corpus.tree, folder, &names, &count, l->corpus.err);

    for (size_t i = 0; rc == VG_OK && depth < 2 && i < count; i++) {
        char *below = vg_tree_join(l->corpus.arena, folder, names[i]);

        if (strncmp(names[i], "cv-corpus-", 10) != 0 || !vg_tree_has_folder(l->corpus.tree, below))
            continue;
        releases++;
        rc = find_releases(l, below, depth + 1);
    }
    return rc != VG_OK || releases > 0 ? rc : find_locales(l, folder);
}

/* ---- durations ----------------------------------------------------------------------------------- */

/* clip_durations.tsv, from release 16.1 on: a length in ms by file name.  It is held against the recording,
 * and is no more than that. */
struct duration {
    const char *clip, *ms;
};
struct durations {
    struct duration *at; /* by clip */
    size_t count;
};

static int compare_durations(const void *a, const void *b)
{
    const struct duration *x = a, *y = b;
    int order = strcmp(x->clip, y->clip);

    return order != 0 ? order : strcmp(x->ms, y->ms);
}

static int compare_clip(const void *clip, const void *duration)
{
    return strcmp(clip, ((const struct duration *)duration)->clip);
}

static int read_durations(struct listing *l, const struct vg_locale *locale, struct durations *durations)
{
    struct vg_column columns[] = {{{"clip"}, true, 0}, {{"duration[ms]"}, true, 0}};
    char *path = vg_tree_join(l->corpus.arena, locale->folder, "clip_durations.tsv");
    struct vg_table table;
    int rc;

    *durations = (struct durations){0};
    if (!vg_tree_has(l->corpus.tree, path))
        return VG_OK;
    rc = vg_corpus_table(&l->corpus, &table, path);
    if (rc == VG_OK)
        rc = vg_corpus_columns(&l->corpus, &table, columns, 2);
    if (rc != VG_OK || table.row_count == 0)
        return rc;
    durations->count = table.row_count;
    durations->at = vg_arena_take(l->corpus.arena, table.row_count, sizeof *durations->at);
    for (size_t i = 0; i < table.row_count; i++)
        durations->at[i] = (struct duration){vg_table_field(&table, i, columns[0].at),
                                             vg_table_field(&table, i, columns[1].at)};
    /* Equals cannot be told apart. */
    qsort(durations->at, durations->count, sizeof *durations->at, compare_durations);
    return VG_OK;
}

static double duration_of(const struct durations *durations, const char *clip)
{
    const struct duration *found = NULL;
    double ms;

    if (durations->count > 0)
        found = bsearch(clip, durations->at, durations->count, sizeof *found, compare_clip);
    return found != NULL && vg_number_parse(found->ms, &ms) ? ms / 1000 : -1;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

/* The file of a row: older releases leave out the extension, copies of others put the folder in front. */
static char *file_of(const char *path, struct vg_arena *arena)
{
    if (strncmp(path, "clips/", 6) == 0)
        path += 6;
    if (path[0] == '\0' || strchr(path, '.') != NULL)
        return vg_arena_text(arena, path);
    return vg_arena_format(arena, "%s.mp3", path);
}

static void add_clip(struct listing *l, const struct vg_locale *locale, const struct durations *durations,
                     const struct vg_table *table, const struct vg_column *columns, size_t index)
{
    struct vg_arena *arena = l->corpus.arena;
    struct vg_row *row;
    struct vg_source *source = vg_corpus_add(&l->corpus, vg_table_place(table, index, arena), &row);
    char *file = file_of(vg_table_field(table, index, columns[PATH].at), arena);
    const char *named = vg_table_field(table, index, columns[LOCALE].at);

    source->clip_id = vg_arena_text_part(arena, file, strcspn(file, "."));
    source->id = source->clip_id;
    source->speaker_id = vg_table_field(table, index, columns[CLIENT].at);
    source->sentence_id = vg_table_field(table, index, columns[SENTENCE_ID].at);
    source->text = vg_table_field(table, index, columns[SENTENCE].at);
    source->gender = vg_table_field(table, index, columns[GENDER].at);
    source->locale = locale->name;
    row->accent = vg_table_field(table, index, columns[ACCENT].at);
    row->split = vg_node_text(l->corpus.entry, "table", "validated");
    row->version = locale->version;
    row->duration_sec = duration_of(durations, file);
    vg_row_place(row, source, vg_tree_join(arena, locale->folder, "clips"), file, arena);
    if (source->speaker_id[0] == '\0')
        vg_source_fault(source, arena, "client_id is empty");
    if (named[0] != '\0' && strcmp(named, locale->name) != 0)
        vg_source_fault(source, arena, "locale is \"%s\" in the folder of %s", named, locale->name);
}

static int list_locale(struct listing *l, const struct vg_locale *locale)
{
    struct vg_column columns[COLUMNS] = {
        [CLIENT] = {{"client_id"}, true, 0},         [PATH] = {{"path"}, true, 0},
        [SENTENCE_ID] = {{"sentence_id"}, false, 0}, [SENTENCE] = {{"sentence"}, true, 0},
        [GENDER] = {{"gender"}, false, 0},           [ACCENT] = {{"accents", "accent"}, false, 0},
        [LOCALE] = {{"locale"}, false, 0},
    };
    struct vg_table table;
    struct durations durations;
    int rc = vg_corpus_table(&l->corpus, &table, vg_tree_join(l->corpus.arena, locale->folder, l->table));

    l->corpus.name = locale->version[0] != '\0'
                         ? vg_arena_format(l->corpus.arena, "Common Voice %s", locale->version)
                         : "Common Voice";
    if (rc == VG_OK)
        rc = vg_corpus_columns(&l->corpus, &table, columns, COLUMNS);
    if (rc == VG_OK)
        rc = read_durations(l, locale, &durations);
    for (size_t i = 0; rc == VG_OK && i < table.row_count; i++)
        add_clip(l, locale, &durations, &table, columns, i);
    return rc;
}

static int list_commonvoice(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                            struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct listing l = {0};
    int rc = vg_corpus_begin(&l.corpus, spec, entry, split, NULL, list, arena, err);

    l.corpus.licence = "CC0-1.0";
    l.table = vg_arena_format(arena, "%s.tsv", vg_node_text(entry->entry, "table", "validated"));
    if (rc == VG_OK)
        rc = find_releases(&l, "", 0);
    if (rc == VG_OK)
        rc = vg_locales_check(&l.locales, &l.corpus, vg_arena_format(arena, "LOCALE/%s", l.table));
    for (size_t i = 0; rc == VG_OK && i < l.locales.count; i++)
        rc = list_locale(&l, &l.locales.at[i]);
    return rc != VG_OK ? rc : vg_corpus_finish(&l.corpus);
}

const struct vg_source_kind vg_kind_commonvoice = {
    .words = {.name = "commonvoice", .keys = commonvoice_keys, .check = vg_select_check},
    .list = list_commonvoice,
    .load = vg_corpus_load,
    .recorded = true,
};
