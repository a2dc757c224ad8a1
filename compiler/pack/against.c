/* SPDX-License-Identifier: MIT */
/* A release against what it should be: another folder of it, or a list of digests such as a repository keeps.
 * Unlike the release's own lists, these were not made by whoever made the release. */
#include "inside.h"

#include <string.h>

enum { LIST_BYTES_MAX = 256 << 20, XXH128_HEX = 32, SHA256_HEX = 64 };

struct claim {
    const char *name, *hex;
};
struct claims {
    struct claim *at;
    size_t count;
};

/* ---- a list -------------------------------------------------------------------------------------------- */

/* The file's name, where `path` is one of the release: alone, or in a folder called like it. */
static const char *name_in_release(const char *path, const char *release)
{
    const char *slash = strrchr(path, '/'), *start;
    size_t length = strlen(release);

    if (slash == NULL)
        return path;
    for (start = slash; start > path && start[-1] != '/';)
        start--;
    return (size_t)(slash - start) == length && memcmp(start, release, length) == 0 ? slash + 1 : NULL;
}

/* Splits "<hex>  <path>" in place; false for anything else. */
static bool split_line(char *line, const char *release, struct claim *claim)
{
    size_t hex = strspn(line, "0123456789abcdef");

    if ((hex != XXH128_HEX && hex != SHA256_HEX) || line[hex] != ' ' ||
        (line[hex + 1] != ' ' && line[hex + 1] != '*'))
        return false;
    line[hex] = '\0';
    claim->hex = line;
    claim->name = name_in_release(line + hex + 2, release);
    return claim->name != NULL && claim->name[0] != '\0';
}

static int read_claims(const char *path, const char *release, struct claims *claims, struct vg_arena *arena,
                       struct vg_error *err)
{
    char *text;
    size_t count, lines = 1;
    int rc = vg_file_get(path, LIST_BYTES_MAX, arena, &text, &count, err);

    if (rc != VG_OK)
        return rc;
    for (size_t i = 0; i < count; i++)
        lines += text[i] == '\n';
    claims->at = vg_arena_take(arena, lines, sizeof *claims->at);
    for (char *line = text; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');

        if (end != NULL)
            *end = '\0';
        claims->count += split_line(line, release, &claims->at[claims->count]);
        line = end != NULL ? end + 1 : NULL;
    }
    return claims->count > 0
               ? VG_OK
               : vg_fail(err, VG_NO, path,
                         "lists no file of %s; expected lines of a digest, two blanks and a path that "
                         "ends with %s/FILE or is a file's name",
                         release, release);
}

/* ---- comparing
 * ------------------------------------------------------------------------------------------------ */

static int check_claim(const char *folder, const struct claim *claim, const char *where,
                       struct vg_arena *arena, struct vg_error *err)
{
    const char *path = vg_path_join(arena, folder, claim->name);
    char hex[VG_DIGEST_HEX];
    int rc;

    if (!vg_file_exists(path))
        return vg_fail(err, VG_NO, path, "is missing; %s lists it", where);
    rc = vg_digest_of_file(strlen(claim->hex) == XXH128_HEX ? VG_XXH128 : VG_SHA256, path, hex, NULL, err);
    if (rc == VG_OK && strcmp(hex, claim->hex) != 0)
        rc = vg_fail(err, VG_NO, path, "has the digest %s; %s says %s", hex, where, claim->hex);
    return rc;
}

static bool is_claimed(const struct claims *claims, const char *name)
{
    for (size_t i = 0; i < claims->count; i++)
        if (strcmp(claims->at[i].name, name) == 0)
            return true;
    return false;
}

/* The release's own lists may be left out of a list: they follow from the rest. */
static bool may_be_unlisted(const char *name)
{
    return strcmp(name, vg_checksums_name) == 0 || strcmp(name, vg_sha256sums_name) == 0 ||
           vg_sums_is_signature(name);
}

static int check_all(const char *folder, const struct claims *claims, const char *where,
                     struct vg_arena *arena, struct vg_error *err)
{
    char **names;
    size_t count;
    int worst = vg_folder_list(folder, arena, &names, &count, err);

    for (size_t i = 0; worst != VG_IO && i < claims->count; i++) {
        int rc = check_claim(folder, &claims->at[i], where, arena, err);

        worst = rc != VG_OK ? rc : worst;
    }
    for (size_t i = 0; worst != VG_IO && i < count; i++)
        if (!is_claimed(claims, names[i]) && !may_be_unlisted(names[i]))
            worst = vg_fail(err, VG_NO, vg_path_join(arena, folder, names[i]), "is not in %s: an extra file",
                            where);
    return worst;
}

/* The other folder's files as claims. */
static int claims_of_folder(const char *folder, unsigned jobs, struct claims *claims, struct vg_arena *arena,
                            struct vg_error *err)
{
    struct vg_sum *sums;
    size_t count;
    int rc = vg_sums_of_folder(folder, jobs, &sums, &count, arena, err);

    claims->at = vg_arena_take(arena, count + 1, sizeof *claims->at);
    for (size_t i = 0; rc == VG_OK && i < count; i++)
        claims->at[claims->count++] = (struct claim){sums[i].name, sums[i].sha256};
    return rc;
}

/* ---- the same sound from another encoder --------------------------------------------------------------- */

static const char *encoder_of(const char *folder, struct vg_arena *arena)
{
    struct vg_error unheard = {0};
    struct vg_about about;
    const char *encoder = "an encoder that is not stated";

    if (vg_about_read(&about, folder, arena, &unheard) == VG_OK)
        for (size_t i = 0; i < about.library_count; i++)
            if (strncmp(about.libraries[i], "libFLAC ", strlen("libFLAC ")) == 0)
                encoder = about.libraries[i];
    vg_error_release(&unheard);
    return encoder;
}

/* Do the next rows of both name the same item with the same samples?  Counts those of other FLAC bytes. */
static bool same_samples(struct vg_rows *a, struct vg_rows *b, bool *end, size_t *reencoded)
{
    struct vg_error unheard = {0};
    struct vg_record x, y;
    bool end_a = false, end_b = false;
    bool fine = vg_rows_next(a, &x, &end_a, &unheard) == VG_OK &&
                vg_rows_next(b, &y, &end_b, &unheard) == VG_OK && end_a == end_b;

    *end = end_a;
    if (fine && !end_a) {
        fine = strcmp(x.category, y.category) == 0 && strcmp(x.id, y.id) == 0 &&
               strcmp(x.audio_xxh128, y.audio_xxh128) == 0;
        *reencoded += strcmp(x.flac_xxh128, y.flac_xxh128) != 0;
    }
    vg_error_release(&unheard);
    return fine;
}

/* Two releases that differ: is it their FLAC bytes alone that differ? */
static void tell_of_encoders(const char *folder, const char *other, struct vg_arena *arena,
                             struct vg_error *err)
{
    struct vg_error unheard = {0};
    struct vg_rows a = {0}, b = {0};
    size_t items = 0, reencoded = 0;
    bool end = false;
    bool same = vg_rows_open(&a, folder, &unheard) == VG_OK && vg_rows_open(&b, other, &unheard) == VG_OK;

    while (same && !end) {
        same = same_samples(&a, &b, &end, &reencoded);
        items += same && !end;
    }
    if (same && reencoded > 0)
        vg_warn(err, folder,
                "has the same samples as %s in all %zu items; %zu FLAC files have other bytes, of another "
                "encoder (%s here, %s there)",
                other, items, reencoded, encoder_of(folder, arena), encoder_of(other, arena));
    vg_rows_close(&a);
    vg_rows_close(&b);
    vg_error_release(&unheard);
}

int vg_release_against(const char *folder, const char *other, unsigned jobs, size_t *files,
                       struct vg_error *err)
{
    struct vg_arena arena = {0};
    struct claims claims = {0};
    struct vg_about about;
    size_t length = strlen(folder);
    const char *name;
    int rc;

    while (length > 1 && folder[length - 1] == '/')
        length--;
    name = vg_path_name(vg_arena_text_part(&arena, folder, length));
    if (strcmp(name, ".") == 0 && vg_about_read(&about, folder, &arena, err) == VG_OK)
        name = vg_arena_format(&arena, "%s-%s", about.name, about.version);
    if (vg_folder_exists(other))
        rc = claims_of_folder(other, jobs, &claims, &arena, err);
    else
        rc = read_claims(other, name, &claims, &arena, err);
    if (rc == VG_OK)
        rc = check_all(folder, &claims, other, &arena, err);
    if (rc == VG_NO && vg_folder_exists(other))
        tell_of_encoders(folder, other, &arena, err);
    *files = claims.count;
    vg_arena_release(&arena);
    return rc;
}
