/* SPDX-License-Identifier: MIT */
/* One finished item: render, measure, encode. */
#include "make.h"

#include <string.h>

void vg_maker_release(struct vg_maker *maker)
{
    vg_renderer_release(&maker->renderer);
    vg_arena_release(&maker->analysis);
    vg_arena_release(&maker->sound);
    *maker = (struct vg_maker){0};
}

static struct vg_sound sound_of(const int16_t *samples, size_t frames, uint32_t rate_hz, size_t on,
                                size_t off)
{
    struct vg_sound sound = {samples, frames, rate_hz, on, off};

    return sound;
}

enum { LONG_BYTES = 16 << 20 };

/* Of a long source nothing is kept that can be made again: its items take seconds each. */
static bool is_long(const struct vg_loaded *source)
{
    return source->clip.frames > LONG_BYTES / sizeof *source->clip.samples;
}

static void forget_reference(struct vg_maker *maker)
{
    struct vg_arena_mark empty = {0};

    vg_arena_rewind(&maker->analysis, empty);
    maker->heard = NULL;
}

/* The source's side of the paired measures, kept while items of the same source follow. */
static const struct vg_reference *reference_of(struct vg_maker *maker, const struct vg_loaded *source)
{
    struct vg_sound sound;

    if (maker->heard == source)
        return maker->reference;
    forget_reference(maker);
    sound = sound_of(source->clip.samples, source->clip.frames, source->clip.rate_hz, source->span.on,
                     source->span.off);
    maker->reference = vg_reference_make(&sound, &maker->analysis, &maker->renderer.tmp);
    maker->heard = source;
    return maker->reference;
}

static void measure(struct vg_maker *maker, const struct vg_margins *margins, const struct vg_item *item,
                    const struct vg_loaded *source, const struct vg_rendered *out, struct vg_record *record)
{
    struct vg_sound sound = sound_of(out->samples, out->frames, source->clip.rate_hz, out->on, out->off);
    enum vg_quantity quantity = vg_quantity_of(item->category->words->name);
    const struct vg_reference *reference = reference_of(maker, source);

    vg_measure_both(reference, &sound, margins, (1u << VG_QUANTITIES) - 1, record->paired, record->blind,
                    &maker->renderer.tmp);
    if (quantity == VG_QUANTITIES)
        return;
    record->measured = true;
    record->verdict = vg_verdict_judged(&record->paired[quantity], &record->blind[quantity],
                                        &margins->of[quantity], item->direction == VG_UP ? 1 : -1);
    record->below_jnd = record->paired[quantity].net_jnd < 1.0 && record->paired[quantity].net_jnd > -1.0;
}

int vg_make_item(struct vg_maker *maker, const struct vg_margins *margins, const struct vg_item *item,
                 const struct vg_loaded *source, struct vg_record *record, struct vg_text *flac,
                 struct vg_arena *keep, struct vg_error *err)
{
    struct vg_arena_mark empty = {0};
    struct vg_rendered out;
    int rc;

    vg_record_of_item(record, item, &source->facts, keep);
    vg_render(&maker->renderer, item, source, &out, &maker->sound);
    if (is_long(source))
        vg_renderer_clear(&maker->renderer);
    record->onset = out.on;
    record->offset = out.off;
    record->clipped = out.clipped;
    record->peak = out.peak;
    measure(maker, margins, item, source, &out, record);
    if (is_long(source))
        forget_reference(maker);
    rc = vg_record_encode(record, out.samples, out.frames, source->clip.rate_hz, item->spec->pack.compact,
                          flac, err);
    vg_arena_rewind(&maker->sound, empty);
    return rc;
}
