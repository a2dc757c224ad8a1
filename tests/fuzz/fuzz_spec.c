/* SPDX-License-Identifier: MIT */
/* libFuzzer target: any bytes as a spec, and what stands after the first NUL as a --set argument.  No crash,
 * no hang, a report with a place or a spec whose canonical text reads back as itself.  Seeds: specs/ itself;
 * VG_TESTS names the folder tests/, so that a child can extend paper.yaml. */
#include "../spec/paper_words.h"

#include <stdlib.h>
#include <string.h>

static struct vg_arena kept;
static struct vg_spec_text files[2] = {{"paper.yaml", "", 0}, {"x.yaml", "", 0}};

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *folder = getenv("VG_TESTS");
    struct vg_error err = {0};
    char *bytes;

    (void)argc;
    (void)argv;
    if (folder != NULL && vg_file_get(vg_path_join(&kept, folder, "spec/paper.yaml"), 1 << 20, &kept, &bytes,
                                      &files[0].length, &err) == VG_OK)
        files[0].text = bytes;
    vg_error_release(&err);
    return 0;
}

static int load(struct vg_spec *spec, const char *text, size_t length, const char *set,
                struct vg_arena *arena)
{
    struct vg_spec_options options = {.embedded = files, .embedded_count = 2};
    struct vg_error err = {0};
    int rc;

    options.set = &set;
    options.set_count = set != NULL;
    files[1].text = text;
    files[1].length = length;
    rc = vg_spec_load(spec, "embedded:x.yaml", &options, &paper_words, arena, &err);
    vg_check((rc == VG_OK) == (err.count == 0));
    for (size_t i = 0; i < err.count; i++)
        vg_check(err.issues[i].place[0] != '\0' && err.issues[i].sentence[0] != '\0');
    vg_error_release(&err);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *nul = size > 0 ? memchr(data, '\0', size) : NULL;
    size_t length = nul != NULL ? (size_t)(nul - text) : size;
    struct vg_text first = {0}, second = {0};
    struct vg_arena arena = {0};
    const char *set = nul != NULL ? vg_arena_text_part(&arena, nul + 1, size - length - 1) : NULL;
    struct vg_spec spec;

    if (load(&spec, text, length, set, &arena) == VG_OK) {
        vg_spec_write(&spec, &first);
        vg_check(load(&spec, first.data, first.length, NULL, &arena) == VG_OK);
        vg_spec_write(&spec, &second);
        vg_check(first.length == second.length && memcmp(first.data, second.data, first.length) == 0);
    }
    vg_text_release(&first);
    vg_text_release(&second);
    vg_arena_release(&arena);
    return 0;
}
