/* SPDX-License-Identifier: MIT */
/* The browser of a release: its table of routes. */
#include "serve.h"

static void answer_list_page(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    (void)request;
    vg_response_asset(response, "list.html");
}

static void answer_style(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    vg_response_asset(response, request->tail);
}

const struct vg_route vg_browse_routes[] = {
    {VG_METHOD_GET, "/", false, answer_list_page},
    {VG_METHOD_GET, "/assets/*", true, answer_style},
};
const size_t vg_browse_route_count = sizeof vg_browse_routes / sizeof *vg_browse_routes;
