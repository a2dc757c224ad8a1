/* SPDX-License-Identifier: MIT */
/* Doubtful spans: what the detector found, held against the rules of the spec.  A doubt is a note in
 * sources.csv or, where the spec says so, makes the source a bad one. */
#include "dsp.h"
#include "kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Facts of the samples in a span; full scale is 1. */
struct sound {
    double mean, rms, clipped_share;
};

/* Three and more samples in a row that stay at the clip's own extreme, close to full scale. */
static size_t count_clipped(const int16_t *samples, size_t count)
{
    enum { NEAR_FULL_SCALE = 32000, RUN = 3 };
    size_t clipped = 0, run = 0;
    int peak = 0;

    for (size_t k = 0; k < count; k++)
        peak = abs(samples[k]) > peak ? abs(samples[k]) : peak;
    for (size_t k = 0; peak >= NEAR_FULL_SCALE && k < count; k++) {
        bool flat = abs(samples[k]) >= peak - 1 && (run == 0 || (samples[k] > 0) == (samples[k - 1] > 0));

        run = flat ? run + 1 : abs(samples[k]) >= peak - 1;
        clipped += run == RUN ? RUN : run > RUN;
    }
    return clipped;
}

static struct sound listen(const int16_t *samples, size_t count)
{
    struct sound sound = {0};
    double sum = 0, squares = 0;

    for (size_t k = 0; k < count; k++) {
        sum += samples[k];
        squares += (double)samples[k] * samples[k];
    }
    sound.mean = sum / (double)count / 32768;
    sound.rms = sqrt(squares / (double)count) / 32768;
    sound.clipped_share = (double)count_clipped(samples, count) / (double)count;
    return sound;
}

/* "a", then "a, b". */
static void add_doubt(struct vg_text *doubts, const char *what, double value, int decimals, const char *unit)
{
    if (doubts->length > 0)
        vg_text_add(doubts, ", ");
    vg_text_add(doubts, what);
    vg_text_add_fixed(doubts, value, decimals);
    vg_text_add(doubts, unit);
}

static void find_doubts(const double rules[VG_DOUBTS], const struct vg_speech *speech,
                        const struct vg_clip *clip, const struct vg_span *span, struct vg_text *doubts)
{
    size_t count = span->off - span->on;
    struct sound sound = listen(clip->samples + span->on, count);
    double share = (double)count / (double)clip->frames, level_dbfs = vg_gain_to_db(sound.rms);

    if (speech->confidence < rules[VG_DOUBT_CONFIDENCE])
        add_doubt(doubts, "confidence ", speech->confidence, 2, "");
    if (share < rules[VG_DOUBT_SHARE])
        add_doubt(doubts, "only ", 100 * share, 1, " % of the clip");
    if (speech->pause_sec > rules[VG_DOUBT_PAUSE])
        add_doubt(doubts, "a pause of ", speech->pause_sec, 2, " s inside");
    if (speech->voiced_share < rules[VG_DOUBT_VOICED])
        add_doubt(doubts, "only ", 100 * speech->voiced_share, 1, " % voiced");
    if (level_dbfs < rules[VG_DOUBT_LEVEL])
        add_doubt(doubts, "a level of ", level_dbfs > -200 ? level_dbfs : -200, 1, " dB of full scale");
    if (sound.clipped_share > rules[VG_DOUBT_CLIPPED])
        add_doubt(doubts, "", 100 * sound.clipped_share, 2, " % of its samples clipped");
    if (fabs(sound.mean) > rules[VG_DOUBT_DC])
        add_doubt(doubts, "a DC offset of ", sound.mean, 4, "");
}

int vg_span_doubt(const struct vg_spec *spec, const struct vg_source *source, const struct vg_speech *speech,
                  struct vg_loaded *loaded, struct vg_arena *arena, struct vg_error *err)
{
    struct vg_span span =
        vg_span_of(speech->onset_sec, speech->offset_sec, loaded->clip.rate_hz, loaded->clip.frames);
    struct vg_text doubts = {0};
    int rc = VG_OK;

    if (!speech->found)
        vg_text_add(&doubts, "no speech was found");
    else
        find_doubts(spec->doubts, speech, &loaded->clip, &span, &doubts);
    if (doubts.length > 0 && spec->refuse_doubtful)
        rc = vg_fail(err, VG_SOURCE, source->place,
                     "%s: its speech is doubtful: %s; give onset and offset in a table, or leave it out",
                     loaded->path, doubts.data);
    else if (doubts.length > 0)
        vg_facts_note(&loaded->facts, vg_arena_format(arena, "doubtful span: %s", doubts.data), arena);
    vg_text_release(&doubts);
    return rc;
}
