/* SPDX-License-Identifier: MIT */
/* Kind `vctk`: the VCTK corpus, 0.80 (wav48/pNNN/pNNN_NNN.wav) or 0.92 (wav48_silence_trimmed/..._micN.flac),
 * with txt/ and speaker-info.txt.  The recordings are what there is; a text may be missing (p315), a
 * microphone may be (p280, p315), and speaker-info is no real table: its columns are found by what they look
 * like. */
#include "kinds.h"
#include "speakers.h"

#include <string.h>

static const struct vg_key_rule vctk_keys[] = {
    VG_CORPUS_KEYS,
    {"version", VG_KEY_CHOICE, 0, 0, 0, "0.80|0.92", NULL, "of the corpus (0.92)"},
    {"mic", VG_KEY_CHOICE, 0, 0, 0, "1|2", NULL, "which microphone of 0.92 (1)"},
    {"speakers", VG_KEY_TEXTS, 0, 0, 0, NULL, NULL, "only these, as p225; else all"},
    {0},
};

struct listing {
    struct vg_corpus corpus;
    const char *base;            /* folder of it all below the root: "" or, in archives, "VCTK-Corpus" */
    const char *folder, *ending; /* of the recordings: "wav48_silence_trimmed", "_mic1.flac" */
    bool old;                    /* 0.80 */
    struct vg_speakers speakers;
};

/* ---- speaker-info.txt ---------------------------------------------------------------------------- */

/* Cut the next word out of the line; "" at its end. */
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, " \t");

    *line = word + strcspn(word, " \t");
    if (**line != '\0')
        *(*line)++ = '\0';
    return word;
}

/* ID, perhaps an age, then gender and accent, whatever blanks stand between them; version 0.80 leaves out the
 * "p" of the id.  False for the header and for blank lines. */
static bool read_speaker(char *line, struct vg_speaker *speaker, struct vg_arena *arena)
{
    char *id = next_word(&line), *word = next_word(&line);
    int64_t age;

    if (id[0] == '\0' || strcmp(id, "ID") == 0)
        return false;
    if (vg_integer_parse(word, &age))
        word = next_word(&line);
    speaker->id = vg_integer_parse(id, &age) ? vg_arena_format(arena, "p%s", id) : id;
    speaker->gender = strcmp(word, "M") == 0 || strcmp(word, "F") == 0 ? word : "";
    speaker->accent = speaker->gender[0] != '\0' ? next_word(&line) : "";
    return true;
}

static const char speaker_info[] = "speaker-info.txt";

/* The root holds the corpus, or the one folder that does. */
static int find_base(struct listing *l)
{
    char **names;
    size_t count;
    int rc;

    l->base = "";
    if (vg_tree_has(l->corpus.tree, speaker_info))
        return VG_OK;
    rc = vg_tree_list(l->corpus.tree, "", &names, &count, l->corpus.err);
    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        if (!vg_tree_has(l->corpus.tree, vg_tree_join(l->corpus.arena, names[i], speaker_info)))
            continue;
        if (l->base[0] != '\0')
            return vg_corpus_fail(&l->corpus, "", "holds VCTK in %s and in %s; say which is the root",
                                  l->base, names[i]);
        l->base = names[i];
    }
    return rc;
}

static int read_speakers(struct listing *l)
{
    const char *path = vg_tree_join(l->corpus.arena, l->base, speaker_info);
    struct vg_speaker speaker;
    char *text, *line;
    int rc = vg_corpus_text(&l->corpus, path, &text);

    while (rc == VG_OK && (line = vg_line_cut(&text)) != NULL)
        if (read_speaker(line, &speaker, l->corpus.arena))
            vg_speakers_add(&l->speakers, &speaker, l->corpus.arena);
    if (rc == VG_OK && l->speakers.count == 0)
        rc = vg_corpus_fail(&l->corpus, path, "names no speaker");
    return rc != VG_OK ? rc : vg_speakers_sort(&l->speakers, &l->corpus, path);
}

/* ---- recordings ---------------------------------------------------------------------------------- */

/* The words of a clip as its text file has them; "" with a remark where there are none. */
static const char *text_of(struct listing *l, const char *speaker, const char *clip, struct vg_source *source,
                           struct vg_row *row)
{
    struct vg_arena *arena = l->corpus.arena;
    char *path = vg_tree_join(arena, l->base, vg_arena_format(arena, "txt/%s/%s.txt", speaker, clip)), *text;
    size_t length;

    if (!vg_tree_has(l->corpus.tree, path)) {
        vg_row_remark(row, arena, "has no text");
        return "";
    }
    if (vg_tree_get(l->corpus.tree, path, &text, &length, l->corpus.err) != VG_OK)
        return "";
    if (strlen(text) < length || !vg_text_is_utf8(text, length)) {
        vg_source_fault(source, arena, "%s is not UTF-8 text", path);
        return "";
    }
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
    if (length == 0)
        vg_row_remark(row, arena, "has an empty text");
    else if (text[length - 1] == ')' && strchr(text, '(') == NULL)
        vg_row_remark(row, arena, "its text ends with a stray \")\"");
    return text;
}

static void describe(struct listing *l, struct vg_source *source, struct vg_row *row)
{
    const struct vg_speaker *speaker = vg_speakers_find(&l->speakers, source->speaker_id);

    if (speaker == NULL) {
        vg_row_remark(row, l->corpus.arena, "its speaker is not in speaker-info.txt");
        return;
    }
    source->gender = speaker->gender;
    row->accent = speaker->accent;
}

/* `clip` is there with this microphone, or only with the other one. */
static void add_clip(struct listing *l, const char *speaker, const char *clip, bool there)
{
    struct vg_arena *arena = l->corpus.arena;
    char *folder = vg_arena_format(arena, "%s/%s", l->folder, speaker), *path;
    struct vg_row *row;
    struct vg_source *source;

    path = vg_arena_format(arena, "%s/%s%s", folder, clip, l->ending);
    source = vg_corpus_add(&l->corpus, vg_tree_path(l->corpus.tree, path, arena), &row);
    source->clip_id = clip;
    source->id = clip;
    source->speaker_id = speaker;
    source->sentence_id = clip + strcspn(clip, "_") + (strchr(clip, '_') != NULL);
    source->locale = "en";
    row->version = l->old ? "0.80" : "0.92";
    row->path = path;
    if (!there)
        vg_source_fault(source, arena, "was not recorded with this microphone; choose the other with `mic`");
    describe(l, source, row);
    source->text = text_of(l, speaker, clip, source, row);
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_in(const char *name, char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static int list_speaker(struct listing *l, const char *speaker)
{
    struct vg_arena *arena = l->corpus.arena;
    const char *other = strcmp(l->ending, "_mic1.flac") == 0 ? "_mic2.flac" : "_mic1.flac";
    char **names;
    size_t count;
    int rc = vg_tree_list(l->corpus.tree, vg_arena_format(arena, "%s/%s", l->folder, speaker), &names, &count,
                          l->corpus.err);

    for (size_t i = 0; rc == VG_OK && i < count; i++) {
        bool mine = ends_with(names[i], l->ending), others = !l->old && ends_with(names[i], other);
        char *clip =
            vg_arena_text_part(arena, names[i], strlen(names[i]) - (mine || others ? strlen(l->ending) : 0));

        if (mine)
            add_clip(l, speaker, clip, true);
        else if (others && !is_in(vg_arena_format(arena, "%s%s", clip, l->ending), names, count))
            add_clip(l, speaker, clip, false);
        else if (!others) /* p376_295.raw in 0.80 */
            vg_warn(l->corpus.err, vg_tree_path(l->corpus.tree, l->folder, arena),
                    "%s/%s is no recording of VCTK %s and is left alone", speaker, names[i],
                    l->old ? "0.80" : "0.92");
    }
    return rc;
}

static int list_speakers(struct listing *l)
{
    const struct vg_node *asked = vg_node_find(l->corpus.entry, "speakers");
    char **names;
    size_t count;
    int rc;

    if (!vg_tree_has_folder(l->corpus.tree, l->folder))
        return vg_corpus_fail(&l->corpus, "",
                              "holds no folder %s; is it VCTK %s? The key `version` says which", l->folder,
                              l->old ? "0.80" : "0.92");
    rc = vg_tree_list(l->corpus.tree, l->folder, &names, &count, l->corpus.err);
    for (size_t i = 0; rc == VG_OK && asked != NULL && i < asked->count; i++)
        if (!is_in(asked->entries[i].value->text, names, count))
            rc = vg_node_fail(asked->entries[i].value, l->corpus.err, "there is no speaker %s in %s",
                              asked->entries[i].value->text, l->folder);
    for (size_t i = 0; rc == VG_OK && i < count; i++)
        if (vg_entry_lists(l->corpus.entry, "speakers", names[i]) &&
            vg_tree_has_folder(l->corpus.tree, vg_tree_join(l->corpus.arena, l->folder, names[i])))
            rc = list_speaker(l, names[i]);
    return rc;
}

static int list_vctk(const struct vg_spec *spec, const struct vg_spec_source *entry, size_t split,
                     struct vg_source_list *list, struct vg_arena *arena, struct vg_error *err)
{
    struct listing l = {0};
    int rc = vg_corpus_begin(&l.corpus, spec, entry, split, NULL, list, arena, err);

    l.old = strcmp(vg_node_text(entry->entry, "version", "0.92"), "0.80") == 0;
    l.folder = l.old ? "wav48" : "wav48_silence_trimmed";
    l.ending = l.old ? ".wav" : vg_arena_format(arena, "_mic%s.flac", vg_node_text(entry->entry, "mic", "1"));
    l.corpus.name = l.old ? "VCTK 0.80" : "VCTK 0.92";
    l.corpus.licence = l.old ? "ODC-By-1.0" : "CC-BY-4.0";
    if (rc == VG_OK)
        rc = find_base(&l);
    if (rc == VG_OK) {
        l.folder = vg_tree_join(arena, l.base, l.folder);
        rc = read_speakers(&l);
    }
    if (rc == VG_OK)
        rc = list_speakers(&l);
    return rc != VG_OK ? rc : vg_corpus_finish(&l.corpus);
}

const struct vg_source_kind vg_kind_vctk = {
    .words = {.name = "vctk", .keys = vctk_keys, .check = vg_select_check},
    .list = list_vctk,
    .load = vg_corpus_load,
    .recorded = true,
};
