/* SPDX-License-Identifier: MIT */
/* Inside source: choosing among the sources of a corpus by rule.  select_rules.c reads the rules, select.c
 * applies them, select_pick.c balances, select_write.c freezes what was chosen. */
#ifndef VG_SELECT_H
#define VG_SELECT_H

#include "source.h"

/* Keys of an entry's map `select`. */
extern const struct vg_key_rule vg_select_keys[];

/* `check` of every kind that is recorded. */
void vg_select_check(const struct vg_node *entry, struct vg_error *err);

/* What a selection can be balanced over. */
enum vg_trait { VG_TRAIT_GENDER, VG_TRAIT_LOCALE, VG_TRAIT_ACCENT, VG_TRAIT_SPEAKER, VG_TRAITS };
extern const char *const vg_trait_names[VG_TRAITS];

struct vg_select_rules {
    const struct vg_node *map;
    const char *seed, *id;               /* id: a pattern */
    size_t count, speakers, per_speaker; /* 0: any number of speakers, of clips of one */
    double duration_min_sec, duration_max_sec, speech_min_sec;
    enum vg_trait balance[VG_TRAITS]; /* the first counts most */
    size_t balance_count;
    bool text_required, distinct_texts;
};
/* The rules of an entry that passed its check. */
void vg_select_rules_read(struct vg_select_rules *rules, const struct vg_spec *spec,
                          const struct vg_node *entry);

struct vg_candidate {
    const struct vg_source *source;
    char rank[VG_DIGEST_HEX]; /* of seed and id: the order in which clips are taken, all else being equal */
    const char *words;        /* its text, made comparable; "" none */
    const char *speaker;      /* an unknown one is a speaker of their own */
    const char *out;          /* why it cannot be chosen; NULL: it can */
    const char *why;          /* the same in one clip's own words, for the report; NULL: `out` says all */
    size_t speaker_number, words_number; /* equal where speakers or words are; below list.count */
    size_t turn;                         /* of its speaker among those chosen beforehand; 0: none was */
    bool decoded;
    struct vg_source_facts facts; /* once decoded; texts in the arena */
};
struct vg_choice {
    const struct vg_spec *spec;
    const struct vg_spec_source *entry;
    const char *split; /* name in the spec */
    struct vg_select_rules rules;
    struct vg_source_list list;
    struct vg_candidate *at; /* [list.count] */
    size_t *picks;           /* indices of the candidates chosen so far, in the order of the picking */
    size_t pick_count;
    struct vg_arena *arena;
};
const char *vg_trait_of(const struct vg_candidate *candidate, enum vg_trait trait); /* "" unknown */
/* The candidate cannot be chosen, for this reason unless there is one already. */
void vg_candidate_rule_out(struct vg_candidate *candidate, const char *reason);
/* Rule out what shares speakers or words with the tables that the rules name (select_apart.c). */
int vg_choice_keep_apart(struct vg_choice *choice, struct vg_error *err);
/* Choose anew among all that are not out; fewer than the rules want where there are no more. */
void vg_choice_pick_all(struct vg_choice *choice);

#endif
