/* SPDX-License-Identifier: MIT */
/* Kind `librispeech`: LibriSpeech,
 * SUBSET/SPEAKER/CHAPTER/{SPEAKER-CHAPTER-NNNN.flac,SPEAKER-CHAPTER.trans.txt} with SPEAKERS.TXT ("ID | SEX |
 * ...").  The transcripts say what there is: "ID words" on each line. */
#include "kinds.h"
#include "speakers.h"

#include <string.h>

static const struct vg_key_rule librispeech_keys[] = {
    VG_CORPUS_KEYS,
    {"subset", VG_KEY_TEXT, VG_REQUIRED, 1, 200, NULL, NULL,
     "folder of the subset: dev-clean, test-other, ..."},
    {0},
};

struct listing {
    struct vg_corpus corpus;
    const char *subset;
    struct vg_speakers speakers;
};

static void add_clip(struct listing *l, const char *folder, const char *speaker, char *line,
                     const char *place)
{
    const struct vg_speaker *known = vg_speakers_find(&l->speakers, speaker);
    struct vg_arena *arena = l->corpus.arena;
    struct vg_row *row;
    struct vg_source *source = vg_corpus_add(&l->corpus, place, &row);
    char *words = strchr(line, ' ');

    if (words == NULL)
        vg_source_fault(source, arena, "\"%s\" is no line of a transcript; expected an id, a blank, words",
                        line);
    else
        *words++ = '\0';
    source->clip_id = line;
    source->id = line;
    source->speaker_id = speaker;
    source->text = words != NULL ? words : "";
    source->gender = known != NULL ? known->gender : "";
    source->locale = "en";
    row->split = l->subset;
    vg_row_place(row, source, folder, vg_arena_format(arena, "%s.flac", line), arena);
}

static int list_transcript(struct listing *l, const char *folder, const char *speaker, const char *name)
{
    struct vg_arena *arena = l->corpus.arena;
    char *path = vg_tree_join(arena, folder, name), *text, *line;
    size_t number = 0;
    int rc = vg_corpus_text(&l->corpus, path, &text);

    while (rc == VG_OK && (line = vg_line_cut(&text)) != NULL) {
        number++;
        if (line[0] != '\0')
            add_clip(l, folder, speaker, line,
                     vg_arena_format(arena, "%s:%zu", vg_tree_path(l->corpus.tree, path, arena), number));
    }
    return rc;
}

static int list_chapter(struct listing *l, const char *folder, const char *speaker)
{
    static const char ending[] = ".trans.txt";
    char **names;
    size_t count, found = 0;
    int rc = vg_tree_list(l->corpus.tree, folder, &names, &count, l->corpus.err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        size_t length = strlen(names[i]), tail = sizeof ending - 1;

        if (length <= tail || strcmp(names[i] + length - tail, ending) != 0)
            continue;
        found++;
        rc = list_transcript(l, folder, speaker, names[i]);
    }
    if (rc == VG_OK && found == 0)
        rc = vg_corpus_fail(&l->corpus, folder, "holds no *%s", ending);
    return rc;
}

static int list_speaker(struct listing *l, const char *folder, const char *speaker)
{
    char **names;
    size_t count;
    int rc = vg_tree_list(l->corpus.tree, folder, &names, &count, l->corpus.err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        char *chapter = vg_tree_join(l->corpus.arena, folder, names[i]);

        if (vg_tree_has_folder(l->corpus.tree, chapter))
            rc = list_chapter(l, chapter, speaker);
    }
    return rc;
}

/* An archive of the corpus holds everything below LibriSpeech/; so may the root. */
static const char *base_of(struct listing *l)
{
    static const char inner[] = "LibriSpeech";

    return vg_tree_has_folder(l->corpus.tree, inner) ? inner : "";
}

static int list_subset(struct listing *l)
{
    struct vg_arena *arena = l->corpus.arena;
    const char *base = base_of(l);
    char *folder = vg_tree_join(arena, base, l->subset), **names;
    char *speakers = vg_tree_join(arena, base, "SPEAKERS.TXT");
    size_t count;
    int rc;

    if (!vg_tree_has_folder(l->corpus.tree, folder))
        return vg_corpus_fail(&l->corpus, "", "holds no subset %s", l->subset);
    rc = vg_speakers_read_bars(&l->speakers, &l->corpus, speakers);
    if (rc == VG_OK)
        rc = vg_tree_list(l->corpus.tree, folder, &names, &count, l->corpus.err);
    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        char *speaker = vg_tree_join(arena, folder, names[i]);

        if (vg_tree_has_folder(l->corpus.tree, speaker))
            rc = list_speaker(l, speaker, names[i]);
    }
    return rc;
}

static int list_librispeech(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                            struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct listing l = {.subset = vg_node_text(entry->entry, "subset", "")};
    int rc = vg_corpus_begin(&l.corpus, spec, entry, split, NULL, list, arena, err);

    l.corpus.name = "LibriSpeech";
    l.corpus.licence = "CC-BY-4.0";
    if (rc == VG_OK)
        rc = list_subset(&l);
    return rc != VG_OK ? rc : vg_corpus_finish(&l.corpus);
}

const struct vg_source_kind vg_kind_librispeech = {
    .words = {.name = "librispeech", .keys = librispeech_keys, .check = vg_select_check},
    .list = list_librispeech,
    .load = vg_corpus_load,
    .recorded = true,
};
