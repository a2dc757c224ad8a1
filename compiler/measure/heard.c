/* SPDX-License-Identifier: MIT */
/* One sound's span, levels and floor, and the views that the quantities asked for. */
#include "heard.h"

#include <string.h>

#define LOUD 0.01 /* of the span's power: 20 dB below its level */
#define QUIET_SHARE 0.1

static void place_span(struct vg_heard *heard)
{
    struct vg_sound *sound = &heard->sound;

    if (sound->off > sound->frames)
        sound->off = sound->frames;
    if (sound->off <= sound->on) {
        sound->on = 0;
        sound->off = sound->frames;
    }
    heard->span = sound->off - sound->on;
    heard->hop = (sound->rate_hz + VG_BLOCKS_PER_SEC / 2) / VG_BLOCKS_PER_SEC;
    heard->hop += heard->hop == 0;
    heard->blocks = heard->span / heard->hop;
    heard->frames = heard->blocks ? heard->blocks - 1 : 0;
    heard->margin = (size_t)((uint64_t)sound->rate_hz * VG_MARGIN_MS / 1000) + 1;
}

/* The span with its margins; inside the clip they are the clip's own samples. */
static void copy_span(struct vg_heard *heard, struct vg_arena *keep)
{
    const struct vg_sound *sound = &heard->sound;
    size_t before = sound->on < heard->margin ? sound->on : heard->margin;
    size_t after = sound->frames - sound->off < heard->margin ? sound->frames - sound->off : heard->margin;
    size_t whole = before + heard->span + after;
    int16_t *x = vg_arena_take_zero(keep, heard->span + 2 * heard->margin, sizeof *x);

    if (whole)
        memcpy(x + heard->margin - before, sound->samples + sound->on - before, whole * sizeof *x);
    heard->x = x + heard->margin;
}

static void hear_levels(struct vg_heard *heard, struct vg_arena *keep)
{
    double *place = vg_arena_take(keep, heard->frames, sizeof *place);
    double *energy = vg_arena_take(keep, heard->blocks, sizeof *energy), sum = 0;

    for (size_t k = 0; k < heard->frames; k++)
        place[k] = (double)((k + 1) * heard->hop) / (double)heard->span;
    for (size_t k = 0; k < heard->blocks; k++) {
        const int16_t *block = heard->x + k * heard->hop;

        energy[k] = (double)vg_product_sum(block, block, heard->hop);
        sum += energy[k];
    }
    heard->place = place;
    heard->energy = energy;
    heard->power = heard->blocks ? sum / (double)(heard->blocks * heard->hop) : 0;
}

static void hear_floor(struct vg_heard *heard, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    size_t frame = 2 * heard->hop, count = heard->sound.frames / frame;
    double *energy = vg_arena_take(tmp, count, sizeof *energy);

    for (size_t k = 0; k < count; k++) {
        const int16_t *x = heard->sound.samples + k * frame;

        energy[k] = (double)vg_product_sum(x, x, frame);
    }
    heard->floor_power = 1 + (count ? vg_quantile(energy, count, QUIET_SHARE) / (double)frame : 0);
    vg_arena_rewind(tmp, mark);
}

static bool has_margins(const struct vg_heard *heard)
{
    const struct vg_sound *sound = &heard->sound;

    return sound->on >= heard->margin && sound->frames - sound->off >= heard->margin;
}

void vg_heard_make(struct vg_heard *heard, const struct vg_sound *sound, unsigned views,
                   enum vg_heard_samples samples, struct vg_arena *keep, struct vg_arena *tmp)
{
    *heard = (struct vg_heard){.sound = *sound};
    place_span(heard);
    if (samples == VG_HEARD_BORROWS && has_margins(heard))
        heard->x = sound->samples + heard->sound.on;
    else
        copy_span(heard, keep);
    hear_levels(heard, keep);
    hear_floor(heard, tmp);
    vg_heard_views(heard, views, keep, tmp);
}

void vg_heard_views(struct vg_heard *heard, unsigned views, struct vg_arena *keep, struct vg_arena *tmp)
{
    if ((views & (VG_VIEW_LOW | VG_VIEW_VOICE | VG_VIEW_ROOM)) && heard->lows.low.x == NULL)
        heard->lows = vg_lows_of(heard->x, heard->span, heard->margin, heard->sound.rate_hz, keep, tmp);
    if ((views & VG_VIEW_BANDS) && heard->bands.erb == NULL)
        vg_bands_make(heard, keep, tmp);
    if ((views & VG_VIEW_VOICE) && heard->voice.period_sec == NULL)
        vg_voice_make(heard, keep, tmp);
    if ((views & VG_VIEW_ROOM) && heard->room.fft == NULL)
        vg_room_make(&heard->room, &heard->lows.lower, NULL, keep, tmp);
    if ((views & VG_VIEW_HOLD) && heard->hold == NULL)
        vg_hold_make(heard, keep, tmp);
    if ((views & VG_VIEW_GRID) && heard->step == NULL)
        vg_grid_make(heard, keep, tmp);
}

double vg_frame_energy(const double *energy, size_t frame)
{
    return energy[frame] + energy[frame + 1];
}

bool vg_heard_is_loud(const struct vg_heard *heard, size_t frame)
{
    double energy = vg_frame_energy(heard->energy, frame);

    return energy > 0 && energy >= LOUD * heard->power * 2 * (double)heard->hop;
}

struct vg_contour vg_heard_contour(const struct vg_heard *heard, struct vg_arena *tmp)
{
    return (struct vg_contour){vg_arena_take(tmp, heard->frames, sizeof(double)), heard->place,
                               heard->frames};
}
