/* SPDX-License-Identifier: MIT */
/* spec: YAML text to a checked, resolved specification.  Knows no category, corpus or engine by itself:
 * the vocabulary handed in says which there are and which keys they take, so that a new one is one file
 * in its own room. */
#ifndef VG_SPEC_H
#define VG_SPEC_H

#include "base.h"

/* ---- the tree: every value keeps the place where the user wrote it -------------------------------- */

enum vg_node_kind { VG_NODE_SCALAR, VG_NODE_LIST, VG_NODE_MAP };

struct vg_node {
    enum vg_node_kind kind;
    const char *file;         /* where it stands: a path, "embedded:NAME", "<stdin>", "--set" or "--only" */
    const char *source;       /* the whole text of that file, for excerpts; NULL: none to show */
    unsigned line, column;    /* from 1; columns count characters; for --set the argument's number */
    const char *text;         /* of a scalar; NULL for a null */
    bool quoted;              /* a quoted scalar is text, whatever it looks like */
    struct vg_entry *entries; /* of a list (key NULL) or a map, in the order written */
    size_t count;
};
struct vg_entry {
    const char *key;
    const struct vg_node *key_node; /* place of the key */
    struct vg_node *value;
};
/* The value of a key; NULL where there is no such key, where it is null, and where `map` is no map. */
const struct vg_node *vg_node_find(const struct vg_node *map, const char *key);
bool vg_node_is_null(const struct vg_node *node);
/* Report at a node: file:line:column with the line and a caret below; returns VG_SPEC. */
int vg_node_fail(const struct vg_node *node, struct vg_error *err, const char *format, ...) VG_FORMAT(3, 4);
/* Typed readings of nodes that already passed their rule (vg_check otherwise).  A missing key gives the
 * fallback. */
double vg_node_number(const struct vg_node *map, const char *key, double fallback);
int64_t vg_node_integer(const struct vg_node *map, const char *key, int64_t fallback);
const char *vg_node_text(const struct vg_node *map, const char *key, const char *fallback);
bool vg_node_bool(const struct vg_node *map, const char *key, bool fallback);
/* A text that names a file, seen from the folder of the file that holds it. */
char *vg_node_path(const struct vg_node *node, struct vg_arena *arena);

/* ---- rules: one row a key ------------------------------------------------------------------------- */

enum vg_key_type {
    VG_KEY_NUMBER,
    VG_KEY_INTEGER,
    VG_KEY_TEXT,
    VG_KEY_BOOL,
    VG_KEY_CHOICE,  /* one of `choices`, separated by | */
    VG_KEY_NUMBERS, /* list of numbers, each within the range */
    VG_KEY_TEXTS,   /* list of texts, or of `choices` */
    VG_KEY_MAP,     /* further rules in `keys` (NULL: any keys; checked elsewhere) */
    VG_KEY_LIST     /* list of anything; checked elsewhere */
};
enum vg_key_flag {
    VG_REQUIRED = 1,
    VG_ABOVE_MIN = 2,    /* the lower bound itself is not allowed */
    VG_BELOW_MAX = 4,    /* nor the upper */
    VG_UP_TO_NYQUIST = 8 /* in Hz: at most half of every sample rate the spec itself states */
};
struct vg_key_rule {
    const char *name;
    enum vg_key_type type;
    unsigned flags;
    /* Numbers, and each of a list of numbers: the range, unless both are 0.  Texts: the least and largest
     * length in bytes; lists: of items; where max is 0 a text may be empty and a list of texts or
     * numbers has at least one item. */
    double min, max;
    const char *choices;
    const struct vg_key_rule *keys; /* of a map; ends with a rule without a name */
    const char *meaning;            /* half a line for messages and the manual: unit and what it is */
};
/* Check a map against its rules: every fault is added to err, unknown keys with the nearest known one.
 * `where` is the map's path for messages, "" at the top. */
void vg_rules_check(const struct vg_node *map, const struct vg_key_rule *rules, const char *where,
                    struct vg_error *err);

/* ---- vocabulary ----------------------------------------------------------------------------------- */

/* What one acoustic category asks of a spec.  Rules of type NUMBER, INTEGER, NUMBERS or CHOICE only, all
 * required; lists end with a rule without a name. */
struct vg_category {
    const char *name;                /* "voice_clarity" */
    const struct vg_key_rule *tier;  /* once per tier: categories.<name>.tiers.<tier>.<key> */
    const struct vg_key_rule *fixed; /* once: categories.<name>.<key> */
    /* Cross-checks of the category's map once it passed its rules; may be NULL. */
    void (*check)(const struct vg_node *map, struct vg_error *err);
};
struct vg_engine_words {
    const char *name; /* "paper-1" */
    const struct vg_category *const *categories;
    size_t category_count;
    const struct vg_key_rule *keys; /* keys of the top-level map `trajectory` */
    bool pairs_share_draws;         /* both directions draw the same numbers */
};
/* What one kind of source asks of an entry of splits.<split>.sources. */
struct vg_source_words {
    const char *name;               /* value of the key `kind` */
    const struct vg_key_rule *keys; /* beside `kind` */
    /* Cross-checks of one entry that passed its rules; may be NULL. */
    void (*check)(const struct vg_node *entry, struct vg_error *err);
    /* What entries of this kind share stands in a top-level map called like the kind (`voice:`), which
     * the resolved spec keeps as it is; this checks it, once.  NULL: there is no such map. */
    void (*check_shared)(const struct vg_node *map, struct vg_error *err);
};
struct vg_vocabulary {
    const struct vg_engine_words *const *engines;
    size_t engine_count;
    const struct vg_source_words *const *sources;
    size_t source_count;
    const struct vg_key_rule *measure_keys; /* keys of the top-level map `measure` */
};

/* ---- the resolved spec ---------------------------------------------------------------------------- */

enum { VG_TIERS_MAX = 16, VG_CURVES = 4, VG_DIRECTIONS = 2 };
enum vg_curve { VG_LINEAR, VG_QUAD_FIRST_FLAT, VG_QUAD_LAST_FLAT, VG_JUMP };
extern const char *const vg_curve_names[VG_CURVES];
enum vg_direction { VG_UP, VG_DOWN };
extern const char *const vg_direction_names[VG_DIRECTIONS];
/* What makes a span of the robust detector doubtful: the keys of `doubtful_span`, in their order. */
enum vg_doubt {
    VG_DOUBT_CONFIDENCE, /* less than this, 0..1 */
    VG_DOUBT_SHARE,      /* less than this share of the clip */
    VG_DOUBT_PAUSE,      /* a longer pause inside, s */
    VG_DOUBT_VOICED,     /* less than this share of it has a pitch */
    VG_DOUBT_LEVEL,      /* a lower RMS, dB of full scale */
    VG_DOUBT_CLIPPED,    /* a larger share of its samples clipped */
    VG_DOUBT_DC,         /* a larger mean, full scale is 1 */
    VG_DOUBTS
};
enum vg_policy { VG_POLICY_FAIL, VG_POLICY_SKIP, VG_POLICY_EXCLUDE, VG_POLICY_FLAG };

/* One rule's value: `count` numbers; of a choice its place among the choices, from 0. */
struct vg_value {
    const double *at;
    size_t count;
};
struct vg_spec_category {
    const struct vg_category *words;
    const char *attribute;                /* for the prompt: "speaking speed" */
    const char *prompt;                   /* whole, the attribute filled in */
    struct vg_value *tiers[VG_TIERS_MAX]; /* [tier][rule of words->tier] */
    struct vg_value *fixed;               /* [rule of words->fixed] */
};
struct vg_spec_split {
    const char *name;
    const struct vg_node *node;
    size_t *categories; /* indices into spec.categories, in the grid's order, after --only */
    size_t category_count;
    struct vg_spec_source {
        const struct vg_source_words *words;
        const struct vg_node *entry;
    } * sources;
    size_t source_count;
};
struct vg_spec {
    const char *path; /* as given, for messages */
    const char
        *folder; /* of that path; paths inside the spec start at the file that holds them: vg_node_path */
    const struct vg_node *root;
    const char *name, *version, *description, *license, *seed;
    const struct vg_engine_words *engine;
    struct vg_value *trajectory;         /* [rule of engine->keys] */
    struct vg_spec_category *categories; /* those that a split uses, in the engine's order */
    size_t category_count;
    struct vg_spec_split *splits;
    size_t split_count;
    const char **tiers; /* names, easiest last as written: low, mid, high */
    size_t tier_count;
    enum vg_curve curves[VG_CURVES];
    size_t curve_count;
    double jump_at;
    enum vg_direction directions[VG_DIRECTIONS];
    size_t direction_count;
    const char *labels[VG_DIRECTIONS]; /* increase, decrease */
    const char **only_sources;         /* --only source=..., or NULL */
    size_t only_source_count;
    bool robust_span;         /* sources without a span get the robust detector's, else the paper's */
    double doubts[VG_DOUBTS]; /* about the robust detector's spans */
    bool refuse_doubtful;     /* such a source is a bad one; else it has a note in sources.csv */
    enum vg_policy on_bad_source, on_label, on_below_jnd;
    struct {
        int64_t shard_bytes;
        const char *shard_suffix; /* ".tar.flac" */
        bool opaque_keys;         /* keys in shards do not carry the answer */
        bool compact;             /* FLAC profile compact instead of stable */
    } pack;
    /* "--set PATH=VALUE" and then "--only KEY=VALUES", as given; root is left out: where the corpora lie
     * on one machine is no part of a release. */
    const char **overrides;
    size_t override_count;
    struct vg_vocabulary vocabulary; /* as given to vg_spec_load; what it points to is borrowed */
};

/* A spec held in memory. */
struct vg_spec_text {
    const char *name; /* without "embedded:"; "-" for what came through standard input */
    const char *text;
    size_t length;
};
struct vg_spec_options {
    const char **set; /* PATH=VALUE; list items by number, from 0; an empty value removes the key */
    size_t set_count;
    const char **only; /* KEY=VALUE[,VALUE] with KEY one of split category tier curve direction source */
    size_t only_count;
    const struct vg_spec_text *embedded; /* what "embedded:NAME" and "-" find, here and in `extends` */
    size_t embedded_count;
};
/* Read, merge `extends`, apply overrides, check, resolve.  All errors at once.  Everything lives in the
 * arena.  An override (other than root) gives the version a local suffix: +local.<8 hex>. */
int vg_spec_load(struct vg_spec *spec, const char *path, const struct vg_spec_options *options,
                 const struct vg_vocabulary *vocabulary, struct vg_arena *arena, struct vg_error *err);
/* The resolved spec as canonical YAML: fixed order, nothing inherited, no machine path; what it says
 * builds the same release, and reading it writes the same text.  Of the keys outside the recipe
 * only `root`, `source_pack` and `extends` are dropped.  YAML 1.1 and 1.2 readers agree on every value. */
void vg_spec_write(const struct vg_spec *spec, struct vg_text *out);
/* One entry of a split's `sources` as it stands in that text. */
void vg_spec_source_write(const struct vg_spec_source *source, struct vg_text *out);

#endif
