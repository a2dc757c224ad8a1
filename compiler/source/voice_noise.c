/* SPDX-License-Identifier: MIT */
/* The noise sources: breath, which goes through the tract like the voice, and frication, which goes
 * through the bands of its phone in parallel and past the tract.  Noise is white and Gaussian, each band has
 * its own, so that none cancels another, and all flutters with the glottis while there is voicing. */
#include "voice.h"

#include <math.h>

/* A gain of 1 means power 1 within this band, so that the sample rate does not change a level. */
static const double NOISE_BAND_HZ = 10000;
/* How long the bands ring on after their phone. */
static const double RING_SEC = 0.02;

static double gain_for_rate(uint32_t rate_hz)
{
    return sqrt(0.5 * rate_hz / NOISE_BAND_HZ);
}

/* A control at sample k. */
static double control_at(const struct vg_tracks *tracks, enum vg_voice_control control, size_t k)
{
    const struct vg_voice_frame *from = &tracks->frames[k / tracks->hop], *to = from + 1;
    double way = (double)(k % tracks->hop) / (double)tracks->hop;

    return from->controls[control] + (to->controls[control] - from->controls[control]) * way;
}

/* How much of the noise passes at sample k: all of it without voicing. */
static double flutter_at(const struct vg_tracks *tracks, double open, size_t k)
{
    double voicing = control_at(tracks, VG_VOICING, k);
    double depth = tracks->score->voice.breath_modulation * (voicing < 1 ? voicing : 1);

    return 1 - depth * (1 - open);
}

void vg_breath_render(const struct vg_tracks *tracks, struct vg_random *random, const double *open, double *x)
{
    const struct vg_score *score = tracks->score;
    double scale = gain_for_rate(score->rate_hz), y = 0;
    double keep =
        vg_exp(-2 * VG_PI * score->voice.breath_cutoff_hz / score->rate_hz); /* of a one-pole low-pass */

    for (size_t k = 0; k < score->frames; k++) {
        double gain = scale * control_at(tracks, VG_BREATH, k) * flutter_at(tracks, open[k], k);

        y = (1 - keep) * vg_random_normal(random) + keep * y;
        x[k] += gain * y;
    }
}

/* Two equal resonators in a row, each with zeros at 0 Hz and Nyquist and a gain of 1 at its centre
 * whatever that is (Steiglitz 1994): skirts of 12 dB an octave. */
struct band {
    double gain, scale, b, c;
    struct band_state {
        double x1, x2, y1, y2;
    } states[2];
};

/* Each of two equal resonators is this much wider than both together: 1 / sqrt(sqrt(2) - 1). */
static const double PAIR_WIDTH = 1.5537739740300374;

static struct band band_of(const struct vg_voice_band *band, uint32_t rate_hz)
{
    double radius = vg_exp(-VG_PI * PAIR_WIDTH * band->bandwidth_hz / rate_hz);

    return (struct band){.gain = band->gain,
                         .scale = 0.5 * (1 - radius * radius),
                         .b = 2 * radius * vg_cos(2 * VG_PI * band->hz / rate_hz),
                         .c = -radius * radius};
}

static double band_next(struct band *band, double x)
{
    for (size_t i = 0; i < 2; i++) {
        struct band_state *s = &band->states[i];
        double y = band->scale * (x - s->x2) + band->b * s->y1 + band->c * s->y2;

        *s = (struct band_state){x, s->x1, y, s->y1};
        x = y;
    }
    return band->gain * x;
}

static void render_phone(const struct vg_tracks *tracks, const struct vg_score_phone *said,
                         struct vg_random *random, const double *open, double *x)
{
    const struct vg_score *score = tracks->score;
    size_t first = vg_synth_frames(said->start_sec, score->rate_hz);
    size_t end = vg_synth_frames(said->end_sec, score->rate_hz);
    size_t last = end + vg_synth_frames(RING_SEC, score->rate_hz);
    struct band bands[VG_VOICE_BANDS];
    double scale = gain_for_rate(score->rate_hz);

    for (size_t i = 0; i < said->phone.band_count; i++)
        bands[i] = band_of(&said->phone.bands[i], score->rate_hz);
    for (size_t k = first; k < last && k < score->frames; k++) {
        double gain =
            k < end ? scale * control_at(tracks, VG_FRICATION, k) * flutter_at(tracks, open[k], k) : 0;

        for (size_t i = 0; i < said->phone.band_count; i++)
            x[k] += band_next(&bands[i], gain > 0 ? gain * vg_random_normal(random) : 0);
    }
}

void vg_frication_render(const struct vg_tracks *tracks, struct vg_random *random, const double *open,
                         double *x)
{
    for (size_t i = 0; i < tracks->score->phone_count; i++)
        if (tracks->score->phones[i].phone.band_count > 0)
            render_phone(tracks, &tracks->score->phones[i], random, open, x);
}
