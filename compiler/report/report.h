/* SPDX-License-Identifier: MIT */
/* report: a release as one page to look at.  HTML without script that is XML as well, plots as inline SVG,
 * and nothing that a browser would have to fetch.  The release and its spec alone decide the bytes.
 *
 * The page is a table of sections (page.c), a section a file with a `struct vg_section` (section.h). */
#ifndef VG_REPORT_H
#define VG_REPORT_H

#include "study.h"

/* Appends the page.  `spec` is the release's own spec.yaml, loaded.  VG_NO where the release is damaged: the
 * files that are read must be those that its CHECKSUMS lists; the shards are not read. */
int vg_report_write(const char *release, const struct vg_spec *spec, struct vg_text *out,
                    struct vg_error *err);

#endif
