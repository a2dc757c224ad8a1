/* SPDX-License-Identifier: MIT */
/* background_noise.  Paired: what of the output does not follow the source, in its quiet frames.  Blind:
 * the quiet windows of ten even bands. */
#include "quantity.h"

#include <math.h>

#define REST_QUANTILE 0.25
#define FLOOR_QUANTILE 0.1
#define LSB_POWER 1.0 /* rounding and truncation to 16 bits stay below: no noise */

void vg_noise_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    struct vg_contour level = vg_pair_contour(pair, tmp), heard = vg_pair_contour(pair, tmp);
    double samples = 2 * (double)pair->output->hop, power = pair->source->power, change;

    for (size_t k = 0; k < level.count; k++) {
        double rest = vg_pair_rest(pair, k) / samples;

        level.value[k] = 10 * vg_log10((rest + LSB_POWER) / power);
        heard.value[k] = 10 * vg_log10((rest + pair->source->floor_power) / power);
    }
    change = vg_contour_quantile(&heard, vg_thirds[1], REST_QUANTILE, tmp) -
             vg_contour_quantile(&heard, vg_thirds[0], REST_QUANTILE, tmp);
    vg_trace_quantile(trace, &level, REST_QUANTILE, tmp);
    trace->heard = change;
}

/* Level that a band's quiet windows reach in a part, in dB re full scale. */
static double band_floor(const struct vg_heard *sound, size_t band, struct vg_part part, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    const struct vg_bands *bands = &sound->bands;
    struct vg_contour frames = {NULL, sound->place, sound->frames};
    size_t first = (vg_contour_find(&frames, part.from) + 1) / 2,
           end = (vg_contour_find(&frames, part.to) + 1) / 2;
    double *power = vg_arena_take(tmp, end - first, sizeof *power), quiet;

    for (size_t j = first; j < end; j++)
        power[j - first] = (double)bands->even[j * VG_EVEN_BANDS + band];
    quiet = vg_quantile(power, end - first, FLOOR_QUANTILE);
    vg_arena_rewind(tmp, mark);
    return 10 * vg_log10((quiet + 0.01 * LSB_POWER) / (32768.0 * 32768.0));
}

static double floor_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    double level[VG_EVEN_BANDS];

    for (size_t b = 0; b < VG_EVEN_BANDS; b++)
        level[b] = band_floor(context, b, part, tmp);
    return vg_known(level[0]) ? vg_quantile(level, VG_EVEN_BANDS, 0.5) : NAN;
}

void vg_noise_blind(const struct vg_heard *sound, struct vg_trace *trace, struct vg_arena *tmp)
{
    double change[VG_EVEN_BANDS];

    vg_trace_fill(trace, (struct vg_asked){floor_in, sound}, vg_thirds, tmp);
    for (size_t b = 0; b < VG_EVEN_BANDS; b++)
        change[b] = band_floor(sound, b, vg_thirds[1], tmp) - band_floor(sound, b, vg_thirds[0], tmp);
    if (vg_known(trace->net)) /* the median change is steadier than the change of the median */
        trace->net = trace->heard = vg_quantile(change, VG_EVEN_BANDS, 0.5);
}
