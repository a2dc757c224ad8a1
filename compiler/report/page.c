/* SPDX-License-Identifier: MIT */
/* The page around the sections: head, style, landmarks, contents.  The table here is the page's order. */
#include "section.h"

extern const char vg_report_css[]; /* report.css, embedded */

static const struct vg_section *const sections[] = {
    &vg_section_identity, &vg_section_counts,    &vg_section_labels,
    &vg_section_courses,  &vg_section_oracle,    &vg_section_leakage,
    &vg_section_sources,  &vg_section_shortcuts, &vg_section_excluded,
};
static const size_t section_count = sizeof sections / sizeof *sections;

/* The policy refuses whatever a browser could fetch or run, even if something should ever slip through. */
static void add_head(const struct vg_about *about, struct vg_text *out)
{
    vg_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                     "'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                     "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                     "<meta name=\"referrer\" content=\"no-referrer\"/>\n<title>");
    vg_html_text(out, about->name);
    vg_text_add_char(out, ' ');
    vg_html_text(out, about->version);
    vg_text_add(out, ": report</title>\n<style>\n");
    vg_text_add(out, vg_report_css);
    vg_text_add(out,
                "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#identity\">Skip to the report</a>\n");
}

static void add_header(const struct vg_about *about, struct vg_text *out)
{
    vg_text_add(out, "<header><h1>");
    vg_html_text(out, about->name);
    vg_text_add_char(out, ' ');
    vg_html_text(out, about->version);
    vg_text_add(out, "</h1>\n<p class=\"lead\">");
    vg_html_text(out, about->description != NULL ? about->description : "");
    vg_text_add(out, "</p></header>\n<nav aria-label=\"Contents\"><ul>\n");
    for (size_t i = 0; i < section_count; i++)
        vg_text_addf(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i]->id, sections[i]->title);
    vg_text_add(out, "</ul></nav>\n<main>\n");
}

static void add_footer(const struct vg_about *about, struct vg_text *out)
{
    vg_text_add(
        out, "</main>\n<footer><p>Every number on this page comes from the release's own tables; commands "
             "are typed in its folder, and commas between thousands are ours. Made by vocalgrad " VG_VERSION
             " for release id <code>");
    vg_html_text(out, about->release_id);
    vg_text_add(out, "</code>; the same release gives the same page, byte for byte.</p></footer>\n"
                     "</body>\n</html>\n");
}

int vg_report_write(const char *release, const struct vg_spec *spec, struct vg_text *out,
                    struct vg_error *err)
{
    struct vg_findings findings = {0};
    int rc = vg_findings_gather(&findings, release, spec, err);

    if (rc == VG_OK) {
        add_head(&findings.about, out);
        add_header(&findings.about, out);
        for (size_t i = 0; i < section_count; i++) {
            const struct vg_section *section = sections[i];

            vg_text_addf(out, "<section id=\"%s\" aria-labelledby=\"%s-title\"><h2 id=\"%s-title\">%s</h2>\n",
                         section->id, section->id, section->id, section->title);
            section->write(&findings, out);
            vg_text_add(out, "</section>\n");
        }
        add_footer(&findings.about, out);
    }
    vg_findings_release(&findings);
    return rc;
}
