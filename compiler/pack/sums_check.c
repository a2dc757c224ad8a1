/* SPDX-License-Identifier: MIT */
/* Holds a folder against its two sum files.  Each file is listed twice, so that an altered file and an
 * altered list can be told apart; and both lists are fully determined by the files, so that a list is right
 * only if it is that text to the byte. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

enum { SUM_FILE_BYTES_MAX = 64 << 20, LISTS = 2, XXH128_HEX = 32, SHA256_HEX = 64 };

/* One line of a list, split in place. */
struct claim {
    const char *name, *hex;
    bool met; /* the file is there */
};
struct list {
    const char *name, *path;
    char *text;
    size_t length;
    struct claim *claims; /* by name */
    size_t count;
    bool readable;
    bool blamed; /* a diagnostic already names it */
};

static int compare_claims(const void *a, const void *b)
{
    return strcmp(((const struct claim *)a)->name, ((const struct claim *)b)->name);
}

/* A name that stands twice: the comparison of the whole text tells. */
static void drop_doubles(struct list *list)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || compare_claims(&list->claims[kept - 1], &list->claims[i]) != 0)
            list->claims[kept++] = list->claims[i];
    list->count = kept;
}

/* Lines that are no claims are passed over here: the comparison of the whole text finds them. */
static void split_claims(struct list *list, size_t hex_length, struct vg_arena *arena)
{
    char *line = vg_arena_text_part(arena, list->text, list->length);
    size_t lines = 1;

    for (size_t i = 0; i < list->length; i++)
        lines += list->text[i] == '\n';
    list->claims = vg_arena_take(arena, lines, sizeof *list->claims);
    while (*line != '\0') {
        char *end = strchr(line, '\n'), *next = end != NULL ? end + 1 : line + strlen(line);

        if (end != NULL)
            *end = '\0';
        if (strlen(line) > hex_length + 2 && line[hex_length] == ' ' && line[hex_length + 1] == ' ') {
            line[hex_length] = '\0';
            list->claims[list->count++] = (struct claim){line + hex_length + 2, line, false};
        }
        line = next;
    }
    /* Of equal names any may stay: the whole text is compared as well. */
    if (list->count > 0)
        qsort(list->claims, list->count, sizeof *list->claims, compare_claims);
    drop_doubles(list);
}

static int read_list(struct list *list, const char *folder, const char *name, size_t hex_length,
                     struct vg_arena *arena, struct vg_error *err)
{
    *list = (struct list){.name = name, .path = vg_path_join(arena, folder, name)};
    if (!vg_file_exists(list->path)) {
        list->blamed = true;
        return vg_fail(err, VG_NO, list->path, "is missing");
    }
    if (vg_file_get(list->path, SUM_FILE_BYTES_MAX, arena, &list->text, &list->length, err) != VG_OK)
        return VG_IO;
    list->readable = true;
    split_claims(list, hex_length, arena);
    return VG_OK;
}

static struct claim *find_claim(const struct list *list, const char *name)
{
    struct claim wanted = {.name = name};

    if (list->count == 0)
        return NULL;
    return bsearch(&wanted, list->claims, list->count, sizeof wanted, compare_claims);
}

static int blame_list(struct list *list, const struct list *other, bool wrong, const char *name,
                      struct vg_error *err)
{
    list->blamed = true;
    return vg_fail(err, VG_NO, list->path, "%s %s, whose digest in %s is right",
                   wrong ? "is wrong about" : "does not list", name, other->name);
}

/* A file that one list confirms is whole: then the other list is what was altered.  Where none does, `sum`
 * takes over what the lists say, so that their text can still be judged. */
static int judge_file(const char *folder, struct vg_sum *sum, struct list lists[LISTS],
                      struct vg_arena *arena, struct vg_error *err)
{
    struct claim *a = find_claim(&lists[0], sum->name), *b = find_claim(&lists[1], sum->name);
    bool a_right = a != NULL && strcmp(a->hex, sum->xxh128) == 0;
    bool b_right = b != NULL && strcmp(b->hex, sum->sha256) == 0;
    const char *path = vg_path_join(arena, folder, sum->name);

    if (a != NULL)
        a->met = true;
    if (b != NULL)
        b->met = true;
    if (a == NULL && b == NULL)
        return vg_fail(err, VG_NO, path, "is in no list of this release: an extra file");
    if (!a_right && !b_right) {
        sum->altered = true;
        vg_fail(err, VG_NO, path,
                "is altered: its XXH128 is %s and its SHA-256 %s, and the lists say otherwise", sum->xxh128,
                sum->sha256);
        if (a != NULL)
            memcpy(sum->xxh128, a->hex, XXH128_HEX + 1);
        if (b != NULL)
            memcpy(sum->sha256, b->hex, SHA256_HEX + 1);
        return VG_NO;
    }
    if (!a_right && lists[0].readable)
        return blame_list(&lists[0], &lists[1], a != NULL, sum->name, err);
    if (!b_right && lists[1].readable)
        return blame_list(&lists[1], &lists[0], b != NULL, sum->name, err);
    return VG_OK;
}

/* Claims about files that are not there. */
static int judge_absent(const char *folder, struct list *list, const struct list *other,
                        struct vg_arena *arena, struct vg_error *err)
{
    int rc = VG_OK;

    for (size_t i = 0; i < list->count; i++) {
        struct claim *claim = &list->claims[i], *again = find_claim(other, claim->name);

        if (claim->met || strcmp(claim->name, vg_checksums_name) == 0)
            continue;
        claim->met = true;
        if (again != NULL || !other->readable) {
            rc = vg_fail(err, VG_NO, vg_path_join(arena, folder, claim->name), "is listed in %s and missing",
                         list->name);
        } else {
            list->blamed = true;
            rc = vg_fail(err, VG_NO, list->path, "lists %s, which is neither there nor in %s", claim->name,
                         other->name);
        }
        if (again != NULL)
            again->met = true;
    }
    return rc;
}

/* The whole text, so that a line doubled, moved or written otherwise is found too. */
static int judge_text(struct list *list, const struct vg_text *right, struct vg_error *err)
{
    if (!list->readable || list->blamed)
        return VG_OK;
    if (list->length == right->length && memcmp(list->text, vg_text_or_empty(right), right->length) == 0)
        return VG_OK;
    list->blamed = true;
    return vg_fail(err, VG_NO, list->path, "is altered: it is not the list of the files beside it");
}

static int judge_texts(struct list lists[LISTS], const struct vg_sum *sums, size_t count,
                       struct vg_error *err)
{
    struct vg_text checksums = {0}, sha256 = {0};
    int rc;

    vg_sums_checksums(sums, count, &checksums);
    vg_sums_sha256(sums, count, &checksums, &sha256);
    rc = judge_text(&lists[0], &checksums, err);
    if (judge_text(&lists[1], &sha256, err) != VG_OK)
        rc = VG_NO;
    vg_text_release(&checksums);
    vg_text_release(&sha256);
    return rc;
}

int vg_sums_check(const char *folder, struct vg_sum *sums, size_t count, struct vg_error *err)
{
    struct vg_arena arena = {0};
    struct list lists[LISTS];
    struct vg_sum *claimed = vg_arena_take(&arena, count + 1, sizeof *claimed);
    int a = read_list(&lists[0], folder, vg_checksums_name, XXH128_HEX, &arena, err);
    int b = read_list(&lists[1], folder, vg_sha256sums_name, SHA256_HEX, &arena, err);
    bool whole = true, fine = a == VG_OK && b == VG_OK;
    size_t before = err->count, kept = 0;

    for (size_t i = 0; i < count; i++) {
        claimed[kept] = sums[i];
        (void)judge_file(folder, &claimed[kept], lists, &arena, err);
        sums[i].altered = claimed[kept].altered;
        /* an extra file is in no list and must not be in their text */
        kept += find_claim(&lists[0], sums[i].name) != NULL || find_claim(&lists[1], sums[i].name) != NULL;
    }
    for (int k = 0; k < LISTS; k++)
        whole = judge_absent(folder, &lists[k], &lists[1 - k], &arena, err) == VG_OK && whole;
    fine = fine && err->count == before;
    if (whole) /* with files missing the lists are rightly longer than the folder */
        fine = judge_texts(lists, claimed, kept, err) == VG_OK && fine;
    vg_arena_release(&arena);
    if (a == VG_IO || b == VG_IO)
        return VG_IO;
    return fine ? VG_OK : VG_NO;
}
