/* SPDX-License-Identifier: MIT */
/* Where a clip lies in the folders each corpus is published in.  Ids come from tables of others, so none may
 * lead out of the corpus. */
#include "layout.h"
#include "parquet.h"

#include <string.h>

static int fail(const struct vg_layout_clip *clip, struct vg_error *err, const char *expected)
{
    return vg_fail(err, VG_SOURCE, clip->place, "clip id \"%s\" does not fit layout %s; expected %s",
                   clip->clip_id, clip->layout, expected);
}

static bool is_plain(const char *id)
{
    for (const char *c = id; *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' ||
              *c == '-'))
            return false;
    return *id != '\0';
}

/* VCTK: pNNN_NNN below a folder for each speaker. */
static int resolve_vctk(const struct vg_layout_clip *clip, const char *folder, const char *ending,
                        char **path, struct vg_arena *arena, struct vg_error *err)
{
    const char *bar = strchr(clip->clip_id, '_');

    if (!is_plain(clip->clip_id) || bar == NULL || bar == clip->clip_id)
        return fail(clip, err, "pNNN_NNN");
    *path = vg_arena_format(arena, "%s/%.*s/%s%s", folder, (int)(bar - clip->clip_id), clip->clip_id,
                            clip->clip_id, ending);
    return VG_OK;
}

/* The only one of `count` candidates that is there. */
static int resolve_only(const struct vg_layout_clip *clip, char **candidates, size_t count, char **path,
                        struct vg_arena *arena, struct vg_error *err)
{
    *path = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!vg_file_exists(vg_path_join(arena, clip->root, candidates[i])))
            continue;
        if (*path != NULL)
            return vg_fail(err, VG_SOURCE, clip->place, "clip \"%s\" is ambiguous: both %s and %s are there",
                           clip->clip_id, *path, candidates[i]);
        *path = candidates[i];
    }
    if (*path == NULL)
        return vg_fail(err, VG_SOURCE, clip->place,
                       "clip \"%s\" is not at %s/%s%s; is `root` the corpus folder?", clip->clip_id,
                       clip->root, candidates[0], count > 1 ? " nor beside it" : "");
    return VG_OK;
}

/* Loquacious as it is published: the clip is a row of a Parquet file of its split.  *path is NULL where there
 * are no such files, or none has it. */
static int resolve_in_parquet(const struct vg_layout_clip *clip, char **path, struct vg_arena *arena,
                              struct vg_error *err)
{
    static const char *const configs[] = {"clean", "small", "medium", "large"};
    int rc = VG_OK;

    *path = NULL;
    for (size_t i = 0; i < 4 && rc == VG_OK && *path == NULL && clip->split[0] != '\0'; i++) {
        char **files;
        size_t count;

        rc = vg_parquet_files(clip->root, configs[i], clip->split, &files, &count, arena, err);
        if (rc == VG_OK)
            rc = vg_parquet_find(clip->root, files, count, clip->clip_id, path, arena, err);
    }
    return rc;
}

/* Loquacious, materialised: <split>/audio/<id>.<wav or flac>, with every byte of the id that is unsafe in a
 * name turned into "_". */
static int resolve_loquacious(const struct vg_layout_clip *clip, char **path, struct vg_arena *arena,
                              struct vg_error *err)
{
    static const char *const splits[] = {"test", "dev", "train"}, *const endings[] = {"wav", "flac", "mp3"};
    char *name = vg_arena_text(arena, clip->clip_id), *candidates[9];
    size_t count = 0;

    for (char *c = name; *c != '\0'; c++)
        if (!is_plain((char[]){*c, '\0'}) && *c != '.')
            *c = '_';
    for (size_t s = 0; s < 3; s++)
        for (size_t e = 0; e < 3 && (clip->split[0] == '\0' || strcmp(clip->split, splits[s]) == 0); e++)
            candidates[count++] = vg_arena_format(arena, "%s/audio/%s.%s", splits[s], name, endings[e]);
    if (count == 0)
        return vg_fail(err, VG_SOURCE, clip->place, "split \"%s\" is none of Loquacious's: test, dev, train",
                       clip->split);
    if (resolve_in_parquet(clip, path, arena, err) != VG_OK)
        return VG_SOURCE;
    return *path != NULL ? VG_OK : resolve_only(clip, candidates, count, path, arena, err);
}

static bool is_corpus_of(const char *folder, const char *locale, size_t length)
{
    size_t all = strlen(folder);

    return strncmp(folder, "sps-corpus-", 11) == 0 && all > length + 1 && folder[all - length - 1] == '-' &&
           memcmp(folder + all - length, locale, length) == 0;
}

/* Spontaneous Speech: sps-corpus-<version>-<date>-<locale>/audios/spontaneous-speech-<locale>-<n>.mp3. */
static int resolve_spontaneous(const struct vg_layout_clip *clip, char **path, struct vg_arena *arena,
                               struct vg_error *err)
{
    static const char prefix[] = "spontaneous-speech-";
    const char *locale = clip->clip_id + sizeof prefix - 1, *dash = strrchr(clip->clip_id, '-');
    const char *found = NULL;
    char **names;
    size_t count;

    if (!is_plain(clip->clip_id) || strncmp(clip->clip_id, prefix, sizeof prefix - 1) != 0 || dash <= locale)
        return fail(clip, err, "spontaneous-speech-<locale>-<number>");
    if (vg_folder_list(clip->root, arena, &names, &count, err) != VG_OK)
        return fail(clip, err, "a corpus folder in `root`");
    for (size_t i = 0; i < count; i++) {
        if (!is_corpus_of(names[i], locale, (size_t)(dash - locale)))
            continue;
        if (found != NULL)
            return vg_fail(err, VG_SOURCE, clip->place, "both %s and %s in %s hold this locale; keep one",
                           found, names[i], clip->root);
        found = names[i];
    }
    if (found == NULL)
        return vg_fail(err, VG_SOURCE, clip->place, "no folder sps-corpus-*-%.*s in %s; is `root` right?",
                       (int)(dash - locale), locale, clip->root);
    *path = vg_arena_format(arena, "%s/audios/%s.mp3", found, clip->clip_id);
    return VG_OK;
}

int vg_layout_resolve(const struct vg_layout_clip *clip, char **path, struct vg_arena *arena,
                      struct vg_error *err)
{
    if (strcmp(clip->layout, "vctk-0.92") == 0)
        return resolve_vctk(clip, "wav48_silence_trimmed", "_mic1.flac", path, arena, err);
    if (strcmp(clip->layout, "vctk-0.80") == 0)
        return resolve_vctk(clip, "wav48", ".wav", path, arena, err);
    if (strcmp(clip->layout, "loquacious") == 0)
        return resolve_loquacious(clip, path, arena, err);
    if (strcmp(clip->layout, "commonvoice-spontaneous") == 0)
        return resolve_spontaneous(clip, path, arena, err);
    return vg_fail(err, VG_SOURCE, clip->place,
                   "no audio path; give a column audio_path, or the corpus with `layout: %s`", VG_LAYOUTS);
}

const char *vg_layout_speaker(const char *layout, const char *clip_id, struct vg_arena *arena)
{
    const char *bar = strchr(clip_id, '_');

    if (strncmp(layout, "vctk", 4) != 0 || bar == NULL)
        return "";
    return vg_arena_text_part(arena, clip_id, (size_t)(bar - clip_id)); /* pNNN_NNN */
}
