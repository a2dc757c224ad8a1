/* SPDX-License-Identifier: MIT */
/* Where the sound of a recording ends: telephone speech at 48 kHz has nothing above 4 kHz, so that what is
 * done up there changes nothing.  Method: mean power spectrum of the whole clip, and in it the highest bin
 * that is within 80 dB of the strongest. */
#include "corpus.h"
#include "dsp.h"
#include "kinds.h"

enum { WINDOW = 1024, BINS = WINDOW / 2 + 1 };

/* 80 dB: rounding to 16 bits lies lower under speech of ordinary level, consonants lie higher. */
#define POWER_MIN 1e-8
/* Of the Nyquist frequency.  MP3 at 48 kHz ends at two thirds or above, wide-band speech near the end. */
#define EDGE_MIN 0.55

static void add_spectrum(const struct vg_fft *fft, const int16_t *samples, double power[BINS],
                         struct vg_arena *tmp)
{
    double x[WINDOW];
    struct vg_complex bins[BINS];

    for (size_t k = 0; k < WINDOW; k++)
        x[k] = samples[k] * (0.5 - 0.5 * vg_cos(2 * VG_PI * (double)k / WINDOW));
    vg_fft_forward(fft, x, bins, tmp);
    for (size_t b = 0; b < BINS; b++)
        power[b] += bins[b].re * bins[b].re + bins[b].im * bins[b].im;
}

static double edge_of(const struct vg_clip *clip)
{
    struct vg_arena tmp = {0};
    const struct vg_fft *fft = vg_fft_make(WINDOW, &tmp);
    double power[BINS] = {0}, most = 0;
    size_t edge = BINS - 1;

    for (size_t at = 0; at + WINDOW <= clip->frames; at += WINDOW)
        add_spectrum(fft, clip->samples + at, power, &tmp);
    for (size_t b = 0; b < BINS; b++)
        most = power[b] > most ? power[b] : most;
    while (edge > 0 && most > 0 && power[edge] < most * POWER_MIN)
        edge--;
    vg_arena_release(&tmp);
    return (double)edge / (BINS - 1);
}

void vg_note_band(struct vg_loaded *loaded, struct vg_arena *arena)
{
    double edge = edge_of(&loaded->clip);
    struct vg_text note = {0};

    if (edge >= EDGE_MIN)
        return;
    vg_text_add(&note, "holds nothing above ");
    vg_text_add_fixed(&note, edge * loaded->clip.rate_hz / 2000, 1);
    vg_text_add(&note, " kHz");
    vg_facts_note(&loaded->facts, note.data, arena);
    vg_text_release(&note);
}
