/* SPDX-License-Identifier: MIT */
/* One item: all that its page shows, its sound, its source's, and drawings of both. */
#include "library.h"

#include <math.h>
#include <string.h>

enum { ASKED_POINTS = 97 };
#define DRAWN_FRAMES_MAX ((size_t)1 << 26) /* 23 minutes at 48 kHz */

/* ---- which item ---------------------------------------------------------------------------------------- */

/* The item whose key is the path's last segment, without `suffix`; SIZE_MAX and a refusal where there is
 * none. */
static size_t find_item(struct vg_library *library, const struct vg_request *request, const char *suffix,
                        struct vg_response *response)
{
    size_t length = strlen(request->tail), end = strlen(suffix), number = SIZE_MAX;

    if (length > end && strcmp(request->tail + length - end, suffix) == 0)
        number =
            vg_index_find(&library->index, vg_arena_text_part(request->arena, request->tail, length - end));
    if (number != SIZE_MAX)
        return number;
    if (library->index.whole) {
        vg_response_refuse(response, 404, "no such item");
    } else {
        vg_response_refuse(response, 503, "the manifest is still being read; ask again");
        vg_response_header(response, "Retry-After", "1");
    }
    return SIZE_MAX;
}

static const char *value_of(const struct vg_library *library, const struct vg_listed *item,
                            enum vg_facet facet)
{
    return library->index.values[facet].at[item->value[facet]];
}

/* ---- asked --------------------------------------------------------------------------------------------- */

static size_t number_among(const char *name, const char *const *names, size_t count)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static size_t category_among(const struct vg_spec *spec, const char *name)
{
    size_t i = 0;

    while (i < spec->category_count && strcmp(spec->categories[i].words->name, name) != 0)
        i++;
    return i;
}

static enum vg_asked_kind ask(const struct vg_spec *spec, const struct vg_record *record, const double *t,
                              double *value)
{
    size_t category, tier, curve, direction;

    if (spec == NULL)
        return VG_ASKED_UNKNOWN;
    category = category_among(spec, record->category);
    tier = number_among(record->tier, spec->tiers, spec->tier_count);
    curve = number_among(record->curve, vg_curve_names, VG_CURVES);
    direction = number_among(record->direction, vg_direction_names, VG_DIRECTIONS);
    if (category == spec->category_count || tier == spec->tier_count || curve == VG_CURVES ||
        direction == VG_DIRECTIONS)
        return VG_ASKED_UNKNOWN;
    return vg_asked_course(spec, category, tier, (enum vg_curve)curve, (enum vg_direction)direction,
                           record->rate_hz, t, value, ASKED_POINTS);
}

static void add_asked(struct vg_json *json, const struct vg_spec *spec, const struct vg_record *record)
{
    static const char *const kinds[] = {"unknown", "value", "change"};
    double t[ASKED_POINTS], value[ASKED_POINTS];
    enum vg_asked_kind kind;

    for (size_t i = 0; i < ASKED_POINTS; i++)
        t[i] = (double)i / (ASKED_POINTS - 1);
    kind = ask(spec, record, t, value);
    vg_json_open(json, "asked", '{');
    vg_json_string(json, "kind", kinds[kind]);
    vg_json_open(json, "values", '[');
    for (size_t i = 0; kind != VG_ASKED_UNKNOWN && i < ASKED_POINTS; i++)
        vg_json_double(json, NULL, value[i]);
    vg_json_close(json, ']');
    vg_json_close(json, '}');
}

static void add_measure(struct vg_json *json, const struct vg_spec *spec, const char *category)
{
    enum vg_quantity quantity = vg_quantity_of(category);
    struct vg_margins margins;

    if (quantity == VG_QUANTITIES)
        return;
    vg_margins_read(&margins, spec != NULL ? vg_node_find(spec->root, "measure") : NULL);
    vg_json_open(json, "measure", '{');
    vg_json_string(json, "hears", vg_measures[quantity].paired);
    vg_json_double(json, "jnd", margins.of[quantity].jnd);
    vg_json_double(json, "margin", margins.of[quantity].paired);
    vg_json_string(json, "unit", vg_measures[quantity].unit);
    vg_json_string(json, "unit_jnd", vg_measures[quantity].unit_jnd);
    vg_json_close(json, '}');
}

/* ---- neighbours ---------------------------------------------------------------------------------------- */

static void add_key(struct vg_json *json, const char *name, const struct vg_library *library, size_t number)
{
    vg_json_string(json, name, number != SIZE_MAX ? library->index.at[number].key : NULL);
}

/* Before and behind the item in what the filters show, whether they show it or not. */
static void add_neighbours(struct vg_json *json, struct vg_library *library, size_t number,
                           const struct vg_request *request)
{
    const struct vg_found *found = vg_library_find(library, request);
    size_t low = 0, high = found != NULL ? found->count : 0;
    bool shown;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (found->at[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    shown = found != NULL && low < found->count && found->at[low] == number;
    vg_json_open(json, "neighbours", '{');
    add_key(json, "next", library,
            found != NULL && low + shown < found->count ? found->at[low + shown] : SIZE_MAX);
    vg_json_double(json, "place", shown ? (double)low + 1 : (double)NAN);
    add_key(json, "previous", library, found != NULL && low > 0 ? found->at[low - 1] : SIZE_MAX);
    vg_json_integer(json, "total", found != NULL ? (int64_t)found->count : 0);
    vg_json_close(json, '}');
}

/* ---- the source ---------------------------------------------------------------------------------------- */

/* Its row of sources.csv, columns ascending by name. */
static void add_source(struct vg_json *json, const struct vg_library *library, const struct vg_record *record)
{
    static const char *const columns[] = {"channels", "corpus",         "decoder", "file_xxh128",
                                          "frames",   "gender",         "licence", "locale",
                                          "note",     "sample_rate_hz", "span_by"};
    const struct vg_table *table = &library->sources;
    size_t id = vg_table_column(table, "id"), split = vg_table_column(table, "split");

    vg_json_open(json, "source", '{');
    for (size_t r = 0; r < table->row_count; r++) {
        if (strcmp(vg_table_field(table, r, id), record->source) != 0 ||
            strcmp(vg_table_field(table, r, split), record->split) != 0)
            continue;
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            vg_json_string(json, columns[c], vg_table_field(table, r, vg_table_column(table, columns[c])));
        break;
    }
    vg_json_close(json, '}');
    vg_json_bool(json, "source_heard", vg_originals_know(library->originals, record->split, record->source));
}

/* ---- the page's data ----------------------------------------------------------------------------------- */

void vg_answer_item(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_library *library = site;
    size_t number = find_item(library, request, "", response);
    struct vg_error err = {0};
    struct vg_record record;
    const char *line;
    struct vg_json json;

    if (number == SIZE_MAX)
        return;
    if (vg_library_record(library, number, &record, &line, request->arena, &err) != VG_OK) {
        vg_response_fail(response, request, &err);
        return;
    }
    /* The row is canonical JSON already and stands first. */
    vg_text_addf(&response->body, "{\"record\":%s,\"page\":", line);
    vg_json_init(&json, &response->body);
    vg_json_open(&json, NULL, '{');
    add_asked(&json, library->spec, &record);
    add_measure(&json, library->spec, record.category);
    add_neighbours(&json, library, number, request);
    add_key(&json, "opposite", library, vg_index_opposite(&library->index, number));
    add_source(&json, library, &record);
    vg_json_close(&json, '}');
    vg_text_add_char(&response->body, '}');
    vg_response_json(response);
}

/* ---- sound --------------------------------------------------------------------------------------------- */

void vg_answer_flac(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_library *library = site;
    size_t number = find_item(library, request, ".flac", response);
    const struct vg_listed *item;

    if (number == SIZE_MAX)
        return;
    item = &library->index.at[number];
    vg_media_send(library->media, item->shard, item->key,
                  vg_arena_format(request->arena, "\"%s-%s\"", library->about.release_id, item->key), request,
                  response);
}

static void send_shape(const struct vg_shape *shape, const char *tag, const struct vg_request *request,
                       struct vg_response *response)
{
    if (shape->frames == 0 || shape->frames > DRAWN_FRAMES_MAX) {
        vg_response_refuse(response, 422, "a sound that is empty or too long to be drawn");
        return;
    }
    vg_shape_write(shape, &response->body, request->arena);
    response->type = "application/octet-stream";
    vg_response_ranged(response, request, tag);
}

/* The file's digest against the manifest's: a page that draws a sound tells whether it is the right one. */
static const char *fault_of(const struct vg_record *record, const char *bytes, size_t count,
                            const struct vg_shape *shape)
{
    char hex[VG_DIGEST_HEX];

    vg_digest_of(VG_XXH128, bytes, count, hex);
    if (strcmp(hex, record->flac_xxh128) != 0)
        return "the file is not the one that the manifest lists: its digest differs";
    vg_digest_of_samples(VG_XXH128, shape->samples, shape->frames, hex);
    return strcmp(hex, record->audio_xxh128) != 0
               ? "the samples are not those that the manifest lists: their digest differs"
               : NULL;
}

void vg_answer_shape(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_library *library = site;
    size_t number = find_item(library, request, "", response), count = 0;
    struct vg_error err = {0};
    struct vg_record record;
    struct vg_shape shape = {0};
    const char *line;
    char *bytes = NULL;
    int16_t *samples = NULL;
    int rc;

    if (number == SIZE_MAX)
        return;
    rc = vg_library_record(library, number, &record, &line, request->arena, &err);
    if (rc == VG_OK)
        rc = vg_media_read(library->media, library->index.at[number].shard, record.key, request->arena,
                           &bytes, &count, &err);
    if (rc == VG_OK)
        rc = vg_flac_decode(bytes, count, DRAWN_FRAMES_MAX, &samples, &shape.frames, &shape.rate_hz,
                            request->arena, record.key, &err);
    if (rc != VG_OK) {
        vg_response_fail(response, request, &err);
        return;
    }
    shape.samples = samples;
    shape.fault = fault_of(&record, bytes, count, &shape);
    send_shape(&shape, vg_arena_format(request->arena, "\"shape-%s\"", record.audio_xxh128), request,
               response);
}

/* ---- the source's sound -------------------------------------------------------------------------------- */

/* NULL and a refusal where it is not at hand. */
static const struct vg_original *find_original(struct vg_library *library, const struct vg_request *request,
                                               const char *suffix, struct vg_record *record,
                                               struct vg_response *response)
{
    size_t number = find_item(library, request, suffix, response);
    const struct vg_original *original = NULL;
    struct vg_error err = {0};
    const struct vg_listed *item;
    const char *line;

    if (number == SIZE_MAX)
        return NULL;
    item = &library->index.at[number];
    if (!vg_originals_know(library->originals, value_of(library, item, VG_FACET_SPLIT),
                           value_of(library, item, VG_FACET_SOURCE))) {
        vg_response_refuse(response, 404, "the source is not at hand; start with --sources");
        return NULL;
    }
    if (vg_library_record(library, number, record, &line, request->arena, &err) == VG_OK &&
        vg_originals_get(library->originals, record->split, record->source, &original, &err) == VG_OK)
        return original;
    vg_response_fail(response, request, &err);
    return NULL;
}

void vg_answer_source_flac(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_record record;
    const struct vg_original *original = find_original(site, request, ".flac", &record, response);

    if (original == NULL)
        return;
    vg_text_add_part(&response->body, original->flac->data, original->flac->length);
    response->type = "audio/flac";
    vg_response_ranged(response, request,
                       vg_arena_format(request->arena, "\"source-%s\"", original->audio_xxh128));
}

void vg_answer_source_shape(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_record record;
    const struct vg_original *original = find_original(site, request, "", &record, response);
    struct vg_shape shape;

    if (original == NULL)
        return;
    shape = (struct vg_shape){original->clip.samples, original->clip.frames, original->clip.rate_hz, NULL};
    if (strcmp(original->audio_xxh128, record.source_audio_xxh128) != 0)
        shape.fault = "this is not the source that the release was made from: its samples' digest differs";
    send_shape(&shape, vg_arena_format(request->arena, "\"source-shape-%s\"", original->audio_xxh128),
               request, response);
}
