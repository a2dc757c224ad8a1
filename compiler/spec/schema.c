/* SPDX-License-Identifier: MIT */
/* The keys of a spec, apart from what the vocabulary knows: categories, engines and kinds of source bring
 * their own.  The order is the canonical one in which a resolved spec is written. */
#include "loading.h"

const char *const vg_curve_names[VG_CURVES] = {
    [VG_LINEAR] = "linear",
    [VG_QUAD_FIRST_FLAT] = "quad_first_flat",
    [VG_QUAD_LAST_FLAT] = "quad_last_flat",
    [VG_JUMP] = "jump",
};
const char *const vg_direction_names[VG_DIRECTIONS] = {[VG_UP] = "up", [VG_DOWN] = "down"};

enum {
    WORD_MAX = 64,       /* bytes of a name */
    SENTENCE_MAX = 2000, /* of a line of prose */
    PROSE_MAX = 65536,   /* of a paragraph in the card */
    SOURCES_MAX = 10000,
};

static const struct vg_key_rule label_keys[] = {
    {"up", VG_KEY_TEXT, VG_REQUIRED, 1, WORD_MAX, NULL, NULL,
     "answer that is right when the attribute rises"},
    {"down", VG_KEY_TEXT, VG_REQUIRED, 1, WORD_MAX, NULL, NULL, "answer that is right when it falls"},
    {0},
};

/* recipe.md "The speech detector". */
static const struct vg_key_rule detector_keys[] = {
    {"pre_emphasis", VG_KEY_NUMBER, VG_REQUIRED, 0, 1, NULL, NULL, "weight of the sample before"},
    {"frame_sec", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN, 0, 1, NULL, NULL, "seconds"},
    {"hop_sec", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN, 0, 1, NULL, NULL, "seconds"},
    {"background_sec", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN, 0, 60, NULL, NULL,
     "seconds at the start taken for background"},
    {"floor_factor", VG_KEY_NUMBER, VG_REQUIRED, 0, 1000, NULL, NULL, "threshold over the noise floor"},
    {"peak_factor", VG_KEY_NUMBER, VG_REQUIRED, 0, 1, NULL, NULL, "threshold over the loudest frame"},
    {"threshold_min", VG_KEY_NUMBER, VG_REQUIRED, 0, 1, NULL, NULL, "least threshold, 1 is full scale"},
    {"run_frames", VG_KEY_INTEGER, VG_REQUIRED, 1, 10000, NULL, NULL, "frames that make speech"},
    {0},
};

/* In the order of enum vg_doubt. */
const struct vg_key_rule vg_doubt_keys[VG_DOUBTS + 1] = {
    {"confidence_min", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "least confidence of the detector"},
    {"share_min", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "least share of the clip"},
    {"pause_max_sec", VG_KEY_NUMBER, 0, 0, 86400, NULL, NULL, "longest pause inside, seconds"},
    {"voiced_share_min", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "least share of it that has a pitch"},
    {"level_min_dbfs", VG_KEY_NUMBER, 0, -200, 0, NULL, NULL, "least RMS, dB of full scale"},
    {"clipped_share_max", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "largest share of clipped samples"},
    {"dc_max", VG_KEY_NUMBER, 0, 0, 1, NULL, NULL, "largest mean, 1 is full scale"},
    {0},
};

static const struct vg_key_rule pack_keys[] = {
    {"shard_bytes", VG_KEY_INTEGER, 0, 1024, 1099511627776, NULL, NULL,
     "bytes after which a shard is closed"},
    {"shard_suffix", VG_KEY_CHOICE, 0, 0, 0, ".tar|.tar.flac", NULL, "end of a shard's name"},
    {"keys", VG_KEY_CHOICE, 0, 0, 0, "opaque|paper", NULL, "may a key in a shard carry the answer"},
    {"flac_profile", VG_KEY_CHOICE, 0, 0, 0, "stable|compact", NULL, "the same bytes everywhere, or fewer"},
    {0},
};

/* What people should know of the data and the data cannot say. */
static const struct vg_key_rule card_keys[] = {
    {"title", VG_KEY_TEXT, 0, 1, SENTENCE_MAX, NULL, NULL, "one line"},
    {"pretty_name", VG_KEY_TEXT, 0, 1, SENTENCE_MAX, NULL, NULL, "name for people"},
    {"creators", VG_KEY_TEXTS, 0, 1, 1000, NULL, NULL, "people or groups"},
    {"homepage", VG_KEY_TEXT, 0, 1, SENTENCE_MAX, NULL, NULL, "address of a page"},
    {"citation", VG_KEY_TEXT, 0, 1, PROSE_MAX, NULL, NULL, "BibTeX or a line of text"},
    {"date_published", VG_KEY_TEXT, 0, 0, 0, NULL, NULL, "YYYY-MM-DD"},
    {"limitations", VG_KEY_TEXT, 0, 1, PROSE_MAX, NULL, NULL, "what the data cannot show"},
    {"biases", VG_KEY_TEXT, 0, 1, PROSE_MAX, NULL, NULL, "what is over- or under-represented"},
    {"sensitive_information", VG_KEY_TEXT, 0, 1, PROSE_MAX, NULL, NULL, "personal data, if any"},
    {"use_cases", VG_KEY_TEXT, 0, 1, PROSE_MAX, NULL, NULL, "what it is and is not for"},
    {"social_impact", VG_KEY_TEXT, 0, 1, PROSE_MAX, NULL, NULL, "what its use may do"},
    {"changelog", VG_KEY_TEXTS, 0, 1, 1000, NULL, NULL, "one text a version"},
    {"errata", VG_KEY_TEXTS, 0, 1, 1000, NULL, NULL, "one text a known fault"},
    {0},
};

const struct vg_key_rule vg_spec_keys[] = {
    {"name", VG_KEY_TEXT, VG_REQUIRED, 0, 0, NULL, NULL, "name of the release"},
    {"version", VG_KEY_TEXT, VG_REQUIRED, 0, 0, NULL, NULL, "version of the release, such as 1.0.0"},
    {"description", VG_KEY_TEXT, VG_REQUIRED, 1, PROSE_MAX, NULL, NULL, "what the release is"},
    {"license", VG_KEY_TEXT, VG_REQUIRED, 0, 0, NULL, NULL, "SPDX expression, such as CC-BY-4.0"},
    {"engine", VG_KEY_TEXT, VG_REQUIRED, 0, 0, NULL, NULL, "engine that renders"},
    {"seed", VG_KEY_TEXT, VG_REQUIRED, 0, 0, NULL, NULL, "text that seeds every draw"},
    {"prompt", VG_KEY_TEXT, VG_REQUIRED, 1, SENTENCE_MAX, NULL, NULL, "question with {attribute}"},
    {"labels", VG_KEY_MAP, VG_REQUIRED, 0, 0, NULL, label_keys, "answers"},
    {"tiers", VG_KEY_TEXTS, VG_REQUIRED, 1, VG_TIERS_MAX, NULL, NULL, "grades of difficulty"},
    {"curves", VG_KEY_TEXTS, VG_REQUIRED, 1, VG_CURVES, "linear|quad_first_flat|quad_last_flat|jump", NULL,
     NULL},
    {"directions", VG_KEY_TEXTS, VG_REQUIRED, 1, VG_DIRECTIONS, "up|down", NULL, NULL},
    {"jump_at", VG_KEY_NUMBER, VG_REQUIRED | VG_ABOVE_MIN | VG_BELOW_MAX, 0, 1, NULL, NULL,
     "share of the speech span before the jump"},
    {"trajectory", VG_KEY_MAP, VG_REQUIRED, 0, 0, NULL, NULL, "timing of the engine"},
    {"span", VG_KEY_CHOICE, 0, 0, 0, "robust|paper", NULL, "how sources without a span get one"},
    {"detector", VG_KEY_MAP, 0, 0, 0, NULL, detector_keys, "the paper's speech detector"},
    {"doubtful_span", VG_KEY_MAP, 0, 0, 0, NULL, vg_doubt_keys,
     "when a span of the robust detector is doubtful"},
    {"on_doubtful_span", VG_KEY_CHOICE, 0, 0, 0, "flag|refuse", NULL, NULL},
    {"categories", VG_KEY_MAP, VG_REQUIRED, 0, 0, NULL, NULL, "acoustic categories and their values"},
    {"splits", VG_KEY_MAP, VG_REQUIRED, 0, 0, NULL, NULL, "parts of the release"},
    {"only_sources", VG_KEY_TEXTS, 0, 1, SOURCES_MAX, NULL, NULL, "ids of the sources to keep"},
    {"measure", VG_KEY_MAP, 0, 0, 0, NULL, NULL, "thresholds of the label check"},
    {"on_bad_source", VG_KEY_CHOICE, 0, 0, 0, "fail|skip", NULL, NULL},
    {"on_label", VG_KEY_CHOICE, 0, 0, 0, "fail|exclude|flag", NULL, NULL},
    {"on_below_jnd", VG_KEY_CHOICE, 0, 0, 0, "fail|exclude|flag", NULL, NULL},
    {"pack", VG_KEY_MAP, 0, 0, 0, NULL, pack_keys, "form of the release"},
    {"card", VG_KEY_MAP, 0, 0, 0, NULL, card_keys, "what the release says of itself"},
    {"root", VG_KEY_TEXT, 0, 1, 4096, NULL, NULL, "folder where the corpora lie"},
    {"source_pack", VG_KEY_TEXT, 0, 1, 4096, NULL, NULL, "source pack that holds every source"},
    {0},
};

const struct vg_key_rule vg_category_keys[] = {
    {"attribute", VG_KEY_TEXT, 0, 1, WORD_MAX, NULL, NULL, "name in the prompt"},
    {"tiers", VG_KEY_MAP, VG_REQUIRED, 0, 0, NULL, NULL, "values of each tier"},
    {0},
};

const struct vg_key_rule vg_split_keys[] = {
    {"categories", VG_KEY_TEXTS, 0, 1, 1000, NULL, NULL, "categories of this split; all where missing"},
    {"sources", VG_KEY_LIST, VG_REQUIRED, 1, SOURCES_MAX, NULL, NULL, "where its sounds come from"},
    {0},
};
