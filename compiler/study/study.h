/* SPDX-License-Identifier: MIT */
/* study: what finished releases tell: how two of them differ, how well a model answers, which items a human
 * study takes, how far the measures bear the labels out, in a release or in somebody else's set.  Reads
 * releases through pack; changes nothing and prints nothing. */
#ifndef VG_STUDY_H
#define VG_STUDY_H

#include "pack.h"

/* ---- two releases side by side (diff.c, diff_spec.c) ------------------------------------------------ */

enum vg_change { VG_ADDED, VG_REMOVED, VG_CHANGED, VG_CHANGES };
extern const char *const vg_change_names[VG_CHANGES];
/* What of an item changed; the fields of the manifest fall into these. */
enum vg_aspect {
    VG_BY_AUDIO,     /* samples, and all that is counted in them */
    VG_BY_LABEL,     /* label and direction */
    VG_BY_PARAMETER, /* parameters, seed, source's samples */
    VG_BY_EVIDENCE,  /* what was measured */
    VG_BY_WORDS,     /* question, texts and names */
    VG_BY_PACKING,   /* key, FLAC bytes; not the shard it happens to lie in */
    VG_ASPECTS
};
extern const char *const vg_aspect_names[VG_ASPECTS];
struct vg_field_change {
    const char *name; /* "label", "parameters.delta_gain_db" */
    enum vg_aspect aspect;
    const char *a, *b; /* as JSON; NULL: not there */
};
struct vg_item_change {
    enum vg_change change;
    const char *split, *category, *id, *tier, *curve, *direction, *label;
    unsigned aspects;                     /* 1u << aspect */
    const struct vg_field_change *fields; /* of VG_CHANGED */
    size_t field_count;
};
struct vg_spec_change {
    const char *path;  /* categories.volume.tiers.high.delta_gain_db */
    const char *a, *b; /* as the spec writes them; NULL: not there */
};
struct vg_diff {
    size_t items_a, items_b, changes[VG_CHANGES], by[VG_ASPECTS], same, specs;
};
/* Called for every difference: first the specs', then items in the order of A, then those that only B has.
 * What is handed over lives for the call.  Anything but VG_OK ends the comparison. */
struct vg_diff_sink {
    void *context;
    int (*spec)(void *context, const struct vg_spec_change *change);
    int (*item)(void *context, const struct vg_item_change *change);
};
/* An item is the same in both where category and id are.  VG_OK even where they differ. */
int vg_diff_releases(const char *a, const char *b, const struct vg_diff_sink *sink, struct vg_diff *diff,
                     struct vg_error *err);
/* The values of two resolved specs that differ, in the order of A. */
int vg_diff_specs(const char *a, const char *b, const struct vg_diff_sink *sink, size_t *count,
                  struct vg_error *err);

/* ---- a model's answers (answers.c, score.c) ---------------------------------------------------------- */

enum vg_answer { VG_ANSWERED_UP, VG_ANSWERED_DOWN, VG_NOT_UNDERSTOOD, VG_MISSING };
/* The paper's parser: one of the two labels, or its plural, as a whole word in any case, and not the other
 * one. */
enum vg_answer vg_answer_parse(const char *text, const char *up, const char *down);

/* What one group of items adds up to. */
struct vg_score {
    const char *field, *value; /* "category", "echo"; "all", "" */
    size_t items, correct, parsed, not_understood, missing;
    size_t up_items, up_correct, up_answers; /* up_answers: of those that were parsed */
    double accuracy;  /* of all items: what was not understood or is missing is wrong */
    double low, high; /* 95 % interval of the accuracy: sources drawn with replacement; NaN for one source */
    double balanced_accuracy; /* mean over the two labels; NaN where one has no item */
    double bias;              /* share of the parsed answers that say up; NaN where there is none */
};
struct vg_scores {
    struct vg_score
        *at; /* all, then by split, category, tier, curve, direction, category and tier, and curve */
    size_t count;
    struct vg_arena arena;
};
struct vg_score_options {
    const char *seed; /* of the draws */
    size_t draws;     /* at least 1 */
};
/* Scores a file of predictions: JSON lines or a table (.csv, .tsv), one an item, with the item as `key`, or
 * `name`
 * (<category>__<id>), or `category` and `id` (or item_id, benchmark_clip_id), and the words as `response` (or
 * prediction, answer, output, text).  A row that names no item of the release, or one that came before, is an
 * error (VG_SOURCE); an item without a row counts as wrong. */
int vg_score_release(const char *release, const char *predictions, const struct vg_score_options *options,
                     struct vg_scores *scores, struct vg_error *err);
void vg_scores_release(struct vg_scores *scores);

/* ---- what the measures say of the labels (oracle.c, oracle_cells.c, oracle_trends.c) ------------------- */

/* Items of one tier and curve of a category, or of all of them. */
struct vg_oracle_cell {
    const char *category, *tier, *curve; /* "": of all */
    size_t items, paired_items;          /* heard; of those, beside their source */
    size_t verdicts[4], below_jnd;       /* P's; below_jnd: confirmed, and less than one JND */
    size_t blind_right;                  /* B's net has the label's sign */
    size_t blind_opposed;                /* B goes against the label by more than its margin */
    double paired_share, blind_share;    /* right, 0..1: of paired_items confirmed, of items; NaN: none */
    double human_share;                  /* the paper's listeners; NaN where it gives no figure */
};
/* What one P measure hears of the items of one category. */
struct vg_oracle_leak {
    size_t items; /* for which it is defined */
    double jnds;  /* median change in JNDs, positive along the label; NaN: no item */
};
/* How the sources move of themselves, as the B measure of one quantity hears it, in its unit. */
struct vg_oracle_trend {
    size_t sources;                 /* for which it is known */
    double mean, deviation, median; /* over the sources; the deviation is the sample's; NaN: too few */
    double margin;                  /* B's, in the same unit */
};
/* An item whose source moves against its label by half of B's margin or more. */
struct vg_oracle_against {
    const char *category, *id, *source, *tier, *curve;
    enum vg_quantity quantity;
    int claimed;      /* +1: labelled as an increase, -1 */
    double trend;     /* the source's, in B's unit */
    double blind_net; /* what B hears of the item */
    bool blind_right; /* the change outweighs the trend */
};
struct vg_oracle_category {
    const char *name;
    enum vg_quantity quantity;
    size_t items, against, against_wrong; /* against_wrong: of `against`, those with B wrong */
};
struct vg_oracle {
    /* Names in order of first appearance; the quantities' names and units are in vg_measures. */
    struct vg_oracle_category *categories;
    const char **tiers, **curves, **sources;
    size_t category_count, tier_count, curve_count, source_count;
    size_t items, unmeasured;     /* unmeasured: without evidence, in no table */
    struct vg_oracle_cell *cells; /* see vg_oracle_cell_of */
    struct vg_oracle_leak *leaks; /* [category * VG_QUANTITIES + quantity] */
    struct vg_oracle_trend trends[VG_QUANTITIES];
    double *source_trends;             /* [source * VG_QUANTITIES + quantity]; NaN: not known */
    struct vg_oracle_against *against; /* in the order of the items */
    size_t against_count;
    struct vg_arena arena;
    struct vg_oracle_notes *notes; /* what was added and not summed yet */
};
/* The cell of these; an index equal to the count stands for all. */
const struct vg_oracle_cell *vg_oracle_cell_of(const struct vg_oracle *oracle, size_t category, size_t tier,
                                               size_t curve);
/* How a source moves of itself; NaN where it is not known. */
double vg_oracle_trend_of(const struct vg_oracle *oracle, const char *source, enum vg_quantity quantity);
/* The share of right answers that the paper's listeners gave with this curve, over its categories and tiers;
 * NaN for another curve.  vg_oracle_human: of all four, its mean. */
double vg_oracle_human_of(const char *curve);
double vg_oracle_human(void);

/* All tables of a release, from the evidence in its manifest.  Of a source's own trend it knows what its
 * items tell: half the sum of what B hears of an item and of its opposite, in which the change cancels; the
 * median over all such pairs.  Zero-initialise. */
int vg_oracle_read(struct vg_oracle *oracle, const char *release, const struct vg_margins *margins,
                   struct vg_error *err);
void vg_oracle_release(struct vg_oracle *oracle);

/* The same of items that come from elsewhere: add them, then sum.  Everything is copied. */
struct vg_oracle_item {
    const char *category, *id, *source, *tier, *curve;
    int claimed;                              /* +1, -1 */
    const struct vg_evidence *paired, *blind; /* [VG_QUANTITIES]; paired NULL: heard without its source */
};
void vg_oracle_add(struct vg_oracle *oracle, const struct vg_oracle_item *item);
/* What B hears of a source itself; counts instead of what its items tell. */
void vg_oracle_add_source(struct vg_oracle *oracle, const char *source, const struct vg_evidence *blind);
void vg_oracle_sum(struct vg_oracle *oracle, const struct vg_margins *margins);

/* ---- somebody else's set, as the paper publishes one (published.c, recordings.c) ----------------------- */

struct vg_published_item {
    size_t line;                                       /* of the table */
    const char *name;                                  /* of its sound, as the table has it */
    const char *path;                                  /* where that was found */
    const char *category, *id, *source, *tier, *curve; /* "": the table does not say */
    enum vg_quantity quantity;                         /* the category's */
    int claimed;                                       /* by the label: +1 increase, -1 decrease */
    double onset_sec, offset_sec, duration_sec;        /* NaN: the table does not say */
    size_t recording;                                  /* SIZE_MAX: not looked for */
};
struct vg_published {
    struct vg_published_item *items; /* rows that can be heard, in their order */
    size_t count;
    size_t faults;           /* rows that cannot */
    const char **recordings; /* paths of those that the items were made from, each once */
    size_t recording_count;
    struct vg_arena arena;
};
/* Reads a table with the columns file_name (or audio_path), category and label, and finds the sound of every
 * row below the folder `audio` (NULL: the table's own, or the one around it where that is `metadata`): under
 * its name, with or without the folder `audio` in it, below <category>/ and <split>/<category>/, as .wav or
 * .flac.  The recording that a row was made from is looked for anywhere below `sources` (NULL: nowhere) by
 * its name without the ending: the item's source, or source_clip_id, or that with _mic1.  VG_SOURCE with
 * table:line for each row at fault; the others stand. */
int vg_published_read(struct vg_published *set, const char *table, const char *audio, const char *sources,
                      struct vg_error *err);
void vg_published_release(struct vg_published *set);

/* ---- what was asked (asked.c) -------------------------------------------------------------------------- */

enum vg_asked_kind {
    VG_ASKED_UNKNOWN, /* the recipe says nothing in the measure's unit */
    VG_ASKED_VALUE,   /* the value itself */
    VG_ASKED_CHANGE   /* up to a constant: where it starts is the source's */
};
/* The recipe's value along the span of an item, in the unit of the paired measure; t in 0..1, in rising
 * order. NaN where there is none (no noise at all, in dB). */
enum vg_asked_kind vg_asked_course(const struct vg_spec *spec, size_t category, size_t tier,
                                   enum vg_curve curve, enum vg_direction direction, uint32_t rate_hz,
                                   const double *t, double *value, size_t count);

/* Of a value: what it is, half a sentence of markup.  Of a change: a sentence, or "". */
const char *vg_asked_words(const struct vg_spec *spec, size_t category);

/* ---- the human study's subset (annotation.c) ----------------------------------------------------------- */

enum { VG_ANNOTATED_ITEMS = 50 }; /* of a category, as in the paper */

/* What the choice is made from: one split and category. */
struct vg_annotation_pool {
    const char *seed;            /* text: spec's seed, split and category */
    const char *const *speakers; /* of each source; "": a speaker of its own */
    size_t sources, tiers, curves, directions;
};
struct vg_annotated {
    size_t source, tier, curve, direction; /* numbers, in the spec's order */
};
/* At most `wanted` items, in the order they are to be heard: one source a speaker, tiers x curves as even as
 * their number allows, directions even over all and within each of those.  The seed decides which source of a
 * speaker, which conditions are the odd ones out, and the order.  Returns how many. */
size_t vg_annotation_choose(const struct vg_annotation_pool *pool, size_t wanted, struct vg_annotated *out,
                            struct vg_arena *tmp);

/* The seed text of that choice. */
char *vg_annotation_seed(const struct vg_spec *spec, const char *split, const char *category,
                         struct vg_arena *arena);

/* The same choice out of a finished release (heard.c): what people hear, category by category. */
struct vg_heard_item {
    struct vg_record record;
    size_t position; /* in which its category is heard, from 1 */
};
struct vg_heard_part {
    const char *category, *question; /* question: the prompt up to its question mark */
    size_t first, count;             /* items of the study */
    size_t lacking;                  /* chosen, but left out of the release for their label */
};
struct vg_study {
    const char *release_id, *split;
    const char *labels[VG_DIRECTIONS];
    struct vg_heard_part *parts; /* in the grid's order */
    size_t part_count;
    struct vg_heard_item *items;
    size_t item_count;
    struct vg_arena arena;
};
/* `spec`: the release's own, borrowed.  `split`: NULL for the one called test, else the first. */
int vg_study_read(struct vg_study *study, const char *release, const struct vg_spec *spec, const char *split,
                  size_t wanted, struct vg_error *err);
void vg_study_release(struct vg_study *study);

/* ---- people's answers (judgement.c) -------------------------------------------------------------------- */

enum { VG_REPLAYS_MAX = 10000, VG_RESPONSE_MS_MAX = 24 * 3600 * 1000 };
/* One answer of one person.  Everything is borrowed. */
struct vg_judgement {
    const char *annotator, *category, *key, *answer, *release_id;
    const char *utc;      /* 2026-12-01T10:00:00Z, of the machine that kept it */
    size_t position;      /* of the item in its category's order, from 1 */
    uint64_t replays;     /* how often it was played after the first time */
    uint64_t response_ms; /* from the first playing's start until the answer was confirmed */
    const char *place;    /* of one that was read: file:line */
};
/* A line with its LF, appended. */
void vg_judgement_write(const struct vg_judgement *judgement, struct vg_text *out);
/* Zero-initialise. */
struct vg_judgements {
    struct vg_judgement *at;
    size_t count, room;
    size_t whole_bytes, torn_bytes; /* of the file read last: of lines that count, and behind them */
    struct vg_arena arena;
};
/* Adds the answers of a file.  What was cut off at its end is left out and counted in torn_bytes; a faulty
 * line before that is an error (VG_SOURCE). */
int vg_judgements_read(struct vg_judgements *judgements, const char *path, struct vg_error *err);
/* VG_SOURCE where one person answers one item twice. */
int vg_judgements_check_single(const struct vg_judgements *judgements, struct vg_error *err);
void vg_judgements_release(struct vg_judgements *judgements);

/* ---- how well people answer, and agree (kappa.c, people.c) --------------------------------------------- */

/* Fleiss' kappa; where subjects have unequal numbers of raters, Fleiss and Cuzick's: a subject weighs as much
 * as it has raters beyond the first.  Subjects with one rater say nothing of agreement and are left out. */
struct vg_kappa {
    size_t subjects, ratings; /* that count */
    size_t alone;             /* subjects with a single rater */
    unsigned raters_min, raters_max;
    double observed, expected; /* share of agreeing pairs of raters, found and by chance; NaN: no subject */
    double kappa;              /* NaN: no subject, or all answers are the same */
};
/* counts[subject * answers + answer]: how many raters gave it. */
void vg_kappa_of(const unsigned *counts, size_t subjects, size_t answers, struct vg_kappa *kappa);

/* One group of answers, and what else there is to say of the items that it is about, each counted once. */
struct vg_people_row {
    const struct vg_score *score; /* of the answers; its items are answers */
    size_t items;                 /* that were answered */
    struct vg_kappa kappa;
    double paper;         /* the paper's listeners, by curve and over all; NaN where it gives no figure */
    double paired, blind; /* share right of P and B; NaN where nothing was measured */
    const double *models; /* [model] share right */
    double median_ms, replays; /* median response time; mean of the replays */
};
struct vg_people {
    struct vg_scores scores; /* as of a model, with a group for each annotator */
    struct vg_people_row *rows;
    size_t count;
    const char *const *models; /* names: of the files, without what follows the last dot */
    size_t model_count, annotators, torn_bytes;
    struct vg_arena arena;
};
/* Every *.jsonl in the folder; those of another release are an error.  Zero-initialise `people`. */
int vg_people_read(struct vg_people *people, const char *release, const char *folder,
                   const char *const *predictions, size_t prediction_count,
                   const struct vg_score_options *options, struct vg_error *err);
void vg_people_release(struct vg_people *people);

#endif
