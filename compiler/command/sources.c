/* SPDX-License-Identifier: MIT */
/* check --sources: what is wrong with the sources of a spec, and what is odd, as a table on stdout: faults,
 * remarks, recordings and texts that occur twice, and the mix of sample rates and channels. */
#include "make.h"

#include <stdlib.h>
#include <string.h>

enum { STORE_BYTES = 16 << 20 }; /* every source is looked at once */

struct findings {
    struct vg_call *call;
    const struct vg_work *work;
    const struct vg_source_row *rows;
    struct vg_text out;
    size_t bad, odd;
};

static void add_field(struct vg_text *out, const char *field, char end)
{
    for (; *field != '\0'; field++)
        vg_text_add_char(out, *field == '\t' || *field == '\n' || *field == '\r' ? ' ' : *field);
    vg_text_add_char(out, end);
}

static void add(struct findings *f, const char *what, const struct vg_source *source, const char *detail)
{
    add_field(&f->out, what, '\t');
    add_field(&f->out, source != NULL ? source->id : "", '\t');
    add_field(&f->out, source != NULL ? source->place : "", '\t');
    add_field(&f->out, detail, '\n');
}

static void add_single(struct findings *f)
{
    for (size_t i = 0; i < f->work->sources.count; i++) {
        const struct vg_source *source = &f->work->sources.at[i];
        const struct vg_source_row *row = &f->rows[i];

        f->bad += row->skipped != NULL;
        if (row->skipped != NULL) {
            add(f, "bad", source, row->skipped);
            continue;
        }
        if (row->facts.note[0] != '\0')
            add(f, "note", source, row->facts.note);
        if (row->facts.clipped > 0)
            add(f, "clipped", source,
                vg_arena_format(&f->call->arena, "%zu samples lay beyond full scale", row->facts.clipped));
        f->odd += (size_t)(row->facts.note[0] != '\0') + (size_t)(row->facts.clipped > 0);
    }
}

/* ---- twice ---------------------------------------------------------------------------------------- */

struct mark {
    const char *text; /* what two sources may share */
    size_t index;
};

static int compare_marks(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    int order = strcmp(x->text, y->text);

    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static void add_shared(struct findings *f, const char *what, struct mark *marks, size_t count)
{
    const struct vg_source *at = f->work->sources.at;

    /* No equals: the index decides. */
    if (count > 0)
        qsort(marks, count, sizeof *marks, compare_marks); /* no equals: indices differ */
    for (size_t i = 1, first = 0; i < count; i++) {
        if (strcmp(marks[i].text, marks[first].text) != 0) {
            first = i;
            continue;
        }
        add(f, what, &at[marks[i].index],
            vg_arena_format(&f->call->arena, "the same as %s", at[marks[first].index].id));
        f->odd++;
    }
}

static void add_twice(struct findings *f)
{
    size_t count = f->work->sources.count, sounds = 0, texts = 0;
    struct mark *marks = vg_arena_take(&f->call->arena, count + 1, sizeof *marks);

    for (size_t i = 0; i < count; i++)
        if (f->rows[i].skipped == NULL)
            marks[sounds++] = (struct mark){f->rows[i].facts.audio_xxh128, i};
    add_shared(f, "same_audio", marks, sounds);
    for (size_t i = 0; i < count; i++) {
        struct vg_text words = {0};

        vg_words_normalise(f->work->sources.at[i].text, &words);
        if (f->rows[i].skipped == NULL && words.length > 0)
            marks[texts++] = (struct mark){vg_arena_text(&f->call->arena, words.data), i};
        vg_text_release(&words);
    }
    add_shared(f, "same_text", marks, texts);
}

/* ---- the mix -------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void add_mix(struct findings *f, const char *what, const char *unit, uint32_t *values, size_t count)
{
    /* Equals cannot be told apart. */
    if (count > 0)
        qsort(values, count, sizeof *values, compare_numbers); /* equals are counted */
    for (size_t i = 0; i < count;) {
        size_t same = i;

        while (same < count && values[same] == values[i])
            same++;
        add(f, what, NULL,
            vg_arena_format(&f->call->arena, "%lu%s: %zu sources", (unsigned long)values[i], unit, same - i));
        i = same;
    }
}

static void add_mixes(struct findings *f)
{
    size_t count = 0;
    uint32_t *rates = vg_arena_take(&f->call->arena, f->work->sources.count + 1, sizeof *rates);
    uint32_t *channels = vg_arena_take(&f->call->arena, f->work->sources.count + 1, sizeof *channels);

    for (size_t i = 0; i < f->work->sources.count; i++) {
        if (f->rows[i].skipped != NULL)
            continue;
        rates[count] = f->rows[i].facts.rate_hz;
        channels[count++] = f->rows[i].facts.channels;
    }
    add_mix(f, "rate", " Hz", rates, count);
    add_mix(f, "channels", "", channels, count);
}

/* ---- the verb's part ------------------------------------------------------------------------------ */

/* Faults that showed when the sources were listed, told as the spec's policy wants. */
static int tell_listed(struct vg_work *work, struct vg_call *call)
{
    int rc = VG_OK;

    for (size_t i = 0; i < work->sources.count; i++)
        if (work->sources.at[i].left_out != NULL &&
            vg_source_tell(&work->sources.at[i], work->spec.on_bad_source, &call->err) != VG_OK)
            rc = VG_SOURCE;
    return rc;
}

int vg_check_sources(struct vg_work *work, struct vg_call *call)
{
    struct findings f = {.call = call, .work = work};
    struct vg_source_row *rows = NULL;
    enum vg_policy policy = work->spec.on_bad_source;
    struct vg_source_store *store;
    int rc, listed, printed;

    work->spec.on_bad_source = VG_POLICY_FLAG;
    rc = vg_sources_list(&work->spec, &work->sources, &call->arena, &call->err);
    work->spec.on_bad_source = policy;
    if (rc != VG_OK)
        return rc;
    listed = tell_listed(work, call);
    store = vg_source_store_make(&work->spec, &work->sources, STORE_BYTES);
    rc = vg_make_preflight(work, call, store, &rows);
    vg_source_store_free(store);
    if (rc == VG_IO)
        return rc;
    f.rows = rows;
    vg_text_add(&f.out, "finding\tsource\tplace\tdetail\n");
    add_single(&f);
    add_twice(&f);
    add_mixes(&f);
    printed = vg_print_out(call, &f.out);
    vg_say(call, "%s: %zu sources, %zu of them bad, %zu remarks", call->operands[0], work->sources.count,
           f.bad, f.odd);
    vg_text_release(&f.out);
    return printed != VG_OK ? printed : listed != VG_OK ? listed : rc;
}
