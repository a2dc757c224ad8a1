/* SPDX-License-Identifier: MIT */
/* Which items people hear: conditions are dealt out evenly to speakers in a shuffled order, then shuffled
 * again. */
#include "study.h"

#include "dsp.h"

#include <string.h>

/* Fisher and Yates. */
static void shuffle(struct vg_random *random, size_t *numbers, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = (size_t)vg_random_below(random, i), moving = numbers[i - 1];

        numbers[i - 1] = numbers[k];
        numbers[k] = moving;
    }
}

static size_t *count_up(size_t count, struct vg_arena *tmp)
{
    size_t *numbers = vg_arena_take(tmp, count + 1, sizeof *numbers);

    for (size_t i = 0; i < count; i++)
        numbers[i] = i;
    return numbers;
}

/* One source of each speaker: the first found stands for the speaker, one of all of them is drawn. */
static size_t draw_sources(const struct vg_annotation_pool *pool, struct vg_random *random, size_t *drawn)
{
    size_t speakers = 0;

    for (size_t i = 0; i < pool->sources; i++) {
        const char *speaker = pool->speakers[i];
        size_t same = 1, wanted;
        bool known = false;

        for (size_t k = 0; k < i && speaker[0] != '\0'; k++)
            known = known || strcmp(pool->speakers[k], speaker) == 0;
        if (known)
            continue;
        for (size_t k = i + 1; k < pool->sources && speaker[0] != '\0'; k++)
            same += strcmp(pool->speakers[k], speaker) == 0;
        wanted = (size_t)vg_random_below(random, same);
        drawn[speakers] = i;
        for (size_t k = i + 1; wanted > 0 && k < pool->sources; k++)
            if (strcmp(pool->speakers[k], speaker) == 0) {
                drawn[speakers] = k;
                wanted--;
            }
        speakers++;
    }
    return speakers;
}

char *vg_annotation_seed(const struct vg_spec *spec, const char *split, const char *category,
                         struct vg_arena *arena)
{
    return vg_arena_format(arena, "annotation:%s:%s:%s", spec->seed, split, category);
}

size_t vg_annotation_choose(const struct vg_annotation_pool *pool, size_t wanted, struct vg_annotated *out,
                            struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t *sources = vg_arena_take(tmp, pool->sources + 1, sizeof *sources), *conditions, *order, count,
           cells;
    struct vg_annotated *chosen;
    struct vg_random random;

    vg_random_seed(&random, vg_random_entropy(pool->seed));
    count = draw_sources(pool, &random, sources);
    shuffle(&random, sources, count);
    count = count < wanted ? count : wanted;
    cells = pool->tiers * pool->curves;
    conditions = count_up(cells, tmp);
    shuffle(&random, conditions, cells);
    chosen = vg_arena_take(tmp, count + 1, sizeof *chosen);
    for (size_t i = 0; i < count; i++) {
        size_t cell = conditions[i % cells];

        /* a round of conditions has as many of each direction, the next round the other one in each */
        chosen[i] = (struct vg_annotated){sources[i], cell / pool->curves, cell % pool->curves,
                                          (i / cells + i % cells) % pool->directions};
    }
    order = count_up(count, tmp);
    shuffle(&random, order, count);
    for (size_t i = 0; i < count; i++)
        out[i] = chosen[order[i]];
    vg_arena_rewind(tmp, mark);
    return count;
}
