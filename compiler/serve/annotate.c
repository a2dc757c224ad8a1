/* SPDX-License-Identifier: MIT */
/* The human study in a browser: opened, resumed, its pages and its table of routes. */
#include "annotate.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------------------- */

static int place_items(struct vg_annotate *a, struct vg_error *err)
{
    const struct vg_study *study = a->options.study;

    a->shards = vg_arena_take(&a->arena, study->item_count + 1, sizeof *a->shards);
    a->part_of = vg_arena_take(&a->arena, study->item_count + 1, sizeof *a->part_of);
    a->part_bytes = vg_arena_take_zero(&a->arena, study->part_count + 1, sizeof *a->part_bytes);
    for (size_t p = 0; p < study->part_count; p++)
        for (size_t i = study->parts[p].first; i < study->parts[p].first + study->parts[p].count; i++) {
            size_t bytes = study->items[i].record.flac_bytes + VG_BLIND_BYTES, shard = 0;

            while (shard < a->about.shard_count &&
                   strcmp(a->about.shards[shard].name, study->items[i].record.shard) != 0)
                shard++;
            if (shard == a->about.shard_count)
                return vg_fail(err, VG_NO, study->items[i].record.id, "its shard %s is not in release.json",
                               study->items[i].record.shard);
            a->shards[i] = shard;
            a->part_of[i] = p;
            a->part_bytes[p] = bytes > a->part_bytes[p] ? bytes : a->part_bytes[p];
        }
    return VG_OK;
}

/* What was answered before the server was started. */
static void resume(struct vg_annotate *a)
{
    const struct vg_study *study = a->options.study;

    for (size_t n = 0; n < a->annotators.count; n++) {
        struct vg_annotator *annotator = &a->annotators.at[n];

        for (size_t i = 0; i < annotator->item_count; i++) {
            const char *key = study->items[annotator->items[i]].record.key;

            annotator->answered[i] = vg_answer_log_find(&a->log, annotator->name, key) != NULL;
            annotator->answered_count += annotator->answered[i];
        }
    }
}

int vg_annotate_open(struct vg_annotate **result, const struct vg_annotate_options *options,
                     struct vg_error *err)
{
    struct vg_annotate *a = vg_memory_take(1, sizeof *a);
    int rc;

    *a = (struct vg_annotate){.options = *options};
    *result = a;
    rc = vg_about_read(&a->about, options->release, &a->arena, err);
    if (rc == VG_OK)
        rc = vg_annotators_read(&a->annotators, options->annotators, options->study, err);
    if (rc == VG_OK)
        rc = place_items(a, err);
    if (rc == VG_OK)
        rc = vg_media_open(&a->media, options->release, &a->about, err);
    if (rc == VG_OK)
        rc = vg_answer_log_open(&a->log, options->folder, options->study->release_id, err);
    if (rc == VG_OK) {
        vg_annotators_key(&a->annotators, a->log.key);
        resume(a);
    }
    return rc;
}

void vg_annotate_count(const struct vg_annotate *annotate, size_t *annotators, size_t *answers)
{
    *annotators = annotate->annotators.count;
    *answers = annotate->log.known.count;
}

void vg_annotate_release(struct vg_annotate *annotate)
{
    if (annotate == NULL)
        return;
    vg_answer_log_release(&annotate->log);
    vg_media_close(annotate->media);
    vg_annotators_release(&annotate->annotators);
    vg_arena_release(&annotate->arena);
    free(annotate);
}

/* ---- pages --------------------------------------------------------------------------------------------- */

static void answer_page(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "annotate.html");
}

static void answer_style(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "annotate.css");
}

static void answer_script(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "annotate.js");
}

static void answer_icon(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "icon.svg");
}

/* None is behind the gate's own token: everybody here has one. */
const struct vg_route vg_annotate_routes[] = {
    {VG_METHOD_GET, "/", true, answer_page},
    {VG_METHOD_GET, "/annotate.css", true, answer_style},
    {VG_METHOD_GET, "/annotate.js", true, answer_script},
    {VG_METHOD_GET, "/icon.svg", true, answer_icon},
    {VG_METHOD_GET, "/state", true, vg_answer_state},
    {VG_METHOD_GET, "/sound/*", true, vg_answer_sound},
    {VG_METHOD_POST, "/enter", true, vg_answer_enter},
    {VG_METHOD_POST, "/leave", true, vg_answer_leave},
    {VG_METHOD_POST, "/answer/*", true, vg_answer_judgement},
};
const size_t vg_annotate_route_count = sizeof vg_annotate_routes / sizeof *vg_annotate_routes;
