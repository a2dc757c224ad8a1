/* SPDX-License-Identifier: MIT */
/* Which moment of the output is which of the source: the straight line where levels or samples agree with
 * it, else the warped map if it fits clearly better. */
#include "pair.h"

#include <math.h>

#define LOUD 0.01           /* of the source's power */
#define COHERENT 0.25       /* share of the output's energy that follows the source sample by sample */
#define LEVELS_AGREE_DB 2.5 /* mean distance of 10 ms levels along the straight line */
#define LEVEL_FLOOR 1e-4    /* of the span's power: quieter moments are all alike */
#define WARP_BETTER 0.7     /* of the straight line's distance */

static double level_db(const struct vg_heard *heard, size_t frame)
{
    double power = vg_frame_energy(heard->energy, frame) / (2 * (double)heard->hop);

    return 10 * vg_log10((power + 1) / (heard->power + 1) + LEVEL_FLOOR);
}

double vg_pair_level_distance(const struct vg_heard *source, const struct vg_heard *output)
{
    double sum = 0, count = 0;

    if (source->frames == 0 || output->frames == 0)
        return INFINITY;
    for (size_t k = 0; k < output->frames; k += 2) {
        size_t s = (k * (source->frames - 1) + output->frames / 2) / output->frames;

        sum += fabs(level_db(output, k) - level_db(source, s));
        count++;
    }
    return sum / count;
}

/* Do spans of the same length agree sample by sample? */
static bool samples_agree(const struct vg_heard *source, const struct vg_heard *output)
{
    double together = 0, all = 0;

    for (size_t k = 0; k < output->blocks; k++) {
        double cross =
            (double)vg_product_sum(output->x + k * output->hop, source->x + k * output->hop, output->hop);

        if (source->energy[k] > 0)
            together += cross * cross / source->energy[k];
        all += output->energy[k];
    }
    return together >= COHERENT * all;
}

/* Sample of the source's span at a sample of the output's; the ends meet. */
static double along(const struct vg_pair *pair, double sample)
{
    const struct vg_warp *w = pair->warp;
    double step = (double)(2 * w->stride * pair->source->hop), t = sample / step - 0.5; /* steps' centres */
    size_t low = 0, high = w->count - 1;

    if (t <= w->column[0])
        return sample;
    if (t >= w->column[high]) {
        double known = ((double)high + 0.5) * step,
               left = (double)pair->output->span - (w->column[high] + 0.5) * step;

        return left > 0 ? known + (sample - (w->column[high] + 0.5) * step) / left *
                                      ((double)pair->source->span - known)
                        : known;
    }
    while (high - low > 1) {
        size_t middle = (low + high) / 2;

        if (w->column[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return ((double)low + 0.5 + (t - w->column[low]) / (w->column[high] - w->column[low])) * step;
}

static const struct vg_warp *find_warp(const struct vg_pair *pair, struct vg_heard *output,
                                       struct vg_arena *tmp)
{
    struct vg_warp *warp = vg_arena_take(tmp, 1, sizeof *warp);

    if (pair->same_time && samples_agree(pair->source, output))
        return NULL;
    if (vg_pair_level_distance(pair->source, output) <= LEVELS_AGREE_DB)
        return NULL;
    vg_heard_views(output, VG_VIEW_BANDS, tmp, tmp);
    if (!vg_warp_make(warp, &pair->source->bands, &output->bands, tmp))
        return NULL;
    return warp->distance < WARP_BETTER * warp->straight ? warp : NULL;
}

void vg_pair_make(struct vg_pair *pair, const struct vg_heard *source, struct vg_heard *output,
                  struct vg_arena *tmp)
{
    double ratio = (double)source->span / (double)output->span;
    double *to_source = vg_arena_take(tmp, output->blocks + 1, sizeof *to_source);
    double *place = vg_arena_take(tmp, output->frames, sizeof *place);

    *pair = (struct vg_pair){.source = source, .output = output, .same_time = source->span == output->span};
    pair->warp = find_warp(pair, output, tmp);
    pair->same_time = pair->same_time && pair->warp == NULL;
    for (size_t k = 0; k <= output->blocks; k++) {
        double sample = (double)(k * output->hop);

        to_source[k] = pair->warp ? along(pair, sample) : sample * ratio;
    }
    for (size_t k = 0; k < output->frames; k++)
        place[k] = to_source[k + 1] / (double)source->span;
    pair->to_source = to_source;
    pair->place = place;
}

bool vg_pair_is_loud(const struct vg_pair *pair, size_t frame)
{
    double energy = vg_frame_energy(pair->energy, frame);

    return energy > 0 && energy >= LOUD * pair->source->power * 2 * (double)pair->output->hop;
}

double vg_pair_rest(const struct vg_pair *pair, size_t frame)
{
    double after = vg_frame_energy(pair->output->energy, frame),
           before = vg_frame_energy(pair->energy, frame);
    double cross = vg_frame_energy(pair->cross, frame);
    double rest = before > 0 ? after - cross * cross / before : after;

    return rest > 0 ? rest : 0;
}

size_t vg_pair_source_frame(const struct vg_pair *pair, size_t frame)
{
    const struct vg_heard *source = pair->source;
    double at = pair->place[frame] * (double)source->span / (double)source->hop - 1;
    size_t k = at > 0 ? (size_t)(at + 0.5) : 0;

    return k < source->frames ? k : source->frames - 1;
}

struct vg_contour vg_pair_contour(const struct vg_pair *pair, struct vg_arena *tmp)
{
    size_t count = pair->output->frames;

    return (struct vg_contour){vg_arena_take(tmp, count, sizeof(double)), pair->place, count};
}
