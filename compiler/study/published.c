/* SPDX-License-Identifier: MIT */
/* Published: the table of somebody else's set, and where its sound lies.  Columns are found by name; a row
 * that cannot be used is told with its line and left out. */
#include "recordings.h"
#include "study.h"

#include <math.h>
#include <string.h>

enum { FAULTS_MAX = 50 };

/* ---- columns
 * ------------------------------------------------------------------------------------------------------- */

enum column { NAME, CATEGORY, LABEL, ID, TIER, CURVE, SPLIT, SOURCE, CLIP, ONSET, OFFSET, DURATION, COLUMNS };
enum { REQUIRED = LABEL + 1 };
static const char *const column_names[COLUMNS][2] = {
    [NAME] = {"file_name", "audio_path"},
    [CATEGORY] = {"category"},
    [LABEL] = {"label"},
    [ID] = {"benchmark_clip_id", "item_id"},
    [TIER] = {"tier"},
    [CURVE] = {"curve"},
    [SPLIT] = {"split"},
    [SOURCE] = {"source_item_id"},
    [CLIP] = {"source_clip_id", "clip_id"},
    [ONSET] = {"onset_sec"},
    [OFFSET] = {"offset_sec"},
    [DURATION] = {"duration_sec"},
};

struct reading {
    struct vg_published *set;
    struct vg_table table;
    size_t columns[COLUMNS];
    const char *audio, *sources;
    struct vg_recordings recordings;
    size_t *numbers; /* of each of recordings.at among the set's, from 1; 0: not needed yet */
    struct vg_error *err;
};

static int find_columns(struct reading *r)
{
    const char *header = vg_arena_format(&r->set->arena, "%s:1", r->table.path);
    int rc = VG_OK;

    for (int c = 0; c < COLUMNS; c++) {
        r->columns[c] = vg_table_column(&r->table, column_names[c][0]);
        if (r->columns[c] == SIZE_MAX && column_names[c][1] != NULL)
            r->columns[c] = vg_table_column(&r->table, column_names[c][1]);
        if (c < REQUIRED && r->columns[c] == SIZE_MAX)
            rc = vg_fail(r->err, VG_SOURCE, header, "has no column %s", column_names[c][0]);
    }
    if (r->sources != NULL && r->columns[CLIP] == SIZE_MAX && r->columns[SOURCE] == SIZE_MAX)
        rc = vg_fail(r->err, VG_SOURCE, header,
                     "has no column source_clip_id, so that its rows cannot be compared with their sources");
    return rc;
}

static const char *cell(const struct reading *r, size_t row, enum column column)
{
    return vg_table_field(&r->table, row, r->columns[column]);
}

static const char *place_of(const struct reading *r, size_t row)
{
    return vg_arena_format(&r->set->arena, "%s:%zu", r->table.path, r->table.lines[row]);
}

/* ---- the sound of a row
 * --------------------------------------------------------------------------------------------- */

static bool leads_out(const char *name)
{
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return true;
    }
    return name[0] == '/';
}

/* The name below the folder, or the same sound in the other format. */
static const char *find_below(const struct reading *r, const char *folder, const char *name)
{
    static const char *const endings[] = {".wav", ".flac"};
    const char *path = vg_path_join(&r->set->arena, folder, name), *dot = strrchr(vg_path_name(path), '.');

    if (vg_file_exists(path))
        return path;
    for (size_t i = 0; dot != NULL && i < 2; i++) {
        const char *other = vg_arena_format(&r->set->arena, "%.*s%s", (int)(dot - path), path, endings[i]);

        if (vg_file_exists(other))
            return other;
    }
    return NULL;
}

static const char *find_sound(const struct reading *r, size_t row)
{
    struct vg_arena *arena = &r->set->arena;
    const char *name = cell(r, row, NAME), *category = cell(r, row, CATEGORY), *path;
    const char *of_category = vg_path_join(arena, r->audio, category);
    const char *of_split = vg_path_join(arena, vg_path_join(arena, r->audio, cell(r, row, SPLIT)), category);

    path = find_below(r, r->audio, name);
    if (path == NULL && strncmp(name, "audio/", 6) == 0)
        path = find_below(r, r->audio, name + 6);
    if (path == NULL)
        path = find_below(r, of_category, name);
    return path != NULL ? path : find_below(r, of_split, name);
}

/* ---- its recording
 * ------------------------------------------------------------------------------------------------ */

/* The source's own id: a column, or what stands before the clip's in <source>__<clip>__<curve>... */
static const char *source_of(const struct reading *r, size_t row)
{
    const char *source = cell(r, row, SOURCE), *id = cell(r, row, ID), *clip = cell(r, row, CLIP);
    const char *behind;

    if (source[0] != '\0' || clip[0] == '\0')
        return source;
    behind = strstr(id, vg_arena_format(&r->set->arena, "__%s__", clip));
    return behind != NULL ? vg_arena_text_part(&r->set->arena, id, (size_t)(behind - id)) : clip;
}

static int find_recording(struct reading *r, size_t row, struct vg_published_item *item)
{
    const char *clip = cell(r, row, CLIP);
    const char *stems[] = {item->source, clip, vg_arena_format(&r->set->arena, "%s_mic1", clip)};
    const struct vg_recording_name *found = NULL;
    size_t count = 0, *number;

    for (size_t i = 0; count == 0 && i < sizeof stems / sizeof *stems; i++)
        count = stems[i][0] != '\0' ? vg_recordings_find(&r->recordings, stems[i], &found) : 0;
    if (count == 0)
        return vg_fail(r->err, VG_SOURCE, place_of(r, row), "its source %s (clip %s) is not below %s",
                       item->source, clip, r->sources);
    if (count > 1)
        return vg_fail(r->err, VG_SOURCE, place_of(r, row), "its source could be %s or %s", found[0].path,
                       found[1].path);
    number = &r->numbers[found - r->recordings.at];
    if (*number == 0) {
        r->set->recordings[r->set->recording_count++] = found->path;
        *number = r->set->recording_count;
    }
    item->recording = *number - 1;
    return VG_OK;
}

/* ---- rows
 * ------------------------------------------------------------------------------------------------------------
 */

static int read_seconds(const struct reading *r, size_t row, enum column column, double *seconds)
{
    const char *text = cell(r, row, column);

    *seconds = (double)NAN;
    if (text[0] == '\0')
        return VG_OK;
    return vg_number_parse(text, seconds) && *seconds >= 0
               ? VG_OK
               : vg_fail(r->err, VG_SOURCE, place_of(r, row), "%s is \"%s\"; expected seconds",
                         column_names[column][0], text);
}

static int read_claim(const struct reading *r, size_t row, struct vg_published_item *item)
{
    const char *names[VG_QUANTITIES], *near, *label = cell(r, row, LABEL);
    enum vg_answer answer = vg_answer_parse(label, "increase", "decrease");

    item->quantity = vg_quantity_of(item->category);
    for (size_t q = 0; q < VG_QUANTITIES; q++)
        names[q] = vg_measures[q].name;
    near = vg_nearest(item->category, names, VG_QUANTITIES);
    if (item->quantity == VG_QUANTITIES)
        return vg_fail(r->err, VG_SOURCE, place_of(r, row), "nothing measures the category \"%s\"%s%s%s",
                       item->category, near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                       near != NULL ? "?" : "");
    if (answer != VG_ANSWERED_UP && answer != VG_ANSWERED_DOWN)
        return vg_fail(r->err, VG_SOURCE, place_of(r, row),
                       "the label is \"%s\"; expected increase or decrease", label);
    item->claimed = answer == VG_ANSWERED_UP ? 1 : -1;
    return VG_OK;
}

static int read_row(struct reading *r, size_t row, struct vg_published_item *item)
{
    int rc;

    *item = (struct vg_published_item){.line = r->table.lines[row],
                                       .name = cell(r, row, NAME),
                                       .category = cell(r, row, CATEGORY),
                                       .id = cell(r, row, ID),
                                       .source = source_of(r, row),
                                       .tier = cell(r, row, TIER),
                                       .curve = cell(r, row, CURVE),
                                       .recording = SIZE_MAX};
    if (item->name[0] == '\0' || leads_out(item->name))
        return vg_fail(r->err, VG_SOURCE, place_of(r, row), "%s is \"%s\"; expected a path below %s",
                       r->table.columns[r->columns[NAME]], item->name, r->audio);
    item->path = find_sound(r, row);
    if (item->path == NULL)
        return vg_fail(r->err, VG_SOURCE, place_of(r, row), "there is no %s below %s", item->name, r->audio);
    rc = read_claim(r, row, item);
    if (rc == VG_OK)
        rc = read_seconds(r, row, ONSET, &item->onset_sec);
    if (rc == VG_OK)
        rc = read_seconds(r, row, OFFSET, &item->offset_sec);
    if (rc == VG_OK)
        rc = read_seconds(r, row, DURATION, &item->duration_sec);
    return rc == VG_OK && r->sources != NULL ? find_recording(r, row, item) : rc;
}

static int read_rows(struct reading *r)
{
    struct vg_published *set = r->set;
    int rc = VG_OK;

    set->items = vg_arena_take(&set->arena, r->table.row_count + 1, sizeof *set->items);
    set->recordings = vg_arena_take(&set->arena, r->recordings.count + 1, sizeof *set->recordings);
    r->numbers = vg_arena_take_zero(&set->arena, r->recordings.count + 1, sizeof *r->numbers);
    for (size_t row = 0; row < r->table.row_count && set->faults < FAULTS_MAX; row++) {
        if (read_row(r, row, &set->items[set->count]) == VG_OK) {
            set->count++;
            continue;
        }
        rc = VG_SOURCE;
        set->faults++;
    }
    if (set->faults == FAULTS_MAX)
        vg_warn(r->err, r->table.path, "has %d rows at fault; the rest is not looked at", FAULTS_MAX);
    return rc;
}

/* A category's manifest lies in a folder of its own beside the sound. */
static const char *own_folder(const char *table, struct vg_arena *arena)
{
    const char *folder = vg_path_folder(arena, table);

    return strcmp(vg_path_name(folder), "metadata") == 0 ? vg_path_folder(arena, folder) : folder;
}

int vg_published_read(struct vg_published *set, const char *table, const char *audio, const char *sources,
                      struct vg_error *err)
{
    struct reading r = {.set = set, .sources = sources, .err = err};
    int rc = vg_table_read(&r.table, table, &set->arena, VG_SOURCE, err), worst = rc;

    r.audio = audio != NULL ? audio : own_folder(table, &set->arena);
    if (!vg_folder_exists(r.audio))
        return vg_fail(err, VG_SOURCE, r.audio, "is no folder; expected that of the sound");
    if (sources != NULL && !vg_folder_exists(sources))
        return vg_fail(err, VG_SOURCE, sources, "is no folder; expected that of the sources");
    if (rc != VG_OK && !r.table.usable)
        return rc;
    rc = find_columns(&r);
    if (rc == VG_OK && sources != NULL)
        rc = vg_recordings_list(&r.recordings, sources, &set->arena, err);
    if (rc == VG_OK)
        rc = read_rows(&r);
    vg_recordings_release(&r.recordings);
    return worst != VG_OK ? worst : rc;
}

void vg_published_release(struct vg_published *set)
{
    vg_arena_release(&set->arena);
    *set = (struct vg_published){0};
}
