/* SPDX-License-Identifier: MIT */
/* Specs with sources of kind `voice`, and the spectrum of what they sound like. */
#ifndef VG_TEST_FIXTURE_VOICE_H
#define VG_TEST_FIXTURE_VOICE_H

#include "fixture_spec.h"

#include <math.h>
#include <stdio.h>

#include "voice.h"

/* A voice without anything that varies, and one vowel. */
static const char steady_voice[] =
    "voice:\n"
    "  defaults: {declination_st_per_sec: 0, accent_sec: 0.2, accent_at: 0.5, jitter_percent: 0,\n"
    "    shimmer_percent: 0, flutter_percent: 0, open_quotient: 0.6, asymmetry: 0.72, return_quotient: "
    "0.008,\n"
    "    lax_open_quotient: 0.85, lax_asymmetry: 0.6, lax_return_quotient: 0.08, breath_db: -120,\n"
    "    lax_breath_db: -120, breath_modulation: 0, breath_cutoff_hz: 2000, formant_scale: 1, "
    "bandwidth_scale: 1, noise_scale: 1,\n"
    "    target_set: men, upper_formants_hz: [3500, 4500], upper_bandwidths_hz: [200, 250],\n"
    "    pole_spacing_hz: 1000, pole_bandwidth_hz: 500,\n"
    "    nasal_pole_hz: 270, nasal_bandwidth_hz: 100, ramp_sec: 0.05, arch_db: 0, level_fall_db_per_sec: 0,\n"
    "    lead_sec: 0.25, tail_sec: 0.25, floor_dbfs: -120, peak_dbfs: -3, f0_hz: 120}\n"
    "  voices: {low: {f0_hz: 90}, high: {f0_hz: 250}}\n"
    "  phones:\n"
    "    v: {targets_hz: {men: [700, 1200, 2600]}, bandwidths_hz: [90, 90, 150], edge_sec: 0.05,\n"
    "        stages: [{voice_db: 0}]}\n"
    "    i: {targets_hz: {men: [300, 2200, 3000]}, bandwidths_hz: [60, 90, 150], edge_sec: 0.05,\n"
    "        stages: [{voice_db: 0}]}\n"
    "    t: {targets_hz: {men: [400, 1600, 2600]}, bandwidths_hz: [200, 100, 200], edge_sec: 0.02,\n"
    "        coarticulation: 0.5, noise_hz: [4000, 6000], noise_bandwidths_hz: [1000, 2000],\n"
    "        noise_band_db: [0, 0], stages: [{sec: 0.06}, {sec: 0.01, noise_db: 0, ramp_sec: 0.002}]}\n";

/* Load spec.yaml with these entries and this map `voice`. */
static inline int voice_spec(struct fixture *f, const char *shared, const char *entries, struct vg_spec *spec)
{
    return fixture_spec(f, vg_arena_format(&f->arena, "%s]}\n%s#", entries, shared), NULL, spec);
}

static inline struct vg_loaded voice_load(struct fixture *f, const char *entry)
{
    struct vg_spec spec;
    struct vg_source_list list = {0};
    struct vg_loaded loaded;

    if (voice_spec(f, steady_voice, entry, &spec) != VG_OK ||
        vg_sources_list(&spec, &list, &f->arena, &f->err) != VG_OK)
        fail_msg("%s: %s", f->err.issues[0].place, f->err.issues[0].sentence);
    assert_int_equal(vg_source_load(&spec, &list.at[0], &loaded, &f->arena, &f->err), VG_OK);
    return loaded;
}

/* Magnitudes, n/2+1 of them, of n values under a 4-term Blackman-Harris window (side lobes -92 dB, main
 * lobe 4 bins to either side). */
static inline double *spectrum_of(struct fixture *f, const double *x, size_t n)
{
    const struct vg_fft *fft = vg_fft_make(n, &f->arena);
    struct vg_complex *bins = vg_arena_take(&f->arena, n / 2 + 1, sizeof *bins);
    double *windowed = vg_arena_take(&f->arena, n, sizeof *windowed);
    double *magnitudes = vg_arena_take(&f->arena, n / 2 + 1, sizeof *magnitudes);

    for (size_t k = 0; k < n; k++) {
        double a = 2 * VG_PI * (double)k / (double)n;

        windowed[k] = x[k] * (0.35875 - 0.48829 * cos(a) + 0.14128 * cos(2 * a) - 0.01168 * cos(3 * a));
    }
    vg_fft_forward(fft, windowed, bins, &f->arena);
    for (size_t k = 0; k <= n / 2; k++)
        magnitudes[k] = hypot(bins[k].re, bins[k].im);
    return magnitudes;
}

static inline double *samples_of(struct fixture *f, const struct vg_clip *clip, size_t first, size_t n)
{
    double *x = vg_arena_take(&f->arena, n, sizeof *x);

    assert_true(first + n <= clip->frames);
    for (size_t k = 0; k < n; k++)
        x[k] = clip->samples[first + k];
    return x;
}

#endif
