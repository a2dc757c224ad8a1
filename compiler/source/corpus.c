/* SPDX-License-Identifier: MIT */
/* A listing of a corpus.  Whatever order its folders and tables had, the sources come out sorted by id; rows
 * of one recording are merged, the first in the order of their texts counting, so that the order does not
 * show there either. */
#include "corpus.h"

#include "kinds.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 65535 }; /* of one text: ten minutes of speech have a fifth of that */

/* Corpora count whole MP3 frames, what an encoder pads included: three of 1152 samples at 32 kHz. */
#define SLACK_SEC 0.108

/* ---- setting out --------------------------------------------------------------------------------- */

static const char *root_of(const struct vg_spec *spec, const struct vg_node *entry, const char *other,
                           struct vg_arena *arena)
{
    const struct vg_node *outer = vg_node_find(spec->root, "root"), *inner = vg_node_find(entry, "root");

    if (outer != NULL && inner != NULL)
        return vg_path_join(arena, vg_node_path(outer, arena), inner->text);
    if (outer != NULL || inner != NULL)
        return vg_node_path(outer != NULL ? outer : inner, arena);
    return other;
}

int vg_corpus_begin(struct vg_corpus *corpus, const struct vg_spec *spec, const struct vg_spec_source *origin,
                    size_t split, const char *root, struct vg_source_list *list, struct vg_arena *arena,
                    struct vg_error *err)
{
    *corpus = (struct vg_corpus){.spec = spec,
                                 .origin = origin,
                                 .entry = origin->entry,
                                 .split = split,
                                 .first = list->count,
                                 .list = list,
                                 .name = "",
                                 .licence = "",
                                 .arena = arena,
                                 .err = err};
    root = root_of(spec, origin->entry, root, arena);
    if (root == NULL)
        return vg_node_fail(
            origin->entry, err,
            "no root: where does the corpus lie? Write root: FOLDER, or give --set root=FOLDER");
    corpus->tree = vg_arena_take_zero(arena, 1, sizeof *corpus->tree);
    vg_tree_init(corpus->tree, root, arena);
    return vg_tree_enter(corpus->tree, "", err);
}

struct vg_source *vg_corpus_add(struct vg_corpus *corpus, const char *place, struct vg_row **row)
{
    struct vg_source *source = vg_source_add(corpus->list, corpus->origin, corpus->split, corpus->arena);

    *row = vg_arena_take(corpus->arena, 1, sizeof **row);
    **row = (struct vg_row){.tree = corpus->tree,
                            .path = "",
                            .accent = "",
                            .tags = "",
                            .split = "",
                            .version = "",
                            .fallback = "",
                            .remark = "",
                            .duration_sec = -1,
                            .slack_sec = SLACK_SEC};
    source->place = place;
    source->detail = *row;
    source->corpus = vg_node_text(corpus->entry, "corpus", corpus->name);
    source->licence = vg_node_text(corpus->entry, "licence", corpus->licence);
    return source;
}

void vg_source_fault(struct vg_source *source, struct vg_arena *arena, const char *format, ...)
{
    struct vg_text text = {0};
    va_list args;

    if (source->left_out != NULL)
        vg_text_addf(&text, "%s; ", source->left_out);
    va_start(args, format);
    vg_text_addv(&text, format, args);
    va_end(args);
    source->left_out = vg_arena_text(arena, text.data);
    vg_text_release(&text);
}

int vg_corpus_fail(struct vg_corpus *corpus, const char *path, const char *format, ...)
{
    struct vg_text text = {0};
    va_list args;
    int rc;

    va_start(args, format);
    vg_text_addv(&text, format, args);
    va_end(args);
    rc = vg_fail(corpus->err, VG_SOURCE, vg_tree_path(corpus->tree, path, corpus->arena), "%s",
                 vg_text_or_empty(&text));
    vg_text_release(&text);
    return rc;
}

/* ---- order and repeated rows --------------------------------------------------------------------- */

static const struct vg_row *row_of(const struct vg_source *source)
{
    return source->detail;
}

/* While the listing is under way its rows are still written. */
static struct vg_row *own_row(struct vg_source *source)
{
    return (struct vg_row *)source->detail;
}

/* By id; of one id the sound ones first, then those with a text, then by all they say.  What compares equal
 * here is the same in everything that is kept. */
static int compare_sources(const void *a, const void *b)
{
    const struct vg_source *x = a, *y = b;
    const char *const texts[][2] = {
        {row_of(x)->path, row_of(y)->path},     {x->text, y->text},
        {x->speaker_id, y->speaker_id},         {x->gender, y->gender},
        {row_of(x)->accent, row_of(y)->accent}, {row_of(x)->tags, row_of(y)->tags},
        {x->sentence_id, y->sentence_id},       {x->locale, y->locale},
        {row_of(x)->split, row_of(y)->split},   {x->place, y->place}};
    int order = strcmp(x->id, y->id);

    if (order == 0)
        order = (x->left_out != NULL) - (y->left_out != NULL);
    if (order == 0)
        order = (x->text[0] == '\0') - (y->text[0] == '\0');
    for (size_t i = 0; order == 0 && i < sizeof texts / sizeof *texts; i++)
        order = strcmp(texts[i][0], texts[i][1]);
    return order;
}

/* A row that names the recording of the one before it: false where it names another one by the same id. */
static bool merge(struct vg_corpus *corpus, struct vg_source *kept, struct vg_source *repeated)
{
    struct vg_row *row = own_row(kept);

    if (strcmp(row->path, row_of(repeated)->path) != 0)
        return false;
    if (strcmp(kept->speaker_id, repeated->speaker_id) != 0)
        vg_row_remark(row, corpus->arena, "its table names it under several speakers");
    else if (kept->text[0] != '\0' && repeated->text[0] != '\0' && strcmp(kept->text, repeated->text) != 0)
        vg_row_remark(row, corpus->arena, "its table names it with several texts, the first counts");
    else if (strstr(row->remark, "several rows") == NULL)
        vg_row_remark(row, corpus->arena, "several rows of its table name it, the first counts");
    return true;
}

static void merge_rows(struct vg_corpus *corpus)
{
    struct vg_source *at = corpus->list->at + corpus->first;
    size_t count = corpus->list->count - corpus->first, kept = 0, merged = 0;

    for (size_t i = 0; i < count; i++) {
        struct vg_source *last = kept > 0 ? &at[kept - 1] : NULL;
        bool again =
            last != NULL && at[i].id[0] != '\0' && strcmp(at[i].id, last->id) == 0 && at[i].left_out == NULL;

        if (again && last->left_out == NULL && merge(corpus, last, &at[i])) {
            merged++;
            continue;
        }
        if (again)
            vg_source_fault(&at[i], corpus->arena, "id \"%s\" stands already at %s; ids must be unique",
                            at[i].id, vg_path_name(last->place));
        at[kept++] = at[i];
    }
    corpus->list->count = corpus->first + kept;
    if (merged > 0)
        vg_warn(corpus->err, corpus->tree->root, "%zu rows name a recording again; the first of each counts",
                merged);
}

/* ---- what the entry asks for --------------------------------------------------------------------- */

struct asked {
    const struct vg_node *node;
    bool found;
};

static int compare_asked(const void *a, const void *b)
{
    return strcmp(((const struct asked *)a)->node->text, ((const struct asked *)b)->node->text);
}

static int compare_id(const void *id, const void *asked)
{
    return strcmp(id, ((const struct asked *)asked)->node->text);
}

static struct asked *read_asked(const struct vg_corpus *corpus, size_t *count)
{
    const struct vg_node *ids = vg_node_find(corpus->entry, "ids");
    struct asked *asked;

    *count = ids != NULL ? ids->count : 0;
    asked = vg_arena_take_zero(corpus->arena, *count + 1, sizeof *asked);
    for (size_t i = 0; i < *count; i++)
        asked[i].node = ids->entries[i].value;
    qsort(asked, *count, sizeof *asked, compare_asked); /* equals are the same */
    return asked;
}

static int fail_unknown_id(const struct vg_corpus *corpus, const struct vg_node *id, const char *const *all,
                           size_t count)
{
    const char *near = vg_nearest(id->text, all, count);

    return vg_node_fail(id, corpus->err, "%s has no source \"%s\"%s%s%s", corpus->tree->root, id->text,
                        near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                        near != NULL ? "\"?" : "");
}

/* Mark the ids that are there; those that are not are faults. */
static int find_asked(const struct vg_corpus *corpus, struct asked *asked, size_t asked_count)
{
    const struct vg_source *at = corpus->list->at + corpus->first;
    size_t count = corpus->list->count - corpus->first;
    const char **all = vg_arena_take(corpus->arena, count + 1, sizeof *all);
    int rc = VG_OK;

    for (size_t i = 0; i < count; i++) {
        struct asked *found = bsearch(at[i].id, asked, asked_count, sizeof *asked, compare_id);

        all[i] = at[i].id;
        if (found != NULL)
            found->found = true;
    }
    for (size_t i = 0; i < asked_count; i++)
        if (!asked[i].found)
            rc = fail_unknown_id(corpus, asked[i].node, all, count);
    return rc;
}

int vg_source_tell(const struct vg_source *source, enum vg_policy policy, struct vg_error *err)
{
    if (policy == VG_POLICY_FAIL)
        return vg_fail(err, VG_SOURCE, source->place, "%s", source->left_out);
    if (policy == VG_POLICY_SKIP)
        vg_warn(err, source->place, "%s", source->left_out);
    return VG_OK;
}

static int tell_faults(const struct vg_corpus *corpus)
{
    int rc = VG_OK;

    for (size_t i = corpus->first; i < corpus->list->count; i++) {
        const struct vg_source *source = &corpus->list->at[i];
        int told = source->left_out != NULL ? vg_source_tell(source, corpus->spec->on_bad_source, corpus->err)
                                            : VG_OK;

        rc = rc != VG_OK ? rc : told;
    }
    return rc;
}

int vg_corpus_choose(struct vg_corpus *corpus)
{
    struct vg_source *at = corpus->list->at + corpus->first;
    size_t count = corpus->list->count - corpus->first, kept = 0, sound = 0, asked_count;
    size_t limit = (size_t)vg_node_integer(corpus->entry, "limit", (int64_t)count + 1);
    struct asked *asked = read_asked(corpus, &asked_count);
    int rc = asked_count > 0 ? find_asked(corpus, asked, asked_count) : VG_OK, told;

    for (size_t i = 0; i < count && sound < limit; i++) {
        if (asked_count > 0 && bsearch(at[i].id, asked, asked_count, sizeof *asked, compare_id) == NULL)
            continue;
        sound += at[i].left_out == NULL;
        at[kept++] = at[i];
    }
    corpus->list->count = corpus->first + kept;
    told = tell_faults(corpus);
    return rc != VG_OK ? rc : told;
}

/* ---- the end ------------------------------------------------------------------------------------- */

static void check_source(const struct vg_corpus *corpus, struct vg_source *source)
{
    if (source->left_out != NULL)
        return;
    vg_source_check_id(source, "id", source->id, corpus->arena);
    if (strlen(source->text) > TEXT_BYTES_MAX)
        vg_source_fault(source, corpus->arena, "its text has %zu bytes; at most %d are taken",
                        strlen(source->text), TEXT_BYTES_MAX);
}

int vg_corpus_finish(struct vg_corpus *corpus)
{
    struct vg_source_list *list = corpus->list;
    size_t rank = 0;

    if (list->count == corpus->first)
        return vg_corpus_fail(corpus, "", "holds no recording that this entry asks for");
    for (size_t i = corpus->first; i < list->count; i++)
        check_source(corpus, &list->at[i]);
    /* Equal rows are one row twice: merged next. */
    qsort(list->at + corpus->first, list->count - corpus->first, sizeof *list->at, compare_sources);
    merge_rows(corpus);
    for (size_t i = corpus->first; i < list->count; i++)
        if (list->at[i].left_out == NULL)
            own_row(&list->at[i])->rank = ++rank;
    return vg_corpus_choose(corpus);
}
