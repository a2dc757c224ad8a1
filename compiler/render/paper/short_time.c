/* SPDX-License-Identifier: MIT */
/* Short-time transforms and phase vocoders of a source.  The vocoders are kept for all its items while they
 * fit the limit and computed again for every item beyond: the bits are the same. */
#include "short_time.h"

#include <string.h>

enum { KEPT_BYTES_MAX = 64 << 20 };

struct vg_short_time vg_short_time_of(const struct vg_item *item, struct vg_arena *keep)
{
    struct vg_short_time short_time = {
        .n_fft = (size_t)vg_item_fixed(item, VG_N_FFT),
        .n_fft_min = (size_t)vg_item_fixed(item, VG_N_FFT_MIN),
        .hop = (size_t)vg_item_fixed(item, VG_HOP),
    };
    struct vg_stft_size size =
        vg_stft_size(short_time.n_fft, short_time.n_fft, short_time.n_fft_min, short_time.hop);

    short_time.whole = vg_stft_make(size, keep);
    return short_time;
}

const struct vg_stft *vg_short_time_stft(const struct vg_short_time *short_time, size_t frames,
                                         struct vg_arena *tmp)
{
    if (frames >= short_time->n_fft)
        return short_time->whole;
    return vg_stft_make(vg_stft_size(frames, short_time->n_fft, short_time->n_fft_min, short_time->hop), tmp);
}

static const struct vg_vocoder *vocoder_of(const struct vg_vocoded *vocoded, size_t i, struct vg_arena *keep,
                                           struct vg_arena *tmp)
{
    struct vg_chunk chunk = vocoded->chunk_of(&vocoded->steps, i);
    size_t frames = chunk.last - chunk.first;
    const struct vg_stft *stft = vg_short_time_stft(&vocoded->short_time, frames, keep);

    return vg_vocoder_make(stft, vocoded->wave.at + vocoded->wave.span.on + chunk.first, frames, keep, tmp);
}

void vg_vocoded_make(struct vg_vocoded *vocoded, const struct vg_item *item, const struct vg_loaded *source,
                     struct vg_chunk (*chunk_of)(const struct vg_steps *steps, size_t i),
                     struct vg_arena *keep, struct vg_arena *tmp)
{
    struct vg_steps steps = vg_paper_steps(item, source);

    *vocoded = (struct vg_vocoded){
        .wave = vg_wave_of(source, keep),
        .short_time = vg_short_time_of(item, keep),
        .steps = steps,
        .chunk_of = chunk_of,
    };

    size_t bytes = vg_vocoder_bytes(vocoded->short_time.whole, steps.step + 2 * steps.context);
    if (bytes > KEPT_BYTES_MAX / steps.count)
        return;
    vocoded->vocoders = vg_arena_take(keep, steps.count, sizeof(const struct vg_vocoder *));
    for (size_t i = 0; i < steps.count; i++)
        vocoded->vocoders[i] = vocoder_of(vocoded, i, keep, tmp);
}

const struct vg_vocoder *vg_vocoded_step(const struct vg_vocoded *vocoded, size_t i, struct vg_arena *tmp)
{
    return vocoded->vocoders != NULL ? vocoded->vocoders[i] : vocoder_of(vocoded, i, tmp, tmp);
}

struct vg_wave vg_vocoded_join(const struct vg_vocoded *vocoded, const struct vg_move *move,
                               const struct vg_piecework *work, struct vg_arena *tmp)
{
    const struct vg_wave *in = &vocoded->wave;
    size_t before = in->span.on, after = in->frames - in->span.off;
    struct vg_wave out = {.at = vg_arena_take(tmp, before + work->frames_max + after, sizeof *out.at)};
    struct vg_joined joined = {.at = out.at + before};

    memcpy(out.at, in->at, before * sizeof *out.at);
    for (size_t i = 0; i < vocoded->steps.count; i++)
        work->append(work->self, i, vg_move_at(move, vg_step_time(&vocoded->steps, i)), &joined, tmp);
    memcpy(joined.at + joined.frames, in->at + in->span.off, after * sizeof *out.at);
    out.span = (struct vg_span){.on = before, .off = before + joined.frames};
    out.frames = out.span.off + after;
    return out;
}
