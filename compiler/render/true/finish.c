/* SPDX-License-Identifier: MIT */
/* The ways in and out: what stands beside the span, one gain for an item that would not fit 16 bits, and
 * rounding to nearest. */
#include "course.h"
#include "true.h"

#include <math.h>

#define AUDIBLE 33.0 /* -60 dB re full scale: softer samples are silence */
#define HIGHEST 32767.0
#define LOWEST (-32768.0)

struct vg_track vg_track_of(const struct vg_loaded *source, struct vg_arena *tmp)
{
    const struct vg_clip *clip = &source->clip;
    struct vg_track track = {
        .at = vg_arena_take(tmp, clip->frames, sizeof *track.at),
        .frames = clip->frames,
        .span = source->span,
        .outside = 1,
    };

    for (size_t k = 0; k < clip->frames; k++)
        track.at[k] = clip->samples[k];
    return track;
}

/* What an item has beside its span. */
struct edges {
    enum vg_edges kind;
    size_t crossing; /* samples from the span's value to the source's */
    size_t kept;     /* samples of the surroundings on either side, where they are trimmed */
};

static struct edges edges_of(const struct vg_item *item, uint32_t rate_hz)
{
    const struct vg_value *values = item->spec->trajectory;

    return (struct edges){
        .kind = (enum vg_edges)values[VG_TRUE_EDGES].at[0],
        .crossing = (size_t)vg_round_even(values[VG_TRUE_CROSSING_SEC].at[0] * rate_hz),
        .kept = (size_t)vg_round_even(values[VG_TRUE_EDGE_SEC].at[0] * rate_hz),
    };
}

/* How many samples away from the span; 0 inside. */
static size_t distance(const struct vg_track *track, size_t k)
{
    if (k < track->span.on)
        return track->span.on - k;
    return k >= track->span.off ? k - track->span.off + 1 : 0;
}

/* 1 at the span, 0 just beyond what is kept. */
static double fade(const struct vg_track *track, const struct edges *edges, size_t k)
{
    size_t away = distance(track, k);

    return away == 0 || edges->kind != VG_EDGES_TRIM ? 1 : 1 - (double)away / (double)(edges->kept + 1);
}

/* The source beside a moment: `ahead` counts from the span's onset on, or from its end back. */
struct side {
    const int16_t *first; /* the sample at the onset, or the last one */
    ptrdiff_t step;       /* 1, or -1 */
    size_t room;          /* samples of the span */
    double gain;
};

/* How far into the span the source is silent.  What is made of it begins behind its first sample that can be
 * heard, so that silence ends at the same sample whatever is made of it. */
static size_t silence(const struct side *side, size_t most)
{
    size_t n = 0;

    most = most < side->room ? most : side->room;
    while (n < most && fabs(side->first[(ptrdiff_t)n * side->step] * side->gain) < AUDIBLE)
        n++;
    return n < most ? n : 0;
}

/* From the source's own value into what was made of it. */
static void cross_over(double *x, const struct side *side, size_t crossing, size_t silent)
{
    for (size_t n = 0; n < side->room && n < silent + crossing; n++) {
        double own = side->first[(ptrdiff_t)n * side->step] * side->gain;
        double share = n > silent ? (double)(n - silent) / (double)(crossing + 1) : 0;

        x[(ptrdiff_t)n * side->step] = own + (x[(ptrdiff_t)n * side->step] - own) * share;
    }
}

/* Beside the span the source as it is, at one level, and the ways into the span and out of it. */
static void make_edges(struct vg_track *track, const struct edges *edges, const struct vg_loaded *source,
                       struct vg_span kept)
{
    const int16_t *own = source->clip.samples;
    struct vg_span span = source->span;
    size_t length = track->span.off - track->span.on, room = span.off - span.on;
    struct side head = {own + span.on, 1, room < length ? room : length, track->outside},
                tail = {own + span.off - 1, -1, head.room, track->outside};

    if (edges->kind == VG_EDGES_HOLD)
        return;
    for (size_t k = kept.on; k < track->span.on; k++)
        track->at[k] = own[k] * track->outside * fade(track, edges, k);
    for (size_t k = track->span.off; k < kept.off; k++)
        track->at[k] = own[k - track->span.off + span.off] * track->outside * fade(track, edges, k);
    cross_over(track->at + track->span.on, &head, edges->crossing, silence(&head, edges->kept));
    cross_over(track->at + track->span.off - 1, &tail, edges->crossing, silence(&tail, edges->kept));
}

/* To nearest, ties to even, of what fits 16 bits: the sum leaves no room for a fraction. */
static void to_16_bits(const double *restrict x, double gain, int16_t *restrict samples, size_t frames)
{
    for (size_t k = 0; k < frames; k++)
        samples[k] = (int16_t)(int32_t)((x[k] * gain + 0x1.8p52) - 0x1.8p52);
}

/* The largest gain, at most 1, that keeps a sample within 16 bits. */
static double room_for(double x, double gain)
{
    double most = x > 0 ? HIGHEST : LOWEST;

    return x * gain > HIGHEST || x * gain < LOWEST ? most / x : gain;
}

static unsigned peak_of(const int16_t *samples, size_t frames)
{
    int peak = 0;

    for (size_t k = 0; k < frames; k++) {
        int size = samples[k] < 0 ? -samples[k] : samples[k];

        peak = size > peak ? size : peak;
    }
    return (unsigned)peak;
}

void vg_track_finish(struct vg_track *track, const struct vg_item *item, const struct vg_loaded *source,
                     struct vg_rendered *out, struct vg_arena *keep)
{
    struct edges edges = edges_of(item, source->clip.rate_hz);
    size_t before = track->span.on, after = track->frames - track->span.off, first = 0;
    double gain = 1;

    if (edges.kind == VG_EDGES_TRIM) {
        first = before > edges.kept ? before - edges.kept : 0;
        after = after > edges.kept ? edges.kept : after;
    }
    *out = (struct vg_rendered){
        .frames = track->span.off + after - first,
        .on = before - first,
        .off = track->span.off - first,
    };
    out->samples = vg_arena_take(keep, out->frames, sizeof *out->samples);
    make_edges(track, &edges, source, (struct vg_span){first, first + out->frames});
    for (size_t k = 0; k < out->frames; k++)
        gain = room_for(track->at[first + k], gain);
    to_16_bits(track->at + first, gain, out->samples, out->frames);
    out->peak = peak_of(out->samples, out->frames);
}
