/* SPDX-License-Identifier: MIT */
/* The browser of a release: its table of routes. */
#include "library.h"

static void answer_list_page(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "list.html");
}

/* The same for every item: the script reads the key from the address. */
static void answer_item_page(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "item.html");
}

void vg_answer_asset(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    vg_response_asset(response, request->tail);
}

const struct vg_route vg_browse_routes[] = {
    {VG_METHOD_GET, "/", false, answer_list_page},
    {VG_METHOD_GET, "/item/*", false, answer_item_page},
    {VG_METHOD_GET, "/assets/*", true, vg_answer_asset},
    {VG_METHOD_GET, "/api/release", false, vg_answer_release},
    {VG_METHOD_GET, "/api/items", false, vg_answer_items},
    {VG_METHOD_GET, "/api/item/*", false, vg_answer_item},
    {VG_METHOD_GET, "/api/shape/*", false, vg_answer_shape},
    {VG_METHOD_GET, "/api/source-shape/*", false, vg_answer_source_shape},
    {VG_METHOD_GET, "/flac/*", false, vg_answer_flac},
    {VG_METHOD_GET, "/source/*", false, vg_answer_source_flac},
};
const size_t vg_browse_route_count = sizeof vg_browse_routes / sizeof *vg_browse_routes;
