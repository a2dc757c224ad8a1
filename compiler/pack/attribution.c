/* SPDX-License-Identifier: MIT */
/* ATTRIBUTION.md: credits and licences of the sources, counted per corpus and licence. */
#include "inside.h"

#include <string.h>

/* Credit lines that the licences or the corpora's authors ask for, by the beginning of the corpus's name. */
static const struct {
    const char *corpus, *credit;
} credits[] = {
    {"VCTK", "CSTR VCTK Corpus (Yamagishi, Veaux, MacDonald; The Centre for Speech Technology Research, "
             "University of "
             "Edinburgh), CC BY 4.0, https://doi.org/10.7488/ds/2645. The recordings were modified."},
    {"Common Voice", "Mozilla Common Voice, https://commonvoice.mozilla.org, CC0 1.0."},
    {"Loquacious",
     "Loquacious Set (SpeechBrain), https://huggingface.co/datasets/speechbrain/LoquaciousSet; licence "
     "per part, see the column licence of sources.csv. The recordings were modified."},
    {"LibriSpeech",
     "LibriSpeech ASR corpus (Panayotov, Chen, Povey, Khudanpur), CC BY 4.0, https://www.openslr.org/12. "
     "The recordings were modified."},
    {"MLS", "Multilingual LibriSpeech (Pratap, Xu, Sriram, Synnaeve, Collobert), CC BY 4.0, "
            "https://www.openslr.org/94. The recordings were modified."},
};

static const char *credit_of(const char *corpus)
{
    for (size_t i = 0; i < sizeof credits / sizeof *credits; i++)
        if (strncmp(corpus, credits[i].corpus, strlen(credits[i].corpus)) == 0)
            return credits[i].credit;
    return NULL;
}

static const char *or_unstated(const char *text, const char *otherwise)
{
    return text != NULL && text[0] != '\0' ? text : otherwise;
}

/* "corpus\nlicence" of a source, for counting. */
static const char *pair_of(const struct vg_source_row *row, struct vg_arena *arena)
{
    return vg_arena_format(arena, "%s\n%s", or_unstated(row->source.corpus, "made by the compiler"),
                           or_unstated(row->source.licence, "as the release"));
}

static void count_pairs(const struct vg_story *story, struct vg_tallies *pairs, struct vg_tallies *corpora,
                        struct vg_arena *arena)
{
    for (size_t i = 0; i < story->source_count; i++) {
        const struct vg_source_row *row = &story->sources[i];

        if (row->skipped != NULL)
            continue;
        vg_tally_add(pairs, pair_of(row, arena), 1, arena);
        vg_tally_add(corpora, or_unstated(row->source.corpus, "made by the compiler"), 1, arena);
    }
}

static void add_cell(struct vg_text *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        vg_text_add_char(out, text[i] == '|' || (unsigned char)text[i] < ' ' ? ' ' : text[i]);
}

/* How many recordings of which corpus under which licence, then the credits that are asked for. */
void vg_attribution_table(const struct vg_story *story, struct vg_text *out)
{
    struct vg_arena arena = {0};
    struct vg_tallies pairs = {0}, corpora = {0};

    count_pairs(story, &pairs, &corpora, &arena);
    vg_text_add(out, "| corpus | licence | recordings |\n|---|---|---:|\n");
    for (size_t i = 0; i < pairs.count; i++) {
        const char *text = pairs.at[i].text, *licence = strchr(text, '\n') + 1;

        vg_text_add(out, "| ");
        add_cell(out, text, (size_t)(licence - 1 - text));
        vg_text_add(out, " | ");
        add_cell(out, licence, strlen(licence));
        vg_text_addf(out, " | %zu |\n", pairs.at[i].count);
    }
    vg_text_add_char(out, '\n');
    for (size_t i = 0; i < corpora.count; i++)
        if (credit_of(corpora.at[i].text) != NULL)
            vg_text_addf(out, "- %s\n", credit_of(corpora.at[i].text));
    vg_arena_release(&arena);
}

void vg_attribution_write(const struct vg_story *story, struct vg_text *out)
{
    vg_text_addf(
        out,
        "# Attribution\n\n%s %s is published under: %s.\nIt was made from the following sources; each "
        "recording with its licence is a row of `sources.csv`.\n\n",
        story->about->name, story->about->version, or_unstated(story->about->license, "see below"));
    vg_attribution_table(story, out);
}
