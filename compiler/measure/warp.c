/* SPDX-License-Identifier: MIT */
/* Dynamic time warping of one sound's band levels onto another's (Sakoe and Chiba 1978, symmetric, slope
 * constraint 1: moves 1:1, 1:2 and 2:1), within a quarter of the longer sound around the straight line. */
#include "pair.h"

#include <math.h>
#include <string.h>

enum { FEATURES = 2 * VG_ERB_BANDS, WINDOWS_MAX = 1500, DELTA_REACH = 2 };

/* Weakest level that counts, re the mean band level: -50 dB, so that silence is level. */
#define FLOOR 1e-5

struct features {
    float *at; /* [window * FEATURES]: levels in dB, then their slopes */
    size_t count;
};

static double mean_power(const struct vg_bands *bands)
{
    double sum = 0;

    for (size_t i = 0; i < bands->count * VG_ERB_BANDS; i++)
        sum += bands->erb[i];
    return sum / (double)(bands->count * VG_ERB_BANDS);
}

/* Levels of groups of `stride` windows, then slopes over +-DELTA_REACH groups, so weighted that both count
 * alike. */
static struct features make_features(const struct vg_bands *bands, size_t stride, struct vg_arena *tmp)
{
    struct features f = {.count = bands->count / stride};
    double floor_power = FLOOR * mean_power(bands) + 1e-3;

    f.at = vg_arena_take(tmp, f.count * FEATURES, sizeof *f.at);
    for (size_t j = 0; j < f.count; j++) {
        for (size_t b = 0; b < VG_ERB_BANDS; b++) {
            double sum = 0;

            for (size_t k = 0; k < stride; k++)
                sum += bands->erb[(j * stride + k) * VG_ERB_BANDS + b];
            f.at[j * FEATURES + b] = (float)(10 * vg_log10(sum / (double)stride + floor_power));
        }
    }
    for (size_t j = 0; j < f.count; j++) {
        size_t a = j < DELTA_REACH ? 0 : j - DELTA_REACH;
        size_t z = j + DELTA_REACH < f.count ? j + DELTA_REACH : f.count - 1;

        for (size_t b = 0; b < VG_ERB_BANDS; b++)
            f.at[j * FEATURES + VG_ERB_BANDS + b] = f.at[z * FEATURES + b] - f.at[a * FEATURES + b];
    }
    return f;
}

static float distance(const float *a, const float *b)
{
    float lane[4] = {0};

    for (size_t i = 0; i < FEATURES; i += 4) {
        for (size_t k = 0; k < 4; k++)
            lane[k] += fabsf(a[i + k] - b[i + k]);
    }
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* The band of allowed cells: row i (source) holds columns first[i] .. first[i] + width - 1 (output). */
struct lattice {
    struct features source, output;
    size_t width;
    unsigned char *move; /* [row * width + column - first] */
};
enum move { STUCK, STEP, STEP_OUTPUT_TWICE, STEP_SOURCE_TWICE };

static size_t first_column(const struct lattice *g, size_t row)
{
    size_t n = g->source.count, m = g->output.count, centre = n > 1 ? row * (m - 1) / (n - 1) : 0;
    size_t half = g->width / 2, last = m > g->width ? m - g->width : 0;
    size_t first = centre > half ? centre - half : 0;

    return first < last ? first : last;
}

/* Three rows each of cell costs and of best sums, by row modulo 3. */
struct rows {
    float *cost[3], *sum[3];
    size_t first[3];
    size_t width;
};

static float look(const struct rows *r, float *const table[3], size_t row, size_t column)
{
    size_t k = row % 3;

    if (column < r->first[k] || column - r->first[k] >= r->width)
        return INFINITY;
    return table[k][column - r->first[k]];
}

static void fill_row(struct lattice *g, struct rows *r, size_t row)
{
    size_t k = row % 3, first = first_column(g, row);

    r->first[k] = first;
    for (size_t c = 0; c < g->width; c++) {
        size_t j = first + c;
        float best = INFINITY, cost = INFINITY, sum;
        unsigned char move = STUCK;

        if (j < g->output.count) {
            cost = distance(g->source.at + row * FEATURES, g->output.at + j * FEATURES);
            if (row == 0 && j == 0)
                best = 0;
        }
        r->cost[k][c] = cost;
        if (row >= 1 && j >= 1 && (sum = look(r, r->sum, row - 1, j - 1) + 2 * cost) < best) {
            best = sum;
            move = STEP;
        }
        if (row >= 1 && j >= 2 &&
            (sum = look(r, r->sum, row - 1, j - 2) + 2 * look(r, r->cost, row, j - 1) + cost) < best) {
            best = sum;
            move = STEP_OUTPUT_TWICE;
        }
        if (row >= 2 && j >= 1 &&
            (sum = look(r, r->sum, row - 2, j - 1) + 2 * look(r, r->cost, row - 1, j) + cost) < best) {
            best = sum;
            move = STEP_SOURCE_TWICE;
        }
        r->sum[k][c] = best;
        g->move[row * g->width + c] = move;
    }
}

static float search(struct lattice *g, struct vg_arena *tmp)
{
    struct rows r = {.width = g->width};

    for (size_t k = 0; k < 3; k++) {
        r.cost[k] = vg_arena_take(tmp, g->width, sizeof(float));
        r.sum[k] = vg_arena_take(tmp, g->width, sizeof(float));
        for (size_t c = 0; c < g->width; c++)
            r.cost[k][c] = r.sum[k][c] = INFINITY;
    }
    for (size_t row = 0; row < g->source.count; row++)
        fill_row(g, &r, row);
    return look(&r, r.sum, g->source.count - 1, g->output.count - 1);
}

/* Output column of each source row along the best path. */
static void trace_back(const struct lattice *g, double *column)
{
    size_t i = g->source.count - 1, j = g->output.count - 1;

    column[i] = (double)j;
    while (i > 0) {
        switch (g->move[i * g->width + j - first_column(g, i)]) {
        case STEP_OUTPUT_TWICE:
            i -= 1;
            j -= 2;
            break;
        case STEP_SOURCE_TWICE:
            column[i - 1] = (double)j - 0.5;
            i -= 2;
            j -= 1;
            break;
        default:
            i -= 1;
            j -= 1;
        }
        column[i] = (double)j;
    }
}

/* What the straight line costs in the same measure. */
static float straight(const struct lattice *g)
{
    size_t n = g->source.count, m = g->output.count;
    float sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += distance(g->source.at + i * FEATURES,
                        g->output.at + (i * (m - 1) + (n - 1) / 2) / (n - 1) * FEATURES);
    return sum / (float)n;
}

bool vg_warp_make(struct vg_warp *warp, const struct vg_bands *source, const struct vg_bands *output,
                  struct vg_arena *tmp)
{
    size_t longer = source->count > output->count ? source->count : output->count;
    size_t stride = (longer + WINDOWS_MAX - 1) / WINDOWS_MAX;
    struct lattice g;
    float sum;

    *warp = (struct vg_warp){.stride = stride ? stride : 1};
    if (source->count < 4 * warp->stride || output->count < 4 * warp->stride)
        return false;
    g.source = make_features(source, warp->stride, tmp);
    g.output = make_features(output, warp->stride, tmp);
    g.width = (g.source.count > g.output.count ? g.source.count : g.output.count) / 2 + 3;
    if (g.width > g.output.count)
        g.width = g.output.count;
    g.move = vg_arena_take(tmp, g.source.count * g.width, 1);
    sum = search(&g, tmp);
    if (!(sum < INFINITY))
        return false;
    warp->count = g.source.count;
    warp->column = vg_arena_take(tmp, g.source.count, sizeof *warp->column);
    trace_back(&g, warp->column);
    warp->distance = sum / (float)(g.source.count + g.output.count);
    warp->straight = straight(&g);
    return true;
}
