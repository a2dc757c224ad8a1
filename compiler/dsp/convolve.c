/* SPDX-License-Identifier: MIT */
/* Convolution by overlap-add: blocks of the signal as long as the response (rounded up to a power of two)
 * against the response's spectrum, in f64 between f32 ends. */
#include "fft.h"

#include <string.h>

struct response {
    const struct vg_fft *fft;
    size_t block; /* samples of the signal in a transform of twice as many */
    double *re, *im;
};

static struct response response_of(const float *h, size_t m, struct vg_arena *tmp)
{
    struct response response = {.block = 1};

    while (response.block < m)
        response.block *= 2;
    response.fft = vg_fft_make(2 * response.block, tmp);
    response.re = vg_arena_take(tmp, response.block + 1, sizeof *response.re);
    response.im = vg_arena_take(tmp, response.block + 1, sizeof *response.im);

    double *padded = vg_arena_take_zero(tmp, 2 * response.block, sizeof *padded);
    for (size_t k = 0; k < m; k++)
        padded[k] = (double)h[k];
    vg_fft_split(response.fft, padded, response.re, response.im, tmp);
    return response;
}

/* One block of the signal against the response: 2 * block samples in `wide`. */
static void convolve_block(const struct response *response, const float *x, size_t n, double *wide,
                           struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t bins = response->block + 1;
    double *re = vg_arena_take(tmp, bins, sizeof *re), *im = vg_arena_take(tmp, bins, sizeof *im);

    memset(wide, 0, 2 * response->block * sizeof *wide);
    for (size_t k = 0; k < n; k++)
        wide[k] = (double)x[k];
    vg_fft_split(response->fft, wide, re, im, tmp);
    for (size_t k = 0; k < bins; k++) {
        double product = re[k] * response->re[k] - im[k] * response->im[k];

        im[k] = re[k] * response->im[k] + im[k] * response->re[k];
        re[k] = product;
    }
    vg_fft_join(response->fft, re, im, wide, tmp);
    vg_arena_rewind(tmp, mark);
}

void vg_convolve(const float *x, size_t n, const float *h, size_t m, float *out, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct response response = response_of(h, m, tmp);
    size_t block = response.block;
    double *wide = vg_arena_take(tmp, 2 * block, sizeof *wide);
    double *tail = vg_arena_take_zero(tmp, block, sizeof *tail); /* of the block before */

    for (size_t begin = 0; begin < n; begin += block) {
        size_t count = n - begin < block ? n - begin : block;

        convolve_block(&response, x + begin, count, wide, tmp);
        for (size_t k = 0; k < count; k++)
            out[begin + k] = (float)(wide[k] + tail[k]);
        memcpy(tail, wide + block, block * sizeof *tail);
    }
    vg_arena_rewind(tmp, mark);
}
