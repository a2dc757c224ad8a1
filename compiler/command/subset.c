/* SPDX-License-Identifier: MIT */
/* What a subset says of the whole.  The spec without --only is known, so its digest always is stated; the
 * whole release's id is known only to who has that release, and is compared item by item where it is at hand.
 */
#include "make.h"

#include <string.h>

static int digest_whole_spec(struct vg_call *call, const char **hex)
{
    char *digest = vg_arena_take(&call->arena, VG_DIGEST_HEX, 1);
    struct vg_text text = {0};
    struct vg_spec whole;
    int rc = vg_work_spec_whole(&whole, call);

    if (rc == VG_OK) {
        vg_spec_write(&whole, &text);
        vg_digest_of(VG_XXH128, text.data, text.length, digest);
        *hex = digest;
    }
    vg_text_release(&text);
    return rc;
}

static bool is_release_id(const char *text)
{
    return strlen(text) == 32 && strspn(text, "0123456789abcdef") == 32;
}

static int take_whole(struct vg_call *call, const char *folder, struct vg_release_options *options)
{
    struct vg_about about;
    int rc = vg_about_read(&about, folder, &call->arena, &call->err);

    if (rc != VG_OK)
        return rc;
    if (options->subset_of_spec_xxh128 != NULL && about.spec_xxh128 != NULL &&
        strcmp(options->subset_of_spec_xxh128, about.spec_xxh128) != 0)
        vg_warn(
            &call->err, folder,
            "was made from another spec than this one without --only; its items are compared all the same");
    options->whole = folder;
    options->subset_of = about.release_id;
    options->subset_of_spec_xxh128 = about.spec_xxh128;
    return VG_OK;
}

int vg_make_subset(struct vg_call *call, struct vg_release_options *options)
{
    const char *whole = vg_call_text(call, "subset-of", NULL);
    size_t only;
    int rc = VG_OK;

    (void)vg_call_list(call, "only", &only);
    if (only > 0)
        rc = digest_whole_spec(call, &options->subset_of_spec_xxh128);
    if (rc != VG_OK || whole == NULL)
        return rc;
    if (vg_folder_exists(whole))
        return take_whole(call, whole, options);
    if (!is_release_id(whole))
        return vg_fail(&call->err, VG_USAGE, "--subset-of",
                       "%s is no folder; expected a release or a release id of 32 hexadecimal digits", whole);
    vg_warn(&call->err, whole,
            "is taken as the release id of the whole, unchecked; give its folder to compare");
    options->subset_of = whole;
    return VG_OK;
}
