/* SPDX-License-Identifier: MIT */
/* Lists of speakers: read once, sorted, found by halving. */
#include "speakers.h"

#include <stdlib.h>
#include <string.h>

int vg_corpus_text(struct vg_corpus *corpus, const char *path, char **text)
{
    size_t count;
    int rc = vg_tree_get(corpus->tree, path, text, &count, corpus->err);

    if (rc == VG_OK && (strlen(*text) < count || !vg_text_is_utf8(*text, count)))
        rc = vg_corpus_fail(corpus, path, "is not UTF-8 text");
    return rc;
}

char *vg_line_cut(char **text)
{
    char *line = *text, *end;

    if (line == NULL || *line == '\0')
        return NULL;
    end = strchr(line, '\n');
    *text = end != NULL ? end + 1 : NULL;
    if (end != NULL)
        *end = '\0';
    end = line + strlen(line);
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

void vg_speakers_add(struct vg_speakers *speakers, const struct vg_speaker *speaker, struct vg_arena *arena)
{
    if (speakers->count == speakers->room) {
        struct vg_speaker *at;

        speakers->room = 2 * speakers->room + 128;
        at = vg_arena_take(arena, speakers->room, sizeof *at);
        if (speakers->count > 0)
            memcpy(at, speakers->at, speakers->count * sizeof *at);
        speakers->at = at;
    }
    speakers->at[speakers->count++] = *speaker;
}

static int compare_speakers(const void *a, const void *b)
{
    const struct vg_speaker *x = a, *y = b;
    int order = strcmp(x->id, y->id);

    if (order == 0)
        order = strcmp(x->gender, y->gender);
    return order != 0 ? order : strcmp(x->accent, y->accent);
}

int vg_speakers_sort(struct vg_speakers *speakers, struct vg_corpus *corpus, const char *path)
{
    struct vg_speaker *at = speakers->at;
    size_t kept = 0;

    /* Equals cannot be told apart, and one is kept. */
    if (speakers->count > 0)
        qsort(at, speakers->count, sizeof *at, compare_speakers); /* equals are the same */
    for (size_t i = 0; i < speakers->count; i++) {
        bool again = kept > 0 && strcmp(at[i].id, at[kept - 1].id) == 0;

        if (again && strcmp(at[i].gender, at[kept - 1].gender) != 0)
            return vg_corpus_fail(corpus, path, "speaker %s is \"%s\" and \"%s\"", at[i].id,
                                  at[kept - 1].gender, at[i].gender);
        if (!again)
            at[kept++] = at[i];
    }
    speakers->count = kept;
    return VG_OK;
}

static int compare_id(const void *id, const void *speaker)
{
    return strcmp(id, ((const struct vg_speaker *)speaker)->id);
}

const struct vg_speaker *vg_speakers_find(const struct vg_speakers *speakers, const char *id)
{
    if (speakers->count == 0)
        return NULL;
    return bsearch(id, speakers->at, speakers->count, sizeof *speakers->at, compare_id);
}

/* Cut off what stands before the next bar, without the blanks around it. */
static char *cut_field(char **line)
{
    char *field = *line + strspn(*line, " \t"), *bar = strchr(field, '|');
    size_t length;

    *line = bar != NULL ? bar + 1 : field + strlen(field);
    if (bar != NULL)
        *bar = '\0';
    length = strlen(field);
    while (length > 0 && (field[length - 1] == ' ' || field[length - 1] == '\t'))
        field[--length] = '\0';
    return field;
}

int vg_speakers_read_bars(struct vg_speakers *speakers, struct vg_corpus *corpus, const char *path)
{
    char *text, *line;
    int rc;

    if (!vg_tree_has(corpus->tree, path))
        return VG_OK;
    rc = vg_corpus_text(corpus, path, &text);
    while (rc == VG_OK && (line = vg_line_cut(&text)) != NULL) {
        struct vg_speaker speaker = {.accent = ""};

        if (line[0] == ';' || strchr(line, '|') == NULL)
            continue;
        speaker.id = cut_field(&line);
        speaker.gender = cut_field(&line);
        vg_speakers_add(speakers, &speaker, corpus->arena);
    }
    return rc != VG_OK ? rc : vg_speakers_sort(speakers, corpus, path);
}
