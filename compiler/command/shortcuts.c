/* SPDX-License-Identifier: MIT */
/* verify --level shortcuts: can the label be told from what a model should not use? */
#include "checks.h"

static int add_rows(struct vg_call *call, const char *folder, struct vg_audit *audit)
{
    struct vg_rows rows = {0};
    bool end = false;
    int rc = vg_rows_open(&rows, folder, &call->err);

    while (rc == VG_OK && !end) {
        struct vg_record record;

        rc = vg_rows_next(&rows, &record, &end, &call->err);
        if (rc == VG_OK && !end)
            vg_audit_add(audit, &record);
    }
    vg_rows_close(&rows);
    return rc;
}

/* What the packing gives away is a fault; what the sound does is told. */
static int judge(struct vg_call *call, const char *folder, const char *category, enum vg_shortcut shortcut,
                 const struct vg_audit_finding *finding)
{
    bool packing = shortcut <= VG_TOLD_BY_PLACE;
    struct vg_text auc = {0};
    int rc = VG_OK;

    if (!vg_audit_tells(finding, packing ? 4 : 3)) /* a fault must not be chance, over all categories */
        return VG_OK;
    vg_text_add_fixed(&auc, finding->auc, 3);
    if (packing)
        rc = vg_fail(&call->err, VG_NO, vg_path_join(&call->arena, folder, "manifest.jsonl"),
                     "%s: the %s tells the label (AUC %s; without it 0.5); pack with keys: opaque", category,
                     vg_shortcut_names[shortcut], auc.data);
    else
        vg_warn(&call->err, folder, "%s: %s tells the label (AUC %s)", category, vg_shortcut_names[shortcut],
                auc.data);
    vg_text_release(&auc);
    return rc;
}

int vg_check_shortcuts(struct vg_call *call, const char *folder, struct vg_text *out)
{
    struct vg_audit *audit = vg_audit_make();
    int rc = add_rows(call, folder, audit);

    for (size_t i = 0; rc != VG_IO && i < vg_audit_categories(audit); i++)
        for (int k = 0; k < VG_SHORTCUTS; k++) {
            struct vg_audit_finding finding = vg_audit_of(audit, i, (enum vg_shortcut)k);

            if (judge(call, folder, vg_audit_category(audit, i), (enum vg_shortcut)k, &finding) != VG_OK)
                rc = VG_NO;
        }
    if (rc != VG_IO)
        vg_audit_table(audit, out);
    vg_audit_release(audit);
    return rc;
}
