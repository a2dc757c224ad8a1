/* SPDX-License-Identifier: MIT */
/* The list: what release it is, a page of its items, how many each filter would show. */
#include "library.h"

#include <string.h>

enum { PAGE_ITEMS = 100, PAGE_ITEMS_MAX = 300, FACET_VALUES_MAX = 400 };

/* ---- the release --------------------------------------------------------------------------------------- */

static void add_progress(struct vg_json *json, const struct vg_library *library)
{
    vg_json_integer(json, "expected", (int64_t)library->index.expected);
    vg_json_string(json, "fault", library->index.fault);
}

void vg_answer_release(void *site, const struct vg_request *request, struct vg_response *response)
{
    const struct vg_library *library = site;
    const struct vg_about *about = &library->about;
    struct vg_json json;

    (void)request;
    vg_json_init(&json, &response->body);
    vg_json_open(&json, NULL, '{');
    vg_json_string(&json, "description", about->description);
    vg_json_string(&json, "engine", about->engine);
    add_progress(&json, library);
    vg_json_string(&json, "license", about->license);
    vg_json_string(&json, "name", about->name);
    vg_json_integer(&json, "read", (int64_t)library->index.count);
    vg_json_string(&json, "release_id", about->release_id);
    vg_json_string(&json, "version", about->version);
    vg_json_bool(&json, "whole", library->index.whole);
    vg_json_close(&json, '}');
    vg_response_json(response);
}

/* ---- what a filter finds, kept for the pages that follow ----------------------------------------------- */

/* The query's filters as one text. */
static const char *name_filter(const struct vg_request *request)
{
    struct vg_text text = {0};
    const char *name;

    for (int f = 0; f < VG_FACETS; f++) {
        vg_text_add_json(&text, vg_request_query(request, vg_facet_names[f]));
        vg_text_add_char(&text, ' ');
    }
    vg_text_add_json(&text, vg_request_query(request, "q"));
    name = vg_arena_text(request->arena, text.data);
    vg_text_release(&text);
    return name;
}

const struct vg_found *vg_library_find(struct vg_library *library, const struct vg_request *request)
{
    const char *query = name_filter(request);
    struct vg_filter filter;
    struct vg_arena_mark empty = {0};

    if (library->found_query != NULL && strcmp(library->found_query, query) == 0 &&
        library->found_items == library->index.count)
        return &library->found;
    if (!vg_filter_read(&filter, &library->index, request))
        return NULL;
    vg_arena_rewind(&library->found_arena, empty);
    library->found = vg_filter_run(&filter, &library->index, &library->found_arena);
    library->found_query = vg_arena_text(&library->found_arena, query);
    library->found_items = library->index.count;
    return &library->found;
}

/* ---- a page -------------------------------------------------------------------------------------------- */

/* In the order that list.js reads. */
static void add_item(struct vg_json *json, const struct vg_index *index, const struct vg_listed *item)
{
    vg_json_open(json, NULL, '[');
    vg_json_string(json, NULL, item->key);
    vg_json_string(json, NULL, item->id);
    for (int f = 0; f < VG_FACETS; f++)
        vg_json_string(json, NULL, index->values[f].at[item->value[f]]);
    vg_json_double(json, NULL, (double)item->duration_sec);
    vg_json_double(json, NULL, (double)item->net_jnd);
    vg_json_bool(json, NULL, item->below_jnd);
    vg_json_close(json, ']');
}

/* Every value that would show something, and the one that is chosen. */
static void add_facet(struct vg_json *json, const struct vg_library *library, const struct vg_found *found,
                      int facet, const char *chosen)
{
    const struct vg_values *values = &library->index.values[facet];
    size_t shown = 0;

    vg_json_open(json, vg_facet_names[facet], '[');
    for (size_t i = 0; i < values->count && shown < FACET_VALUES_MAX; i++) {
        if (found->counts[facet][i] == 0 && strcmp(chosen, values->at[i]) != 0)
            continue;
        vg_json_open(json, NULL, '[');
        vg_json_string(json, NULL, values->at[i]);
        vg_json_integer(json, NULL, found->counts[facet][i]);
        vg_json_close(json, ']');
        shown++;
    }
    vg_json_close(json, ']');
}

static void add_facets(struct vg_json *json, const struct vg_library *library, const struct vg_found *found,
                       const struct vg_request *request)
{
    static const enum vg_facet ascending[VG_FACETS] = {VG_FACET_CATEGORY, VG_FACET_CURVE, VG_FACET_DIRECTION,
                                                       VG_FACET_SOURCE,   VG_FACET_SPLIT, VG_FACET_TIER,
                                                       VG_FACET_VERDICT};

    vg_json_open(json, "facets", '{');
    for (int i = 0; i < VG_FACETS; i++)
        add_facet(json, library, found, (int)ascending[i],
                  vg_request_query(request, vg_facet_names[ascending[i]]));
    vg_json_close(json, '}');
}

static void write_page(const struct vg_library *library, const struct vg_found *found,
                       const struct vg_request *request, uint64_t first, uint64_t count, struct vg_text *out)
{
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    vg_json_integer(&json, "expected", (int64_t)library->index.expected);
    if (strcmp(vg_request_query(request, "facets"), "1") == 0)
        add_facets(&json, library, found, request);
    vg_json_string(&json, "fault", library->index.fault);
    vg_json_integer(&json, "first", (int64_t)first);
    vg_json_open(&json, "items", '[');
    for (uint64_t i = first; i < found->count && i - first < count; i++)
        add_item(&json, &library->index, &library->index.at[found->at[i]]);
    vg_json_close(&json, ']');
    vg_json_integer(&json, "read", (int64_t)library->index.count);
    vg_json_integer(&json, "total", (int64_t)found->count);
    vg_json_bool(&json, "whole", library->index.whole);
    vg_json_close(&json, '}');
}

void vg_answer_items(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_library *library = site;
    const struct vg_found *found;
    uint64_t first, count;

    if (!vg_request_number(request, "first", UINT32_MAX, 0, &first) ||
        !vg_request_number(request, "count", PAGE_ITEMS_MAX, PAGE_ITEMS, &count)) {
        vg_response_refuse(response, 400, "first and count are whole numbers, count at most 300");
        return;
    }
    found = vg_library_find(library, request);
    if (found == NULL) {
        vg_response_refuse(response, 400, "too many words to search for");
        return;
    }
    write_page(library, found, request, first, count, &response->body);
    vg_response_json(response);
}
