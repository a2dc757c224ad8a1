/* SPDX-License-Identifier: MIT */
/* oracle: the tables of `verify --report`, for eyes and for machines. */
#ifndef VG_COMMAND_ORACLE_H
#define VG_COMMAND_ORACLE_H

#include "command.h"
#include "study.h"

/* Margins of a release, from its spec.yaml. */
int vg_release_margins(struct vg_call *call, const char *folder, struct vg_margins *margins);

/* All tables, appended: aligned text; one CSV table whose first column names the table a row is of; the
 * object `key` of a JSON text. */
void vg_oracle_text(const struct vg_oracle *oracle, struct vg_text *out);
void vg_oracle_csv(const struct vg_oracle *oracle, struct vg_text *out);
void vg_oracle_json(const struct vg_oracle *oracle, const char *key, struct vg_json *json);

#endif
