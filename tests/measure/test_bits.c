/* SPDX-License-Identifier: MIT */
/* The same evidence, to the bit, on every machine: digests of all measures over made-up speech.  A change
 * here is a change of every release's manifest. */
#include "sound.h"

#include <string.h>

enum { EVERYTHING = (1 << VG_QUANTITIES) - 1 };

static void add_number(struct vg_digest *digest, double value)
{
    unsigned char bytes[8];
    uint64_t bits = UINT64_C(0x7ff8000000000000); /* one NaN for all */

    if (!isnan(value))
        memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> (8 * i));
    vg_digest_add(digest, bytes, sizeof bytes);
}

static void add_evidence(struct vg_digest *digest, const struct vg_evidence *e)
{
    add_number(digest, e->net);
    add_number(digest, e->net_jnd);
    add_number(digest, e->rank);
    add_number(digest, e->sign);
    for (size_t i = 0; i < e->segments; i++)
        add_number(digest, e->trajectory[i]);
}

static void digest_of(struct sounds *s, uint32_t rate_hz, char hex[VG_DIGEST_HEX])
{
    struct vg_sound source = sound_speech(s, rate_hz, 2), outputs[3];
    const struct vg_reference *reference = vg_reference_make(&source, &s->arena, &s->tmp);
    struct vg_random random;
    struct vg_digest digest;

    vg_random_seed(&random, 1);
    outputs[0] = sound_changed(s, &source, (struct sound_change){.sample = sound_gain, .from = -9, .to = 9});
    outputs[1] = sound_changed(
        s, &source, (struct sound_change){.sample = sound_noise, .from = 0, .to = 500, .random = &random});
    outputs[2] = sound_hurried(s, rate_hz, 2, 0.75, 1.2);
    vg_digest_init(&digest, VG_XXH128);
    for (size_t i = 0; i < 3; i++) {
        struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];

        vg_measure_both(reference, &outputs[i], &s->margins, EVERYTHING, paired, blind, &s->tmp);
        for (size_t q = 0; q < VG_QUANTITIES; q++) {
            add_evidence(&digest, &paired[q]);
            add_evidence(&digest, &blind[q]);
        }
    }
    vg_digest_finish(&digest, hex);
}

static void evidence_has_its_bits(void **state)
{
    struct sounds *s = *state;
    const struct {
        uint32_t rate_hz;
        const char *hex;
    } pinned[] = {
        {8000, "02b43ce29fea4698475f6905ed8cd21f"},
        {16000, "129ac759c5081092c933a26f3bd54f26"},
        {44100, "858519d21ead90b7e970d957721256a9"},
        {48000, "7ee7ead369c98de5e236e45d8574b5c0"},
    };

    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++) {
        char hex[VG_DIGEST_HEX];

        digest_of(s, pinned[i].rate_hz, hex);
        assert_string_equal(hex, pinned[i].hex);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(evidence_has_its_bits, sounds_open, sounds_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
