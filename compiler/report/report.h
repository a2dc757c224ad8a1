/* SPDX-License-Identifier: MIT */
/* report: a release as one page to look at.  HTML without script that is XML as well, plots as inline SVG,
 * and nothing that a browser would have to fetch.  The release and its spec alone decide the bytes.
 *
 * The page is a table of sections (page.c), a section a file with a `struct vg_section` (section.h). */
#ifndef VG_REPORT_H
#define VG_REPORT_H

#include "study.h"

/* Are the files that a page is made from those that the release's CHECKSUMS lists?  VG_NO where one is not.
 * The shards are not read. */
int vg_report_check(const char *release, struct vg_error *err);
/* Appends the page of a release that was checked.  `spec` is its own spec.yaml, loaded.  VG_NO where the
 * tables contradict each other. */
int vg_report_write(const char *release, const struct vg_spec *spec, struct vg_text *out,
                    struct vg_error *err);

#endif
