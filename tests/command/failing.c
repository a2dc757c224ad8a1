/* SPDX-License-Identifier: MIT */
/* Preloaded before the program: from the request VG_FAIL_AT on, malloc, calloc and realloc say no, as on a
 * machine whose memory is used up.  From the request VG_DIE_AT on, a thread that is not the first crashes.
 * Through glibc's own names for its allocator. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static atomic_long requests;
static atomic_int armed;
static pthread_t first;

/* Runs behind the constructors of the libraries, whose failures are not ours. */
__attribute__((constructor)) static void arm(void)
{
    first = pthread_self();
    atomic_store(&armed, 1);
}

static void maybe_die(void)
{
    static atomic_long limit, count;
    long at = atomic_load(&limit);

    if (at == 0) {
        const char *text = getenv("VG_DIE_AT");

        at = text != NULL ? strtol(text, NULL, 10) : -1;
        atomic_store(&limit, at);
    }
    if (at > 0 && !pthread_equal(pthread_self(), first) && atomic_fetch_add(&count, 1) >= at)
        raise(SIGSEGV);
}

static int exhausted(void)
{
    static atomic_long limit;
    long at = atomic_load(&limit);

    if (!atomic_load(&armed))
        return 0;
    maybe_die();
    if (at == 0) {
        const char *text = getenv("VG_FAIL_AT");

        at = text != NULL ? strtol(text, NULL, 10) : -1;
        atomic_store(&limit, at);
    }
    if (at < 0 || atomic_fetch_add(&requests, 1) < at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return exhausted() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return exhausted() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return exhausted() ? NULL : __libc_realloc(old, bytes);
}
