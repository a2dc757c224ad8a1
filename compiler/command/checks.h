/* SPDX-License-Identifier: MIT */
/* checks: the steps that `verify` walks through, and the reports it can leave for machines. */
#ifndef VG_CHECKS_H
#define VG_CHECKS_H

#include "command.h"
#include "study.h"

/* What one step found: its diagnostics are those of call->err from `first` on. */
struct vg_check {
    const char *name; /* "bytes,audio", "signature", "against", "rebuild", ... */
    int rc;
    size_t first, count;
};

/* Render items again and compare (rebuild.c).  Names each that differs. */
int vg_check_rebuild(struct vg_call *call, const char *folder);
/* Measure every item again and compare with the manifest (labels.c). */
int vg_check_labels(struct vg_call *call, const char *folder);
/* Is SHA256SUMS signed by the key in `key` (signature.c)?  Calls minisign or ssh-keygen. */
int vg_check_signature(struct vg_call *call, const char *folder, const char *key);
/* Sign SHA256SUMS, and the provenance where there is one, with the secret key in `key`. */
int vg_sign(struct vg_call *call, const char *folder, const char *key);
/* Can the label be told from what a model should not use (shortcuts.c)?  The table goes to `out`. */
int vg_check_shortcuts(struct vg_call *call, const char *folder, struct vg_text *out);

/* What `verify --labels` found in somebody else's set. */
struct vg_foreign {
    size_t items, verdicts[4], below_jnd; /* verdicts: beside the sources */
    size_t blind_opposed;                 /* without them: B goes against the label beyond its margin */
    size_t untold;                        /* of these, where that decides nothing */
    size_t twins;                         /* the same sound under both labels */
    size_t unheard;                       /* rows at fault */
    bool has_sources;
};
/* Measure the items of a published table and compare with its labels (foreign.c).  Names each row whose label
 * is false.  What was heard is added to `oracle`. */
int vg_check_foreign(struct vg_call *call, struct vg_foreign *foreign, struct vg_oracle *oracle);

/* What was checked, for the machines' reports. */
struct vg_checked {
    const char *subject; /* a release's folder, or a published table */
    const struct vg_check *checks;
    size_t count;
    const struct vg_verify_result *result; /* of a release */
    const struct vg_foreign *foreign;      /* of a published table, or NULL */
    const struct vg_oracle *oracle;        /* --report, or NULL */
};
/* All steps as one JSON object, appended; as JUnit's XML into a file (checks.c). */
void vg_checks_json(const struct vg_call *call, const struct vg_checked *checked, struct vg_text *out);
int vg_checks_junit(struct vg_call *call, const struct vg_checked *checked, const char *path);

#endif
