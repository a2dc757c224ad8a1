/* SPDX-License-Identifier: MIT */
/* echo, paired: every part of the output is fitted with the source and with what the room between the two
 * makes of it, and tells how much of the room's late part it holds. */
#include "quantity.h"
#include "room.h"

#include <math.h>

#define FLOOR 3.1622776602e-4 /* -35 dB: less echo is none */
#define EXPLAINED 0.3         /* of what the dry sound leaves of the output, at least, or there is no echo */
#define MORE_MOST 2.0
#define RIDGE 1e-4 /* of the wet energy: keeps parts without any from exploding */

/* What stands beside the source in the output. */
struct wet {
    double *x;    /* room->kept samples */
    double power; /* of all of them together */
    double late;  /* energy of the room's late taps */
};

struct mix {
    const struct vg_room *room;
    const struct vg_low *dry, *out;
    const struct wet *wet;
    bool is_room; /* else the taps are chance: another pitch, a moving gain */
};

/* A part of the output as dry + wet, by least squares: their shares, and of what the dry sound alone leaves
 * of it how much there is and how much of that the wet sound explains. */
struct fit {
    double dry, wet, left, explained;
};

static struct fit fit_in(const struct mix *mix, struct vg_part part)
{
    size_t end = vg_room_place(mix->room, part.to);
    double dd = 0, dw = 0, ww = 0, od = 0, ow = 0, oo = 0, determinant;
    struct fit fit = {0};

    for (size_t i = vg_room_place(mix->room, part.from); i < end; i++) {
        size_t k = vg_room_sample(mix->room, i);
        double d = (double)mix->dry->x[k], w = mix->wet->x[i], o = (double)mix->out->x[k];

        dd += d * d;
        dw += d * w;
        ww += w * w;
        od += o * d;
        ow += o * w;
        oo += o * o;
    }
    ww += RIDGE * mix->wet->power * (part.to - part.from);
    determinant = dd * ww - dw * dw;
    if (!(dd > 0))
        return (struct fit){NAN, 0, 0, 0};
    fit = (struct fit){od / dd, 0, oo - od * od / dd, 0};
    if (!(determinant > 0))
        return fit;
    fit.dry = (od * ww - ow * dw) / determinant;
    fit.wet = (ow * dd - od * dw) / determinant;
    fit.explained = fit.wet > 0 ? fit.wet * fit.wet * determinant / dd : 0;
    return fit;
}

static struct vg_part segment(size_t i)
{
    return (struct vg_part){(double)i / VG_SEGMENTS, (double)(i + 1) / VG_SEGMENTS};
}

/* Do the taps explain what the dry sound leaves of the whole output? */
static bool are_a_room(const struct mix *mix)
{
    double explained = 0, left = 0;

    for (size_t i = 0; i < VG_SEGMENTS; i++) {
        struct fit fit = fit_in(mix, segment(i));

        explained += fit.explained;
        left += fit.left;
    }
    return explained > 0 && explained >= EXPLAINED * left;
}

/* The late energy of a part's fit in dB re dry; by as much more as the room sounds than its taps that stand
 * out: what the dry sound leaves over what those explain of it. */
static double echo_in(const void *context, struct vg_part part, struct vg_arena *tmp)
{
    const struct mix *mix = context;
    struct fit fit = fit_in(mix, part);
    double more = MORE_MOST, echo = 0;

    (void)tmp;
    if (!vg_known(fit.dry))
        return NAN;
    if (fit.left < MORE_MOST * fit.explained)
        more = fit.left / fit.explained;
    if (mix->is_room && fit.dry > 0 && fit.explained > 0)
        echo = more * fit.wet * fit.wet / (fit.dry * fit.dry) * mix->wet->late;
    return 10 * vg_log10(echo + FLOOR);
}

static struct wet wet_of(const struct vg_room *room, struct vg_taps taps, struct vg_arena *tmp)
{
    return (struct wet){taps.at, vg_room_answer(room, taps.at, tmp), taps.late};
}

/* The output less its dry part, and the source as loud as its echo is, part by part. */
static void weigh(const struct mix *mix, struct vg_low *dry, struct vg_low *rest, struct vg_arena *tmp)
{
    float *d = vg_arena_take_zero(tmp, mix->dry->count, sizeof *d),
          *r = vg_arena_take_zero(tmp, mix->dry->count, sizeof *r);

    for (size_t s = 0; s < VG_SEGMENTS; s++) {
        struct fit fit = fit_in(mix, segment(s));
        size_t end = vg_room_place(mix->room, segment(s).to);

        for (size_t i = vg_room_place(mix->room, segment(s).from); vg_known(fit.dry) && i < end; i++) {
            size_t k = vg_room_sample(mix->room, i);

            d[k] = fit.wet > 0 ? (float)fit.wet * mix->dry->x[k] : 0;
            r[k] = mix->out->x[k] - (float)fit.dry * mix->dry->x[k];
        }
    }
    *dry = (struct vg_low){d, mix->dry->count, 0, mix->dry->factor, mix->dry->rate_hz};
    *rest = (struct vg_low){r, mix->dry->count, 0, mix->out->factor, mix->out->rate_hz};
}

/* Over the whole clip a moving mix leaves more of the room at the frequencies of sounds that have much of it.
 * Now that the mix is known, the taps are found anew from source and output weighted with it. */
static struct wet whole_room(const struct mix *mix, struct vg_arena *tmp)
{
    struct vg_low dry, rest;
    struct vg_room weighted;

    weigh(mix, &dry, &rest, tmp);
    vg_room_make(&weighted, &dry, mix->room, tmp, tmp);
    return wet_of(mix->room, vg_room_taps(&weighted, &rest, tmp), tmp);
}

void vg_echo_paired(const struct vg_pair *pair, struct vg_trace *trace, struct vg_arena *tmp)
{
    const struct vg_low *out = &pair->output->lows.lower;
    struct vg_lows laid = pair->source->lows;
    struct vg_room room = pair->source->room;
    struct mix mix;
    struct wet wet;

    if (!pair->same_time) {
        laid = vg_lows_of(pair->laid, pair->output->blocks * pair->output->hop, pair->output->margin,
                          pair->output->sound.rate_hz, tmp, tmp);
        vg_room_make(&room, &laid.lower, &pair->source->room, tmp, tmp);
    }
    vg_trace_clear(trace);
    if (room.kept <= (size_t)(VG_ROOM_SEC * out->rate_hz) || !(room.kernel[0] > 0))
        return;
    wet = wet_of(&room, vg_room_taps(&room, out, tmp), tmp);
    mix = (struct mix){&room, &laid.lower, out, &wet, false};
    mix.is_room = are_a_room(&mix);
    if (mix.is_room)
        wet = whole_room(&mix, tmp);
    vg_trace_fill(trace, (struct vg_asked){echo_in, &mix}, vg_thirds, tmp);
}
