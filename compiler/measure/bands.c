/* SPDX-License-Identifier: MIT */
/* One short-time spectrum for tempo, noise and clarity: Hann windows of 20 to 32 ms, one every 10 ms, whose
 * bins are summed into ERB bands, into ten even bands and into sixths of an octave. */
#include "heard.h"

#include <math.h>

#define SQRT2 1.4142135623730951
#define WINDOW_SEC 0.0235
#define ERB_LOWEST_HZ 80.0
#define ERB_HIGHEST_HZ 8000.0
#define FINE_LOWEST_HZ 400.0

/* A bank sums bins edge[b] .. edge[b + 1] - 1 into band b; a row of results has `row` bands. */
struct bank {
    size_t *edge;
    size_t count, row;
    float *out;
};
enum { ERB, EVEN, FINE, BANKS };

double vg_erb_number(double hz)
{
    return 21.4 * vg_log10(0.00437 * hz + 1);
}

double vg_erb_hz(double erb)
{
    return (vg_pow(10, erb / 21.4) - 1) / 0.00437;
}

/* Power of two nearest to WINDOW_SEC. */
static size_t window_size(uint32_t rate_hz)
{
    size_t n = 32;

    while ((double)n * SQRT2 < WINDOW_SEC * rate_hz)
        n *= 2;
    return n;
}

static size_t bin_of(double hz, double bin_hz, size_t bins)
{
    double bin = vg_round_even(hz / bin_hz);

    return bin < (double)bins ? (size_t)bin : bins;
}

static struct bank make_bank(size_t row, size_t windows, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct bank bank = {.row = row, .count = row};

    bank.edge = vg_arena_take(tmp, row + 1, sizeof *bank.edge);
    bank.out = vg_arena_take_zero(keep, windows * row, sizeof *bank.out);
    return bank;
}

/* Edges of all banks; `bins` without the one at the Nyquist frequency. */
static void place_edges(struct bank bank[BANKS], struct vg_bands *bands, double bin_hz, size_t bins)
{
    double low = vg_erb_number(ERB_LOWEST_HZ), high = vg_erb_number(ERB_HIGHEST_HZ);

    for (size_t b = 0; b <= VG_ERB_BANDS; b++)
        bank[ERB].edge[b] = bin_of(vg_erb_hz(low + (high - low) * (double)b / VG_ERB_BANDS), bin_hz, bins);
    for (size_t b = 0; b <= VG_EVEN_BANDS; b++)
        bank[EVEN].edge[b] = bins * b / VG_EVEN_BANDS;
    bank[FINE].count = 0;
    for (size_t b = 0; b <= VG_FINE_BANDS_MAX; b++) {
        double hz = FINE_LOWEST_HZ * vg_exp2((double)b / 6), nyquist_hz = bin_hz * (double)bins;

        bank[FINE].edge[b] = bin_of(hz, bin_hz, bins);
        bands->fine_edge_hz[b] = hz < nyquist_hz ? hz : nyquist_hz;
        if (b > 0 && bank[FINE].edge[b] > bank[FINE].edge[b - 1])
            bank[FINE].count = b;
    }
    bands->fine_count = bank[FINE].count;
}

static void sum_bins(const struct bank *bank, size_t window, const float *power)
{
    for (size_t b = 0; b < bank->count; b++) {
        float sum = 0;

        for (size_t i = bank->edge[b]; i < bank->edge[b + 1]; i++)
            sum += power[i];
        bank->out[window * bank->row + b] = sum;
    }
}

struct analyser {
    const struct vg_fft *fft;
    size_t n;
    double *window, *in;
    struct vg_complex *out;
    float *power; /* n / 2 */
};

static struct analyser make_analyser(size_t n, struct vg_arena *tmp)
{
    struct analyser a = {.fft = vg_fft_make(n, tmp), .n = n};
    double sum = 0;

    a.window = vg_arena_take(tmp, n, sizeof *a.window);
    a.in = vg_arena_take(tmp, n, sizeof *a.in);
    a.out = vg_arena_take(tmp, n / 2 + 1, sizeof *a.out);
    a.power = vg_arena_take(tmp, n / 2, sizeof *a.power);
    for (size_t i = 0; i < n; i++) {
        a.window[i] = 0.5 - 0.5 * vg_cos(2 * VG_PI * ((double)i + 0.5) / (double)n);
        sum += a.window[i] * a.window[i];
    }
    for (size_t i = 0; i < n; i++) /* the bins' powers shall add up to the mean square */
        a.window[i] *= SQRT2 / sqrt(sum * (double)n);
    return a;
}

static void analyse(struct analyser *a, const int16_t *x, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);

    for (size_t i = 0; i < a->n; i++)
        a->in[i] = x[i] * a->window[i];
    vg_fft_forward(a->fft, a->in, a->out, tmp);
    for (size_t i = 0; i < a->n / 2; i++)
        a->power[i] = (float)(a->out[i].re * a->out[i].re + a->out[i].im * a->out[i].im);
    vg_arena_rewind(tmp, mark);
}

void vg_bands_make(struct vg_heard *heard, struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_bands *bands = &heard->bands;
    struct analyser a = make_analyser(window_size(heard->sound.rate_hz), tmp);
    struct bank bank[BANKS];

    bands->count = (heard->frames + 1) / 2;
    bank[ERB] = make_bank(VG_ERB_BANDS, bands->count, keep, tmp);
    bank[EVEN] = make_bank(VG_EVEN_BANDS, bands->count, keep, tmp);
    bank[FINE] = make_bank(VG_FINE_BANDS_MAX, bands->count, keep, tmp);
    place_edges(bank, bands, (double)heard->sound.rate_hz / (double)a.n, a.n / 2);
    for (size_t j = 0; j < bands->count; j++) {
        analyse(&a, heard->x + (ptrdiff_t)((2 * j + 1) * heard->hop) - (ptrdiff_t)(a.n / 2), tmp);
        for (size_t k = 0; k < BANKS; k++)
            sum_bins(&bank[k], j, a.power);
    }
    bands->erb = bank[ERB].out;
    bands->even = bank[EVEN].out;
    bands->fine = bank[FINE].out;
}
