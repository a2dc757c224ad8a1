/* SPDX-License-Identifier: MIT */
/* Dynamic time warping of one sound's band levels onto another's (Sakoe and Chiba 1978: symmetric, slope
 * constraint 1, so moves 1:1, 1:2 and 2:1), within a quarter of the longer sound around the straight line. */
#include "pair.h"

#include <math.h>

enum { FEATURES = 2 * VG_ERB_BANDS, DELTA_REACH = 2, STEPS_MIN = 4 };
/* Of the longer sound: longer steps beyond, so that cost grows no more with the square of the length. */
enum { STEPS_MAX = 1500 };

/* Of the mean band power: 50 dB below it all is silence. */
#define FLOOR 1e-5f
#define DB_PER_OCTAVE 3.0103f

/* Band levels in dB and their slopes over +-DELTA_REACH steps, [step * FEATURES]. */
struct features {
    float *at;
    size_t count;
};

static float mean_power(const struct vg_bands *bands)
{
    double sum = 0;

    for (size_t i = 0; i < bands->count * VG_ERB_BANDS; i++)
        sum += (double)bands->erb[i];
    return (float)(sum / (double)(bands->count * VG_ERB_BANDS));
}

/* Levels of one step: `stride` windows together. */
static void add_levels(const struct vg_bands *bands, size_t first, size_t stride, float floor_power,
                       float *level)
{
    for (size_t b = 0; b < VG_ERB_BANDS; b++) {
        float sum = 0;

        for (size_t k = 0; k < stride; k++)
            sum += bands->erb[(first + k) * VG_ERB_BANDS + b];
        level[b] = sum / (float)stride + floor_power;
    }
    vg_log2_rough(level, level, VG_ERB_BANDS);
    for (size_t b = 0; b < VG_ERB_BANDS; b++)
        level[b] *= DB_PER_OCTAVE;
}

static struct features make_features(const struct vg_bands *bands, size_t stride, struct vg_arena *tmp)
{
    struct features f = {.count = bands->count / stride};
    float floor_power = FLOOR * mean_power(bands) + 1e-3f;

    f.at = vg_arena_take(tmp, f.count * FEATURES, sizeof *f.at);
    for (size_t j = 0; j < f.count; j++)
        add_levels(bands, j * stride, stride, floor_power, f.at + j * FEATURES);
    for (size_t j = 0; j < f.count; j++) {
        size_t first = j < DELTA_REACH ? 0 : j - DELTA_REACH;
        size_t last = j + DELTA_REACH < f.count ? j + DELTA_REACH : f.count - 1;
        const float *a = f.at + first * FEATURES, *z = f.at + last * FEATURES;

        for (size_t b = 0; b < VG_ERB_BANDS; b++)
            f.at[j * FEATURES + VG_ERB_BANDS + b] = z[b] - a[b];
    }
    return f;
}

static float distance(const struct features *source, size_t i, const struct features *output, size_t j)
{
    const float *a = source->at + i * FEATURES, *b = output->at + j * FEATURES;
    float lane[4] = {0};

    for (size_t k = 0; k < FEATURES; k += 4) {
        for (size_t l = 0; l < 4; l++)
            lane[l] += fabsf(a[k + l] - b[k + l]);
    }
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

enum move { STUCK, ONE_ONE, ONE_TWO, TWO_ONE }; /* steps of source, of output */

/* Allowed are, in row i of the source, the columns first(i) .. first(i) + width - 1 of the output.  Costs of
 * cells and best sums so far are kept of three rows, by row modulo 3. */
struct lattice {
    struct features source, output;
    size_t width;
    unsigned char *move; /* [row * width + column - first] */
    float *cost[3], *sum[3];
};

static size_t first_column(const struct lattice *g, size_t row)
{
    size_t n = g->source.count, m = g->output.count, centre = row * (m - 1) / (n - 1);
    size_t half = g->width / 2, last = m - g->width, first = centre > half ? centre - half : 0;

    return first < last ? first : last;
}

static float value_at(const struct lattice *g, float *const rows[3], size_t row, size_t column)
{
    size_t first = first_column(g, row);

    return column >= first && column - first < g->width ? rows[row % 3][column - first] : INFINITY;
}

static void take_if_less(float sum, enum move move, float *best, unsigned char *best_move)
{
    if (sum < *best) {
        *best = sum;
        *best_move = (unsigned char)move;
    }
}

static void fill_cell(struct lattice *g, size_t i, size_t j, float cost, float *best, unsigned char *move)
{
    *best = i == 0 && j == 0 ? 0 : INFINITY;
    *move = STUCK;
    if (i >= 1 && j >= 1)
        take_if_less(value_at(g, g->sum, i - 1, j - 1) + 2 * cost, ONE_ONE, best, move);
    if (i >= 1 && j >= 2)
        take_if_less(value_at(g, g->sum, i - 1, j - 2) + 2 * value_at(g, g->cost, i, j - 1) + cost, ONE_TWO,
                     best, move);
    if (i >= 2 && j >= 1)
        take_if_less(value_at(g, g->sum, i - 2, j - 1) + 2 * value_at(g, g->cost, i - 1, j) + cost, TWO_ONE,
                     best, move);
}

/* Fills the lattice; returns the sum of the best path, infinite where there is none. */
static float search(struct lattice *g, struct vg_arena *tmp)
{
    for (size_t k = 0; k < 3; k++) {
        g->cost[k] = vg_arena_take(tmp, g->width, sizeof *g->cost[k]);
        g->sum[k] = vg_arena_take(tmp, g->width, sizeof *g->sum[k]);
    }
    for (size_t i = 0; i < g->source.count; i++) {
        size_t first = first_column(g, i);
        float *cost = g->cost[i % 3], *sum = g->sum[i % 3];

        for (size_t c = 0; c < g->width; c++) {
            cost[c] = distance(&g->source, i, &g->output, first + c);
            fill_cell(g, i, first + c, cost[c], &sum[c], &g->move[i * g->width + c]);
        }
    }
    return value_at(g, g->sum, g->source.count - 1, g->output.count - 1);
}

/* Output column of each source row along the best path. */
static void trace_back(const struct lattice *g, double *column)
{
    size_t i = g->source.count - 1, j = g->output.count - 1;

    column[i] = (double)j;
    while (i > 0) {
        enum move move = (enum move)g->move[i * g->width + j - first_column(g, i)];

        if (move == TWO_ONE)
            column[i - 1] = (double)j - 0.5;
        i -= move == TWO_ONE ? 2 : 1;
        j -= move == ONE_TWO ? 2 : 1;
        column[i] = (double)j;
    }
}

/* What the straight line costs, in the same measure. */
static double along_straight(const struct lattice *g)
{
    size_t n = g->source.count, m = g->output.count, steps = n > 1 ? n - 1 : 1;
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)distance(&g->source, i, &g->output, (i * (m - 1) + steps / 2) / steps);
    return sum / (double)n;
}

bool vg_warp_make(struct vg_warp *warp, const struct vg_bands *source, const struct vg_bands *output,
                  struct vg_arena *tmp)
{
    size_t longer = source->count > output->count ? source->count : output->count;
    struct lattice g;
    float sum;

    *warp = (struct vg_warp){.stride = longer / (STEPS_MAX + 1) + 1};
    if (source->count < STEPS_MIN * warp->stride || output->count < STEPS_MIN * warp->stride)
        return false;
    g.source = make_features(source, warp->stride, tmp);
    g.output = make_features(output, warp->stride, tmp);
    g.width = longer / warp->stride / 2 + 3;
    if (g.width > g.output.count)
        g.width = g.output.count;
    g.move = vg_arena_take(tmp, g.source.count * g.width, 1);
    sum = search(&g, tmp);
    if (!(sum < INFINITY))
        return false;
    warp->count = g.source.count;
    warp->column = vg_arena_take(tmp, g.source.count, sizeof *warp->column);
    trace_back(&g, warp->column);
    warp->distance = (double)sum / (double)(g.source.count + g.output.count);
    warp->straight = along_straight(&g);
    return true;
}
