/* SPDX-License-Identifier: MIT */
/* One item of a published set: decoded, and measured alone or beside its recording.  What the table calls
 * onset and offset is the recording's wherever the item is as long as that; the paper's tables have the
 * recording's everywhere, ours the item's. */
#include "foreign.h"

#include <math.h>

enum { DURATION_MAX_SEC = 3600, EVERYTHING = (1 << VG_QUANTITIES) - 1 };

static int decode(const char *path, const char *place, struct vg_sound *sound, struct vg_arena *arena,
                  struct vg_error *err)
{
    struct vg_decode_rules rules = {.mix_down = true, .duration_max_sec = DURATION_MAX_SEC};
    struct vg_loaded loaded = {.facts = {.decoder = "", .note = ""}};
    int rc = vg_decode_file(path, place, &rules, &loaded, arena, err);

    if (rc == VG_OK)
        *sound = (struct vg_sound){
            .samples = loaded.clip.samples, .frames = loaded.clip.frames, .rate_hz = loaded.clip.rate_hz};
    return rc;
}

static void set_span(struct vg_sound *sound, double onset_sec, double offset_sec)
{
    struct vg_span span;

    if (isnan(onset_sec) || isnan(offset_sec))
        return; /* the whole sound */
    span = vg_span_of(onset_sec, offset_sec, sound->rate_hz, sound->frames);
    sound->on = span.on;
    sound->off = span.off;
}

/* Speech as the detector hears it, from the onset on that the table gives. */
static void detect_span(struct vg_sound *source, double onset_sec, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    double *x = vg_arena_take(tmp, source->frames, sizeof *x);
    struct vg_speech speech;

    for (size_t k = 0; k < source->frames; k++)
        x[k] = source->samples[k] / 32768.0;
    speech = vg_detect_robust(x, source->frames, source->rate_hz, tmp);
    if (speech.found)
        set_span(source, isnan(onset_sec) ? speech.onset_sec : onset_sec, speech.offset_sec);
    vg_arena_rewind(tmp, mark);
}

static void find_span(struct vg_sound *source, const struct vg_published *set, size_t index,
                      struct vg_arena *tmp)
{
    double sec = (double)source->frames / source->rate_hz;

    for (size_t i = 0; i < set->count; i++) {
        const struct vg_published_item *item = &set->items[i];

        if (item->recording == set->items[index].recording && !isnan(item->onset_sec) &&
            !isnan(item->offset_sec) && fabs(item->duration_sec - sec) < 2e-6) { /* as tables round */
            set_span(source, item->onset_sec, item->offset_sec);
            return;
        }
    }
    detect_span(source, set->items[index].onset_sec, tmp);
}

static int open_recording(struct vg_ear *ear, const struct vg_published *set, size_t index,
                          const struct vg_margins *margins, const char *place, struct vg_error *err)
{
    size_t recording = set->items[index].recording;
    struct vg_arena_mark empty = {0};
    int rc;

    if (ear->recording == recording)
        return VG_OK;
    ear->recording = SIZE_MAX;
    vg_arena_rewind(&ear->keep, empty);
    rc = decode(set->recordings[recording], place, &ear->source, &ear->keep, err);
    if (rc != VG_OK)
        return rc;
    find_span(&ear->source, set, index, &ear->tmp);
    ear->reference = vg_reference_make(&ear->source, &ear->keep, &ear->tmp);
    vg_measure_blind(&ear->source, margins, EVERYTHING, ear->blind, &ear->tmp);
    vg_arena_rewind(&ear->tmp, empty);
    ear->recording = recording;
    return VG_OK;
}

static void measure(struct vg_ear *ear, const struct vg_margins *margins, const struct vg_sound *sound,
                    struct vg_overheard *heard)
{
    struct vg_arena_mark empty = {0};

    if (heard->paired_too)
        vg_measure_both(ear->reference, sound, margins, EVERYTHING, heard->paired, heard->blind, &ear->tmp);
    else
        vg_measure_blind(sound, margins, EVERYTHING, heard->blind, &ear->tmp);
    vg_arena_rewind(&ear->tmp, empty);
    for (size_t q = 0; q < VG_QUANTITIES; q++)
        heard->source[q] = ear->blind[q];
    heard->heard = true;
}

int vg_ear_hear(struct vg_ear *ear, const struct vg_published *set, size_t index,
                const struct vg_margins *margins, const char *place, struct vg_overheard *heard)
{
    const struct vg_published_item *item = &set->items[index];
    struct vg_arena_mark empty = {0};
    struct vg_sound sound;
    int rc;

    heard->heard = false;
    heard->paired_too = item->recording != SIZE_MAX;
    vg_arena_rewind(&ear->item, empty);
    rc = decode(item->path, place, &sound, &ear->item, &heard->err);
    if (rc == VG_OK && heard->paired_too)
        rc = open_recording(ear, set, index, margins, place, &heard->err);
    if (rc != VG_OK)
        return rc;
    if (heard->paired_too && ear->source.rate_hz != sound.rate_hz)
        return vg_fail(&heard->err, VG_SOURCE, place,
                       "%s has %lu Hz, its source %s %lu Hz; expected the same", item->path,
                       (unsigned long)sound.rate_hz, set->recordings[item->recording],
                       (unsigned long)ear->source.rate_hz);
    set_span(&sound, item->onset_sec, item->offset_sec);
    vg_digest_of_samples(VG_XXH128, sound.samples, sound.frames, heard->digest);
    measure(ear, margins, &sound, heard);
    return VG_OK;
}

void vg_ear_release(struct vg_ear *ear)
{
    vg_arena_release(&ear->keep);
    vg_arena_release(&ear->item);
    vg_arena_release(&ear->tmp);
}
