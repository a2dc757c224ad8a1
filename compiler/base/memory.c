/* SPDX-License-Identifier: MIT */
/* Memory: allocation that cannot return NULL, and arenas made of chained blocks.  Rewound
 * blocks are kept as spares, so that a worker's scratch settles after the first items; but for the
 * large ones that long clips ask for: what is then held at once is what counts. */
#include "base.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { ALIGNMENT = 64, BLOCK_BYTES = 1 << 20, SPARE_BYTES_MAX = 4 << 20, LARGE_BYTES = 8 << 20 };

struct vg_arena_block {
    struct vg_arena_block *below;
    size_t bytes, used; /* of the payload */
    char *payload;      /* aligned */
};

static void exhausted_default(size_t bytes)
{
    fprintf(stderr, "vocalgrad: out of memory: %zu bytes asked for\n", bytes);
    _Exit(-VG_IO);
}

static void (*on_exhausted)(size_t bytes) = exhausted_default;

void vg_memory_exhausted(size_t bytes)
{
    on_exhausted(bytes);
    abort();
}

void vg_memory_on_exhausted(void (*handler)(size_t bytes))
{
    on_exhausted = handler;
}

void vg_memory_settle(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
#endif
}

static size_t product(size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2) / size)
        vg_memory_exhausted(SIZE_MAX);
    return count * size;
}

void *vg_memory_grow(void *old, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *fresh = realloc(old, bytes ? bytes : 1);

    if (fresh == NULL)
        vg_memory_exhausted(bytes);
    return fresh;
}

void *vg_memory_take(size_t count, size_t size)
{
    return vg_memory_grow(NULL, count, size);
}

static struct vg_arena_block *new_block(struct vg_arena *arena, size_t bytes)
{
    size_t payload = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    char *raw = vg_memory_take(payload + sizeof(struct vg_arena_block) + ALIGNMENT, 1);
    struct vg_arena_block *block = (struct vg_arena_block *)(void *)raw;
    uintptr_t start = (uintptr_t)(raw + sizeof *block);

    block->payload = raw + sizeof *block + (ALIGNMENT - start % ALIGNMENT) % ALIGNMENT;
    block->bytes = payload;
    arena->held_bytes += payload;
    return block;
}

/* A spare block that is large enough, taken off its list; NULL where there is none. */
static struct vg_arena_block *spare_block(struct vg_arena *arena, size_t bytes)
{
    for (struct vg_arena_block **at = &arena->spare; *at != NULL; at = &(*at)->below) {
        struct vg_arena_block *block = *at;

        if (block->bytes >= bytes) {
            *at = block->below;
            return block;
        }
    }
    return NULL;
}

static void push_block(struct vg_arena *arena, size_t bytes)
{
    struct vg_arena_block *block = spare_block(arena, bytes);

    if (block == NULL)
        block = new_block(arena, bytes);
    block->used = 0;
    block->below = arena->top;
    arena->top = block;
}

void *vg_arena_take(struct vg_arena *arena, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    char *piece;

    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (arena->top == NULL || arena->top->bytes - arena->top->used < bytes)
        push_block(arena, bytes);
    piece = arena->top->payload + arena->top->used;
    arena->top->used += bytes;
    return piece;
}

void *vg_arena_take_zero(struct vg_arena *arena, size_t count, size_t size)
{
    void *piece = vg_arena_take(arena, count, size);

    memset(piece, 0, count * size);
    return piece;
}

char *vg_arena_text_part(struct vg_arena *arena, const char *text, size_t length)
{
    char *copy = vg_arena_take(arena, length + 1, 1);

    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *vg_arena_text(struct vg_arena *arena, const char *text)
{
    return vg_arena_text_part(arena, text, strlen(text));
}

char *vg_arena_format(struct vg_arena *arena, const char *format, ...)
{
    struct vg_text text = {0};
    char *copy;
    va_list args;

    va_start(args, format);
    vg_text_addv(&text, format, args);
    va_end(args);
    copy = vg_arena_text_part(arena, vg_text_or_empty(&text), text.length);
    vg_text_release(&text);
    return copy;
}

struct vg_arena_mark vg_arena_mark(const struct vg_arena *arena)
{
    struct vg_arena_mark mark = {arena->top, arena->top ? arena->top->used : 0};

    return mark;
}

static void put_aside(struct vg_arena *arena, struct vg_arena_block *block)
{
    if (block->bytes > SPARE_BYTES_MAX) {
        arena->held_bytes -= block->bytes;
        free(block);
    } else {
        block->below = arena->spare;
        arena->spare = block;
    }
}

void vg_arena_rewind(struct vg_arena *arena, struct vg_arena_mark mark)
{
    while (arena->top != mark.block) {
        struct vg_arena_block *block = arena->top;

        vg_check(block != NULL);
        arena->top = block->below;
        put_aside(arena, block);
    }
    if (arena->top != NULL)
        arena->top->used = mark.used;
}

static void free_chain(struct vg_arena_block *block)
{
    while (block != NULL) {
        struct vg_arena_block *below = block->below;

        free(block);
        block = below;
    }
}

void vg_arena_release(struct vg_arena *arena)
{
    free_chain(arena->top);
    free_chain(arena->spare);
    *arena = (struct vg_arena){0};
}
