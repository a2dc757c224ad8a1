/* SPDX-License-Identifier: MIT */
#include "page.h"

void page_source(struct vg_heard *heard, const struct vg_sound *source, struct vg_arena *keep,
                 struct vg_arena *tmp)
{
    vg_heard_make(heard, source, VG_VIEW_LOW | VG_VIEW_BANDS, VG_HEARD_COPIES, keep, tmp);
}

/* Mean over segments `first` to `first + count` of `segments`, in dB. */
static double level(const struct vg_pair *pair, const struct vg_contour *rest, size_t first, size_t count,
                    size_t segments, struct vg_arena *tmp)
{
    double sum = 0;

    for (size_t i = first; i < first + count; i++) {
        struct vg_part part = {(double)i / (double)segments, (double)(i + 1) / (double)segments};
        double quiet = vg_contour_quantile(rest, part, 0.25, tmp);

        sum += 10 * vg_log10((quiet + pair->source->floor_power) / pair->source->power);
    }
    return sum / (double)count;
}

double page_noise(const struct vg_heard *source, const struct vg_sound *output, struct vg_arena *tmp)
{
    struct vg_arena_mark mark = vg_arena_mark(tmp);
    struct vg_sound follows = *output;
    struct vg_heard heard;
    struct vg_pair pair;
    struct vg_contour rest;
    size_t segments;
    double change;

    vg_sound_follow(&follows, &source->sound);
    vg_heard_make(&heard, &follows, VG_VIEW_LOW, VG_HEARD_BORROWS, tmp, tmp);
    vg_pair_make(&pair, source, &heard, tmp);
    vg_pair_lay(&pair, tmp);
    rest = vg_pair_contour(&pair, tmp);
    for (size_t k = 0; k < rest.count; k++)
        rest.value[k] = vg_pair_rest(&pair, k) / (2 * (double)heard.hop);
    segments = vg_segments_of(heard.span, heard.sound.rate_hz);
    change = level(&pair, &rest, segments - segments / 3, segments / 3, segments, tmp) -
             level(&pair, &rest, 0, segments / 3, segments, tmp);
    vg_arena_rewind(tmp, mark);
    return change;
}
