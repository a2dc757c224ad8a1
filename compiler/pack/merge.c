/* SPDX-License-Identifier: MIT */
/* Parts built apart become the release that one build would have made.  Part I of N holds the groups I-1,
 * I-1+N, I-1+2N, ... of the plan, so that every part has its share of every category; taking one group from
 * each in turn gives the plan's order again. */
#include "part.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCES_BYTES_MAX = 1 << 30 };

/* ---- do they belong together? -------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_texts(const char *const *a, size_t a_count, const char *const *b, size_t b_count)
{
    bool same = a_count == b_count;

    for (size_t i = 0; same && i < a_count; i++)
        same = strcmp(a[i], b[i]) == 0;
    return same;
}

/* What must be the same in all parts and is not, or NULL. */
static const char *differing(const struct vg_about *a, const struct vg_about *b)
{
    if (!same_text(a->name, b->name) || !same_text(a->version, b->version))
        return "name or version";
    if (!same_text(a->spec_xxh128, b->spec_xxh128))
        return "spec";
    if (!same_texts(a->options, a->option_count, b->options, b->option_count))
        return "options (--set, --only)";
    if (!same_text(a->subset_of, b->subset_of) ||
        !same_text(a->subset_of_spec_xxh128, b->subset_of_spec_xxh128))
        return "--subset-of";
    if (!same_text(a->tool_version, b->tool_version))
        return "version of vocalgrad";
    if (!same_texts(a->libraries, a->library_count, b->libraries, b->library_count))
        return "library versions";
    return same_text(a->date, b->date) ? NULL : "date (SOURCE_DATE_EPOCH)";
}

static int check_part(struct vg_parts *parts, size_t at, struct vg_error *err)
{
    const struct vg_about *first = &parts->abouts[0], *about = &parts->abouts[at];
    const char *folder = parts->folders[at], *differs = differing(first, about);

    if (about->parts == 0 || about->part == 0 || about->part > about->parts)
        return vg_fail(err, VG_NO, folder, "is no part: it was built without --shard");
    if (differs != NULL)
        return vg_fail(err, VG_NO, folder, "was built with another %s than %s: they do not belong together",
                       differs, parts->folders[0]);
    if (!same_text(about->tool_version, VG_VERSION))
        return vg_fail(err, VG_NO, folder, "was built by vocalgrad %s and this is " VG_VERSION,
                       about->tool_version);
    if (about->parts != first->parts)
        return vg_fail(err, VG_NO, folder, "is one of %u parts and %s one of %u", about->parts,
                       parts->folders[0], first->parts);
    return VG_OK;
}

/* Folders in the order of their parts; each part must be there once. */
static int order_parts(struct vg_parts *parts, struct vg_error *err)
{
    size_t wanted = parts->abouts[0].parts;
    size_t *where = vg_arena_take_zero(&parts->arena, wanted + 1, sizeof *where); /* + 1; 0: missing */
    struct vg_about *abouts = vg_arena_take(&parts->arena, wanted, sizeof *abouts);
    const char **folders = vg_arena_take(&parts->arena, wanted, sizeof *folders);
    int rc = VG_OK;

    for (size_t i = 0; i < parts->count; i++) {
        unsigned part = parts->abouts[i].part;

        if (where[part] != 0)
            rc = vg_fail(err, VG_NO, parts->folders[i], "is part %u of %zu, and so is %s", part, wanted,
                         parts->folders[where[part] - 1]);
        where[part] = i + 1;
    }
    for (size_t part = 1; part <= wanted; part++) {
        if (where[part] == 0) {
            rc = vg_fail(err, VG_NO, parts->abouts[0].name,
                         "part %zu of %zu is missing; build it with --shard %zu/%zu", part, wanted, part,
                         wanted);
            continue;
        }
        abouts[part - 1] = parts->abouts[where[part] - 1];
        folders[part - 1] = parts->folders[where[part] - 1];
    }
    parts->abouts = abouts;
    parts->folders = folders;
    parts->count = wanted;
    return rc;
}

/* Every byte is what the part's own lists say. */
static int check_bytes(struct vg_parts *parts, unsigned jobs, struct vg_error *err)
{
    int rc = VG_OK;

    for (size_t i = 0; i < parts->count; i++) {
        struct vg_sum *sums;
        size_t count;
        int one = vg_sums_of_folder(parts->folders[i], jobs, &sums, &count, &parts->arena, err);

        if (one == VG_OK)
            one = vg_sums_check(parts->folders[i], sums, count, err);
        rc = rc == VG_OK ? one : rc;
    }
    return rc;
}

int vg_parts_read(struct vg_parts *parts, const char *const *folders, size_t count, unsigned jobs,
                  struct vg_error *err)
{
    int rc = VG_OK;

    parts->count = count;
    parts->abouts = vg_arena_take_zero(&parts->arena, count + 1, sizeof *parts->abouts);
    parts->folders = vg_arena_take(&parts->arena, count + 1, sizeof *parts->folders);
    for (size_t i = 0; i < count; i++) {
        int one = vg_about_read(&parts->abouts[i], folders[i], &parts->arena, err);

        parts->folders[i] = folders[i];
        rc = rc == VG_OK ? one : rc;
    }
    for (size_t i = 0; rc == VG_OK && i < count; i++)
        rc = check_part(parts, i, err);
    if (rc == VG_OK)
        rc = order_parts(parts, err);
    return rc == VG_OK ? check_bytes(parts, jobs, err) : rc;
}

void vg_parts_release(struct vg_parts *parts)
{
    vg_arena_release(&parts->arena);
    *parts = (struct vg_parts){0};
}

/* ---- sources ------------------------------------------------------------------------------------------- */

static size_t count_field(const struct vg_table *table, size_t row, const char *column)
{
    int64_t value;
    bool read =
        vg_integer_parse(vg_table_field(table, row, vg_table_column(table, column)), &value) && value >= 0;

    return read ? (size_t)value : 0;
}

static double number_field(const struct vg_table *table, size_t row, const char *column)
{
    double value;

    return vg_number_parse(vg_table_field(table, row, vg_table_column(table, column)), &value) ? value : 0;
}

static void digest_field(const struct vg_table *table, size_t row, const char *column,
                         char hex[VG_DIGEST_HEX])
{
    const char *text = vg_table_field(table, row, vg_table_column(table, column));

    if (strlen(text) < VG_DIGEST_HEX)
        memcpy(hex, text, strlen(text) + 1);
}

static void read_source(const struct vg_table *table, size_t r, struct vg_source_row *row)
{
    struct {
        const char *column, **to;
    } texts[] = {{"id", &row->source.id},
                 {"clip_id", &row->source.clip_id},
                 {"split", &row->split},
                 {"speaker_id", &row->source.speaker_id},
                 {"sentence_id", &row->source.sentence_id},
                 {"text", &row->source.text},
                 {"gender", &row->source.gender},
                 {"locale", &row->source.locale},
                 {"corpus", &row->source.corpus},
                 {"licence", &row->source.licence},
                 {"decoder", &row->facts.decoder},
                 {"note", &row->facts.note},
                 {"skipped", &row->skipped}};
    const char *span_by = vg_table_field(table, r, vg_table_column(table, "span_by"));

    *row = (struct vg_source_row){0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i].to = vg_table_field(table, r, vg_table_column(table, texts[i].column));
    if (row->skipped[0] == '\0')
        row->skipped = NULL;
    digest_field(table, r, "file_xxh128", row->facts.file_xxh128);
    digest_field(table, r, "audio_xxh128", row->facts.audio_xxh128);
    row->facts.rate_hz = (uint32_t)count_field(table, r, "sample_rate_hz");
    row->facts.channels = (unsigned)count_field(table, r, "channels");
    row->facts.frames = count_field(table, r, "frames");
    row->facts.onset_sec = number_field(table, r, "onset_sec");
    row->facts.offset_sec = number_field(table, r, "offset_sec");
    row->facts.detected = strcmp(span_by, "table") != 0;
    row->facts.span_found = strcmp(span_by, "detector") == 0;
    row->facts.clipped = count_field(table, r, "clipped_samples");
}

/* The rows must give the file again, and every part must have the same file. */
static int check_sources(struct vg_parts *parts, const struct vg_source_row *rows, size_t count,
                         struct vg_error *err)
{
    struct vg_text again = {0};
    int rc = VG_OK;

    vg_text_add(&again, vg_sources_header);
    for (size_t i = 0; i < count; i++)
        vg_source_row_add(&rows[i], &again);
    for (size_t p = 0; rc == VG_OK && p < parts->count; p++) {
        const char *path = vg_path_join(&parts->arena, parts->folders[p], "sources.csv");
        struct vg_arena_mark mark = vg_arena_mark(&parts->arena);
        char *bytes;
        size_t length;

        rc = vg_file_get(path, SOURCES_BYTES_MAX, &parts->arena, &bytes, &length, err);
        if (rc == VG_OK && (length != again.length || memcmp(bytes, again.data, length) != 0))
            rc = vg_fail(err, VG_NO, path, "differs from %s of %s: the parts had other sources",
                         "sources.csv", parts->folders[0]);
        vg_arena_rewind(&parts->arena, mark);
    }
    vg_text_release(&again);
    return rc;
}

int vg_parts_sources(struct vg_parts *parts, struct vg_source_row **rows, size_t *count, struct vg_error *err)
{
    const char *path = vg_path_join(&parts->arena, parts->folders[0], "sources.csv");
    struct vg_table table;

    if (vg_table_read(&table, path, &parts->arena, VG_NO, err) != VG_OK)
        return VG_NO;
    *count = table.row_count;
    *rows = vg_arena_take(&parts->arena, table.row_count + 1, sizeof **rows);
    for (size_t r = 0; r < table.row_count; r++)
        read_source(&table, r, &(*rows)[r]);
    return check_sources(parts, *rows, *count, err);
}

/* ---- items --------------------------------------------------------------------------------------------- */

/* One group of each part in turn until one has no more; then none may have. */
static int join(struct vg_part *open, size_t count, struct vg_release *release, struct vg_error *err)
{
    size_t group = 0;
    bool end = false;
    int rc = VG_OK;

    vg_check(count > 0);
    for (; rc == VG_OK && !end; group++)
        rc = vg_part_group(&open[group % count], group, release, &end, err);
    for (size_t i = 1; rc == VG_OK && i < count; i++) {
        rc = vg_part_group(&open[(group - 1 + i) % count], group - 1 + i, release, &end, err);
        if (rc == VG_OK && !end)
            rc = vg_fail(err, VG_NO, open[(group - 1) % count].folder,
                         "has fewer items than the other parts: was it built from fewer sources?");
    }
    return rc;
}

int vg_parts_join(struct vg_parts *parts, const struct vg_spec *spec, struct vg_release *release,
                  struct vg_error *err)
{
    size_t group_size = spec->tier_count * spec->curve_count * spec->direction_count;
    struct vg_part *open = vg_arena_take_zero(&parts->arena, parts->count, sizeof *open);
    int rc = VG_OK;

    for (size_t i = 0; rc == VG_OK && i < parts->count; i++)
        rc = vg_part_open(&open[i], parts->folders[i], &parts->abouts[i], group_size, err);
    if (rc == VG_OK)
        rc = join(open, parts->count, release, err);
    for (size_t i = 0; i < parts->count; i++)
        vg_part_close(&open[i]);
    return rc;
}
