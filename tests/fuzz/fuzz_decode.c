/* SPDX-License-Identifier: MIT */
/* Any bytes as a sound file, down to its samples: the checks before, between and after the libraries that
 * decode.  MP3 goes to either decoder. */
#include "fuzz.h"

#include "source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vg_decode_rules rules = {.mix_down = true, .duration_max_sec = 2};

    for (int second = 0; second < 2; second++) {
        struct vg_loaded loaded = {.second_opinion = second == 1};
        struct vg_arena arena = {0};
        struct vg_error err = {0};
        int rc = vg_decode_bytes(data, size, "a", "t.csv:2", &rules, &loaded, &arena, &err);

        vg_check(rc != VG_OK || (loaded.clip.frames > 0 && loaded.clip.rate_hz >= 8000 &&
                                 loaded.clip.frames <= 2 * loaded.clip.rate_hz));
        fuzz_expect(rc, &err);
        vg_arena_release(&arena);
    }
    return 0;
}
