/* SPDX-License-Identifier: MIT */
/* Inside source: what the synthetic kinds share: identity, silence around the sound, fades, and the one
 * rule by which numbers become 16-bit samples. */
#ifndef VG_SYNTH_H
#define VG_SYNTH_H

#include "dsp.h"
#include "kinds.h"

/* clang-format off */
/* Rows of the rules of every synthetic kind... */
#define VG_SYNTH_IDENTITY_KEYS \
    {"id", VG_KEY_TEXT, VG_REQUIRED, 0, 0, NULL, NULL, "source id"}, \
    {"clip_id", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "clip id; the id where missing"}, \
    {"speaker_id", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "speaker id"}, \
    {"sentence_id", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "sentence id"}, \
    {"text", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "what is said"}, \
    {"sample_rate_hz", VG_KEY_INTEGER, VG_REQUIRED, 8000, 96000, NULL, NULL, "sample rate, Hz"}
/* ...and of the kinds that are one sound between two silences. */
#define VG_SYNTH_SOUND_KEYS \
    {"lead_sec", VG_KEY_NUMBER, VG_REQUIRED, 0, 60, NULL, NULL, "silence before, s"}, \
    {"sound_sec", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN, 0, 600, NULL, NULL, "length of the sound, s"}, \
    {"tail_sec", VG_KEY_NUMBER, VG_REQUIRED, 0, 60, NULL, NULL, "silence after, s"}, \
    {"fade_sec", VG_KEY_NUMBER, 0, 0, 60, NULL, NULL, "raised-cosine fade in and out, within the sound, s"}, \
    {"peak_dbfs", VG_KEY_NUMBER, VG_REQUIRED, -90, 0, NULL, NULL, "largest sample, dB of full scale"}
/* clang-format on */

/* Samples of a length in seconds. */
size_t vg_synth_frames(double sec, uint32_t rate_hz);
/* The numbers of a list that passed its rule; at most `room` are stored.  Returns the list's length, 0
 * where the key is missing. */
size_t vg_synth_numbers(const struct vg_node *map, const char *key, double *at, size_t room);
/* A stream of random numbers of its own for each purpose of each source: seeded by
 * "<spec seed>:<source id>:<purpose>". */
struct vg_random vg_synth_random(const struct vg_spec *spec, const struct vg_source *source,
                                 const char *purpose, struct vg_arena *arena);

/* Add the entry's one source: identity, licence and corpus; the span is still missing. */
struct vg_source *vg_synth_add(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                               struct vg_source_list *list, struct vg_arena *arena);
/* The whole `list` of the kinds that are one sound: the span is the sound. */
int vg_synth_list(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                  struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err);
/* Cross-check of those kinds: two fades must fit into the sound. */
void vg_synth_check(const struct vg_node *entry, struct vg_error *err);

/* One sound between two silences while it is made. */
struct vg_synth_sound {
    uint32_t rate_hz;
    size_t lead, frames, total; /* samples before, of the sound, of the clip */
    double *x;                  /* [frames], 0 at first */
};
struct vg_synth_sound vg_synth_open(const struct vg_node *entry, struct vg_arena *arena);
/* Fade, scale to the peak, round, and fill the clip and its facts. */
void vg_synth_close(struct vg_synth_sound *sound, const struct vg_node *entry, struct vg_loaded *loaded,
                    struct vg_arena *arena);

/* Factor that takes the largest of |x| to `peak_dbfs` (full scale is 32767); 0 for silence. */
double vg_synth_scale(const double *x, size_t frames, double peak_dbfs);
/* Clip and facts of finished 16-bit samples. */
void vg_synth_finish(struct vg_loaded *loaded, int16_t *samples, size_t frames, uint32_t rate_hz);

#endif
