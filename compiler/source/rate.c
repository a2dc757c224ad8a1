/* SPDX-License-Identifier: MIT */
/* The sample rate an entry of the spec asks for: recordings at another are resampled (libsoxr's HQ band, see
 * dsp.h) and rounded to nearest, ties to even; what then lies outside 16 bits is clipped and counted.  The
 * paper's specs never ask. */
#include "dsp.h"
#include "kinds.h"

static const struct vg_resample_filter hq = {.pass_end = 0.913743653, .stop_begin = 1.0};

static int16_t word_of(float x, size_t *clipped)
{
    double y = vg_round_even((double)x);

    if (y < -32768.0 || y > 32767.0) {
        ++*clipped;
        y = y < 0.0 ? -32768.0 : 32767.0;
    }
    return (int16_t)y;
}

static void resample(struct vg_loaded *loaded, uint32_t rate_hz, struct vg_arena *arena)
{
    double ratio = (double)rate_hz / loaded->clip.rate_hz;
    size_t before = loaded->clip.frames, after = vg_resample_frames(before, ratio);
    int16_t *words = vg_arena_take(arena, after, sizeof *words);
    struct vg_arena tmp = {0};
    float *in = vg_arena_take(&tmp, before, sizeof *in), *out = vg_arena_take(&tmp, after, sizeof *out);

    for (size_t i = 0; i < before; i++)
        in[i] = loaded->clip.samples[i];
    vg_resample(vg_resampler_make(hq, &tmp), in, before, ratio, 0, after, out, &tmp);
    for (size_t i = 0; i < after; i++)
        words[i] = word_of(out[i], &loaded->facts.clipped);
    vg_arena_release(&tmp);
    loaded->clip = (struct vg_clip){words, after, rate_hz};
    loaded->facts.rate_hz = rate_hz;
    loaded->facts.frames = after;
}

void vg_source_convert_rate(const struct vg_source *source, struct vg_loaded *loaded, struct vg_arena *arena)
{
    const struct vg_node *entry = source->origin->entry;
    uint32_t recorded_hz = loaded->clip.rate_hz;
    uint32_t asked_hz = (uint32_t)vg_node_integer(entry, "sample_rate_hz", recorded_hz);

    if (asked_hz == recorded_hz || loaded->clip.frames == 0)
        return;
    resample(loaded, asked_hz, arena);
    vg_facts_note(&loaded->facts, vg_arena_format(arena, "resampled from %u Hz", (unsigned)recorded_hz),
                  arena);
}
