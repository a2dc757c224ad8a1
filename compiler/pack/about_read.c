/* SPDX-License-Identifier: MIT */
/* release.json back into memory.  A field of the wrong kind reads as missing; what must be there is named. */
#include "pack.h"

#include <jansson.h>
#include <string.h>

enum { ABOUT_BYTES_MAX = 64 << 20 };

static const char *text(const json_t *object, const char *key, struct vg_arena *arena)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value != NULL ? vg_arena_text(arena, value) : NULL;
}

static uint64_t count_of(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));

    return value > 0 ? (uint64_t)value : 0;
}

static const char **texts(const json_t *object, const char *key, size_t *count, struct vg_arena *arena)
{
    const json_t *list = json_object_get(object, key);
    const char **result = vg_arena_take(arena, json_array_size(list) + 1, sizeof *result);

    *count = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *value = json_string_value(json_array_get(list, i));

        if (value != NULL)
            result[(*count)++] = vg_arena_text(arena, value);
    }
    return result;
}

static void read_shards(struct vg_about *about, const json_t *root, struct vg_arena *arena)
{
    const json_t *list = json_object_get(root, "shards");

    about->shard_count = json_array_size(list);
    about->shards = vg_arena_take_zero(arena, about->shard_count + 1, sizeof *about->shards);
    for (size_t i = 0; i < about->shard_count; i++) {
        const json_t *one = json_array_get(list, i);

        about->shards[i] = (struct vg_about_shard){.name = text(one, "name", arena),
                                                   .split = text(one, "split", arena),
                                                   .items = (size_t)count_of(one, "items"),
                                                   .bytes = count_of(one, "bytes"),
                                                   .xxh128 = text(one, "xxh128", arena),
                                                   .sha256 = text(one, "sha256", arena),
                                                   .md5 = text(one, "md5", arena)};
    }
}

static void read_fields(struct vg_about *about, const json_t *root, struct vg_arena *arena)
{
    const json_t *counts = json_object_get(root, "counts"), *part = json_object_get(root, "part");
    const json_t *tool = json_object_get(root, "tool");
    const char *profile = text(root, "flac_profile", arena);

    about->name = text(root, "name", arena);
    about->version = text(root, "version", arena);
    about->description = text(root, "description", arena);
    about->license = text(root, "license", arena);
    about->engine = text(root, "engine", arena);
    about->release_id = text(root, "release_id", arena);
    about->manifest_xxh128 = text(root, "manifest_xxh128", arena);
    about->spec_xxh128 = text(root, "spec_xxh128", arena);
    about->subset_of = text(root, "subset_of", arena);
    about->subset_of_spec_xxh128 = text(root, "subset_of_spec_xxh128", arena);
    about->date = text(root, "date", arena);
    about->tool = text(tool, "name", arena);
    about->tool_version = text(tool, "version", arena);
    about->compact = profile != NULL && strcmp(profile, "compact") == 0;
    about->part = (unsigned)count_of(part, "index");
    about->parts = (unsigned)count_of(part, "of");
    about->items = (size_t)count_of(counts, "items");
    about->sources = (size_t)count_of(counts, "sources");
    about->sources_skipped = (size_t)count_of(counts, "sources_skipped");
    about->libraries = texts(root, "libraries", &about->library_count, arena);
    about->options = texts(root, "options", &about->option_count, arena);
    read_shards(about, root, arena);
}

/* A name from the file is used as a name in the folder and nowhere else. */
static bool is_plain(const char *name)
{
    return name != NULL && name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL;
}

static const char *missing_field(const struct vg_about *about)
{
    if (about->name == NULL || about->version == NULL || about->engine == NULL)
        return "name, version and engine";
    if (about->release_id == NULL || about->tool == NULL || about->tool_version == NULL)
        return "release_id and tool";
    for (size_t i = 0; i < about->shard_count; i++)
        if (!is_plain(about->shards[i].name) || about->shards[i].split == NULL ||
            about->shards[i].xxh128 == NULL || about->shards[i].sha256 == NULL ||
            about->shards[i].md5 == NULL)
            return "shards, each with name, split and digests";
    return NULL;
}

int vg_about_read(struct vg_about *about, const char *folder, struct vg_arena *arena, struct vg_error *err)
{
    const char *path = vg_path_join(arena, folder, "release.json"), *missing;
    char *bytes;
    size_t count;
    json_error_t fault;
    json_t *root;

    *about = (struct vg_about){0};
    if (vg_file_get(path, ABOUT_BYTES_MAX, arena, &bytes, &count, err) != VG_OK)
        return VG_IO;
    root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &fault);
    if (root == NULL)
        return vg_fail(err, VG_NO, path, "is not JSON: %s (byte %d)", fault.text, fault.position);
    read_fields(about, root, arena);
    json_decref(root);
    missing = missing_field(about);
    if (missing != NULL)
        return vg_fail(err, VG_NO, path, "is not a vocalgrad release: it lacks %s", missing);
    return VG_OK;
}
