/* SPDX-License-Identifier: MIT */
/* Vectors of the signal kernels: draws, levels, transforms of many lengths, short-time spectra, time stretch,
 * resampling, convolution. */
#include "dsp.h"
#include "selftest.h"

#include <string.h>

int vg_fill_random(struct vg_values *values, const char *what)
{
    struct vg_random random;
    char text[] = "42:selftest_00";

    for (int seed = 0; seed < 16; seed++) {
        text[sizeof text - 2] = (char)('a' + seed);
        vg_random_seed(&random, vg_random_entropy(text));
        vg_values_integer(values, vg_random_entropy(text));
        for (uint64_t i = 0; i < 512; i++) {
            if (strcmp(what, "bits") == 0)
                vg_values_integer(values, vg_random_next(&random));
            else if (strcmp(what, "uniform") == 0)
                vg_values_double(values, vg_random_double(&random));
            else if (strcmp(what, "normal") == 0)
                vg_values_double(values, vg_random_normal(&random));
            else
                vg_values_integer(values, vg_random_below(&random, (i + 1) << (i % 50)));
        }
    }
    return VG_OK;
}

int vg_fill_level(struct vg_values *values, const char *what)
{
    static const size_t lengths[] = {0, 1, 7, 8, 9, 127, 128, 129, 1000, 8191, 8192, 8193, 20011};
    const float *x = vg_argument_sound(20011, &values->tmp);

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (strcmp(what, "rms") == 0)
            vg_values_double(values, vg_rms(x, lengths[i]));
        else if (lengths[i] > 0)
            vg_values_float(values, vg_rms_pairwise(x, lengths[i]));
    return VG_OK;
}

/* There and back: powers of two, mixed radices, primes, large primes. */
int vg_fill_fft(struct vg_values *values, const char *what)
{
    static const size_t lengths[] = {1,  2,   3,   4,   5,   6,   7,   8,    15,
                                     32, 100, 101, 127, 441, 480, 512, 1009, 4096};
    const float *sound = vg_argument_sound(4096, &values->tmp);

    (void)what;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i], bins = n / 2 + 1;
        const struct vg_fft *fft = vg_fft_make(n, &values->tmp);
        double *x = vg_arena_take(&values->tmp, n, sizeof *x);
        struct vg_complex *spectrum = vg_arena_take(&values->tmp, bins, sizeof *spectrum);

        for (size_t k = 0; k < n; k++)
            x[k] = (double)sound[k];
        vg_fft_forward(fft, x, spectrum, &values->tmp);
        for (size_t k = 0; k < bins; k++) {
            vg_values_double(values, spectrum[k].re);
            vg_values_double(values, spectrum[k].im);
        }
        vg_fft_inverse(fft, spectrum, x, &values->tmp);
        vg_values_doubles(values, x, n);
    }
    return VG_OK;
}

/* Columns, and the samples they add up to again. */
static void run_stft(struct vg_values *values, const float *x, size_t frames)
{
    struct vg_stft_size size = vg_stft_size(frames, 512, 32, 128);
    const struct vg_stft *stft = vg_stft_make(size, &values->tmp);
    size_t columns = vg_stft_columns(stft, frames);
    float *out = vg_arena_take(&values->tmp, frames, sizeof *out);
    float *re = vg_arena_take(&values->tmp, stft->bins, sizeof *re);
    float *im = vg_arena_take(&values->tmp, stft->bins, sizeof *im);
    struct vg_overlap overlap = vg_overlap_start(stft, columns, 0, frames, out);

    for (size_t c = overlap.first; c < overlap.last; c++) {
        vg_stft_column(stft, x, frames, c, re, im, &values->tmp);
        vg_values_floats(values, re, stft->bins);
        vg_values_floats(values, im, stft->bins);
        vg_overlap_add(&overlap, c, re, im, &values->tmp);
    }
    vg_overlap_finish(&overlap);
    vg_values_floats(values, out, frames);
}

int vg_fill_stft(struct vg_values *values, const char *what)
{
    static const size_t lengths[] = {1, 31, 200, 511, 512, 513, 7000};
    const float *x = vg_argument_sound(7000, &values->tmp);

    (void)what;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        run_stft(values, x, lengths[i]);
    return VG_OK;
}

int vg_fill_stretch(struct vg_values *values, const char *what)
{
    static const double rates[] = {0.6, 0.84089641525371454, 1.0, 1.1892071150027211, 1.4};
    size_t frames = 7200;
    const float *x = vg_argument_sound(frames, &values->tmp);
    const struct vg_stft *stft = vg_stft_make(vg_stft_size(frames, 512, 32, 128), &values->tmp);
    const struct vg_vocoder *vocoder = vg_vocoder_make(stft, x, frames, &values->keep, &values->tmp);

    (void)what;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        size_t count = vg_stretch_frames(frames, rates[i]);
        float *out = vg_arena_take(&values->tmp, count, sizeof *out);

        vg_stretch(vocoder, rates[i], 0, count, out, &values->tmp);
        vg_values_integer(values, count);
        vg_values_floats(values, out, count);
    }
    return VG_OK;
}

int vg_fill_resample(struct vg_values *values, const char *what)
{
    static const double ratios[] = {
        0.25, 1.0 / 3.0, 0.5, 0.84089641525371454, 44100.0 / 48000.0, 1.1892071150027211, 2.0};
    size_t frames = 1500;
    const float *x = vg_argument_sound(frames, &values->tmp);
    const struct vg_resampler *resampler =
        vg_resampler_make((struct vg_resample_filter){0.913743653, 1.0}, &values->tmp);

    (void)what;
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        size_t count = vg_resample_frames(frames, ratios[i]);
        float *out = vg_arena_take(&values->tmp, count, sizeof *out);

        vg_resample(resampler, x, frames, ratios[i], 0, count, out, &values->tmp);
        vg_values_integer(values, count);
        vg_values_floats(values, out, count);
    }
    return VG_OK;
}

int vg_fill_convolve(struct vg_values *values, const char *what)
{
    static const size_t lengths[][2] = {{1, 1}, {10, 3}, {500, 1000}, {3000, 257}, {5000, 4000}};
    const float *x = vg_argument_sound(9000, &values->tmp);

    (void)what;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i][0];
        float *out = vg_arena_take(&values->tmp, n, sizeof *out);

        vg_convolve(x, n, x + 5000, lengths[i][1], out, &values->tmp);
        vg_values_floats(values, out, n);
    }
    return VG_OK;
}
