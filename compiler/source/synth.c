/* SPDX-License-Identifier: MIT */
/* What the synthetic kinds share.  Levels are set by one rule: the sound is made in any scale, then
 * multiplied so that its largest sample has the stated peak, and rounded to nearest, ties to even.  So
 * nothing can clip, and the result does not depend on how loud a model happens to be. */
#include "synth.h"

#include <math.h>

size_t vg_synth_frames(double sec, uint32_t rate_hz)
{
    return (size_t)vg_round_even(sec * rate_hz);
}

size_t vg_synth_numbers(const struct vg_node *map, const char *key, double *at, size_t room)
{
    const struct vg_node *list = vg_node_find(map, key);

    if (list == NULL)
        return 0;
    for (size_t i = 0; i < list->count && i < room; i++)
        vg_check(vg_number_parse(list->entries[i].value->text, &at[i]));
    return list->count;
}

struct vg_random vg_synth_random(const struct vg_spec *spec, const struct vg_source *source,
                                 const char *purpose, struct vg_arena *arena)
{
    struct vg_random random;

    vg_random_seed(&random,
                   vg_random_entropy(vg_arena_format(arena, "%s:%s:%s", spec->seed, source->id, purpose)));
    return random;
}

struct vg_source *vg_synth_add(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                               struct vg_source_list *list, struct vg_arena *arena)
{
    const struct vg_node *map = entry->entry;
    struct vg_source *source = vg_source_add(list, entry, split, arena);

    source->id = vg_node_text(map, "id", "");
    source->clip_id = vg_node_text(map, "clip_id", source->id);
    source->speaker_id = vg_node_text(map, "speaker_id", "");
    source->sentence_id = vg_node_text(map, "sentence_id", "");
    source->text = vg_node_text(map, "text", "");
    source->corpus = "synthetic";
    source->licence = spec->license;
    return source;
}

int vg_synth_list(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                  struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_source *source = vg_synth_add(spec, entry, split, list, arena);

    (void)err;
    source->has_span = true;
    source->onset_sec = vg_node_number(entry->entry, "lead_sec", 0);
    source->offset_sec = source->onset_sec + vg_node_number(entry->entry, "sound_sec", 0);
    return VG_OK;
}

void vg_synth_check(const struct vg_node *entry, struct vg_error *err)
{
    const struct vg_node *fade = vg_node_find(entry, "fade_sec");

    if (fade != NULL && 2 * vg_node_number(entry, "fade_sec", 0) > vg_node_number(entry, "sound_sec", 0))
        vg_node_fail(fade, err, "fade_sec is %s, but two of them do not fit into sound_sec %s", fade->text,
                     vg_node_text(entry, "sound_sec", ""));
}

struct vg_synth_sound vg_synth_open(const struct vg_node *entry, struct vg_arena *arena)
{
    struct vg_synth_sound sound = {.rate_hz = (uint32_t)vg_node_integer(entry, "sample_rate_hz", 0)};

    sound.lead = vg_synth_frames(vg_node_number(entry, "lead_sec", 0), sound.rate_hz);
    sound.frames = vg_synth_frames(vg_node_number(entry, "sound_sec", 0), sound.rate_hz);
    sound.total =
        sound.lead + sound.frames + vg_synth_frames(vg_node_number(entry, "tail_sec", 0), sound.rate_hz);
    sound.x = vg_arena_take_zero(arena, sound.frames, sizeof *sound.x);
    return sound;
}

/* Sample k of the fade has the weight of the point half a sample further, so that in and out mirror. */
static void fade(struct vg_synth_sound *sound, double fade_sec)
{
    size_t length = vg_synth_frames(fade_sec, sound->rate_hz);

    for (size_t k = 0; k < length && k < sound->frames; k++) {
        double weight = 0.5 - 0.5 * vg_cos(VG_PI * ((double)k + 0.5) / (double)length);

        sound->x[k] *= weight;
        sound->x[sound->frames - 1 - k] *= weight;
    }
}

double vg_synth_scale(const double *x, size_t frames, double peak_dbfs)
{
    double peak = 0;

    for (size_t k = 0; k < frames; k++)
        peak = fabs(x[k]) > peak ? fabs(x[k]) : peak;
    return peak > 0 ? 32767 * vg_db_to_gain(peak_dbfs) / peak : 0;
}

void vg_synth_finish(struct vg_loaded *loaded, int16_t *samples, size_t frames, uint32_t rate_hz)
{
    loaded->clip = (struct vg_clip){samples, frames, rate_hz};
    loaded->facts.rate_hz = rate_hz;
    loaded->facts.channels = 1;
    loaded->facts.frames = frames;
    loaded->facts.decoder = "synthetic";
}

void vg_synth_close(struct vg_synth_sound *sound, const struct vg_node *entry, struct vg_loaded *loaded,
                    struct vg_arena *arena)
{
    int16_t *samples = vg_arena_take_zero(arena, sound->total, sizeof *samples);
    double scale;

    fade(sound, vg_node_number(entry, "fade_sec", 0));
    scale = vg_synth_scale(sound->x, sound->frames, vg_node_number(entry, "peak_dbfs", 0));
    for (size_t k = 0; k < sound->frames; k++)
        samples[sound->lead + k] = (int16_t)vg_round_even(sound->x[k] * scale);
    vg_synth_finish(loaded, samples, sound->total, sound->rate_hz);
}
