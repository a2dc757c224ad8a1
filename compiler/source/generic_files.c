/* SPDX-License-Identifier: MIT */
/* Recordings that no table names: the sound files of a folder and those below it, and the members of
 * WebDataset shards.  What has no sound file's ending is left alone, and that is said. */
#include "generic.h"
#include "jsonl.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

struct clips {
    struct vg_corpus *corpus;
    json_t **at;
    size_t *lines; /* all 1: there are none */
    size_t count, room;
    size_t strangers; /* files that are no sound by their names */
    const char *stranger;
};

bool vg_is_sound_name(const char *name)
{
    static const char *const endings[] = {"wav", "flac", "ogg", "oga", "opus", "mp3"};
    const char *dot = strrchr(vg_path_name(name), '.');
    char ending[8] = "";

    if (dot == NULL || dot == vg_path_name(name) || strlen(dot + 1) >= sizeof ending)
        return false;
    for (size_t i = 0; dot[1 + i] != '\0'; i++)
        ending[i] = dot[1 + i] >= 'A' && dot[1 + i] <= 'Z' ? (char)(dot[1 + i] + 32) : dot[1 + i];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending, endings[i]) == 0)
            return vg_path_name(name)[0] != '.'; /* hidden: what is left beside a clip by its system */
    return false;
}

static json_t *add_object(struct clips *clips)
{
    if (clips->count == clips->room) {
        clips->room = 2 * clips->room + 256;
        clips->at = vg_memory_grow(clips->at, clips->room, sizeof(json_t *));
        clips->lines = vg_memory_grow(clips->lines, clips->room, sizeof *clips->lines);
    }
    clips->lines[clips->count] = 1;
    clips->at[clips->count] = json_object();
    return clips->at[clips->count++];
}

static void add_stranger(struct clips *clips, const char *path)
{
    if (clips->strangers++ == 0)
        clips->stranger = path;
}

static void finish(struct clips *clips, struct vg_table *table)
{
    struct vg_corpus *corpus = clips->corpus;

    vg_table_of_objects(table, corpus->tree->root, clips->at, clips->lines, clips->count, corpus->arena);
    for (size_t i = 0; i < clips->count; i++)
        json_decref(clips->at[i]);
    free(clips->at);
    free(clips->lines);
    if (clips->strangers > 0)
        vg_warn(corpus->err, corpus->tree->root,
                "%zu files are left alone, having no sound file's name: %s is the first", clips->strangers,
                clips->stranger);
}

/* ---- folders ------------------------------------------------------------------------------------- */

/* A name that is no UTF-8 cannot stand in a table or a release. */
static void add_file(struct clips *clips, const char *path, const char *folder)
{
    struct vg_corpus *corpus = clips->corpus;
    struct vg_row *row;
    json_t *object;

    if (!vg_text_is_utf8(path, strlen(path))) {
        vg_source_fault(vg_corpus_add(corpus, vg_tree_path(corpus->tree, path, corpus->arena), &row),
                        corpus->arena, "its name is not UTF-8; rename it");
        return;
    }
    object = add_object(clips);
    json_object_set_new(object, "audio_path", json_string(path));
    if (strcmp(vg_node_text(corpus->entry, "speaker", "none"), "folder") == 0)
        json_object_set_new(object, "speaker_id", json_string(vg_path_name(folder)));
}

static int walk(struct clips *clips, const char *folder, unsigned depth)
{
    struct vg_corpus *corpus = clips->corpus;
    char **names;
    size_t count;
    int rc;

    if (depth > DEPTH_MAX)
        return vg_corpus_fail(corpus, folder, "lies too deep; does a link lead back into its own folder?");
    rc = vg_tree_list(corpus->tree, folder, &names, &count, corpus->err);
    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        char *path = vg_tree_join(corpus->arena, folder, names[i]);

        if (vg_folder_exists(vg_tree_path(corpus->tree, path, corpus->arena)))
            rc = walk(clips, path, depth + 1);
        else if (vg_is_sound_name(path))
            add_file(clips, path, folder);
        else
            add_stranger(clips, path);
    }
    return rc;
}

int vg_generic_folder(struct vg_corpus *corpus, struct vg_table *table)
{
    struct clips clips = {.corpus = corpus};
    int rc = walk(&clips, "", 0);

    finish(&clips, table);
    if (rc == VG_OK && clips.count == 0 && corpus->list->count == corpus->first)
        rc = vg_corpus_fail(corpus, "", "holds no sound file (.wav .flac .ogg .opus .mp3)");
    return rc;
}

/* ---- shards -------------------------------------------------------------------------------------- */

/* The JSON member of a key, its fields added to the object. */
static int add_fields(struct clips *clips, const char *path, json_t *object)
{
    struct vg_corpus *corpus = clips->corpus;
    json_error_t why;
    json_t *fields;
    char *bytes;
    size_t count;
    int rc = vg_tree_get(corpus->tree, path, &bytes, &count, corpus->err);

    if (rc != VG_OK)
        return rc;
    fields = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &why);
    if (json_is_object(fields))
        json_object_update_missing(object, fields);
    else
        rc = vg_corpus_fail(corpus, path, "is no JSON object%s%s", fields == NULL ? ": " : "",
                            fields == NULL ? why.text : "");
    json_decref(fields);
    return rc;
}

static int add_words(struct clips *clips, const char *path, json_t *object)
{
    struct vg_corpus *corpus = clips->corpus;
    char *bytes;
    size_t count;
    int rc = vg_tree_get(corpus->tree, path, &bytes, &count, corpus->err);

    while (rc == VG_OK && count > 0 && strchr(" \t\r\n", bytes[count - 1]) != NULL)
        count--;
    if (rc == VG_OK && json_object_set_new(object, "text", json_stringn(bytes, count)) != 0)
        rc = vg_corpus_fail(corpus, path, "is not UTF-8 text");
    return rc;
}

/* Members of one key stand together, since names are sorted: KEY.flac KEY.json KEY.txt. */
static int add_member(struct clips *clips, const char *shard, const char *name, char **key, json_t **object)
{
    struct vg_arena *arena = clips->corpus->arena;
    const char *base = vg_path_name(name);
    size_t length = (size_t)(base - name) + strcspn(base, ".");
    char *path = vg_tree_join(arena, shard, name);

    if (*key == NULL || strlen(*key) != length || strncmp(*key, name, length) != 0) {
        *key = vg_arena_text_part(arena, name, length);
        *object = add_object(clips);
        json_object_set_new(*object, "clip_id", json_string(*key));
    }
    if (vg_is_sound_name(name) && json_object_get(*object, "audio_path") != NULL)
        return vg_corpus_fail(clips->corpus, path, "is a second recording of key %s", *key);
    if (vg_is_sound_name(name))
        json_object_set_new(*object, "audio_path", json_string(path));
    else if (strcmp(name + length, ".json") == 0)
        return add_fields(clips, path, *object);
    else if (strcmp(name + length, ".txt") == 0)
        return add_words(clips, path, *object);
    else
        add_stranger(clips, path);
    return VG_OK;
}

/* All members of a shard, whatever folders they are in. */
static int add_shard(struct clips *clips, const char *shard, const char *folder)
{
    struct vg_corpus *corpus = clips->corpus;
    char **names, *key = NULL;
    json_t *object = NULL;
    size_t count;
    int rc =
        vg_tree_list(corpus->tree, vg_tree_join(corpus->arena, shard, folder), &names, &count, corpus->err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        char *name = vg_tree_join(corpus->arena, folder, names[i]);

        if (vg_tree_has(corpus->tree, vg_tree_join(corpus->arena, shard, name)))
            rc = add_member(clips, shard, name, &key, &object);
        else
            rc = add_shard(clips, shard, name);
    }
    return rc;
}

int vg_generic_shards(struct vg_corpus *corpus, struct vg_table *table)
{
    const struct vg_node *shards = vg_node_find(corpus->entry, "shards");
    struct clips clips = {.corpus = corpus};
    int rc = shards == NULL ? add_shard(&clips, "", "") : VG_OK;

    for (size_t i = 0; rc == VG_OK && shards != NULL && i < shards->count; i++)
        rc = add_shard(&clips, shards->entries[i].value->text, "");
    finish(&clips, table);
    return rc;
}
