/* SPDX-License-Identifier: MIT */
/* numpy's default_rng bit for bit: SeedSequence spreads the entropy (O'Neill's seed_seq_fe), PCG64 XSL-RR
 * (O'Neill, HMC-CS-2014-0905) draws 64 bits, the ziggurat of random_tables.c makes normal values.  128-bit
 * words are two 64-bit halves. */
#include "dsp.h"
#include "random_tables.h"

#include <string.h>

struct wide {
    uint64_t high, low;
};

static struct wide wide_add(struct wide a, struct wide b)
{
    uint64_t low = a.low + b.low;

    return (struct wide){a.high + b.high + (low < a.low), low};
}

static struct wide product_of(uint64_t a, uint64_t b)
{
    uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    uint64_t cross = a1 * b0 + (a0 * b0 >> 32); /* (2^32-1)^2 + 2^32-1 fits */
    uint64_t other = a0 * b1 + (cross & 0xffffffff);

    return (struct wide){a1 * b1 + (cross >> 32) + (other >> 32), a * b};
}

/* ---- SeedSequence: four words of pool ------------------------------------------------------------- */

enum { POOL = 4 };

/* One hashed word; `hash` changes with every use. */
static uint32_t hash_word(uint32_t word, uint32_t *hash, uint32_t factor)
{
    word ^= *hash;
    *hash *= factor;
    word *= *hash;
    return word ^ word >> 16;
}

static uint32_t mix_words(uint32_t a, uint32_t b)
{
    uint32_t mixed = 0xca01f9ddu * a - 0x4973f715u * b;

    return mixed ^ mixed >> 16;
}

static void fill_pool(uint32_t pool[POOL], uint64_t entropy)
{
    static const uint32_t factor = 0x931e8875u;
    uint32_t hash = 0x43b0d7e5u;
    const uint32_t words[POOL] = {(uint32_t)entropy, (uint32_t)(entropy >> 32), 0, 0};

    for (unsigned i = 0; i < POOL; i++)
        pool[i] = hash_word(words[i], &hash, factor);
    for (unsigned from = 0; from < POOL; from++)
        for (unsigned to = 0; to < POOL; to++)
            if (from != to)
                pool[to] = mix_words(pool[to], hash_word(pool[from], &hash, factor));
}

/* ---- PCG64 ---------------------------------------------------------------------------------------- */

static inline void step(struct vg_random *random)
{
    static const uint64_t factor_high = 2549297995355413924u, factor_low = 4865540595714422341u;
    struct wide next = product_of(random->state_low, factor_low);

    next.high += random->state_high * factor_low + random->state_low * factor_high;
    next = wide_add(next, (struct wide){random->step_high, random->step_low});
    random->state_high = next.high;
    random->state_low = next.low;
}

void vg_random_seed(struct vg_random *random, uint64_t entropy)
{
    uint32_t pool[POOL], hash = 0x8b51f9ddu;
    uint64_t words[POOL]; /* state high and low, stream high and low */

    fill_pool(pool, entropy);
    for (unsigned i = 0; i < POOL; i++) {
        uint64_t low = hash_word(pool[2 * i % POOL], &hash, 0x58f38dedu);

        words[i] = low | (uint64_t)hash_word(pool[(2 * i + 1) % POOL], &hash, 0x58f38dedu) << 32;
    }

    *random = (struct vg_random){.step_high = words[2] << 1 | words[3] >> 63, .step_low = words[3] << 1 | 1};
    step(random);
    struct wide start =
        wide_add((struct wide){random->state_high, random->state_low}, (struct wide){words[0], words[1]});
    random->state_high = start.high;
    random->state_low = start.low;
    step(random);
}

uint64_t vg_random_entropy(const char *text)
{
    char hex[VG_DIGEST_HEX];
    uint64_t entropy = 0;

    vg_digest_of(VG_SHA256, text, strlen(text), hex);
    for (unsigned i = 0; i < 16; i++)
        entropy = entropy << 4 | (uint64_t)(hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10);
    return entropy;
}

static inline uint64_t next(struct vg_random *random)
{
    step(random);

    uint64_t folded = random->state_high ^ random->state_low;
    unsigned turn = (unsigned)(random->state_high >> 58);
    return folded >> turn | folded << (-turn & 63);
}

uint64_t vg_random_next(struct vg_random *random)
{
    return next(random);
}

double vg_random_double(struct vg_random *random)
{
    return (double)(vg_random_next(random) >> 11) * 0x1p-53;
}

uint64_t vg_random_below(struct vg_random *random, uint64_t bound)
{
    struct wide product = product_of(vg_random_next(random), bound);

    if (product.low < bound) {
        uint64_t unfair = (0 - bound) % bound; /* 2^64 modulo bound (Lemire, ACM TOMACS 29(1), 2019) */

        while (product.low < unfair)
            product = product_of(vg_random_next(random), bound);
    }
    return product.high;
}

/* ---- normal values -------------------------------------------------------------------------------- */

/* Beyond the last layer: Marsaglia's tail from two exponential draws. */
static double normal_tail(struct vg_random *random)
{
    static const double start = 3.6541528853610088, per_start = 0.27366123732975828;

    for (;;) {
        double x = -per_start * vg_log1p(-vg_random_double(random));
        double y = -vg_log1p(-vg_random_double(random));

        if (y + y > x * x)
            return start + x;
    }
}

/* The sign is bit 8 of the draw: flipped without a branch, which would be wrong half the time. */
static double signed_by(uint64_t draw, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits ^= (draw >> 8 & 1) << 63;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t place_in_layer(uint64_t draw)
{
    return draw >> 9 & 0xfffffffffffff;
}

/* A value from a draw that falls outside of what is inside for sure, one in a hundred; more may be drawn. */
static double normal_at_edge(struct vg_random *random, uint64_t draw)
{
    for (;; draw = vg_random_next(random)) { /* 8 bits layer, 1 bit sign, 52 bits place */
        unsigned i = draw & 255;
        uint64_t place = place_in_layer(draw);
        const struct normal_layer *layer = &vg_normal_layers[i];
        double x = (double)place * layer->width;

        if (place < layer->inside)
            return signed_by(draw, x);
        if (i == 0) {
            x = normal_tail(random);
            return (place >> 8 & 1) != 0 ? -x : x; /* its sign is a bit of the place */
        }
        double height = (layer[-1].density - layer->density) * vg_random_double(random) + layer->density;
        if (height < vg_exp(-0.5 * x * x))
            return signed_by(draw, x);
    }
}

double vg_random_normal(struct vg_random *random)
{
    return normal_at_edge(random, vg_random_next(random));
}

/* Values up to the first draw at an edge, which is kept; returns how many.  The state stays in registers. */
static size_t normals_inside(struct vg_random *random, double *values, size_t n, uint64_t *edge)
{
    struct vg_random state = *random;
    size_t k = 0;

    for (; k < n; k++) {
        uint64_t draw = next(&state), place = place_in_layer(draw);
        const struct normal_layer *layer = &vg_normal_layers[draw & 255];

        if (place >= layer->inside) {
            *edge = draw;
            break;
        }
        values[k] = signed_by(draw, (double)(int64_t)place * layer->width);
    }
    *random = state;
    return k;
}

void vg_random_normals(struct vg_random *random, double *values, size_t n)
{
    uint64_t edge = 0;

    for (size_t k = 0; k < n; k++) {
        k += normals_inside(random, values + k, n - k, &edge);
        if (k < n)
            values[k] = normal_at_edge(random, edge);
    }
}
