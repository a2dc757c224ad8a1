/* SPDX-License-Identifier: MIT */
/* One finished item: render, measure, encode. */
#include "make.h"

#include <string.h>

void vg_maker_release(struct vg_maker *maker)
{
    vg_renderer_release(&maker->renderer);
    vg_arena_release(&maker->analysis);
    vg_arena_release(&maker->tmp);
    *maker = (struct vg_maker){0};
}

static struct vg_sound sound_of(const int16_t *samples, size_t frames, uint32_t rate_hz, size_t on,
                                size_t off)
{
    struct vg_sound sound = {samples, frames, rate_hz, on, off};

    return sound;
}

/* The source's side of the paired measures, kept while items of the same source follow. */
static const struct vg_reference *reference_of(struct vg_maker *maker, const struct vg_loaded *source)
{
    struct vg_arena_mark empty = {0};
    struct vg_sound sound;

    if (maker->heard == source)
        return maker->reference;
    vg_arena_rewind(&maker->analysis, empty);
    sound = sound_of(source->clip.samples, source->clip.frames, source->clip.rate_hz, source->span.on,
                     source->span.off);
    maker->reference = vg_reference_make(&sound, &maker->analysis, &maker->tmp);
    maker->heard = source;
    return maker->reference;
}

static void measure(struct vg_maker *maker, const struct vg_margins *margins, const struct vg_item *item,
                    const struct vg_loaded *source, const struct vg_rendered *out, struct vg_record *record)
{
    struct vg_sound sound = sound_of(out->samples, out->frames, source->clip.rate_hz, out->on, out->off);
    enum vg_quantity quantity = vg_quantity_of(item->category->words->name);
    const struct vg_reference *reference = reference_of(maker, source);
    struct vg_arena_mark mark = vg_arena_mark(&maker->tmp);

    vg_measure_both(reference, &sound, margins, (1u << VG_QUANTITIES) - 1, record->paired, record->blind,
                    &maker->tmp);
    vg_arena_rewind(&maker->tmp, mark);
    if (quantity == VG_QUANTITIES)
        return;
    record->measured = true;
    record->verdict = vg_verdict_of(&record->paired[quantity], item->direction == VG_UP ? 1 : -1);
    record->below_jnd = record->paired[quantity].net_jnd < 1.0 && record->paired[quantity].net_jnd > -1.0;
}

int vg_make_item(struct vg_maker *maker, const struct vg_margins *margins, const struct vg_item *item,
                 const struct vg_loaded *source, struct vg_record *record, struct vg_text *flac,
                 struct vg_arena *keep, struct vg_error *err)
{
    struct vg_rendered out;

    vg_record_of_item(record, item, &source->facts, keep);
    vg_render(&maker->renderer, item, source, &out, keep);
    record->onset = out.on;
    record->offset = out.off;
    record->clipped = out.clipped;
    record->peak = out.peak;
    measure(maker, margins, item, source, &out, record);
    return vg_record_encode(record, out.samples, out.frames, source->clip.rate_hz, item->spec->pack.compact,
                            flac, err);
}
