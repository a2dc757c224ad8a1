/* SPDX-License-Identifier: MIT */
/* What the release is, how it is cited and how it is checked. */
#include "section.h"

static void add_term(struct vg_text *out, const char *term)
{
    vg_text_addf(out, "<div><dt>%s</dt><dd>", term);
}

static void add_fact(struct vg_text *out, const char *term, const char *fact)
{
    if (fact == NULL)
        return;
    add_term(out, term);
    vg_html_text(out, fact);
    vg_text_add(out, "</dd></div>\n");
}

static void add_sizes(const struct vg_findings *f, struct vg_text *out)
{
    struct vg_cell all = vg_summary_of(&f->summary, NULL, NULL, NULL, NULL, NULL);
    uint64_t bytes = 0;

    for (size_t i = 0; i < f->about.shard_count; i++)
        bytes += f->about.shards[i].bytes;
    add_term(out, "Items");
    vg_html_count(out, all.items);
    vg_text_add(out, ", ");
    vg_html_number(out, (double)all.duration_us / 3.6e9, 2);
    vg_text_add(out, " hours, in ");
    vg_html_count(out, f->about.shard_count);
    vg_text_add(out, f->about.shard_count == 1 ? " shard of " : " shards of ");
    vg_html_number(out, (double)bytes / 1e6, 1);
    vg_text_add(out, " MB</dd></div>\n");
    add_term(out, "Sources");
    vg_html_count(out, f->about.sources);
    vg_text_add(out, " used, ");
    vg_html_count(out, f->about.sources_skipped);
    vg_text_add(out, " left out</dd></div>\n");
    add_term(out, "Labels");
    vg_html_count(out, all.verdicts[VG_CONFIRMED]);
    vg_text_add(out, " of ");
    vg_html_count(out, all.items);
    vg_text_add(out, " confirmed by measurement (");
    vg_html_percent(out, all.verdicts[VG_CONFIRMED], all.items, 1);
    vg_text_add(out, ")</dd></div>\n");
}

static void add_facts(const struct vg_findings *f, struct vg_text *out)
{
    const struct vg_about *about = &f->about;

    vg_text_add(out, "<dl>\n");
    add_term(out, "Release id");
    vg_text_add(out, "<code>");
    vg_html_text(out, about->release_id);
    vg_text_add(out, "</code></dd></div>\n");
    add_sizes(f, out);
    add_fact(out, "Engine", about->engine);
    add_fact(out, "Licence", about->license != NULL ? about->license : "see ATTRIBUTION.md");
    add_term(out, "Made by");
    vg_html_text(out, about->tool);
    vg_text_add_char(out, ' ');
    vg_html_text(out, about->tool_version);
    for (size_t i = 0; i < about->library_count; i++) {
        vg_text_add(out, i == 0 ? " with " : ", ");
        vg_html_text(out, about->libraries[i]);
    }
    vg_text_add(out, "</dd></div>\n");
    for (size_t i = 0; i < about->option_count; i++)
        add_fact(out, "Built with", about->options[i]);
    add_fact(out, "Subset of release id", about->subset_of);
    if (about->parts > 0)
        vg_text_addf(out, "<div><dt>Part</dt><dd>%u of %u: merge the parts before use</dd></div>\n",
                     about->part, about->parts);
    add_fact(out, "Date", about->date);
    vg_text_add(out, "</dl>\n");
}

static void add_citation(const struct vg_findings *f, struct vg_text *out)
{
    const struct vg_node *card = vg_node_find(f->spec->root, "card");
    const char *words = card != NULL ? vg_node_text(card, "citation", NULL) : NULL;

    vg_text_add(out, "<h3>Citing</h3>\n<pre tabindex=\"0\" aria-label=\"Citation\">");
    if (words != NULL)
        vg_html_text(out, words);
    vg_text_add(out, words != NULL ? "\n" : "");
    vg_html_text(out, f->about.name);
    vg_text_add_char(out, ' ');
    vg_html_text(out, f->about.version);
    vg_text_add(out, ", release id ");
    vg_html_text(out, f->about.release_id);
    vg_text_add(out,
                ".</pre>\n<p>The release id names these very samples: it is one digest over those of all "
                "items and the recipe.</p>\n");
}

static void add_checking(const struct vg_findings *f, struct vg_text *out)
{
    vg_text_add(out, "<h3>Checking</h3>\n<pre tabindex=\"0\" aria-label=\"Commands that check the release\">"
                     "sha256sum -c SHA256SUMS            # every file\n"
                     "vocalgrad verify .                 # files, shards, tables, every sound\n"
                     "vocalgrad verify . --level labels  # measures every label again\n"
                     "vocalgrad verify . --rebuild 20    # makes 20 items again and compares\n"
                     "vocalgrad build spec.yaml -o out   # its release id must be\n"
                     "                                   # ");
    vg_html_text(out, f->about.release_id);
    vg_text_add(out, "</pre>\n");
}

static void write_identity(const struct vg_findings *f, struct vg_text *out)
{
    add_facts(f, out);
    add_citation(f, out);
    add_checking(f, out);
}

const struct vg_section vg_section_identity = {"identity", "What it is", write_identity};
