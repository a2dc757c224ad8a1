/* SPDX-License-Identifier: MIT */
/* pack: rendered items to a release, and a release back to items.  Nothing here knows the clock, the user
 * or the machine: the same records and FLAC bytes, handed over in the same order, give the same folder.
 *
 * A release on disk (`<name>-<version>/`), and which file here makes what:
 *   *-<split>-NNNNN-of-NNNNN.tar.flac  release.c  `<key>.flac` then `<key>.json` per item
 *   manifest.jsonl                     record.c   one canonical JSON object per item, in plan order
 *   metadata.csv labels.csv sources.csv  tables.c
 *   spec.yaml                          as the spec room writes it
 *   release.json wids-<split>.json     about.c    identity, counts, shards, libraries; WebDataset's index
 *   README.md ATTRIBUTION.md           card.c
 *   croissant.json                     croissant.c
 *   CHECKSUMS SHA256SUMS               sums.c     every file but themselves; SHA256SUMS lists CHECKSUMS too
 *
 * Release id: XXH128 over, for each item in plan order, "<audio_xxh128> <flac_xxh128>\n", then the bytes of
 * spec.yaml. */
#ifndef VG_PACK_H
#define VG_PACK_H

#include "format.h"
#include "measure.h"
#include "plan.h"
#include "source.h"

/* ---- records: all that a release says of one item --------------------------------------------------- */

/* A number of the recipe that this item was made with; `list` as the spec writes it. */
struct vg_parameter {
    const char *name;
    struct vg_value value;
    bool list;
};

/* Everything is borrowed; a record made from an item lives as long as the arena and the plan, one read from a
 * manifest as long as its arena. */
struct vg_record {
    /* Order: items of one group (a category of one source, in one split) are handed over together.  Groups
     * rise; `place` is the item's rank within its group in plan order. */
    size_t group, place;
    const char *id, *key, *split, *category, *attribute, *prompt, *label, *direction, *curve, *tier, *seed;
    const char *source, *source_clip_id, *speaker_id, *sentence_id, *source_text;
    char source_audio_xxh128[VG_DIGEST_HEX];
    struct vg_parameter *parameters; /* names ascending */
    size_t parameter_count;

    uint32_t rate_hz;
    size_t frames, onset, offset;      /* speech span in the output: onset <= k < offset */
    size_t clipped;                    /* samples outside 16 bits before the clip */
    unsigned peak;                     /* largest magnitude, 0..32768 */
    double rms;                        /* root of the mean square of the samples, 0..32768 */
    size_t silence_head, silence_tail; /* samples before the first and behind the last above -60 dBFS */
    char audio_xxh128[VG_DIGEST_HEX], flac_xxh128[VG_DIGEST_HEX];
    size_t flac_bytes;
    const char *shard; /* of a record read back */

    bool measured; /* the fields below hold */
    struct vg_evidence paired[VG_QUANTITIES], blind[VG_QUANTITIES];
    enum vg_verdict verdict;
    bool below_jnd;
    const char *excluded; /* why it is not in the release, or NULL; such a record only reaches labels.csv */
};

/* Identity, parameters and source of an item; the rest is zero.  Texts live in the arena or in the plan. */
void vg_record_of_item(struct vg_record *record, const struct vg_item *item,
                       const struct vg_source_facts *facts, struct vg_arena *arena);
/* Encode the finished samples: fills frames, rate, levels, both digests, flac_bytes and, in `flac`, the file.
 */
int vg_record_encode(struct vg_record *record, const int16_t *samples, size_t frames, uint32_t rate_hz,
                     bool compact, struct vg_text *flac, struct vg_error *err);
/* Fills rms, silence_head and silence_tail. */
void vg_record_hear(struct vg_record *record, const int16_t *samples, size_t frames);
/* Orders items of one group as a shard holds them: opposites side by side, pairs and the two of a pair by
 * key, so that a place in the shard tells nothing and a pair can be dropped as one. */
void vg_records_shuffle(struct vg_record *const *records, size_t count, size_t *order);

/* The quantity that measures this category, or VG_QUANTITIES. */
enum vg_quantity vg_quantity_of(const char *category);

/* One line of the manifest (canonical JSON and LF), and the annotation packed beside the FLAC file: the same
 * fields in every sample.  Appended. */
void vg_record_manifest(const struct vg_record *record, const char *shard, struct vg_text *out);
void vg_record_sample(const struct vg_record *record, struct vg_text *out);
/* The object `parameters` of the manifest alone. */
void vg_record_parameters(const struct vg_record *record, struct vg_text *out);
/* The reverse of vg_record_manifest; refuses, with VG_NO, what it would not have written. */
int vg_record_parse(struct vg_record *record, const char *line, size_t length, struct vg_arena *arena,
                    const char *place, struct vg_error *err);

/* Rows and headers of the tables (tables.c), LF, appended. */
extern const char vg_metadata_header[], vg_labels_header[], vg_sources_header[];
void vg_record_metadata(const struct vg_record *record, struct vg_text *out);
/* The same with another file_name. */
void vg_record_metadata_as(const struct vg_record *record, const char *file_name, struct vg_text *out);
void vg_record_labels(const struct vg_record *record, struct vg_text *out);

/* One source of a release: a row of sources.csv. */
struct vg_source_row {
    struct vg_source source; /* id, clip_id, texts, licence, corpus; the rest is not used */
    const char *split;
    struct vg_source_facts facts;
    const char *skipped; /* why it was left out, without any path of the machine, or NULL */
};
void vg_source_row_add(const struct vg_source_row *row, struct vg_text *out);

/* 64 bits of the text's XXH128. */
uint64_t vg_hash_text(const char *text, size_t length);

/* ---- what the records add up to (summary.c) --------------------------------------------------------- */

/* Counts of the items that agree in these five; texts live in the summary's arena. */
struct vg_cell {
    const char *split, *category, *tier, *curve, *direction;
    size_t items, clipped; /* clipped: items with at least one clipped sample */
    size_t verdicts[4], unmeasured, below_jnd, excluded;
    size_t disputed; /* of the undecided, left out or not: confirmed beside the source, opposed by the sound
                        alone */
    uint64_t duration_us; /* each item rounded down to a microsecond, so that the sum knows no order */
};
struct vg_summary {
    struct vg_cell *cells; /* in order of first appearance */
    size_t count, room, last;
    struct vg_arena arena;
};
void vg_summary_add(struct vg_summary *summary, const struct vg_record *record);
/* Sums the cells that agree with what is not NULL. */
struct vg_cell vg_summary_of(const struct vg_summary *summary, const char *split, const char *category,
                             const char *tier, const char *curve, const char *direction);
void vg_summary_release(struct vg_summary *summary);

/* ---- shortcuts (audit.c) ------------------------------------------------------------------------------- */

/* What may tell the label beside the attribute: the first three are the packing's, the others the sound's. */
enum vg_shortcut {
    VG_TOLD_BY_WORDS, /* the key has the label or the direction in it */
    VG_TOLD_BY_ORDER, /* of keys */
    VG_TOLD_BY_PLACE, /* in the shard */
    VG_TOLD_BY_SIZE,  /* of the FLAC file */
    VG_TOLD_BY_DURATION,
    VG_TOLD_BY_PEAK,
    VG_TOLD_BY_LEVEL,
    VG_TOLD_BY_HEAD, /* silence before */
    VG_TOLD_BY_TAIL, /* silence behind */
    VG_SHORTCUTS
};
extern const char *const vg_shortcut_names[VG_SHORTCUTS];
struct vg_audit_finding {
    size_t items, pairs;        /* pairs of opposites; 0: nothing can be said */
    double auc;                 /* that an item labelled up has the larger value, ties halved */
    double expected, deviation; /* of the same with labels swapped at random within pairs */
};
struct vg_audit;
struct vg_audit *vg_audit_make(void);
/* Items come as vg_release_add or vg_rows_next hand them over: group by group. */
void vg_audit_add(struct vg_audit *audit, const struct vg_record *record);
/* How many categories came; to be asked after the last item, before the rest. */
size_t vg_audit_categories(struct vg_audit *audit);
const char *vg_audit_category(const struct vg_audit *audit, size_t index);
struct vg_audit_finding vg_audit_of(struct vg_audit *audit, size_t index, enum vg_shortcut shortcut);
/* Off by at least 0.05 and by more than so many deviations: chance passes three once in 370, four in 16,000.
 */
bool vg_audit_tells(const struct vg_audit_finding *finding, double deviations);
/* All findings as a table in Markdown: AUC, and the interval of 95 % of the permutations. */
void vg_audit_table(struct vg_audit *audit, struct vg_text *out);
void vg_audit_release(struct vg_audit *audit); /* NULL is fine */

/* ---- writing a release (release.c) ------------------------------------------------------------------ */

/* All of it is borrowed until vg_release_release. */
struct vg_release_options {
    const struct vg_spec *spec;
    const char *spec_text;        /* what vg_spec_write gives; becomes spec.yaml */
    const char *const *libraries; /* "libsndfile 1.2.0", beyond those that pack itself uses */
    size_t library_count;
    unsigned part, parts; /* --shard I/N from 1; 0 and 0 for a whole release */
    /* Of a release made with --only: id of the release that holds all items, and XXH128 of that one's
     * spec.yaml; NULL where it is none.  With `whole`, the folder of that release, it is held against it:
     * every item must be there with the same digests, else the build fails with VG_NO. */
    const char *subset_of, *subset_of_spec_xxh128, *whole;
    const char *date; /* YYYY-MM-DD, or NULL: SOURCE_DATE_EPOCH or the spec's, read by the command */
    bool replace;     /* a different release under the same name is replaced */
};
struct vg_release;
/* Starts `<folder>/<name>-<version>.tmp/`, clearing what a killed build left there.  Another build that is
 * writing there is an error, as is a release under the final name that has another spec.yaml, unless it may
 * be replaced. */
int vg_release_begin(struct vg_release **release, const char *folder,
                     const struct vg_release_options *options, struct vg_error *err);
/* Hand over one item: groups in rising order; within a group in the order of vg_records_shuffle.  The FLAC
 * bytes go to the shard at once, the rows when the group is complete.  An excluded record has no bytes. */
int vg_release_add(struct vg_release *release, const struct vg_record *record, const struct vg_text *flac,
                   struct vg_error *err);
/* Names the shards, writes all other files, the sums last, reads everything back, renames into place. */
int vg_release_finish(struct vg_release *release, const struct vg_source_row *sources, size_t source_count,
                      struct vg_error *err);
const char *vg_release_path(const struct vg_release *release); /* the final folder */
const char *vg_release_id(const struct vg_release *release);   /* after finish */
const struct vg_summary *vg_release_summary(const struct vg_release *release);
/* Releases the memory and, unless finished, removes the building folder.  NULL is fine. */
void vg_release_release(struct vg_release *release);

/* ---- a folder under construction (building.c) ------------------------------------------------------- */

/* `path` + ".tmp", held by a lock for as long as the process lives.  Zero-initialise. */
struct vg_building {
    struct vg_arena arena;
    const char *path;      /* final */
    const char *temporary; /* where to write */
    int lock;              /* descriptor + 1; 0: none */
};
int vg_building_begin(struct vg_building *building, const char *path, struct vg_error *err);
/* Path of a file inside, in the arena. */
char *vg_building_file(struct vg_building *building, const char *name);
/* Flush and rename into place.  A folder already there must hold the same files byte for byte (then the new
 * one is dropped), unless `replace`. */
int vg_building_install(struct vg_building *building, bool replace, struct vg_error *err);
/* Removes what was not installed. */
void vg_building_release(struct vg_building *building);

/* ---- checksums (sums.c) ------------------------------------------------------------------------------ */

/* One file of a release with both digests. */
struct vg_sum {
    const char *name;
    uint64_t bytes;
    char xxh128[VG_DIGEST_HEX], sha256[VG_DIGEST_HEX];
    bool altered; /* by vg_sums_check: the lists say otherwise */
};
/* Digests of every file in the folder but the sum files and signatures, sorted by name; on `jobs` threads. */
int vg_sums_of_folder(const char *folder, unsigned jobs, struct vg_sum **sums, size_t *count,
                      struct vg_arena *arena, struct vg_error *err);
/* Exact text of the two files. `checksums` is the text of CHECKSUMS, which SHA256SUMS lists as well. */
void vg_sums_checksums(const struct vg_sum *sums, size_t count, struct vg_text *out);
void vg_sums_sha256(const struct vg_sum *sums, size_t count, const struct vg_text *checksums,
                    struct vg_text *out);
/* Compare the folder with its two sum files: names every file that is altered, missing or extra, and a sum
 * file that is not exactly what it must be.  VG_NO with one diagnostic per fault. */
int vg_sums_check(const char *folder, struct vg_sum *sums, size_t count, struct vg_error *err);

/* ---- reading a release (read.c) --------------------------------------------------------------------- */

struct vg_about_shard {
    const char *name, *split;
    size_t items;
    uint64_t bytes;
    const char *xxh128, *sha256, *md5;
};
/* release.json, in the arena. */
struct vg_about {
    const char *name, *version, *description, *license, *engine, *release_id, *manifest_xxh128, *spec_xxh128,
        *tool, *tool_version, *subset_of, *subset_of_spec_xxh128, *date;
    bool compact;
    unsigned part, parts;
    size_t items, sources, sources_skipped;
    const char **libraries, **options;
    size_t library_count, option_count;
    struct vg_about_shard *shards;
    size_t shard_count;
};
/* Reads release.json; VG_NO where it is not one of ours, VG_IO where there is none. */
int vg_about_read(struct vg_about *about, const char *folder, struct vg_arena *arena, struct vg_error *err);

/* Rows of manifest.jsonl in order, one at a time; the record lives until the next call.  Zero-initialise. */
struct vg_rows {
    struct vg_arena arena, names;
    struct vg_text line; /* the row as it stands in the file, without LF */
    FILE *stream;
    const char *path;
    size_t row; /* of the file, from 1 */
    struct vg_text last_split, last_category, last_source;
    size_t group, place;
};
int vg_rows_open(struct vg_rows *rows, const char *folder, struct vg_error *err);
int vg_rows_next(struct vg_rows *rows, struct vg_record *record, bool *end, struct vg_error *err);
/* The same with the record in an arena of the caller, for as long as that lasts. */
int vg_rows_next_in(struct vg_rows *rows, struct vg_record *record, struct vg_arena *arena, bool *end,
                    struct vg_error *err);
/* The next row as it stands, in rows->line, unread: for those who need a field or two of very many. */
int vg_rows_line(struct vg_rows *rows, bool *end, struct vg_error *err);
void vg_rows_close(struct vg_rows *rows);

/* Find an item by "<category>__<id>", by key, or by id where only one category has it.  VG_USAGE where there
 * is none or more than one.  The record lives in the rows. */
int vg_rows_find(struct vg_rows *rows, const char *folder, const char *name, struct vg_record *record,
                 struct vg_error *err);
/* The FLAC file of one record, out of its shard, checked against its digest. */
int vg_record_extract(const struct vg_record *record, const char *folder, struct vg_arena *arena,
                      char **bytes, size_t *count, struct vg_error *err);

/* ---- joining parts (merge.c) ------------------------------------------------------------------------- */

/* The parts of one release, in order.  Zero-initialise. */
struct vg_parts {
    const char **folders;
    struct vg_about *abouts;
    size_t count;
    struct vg_arena arena;
};
/* Reads and checks every part; names those that are missing, there twice, damaged or of another spec. */
int vg_parts_read(struct vg_parts *parts, const char *const *folders, size_t count, unsigned jobs,
                  struct vg_error *err);
/* Rows of sources.csv, which every part has whole. */
int vg_parts_sources(struct vg_parts *parts, struct vg_source_row **rows, size_t *count,
                     struct vg_error *err);
/* Hands all items over in the order of a single build. */
int vg_parts_join(struct vg_parts *parts, const struct vg_spec *spec, struct vg_release *release,
                  struct vg_error *err);
void vg_parts_release(struct vg_parts *parts);

/* ---- verifying a release (verify.c) ----------------------------------------------------------------- */

struct vg_verify_options {
    bool bytes; /* every file against both sum files, every table against the manifest, every shard's members
                 */
    bool audio; /* every FLAC file decoded: samples' digest, length, rate, peak */
    unsigned jobs;
};
struct vg_verify_result {
    size_t files, shards, items, decoded, faults;
    size_t reencoded; /* FLAC files of other bytes than the manifest says and of the same samples */
    uint64_t bytes;
    char release_id[VG_DIGEST_HEX]; /* as recomputed; "" where it could not be */
};
/* VG_OK, VG_NO with all faults in `err` (each names its file and, inside a shard, the item), or VG_IO. */
int vg_release_verify(const char *folder, const struct vg_verify_options *options,
                      struct vg_verify_result *result, struct vg_error *err);

/* Holds every file of a release against another folder of it, or against a list of digests (lines of XXH128
 * or SHA-256, two blanks, and the file's name or a path that ends with the release's folder and it):
 * against.c. VG_NO with a diagnostic for each file that differs, is missing or is too many; `files`: how many
 * were listed. */
int vg_release_against(const char *folder, const char *other, unsigned jobs, size_t *files,
                       struct vg_error *err);

/* ---- splits as the Hub's cards name them (front.c) --------------------------------------------------- */

/* `all` means every split to the Hub's loader. */
const char *vg_card_split_name(const char *split);
/* The line of YAML that begins a split's files; quoted, as `no` and `1` are no words to YAML. */
void vg_card_split(const char *split, struct vg_text *out);

/* ---- provenance (provenance.c) ------------------------------------------------------------------------ */

extern const char vg_provenance_name[], vg_sha256sums_name[];
/* Writes provenance.intoto.jsonl into a finished release: its files, spec, options and sources with digests,
 * and the builder, with the digest of the program that runs, or NULL where that is not known. */
int vg_provenance_write(const char *folder, unsigned jobs, const char *executable_sha256,
                        struct vg_error *err);
/* Does what it states of the release's files hold?  VG_OK where there is none. */
int vg_provenance_check(const char *folder, struct vg_error *err);

#endif
