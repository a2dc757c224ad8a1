/* SPDX-License-Identifier: MIT */
/* A folder of its own for each test, files made in it, and what is expected of a diagnostic. */
#ifndef VG_TEST_FIXTURE_H
#define VG_TEST_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

struct fixture {
    char folder[64];
    struct vg_arena arena;
    struct vg_error err;
};

static inline int fixture_open(void **state)
{
    static struct fixture f;

    f = (struct fixture){.folder = "/tmp/vg_source_XXXXXX"};
    *state = &f;
    return mkdtemp(f.folder) == NULL;
}

static inline int fixture_close(void **state)
{
    struct fixture *f = *state;
    int rc = vg_folder_remove(f->folder, &f->err);

    vg_error_release(&f->err);
    vg_arena_release(&f->arena);
    return rc;
}

/* The folder may hold anything; its path is what the texts of a spec need. */
static inline char *fixture_path(struct fixture *f, const char *name)
{
    return vg_path_join(&f->arena, f->folder, name);
}

static inline char *fixture_put(struct fixture *f, const char *name, const void *bytes, size_t count)
{
    char *path = fixture_path(f, name);

    assert_int_equal(vg_file_put(path, bytes, count, &f->err), VG_OK);
    return path;
}

/* Samples in -1..1, interleaved, written by libsndfile. */
static inline char *fixture_sound(struct fixture *f, const char *name, int format, int rate_hz, int channels,
                                  const double *x, size_t frames)
{
    SF_INFO info = {.format = format, .samplerate = rate_hz, .channels = channels};
    char *path = fixture_path(f, name);
    SNDFILE *sound = sf_open(path, SFM_WRITE, &info);

    assert_non_null(sound);
    assert_int_equal(sf_writef_double(sound, x, (sf_count_t)frames), (sf_count_t)frames);
    sf_close(sound);
    return path;
}

/* The bytes of a file, to be altered. */
static inline unsigned char *fixture_get(struct fixture *f, const char *path, size_t *count)
{
    char *bytes;

    assert_int_equal(vg_file_get(path, 1 << 24, &f->arena, &bytes, count, &f->err), VG_OK);
    return (unsigned char *)bytes;
}

static inline int fixture_decode(struct fixture *f, const char *path, bool mix_down, struct vg_loaded *loaded)
{
    struct vg_decode_rules rules = {.mix_down = mix_down, .duration_max_sec = 600};

    *loaded = (struct vg_loaded){0};
    return vg_decode_file(path, "table.csv:7", &rules, loaded, &f->arena, &f->err);
}

/* The newest diagnostic has this code and place, and its sentence holds both parts; then forget it. */
static inline void expect_fault(struct fixture *f, int code, const char *place, const char *part,
                                const char *other)
{
    const struct vg_issue *issue;

    assert_true(f->err.count > 0);
    issue = &f->err.issues[f->err.count - 1];
    if (strstr(issue->sentence, part) == NULL || strstr(issue->sentence, other) == NULL)
        fail_msg("expected \"%s\" and \"%s\" in: %s", part, other, issue->sentence);
    assert_int_equal(issue->code, code);
    assert_string_equal(issue->place, place);
    vg_error_release(&f->err);
}

#endif
