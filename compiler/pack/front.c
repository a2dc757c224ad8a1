/* SPDX-License-Identifier: MIT */
/* The card's front matter: YAML as the Hub reads it. */
#include "inside.h"

#include <string.h>

/* The Hub's licence identifiers are SPDX's in lower case, and not all of them. */
static void add_hub_license(struct vg_text *out, const char *license)
{
    static const char *const known[] = {"apache-2.0",     "cc0-1.0",         "cc-by-4.0", "cc-by-sa-4.0",
                                        "cc-by-nc-4.0",   "cc-by-nc-sa-4.0", "cc-by-3.0", "mit",
                                        "bsd-3-clause",   "odc-by",          "odbl",      "pddl",
                                        "cc-by-nc-nd-4.0"};
    char lower[32] = "";

    for (size_t i = 0; i + 1 < sizeof lower && license[i] != '\0'; i++) {
        lower[i] = (char)(license[i] >= 'A' && license[i] <= 'Z' ? license[i] - 'A' + 'a' : license[i]);
        lower[i + 1] = '\0';
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(lower, known[i]) == 0) {
            vg_text_addf(out, "license: %s\n", known[i]);
            return;
        }
    vg_text_add(out, "license: other\nlicense_name: ");
    vg_text_add_json(out, license);
    vg_text_add(out, "\nlicense_link: ATTRIBUTION.md\n");
}

static const char *size_category(size_t items)
{
    static const struct {
        size_t below;
        const char *name;
    } sizes[] = {{1000, "n<1K"}, {10000, "1K<n<10K"}, {100000, "10K<n<100K"}, {1000000, "100K<n<1M"}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (items < sizes[i].below)
            return sizes[i].name;
    return "1M<n<10M";
}

const char *vg_card_split_name(const char *split)
{
    return strcmp(split, "all") == 0 ? "all_items" : split;
}

void vg_card_split(const char *split, struct vg_text *out)
{
    vg_text_addf(out, "  - split: \"%s\"\n", vg_card_split_name(split));
}

/* Explicit, so that no word in a path is taken for the name of a split.  The Hub sniffs shards by `.tar`;
 * under any other suffix it is shown the manifest. */
static void add_configs(const struct vg_story *story, struct vg_text *out)
{
    const struct vg_about *about = story->about;
    const struct vg_spec *spec = story->spec;

    vg_text_add(out, "configs:\n- config_name: default\n  data_files:\n");
    if (strcmp(spec->pack.shard_suffix, ".tar") != 0) {
        vg_card_split("items", out);
        vg_text_add(out, "    path: manifest.jsonl\n");
        return;
    }
    for (size_t i = 0; i < spec->split_count; i++) {
        const char *split = spec->splits[i].name;

        if (vg_summary_of(story->summary, split, NULL, NULL, NULL, NULL).items == 0)
            continue;
        vg_card_split(split, out);
        vg_text_addf(out, "    path: \"%s-%s-%s-*.tar\"\n", about->name, about->version, split);
    }
}

static void add_languages(const struct vg_story *story, struct vg_text *out)
{
    struct vg_arena arena = {0};
    struct vg_tallies locales = {0};

    for (size_t i = 0; i < story->source_count; i++) {
        const char *locale = story->sources[i].source.locale;
        size_t length = locale != NULL ? strlen(locale) : 0;

        if (story->sources[i].skipped == NULL && length >= 2 && length <= 3)
            vg_tally_add(&locales, locale, 1, &arena);
    }
    if (locales.count > 0)
        vg_text_add(out, "language:\n");
    for (size_t i = 0; i < locales.count; i++) {
        vg_text_add(out, "- ");
        vg_text_add_json(out, locales.at[i].text); /* quoted: `no` is Norwegian */
        vg_text_add_char(out, '\n');
    }
    vg_arena_release(&arena);
}

void vg_card_front(const struct vg_story *story, struct vg_text *out)
{
    const struct vg_about *about = story->about;

    vg_text_add(out, "---\npretty_name: ");
    vg_text_add_json(out, vg_card_text(story->spec, "pretty_name", about->name));
    vg_text_add_char(out, '\n');
    add_hub_license(out, about->license != NULL ? about->license : "unknown");
    add_languages(story, out);
    vg_text_add(out, "task_categories:\n- audio-classification\ntags:\n- audio\n- speech\n- benchmark\n- "
                     "perception\n- croissant\n- webdataset\n");
    vg_text_addf(out, "size_categories:\n- %s\n",
                 size_category(vg_summary_of(story->summary, NULL, NULL, NULL, NULL, NULL).items));
    add_configs(story, out);
    vg_text_add(out, "---\n\n");
}
