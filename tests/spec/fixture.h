/* SPDX-License-Identifier: MIT */
/* Loading specs that stand in the test itself; they can extend the paper.yaml that lies beside. */
#ifndef VG_SPEC_FIXTURE_H
#define VG_SPEC_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "paper_words.h"

#include <stdlib.h>
#include <string.h>

/* A sound child of paper.yaml; cases replace or append lines. */
static const char base_text[] = "extends: paper.yaml\n"
                                "name: test-set\n"
                                "version: 1.0.0\n"
                                "description: A test.\n"
                                "license: CC0-1.0\n"
                                "splits:\n"
                                "  main:\n"
                                "    sources:\n"
                                "      - {kind: tone, id: a, sample_rate_hz: 48000, tone_sec: 1, amplitude: "
                                "0.5, frequencies_hz: [700]}\n";

struct fixture {
    struct vg_arena arena;
    struct vg_error err;
    struct vg_spec spec;
    struct vg_spec_text files[4];
    size_t file_count;
    struct vg_spec_options options;
    const struct vg_vocabulary *vocabulary;
};

static inline char *paper_text(struct fixture *f, size_t *length)
{
    const char *folder = getenv("VG_TESTS");
    char *bytes = NULL;

    assert_non_null(folder);
    assert_int_equal(vg_file_get(vg_path_join(&f->arena, folder, "spec/paper.yaml"), 1 << 20, &f->arena,
                                 &bytes, length, &f->err),
                     VG_OK);
    return bytes;
}

static inline void add_file(struct fixture *f, const char *name, const char *text, size_t length)
{
    f->files[f->file_count++] = (struct vg_spec_text){name, text, length};
    f->options.embedded = f->files;
    f->options.embedded_count = f->file_count;
}

static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    size_t length;
    char *paper;

    assert_non_null(f);
    f->vocabulary = &paper_words;
    paper = paper_text(f, &length);
    add_file(f, "paper.yaml", paper, length);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;

    vg_error_release(&f->err);
    vg_arena_release(&f->arena);
    free(f);
    return 0;
}

static inline int load_bytes(struct fixture *f, const char *text, size_t length)
{
    f->file_count = 1;
    add_file(f, "x.yaml", text, length);
    vg_error_release(&f->err);
    return vg_spec_load(&f->spec, "embedded:x.yaml", &f->options, f->vocabulary, &f->arena, &f->err);
}

static inline int load_text(struct fixture *f, const char *text)
{
    return load_bytes(f, text, strlen(text));
}

/* base_text with the line that starts with `line` replaced, and more lines at its end; NULL: none. */
static inline char *base_with(struct fixture *f, const char *line, const char *replacement, const char *more)
{
    struct vg_text text = {0};
    const char *rest = base_text;
    char *kept;

    while (*rest != '\0') {
        size_t length = strcspn(rest, "\n") + 1;

        if (line != NULL && strncmp(rest, line, strlen(line)) == 0)
            vg_text_addf(&text, "%s\n", replacement);
        else
            vg_text_add_part(&text, rest, length);
        rest += length;
    }
    vg_text_add(&text, more != NULL ? more : "");
    kept = vg_arena_text(&f->arena, text.data);
    vg_text_release(&text);
    return kept;
}

/* One issue, with the place "x.yaml:LINE:COLUMN" shortened to what stands after "embedded:". */
static inline void assert_issue(const struct vg_issue *issue, const char *place, const char *sentence)
{
    static const char prefix[] = "embedded:";
    const char *at = issue->place;

    if (strncmp(at, prefix, sizeof prefix - 1) == 0)
        at += sizeof prefix - 1;
    assert_int_equal(issue->code, VG_SPEC);
    assert_string_equal(at, place);
    assert_string_equal(issue->sentence, sentence);
}

static inline void assert_loads(struct fixture *f, const char *text)
{
    int rc = load_text(f, text);

    if (rc != VG_OK)
        print_message("%s: %s\n", f->err.issues[0].place, f->err.issues[0].sentence);
    assert_int_equal(rc, VG_OK);
    assert_int_equal(f->err.count, 0);
}

#endif
