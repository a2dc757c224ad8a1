/* SPDX-License-Identifier: MIT */
/* Kind `mls`: Multilingual LibriSpeech, mls_LANGUAGE[_opus]/{train,dev,test}/ with transcripts.txt and
 * audio/SPEAKER/BOOK/SPEAKER_BOOK_NNNNNN.{flac,opus}, beside metainfo.txt ("SPEAKER | GENDER | ...").  The
 * transcripts say what there is: "ID<TAB>words" on each line. */
#include "kinds.h"
#include "speakers.h"

#include <string.h>

static const struct vg_key_rule mls_keys[] = {
    VG_CORPUS_KEYS,
    {"table", VG_KEY_CHOICE, 0, 0, 0, "train|dev|test", NULL, "split of the corpus (test)"},
    {"locale", VG_KEY_TEXT, 0, 0, 100, NULL, NULL, "language of the corpus"},
    {0},
};

struct listing {
    struct vg_corpus corpus;
    const char *split, *ending; /* ".flac", ".opus" */
    struct vg_speakers speakers;
};

/* SPEAKER_BOOK_NNNNNN, a tab, words. */
static void add_clip(struct listing *l, char *line, const char *place)
{
    struct vg_arena *arena = l->corpus.arena;
    const struct vg_speaker *known;
    struct vg_row *row;
    struct vg_source *source = vg_corpus_add(&l->corpus, place, &row);
    char *words = strchr(line, '\t');
    size_t speaker = strcspn(line, "_"), book = line[speaker] == '_' ? strcspn(line + speaker + 1, "_\t") : 0;

    if (words == NULL || book == 0 || line[speaker + 1 + book] != '_') {
        vg_source_fault(source, arena,
                        "\"%.40s\" is no line of a transcript; expected SPEAKER_BOOK_NUMBER, a tab, words",
                        line);
        return;
    }
    *words++ = '\0';
    source->clip_id = line;
    source->id = line;
    source->text = words;
    source->speaker_id = vg_arena_text_part(arena, line, speaker);
    source->locale = vg_node_text(l->corpus.entry, "locale", "");
    known = vg_speakers_find(&l->speakers, source->speaker_id);
    source->gender = known != NULL ? known->gender : "";
    row->split = l->split;
    vg_row_place(row, source, vg_arena_format(arena, "%s/audio", l->split),
                 vg_arena_format(arena, "%s/%.*s/%s%s", source->speaker_id, (int)book, line + speaker + 1,
                                 line, l->ending),
                 arena);
}

static int list_transcripts(struct listing *l)
{
    struct vg_arena *arena = l->corpus.arena;
    char *path = vg_arena_format(arena, "%s/transcripts.txt", l->split), *text, *line;
    size_t number = 0;
    int rc = vg_corpus_text(&l->corpus, path, &text);

    while (rc == VG_OK && (line = vg_line_cut(&text)) != NULL) {
        number++;
        if (line[0] != '\0')
            add_clip(l, line,
                     vg_arena_format(arena, "%s:%zu", vg_tree_path(l->corpus.tree, path, arena), number));
    }
    return rc;
}

static int list_mls(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                    struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct listing l = {.split = vg_node_text(entry->entry, "table", "test")};
    int rc = vg_corpus_begin(&l.corpus, spec, entry, split, NULL, list, arena, err);

    l.corpus.name = "Multilingual LibriSpeech";
    l.corpus.licence = "CC-BY-4.0";
    if (rc == VG_OK) {
        const char *root = vg_path_name(l.corpus.tree->root);

        l.ending = strlen(root) > 5 && strcmp(root + strlen(root) - 5, "_opus") == 0 ? ".opus" : ".flac";
        rc = vg_speakers_read_bars(&l.speakers, &l.corpus, "metainfo.txt");
    }
    if (rc == VG_OK)
        rc = list_transcripts(&l);
    return rc != VG_OK ? rc : vg_corpus_finish(&l.corpus);
}

const struct vg_source_kind vg_kind_mls = {
    .words = {.name = "mls", .keys = mls_keys, .check = vg_select_check},
    .list = list_mls,
    .load = vg_corpus_load,
    .recorded = true,
};
