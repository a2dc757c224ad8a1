/* SPDX-License-Identifier: MIT */
/* Who asks in the human study: everybody has a token of their own, and a cookie that comes of it. */
#include "annotate.h"

#include <string.h>

static const char cookie_name[] = "vocalgrad_annotator";

/* All are compared, so that the time it takes does not tell which one it was. */
static struct vg_annotator *find_session(struct vg_annotate *a, const struct vg_request *request)
{
    const char *cookie = vg_request_cookie(request, cookie_name);
    struct vg_annotator *found = NULL;

    for (size_t i = 0; cookie != NULL && i < a->annotators.count; i++)
        if (vg_same_secret(cookie, a->annotators.at[i].cookie_sha256))
            found = &a->annotators.at[i];
    return found;
}

struct vg_annotator *vg_annotate_session(struct vg_annotate *a, const struct vg_request *request,
                                         struct vg_response *response)
{
    struct vg_annotator *annotator = find_session(a, request);

    if (annotator == NULL)
        vg_response_refuse(response, 401, "nobody is logged in");
    return annotator;
}

/* ---- coming and going ---------------------------------------------------------------------------------- */

const char *vg_field_of(const struct vg_field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].value;
    return "";
}

void vg_answer_enter(void *site, const struct vg_request *request, struct vg_response *response)
{
    struct vg_annotate *a = site;
    struct vg_field fields[2];
    const struct vg_annotator *found = NULL;
    char hex[VG_DIGEST_HEX];
    size_t count = 0;

    if (!request->may_guess) {
        vg_response_refuse(response, 429, "too many wrong tokens; wait a minute");
        return;
    }
    if (!vg_request_form(request, fields, 2, &count)) {
        vg_response_refuse(response, 400, "expected a name and a token");
        return;
    }
    vg_digest_of(VG_SHA256, vg_field_of(fields, count, "token"), strlen(vg_field_of(fields, count, "token")),
                 hex);
    for (size_t i = 0; i < a->annotators.count; i++) {
        const struct vg_annotator *annotator = &a->annotators.at[i];
        bool named = strcmp(annotator->name, vg_field_of(fields, count, "name")) == 0;

        if (vg_same_secret(hex, annotator->token_sha256) && named)
            found = annotator;
    }
    if (found == NULL) {
        vg_response_refuse(response, 403, "wrong name or token");
        response->wrong_secret = true;
        return;
    }
    vg_annotate_send_state(a, found, response);
    vg_response_header(response, "Set-Cookie",
                       vg_arena_format(request->arena, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
                                       cookie_name, found->cookie_sha256));
}

void vg_answer_leave(void *site, const struct vg_request *request, struct vg_response *response)
{
    (void)site;
    vg_text_add(&response->body, "{}\n");
    vg_response_json(response);
    vg_response_header(
        response, "Set-Cookie",
        vg_arena_format(request->arena, "%s=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0", cookie_name));
}
