/* SPDX-License-Identifier: MIT */
/* The kinds of source there are, and what is the same for all of them: listing an entry of the spec,
 * and, once a kind has given its samples, their digest and the speech span. */
#include "kinds.h"
#include "corpus.h"
#include "packed.h"

#include <string.h>

const struct vg_source_kind *const vg_source_kinds[] = {
    &vg_kind_tone,  &vg_kind_voice,       &vg_kind_harmonic,    &vg_kind_noise,       &vg_kind_chirp,
    &vg_kind_table, &vg_kind_pack,        &vg_kind_commonvoice, &vg_kind_spontaneous, &vg_kind_loquacious,
    &vg_kind_vctk,  &vg_kind_librispeech, &vg_kind_mls,         &vg_kind_generic,
};
const size_t vg_source_kind_count = sizeof vg_source_kinds / sizeof vg_source_kinds[0];

/* The pack that stands in for all that the entries name; NULL: each is read where it says. */
static const struct vg_node *pack_of(const struct vg_spec *spec)
{
    return vg_node_find(spec->root, "source_pack");
}

const struct vg_source_kind *vg_kind_of(const struct vg_spec_source *entry)
{
    const struct vg_source_kind *kind = NULL;

    for (size_t i = 0; i < vg_source_kind_count && kind == NULL; i++)
        if (strcmp(vg_source_kinds[i]->words.name, entry->words->name) == 0)
            kind = vg_source_kinds[i];
    vg_check(kind != NULL); /* the spec's check let it through */
    return kind;
}

struct vg_source *vg_source_add(struct vg_source_list *list, const struct vg_spec_source *entry, size_t split,
                                struct vg_arena *arena)
{
    const struct vg_node *node = entry->entry;

    if (list->count == list->room) {
        size_t room = list->room > 0 ? 2 * list->room : 64;
        struct vg_source *at = vg_arena_take(arena, room, sizeof *at);

        if (list->count > 0)
            memcpy(at, list->at, list->count * sizeof *at);
        list->at = at;
        list->room = room;
    }
    list->at[list->count] = (struct vg_source){
        .id = "",
        .clip_id = "",
        .speaker_id = "",
        .sentence_id = "",
        .text = "",
        .gender = "",
        .locale = "",
        .licence = "",
        .corpus = "",
        .pin = {"", "", ""},
        .place = vg_arena_format(arena, "%s:%u:%u", node->file, node->line, node->column),
        .split = split,
        .origin = entry,
    };
    return &list->at[list->count++];
}

int vg_sources_list(const struct vg_spec *spec, struct vg_source_list *list, struct vg_arena *arena,
                    struct vg_error *err)
{
    int first = VG_OK;

    if (pack_of(spec) != NULL)
        return vg_pack_list_all(spec, vg_node_path(pack_of(spec), arena), list, arena, err);
    for (size_t s = 0; s < spec->split_count; s++) {
        const struct vg_spec_split *split = &spec->splits[s];

        for (size_t i = 0; i < split->source_count; i++) {
            const struct vg_spec_source *entry = &split->sources[i];
            int rc = vg_kind_of(entry)->list(spec, entry, s, list, arena, err);

            if (first == VG_OK)
                first = rc;
        }
    }
    return first;
}

int vg_source_load(const struct vg_spec *spec, const struct vg_source *source, struct vg_loaded *loaded,
                   struct vg_arena *arena, struct vg_error *err)
{
    const struct vg_source_kind *kind = pack_of(spec) != NULL ? &vg_kind_pack : vg_kind_of(source->origin);
    int rc;

    if (source->left_out != NULL)
        return vg_fail(err, VG_SOURCE, source->place, "%s", source->left_out);
    *loaded =
        (struct vg_loaded){.path = source->id, .facts = {.decoder = "", .note = "", .span_found = true}};
    rc = kind->load(spec, source, loaded, arena, err);
    if (rc == VG_OK)
        rc = vg_pin_check(spec, kind, source, loaded, err);
    if (rc != VG_OK)
        return rc;
    vg_source_convert_rate(source, loaded, arena);
    if (loaded->clip.frames == 0)
        return vg_fail(err, VG_SOURCE, source->place, "%s has no samples", source->id);
    vg_digest_of_samples(VG_XXH128, loaded->clip.samples, loaded->clip.frames, loaded->facts.audio_xxh128);
    if (!kind->complete)
        return vg_source_find_span(spec, source, loaded, arena, err);
    loaded->span = vg_span_of(loaded->facts.onset_sec, loaded->facts.offset_sec, loaded->clip.rate_hz,
                              loaded->clip.frames);
    return VG_OK;
}

/* The sentence without the root, where a path begins with it: not the "c" of "cannot" for a root of that
 * name. */
static void add_without(struct vg_text *text, const char *sentence, const char *root)
{
    size_t length = strlen(root);

    for (const char *at = sentence; *at != '\0';) {
        bool begins = length > 0 && (at == sentence || strchr(" \"'(", at[-1]) != NULL);
        bool is = begins && strncmp(at, root, length) == 0;

        if (is && at[length] == '/')
            at += length + 1;
        else if (is && root[0] == '/' && strchr(" :;,)\"'", at[length]) != NULL) /* or its end */
            at += length;
        else
            vg_text_add_char(text, *at++);
    }
}

char *vg_source_reason(const struct vg_spec *spec, const struct vg_source *source, const char *sentence,
                       struct vg_arena *arena)
{
    const struct vg_row *row = source->detail;
    const char *root;
    struct vg_text text = {0};
    char *kept;

    if (pack_of(spec) != NULL)
        return vg_arena_text(arena, sentence);
    root = vg_kind_of(source->origin)->recorded ? row->tree->root : "";
    vg_text_addf(&text, "%s: ", vg_path_name(source->place));
    add_without(&text, sentence, root);
    kept = vg_arena_text(arena, text.data);
    vg_text_release(&text);
    return kept;
}
