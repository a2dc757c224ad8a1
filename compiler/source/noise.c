/* SPDX-License-Identifier: MIT */
/* Kind `noise`: Gaussian noise, white, pink or with the spectrum of speech.  White noise is drawn for a
 * power of two of samples, weighted bin by bin in its Fourier transform, and cut to length. */
#include "synth.h"

#include <math.h>
#include <string.h>

static const struct vg_key_rule noise_keys[] = {
    VG_SYNTH_IDENTITY_KEYS,
    VG_SYNTH_SOUND_KEYS,
    {"colour", VG_KEY_CHOICE, VG_REQUIRED, 0, 0, "white|pink|speech", NULL, "shape of the spectrum"},
    {"low_hz", VG_KEY_NUMBER, VG_UP_TO_NYQUIST, 0, 48000, NULL, NULL,
     "nothing below, Hz; from 0 where missing"},
    {"high_hz", VG_KEY_NUMBER, VG_ABOVE_MIN | VG_UP_TO_NYQUIST, 0, 48000, NULL, NULL,
     "nothing above, Hz; up to Nyquist where missing"},
    {0},
};

/* Long-term average spectrum of speech, men and women together: levels of third-octave bands in dB for
 * 70 dB overall (Byrne et al. 1994, J. Acoust. Soc. Am. 96, 2108, table II).  Band i is centred on
 * 1000 * 10^((i - 12) / 10) Hz. */
static const double speech_db[] = {38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1,
                                   62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1, 46.8,
                                   45.6, 44.5, 44.3, 43.7, 43.4, 41.3, 40.7};
enum { SPEECH_BANDS = sizeof speech_db / sizeof *speech_db, SPEECH_1KHZ = 12 };

/* Density at a frequency: lines between band centres, level beyond the first and last, in dB over the
 * logarithm of the frequency; a band's width grows with its centre. */
static double speech_weight(double hz)
{
    double place = 10 * vg_log10(hz / 1000) + SPEECH_1KHZ, db;

    if (place <= 0)
        db = speech_db[0];
    else if (place >= SPEECH_BANDS - 1)
        db = speech_db[SPEECH_BANDS - 1];
    else
        db = speech_db[(size_t)place] +
             (speech_db[(size_t)place + 1] - speech_db[(size_t)place]) * (place - floor(place));
    return vg_db_to_gain(db) / sqrt(hz);
}

struct shape {
    enum { WHITE, PINK, SPEECH } colour;
    double low_hz, high_hz;
};

static double weight(const struct shape *shape, double hz)
{
    if (hz < shape->low_hz || hz > shape->high_hz)
        return 0;
    if (shape->colour == WHITE)
        return 1;
    if (hz == 0)
        return 0;
    return shape->colour == PINK ? 1 / sqrt(hz) : speech_weight(hz);
}

static struct shape read_shape(const struct vg_node *entry, uint32_t rate_hz)
{
    const char *colour = vg_node_text(entry, "colour", "");

    return (struct shape){
        .colour = strcmp(colour, "white") == 0  ? WHITE
                  : strcmp(colour, "pink") == 0 ? PINK
                                                : SPEECH,
        .low_hz = vg_node_number(entry, "low_hz", 0),
        .high_hz = vg_node_number(entry, "high_hz", 0.5 * rate_hz),
    };
}

static void check_noise(const struct vg_node *entry, struct vg_error *err)
{
    const struct vg_node *high = vg_node_find(entry, "high_hz");

    vg_synth_check(entry, err);
    if (high != NULL && vg_node_number(entry, "high_hz", 0) <= vg_node_number(entry, "low_hz", 0))
        vg_node_fail(high, err, "high_hz %s is not above low_hz %s", high->text,
                     vg_node_text(entry, "low_hz", "0"));
}

static void fill_noise(struct vg_synth_sound *sound, const struct shape *shape, struct vg_random *random,
                       struct vg_arena *tmp)
{
    size_t n = 1;
    const struct vg_fft *fft;
    struct vg_complex *bins;
    double *white;

    while (n < sound->frames)
        n *= 2;
    fft = vg_fft_make(n, tmp);
    white = vg_arena_take(tmp, n, sizeof *white);
    bins = vg_arena_take(tmp, n / 2 + 1, sizeof *bins);
    for (size_t k = 0; k < n; k++)
        white[k] = vg_random_normal(random);
    vg_fft_forward(fft, white, bins, tmp);
    for (size_t k = 0; k <= n / 2; k++) {
        double w = weight(shape, (double)k * sound->rate_hz / (double)n);

        bins[k].re *= w;
        bins[k].im *= w;
    }
    vg_fft_inverse(fft, bins, white, tmp);
    memcpy(sound->x, white, sound->frames * sizeof *white);
}

static int load_noise(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                      struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_node *entry = source->origin->entry;
    struct vg_synth_sound sound = vg_synth_open(entry, arena);
    struct shape shape = read_shape(entry, sound.rate_hz);
    struct vg_arena tmp = {0};
    struct vg_random random = vg_synth_random(spec, source, "noise", &tmp);

    (void)err;
    fill_noise(&sound, &shape, &random, &tmp);
    vg_arena_release(&tmp);
    vg_synth_close(&sound, entry, loaded, arena);
    return VG_OK;
}

const struct vg_source_kind vg_kind_noise = {
    .words = {.name = "noise", .keys = noise_keys, .check = check_noise},
    .list = vg_synth_list,
    .load = load_noise,
};
