/* SPDX-License-Identifier: MIT */
/* Pins: what a frozen selection says of a recording, held against what was read here.  A decoder's samples
 * are not ours to fix, so a difference stops the build, says whose it is, and how large by a second decoder
 * where there is one. */
#include "kinds.h"

#include <stdlib.h>
#include <string.h>

struct difference {
    size_t samples; /* that differ, the longer one's surplus included */
    int at_most;
};

static struct difference difference_of(const struct vg_clip *a, const struct vg_clip *b)
{
    size_t both = a->frames < b->frames ? a->frames : b->frames;
    struct difference difference = {.samples = a->frames + b->frames - 2 * both};

    for (size_t k = 0; k < both; k++) {
        int apart = abs(a->samples[k] - b->samples[k]);

        difference.samples += apart > 0;
        difference.at_most = apart > difference.at_most ? apart : difference.at_most;
    }
    return difference;
}

/* Whose fault it is, as far as the digest of the file and the name of the decoder tell. */
static void add_cause(struct vg_text *out, const struct vg_pin *pin, const struct vg_source_facts *facts)
{
    if (pin->file_xxh128[0] == '\0')
        vg_text_add(out, "whether the file is the same is not pinned");
    else if (strcmp(pin->decoder, facts->decoder) == 0)
        vg_text_add(out, "file and decoder are the same, so its build for this machine is the cause, or the "
                         "table was altered");
    else
        vg_text_add(out, "the file is the same, so another decoder is the cause");
}

/* What the next decoder makes of the recording. */
static void add_second_opinion(struct vg_text *out, const struct vg_spec *spec,
                               const struct vg_source_kind *kind, const struct vg_source *source,
                               const struct vg_loaded *loaded)
{
    struct vg_loaded second = {.second_opinion = true, .facts = {.decoder = "", .note = ""}};
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    char hex[VG_DIGEST_HEX];

    if (kind->load(spec, source, &second, &arena, &err) == VG_OK) {
        struct difference difference = difference_of(&loaded->clip, &second.clip);

        vg_digest_of_samples(VG_XXH128, second.clip.samples, second.clip.frames, hex);
        vg_text_addf(out, "; by %s %zu of %zu samples differ, by %d at most", second.facts.decoder,
                     difference.samples, loaded->clip.frames, difference.at_most);
        if (second.clip.frames != loaded->clip.frames)
            vg_text_addf(out, ", and there are %zu", second.clip.frames);
        if (strcmp(hex, source->pin.audio_xxh128) == 0)
            vg_text_add(out, ", and those are the pinned ones");
    } else {
        vg_text_add(out, "; no second decoder is here to tell how many samples differ");
    }
    vg_error_release(&err);
    vg_arena_release(&arena);
}

static int fail_audio(const struct vg_spec *spec, const struct vg_source_kind *kind,
                      const struct vg_source *source, const struct vg_loaded *loaded, const char *hex,
                      struct vg_error *err)
{
    const struct vg_pin *pin = &source->pin;
    struct vg_text text = {0};
    int rc;

    vg_text_addf(&text, "%s: %s gives other samples than those pinned (audio_xxh128 is %s, pinned is %s",
                 loaded->path, loaded->facts.decoder, hex, pin->audio_xxh128);
    if (pin->decoder[0] != '\0')
        vg_text_addf(&text, " by %s", pin->decoder);
    vg_text_add(&text, "); ");
    add_cause(&text, pin, &loaded->facts);
    add_second_opinion(&text, spec, kind, source, loaded);
    vg_text_add(&text, "; use the decoder that was pinned, or a source pack");
    rc = vg_fail(err, VG_SOURCE, source->place, "%s", text.data);
    vg_text_release(&text);
    return rc;
}

int vg_pin_check(const struct vg_spec *spec, const struct vg_source_kind *kind,
                 const struct vg_source *source, const struct vg_loaded *loaded, struct vg_error *err)
{
    const struct vg_pin *pin = &source->pin;
    char hex[VG_DIGEST_HEX];

    if (pin->file_xxh128[0] != '\0' && strcmp(pin->file_xxh128, loaded->facts.file_xxh128) != 0)
        return vg_fail(
            err, VG_SOURCE, source->place,
            "%s: is not the file that was pinned (file_xxh128 is %s, pinned is %s); another release of "
            "the corpus, or an altered file",
            loaded->path, loaded->facts.file_xxh128, pin->file_xxh128);
    if (pin->audio_xxh128[0] == '\0')
        return VG_OK;
    vg_digest_of_samples(VG_XXH128, loaded->clip.samples, loaded->clip.frames, hex);
    return strcmp(hex, pin->audio_xxh128) == 0 ? VG_OK : fail_audio(spec, kind, source, loaded, hex, err);
}
