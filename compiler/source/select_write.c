/* SPDX-License-Identifier: MIT */
/* What was chosen: a frozen table, whose rows pin file and samples by digest, and a report for people.  Both
 * are sorted by id and name no folder, so that they are the same wherever the corpus lies. */
#include "corpus.h"
#include "pattern.h"
#include "select.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS_DECIMALS = 6 };

static const char table_header[] =
    "source_item_id,clip_id,speaker_id,sentence_id,audio_duration_sec,audio_path,text,source_split,"
    "onset_detected,onset_sec,offset_sec,speech_duration_sec,gender,locale,accent,quality_tags,licence,"
    "corpus,"
    "corpus_version,row,file_xxh128,audio_xxh128,decoder\n";

/* ---- the table ------------------------------------------------------------------------------------ */

struct picked {
    const struct vg_candidate *candidate;
    size_t number, of_speaker; /* from 1 */
};

static int compare_picked(const void *a, const void *b)
{
    const struct picked *x = a, *y = b;

    return strcmp(x->candidate->source->id, y->candidate->source->id);
}

/* The chosen in the order of their ids, numbered. */
static struct picked *sort_picks(const struct vg_choice *choice)
{
    size_t count = choice->pick_count;
    struct picked *picked = vg_arena_take_zero(choice->arena, count + 1, sizeof *picked);
    size_t *clips = vg_arena_take_zero(choice->arena, choice->list.count, sizeof *clips);

    for (size_t i = 0; i < count; i++)
        picked[i].candidate = &choice->at[choice->picks[i]];
    qsort(picked, count, sizeof *picked, compare_picked); /* no equals: ids are unique */
    for (size_t i = 0; i < count; i++) {
        picked[i].number = i + 1;
        picked[i].of_speaker = ++clips[picked[i].candidate->speaker_number];
    }
    return picked;
}

static char *id_of(const struct vg_choice *choice, const struct picked *picked)
{
    const struct vg_source *source = picked->candidate->source;
    struct vg_pattern_value values[] = {{"clip", 0, source->clip_id},
                                        {"speaker", 0, source->speaker_id},
                                        {"locale", 0, source->locale},
                                        {"n", (double)picked->number, NULL},
                                        {"k", (double)picked->of_speaker, NULL}};

    return vg_pattern_fill(choice->rules.id, values, sizeof values / sizeof *values, choice->arena);
}

static void add_seconds(struct vg_text *out, double sec)
{
    vg_text_add_char(out, ',');
    vg_text_add_fixed(out, sec, SECONDS_DECIMALS);
}

static void add_text(struct vg_text *out, const char *text)
{
    vg_text_add_char(out, ',');
    vg_text_add_csv(out, text);
}

static double duration_of(const struct vg_candidate *candidate)
{
    return (double)candidate->facts.frames / candidate->facts.rate_hz;
}

static double speech_of(const struct vg_candidate *candidate)
{
    return candidate->facts.offset_sec - candidate->facts.onset_sec;
}

static void add_row(const struct vg_choice *choice, const struct picked *picked, struct vg_text *out)
{
    const struct vg_candidate *candidate = picked->candidate;
    const struct vg_source *source = candidate->source;
    const struct vg_source_facts *facts = &candidate->facts;
    const struct vg_row *row = source->detail;

    vg_text_add_csv(out, id_of(choice, picked));
    add_text(out, source->clip_id);
    add_text(out, source->speaker_id);
    add_text(out, source->sentence_id);
    add_seconds(out, duration_of(candidate));
    add_text(out, row->path);
    add_text(out, source->text);
    add_text(out, row->split);
    vg_text_add(out, facts->detected ? ",True" : ",");
    add_seconds(out, facts->onset_sec);
    add_seconds(out, facts->offset_sec);
    add_seconds(out, speech_of(candidate));
    for (enum vg_trait trait = VG_TRAIT_GENDER; trait <= VG_TRAIT_ACCENT; trait++)
        add_text(out, vg_trait_of(candidate, trait));
    add_text(out, row->tags);
    add_text(out, source->licence);
    add_text(out, source->corpus);
    add_text(out, row->version);
    vg_text_addf(out, ",%zu", row->rank);
    add_text(out, facts->file_xxh128);
    add_text(out, facts->audio_xxh128);
    add_text(out, facts->decoder);
    vg_text_add_char(out, '\n');
}

static void write_table(struct vg_choice *choice, struct vg_text *out)
{
    const struct picked *picked = sort_picks(choice);

    vg_text_add(out, table_header);
    for (size_t i = 0; i < choice->pick_count; i++)
        add_row(choice, &picked[i], out);
}

/* ---- the report ----------------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every different text and how often it stands there. */
static void add_counts(const char **texts, size_t count, struct vg_text *out)
{
    if (count > 0)
        qsort(texts, count, sizeof *texts, compare_texts); /* equals are counted */
    for (size_t i = 0; i < count;) {
        size_t same = i;

        while (same < count && strcmp(texts[same], texts[i]) == 0)
            same++;
        vg_text_addf(out, "%8zu  %s\n", same - i, texts[i][0] != '\0' ? texts[i] : "(unknown)");
        i = same;
    }
}

static void add_trait(const struct vg_choice *choice, enum vg_trait trait, struct vg_text *out)
{
    const char **texts = vg_arena_take(choice->arena, choice->pick_count + 1, sizeof *texts);

    for (size_t i = 0; i < choice->pick_count; i++) {
        const struct vg_candidate *candidate = &choice->at[choice->picks[i]];

        texts[i] = trait == VG_TRAIT_SPEAKER ? candidate->source->speaker_id : vg_trait_of(candidate, trait);
    }
    vg_text_addf(out, "\nchosen by %s\n", vg_trait_names[trait]);
    add_counts(texts, choice->pick_count, out);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void add_length(struct vg_text *out, const char *name, double sec)
{
    vg_text_addf(out, "%10s  ", name);
    vg_text_add_fixed(out, sec, 3);
    vg_text_add_char(out, '\n');
}

static void add_lengths(const struct vg_choice *choice, const char *what,
                        double (*of)(const struct vg_candidate *), struct vg_text *out)
{
    size_t count = choice->pick_count;
    double *sec = vg_arena_take(choice->arena, count + 1, sizeof *sec), sum = 0;

    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        sec[i] = of(&choice->at[choice->picks[i]]);
    qsort(sec, count, sizeof *sec, compare_numbers); /* equals cannot be told apart */
    for (size_t i = 0; i < count; i++)
        sum += sec[i];
    vg_text_addf(out, "\n%s, seconds\n", what);
    add_length(out, "shortest", sec[0]);
    add_length(out, "median", sec[count / 2]);
    add_length(out, "longest", sec[count - 1]);
    add_length(out, "all", sum);
}

static void add_left_out(const struct vg_choice *choice, struct vg_text *out)
{
    const char **texts = vg_arena_take(choice->arena, choice->list.count + 1, sizeof *texts);
    size_t count = 0, told = 0;

    for (size_t i = 0; i < choice->list.count; i++)
        if (choice->at[i].out != NULL)
            texts[count++] = choice->at[i].out;
    vg_text_add(out, "\nleft out\n");
    add_counts(texts, count, out);
    vg_text_addf(out, "%8zu  not needed\n", choice->list.count - count - choice->pick_count);
    for (size_t i = 0; i < choice->list.count; i++) {
        const struct vg_candidate *candidate = &choice->at[i];

        if (candidate->why == NULL)
            continue;
        if (told++ == 0)
            vg_text_add(out, "\nbad\n");
        vg_text_addf(out, "  %s: %s\n", candidate->source->id[0] != '\0' ? candidate->source->id : "(no id)",
                     candidate->why);
    }
}

static void write_report(const struct vg_choice *choice, struct vg_text *out)
{
    vg_text_addf(out, "%s %s, split %s: %zu of %zu recordings, seed %s\n", choice->spec->name,
                 choice->spec->version, choice->split, choice->pick_count, choice->list.count,
                 choice->rules.seed);
    for (enum vg_trait trait = 0; trait < VG_TRAITS; trait++)
        add_trait(choice, trait, out);
    add_lengths(choice, "recordings", duration_of, out);
    add_lengths(choice, "speech", speech_of, out);
    add_left_out(choice, out);
}

/* ---- both ----------------------------------------------------------------------------------------- */

static int fail_few(const struct vg_choice *choice, struct vg_error *err)
{
    const struct vg_node *map = choice->rules.map;
    size_t speakers = 0;
    bool *seen = vg_arena_take_zero(choice->arena, choice->list.count, sizeof *seen);

    for (size_t i = 0; i < choice->pick_count; i++) {
        bool *one = &seen[choice->at[choice->picks[i]].speaker_number];

        speakers += !*one;
        *one = true;
    }
    return vg_fail(
        err, VG_SOURCE, vg_arena_format(choice->arena, "%s:%u:%u", map->file, map->line, map->column),
        "the corpus has only %zu clips of %zu speakers that fit the rules, %zu clips%s are asked for; "
        "the report says why the others do not",
        choice->pick_count, speakers, choice->rules.count,
        choice->rules.speakers > 0
            ? vg_arena_format(choice->arena, " of %zu speakers", choice->rules.speakers)
            : "");
}

/* The pattern of the ids must tell the chosen apart. */
static int check_ids(const struct vg_choice *choice, struct vg_error *err)
{
    const struct picked *picked = sort_picks(choice);
    const char **ids = vg_arena_take(choice->arena, choice->pick_count + 1, sizeof *ids);

    for (size_t i = 0; i < choice->pick_count; i++)
        ids[i] = id_of(choice, &picked[i]);
    qsort(ids, choice->pick_count, sizeof *ids, compare_texts); /* equals are refused */
    for (size_t i = 1; i < choice->pick_count; i++)
        if (strcmp(ids[i], ids[i - 1]) == 0)
            return vg_node_fail(vg_node_find(choice->rules.map, "id"), err,
                                "two clips get the id %s; put {clip} or {n} into it", ids[i]);
    return VG_OK;
}

int vg_choice_write(struct vg_choice *choice, struct vg_text *table, struct vg_text *report,
                    struct vg_error *err)
{
    write_report(choice, report);
    if (choice->pick_count < choice->rules.count)
        return fail_few(choice, err);
    write_table(choice, table);
    return check_ids(choice, err);
}
