/* SPDX-License-Identifier: MIT */
/* Ordered workers: indices are taken in rising order, results handed over in rising order, so that the
 * number of threads cannot show in what is made. */
#include "base.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct pool {
    const struct vg_pool_job *job;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;    /* index to be taken */
    size_t handed;  /* indices below went through done() */
    size_t stop_at; /* indices from here on are not taken */
    int *results;   /* [window] */
    bool *finished; /* [window] */
};
struct worker {
    struct pool *pool;
    unsigned number;
    pthread_t thread;
};

static bool take_index(struct pool *pool, size_t *index)
{
    bool taken;

    pthread_mutex_lock(&pool->lock);
    while (pool->next < pool->stop_at && pool->next >= pool->handed + pool->job->window)
        pthread_cond_wait(&pool->changed, &pool->lock);
    taken = pool->next < pool->stop_at;
    if (taken)
        *index = pool->next++;
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

static void *work_loop(void *argument)
{
    struct worker *worker = argument;
    struct pool *pool = worker->pool;
    size_t index;

    while (take_index(pool, &index)) {
        int rc = pool->job->work(pool->job->context, worker->number, index);

        pthread_mutex_lock(&pool->lock);
        pool->results[index % pool->job->window] = rc;
        pool->finished[index % pool->job->window] = true;
        if (rc != 0 && pool->stop_at > index + 1)
            pool->stop_at = index + 1;
        pthread_cond_broadcast(&pool->changed);
        pthread_mutex_unlock(&pool->lock);
    }
    return NULL;
}

/* Wait for index and give its result; false where the pool stopped before it. */
static bool await(struct pool *pool, size_t index, int *rc)
{
    size_t slot = index % pool->job->window;
    bool there;

    pthread_mutex_lock(&pool->lock);
    while (index < pool->stop_at && !pool->finished[slot])
        pthread_cond_wait(&pool->changed, &pool->lock);
    there = index < pool->stop_at;
    if (there) {
        *rc = pool->results[slot];
        pool->finished[slot] = false;
    }
    pthread_mutex_unlock(&pool->lock);
    return there;
}

static void advance(struct pool *pool, size_t handed, bool stop)
{
    pthread_mutex_lock(&pool->lock);
    pool->handed = handed;
    if (stop)
        pool->stop_at = 0;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

static int hand_over(struct pool *pool)
{
    int rc = VG_OK;

    for (size_t index = 0; rc == 0 && await(pool, index, &rc); index++) {
        if (rc == 0 && pool->job->done != NULL)
            rc = pool->job->done(pool->job->context, index);
        advance(pool, index + 1, rc != 0);
    }
    return rc;
}

int vg_pool_run(const struct vg_pool_job *job)
{
    struct pool pool = {.job = job, .stop_at = job->count};
    unsigned jobs = job->jobs > 0 ? job->jobs : 1, started = 0;
    struct worker *workers = vg_memory_take(jobs, sizeof *workers);
    int rc;

    vg_check(job->window > 0);
    pool.results = vg_memory_take(job->window, sizeof *pool.results);
    pool.finished = vg_memory_take(job->window, sizeof *pool.finished);
    for (size_t i = 0; i < job->window; i++)
        pool.finished[i] = false;
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.changed, NULL);
    for (; started < jobs; started++) {
        workers[started] = (struct worker){.pool = &pool, .number = started};
        if (pthread_create(&workers[started].thread, NULL, work_loop, &workers[started]) != 0)
            break;
    }
    vg_check(started > 0);
    rc = hand_over(&pool);
    for (unsigned i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.lock);
    free(workers);
    free(pool.results);
    free(pool.finished);
    return rc;
}

struct vg_quota {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t limit, used;
};

struct vg_quota *vg_quota_make(size_t limit)
{
    struct vg_quota *quota = vg_memory_take(1, sizeof *quota);

    *quota = (struct vg_quota){.limit = limit};
    pthread_mutex_init(&quota->lock, NULL);
    pthread_cond_init(&quota->changed, NULL);
    return quota;
}

void vg_quota_take(struct vg_quota *quota, size_t amount)
{
    pthread_mutex_lock(&quota->lock);
    while (quota->used > 0 && (quota->used > quota->limit || amount > quota->limit - quota->used))
        pthread_cond_wait(&quota->changed, &quota->lock);
    quota->used += amount;
    pthread_mutex_unlock(&quota->lock);
}

void vg_quota_give(struct vg_quota *quota, size_t amount)
{
    pthread_mutex_lock(&quota->lock);
    quota->used -= amount;
    pthread_cond_broadcast(&quota->changed);
    pthread_mutex_unlock(&quota->lock);
}

void vg_quota_free(struct vg_quota *quota)
{
    if (quota == NULL)
        return;
    pthread_cond_destroy(&quota->changed);
    pthread_mutex_destroy(&quota->lock);
    free(quota);
}

unsigned vg_pool_default_jobs(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    return processors > 0 && processors < 4096 ? (unsigned)processors : 1;
}
