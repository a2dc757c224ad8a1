/* SPDX-License-Identifier: MIT */
/* Any bytes as a FLAC file of a release or a source pack.  What decodes is encoded and decoded to the same.
 */
#include "fuzz.h"

#include "format.h"

enum { FRAMES_MAX = 100000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vg_arena arena = {0};
    struct vg_error err = {0};
    struct vg_text again = {0};
    int16_t *samples;
    size_t frames;
    uint32_t rate_hz;
    int rc = vg_flac_decode(data, size, FRAMES_MAX, &samples, &frames, &rate_hz, &arena, "a.flac", &err);

    vg_check(rc != VG_OK || frames <= FRAMES_MAX);
    if (rc == VG_OK) /* the encoder compares for itself */
        vg_check(vg_flac_encode(samples, frames, rate_hz, size % 2 == 0, &again, "b.flac", &err) == VG_OK ||
                 rate_hz > 655350);
    vg_error_release(&err);
    vg_text_release(&again);
    vg_arena_release(&arena);
    return 0;
}
