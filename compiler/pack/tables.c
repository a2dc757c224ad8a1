/* SPDX-License-Identifier: MIT */
/* Rows of metadata.csv, labels.csv and sources.csv.  Texts are quoted wherever a careless reader could take
 * them for something else; numbers stand bare. */
#include "pack.h"

#include <string.h>

/* recipe.md "Public metadata".  file_name is the member's name in its shard: what unpacking renames. */
const char vg_metadata_header[] =
    "file_name,category,benchmark_clip_id,source_text,attribute,prompt,label,direction,"
    "curve,tier,source_clip_id,speaker_id,sentence_id,duration_sec,onset_sec,"
    "offset_sec,split\n";

const char vg_labels_header[] =
    "key,id,split,category,label,verdict,below_jnd,net,unit,net_jnd,rank,segments,"
    "blind_verdict,blind_net,blind_unit,blind_rank,excluded\n";

const char vg_sources_header[] =
    "id,clip_id,split,speaker_id,sentence_id,text,gender,locale,corpus,licence,"
    "file_xxh128,audio_xxh128,sample_rate_hz,channels,frames,duration_sec,onset_sec,"
    "offset_sec,span_by,clipped_samples,decoder,note,skipped\n";

enum { SECONDS_DECIMALS = 6 };

static void add_texts(struct vg_text *out, const char *const *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            vg_text_add_char(out, ',');
        vg_text_add_csv(out, fields[i] != NULL ? fields[i] : "");
    }
}

static void add_seconds(struct vg_text *out, double seconds)
{
    vg_text_add_char(out, ',');
    vg_text_add_fixed(out, seconds, SECONDS_DECIMALS);
}

void vg_record_metadata(const struct vg_record *record, struct vg_text *out)
{
    struct vg_text name = {0};

    vg_text_addf(&name, "%s.flac", record->key);
    vg_record_metadata_as(record, name.data, out);
    vg_text_release(&name);
}

void vg_record_metadata_as(const struct vg_record *record, const char *file_name, struct vg_text *out)
{
    double rate = record->rate_hz > 0 ? record->rate_hz : 1;
    const char *texts[] = {file_name,           record->category,       record->id,
                           record->source_text, record->attribute,      record->prompt,
                           record->label,       record->direction,      record->curve,
                           record->tier,        record->source_clip_id, record->speaker_id,
                           record->sentence_id};

    add_texts(out, texts, sizeof texts / sizeof *texts);
    add_seconds(out, (double)record->frames / rate);
    add_seconds(out, (double)record->onset / rate);
    add_seconds(out, (double)record->offset / rate);
    vg_text_add_char(out, ',');
    vg_text_add_csv(out, record->split);
    vg_text_add_char(out, '\n');
}

/* A number that was measured, or nothing. */
static void add_measured(struct vg_text *out, double value, bool measured)
{
    vg_text_add_char(out, ',');
    if (measured && value == value && value - value == 0)
        vg_text_add_double(out, value);
}

static void add_unit(struct vg_text *out, const char *unit)
{
    vg_text_add_char(out, ',');
    vg_text_add_csv(out, unit);
}

/* The measures of the item's own category; all nine are in the manifest. */
static void add_evidence(struct vg_text *out, const struct vg_record *record)
{
    enum vg_quantity own = vg_quantity_of(record->category);
    bool measured = record->measured && own < VG_QUANTITIES;
    size_t at = measured ? own : 0;
    const struct vg_evidence *paired = &record->paired[at], *blind = &record->blind[at];
    int claimed = strcmp(record->direction, vg_direction_names[VG_UP]) == 0 ? 1 : -1;

    add_measured(out, paired->net, measured);
    add_unit(out, measured ? vg_measures[at].unit : "");
    add_measured(out, paired->net_jnd, measured);
    add_measured(out, paired->rank, measured);
    vg_text_addf(out, ",%zu,", measured ? paired->segments : 0);
    vg_text_add_csv(out, measured ? vg_verdict_names[vg_verdict_of(blind, claimed)] : "");
    add_measured(out, blind->net, measured);
    add_unit(out, measured ? vg_measures[at].unit_blind : "");
    add_measured(out, blind->rank, measured);
}

void vg_record_labels(const struct vg_record *record, struct vg_text *out)
{
    const char *texts[] = {record->key,
                           record->id,
                           record->split,
                           record->category,
                           record->label,
                           record->measured ? vg_verdict_names[record->verdict] : "",
                           !record->measured   ? ""
                           : record->below_jnd ? "yes"
                                               : "no"};

    add_texts(out, texts, sizeof texts / sizeof *texts);
    add_evidence(out, record);
    vg_text_add_char(out, ',');
    vg_text_add_csv(out, record->excluded != NULL ? record->excluded : "");
    vg_text_add_char(out, '\n');
}

/* Who said where the speech is. */
static const char *span_by(const struct vg_source_facts *facts)
{
    if (!facts->detected)
        return "table";
    return facts->span_found ? "detector" : "none";
}

void vg_source_row_add(const struct vg_source_row *row, struct vg_text *out)
{
    const struct vg_source *source = &row->source;
    const struct vg_source_facts *facts = &row->facts;
    bool decoded = facts->rate_hz > 0;
    double rate = decoded ? facts->rate_hz : 1;
    const char *texts[] = {source->id,          source->clip_id, row->split,         source->speaker_id,
                           source->sentence_id, source->text,    source->gender,     source->locale,
                           source->corpus,      source->licence, facts->file_xxh128, facts->audio_xxh128};
    const char *ends[] = {decoded ? span_by(facts) : ""};

    add_texts(out, texts, sizeof texts / sizeof *texts);
    if (decoded) {
        vg_text_addf(out, ",%lu,%u,%zu", (unsigned long)facts->rate_hz, facts->channels, facts->frames);
        add_seconds(out, (double)facts->frames / rate);
        add_seconds(out, facts->onset_sec);
        add_seconds(out, facts->offset_sec);
    } else {
        vg_text_add(out, ",,,,,,");
    }
    vg_text_add_char(out, ',');
    add_texts(out, ends, 1);
    vg_text_addf(out, ",%zu,", facts->clipped);
    add_texts(out, (const char *const[]){facts->decoder, facts->note, row->skipped}, 3);
    vg_text_add_char(out, '\n');
}
