/* SPDX-License-Identifier: MIT */
/* One tree over another: maps merge key by key, everything else is replaced, and a null hides what it
 * would have inherited.  Nulls stay until the end (vg_node_prune), so that a report finds their place. */
#include "loading.h"

#include <string.h>

struct vg_node *vg_node_make(enum vg_node_kind kind, const struct vg_origin *at, struct vg_arena *arena)
{
    struct vg_node *node = vg_arena_take_zero(arena, 1, sizeof *node);

    node->kind = kind;
    node->file = at->file;
    node->source = at->source;
    node->line = at->line;
    node->column = at->column;
    return node;
}

struct vg_entry *vg_map_entry(const struct vg_node *map, const char *key)
{
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->entries[i].key, key) == 0)
            return &map->entries[i];
    return NULL;
}

struct vg_entry *vg_map_add(struct vg_node *map, const struct vg_node *key, struct vg_node *value,
                            struct vg_arena *arena)
{
    struct vg_entry *entries = vg_arena_take(arena, map->count + 1, sizeof *entries);

    if (map->count > 0)
        memcpy(entries, map->entries, map->count * sizeof *entries);
    entries[map->count] = (struct vg_entry){key->text, key, value};
    map->entries = entries;
    return &map->entries[map->count++];
}

void vg_map_drop(struct vg_node *map, const char *key)
{
    size_t kept = 0;

    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->entries[i].key, key) != 0)
            map->entries[kept++] = map->entries[i];
    map->count = kept;
}

/* The place of a merged map is the upper one's, its keys stand in the lower one's order, new ones last. */
struct vg_node *vg_node_merge(struct vg_node *lower, struct vg_node *upper, struct vg_arena *arena)
{
    struct vg_entry *entries;
    size_t count;

    if (lower->kind != VG_NODE_MAP || upper->kind != VG_NODE_MAP)
        return upper;
    entries = vg_arena_take(arena, lower->count + upper->count + 1, sizeof *entries);
    count = lower->count;
    if (count > 0)
        memcpy(entries, lower->entries, count * sizeof *entries);
    for (size_t i = 0; i < upper->count; i++) {
        struct vg_entry entry = upper->entries[i];
        const struct vg_entry *twin = vg_map_entry(lower, entry.key);

        if (twin == NULL) {
            entries[count++] = entry;
        } else {
            entry.value = vg_node_merge(twin->value, entry.value, arena);
            entries[twin - lower->entries] = entry;
        }
    }
    upper->entries = entries;
    upper->count = count;
    return upper;
}

void vg_node_prune(struct vg_node *node)
{
    size_t kept = 0;

    for (size_t i = 0; i < node->count; i++) {
        if (node->kind == VG_NODE_MAP && vg_node_is_null(node->entries[i].value))
            continue;
        vg_node_prune(node->entries[i].value);
        node->entries[kept++] = node->entries[i];
    }
    node->count = kept;
}
