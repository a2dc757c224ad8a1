/* SPDX-License-Identifier: MIT */
/* Kind `commonvoice-spontaneous`: Common Voice Spontaneous Speech, a folder or archive for each locale,
 * sps-corpus-VERSION-DATE-LOCALE/{audios/,ss-corpus-LOCALE.tsv,ss-reported-audios-LOCALE.tsv}.  Columns are
 * found by name; the tables know no quoting; reported recordings are left alone unless the entry asks. */
#include "kinds.h"
#include "locales.h"

#include <stdlib.h>
#include <string.h>

static const struct vg_key_rule spontaneous_keys[] = {
    VG_CORPUS_KEYS,
    {"locales", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "languages, as the corpus calls its folders; else all"},
    {"splits", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "of the column `split`: train, dev, test, ...; else all"},
    {"reported", VG_KEY_CHOICE, 0, 0, 0, "exclude|keep", NULL,
     "recordings that listeners reported (exclude)"},
    {0},
};

static const char folder_prefix[] = "sps-corpus-", table_prefix[] = "ss-corpus-";

enum column { CLIENT, FILE_NAME, DURATION, TEXT, GENDER, ACCENT, SPLIT, TAGS, COLUMNS };

struct listing {
    struct vg_corpus corpus;
    struct vg_locales locales;
    size_t reported; /* left alone */
};

/* ---- which locales ------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* "ss-corpus-cs.tsv" as "cs"; NULL for any other name. */
static const char *locale_of_table(const char *name, struct vg_arena *arena)
{
    size_t length = strlen(name), prefix = sizeof table_prefix - 1;

    if (!begins(name, table_prefix) || length < prefix + 5 || strcmp(name + length - 4, ".tsv") != 0)
        return NULL;
    return vg_arena_text_part(arena, name + prefix, length - prefix - 4);
}

/* "sps-corpus-4.0-2026-06-12-cs" of locale cs as "4.0-2026-06-12". */
static const char *version_of(const struct listing *l, const char *folder, const char *locale)
{
    const char *name = vg_path_name(folder[0] != '\0' ? folder : l->corpus.tree->root);
    size_t length = strlen(name), ends = strlen(locale) + 1, prefix = sizeof folder_prefix - 1;

    if (!begins(name, folder_prefix) || length < prefix + ends)
        return "";
    return vg_arena_text_part(l->corpus.arena, name + prefix, length - prefix - ends);
}

/* Could a folder or archive of this name hold a locale that is asked for?  Others are not even opened. */
static bool is_wanted(const struct listing *l, const char *name)
{
    const struct vg_node *asked = vg_node_find(l->corpus.entry, "locales");
    size_t length = vg_archive_stem(name);

    for (size_t i = 0; asked != NULL && i < asked->count; i++) {
        const char *locale = asked->entries[i].value->text;
        size_t tail = strlen(locale);

        if (length > tail && name[length - tail - 1] == '-' &&
            memcmp(name + length - tail, locale, tail) == 0)
            return true;
    }
    return asked == NULL;
}

/* A corpus folder holds its table; any other holds corpus folders or archives. */
static int find_locales(struct listing *l, const char *folder, unsigned depth)
{
    char **names;
    size_t count;
    int rc = vg_tree_list(l->corpus.tree, folder, &names, &count, l->corpus.err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        const char *locale = locale_of_table(names[i], l->corpus.arena);
        char *below = vg_tree_join(l->corpus.arena, folder, names[i]);

        if (locale != NULL)
            rc = vg_locales_add(&l->locales, &l->corpus, locale, folder, version_of(l, folder, locale));
        else if (depth < 2 && begins(names[i], folder_prefix) && is_wanted(l, names[i]) &&
                 vg_tree_has_folder(l->corpus.tree, below))
            rc = find_locales(l, below, depth + 1);
    }
    return rc;
}

/* ---- what was reported --------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* File names of reported recordings, sorted; none where the release has no such table. */
static int read_reported(struct listing *l, const struct vg_locale *locale, const char ***files,
                         size_t *count)
{
    struct vg_column column = {{"audio_file"}, true, 0};
    struct vg_arena *arena = l->corpus.arena;
    char *path = vg_tree_join(arena, locale->folder,
                              vg_arena_format(arena, "ss-reported-audios-%s.tsv", locale->name));
    struct vg_table table;
    int rc;

    *count = 0;
    if (strcmp(vg_node_text(l->corpus.entry, "reported", "exclude"), "keep") == 0 ||
        !vg_tree_has(l->corpus.tree, path))
        return VG_OK;
    rc = vg_corpus_table(&l->corpus, &table, path);
    if (rc == VG_OK)
        rc = vg_corpus_columns(&l->corpus, &table, &column, 1);
    if (rc != VG_OK)
        return rc;
    *files = vg_arena_take(arena, table.row_count + 1, sizeof **files);
    for (size_t i = 0; i < table.row_count; i++)
        (*files)[(*count)++] = vg_table_field(&table, i, column.at);
    if (*count > 0)
        qsort(*files, *count, sizeof **files, compare_texts); /* equals are the same */
    return VG_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static void add_clip(struct listing *l, const struct vg_locale *locale, const struct vg_table *table,
                     const struct vg_column *columns, size_t index)
{
    struct vg_arena *arena = l->corpus.arena;
    const char *file = vg_table_field(table, index, columns[FILE_NAME].at);
    struct vg_row *row;
    struct vg_source *source = vg_corpus_add(&l->corpus, vg_table_place(table, index, arena), &row);

    source->clip_id = vg_arena_text_part(arena, file, strcspn(file, "."));
    source->id = source->clip_id;
    source->speaker_id = vg_table_field(table, index, columns[CLIENT].at);
    source->text = vg_table_field(table, index, columns[TEXT].at);
    source->gender = vg_table_field(table, index, columns[GENDER].at);
    source->locale = locale->name;
    row->accent = vg_table_field(table, index, columns[ACCENT].at);
    row->tags = vg_table_field(table, index, columns[TAGS].at);
    row->split = vg_table_field(table, index, columns[SPLIT].at);
    row->version = locale->version;
    vg_row_duration(row, source, "duration_ms", vg_table_field(table, index, columns[DURATION].at), 0.001,
                    arena);
    vg_row_place(row, source, vg_tree_join(arena, locale->folder, "audios"), file, arena);
    if (source->speaker_id[0] == '\0')
        vg_source_fault(source, arena, "client_id is empty");
}

static void add_clips(struct listing *l, const struct vg_locale *locale, const struct vg_table *table,
                      const struct vg_column *columns, const char **reported, size_t reported_count)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const char *file = vg_table_field(table, i, columns[FILE_NAME].at);

        if (!vg_entry_lists(l->corpus.entry, "splits", vg_table_field(table, i, columns[SPLIT].at)))
            continue;
        if (reported_count > 0 &&
            bsearch(&file, reported, reported_count, sizeof *reported, compare_texts) != NULL)
            l->reported++;
        else
            add_clip(l, locale, table, columns, i);
    }
}

static int list_locale(struct listing *l, const struct vg_locale *locale)
{
    struct vg_column columns[COLUMNS] = {
        [CLIENT] = {{"client_id"}, true, 0},     [FILE_NAME] = {{"audio_file"}, true, 0},
        [DURATION] = {{"duration_ms"}, true, 0}, [TEXT] = {{"transcription"}, true, 0},
        [GENDER] = {{"gender"}, false, 0},       [ACCENT] = {{"accents"}, false, 0},
        [SPLIT] = {{"split"}, false, 0},         [TAGS] = {{"quality_tags"}, false, 0},
    };
    struct vg_arena *arena = l->corpus.arena;
    char *path =
        vg_tree_join(arena, locale->folder, vg_arena_format(arena, "ss-corpus-%s.tsv", locale->name));
    const char **reported = NULL;
    size_t reported_count = 0;
    struct vg_table table;
    int rc = vg_corpus_table(&l->corpus, &table, path);

    l->corpus.name = vg_arena_format(arena, "Common Voice Spontaneous Speech%s%s",
                                     locale->version[0] != '\0' ? " " : "", locale->version);
    if (rc == VG_OK)
        rc = vg_corpus_columns(&l->corpus, &table, columns, COLUMNS);
    if (rc == VG_OK)
        rc = read_reported(l, locale, &reported, &reported_count);
    if (rc == VG_OK)
        add_clips(l, locale, &table, columns, reported, reported_count);
    return rc;
}

static int list_spontaneous(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                            struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct listing l = {0};
    int rc = vg_corpus_begin(&l.corpus, spec, entry, split, NULL, list, arena, err);

    l.corpus.licence = "CC0-1.0";
    if (rc == VG_OK)
        rc = find_locales(&l, "", 0);
    if (rc == VG_OK)
        rc = vg_locales_check(&l.locales, &l.corpus, "sps-corpus-*/ss-corpus-LOCALE.tsv");
    for (size_t i = 0; rc == VG_OK && i < l.locales.count; i++)
        rc = list_locale(&l, &l.locales.at[i]);
    if (l.reported > 0)
        vg_warn(err, l.corpus.tree->root, "%zu recordings were reported by listeners and are left alone",
                l.reported);
    return rc != VG_OK ? rc : vg_corpus_finish(&l.corpus);
}

const struct vg_source_kind vg_kind_spontaneous = {
    .words = {.name = "commonvoice-spontaneous", .keys = spontaneous_keys, .check = vg_select_check},
    .list = list_spontaneous,
    .load = vg_corpus_load,
    .recorded = true,
};
