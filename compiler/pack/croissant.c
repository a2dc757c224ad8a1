/* SPDX-License-Identifier: MIT */
/* croissant.json: the release in Croissant 1.1 with the RAI and PROV fields, as canonical JSON.
 * Source: http://mlcommons.org/croissant/1.1 and http://mlcommons.org/croissant/RAI/1.0. */
#include "inside.h"

#include <string.h>

/* ---- context ------------------------------------------------------------------------------------------ */

/* Appendix 1 of the specification; names ascending. `json` and `vocab` terms are typed. */
static const struct {
    const char *name, *iri, *type;
} context[] = {
    {"@language", "en", NULL},
    {"@vocab", "https://schema.org/", NULL},
    {"annotation", "cr:annotation", NULL},
    {"arrayShape", "cr:arrayShape", NULL},
    {"citeAs", "cr:citeAs", NULL},
    {"column", "cr:column", NULL},
    {"conformsTo", "dct:conformsTo", NULL},
    {"containedIn", "cr:containedIn", NULL},
    {"cr", "http://mlcommons.org/croissant/", NULL},
    {"data", "cr:data", "@json"},
    {"dataType", "cr:dataType", "@vocab"},
    {"dct", "http://purl.org/dc/terms/", NULL},
    {"equivalentProperty", "cr:equivalentProperty", NULL},
    {"examples", "cr:examples", "@json"},
    {"excludes", "cr:excludes", NULL},
    {"extract", "cr:extract", NULL},
    {"field", "cr:field", NULL},
    {"fileObject", "cr:fileObject", NULL},
    {"fileProperty", "cr:fileProperty", NULL},
    {"fileSet", "cr:fileSet", NULL},
    {"format", "cr:format", NULL},
    {"includes", "cr:includes", NULL},
    {"isArray", "cr:isArray", NULL},
    {"isLiveDataset", "cr:isLiveDataset", NULL},
    {"jsonPath", "cr:jsonPath", NULL},
    {"key", "cr:key", NULL},
    {"md5", "cr:md5", NULL},
    {"parentField", "cr:parentField", NULL},
    {"path", "cr:path", NULL},
    {"prov", "http://www.w3.org/ns/prov#", NULL},
    {"rai", "http://mlcommons.org/croissant/RAI/", NULL},
    {"readLines", "cr:readLines", NULL},
    {"recordSet", "cr:recordSet", NULL},
    {"references", "cr:references", NULL},
    {"regex", "cr:regex", NULL},
    {"repeated", "cr:repeated", NULL},
    {"replace", "cr:replace", NULL},
    {"samplingRate", "cr:samplingRate", NULL},
    {"sc", "https://schema.org/", NULL},
    {"sdVersion", "cr:sdVersion", NULL},
    {"separator", "cr:separator", NULL},
    {"source", "cr:source", NULL},
    {"subField", "cr:subField", NULL},
    {"transform", "cr:transform", NULL},
    {"unArchive", "cr:unArchive", NULL},
    {"value", "cr:value", NULL},
};

static void write_context(struct vg_json *json)
{
    vg_json_open(json, "@context", '{');
    for (size_t i = 0; i < sizeof context / sizeof *context; i++) {
        if (context[i].type == NULL) {
            vg_json_string(json, context[i].name, context[i].iri);
            continue;
        }
        vg_json_open(json, context[i].name, '{');
        vg_json_string(json, "@id", context[i].iri);
        vg_json_string(json, "@type", context[i].type);
        vg_json_close(json, '}');
    }
    vg_json_close(json, '}');
}

/* ---- files --------------------------------------------------------------------------------------------- */

static const char *format_of(const char *name)
{
    static const struct {
        const char *end, *format;
    } formats[] = {
        {".jsonl", "application/jsonlines"}, {".json", "application/json"}, {".csv", "text/csv"},
        {".yaml", "application/yaml"},       {".md", "text/markdown"},      {".tar", "application/x-tar"},
        {".tar.flac", "application/x-tar"}};

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t length = strlen(name), end = strlen(formats[i].end);

        if (length > end && strcmp(name + length - end, formats[i].end) == 0)
            return formats[i].format;
    }
    return "application/octet-stream";
}

static void write_file(struct vg_json *json, const struct vg_sum *sum, struct vg_arena *arena)
{
    vg_json_open(json, NULL, '{');
    vg_json_string(json, "@id", sum->name);
    vg_json_string(json, "@type", "cr:FileObject");
    vg_json_string(json, "contentSize", vg_arena_format(arena, "%llu B", (unsigned long long)sum->bytes));
    vg_json_string(json, "contentUrl", sum->name);
    vg_json_string(json, "encodingFormat", format_of(sum->name));
    vg_json_string(json, "name", sum->name);
    vg_json_string(json, "sha256", sum->sha256);
    vg_json_close(json, '}');
}

/* The FLAC files inside the shards. */
static void write_file_set(struct vg_json *json, const struct vg_about *about)
{
    vg_json_open(json, NULL, '{');
    vg_json_string(json, "@id", "flac-files");
    vg_json_string(json, "@type", "cr:FileSet");
    vg_json_open(json, "containedIn", '[');
    for (size_t i = 0; i < about->shard_count; i++)
        vg_croissant_reference(json, NULL, about->shards[i].name);
    vg_json_close(json, ']');
    vg_json_string(json, "encodingFormat", "audio/flac");
    vg_json_string(json, "includes", "*.flac");
    vg_json_string(json, "name", "flac-files");
    vg_json_close(json, '}');
}

static void write_distribution(struct vg_json *json, const struct vg_about *about, const struct vg_sum *sums,
                               size_t sum_count, struct vg_arena *arena)
{
    vg_json_open(json, "distribution", '[');
    for (size_t i = 0; i < sum_count; i++)
        write_file(json, &sums[i], arena);
    if (about->shard_count > 0)
        write_file_set(json, about);
    vg_json_close(json, ']');
}

/* ---- people, provenance, responsible use --------------------------------------------------------------- */

static void write_creators(struct vg_json *json, const struct vg_spec *spec)
{
    const struct vg_node *list = vg_card_node(spec, "creators");

    vg_json_open(json, "creator", '[');
    for (size_t i = 0; i < (list != NULL ? list->count : 1); i++) {
        vg_json_open(json, NULL, '{');
        vg_json_string(json, "@type", "Organization");
        vg_json_string(json, "name",
                       list != NULL ? list->entries[i].value->text : "the builder of this release");
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
}

static const char *known(const char *text, const char *otherwise)
{
    return text != NULL && text[0] != '\0' ? text : otherwise;
}

static void write_provenance(struct vg_json *json, const struct vg_story *story, struct vg_arena *arena)
{
    struct vg_tallies corpora = {0};
    const struct vg_about *about = story->about;

    for (size_t i = 0; i < story->source_count; i++)
        if (story->sources[i].skipped == NULL)
            vg_tally_add(&corpora, known(story->sources[i].source.corpus, "sounds made by the compiler"), 1,
                         arena);
    vg_json_open(json, "prov:wasDerivedFrom", '[');
    for (size_t i = 0; i < corpora.count; i++) {
        vg_json_open(json, NULL, '{');
        vg_json_string(json, "@type", "prov:Entity");
        vg_json_string(json, "prov:label",
                       vg_arena_format(arena, "%s: %zu recordings, listed in sources.csv", corpora.at[i].text,
                                       corpora.at[i].count));
        vg_json_close(json, '}');
    }
    vg_json_close(json, ']');
    vg_json_open(json, "prov:wasGeneratedBy", '{');
    vg_json_string(json, "@type", "prov:Activity");
    vg_json_string(json, "prov:label",
                   vg_arena_format(arena, "vocalgrad %s rendered spec.yaml with the engine %s; release id %s",
                                   about->tool_version, about->engine, about->release_id));
    vg_json_close(json, '}');
}

static void add_shares(struct vg_text *out, const char *what, const struct vg_tallies *tallies)
{
    vg_text_addf(out, " Sources by %s:", what);
    for (size_t i = 0; i < tallies->count; i++)
        vg_text_addf(out, "%s %s %zu", i == 0 ? "" : ",", tallies->at[i].text, tallies->at[i].count);
    vg_text_add_char(out, '.');
}

/* What the counts of the sources say, whoever wrote the words before it. */
static void write_biases(struct vg_json *json, const struct vg_story *story, struct vg_arena *arena)
{
    struct vg_tallies genders = {0}, locales = {0};
    struct vg_text text = {0};

    vg_text_add(&text, vg_card_text(story->spec, "biases", "Items inherit the balance of their sources."));
    for (size_t i = 0; i < story->source_count; i++) {
        const struct vg_source *source = &story->sources[i].source;

        if (story->sources[i].skipped != NULL)
            continue;
        vg_tally_add(&genders, known(source->gender, "not stated"), 1, arena);
        vg_tally_add(&locales, known(source->locale, "not stated"), 1, arena);
    }
    add_shares(&text, "gender", &genders);
    add_shares(&text, "locale", &locales);
    vg_json_string(json, "rai:dataBiases", vg_arena_text(arena, text.data));
    vg_text_release(&text);
}

static void write_limitations(struct vg_json *json, const struct vg_story *story, struct vg_arena *arena)
{
    struct vg_cell all = vg_summary_of(story->summary, NULL, NULL, NULL, NULL, NULL);

    vg_json_string(
        json, "rai:dataLimitations",
        vg_arena_format(
            arena,
            "%s Of %zu labels %zu are not confirmed by measuring the finished audio, %zu are below one "
            "just-noticeable difference and %zu were not measured; %zu items have clipped samples.",
            vg_card_text(story->spec, "limitations",
                         "Attributes are changed by signal processing, and others may move with them."),
            all.items, all.verdicts[VG_OPPOSED] + all.verdicts[VG_NO_CHANGE] + all.verdicts[VG_UNDECIDED],
            all.below_jnd, all.unmeasured, all.clipped));
}

static void write_responsible(struct vg_json *json, const struct vg_story *story, struct vg_arena *arena)
{
    const struct vg_spec *spec = story->spec;

    write_biases(json, story, arena);
    write_limitations(json, story, arena);
    vg_json_string(
        json, "rai:dataSocialImpact",
        vg_card_text(spec, "social_impact",
                     "Shows how well models hear gradual change in speech; says nothing of speakers."));
    vg_json_string(
        json, "rai:dataUseCases",
        vg_card_text(spec, "use_cases",
                     "Evaluating and training models that judge how an acoustic attribute of speech changes "
                     "over time. Not for identifying or profiling speakers."));
    vg_json_bool(json, "rai:hasSyntheticData", true); /* every item is rendered */
    vg_json_string(
        json, "rai:personalSensitiveInformation",
        vg_card_text(spec, "sensitive_information",
                     "Voices of the sources' speakers where the sources are recordings; speaker ids, gender "
                     "and locale as far as the corpora publish them. None is added."));
}

static const char *license_url(const char *license, struct vg_arena *arena)
{
    if (license == NULL)
        return "ATTRIBUTION.md";
    if (strstr(license, "://") != NULL)
        return license;
    if (strchr(license, ' ') != NULL) /* an expression of several */
        return "ATTRIBUTION.md";
    return vg_arena_format(arena, "https://spdx.org/licenses/%s", license);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

void vg_croissant_write(const struct vg_story *story, const struct vg_sum *sums, size_t sum_count,
                        struct vg_text *out)
{
    const struct vg_about *about = story->about;
    const char *citation = vg_card_text(story->spec, "citation", NULL);
    struct vg_arena arena = {0};
    struct vg_json json;

    vg_json_init(&json, out);
    vg_json_open(&json, NULL, '{');
    write_context(&json);
    vg_json_string(&json, "@type", "sc:Dataset");
    if (citation != NULL)
        vg_json_string(&json, "citeAs", citation);
    vg_json_open(&json, "conformsTo", '[');
    vg_json_string(&json, NULL, "http://mlcommons.org/croissant/1.1");
    vg_json_string(&json, NULL, "http://mlcommons.org/croissant/RAI/1.0");
    vg_json_close(&json, ']');
    write_creators(&json, story->spec);
    /* Required; of a release that nobody has dated none is made up, and `build` says that it is missing. */
    if (about->date != NULL)
        vg_json_string(&json, "datePublished", about->date);
    vg_json_string(&json, "description", known(about->description, about->name));
    write_distribution(&json, about, sums, sum_count, &arena);
    vg_json_bool(&json, "isLiveDataset", false);
    vg_json_open(&json, "keywords", '[');
    vg_json_string(&json, NULL, "speech");
    vg_json_string(&json, NULL, "acoustic attributes");
    vg_json_string(&json, NULL, "benchmark");
    vg_json_close(&json, ']');
    vg_json_string(&json, "license", license_url(about->license, &arena));
    vg_json_string(&json, "name", about->name);
    write_provenance(&json, story, &arena);
    write_responsible(&json, story, &arena);
    vg_croissant_records(&json, story, &arena);
    vg_json_string(&json, "url",
                   vg_card_text(story->spec, "homepage",
                                vg_arena_format(&arena, "urn:vocalgrad:%s", about->release_id)));
    vg_json_string(&json, "version", about->version);
    vg_json_close(&json, '}');
    vg_text_add_char(out, '\n');
    vg_arena_release(&arena);
}
