/* SPDX-License-Identifier: MIT */
/* The speech span of a source: from its table, else from the robust detector or, with the numbers of the
 * spec's map `detector`, from the paper's.  Nothing is repaired in silence: what does not fit the clip is
 * said in the facts. */
#include "dsp.h"
#include "kinds.h"

/* Tables give microseconds: half of one more than the clip is rounding, not a fault. */
#define BEYOND_SEC 5e-7

static size_t sample_at(double sec, uint32_t rate_hz, size_t frames)
{
    double at = vg_round_even(sec * rate_hz);

    if (!(at > 0))
        return 0;
    return at < (double)frames ? (size_t)at : frames;
}

struct vg_span vg_span_of(double onset_sec, double offset_sec, uint32_t rate_hz, size_t frames)
{
    struct vg_span span = {sample_at(onset_sec, rate_hz, frames), sample_at(offset_sec, rate_hz, frames)};

    return span.off > span.on ? span : (struct vg_span){0, frames};
}

void vg_facts_note(struct vg_source_facts *facts, const char *note, struct vg_arena *arena)
{
    facts->note = facts->note[0] == '\0' ? vg_arena_text(arena, note)
                                         : vg_arena_format(arena, "%s; %s", facts->note, note);
}

char *vg_seconds_text(double sec, struct vg_arena *arena)
{
    struct vg_text text = {0};
    char *kept;

    vg_text_add_fixed(&text, sec, 6);
    kept = vg_arena_text(arena, vg_text_or_empty(&text));
    vg_text_release(&text);
    return kept;
}

static void take_given_span(const struct vg_source *source, struct vg_loaded *loaded, struct vg_arena *arena)
{
    struct vg_source_facts *facts = &loaded->facts;
    double duration_sec = (double)loaded->clip.frames / loaded->clip.rate_hz;

    facts->onset_sec = source->onset_sec;
    facts->offset_sec = source->offset_sec;
    if (source->offset_sec > duration_sec + BEYOND_SEC)
        vg_facts_note(facts,
                      vg_arena_format(arena, "the span ends at %s s, the clip at %s s",
                                      vg_seconds_text(source->offset_sec, arena),
                                      vg_seconds_text(duration_sec, arena)),
                      arena);
    if (sample_at(source->offset_sec, loaded->clip.rate_hz, loaded->clip.frames) <=
        sample_at(source->onset_sec, loaded->clip.rate_hz, loaded->clip.frames)) {
        facts->span_found = false;
        vg_facts_note(facts, "the span given is empty, the whole clip is taken", arena);
    }
}

static int read_detector(const struct vg_spec *spec, const struct vg_source *source,
                         struct vg_detector *detector, struct vg_error *err)
{
    const struct vg_node *map = vg_node_find(spec->root, "detector");

    if (map == NULL)
        return vg_fail(err, VG_SPEC, spec->path,
                       "source %s has no onset and the spec no map `detector`; add `extends: paper.yaml` or "
                       "the map",
                       source->id);
    *detector = (struct vg_detector){
        .pre_emphasis = vg_node_number(map, "pre_emphasis", 0),
        .frame_sec = vg_node_number(map, "frame_sec", 0),
        .hop_sec = vg_node_number(map, "hop_sec", 0),
        .background_sec = vg_node_number(map, "background_sec", 0),
        .floor_factor = vg_node_number(map, "floor_factor", 0),
        .peak_factor = vg_node_number(map, "peak_factor", 0),
        .threshold_min = vg_node_number(map, "threshold_min", 0),
        .run_frames = (size_t)vg_node_integer(map, "run_frames", 1),
    };
    return VG_OK;
}

static double *reals_of(const struct vg_clip *clip, struct vg_arena *tmp)
{
    double *x = vg_arena_take(tmp, clip->frames, sizeof *x);

    for (size_t k = 0; k < clip->frames; k++)
        x[k] = clip->samples[k] / 32768.0;
    return x;
}

static void take_found(struct vg_loaded *loaded, bool found, double onset_sec, double offset_sec,
                       struct vg_arena *arena)
{
    struct vg_source_facts *facts = &loaded->facts;

    facts->detected = true;
    facts->span_found = found;
    facts->onset_sec = found ? onset_sec : 0;
    facts->offset_sec = found ? offset_sec : (double)loaded->clip.frames / loaded->clip.rate_hz;
    if (!found)
        vg_facts_note(facts, "no speech detected, the whole clip is taken", arena);
}

static int take_papers_span(const struct vg_spec *spec, const struct vg_source *source,
                            struct vg_loaded *loaded, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_arena tmp = {0};
    struct vg_detector detector;
    struct vg_detection found;
    int rc = read_detector(spec, source, &detector, err);

    if (rc != VG_OK)
        return rc;
    found = vg_detect_speech(&detector, reals_of(&loaded->clip, &tmp), loaded->clip.frames,
                             loaded->clip.rate_hz, &tmp);
    vg_arena_release(&tmp);
    take_found(loaded, found.found, found.onset_sec, found.offset_sec, arena);
    return VG_OK;
}

static int take_robust_span(const struct vg_spec *spec, const struct vg_source *source,
                            struct vg_loaded *loaded, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_arena tmp = {0};
    struct vg_speech found =
        vg_detect_robust(reals_of(&loaded->clip, &tmp), loaded->clip.frames, loaded->clip.rate_hz, &tmp);
    struct vg_text note = {0};

    vg_arena_release(&tmp);
    take_found(loaded, found.found, found.onset_sec, found.offset_sec, arena);
    if (found.found) {
        vg_text_add(&note, "robust span, confidence ");
        vg_text_add_fixed(&note, found.confidence, 2);
        vg_facts_note(&loaded->facts, note.data, arena);
        vg_text_release(&note);
    }
    return vg_span_doubt(spec, source, &found, loaded, arena, err);
}

int vg_source_find_span(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                        struct vg_arena *arena, struct vg_error *err)
{
    int rc = VG_OK;

    if (source->has_span)
        take_given_span(source, loaded, arena);
    else if (spec->robust_span)
        rc = take_robust_span(spec, source, loaded, arena, err);
    else
        rc = take_papers_span(spec, source, loaded, arena, err);
    if (rc == VG_OK)
        loaded->span = vg_span_of(loaded->facts.onset_sec, loaded->facts.offset_sec, loaded->clip.rate_hz,
                                  loaded->clip.frames);
    return rc;
}
