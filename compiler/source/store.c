/* SPDX-License-Identifier: MIT */
/* A store of decoded sources shared by workers: each is decoded once while it is in use, and the ones used
 * longest ago are dropped when more than the limit is held. */
#include "source.h"

#include <pthread.h>
#include <stdlib.h>

struct shelf {
    struct vg_loaded loaded;
    struct vg_arena arena;
    enum { EMPTY, LOADING, FULL } state;
    unsigned users;
    uint64_t used_at;
};
struct vg_source_store {
    const struct vg_spec *spec;
    const struct vg_source_list *list;
    size_t limit_bytes, held_bytes;
    uint64_t clock; /* counts acquisitions */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct shelf *shelves; /* [list->count] */
};

struct vg_source_store *vg_source_store_make(const struct vg_spec *spec, const struct vg_source_list *list,
                                             size_t limit_bytes)
{
    struct vg_source_store *store = vg_memory_take(1, sizeof *store);

    *store = (struct vg_source_store){.spec = spec, .list = list, .limit_bytes = limit_bytes};
    store->shelves = vg_memory_take(list->count, sizeof *store->shelves);
    for (size_t i = 0; i < list->count; i++)
        store->shelves[i] = (struct shelf){0};
    pthread_mutex_init(&store->lock, NULL);
    pthread_cond_init(&store->changed, NULL);
    return store;
}

/* Drop what nobody uses, oldest first, until the limit is kept. */
static void shed(struct vg_source_store *store)
{
    while (store->held_bytes > store->limit_bytes) {
        struct shelf *oldest = NULL;

        for (size_t i = 0; i < store->list->count; i++) {
            struct shelf *shelf = &store->shelves[i];

            if (shelf->state == FULL && shelf->users == 0 &&
                (oldest == NULL || shelf->used_at < oldest->used_at))
                oldest = shelf;
        }
        if (oldest == NULL)
            return;
        store->held_bytes -= oldest->arena.held_bytes;
        vg_arena_release(&oldest->arena);
        oldest->state = EMPTY;
    }
}

/* The lock is held on entry and on return, and given up while decoding. */
static int fill(struct vg_source_store *store, size_t index, struct vg_error *err)
{
    struct shelf *shelf = &store->shelves[index];
    int rc;

    shelf->state = LOADING;
    pthread_mutex_unlock(&store->lock);
    shelf->loaded = (struct vg_loaded){0};
    rc = vg_source_load(store->spec, &store->list->at[index], &shelf->loaded, &shelf->arena, err);
    if (rc != VG_OK)
        vg_arena_release(&shelf->arena);
    pthread_mutex_lock(&store->lock);
    shelf->state = rc == VG_OK ? FULL : EMPTY;
    if (rc == VG_OK)
        store->held_bytes += shelf->arena.held_bytes;
    pthread_cond_broadcast(&store->changed);
    return rc;
}

int vg_source_store_acquire(struct vg_source_store *store, size_t index, const struct vg_loaded **loaded,
                            struct vg_error *err)
{
    struct shelf *shelf = &store->shelves[index];
    int rc = VG_OK;

    pthread_mutex_lock(&store->lock);
    while (shelf->state == LOADING)
        pthread_cond_wait(&store->changed, &store->lock);
    if (shelf->state == EMPTY)
        rc = fill(store, index, err);
    if (rc == VG_OK) {
        shelf->users++;
        shelf->used_at = ++store->clock;
        *loaded = &shelf->loaded;
        shed(store);
    }
    pthread_mutex_unlock(&store->lock);
    return rc;
}

void vg_source_store_release(struct vg_source_store *store, size_t index)
{
    pthread_mutex_lock(&store->lock);
    vg_check(store->shelves[index].users > 0);
    store->shelves[index].users--;
    shed(store);
    pthread_mutex_unlock(&store->lock);
}

void vg_source_store_free(struct vg_source_store *store)
{
    if (store == NULL)
        return;
    for (size_t i = 0; i < store->list->count; i++)
        vg_arena_release(&store->shelves[i].arena);
    pthread_mutex_destroy(&store->lock);
    pthread_cond_destroy(&store->changed);
    free(store->shelves);
    free(store);
}
