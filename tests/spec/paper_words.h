/* SPDX-License-Identifier: MIT */
/* A vocabulary with the words of paper.yaml beside it and of specs/beep.yaml, and one kind of source that
 * uses every type of rule.  The rooms to the right bring their own; spec must work with whatever it is given.
 */
#ifndef VG_PAPER_WORDS_H
#define VG_PAPER_WORDS_H

#include "spec.h"

#include <math.h>

enum { ABOVE = VG_ABOVE_MIN, INSIDE = VG_ABOVE_MIN | VG_BELOW_MAX };

static const struct vg_key_rule no_keys[] = {{0}};
static const struct vg_key_rule volume_tier[] = {
    {"delta_gain_db", VG_KEY_NUMBER, ABOVE, 0, 90, NULL, NULL, "dB"},
    {0},
};
static const struct vg_key_rule speed_tier[] = {
    {"delta_rate", VG_KEY_NUMBER, INSIDE, 0, 1, NULL, NULL, "share of the tempo"},
    {0},
};
static const struct vg_key_rule stft_keys[] = {
    {"n_fft", VG_KEY_INTEGER, 0, 32, 65536, NULL, NULL, "samples"},
    {"n_fft_min", VG_KEY_INTEGER, 0, 4, 65536, NULL, NULL, "samples"},
    {"hop", VG_KEY_INTEGER, 0, 1, 65536, NULL, NULL, "samples"},
    {0},
};
static const struct vg_key_rule pitch_tier[] = {
    {"delta_steps", VG_KEY_NUMBER, ABOVE, 0, 24, NULL, NULL, "semitones"},
    {0},
};
static const struct vg_key_rule pitch_keys[] = {
    {"n_fft", VG_KEY_INTEGER, 0, 32, 65536, NULL, NULL, "samples"},
    {"n_fft_min", VG_KEY_INTEGER, 0, 4, 65536, NULL, NULL, "samples"},
    {"hop", VG_KEY_INTEGER, 0, 1, 65536, NULL, NULL, "samples"},
    {"steps_per_octave", VG_KEY_NUMBER, ABOVE, 0, 1200, NULL, NULL, "steps"},
    {"filter_pass", VG_KEY_NUMBER, ABOVE, 0, 1, NULL, NULL, "of the lower Nyquist"},
    {"filter_stop", VG_KEY_NUMBER, ABOVE, 0, 1, NULL, NULL, "of the lower Nyquist"},
    {0},
};
static const struct vg_key_rule noise_tier[] = {
    {"noise_ratio_max", VG_KEY_NUMBER, ABOVE, 0, 100, NULL, NULL, "noise over speech"},
    {0},
};
static const struct vg_key_rule noise_keys[] = {
    {"rms_min", VG_KEY_NUMBER, ABOVE, 0, 1, NULL, NULL, "full scale 1"},
    {0},
};
static const struct vg_key_rule distortion_tier[] = {
    {"effective_sr_min", VG_KEY_NUMBER, 0, 1, 1e6, NULL, NULL, "Hz"},
    {0},
};
static const struct vg_key_rule distortion_keys[] = {
    {"effective_sr_floor", VG_KEY_NUMBER, 0, 1, 1e6, NULL, NULL, "Hz"},
    {0},
};
static const struct vg_key_rule roughness_tier[] = {
    {"bit_depth_min", VG_KEY_NUMBER, 0, 2, 24, NULL, NULL, "bits"},
    {0},
};
static const struct vg_key_rule roughness_keys[] = {
    {"bit_depth_max", VG_KEY_NUMBER, 0, 2, 24, NULL, NULL, "bits"},
    {"bit_depth_floor", VG_KEY_NUMBER, 0, 2, 24, NULL, NULL, "bits"},
    {0},
};
static const struct vg_key_rule clarity_tier[] = {
    {"cutoff_min_hz", VG_KEY_NUMBER, ABOVE | VG_UP_TO_NYQUIST, 0, 1e6, NULL, NULL, "Hz"},
    {0},
};
static const struct vg_key_rule clarity_keys[] = {
    {"n_fft", VG_KEY_INTEGER, 0, 32, 65536, NULL, NULL, "samples"},
    {"n_fft_min", VG_KEY_INTEGER, 0, 4, 65536, NULL, NULL, "samples"},
    {"hop", VG_KEY_INTEGER, 0, 1, 65536, NULL, NULL, "samples"},
    {"transition_hz", VG_KEY_NUMBER, ABOVE, 0, INFINITY, NULL, NULL, "Hz"},
    {0},
};
static const struct vg_key_rule vibration_tier[] = {
    {"depth_max", VG_KEY_NUMBER, ABOVE, 0, 1, NULL, NULL, "share of the amplitude"},
    {0},
};
static const struct vg_key_rule vibration_keys[] = {
    {"lfo_rate_max_hz", VG_KEY_NUMBER, ABOVE | VG_UP_TO_NYQUIST, 0, 1000, NULL, NULL, "Hz"},
    {0},
};
static const struct vg_key_rule echo_tier[] = {
    {"room_scale_max", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "scale of the feedback"},
    {"wet_mix_max", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "share of the wet sound"},
    {0},
};
static const struct vg_key_rule echo_keys[] = {
    {"impulse_sec", VG_KEY_NUMBER, ABOVE, 0, 60, NULL, NULL, "seconds"},
    {"comb_ms", VG_KEY_NUMBERS, ABOVE, 0, 1000, NULL, NULL, "ms"},
    {"comb_feedback", VG_KEY_NUMBERS, VG_BELOW_MAX, 0, 1, NULL, NULL, "gain"},
    {"allpass_ms", VG_KEY_NUMBERS, ABOVE, 0, 1000, NULL, NULL, "ms"},
    {"allpass_gain", VG_KEY_NUMBER, VG_BELOW_MAX, 0, 1, NULL, NULL, "gain"},
    {0},
};

static void check_echo(const struct vg_node *map, struct vg_error *err)
{
    const struct vg_node *delays = vg_node_find(map, "comb_ms"), *gains = vg_node_find(map, "comb_feedback");

    if (delays->count != gains->count)
        vg_node_fail(gains, err, "echo.comb_feedback has %zu values; expected %zu, one for each of comb_ms",
                     gains->count, delays->count);
}

static const struct vg_category paper_volume = {"volume", volume_tier, no_keys, NULL};
static const struct vg_category paper_speed = {"speaking_speed", speed_tier, stft_keys, NULL};
static const struct vg_category paper_pitch = {"voice_pitch", pitch_tier, pitch_keys, NULL};
static const struct vg_category paper_noise = {"background_noise", noise_tier, noise_keys, NULL};
static const struct vg_category paper_distortion = {"audio_distortion", distortion_tier, distortion_keys,
                                                    NULL};
static const struct vg_category paper_roughness = {"audio_roughness", roughness_tier, roughness_keys, NULL};
static const struct vg_category paper_clarity = {"voice_clarity", clarity_tier, clarity_keys, NULL};
static const struct vg_category paper_vibration = {"voice_vibration", vibration_tier, vibration_keys, NULL};
static const struct vg_category paper_echo = {"echo", echo_tier, echo_keys, check_echo};
static const struct vg_category *const paper_categories[] = {
    &paper_volume,    &paper_speed,   &paper_pitch,     &paper_noise, &paper_distortion,
    &paper_roughness, &paper_clarity, &paper_vibration, &paper_echo,
};
static const struct vg_key_rule paper_trajectory[] = {
    {"step_sec", VG_KEY_NUMBER, ABOVE, 0, 10, NULL, NULL, "seconds"},
    {"context_sec", VG_KEY_NUMBER, 0, 0, 10, NULL, NULL, "seconds"},
    {"crossfade_sec", VG_KEY_NUMBER, 0, 0, 10, NULL, NULL, "seconds"},
    {0},
};
static const struct vg_engine_words paper_engine = {"paper-1", paper_categories, 9, paper_trajectory, false};

static const struct vg_key_rule tone_keys[] = {
    {"id", VG_KEY_TEXT, VG_REQUIRED, 1, 64, NULL, NULL, "source id"},
    {"clip_id", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, NULL},
    {"speaker_id", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, NULL},
    {"sentence_id", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, NULL},
    {"text", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, NULL},
    {"sample_rate_hz", VG_KEY_INTEGER, VG_REQUIRED, 8000, 192000, NULL, NULL, "Hz"},
    {"lead_sec", VG_KEY_NUMBER, 0, 0, 60, NULL, NULL, "seconds"},
    {"tone_sec", VG_KEY_NUMBER, VG_REQUIRED | ABOVE, 0, 600, NULL, NULL, "seconds"},
    {"tail_sec", VG_KEY_NUMBER, 0, 0, 60, NULL, NULL, "seconds"},
    {"amplitude", VG_KEY_NUMBER, VG_REQUIRED | ABOVE, 0, 1, NULL, NULL, "1 is full scale"},
    {"frequencies_hz", VG_KEY_NUMBERS, VG_REQUIRED | VG_UP_TO_NYQUIST, 1, 1e6, NULL, NULL, "Hz"},
    {0},
};

static void check_tone(const struct vg_node *entry, struct vg_error *err)
{
    if (vg_node_number(entry, "tone_sec", 0) > 100)
        vg_node_fail(vg_node_find(entry, "tone_sec"), err, "tone_sec is long for these samples");
}

/* Uses every type of rule. */
static const struct vg_key_rule mix_inner[] = {
    {"gain", VG_KEY_NUMBER, 0, -90, 90, NULL, NULL, "dB"},
    {"mode", VG_KEY_CHOICE, 0, 0, 0, "flat|no|loud", NULL, NULL},
    {0},
};
static const struct vg_key_rule mix_keys[] = {
    {"id", VG_KEY_TEXT, VG_REQUIRED, 1, 64, NULL, NULL, "source id"},
    {"exact", VG_KEY_BOOL, 0, 0, 0, NULL, NULL, "to the sample"},
    {"depth", VG_KEY_NUMBER, 0, 0, 0, NULL, NULL, NULL},
    {"above", VG_KEY_NUMBER, 0, 10, INFINITY, NULL, NULL, NULL},
    {"names", VG_KEY_TEXTS, 0, 2, 3, NULL, NULL, NULL},
    {"modes", VG_KEY_TEXTS, 0, 0, 0, "flat|no|loud", NULL, NULL},
    {"weights", VG_KEY_NUMBERS, 0, 0, 0, NULL, NULL, NULL},
    {"inner", VG_KEY_MAP, 0, 0, 0, NULL, mix_inner, NULL},
    {"free", VG_KEY_MAP, 0, 0, 0, NULL, NULL, NULL},
    {"score", VG_KEY_LIST, 0, 1, 3, NULL, NULL, "parts"},
    {0},
};

static void check_mix_shared(const struct vg_node *map, struct vg_error *err)
{
    const struct vg_node *presets = vg_node_find(map, "presets");

    if (presets == NULL)
        vg_node_fail(map, err, "mix has no presets");
    for (size_t i = 0; presets != NULL && i < presets->count; i++)
        if (vg_node_is_null(presets->entries[i].value))
            vg_node_fail(presets->entries[i].key_node, err, "a null reached the check");
}

static const struct vg_source_words tone_words = {"tone", tone_keys, check_tone, NULL};
static const struct vg_source_words mix_words = {"mix", mix_keys, NULL, check_mix_shared};
static const struct vg_engine_words *const paper_engines[] = {&paper_engine};
static const struct vg_source_words *const paper_sources[] = {&tone_words, &mix_words};

/* What `measure` holds is another room's matter: with no keys anything goes. */
static const struct vg_vocabulary paper_words = {paper_engines, 1, paper_sources, 2, NULL};

#endif
