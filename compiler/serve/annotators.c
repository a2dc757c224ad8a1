/* SPDX-License-Identifier: MIT */
/* Who takes part: a table, every fault of which is told with its row.  Tokens are held as digests only. */
#include "annotate.h"

#include <string.h>

struct reading {
    struct vg_annotators *annotators;
    const struct vg_study *study;
    struct vg_table table;
    size_t name, token, categories; /* columns */
    struct vg_error *err;
    struct vg_arena tmp;
    bool faulty;
};

static void fault(struct reading *r, size_t row, const char *who, const char *sentence)
{
    vg_fail(r->err, VG_USAGE, vg_arena_format(&r->tmp, "%s:%zu", r->table.path, r->table.lines[row]), "%s %s",
            who, sentence);
    r->faulty = true;
}

/* ---- a row --------------------------------------------------------------------------------------------- */

static bool has_control(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return true;
    return false;
}

static void read_identity(struct reading *r, size_t row, struct vg_annotator *annotator)
{
    const char *name = vg_table_field(&r->table, row, r->name),
               *token = vg_table_field(&r->table, row, r->token);

    annotator->name = vg_arena_text(&r->annotators->arena, name);
    vg_digest_of(VG_SHA256, token, strlen(token), annotator->token_sha256);
    if (name[0] == '\0' || name[0] == ' ' || name[strlen(name) - 1] == ' ' || has_control(name))
        fault(r, row, "the name", "is empty, or has blanks at its ends or control characters");
    else if (strlen(name) > VG_ANNOTATOR_NAME_BYTES_MAX)
        fault(r, row, "the name", "is longer than 64 bytes");
    if (strlen(token) < VG_ANNOTATOR_TOKEN_BYTES_MIN || strlen(token) > VG_TOKEN_BYTES_MAX ||
        has_control(token))
        fault(r, row, name, "has a token that is not of 8 to 256 characters");
    for (size_t i = 0; i < row; i++) {
        if (strcmp(r->annotators->at[i].name, name) == 0)
            fault(r, row, name, "is there twice");
        if (strcmp(r->annotators->at[i].token_sha256, annotator->token_sha256) == 0)
            fault(r, row, name, "has the token of somebody else");
    }
}

static size_t find_part(const struct vg_study *study, const char *category)
{
    for (size_t i = 0; i < study->part_count; i++)
        if (strcmp(study->parts[i].category, category) == 0)
            return i;
    return SIZE_MAX;
}

static void unknown_category(struct reading *r, size_t row, const char *category)
{
    const char **names = vg_arena_take(&r->tmp, r->study->part_count + 1, sizeof *names), *near;

    for (size_t i = 0; i < r->study->part_count; i++)
        names[i] = r->study->parts[i].category;
    near = vg_nearest(category, names, r->study->part_count);
    fault(r, row, category,
          near != NULL ? vg_arena_format(&r->tmp, "is no category of the split %s; did you mean %s?",
                                         r->study->split, near)
                       : vg_arena_format(&r->tmp, "is no category of the split %s", r->study->split));
}

static void assign(struct reading *r, size_t row, struct vg_annotator *annotator, const char *category)
{
    size_t part = find_part(r->study, category);

    if (part == SIZE_MAX) {
        unknown_category(r, row, category);
        return;
    }
    for (size_t i = 0; i < annotator->part_count; i++)
        if (annotator->parts[i] == part) {
            fault(r, row, category, "is assigned twice");
            return;
        }
    annotator->parts[annotator->part_count++] = part;
}

static void read_categories(struct reading *r, size_t row, struct vg_annotator *annotator)
{
    static const char separators[] = " ,;";
    const char *at = vg_table_field(&r->table, row, r->categories);

    annotator->parts =
        vg_arena_take(&r->annotators->arena, r->study->part_count + 1, sizeof *annotator->parts);
    if (at[strspn(at, separators)] == '\0') /* all, in the grid's order */
        for (size_t i = 0; i < r->study->part_count; i++)
            annotator->parts[annotator->part_count++] = i;
    for (at += strspn(at, separators); *at != '\0'; at += strspn(at, separators)) {
        size_t length = strcspn(at, separators);

        assign(r, row, annotator, vg_arena_text_part(&r->tmp, at, length));
        at += length;
    }
}

static void list_items(struct reading *r, struct vg_annotator *annotator)
{
    struct vg_arena *arena = &r->annotators->arena;

    annotator->items = vg_arena_take(arena, r->study->item_count + 1, sizeof *annotator->items);
    annotator->answered = vg_arena_take_zero(arena, r->study->item_count + 1, sizeof *annotator->answered);
    for (size_t i = 0; i < annotator->part_count; i++) {
        const struct vg_heard_part *part = &r->study->parts[annotator->parts[i]];

        for (size_t k = 0; k < part->count; k++)
            annotator->items[annotator->item_count++] = part->first + k;
    }
}

/* ---- the table ----------------------------------------------------------------------------------------- */

static int find_columns(struct reading *r, const char *path)
{
    r->name = vg_table_column(&r->table, "name");
    r->token = vg_table_column(&r->table, "token");
    r->categories = vg_table_column(&r->table, "categories");
    if (r->name != SIZE_MAX && r->token != SIZE_MAX && r->categories != SIZE_MAX)
        return VG_OK;
    return vg_fail(r->err, VG_USAGE, vg_arena_format(&r->tmp, "%s:1", path),
                   "has no column %s; expected a header with name, token and categories",
                   r->name == SIZE_MAX    ? "name"
                   : r->token == SIZE_MAX ? "token"
                                          : "categories");
}

/* What the table says is the user's to put right; whether it can be read at all is the disk's to say. */
static int check_readable(const char *path, struct vg_error *err)
{
    FILE *stream = vg_file_open(path);

    if (stream == NULL)
        return vg_fail_errno(err, VG_IO, path, "cannot open");
    fclose(stream);
    return VG_OK;
}

int vg_annotators_read(struct vg_annotators *annotators, const char *path, const struct vg_study *study,
                       struct vg_error *err)
{
    struct reading r = {.annotators = annotators, .study = study, .err = err};
    int rc = check_readable(path, err);

    if (rc == VG_OK)
        rc = vg_table_read(&r.table, path, &r.tmp, VG_USAGE, err);
    if (rc == VG_OK)
        rc = find_columns(&r, path);
    if (rc == VG_OK && r.table.row_count == 0)
        rc = vg_fail(err, VG_USAGE, path, "names nobody");
    if (rc == VG_OK) {
        annotators->at = vg_arena_take_zero(&annotators->arena, r.table.row_count, sizeof *annotators->at);
        for (size_t i = 0; i < r.table.row_count; i++) {
            struct vg_annotator *annotator = &annotators->at[annotators->count];

            read_identity(&r, i, annotator);
            read_categories(&r, i, annotator);
            list_items(&r, annotator);
            annotators->count++;
        }
        rc = r.faulty ? VG_USAGE : VG_OK;
    }
    vg_arena_release(&r.tmp);
    return rc;
}

void vg_annotators_key(struct vg_annotators *annotators, const char *key)
{
    for (size_t i = 0; i < annotators->count; i++) {
        struct vg_annotator *annotator = &annotators->at[i];
        struct vg_digest digest;

        vg_digest_init(&digest, VG_SHA256);
        vg_digest_add(&digest, key, strlen(key));
        vg_digest_add(&digest, annotator->token_sha256, strlen(annotator->token_sha256));
        vg_digest_add(&digest, annotator->name, strlen(annotator->name));
        vg_digest_finish(&digest, annotator->cookie_sha256);
    }
}

void vg_annotators_release(struct vg_annotators *annotators)
{
    vg_arena_release(&annotators->arena);
    *annotators = (struct vg_annotators){0};
}
