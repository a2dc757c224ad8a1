/* SPDX-License-Identifier: MIT */
/* One walk through a release's tables: everything the sections draw.  The shards are not opened.  What is
 * read must be what CHECKSUMS lists, so that a page never shows numbers that were changed afterwards. */
#include "section.h"

#include <stdlib.h>
#include <string.h>

/* ---- is it whole? -------------------------------------------------------------------------------------- */

enum { SUMS_BYTES_MAX = 64 << 20 };

/* The digest that CHECKSUMS gives a file, or NULL: lines of hex, two blanks, name. */
static const char *listed(char *sums, const char *name)
{
    size_t length = strlen(name);

    for (char *line = sums; *line != '\0';) {
        char *end = line + strcspn(line, "\n"), *at = strstr(line, "  ");

        if (at != NULL && at < end && (size_t)(end - at) == length + 2 && memcmp(at + 2, name, length) == 0) {
            *at = '\0';
            return line;
        }
        line = *end == '\n' ? end + 1 : end;
    }
    return NULL;
}

int vg_report_check(const char *release, struct vg_error *err)
{
    static const char *const names[] = {"release.json", "spec.yaml", "manifest.jsonl", "labels.csv",
                                        "sources.csv"};
    struct vg_arena arena = {0};
    char hex[VG_DIGEST_HEX], *sums;
    size_t count;
    int rc =
        vg_file_get(vg_path_join(&arena, release, "CHECKSUMS"), SUMS_BYTES_MAX, &arena, &sums, &count, err);

    for (size_t i = 0; rc == VG_OK && i < sizeof names / sizeof *names; i++) {
        const char *file = vg_path_join(&arena, release, names[i]);
        const char *wanted = listed(vg_arena_text(&arena, sums), names[i]);
        uint64_t bytes;

        rc = vg_digest_of_file(VG_XXH128, file, hex, &bytes, err);
        if (rc == VG_OK && (wanted == NULL || strcmp(wanted, hex) != 0))
            rc = vg_fail(err, VG_NO, file,
                         "is not the file that CHECKSUMS lists: the release was changed or is damaged; "
                         "`vocalgrad verify` tells more");
    }
    vg_arena_release(&arena);
    return rc;
}

/* ---- the manifest -------------------------------------------------------------------------------------- */

static size_t place_of(const char *name, const char *const *names, size_t count)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

struct place {
    size_t category, tier, curve, direction;
};

/* Where the spec has the record's words; false where it does not. */
static bool find_place(const struct vg_findings *f, const struct vg_record *record, struct place *place)
{
    const struct vg_spec *spec = f->spec;

    for (place->category = 0; place->category < spec->category_count; place->category++)
        if (strcmp(spec->categories[place->category].words->name, record->category) == 0)
            break;
    place->tier = place_of(record->tier, spec->tiers, spec->tier_count);
    place->curve = place_of(record->curve, vg_curve_names, VG_CURVES);
    place->direction = place_of(record->direction, vg_direction_names, VG_DIRECTIONS);
    return place->category < spec->category_count && place->tier < spec->tier_count &&
           place->curve < VG_CURVES && place->direction < VG_DIRECTIONS;
}

static void add_net(struct vg_nets *nets, double jnds, enum vg_verdict verdict)
{
    if (nets->count == nets->room) {
        nets->room = nets->room > 0 ? 2 * nets->room : 256;
        nets->at = vg_memory_grow(nets->at, nets->room, sizeof *nets->at);
    }
    nets->at[nets->count++] = (struct vg_net){jnds, verdict};
}

/* Short spans have fewer segments: each stands for the same share of the span. */
static void add_course(struct vg_courses *courses, const struct vg_evidence *paired, uint32_t rate_hz)
{
    size_t each = paired->segments > 0 ? VG_SEGMENTS / paired->segments : 0;

    if (each == 0)
        return;
    courses->rate_hz = courses->items++ == 0 ? rate_hz : courses->rate_hz;
    if (courses->count == VG_COURSES_MAX)
        return;
    if (courses->count == courses->room) {
        courses->room = courses->room > 0 ? 2 * courses->room : 32;
        courses->at = vg_memory_grow(courses->at, courses->room, sizeof *courses->at);
    }
    for (size_t s = 0; s < VG_SEGMENTS; s++)
        courses->at[courses->count][s] =
            s / each < paired->segments ? paired->trajectory[s / each] : (double)NAN;
    courses->count++;
}

static void add_evidence(struct vg_findings *f, const struct vg_record *record, const struct place *place)
{
    enum vg_quantity own = vg_quantity_of(record->category);
    int claimed = place->direction == VG_UP ? 1 : -1;
    struct vg_oracle_item item = {.category = record->category,
                                  .id = record->id,
                                  .source = record->source,
                                  .tier = record->tier,
                                  .curve = record->curve,
                                  .claimed = claimed,
                                  .paired = record->paired,
                                  .blind = record->blind};

    if (!record->measured || own == VG_QUANTITIES)
        return;
    vg_oracle_add(&f->oracle, &item);
    if (record->verdict != VG_UNDECIDED)
        add_net(&f->nets[place->category], claimed * record->paired[own].net_jnd, record->verdict);
    add_course(vg_courses_of(f, place->category, place->tier, (enum vg_curve)place->curve,
                             (enum vg_direction)place->direction),
               &record->paired[own], record->rate_hz);
}

static int walk_items(struct vg_findings *f, struct vg_error *err)
{
    struct vg_rows rows = {0};
    bool end = false;
    size_t items = 0;
    int rc = vg_rows_open(&rows, f->release, err);

    while (rc == VG_OK && !end) {
        struct vg_record record;
        struct place place;

        rc = vg_rows_next(&rows, &record, &end, err);
        if (rc != VG_OK || end)
            break;
        if (!find_place(f, &record, &place)) {
            rc = vg_fail(err, VG_NO, record.id, "%s, %s, %s, %s: the release's spec.yaml has no such items",
                         record.category, record.tier, record.curve, record.direction);
            break;
        }
        vg_summary_add(&f->summary, &record);
        vg_audit_add(f->audit, &record);
        add_evidence(f, &record, &place);
        items++;
    }
    if (rc == VG_OK && items != f->about.items)
        rc = vg_fail(err, VG_NO, f->release, "manifest.jsonl has %zu items, release.json counts %zu", items,
                     f->about.items);
    vg_rows_close(&rows);
    return rc;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

static void tally(struct vg_findings *f, const char *category, const char *why)
{
    struct vg_left_out *old = f->left_out;
    size_t i = 0;

    for (; i < f->left_out_count; i++)
        if (strcmp(old[i].category, category) == 0 && strcmp(old[i].why, why) == 0)
            break;
    if (i == f->left_out_count) {
        f->left_out = vg_arena_take(&f->arena, i + 1, sizeof *f->left_out); /* reasons are few */
        if (i > 0)
            memcpy(f->left_out, old, i * sizeof *old);
        f->left_out[f->left_out_count++] = (struct vg_left_out){
            .category = vg_arena_text(&f->arena, category), .why = vg_arena_text(&f->arena, why)};
    }
    f->left_out[i].items++;
}

/* labels.csv alone knows the items that are not in the release. */
static int read_left_out(struct vg_findings *f, struct vg_error *err)
{
    struct vg_arena tmp = {0};
    struct vg_table labels;
    int rc = vg_table_read(&labels, vg_path_join(&f->arena, f->release, "labels.csv"), &tmp, VG_NO, err);

    if (rc == VG_OK) {
        size_t category = vg_table_column(&labels, "category"), why = vg_table_column(&labels, "excluded");

        for (size_t i = 0; i < labels.row_count; i++)
            if (vg_table_field(&labels, i, why)[0] != '\0')
                tally(f, vg_table_field(&labels, i, category), vg_table_field(&labels, i, why));
    }
    vg_arena_release(&tmp);
    return rc;
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

int vg_findings_gather(struct vg_findings *f, const char *release, const struct vg_spec *spec,
                       struct vg_error *err)
{
    int rc;

    f->release = release;
    f->spec = spec;
    f->audit = vg_audit_make();
    f->nets = vg_arena_take_zero(&f->arena, spec->category_count + 1, sizeof *f->nets);
    f->courses = vg_arena_take_zero(
        &f->arena, (spec->category_count + 1) * VG_TIERS_MAX * VG_CURVES * VG_DIRECTIONS, sizeof *f->courses);
    vg_margins_read(&f->margins, vg_node_find(spec->root, "measure"));
    rc = vg_about_read(&f->about, release, &f->arena, err);
    if (rc == VG_OK)
        rc = walk_items(f, err);
    if (rc == VG_OK)
        rc = read_left_out(f, err);
    if (rc == VG_OK)
        rc = vg_table_read(&f->sources, vg_path_join(&f->arena, release, "sources.csv"), &f->arena, VG_NO,
                           err);
    if (rc == VG_OK)
        vg_oracle_sum(&f->oracle, &f->margins);
    return rc;
}

void vg_findings_release(struct vg_findings *f)
{
    for (size_t i = 0; f->nets != NULL && i < f->spec->category_count; i++)
        free(f->nets[i].at);
    for (size_t i = 0;
         f->courses != NULL && i < f->spec->category_count * VG_TIERS_MAX * VG_CURVES * VG_DIRECTIONS; i++)
        free(f->courses[i].at);
    vg_oracle_release(&f->oracle);
    vg_audit_release(f->audit);
    vg_summary_release(&f->summary);
    vg_arena_release(&f->arena);
    *f = (struct vg_findings){0};
}

struct vg_courses *vg_courses_of(const struct vg_findings *f, size_t category, size_t tier,
                                 enum vg_curve curve, enum vg_direction direction)
{
    size_t place = ((category * VG_TIERS_MAX + tier) * VG_CURVES + (size_t)curve) * VG_DIRECTIONS;

    return &f->courses[place + (size_t)direction];
}

struct vg_cell vg_findings_of(const struct vg_findings *f, size_t category)
{
    return vg_summary_of(&f->summary, NULL, f->spec->categories[category].words->name, NULL, NULL, NULL);
}

const char *vg_source_field(const struct vg_findings *f, size_t row, const char *column)
{
    return vg_table_field(&f->sources, row, vg_table_column(&f->sources, column));
}

/* ---- small things that sections share ------------------------------------------------------------------ */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double vg_quantile_of(double *values, size_t count, double quantile)
{
    double rank = quantile * (double)(count > 0 ? count - 1 : 0);
    size_t below = (size_t)rank;

    if (count == 0)
        return NAN;
    /* Equal numbers are one number. */
    qsort(values, count, sizeof *values, compare_numbers);
    if (below + 1 >= count)
        return values[count - 1];
    return values[below] + (values[below + 1] - values[below]) * (rank - (double)below);
}

const char *vg_report_number(struct vg_arena *arena, double value, int decimals)
{
    struct vg_text digits = {0};
    const char *kept;

    vg_html_number(&digits, value, decimals);
    kept = vg_arena_text(arena, digits.data);
    vg_text_release(&digits);
    return kept;
}
